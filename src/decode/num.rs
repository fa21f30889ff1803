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

/// Java's `%` and `/` on `long`, where a zero divisor (which Java would throw at) gives zero.
pub fn java_rem(a: i64, b: i64) -> i64 {
    a.checked_rem(b).unwrap_or(0)
}

pub fn java_div(a: i64, b: i64) -> i64 {
    a.checked_div(b).unwrap_or(0)
}
