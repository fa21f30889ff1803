//! `AbstractIndex`, `OffsetIndex`, `TimeIndex`, `LazyIndex` and `TransactionIndex`: the three index files of a segment.
//!
//! An offset or time index is a mapping: how many entries there are lives in memory, and a file that was there is taken to be full of
//! entries to its last byte. That is why zeros behind the last entry count as entries at the next start.

use super::batches::small_file;
use super::format::index::{ABORTED_TXN, AbortedTxn, OFFSET_ENTRY, TIME_ENTRY, aborted_txn};
use super::{Failure, Run, Thrown, rules};
use crate::decode::Cursor;
use crate::decode::num::{java_int, long_of, pos_of, u64_of};
use crate::facts;
use crate::recovery::Place;
use crate::store::overlay::{FileNo, Overlay};
use crate::store::{ReadError, StorePath};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Offset,
    Time,
}

impl Kind {
    fn entry_size(self) -> u64 {
        match self {
            Self::Offset => OFFSET_ENTRY,
            Self::Time => TIME_ENTRY,
        }
    }
}

/// `(offset, position)` of an offset index, `(timestamp, offset)` of a time index.
pub(super) type Entry = (i64, i64);

/// An index once it is mapped.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub file: FileNo,
    kind: Kind,
    base_offset: i64,
    /// Of releases before 2.0: offsets are cut to 31 bits without a look, and the search begins anywhere.
    is_old: bool,
    pub max_size: u64,
    pub length: u64,
    pub entries: u64,
    max_entries: u64,
    pub last: Entry,
}

/// Ends loading: an exception that nothing on the way catches.
fn throws(path: &StorePath, at: u64, why: &'static str) -> Thrown {
    Thrown::Fails(Failure {
        rule: &rules::LOAD_THROWS,
        place: Some(Place::before(path, at, 0)),
        facts: facts! { path = path, at = at, why = why },
    })
}

impl Index {
    /// Maps the file; a missing one is made at its full size.
    pub fn open(
        disk: &mut Overlay,
        path: &StorePath,
        kind: Kind,
        base_offset: i64,
        max_size: u64,
        is_old: bool,
    ) -> Run<Self> {
        let entry = kind.entry_size();
        let (file, is_new) = match disk.find(path) {
            Some(file) => (file, false),
            None => (disk.create(path.clone(), round_down(max_size, entry)), true),
        };
        if is_new && max_size < entry {
            return Err(throws(path, 0, "the index size is below one entry"));
        }
        let length = disk.size(file);
        let mut index = Self {
            file,
            kind,
            base_offset,
            is_old,
            max_size,
            length,
            entries: if is_new {
                0
            } else {
                length.checked_div(entry).unwrap_or(0)
            },
            max_entries: length.checked_div(entry).unwrap_or(0),
            last: (0, 0),
        };
        index.last = index.last_entry(disk)?;
        Ok(index)
    }

    fn none(&self) -> Entry {
        match self.kind {
            Kind::Offset => (self.base_offset, 0),
            Kind::Time => (-1, self.base_offset),
        }
    }

    fn last_entry(&self, disk: &Overlay) -> Result<Entry, ReadError> {
        match self.entries.checked_sub(1) {
            Some(last) => self.entry(disk, last),
            None => Ok(self.none()),
        }
    }

    pub fn entry(&self, disk: &Overlay, no: u64) -> Result<Entry, ReadError> {
        let mut bytes = [0; 12];
        let len = self.kind.entry_size();
        let at = no.saturating_mul(len);
        let buf = bytes
            .get_mut(..crate::decode::num::usize_of(len))
            .unwrap_or_default();
        disk.reader(self.file)
            .read_exact_at(at, buf)
            .map_err(|error| error.in_file(disk.path(self.file).as_str()))?;
        let mut cursor = Cursor::whole(&bytes);
        let relative = |relative: i32| self.base_offset.wrapping_add(i64::from(relative));
        Ok(match self.kind {
            Kind::Offset => {
                let offset = relative(cursor.i32().unwrap_or(0));
                (offset, i64::from(cursor.i32().unwrap_or(0)))
            }
            Kind::Time => {
                let timestamp = cursor.i64().unwrap_or(0);
                (timestamp, relative(cursor.i32().unwrap_or(0)))
            }
        })
    }

    fn path(&self, disk: &Overlay) -> StorePath {
        disk.path(self.file)
    }

    fn relative(&self, disk: &Overlay, offset: i64) -> Run<i32> {
        if self.is_old {
            return Ok(java_int(offset.wrapping_sub(self.base_offset)));
        }
        relative_offset(self.base_offset, offset).ok_or_else(|| {
            throws(
                &self.path(disk),
                0,
                "an offset that does not fit into the index",
            )
        })
    }

    /// `OffsetIndex.append`
    pub fn append(&mut self, disk: &mut Overlay, offset: i64, position: u64) -> Run {
        if self.entries >= self.max_entries {
            return Err(throws(&self.path(disk), self.length, "the index is full"));
        }
        if self.entries > 0 && offset <= self.last.0 {
            return Err(Thrown::InvalidOffset);
        }
        let relative = self.relative(disk, offset)?;
        let position = java_int(long_of(position));
        let mut bytes = [0; 8];
        let (front, back) = bytes.split_at_mut(4);
        front.copy_from_slice(&relative.to_be_bytes());
        back.copy_from_slice(&position.to_be_bytes());
        disk.write(self.file, self.entries.saturating_mul(OFFSET_ENTRY), &bytes)?;
        self.entries = self.entries.saturating_add(1);
        self.last = (offset, i64::from(position));
        Ok(())
    }

    /// `TimeIndex.maybeAppend`: only a timestamp larger than the last one makes an entry.
    pub fn maybe_append(
        &mut self,
        disk: &mut Overlay,
        timestamp: i64,
        offset: i64,
        skip_full_check: bool,
    ) -> Run {
        if !skip_full_check && self.entries >= self.max_entries.saturating_sub(1) {
            return Err(throws(
                &self.path(disk),
                self.length,
                "the time index is full",
            ));
        }
        if self.entries > 0 && offset < self.last.1 {
            return Err(Thrown::InvalidOffset);
        }
        if self.entries > 0 && timestamp < self.last.0 {
            return Err(throws(
                &self.path(disk),
                self.length,
                "a timestamp that goes back in the time index",
            ));
        }
        if timestamp <= self.last.0 {
            return Ok(());
        }
        let at = self.entries.saturating_mul(TIME_ENTRY);
        if at.saturating_add(TIME_ENTRY) > self.length {
            return Err(throws(&self.path(disk), at, "no room in the time index"));
        }
        let relative = self.relative(disk, offset)?;
        let mut bytes = [0; 12];
        let (front, back) = bytes.split_at_mut(8);
        front.copy_from_slice(&timestamp.to_be_bytes());
        back.copy_from_slice(&relative.to_be_bytes());
        disk.write(self.file, at, &bytes)?;
        self.entries = self.entries.saturating_add(1);
        self.last = (timestamp, offset);
        Ok(())
    }

    /// The file gets its new size first; more entries than fit then end loading.
    pub fn resize(&mut self, disk: &mut Overlay, size: u64) -> Run {
        let entry = self.kind.entry_size();
        let size = round_down(size, entry);
        if size == self.length {
            return Ok(());
        }
        disk.set_size(self.file, size);
        self.length = size;
        self.max_entries = size.checked_div(entry).unwrap_or(0);
        if self.entries > self.max_entries {
            return Err(throws(
                &self.path(disk),
                size,
                "the index has more entries than its size allows",
            ));
        }
        if self.kind == Kind::Time {
            self.last = self.last_entry(disk)?;
        }
        Ok(())
    }

    pub fn trim(&mut self, disk: &mut Overlay) -> Run {
        let size = self.entries.saturating_mul(self.kind.entry_size());
        self.resize(disk, size)
    }

    fn keep(&mut self, disk: &Overlay, entries: u64) -> Run {
        self.entries = entries;
        self.last = self.last_entry(disk)?;
        Ok(())
    }

    /// No entries, full size: a rebuild begins.
    pub fn reset(&mut self, disk: &mut Overlay) -> Run {
        self.keep(disk, 0)?;
        let max = self.max_size;
        self.resize(disk, max)
    }

    fn offset_of(&self, entry: Entry) -> i64 {
        match self.kind {
            Kind::Offset => entry.0,
            Kind::Time => entry.1,
        }
    }

    /// The last entry whose offset is not above a target, as the broker's binary search finds it: in an index out of order that is
    /// whatever the search comes to.
    fn slot_of(&self, disk: &Overlay, target: i64) -> Result<Option<u64>, ReadError> {
        let Some(last) = self.entries.checked_sub(1) else {
            return Ok(None);
        };
        let at = |no| Ok::<_, ReadError>(self.offset_of(self.entry(disk, no)?));
        let warm = 8192u64.checked_div(self.kind.entry_size()).unwrap_or(0);
        let first_hot = last.saturating_sub(warm);
        let (mut low, mut high) = (0, first_hot);
        if self.is_old {
            if at(0)? > target {
                return Ok(None);
            }
            high = last;
        } else if at(first_hot)? < target {
            (low, high) = (first_hot, last);
        } else if at(0)? > target {
            return Ok(None);
        }
        while low < high {
            let middle = low.saturating_add(high).saturating_add(1) >> 1;
            let found = at(middle)?;
            if found > target {
                high = middle.saturating_sub(1);
            } else if found < target {
                low = middle;
            } else {
                return Ok(Some(middle));
            }
        }
        Ok(Some(low))
    }

    /// `OffsetIndex.lookup`: where in the log to begin to look for an offset.
    pub fn lookup(&self, disk: &Overlay, target: i64) -> Result<Entry, ReadError> {
        match self.slot_of(disk, target)? {
            Some(slot) => self.entry(disk, slot),
            None => Ok((self.base_offset, 0)),
        }
    }

    /// `truncateTo`: entries at or above an offset go.
    pub fn truncate_to(&mut self, disk: &Overlay, offset: i64) -> Run {
        let kept = match self.slot_of(disk, offset)? {
            None => 0,
            Some(slot) if self.offset_of(self.entry(disk, slot)?) == offset => slot,
            Some(slot) => slot.saturating_add(1),
        };
        self.keep(disk, kept)
    }

    /// All entries, for the state.
    pub fn all(&self, disk: &Overlay) -> Result<Vec<Entry>, ReadError> {
        (0..self.entries).map(|no| self.entry(disk, no)).collect()
    }
}

fn round_down(size: u64, entry: u64) -> u64 {
    size.checked_div(entry).unwrap_or(0).saturating_mul(entry)
}

/// An offset as an index holds it: 31 bits above the segment's base.
pub(super) fn relative_offset(base: i64, offset: i64) -> Option<i32> {
    let relative = offset.wrapping_sub(base);
    i32::try_from(relative).ok().filter(|_| relative >= 0)
}

/// An index that is mapped when it is first asked: what is never asked is never made, resized or trimmed.
#[derive(Clone, Debug)]
pub(super) struct LazyIndex {
    pub path: StorePath,
    kind: Kind,
    base_offset: i64,
    max_size: u64,
    is_old: bool,
    pub opened: Option<Index>,
}

impl LazyIndex {
    pub fn new(path: StorePath, kind: Kind, base_offset: i64, max_size: u64, is_old: bool) -> Self {
        Self {
            path,
            kind,
            base_offset,
            max_size,
            is_old,
            opened: None,
        }
    }

    pub fn get(&mut self, disk: &mut Overlay) -> Run<&mut Index> {
        let opened = match self.opened.take() {
            Some(index) => index,
            None => Index::open(
                disk,
                &self.path,
                self.kind,
                self.base_offset,
                self.max_size,
                self.is_old,
            )?,
        };
        Ok(self.opened.insert(opened))
    }

    pub fn delete(&mut self, disk: &mut Overlay) {
        if let Some(file) = disk.find(&self.path) {
            disk.delete(file);
        }
        self.opened = None;
    }

    pub fn close(&mut self, disk: &mut Overlay) -> Run {
        match &mut self.opened {
            Some(index) => index.trim(disk),
            None => Ok(()),
        }
    }

    pub fn rename(&mut self, disk: &mut Overlay, to: StorePath) {
        if let Some(file) = disk.find(&self.path) {
            disk.rename(file, to.clone());
        }
        self.path = to;
    }
}

/// `TransactionIndex`: aborted transactions, appended as they end. A segment without any has no file.
#[derive(Clone, Debug)]
pub(super) struct TxnIndex {
    pub path: StorePath,
    base_offset: i64,
    last_offset: Option<i64>,
    /// The file was there when the segment was opened, or has been made since.
    is_open: bool,
}

impl TxnIndex {
    pub fn open(disk: &Overlay, path: StorePath, base_offset: i64) -> Self {
        Self {
            is_open: disk.find(&path).is_some(),
            path,
            base_offset,
            last_offset: None,
        }
    }

    pub fn append(&mut self, disk: &mut Overlay, txn: AbortedTxn) -> Run {
        if self.last_offset.is_some_and(|last| last >= txn.last_offset) {
            return Err(throws(
                &self.path,
                0,
                "an aborted transaction that ends before the last one",
            ));
        }
        self.last_offset = Some(txn.last_offset);
        let file = match disk.find(&self.path) {
            Some(file) => file,
            None => disk.create(self.path.clone(), 0),
        };
        self.is_open = true;
        let at = disk.size(file);
        disk.set_size(file, at.saturating_add(ABORTED_TXN));
        disk.write(file, at, &txn.bytes())?;
        Ok(())
    }

    pub fn reset(&mut self, disk: &mut Overlay) {
        if let Some(file) = disk.find(&self.path).filter(|_| self.is_open) {
            disk.set_size(file, 0);
        }
        self.last_offset = None;
    }

    /// The entries one by one, until one is not wanted; one of an unknown version ends loading.
    fn each(&self, disk: &Overlay, mut wants_more: impl FnMut(AbortedTxn) -> bool) -> Run {
        let Some(file) = disk.find(&self.path).filter(|_| self.is_open) else {
            return Ok(());
        };
        let bytes =
            small_file(disk.reader(file)).map_err(|error| error.in_file(self.path.as_str()))?;
        for (no, entry) in bytes.chunks_exact(34).enumerate() {
            let txn = aborted_txn(&mut Cursor::whole(entry), &mut ())
                .map_err(|_| throws(&self.path, 0, "an entry that is cut off"))?;
            if txn.version > 0 {
                let at = u64_of(no).saturating_mul(ABORTED_TXN);
                return Err(Thrown::Fails(Failure {
                    rule: &rules::TXN_INDEX_VERSION,
                    place: Some(Place::before(&self.path, at, 2)),
                    facts: facts! { path = &self.path, at = at, version = i64::from(txn.version) },
                }));
            }
            if !wants_more(txn) {
                break;
            }
        }
        Ok(())
    }

    pub fn all(&self, disk: &Overlay) -> Run<Vec<AbortedTxn>> {
        let mut all = Vec::new();
        self.each(disk, |txn| {
            all.push(txn);
            true
        })?;
        Ok(all)
    }

    /// `sanityCheck`: the first entry that ends before the segment begins.
    pub fn below_base(&self, disk: &Overlay) -> Run<Option<AbortedTxn>> {
        let mut found = None;
        self.each(disk, |txn| {
            found = Some(txn).filter(|txn| txn.last_offset < self.base_offset);
            found.is_none()
        })?;
        Ok(found)
    }

    pub fn truncate_to(&mut self, disk: &mut Overlay, offset: i64) -> Run {
        let mut last = None;
        for (no, txn) in self.all(disk)?.iter().enumerate() {
            if txn.last_offset >= offset {
                if let Some(file) = disk.find(&self.path) {
                    disk.set_size(file, u64_of(no).saturating_mul(ABORTED_TXN));
                }
                self.last_offset = last;
                return Ok(());
            }
            last = Some(txn.last_offset);
        }
        Ok(())
    }

    pub fn rename(&mut self, disk: &mut Overlay, to: StorePath) {
        if let Some(file) = disk.find(&self.path) {
            disk.rename(file, to.clone());
        }
        self.path = to;
    }
}

/// A position from an index as one in the file; one below zero is the file's start.
pub(super) fn position_of(entry: Entry) -> u64 {
    pos_of(entry.1)
}
