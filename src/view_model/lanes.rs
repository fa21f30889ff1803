//! The rows below the log: queues and index files, on the log's axis, at one step.

use super::scale::Scale;
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
}

/// The queues by how much there is to see at the end: cut, rebuilt, lagging, then by name. The order holds for all steps, so that
/// rows stay where they are while the steps go by.
pub fn order(last: &MapNow) -> Vec<usize> {
    let mut queues: Vec<(usize, &LaneNow)> = last
        .lanes
        .iter()
        .enumerate()
        .filter(|(_, lane)| lane.lane.kind == LaneKind::Queue)
        .collect();
    queues.sort_by(|(_, a), (_, b)| {
        let rank = |lane: &LaneNow| (lane.cut == 0, lane.rebuilt == 0, lane.end.log_offset);
        rank(a)
            .cmp(&rank(b))
            .then_with(|| name_order(&a.lane.name).cmp(&name_order(&b.lane.name)))
    });
    queues.into_iter().map(|(at, _)| at).collect()
}

/// `Topic/2` before `Topic/10`.
fn name_order(name: &str) -> (&str, u64, &str) {
    let (topic, queue) = name.rsplit_once('/').unwrap_or((name, ""));
    (topic, queue.parse().unwrap_or(u64::MAX), queue)
}

/// A queue at a step; one that the broker is yet to make has an empty row.
pub fn queue_row(
    now: &MapNow,
    lane: usize,
    scale: &Scale,
    title: &impl Fn(&LaneNow, Tone, i64) -> String,
) -> Option<LaneRow> {
    let at = now.lanes.get(lane)?;
    Some(LaneRow {
        lane,
        name: at.lane.name.clone(),
        bars: bars(at, scale, title),
        unread: !at.known,
        entries: at.end.entries,
        rebuilt: at.rebuilt,
        cut: at.cut,
    })
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
    let mut all: Vec<Bar> = index.flat_map(|lane| bars(lane, scale, title)).collect();
    all.sort_by_key(|bar| match bar.tone {
        Tone::Lost => 0,
        Tone::Trusted => 1,
        _ => 2,
    });
    all
}

/// Entries that are few on a long axis are seen all the same.
const LEAST: f64 = 3.0;

fn bars(lane: &LaneNow, scale: &Scale, title: &impl Fn(&LaneNow, Tone, i64) -> String) -> Vec<Bar> {
    let mut found: Vec<Bar> = Vec::new();
    for stretch in lane
        .stretches
        .iter()
        .filter(|stretch| stretch.to >= 0 && stretch.entries > 0)
    {
        let (tone, least) = match stretch.how {
            LaneMove::Read => (Tone::Trusted, 1.0),
            LaneMove::Cut | LaneMove::Destroyed => (Tone::Lost, LEAST),
            LaneMove::Rebuilt => (Tone::Rebuilt, LEAST),
        };
        let (x, width) = scale.stretch(stretch.from, stretch.to, least);
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
    // What the broker reads it reads anew each time it looks; the last reading holds.
    let last_read = found.iter().rposition(|bar| bar.tone == Tone::Trusted);
    let mut at = 0usize;
    found.retain(|bar| {
        let keep = bar.tone != Tone::Trusted || Some(at) == last_read;
        at = at.saturating_add(1);
        keep
    });
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
            queue_row(&now, fixture::ORDER_1, &scale, &|_, _, _| String::new()).unwrap()
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
