//! Files that lie in their archive as they are: a stretch of it, or several with zeros between.

use super::out_of_file;
use crate::decode::num::{u64_of, usize_of};
use crate::store::{ReadAt, ReadError};
use std::rc::Rc;

/// A stretch of another file.
pub(super) struct Part<F> {
    pub of: F,
    pub start: u64,
    pub size: u64,
}

impl<F: ReadAt> ReadAt for Part<F> {
    fn size(&self) -> u64 {
        self.size
    }

    fn block(&self) -> usize {
        self.of.block()
    }

    fn for_another_thread(&self) -> Option<Box<dyn ReadAt + Send>> {
        Some(Box::new(Part {
            of: self.of.for_another_thread()?,
            start: self.start,
            size: self.size,
        }))
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let end = offset.saturating_add(u64_of(buf.len()));
        if end > self.size {
            return Err(out_of_file(offset, buf.len(), self.size));
        }
        self.of
            .read_exact_at(self.start.saturating_add(offset), buf)
    }
}

/// A file whose zeros were not archived.
pub(super) struct Sparse {
    pub of: Rc<dyn ReadAt>,
    /// In order, without overlap.
    pub pieces: Vec<Piece>,
    pub size: u64,
}

/// Bytes that were archived: `at` in the file, `from` in the archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub at: u64,
    pub from: u64,
    pub len: u64,
}

impl Sparse {
    /// Where its last piece ends in the archive.
    pub fn end_in_archive(&self) -> Option<u64> {
        self.pieces
            .last()
            .map(|piece| piece.from.saturating_add(piece.len))
    }
}

impl ReadAt for Sparse {
    fn size(&self) -> u64 {
        self.size
    }

    fn block(&self) -> usize {
        self.of.block()
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let end = offset.saturating_add(u64_of(buf.len()));
        if end > self.size {
            return Err(out_of_file(offset, buf.len(), self.size));
        }
        buf.fill(0);
        let first = self
            .pieces
            .partition_point(|piece| piece.at.saturating_add(piece.len) <= offset);
        for piece in self.pieces.iter().skip(first) {
            if piece.at >= end {
                break;
            }
            let start = piece.at.max(offset);
            let stop = piece.at.saturating_add(piece.len).min(end);
            let range =
                usize_of(start.saturating_sub(offset))..usize_of(stop.saturating_sub(offset));
            if let Some(into) = buf.get_mut(range) {
                let from = piece.from.saturating_add(start.saturating_sub(piece.at));
                self.of.read_exact_at(from, into)?;
            }
        }
        Ok(())
    }
}
