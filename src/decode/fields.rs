//! What a reader may want besides the values: the name and place of every field. A scan wants nothing (`()`), the inspector a tree.

use serde::{Deserialize, Serialize};

/// Receives every field that a decoder reads, in order. `start` is relative to where the decoder began.
pub trait Fields {
    fn field(
        &mut self,
        name: &'static str,
        start: usize,
        len: usize,
        value: impl FnOnce() -> Value,
    );
}

/// A scan: the values are enough, and the compiler removes the rest.
impl Fields for () {
    #[inline]
    fn field(&mut self, _: &'static str, _: usize, _: usize, _: impl FnOnce() -> Value) {}
}

/// A field's value, and with it how to show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "as", content = "value", rename_all = "camelCase")]
pub enum Value {
    Int(i64),
    /// Bits: a checksum or a magic number.
    Hex(u32),
    /// Milliseconds since 1970, UTC.
    Time(i64),
    Text(String),
    /// Bytes of no further meaning, by their count.
    Bytes(u64),
    /// A checksum that does not hold.
    Differs {
        stored: u32,
        computed: u32,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldRow {
    pub name: String,
    /// From the start of the file.
    pub start: u64,
    pub len: u64,
    pub value: Value,
}

/// The fields of one record, in file order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldTree {
    /// What the bytes are: `message`, `consume queue unit`.
    pub title: String,
    /// Where the record begins in its file.
    pub start: u64,
    pub rows: Vec<FieldRow>,
    /// Why the decoder stopped before the record's end, if it did.
    pub stopped: Option<String>,
}

impl FieldTree {
    pub fn new(title: &str, start: u64) -> Self {
        Self {
            title: title.to_owned(),
            start,
            ..Self::default()
        }
    }

    /// The end of the last field read.
    pub fn end(&self) -> u64 {
        self.rows
            .last()
            .map_or(self.start, |row| row.start.saturating_add(row.len))
    }

    pub fn set(&mut self, name: &str, value: Value) {
        if let Some(row) = self.rows.iter_mut().find(|row| row.name == name) {
            row.value = value;
        }
    }
}

impl Fields for FieldTree {
    fn field(
        &mut self,
        name: &'static str,
        start: usize,
        len: usize,
        value: impl FnOnce() -> Value,
    ) {
        self.rows.push(FieldRow {
            name: name.to_owned(),
            start: self.start.saturating_add(super::num::u64_of(start)),
            len: super::num::u64_of(len),
            value: value(),
        });
    }
}
