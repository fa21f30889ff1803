//! The records of a batch of `__consumer_offsets`, shown behind the batch's own fields. What they mean: [`super::format::group_record`].

use super::batches::{Batch, Batches};
use super::format::batch::{HEADER, HEADER_U64};
use super::format::group_record::{self, GroupRecord};
use super::format::record::Record;
use super::format::varint::varint;
use super::{Thrown, layout};
use crate::decode::num::u64_of;
use crate::decode::{FieldRow, FieldTree, Value};
use crate::store::{ReadError, StorePath};

const TOPIC: &str = "__consumer_offsets";
/// A batch may hold thousands of records: so many are shown, and how many more there are.
const MOST_SHOWN: usize = 64;

/// Whether a segment's records are those of groups.
pub(super) fn is_of_groups(segment: &StorePath) -> bool {
    layout::dir_name(segment.parent().name(), &[]).is_some_and(|dir| dir.topic == TOPIC)
}

pub(super) fn append(
    tree: &mut FieldTree,
    batches: &mut Batches<'_>,
    batch: &Batch,
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
        let Some(read) = of(record) else {
            push(*span, name, Value::Text("no group's record".to_owned()));
            continue;
        };
        push(*span, name.clone(), Value::Text(read.name.to_owned()));
        for (field, value) in read.rows() {
            push(*span, format!("{name} {field}"), value);
        }
    }
    if let (more @ 1.., Some(span)) = (records.len().saturating_sub(MOST_SHOWN), spans.last()) {
        let more = i64::try_from(more).unwrap_or(i64::MAX);
        push(*span, "more records".to_owned(), Value::Int(more));
    }
    Ok(())
}

fn of(record: &Record) -> Option<GroupRecord> {
    group_record::read(record.key.as_deref()?, record.value.as_deref())
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
