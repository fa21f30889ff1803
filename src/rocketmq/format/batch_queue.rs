//! A unit of a batch consume queue: where in the log a batch of messages of the queue lies. 46 bytes, big-endian.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 8 | offset | physical offset of the batch |
//! | 8 | 4 | size | its total size |
//! | 12 | 8 | tagsCode | hash of the tag |
//! | 20 | 8 | storeTime | |
//! | 28 | 8 | msgBaseOffset | queue offset of its first message |
//! | 36 | 2 | batchSize | how many messages it is |
//! | 38 | 4 | compactedOffset | |
//! | 42 | 4 | reserved | |
//!
//! Written if and only if offset ≥ 0, size > 0, msgBaseOffset ≥ 0 and batchSize > 0. Source: `BatchConsumeQueue` (5.0),
//! `CQ_STORE_UNIT_SIZE`.

use crate::decode::{Cursor, Fields, Stop, Value};

pub const UNIT: usize = 46;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchUnit {
    pub offset: i64,
    pub size: i32,
    pub msg_base_offset: i64,
    pub batch_size: i16,
}

impl BatchUnit {
    pub fn is_written(self) -> bool {
        self.offset >= 0 && self.size > 0 && self.msg_base_offset >= 0 && self.batch_size > 0
    }
}

pub fn unit(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<BatchUnit, Stop> {
    let at = cursor.pos();
    let offset = cursor.i64()?;
    fields.field("offset", at, 8, || Value::Int(offset));
    let at = cursor.pos();
    let size = cursor.i32()?;
    fields.field("size", at, 4, || Value::Int(i64::from(size)));
    let at = cursor.pos();
    let tags_code = cursor.i64()?;
    fields.field("tagsCode", at, 8, || Value::Int(tags_code));
    let at = cursor.pos();
    let store_time = cursor.i64()?;
    fields.field("storeTime", at, 8, || Value::Time(store_time));
    let at = cursor.pos();
    let msg_base_offset = cursor.i64()?;
    fields.field("msgBaseOffset", at, 8, || Value::Int(msg_base_offset));
    let at = cursor.pos();
    let batch_size = cursor.i16()?;
    fields.field("batchSize", at, 2, || Value::Int(i64::from(batch_size)));
    for name in ["compactedOffset", "reserved"] {
        let at = cursor.pos();
        let value = cursor.i32()?;
        fields.field(name, at, 4, || Value::Int(i64::from(value)));
    }
    Ok(BatchUnit {
        offset,
        size,
        msg_base_offset,
        batch_size,
    })
}
