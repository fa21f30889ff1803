//! The topic settings that recovery reads, by Kafka's own names, and what is assumed where nobody gave them.

use super::layout;
use super::release::Policy;
use super::segment::SegmentConfig;
use crate::brokers::Asked;
use crate::decode::java;
use crate::recovery::outcome::{OptionsUsed, Source};
use crate::store::Store;
use std::collections::BTreeMap;

/// What a recovery runs with.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    default: Settings,
    topics: BTreeMap<String, Settings>,
    /// For tests: the id of a rule to take out of the table, to see what hangs on it.
    pub without_rule: Option<String>,
}

#[derive(Clone, Copy, Debug)]
struct Settings {
    segment_bytes: i64,
    segment_index_bytes: i64,
    index_interval_bytes: i64,
    max_message_bytes: i32,
    preallocate: bool,
}

const SEGMENT_INDEX_BYTES: &str = "segment.index.bytes";

impl Settings {
    /// Kafka's own defaults.
    const DEFAULT: Self = Self {
        segment_bytes: 1 << 30,
        segment_index_bytes: 10 << 20,
        index_interval_bytes: 4096,
        max_message_bytes: 1_048_588,
        preallocate: false,
    };

    /// Whether the setting is one of these: a topic's name for it, or the broker's.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, BadSetting> {
        let bad = |takes| BadSetting {
            key: key.to_owned(),
            value: value.to_owned(),
            takes,
        };
        let size = || {
            java::parse_int(value.trim())
                .filter(|size| *size >= 0)
                .ok_or_else(|| bad("a whole number from 0 to 2147483647"))
        };
        match key {
            "segment.bytes" | "internal.segment.bytes" | "log.segment.bytes" => {
                self.segment_bytes = size()?.into();
            }
            SEGMENT_INDEX_BYTES | "log.index.size.max.bytes" => {
                self.segment_index_bytes = size()?.into();
            }
            "index.interval.bytes" | "log.index.interval.bytes" => {
                self.index_interval_bytes = size()?.into();
            }
            "max.message.bytes" | "message.max.bytes" => self.max_message_bytes = size()?,
            "preallocate" | "log.preallocate" => {
                self.preallocate = match value.trim() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(bad("true or false")),
                };
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn config(&self, policy: &Policy) -> SegmentConfig {
        SegmentConfig {
            index_interval_bytes: self.index_interval_bytes,
            segment_index_bytes: super::segment::size_of(self.segment_index_bytes),
            preallocated: self
                .preallocate
                .then(|| super::segment::size_of(self.segment_bytes)),
            largest_message: policy.checks_largest.then_some(self.max_message_bytes),
        }
    }
}

/// Settings of a topic that change nothing of what is done here.
const NOT_READ: [&str; 3] = [
    "cleanup.policy",
    "delete.retention.ms",
    "message.format.version",
];

/// A setting that cannot be: which, what was given, what it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadSetting {
    pub key: String,
    pub value: String,
    pub takes: &'static str,
}

pub(super) struct Chosen {
    pub options: Options,
    pub used: OptionsUsed,
    /// Given, and none that recovery reads.
    pub ignored: Vec<String>,
}

impl Options {
    pub(super) fn segment_config(&self, topic: &str, policy: &Policy) -> SegmentConfig {
        self.topics
            .get(topic)
            .unwrap_or(&self.default)
            .config(policy)
    }
}

pub(super) fn choose(asked: &Asked, store: &Store) -> Result<Chosen, BadSetting> {
    let mut default = Settings::DEFAULT;
    let mut assumed = BTreeMap::from([
        (SEGMENT_INDEX_BYTES.to_owned(), Source::Default),
        ("index.interval.bytes".to_owned(), Source::Default),
        ("max.message.bytes".to_owned(), Source::Default),
        ("preallocate".to_owned(), Source::Default),
    ]);
    if let Some(size) = preallocated_index(store) {
        default.segment_index_bytes = size;
        assumed.insert(SEGMENT_INDEX_BYTES.to_owned(), Source::Files);
    }
    let mut ignored = Vec::new();
    for (key, value) in &asked.settings {
        if default.set(key, value)? {
            let topic_key = key.strip_prefix("log.").unwrap_or(key);
            assumed.remove(topic_key);
            match key.as_str() {
                "log.index.size.max.bytes" => assumed.remove(SEGMENT_INDEX_BYTES),
                "message.max.bytes" => assumed.remove("max.message.bytes"),
                _ => None,
            };
        } else {
            ignored.push(key.clone());
        }
    }
    let mut topics = BTreeMap::new();
    for (topic, given) in &asked.topics {
        let mut settings = default;
        for (key, value) in given {
            if !settings.set(key, value)? && !NOT_READ.contains(&key.as_str()) {
                ignored.push(key.clone());
            }
        }
        topics.insert(topic.clone(), settings);
    }
    let settings = BTreeMap::from([
        (
            SEGMENT_INDEX_BYTES.to_owned(),
            default.segment_index_bytes.to_string(),
        ),
        (
            "index.interval.bytes".to_owned(),
            default.index_interval_bytes.to_string(),
        ),
        (
            "max.message.bytes".to_owned(),
            default.max_message_bytes.to_string(),
        ),
        ("preallocate".to_owned(), default.preallocate.to_string()),
    ]);
    ignored.sort();
    ignored.dedup();
    Ok(Chosen {
        options: Options {
            default,
            topics,
            without_rule: None,
        },
        used: OptionsUsed { settings, assumed },
        ignored,
    })
}

/// After a crash the index of an active segment has its full size, with zeros at its end.
fn preallocated_index(store: &Store) -> Option<i64> {
    store
        .files()
        .filter(|(path, file)| path.as_str().ends_with(layout::INDEX) && file.size() >= 8)
        .filter(|(_, file)| {
            let mut last = [1; 8];
            let at = file.size().saturating_sub(8);
            file.read_exact_at(at, &mut last).is_ok() && last == [0; 8]
        })
        .map(|(_, file)| crate::decode::num::long_of(file.size()))
        .max()
}
