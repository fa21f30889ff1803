//! What a broker writes, cuts and deletes, over a store that is never touched. An overlay is a store again ([`Overlay::to_store`]),
//! so what-if edits, recovery and a second recovery compose.
//!
//! Memory grows with what is written, in copy-on-write pages, and not with the files: a new index file of 400 MB costs the pages
//! that entries fall on. A clone shares all pages with its original, so the image of each stage costs what changed after it.

use super::{ReadAt, ReadError, Store, StorePath};
use crate::decode::num::{u64_of, usize_of};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A file of an overlay. Files of the store come first, in path order; those that the broker makes follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileNo(usize);

#[derive(Clone)]
struct OverlayFile {
    path: StorePath,
    base: Option<Rc<dyn ReadAt>>,
    /// How much of the dropped file still counts: a file that was cut and made longer again has zeros there.
    base_end: u64,
    size: u64,
    deleted: bool,
    pages: Vec<Option<Rc<Vec<u8>>>>,
}

/// Small enough for a queue's last page, large enough that an index file's scattered slots need few reads.
const PAGE: usize = 16 << 10;
const PAGE_U64: u64 = 16 << 10;

impl OverlayFile {
    fn new(path: StorePath, base: Option<Rc<dyn ReadAt>>, size: u64) -> Self {
        let base_end = base.as_ref().map_or(0, |base| base.size());
        Self {
            path,
            base,
            base_end,
            size,
            deleted: false,
            pages: Vec::new(),
        }
    }

    fn is_untouched(&self) -> bool {
        let untouched = |base: &Rc<dyn ReadAt>| base.size() == self.size;
        self.pages.iter().all(Option::is_none)
            && self.base_end == self.size
            && self.base.as_ref().is_some_and(untouched)
    }

    fn set_size(&mut self, size: u64) {
        self.size = size;
        self.base_end = self.base_end.min(size);
        let pages = usize_of(size.div_ceil(PAGE_U64));
        self.pages.truncate(pages);
        let last = pages.min(self.pages.len()).saturating_sub(1);
        let len = usize_of(size.saturating_sub(u64_of(last).saturating_mul(PAGE_U64))).min(PAGE);
        if let Some(Some(page)) = self.pages.get_mut(last)
            && page.len() != len
        {
            Rc::make_mut(page).resize(len, 0);
        }
    }

    /// The dropped file's bytes, and zeros behind them: a mapping longer than its file extends it with zeros.
    fn read_base(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        let from_base = usize_of(self.base_end.saturating_sub(offset)).min(buf.len());
        let (front, rest) = buf.split_at_mut(from_base);
        rest.fill(0);
        match &self.base {
            Some(base) if !front.is_empty() => base
                .read_exact_at(offset, front)
                .map_err(|error| error.in_file(self.path.as_str())),
            _ => Ok(()),
        }
    }

    fn page_mut(&mut self, no: usize) -> Result<&mut Vec<u8>, ReadError> {
        if self.pages.len() <= no {
            self.pages.resize(no.saturating_add(1), None);
        }
        if !matches!(self.pages.get(no), Some(Some(_))) {
            let start = u64_of(no).saturating_mul(PAGE_U64);
            let mut bytes = vec![0; usize_of(self.size.saturating_sub(start)).min(PAGE)];
            self.read_base(start, &mut bytes)?;
            if let Some(slot) = self.pages.get_mut(no) {
                *slot = Some(Rc::new(bytes));
            }
        }
        match self.pages.get_mut(no) {
            Some(Some(page)) => Ok(Rc::make_mut(page)),
            _ => Err(no_such_byte(
                &self.path,
                self.size,
                u64_of(no).saturating_mul(PAGE_U64),
                1,
            )),
        }
    }

    fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), ReadError> {
        let mut at = offset;
        let mut rest = bytes;
        while !rest.is_empty() {
            let skip = usize_of(at % PAGE_U64);
            let len = rest.len().min(PAGE.saturating_sub(skip));
            let (now, later) = rest.split_at(len);
            let page = self.page_mut(usize_of(at / PAGE_U64))?;
            match page.get_mut(skip..skip.saturating_add(len)) {
                Some(into) => into.copy_from_slice(now),
                None => return Err(no_such_byte(&self.path, self.size, at, u64_of(len))),
            }
            at = at.saturating_add(u64_of(len));
            rest = later;
        }
        Ok(())
    }
}

#[cold]
fn no_such_byte(path: &StorePath, size: u64, offset: u64, len: u64) -> ReadError {
    ReadError {
        file: path.as_str().to_owned(),
        offset,
        len,
        why: format!("the file ends at {size}"),
    }
}

impl ReadAt for OverlayFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn block(&self) -> usize {
        self.base.as_ref().map_or(PAGE, |base| base.block())
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        if offset.saturating_add(u64_of(buf.len())) > self.size {
            return Err(no_such_byte(
                &self.path,
                self.size,
                offset,
                u64_of(buf.len()),
            ));
        }
        if self.pages.is_empty() {
            return self.read_base(offset, buf);
        }
        let mut at = offset;
        let mut rest = buf;
        while !rest.is_empty() {
            let skip = usize_of(at % PAGE_U64);
            let len = rest.len().min(PAGE.saturating_sub(skip));
            let (now, later) = rest.split_at_mut(len);
            match self.pages.get(usize_of(at / PAGE_U64)) {
                Some(Some(page)) => match page.get(skip..skip.saturating_add(len)) {
                    Some(bytes) => now.copy_from_slice(bytes),
                    None => return Err(no_such_byte(&self.path, self.size, at, u64_of(len))),
                },
                _ => self.read_base(at, now)?,
            }
            at = at.saturating_add(u64_of(len));
            rest = later;
        }
        Ok(())
    }
}

/// A store with what was written over it.
#[derive(Clone)]
pub struct Overlay {
    name: String,
    files: Vec<OverlayFile>,
    /// Files that exist now, by path.
    present: BTreeMap<StorePath, FileNo>,
    dirs: Vec<StorePath>,
}

impl Overlay {
    pub fn over(store: &Store) -> Self {
        let mut overlay = Self {
            name: store.name().to_owned(),
            files: Vec::with_capacity(store.len()),
            present: BTreeMap::new(),
            dirs: store.dirs().cloned().collect(),
        };
        for (path, file) in store.files() {
            overlay.add(OverlayFile::new(
                path.clone(),
                Some(file.clone()),
                file.size(),
            ));
        }
        overlay
    }

    fn add(&mut self, file: OverlayFile) -> FileNo {
        let no = FileNo(self.files.len());
        self.present.insert(file.path.clone(), no);
        self.files.push(file);
        no
    }

    pub fn find(&self, path: &StorePath) -> Option<FileNo> {
        self.present.get(path).copied()
    }

    pub fn path(&self, file: FileNo) -> StorePath {
        match self.files.get(file.0) {
            Some(file) => file.path.clone(),
            None => StorePath::new(""),
        }
    }

    pub fn size(&self, file: FileNo) -> u64 {
        self.files.get(file.0).map_or(0, |file| file.size)
    }

    /// All files there are or were, dropped ones first.
    pub fn numbers(&self) -> impl Iterator<Item = FileNo> {
        (0..self.files.len()).map(FileNo)
    }

    /// Its size as dropped; `None` for a file that was made.
    pub fn size_before(&self, file: FileNo) -> Option<u64> {
        let base = self.files.get(file.0)?.base.as_ref()?;
        Some(base.size())
    }

    /// Whether anything was written to it.
    pub fn is_written(&self, file: FileNo) -> bool {
        self.files
            .get(file.0)
            .is_some_and(|file| file.pages.iter().any(Option::is_some))
    }

    pub fn is_present(&self, file: FileNo) -> bool {
        self.files.get(file.0).is_some_and(|file| !file.deleted)
    }

    /// The file's bytes as they are now.
    pub fn reader(&self, file: FileNo) -> &dyn ReadAt {
        match self.files.get(file.0) {
            Some(file) => file,
            None => &NO_FILE,
        }
    }

    pub fn write(&mut self, file: FileNo, offset: u64, bytes: &[u8]) -> Result<(), ReadError> {
        match self.files.get_mut(file.0) {
            Some(file) => file.write(offset, bytes),
            None => Ok(()),
        }
    }

    /// Writes a few bytes and returns what stood there.
    pub fn exchange<const N: usize>(
        &mut self,
        file: FileNo,
        offset: u64,
        bytes: [u8; N],
    ) -> Result<[u8; N], ReadError> {
        let mut before = [0; N];
        let Some(file) = self.files.get_mut(file.0) else {
            return Ok(before);
        };
        let skip = usize_of(offset % PAGE_U64);
        let page = file.page_mut(usize_of(offset / PAGE_U64))?;
        match page.get_mut(skip..skip.saturating_add(N)) {
            Some(stood) => {
                before.copy_from_slice(stood);
                stood.copy_from_slice(&bytes);
            }
            // Across two pages.
            None => {
                file.read_exact_at(offset, &mut before)?;
                file.write(offset, &bytes)?;
            }
        }
        Ok(before)
    }

    /// A new file of zeros. One of that path that was deleted before keeps its own number.
    pub fn create(&mut self, path: StorePath, size: u64) -> FileNo {
        self.add(OverlayFile::new(path, None, size))
    }

    pub fn delete(&mut self, file: FileNo) {
        if let Some(entry) = self.files.get_mut(file.0) {
            entry.deleted = true;
            if self.present.get(&entry.path) == Some(&file) {
                self.present.remove(&entry.path);
            }
        }
    }

    /// Makes a file longer, as mapping more than there is does.
    pub fn extend(&mut self, file: FileNo, size: u64) {
        if size > self.size(file) {
            self.set_size(file, size);
        }
    }

    /// Cuts a file, or makes it longer by zeros.
    pub fn set_size(&mut self, file: FileNo, size: u64) {
        if let Some(file) = self.files.get_mut(file.0) {
            file.set_size(size);
        }
    }

    /// Gives a file another path; a file that stood there is gone.
    pub fn rename(&mut self, file: FileNo, to: StorePath) {
        if let Some(there) = self.find(&to).filter(|there| *there != file) {
            self.delete(there);
        }
        if let Some(entry) = self.files.get_mut(file.0) {
            self.present.remove(&entry.path);
            entry.path = to.clone();
            self.present.insert(to, file);
        }
    }

    /// Puts a whole small file in the place of what stood there, if anything did.
    pub fn replace(&mut self, path: &StorePath, bytes: &[u8]) -> Result<FileNo, ReadError> {
        if let Some(there) = self.find(path) {
            self.delete(there);
        }
        let file = self.create(path.clone(), u64_of(bytes.len()));
        self.write(file, 0, bytes)?;
        Ok(file)
    }

    /// The file's bytes as they are now, to keep while others are written.
    pub fn shared(&self, file: FileNo) -> Rc<dyn ReadAt> {
        match self.files.get(file.0) {
            Some(file) => match &file.base {
                Some(base) if file.is_untouched() => base.clone(),
                _ => Rc::new(file.clone()),
            },
            None => Rc::new(Vec::new()),
        }
    }

    /// The names of the files that lie directly in `dir` now, in order.
    pub fn names_in(&self, dir: &StorePath) -> Vec<String> {
        let first = dir.join("");
        self.present
            .range(&first..)
            .map(|(path, _)| path.below(dir))
            .take_while(Option::is_some)
            .flatten()
            .filter(|rest| !rest.contains('/'))
            .map(str::to_owned)
            .collect()
    }

    /// The store as it is after all writes.
    pub fn to_store(&self) -> Store {
        let mut store = Store::new(&self.name);
        for dir in &self.dirs {
            store.insert_dir(dir.clone());
        }
        for (path, no) in &self.present {
            if let Some(file) = self.files.get(no.0) {
                store.insert(path.clone(), Rc::new(file.clone()));
            }
        }
        store
    }
}

struct NoFile;
static NO_FILE: NoFile = NoFile;

impl ReadAt for NoFile {
    fn size(&self) -> u64 {
        0
    }

    fn read_exact_at(&self, offset: u64, buf: &mut [u8]) -> Result<(), ReadError> {
        if buf.is_empty() {
            return Ok(());
        }
        Err(ReadError {
            file: String::new(),
            offset,
            len: u64_of(buf.len()),
            why: "there is no such file".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(overlay: &Overlay, path: &str) -> Vec<u8> {
        let store = overlay.to_store();
        let file = store.get(&StorePath::new(path)).unwrap();
        let mut buf = vec![0; file.size() as usize];
        file.read_exact_at(0, &mut buf).unwrap();
        buf
    }

    #[test]
    fn writes_are_seen_and_the_store_keeps_its_bytes() {
        let mut store = Store::new("s");
        let before: Vec<u8> = (0..40_000u32).map(|i| i as u8).collect();
        store.insert(StorePath::new("q"), Rc::new(before.clone()));
        let mut overlay = Overlay::over(&store);
        let file = overlay.find(&StorePath::new("q")).unwrap();
        overlay.write(file, 16_380, b"across two pages").unwrap();
        let mut want = before.clone();
        want[16_380..16_396].copy_from_slice(b"across two pages");
        assert_eq!(bytes(&overlay, "q"), want);
        assert_eq!(bytes(&Overlay::over(&store), "q"), before);
        assert!(overlay.write(file, 39_999, b"too long").is_err());
    }

    #[test]
    fn the_image_of_an_earlier_stage_does_not_change() {
        let mut overlay = Overlay::over(&Store::new("s"));
        let file = overlay.create(StorePath::new("new"), 10);
        overlay.write(file, 0, b"load").unwrap();
        let after_load = overlay.clone();
        overlay.write(file, 0, b"rept").unwrap();
        assert_eq!(bytes(&after_load, "new"), b"load\0\0\0\0\0\0");
        overlay.delete(file);
        assert!(overlay.find(&StorePath::new("new")).is_none());
        assert!(after_load.find(&StorePath::new("new")).is_some());
    }

    #[test]
    fn what_was_cut_off_does_not_come_back() {
        let mut store = Store::new("s");
        store.insert(StorePath::new("d/a"), Rc::new(vec![7u8; 40_000]));
        let mut overlay = Overlay::over(&store);
        let file = overlay.find(&StorePath::new("d/a")).unwrap();
        overlay.write(file, 16_000, &[8; 1000]).unwrap();
        overlay.set_size(file, 16_100);
        overlay.set_size(file, 40_000);
        let mut want = vec![7u8; 16_000];
        want.extend_from_slice(&[8; 100]);
        want.resize(40_000, 0);
        assert_eq!(bytes(&overlay, "d/a"), want);
        overlay.rename(file, StorePath::new("d/a.deleted"));
        assert_eq!(overlay.names_in(&StorePath::new("d")), ["a.deleted"]);
        assert_eq!(bytes(&overlay, "d/a.deleted"), want);
    }

    #[test]
    fn a_file_mapped_longer_than_it_is_ends_in_zeros() {
        let mut store = Store::new("s");
        store.insert(StorePath::new("checkpoint"), Rc::new(vec![1u8; 8]));
        let mut overlay = Overlay::over(&store);
        let file = overlay.find(&StorePath::new("checkpoint")).unwrap();
        overlay.extend(file, 16);
        assert_eq!(
            bytes(&overlay, "checkpoint"),
            [1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
        );
    }
}
