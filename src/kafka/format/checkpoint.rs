//! The text files: a version line, a count line, then entries of words between spaces. All of one kind share this reader; what an
//! entry's words mean says who asks.
//!
//! | file | entry |
//! |---|---|
//! | `recovery-point-offset-checkpoint`, `log-start-offset-checkpoint`, `replication-offset-checkpoint` | topic partition offset |
//! | `leader-epoch-checkpoint` | epoch startOffset |
//! | `partition.metadata` | `version: 0`, `topic_id: …` in base64 |

use crate::decode::java;

/// What is wrong with a text file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadText {
    /// Bytes that are no UTF-8.
    Encoding,
    /// The line, from 1.
    Line(usize),
    /// A word of an entry is no number. Some releases take this for another kind of failure than a malformed line.
    Number(usize),
    Version {
        found: i32,
    },
    Count {
        says: i32,
        found: usize,
    },
    /// A line that must be there is not.
    Ends,
}

/// The lines as `BufferedReader.readLine` gives them.
pub fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, behind) = rest.split_at(end);
        lines.push(line);
        rest = behind
            .strip_prefix("\r\n")
            .or_else(|| behind.strip_prefix(['\n', '\r']))
            .unwrap_or("");
    }
    lines
}

/// `Pattern.compile("\\s+").split(line)`
pub fn words(line: &str) -> Vec<&str> {
    let is_space = |c: char| matches!(c, ' ' | '\t' | '\n' | '\u{b}' | '\u{c}' | '\r');
    let mut words: Vec<&str> = Vec::new();
    let mut rest = line;
    loop {
        let end = rest.find(is_space).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        words.push(word);
        if behind.is_empty() {
            break;
        }
        rest = behind.trim_start_matches(is_space);
        if rest.is_empty() {
            break;
        }
    }
    words
}

/// The entries of a file of this shape. An empty file has none.
pub fn entries<T>(
    bytes: &[u8],
    entry: impl Fn(&[&str]) -> Option<Result<T, ()>>,
) -> Result<Vec<T>, BadText> {
    let text = std::str::from_utf8(bytes).map_err(|_| BadText::Encoding)?;
    let mut lines = lines(text).into_iter().enumerate();
    let Some((_, version)) = lines.next() else {
        return Ok(Vec::new());
    };
    let version = java::parse_int(version).ok_or(BadText::Line(1))?;
    if version != 0 {
        return Err(BadText::Version { found: version });
    }
    let Some((_, count)) = lines.next() else {
        return Ok(Vec::new());
    };
    let says = java::parse_int(count).ok_or(BadText::Line(2))?;
    let mut read = Vec::new();
    for (no, line) in lines {
        let no = no.saturating_add(1);
        match entry(&words(line)) {
            Some(Ok(value)) => read.push(value),
            Some(Err(())) => return Err(BadText::Number(no)),
            None => return Err(BadText::Line(no)),
        }
    }
    if usize::try_from(says) != Ok(read.len()) {
        return Err(BadText::Count {
            says,
            found: read.len(),
        });
    }
    Ok(read)
}

/// `topic partition offset`
pub fn offset_entry(words: &[&str]) -> Option<Result<(String, i32, i64), ()>> {
    let [topic, partition, offset] = words else {
        return None;
    };
    Some(
        java::parse_int(partition)
            .zip(java::parse_long(offset))
            .map(|(partition, offset)| ((*topic).to_owned(), partition, offset))
            .ok_or(()),
    )
}

/// `epoch startOffset`
pub fn epoch_entry(words: &[&str]) -> Option<Result<(i32, i64), ()>> {
    let [epoch, offset] = words else { return None };
    Some(
        java::parse_int(epoch)
            .zip(java::parse_long(offset))
            .ok_or(()),
    )
}

pub fn write<'a>(entries: impl ExactSizeIterator<Item = String> + 'a) -> Vec<u8> {
    let mut text = format!("0\n{}\n", entries.len());
    for entry in entries {
        text.push_str(&entry);
        text.push('\n');
    }
    text.into_bytes()
}

/// Why a `partition.metadata` gives no topic id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadMetadata {
    /// Malformed: an `IOException`.
    Text(BadText),
    /// The id is no base64 of 16 bytes, or a line is missing: another exception, which ends the start.
    Id,
}

/// The topic id, as it stands there.
pub fn topic_id(bytes: &[u8], later_versions: bool) -> Result<String, BadMetadata> {
    let text = std::str::from_utf8(bytes).map_err(|_| BadMetadata::Text(BadText::Encoding))?;
    let lines = lines(text);
    let value = |no: usize| {
        let line = lines.get(no).ok_or(BadMetadata::Id)?;
        match named(line).as_slice() {
            [_, value] => Ok((*value).to_owned()),
            _ => Err(BadMetadata::Text(BadText::Line(no.saturating_add(1)))),
        }
    };
    let version = java::parse_int(&value(0)?).ok_or(BadMetadata::Text(BadText::Line(1)))?;
    if version < 0 || version > 0 && !later_versions {
        return Err(BadMetadata::Text(BadText::Version { found: version }));
    }
    let id = value(1)?;
    match decoded_id(&id) {
        Some([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]) => {
            Err(BadMetadata::Text(BadText::Line(2)))
        }
        Some(bytes) => Ok(encoded_id(bytes)),
        None => Err(BadMetadata::Id),
    }
}

/// `Pattern.compile(":\\s+").split(line)`
fn named(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = line;
    let mut from = 0;
    while let Some(found) = rest.get(from..).and_then(|tail| tail.find(':')) {
        let colon = from.saturating_add(found);
        let behind = rest.get(colon.saturating_add(1)..).unwrap_or("");
        let trimmed = behind.trim_start_matches([' ', '\t', '\u{b}', '\u{c}']);
        if trimmed.len() == behind.len() {
            from = colon.saturating_add(1);
            continue;
        }
        parts.push(rest.get(..colon).unwrap_or(""));
        rest = trimmed;
        from = 0;
    }
    parts.push(rest);
    while parts.len() > 1 && parts.last().is_some_and(|part| part.is_empty()) {
        parts.pop();
    }
    parts
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// `Uuid.fromString`: base64 for URLs, padded or not.
fn decoded_id(text: &str) -> Option<[u8; 16]> {
    if text.len() > 24 {
        return None;
    }
    let plain = text.trim_end_matches('=');
    let padding = text.len().saturating_sub(plain.len());
    if padding > 0 && !text.len().is_multiple_of(4) || padding > 2 {
        return None;
    }
    let mut bits = 0u32;
    let mut held = 0u32;
    let mut bytes = Vec::with_capacity(16);
    for c in plain.bytes() {
        let value = ALPHABET.iter().position(|known| *known == c)?;
        bits = bits.checked_shl(6)? | u32::try_from(value).ok()?;
        held = held.saturating_add(6);
        if held >= 8 {
            held = held.saturating_sub(8);
            bytes.push(u8::try_from(bits.checked_shr(held)? & 0xff).ok()?);
            bits &= 1u32.checked_shl(held)?.saturating_sub(1);
        }
    }
    if held == 6 {
        return None;
    }
    bytes.try_into().ok()
}

fn encoded_id(bytes: [u8; 16]) -> String {
    let number = u128::from_be_bytes(bytes);
    (0..22u32)
        .map(|at| {
            let shift = 122u32.checked_sub(at.saturating_mul(6));
            let six = match shift {
                Some(shift) => number.checked_shr(shift),
                // The last character holds two bits.
                None => number.checked_shl(4),
            };
            let index = usize::try_from(six.unwrap_or(0) & 0x3f).unwrap_or(0);
            char::from(ALPHABET.get(index).copied().unwrap_or(b'A'))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted() {
        let read = |text: &str| entries(text.as_bytes(), offset_entry);
        assert_eq!(read(""), Ok(vec![]));
        assert_eq!(read("0\n1\nt 0 7\n"), Ok(vec![("t".to_owned(), 0, 7)]));
        assert_eq!(
            read("0\n2\nt 0 7\n"),
            Err(BadText::Count { says: 2, found: 1 })
        );
        assert_eq!(read("0\n1\nt 0\n"), Err(BadText::Line(3)));
        assert_eq!(read("0\n1\nt 0 x\n"), Err(BadText::Number(3)));
        assert_eq!(read("1\n0\n"), Err(BadText::Version { found: 1 }));
    }

    #[test]
    fn a_topic_id_is_sixteen_bytes() {
        let id = "EjRWeJCrze_____4A1OFVw";
        let text = format!("version: 0\ntopic_id: {id}");
        assert_eq!(topic_id(text.as_bytes(), true), Ok(id.to_owned()));
        assert_eq!(
            topic_id(b"version: 0\ntopic_id: EjRW", true),
            Err(BadMetadata::Id)
        );
        assert_eq!(topic_id(b"version: 0", true), Err(BadMetadata::Id));
        assert!(matches!(
            topic_id(b"nothing", true),
            Err(BadMetadata::Text(_))
        ));
    }
}
