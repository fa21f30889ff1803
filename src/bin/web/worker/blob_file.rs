//! A dropped file as bytes at an offset. Only a worker may read it like this: `FileReaderSync` blocks.

use js_sys::Uint8Array;
use std::rc::Rc;
use storescope::store::{ReadAt, ReadError};
use web_sys::{Blob, FileReaderSync};

pub struct BlobFile {
    pub name: String,
    pub blob: Blob,
    pub reader: Rc<FileReaderSync>,
}

impl BlobFile {
    fn read(&self, offset: u64, buf: &mut [u8]) -> Result<(), String> {
        // A file has at most 2^53 bytes in a browser, so a float holds every position in it.
        let (start, end) = (offset as f64, (offset + buf.len() as u64) as f64);
        let slice = self
            .blob
            .slice_with_f64_and_f64(start, end)
            .map_err(|error| crate::wire::describe(&error))?;
        let read = self
            .reader
            .read_as_array_buffer(&slice)
            .map_err(|error| crate::wire::describe(&error))?;
        let bytes = Uint8Array::new(&read);
        if bytes.length() as usize != buf.len() {
            return Err(format!(
                "the browser gave {} bytes of {}",
                bytes.length(),
                buf.len()
            ));
        }
        bytes.copy_to(buf);
        Ok(())
    }
}

impl ReadAt for BlobFile {
    fn size(&self) -> u64 {
        self.blob.size() as u64
    }

    /// A call costs about a millisecond, whatever its length.
    fn block(&self) -> usize {
        16 << 20
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        if buf.is_empty() {
            return Ok(());
        }
        self.read(offset, buf).map_err(|why| ReadError {
            file: self.name.clone(),
            offset,
            len: buf.len() as u64,
            why,
        })
    }
}
