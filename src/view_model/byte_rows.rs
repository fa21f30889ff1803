//! Bytes as rows of hex, each byte under the field it belongs to, so that a click on one selects the other.

use super::Tone;
use crate::decode::num::{u64_of, usize_of};
use crate::decode::{FieldRow, FieldTree, Value};
use crate::language::numbers;

/// Bytes in a row.
pub const ROW: u64 = 8;

/// A row of hex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteRow {
    /// Of its first byte in the file.
    pub offset: u64,
    pub runs: Vec<ByteRun>,
    /// The same bytes as text; `·` for what is no printable ASCII.
    pub text: String,
}

/// Neighbours in a row that belong to one field, or to none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteRun {
    pub field: Option<usize>,
    pub hex: String,
    /// A checksum that does not hold is marked.
    pub wrong: bool,
    /// All of it is zero: drawn faint.
    pub zero: bool,
}

/// Rows of `bytes`, which begin at `start` in their file. The first row begins where the bytes do: a record's fields then stand in the
/// same columns wherever it lies.
pub fn rows(start: u64, bytes: &[u8], tree: Option<&FieldTree>) -> Vec<ByteRow> {
    rows_of(ROW, start, bytes, tree)
}

/// The same, with so many bytes in a row.
pub fn rows_of(row: u64, start: u64, bytes: &[u8], tree: Option<&FieldTree>) -> Vec<ByteRow> {
    let empty = Vec::new();
    let fields = tree.map_or(&empty, |tree| &tree.rows);
    let mut rows = Vec::new();
    for (number, chunk) in bytes.chunks(usize_of(row.max(1))).enumerate() {
        let offset = start.saturating_add(u64_of(number).saturating_mul(row));
        rows.push(ByteRow {
            offset,
            runs: runs(offset, chunk, fields),
            text: chunk.iter().map(|byte| printable(*byte)).collect(),
        });
    }
    rows
}

/// `00 0c ff`
pub fn hex(bytes: &[u8]) -> String {
    let hex: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    hex.join(" ")
}

/// `new byte[] {0x00, 0x0c, (byte) 0xff}`, as Java takes it: its bytes have a sign.
pub fn java(bytes: &[u8]) -> String {
    let literal = |byte: &u8| {
        if *byte < 0x80 {
            format!("0x{byte:02x}")
        } else {
            format!("(byte) 0x{byte:02x}")
        }
    };
    let literals: Vec<String> = bytes.iter().map(literal).collect();
    format!("new byte[] {{{}}}", literals.join(", "))
}

/// The bytes of a field as far as they are shown; without one, all that are shown.
pub fn chosen<'b>(start: u64, bytes: &'b [u8], tree: &FieldTree, field: Option<usize>) -> &'b [u8] {
    let Some(row) = field.and_then(|field| tree.rows.get(field)) else {
        return bytes;
    };
    let from = usize_of(row.start.saturating_sub(start));
    let to = usize_of(row.start.saturating_add(row.len).saturating_sub(start));
    bytes
        .get(from.min(bytes.len())..to.min(bytes.len()))
        .unwrap_or(bytes)
}

fn runs(offset: u64, bytes: &[u8], fields: &[FieldRow]) -> Vec<ByteRun> {
    let mut runs: Vec<ByteRun> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        let field = field_at(fields, offset.saturating_add(u64_of(at)));
        match runs.last_mut() {
            Some(run) if run.field == field => {
                run.hex.push_str(&format!(" {byte:02x}"));
                run.zero &= *byte == 0;
            }
            _ => runs.push(ByteRun {
                field,
                hex: format!("{byte:02x}"),
                wrong: field
                    .and_then(|field| fields.get(field))
                    .is_some_and(|row| tone(&row.value) == Tone::Lost),
                zero: *byte == 0,
            }),
        }
    }
    runs
}

fn printable(byte: u8) -> char {
    if byte.is_ascii_graphic() || byte == b' ' {
        char::from(byte)
    } else {
        '·'
    }
}

/// The field that holds a byte. Fields come in file order, and the last that begins before it is the one.
pub fn field_at(fields: &[FieldRow], offset: u64) -> Option<usize> {
    let after = fields.partition_point(|row| row.start <= offset);
    // Fields without bytes (an empty body) hold none.
    let found = fields.get(..after)?.iter().rposition(|row| row.len > 0)?;
    let row = fields.get(found)?;
    (offset < row.start.saturating_add(row.len)).then_some(found)
}

pub fn tone(value: &Value) -> Tone {
    if matches!(value, Value::Differs { .. }) {
        Tone::Lost
    } else {
        Tone::Plain
    }
}

/// A field's value as it is read.
pub fn value(value: &Value, differs: &impl Fn(&str, &str) -> String) -> String {
    match value {
        Value::Int(number) => numbers::grouped(*number),
        Value::Hex(bits) => format!("{bits:08x}"),
        Value::Time(0) => "0".to_owned(),
        Value::Time(ms) => numbers::time(*ms),
        Value::Text(text) => text.clone(),
        Value::Bytes(len) => numbers::bytes(crate::decode::num::long_of(*len)),
        Value::Differs { stored, computed } => {
            differs(&format!("{stored:08x}"), &format!("{computed:08x}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> FieldTree {
        let row = |name: &str, start, len, value| FieldRow {
            name: name.to_owned(),
            start,
            len,
            value,
        };
        FieldTree {
            rows: vec![
                row("totalSize", 100, 4, Value::Int(12)),
                row(
                    "bodyCRC",
                    104,
                    4,
                    Value::Differs {
                        stored: 1,
                        computed: 2,
                    },
                ),
                row("body", 108, 0, Value::Bytes(0)),
                row("flag", 108, 2, Value::Int(0)),
            ],
            ..FieldTree::new("message", 100)
        }
    }

    #[test]
    fn bytes_are_copied_as_hex_and_as_java_takes_them() {
        let bytes = [0, 12, 0x80, 255];
        assert_eq!(hex(&bytes), "00 0c 80 ff");
        assert_eq!(
            java(&bytes),
            "new byte[] {0x00, 0x0c, (byte) 0x80, (byte) 0xff}"
        );
        let tree = FieldTree {
            rows: vec![FieldRow {
                name: "bodyCRC".to_owned(),
                start: 101,
                len: 2,
                value: Value::Int(0),
            }],
            ..FieldTree::default()
        };
        assert_eq!(chosen(100, &bytes, &tree, Some(0)), [12, 0x80]);
        assert_eq!(chosen(102, &bytes, &tree, Some(0)), [0], "its end is shown");
        assert_eq!(chosen(100, &bytes, &tree, None), bytes);
    }

    #[test]
    fn each_byte_stands_under_its_field() {
        let rows = rows(100, &[0, 0, 0, 12, 0, 0, 0, 1, 0, 0, b'x'], Some(&tree()));
        assert_eq!(rows.len(), 2);
        let fields: Vec<_> = rows
            .iter()
            .flat_map(|row| &row.runs)
            .map(|run| (run.field, run.hex.as_str(), run.wrong))
            .collect();
        assert_eq!(
            fields,
            [
                (Some(0), "00 00 00 0c", false),
                (Some(1), "00 00 00 01", true),
                (Some(3), "00 00", false),
                (None, "78", false)
            ]
        );
        assert_eq!(rows[1].offset, 108);
        assert_eq!(rows[1].text, "··x");
    }

    #[test]
    fn a_byte_before_between_or_behind_the_fields_has_none() {
        let fields = tree().rows;
        assert_eq!(field_at(&fields, 99), None);
        assert_eq!(field_at(&fields, 107), Some(1));
        assert_eq!(
            field_at(&fields, 108),
            Some(3),
            "an empty field holds no byte"
        );
        assert_eq!(field_at(&fields, 110), None);
    }
}
