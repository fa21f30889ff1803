//! A record batch (v2), and what it shares with a message of the older formats (v0, v1): both begin with an offset and a length.
//!
//! | at | bytes | field | |
//! |---|---|---|---|
//! | 0 | 8 | baseOffset | of the first record (v0, v1: the message's own, of a wrapper its last inner one) |
//! | 8 | 4 | batchLength | bytes that follow |
//! | 12 | 4 | partitionLeaderEpoch | |
//! | 16 | 1 | magic | 2 |
//! | 17 | 4 | crc | CRC-32C of all from attributes on |
//! | 21 | 2 | attributes | bits 0–2 codec, 3 timestamp type, 4 transactional, 5 control, 6 delete horizon |
//! | 23 | 4 | lastOffsetDelta | |
//! | 27 | 8 | baseTimestamp | |
//! | 35 | 8 | maxTimestamp | |
//! | 43 | 8 | producerId | -1: none |
//! | 51 | 2 | producerEpoch | |
//! | 53 | 4 | baseSequence | |
//! | 57 | 4 | recordCount | |
//! | 61 | | records | compressed as one |
//!
//! The checksum covers neither the offset, the length, the leader epoch nor the magic.

use super::legacy;
use crate::decode::{Cursor, Fields, Stop, Value, num};

/// Offset and length: in front of every batch of every format.
pub const LOG_OVERHEAD: u64 = 12;
/// Up to and with the magic byte, which tells the format.
pub const HEADER_TO_MAGIC: u64 = 17;
/// Bytes of a v2 header.
pub const HEADER: usize = 61;
pub const HEADER_U64: u64 = 61;

/// The first bytes of a batch, as far as the file goes. A corrupt length makes the broker read fields past the batch, so the header
/// here is what stands in the *file*.
#[derive(Clone, Debug)]
pub struct Header {
    bytes: [u8; HEADER],
    len: usize,
}

/// A field lies behind the end of what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond;

impl Header {
    pub fn new(from: &[u8]) -> Self {
        let mut bytes = [0; HEADER];
        let len = from.len().min(HEADER);
        for (to, byte) in bytes.iter_mut().zip(from) {
            *to = *byte;
        }
        Self { bytes, len }
    }

    /// Only the bytes that belong to the batch itself.
    pub fn cut_to(&self, size: u64) -> Self {
        Self {
            len: self.len.min(num::usize_of(size)),
            ..self.clone()
        }
    }

    fn array<const N: usize>(&self, at: usize) -> Result<[u8; N], Beyond> {
        self.bytes
            .get(..self.len)
            .and_then(|bytes| bytes.get(at..)?.first_chunk::<N>())
            .copied()
            .ok_or(Beyond)
    }

    fn i64(&self, at: usize) -> Result<i64, Beyond> {
        self.array(at).map(i64::from_be_bytes)
    }

    fn i32(&self, at: usize) -> Result<i32, Beyond> {
        self.array(at).map(i32::from_be_bytes)
    }

    fn i16(&self, at: usize) -> Result<i16, Beyond> {
        self.array(at).map(i16::from_be_bytes)
    }

    /// Whether all 61 bytes are there.
    pub fn is_whole(&self) -> bool {
        self.len == HEADER
    }

    pub fn offset(&self) -> Result<i64, Beyond> {
        self.i64(0)
    }

    /// Bytes behind the length field.
    pub fn length(&self) -> Result<i32, Beyond> {
        self.i32(8)
    }

    pub fn leader_epoch(&self) -> Result<i32, Beyond> {
        self.i32(12)
    }

    pub fn magic(&self) -> Result<i8, Beyond> {
        self.array::<1>(16).map(i8::from_be_bytes)
    }

    pub fn crc(&self) -> Result<u32, Beyond> {
        self.array(17).map(u32::from_be_bytes)
    }

    pub fn attributes(&self) -> Result<i16, Beyond> {
        self.i16(21)
    }

    pub fn last_offset_delta(&self) -> Result<i32, Beyond> {
        self.i32(23)
    }

    pub fn base_timestamp(&self) -> Result<i64, Beyond> {
        self.i64(27)
    }

    pub fn max_timestamp(&self) -> Result<i64, Beyond> {
        self.i64(35)
    }

    pub fn producer_id(&self) -> Result<i64, Beyond> {
        self.i64(43)
    }

    pub fn producer_epoch(&self) -> Result<i16, Beyond> {
        self.i16(51)
    }

    pub fn base_sequence(&self) -> Result<i32, Beyond> {
        self.i32(53)
    }

    pub fn count(&self) -> Result<i32, Beyond> {
        self.i32(57)
    }

    pub fn last_sequence(&self) -> Result<i32, Beyond> {
        let base = self.base_sequence()?;
        if base == NO_SEQUENCE {
            return Ok(NO_SEQUENCE);
        }
        Ok(increment_sequence(base, self.last_offset_delta()?))
    }

    /// Of v0 and v1: behind the magic.
    pub fn legacy_attributes(&self) -> Result<i8, Beyond> {
        self.array::<1>(17).map(i8::from_be_bytes)
    }

    /// Of v0 and v1: in front of the magic.
    pub fn legacy_crc(&self) -> Result<u32, Beyond> {
        self.array(12).map(u32::from_be_bytes)
    }

    /// Of v0 and v1: `-1` where the format has none.
    pub fn legacy_timestamp(&self) -> Result<i64, Beyond> {
        if self.magic()? == 0 {
            return Ok(legacy::NO_TIMESTAMP);
        }
        self.i64(18)
    }
}

pub const NO_SEQUENCE: i32 = -1;

/// `DefaultRecordBatch.incrementSequence`: after the largest `int` comes 0.
pub fn increment_sequence(sequence: i32, by: i32) -> i32 {
    if sequence > i32::MAX.wrapping_sub(by) {
        return by
            .wrapping_sub(i32::MAX.wrapping_sub(sequence))
            .wrapping_sub(1);
    }
    sequence.wrapping_add(by)
}

/// `DefaultRecordBatch.decrementSequence`.
pub fn decrement_sequence(sequence: i32, by: i32) -> i32 {
    if sequence < by {
        return i32::MAX
            .wrapping_sub(by.wrapping_sub(sequence))
            .wrapping_add(1);
    }
    sequence.wrapping_sub(by)
}

pub const CODEC_MASK: i16 = 0x07;
pub const LOG_APPEND_TIME: i16 = 0x08;
pub const TRANSACTIONAL: i16 = 0x10;
pub const CONTROL: i16 = 0x20;
pub const DELETE_HORIZON: i16 = 0x40;

/// The checksum of a whole v2 batch.
pub fn computed_crc(batch: &[u8]) -> u32 {
    crc32c::crc32c(batch.get(21..).unwrap_or(&[]))
}

/// The header's fields by Kafka's names.
pub fn read_header(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    let int = |value: i64| move || Value::Int(value);
    let mut at = cursor.pos();
    let mut note = |cursor: &Cursor<'_>, name, value: Value| {
        fields.field(name, at, cursor.pos().saturating_sub(at), || value);
        at = cursor.pos();
    };
    let v = cursor.i64()?;
    note(cursor, "baseOffset", int(v)());
    let v = cursor.i32()?;
    note(cursor, "batchLength", int(v.into())());
    let v = cursor.i32()?;
    note(cursor, "partitionLeaderEpoch", int(v.into())());
    let v = cursor.i8()?;
    note(cursor, "magic", int(v.into())());
    let v = cursor.i32()?;
    note(cursor, "crc", Value::Hex(num::u32_bits(v)));
    let v = cursor.i16()?;
    note(cursor, "attributes", Value::Text(attributes_text(v)));
    let v = cursor.i32()?;
    note(cursor, "lastOffsetDelta", int(v.into())());
    let v = cursor.i64()?;
    note(cursor, "baseTimestamp", Value::Time(v));
    let v = cursor.i64()?;
    note(cursor, "maxTimestamp", Value::Time(v));
    let v = cursor.i64()?;
    note(cursor, "producerId", int(v)());
    let v = cursor.i16()?;
    note(cursor, "producerEpoch", int(v.into())());
    let v = cursor.i32()?;
    note(cursor, "baseSequence", int(v.into())());
    let v = cursor.i32()?;
    note(cursor, "recordCount", int(v.into())());
    Ok(())
}

/// `0x0011 gzip, transactional`
pub fn attributes_text(attributes: i16) -> String {
    let mut words = vec![format!("0x{attributes:04x}")];
    let codec = attributes & CODEC_MASK;
    match super::compression::Codec::of(i64::from(codec)) {
        Some(codec) => words.push(codec.name().to_owned()),
        None => words.push(format!("codec {codec}?")),
    }
    for (bit, word) in [
        (LOG_APPEND_TIME, "LogAppendTime"),
        (TRANSACTIONAL, "transactional"),
        (CONTROL, "control"),
        (DELETE_HORIZON, "delete horizon"),
    ] {
        if attributes & bit != 0 {
            words.push(word.to_owned());
        }
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_wrap_to_zero() {
        assert_eq!(increment_sequence(i32::MAX, 1), 0);
        assert_eq!(increment_sequence(5, 3), 8);
        assert_eq!(decrement_sequence(0, 1), i32::MAX);
        assert_eq!(decrement_sequence(7, 3), 4);
    }

    #[test]
    fn a_field_behind_the_end_is_beyond_and_not_zero() {
        let header = Header::new(&[0; 25]);
        assert_eq!(header.attributes(), Ok(0));
        assert_eq!(header.last_offset_delta(), Err(Beyond));
    }
}
