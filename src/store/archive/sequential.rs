//! A file as the archive crates want it: `Read`, `Seek`, and their own positioned reads, with one block kept, because in a browser
//! a read costs about the same whatever its length.

use crate::decode::num::{u64_of, usize_of};
use crate::store::{ReadAt, ReadError};
use std::cell::RefCell;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

pub(super) struct Sequential {
    file: Rc<dyn ReadAt>,
    at: u64,
    kept: RefCell<(u64, Vec<u8>)>,
    /// Why the host gave no bytes: the crates between hand on their own words only.
    pub failed: Rc<RefCell<Option<ReadError>>>,
}

const BLOCK: usize = 256 << 10;

impl Sequential {
    pub fn new(file: Rc<dyn ReadAt>) -> Self {
        Self {
            file,
            at: 0,
            kept: RefCell::new((0, Vec::new())),
            failed: Rc::default(),
        }
    }

    fn read_from(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let len = buf
            .len()
            .min(usize_of(self.file.size().saturating_sub(offset)));
        let Some(into) = buf.get_mut(..len).filter(|into| !into.is_empty()) else {
            return Ok(0);
        };
        let mut kept = self.kept.borrow_mut();
        let (start, bytes) = &mut *kept;
        let held_end = start.saturating_add(u64_of(bytes.len()));
        if offset < *start || offset >= held_end {
            *start = offset;
            bytes.clear();
            match super::read_up_to(&*self.file, offset, BLOCK.max(len)) {
                Ok(read) => *bytes = read,
                Err(error) => {
                    let words = io::Error::other(error.to_string());
                    *self.failed.borrow_mut() = Some(error);
                    return Err(words);
                }
            }
        }
        let skip = usize_of(offset.saturating_sub(*start));
        let found = bytes.get(skip..).unwrap_or(&[]);
        let len = found.len().min(len);
        if let (Some(into), Some(found)) = (into.get_mut(..len), found.get(..len)) {
            into.copy_from_slice(found);
        }
        Ok(len)
    }
}

impl Read for Sequential {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.read_from(self.at, buf)?;
        self.at = self.at.saturating_add(u64_of(read));
        Ok(read)
    }
}

impl Seek for Sequential {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.file.size().checked_add_signed(by),
        };
        self.at = at.ok_or_else(|| io::Error::other("a seek before the start"))?;
        Ok(self.at)
    }
}

impl rawzip::ReaderAt for Sequential {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        self.read_from(offset, buf)
    }
}
