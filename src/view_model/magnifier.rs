//! The records around a point of the log, side by side: what a pixel of the map hides.

use super::Tone;
use super::scale::float;
use crate::brokers::{Record, RecordKind};
use crate::decode::num::long_of;

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

/// Too narrow to be hit is of no use.
const LEAST: f64 = 9.0;
const GAP: f64 = 2.0;
/// Zeros to the end of a file of a gigabyte are not wider than this many times an average record.
const WIDEST: f64 = 3.0;
/// Width of a letter, and of the space left and right of a label.
const LETTER: f64 = 6.6;
const PADDING: f64 = 12.0;

/// Boxes that fill `width`, by length but for the very long. `cut` is where the log ends at the step shown.
pub fn boxes(records: &[Record], interest: i64, cut: Option<i64>, width: f64) -> Vec<RecordBox> {
    let lengths: Vec<f64> = records
        .iter()
        .map(|record| float(long_of(record.place.length)).max(1.0))
        .collect();
    let real = || {
        records
            .iter()
            .zip(&lengths)
            .filter(|(record, _)| is_message(record))
            .map(|(_, length)| *length)
    };
    let count = real().count();
    let average = if count == 0 {
        1.0
    } else {
        real().sum::<f64>() / float(crate::decode::num::long_len(count))
    };
    let widest = average * WIDEST;
    let capped: Vec<f64> = lengths
        .iter()
        .map(|length| {
            if count == 0 {
                *length
            } else {
                length.min(widest)
            }
        })
        .collect();
    let gaps = GAP
        * float(crate::decode::num::long_len(
            records.len().saturating_sub(1),
        ));
    let room = (width - gaps).max(1.0);
    let least = LEAST.min(room / float(crate::decode::num::long_len(records.len().max(1))));
    let widths = share(&capped, room, least);
    let mut x = 0.0;
    let mut found = Vec::with_capacity(records.len());
    for (number, (record, width)) in records.iter().zip(widths).enumerate() {
        let end = record
            .log_offset
            .saturating_add(long_of(record.place.length));
        found.push(RecordBox {
            record: number,
            x,
            width,
            tone: tone(record, cut),
            chosen: record.log_offset <= interest && interest < end,
            label: label(&record.label, width),
        });
        x += width + GAP;
    }
    found
}

fn is_message(record: &Record) -> bool {
    matches!(record.kind, RecordKind::Message | RecordKind::Bad)
}

/// Shares `room` by weight, none getting less than `least`.
fn share(weights: &[f64], room: f64, least: f64) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    let wide: f64 = weights
        .iter()
        .filter(|weight| *weight / sum * room > least)
        .sum();
    let narrow = weights
        .iter()
        .filter(|weight| *weight / sum * room <= least)
        .count();
    let left = (room - least * float(crate::decode::num::long_len(narrow))).max(0.0);
    let width = |weight: &f64| {
        if weight / sum * room <= least {
            least
        } else {
            weight / wide * left
        }
    };
    weights.iter().map(width).collect()
}

fn tone(record: &Record, cut: Option<i64>) -> Tone {
    let behind = cut.is_some_and(|cut| record.log_offset >= cut);
    match record.kind {
        RecordKind::Blank | RecordKind::Zeros => Tone::Blank,
        RecordKind::Bad | RecordKind::Unknown => Tone::Lost,
        RecordKind::Message if behind => Tone::Lost,
        RecordKind::Message => Tone::Verified,
    }
}

/// `TopicA/0 #17`, or `TopicA/0`, or nothing.
fn label(text: &str, width: f64) -> Option<String> {
    let fits = |text: &str| {
        float(crate::decode::num::long_len(text.chars().count())) * LETTER + PADDING <= width
    };
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
    fn boxes_fill_the_width_and_a_gigabyte_of_zeros_does_not_push_the_rest_away() {
        let records = [
            record(0, 200, RecordKind::Message),
            record(200, 200, RecordKind::Bad),
            record(400, 1 << 30, RecordKind::Zeros),
        ];
        let boxes = boxes(&records, 250, Some(200), 604.0);
        let end = boxes.last().unwrap();
        assert!((end.x + end.width - 604.0).abs() < 0.01);
        assert_eq!(boxes[0].width, 120.0);
        assert_eq!(
            boxes.iter().map(|one| one.chosen).collect::<Vec<_>>(),
            [false, true, false]
        );
        assert_eq!(
            boxes.iter().map(|one| one.tone).collect::<Vec<_>>(),
            [Tone::Verified, Tone::Lost, Tone::Blank]
        );
        assert_eq!(boxes[0].label.as_deref(), Some("Order/1 #20177"));
    }

    #[test]
    fn a_tiny_record_can_still_be_hit_and_a_sound_one_behind_the_cut_is_lost() {
        let records = [
            record(0, 4000, RecordKind::Message),
            record(4000, 10, RecordKind::Message),
        ];
        let boxes = boxes(&records, 0, Some(4000), 400.0);
        assert!(boxes[1].width >= LEAST);
        assert_eq!(boxes[1].tone, Tone::Lost);
        assert_eq!(boxes[1].label, None);
        assert!(super::boxes(&[], 0, None, 400.0).is_empty());
    }
}
