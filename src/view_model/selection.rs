//! One selection drives all views: a step. Where it starts, where a key leads, and what to look at for it.

use super::steps::{self, Row};
use crate::recovery::map::LaneKind;
use crate::recovery::outcome::EndKind;
use crate::recovery::rule::{Kind, Phase};
use crate::recovery::trace::{Fact, Image, Mark};
use crate::recovery::{Change, Outcome, Place, Step, Trace};

/// The step that decided: where the start was refused or hangs, else what stopped the scan, else the last one.
pub fn deciding(outcome: &Outcome) -> u32 {
    let all = &outcome.trace.steps;
    if outcome.end.kind != EndKind::Started
        && let Some(rule) = &outcome.end.rule
        && let Some(step) = all.iter().rev().find(|step| step.rule == *rule)
    {
        return step.number;
    }
    let is_reject =
        |step: &&Step| step.phase == Phase::Scan && steps::kind(&step.rule) == Kind::Reject;
    let Some(stop) = all.iter().rev().find(is_reject) else {
        return all.last().map_or(0, |step| step.number);
    };
    // What was wrong comes first, that the scan stops for it follows.
    let before = all
        .iter()
        .rev()
        .skip_while(|step| step.number > stop.number);
    before
        .take_while(is_reject)
        .last()
        .map_or(stop.number, |step| step.number)
}

/// A move through the list of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    Next,
    Previous,
    First,
    Last,
    /// To the next place where the broker decides something, or takes something away.
    NextDecision,
    PreviousDecision,
}

/// The step a move leads to. A closed group is one move.
pub fn moved(trace: &Trace, rows: &[Row], selected: u32, to: Move) -> Option<u32> {
    let at = rows.iter().position(|row| row.holds(selected)).unwrap_or(0);
    // The head of an open group is no step of its own.
    let is_step = |row: &&Row| !matches!(row, Row::Group { open: true, .. });
    let row = match to {
        Move::First => rows.iter().find(is_step),
        Move::Last => rows.iter().rfind(is_step),
        Move::Next => rows.get(at.saturating_add(1)..)?.iter().find(is_step),
        Move::Previous => rows.get(..at)?.iter().rfind(is_step),
        Move::NextDecision => {
            let mut rest = rows.get(at.saturating_add(1)..)?.iter();
            rest.find(|row| is_step(row) && decides(trace, row))
        }
        Move::PreviousDecision => {
            let mut rest = rows.get(..at)?.iter();
            rest.rfind(|row| is_step(row) && decides(trace, row))
        }
    };
    row.map(Row::stands_for)
}

/// The broker took one way of several there, or cut, deleted or refused something.
fn decides(trace: &Trace, row: &Row) -> bool {
    let (first, last) = match row {
        Row::Step { number } => (*number, *number),
        Row::Group { first, last, .. } => (*first, *last),
    };
    let mut steps = (first..=last).filter_map(|number| steps::step(trace, number));
    steps.any(|step| {
        matches!(
            steps::kind(&step.rule),
            Kind::Choice | Kind::Reject | Kind::Cut | Kind::Refuse | Kind::Hang
        )
    })
}

/// The bytes to show for a step: its own place, or the one of the step before it that had one.
pub fn place(outcome: &Outcome, number: u32) -> Option<&Place> {
    steps::step(&outcome.trace, number)?.place.as_ref()
}

/// The log offset that a step is about: the magnifier looks there.
pub fn interest(outcome: &Outcome, number: u32) -> Option<i64> {
    let step = steps::step(&outcome.trace, number)?;
    of_place(outcome, step.place.as_ref())
        .or_else(|| of_missing(step))
        .or_else(|| of_changes(step))
        .or_else(|| {
            of_place(
                outcome,
                steps::step(&outcome.trace, deciding(outcome))?
                    .place
                    .as_ref(),
            )
        })
        .or_else(|| outcome.marks.get(&Mark::new("processOffset"))?.after)
        .or_else(|| outcome.map.files.first().map(|file| file.start))
}

/// The log offset of a place in a file of the log.
pub fn of_place(outcome: &Outcome, place: Option<&Place>) -> Option<i64> {
    let place = place.filter(|place| place.image != Image::Missing)?;
    let file = outcome
        .map
        .files
        .iter()
        .find(|file| file.path == place.file)?;
    let lane = outcome.map.lanes.get(file.lane)?;
    let offset = crate::decode::num::long_of(place.offset);
    (lane.kind == LaneKind::Log).then(|| file.start.saturating_add(offset))
}

/// A file that is not there has no place on the map; the step says which offset was looked for.
fn of_missing(step: &Step) -> Option<i64> {
    let is_missing = step
        .place
        .as_ref()
        .is_some_and(|place| place.image == Image::Missing);
    match step.facts.get("offset") {
        Some(Fact::Int(offset)) if is_missing => Some(*offset),
        _ => None,
    }
}

fn of_changes(step: &Step) -> Option<i64> {
    step.changes.iter().rev().find_map(|change| match change {
        Change::Mark { to: Some(to), .. } => Some(*to),
        Change::Verified { to, .. } | Change::Filler { to, .. } => Some(*to),
        Change::Lane { to, .. } if to.log_offset >= 0 => Some(to.log_offset),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn the_start_is_the_step_that_stopped_the_scan() {
        let outcome = fixture::crash();
        let first = deciding(&outcome);
        assert_eq!(
            outcome.trace.steps[first as usize - 1].rule,
            "check.body-crc"
        );
        assert_eq!(interest(&outcome, first), Some(fixture::CUT));
    }

    #[test]
    fn decisions_are_passed_by_nothing_and_notices_are() {
        let trace = fixture::crash().trace;
        let rows: Vec<Row> = (1..=15).map(|number| Row::Step { number }).collect();
        let mut at = 1;
        let mut found = Vec::new();
        while let Some(next) = moved(&trace, &rows, at, Move::NextDecision) {
            found.push(trace.steps[next as usize - 1].rule.to_string());
            at = next;
        }
        let expected = [
            "index.newer-than-checkpoint",
            "start.matched",
            "check.body-crc",
            "scan.stops",
            "mark.process-offset",
            "log.end-set",
            "logic.unit-ahead",
        ];
        let seen: Vec<&str> = found.iter().map(String::as_str).collect();
        assert_eq!(
            seen,
            expected
                .into_iter()
                .filter(|rule| seen.contains(rule))
                .collect::<Vec<_>>()
        );
        assert!(
            ["check.body-crc", "logic.unit-ahead"]
                .iter()
                .all(|rule| seen.contains(rule)),
            "{seen:?}"
        );
        assert_eq!(
            moved(&trace, &rows, at, Move::PreviousDecision).map(|step| step < at),
            Some(true)
        );
    }

    #[test]
    fn moves_skip_what_is_folded() {
        let none = Trace::default();
        let rows = [
            Row::Step { number: 1 },
            Row::Group {
                first: 2,
                last: 5,
                open: false,
            },
            Row::Group {
                first: 6,
                last: 8,
                open: true,
            },
            Row::Step { number: 6 },
            Row::Step { number: 7 },
            Row::Step { number: 8 },
        ];
        assert_eq!(moved(&none, &rows, 1, Move::Next), Some(5));
        assert_eq!(
            moved(&none, &rows, 3, Move::Next),
            Some(6),
            "the head of an open group is passed by"
        );
        assert_eq!(moved(&none, &rows, 6, Move::Previous), Some(5));
        assert_eq!(moved(&none, &rows, 8, Move::Next), None);
        assert_eq!(moved(&none, &rows, 4, Move::First), Some(1));
        assert_eq!(moved(&none, &rows, 4, Move::Last), Some(8));
    }
}
