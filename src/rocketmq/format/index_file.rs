//! An index file: a hash table from `topic#key` to physical offsets. Big-endian.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 8 | beginTimestamp | store time of the first message |
//! | 8 | 8 | endTimestamp | store time of the last one |
//! | 16 | 8 | beginPhyOffset | |
//! | 24 | 8 | endPhyOffset | |
//! | 32 | 4 | hashSlotCount | slots in use |
//! | 36 | 4 | indexCount | the next entry's number; the first entry is number 1 |
//! | 40 | 4 × slots | slot | number of the newest entry with that hash, 0 none |
//! | 40 + 4 × slots | 20 × entries | entry | keyHash 4, phyOffset 8, timeDiff 4 (seconds since beginTimestamp), prevIndex 4 |
//!
//! Entry 0 is never used. How many slots and entries a file has stands nowhere in it: the settings say so.
//! Source: `IndexHeader`, `IndexFile` (4.9).

use crate::decode::{Cursor, Fields, Stop, Value};

pub const HEADER: u64 = 40;
pub const SLOT: u64 = 4;
pub const ENTRY: u64 = 20;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Header {
    pub begin_timestamp: i64,
    pub end_timestamp: i64,
    pub begin_phy_offset: i64,
    pub end_phy_offset: i64,
    pub hash_slot_count: i32,
    pub index_count: i32,
}

pub fn header(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Header, Stop> {
    let mut long = |name, is_time: bool| {
        let at = cursor.pos();
        let value = cursor.i64()?;
        fields.field(name, at, 8, || {
            if is_time {
                Value::Time(value)
            } else {
                Value::Int(value)
            }
        });
        Ok::<i64, Stop>(value)
    };
    let begin_timestamp = long("beginTimestamp", true)?;
    let end_timestamp = long("endTimestamp", true)?;
    let begin_phy_offset = long("beginPhyOffset", false)?;
    let end_phy_offset = long("endPhyOffset", false)?;
    let at = cursor.pos();
    let hash_slot_count = cursor.i32()?;
    fields.field("hashSlotCount", at, 4, || {
        Value::Int(i64::from(hash_slot_count))
    });
    let at = cursor.pos();
    let index_count = cursor.i32()?;
    fields.field("indexCount", at, 4, || Value::Int(i64::from(index_count)));
    Ok(Header {
        begin_timestamp,
        end_timestamp,
        begin_phy_offset,
        end_phy_offset,
        hash_slot_count,
        index_count,
    })
}

impl Header {
    pub fn to_bytes(self) -> [u8; 40] {
        let mut bytes = [0; 40];
        let longs = [
            self.begin_timestamp,
            self.end_timestamp,
            self.begin_phy_offset,
            self.end_phy_offset,
        ];
        let (front, rest) = bytes.split_at_mut(32);
        for (into, long) in front.chunks_exact_mut(8).zip(longs) {
            into.copy_from_slice(&long.to_be_bytes());
        }
        let (slots, count) = rest.split_at_mut(4);
        slots.copy_from_slice(&self.hash_slot_count.to_be_bytes());
        count.copy_from_slice(&self.index_count.to_be_bytes());
        bytes
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub key_hash: i32,
    pub phy_offset: i64,
    pub time_diff: i32,
    pub prev_index: i32,
}

pub fn entry(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Entry, Stop> {
    let at = cursor.pos();
    let key_hash = cursor.i32()?;
    fields.field("keyHash", at, 4, || Value::Int(i64::from(key_hash)));
    let at = cursor.pos();
    let phy_offset = cursor.i64()?;
    fields.field("phyOffset", at, 8, || Value::Int(phy_offset));
    let at = cursor.pos();
    let time_diff = cursor.i32()?;
    fields.field("timeDiff", at, 4, || Value::Int(i64::from(time_diff)));
    let at = cursor.pos();
    let prev_index = cursor.i32()?;
    fields.field("prevIndex", at, 4, || Value::Int(i64::from(prev_index)));
    Ok(Entry {
        key_hash,
        phy_offset,
        time_diff,
        prev_index,
    })
}

impl Entry {
    pub fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        let (hash, rest) = bytes.split_at_mut(4);
        let (offset, rest) = rest.split_at_mut(8);
        let (time, prev) = rest.split_at_mut(4);
        hash.copy_from_slice(&self.key_hash.to_be_bytes());
        offset.copy_from_slice(&self.phy_offset.to_be_bytes());
        time.copy_from_slice(&self.time_diff.to_be_bytes());
        prev.copy_from_slice(&self.prev_index.to_be_bytes());
        bytes
    }
}

/// The hash under which a key is kept: `IndexFile.indexKeyHashMethod`.
pub fn key_hash(java_hash: i32) -> i32 {
    java_hash.checked_abs().unwrap_or(0)
}
