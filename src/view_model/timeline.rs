//! The map at one step, as boxes: the log by offset, queues and index below it on the same axis, marks across all of them.

use super::lanes::{self, LaneRow};
use super::log_bars::{self, FileBox, Files, Piece, ReadSoFar};
use super::scale::{self, Scale, Tick};
use super::{Bar, Tone};
use crate::decode::num::{long_len, long_of};
use crate::facts;
use crate::language::{Language, numbers};
use crate::recovery::map::{FileNow, LaneKind, LaneNow, MapNow};
use crate::recovery::trace::Mark;
use crate::recovery::{Change, Outcome, Place};

/// What all steps share, worked out once when an outcome arrives.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// First and last log offset of the axis.
    pub from: i64,
    pub to: i64,
    /// Lanes of queues with their names, those with most to see first.
    pub queues: Vec<(usize, String)>,
    /// The log's end in the end, and the step that sets it.
    pub cut: Option<(i64, u32)>,
}

impl Ground {
    /// `last` is the map after the last step.
    pub fn of(outcome: &Outcome, last: &MapNow) -> Self {
        let mut ends = last
            .files
            .iter()
            .filter(|now| is_log(last, now))
            .map(|now| {
                let start = now.file.start;
                (start, start.saturating_add(long_of(now.file.size)))
            });
        let (from, to) = match ends.next() {
            Some(first) => ends.fold(first, |(from, to), (start, end)| {
                (from.min(start), to.max(end))
            }),
            // Without a log the queues still say what they once pointed to.
            None => (
                0,
                last.lanes
                    .iter()
                    .map(|lane| lane.end.log_offset)
                    .max()
                    .unwrap_or(0),
            ),
        };
        Self {
            from,
            to: to.max(from.saturating_add(1)),
            queues: lanes::order(last)
                .into_iter()
                .filter_map(|lane| Some((lane, last.lanes.get(lane)?.lane.name.clone())))
                .collect(),
            cut: cut(outcome),
        }
    }
}

fn is_log(now: &MapNow, file: &FileNow) -> bool {
    kind_of(now, file) == Some(LaneKind::Log)
}

fn kind_of(now: &MapNow, file: &FileNow) -> Option<LaneKind> {
    now.lanes.get(file.file.lane).map(|lane| lane.lane.kind)
}

fn cut(outcome: &Outcome) -> Option<(i64, u32)> {
    let name = Mark::new(PROCESS_OFFSET);
    outcome.trace.steps.iter().find_map(|step| {
        step.changes.iter().find_map(|change| match change {
            Change::Mark {
                mark, to: Some(to), ..
            } if *mark == name => Some((*to, step.number)),
            _ => None,
        })
    })
}

const PROCESS_OFFSET: &str = "processOffset";

/// Where the log ends for the broker, if it knows by now.
pub fn process_offset(now: &MapNow) -> Option<i64> {
    now.marks.get(&Mark::new(PROCESS_OFFSET)).copied().flatten()
}

/// A mark across the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub x: f64,
    pub name: String,
    pub title: String,
    pub value: i64,
}

/// The selected step's bytes on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub x: f64,
    pub width: f64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Timeline {
    pub scale: Scale,
    pub ticks: Vec<Tick>,
    pub files: Vec<FileBox>,
    pub queues: Vec<LaneRow>,
    /// Queues that are not among the rows.
    pub more: usize,
    pub index: Vec<Bar>,
    pub index_files: usize,
    pub process_offset: Option<Line>,
    /// Before the step that sets processOffset: where it will be, and that step.
    pub coming: Option<(Line, u32)>,
    /// The checkpoint's times, at the offset that was being written then.
    pub times: Vec<Line>,
    pub spot: Option<Spot>,
    /// The lane that the selected step is about.
    pub lane: Option<usize>,
}

/// What to draw.
pub struct Wanted<'w> {
    pub outcome: &'w Outcome,
    pub ground: &'w Ground,
    pub now: &'w MapNow,
    pub place: Option<&'w Place>,
    pub width: f64,
    /// Rows of queues at most.
    pub queue_rows: usize,
    pub language: Language,
}

pub fn timeline(wanted: &Wanted<'_>) -> Timeline {
    let Wanted {
        outcome,
        ground,
        now,
        language,
        ..
    } = wanted;
    let language = *language;
    let scale = Scale::new(ground.from, ground.to, wanted.width);
    let mut files: Vec<(usize, &FileNow)> = now
        .files
        .iter()
        .enumerate()
        .filter(|(_, file)| is_log(now, file))
        .collect();
    files.sort_by_key(|(_, file)| file.file.start);
    let mut starts: Vec<i64> = files.iter().map(|(_, file)| file.file.start).collect();
    starts.push(ground.to);
    let log = Files {
        files,
        read: ReadSoFar::of(&now.log),
        dropped: &outcome.map.dirty,
    };
    let lane = wanted
        .place
        .and_then(|place| now.files.iter().find(|file| file.file.path == place.file))
        .map(|file| file.file.lane);
    let lane_title =
        |lane: &LaneNow, tone: Tone, entries: i64| lane_title(language, lane, tone, entries);
    let shown = shown_queues(&ground.queues, wanted.queue_rows, lane);
    let queues: Vec<LaneRow> = shown
        .iter()
        .map(|(lane, name)| lanes::queue_row(now, *lane, name, &scale, &lane_title))
        .collect();
    Timeline {
        ticks: scale::ticks(&scale, &starts),
        files: log_bars::boxes(&log, &scale, &|file: &FileNow, piece| {
            piece_title(language, file, piece)
        }),
        more: ground.queues.len().saturating_sub(shown.len()),
        queues,
        index: lanes::index_bars(now, &scale, &lane_title),
        index_files: now
            .files
            .iter()
            .filter(|file| !file.deleted && kind_of(now, file) == Some(LaneKind::Index))
            .count(),
        coming: ground
            .cut
            .filter(|_| process_offset(now).is_none())
            .map(|(offset, step)| {
                (
                    line(&scale, offset, PROCESS_OFFSET, numbers::grouped(offset)),
                    step,
                )
            }),
        process_offset: process_offset(now)
            .map(|offset| line(&scale, offset, PROCESS_OFFSET, numbers::grouped(offset))),
        times: times(outcome, now, &scale),
        spot: super::selection::of_place(outcome, wanted.place)
            .zip(wanted.place)
            .map(|(from, place)| {
                let (x, width) =
                    scale.stretch(from, from.saturating_add(long_of(place.length)), 4.0);
                Spot { x, width }
            }),
        lane,
        scale,
    }
}

/// The first rows, and the one that the selected step is about.
fn shown_queues(
    order: &[(usize, String)],
    rows: usize,
    lane: Option<usize>,
) -> Vec<&(usize, String)> {
    let mut shown: Vec<&(usize, String)> = order.iter().take(rows).collect();
    let wanted = order
        .iter()
        .skip(rows)
        .find(|(number, _)| Some(*number) == lane);
    if let Some(wanted) = wanted {
        shown.pop();
        shown.push(wanted);
    }
    shown
}

fn line(scale: &Scale, offset: i64, name: &str, title: String) -> Line {
    Line {
        x: scale.x(offset),
        name: name.to_owned(),
        title,
        value: offset,
    }
}

/// `physic`, `logics` and `index`, spelled as the checkpoint file's fields begin.
fn times(outcome: &Outcome, now: &MapNow, scale: &Scale) -> Vec<Line> {
    const SUFFIX: &str = "MsgTimestamp";
    let of_mark = |(mark, time): (&Mark, &Option<i64>)| {
        let (name, time) = (mark.0.strip_suffix(SUFFIX)?, (*time)?);
        let offset = offset_of(&outcome.map.clock, time)?;
        let title = format!("{}: {}", mark.0, numbers::time(time));
        (time > 0).then(|| line(scale, offset, name, title))
    };
    let mut found: Vec<Line> = now.marks.iter().filter_map(of_mark).collect();
    found.sort_by(|a, b| a.x.total_cmp(&b.x));
    found
}

/// Where the log stood at a time: between the two messages around it.
fn offset_of(clock: &[(i64, i64)], time: i64) -> Option<i64> {
    let after = clock
        .iter()
        .position(|(_, at)| *at > time)
        .unwrap_or(clock.len());
    let Some((offset, at)) = after.checked_sub(1).and_then(|before| clock.get(before)) else {
        return clock.first().map(|(offset, _)| *offset);
    };
    let Some((next_offset, next_at)) = clock.get(after) else {
        return Some(*offset);
    };
    let span = scale::float(next_at.saturating_sub(*at)).max(1.0);
    let part = scale::float(time.saturating_sub(*at)) / span;
    let way = scale::whole(part * scale::float(next_offset.saturating_sub(*offset)));
    Some(offset.saturating_add(way))
}

fn piece_title(language: Language, file: &FileNow, piece: Piece) -> String {
    let facts = facts! {
        name = file.file.path.name(),
        bytes = piece.to.saturating_sub(piece.from),
        from = piece.from,
        to = piece.to,
    };
    let key = match piece.tone {
        Tone::Lost if file.deleted => "map.piece.deleted",
        Tone::Lost => "map.piece.dropped",
        Tone::Verified => "map.piece.verified",
        Tone::Blank => "map.piece.blank",
        _ => "map.piece.trusted",
    };
    language.plain(key, &facts)
}

fn lane_title(language: Language, lane: &LaneNow, tone: Tone, entries: i64) -> String {
    let facts = facts! { name = lane.lane.name.as_str(), entries = entries };
    let key = match tone {
        Tone::Lost => "map.lane.cut",
        Tone::Rebuilt => "map.lane.rebuilt",
        _ => "map.lane.read",
    };
    language.plain(key, &facts)
}

/// What a screen reader says of the whole picture; the table beside it has the numbers.
pub fn summary(timeline: &Timeline, number: u32, of: u32, language: Language) -> String {
    let facts = facts! {
        step = number,
        of = of,
        files = timeline.files.iter().map(|file| long_len(file.count)).fold(0, i64::saturating_add),
        queues = timeline.queues.len().saturating_add(timeline.more),
    };
    language.plain("map.summary", &facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    fn at(outcome: &Outcome, step: u32) -> Timeline {
        let ground = Ground::of(outcome, &outcome.map.at(&outcome.trace, u32::MAX));
        timeline(&Wanted {
            outcome,
            ground: &ground,
            now: &outcome.map.at(&outcome.trace, step),
            place: super::super::selection::place(outcome, step),
            width: 4000.0,
            queue_rows: 3,
            language: Language::English,
        })
    }

    #[test]
    fn the_map_follows_the_steps() {
        let outcome = fixture::crash();
        let tones = |timeline: &Timeline, file: usize| {
            timeline.files[file]
                .bars
                .iter()
                .map(|bar| bar.tone)
                .collect::<Vec<_>>()
        };
        let dropped = at(&outcome, 1);
        assert_eq!(tones(&dropped, 1), [Tone::Trusted], "nothing is read yet");
        assert_eq!(dropped.process_offset, None);
        let stop = at(&outcome, fixture::STEP_STOP);
        assert_eq!(tones(&stop, 1), [Tone::Verified]);
        assert_eq!(
            stop.spot.as_ref().map(|spot| (spot.x, spot.width)),
            Some((3000.0, 200.0))
        );
        let ready = at(&outcome, u32::MAX);
        assert_eq!(tones(&ready, 2), [Tone::Blank, Tone::Lost]);
        assert_eq!(
            ready.process_offset.as_ref().map(|line| line.x),
            Some(3000.0)
        );
        assert_eq!((ready.queues.len(), ready.more), (3, 1));
    }

    #[test]
    fn a_time_lies_between_the_messages_around_it() {
        let clock = [(0, 10_000), (1000, 20_000), (3000, 40_000)];
        assert_eq!(offset_of(&clock, 30_000), Some(2000));
        assert_eq!(offset_of(&clock, 5), Some(0), "before the first message");
        assert_eq!(offset_of(&clock, i64::MAX), Some(3000), "behind the last");
        assert_eq!(offset_of(&[], 30_000), None);
    }

    #[test]
    fn the_queue_that_a_step_is_about_is_always_shown() {
        let order: Vec<(usize, String)> = (4..8).map(|lane| (lane, String::new())).collect();
        let shown = |lane| {
            shown_queues(&order, 2, lane)
                .into_iter()
                .map(|(lane, _)| *lane)
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(Some(7)), [4, 7]);
        assert_eq!(shown(Some(0)), [4, 5], "the log is no queue");
    }
}
