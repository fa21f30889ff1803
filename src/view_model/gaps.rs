//! The fields of a record with the bytes between them that belong to none: nothing of a record goes unseen.

use crate::decode::FieldTree;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// By its number among the fields.
    Field(usize),
    Gap {
        start: u64,
        len: u64,
    },
}

/// Fields in file order, and the gaps. What the record claims to hold behind its last field is a gap too.
pub fn lines(tree: &FieldTree) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = tree.start;
    let gap = |lines: &mut Vec<Line>, from: u64, to: u64| {
        if from < to {
            lines.push(Line::Gap {
                start: from,
                len: to.saturating_sub(from),
            });
        }
    };
    for (number, row) in tree.rows.iter().enumerate() {
        gap(&mut lines, at, row.start);
        lines.push(Line::Field(number));
        at = at.max(row.start.saturating_add(row.len));
    }
    if let Some(crate::decode::Value::Int(size)) = tree.rows.first().map(|row| &row.value)
        && tree.rows.len() > 2
        && tree
            .rows
            .first()
            .is_some_and(|row| row.name.ends_with("Size"))
    {
        let end = tree.start.saturating_add(u64::try_from(*size).unwrap_or(0));
        gap(&mut lines, at, end);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::{FieldRow, Value};

    #[test]
    fn bytes_between_and_behind_the_fields_are_shown() {
        let row = |name: &str, start, len, value| FieldRow {
            name: name.to_owned(),
            start,
            len,
            value,
        };
        let tree = FieldTree {
            rows: vec![
                row("totalSize", 100, 4, Value::Int(20)),
                row("a", 106, 2, Value::Int(0)),
                row("b", 108, 2, Value::Int(0)),
            ],
            ..FieldTree::new("message", 100)
        };
        let gap = |start, len| Line::Gap { start, len };
        assert_eq!(
            lines(&tree),
            [
                Line::Field(0),
                gap(104, 2),
                Line::Field(1),
                Line::Field(2),
                gap(110, 10)
            ]
        );
    }
}
