//! The brokers there are, and the doors through which the page and the command line call them.
//!
//! Everything a program does with a store goes through here: find its root, recover it, look at a record.

use crate::decode::FieldTree;
use crate::recovery::outcome::{Outcome, Stage};
use crate::recovery::{Place, Progress};
use crate::store::{ReadError, Store};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a person asked for: nothing of it need be there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// `rocketmq-4.9.3`
    pub release: Option<String>,
    /// By the broker's own names: `checkCRCOnRecover` → `false`.
    pub settings: BTreeMap<String, String>,
}

/// A recovery that has run: what to show, and the store as each stage left it.
pub struct Recovered {
    pub outcome: Outcome,
    /// `load` and `reput`, those that were reached.
    pub stages: Vec<Stage>,
}

/// One record, filler or other stretch of a log file: what the magnifier shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub place: Place,
    /// Offset in the log.
    pub log_offset: i64,
    pub kind: RecordKind,
    /// `TopicA/0 #17`; empty for what is no message.
    pub label: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecordKind {
    Message,
    /// A record whose check fails: torn or corrupt.
    Bad,
    /// Filler written on purpose.
    Blank,
    /// Zeros to the end of the file.
    Zeros,
    /// Bytes that are no record.
    Unknown,
}
