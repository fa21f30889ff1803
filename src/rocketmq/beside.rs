//! What may stand beside the log, queues and index, and what a start makes of which is not followed here: queues in RocksDB, batch
//! queues, queue extension files, DLedger's log, the timer wheel, compacted topics, files of tiered storage.
//!
//! Each is known by its place, told in a [`Finding`] with what of it could be read, and where the verdict hangs on it the finding says
//! that it is limited. A start must not be told as if these were not there: [`QueuesElsewhere`] keeps dispatch from making files for
//! queues that are kept in another form.
//!
//! Not here: what their bytes mean (`format/`), and what a look at them shows (`inspect`).

use super::format::{batch_queue, dledger, queue_ext, timer};
use super::layout::{Layout, Role};
use super::options::Options;
use crate::decode::Cursor;
use crate::decode::num::{pos_of, u64_of};
use crate::facts;
use crate::recovery::trace::Facts;
use crate::recovery::{Finding, Place, Severity};
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};
use std::collections::BTreeSet;

/// What stands beside, by the words of the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Beside {
    RocksDbQueues,
    /// `rocksdbstore/`: 5.5 makes it at every start; index, timers and transactions are in it where a setting says so.
    RocksDb,
    BatchQueue,
    QueueExtension,
    DLedger,
    TimerWheel,
    TimerLog,
    TimerCheckpoint,
    Compaction,
    TieredStorage,
    /// Files of a log in a folder of another name: see [`super::log_roots`].
    LogElsewhere,
}

impl Beside {
    /// The role's word in the outcome.
    pub fn word(self) -> &'static str {
        match self {
            Self::RocksDbQueues => "rocksDbQueues",
            Self::RocksDb => "rocksDb",
            Self::BatchQueue => "batchQueue",
            Self::QueueExtension => "queueExtension",
            Self::DLedger => "dLedger",
            Self::TimerWheel => "timerWheel",
            Self::TimerLog => "timerLog",
            Self::TimerCheckpoint => "timerCheckpoint",
            Self::Compaction => "compaction",
            Self::TieredStorage => "tieredStorage",
            Self::LogElsewhere => "logElsewhere",
        }
    }

    /// By its place in the store.
    pub fn of(parts: &[&str]) -> Option<Self> {
        Some(match parts {
            // RocksDB's own files lie among the topics' folders, but where a setting gives them a folder of their own.
            ["consumequeue", name] if is_rocksdb_file(name) => Self::RocksDbQueues,
            ["consumequeue_rocksdb" | "consumequeue_r", ..] => Self::RocksDbQueues,
            ["rocksdbstore", ..] => Self::RocksDb,
            ["batchconsumequeue", _, _, ..] => Self::BatchQueue,
            ["consumequeue_ext", _, _, ..] => Self::QueueExtension,
            [group, "data" | "index", ..] if group.starts_with("dledger-") => Self::DLedger,
            [group, _] if group.starts_with("dledger-") => Self::DLedger,
            // With timerWheelSnapshotFlush (5.5) the wheel is written anew each time, as timerwheel.OFFSET.
            [name] if *name == "timerwheel" || name.starts_with("timerwheel.") => Self::TimerWheel,
            ["timerlog", _] => Self::TimerLog,
            ["config", "timercheck"] => Self::TimerCheckpoint,
            ["compaction", ..] => Self::Compaction,
            ["tieredStore" | "tieredstore", ..] | ["config", "tieredStoreMetadata.json"] => {
                Self::TieredStorage
            }
            ["commitlog" | "consumequeue" | "index" | "config", ..] => return None,
            [_, name] if name.len() == 20 && name.bytes().all(|byte| byte.is_ascii_digit()) => {
                Self::LogElsewhere
            }
            _ => return None,
        })
    }
}

/// `CURRENT`, `MANIFEST-000004`, `000012.sst` …
fn is_rocksdb_file(name: &str) -> bool {
    let is_numbered = |suffix: &str| {
        name.strip_suffix(suffix).is_some_and(|number| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    ["CURRENT", "IDENTITY", "LOCK", "LOG"].contains(&name)
        || ["MANIFEST-", "OPTIONS-", "LOG.old."]
            .iter()
            .any(|prefix| name.starts_with(prefix))
        || [".sst", ".log", ".blob"]
            .iter()
            .any(|suffix| is_numbered(suffix))
}

/// Queues that are not files of units: a message of theirs makes none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueuesElsewhere {
    /// All of them are in RocksDB.
    rocksdb: bool,
    /// Topics of batch queues.
    batch: BTreeSet<String>,
}

impl QueuesElsewhere {
    pub fn of(layout: &Layout, options: &Options) -> Self {
        let batch = layout.files().filter_map(|(path, role)| {
            let mut parts = path.as_str().split('/');
            (*role == Role::Beside(Beside::BatchQueue))
                .then(|| parts.nth(1).unwrap_or("").to_owned())
        });
        Self {
            rocksdb: options.store_type.eq_ignore_ascii_case("defaultRocksDB"),
            batch: batch.collect(),
        }
    }

    pub fn holds(&self, topic: &str) -> bool {
        self.rocksdb || self.batch.contains(topic)
    }
}

/// All queues are in RocksDB, and no file holds units: a broker that writes both forms has such files as well.
pub fn queues_are_in_rocksdb(layout: &Layout) -> bool {
    let has = |wanted: fn(&Role) -> bool| layout.files().any(|(_, role)| wanted(role));
    has(|role| *role == Role::Beside(Beside::RocksDbQueues))
        && !has(|role| matches!(role, Role::Queue { .. }))
}

/// DLedger's log was written to. One that was switched off again leaves it behind: then a setting says so.
pub fn dledger_has_entries(store: &Store, layout: &Layout) -> bool {
    let mut data = layout
        .files()
        .filter(|(path, role)| **role == Role::Beside(Beside::DLedger) && is_dledger_data(path));
    data.any(|(path, _)| first_entry(store, path).is_some_and(|entry| entry.size > 0))
}

fn is_dledger_data(path: &StorePath) -> bool {
    path.as_str().split('/').nth(1) == Some("data")
}

fn first_entry(store: &Store, path: &StorePath) -> Option<dledger::Entry> {
    let file = store.get(path)?;
    let mut window = Window::look(&**file);
    let bytes = window.from(0, dledger::HEADER).ok()?;
    dledger::entry(&mut Cursor::whole(bytes), &mut ()).ok()
}

/// A kind that is there: which files, where, and how large.
struct There {
    kind: Beside,
    folder: StorePath,
    files: Vec<(StorePath, u64)>,
}

impl There {
    fn bytes(&self) -> u64 {
        let sizes = self.files.iter().map(|(_, size)| *size);
        sizes.fold(0, u64::saturating_add)
    }

    fn facts(&self) -> Facts {
        facts! { path = &self.folder, files = self.files.len(), bytes = self.bytes() }
    }
}

/// What stands beside, each kind told once, with what could be read of it.
pub fn findings(store: &Store, layout: &Layout, options: &Options) -> Vec<Finding> {
    let mut kinds: Vec<There> = Vec::new();
    for (path, role) in layout.files() {
        let Role::Beside(kind) = role else { continue };
        let size = store.get(path).map_or(0, |file| file.size());
        match kinds.iter_mut().find(|there| there.kind == *kind) {
            Some(there) => there.files.push((path.clone(), size)),
            None => kinds.push(There {
                kind: *kind,
                folder: folder_of(path),
                files: vec![(path.clone(), size)],
            }),
        }
    }
    let both_forms = layout
        .files()
        .any(|(_, role)| matches!(role, Role::Queue { .. }));
    let mut found = Vec::new();
    if options.transient_store_pool {
        found.push(Finding::new("beside-pool", Severity::Info, None, facts! {}));
    }
    for there in &kinds {
        // Where bytes cannot be had, what is there is told without them.
        found.extend(tell(store, there, both_forms));
    }
    found
}

/// `consumequeue` for its files; a file at the top stands for itself.
fn folder_of(path: &StorePath) -> StorePath {
    let first = path.as_str().split('/').next().unwrap_or("");
    match first {
        "config" => path.clone(),
        _ => StorePath::new(first),
    }
}

fn tell(store: &Store, there: &There, both_forms: bool) -> Vec<Finding> {
    let place = there
        .files
        .first()
        .map(|(path, size)| Place::whole(path, *size));
    let limits =
        |id, severity, facts| vec![Finding::new(id, severity, place.clone(), facts).limiting()];
    let mut facts = there.facts();
    match there.kind {
        Beside::RocksDbQueues if both_forms => {
            limits("beside-rocksdb-too", Severity::Warning, facts)
        }
        Beside::RocksDbQueues => limits("beside-rocksdb-queues", Severity::Warning, facts),
        Beside::RocksDb => vec![Finding::new("beside-rocksdb", Severity::Info, place, facts)],
        Beside::BatchQueue => {
            let read = count_batch_units(store, there);
            facts.extend(facts! { units = read.units, messages = read.messages });
            limits("beside-batch-queues", Severity::Warning, facts)
        }
        Beside::QueueExtension => {
            facts.extend(facts! { units = count_extension_units(store, there) });
            limits("beside-extension", Severity::Info, facts)
        }
        Beside::DLedger => {
            let read = count_dledger_entries(store, there);
            facts.extend(facts! { entries = read.entries, end = read.end });
            limits("beside-dledger", Severity::Warning, facts)
        }
        Beside::TimerWheel => {
            let mut found = limits("beside-timer", Severity::Info, facts);
            found.extend(wheels_of_wrong_length(there));
            found
        }
        // Told with the wheel, or with nothing: a log alone times nothing.
        Beside::TimerLog | Beside::TimerCheckpoint => Vec::new(),
        // Told when the store is opened.
        Beside::LogElsewhere => Vec::new(),
        Beside::Compaction => {
            let holds = |(path, size): &&(StorePath, u64)| {
                *size > 0 && path.as_str() != "compaction/position-checkpoint"
            };
            if there.files.iter().any(|file| holds(&file)) {
                limits("beside-compaction", Severity::Warning, facts)
            } else {
                // Every 5.x broker makes the folder.
                Vec::new()
            }
        }
        Beside::TieredStorage => limits("beside-tiered", Severity::Info, facts),
    }
}

/// A wheel of another length stops the start: `TimerWheel` throws, after the store was loaded.
fn wheels_of_wrong_length(there: &There) -> Vec<Finding> {
    let wrong = |(path, size): &(StorePath, u64)| {
        (*size != 0 && *size != timer::WHEEL_LENGTH).then(|| {
            Finding::new(
                "timer-wheel-length",
                Severity::Error,
                Some(Place::whole(path, *size)),
                facts! { path = path, found = *size, expected = timer::WHEEL_LENGTH },
            )
        })
    };
    there.files.iter().filter_map(wrong).collect()
}

#[derive(Default)]
struct BatchUnits {
    units: u64,
    messages: u64,
}

fn count_batch_units(store: &Store, there: &There) -> BatchUnits {
    let mut read = BatchUnits::default();
    for (path, _) in &there.files {
        let _ = each_of(store, path, batch_queue::UNIT, |bytes| {
            let unit = batch_queue::unit(&mut Cursor::whole(bytes), &mut ()).ok()?;
            if !unit.is_written() {
                return None;
            }
            read.units = read.units.saturating_add(1);
            let messages = pos_of(i64::from(unit.batch_size));
            read.messages = read.messages.saturating_add(messages);
            Some(u64_of(batch_queue::UNIT))
        });
    }
    read
}

fn count_extension_units(store: &Store, there: &There) -> u64 {
    let mut units = 0u64;
    for (path, _) in &there.files {
        let _ = each_of(store, path, queue_ext::HEADER, |bytes| {
            let unit = queue_ext::unit(&mut Cursor::whole(bytes), &mut ()).ok()?;
            let size = u64::try_from(unit.size).ok().filter(|size| *size > 0)?;
            units = units.saturating_add(1);
            Some(size)
        });
    }
    units
}

#[derive(Default)]
struct DLedgerRead {
    entries: u64,
    /// Where the last whole entry ends.
    end: i64,
}

fn count_dledger_entries(store: &Store, there: &There) -> DLedgerRead {
    let mut read = DLedgerRead::default();
    let data = there.files.iter().filter(|(path, _)| is_dledger_data(path));
    for (path, _) in data {
        let _ = each_of(store, path, dledger::HEADER, |bytes| {
            let entry = dledger::entry(&mut Cursor::whole(bytes), &mut ()).ok()?;
            let size = entry.whole_size()?;
            read.entries = read.entries.saturating_add(1);
            read.end = entry.pos.saturating_add(i64::from(entry.size));
            Some(size)
        });
    }
    read
}

/// Walks along a file: `step` reads the head of what stands there and says how far the next one is.
fn each_of(
    store: &Store,
    path: &StorePath,
    head: usize,
    mut step: impl FnMut(&[u8]) -> Option<u64>,
) -> Result<(), ReadError> {
    let Some(file) = store.get(path) else {
        return Ok(());
    };
    let mut window = Window::scan(&**file);
    let mut at = 0u64;
    while at.saturating_add(u64_of(head)) <= file.size() {
        let bytes = window.from(at, head)?;
        let Some(size) = step(bytes.get(..head).unwrap_or(bytes)) else {
            return Ok(());
        };
        at = at.saturating_add(size.max(1));
    }
    Ok(())
}
