//! RocketMQ: one start of a broker over a store, from `load()` to caught up.
//!
//! | file | the broker's class |
//! |---|---|
//! | [`layout`] | which file is what (`StorePathConfigHelper`) |
//! | [`options`] | `MessageStoreConfig` |
//! | [`broker_conf`] | `broker.conf`, as `Properties` reads it |
//! | [`load`] | `DefaultMessageStore#load`: lengths, checkpoint, order of everything |
//! | [`mapped_file_queue`] | `MappedFileQueue`, `MappedFile`: offsets and files |
//! | [`check_message`] | `CommitLog#checkMessageAndReturnSize` |
//! | [`log_scanner`] | records checked ahead of the decisions about them |
//! | [`start_file`] | which file the scan of the log begins at |
//! | [`recover`] | `CommitLog#recoverNormally`, `#recoverAbnormally` |
//! | [`consume_queues`] | `ConsumeQueue` |
//! | [`queue_table`] | the end of `load()`: next and minimum offset of each queue |
//! | [`index_service`] | `IndexService`, `IndexFile` |
//! | [`dispatch`] | the dispatchers: a message to its queue and to the index |
//! | [`reput`] | `DefaultMessageStore#start`, `ReputMessageService` |
//! | [`rules`] | the decision table |
//! | [`store_log`] | what the broker itself writes about it all |
//! | [`release`] | which release decides what how |
//! | [`narrow`] | which release wrote a store, as far as its files show |
//! | [`ledger`] | bytes of the log by what becomes of them |
//! | [`state`] | the broker's state under the names of the real brokers' dumps |
//! | [`validate`] | what is wrong with a store, whether a start looks at it or not |
//! | [`inspect`] | fields and records at a place |
//! | [`messages`] | every message of a store, by one walk |
//! | [`entries`] | units and index entries, held to their messages |
//! | [`look_up`] | a key looked up, a queue read as a consumer |
//! | [`beside`] | what stands in a store and is not followed |
//! | [`extension`] | `ConsumeQueueExt`, read |
//! | [`log_roots`] | a commit log in several folders |
//! | [`place_loose`] | files dropped without their folders |
//!
//! Not here: DLedger, RocksDB queues, batch queues, timer wheel, compaction: [`beside`] finds them and says how they limit a verdict.

pub mod beside;
pub mod broker_conf;
pub mod check_message;
mod consume_queues;
mod dispatch;
pub mod entries;
mod extension;
pub mod format;
mod index_service;
pub mod inspect;
pub mod layout;
mod ledger;
mod load;
pub mod log_roots;
mod log_scanner;
pub mod look_up;
mod mapped_file_queue;
pub mod messages;
pub mod narrow;
pub mod options;
pub mod place_loose;
mod queue_table;
mod recover;
pub mod release;
mod reput;
pub mod rules;
mod start_file;
mod state;
mod store_log;
pub mod validate;

use crate::brokers::{Asked, Recovered};
use crate::decode::num;
use crate::facts;
use crate::recovery::map::{Lane, LaneKind, MapFile, StoreMap};
use crate::recovery::moments::{MomentRecorder, Moments, Stretch};
use crate::recovery::outcome::{
    BrokerUsed, Counts, End, EndKind, Fate, FileFate, Ledger, Outcome, SCHEMA, Stage, StageName,
};
use crate::recovery::trace::{Change, Facts, Mark, Recorder};
use crate::recovery::{Finding, Place, Progress, Rule, Severity};
use crate::store::overlay::{FileNo, Overlay};
use crate::store::{ReadError, Store};
use check_message::{Buffer, Check, DelayLevels};
use consume_queues::ConsumeQueues;
use dispatch::Dispatched;
use format::checkpoint::Checkpoint;
use index_service::IndexService;
use layout::{Layout, Role};
use mapped_file_queue::MappedFileQueue;
use options::Options;
use std::collections::BTreeMap;
use store_log::StoreLog;

pub const PROCESS_OFFSET: Mark = Mark::new("processOffset");
pub const MIN_OFFSET: Mark = Mark::new("minOffset");
pub const MAX_OFFSET: Mark = Mark::new("maxOffset");
pub const MAX_PHY_OFFSET_OF_CONSUME_QUEUE: Mark = Mark::new("maxPhyOffsetOfConsumeQueue");
pub const REPUT_FROM_OFFSET: Mark = Mark::new("reputFromOffset");
pub const CONFIRM_OFFSET: Mark = Mark::new("confirmOffset");
pub const PHYSIC_MSG_TIMESTAMP: Mark = Mark::new("physicMsgTimestamp");
pub const LOGICS_MSG_TIMESTAMP: Mark = Mark::new("logicsMsgTimestamp");
pub const INDEX_MSG_TIMESTAMP: Mark = Mark::new("indexMsgTimestamp");

/// How a start ends before it is over.
pub(crate) enum Ended {
    Refused {
        rule: &'static Rule,
        facts: Facts,
    },
    Hangs {
        rule: &'static Rule,
        facts: Facts,
    },
    /// The store is kept in a form that is not followed: there is no verdict, and `end.<id>` says why.
    NotFollowed {
        id: &'static str,
    },
    Unreadable(ReadError),
}

impl From<ReadError> for Ended {
    fn from(error: ReadError) -> Self {
        Self::Unreadable(error)
    }
}

type Run<T = ()> = Result<T, Ended>;

/// One start of a broker: what it has in memory, what it wrote, and the steps so far.
pub(crate) struct Broker<'s> {
    store: &'s Store,
    options: &'s Options,
    disk: Overlay,
    recorder: Recorder,
    map: MapBuilder,
    progress: &'s mut dyn FnMut(Progress),
    read: Progress,

    log: MappedFileQueue,
    queues: ConsumeQueues,
    index: IndexService,
    checkpoint: Checkpoint,
    confirm_offset: i64,
    topic_queue_table: BTreeMap<String, i64>,
    /// The levels as they are known at this moment: none until `ScheduleMessageService#load`.
    delays: DelayLevels,
    /// `RunningFlags#isCQWriteable`
    queues_writable: bool,
    buffer: Buffer,
    /// What the dispatch of messages did since the last step.
    dispatched: Dispatched,
    scan: recover::Scan,
    /// Queues that are not files of units.
    elsewhere: beside::QueuesElsewhere,
    facts: state::Seen,
    store_log: StoreLog,
    /// Notes the moments of a run, where they are asked for.
    moments: Option<MomentRecorder>,
}

/// Files and lanes get their numbers on the map here.
struct MapBuilder {
    before: StoreMap,
    lanes: usize,
    files: usize,
}

impl MapBuilder {
    fn new_file(&mut self) -> usize {
        let no = self.files;
        self.files = self.files.saturating_add(1);
        no
    }

    fn new_lane(&mut self) -> usize {
        let no = self.lanes;
        self.lanes = self.lanes.saturating_add(1);
        no
    }
}

const LOG_LANE: usize = 0;

impl<'s> Broker<'s> {
    fn new(
        store: &'s Store,
        options: &'s Options,
        layout: &Layout,
        progress: &'s mut dyn FnMut(Progress),
    ) -> Self {
        let mut map = StoreMap {
            lanes: vec![Lane {
                kind: LaneKind::Log,
                name: "commitlog".to_owned(),
                log_start: -1,
            }],
            ..StoreMap::default()
        };
        let mut log_bytes = 0u64;
        let mut queue_lanes: BTreeMap<layout::QueueKey, usize> = BTreeMap::new();
        for (path, role) in layout.files() {
            let size = store.get(path).map_or(0, |file| file.size());
            let (lane, start) = match role {
                Role::CommitLog { start: Some(start) } => {
                    log_bytes = log_bytes.saturating_add(size);
                    (LOG_LANE, *start)
                }
                Role::Queue {
                    queue,
                    start: Some(start),
                } => {
                    let next = map.lanes.len();
                    let lane = *queue_lanes.entry(queue.clone()).or_insert(next);
                    if lane == next {
                        map.lanes.push(Lane {
                            kind: LaneKind::Queue,
                            name: queue.label(),
                            log_start: consume_queues::first_offset(store, path),
                        });
                    }
                    (lane, *start)
                }
                Role::Index => {
                    map.lanes.push(Lane {
                        kind: LaneKind::Index,
                        name: path.name().to_owned(),
                        log_start: index_service::begin_phy_offset(store, path),
                    });
                    (map.lanes.len().saturating_sub(1), 0)
                }
                _ => continue,
            };
            map.files.push(MapFile {
                path: path.clone(),
                lane,
                start,
                size,
            });
        }
        Self {
            store,
            options,
            disk: Overlay::over(store),
            recorder: Recorder::default(),
            map: MapBuilder {
                lanes: map.lanes.len(),
                files: map.files.len(),
                before: map,
            },
            progress,
            read: Progress {
                bytes: 0,
                of: log_bytes,
            },
            log: MappedFileQueue::new(options.mapped_file_size_commit_log),
            queues: ConsumeQueues::default(),
            index: IndexService::new(options),
            checkpoint: Checkpoint::default(),
            confirm_offset: -1,
            topic_queue_table: BTreeMap::new(),
            delays: DelayLevels::default(),
            queues_writable: true,
            buffer: if options.release.policy().keeps_buffer {
                Buffer::KEPT
            } else {
                Buffer::OF_EACH_RECORD
            },
            dispatched: Dispatched::default(),
            scan: recover::Scan::default(),
            elsewhere: beside::QueuesElsewhere::of(layout, options),
            facts: state::Seen::default(),
            store_log: StoreLog::new(options.release, false),
            moments: None,
        }
    }

    /// Whether a condition holds *and* its row is in the table.
    fn holds(&self, rule: &'static Rule, condition: bool) -> bool {
        condition && self.has(rule)
    }

    fn has(&self, rule: &'static Rule) -> bool {
        self.options.rules().has(rule)
    }

    fn check(&self, crc: bool, body: bool) -> Check<'_> {
        Check {
            crc,
            body,
            dup_info: false,
            property_crc: self.options.force_verify_prop_crc,
            buffer: self.buffer,
            delays: &self.delays,
            rules: self.options.rules(),
        }
    }

    fn step(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
        changes: Vec<Change>,
    ) {
        let log = self.store_log.take();
        self.recorder
            .run(rule, place, facts, changes, Vec::new(), log);
    }

    /// A step that says how the start ends.
    fn refuse(&mut self, rule: &'static Rule, place: Option<Place>, facts: Facts) -> Ended {
        self.step(rule, place, facts.clone(), Vec::new());
        Ended::Refused { rule, facts }
    }

    fn hang(&mut self, rule: &'static Rule, place: Option<Place>, facts: Facts) -> Ended {
        self.step(rule, place, facts.clone(), Vec::new());
        Ended::Hangs { rule, facts }
    }

    fn mark(&mut self, mark: &Mark, from: Option<i64>, to: Option<i64>) -> Change {
        self.facts.mark(mark, from, to);
        Change::Mark {
            mark: mark.clone(),
            from,
            to,
        }
    }

    /// `getConfirmOffset`: the log's end, but with `duplicationEnable`.
    fn confirm_offset(&self) -> i64 {
        match self.options.release.policy().confirm_offset {
            release::ConfirmOffset::LastMessage if !self.options.duplication_enable => {
                self.log.max_offset()
            }
            _ => self.confirm_offset,
        }
    }

    fn set_confirm_offset(&mut self, offset: i64) {
        self.confirm_offset = offset;
        self.checkpoint.confirm_phy_offset = offset;
    }

    fn whole(&self, file: FileNo) -> Place {
        Place::whole(&self.disk.path(file), self.disk.size(file))
    }

    fn progress(&mut self, bytes: u64) {
        self.read.bytes = self.read.bytes.saturating_add(bytes).min(self.read.of);
        (self.progress)(self.read);
    }
}

/// Runs a start of the broker over a store, and tells all about it.
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
    let layout = Layout::of(store);
    let mut chosen = options::choose(asked, store, &layout)?;
    chosen.options.release = release.known;
    chosen.options.without_rule = without_rule.map(str::to_owned);
    let mut broker = Broker::new(store, &chosen.options, &layout, progress);
    broker.facts.with_state = with_state;
    broker.store_log = StoreLog::new(chosen.options.release, with_state);

    let mut stages = Vec::new();
    let loaded = broker
        .stop_at_other_forms()
        .and_then(|()| broker.load())
        .and_then(|()| broker.write_image());
    let after_load = loaded.is_ok();
    let ended = loaded.and_then(|()| broker.finish_load(&mut stages)).err();
    let end = match ended {
        None => End {
            kind: EndKind::Started,
            rule: None,
            facts: Facts::new(),
            sentence: String::new(),
            after_load: false,
            unread: None,
        },
        Some(ended) => ended.into_end(after_load),
    };
    let ((ledger, dirty), end) = match ledger::ledger(&broker, !after_load) {
        Ok(ledger) => (ledger, end),
        Err(error) => (
            (Ledger::default(), Vec::new()),
            Ended::Unreadable(error).into_end(after_load),
        ),
    };
    let lost = broker
        .index
        .entries_lost(&broker.disk, broker.scan.process_offset());
    let counts = Counts {
        queue_entries_rebuilt: broker.queues.rebuilt(),
        queue_entries_cut: broker.queues.cut(),
        index_entries_rebuilt: broker.index.rebuilt(),
        index_entries_lost: lost.unwrap_or(0),
    };
    let mut findings = findings(store, &layout, &chosen.ignored);
    findings.extend(beside::findings(store, &layout, &chosen.options));
    findings.append(&mut broker.facts.findings);
    let files = broker.file_fates(&layout, &end);
    let state = with_state.then(|| broker.state_tree(&end));
    let mut map = std::mem::take(&mut broker.map.before);
    map.dirty = dirty;
    map.clock.sort_unstable();
    map.clock.dedup_by_key(|(offset, _)| *offset);
    let marks = broker.facts.marks();
    broker.recorder.printed_last(broker.store_log.take());
    let trace = broker.recorder.finish();
    Ok(Recovered {
        outcome: Outcome {
            schema: SCHEMA.to_owned(),
            tool: env!("CARGO_PKG_VERSION").to_owned(),
            broker: BrokerUsed {
                family: "RocketMQ".to_owned(),
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

/// Runs a start once more, for the moments of one of its runs: about `most` of them.
pub fn moments(
    store: &Store,
    asked: &Asked,
    release: &release::Release,
    stretch: Stretch,
    most: u32,
    progress: &mut dyn FnMut(Progress),
) -> Result<Moments, options::BadSetting> {
    let layout = Layout::of(store);
    let mut chosen = options::choose(asked, store, &layout)?;
    chosen.options.release = release.known;
    let mut broker = Broker::new(store, &chosen.options, &layout, progress);
    broker.moments = Some(MomentRecorder::new(stretch, most));
    // How the start ends is known: the moments are of a run that it came to.
    let _ = broker
        .load()
        .and_then(|()| broker.write_image())
        .and_then(|()| broker.start());
    let recorder = broker.moments.take();
    Ok(recorder
        .unwrap_or_else(|| MomentRecorder::new(stretch, most))
        .finish())
}

impl Ended {
    fn into_end(self, after_load: bool) -> End {
        let (kind, rule, facts, unread) = match self {
            Self::Refused { rule, facts } => (EndKind::Refused, Some(rule), facts, None),
            Self::Hangs { rule, facts } => (EndKind::Hangs, Some(rule), facts, None),
            Self::NotFollowed { id } => {
                let facts = Facts::new();
                return End {
                    kind: EndKind::Unreadable,
                    rule: Some(id.into()),
                    facts,
                    sentence: String::new(),
                    after_load: false,
                    unread: None,
                };
            }
            Self::Unreadable(error) => (EndKind::Unreadable, None, Facts::new(), Some(error)),
        };
        End {
            kind,
            rule: rule.map(|rule| rule.id.into()),
            facts,
            sentence: String::new(),
            after_load,
            unread,
        }
    }
}

impl Broker<'_> {
    /// Puts what lives in memory into the bytes of the files that hold it.
    fn write_image(&mut self) -> Run {
        self.write_index_headers()?;
        self.note_after_load()?;
        Ok(())
    }

    /// A log that is not a commit log: whatever was said of a start over the rest would be wrong.
    fn stop_at_other_forms(&self) -> Run {
        if self.options.dledger_commit_log {
            return Err(Ended::NotFollowed {
                id: "beside.dledger",
            });
        }
        Ok(())
    }

    /// From the end of `load()` to the end of the start, with the image of each.
    fn finish_load(&mut self, stages: &mut Vec<Stage>) -> Run {
        stages.push(Stage {
            name: StageName::Load,
            after: self.disk.clone(),
        });
        let started = self.start();
        self.note_after_reput()?;
        stages.push(Stage {
            name: StageName::Reput,
            after: self.disk.clone(),
        });
        started
    }

    /// What becomes of every file, those that were there and those that are made.
    fn file_fates(&self, layout: &Layout, end: &End) -> Vec<FileFate> {
        let refused = match (&end.kind, end.facts.get("path")) {
            (EndKind::Refused, Some(crate::recovery::trace::Fact::Text(path))) => {
                Some(path.as_str())
            }
            _ => None,
        };
        let mut written: BTreeMap<FileNo, i32> = BTreeMap::new();
        let queues = self
            .queues
            .iter()
            .flat_map(|queue| queue.files.files.iter());
        for file in self.log.files.iter().chain(queues) {
            written.insert(file.file, file.wrote);
        }
        let indexed: Vec<FileNo> = self.index.files.iter().map(|file| file.file).collect();
        self.disk
            .numbers()
            .map(|no| {
                let path = self.disk.path(no);
                let role = layout.role(&path);
                let before = self.disk.size_before(no);
                let present = self.disk.is_present(no);
                let after = present.then(|| self.disk.size(no));
                let wrote = written.get(&no).map(|wrote| num::pos_of(i64::from(*wrote)));
                let is_read = match role {
                    Role::CommitLog { .. } | Role::Queue { .. } => wrote.is_some() || !present,
                    Role::Index => indexed.contains(&no) || !present,
                    Role::Checkpoint | Role::Abort | Role::Lock => true,
                    Role::Config => path == layout::delay_offset_file(),
                    Role::Beside(_) | Role::Other => false,
                };
                let fate = if refused == Some(path.as_str()) {
                    Fate::Refused
                } else if !present {
                    Fate::Deleted
                } else if before.is_none() {
                    Fate::Created
                } else if end.kind == EndKind::Refused && !end.after_load {
                    Fate::Kept
                } else if matches!(role, Role::Beside(_))
                    || (end.kind == EndKind::Unreadable && end.rule.is_some())
                {
                    Fate::NotFollowed
                } else if !is_read {
                    Fate::Ignored
                } else if wrote.zip(after).is_some_and(|(wrote, after)| wrote < after) {
                    Fate::Cut
                } else if self.disk.is_written(no) {
                    Fate::Changed
                } else {
                    Fate::Kept
                };
                FileFate {
                    role: role.word().to_owned(),
                    before,
                    after,
                    written: wrote,
                    fate,
                    path,
                }
            })
            .collect()
    }
}

/// What a person should know beside the steps.
fn findings(store: &Store, layout: &Layout, ignored: &[String]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for key in ignored {
        let id = if options::NOT_FOLLOWED.contains(&key.as_str()) {
            "setting-not-followed"
        } else {
            "setting-ignored"
        };
        let severity = if id == "setting-ignored" {
            Severity::Info
        } else {
            Severity::Warning
        };
        let finding = Finding::new(id, severity, None, facts! { key = key.as_str() });
        findings.push(if severity == Severity::Warning {
            finding.limiting()
        } else {
            finding
        });
    }
    for (path, role) in layout.files() {
        let size = store.get(path).map_or(0, |file| file.size());
        if *role == Role::Other {
            findings.push(Finding::new(
                "file-unknown",
                Severity::Info,
                Some(Place::whole(path, size)),
                facts! { path = path },
            ));
        } else if size == 0 && !matches!(role, Role::Abort | Role::Lock | Role::Beside(_)) {
            findings.push(Finding::new(
                "zero-length",
                Severity::Warning,
                Some(Place::whole(path, 0)),
                facts! { path = path },
            ));
        }
    }
    findings
}
