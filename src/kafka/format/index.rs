//! Entries of the three index files of a segment. An index is written through a mapping of its full size: what lies behind the last
//! entry is zeros until the file is trimmed.
//!
//! | file | entry |
//! |---|---|
//! | `.index` | 4 relativeOffset, 4 position |
//! | `.timeindex` | 8 timestamp, 4 relativeOffset |
//! | `.txnindex` | 2 version, 8 producerId, 8 firstOffset, 8 lastOffset, 8 lastStableOffset; not mapped |

use crate::decode::{Cursor, Fields, Stop, Value};

pub const OFFSET_ENTRY: u64 = 8;
pub const TIME_ENTRY: u64 = 12;
pub const ABORTED_TXN: u64 = 34;

/// A transaction that was aborted: who, from where to where, and up to where all was decided then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbortedTxn {
    pub version: i16,
    pub producer_id: i64,
    pub first_offset: i64,
    pub last_offset: i64,
    pub last_stable_offset: i64,
}

impl AbortedTxn {
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(34);
        bytes.extend_from_slice(&self.version.to_be_bytes());
        for field in [
            self.producer_id,
            self.first_offset,
            self.last_offset,
            self.last_stable_offset,
        ] {
            bytes.extend_from_slice(&field.to_be_bytes());
        }
        bytes
    }
}

pub fn aborted_txn(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<AbortedTxn, Stop> {
    let version = cursor.i16()?;
    fields.field("version", 0, 2, || Value::Int(version.into()));
    let producer_id = cursor.i64()?;
    fields.field("producerId", 2, 8, || Value::Int(producer_id));
    let first_offset = cursor.i64()?;
    fields.field("firstOffset", 10, 8, || Value::Int(first_offset));
    let last_offset = cursor.i64()?;
    fields.field("lastOffset", 18, 8, || Value::Int(last_offset));
    let last_stable_offset = cursor.i64()?;
    fields.field("lastStableOffset", 26, 8, || Value::Int(last_stable_offset));
    Ok(AbortedTxn {
        version,
        producer_id,
        first_offset,
        last_offset,
        last_stable_offset,
    })
}

pub fn offset_entry(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    let relative = cursor.i32()?;
    fields.field("relativeOffset", 0, 4, || Value::Int(relative.into()));
    let position = cursor.i32()?;
    fields.field("position", 4, 4, || Value::Int(position.into()));
    Ok(())
}

pub fn time_entry(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    let timestamp = cursor.i64()?;
    fields.field("timestamp", 0, 8, || Value::Time(timestamp));
    let relative = cursor.i32()?;
    fields.field("relativeOffset", 8, 4, || Value::Int(relative.into()));
    Ok(())
}
