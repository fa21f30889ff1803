//! The index against the log. Entries stand in the order of their messages, so both are read side by side: a message takes the
//! entries with its offset and its keys, and what is left over is no message's.
//!
//! A file's chains are built once more from its entries, in an array of the slots: each entry must point to the entry before it in its
//! slot, and each slot to its newest. A chain that points forward goes round for ever in a broker that follows it.

use super::notes::Notes;
use super::units;
use super::{Message, Reading};
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::{Place, Severity};
use crate::rocketmq::format::index_file::{self, ENTRY, Entry, HEADER, Header, SLOT};
use crate::rocketmq::format::message::{self, Transaction};
use crate::rocketmq::layout::{self, Layout, Role};
use crate::store::{ReadAt, ReadError, StorePath, Window};

pub(super) struct Entries<'s> {
    files: Vec<IndexFile<'s>>,
    /// The file that is being read, and the number of its next entry.
    current: usize,
    next: i64,
    window: Option<Window<'s>>,
    chains: Chains,
    last_offset: i64,
    /// Where the log begins, and the entries of this file from before.
    log_start: i64,
    /// Where the log's files end; once all is read, where the last message does.
    log_end: i64,
    expired: u64,
    /// Messages behind the last entry, which the index does not have yet.
    behind: u64,
    behind_first: i64,
}

struct IndexFile<'s> {
    path: StorePath,
    data: &'s dyn ReadAt,
    header: Header,
    slots: u64,
    /// Entries in use, as far as the file goes: the numbers below this.
    end: i64,
}

impl IndexFile<'_> {
    fn entry_at(&self, number: i64) -> u64 {
        HEADER
            .saturating_add(self.slots.saturating_mul(SLOT))
            .saturating_add(pos_of(number).saturating_mul(ENTRY))
    }

    fn place(&self, number: i64) -> Place {
        Place::before(&self.path, self.entry_at(number), ENTRY)
    }

    /// Behind the last entry that is not all zeros, where the header cannot be believed.
    fn written_end(&self) -> Result<i64, ReadError> {
        let front = self.entry_at(1);
        let mut end = self.entry_at(self.end).min(self.data.size());
        while end > front {
            let start = end.saturating_sub(1 << 20).max(front);
            let mut bytes = vec![0; usize_of(end.saturating_sub(start))];
            self.data
                .read_exact_at(start, &mut bytes)
                .map_err(|error| error.in_file(self.path.as_str()))?;
            if let Some(last) = bytes.iter().rposition(|byte| *byte != 0) {
                let at = start.saturating_add(u64_of(last));
                let number = at.saturating_sub(self.entry_at(0)) / ENTRY;
                return Ok(long_of(number).saturating_add(1));
            }
            end = start;
        }
        Ok(1)
    }
}

/// The newest entry of each slot of the file that is being read.
#[derive(Default)]
struct Chains {
    newest: Vec<i32>,
}

impl<'s> Entries<'s> {
    pub fn open(
        reading: &Reading<'s>,
        layout: &Layout,
        notes: &mut Notes,
    ) -> Result<Self, ReadError> {
        let slots = pos_of(i64::from(reading.options.max_hash_slot_num));
        let most = i64::from(reading.options.max_index_num);
        let mut files = Vec::new();
        for (path, role) in layout.files() {
            let Some(data) = reading.store.get(path).filter(|_| *role == Role::Index) else {
                continue;
            };
            if java::parse_long(path.name()).is_none() {
                continue;
            }
            let mut bytes = [0; 40];
            if data.size() < HEADER {
                if data.size() > 0 {
                    notes.add(
                        "index-header",
                        Severity::Warning,
                        Place::whole(path, data.size()),
                        facts! { path = path, found = data.size() },
                    );
                }
                continue;
            }
            data.read_exact_at(0, &mut bytes)
                .map_err(|error| error.in_file(path.as_str()))?;
            let header =
                index_file::header(&mut Cursor::whole(&bytes), &mut ()).unwrap_or_default();
            let count = i64::from(header.index_count);
            let mut file = IndexFile {
                path: path.clone(),
                data: &**data,
                header,
                slots,
                end: count,
            };
            if count <= 1 {
                tell_empty(&file, notes);
                continue;
            }
            let room = data.size().saturating_sub(file.entry_at(0)) / ENTRY;
            let limit = most.min(long_of(room));
            if count > limit || header.begin_phy_offset > header.end_phy_offset {
                notes.add(
                    "index-header",
                    Severity::Warning,
                    Place::before(path, 0, HEADER),
                    facts! { path = path, found = count },
                );
            }
            file.end = count.min(limit);
            if count > limit {
                file.end = file.written_end()?;
            }
            files.push(file);
        }
        if files.is_empty() && reading.options.message_index_enable {
            let dir = layout::index_dir();
            notes.add(
                "index-none",
                Severity::Info,
                Place::missing(&dir),
                facts! { path = &dir },
            );
        }
        let mut entries = Self {
            files,
            current: 0,
            next: 1,
            window: None,
            chains: Chains::default(),
            last_offset: -1,
            log_start: log_start(layout),
            log_end: units::log_end_of_files(reading),
            expired: 0,
            behind: 0,
            behind_first: -1,
        };
        entries.begin_file();
        Ok(entries)
    }

    fn begin_file(&mut self) {
        self.next = 1;
        self.window = None;
        if let Some(file) = self.files.get(self.current) {
            let slots = usize_of(file.slots.min(MOST_SLOTS));
            self.chains.newest.clear();
            self.chains.newest.resize(slots, 0);
            self.window = Some(Window::with_block(file.data, 256 << 10));
        }
    }

    /// The next entry in the order of the files, without taking it.
    fn peek(
        &mut self,
        reading: &mut Reading<'_>,
        notes: &mut Notes,
    ) -> Result<Option<Entry>, ReadError> {
        loop {
            let Some(file) = self.files.get(self.current) else {
                return Ok(None);
            };
            if self.next >= file.end {
                self.end_file(reading, notes)?;
                continue;
            }
            let at = file.entry_at(self.next);
            let Some(window) = &mut self.window else {
                return Ok(None);
            };
            let bytes = window
                .from(at, usize_of(ENTRY))
                .map_err(|error| error.in_file(file.path.as_str()))?;
            return Ok(index_file::entry(&mut Cursor::whole(bytes), &mut ()).ok());
        }
    }

    /// Whether the entry before the next one is out of the order that both its neighbours keep: a damaged offset must not make all
    /// entries behind it look wrong.
    fn sticks_out(&mut self, entry: Entry) -> Result<bool, ReadError> {
        let Some(file) = self.files.get(self.current) else {
            return Ok(false);
        };
        let after = self.next.saturating_add(1);
        let Some(window) = self.window.as_mut().filter(|_| after < file.end) else {
            return Ok(false);
        };
        let bytes = window
            .from(file.entry_at(after), usize_of(ENTRY))
            .map_err(|error| error.in_file(file.path.as_str()))?;
        let after = index_file::entry(&mut Cursor::whole(bytes), &mut ()).ok();
        Ok(after.is_some_and(|after| {
            after.phy_offset >= self.last_offset && after.phy_offset < entry.phy_offset
        }))
    }

    /// The entry is done with: its chain goes on.
    fn take(&mut self, reading: &mut Reading<'_>, entry: Entry, notes: &mut Notes) {
        let Some(file) = self.files.get(self.current) else {
            return;
        };
        let number = self.next;
        self.next = number.saturating_add(1);
        reading.seen.entries = reading.seen.entries.saturating_add(1);
        let slot = u64::try_from(entry.key_hash)
            .ok()
            .and_then(|hash| hash.checked_rem(file.slots));
        let newest = slot.and_then(|slot| self.chains.newest.get_mut(usize_of(slot)));
        let Some(newest) = newest else {
            let facts = facts! { path = &file.path, number = number };
            notes.add("entry-garbage", Severity::Error, file.place(number), facts);
            return;
        };
        let expected = std::mem::replace(newest, i32::try_from(number).unwrap_or(i32::MAX));
        if entry.prev_index != expected {
            let forward = i64::from(entry.prev_index) >= number;
            let id = if forward {
                "chain-loop"
            } else {
                "chain-broken"
            };
            let place = file.place(number);
            notes.add(
                id,
                Severity::Error,
                Place::before(&place.file, place.offset.saturating_add(16), 4),
                facts! {
                    path = &file.path,
                    number = number,
                    found = entry.prev_index,
                    expected = expected,
                },
            );
        }
    }

    /// After a file's last entry: do its slots point to the newest ones?
    fn end_file(&mut self, reading: &mut Reading<'_>, notes: &mut Notes) -> Result<(), ReadError> {
        let Some(file) = self.files.get(self.current) else {
            return Ok(());
        };
        if self.expired > 0 {
            notes.add(
                "entries-expired",
                Severity::Info,
                Place::before(
                    &file.path,
                    file.entry_at(1),
                    self.expired.saturating_mul(ENTRY),
                ),
                facts! { path = &file.path, entries = self.expired, start = self.log_start },
            );
            self.expired = 0;
        }
        let mut window = Window::with_block(file.data, 1 << 20);
        for (slot, expected) in self.chains.newest.iter().enumerate() {
            let at = HEADER.saturating_add(u64_of(slot).saturating_mul(SLOT));
            let bytes = window
                .from(at, usize_of(SLOT))
                .map_err(|error| error.in_file(file.path.as_str()))?;
            let found = Cursor::whole(bytes).i32().unwrap_or(0);
            // A slot may point behind the entries that the header counts: it is ignored there.
            let is_beyond =
                i64::from(found) >= file.end && file.end < i64::from(file.header.index_count);
            if found != *expected && !is_beyond {
                notes.add(
                    "slot-wrong",
                    Severity::Error,
                    Place::before(&file.path, at, SLOT),
                    facts! { path = &file.path, slot = slot, found = found, expected = *expected },
                );
            }
        }
        reading.read(file.data.size());
        self.current = self.current.saturating_add(1);
        self.begin_file();
        Ok(())
    }

    /// A message of the log takes its entries.
    pub fn meet(
        &mut self,
        reading: &mut Reading<'_>,
        message: &Message<'_>,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        let Some(first) = self.files.first() else {
            return Ok(());
        };
        let covered = message.offset >= first.header.begin_phy_offset;
        let Keys { mut wanted, of_tag } = keys(message);
        while let Some(entry) = self.peek(reading, notes)? {
            if entry.phy_offset > message.offset {
                if !self.sticks_out(entry)? {
                    break;
                }
                self.tell_ahead(entry, notes);
                self.take(reading, entry, notes);
                continue;
            }
            let here = entry.phy_offset == message.offset;
            let own = wanted.iter().position(|hash| *hash == entry.key_hash);
            match own.filter(|_| here) {
                Some(at) => {
                    wanted.remove(at);
                    self.last_offset = entry.phy_offset;
                }
                None if here && of_tag == Some(entry.key_hash) => {}
                None => self.tell_no_message(entry, message, notes),
            }
            self.take(reading, entry, notes);
        }
        let rest_is_empty = self.current >= self.files.len();
        if wanted.is_empty() || !covered || !reading.options.message_index_enable {
            return Ok(());
        }
        if rest_is_empty && message.offset > self.last_offset {
            if self.behind == 0 {
                self.behind_first = message.offset;
            }
            self.behind = self.behind.saturating_add(1);
        } else {
            notes.add(
                "entry-missing",
                Severity::Warning,
                message.place(),
                facts! { offset = message.offset, keys = wanted.len() },
            );
        }
        Ok(())
    }

    /// An entry up to this message's offset that is not its own.
    fn tell_no_message(&mut self, entry: Entry, message: &Message<'_>, notes: &mut Notes) {
        if entry.phy_offset >= 0 && entry.phy_offset < self.log_start {
            // The log's front is deleted when it is old enough, an index file when all of it is.
            self.expired = self.expired.saturating_add(1);
            return;
        }
        let Some(file) = self.files.get(self.current) else {
            return;
        };
        let mut facts = facts! {
            path = &file.path,
            number = self.next,
            offset = entry.phy_offset,
        };
        let (id, severity) = if entry.phy_offset == message.offset {
            ("entry-wrong-key", Severity::Error)
        } else if entry.phy_offset < self.last_offset {
            facts.insert("before".into(), self.last_offset.into());
            ("entry-out-of-order", Severity::Warning)
        } else {
            ("entry-dangling", Severity::Error)
        };
        notes.add(id, severity, file.place(self.next), facts);
    }

    fn tell_ahead(&self, entry: Entry, notes: &mut Notes) {
        if let Some(file) = self.files.get(self.current) {
            let inside = entry.phy_offset < self.log_end && entry.phy_offset >= 0;
            notes.add(
                if inside {
                    "entry-dangling"
                } else {
                    "entry-ahead"
                },
                Severity::Error,
                file.place(self.next),
                facts! { path = &file.path, number = self.next, offset = entry.phy_offset },
            );
        }
    }

    /// What points behind the log's last message.
    pub fn finish(
        &mut self,
        reading: &mut Reading<'_>,
        log_end: i64,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        self.log_end = log_end;
        while let Some(entry) = self.peek(reading, notes)? {
            self.tell_ahead(entry, notes);
            self.take(reading, entry, notes);
        }
        if self.behind > 0
            && let Some(last) = self.files.last()
        {
            notes.add(
                "index-behind",
                Severity::Warning,
                Place::before(&last.path, last.entry_at(last.end), 0),
                facts! { messages = self.behind, first = self.behind_first },
            );
        }
        Ok(())
    }
}

fn log_start(layout: &Layout) -> i64 {
    let starts = layout.files().filter_map(|(_, role)| match role {
        Role::CommitLog { start } => *start,
        _ => None,
    });
    starts.min().unwrap_or(0)
}

/// An array of slots takes four bytes each; a damaged setting shall not ask for more than this.
const MOST_SLOTS: u64 = 64 << 20;

fn tell_empty(file: &IndexFile<'_>, notes: &mut Notes) {
    notes.add(
        "index-empty",
        Severity::Info,
        Place::before(&file.path, 36, 4),
        facts! { path = &file.path, found = file.header.index_count },
    );
}

/// The hashes under which the index has a message.
#[derive(Default)]
struct Keys {
    /// The unique key's first, then those of its keys.
    wanted: Vec<i32>,
    /// Releases from 5.5 on index the tag too. One that was written by an older release has none.
    of_tag: Option<i32>,
}

fn keys(message: &Message<'_>) -> Keys {
    let request = message.request;
    if message::transaction(request.sys_flag) == Transaction::Rollback {
        return Keys::default();
    }
    let properties = request.properties(message.record);
    let prefix = java::hash_onto(java::hash(&message.topic()), "#");
    let of_key = |key| index_file::key_hash(java::hash_utf8(prefix, key));
    let of_tag = |tag| index_file::key_hash(java::hash_utf8(java::hash_onto(prefix, "T#"), tag));
    let all = properties.uniq_key().into_iter().chain(properties.keys());
    Keys {
        wanted: all.map(of_key).collect(),
        of_tag: properties.tags().map(of_tag),
    }
}
