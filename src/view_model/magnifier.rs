//! The records around a point of the log, side by side: what a pixel of the map hides.

use super::Tone;
use super::scale::float;
use crate::brokers::{Record, RecordKind};
use crate::decode::num::{long_len, long_of};
use crate::recovery::map::LogRange;

/// A record's box.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordBox {
    /// Number in the list of records.
    pub record: usize,
    pub x: f64,
    pub width: f64,
    pub tone: Tone,
    /// Holds the point of interest.
    pub chosen: bool,
    /// What of the label fits.
    pub label: Option<String>,
}

/// What the broker knows of the log at the step shown.
pub struct Known<'k> {
    pub read: &'k [LogRange],
    /// Where the log ends for it, if it has said so.
    pub end: Option<i64>,
}

impl Known<'_> {
    fn is_read(&self, offset: i64) -> bool {
        self.read
            .iter()
            .any(|range| !range.filler && range.from <= offset && offset < range.to)
    }

    /// The scan is over, or reads behind this place.
    fn has_passed(&self, offset: i64) -> bool {
        self.end.is_some() || self.read.iter().any(|range| range.from > offset)
    }
}

/// Records to both sides of the one that holds the point of interest.
const BESIDE: usize = 4;
/// Too narrow to be hit is of no use, and the chosen one has room for its name.
const LEAST: f64 = 9.0;
const CHOSEN: f64 = 104.0;
const GAP: f64 = 2.0;
/// Width of a letter, and of the space left and right of a label.
const LETTER: f64 = 6.6;
const PADDING: f64 = 12.0;

/// Boxes that fill `width`: the longer a record the wider, but a record of a megabyte does not push its neighbours away.
pub fn boxes(records: &[Record], interest: i64, known: &Known<'_>, width: f64) -> Vec<RecordBox> {
    let holds = |record: &Record| {
        let end = record
            .log_offset
            .saturating_add(long_of(record.place.length).max(1));
        record.log_offset <= interest && interest < end
    };
    let chosen = records.iter().position(holds);
    let middle = chosen.or_else(|| records.len().checked_sub(1)).unwrap_or(0);
    let first = middle.saturating_sub(BESIDE);
    let shown: Vec<(usize, &Record)> = records
        .iter()
        .enumerate()
        .skip(first)
        .take(BESIDE.saturating_mul(2).saturating_add(1))
        .collect();
    let weights: Vec<f64> = shown.iter().map(|(_, record)| weight(record)).collect();
    let gaps = GAP * float(long_len(shown.len().saturating_sub(1)));
    let room = (width - gaps).max(1.0);
    let even = room / float(long_len(shown.len().max(1)));
    let least = |number: usize| {
        if Some(number) == chosen {
            CHOSEN.min(even)
        } else {
            LEAST.min(even)
        }
    };
    let leasts: Vec<f64> = shown.iter().map(|(number, _)| least(*number)).collect();
    let mut x = 0.0;
    let mut found = Vec::with_capacity(shown.len());
    for ((number, record), width) in shown.into_iter().zip(share(&weights, &leasts, room)) {
        found.push(RecordBox {
            record: number,
            x,
            width,
            tone: tone(record, known),
            chosen: Some(number) == chosen,
            label: label(&record.label, width),
        });
        x += width + GAP;
    }
    found
}

/// Zeros and filler stand for "nothing more": as wide as a short record.
fn weight(record: &Record) -> f64 {
    match record.kind {
        RecordKind::Blank | RecordKind::Zeros => 16.0,
        RecordKind::Message | RecordKind::Bad | RecordKind::Unknown => {
            float(long_of(record.place.length)).max(1.0).sqrt()
        }
    }
}

/// Shares `room` by weight, none getting less than its least.
fn share(weights: &[f64], leasts: &[f64], room: f64) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let is_narrow = |weight: &f64, least: &f64| weight / sum * room <= *least;
    let pairs = || weights.iter().zip(leasts);
    let wide: f64 = pairs()
        .filter(|(weight, least)| !is_narrow(weight, least))
        .map(|(weight, _)| weight)
        .sum();
    let taken: f64 = pairs()
        .filter(|(weight, least)| is_narrow(weight, least))
        .map(|(_, least)| least)
        .sum();
    let left = (room - taken).max(0.0);
    pairs()
        .map(|(weight, least)| {
            if is_narrow(weight, least) {
                *least
            } else {
                weight / wide * left
            }
        })
        .collect()
}

/// A message is verified once the broker has read it, lost once the log ends before it, and until then nobody has looked.
pub(super) fn tone(record: &Record, known: &Known<'_>) -> Tone {
    let behind = known.end.is_some_and(|end| record.log_offset >= end);
    match record.kind {
        RecordKind::Blank | RecordKind::Zeros => Tone::Blank,
        RecordKind::Bad | RecordKind::Unknown => Tone::Lost,
        RecordKind::Message if known.is_read(record.log_offset) => Tone::Verified,
        RecordKind::Message if behind => Tone::Lost,
        RecordKind::Message if known.has_passed(record.log_offset) => Tone::Trusted,
        RecordKind::Message => Tone::Unread,
    }
}

/// `TopicA/0 #17`, or `TopicA/0`, or nothing.
pub(super) fn label(text: &str, width: f64) -> Option<String> {
    let fits = |text: &str| float(long_len(text.chars().count())) * LETTER + PADDING <= width;
    let short = text.split(" #").next().unwrap_or(text);
    [text, short]
        .into_iter()
        .find(|text| !text.is_empty() && fits(text))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recovery::Place;
    use crate::store::StorePath;

    fn record(at: i64, length: u64, kind: RecordKind) -> Record {
        Record {
            place: Place::before(&StorePath::new("commitlog/0"), at as u64, length),
            log_offset: at,
            kind,
            label: "Order/1 #20177".to_owned(),
        }
    }

    #[test]
    fn boxes_fill_the_width_and_say_what_the_broker_knows_of_each_record() {
        let records = [
            record(0, 200, RecordKind::Message),
            record(200, 200, RecordKind::Bad),
            record(400, 200, RecordKind::Message),
            record(600, 1 << 30, RecordKind::Zeros),
        ];
        let read = [LogRange {
            from: 0,
            to: 200,
            messages: 1,
            filler: false,
        }];
        let tones = |end| {
            let boxes = boxes(&records, 250, &Known { read: &read, end }, 600.0);
            let last = boxes.last().unwrap();
            assert!((last.x + last.width - 600.0).abs() < 0.01);
            assert_eq!(
                boxes.iter().map(|one| one.chosen).collect::<Vec<_>>(),
                [false, true, false, false]
            );
            assert_eq!(boxes[1].label.as_deref(), Some("Order/1 #20177"));
            boxes.into_iter().map(|one| one.tone).collect::<Vec<_>>()
        };
        assert_eq!(
            tones(None),
            [Tone::Verified, Tone::Lost, Tone::Unread, Tone::Blank],
            "nothing unread is called sound"
        );
        assert_eq!(
            tones(Some(200)),
            [Tone::Verified, Tone::Lost, Tone::Lost, Tone::Blank]
        );
    }

    #[test]
    fn a_tiny_record_can_still_be_hit() {
        let known = Known {
            read: &[],
            end: None,
        };
        let records = [
            record(0, 40_000, RecordKind::Message),
            record(40_000, 1, RecordKind::Message),
        ];
        let boxes = boxes(&records, 0, &known, 400.0);
        assert!(boxes[1].width >= LEAST);
        assert_eq!(boxes[1].label, None);
        assert!(super::boxes(&[], 0, &known, 400.0).is_empty());
    }

    #[test]
    fn the_neighbours_are_few() {
        let known = Known {
            read: &[],
            end: None,
        };
        let records: Vec<Record> = (0..50)
            .map(|at| record(at * 100, 100, RecordKind::Message))
            .collect();
        let boxes = boxes(&records, 2050, &known, 900.0);
        assert_eq!((boxes.len(), boxes[0].record), (9, 16));
    }
}
