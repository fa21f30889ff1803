//! A unit of a consume queue: where in the log a message of the queue lies. Twenty bytes, big-endian; unit *n* stands at byte 20 *n*.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 8 | offset | physical offset of the message |
//! | 8 | 4 | size | its total size |
//! | 12 | 8 | tagsCode | hash of the tag; for a delayed message the time it is due |
//!
//! Zeros were never written. `(0, 2147483647, 0)` fills the front of a first file that begins in the middle.
//! Source: `ConsumeQueue` (4.9), `CQ_STORE_UNIT_SIZE`.

use crate::decode::{Cursor, Fields, Stop, Value};

pub const UNIT: i32 = 20;
pub const UNIT_U64: u64 = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    pub offset: i64,
    pub size: i32,
    pub tags_code: i64,
}

impl Unit {
    /// Fills the place of units that a queue never had.
    pub const BLANK: Self = Self {
        offset: 0,
        size: i32::MAX,
        tags_code: 0,
    };

    pub fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        let (offset, rest) = bytes.split_at_mut(8);
        let (size, tags_code) = rest.split_at_mut(4);
        offset.copy_from_slice(&self.offset.to_be_bytes());
        size.copy_from_slice(&self.size.to_be_bytes());
        tags_code.copy_from_slice(&self.tags_code.to_be_bytes());
        bytes
    }

    /// Where its message ends in the log.
    pub fn end(self) -> i64 {
        self.offset.wrapping_add(i64::from(self.size))
    }
}

pub fn unit(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Unit, Stop> {
    let at = cursor.pos();
    let offset = cursor.i64()?;
    fields.field("offset", at, 8, || Value::Int(offset));
    let at = cursor.pos();
    let size = cursor.i32()?;
    fields.field("size", at, 4, || Value::Int(i64::from(size)));
    let at = cursor.pos();
    let tags_code = cursor.i64()?;
    fields.field("tagsCode", at, 8, || Value::Int(tags_code));
    Ok(Unit {
        offset,
        size,
        tags_code,
    })
}
