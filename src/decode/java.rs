//! Where a verdict hangs on how Java reads text: decoding bytes, hashing strings, parsing numbers.

use std::borrow::Cow;

/// `new String(bytes, UTF_8)`: as Rust decodes it, but for an encoded surrogate, whole or cut off, which Java replaces by one
/// character, not one a byte.
pub fn string(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(decode_malformed(bytes)),
    }
}

fn decode_malformed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    loop {
        match rest {
            [] => return text,
            [0xed, 0xa0..=0xbf, 0x80..=0xbf, tail @ ..] | [0xed, 0xa0..=0xbf, tail @ ..] => {
                text.push('\u{fffd}');
                rest = tail;
            }
            _ => match std::str::from_utf8(rest) {
                Ok(good) => {
                    text.push_str(good);
                    return text;
                }
                Err(error) => {
                    let (good, bad) = rest.split_at(error.valid_up_to().min(rest.len()));
                    text.push_str(&String::from_utf8_lossy(good));
                    if matches!(bad, [0xed, 0xa0..=0xbf, ..]) {
                        rest = bad;
                        continue;
                    }
                    text.push('\u{fffd}');
                    let skip = error.error_len().unwrap_or(bad.len());
                    rest = bad.get(skip..).unwrap_or(&[]);
                }
            },
        }
    }
}

/// `String.hashCode()`: over UTF-16 units, wrapping.
pub fn hash(text: &str) -> i32 {
    hash_onto(0, text)
}

/// The hash of a longer string whose first part hashes to `head` and whose rest is `text`.
pub fn hash_onto(head: i32, text: &str) -> i32 {
    hash_utf8(head, text.as_bytes())
}

/// The same of text that is not decoded yet: most tags and keys are plain ASCII.
pub fn hash_utf8(head: i32, bytes: &[u8]) -> i32 {
    if bytes.is_ascii() {
        return hash_ascii(head, bytes);
    }
    string(bytes).encode_utf16().fold(head, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

/// Four characters a round: `31⁴h + 31³a + 31²b + 31c + d` needs one multiplication in sequence instead of four.
fn hash_ascii(head: i32, bytes: &[u8]) -> i32 {
    let (rounds, rest) = bytes.as_chunks::<4>();
    let hash = rounds.iter().fold(head, |hash, &[a, b, c, d]| {
        hash.wrapping_mul(923_521)
            .wrapping_add(i32::from(a).wrapping_mul(29_791))
            .wrapping_add(i32::from(b).wrapping_mul(961))
            .wrapping_add(i32::from(c).wrapping_mul(31))
            .wrapping_add(i32::from(d))
    });
    rest.iter().fold(hash, |hash, &unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

/// The order in which a `ConcurrentHashMap` is walked that began with so many bins: bin by bin, and in a bin as they came. (A map that
/// has grown may turn two of one bin round.)
pub fn table_order<T>(bins: usize, mut entries: Vec<T>, hash: impl Fn(&T) -> i32) -> Vec<T> {
    let mut bins = bins.max(1);
    while entries.len() >= bins.saturating_sub(bins / 4) {
        bins = bins.saturating_mul(2);
    }
    let last_bin = u32::try_from(bins.saturating_sub(1)).unwrap_or(u32::MAX);
    entries.sort_by_key(|entry| {
        let hash = hash(entry).cast_unsigned();
        (hash ^ (hash >> 16)) & last_bin
    });
    entries
}

/// `Integer.parseInt`, `None` for a `NumberFormatException`. Java takes one leading sign and digits of any script.
pub fn parse_int(text: &str) -> Option<i32> {
    parse_long(text).and_then(|long| i32::try_from(long).ok())
}

/// `Long.parseLong`.
pub fn parse_long(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, text.get(1..)?),
        [b'+', ..] => (false, text.get(1..)?),
        _ => (false, text),
    };
    if digits.is_empty() {
        return None;
    }
    digits.chars().try_fold(0i64, |number, c| {
        let digit = i64::from(c.to_digit(10)?);
        let number = number.checked_mul(10)?;
        if negative {
            number.checked_sub(digit)
        } else {
            number.checked_add(digit)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_java() {
        assert_eq!(hash(""), 0);
        assert_eq!(hash("TagA"), 2598919);
        assert_eq!(hash("标签"), 857175);
        assert_eq!(hash("polygenelubricants"), i32::MIN);
        assert_eq!(hash_onto(hash("Topic#"), "key"), hash("Topic#key"));
        assert_eq!(hash_utf8(7, b"a\xff"), hash_onto(7, "a\u{fffd}"));
        assert_eq!(hash("𝄞"), 55348i32.wrapping_mul(31).wrapping_add(56606));
    }

    #[test]
    fn malformed_bytes_become_the_characters_that_java_puts_there() {
        assert_eq!(string(b"plain"), "plain");
        assert_eq!(string(b"a\xffb"), "a\u{fffd}b");
        assert_eq!(
            string(b"\xed\xa0\x80!"),
            "\u{fffd}!",
            "an encoded surrogate is one"
        );
        assert_eq!(string(b"x\xed\xa0\x80"), "x\u{fffd}");
        assert_eq!(string(b"\xe6\xa0"), "\u{fffd}", "cut off");
        assert_eq!(string(b"\xe6\xa0a"), "\u{fffd}a");
        assert_eq!(string(b"\xc0\x80"), "\u{fffd}\u{fffd}");
    }

    #[test]
    fn numbers_are_parsed_as_java_does() {
        assert_eq!(parse_long("00000000000000016384"), Some(16384));
        assert_eq!(parse_long("+5"), Some(5));
        assert_eq!(parse_long("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(parse_long("9223372036854775808"), None);
        assert_eq!(parse_long(""), None);
        assert_eq!(parse_long("-"), None);
        assert_eq!(parse_long("1 "), None);
        assert_eq!(parse_int("2147483648"), None);
    }
}
