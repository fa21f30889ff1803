//! The map from near: the records of the log as they lie on its axis, and nearer still its bytes, each under its field.

use super::magnifier::{self, Known, RecordBox};
use super::scale::Scale;
use crate::brokers::Record;
use crate::decode::num::{long_of, u64_of};
use crate::protocol::Seen;

/// From here on a window is near enough for records, and for bytes.
pub const RECORDS: i64 = 256 << 10;
pub const BYTES: i64 = 256;

/// The records on the axis, those too narrow to be told apart left out.
pub fn records(records: &[Record], scale: &Scale, known: &Known<'_>) -> Vec<RecordBox> {
    const LEAST: f64 = 2.0;
    let mut found = Vec::new();
    for (number, record) in records.iter().enumerate() {
        let (from, to) = (record.log_offset, end(record));
        if to <= scale.from || from >= scale.to {
            continue;
        }
        let (x, right) = (scale.x(from), scale.x(to));
        if right - x < LEAST {
            continue;
        }
        found.push(RecordBox {
            record: number,
            x,
            width: right - x,
            tone: magnifier::tone(record, known),
            chosen: false,
            label: magnifier::label(&record.label, right - x),
        });
    }
    found
}

fn end(record: &Record) -> i64 {
    record
        .log_offset
        .saturating_add(long_of(record.place.length))
}

/// A byte on the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ByteBox {
    pub x: f64,
    pub width: f64,
    pub hex: String,
    /// Number of its field in the record's list, and its name.
    pub field: Option<usize>,
    pub name: String,
}

/// The bytes that are seen; `start` is the log offset at which their file begins.
pub fn bytes(seen: &Seen, start: i64, scale: &Scale) -> Vec<ByteBox> {
    let mut found = Vec::new();
    for (at, byte) in seen.bytes.iter().enumerate() {
        let position = seen.from.saturating_add(u64_of(at));
        let offset = start.saturating_add(long_of(position));
        if offset < scale.from || offset >= scale.to {
            continue;
        }
        let x = scale.x(offset);
        let field = super::byte_rows::field_at(&seen.fields.rows, position);
        let name = field.and_then(|field| seen.fields.rows.get(field));
        found.push(ByteBox {
            x,
            width: scale.x(offset.saturating_add(1)) - x,
            hex: format!("{byte:02x}"),
            field,
            name: name.map(|row| row.name.clone()).unwrap_or_default(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brokers::RecordKind;
    use crate::decode::{FieldRow, FieldTree, Value};
    use crate::recovery::Place;
    use crate::store::StorePath;

    fn record(at: i64, length: u64) -> Record {
        Record {
            place: Place::before(&StorePath::new("commitlog/0"), at as u64, length),
            log_offset: at,
            kind: RecordKind::Message,
            label: "Order/1 #20177".to_owned(),
        }
    }

    #[test]
    fn records_lie_where_they_lie_in_the_log() {
        let all = [
            record(0, 100),
            record(100, 400),
            record(500, 1),
            record(501, 499),
        ];
        let known = Known {
            read: &[],
            end: None,
        };
        let seen = |from, to| -> Vec<(usize, f64, f64)> {
            let scale = Scale::new(from, to, 1000.0);
            let boxes = records(&all, &scale, &known);
            boxes
                .iter()
                .map(|one| (one.record, one.x, one.width))
                .collect()
        };
        assert_eq!(
            seen(0, 1000),
            [(0, 0.0, 100.0), (1, 100.0, 400.0), (3, 501.0, 499.0)]
        );
        assert_eq!(seen(495, 505).len(), 3, "near enough for one byte");
        assert_eq!(seen(200, 300), [(1, 0.0, 1000.0)]);
    }

    #[test]
    fn a_byte_stands_at_its_offset_under_its_field() {
        let seen = Seen {
            place: Place::before(&StorePath::new("commitlog/1000"), 8, 4),
            file_size: 100,
            fields: FieldTree {
                start: 8,
                rows: vec![FieldRow {
                    name: "totalSize".to_owned(),
                    start: 8,
                    len: 2,
                    value: Value::Int(1),
                }],
                ..FieldTree::default()
            },
            from: 8,
            bytes: vec![0xab, 1, 2, 3],
        };
        let boxes = bytes(&seen, 1000, &Scale::new(1008, 1018, 200.0));
        assert_eq!(boxes.len(), 4);
        assert_eq!(
            (boxes[0].x, boxes[0].width, boxes[0].hex.as_str()),
            (0.0, 20.0, "ab")
        );
        assert_eq!(
            (boxes[1].field, boxes[1].name.as_str()),
            (Some(0), "totalSize")
        );
        assert_eq!(boxes[2].field, None);
    }
}
