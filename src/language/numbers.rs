//! Numbers as people read them: grouped, with a unit, as a time. Always with the exact value at hand, because 64 bits do not fit a
//! rounded word.

use crate::decode::num::civil;

/// Between groups of three digits: narrow, and no place for a line break.
const GROUP: char = '\u{202f}';

/// `163 577 344`
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len().saturating_mul(2));
    if number < 0 {
        text.push('−');
    }
    for (at, digit) in digits.chars().enumerate() {
        let left = digits.len().saturating_sub(at);
        if at > 0 && left.is_multiple_of(3) {
            text.push(GROUP);
        }
        text.push(digit);
    }
    text
}

/// `1 188 B`, `28.0 MiB`, `128 MiB`: exact below 10 KiB, three digits from there on.
pub fn bytes(number: i64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if number.unsigned_abs() < 10_240 {
        return format!("{}\u{a0}B", grouped(number));
    }
    let mut unit = 1u64 << 10;
    let mut name = "KiB";
    for next in UNITS {
        name = next;
        if number.unsigned_abs() < unit.saturating_mul(1024) || next == "EiB" {
            break;
        }
        unit = unit.saturating_mul(1024);
    }
    let sign = if number < 0 { "−" } else { "" };
    let size = number.unsigned_abs();
    let whole = size.checked_div(unit).unwrap_or(0);
    let rest = size.checked_rem(unit).unwrap_or(0);
    if rest == 0 {
        return format!("{sign}{whole}\u{a0}{name}");
    }
    // A unit is at most 2^60, so the product stays within u128 and the quotient within three digits.
    let decimals = if whole < 10 {
        2
    } else {
        u32::from(whole < 100)
    };
    let scale = 10u128.saturating_pow(decimals);
    let part = u128::from(rest)
        .saturating_mul(scale)
        .checked_div(u128::from(unit))
        .unwrap_or(0);
    match decimals {
        0 => format!("{sign}{whole}\u{a0}{name}"),
        1 => format!("{sign}{whole}.{part:01}\u{a0}{name}"),
        _ => format!("{sign}{whole}.{part:02}\u{a0}{name}"),
    }
}

/// `5e0c11d7`: the bits of a Java `int`; of a `long`, where it is one.
pub fn hex(number: i64) -> String {
    let fits = i32::try_from(number).is_ok() || u32::try_from(number).is_ok();
    if fits {
        let bits = number.rem_euclid(1 << 32);
        format!("{bits:08x}")
    } else {
        format!("{:016x}", number.cast_unsigned())
    }
}

/// `2026-03-02 14:02:11.902 UTC`, from milliseconds since 1970.
pub fn time(ms: i64) -> String {
    let (year, month, day) = civil(ms.div_euclid(DAY_MS));
    format!("{year:04}-{month:02}-{day:02} {} UTC", clock(ms))
}

/// `14:02:11.902`
pub fn clock(ms: i64) -> String {
    let of_day = ms.rem_euclid(DAY_MS);
    let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (seconds, rest) = (of_day / 1000 % 60, of_day % 1000);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{rest:03}")
}

const DAY_MS: i64 = 86_400_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn with_spaces(text: &str) -> String {
        text.replace(['\u{202f}', '\u{a0}'], " ")
    }

    #[test]
    fn digits_are_grouped_up_to_the_last_one() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1188, "1 188"),
            (163_577_344, "163 577 344"),
            (-20, "−20"),
            (i64::MAX, "9 223 372 036 854 775 807"),
            (i64::MIN, "−9 223 372 036 854 775 808"),
        ] {
            assert_eq!(with_spaces(&grouped(number)), text);
        }
    }

    #[test]
    fn bytes_are_exact_while_small_and_three_digits_after() {
        for (number, text) in [
            (0, "0 B"),
            (1188, "1 188 B"),
            (10_240, "10 KiB"),
            (16_384, "16 KiB"),
            (29_359_616, "27.9 MiB"),
            (128 << 20, "128 MiB"),
            ((1 << 30) + 1, "1.00 GiB"),
            ((5 << 30) + (1 << 29), "5.50 GiB"),
            (1_048_575, "1023 KiB"),
            (i64::MAX, "7.99 EiB"),
        ] {
            assert_eq!(with_spaces(&bytes(number)), text, "{number}");
        }
    }

    #[test]
    fn hex_shows_the_bits_that_are_stored() {
        assert_eq!(hex(0x5e0c_11d7), "5e0c11d7");
        assert_eq!(hex(i64::from(-1i32)), "ffffffff");
        assert_eq!(hex(0xdaa3_20a7), "daa320a7");
        assert_eq!(hex(i64::MAX), "7fffffffffffffff");
    }

    #[test]
    fn times_are_right_around_leap_days_and_before_1970() {
        for (ms, text) in [
            (0, "1970-01-01 00:00:00.000 UTC"),
            (1_772_460_131_902, "2026-03-02 14:02:11.902 UTC"),
            (951_782_400_000, "2000-02-29 00:00:00.000 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59:59.999 UTC"),
            (-1, "1969-12-31 23:59:59.999 UTC"),
            (4_107_542_400_000, "2100-03-01 00:00:00.000 UTC"),
            (i64::MAX, "292278994-08-17 07:12:55.807 UTC"),
        ] {
            assert_eq!(time(ms), text);
        }
        assert!(time(i64::MIN).ends_with("UTC"));
    }
}
