//! What the page and its workers say to each other: JSON, and beside it what JSON cannot hold. Files travel as handles, never as
//! bytes; 64-bit numbers are exact.
//!
//! There are two workers: one recovers, the other looks at bytes, so that the page answers while a recovery runs. Both are this same
//! program. A worker that computes hears nothing: to cancel it is to end it.
//!
//! What may be large comes in parts, because the page must not be busy for long with any one message.

use crate::brokers::rows::{
    EntryRow, Filter, KeyAsked, List, LookUp, MessageRow, OpenMessage, Pull, PullAsked, ReadTo,
};
use crate::brokers::{Asked, BrokerConf, Record};
use crate::decode::FieldTree;
use crate::recovery::checked::Checked;
use crate::recovery::map::{Lane, LaneKind, MapFile};
use crate::recovery::moments::{Moments, Stretch};
use crate::recovery::outcome::FileFate;
use crate::recovery::trace::Image;
use crate::recovery::{Finding, Outcome, Place, Step};
use crate::report::Wanted;
use crate::store::ReadError;
use crate::store::find::Sought;
use serde::{Deserialize, Serialize};

/// Page and worker must be of one build: a page from a cache and a worker from the net would misunderstand each other.
pub const BUILD: &str = match option_env!("STORESCOPE_BUILD") {
    Some(build) => build,
    None => concat!(env!("CARGO_PKG_VERSION"), "-unnumbered"),
};

/// Items of one part at most.
pub const PART: usize = 1000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The first message about a store. `name` is what a person calls it; `dirs` are all folders, for an empty queue folder still is
    /// a queue to the broker.
    Open {
        build: String,
        name: String,
        dirs: Vec<String>,
    },
    /// Some of its files; their handles come beside, in the same order.
    Add { files: Vec<String> },
    /// After the last file.
    Recover { asked: Asked },
    /// What the other worker's recovery found, so that this one can tell records apart. The outcome's JSON comes beside.
    Learn { asked: Asked },
    /// A view wants to know something; the answer bears the same number.
    Ask { id: u32, question: Question },
}

/// What a view may ask about the open store and its recovery. Another view's question is one variant here, one of [`Answer`], and a line
/// in the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Question {
    /// The record at a place, and `length` bytes from `from` on.
    Look {
        place: Place,
        from: Option<u64>,
        length: u64,
    },
    /// The log around an offset.
    Records { around: i64, bytes: u64 },
    /// What is wrong with the store: reads all of it, and tells how far it is with [`Response::Answering`].
    Check,
    /// A document about the recovery; also tells how far it is.
    Report(Wanted),
    /// Where the broker stood at each message of a run.
    Moments { stretch: Stretch },
    /// Reads on for the messages that a filter lets through, about so many bytes.
    Find { filter: Box<Filter>, budget: u64 },
    /// Some of the rows that were found by now.
    Rows {
        filter: Box<Filter>,
        from: u64,
        count: u64,
    },
    /// Which of them holds a place.
    RowOf { filter: Box<Filter>, place: Place },
    /// A message with its properties and its body.
    Open { place: Place },
    /// A queue or an index file as a list.
    List {
        kind: LaneKind,
        name: String,
        image: Image,
    },
    /// The list that a file belongs to.
    ListOf { place: Place },
    /// The entries of a list, or of a part of one.
    Entries { list: List },
    /// The first of them that is wrong.
    FirstWrong { list: List },
    /// A key, as the broker looks it up.
    LookUp { key: KeyAsked, image: Image },
    /// A queue, as a consumer reads it.
    Pull { pull: PullAsked, image: Image },
    /// Bytes in the file of a place, from the place on.
    Seek {
        place: Place,
        needle: Vec<u8>,
        budget: u64,
    },
}

impl Question {
    /// Which image of the store it is about: those after a recovery live in the worker that recovered.
    pub fn image(&self) -> Image {
        match self {
            Self::Look { place, .. } => place.image,
            Self::Records { .. } | Self::Check | Self::Report(_) => Image::Before,
            // The start is run once more; whoever ran it last knows how.
            Self::Moments { .. } => Image::AfterReput,
            Self::Find { .. } | Self::Rows { .. } | Self::RowOf { .. } => Image::Before,
            Self::Open { place } | Self::ListOf { place } | Self::Seek { place, .. } => place.image,
            Self::Entries { list } | Self::FirstWrong { list } => list.image,
            Self::List { image, .. } | Self::LookUp { image, .. } | Self::Pull { image, .. } => {
                *image
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    Look(Result<Seen, ReadError>),
    Records(Result<Vec<Record>, ReadError>),
    Check(Box<Checked>),
    Report(Result<String, String>),
    Moments(Result<Moments, String>),
    Find(Result<FoundSoFar, ReadError>),
    Rows(Result<Vec<MessageRow>, ReadError>),
    RowOf(Result<Option<u64>, ReadError>),
    Open(Result<Box<OpenMessage>, ReadError>),
    List(Result<List, ReadError>),
    ListOf(Option<(LaneKind, String)>),
    Entries(Result<Vec<EntryRow>, ReadError>),
    FirstWrong(Result<Option<u64>, ReadError>),
    LookUp(Result<Box<LookUp>, ReadError>),
    Pull(Result<Box<Pull>, ReadError>),
    Seek(Result<Sought, ReadError>),
}

/// How many rows a filter found, and how far it has read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSoFar {
    pub rows: u64,
    pub read: ReadTo,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The worker runs, and this is its build.
    Ready {
        build: String,
    },
    Opened(Opened),
    Progress {
        bytes: u64,
        of: u64,
    },
    /// Of the outcome that follows.
    Part(Part),
    /// The outcome without its parts. The whole JSON, as the command line prints it, comes beside.
    Recovered {
        rest: Box<Outcome>,
        /// The worker's wasm memory after it, in bytes.
        memory: f64,
    },
    /// How far a question that takes its time is.
    Answering {
        id: u32,
        bytes: u64,
        of: u64,
    },
    Answered {
        id: u32,
        answer: Answer,
    },
    /// The request could not be understood or carried out; the worker lives.
    Failed {
        why: String,
    },
    /// The worker's last words.
    Died {
        why: String,
    },
}

/// Up to [`PART`] members of one of an outcome's lists.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Part {
    Steps(Vec<Step>),
    Files(Vec<FileFate>),
    Findings(Vec<Finding>),
    MapFiles(Vec<MapFile>),
    Lanes(Vec<Lane>),
    Clock(Vec<(i64, i64)>),
}

impl Part {
    /// Takes the lists out of an outcome.
    pub fn take_from(outcome: &mut Outcome) -> Vec<Part> {
        let mut parts = Vec::new();
        let map = &mut outcome.map;
        split(
            &mut parts,
            std::mem::take(&mut outcome.trace.steps),
            Part::Steps,
        );
        split(&mut parts, std::mem::take(&mut outcome.files), Part::Files);
        split(
            &mut parts,
            std::mem::take(&mut outcome.findings),
            Part::Findings,
        );
        split(&mut parts, std::mem::take(&mut map.files), Part::MapFiles);
        split(&mut parts, std::mem::take(&mut map.lanes), Part::Lanes);
        split(&mut parts, std::mem::take(&mut map.clock), Part::Clock);
        parts
    }

    /// Puts a part back; parts of one list come in order.
    pub fn put_into(self, outcome: &mut Outcome) {
        match self {
            Self::Steps(part) => outcome.trace.steps.extend(part),
            Self::Files(part) => outcome.files.extend(part),
            Self::Findings(part) => outcome.findings.extend(part),
            Self::MapFiles(part) => outcome.map.files.extend(part),
            Self::Lanes(part) => outcome.map.lanes.extend(part),
            Self::Clock(part) => outcome.map.clock.extend(part),
        }
    }
}

fn split<T>(parts: &mut Vec<Part>, list: Vec<T>, part: impl Fn(Vec<T>) -> Part) {
    let mut list = list.into_iter().peekable();
    while list.peek().is_some() {
        parts.push(part(list.by_ref().take(PART).collect()));
    }
}

/// The store that was found in what was dropped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opened {
    pub name: String,
    pub files: u64,
    pub bytes: u64,
    pub findings: Vec<Finding>,
    /// The stores in what was dropped, this one among them; [`Asked::store`] asks for another.
    #[serde(default)]
    pub stores: Vec<String>,
    /// The broker's own settings, where their file came along.
    #[serde(default)]
    pub conf: Option<BrokerConf>,
}

/// Bytes of a file, and what they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Seen {
    pub place: Place,
    pub file_size: u64,
    /// The record that holds the place's first byte.
    pub fields: FieldTree,
    /// Where `bytes` begin in the file.
    pub from: u64,
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn an_outcome_in_parts_is_the_outcome() {
        let whole = fixture::crash();
        let mut rest = whole.clone();
        let parts = Part::take_from(&mut rest);
        assert!(rest.trace.steps.is_empty() && rest.map.files.is_empty());
        for part in parts {
            let sent = serde_json::to_string(&part).unwrap();
            serde_json::from_str::<Part>(&sent)
                .unwrap()
                .put_into(&mut rest);
        }
        assert_eq!(rest, whole);
    }

    #[test]
    fn a_long_list_comes_in_several_parts_in_order() {
        let mut parts = Vec::new();
        let list: Vec<(i64, i64)> = (0..2500).map(|at| (at, at)).collect();
        split(&mut parts, list, Part::Clock);
        let lengths: Vec<usize> = parts
            .iter()
            .map(|part| {
                if let Part::Clock(part) = part {
                    part.len()
                } else {
                    0
                }
            })
            .collect();
        assert_eq!(lengths, [1000, 1000, 500]);
    }
}
