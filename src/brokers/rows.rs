//! What a store's lists hold, row by row: messages of the log, entries of queues and index, and what a look-up finds. Words that
//! every broker can fill; its own words (names of fields and states) are data in them.

use crate::decode::FieldTree;
use crate::recovery::map::LaneKind;
use crate::recovery::outcome::EndKind;
use crate::recovery::rule::Phase;
use crate::recovery::trace::Image;
use crate::recovery::{Facts, Outcome, Place};
use crate::store::StorePath;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// What a recovery made of the log: the log offsets that hold data and are cut. A row says by it whether it stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    cut: Vec<(i64, i64)>,
    /// False where the start was refused before anything was decided.
    decided: bool,
    /// How far each file is written after `load()`, and when the broker is ready: bytes behind it are stale.
    after_load: BTreeMap<StorePath, u64>,
    after_reput: BTreeMap<StorePath, u64>,
    /// Whether a body is checked against its sum: it costs time.
    pub sums: bool,
}

impl Known {
    pub fn of(outcome: &Outcome) -> Self {
        Self {
            cut: outcome.map.dirty.clone(),
            decided: outcome.end.kind == EndKind::Started || outcome.end.after_load,
            after_load: written(outcome, Phase::Truncate),
            after_reput: written(outcome, Phase::Ready),
            sums: true,
        }
    }

    /// Where a file's bytes end that count in an image.
    pub fn written(&self, image: Image, file: &StorePath, size: u64) -> u64 {
        let ends = match image {
            Image::AfterLoad => &self.after_load,
            Image::AfterReput => &self.after_reput,
            Image::Before | Image::Missing => return size,
        };
        ends.get(file).copied().unwrap_or(size).min(size)
    }

    /// The same, with bodies checked against their sums or not.
    pub fn with_sums(&self, sums: bool) -> Self {
        Self {
            sums,
            ..self.clone()
        }
    }

    pub fn fate(&self, log_offset: Option<i64>) -> RowFate {
        match log_offset {
            Some(offset) if self.is_cut(offset) => RowFate::Cut,
            Some(_) if self.decided => RowFate::Kept,
            _ => RowFate::Unknown,
        }
    }

    pub fn is_cut(&self, log_offset: i64) -> bool {
        self.cut
            .iter()
            .any(|(from, to)| (*from..*to).contains(&log_offset))
    }
}

/// How far files are written once a phase is over.
fn written(outcome: &Outcome, until: Phase) -> BTreeMap<StorePath, u64> {
    let mut steps = outcome.trace.steps.iter().rev();
    let last = steps
        .find(|step| step.phase <= until)
        .map_or(0, |step| step.number);
    let now = outcome.map.at(&outcome.trace, last);
    let files = now.files.into_iter().filter(|file| {
        let lane = now.lanes.get(file.file.lane);
        lane.is_some_and(|lane| lane.lane.kind != LaneKind::Index)
    });
    files.map(|file| (file.file.path, file.wrote)).collect()
}

/// What becomes of a row's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RowFate {
    Kept,
    /// It lies behind the log's new end.
    Cut,
    /// Nothing was decided about it.
    Unknown,
}

/// Something wrong with a row: `row.<id>` is its sentence in [`crate::language`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    pub id: String,
    #[serde(default, skip_serializing_if = "Facts::is_empty")]
    pub facts: Facts,
}

impl Why {
    pub fn new(id: &str, facts: Facts) -> Self {
        Self {
            id: id.to_owned(),
            facts,
        }
    }
}

/// A row of the messages table: a message, or what a file ends with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MessageRow {
    pub place: Place,
    /// Where it stands in the log; `None` in a file whose name is no offset.
    pub log_offset: Option<i64>,
    pub fate: RowFate,
    pub what: What,
    /// What does not hold, the gravest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<Why>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum What {
    Message(Box<Message>),
    /// Nothing more in this file: `messages.end.<word>` says why.
    End(String),
}

/// What a message says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub topic: String,
    pub queue: i32,
    pub queue_offset: i64,
    /// The message's own word for where it stands in the log.
    pub log_offset: i64,
    pub born_ms: i64,
    pub store_ms: i64,
    pub tag: Option<String>,
    pub keys: Option<String>,
    pub unique_key: Option<String>,
    pub body_bytes: u64,
}

/// A message opened: all its fields, its properties and its body.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OpenMessage {
    pub fields: FieldTree,
    /// In file order.
    pub properties: Vec<(String, String)>,
    /// As stored, up to a limit.
    pub body: Vec<u8>,
    pub body_bytes: u64,
    /// Where the body begins in its file.
    pub body_at: u64,
    /// The producer compressed it: its text is not to be read off the bytes.
    pub compressed: bool,
}

/// A word of a filter: whole, or with `*` at an end for any text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Word(String);

impl Word {
    pub fn new(text: &str) -> Self {
        Self(text.to_owned())
    }

    pub fn matches(&self, text: &str) -> bool {
        let word = self.0.as_str();
        match (word.strip_prefix('*'), word.strip_suffix('*')) {
            (Some(""), _) => true,
            (Some(inner), Some(_)) => text.contains(inner.strip_suffix('*').unwrap_or(inner)),
            (Some(end), None) => text.ends_with(end),
            (None, Some(start)) => text.starts_with(start),
            (None, None) => text == word,
        }
    }
}

/// Which rows of the messages table are wanted: those that every part lets through.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Filter {
    pub topic: Option<Word>,
    pub queue: Option<RangeInclusive<i64>>,
    pub queue_offset: Option<RangeInclusive<i64>>,
    /// What the message says about its place.
    pub log_offset: Option<RangeInclusive<i64>>,
    /// Where it stands; of a single offset, the message that holds that byte.
    pub stands_at: Option<RangeInclusive<i64>>,
    /// One of its keys.
    pub key: Option<Word>,
    pub unique_key: Option<Word>,
    pub tag: Option<Word>,
    /// When it was stored, ms.
    pub store_ms: Option<RangeInclusive<i64>>,
    /// Properties by name, and what they must be.
    pub properties: Vec<(String, Option<Word>)>,
    /// Any of topic, tag, a key, the unique key.
    pub any: Vec<Word>,
    pub only: Option<Only>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Only {
    Kept,
    Cut,
    Wrong,
    /// No messages: what files end with.
    Ends,
}

impl Filter {
    /// Whether a row passes. `property` gives a message's property by name.
    pub fn lets_through<'p>(
        &self,
        row: &MessageRow,
        property: impl Fn(&str) -> Option<std::borrow::Cow<'p, str>>,
    ) -> bool {
        let What::Message(message) = &row.what else {
            return self.lets_ends_through();
        };
        let only = match self.only {
            None => true,
            Some(Only::Kept) => row.fate == RowFate::Kept,
            Some(Only::Cut) => row.fate == RowFate::Cut,
            Some(Only::Wrong) => !row.wrong.is_empty(),
            Some(Only::Ends) => false,
        };
        let keys = || {
            let keys = message.keys.as_deref().unwrap_or("");
            keys.split(' ').filter(|key| !key.is_empty())
        };
        let is = |word: &Option<Word>, text: &Option<String>| {
            word.as_ref()
                .is_none_or(|word| text.as_ref().is_some_and(|text| word.matches(text)))
        };
        only && self
            .topic
            .as_ref()
            .is_none_or(|word| word.matches(&message.topic))
            && holds(&self.queue, i64::from(message.queue))
            && holds(&self.queue_offset, message.queue_offset)
            && holds(&self.log_offset, message.log_offset)
            && holds(&self.store_ms, message.store_ms)
            && self
                .stands_at
                .as_ref()
                .is_none_or(|range| stands(row, range))
            && self
                .key
                .as_ref()
                .is_none_or(|word| keys().any(|key| word.matches(key)))
            && is(&self.unique_key, &message.unique_key)
            && is(&self.tag, &message.tag)
            && self.properties.iter().all(|(name, word)| {
                property(name)
                    .is_some_and(|value| word.as_ref().is_none_or(|word| word.matches(&value)))
            })
            && self.any.iter().all(|word| {
                word.matches(&message.topic)
                    || keys().any(|key| word.matches(key))
                    || [&message.tag, &message.unique_key]
                        .into_iter()
                        .flatten()
                        .any(|text| word.matches(text))
            })
    }

    /// What a file ends with is shown where nothing is asked that only a message can answer.
    fn lets_ends_through(&self) -> bool {
        let of_messages = Self {
            only: None,
            ..self.clone()
        };
        matches!(self.only, None | Some(Only::Ends)) && of_messages == Self::default()
    }
}

fn holds(range: &Option<RangeInclusive<i64>>, number: i64) -> bool {
    range.as_ref().is_none_or(|range| range.contains(&number))
}

fn stands(row: &MessageRow, range: &RangeInclusive<i64>) -> bool {
    let Some(start) = row.log_offset else {
        return false;
    };
    let end = start.saturating_add(crate::decode::num::long_of(row.place.length));
    range.contains(&start) || (range.start() == range.end() && (start..end).contains(range.start()))
}

/// Where a reading of the log stands: which of its files, in their order, and where in that file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct At {
    pub file: usize,
    pub pos: u64,
}

/// How far a reading of the log came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadTo {
    /// Where to go on; `None` at the end.
    pub next: Option<At>,
    pub bytes: u64,
    pub of: u64,
}

/// A queue or an index file as a list of entries of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct List {
    pub kind: LaneKind,
    pub name: String,
    pub image: Image,
    /// The broker's names of an entry's fields.
    pub columns: Vec<String>,
    pub pieces: Vec<Piece>,
}

/// Entries that stand one behind the other in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    pub file: StorePath,
    /// Where its first entry stands, and how far the next one is.
    pub start: u64,
    pub step: u64,
    /// The first entry's number in the list.
    pub first: i64,
    pub count: u64,
}

impl List {
    pub fn rows(&self) -> u64 {
        self.pieces
            .iter()
            .fold(0, |sum, piece| sum.saturating_add(piece.count))
    }

    /// The part of the list that holds rows `from` …: as a list again.
    pub fn part(&self, from: u64, count: u64) -> List {
        let mut pieces = Vec::new();
        let to = from.saturating_add(count);
        let mut row = 0u64;
        for piece in &self.pieces {
            let end = row.saturating_add(piece.count);
            let (low, high) = (from.max(row), to.min(end));
            if low < high {
                let skip = low.saturating_sub(row);
                pieces.push(Piece {
                    start: piece.start.saturating_add(skip.saturating_mul(piece.step)),
                    first: piece
                        .first
                        .saturating_add(crate::decode::num::long_of(skip)),
                    count: high.saturating_sub(low),
                    ..piece.clone()
                });
            }
            row = end;
        }
        List {
            pieces,
            ..self.clone()
        }
    }

    /// The row of an entry by its number.
    pub fn row_of(&self, number: i64) -> Option<u64> {
        self.row_where(|piece| {
            let skip = u64::try_from(number.checked_sub(piece.first)?).ok()?;
            (skip < piece.count).then_some(skip)
        })
    }

    /// The row of the entry that holds a byte.
    pub fn row_at(&self, place: &Place) -> Option<u64> {
        self.row_where(|piece| {
            if piece.file != place.file {
                return None;
            }
            let skip = place
                .offset
                .checked_sub(piece.start)?
                .checked_div(piece.step)?;
            (skip < piece.count).then_some(skip)
        })
    }

    fn row_where(&self, skip: impl Fn(&Piece) -> Option<u64>) -> Option<u64> {
        let mut row = 0u64;
        for piece in &self.pieces {
            if let Some(skip) = skip(piece) {
                return Some(row.saturating_add(skip));
            }
            row = row.saturating_add(piece.count);
        }
        None
    }
}

/// An entry of a queue or of the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryRow {
    pub number: i64,
    pub place: Place,
    pub fields: FieldTree,
    /// The message it points to.
    pub target: Option<Target>,
    /// Nothing to point to: filler, or never written.
    pub note: Option<Why>,
    pub wrong: Option<Why>,
}

/// A message that something points to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    pub place: Place,
    pub log_offset: i64,
    /// `TopicA/0 #17`
    pub label: String,
    pub fate: RowFate,
}

/// A look-up by key, as the broker does it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyAsked {
    pub topic: String,
    pub key: String,
    pub from_ms: i64,
    pub to_ms: i64,
    pub most: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookUp {
    /// What is hashed, and its hash.
    pub hashed: String,
    pub hash: i64,
    /// Index files in the order they are looked at.
    pub files: Vec<FileLookUp>,
    pub found: Vec<Found>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileLookUp {
    pub file: StorePath,
    /// The file's head.
    pub head: FieldTree,
    /// Why it was read or passed by, and what ended the look at it: `look.<id>`.
    pub why: Why,
    /// The slot of the hash.
    pub slot: Option<Slot>,
    pub chain: Vec<Link>,
    pub ended: Option<Why>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Slot {
    pub number: i64,
    pub place: Place,
    /// The number of the newest entry.
    pub value: i64,
}

/// An entry of a chain, and whether it is taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    pub entry: EntryRow,
    pub time_ms: i64,
    pub taken: bool,
    pub why: Why,
}

/// What the look-up gives back for an entry, and what its reader then makes of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    pub log_offset: i64,
    pub target: Option<Target>,
    /// The message has the key; another one with the same hash is dropped by whoever asked.
    pub has_key: bool,
    pub why: Why,
}

/// A queue read as a consumer reads it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PullAsked {
    /// `TopicA/0`
    pub queue: String,
    pub offset: i64,
    /// `TagA || TagB`; `*` or nothing for all.
    pub tags: String,
    pub most: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pull {
    /// The broker's own word: `FOUND`, `OFFSET_TOO_SMALL`; `pull.<word>` explains it.
    pub status: String,
    pub min_offset: i64,
    pub max_offset: i64,
    pub next_offset: i64,
    /// What the tags hash to.
    pub codes: Vec<(String, i64)>,
    pub units: Vec<Pulled>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Pulled {
    pub entry: EntryRow,
    pub taken: bool,
    /// `pulled.<id>`
    pub why: Why,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_whole_unless_a_star_says_otherwise() {
        let hits = |word: &str, text: &str| Word::new(word).matches(text);
        assert!(hits("Order", "Order") && !hits("Order", "Orders"));
        assert!(hits("Order*", "Orders") && hits("*ders", "Orders") && hits("*rde*", "Orders"));
        assert!(hits("*", "anything"));
        assert!(!hits("*x", "Orders"));
    }

    #[test]
    fn a_part_of_a_list_keeps_numbers_and_bytes() {
        let piece = |file: &str, first, count| Piece {
            file: StorePath::new(file),
            start: 0,
            step: 20,
            first,
            count,
        };
        let list = List {
            kind: LaneKind::Queue,
            name: "T/0".to_owned(),
            image: Image::Before,
            columns: Vec::new(),
            pieces: vec![piece("a", 100, 10), piece("b", 200, 10)],
        };
        let part = list.part(8, 4);
        let seen: Vec<_> = part
            .pieces
            .iter()
            .map(|piece| (piece.file.as_str(), piece.start, piece.first, piece.count))
            .collect();
        assert_eq!(seen, [("a", 160, 108, 2), ("b", 0, 200, 2)]);
        assert_eq!(list.row_of(201), Some(11));
        assert_eq!(list.row_of(150), None, "a hole between two files");
        let place = Place::before(&StorePath::new("b"), 45, 1);
        assert_eq!(list.row_at(&place), Some(12));
    }
}
