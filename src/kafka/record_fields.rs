//! The records of a batch whose meaning is Kafka's own, shown behind the batch's fields: groups ([`super::format::group_record`]), KRaft's
//! metadata and control batches ([`super::format::metadata_record`]).

use super::batches::{Batch, Batches};
use super::format::batch::{CONTROL, HEADER, HEADER_U64};
use super::format::record::Record;
use super::format::varint::varint;
use super::format::{group_record, metadata_record};
use super::{Thrown, layout};
use crate::decode::num::u64_of;
use crate::decode::{FieldRow, FieldTree, Value};
use crate::store::{ReadError, StorePath};

/// A batch may hold thousands of records: so many are shown, and how many more there are.
const MOST_SHOWN: usize = 64;

/// Whose records a batch holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    Groups,
    Metadata,
    Control,
}

impl Meaning {
    /// `None`: a user's.
    pub fn of(file: &StorePath, batch: &Batch) -> Option<Meaning> {
        let is_control = |attributes| attributes & CONTROL != 0;
        if batch.is_v2() && batch.header.attributes().is_ok_and(is_control) {
            return Some(Meaning::Control);
        }
        let dir = layout::dir_name(file.parent().name(), &[])?;
        match dir.topic.as_str() {
            layout::GROUPS_TOPIC => Some(Meaning::Groups),
            layout::METADATA_TOPIC => Some(Meaning::Metadata),
            _ => None,
        }
    }

    /// The record's kind, and what it says; `None` where it is none of that kind.
    pub fn read(self, record: &Record) -> Option<(&'static str, Vec<(String, Value)>)> {
        let key = record.key.as_deref();
        let value = record.value.as_deref();
        match self {
            Meaning::Groups => {
                let read = group_record::read(key?, value)?;
                Some((read.name, read.rows()))
            }
            Meaning::Metadata => {
                let read = metadata_record::read(value?)?;
                Some((read.name, read.rows()))
            }
            Meaning::Control => {
                let read = metadata_record::read_control(key?, value?)?;
                Some((read.name, read.rows()))
            }
        }
    }
}

pub(super) fn append(
    tree: &mut FieldTree,
    batches: &mut Batches<'_>,
    batch: &Batch,
    meaning: Meaning,
) -> Result<(), ReadError> {
    let records = match batches.records(batch) {
        Ok(records) => records.records,
        Err(Thrown::Read(error)) => return Err(error),
        Err(_) => return Ok(()),
    };
    let spans = match batches.bytes(batch) {
        Ok(bytes) => spans(batch, bytes, records.len()),
        Err(Thrown::Read(error)) => return Err(error),
        Err(_) => return Ok(()),
    };
    let mut push = |(start, len): (u64, u64), name: String, value: Value| {
        tree.rows.push(FieldRow {
            name,
            start,
            len,
            value,
        });
    };
    for (record, span) in records.iter().zip(&spans).take(MOST_SHOWN) {
        let name = format!("record {}", record.offset);
        let Some((kind, fields)) = meaning.read(record) else {
            push(
                *span,
                name,
                Value::Text("no record of Kafka's own".to_owned()),
            );
            continue;
        };
        push(*span, name.clone(), Value::Text(kind.to_owned()));
        for (field, value) in fields {
            push(*span, format!("{name} {field}"), value);
        }
    }
    if let (more @ 1.., Some(span)) = (records.len().saturating_sub(MOST_SHOWN), spans.last()) {
        let more = i64::try_from(more).unwrap_or(i64::MAX);
        push(*span, "more records".to_owned(), Value::Int(more));
    }
    Ok(())
}

/// Where each record lies in its file: start and length. One that is compressed has no place of its own but that of all.
fn spans(batch: &Batch, bytes: &[u8], count: usize) -> Vec<(u64, u64)> {
    let mut found = Vec::with_capacity(count.min(MOST_SHOWN));
    let mut at = HEADER;
    while batch.is_v2() && found.len() < count {
        let Some((size, len)) = bytes.get(at..).and_then(|rest| varint(rest).ok()) else {
            break;
        };
        let size = len.saturating_add(usize::try_from(size).unwrap_or(0));
        found.push((batch.position.saturating_add(u64_of(at)), u64_of(size)));
        at = at.saturating_add(size);
    }
    if found.len() == count && at == bytes.len() {
        return found;
    }
    let header = if batch.is_v2() { HEADER_U64 } else { 0 };
    let all = (
        batch.position.saturating_add(header),
        batch.size.saturating_sub(header),
    );
    vec![all; count]
}
