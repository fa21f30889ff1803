//! A row of files of one size whose names are their offsets: `MappedFileQueue`, under the commit log and under each consume queue.
//!
//! Here stand the write positions and the arithmetic between offsets and files, as the broker does it: by file name, not by order, so
//! that a missing or misnamed file misleads it in the same way.

use crate::decode::num::{java_div, java_int, java_rem};
use crate::store::overlay::FileNo;

/// `MappedFile`: a file and how far it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedFile {
    pub file: FileNo,
    /// Its number on the map.
    pub on_map: usize,
    pub name: String,
    /// `fileFromOffset`: what its name says.
    pub from: i64,
    pub wrote: i32,
    pub flushed: i32,
    /// Made when the queue had no file: its front is filled.
    pub first_in_queue: bool,
}

impl MappedFile {
    fn end(&self, size: i32) -> i64 {
        self.from.wrapping_add(i64::from(size))
    }

    fn set_position(&mut self, position: i32) {
        self.wrote = position;
        self.flushed = position;
    }
}

/// A file's write position moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetBack {
    pub at: usize,
    pub from: i32,
    pub to: i32,
}

#[derive(Clone, Debug, Default)]
pub struct MappedFileQueue {
    pub files: Vec<MappedFile>,
    pub file_size: i32,
    pub flushed_where: i64,
}

impl MappedFileQueue {
    pub fn new(file_size: i32) -> Self {
        Self {
            file_size,
            ..Self::default()
        }
    }

    /// `load`: a file that is there counts as written to its end.
    pub fn add_loaded(&mut self, file: FileNo, on_map: usize, name: &str, from: i64) {
        self.files.push(MappedFile {
            file,
            on_map,
            name: name.to_owned(),
            from,
            wrote: self.file_size,
            flushed: self.file_size,
            first_in_queue: false,
        });
    }

    /// The position inside a file that an offset has: by the remainder, whatever the file is called.
    pub fn position_of(&self, offset: i64) -> i32 {
        java_int(java_rem(offset, i64::from(self.file_size)))
    }

    /// `truncateDirtyFiles`, first half: files that hold `offset` are set back to it. Returns those that moved.
    pub fn set_back(&mut self, offset: i64) -> Vec<SetBack> {
        let (size, position) = (self.file_size, self.position_of(offset));
        let mut moved = Vec::new();
        for (at, file) in self.files.iter_mut().enumerate() {
            if file.end(size) > offset && offset >= file.from {
                moved.push(SetBack {
                    at,
                    from: file.wrote,
                    to: position,
                });
                file.set_position(position);
            }
        }
        moved
    }

    /// `truncateDirtyFiles`, second half: files that begin behind `offset` go.
    pub fn take_files_behind(&mut self, offset: i64) -> Vec<MappedFile> {
        let size = self.file_size;
        let (kept, gone) = std::mem::take(&mut self.files)
            .into_iter()
            .partition(|file| file.end(size) <= offset || offset >= file.from);
        self.files = kept;
        gone
    }

    pub fn last_mut(&mut self) -> Option<&mut MappedFile> {
        self.files.last_mut()
    }

    /// `getMinOffset`; −1 without files.
    pub fn min_offset(&self) -> i64 {
        self.files.first().map_or(-1, |file| file.from)
    }

    /// `getMaxOffset`; 0 without files.
    pub fn max_offset(&self) -> i64 {
        self.files
            .last()
            .map_or(0, |file| file.from.wrapping_add(i64::from(file.wrote)))
    }

    /// `findMappedFileByOffset`: first where the file should be by its number, then wherever a file holds the offset.
    pub fn find(&self, offset: i64, first_if_none: bool) -> Option<&MappedFile> {
        let (first, last) = (self.files.first()?, self.files.last()?);
        let size = i64::from(self.file_size);
        let holds =
            |file: &&MappedFile| offset >= file.from && offset < file.from.wrapping_add(size);
        if offset >= first.from && offset < last.from.wrapping_add(size) {
            let at = java_int(java_div(offset, size).wrapping_sub(java_div(first.from, size)));
            let expected = usize::try_from(at).ok().and_then(|at| self.files.get(at));
            let found = expected
                .filter(holds)
                .or_else(|| self.files.iter().find(holds));
            if found.is_some() {
                return found;
            }
        }
        first_if_none.then_some(first)
    }

    /// `getLastMappedFile(startOffset, true)`: whether, and for which offset, a new file is made before the next append.
    pub fn new_file_for(&self, start_offset: i64) -> Option<i64> {
        let size = i64::from(self.file_size);
        match self.files.last() {
            None => Some(start_offset.wrapping_sub(java_rem(start_offset, size))),
            Some(last) if last.wrote == self.file_size => Some(last.from.wrapping_add(size)),
            Some(_) => None,
        }
    }

    /// `CommitLog#rollNextFile`
    pub fn next_file_offset(&self, offset: i64) -> i64 {
        let size = i64::from(self.file_size);
        offset
            .wrapping_add(size)
            .wrapping_sub(java_rem(offset, size))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::StorePath;
    use crate::store::overlay::Overlay;

    fn queue(starts: &[i64]) -> MappedFileQueue {
        let mut overlay = Overlay::over(&Store::new("s"));
        let mut queue = MappedFileQueue::new(100);
        for (at, start) in starts.iter().enumerate() {
            let file = overlay.create(StorePath::new(&at.to_string()), 100);
            queue.add_loaded(file, at, "x", *start);
        }
        queue
    }

    #[test]
    fn truncation_sets_the_file_that_holds_the_offset_and_takes_those_behind() {
        let mut log = queue(&[0, 100, 200, 300]);
        let moved = log.set_back(142);
        assert_eq!(
            moved,
            [SetBack {
                at: 1,
                from: 100,
                to: 42
            }]
        );
        assert_eq!(log.take_files_behind(142).len(), 2);
        assert_eq!(log.max_offset(), 142);
    }

    #[test]
    fn an_offset_in_a_hole_is_in_no_file() {
        let log = queue(&[0, 200]);
        assert!(log.find(150, false).is_none());
        assert_eq!(log.find(250, false).map(|file| file.from), Some(200));
        assert_eq!(log.find(900, true).map(|file| file.from), Some(0));
    }

    #[test]
    fn a_new_file_follows_a_full_one() {
        let mut log = queue(&[]);
        assert_eq!(log.new_file_for(250), Some(200));
        log = queue(&[0]);
        assert_eq!(log.new_file_for(250), Some(100));
        log.set_back(40);
        assert_eq!(log.new_file_for(250), None);
    }
}
