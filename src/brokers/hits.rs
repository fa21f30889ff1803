//! The messages that a filter lets through, found step by step, and then any of them again: a table over a store of any size.
//!
//! What is kept is not the rows but marks on the way, so many rows or bytes apart: from the nearest one a few rows are read again.

use super::rows::{At, Filter, Known, MessageRow, Only, ReadTo};
use crate::recovery::Place;
use crate::store::{ReadError, Store, StorePath};

/// A mark every so many rows, or bytes, whichever comes first.
const MARK_ROWS: u64 = 64;
const MARK_BYTES: u64 = 1 << 20;

struct Mark {
    row: u64,
    at: At,
    /// The file that it is in: files are read in the order of their names.
    file: StorePath,
    bytes: u64,
}

/// A search that goes on where it stopped.
pub struct Hits {
    filter: Filter,
    marks: Vec<Mark>,
    rows: u64,
    read: ReadTo,
}

impl Hits {
    pub fn of(filter: Filter) -> Self {
        Self {
            filter,
            marks: Vec::new(),
            rows: 0,
            read: ReadTo {
                next: Some(At::default()),
                ..ReadTo::default()
            },
        }
    }

    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// How many rows were found by now.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    pub fn read(&self) -> ReadTo {
        self.read
    }

    /// Reads on, about `budget` bytes.
    pub fn go_on(&mut self, store: &Store, known: &Known, budget: u64) -> Result<(), ReadError> {
        let Some(from) = self.read.next else {
            return Ok(());
        };
        // A sum costs a pass over the body: worth it only where it decides.
        let known = known.with_sums(self.filter.only == Some(Only::Wrong));
        let (marks, rows) = (&mut self.marks, &mut self.rows);
        let mut last = marks.last().map_or((0, 0), |mark| (mark.row, mark.bytes));
        let mut first = marks.is_empty();
        self.read = super::search(
            store,
            &known,
            &self.filter,
            from,
            budget,
            &mut |at, bytes, hit| {
                let far = rows.saturating_sub(last.0) >= MARK_ROWS
                    || bytes.saturating_sub(last.1) >= MARK_BYTES;
                if first || far {
                    first = false;
                    last = (*rows, bytes);
                    marks.push(Mark {
                        row: *rows,
                        at,
                        file: hit.place.file.clone(),
                        bytes,
                    });
                }
                *rows = rows.saturating_add(1);
                true
            },
        )?;
        Ok(())
    }

    /// The row that holds the byte at a place, if it was found by now.
    pub fn row_of(
        &self,
        store: &Store,
        known: &Known,
        place: &Place,
    ) -> Result<Option<u64>, ReadError> {
        let wanted = (&place.file, place.offset);
        let after = self
            .marks
            .partition_point(|mark| (&mark.file, mark.at.pos) <= wanted);
        let Some(mark) = after.checked_sub(1).and_then(|at| self.marks.get(at)) else {
            return Ok(None);
        };
        let (mut row, mut found) = (mark.row, None);
        super::search(
            store,
            known,
            &self.filter,
            mark.at,
            u64::MAX,
            &mut |_, _, hit| {
                let end = hit.place.offset.saturating_add(hit.place.length.max(1));
                let before = (&hit.place.file, end) <= wanted;
                let holds = !before && (&hit.place.file, hit.place.offset) <= wanted;
                if holds && row < self.rows {
                    found = Some(row);
                }
                row = row.saturating_add(1);
                before && row < self.rows
            },
        )?;
        Ok(found)
    }

    /// Rows `from` …, those that were found.
    pub fn get(
        &self,
        store: &Store,
        known: &Known,
        from: u64,
        count: u64,
    ) -> Result<Vec<MessageRow>, ReadError> {
        let to = from.saturating_add(count).min(self.rows);
        let after = self.marks.partition_point(|mark| mark.row <= from);
        let mut found = Vec::new();
        let Some(mark) = after.checked_sub(1).and_then(|at| self.marks.get(at)) else {
            return Ok(found);
        };
        if from >= to {
            return Ok(found);
        }
        let mut row = mark.row;
        super::search(
            store,
            known,
            &self.filter,
            mark.at,
            u64::MAX,
            &mut |_, _, hit| {
                if row >= from {
                    found.push(hit.clone());
                }
                row = row.saturating_add(1);
                row < to
            },
        )?;
        Ok(found)
    }
}
