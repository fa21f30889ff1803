//! What a step did to the store, as the difference of the map before and after it: so that a view marks it, and counts it.

use super::log_bars::ReadSoFar;
use crate::recovery::map::{LaneKind, MapNow};
use crate::recovery::trace::Mark;
use std::collections::{BTreeMap, BTreeSet};

/// What is other than before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changed {
    /// By number in the map: between which log offsets the lane's end moved.
    pub lanes: BTreeMap<usize, (i64, i64)>,
    /// By number in the map.
    pub files: BTreeSet<usize>,
    /// Stretches of the log that were read.
    pub log: Vec<(i64, i64)>,
    pub marks: BTreeSet<Mark>,
}

impl Changed {
    pub fn between(before: &MapNow, now: &MapNow) -> Self {
        let mut changed = Self::default();
        for (at, lane) in now.lanes.iter().enumerate() {
            let old = before.lanes.get(at);
            let end = old.map_or(-1, |old| old.end.log_offset);
            let moved = old.is_none_or(|old| {
                (old.end, old.known, old.stretches.len())
                    != (lane.end, lane.known, lane.stretches.len())
            });
            if moved && lane.lane.kind != LaneKind::Log {
                let to = lane.end.log_offset;
                changed
                    .lanes
                    .insert(at, (end.min(to).max(0), end.max(to).max(0)));
            }
        }
        for (at, file) in now.files.iter().enumerate() {
            if before.files.get(at) != Some(file) {
                changed.files.insert(at);
            }
        }
        let read = now.log.iter().skip(before.log.len());
        changed.log = read.map(|range| (range.from, range.to)).collect();
        let marks = now.marks.iter();
        changed.marks = marks
            .filter(|(mark, value)| before.marks.get(mark) != Some(value))
            .map(|(mark, _)| mark.clone())
            .collect();
        changed
    }
}

/// A number that grows while the broker starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its text is `counter.<id>`.
    pub id: &'static str,
    pub value: i64,
    /// By how much it grew.
    pub more: i64,
    pub is_bytes: bool,
}

/// What was read, written and taken away up to a step, and how much of it in that step.
pub fn counters(before: &MapNow, now: &MapNow) -> Vec<Counter> {
    let old = counts(before);
    counts(now)
        .into_iter()
        .zip(old)
        .map(|((id, value), (_, old))| Counter {
            id,
            value,
            more: value.saturating_sub(old),
            is_bytes: id == VERIFIED,
        })
        .collect()
}

const VERIFIED: &str = "verified";

fn counts(now: &MapNow) -> [(&'static str, i64); 6] {
    let of = |kind, count: fn(&crate::recovery::map::LaneNow) -> i64| {
        let lanes = now.lanes.iter().filter(|lane| lane.lane.kind == kind);
        lanes.map(count).fold(0, i64::saturating_add)
    };
    let messages = now.log.iter().map(|range| range.messages);
    [
        (VERIFIED, ReadSoFar::of(now).verified()),
        (
            "messages",
            crate::decode::num::long_of(messages.fold(0, u64::saturating_add)),
        ),
        ("queue-rebuilt", of(LaneKind::Queue, |lane| lane.rebuilt)),
        ("queue-cut", of(LaneKind::Queue, |lane| lane.cut)),
        ("index-rebuilt", of(LaneKind::Index, |lane| lane.rebuilt)),
        ("index-dropped", of(LaneKind::Index, |lane| lane.cut)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    fn around(step: u32) -> (MapNow, MapNow) {
        let outcome = fixture::crash();
        let at = |number| outcome.map.at(&outcome.trace, number);
        (at(step - 1), at(step))
    }

    #[test]
    fn a_step_that_only_notices_marks_nothing() {
        let (before, now) = around(2);
        assert_eq!(Changed::between(&before, &now), Changed::default());
        assert!(
            counters(&before, &now)
                .iter()
                .all(|counter| counter.more == 0)
        );
    }

    #[test]
    fn a_scan_marks_what_it_read_and_the_queue_it_rebuilt() {
        let (before, now) = around(9);
        let changed = Changed::between(&before, &now);
        assert_eq!(changed.log, [(1000, 3000)]);
        assert_eq!(changed.lanes, BTreeMap::from([(1, (2000, 3000))]));
        let counters = counters(&before, &now);
        let of = |id| counters.iter().find(|counter| counter.id == id).unwrap();
        assert_eq!((of("verified").value, of("verified").more), (2000, 2000));
        assert_eq!((of("messages").value, of("queue-rebuilt").more), (20, 5));
        assert_eq!(
            (of("index-dropped").value, of("index-dropped").more),
            (30, 0)
        );
    }

    #[test]
    fn a_cut_marks_the_end_it_moved() {
        let (before, now) = around(14);
        let changed = Changed::between(&before, &now);
        assert_eq!(
            changed.lanes,
            BTreeMap::from([(fixture::ORDER_1, (3000, 3200))])
        );
        assert!(changed.files.is_empty() && changed.log.is_empty());
        let (before, now) = around(13);
        assert_eq!(Changed::between(&before, &now).files, BTreeSet::from([2]));
        let (before, now) = around(12);
        assert_eq!(Changed::between(&before, &now).marks.len(), 1);
    }
}
