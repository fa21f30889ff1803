//! Two stores' logs held to each other, message by message: where they first differ, and what only one of them has.
//!
//! An entry is a message of a commit log or a batch of a partition, known by its offset in the log and its bytes. Only what can be read is
//! compared, whether a start would keep it or not: behind damage there is nothing to compare.

use crate::brokers::{self, Asked};
use crate::decode::num::u64_of;
use crate::store::{ReadError, Store};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;

/// One log that both stores, or one of them, have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LogPair {
    /// `commitlog`; `orders-0`
    pub log: String,
    pub left: Held,
    pub right: Held,
    /// The first offset at which one has another entry than the other, or none; `None` where the logs are the same.
    pub first_difference: Option<i64>,
    pub only_left: Held,
    pub only_right: Held,
    /// Of the left side; at these offsets both have an entry, with other bytes.
    pub other_bytes: Held,
}

/// Entries of a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Held {
    pub entries: u64,
    pub bytes: u64,
    /// Offsets of the first and the last.
    pub first: Option<i64>,
    pub last: Option<i64>,
}

impl Held {
    fn add(&mut self, offset: i64, entry: Entry) {
        self.entries = self.entries.saturating_add(1);
        self.bytes = self.bytes.saturating_add(entry.len);
        self.first.get_or_insert(offset);
        self.last = Some(offset);
    }
}

/// Bytes by length and hash.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Entry {
    len: u64,
    hash: u64,
}

type Log = BTreeMap<i64, Entry>;

pub fn compare(left: (&Store, &Asked), right: (&Store, &Asked)) -> Result<Vec<LogPair>, ReadError> {
    let (left, right) = (logs(left)?, logs(right)?);
    let names: BTreeSet<&String> = left.keys().chain(right.keys()).collect();
    let none = Log::new();
    let of = |name: &String| {
        let (left, right) = (left.get(name), right.get(name));
        pair(name, left.unwrap_or(&none), right.unwrap_or(&none))
    };
    Ok(names.into_iter().map(of).collect())
}

fn logs((store, asked): (&Store, &Asked)) -> Result<BTreeMap<String, Log>, ReadError> {
    let mut logs: BTreeMap<String, Log> = BTreeMap::new();
    let hasher = foldhash::quality::FixedState::default();
    brokers::log_entries(store, asked, &mut |log, offset, bytes| {
        let entry = Entry {
            len: u64_of(bytes.len()),
            hash: hasher.hash_one(bytes),
        };
        match logs.get_mut(log) {
            Some(entries) => entries.insert(offset, entry),
            None => logs
                .entry(log.to_owned())
                .or_default()
                .insert(offset, entry),
        };
    })?;
    Ok(logs)
}

fn pair(name: &str, left: &Log, right: &Log) -> LogPair {
    let mut pair = LogPair {
        log: name.to_owned(),
        left: Held::default(),
        right: Held::default(),
        first_difference: None,
        only_left: Held::default(),
        only_right: Held::default(),
        other_bytes: Held::default(),
    };
    let offsets: BTreeSet<i64> = left.keys().chain(right.keys()).copied().collect();
    for offset in offsets {
        let (ours, theirs) = (left.get(&offset).copied(), right.get(&offset).copied());
        if let Some(entry) = ours {
            pair.left.add(offset, entry);
        }
        if let Some(entry) = theirs {
            pair.right.add(offset, entry);
        }
        match (ours, theirs) {
            (Some(ours), Some(theirs)) if ours == theirs => continue,
            (Some(ours), Some(_)) => pair.other_bytes.add(offset, ours),
            (Some(ours), None) => pair.only_left.add(offset, ours),
            (None, Some(theirs)) => pair.only_right.add(offset, theirs),
            (None, None) => {}
        }
        pair.first_difference.get_or_insert(offset);
    }
    pair
}
