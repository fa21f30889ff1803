//! One block of one file in memory, so that a scan of any size needs a bounded buffer and few calls to the host.

use super::{ReadAt, ReadError};
use crate::decode::num::{u64_of, usize_of};

/// A moving block of a file. A call to a browser's file costs about a millisecond whatever its length, so a scan reads large
/// blocks (see [`Window::scan`]) and a look reads small ones.
pub struct Window<'f> {
    file: &'f dyn ReadAt,
    block: usize,
    /// What the block may grow to.
    largest: usize,
    start: u64,
    bytes: Vec<u8>,
}

/// What a scan reads first. Many a queue's file holds a few units and then nothing.
const FIRST: usize = 256 << 10;

impl<'f> Window<'f> {
    /// For reading a file from front to back: the further it goes, the more is read at once.
    pub fn scan(file: &'f dyn ReadAt) -> Self {
        let largest = file.block();
        Self {
            largest,
            ..Self::with_block(file, FIRST.min(largest))
        }
    }

    /// For a look at a few records.
    pub fn look(file: &'f dyn ReadAt) -> Self {
        Self::with_block(file, 64 << 10)
    }

    pub fn with_block(file: &'f dyn ReadAt, block: usize) -> Self {
        Self {
            file,
            block,
            largest: block,
            start: 0,
            bytes: Vec::new(),
        }
    }

    /// Takes over another window's buffer: a scan over many files allocates once.
    pub fn over<'g>(self, file: &'g dyn ReadAt) -> Window<'g> {
        let mut bytes = self.bytes;
        bytes.clear();
        Window {
            file,
            block: self.block,
            largest: self.largest,
            start: 0,
            bytes,
        }
    }

    pub fn file_size(&self) -> u64 {
        self.file.size()
    }

    /// The bytes from `offset` on: at least `want` of them, or all up to the end of the file if fewer are left.
    pub fn from(&mut self, offset: u64, want: usize) -> Result<&[u8], ReadError> {
        let size = self.file.size();
        let left = usize_of(size.saturating_sub(offset));
        let want = want.min(left);
        let held_end = self.start.saturating_add(u64_of(self.bytes.len()));
        let held = offset >= self.start && offset.saturating_add(u64_of(want)) <= held_end;
        if !held {
            let len = self.block.max(want).min(left);
            self.load(offset, len)?;
            self.block = self.block.saturating_mul(2).min(self.largest);
        }
        let skip = usize_of(offset.saturating_sub(self.start));
        Ok(self.bytes.get(skip..).unwrap_or(&[]))
    }

    /// Moves the block, keeping what the old and the new one share: the browser's file is read once, not twice at each seam.
    fn load(&mut self, offset: u64, len: usize) -> Result<(), ReadError> {
        let held_end = self.start.saturating_add(u64_of(self.bytes.len()));
        let mut kept = 0;
        if offset >= self.start && offset < held_end {
            let skip = usize_of(offset.saturating_sub(self.start));
            self.bytes.copy_within(skip.., 0);
            kept = self.bytes.len().saturating_sub(skip).min(len);
        }
        self.start = offset;
        self.bytes.resize(len, 0);
        let read = match self.bytes.get_mut(kept..) {
            Some(rest) if !rest.is_empty() => self
                .file
                .read_exact_at(offset.saturating_add(u64_of(kept)), rest),
            _ => Ok(()),
        };
        if read.is_err() {
            self.bytes.clear();
        }
        read
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_gives_every_byte_of_a_file_larger_than_its_block() {
        let file: Vec<u8> = (0..1000u32).map(|i| (i % 251) as u8).collect();
        let mut window = Window::with_block(&file, 64);
        let mut at = 0;
        while at < 1000 {
            let bytes = window.from(at as u64, 37).unwrap();
            assert!(bytes.len() >= 37.min(1000 - at));
            assert_eq!(bytes[0], file[at]);
            at += 31;
        }
        assert_eq!(window.from(990, 100).unwrap(), &file[990..]);
        assert_eq!(
            window.from(5, 700).unwrap()[..700],
            file[5..705],
            "a record larger than the block"
        );
        assert!(window.from(1000, 1).unwrap().is_empty());
    }
}
