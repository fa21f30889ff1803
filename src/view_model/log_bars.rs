//! The log's row of the map: for every file, what of it the broker has read, goes by, and has dropped, at one step.

use super::scale::Scale;
use super::timeline::process_offset;
use super::{Bar, Tone};
use crate::decode::num::long_of;
use crate::recovery::map::{FileNow, MapNow};

/// A stretch of log offsets in one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub from: i64,
    pub to: i64,
    pub tone: Tone,
}

/// What the broker has read at a step.
pub struct ReadSoFar {
    /// Sorted and without overlap, so that a file finds its part fast.
    read: Vec<Piece>,
    /// What lies before it and was not read, the broker has gone by.
    front: i64,
}

impl ReadSoFar {
    /// Until the scan is over, the broker may still come to all that lies behind what it has read.
    pub fn of(now: &MapNow) -> Self {
        let scanned = now.log.iter().map(|range| range.to).max();
        let front = process_offset(now).or(scanned).unwrap_or(i64::MIN);
        let mut sorted: Vec<Piece> = now
            .log
            .iter()
            .map(|range| Piece {
                from: range.from,
                to: range.to,
                tone: if range.filler {
                    Tone::Blank
                } else {
                    Tone::Verified
                },
            })
            .collect();
        sorted.sort_by_key(|piece| (piece.from, piece.to));
        let mut merged: Vec<Piece> = Vec::with_capacity(sorted.len());
        for mut piece in sorted {
            if let Some(last) = merged.last_mut() {
                // Read twice (scan, then reput): once is enough.
                piece.from = piece.from.max(last.to);
                if piece.from >= piece.to {
                    continue;
                }
                if last.tone == piece.tone && last.to == piece.from {
                    last.to = piece.to;
                    continue;
                }
            }
            merged.push(piece);
        }
        Self {
            read: merged,
            front,
        }
    }

    fn within(&self, from: i64, to: i64) -> impl Iterator<Item = Piece> + '_ {
        let first = self.read.partition_point(|piece| piece.to <= from);
        let rest = self.read.get(first..).unwrap_or(&[]);
        rest.iter()
            .take_while(move |piece| piece.from < to)
            .map(move |piece| Piece {
                from: piece.from.max(from),
                to: piece.to.min(to),
                ..*piece
            })
    }

    /// Bytes whose every check held.
    pub fn verified(&self) -> i64 {
        let verified = self
            .read
            .iter()
            .filter(|piece| piece.tone == Tone::Verified);
        verified.fold(0, |sum, piece| {
            sum.saturating_add(piece.to.saturating_sub(piece.from))
        })
    }
}

/// A file of the log in pieces. `dropped` are log offsets that hold data behind the cut; behind the write position all else is blank,
/// and in a deleted file everything is behind it.
pub fn pieces(now: &FileNow, read: &ReadSoFar, dropped: &[(i64, i64)]) -> Vec<Piece> {
    let start = now.file.start;
    let end = start.saturating_add(long_of(now.file.size));
    let wrote = if now.deleted { 0 } else { long_of(now.wrote) };
    let wrote = start.saturating_add(wrote).min(end);
    let mut found = Vec::new();
    let mut at = start;
    for piece in read.within(start, wrote) {
        fill(&mut found, at, piece.from, Tone::Trusted);
        fill(&mut found, piece.from, piece.to, piece.tone);
        at = piece.to;
    }
    let front = read.front.clamp(at, wrote.max(at));
    fill(&mut found, at, front, Tone::Trusted);
    fill(&mut found, front, wrote, Tone::Unread);
    at = wrote;
    for &(from, to) in dropped
        .iter()
        .filter(|(from, to)| *from < end && *to > wrote)
    {
        fill(&mut found, at, from, Tone::Blank);
        let to = to.min(end);
        fill(&mut found, from.max(at), to, Tone::Lost);
        at = at.max(to);
    }
    fill(&mut found, at, end, Tone::Blank);
    found
}

fn fill(pieces: &mut Vec<Piece>, from: i64, to: i64, tone: Tone) {
    if from < to {
        pieces.push(Piece { from, to, tone });
    }
}

/// Bytes that the broker has not read.
pub fn unread(files: &[&FileNow], read: &ReadSoFar) -> i64 {
    let unread = |now: &&FileNow| {
        let pieces = pieces(now, read, &[]);
        let unread = pieces
            .iter()
            .filter(|piece| matches!(piece.tone, Tone::Trusted | Tone::Unread));
        unread.fold(0i64, |sum, piece| {
            sum.saturating_add(piece.to.saturating_sub(piece.from))
        })
    };
    files.iter().map(unread).fold(0, i64::saturating_add)
}

/// A file's box on the map.
#[derive(Clone, Debug, PartialEq)]
pub struct FileBox {
    /// Number in the map's list of files; of the first one, where several narrow ones share a box.
    pub file: usize,
    pub count: usize,
    pub x: f64,
    pub width: f64,
    /// `…134217728`, if it fits.
    pub label: Option<String>,
    pub deleted: bool,
    pub created: bool,
    pub bars: Vec<Bar>,
}

/// Files narrower than this share a box.
const NARROW: f64 = 5.0;
const LABEL: f64 = 88.0;
const GAP: f64 = 1.5;
/// What is lost, or read, is seen however small.
const LEAST: f64 = 3.0;

pub struct Files<'m> {
    /// With their numbers in the map, by offset.
    pub files: Vec<(usize, &'m FileNow)>,
    pub read: ReadSoFar,
    pub dropped: &'m [(i64, i64)],
}

/// The boxes of all files, few enough to draw however many files there are.
pub fn boxes(
    log: &Files<'_>,
    scale: &Scale,
    title: &impl Fn(&FileNow, Piece) -> String,
) -> Vec<FileBox> {
    let mut found: Vec<FileBox> = Vec::new();
    for &(number, now) in &log.files {
        let end = now.file.start.saturating_add(long_of(now.file.size));
        if end <= scale.from || now.file.start >= scale.to {
            continue;
        }
        let (x, width) = scale.stretch(now.file.start, end, 1.0);
        let bars = bars(&pieces(now, &log.read, log.dropped), now, scale, title);
        if width < NARROW
            && let Some(last) = found.last_mut()
            && (last.count > 1 || last.width < NARROW)
            && x - (last.x + last.width) < 1.0
        {
            last.count = last.count.saturating_add(1);
            last.width = last.width.max(x + width - last.x);
            last.label = None;
            for bar in bars {
                join(&mut last.bars, bar);
            }
            continue;
        }
        let box_width = if width < NARROW { width } else { width - GAP };
        found.push(FileBox {
            file: number,
            count: 1,
            x,
            width: box_width,
            label: (box_width >= LABEL).then(|| short_name(now.file.path.name())),
            deleted: now.deleted,
            created: now.created,
            bars: clip(bars, x + box_width),
        });
    }
    found
}

fn bars(
    pieces: &[Piece],
    now: &FileNow,
    scale: &Scale,
    title: &impl Fn(&FileNow, Piece) -> String,
) -> Vec<Bar> {
    let mut found = Vec::with_capacity(pieces.len());
    // What is small and matters is drawn last, over its wider neighbours.
    let small = |piece: &Piece| piece.tone == Tone::Lost || piece.tone == Tone::Verified;
    for pass in [false, true] {
        let seen = |piece: &Piece| piece.from < scale.to && piece.to > scale.from;
        for piece in pieces
            .iter()
            .filter(|piece| small(piece) == pass && seen(piece))
        {
            let least = if pass { LEAST } else { 0.0 };
            let (x, width) = scale.stretch(piece.from, piece.to, least);
            if width > 0.05 {
                found.push(Bar {
                    x,
                    width,
                    tone: piece.tone,
                    title: title(now, *piece),
                });
            }
        }
    }
    found
}

fn join(bars: &mut Vec<Bar>, bar: Bar) {
    match bars.last_mut() {
        Some(last) if last.tone == bar.tone && bar.x - (last.x + last.width) < 1.0 => {
            last.width = last.width.max(bar.x + bar.width - last.x);
            last.title.clear();
        }
        _ => bars.push(bar),
    }
}

fn clip(bars: Vec<Bar>, right: f64) -> Vec<Bar> {
    let inside = bars.into_iter().filter(|bar| bar.x < right);
    inside
        .map(|bar| Bar {
            width: bar.width.min(right - bar.x),
            ..bar
        })
        .collect()
}

/// `…134217728`
pub fn short_name(name: &str) -> String {
    match name.len().checked_sub(9).and_then(|at| name.get(at..)) {
        Some(tail) if name.len() >= 17 => format!("…{tail}"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recovery::map::{LogRange, MapFile};
    use crate::recovery::trace::Mark;
    use crate::store::StorePath;

    fn file(start: i64, size: u64, wrote: u64) -> FileNow {
        FileNow {
            file: MapFile {
                path: StorePath::new(&format!("commitlog/{start:020}")),
                lane: 0,
                start,
                size,
            },
            wrote,
            deleted: false,
            created: false,
        }
    }

    fn range(from: i64, to: i64, filler: bool) -> LogRange {
        LogRange {
            from,
            to,
            messages: 1,
            filler,
        }
    }

    fn read(ranges: &[LogRange], process_offset: Option<i64>) -> ReadSoFar {
        let mut now = MapNow {
            log: ranges.to_vec(),
            ..MapNow::default()
        };
        now.marks.insert(Mark::new("processOffset"), process_offset);
        ReadSoFar::of(&now)
    }

    #[test]
    fn the_scan_goes_by_what_lies_before_its_start_and_has_not_come_to_what_lies_behind() {
        let tones = |read: &ReadSoFar| {
            let pieces = pieces(&file(0, 100, 100), read, &[]);
            let tones = pieces
                .iter()
                .map(|piece| (piece.from, piece.to, piece.tone));
            tones.collect::<Vec<_>>()
        };
        assert_eq!(tones(&read(&[], None)), [(0, 100, Tone::Unread)]);
        let scanned = [range(40, 60, false)];
        assert_eq!(
            tones(&read(&scanned, None)),
            [
                (0, 40, Tone::Trusted),
                (40, 60, Tone::Verified),
                (60, 100, Tone::Unread)
            ]
        );
        assert_eq!(
            tones(&read(&[], Some(100))),
            [(0, 100, Tone::Trusted)],
            "a scan that is over has gone by all it did not read"
        );
    }

    #[test]
    fn behind_the_cut_data_is_lost_and_the_rest_blank() {
        let read = read(&[range(1000, 1060, false)], Some(1060));
        let found = pieces(&file(1000, 100, 60), &read, &[(1060, 1070)]);
        let tones: Vec<_> = found
            .iter()
            .map(|piece| (piece.from, piece.to, piece.tone))
            .collect();
        assert_eq!(
            tones,
            [
                (1000, 1060, Tone::Verified),
                (1060, 1070, Tone::Lost),
                (1070, 1100, Tone::Blank)
            ]
        );
    }

    #[test]
    fn what_was_read_twice_counts_once() {
        let ranges = [
            range(0, 50, false),
            range(50, 60, true),
            range(20, 40, false),
            range(60, 80, false),
        ];
        let read = read(&ranges, None);
        assert_eq!(read.verified(), 70);
        let one = file(0, 100, 90);
        assert_eq!(unread(&[&one], &read), 10);
    }

    #[test]
    fn ten_thousand_files_are_few_boxes() {
        let files: Vec<FileNow> = (0..10_000).map(|at| file(at * 1024, 1024, 1024)).collect();
        let log = Files {
            files: files.iter().enumerate().collect(),
            read: read(&[range(9_000 * 1024, 10_000 * 1024, false)], None),
            dropped: &[],
        };
        let scale = Scale::new(0, 10_000 * 1024, 800.0);
        let boxes = boxes(&log, &scale, &|_, _| String::new());
        assert_eq!(boxes.iter().map(|one| one.count).sum::<usize>(), 10_000);
        assert!(boxes.len() <= 2, "{}", boxes.len());
        assert!(boxes.iter().map(|one| one.bars.len()).sum::<usize>() < 10);
    }

    #[test]
    fn a_kilobyte_lost_on_a_gigabyte_is_seen() {
        let one = file(0, 1 << 30, (1 << 29) as u64);
        let dropped = [(1 << 29, (1 << 29) + 1024)];
        let log = Files {
            files: vec![(0, &one)],
            read: read(&[], Some(1 << 29)),
            dropped: &dropped,
        };
        let boxes = boxes(&log, &Scale::new(0, 1 << 30, 800.0), &|_, _| String::new());
        let lost = boxes[0]
            .bars
            .iter()
            .find(|bar| bar.tone == Tone::Lost)
            .unwrap();
        assert!(lost.width >= LEAST);
    }
}
