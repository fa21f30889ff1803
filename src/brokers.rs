//! The brokers there are, and the doors through which the page and the command line call them.
//!
//! Everything a program does with a store goes through here: find its root, recover it, look at a record.

use crate::decode::FieldTree;
use crate::facts;
use crate::recovery::outcome::{Outcome, Stage};
use crate::recovery::{Finding, Place, Progress, Rule, Severity};
use crate::rocketmq;
use crate::store::{ReadError, Store, StorePath};
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

/// Dropped files, seen from the folder that the broker calls its store.
pub struct Opened {
    pub store: Store,
    pub findings: Vec<Finding>,
}

/// Finds the store in what was dropped: the folder itself, its parent, or loose files.
pub fn open(dropped: Store) -> Opened {
    if dropped.is_empty() {
        return Opened {
            store: dropped,
            findings: vec![Finding::new("empty", Severity::Error, None, facts! {})],
        };
    }
    let root = StorePath::new("");
    let mut roots: Vec<StorePath> = std::iter::once(root)
        .chain(dropped.dirs().cloned())
        .filter(|dir| rocketmq::inspect::looks_like(&dropped, dir))
        .collect();
    roots.sort_by_key(|dir| (dir.as_str().split('/').count(), dir.clone()));
    if let Some(root) = roots.first() {
        let store = if root.as_str().is_empty() {
            dropped
        } else {
            dropped.rooted_at(root)
        };
        return Opened {
            store,
            findings: Vec::new(),
        };
    }
    let (store, mut findings) = rocketmq::place_loose::place(&dropped);
    if !rocketmq::inspect::looks_like(&store, &StorePath::new("")) {
        findings.push(Finding::new(
            "not-a-store",
            Severity::Error,
            None,
            facts! { files = dropped.len() },
        ));
    }
    Opened { store, findings }
}

/// What was asked for cannot be: which word, and what it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadRequest {
    Release {
        asked: String,
    },
    Setting {
        key: String,
        value: String,
        takes: &'static str,
    },
}

/// Runs the broker's start over a store.
pub fn recover(
    store: &Store,
    asked: &Asked,
    with_state: bool,
    progress: &mut dyn FnMut(Progress),
) -> Result<Recovered, BadRequest> {
    let release = match &asked.release {
        Some(release) => rocketmq::release::Release::parse(release)
            .map_err(|bad| BadRequest::Release { asked: bad.asked })?,
        None => rocketmq::release::Release::assumed(),
    };
    rocketmq::recover(store, asked, release, with_state, progress).map_err(|bad| {
        BadRequest::Setting {
            key: bad.key,
            value: bad.value,
            takes: bad.takes,
        }
    })
}

/// The fields of the record at a place.
pub fn fields(store: &Store, place: &Place, asked: &Asked) -> Result<FieldTree, ReadError> {
    let options = rocketmq::inspect::options_of(store, asked);
    rocketmq::inspect::fields(store, place, &options)
}

/// The records of the log around an offset, so many bytes to both sides.
pub fn records(
    store: &Store,
    outcome: &Outcome,
    around: i64,
    bytes: u64,
) -> Result<Vec<Record>, ReadError> {
    rocketmq::inspect::records(store, outcome, around, bytes)
}

/// A row of a broker's decision table.
pub fn rule(id: &str) -> Option<&'static Rule> {
    rocketmq::rules::ALL
        .iter()
        .copied()
        .find(|rule| rule.id == id)
}
