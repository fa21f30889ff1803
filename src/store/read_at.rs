//! A file as something that gives bytes at an offset: a slice in a test, a handle on disk, a `Blob` in a worker.

use crate::decode::num::{u64_of, usize_of};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

/// Positioned reads of a file whose size is known. Synchronous on every host: in a browser the library runs in a worker.
pub trait ReadAt {
    fn size(&self) -> u64;

    /// How much to read at once when reading from front to back: what fits a processor's cache, unless each call costs much.
    fn block(&self) -> usize {
        128 << 10
    }

    /// The same file for another thread to read, where the host has threads.
    fn for_another_thread(&self) -> Option<Box<dyn ReadAt + Send>> {
        None
    }

    /// Fills `buf` from `offset` on, or says why the host gave no bytes.
    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError>;
}

/// The host did not give the bytes: the only error of this library. All else that is wrong with a file is data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadError {
    /// Which file, as the store names it; empty where the reader does not know its name.
    pub file: String,
    pub offset: u64,
    pub len: u64,
    /// The host's own words.
    pub why: String,
}

impl ReadError {
    /// The same error, with the name of the file that the reader itself did not know.
    pub fn in_file(mut self, file: &str) -> Self {
        if self.file.is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {} bytes at offset {} could not be read: {}",
            self.file, self.len, self.offset, self.why
        )
    }
}

impl std::error::Error for ReadError {}

/// A shared or owned file reads as what it holds.
macro_rules! reads_as_what_it_holds {
    ($holder:ty) => {
        impl ReadAt for $holder {
            fn size(&self) -> u64 {
                (**self).size()
            }

            fn block(&self) -> usize {
                (**self).block()
            }

            fn for_another_thread(&self) -> Option<Box<dyn ReadAt + Send>> {
                (**self).for_another_thread()
            }

            fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
                (**self).read_exact_at(offset, buf)
            }
        }
    };
}
reads_as_what_it_holds!(Rc<dyn ReadAt>);
reads_as_what_it_holds!(Box<dyn ReadAt + Send>);

impl ReadAt for Vec<u8> {
    fn size(&self) -> u64 {
        u64_of(self.len())
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let start = usize_of(offset);
        let found = start
            .checked_add(buf.len())
            .and_then(|end| self.get(start..end));
        match found {
            Some(bytes) => {
                buf.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(ReadError {
                file: String::new(),
                offset,
                len: u64_of(buf.len()),
                why: format!("the file ends at {}", self.len()),
            }),
        }
    }
}
