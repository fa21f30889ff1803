//! Which file of a store is what, by its path: the directory layout of `StorePathConfigHelper`.

use super::beside::Beside;
use crate::decode::java;
use crate::store::{Store, StorePath};
use std::collections::BTreeMap;

/// What a file is to the broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// A file of `commitlog/`. Its name is its offset; `None` if it is no number.
    CommitLog {
        start: Option<i64>,
    },
    /// A file of a queue's folder.
    Queue {
        queue: QueueKey,
        start: Option<i64>,
    },
    Index,
    Checkpoint,
    Abort,
    /// `config/…`
    Config,
    Lock,
    /// The broker reads it, and what it makes of it is not followed here.
    Beside(Beside),
    /// The broker does not look at it.
    Other,
}

impl Role {
    /// The word for it in the outcome.
    pub fn word(&self) -> &'static str {
        match self {
            Self::CommitLog { .. } => "commitLog",
            Self::Queue { .. } => "consumeQueue",
            Self::Index => "index",
            Self::Checkpoint => "checkpoint",
            Self::Abort => "abort",
            Self::Config => "config",
            Self::Lock => "lock",
            Self::Beside(kind) => kind.word(),
            Self::Other => "other",
        }
    }
}

/// A queue of a topic. Ordered as the broker's state is written down: by topic, then number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueueKey {
    pub topic: String,
    pub id: i32,
}

impl QueueKey {
    /// Its folder: `consumequeue/TopicA/0`. A queue of folder `00` is queue 0, and its files are looked for in `0`.
    pub fn folder(&self) -> StorePath {
        consume_queue_dir()
            .join(&self.topic)
            .join(&self.id.to_string())
    }

    /// `TopicA/0`
    pub fn label(&self) -> String {
        format!("{}/{}", self.topic, self.id)
    }
}

pub fn commit_log_dir() -> StorePath {
    StorePath::new("commitlog")
}

pub fn consume_queue_dir() -> StorePath {
    StorePath::new("consumequeue")
}

pub fn index_dir() -> StorePath {
    StorePath::new("index")
}

pub fn checkpoint_file() -> StorePath {
    StorePath::new("checkpoint")
}

pub fn abort_file() -> StorePath {
    StorePath::new("abort")
}

/// What `abort` held before the last start (5.x). Nobody reads it.
pub fn abort_backup_file() -> StorePath {
    StorePath::new("abort.bak")
}

pub fn lock_file() -> StorePath {
    StorePath::new("lock")
}

pub fn delay_offset_file() -> StorePath {
    StorePath::new("config/delayOffset.json")
}

/// `UtilAll.offset2FileName`: at least twenty digits, the sign before them.
pub fn file_name(offset: i64) -> String {
    if offset < 0 {
        format!("-{:020}", offset.unsigned_abs())
    } else {
        format!("{offset:020}")
    }
}

/// The roles of all files of a store.
pub struct Layout {
    files: BTreeMap<StorePath, Role>,
}

impl Layout {
    pub fn of(store: &Store) -> Self {
        Self {
            files: store
                .files()
                .map(|(path, _)| (path.clone(), role(path)))
                .collect(),
        }
    }

    pub fn files(&self) -> impl Iterator<Item = (&StorePath, &Role)> {
        self.files.iter()
    }

    pub fn role(&self, path: &StorePath) -> Role {
        self.files.get(path).cloned().unwrap_or_else(|| role(path))
    }
}

fn role(path: &StorePath) -> Role {
    let parts: Vec<&str> = path.as_str().split('/').collect();
    if let Some(kind) = Beside::of(&parts) {
        return Role::Beside(kind);
    }
    match parts.as_slice() {
        ["commitlog", name] => Role::CommitLog {
            start: java::parse_long(name),
        },
        ["consumequeue", topic, queue, name] => match java::parse_int(queue) {
            // A folder `00` is read as queue 0, whose files are looked for in `0`.
            Some(id) if id.to_string() == *queue => Role::Queue {
                queue: QueueKey {
                    topic: (*topic).to_owned(),
                    id,
                },
                start: java::parse_long(name),
            },
            _ => Role::Other,
        },
        ["index", _] => Role::Index,
        ["checkpoint"] => Role::Checkpoint,
        // Written at a start (5.x) and read by nobody.
        ["abort"] | ["abort.bak"] => Role::Abort,
        ["lock"] => Role::Lock,
        ["config", ..] => Role::Config,
        _ => Role::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_come_from_the_path() {
        let is = |path: &str| role(&StorePath::new(path)).word();
        assert_eq!(is("commitlog/00000000000000000000"), "commitLog");
        assert_eq!(
            is("consumequeue/TopicA/0/00000000000000000000"),
            "consumeQueue"
        );
        assert_eq!(is("consumequeue/TopicA/00/00000000000000000000"), "other");
        assert_eq!(is("consumequeue/TopicA/readme"), "other");
        assert_eq!(is("index/20231114221320000"), "index");
        assert_eq!(is("config/topics.json"), "config");
        assert_eq!(is("consumequeue/CURRENT"), "rocksDbQueues");
        assert_eq!(is("consumequeue/000011.sst"), "rocksDbQueues");
        assert_eq!(is("consumequeue/readme"), "other");
        assert_eq!(is("dledger-n0/data/00000000000000000000"), "dLedger");
        assert_eq!(is("timerwheel.4096"), "timerWheel");
    }

    #[test]
    fn file_names_have_twenty_digits() {
        assert_eq!(file_name(1_073_741_824), "00000000001073741824");
        assert_eq!(file_name(-20), "-00000000000000000020");
    }
}
