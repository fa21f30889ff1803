//! The map at one step, as boxes: the log by offset, queues and index below it on the same axis, marks across all of them.

use super::changed::Changed;
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
    /// What the selected step did to the log.
    pub changed: Vec<Spot>,
    /// Store times on the same axis, where messages tell them.
    pub clock: Vec<ClockTick>,
}

/// A store time on the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct ClockTick {
    pub x: f64,
    pub time_ms: i64,
}

/// What to draw.
pub struct Wanted<'w> {
    pub outcome: &'w Outcome,
    pub ground: &'w Ground,
    pub now: &'w MapNow,
    pub place: Option<&'w Place>,
    pub width: f64,
    /// The log offsets that are seen; None: all of them.
    pub window: Option<(i64, i64)>,
    /// The queues that may have a row, in order.
    pub queues: &'w [(usize, String)],
    /// Rows of queues at most.
    pub queue_rows: usize,
    pub changed: &'w Changed,
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
    let (from, to) = wanted.window.unwrap_or((ground.from, ground.to));
    let scale = Scale::new(from, to, wanted.width);
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
        read: ReadSoFar::of(now),
        dropped: &outcome.map.dirty,
    };
    let lane = wanted
        .place
        .and_then(|place| now.files.iter().find(|file| file.file.path == place.file))
        .map(|file| file.file.lane);
    let lane_title =
        |lane: &LaneNow, tone: Tone, entries: i64| lane_title(language, lane, tone, entries);
    let shown = shown_queues(wanted.queues, wanted.queue_rows, lane);
    let spot_of = |(from, to): (i64, i64)| {
        let (x, width) = scale.stretch(from, to, 4.0);
        scale.overlaps(from, to).then_some(Spot { x, width })
    };
    let queues: Vec<LaneRow> = shown
        .iter()
        .map(|(lane, name)| {
            let mut row = lanes::queue_row(now, *lane, name, &scale, &lane_title);
            let changed = wanted.changed.lanes.get(lane).copied();
            row.changed = changed.is_some();
            row.spot = changed.and_then(spot_of);
            row
        })
        .collect();
    Timeline {
        ticks: scale::ticks(&scale, &starts),
        files: log_bars::boxes(&log, &scale, &|file: &FileNow, piece| {
            piece_title(language, file, piece)
        }),
        more: wanted.queues.len().saturating_sub(shown.len()),
        queues,
        index: lanes::index_bars(now, &scale, &lane_title),
        index_files: now
            .files
            .iter()
            .filter(|file| !file.deleted && kind_of(now, file) == Some(LaneKind::Index))
            .count(),
        coming: ground
            .cut
            .filter(|(offset, _)| process_offset(now).is_none() && scale.contains(*offset))
            .map(|(offset, step)| {
                (
                    line(&scale, offset, PROCESS_OFFSET, numbers::grouped(offset)),
                    step,
                )
            }),
        process_offset: process_offset(now)
            .filter(|offset| scale.contains(*offset))
            .map(|offset| line(&scale, offset, PROCESS_OFFSET, numbers::grouped(offset))),
        times: times(outcome, now, &scale),
        spot: super::selection::of_place(outcome, wanted.place)
            .zip(wanted.place)
            .and_then(|(from, place)| spot_of((from, from.saturating_add(long_of(place.length))))),
        lane,
        changed: wanted
            .changed
            .log
            .iter()
            .filter_map(|range| spot_of(*range))
            .collect(),
        clock: clock_ticks(&outcome.map.clock, &scale),
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

/// The place of a log offset, if a file holds it.
pub fn place_at(outcome: &Outcome, offset: i64) -> Option<Place> {
    let lane_of = |file: &crate::recovery::map::MapFile| outcome.map.lanes.get(file.lane);
    let files = outcome.map.files.iter();
    let file = files
        .filter(|file| lane_of(file).is_some_and(|lane| lane.kind == LaneKind::Log))
        .filter(|file| file.start <= offset)
        .max_by_key(|file| file.start)?;
    let at = crate::decode::num::pos_of(offset.saturating_sub(file.start));
    (at < file.size).then(|| Place::before(&file.path, at, 1))
}

/// `physic`, `logics` and `index`, spelled as the checkpoint file's fields begin.
fn times(outcome: &Outcome, now: &MapNow, scale: &Scale) -> Vec<Line> {
    const SUFFIX: &str = "MsgTimestamp";
    let of_mark = |(mark, time): (&Mark, &Option<i64>)| {
        let (name, time) = (mark.0.strip_suffix(SUFFIX)?, (*time)?);
        let offset = offset_of(&outcome.map.clock, time)?;
        if !scale.contains(offset) {
            return None;
        }
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

/// Round times, where the log stood then.
fn clock_ticks(clock: &[(i64, i64)], scale: &Scale) -> Vec<ClockTick> {
    let (Some((first, _)), Some((last, _))) = (clock.first(), clock.last()) else {
        return Vec::new();
    };
    let (from, to) = (scale.from.max(*first), scale.to.min(*last));
    let (Some(start), Some(end)) = (time_of(clock, from), time_of(clock, to)) else {
        return Vec::new();
    };
    if from > to || start > end {
        return Vec::new();
    }
    let room = (scale.x(to) - scale.x(from)) / CLOCK_SPACE;
    let step = clock_step(end.saturating_sub(start), room);
    let whole = start.div_euclid(step).saturating_mul(step);
    let mut found: Vec<ClockTick> = Vec::new();
    let times = std::iter::successors(Some(whole), |at| at.checked_add(step));
    for time_ms in times.take_while(|at| *at <= end).take(200) {
        let Some(offset) = offset_of(clock, time_ms).filter(|_| time_ms >= start) else {
            continue;
        };
        let x = scale.x(offset);
        if scale.contains(offset) && found.last().is_none_or(|last| x - last.x >= CLOCK_SPACE) {
            found.push(ClockTick { x, time_ms });
        }
    }
    if found.is_empty() {
        // Too short for a round time: it begins somewhere all the same.
        found.push(ClockTick {
            x: scale.x(from),
            time_ms: start,
        });
    }
    found
}

const CLOCK_SPACE: f64 = 96.0;

/// A step that people count time in.
fn clock_step(length_ms: i64, steps: f64) -> i64 {
    const SECOND: i64 = 1000;
    const MINUTE: i64 = 60 * SECOND;
    const HOUR: i64 = 60 * MINUTE;
    const DAY: i64 = 24 * HOUR;
    let round = [
        SECOND,
        2 * SECOND,
        5 * SECOND,
        10 * SECOND,
        30 * SECOND,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        30 * MINUTE,
        HOUR,
        3 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
    ];
    let least = scale::float(length_ms) / steps.max(1.0);
    let found = round.into_iter().find(|step| scale::float(*step) >= least);
    if least < scale::float(SECOND) {
        return scale::round_step(length_ms, steps).min(SECOND);
    }
    found.unwrap_or_else(|| {
        let days = length_ms.checked_div(DAY).unwrap_or(0);
        scale::round_step(days, steps).saturating_mul(DAY)
    })
}

/// When the log stood at an offset: between the two messages around it.
fn time_of(clock: &[(i64, i64)], offset: i64) -> Option<i64> {
    let after = clock.partition_point(|(at, _)| *at <= offset);
    let (before, time) = clock.get(after.checked_sub(1)?)?;
    let Some((next, next_time)) = clock.get(after) else {
        return Some(*time);
    };
    let span = scale::float(next.saturating_sub(*before)).max(1.0);
    let part = scale::float(offset.saturating_sub(*before)) / span;
    let way = scale::whole(part * scale::float(next_time.saturating_sub(*time)));
    Some(time.saturating_add(way))
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
        Tone::Unread => "map.piece.unread",
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
            window: None,
            queues: &ground.queues,
            queue_rows: 3,
            changed: &Changed::between(
                &outcome.map.at(&outcome.trace, step.saturating_sub(1)),
                &outcome.map.at(&outcome.trace, step),
            ),
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
        assert_eq!(tones(&dropped, 1), [Tone::Unread], "nothing is read yet");
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
    fn close_up_only_what_is_there_is_seen() {
        let outcome = fixture::crash();
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        let ground = Ground::of(&outcome, &last);
        let seen = |window| {
            timeline(&Wanted {
                outcome: &outcome,
                ground: &ground,
                now: &last,
                place: None,
                width: 1000.0,
                window: Some(window),
                queues: &ground.queues,
                queue_rows: 3,
                changed: &Changed::default(),
                language: Language::English,
            })
        };
        let before = seen((1000, 1100));
        assert_eq!(before.files.len(), 1, "one file of three");
        assert_eq!(before.process_offset, None, "it is elsewhere");
        assert!(
            before
                .queues
                .iter()
                .all(|row| row.bars.iter().all(|bar| bar.tone != Tone::Lost))
        );
        let around = seen((2950, 3050));
        assert_eq!(around.files.len(), 2);
        assert_eq!(around.process_offset.map(|line| line.x), Some(500.0));
        assert_eq!(around.ticks.len(), 11, "round offsets: {:?}", around.ticks);
    }

    #[test]
    fn the_clock_shows_round_times_where_messages_tell_them() {
        let clock = [(0, 10_400), (1000, 20_400), (3000, 40_400)];
        let ticks = clock_ticks(&clock, &Scale::new(0, 4000, 800.0));
        let shown: Vec<_> = ticks.iter().map(|tick| tick.time_ms).collect();
        assert_eq!(shown, [15_000, 20_000, 25_000, 30_000, 35_000, 40_000]);
        assert!(clock_ticks(&[], &Scale::new(0, 4000, 800.0)).is_empty());
        let one = clock_ticks(&clock, &Scale::new(500, 510, 800.0));
        assert!(
            !one.is_empty() && one.iter().all(|tick| tick.time_ms / 1000 == 15),
            "{one:?}"
        );
        assert!(
            clock_ticks(&clock, &Scale::new(3500, 4000, 800.0)).is_empty(),
            "nothing told there"
        );
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
