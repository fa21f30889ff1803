//! An entry of DLedger's log: a header, and as its body a message as in a commit log. Big-endian.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 4 | magic | 1; −1 fills the end of a file |
//! | 4 | 4 | size | of the whole entry |
//! | 8 | 8 | index | its number in the log |
//! | 16 | 8 | term | the leader's |
//! | 24 | 8 | pos | where it stands |
//! | 32 | 4 | channel | |
//! | 36 | 4 | chainCrc | |
//! | 40 | 4 | bodyCrc | |
//! | 44 | 4 | bodySize | |
//! | 48 | n | body | |
//!
//! Source: `DLedgerEntryCoder`, `DLedgerEntry` (0.3.3).

use crate::decode::num::{u32_bits, usize_of};
use crate::decode::{Cursor, Fields, Stop, Value};

/// Up to the body, which the caller reads.
pub const HEADER: usize = 48;
const MAGIC: i32 = 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    pub magic: i32,
    pub size: i32,
    pub pos: i64,
}

impl Entry {
    /// How far the next entry is; `None` for what is none.
    pub fn whole_size(self) -> Option<u64> {
        let size = u64::try_from(self.size).ok()?;
        (self.magic == MAGIC && usize_of(size) > HEADER).then_some(size)
    }
}

pub fn entry(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Entry, Stop> {
    let at = cursor.pos();
    let magic = cursor.i32()?;
    fields.field("magic", at, 4, || Value::Int(i64::from(magic)));
    let at = cursor.pos();
    let size = cursor.i32()?;
    fields.field("size", at, 4, || Value::Int(i64::from(size)));
    for name in ["index", "term"] {
        let at = cursor.pos();
        let value = cursor.i64()?;
        fields.field(name, at, 8, || Value::Int(value));
    }
    let at = cursor.pos();
    let pos = cursor.i64()?;
    fields.field("pos", at, 8, || Value::Int(pos));
    for name in ["channel", "chainCrc", "bodyCrc"] {
        let at = cursor.pos();
        let value = cursor.i32()?;
        fields.field(name, at, 4, || Value::Hex(u32_bits(value)));
    }
    let at = cursor.pos();
    let body_size = cursor.i32()?;
    fields.field("bodySize", at, 4, || Value::Int(i64::from(body_size)));
    Ok(Entry { magic, size, pos })
}
