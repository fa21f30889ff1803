//! Variable-length integers of v2 records (`ByteUtils`): seven bits a byte, the sign in the lowest bit.

/// Why no number could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadVarint {
    /// The bytes end first.
    Ends,
    /// More bytes than a number of this width can have.
    TooLong,
}

/// An `int`, and how many bytes it took.
pub fn varint(bytes: &[u8]) -> Result<(i32, usize), BadVarint> {
    let (raw, len) = unsigned(bytes, 5)?;
    #[expect(
        clippy::as_conversions,
        reason = "Java keeps the low 32 bits of what it shifted together"
    )]
    let raw = raw as u32;
    let half = (raw >> 1).cast_signed();
    let sign = (raw & 1).cast_signed().wrapping_neg();
    Ok((half ^ sign, len))
}

/// A `long`, and how many bytes it took.
pub fn varlong(bytes: &[u8]) -> Result<(i64, usize), BadVarint> {
    let (raw, len) = unsigned(bytes, 10)?;
    let half = (raw >> 1).cast_signed();
    let sign = (raw & 1).cast_signed().wrapping_neg();
    Ok((half ^ sign, len))
}

fn unsigned(bytes: &[u8], most: usize) -> Result<(u64, usize), BadVarint> {
    let mut value = 0u64;
    for (at, byte) in bytes.iter().take(most).enumerate() {
        let shift = u32::try_from(at).unwrap_or(0).saturating_mul(7);
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Ok((value, at.saturating_add(1)));
        }
    }
    Err(if bytes.len() < most {
        BadVarint::Ends
    } else {
        BadVarint::TooLong
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_zigzag() {
        assert_eq!(varint(&[0]), Ok((0, 1)));
        assert_eq!(varint(&[1]), Ok((-1, 1)));
        assert_eq!(varint(&[0x80, 1, 9]), Ok((64, 2)));
        assert_eq!(varint(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Ok((i32::MIN, 5)));
        assert_eq!(varint(&[0x80]), Err(BadVarint::Ends));
        assert_eq!(varint(&[0x80; 5]), Err(BadVarint::TooLong));
        assert_eq!(
            varlong(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
            Ok((i64::MIN, 10))
        );
    }
}
