//! The rows below the log: queues and index files, on the log's axis, at one step.

use super::scale::Scale;
use super::timeline::Spot;
use super::{Bar, Tone};
use crate::recovery::map::{LaneKind, LaneNow, MapNow};
use crate::recovery::trace::LaneMove;

/// A queue's row.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneRow {
    /// Number in the map's list of lanes.
    pub lane: usize,
    pub name: String,
    pub bars: Vec<Bar>,
    /// The broker has not looked at it yet.
    pub unread: bool,
    pub entries: i64,
    pub rebuilt: i64,
    pub cut: i64,
    /// The selected step did something to it; and where, if that can be seen.
    pub changed: bool,
    pub spot: Option<Spot>,
}

/// The queues by how much there is to see at the end: cut, rebuilt, lagging, by name, and those without entries last. The order holds for all steps, so that
/// rows stay where they are while the steps go by.
pub fn order(last: &MapNow) -> Vec<usize> {
    let mut queues: Vec<(usize, &LaneNow)> = last
        .lanes
        .iter()
        .enumerate()
        .filter(|(_, lane)| lane.lane.kind == LaneKind::Queue)
        .collect();
    queues.sort_by_cached_key(|(_, lane)| {
        let empty = lane.end.entries == 0 && lane.cut == 0;
        let rank = (empty, lane.cut == 0, lane.rebuilt == 0, lane.end.log_offset);
        (rank, name_order(&lane.lane.name))
    });
    queues.into_iter().map(|(at, _)| at).collect()
}

/// `Topic/2` before `Topic/10`.
pub fn name_order(name: &str) -> (&str, u64, &str) {
    let (topic, queue) = name.rsplit_once('/').unwrap_or((name, ""));
    (topic, queue.parse().unwrap_or(u64::MAX), queue)
}

/// A queue at a step; one that the broker is yet to make has an empty row, so that rows do not jump.
pub fn queue_row(
    now: &MapNow,
    lane: usize,
    name: &str,
    scale: &Scale,
    title: &impl Fn(&LaneNow, Tone, i64) -> String,
) -> LaneRow {
    let at = now.lanes.get(lane);
    LaneRow {
        lane,
        name: name.to_owned(),
        bars: at.map_or_else(Vec::new, |at| bars(at, first_read(now), scale, title)),
        unread: !at.is_some_and(|at| at.known),
        entries: at.map_or(0, |at| at.end.entries),
        rebuilt: at.map_or(0, |at| at.rebuilt),
        cut: at.map_or(0, |at| at.cut),
        changed: false,
        spot: None,
    }
}

/// Nothing can be rebuilt from messages before the first one that the broker read.
fn first_read(now: &MapNow) -> i64 {
    now.log.iter().map(|range| range.from).min().unwrap_or(0)
}

/// All index files in one row: what was destroyed shows where nothing was written over it again.
pub fn index_bars(
    now: &MapNow,
    scale: &Scale,
    title: &impl Fn(&LaneNow, Tone, i64) -> String,
) -> Vec<Bar> {
    let index = now
        .lanes
        .iter()
        .filter(|lane| lane.lane.kind == LaneKind::Index);
    let first = first_read(now);
    let mut all: Vec<Bar> = index
        .flat_map(|lane| bars(lane, first, scale, title))
        .collect();
    all.sort_by_key(|bar| match bar.tone {
        Tone::Trusted => 0,
        Tone::Lost => 1,
        _ => 2,
    });
    all
}

/// Entries that are few on a long axis are seen all the same.
const LEAST: f64 = 3.0;

fn bars(
    lane: &LaneNow,
    first_read: i64,
    scale: &Scale,
    title: &impl Fn(&LaneNow, Tone, i64) -> String,
) -> Vec<Bar> {
    let mut found: Vec<Bar> = Vec::new();
    for stretch in lane
        .stretches
        .iter()
        .filter(|stretch| stretch.to >= 0 && stretch.entries > 0)
    {
        let is_seen = |from| scale.overlaps(from, stretch.to);
        let (tone, least, from) = match stretch.how {
            LaneMove::Read => (Tone::Trusted, 1.0, stretch.from),
            LaneMove::Cut | LaneMove::Destroyed => (Tone::Lost, LEAST, stretch.from),
            LaneMove::Rebuilt => (
                Tone::Rebuilt,
                LEAST,
                stretch.from.max(first_read).min(stretch.to),
            ),
        };
        match stretch.how {
            // What was on disk is gone, or is read anew: the last word holds.
            LaneMove::Read | LaneMove::Destroyed => found.clear(),
            LaneMove::Cut | LaneMove::Rebuilt => {}
        }
        let from = if stretch.how == LaneMove::Destroyed {
            lane.lane.log_start.max(0)
        } else {
            from
        };
        if !is_seen(from) {
            continue;
        }
        let (x, width) = scale.stretch(from, stretch.to, least);
        match found.last_mut() {
            Some(last) if last.tone == tone && x <= last.x + last.width + 0.5 && x >= last.x => {
                last.width = last.width.max(x + width - last.x);
            }
            _ => found.push(Bar {
                x,
                width,
                tone,
                title: title(lane, tone, stretch.entries),
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn what_was_cut_comes_first_then_what_was_rebuilt() {
        let outcome = fixture::crash();
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        let names: Vec<_> = order(&last)
            .into_iter()
            .map(|at| last.lanes[at].lane.name.clone())
            .collect();
        assert_eq!(names, ["Order/1", "Order/0", "Pay/2", "Pay/10"]);
    }

    #[test]
    fn before_the_cut_the_old_end_is_shown_and_after_it_what_was_cut() {
        let outcome = fixture::crash();
        let scale = Scale::new(0, 4000, 4000.0);
        let order_1 = |step| {
            let now = outcome.map.at(&outcome.trace, step);
            queue_row(&now, fixture::ORDER_1, "Order/1", &scale, &|_, _, _| {
                String::new()
            })
        };
        assert!(order_1(1).unread);
        let before = order_1(fixture::STEP_STOP);
        assert_eq!(before.bars.len(), 1);
        assert_eq!(
            before.bars[0].x + before.bars[0].width,
            3200.0,
            "its own end, beyond the cut"
        );
        let after = order_1(u32::MAX);
        let lost = after
            .bars
            .iter()
            .find(|bar| bar.tone == Tone::Lost)
            .unwrap();
        assert_eq!((lost.x, lost.x + lost.width), (3000.0, 3200.0));
        assert_eq!(after.cut, 1);
    }
}
