//! The store as a map: files and lanes on the log's offset axis, at any step. [`StoreMap::at`] replays the changes of a trace; it is
//! the only way a view learns where things stand, so what is drawn at a step is what the steps up to it did.

use super::trace::{Change, LaneEnd, LaneMove, Mark, Trace};
use crate::store::StorePath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LaneKind {
    /// The log itself: its files' starts are offsets of the axis.
    Log,
    Queue,
    Index,
}

/// One row of the map. An index file is a lane of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lane {
    pub kind: LaneKind,
    /// `TopicA/0`, `20231114221320000`.
    pub name: String,
    /// Log offset of the first entry's message, -1 if there is none.
    pub log_start: i64,
}

/// A file as it was dropped, or made by the broker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MapFile {
    pub path: StorePath,
    pub lane: usize,
    /// The offset its name gives: in the log, or in the queue in bytes.
    pub start: i64,
    pub size: u64,
}

/// Before the first step.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoreMap {
    pub lanes: Vec<Lane>,
    pub files: Vec<MapFile>,
    /// Log offset and store time of messages seen, rising by offset: the second axis.
    pub clock: Vec<(i64, i64)>,
    /// Log offsets past the log's new end that hold data: what the ledger counts as cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dirty: Vec<(i64, i64)>,
}

/// A file at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileNow {
    pub file: MapFile,
    /// Where the broker will write next.
    pub wrote: u64,
    pub deleted: bool,
    pub created: bool,
}

/// A stretch of the log axis in one lane, and how it came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    pub from: i64,
    pub to: i64,
    pub entries: i64,
    pub how: LaneMove,
}

/// A lane at a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneNow {
    pub lane: Lane,
    pub end: LaneEnd,
    pub known: bool,
    pub rebuilt: i64,
    pub cut: i64,
    pub stretches: Vec<Stretch>,
}

/// A verified or filler range of log offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRange {
    pub from: i64,
    pub to: i64,
    pub messages: u64,
    pub filler: bool,
}

/// Where everything stands after a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapNow {
    pub files: Vec<FileNow>,
    pub lanes: Vec<LaneNow>,
    pub log: Vec<LogRange>,
    pub marks: BTreeMap<Mark, Option<i64>>,
}

impl StoreMap {
    /// The map after step `number` of the trace; 0 is the store as dropped.
    pub fn at(&self, trace: &Trace, number: u32) -> MapNow {
        let mut now = MapNow {
            files: self
                .files
                .iter()
                .map(|file| FileNow {
                    file: file.clone(),
                    wrote: file.size,
                    deleted: false,
                    created: false,
                })
                .collect(),
            lanes: self.lanes.iter().map(LaneNow::unread).collect(),
            ..MapNow::default()
        };
        for step in trace.steps.iter().take_while(|step| step.number <= number) {
            for change in &step.changes {
                now.apply(change);
            }
        }
        now
    }
}

impl LaneNow {
    fn unread(lane: &Lane) -> Self {
        Self {
            lane: lane.clone(),
            end: LaneEnd::EMPTY,
            known: false,
            rebuilt: 0,
            cut: 0,
            stretches: Vec::new(),
        }
    }
}

impl MapNow {
    pub fn apply(&mut self, change: &Change) {
        match change {
            Change::Wrote { file, to, .. } => {
                if let Some(file) = self.files.get_mut(*file) {
                    file.wrote = *to;
                }
            }
            Change::Deleted { file } => {
                if let Some(file) = self.files.get_mut(*file) {
                    file.deleted = true;
                }
            }
            Change::Created {
                path,
                lane,
                start,
                size,
            } => self.files.push(FileNow {
                file: MapFile {
                    path: path.clone(),
                    lane: *lane,
                    start: *start,
                    size: *size,
                },
                wrote: 0,
                deleted: false,
                created: true,
            }),
            Change::Verified { from, to, messages } => self.log.push(LogRange {
                from: *from,
                to: *to,
                messages: *messages,
                filler: false,
            }),
            Change::Filler { from, to } => self.log.push(LogRange {
                from: *from,
                to: *to,
                messages: 0,
                filler: true,
            }),
            Change::Mark { mark, to, .. } => {
                self.marks.insert(mark.clone(), *to);
            }
            Change::NewLane { lane } => self.lanes.push(LaneNow {
                known: true,
                ..LaneNow::unread(lane)
            }),
            Change::Lane {
                lane,
                from,
                to,
                how,
            } => {
                if let Some(lane) = self.lanes.get_mut(*lane) {
                    lane.move_end(*from, *to, *how);
                }
            }
        }
    }
}

impl LaneNow {
    fn move_end(&mut self, from: LaneEnd, to: LaneEnd, how: LaneMove) {
        let entries = to.entries.saturating_sub(from.entries);
        match how {
            LaneMove::Read => {}
            LaneMove::Rebuilt => self.rebuilt = self.rebuilt.saturating_add(entries),
            LaneMove::Cut | LaneMove::Destroyed => self.cut = self.cut.saturating_sub(entries),
        }
        if how == LaneMove::Rebuilt && self.lane.log_start < 0 {
            self.lane.log_start = from.log_offset.max(0);
        }
        let (low, high) = if from.log_offset <= to.log_offset {
            (from.log_offset, to.log_offset)
        } else {
            (to.log_offset, from.log_offset)
        };
        let start = self.lane.log_start.max(0);
        self.stretches.push(Stretch {
            from: if how == LaneMove::Read || low < 0 {
                start
            } else {
                low
            },
            to: high,
            entries: entries.saturating_abs(),
            how,
        });
        self.end = to;
        self.known = true;
    }
}
