//! All that a view, a report or the command line may read of a recovery. Serialised, it is the contract's JSON object.

use super::difference::Differs;
use super::finding::{Finding, Severity};
use super::map::StoreMap;
use super::trace::{Facts, Mark, RuleId, Trace};
use crate::store::overlay::Overlay;
use crate::store::{ReadError, StorePath};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Raised when a change breaks a reader.
pub const SCHEMA: &str = "storescope/1";

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    pub schema: String,
    /// This program's version.
    pub tool: String,
    pub broker: BrokerUsed,
    pub options: OptionsUsed,
    pub end: End,
    /// Before and after, by the broker's name.
    pub marks: BTreeMap<Mark, Moved>,
    pub ledger: Ledger,
    pub counts: Counts,
    pub files: Vec<FileFate>,
    pub findings: Vec<Finding>,
    pub map: StoreMap,
    pub trace: Trace,
    /// Where the release is only narrowed: the others that the files allow, and what is otherwise under them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<Candidate>,
    /// With `--state`: the broker's state after each stage, under the names of the real brokers' dumps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<StateTree>,
}

impl Outcome {
    /// The contract's JSON object, on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What is not followed, gravest or not.
    pub fn limits(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.limits)
    }

    /// The verdict hangs on something that is not followed.
    pub fn is_limited(&self) -> bool {
        self.limits()
            .any(|finding| finding.severity < Severity::Info)
    }
}

/// Releases that a store's files allow as well as the one whose verdict is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// `4.9.3`; several where a start takes the same course under them.
    pub releases: Vec<String>,
    /// How the start ends under them.
    pub end: End,
    /// Where the verdict differs, this outcome's on the left; empty where it is the same.
    pub differs: Vec<Differs>,
}

/// What lives in the broker's memory, as a tree that a view shows without knowing the broker.
pub type StateTree = serde_json::Value;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrokerUsed {
    /// `RocketMQ`
    pub family: String,
    /// `4.9.3`
    pub release: String,
    /// `asked`; `narrowed` by what the files show; or `assumed` where they show nothing.
    pub found: String,
    /// The release whose rules were used, where it is not the one asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_of: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OptionsUsed {
    /// By the broker's own names.
    pub settings: BTreeMap<String, String>,
    /// Which of them nobody gave, and where the value is from.
    pub assumed: BTreeMap<String, Source>,
}

/// Where a setting that nobody gave comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Source {
    /// Read off the files' lengths or bytes.
    Files,
    /// The broker's own default.
    Default,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndKind {
    Started,
    Refused,
    Hangs,
    Unreadable,
}

/// How the start ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct End {
    pub kind: EndKind,
    /// The rule that decided it; none for a plain start.
    pub rule: Option<RuleId>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: Facts,
    /// The headline in English, for readers of the JSON.
    #[serde(default)]
    pub sentence: String,
    /// `load()` came back with true, and what waits for ever is the start behind it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_load: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<ReadError>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    pub before: Option<i64>,
    pub after: Option<i64>,
}

/// The bytes of the log's files, sorted by what becomes of them; the first six sum to the total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    pub kept: Amount,
    pub cut_readable: Amount,
    pub cut_unreadable: Amount,
    /// Filler written on purpose.
    pub blank: Amount,
    /// Zeros never written.
    pub unwritten: Amount,
    /// Only where the broker reads nothing.
    pub unread: Amount,
    pub total: Amount,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Amount {
    pub bytes: u64,
    /// `None` where it cannot be known.
    pub messages: Option<u64>,
}

impl Amount {
    pub fn new(bytes: u64, messages: u64) -> Self {
        Self {
            bytes,
            messages: Some(messages),
        }
    }

    pub fn unknown(bytes: u64) -> Self {
        Self {
            bytes,
            messages: None,
        }
    }
}

/// Entries of queues and index, sorted by what becomes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    pub queue_entries_rebuilt: u64,
    pub queue_entries_cut: u64,
    pub index_entries_rebuilt: u64,
    /// Entries of destroyed index files whose message is still there and is not indexed again: key look-up misses them.
    pub index_entries_lost: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Fate {
    Kept,
    /// The broker will write before what was its end.
    Cut,
    Deleted,
    Created,
    Changed,
    /// The broker does not read it.
    Ignored,
    /// The broker reads it, and what becomes of it is not followed here.
    NotFollowed,
    /// It stops the start.
    Refused,
}

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileFate {
    pub path: StorePath,
    /// `commitLog`, `consumeQueue`, `index`, `checkpoint`, `abort`, `config`, `lock`, `other`
    pub role: String,
    /// `None`: not there.
    pub before: Option<u64>,
    pub after: Option<u64>,
    /// Where the broker will write next, for files that grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<u64>,
    pub fate: Fate,
}

/// The state and bytes of the store when a stage is over.
pub struct Stage {
    pub name: StageName,
    pub after: Overlay,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageName {
    Load,
    Reput,
    /// A clean stop right after the start.
    Shutdown,
}
