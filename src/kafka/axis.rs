//! Where a segment lies on the map: the segments of all partitions one behind the other, in bytes. Offsets would not do for an axis:
//! every partition counts its own, and a batch of any size may hold one of them or thousands.

use super::layout;
use super::load_log::Log;
use crate::decode::num::long_of;
use crate::recovery::map::{Lane, LaneKind, MapFile, StoreMap};
use crate::recovery::trace::{Change, LaneEnd, LaneMove};
use crate::store::{Store, StorePath};
use std::collections::BTreeMap;

pub(super) struct Axis {
    before: StoreMap,
    /// A log file's number on the map, and where it begins on the axis.
    files: BTreeMap<StorePath, (usize, i64)>,
    /// A partition's lane.
    lanes: BTreeMap<StorePath, usize>,
    bytes: u64,
}

impl Axis {
    pub fn of(store: &Store) -> Self {
        let mut axis = Self {
            before: StoreMap {
                lanes: vec![Lane {
                    kind: LaneKind::Log,
                    name: store.name().to_owned(),
                    log_start: 0,
                }],
                ..StoreMap::default()
            },
            files: BTreeMap::new(),
            lanes: BTreeMap::new(),
            bytes: 0,
        };
        for (path, file) in store.files() {
            let dir = path.parent();
            if dir.as_str().is_empty() || !path.as_str().ends_with(layout::LOG) {
                continue;
            }
            let start = long_of(axis.bytes);
            if !axis.lanes.contains_key(&dir) {
                axis.lanes.insert(dir.clone(), axis.before.lanes.len());
                axis.before.lanes.push(Lane {
                    kind: LaneKind::Queue,
                    name: dir.as_str().to_owned(),
                    log_start: start,
                });
            }
            axis.files
                .insert(path.clone(), (axis.before.files.len(), start));
            axis.before.files.push(MapFile {
                path: path.clone(),
                lane: 0,
                start,
                size: file.size(),
            });
            axis.bytes = axis.bytes.saturating_add(file.size());
        }
        axis
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn file(&self, path: &StorePath) -> Option<usize> {
        self.files.get(path).map(|(no, _)| *no)
    }

    pub fn axis(&self, path: &StorePath) -> Option<i64> {
        self.files.get(path).map(|(_, start)| *start)
    }

    pub fn deleted(&self, path: &StorePath) -> Vec<Change> {
        self.file(path)
            .map(|file| Change::Deleted { file })
            .into_iter()
            .collect()
    }

    /// A partition's lane: how many offsets its log holds now, and where its last segment ends.
    pub fn loaded(&self, log: &Log) -> Vec<Change> {
        let Some(lane) = self.lanes.get(&log.dir) else {
            return Vec::new();
        };
        let end = log.segments.values().next_back().and_then(|segment| {
            let start = self.axis(&segment.path())?;
            Some(start.saturating_add(long_of(segment.size)))
        });
        vec![Change::Lane {
            lane: *lane,
            from: LaneEnd::EMPTY,
            to: LaneEnd {
                entries: log.log_end.saturating_sub(log.log_start),
                log_offset: end.unwrap_or(-1),
            },
            how: LaneMove::Read,
        }]
    }

    pub fn take(&mut self) -> StoreMap {
        std::mem::take(&mut self.before)
    }
}
