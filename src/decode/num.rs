//! Conversions between the three kinds of numbers here: Java's `int` and `long` (signed, they wrap), positions in a file (`u64`) and
//! lengths of slices (`usize`, 32 bits in wasm). In one place, so that the rest of the library needs no `as`.

#[expect(
    clippy::as_conversions,
    reason = "usize has at most 64 bits on every target"
)]
pub const fn u64_of(len: usize) -> u64 {
    len as u64
}

/// The nearest length: in wasm a position beyond 4 GiB is beyond every slice, and `usize::MAX` is too.
pub fn usize_of(pos: u64) -> usize {
    usize::try_from(pos).unwrap_or(usize::MAX)
}

/// Java's `(int) long`: the low 32 bits.
#[expect(clippy::as_conversions, reason = "the truncation is Java's and meant")]
pub const fn java_int(long: i64) -> i32 {
    long as i32
}

/// A file position as a `long`.
pub fn long_of(pos: u64) -> i64 {
    i64::try_from(pos).unwrap_or(i64::MAX)
}

/// A `long` as a file position; negative ones become 0.
pub fn pos_of(long: i64) -> u64 {
    u64::try_from(long).unwrap_or(0)
}

pub fn long_len(len: usize) -> i64 {
    long_of(u64_of(len))
}

pub fn i32_be(bytes: [u8; 4]) -> i32 {
    i32::from_be_bytes(bytes)
}

/// The four bytes of an `int`, as the number a person writes in hex.
pub const fn u32_bits(int: i32) -> u32 {
    int.cast_unsigned()
}

/// And back: as Java prints them.
pub const fn i32_bits(bits: u32) -> i32 {
    bits.cast_signed()
}

/// Java's `%` and `/` on `long`, where a zero divisor (which Java would throw at) gives zero.
pub fn java_rem(a: i64, b: i64) -> i64 {
    a.checked_rem(b).unwrap_or(0)
}

pub fn java_div(a: i64, b: i64) -> i64 {
    a.checked_div(b).unwrap_or(0)
}

/// Year, month, day of a day since 1970-01-01, in the Gregorian calendar without end on both sides. The year is counted from 1 March,
/// so that a leap day comes last; a day of `i64` milliseconds is far from where any of this could overflow.
pub fn civil(day: i64) -> (i64, i64, i64) {
    let day = day.saturating_add(719_468);
    let era = day.div_euclid(146_097);
    let of_era = day.rem_euclid(146_097);
    let leap_days = (of_era / 1460)
        .saturating_sub(of_era / 36_524)
        .saturating_add(of_era / 146_096);
    let year_of_era = of_era.saturating_sub(leap_days) / 365;
    let before = year_of_era
        .saturating_mul(365)
        .saturating_add(year_of_era / 4)
        .saturating_sub(year_of_era / 100);
    let of_year = of_era.saturating_sub(before);
    let march_month = of_year.saturating_mul(5).saturating_add(2) / 153;
    let month_start = march_month.saturating_mul(153).saturating_add(2) / 5;
    let day = of_year.saturating_sub(month_start).saturating_add(1);
    let month = if march_month < 10 {
        march_month.saturating_add(3)
    } else {
        march_month.saturating_sub(9)
    };
    let year = era.saturating_mul(400).saturating_add(year_of_era);
    (
        if month <= 2 {
            year.saturating_add(1)
        } else {
            year
        },
        month,
        day,
    )
}
