//! A folder on disk as a [`Store`]. The only place of the library that opens a path; files are opened read-only, when first read.

use super::{ReadAt, ReadError, Store, StorePath};
use crate::decode::num::u64_of;
use std::cell::OnceCell;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Every file and folder below `root`, or the one file it is. Symbolic links are followed, as the broker does; other things (sockets) are left out.
pub fn open(root: &Path) -> io::Result<Store> {
    let name = root
        .canonicalize()
        .unwrap_or_else(|_| root.to_path_buf())
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let mut store = Store::new(&name);
    let meta = fs::metadata(root)?;
    if meta.is_file() {
        store.insert(
            StorePath::new("").join(&name),
            Rc::new(DiskFile::new(root.to_path_buf(), meta.len())),
        );
        return Ok(store);
    }
    let mut todo = vec![(root.to_path_buf(), StorePath::new(""), 0u32)];
    while let Some((dir, path, depth)) = todo.pop() {
        for entry in fs::read_dir(&dir)? {
            let entry = entry?;
            let inner = path.join(&entry.file_name().to_string_lossy());
            let meta = fs::metadata(entry.path()).or_else(|_| entry.metadata())?;
            if meta.is_dir() && depth < MAX_DEPTH {
                store.insert_dir(inner.clone());
                todo.push((entry.path(), inner, depth.saturating_add(1)));
            } else if meta.is_file() {
                store.insert(inner, Rc::new(DiskFile::new(entry.path(), meta.len())));
            }
        }
    }
    Ok(store)
}

/// Deeper than any store goes; a link that leads back up ends here.
const MAX_DEPTH: u32 = 32;

struct DiskFile {
    path: PathBuf,
    size: u64,
    file: OnceCell<File>,
}

impl DiskFile {
    fn new(path: PathBuf, size: u64) -> Self {
        Self {
            path,
            size,
            file: OnceCell::new(),
        }
    }

    fn file(&self) -> io::Result<&File> {
        if let Some(file) = self.file.get() {
            return Ok(file);
        }
        let file = File::open(&self.path)?;
        Ok(self.file.get_or_init(|| file))
    }
}

impl ReadAt for DiskFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn for_another_thread(&self) -> Option<Box<dyn ReadAt + Send>> {
        Some(Box::new(DiskFile::new(self.path.clone(), self.size)))
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let read = self
            .file()
            .and_then(|file| read_exact_at(file, offset, buf));
        read.map_err(|error| ReadError {
            file: self.path.display().to_string(),
            offset,
            len: u64_of(buf.len()),
            why: error.to_string(),
        })
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, offset: u64, buf: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buf, offset)
}

#[cfg(not(unix))]
fn read_exact_at(mut file: &File, offset: u64, buf: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(buf)
}
