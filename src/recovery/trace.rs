//! The steps of a recovery in order. A step is a rule that fired: where, on what facts, and what it changed on the map.
//!
//! A gigabyte of good messages is a few steps: each scan step covers up to 64 MiB and says what its messages did in sum
//! ([`Step::tally`]) and to each queue ([`Step::changes`]). So the state at any step is the replay of the changes up to it
//! ([`super::map`]), and a place inside a scan step is found by reading on from its start.

use super::rule::{Phase, Rule};
use crate::store::StorePath;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A rule's id, borrowed from its table while recovering, owned after it crossed a border.
pub type RuleId = Cow<'static, str>;

/// Named values of a step; the sentence of its rule says how each is shown (as bytes, time, hex).
pub type Facts = BTreeMap<Cow<'static, str>, Fact>;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Fact {
    Int(i64),
    Text(String),
}

impl From<i64> for Fact {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<i32> for Fact {
    fn from(value: i32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<u32> for Fact {
    fn from(value: u32) -> Self {
        Self::Int(i64::from(value))
    }
}

impl From<u64> for Fact {
    fn from(value: u64) -> Self {
        Self::Int(crate::decode::num::long_of(value))
    }
}

impl From<usize> for Fact {
    fn from(value: usize) -> Self {
        Self::Int(crate::decode::num::long_len(value))
    }
}

impl From<&str> for Fact {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Fact {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<&StorePath> for Fact {
    fn from(value: &StorePath) -> Self {
        Self::Text(value.as_str().to_owned())
    }
}

/// Which image of the store a place is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Image {
    /// As dropped.
    Before,
    /// As it is after `load()`.
    AfterLoad,
    /// As it is when the broker is ready.
    AfterReput,
    /// The file is not there.
    Missing,
}

/// The bytes that a step, a finding or a row points to. `length` 0 is a point, such as a torn end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    pub file: StorePath,
    pub offset: u64,
    pub length: u64,
    pub image: Image,
}

impl Place {
    pub fn before(file: &StorePath, offset: u64, length: u64) -> Self {
        Self {
            file: file.clone(),
            offset,
            length,
            image: Image::Before,
        }
    }

    pub fn whole(file: &StorePath, size: u64) -> Self {
        Self::before(file, 0, size)
    }

    pub fn missing(file: &StorePath) -> Self {
        Self {
            image: Image::Missing,
            ..Self::before(file, 0, 0)
        }
    }

    pub fn in_image(mut self, image: Image) -> Self {
        self.image = image;
        self
    }
}

/// A number that recovery moves and people ask for, spelled as the broker spells it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mark(pub Cow<'static, str>);

impl Mark {
    pub const fn new(name: &'static str) -> Self {
        Self(Cow::Borrowed(name))
    }
}

/// Where a lane (a queue, an index file) ends: how many entries, and the log offset at which the last one's message ends (for an
/// index file: begins); -1 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LaneEnd {
    pub entries: i64,
    pub log_offset: i64,
}

impl LaneEnd {
    pub const EMPTY: Self = Self {
        entries: 0,
        log_offset: -1,
    };
}

/// Why a lane's end moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LaneMove {
    /// Read off the file, and trusted.
    Read,
    /// Set back.
    Cut,
    /// Entries were written again.
    Rebuilt,
    /// All of it went, with its files.
    Destroyed,
}

/// What a step changed. Files and lanes are named by their number in [`super::map::StoreMap`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "change",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// Where the broker will write next in a file.
    Wrote {
        file: usize,
        from: u64,
        to: u64,
    },
    Deleted {
        file: usize,
    },
    Created {
        path: StorePath,
        lane: usize,
        start: i64,
        size: u64,
    },
    /// The broker read these log offsets and found whole messages.
    Verified {
        from: i64,
        to: i64,
        messages: u64,
    },
    /// The broker takes these log offsets as filler.
    Filler {
        from: i64,
        to: i64,
    },
    Mark {
        mark: Mark,
        from: Option<i64>,
        to: Option<i64>,
    },
    Lane {
        lane: usize,
        from: LaneEnd,
        to: LaneEnd,
        how: LaneMove,
    },
    NewLane {
        lane: super::map::Lane,
    },
}

/// How loud the broker says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    Info,
    Warn,
    Error,
}

impl Level {
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "INFO",
            Self::Warn => "WARN",
            Self::Error => "ERROR",
        }
    }
}

/// A line that the broker writes into its own log, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    pub level: Level,
    /// Which of its log files: `store.log`.
    pub file: Cow<'static, str>,
    pub text: String,
    /// How many more of its kind follow in this step.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
    /// Names that people gave stand in it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub names: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// From 1, in the order the broker takes them.
    pub number: u32,
    pub phase: Phase,
    pub rule: RuleId,
    pub place: Option<Place>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: Facts,
    /// How many times in a row: equal steps are folded, and the place is the last one's.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub count: u64,
    /// Rules that fired inside a run of messages, and how often.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tally: Vec<(RuleId, u64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// What the broker prints on the way to this step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<LogLine>,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn one() -> u64 {
    1
}

fn is_one(count: &u64) -> bool {
    *count == 1
}

/// All steps, and how many more there were of rules that fired too often to list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trace {
    pub steps: Vec<Step>,
}

/// A rule that fires more often than this is counted from there on, in the last step of it, and what the broker prints is no longer
/// kept. Large enough for a step per queue file.
const STEPS_PER_RULE: u32 = 20_000;

/// Collects steps while a recovery runs.
#[derive(Default)]
pub struct Recorder {
    trace: Trace,
    per_rule: BTreeMap<&'static str, u32>,
}

impl Recorder {
    /// A rule fired. Changes are always kept; a step without changes of an exhausted rule is only counted.
    pub fn step(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
        changes: Vec<Change>,
    ) {
        self.run(rule, place, facts, changes, Vec::new(), Vec::new());
    }

    pub fn run(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
        changes: Vec<Change>,
        tally: Vec<(RuleId, u64)>,
        log: Vec<LogLine>,
    ) {
        let so_far = self.per_rule.entry(rule.id).or_default();
        *so_far = so_far.saturating_add(1);
        let is_frequent = *so_far > STEPS_PER_RULE;
        if is_frequent && changes.is_empty() && tally.is_empty() {
            if let Some(last) = self
                .trace
                .steps
                .iter_mut()
                .rev()
                .find(|step| step.rule == rule.id)
            {
                last.count = last.count.saturating_add(1);
            }
            return;
        }
        let number = u32::try_from(self.trace.steps.len())
            .unwrap_or(u32::MAX)
            .saturating_add(1);
        self.trace.steps.push(Step {
            number,
            phase: rule.phase,
            rule: RuleId::Borrowed(rule.id),
            place,
            facts,
            count: 1,
            tally,
            changes,
            log: if is_frequent { Vec::new() } else { log },
        });
    }

    /// What was printed when the last step was over.
    pub fn printed_last(&mut self, log: Vec<LogLine>) {
        if let Some(last) = self.trace.steps.last_mut() {
            last.log.extend(log);
        }
    }

    pub fn finish(self) -> Trace {
        self.trace
    }

    pub fn steps(&self) -> &[Step] {
        &self.trace.steps
    }
}
