//! Kafka: one start of a broker over a log directory, from the clean-shutdown flag to the last partition, and a clean stop after it.
//!
//! | file | the broker's class |
//! |---|---|
//! | [`layout`] | which file is what |
//! | [`options`] | `LogConfig` |
//! | [`release`] | what a release does its own way |
//! | [`log_dir`] | `LogManager`: flag, checkpoints, partitions; `shutdown` |
//! | [`load_log`] | `LogLoader` (2.8: `Log`): leftovers, segments, the walk |
//! | [`load_old`] | the same of 0.10 and 0.8 |
//! | [`segment`] | `LogSegment`: check, cut, look-up |
//! | [`batches`] | `FileLogInputStream`: batches of a file, one after the other |
//! | [`index`] | `OffsetIndex`, `TimeIndex`, `TransactionIndex` |
//! | [`producers`] | `ProducerStateManager` |
//! | [`epochs`] | `LeaderEpochFileCache` |
//! | [`rules`] | the decision table |
//! | [`axis`] | where a segment lies on the map |
//! | [`audit`] | the check that a clean stop spares |
//! | [`ledger`] | bytes of the segments by what becomes of them |
//! | [`state`] | the broker's state under the names of the real brokers' dumps |
//! | [`record_fields`] | the records that are Kafka's own: `__consumer_offsets`, `__cluster_metadata`, control batches |
//! | [`inspect`] | fields and records at a place; every batch of a directory |
//!
//! Not here: KRaft's metadata log (its batches are read, its recovery is the controller's), tiered storage.

pub mod audit;
mod axis;
mod batches;
mod epochs;
pub mod format;
mod index;
pub mod inspect;
mod layout;
mod ledger;
mod load_log;
mod load_old;
mod log_dir;
pub mod narrow;
pub mod options;
mod producers;
mod record_fields;
pub mod release;
pub mod rules;
mod segment;
mod state;

use crate::brokers::{Asked, Recovered};
use crate::facts;
use crate::recovery::outcome::{
    BrokerUsed, Counts, End, EndKind, Fate, FileFate, Moved, Outcome, SCHEMA, Stage, StageName,
};
use crate::recovery::trace::{Change, Facts, Mark, Recorder};
use crate::recovery::{Finding, Place, Progress, Rule, Severity};
use crate::store::overlay::{FileNo, Overlay};
use crate::store::{ReadError, Store, StorePath};
use axis::Axis;
use format::checkpoint::BadText;
use load_log::Log;
use options::Options;
use release::Policy;
use std::collections::{BTreeMap, BTreeSet};

/// As an outcome names it.
pub const FAMILY: &str = "Kafka";

/// An exception of the broker, as what it means to a reader.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    rule: &'static Rule,
    place: Option<Place>,
    facts: Facts,
}

/// What a procedure of the broker throws.
#[derive(Debug)]
pub(crate) enum Thrown {
    /// `CorruptRecordException`, `InvalidRecordException`: the walk takes it for damage; elsewhere it ends the start.
    Corrupt(Failure),
    /// `InvalidOffsetException` of an index.
    InvalidOffset,
    /// `LogSegmentOffsetOverflowException`
    Overflow { segment: i64, offset: i64 },
    /// `IOException`: the directory is lost.
    Io(Failure),
    /// `KafkaStorageException`, thrown where the directory was marked failed.
    Marked(Failure),
    /// Any other.
    Fails(Failure),
    /// None of the broker's: the host gave no bytes.
    Read(ReadError),
}

impl From<ReadError> for Thrown {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<Failure> for Thrown {
    fn from(failure: Failure) -> Self {
        Self::Fails(failure)
    }
}

type Run<T = ()> = Result<T, Thrown>;

/// A file whose name begins with no number.
fn bad_name(path: &StorePath) -> Thrown {
    Thrown::Fails(Failure {
        rule: &rules::FILE_NAME,
        place: Some(Place::whole(path, 0)),
        facts: facts! { path = path, name = path.name() },
    })
}

fn bad_text_facts(path: &StorePath, bad: &BadText) -> Facts {
    let (why, at) = match bad {
        BadText::Encoding => ("no UTF-8", 0),
        BadText::Line(line) | BadText::Number(line) => ("malformed", *line),
        BadText::Version { .. } => ("version", 1),
        BadText::Count { .. } => ("count", 2),
        BadText::Ends => ("cut off", 0),
    };
    let mut facts = facts! { path = path, why = why, line = at };
    if let BadText::Count { says, found } = bad {
        facts.insert("says".into(), i64::from(*says).into());
        facts.insert("found".into(), (*found).into());
    }
    facts
}

/// One start of a broker: what it has in memory, what it wrote, and the steps so far.
pub(crate) struct Broker<'s> {
    store: &'s Store,
    options: &'s Options,
    policy: Policy,
    without: Option<String>,
    disk: Overlay,
    recorder: Recorder,
    map: Axis,
    progress: &'s mut dyn FnMut(Progress),
    read: Progress,
    logs: Vec<Log>,
    counts: Counts,
    /// Files that the broker's scheduler writes once loading is over.
    scheduled: Vec<(StorePath, Vec<u8>)>,
    /// `LogDirFailureChannel`: the directory was marked failed.
    marked_offline: bool,
    /// Why.
    offline: Option<Failure>,
    seen: state::Seen,
}

impl<'s> Broker<'s> {
    fn new(
        store: &'s Store,
        options: &'s Options,
        policy: Policy,
        progress: &'s mut dyn FnMut(Progress),
    ) -> Self {
        let map = Axis::of(store);
        Self {
            store,
            options,
            policy,
            without: options.without_rule.clone(),
            disk: Overlay::over(store),
            recorder: Recorder::default(),
            read: Progress {
                bytes: 0,
                of: map.bytes(),
            },
            map,
            progress,
            logs: Vec::new(),
            counts: Counts::default(),
            scheduled: Vec::new(),
            marked_offline: false,
            offline: None,
            seen: state::Seen::default(),
        }
    }

    /// Whether a condition holds *and* its row is in the table.
    fn holds(&self, rule: &'static Rule, condition: bool) -> bool {
        condition && self.has(rule)
    }

    fn has(&self, rule: &'static Rule) -> bool {
        self.without.as_deref() != Some(rule.id)
    }

    fn step(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
        changes: Vec<Change>,
    ) {
        self.recorder.step(rule, place, facts, changes);
    }

    /// A step that says what was thrown.
    fn note(&mut self, failure: Failure) {
        self.step(failure.rule, failure.place, failure.facts, Vec::new());
    }

    fn rename(&mut self, file: FileNo, to: StorePath) {
        self.disk.rename(file, to);
    }

    /// Writes a small file anew, through a temporary one that takes its place.
    fn replace(&mut self, path: &StorePath, bytes: &[u8]) -> Run {
        let temporary = StorePath::new(&format!("{path}.tmp"));
        if let Some(left) = self.disk.find(&temporary) {
            self.disk.delete(left);
        }
        self.disk.replace(path, bytes)?;
        Ok(())
    }

    fn progress(&mut self, bytes: u64) {
        self.read.bytes = self.read.bytes.saturating_add(bytes).min(self.read.of);
        (self.progress)(self.read);
    }
}

/// Runs a start of the broker over a log directory, and tells all about it.
pub fn recover(
    store: &Store,
    asked: &Asked,
    release: release::Release,
    with_state: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recovered, options::BadSetting> {
    recover_without(store, asked, release, with_state, None, progress)
}

/// The same with one row taken out of the decision table: what hangs on it?
pub fn recover_without(
    store: &Store,
    asked: &Asked,
    release: release::Release,
    with_state: bool,
    without_rule: Option<&str>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recovered, options::BadSetting> {
    let mut chosen = options::choose(asked, store)?;
    chosen.options.without_rule = without_rule.map(str::to_owned);
    let policy = release.known.policy();
    let mut broker = Broker::new(store, &chosen.options, policy, progress);
    let loaded = broker.load_logs();
    let mut stages = vec![Stage {
        name: StageName::Load,
        after: broker.disk.clone(),
    }];
    let end = end_of(&loaded, broker.offline.as_ref());
    let ((ledger, dirty), end) = match ledger::ledger(&broker, end.kind == EndKind::Started) {
        Ok(ledger) => (ledger, end),
        Err(error) => (Default::default(), end_of(&Err(error.into()), None)),
    };
    let marks = broker.marks();
    let files = broker.file_fates(&end);
    let mut findings = broker.findings(&chosen.ignored, &end);
    findings.sort_by_key(|finding| finding.severity);
    let mut state = with_state.then(|| broker.state_tree(&end));
    if end.kind == EndKind::Started {
        let closed = broker.shut_down();
        stages.push(Stage {
            name: StageName::Shutdown,
            after: broker.disk.clone(),
        });
        if let (Some(serde_json::Value::Object(state)), Some(loaded)) = (&mut state, stages.first())
        {
            state.insert(
                "afterClose".to_owned(),
                broker.closed_tree(&loaded.after, &closed),
            );
        }
    }
    let mut map = broker.map.take();
    map.dirty = dirty;
    let counts = broker.counts;
    let trace = broker.recorder.finish();
    Ok(Recovered {
        outcome: Outcome {
            schema: SCHEMA.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            broker: BrokerUsed {
                family: FAMILY.to_owned(),
                release: release.asked.clone(),
                found: release.found.to_owned(),
                rules_of: release.rules_of(),
            },
            options: chosen.used,
            end,
            marks,
            ledger,
            counts,
            files,
            findings,
            map,
            trace,
            candidates: Vec::new(),
            state,
        },
        stages,
    })
}

fn end_of(loaded: &Run, offline: Option<&Failure>) -> End {
    let (kind, failure, unread) = match (loaded, offline) {
        (Err(Thrown::Read(error)), _) => (EndKind::Unreadable, None, Some(error.clone())),
        (Err(Thrown::Fails(failure)), _) => (EndKind::Refused, Some(failure), None),
        (Err(_), _) => (EndKind::Refused, None, None),
        (Ok(()), Some(failure)) => (EndKind::Refused, Some(failure), None),
        (Ok(()), None) => (EndKind::Started, None, None),
    };
    End {
        kind,
        rule: failure.map(|failure| failure.rule.id.into()),
        facts: failure
            .map(|failure| failure.facts.clone())
            .unwrap_or_default(),
        sentence: String::new(),
        after_load: false,
        unread,
    }
}

impl Broker<'_> {
    /// Log end and recovery point of every partition; for one alone by their plain names.
    fn marks(&self) -> BTreeMap<Mark, Moved> {
        let mut marks = BTreeMap::new();
        let alone = self.logs.len() == 1;
        for log in &self.logs {
            let name = log.dir.as_str();
            let mut put = |mark: &str, before: Option<i64>, after: i64| {
                let mark = if alone {
                    mark.to_owned()
                } else {
                    format!("{name} {mark}")
                };
                let moved = Moved {
                    before,
                    after: Some(after),
                };
                marks.insert(Mark(mark.into()), moved);
            };
            let before = |read: &log_dir::Read| {
                let key = format!("{}-{}", log.name.topic, log.name.partition);
                read.offsets
                    .as_ref()
                    .and_then(|offsets| offsets.get(&key))
                    .copied()
            };
            put(
                "logStartOffset",
                before(&self.seen.log_starts),
                log.log_start,
            );
            put(
                "recoveryPoint",
                before(&self.seen.recovery_points),
                log.recovery_point,
            );
            put("logEndOffset", None, log.log_end);
        }
        marks
    }

    /// What becomes of every file, those that were there and those that are made.
    fn file_fates(&self, end: &End) -> Vec<FileFate> {
        let after = self.disk.to_store();
        let paths: BTreeSet<&StorePath> = self
            .store
            .files()
            .map(|(path, _)| path)
            .chain(after.files().map(|(path, _)| path))
            .collect();
        let refused = match (&end.kind, end.facts.get("path")) {
            (EndKind::Refused, Some(crate::recovery::trace::Fact::Text(path))) => {
                Some(path.as_str())
            }
            _ => None,
        };
        paths
            .into_iter()
            .map(|path| {
                let before = self.store.get(path).map(|file| file.size());
                let now = self.disk.find(path);
                let size = now.map(|file| self.disk.size(file));
                let is_written = now.is_some_and(|file| self.disk.is_written(file));
                let role = layout::role(path);
                let fate = match (before, size) {
                    _ if refused == Some(path.as_str()) => Fate::Refused,
                    (_, None) => Fate::Deleted,
                    (None, Some(_)) => Fate::Created,
                    (Some(before), Some(size)) if size < before => Fate::Cut,
                    (Some(before), Some(size)) if is_written || size != before => Fate::Changed,
                    _ if role == "other" => Fate::Ignored,
                    _ => Fate::Kept,
                };
                FileFate {
                    path: path.clone(),
                    role: role.to_owned(),
                    before,
                    after: size,
                    written: None,
                    fate,
                }
            })
            .collect()
    }

    /// What a person should know beside the steps.
    fn findings(&self, ignored: &[String], end: &End) -> Vec<Finding> {
        let mut findings: Vec<Finding> = ignored
            .iter()
            .map(|key| {
                Finding::new(
                    "setting-ignored",
                    Severity::Info,
                    None,
                    facts! { key = key.as_str() },
                )
            })
            .collect();
        for (path, file) in self.store.files() {
            if layout::role(path) == "other" {
                findings.push(Finding::new(
                    "file-unknown",
                    Severity::Info,
                    Some(Place::whole(path, file.size())),
                    facts! { path = path },
                ));
            }
        }
        let bytes = self.seen.unwalked_bytes(self);
        if end.kind == EndKind::Started && bytes > 0 {
            let id = if self.seen.flag.is_some() {
                "k-nothing-checked"
            } else {
                "k-not-checked"
            };
            findings.push(Finding::new(
                id,
                Severity::Info,
                None,
                facts! { bytes = bytes },
            ));
        }
        findings
    }
}
