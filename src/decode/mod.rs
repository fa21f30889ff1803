//! Fields out of bytes: the cursor all formats read with, and what a reader may want besides the values. Knows no broker.

pub mod crc;
pub mod fields;
pub mod java;
pub mod num;

pub use fields::{FieldRow, FieldTree, Fields, Value};

use num::u64_of;

/// Why a cursor stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The slice ends here, but the file goes on: call again with at least this many bytes from the record's start.
    NeedMore { bytes: usize },
    /// The file ends here (Java: `BufferUnderflowException`).
    Underflow { need: u64, left: u64 },
}

/// Reads big-endian values one after the other from a slice of a file. Inlined always: the page is compiled for size, and a scan reads
/// twenty values of every message.
///
/// The slice begins where the record does and may hold less than the rest of the file. A corrupt length makes the broker read past
/// the record, up to the end of the *file*, so that end, not the record's, is the limit here.
#[derive(Clone)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    pos: usize,
    /// Bytes of the file from the start of `bytes` on.
    left: u64,
}

impl<'a> Cursor<'a> {
    /// `left` is how much of the file there is from the start of `bytes` on; what `bytes` holds beyond it is not read.
    pub fn new(bytes: &'a [u8], left: u64) -> Self {
        let len = num::usize_of(left).min(bytes.len());
        Self {
            bytes: bytes.get(..len).unwrap_or(bytes),
            pos: 0,
            left,
        }
    }

    /// A cursor over bytes that are all there is.
    pub fn whole(bytes: &'a [u8]) -> Self {
        Self::new(bytes, u64_of(bytes.len()))
    }

    /// How far it has read, from the start of the slice.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// Bytes of the file from here on.
    pub fn left(&self) -> u64 {
        self.left.saturating_sub(u64_of(self.pos))
    }

    /// What was read already, between two places.
    pub fn behind(&self, from: usize, to: usize) -> &'a [u8] {
        self.bytes.get(from..to.min(self.pos)).unwrap_or(&[])
    }

    #[inline(always)]
    pub fn take(&mut self, len: usize) -> Result<&'a [u8], Stop> {
        let end = self.pos.saturating_add(len);
        match self.bytes.get(self.pos..end) {
            Some(bytes) => {
                self.pos = end;
                Ok(bytes)
            }
            None => Err(self.stop(len)),
        }
    }

    #[cold]
    fn stop(&self, len: usize) -> Stop {
        let end = self.pos.saturating_add(len);
        if u64_of(end) <= self.left {
            Stop::NeedMore { bytes: end }
        } else {
            Stop::Underflow {
                need: u64_of(len),
                left: self.left.saturating_sub(u64_of(self.pos)),
            }
        }
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let bytes = self.take(N)?;
        Ok(bytes.try_into().unwrap_or([0; N]))
    }

    #[inline(always)]
    pub fn i8(&mut self) -> Result<i8, Stop> {
        Ok(i8::from_be_bytes(self.array()?))
    }

    #[inline(always)]
    pub fn i16(&mut self) -> Result<i16, Stop> {
        Ok(i16::from_be_bytes(self.array()?))
    }

    #[inline(always)]
    pub fn i32(&mut self) -> Result<i32, Stop> {
        Ok(i32::from_be_bytes(self.array()?))
    }

    #[inline(always)]
    pub fn i64(&mut self) -> Result<i64, Stop> {
        Ok(i64::from_be_bytes(self.array()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_slice_and_the_end_of_the_file_are_told_apart() {
        let mut cursor = Cursor::new(&[0, 0, 0, 7, 1], 100);
        assert_eq!(cursor.i32(), Ok(7));
        assert_eq!(cursor.i64(), Err(Stop::NeedMore { bytes: 12 }));
        let mut cursor = Cursor::new(&[0, 0, 0, 7, 1], 5);
        assert_eq!(cursor.i32(), Ok(7));
        assert_eq!(cursor.i16(), Err(Stop::Underflow { need: 2, left: 1 }));
        assert_eq!(cursor.pos(), 4, "a failed read moves nothing");
    }

    #[test]
    fn nothing_behind_the_given_end_is_read() {
        let mut cursor = Cursor::new(&[1, 2, 3, 4], 2);
        assert_eq!(cursor.i32(), Err(Stop::Underflow { need: 4, left: 2 }));
    }
}
