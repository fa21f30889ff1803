//! A dropped file as bytes at an offset. Only a worker may read it like this: `FileReaderSync` blocks.
//!
//! A call to the browser takes about a millisecond however little it reads. So the small files of a store, of which there may be ten
//! thousand, are read in one go for many of them ([`hold_small`]) and kept.

use super::read_ahead::{self, ReadAhead};
use js_sys::{Array, Uint8Array};
use std::cell::OnceCell;
use std::rc::Rc;
use storescope::store::{ReadAt, ReadError};
use web_sys::{Blob, FileReaderSync};

pub struct BlobFile {
    name: String,
    blob: Blob,
    reader: Rc<FileReaderSync>,
    ahead: Option<Rc<ReadAhead>>,
    /// All of a small file.
    held: OnceCell<Vec<u8>>,
}

impl BlobFile {
    pub fn new(
        name: String,
        blob: Blob,
        reader: Rc<FileReaderSync>,
        ahead: Option<Rc<ReadAhead>>,
    ) -> Self {
        Self {
            name,
            blob,
            reader,
            ahead,
            held: OnceCell::new(),
        }
    }

    fn read(&self, offset: u64, buf: &mut [u8]) -> Result<(), String> {
        // A file has at most 2^53 bytes in a browser, so a float holds every position in it.
        let (start, end) = (offset as f64, (offset + buf.len() as u64) as f64);
        let slice = self
            .blob
            .slice_with_f64_and_f64(start, end)
            .map_err(|error| crate::wire::describe(&error))?;
        let bytes = read(&self.reader, &slice)?;
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

fn read(reader: &FileReaderSync, blob: &Blob) -> Result<Uint8Array, String> {
    let buffer = reader
        .read_as_array_buffer(blob)
        .map_err(|error| crate::wire::describe(&error))?;
    Ok(Uint8Array::new(&buffer))
}

impl ReadAt for BlobFile {
    fn size(&self) -> u64 {
        self.blob.size() as u64
    }

    /// A call costs about a millisecond, whatever its length; what is read ahead costs none.
    fn block(&self) -> usize {
        match self.ahead {
            Some(_) => read_ahead::SLOT as usize,
            None => 16 << 20,
        }
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        if buf.is_empty() {
            return Ok(());
        }
        if let Some(held) = self.held.get() {
            return held
                .read_exact_at(offset, buf)
                .map_err(|error| error.in_file(&self.name));
        }
        if let Some(ahead) = &self.ahead
            && ahead.read(&self.blob, offset, buf)
        {
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

const SMALL: u64 = 64 << 10;
/// Held in all; a store's other files are read when they are asked for.
const HELD: u64 = 96 << 20;
const BATCH_BYTES: u64 = 4 << 20;
const BATCH_FILES: usize = 500;

/// Reads the small files, many at a time. One that cannot be read makes its batch be read later, file by file: then it is known which.
pub fn hold_small(files: &[Rc<BlobFile>]) {
    let small = |file: &&Rc<BlobFile>| file.size() <= SMALL && file.size() > 0;
    let mut batch: Vec<&BlobFile> = Vec::new();
    let (mut bytes, mut held) = (0, 0);
    for file in files.iter().filter(small) {
        held += file.size();
        if held > HELD {
            break;
        }
        if bytes + file.size() > BATCH_BYTES || batch.len() == BATCH_FILES {
            hold(&batch);
            batch.clear();
            bytes = 0;
        }
        bytes += file.size();
        batch.push(file);
    }
    hold(&batch);
}

/// A blob of blobs is read in one call.
fn hold(batch: &[&BlobFile]) {
    let Some(first) = batch.first() else { return };
    let parts: Array = batch.iter().map(|file| &file.blob).collect();
    let Ok(all) = Blob::new_with_blob_sequence(&parts) else {
        return;
    };
    let Ok(bytes) = read(&first.reader, &all) else {
        return;
    };
    let bytes = bytes.to_vec();
    let mut at = 0;
    for file in batch {
        let end = at + file.size() as usize;
        if let Some(own) = bytes.get(at..end) {
            // It was empty: each file is in one batch.
            let _ = file.held.set(own.to_vec());
        }
        at = end;
    }
}
