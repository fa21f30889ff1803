//! The index: a list of hash-table files, `IndexService` and `IndexFile` (4.9).
//!
//! After a crash every file that is newer than the checkpoint's index time is destroyed at load; replay indexes again what it
//! dispatches, from the start file on, and no more. That is where index entries get lost.

use super::check_message::{DispatchRequest, Properties};
use super::format::index_file::{self, ENTRY, Entry, HEADER, Header, SLOT};
use super::format::message::{self, Transaction};
use super::layout::{self, Layout, Role};
use super::options::{Options, index_size};
use super::store_log::lines;
use super::{Broker, INDEX_MSG_TIMESTAMP, Run, rules};
use crate::decode::num::{java_div, java_int, pos_of, u64_of, usize_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::map::{Lane, LaneKind};
use crate::recovery::trace::{Change, LaneEnd, LaneMove};
use crate::recovery::{Finding, Place, Severity};
use crate::store::overlay::{FileNo, Overlay};
use crate::store::{ReadError, Store, StorePath, Window};
use std::collections::HashSet;

/// An index file in memory.
pub(super) struct IndexFile {
    pub file: FileNo,
    /// `20231114221320000`; a new one is named by the clock: `<new-1>`.
    pub name: String,
    pub header: Header,
    pub lane: usize,
    pub end_at_last_step: Option<LaneEnd>,
}

impl IndexFile {
    /// Entries in use: the first has number 1.
    pub fn entries(&self) -> i64 {
        i64::from(self.header.index_count).saturating_sub(1).max(0)
    }

    pub fn end(&self) -> LaneEnd {
        LaneEnd {
            entries: self.entries(),
            log_offset: self.header.end_phy_offset,
        }
    }
}

pub(super) struct IndexService {
    pub files: Vec<IndexFile>,
    slots: i32,
    entries: i32,
    new_files: u32,
    /// Destroyed files as they were, to tell which entries are lost.
    destroyed: Vec<StorePathAndCount>,
    rebuilt: u64,
    /// The folder at which loading stopped.
    stopped_at: Option<StorePath>,
}

struct StorePathAndCount {
    file: FileNo,
    entries: i64,
}

impl IndexService {
    pub fn new(options: &Options) -> Self {
        Self {
            files: Vec::new(),
            slots: options.max_hash_slot_num,
            entries: options.max_index_num,
            new_files: 0,
            destroyed: Vec::new(),
            rebuilt: 0,
            stopped_at: None,
        }
    }

    pub fn rebuilt(&self) -> u64 {
        self.rebuilt
    }

    pub fn slots(&self) -> i32 {
        self.slots
    }

    /// Where entry `number` stands.
    pub fn entry_at(&self, number: i64) -> u64 {
        pos_of(i64::from(self.slots))
            .saturating_mul(SLOT)
            .saturating_add(HEADER)
            .saturating_add(pos_of(number).saturating_mul(ENTRY))
    }

    /// Entries of destroyed files whose message is before `process_offset`, so still there, and that no index file has now.
    pub fn entries_lost(&self, disk: &Overlay, process_offset: i64) -> Result<u64, ReadError> {
        if self.destroyed.is_empty() {
            return Ok(0);
        }
        let mut present: HashSet<(i32, i64)> = HashSet::new();
        for file in &self.files {
            self.each_entry(disk, file.file, file.entries(), |entry| {
                present.insert((entry.key_hash, entry.phy_offset));
            })?;
        }
        let mut lost = 0u64;
        for file in &self.destroyed {
            self.each_entry(disk, file.file, file.entries, |entry| {
                if entry.phy_offset < process_offset
                    && !present.contains(&(entry.key_hash, entry.phy_offset))
                {
                    lost = lost.saturating_add(1);
                }
            })?;
        }
        Ok(lost)
    }

    /// Entries 1 … `count` of a file, as far as the file goes.
    pub fn each_entry(
        &self,
        disk: &Overlay,
        file: FileNo,
        count: i64,
        mut visit: impl FnMut(Entry),
    ) -> Result<(), ReadError> {
        let mut window = Window::with_block(disk.reader(file), 1 << 20);
        let size = disk.size(file);
        for number in 1..=count {
            let at = self.entry_at(number);
            if at.saturating_add(ENTRY) > size {
                break;
            }
            let bytes = window.from(at, usize_of(ENTRY))?;
            if let Ok(entry) = index_file::entry(&mut Cursor::whole(bytes), &mut ()) {
                visit(entry);
            }
        }
        Ok(())
    }
}

/// The log offset of an index file's first entry, for the map.
pub(super) fn begin_phy_offset(store: &Store, path: &StorePath) -> i64 {
    match header_of(store, path) {
        Some(header) if header.index_count > 1 => header.begin_phy_offset,
        _ => -1,
    }
}

fn header_of(store: &Store, path: &StorePath) -> Option<Header> {
    let file = store.get(path)?;
    let mut bytes = [0; 40];
    if file.size() < HEADER || file.read_exact_at(0, &mut bytes).is_err() {
        return None;
    }
    index_file::header(&mut Cursor::whole(&bytes), &mut ()).ok()
}

/// How many slots and entries the files have, which stands nowhere in them: the broker's defaults where the length fits, else the
/// split of the length under which the entries lie in the slots that their hashes name.
pub(super) fn geometry_of(
    store: &Store,
    layout: &Layout,
    defaults: &Options,
) -> Option<(i32, i32)> {
    let default_size = index_size(defaults.max_hash_slot_num, defaults.max_index_num);
    let mut candidates: Vec<(&StorePath, u64, Header)> = Vec::new();
    for (path, role) in layout.files() {
        if *role == Role::Index
            && let Some(file) = store.get(path)
            && let Some(header) = header_of(store, path)
        {
            if Some(file.size()) == default_size {
                return None;
            }
            candidates.push((path, file.size(), header));
        }
    }
    // The fuller a file, the surer the answer.
    candidates.sort_by_key(|(_, _, header)| std::cmp::Reverse(header.index_count));
    candidates
        .iter()
        .take(3)
        .find_map(|(path, size, header)| split_of(store, path, *size, header))
}

/// Tries every split of a small file's length. The first entry of a chain names its own slot: with the right number of slots, slot
/// `hash % slots` holds an entry's number or a later one's of the same slot.
fn split_of(store: &Store, path: &StorePath, size: u64, header: &Header) -> Option<(i32, i32)> {
    /// A file larger than this is not searched: the defaults are of 420 MB, and tests are small.
    const MAX_SEARCHED: u64 = 64 << 20;
    let body = size.checked_sub(HEADER)?;
    let used = i64::from(header.index_count);
    if used < 2 || size > MAX_SEARCHED {
        return None;
    }
    let file = store.get(path)?;
    let mut bytes = vec![0; usize_of(size)];
    file.read_exact_at(0, &mut bytes).ok()?;
    let int = |at: u64| {
        let at = usize_of(at);
        let four = bytes.get(at..at.saturating_add(4))?;
        Some(i32::from_be_bytes(four.try_into().ok()?))
    };
    let most = body / ENTRY;
    (pos_of(used)..=most)
        .rev()
        .filter(|entries| (body.saturating_sub(entries.saturating_mul(ENTRY))) % SLOT == 0)
        .filter_map(|entries| {
            let slots = body.saturating_sub(entries.saturating_mul(ENTRY)) / SLOT;
            (slots > 0).then_some((slots, entries))
        })
        .find(|(slots, _)| {
            let entries_at = HEADER.saturating_add(slots.saturating_mul(SLOT));
            (1..used).all(|number| {
                let at = entries_at.saturating_add(pos_of(number).saturating_mul(ENTRY));
                let (Some(hash), Some(prev)) = (int(at), int(at.saturating_add(16))) else {
                    return false;
                };
                let Ok(hash) = u64::try_from(hash) else {
                    return false;
                };
                let slot = HEADER
                    .saturating_add(hash.checked_rem(*slots).unwrap_or(0).saturating_mul(SLOT));
                let newest = int(slot).map(i64::from).unwrap_or(0);
                i64::from(prev) < number && prev >= 0 && newest >= number && newest < used
            })
        })
        .and_then(|(slots, entries)| {
            Some((i32::try_from(slots).ok()?, i32::try_from(entries).ok()?))
        })
}

impl Broker<'_> {
    /// `IndexService#load`
    pub(super) fn load_index(&mut self, last_exit_ok: bool) -> Run {
        let dir = layout::index_dir();
        for entry in self.store.list(&dir).unwrap_or_default() {
            let path = dir.join(&entry.name);
            if self.index.stopped_at.is_some() {
                break;
            }
            self.load_index_file(&path, &entry.name, last_exit_ok)?;
        }
        self.store_log.say(&lines::INDEX_REGISTERED);
        let loaded = self.index.stopped_at.is_none();
        self.store_log.reach("LOAD_INDEX_OK", loaded);
        Ok(())
    }

    fn load_index_file(&mut self, path: &StorePath, name: &str, last_exit_ok: bool) -> Run {
        let found = self.disk.find(path);
        if self.holds(&rules::INDEX_NAME, java::parse_long(name).is_none()) {
            let place = Place::whole(path, found.map_or(0, |file| self.disk.size(file)));
            self.store_log
                .print(&lines::INDEX_NAME, || facts! { path = path, name = name });
            self.step(
                &rules::INDEX_NAME,
                Some(place),
                facts! { path = path, name = name },
                Vec::new(),
            );
            return Ok(());
        }
        let Some(file) = found else {
            // A folder cannot be opened as a file: loading of the index ends here. 4.9 does not ask why.
            self.store_log
                .print(&lines::INDEX_FOLDER, || facts! { path = path });
            if self.has(&rules::INDEX_FOLDER_REFUSED) {
                self.index.stopped_at = Some(path.clone());
            }
            if self.has(&rules::INDEX_FOLDER) {
                self.index.stopped_at = Some(path.clone());
                self.step(
                    &rules::INDEX_FOLDER,
                    Some(Place::whole(path, 0)),
                    facts! { path = path },
                    Vec::new(),
                );
            }
            return Ok(());
        };
        self.map_to_size(path, file);
        let mut bytes = [0; 40];
        self.disk.reader(file).read_exact_at(0, &mut bytes)?;
        let mut header =
            index_file::header(&mut Cursor::whole(&bytes), &mut ()).unwrap_or_default();
        if self.holds(&rules::INDEX_COUNT, header.index_count <= 0) {
            let found = header.index_count;
            header.index_count = 1;
            self.step(
                &rules::INDEX_COUNT,
                Some(Place::before(path, 36, 4)),
                facts! { path = path, found = found },
                Vec::new(),
            );
        }
        let on_map = self.on_map(path);
        let lane = self
            .map
            .before
            .files
            .get(on_map)
            .map_or(usize::MAX, |file| file.lane);
        let loaded = IndexFile {
            file,
            name: name.to_owned(),
            header,
            lane,
            end_at_last_step: None,
        };
        let end = loaded.end();
        let read = Change::Lane {
            lane,
            from: LaneEnd::EMPTY,
            to: end,
            how: LaneMove::Read,
        };
        let newer = header.end_timestamp > self.checkpoint.index_msg_timestamp;
        if !last_exit_ok && self.holds(&rules::INDEX_DESTROYED, newer) {
            self.index.destroyed.push(StorePathAndCount {
                file,
                entries: end.entries,
            });
            self.print_deleted(path, 0, 0);
            self.step(
                &rules::INDEX_DESTROYED,
                Some(Place::before(path, 8, 8)),
                facts! {
                    path = path,
                    end = header.end_timestamp,
                    checkpoint = self.checkpoint.index_msg_timestamp,
                    entries = end.entries,
                },
                vec![
                    read,
                    Change::Deleted { file: on_map },
                    Change::Lane {
                        lane,
                        from: end,
                        to: LaneEnd::EMPTY,
                        how: LaneMove::Destroyed,
                    },
                ],
            );
            self.disk.delete(file);
            return Ok(());
        }
        if !self.has(&rules::INDEX_KEPT) {
            return Ok(());
        }
        self.store_log
            .print(&lines::INDEX_LOADED, || facts! { path = path });
        self.step(
            &rules::INDEX_KEPT,
            Some(Place::before(path, 0, HEADER)),
            facts! { path = path, entries = end.entries, end = header.end_timestamp },
            vec![read],
        );
        self.index.files.push(loaded);
        Ok(())
    }

    /// From 5.1 on an index that does not load ends the start: after the recovery, with all that it cut and wrote.
    pub(super) fn refuse_for_index(&mut self) -> Run {
        match self.index.stopped_at.clone() {
            Some(path) if self.has(&rules::INDEX_FOLDER_REFUSED) => Err(self.refuse(
                &rules::INDEX_FOLDER_REFUSED,
                Some(Place::whole(&path, 0)),
                facts! { path = &path },
            )),
            _ => Ok(()),
        }
    }

    /// Mapping a file for the configured size makes a shorter one longer, and of a longer one sees the front.
    fn map_to_size(&mut self, path: &StorePath, file: FileNo) {
        let expected = self.options.index_file_size();
        let found = self.disk.size(file);
        if pos_of(expected) == found {
            return;
        }
        self.facts.findings.push(
            Finding::new(
                "index-size",
                Severity::Warning,
                Some(Place::whole(path, found)),
                facts! { path = path, found = found, expected = expected },
            )
            .decisive(),
        );
        if self.has(&rules::INDEX_RESIZED) {
            self.disk.extend(file, pos_of(expected));
            self.step(
                &rules::INDEX_RESIZED,
                Some(Place::whole(path, found)),
                facts! { path = path, found = found, expected = expected },
                Vec::new(),
            );
        }
    }

    /// `CommitLogDispatcherBuildIndex`, `IndexService#buildIndex`
    pub(super) fn build_index(
        &mut self,
        request: &DispatchRequest,
        topic: &str,
        properties: &Properties<'_>,
    ) -> Run {
        if self.holds(&rules::INDEX_OFF, !self.options.message_index_enable) {
            self.dispatched.count(&rules::INDEX_OFF);
            return Ok(());
        }
        let Some(mut at) = self.last_index_file()? else {
            return Ok(());
        };
        let end = self
            .index
            .files
            .get(at)
            .map_or(0, |file| file.header.end_phy_offset);
        if self.holds(&rules::INDEX_REPEATED, request.commit_log_offset < end) {
            self.dispatched.count(&rules::INDEX_REPEATED);
            return Ok(());
        }
        let rollback = message::transaction(request.sys_flag) == Transaction::Rollback;
        if self.holds(&rules::INDEX_ROLLBACK, rollback) {
            self.dispatched.count(&rules::INDEX_ROLLBACK);
            return Ok(());
        }
        let prefix = java::hash_onto(java::hash(topic), "#");
        for key in properties.uniq_key().into_iter().chain(properties.keys()) {
            at = self.put_key(at, java::hash_utf8(prefix, key), request)?;
        }
        if let Some(tag) = properties.tags()
            && self.has(&rules::INDEX_TAGS)
        {
            // From 5.4 on a tag is a key of its own kind.
            let prefix = java::hash_onto(java::hash(topic), "#T#");
            self.dispatched.count(&rules::INDEX_TAGS);
            self.put_key(at, java::hash_utf8(prefix, tag), request)?;
        }
        Ok(())
    }

    /// `getAndCreateLastIndexFile`: the last file, or a new one where it is full. A new one begins where the full one ended.
    fn last_index_file(&mut self) -> Run<Option<usize>> {
        let last = self.index.files.len().checked_sub(1);
        let full = match last.and_then(|last| self.index.files.get(last)) {
            Some(file) if file.header.index_count < self.index.entries => {
                return Ok(last);
            }
            Some(file) => Some((file.header, file.file)),
            None => None,
        };
        if !self.has(&rules::INDEX_NEW_FILE) {
            return Ok(None);
        }
        self.index.new_files = self.index.new_files.saturating_add(1);
        let name = format!("<new-{}>", self.index.new_files);
        let dir = layout::index_dir();
        if self.index.new_files == 1 && !self.store.is_dir(&dir) {
            self.store_log
                .print(&lines::FOLDER_MADE, || facts! { path = &dir });
        }
        let path = dir.join(&name);
        let size = pos_of(self.options.index_file_size());
        let file = self.disk.create(path.clone(), size);
        let mut header = Header {
            index_count: 1,
            ..Header::default()
        };
        if let Some((full, full_file)) = full {
            if full.end_phy_offset > 0 {
                header.begin_phy_offset = full.end_phy_offset;
                header.end_phy_offset = full.end_phy_offset;
            }
            if full.end_timestamp > 0 {
                header.begin_timestamp = full.end_timestamp;
                header.end_timestamp = full.end_timestamp;
                // The full file is flushed, and the checkpoint with it.
                let from = self.checkpoint.index_msg_timestamp;
                self.checkpoint.index_msg_timestamp = full.end_timestamp;
                let change = self.mark(&INDEX_MSG_TIMESTAMP, Some(from), Some(full.end_timestamp));
                self.dispatched.changes.push(change);
                self.write_checkpoint()?;
            }
            self.disk.write(full_file, 0, &full.to_bytes())?;
        }
        let lane = self.map.new_lane();
        self.map.new_file();
        let changes = vec![
            Change::NewLane {
                lane: Lane {
                    kind: LaneKind::Index,
                    name: name.clone(),
                    log_start: -1,
                },
            },
            Change::Created {
                path: path.clone(),
                lane,
                start: 0,
                size,
            },
        ];
        self.step_with_changes(
            &rules::INDEX_NEW_FILE,
            Some(Place::missing(&path)),
            facts! { path = &path },
            changes,
        );
        self.index.files.push(IndexFile {
            file,
            name,
            header,
            lane,
            end_at_last_step: None,
        });
        Ok(self.index.files.len().checked_sub(1))
    }

    /// `IndexService#putKey`: into this file, or into the next where it is full.
    fn put_key(&mut self, at: usize, java_hash: i32, request: &DispatchRequest) -> Run<usize> {
        let full = self
            .index
            .files
            .get(at)
            .is_none_or(|file| file.header.index_count >= self.index.entries);
        let at = if full {
            self.print_full_index(at);
            self.last_index_file()?.unwrap_or(at)
        } else {
            at
        };
        self.put_entry(at, index_file::key_hash(java_hash), request)?;
        Ok(at)
    }

    fn print_full_index(&mut self, at: usize) {
        let Some(file) = self.index.files.get(at) else {
            return;
        };
        let (count, most) = (file.header.index_count, self.index.entries);
        self.store_log
            .print(&lines::INDEX_OVER, || facts! { count = count, most = most });
        self.store_log.print(
            &lines::INDEX_FULL,
            || facts! { path = &layout::index_dir().join(&file.name) },
        );
    }

    /// `IndexFile#putKey`: the entry goes behind the last one, in front of its slot's chain.
    fn put_entry(&mut self, at: usize, key_hash: i32, request: &DispatchRequest) -> Run {
        let index = self
            .index
            .files
            .get(at)
            .filter(|_| self.has(&rules::INDEX_PUT));
        let Some(index) = index else {
            return Ok(());
        };
        let mut header = index.header;
        let file = index.file;
        let slot_no = key_hash.checked_rem(self.index.slots).unwrap_or(0);
        let slot_at = HEADER.saturating_add(pos_of(i64::from(slot_no)).saturating_mul(SLOT));
        let slot = self
            .disk
            .exchange(file, slot_at, header.index_count.to_be_bytes())?;
        let mut newest = i32::from_be_bytes(slot);
        let believed = newest > 0 && newest <= header.index_count;
        if newest != 0 && self.holds(&rules::INDEX_SLOT, !believed) {
            self.dispatched.count(&rules::INDEX_SLOT);
            newest = 0;
        }
        let entry = Entry {
            key_hash,
            phy_offset: request.commit_log_offset,
            time_diff: self.time_diff(&header, request.store_timestamp),
            prev_index: newest,
        };
        let entry_at = self.index.entry_at(i64::from(header.index_count));
        self.disk.write(file, entry_at, &entry.to_bytes())?;
        if header.index_count <= 1 {
            header.begin_phy_offset = request.commit_log_offset;
            header.begin_timestamp = request.store_timestamp;
        }
        if newest == 0 {
            header.hash_slot_count = header.hash_slot_count.wrapping_add(1);
        }
        header.index_count = header.index_count.wrapping_add(1);
        header.end_phy_offset = request.commit_log_offset;
        header.end_timestamp = request.store_timestamp;
        self.index.rebuilt = self.index.rebuilt.saturating_add(1);
        self.dispatched.index_put(at);
        if let Some(index) = self.index.files.get_mut(at) {
            if index.end_at_last_step.is_none() {
                index.end_at_last_step = Some(index.end());
            }
            index.header = header;
        }
        Ok(())
    }

    /// Seconds since the file's begin, within what an `int` holds.
    fn time_diff(&mut self, header: &Header, store_timestamp: i64) -> i32 {
        let seconds = java_div(store_timestamp.wrapping_sub(header.begin_timestamp), 1000);
        let bounded = if header.begin_timestamp <= 0 {
            0
        } else {
            seconds.clamp(0, i64::from(i32::MAX))
        };
        if self.holds(&rules::INDEX_TIME, bounded != seconds) {
            self.dispatched.count(&rules::INDEX_TIME);
            return java_int(bounded);
        }
        java_int(seconds)
    }

    /// `StoreCheckpoint#flush`
    pub(super) fn write_checkpoint(&mut self) -> Run {
        if let Some(file) = self.disk.find(&layout::checkpoint_file()) {
            let longs = self.options.release.policy().checkpoint_longs;
            self.disk.write(file, 0, &self.checkpoint.to_bytes(longs))?;
        }
        Ok(())
    }

    /// Headers live in memory until written: puts them into the files' bytes, for the image of a stage.
    pub(super) fn write_index_headers(&mut self) -> Run {
        for at in 0..self.index.files.len() {
            if let Some(index) = self.index.files.get(at) {
                let (file, bytes) = (index.file, index.header.to_bytes());
                self.disk.write(file, 0, &bytes)?;
            }
        }
        Ok(())
    }
}

/// CRC-32 of a file's slot table, as the state of the real broker gives it.
pub(super) fn slots_crc(disk: &Overlay, file: FileNo, slots: i32) -> Result<u32, ReadError> {
    let mut hasher = crc32fast::Hasher::new();
    let reader = disk.reader(file);
    let end = HEADER.saturating_add(pos_of(i64::from(slots)).saturating_mul(SLOT));
    let mut at = HEADER;
    while at < end {
        let len = end.saturating_sub(at).min(u64_of(1 << 20));
        let mut bytes = vec![0; usize_of(len)];
        reader.read_exact_at(at, &mut bytes)?;
        hasher.update(&bytes);
        at = at.saturating_add(len);
    }
    Ok(hasher.finalize())
}
