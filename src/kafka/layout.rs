//! Which file is what: the names of a log directory, its partitions and their segments.

use crate::decode::java;
use crate::store::StorePath;

pub(super) const CLEAN_SHUTDOWN_FILE: &str = ".kafka_cleanshutdown";
pub(super) const RECOVERY_POINTS: &str = "recovery-point-offset-checkpoint";
pub(super) const LOG_START_OFFSETS: &str = "log-start-offset-checkpoint";
pub(super) const REPLICATION_OFFSETS: &str = "replication-offset-checkpoint";
pub(super) const META_PROPERTIES: &str = "meta.properties";
pub(super) const LOCK: &str = ".lock";
pub(super) const LEADER_EPOCHS: &str = "leader-epoch-checkpoint";
pub(super) const PARTITION_METADATA: &str = "partition.metadata";
/// Index files of tiered segments; no partition.
pub(super) const REMOTE_INDEX_CACHE: &str = "remote-log-index-cache";

/// KRaft's own log, and what else its controller keeps beside it.
pub(super) const METADATA_TOPIC: &str = "__cluster_metadata";
pub(super) const QUORUM_STATE: &str = "quorum-state";
pub(super) const RAFT_SNAPSHOT: &str = ".checkpoint";
pub(super) const PART: &str = ".part";
pub(super) const GROUPS_TOPIC: &str = "__consumer_offsets";

pub(super) const LOG: &str = ".log";
pub(super) const INDEX: &str = ".index";
pub(super) const TIME_INDEX: &str = ".timeindex";
pub(super) const TXN_INDEX: &str = ".txnindex";
pub(super) const SNAPSHOT: &str = ".snapshot";
pub(super) const DELETED: &str = ".deleted";
pub(super) const CLEANED: &str = ".cleaned";
pub(super) const SWAP: &str = ".swap";

pub(super) const DELETE_DIR: &str = "-delete";
pub(super) const FUTURE_DIR: &str = "-future";
pub(super) const STRAY_DIR: &str = "-stray";

/// `00000000000000000042.log`
pub(super) fn file(dir: &StorePath, offset: i64, extension: &str, suffix: &str) -> StorePath {
    dir.join(&format!("{}{extension}{suffix}", prefix(offset)))
}

/// `filenamePrefixFromOffset`: twenty digits, behind a sign if there is one.
pub(super) fn prefix(offset: i64) -> String {
    let sign = if offset < 0 { "-" } else { "" };
    format!("{sign}{:020}", offset.unsigned_abs())
}

/// Why a file's name gives no offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadName {
    NoDot,
    NoNumber,
}

/// `offsetFromFileName`: the number in front of the first dot, however many digits.
pub(super) fn offset_of(name: &str) -> Result<i64, BadName> {
    let (number, _) = name.split_once('.').ok_or(BadName::NoDot)?;
    java::parse_long(number).ok_or(BadName::NoNumber)
}

pub(super) fn is_index(name: &str) -> bool {
    name.ends_with(INDEX) || name.ends_with(TIME_INDEX) || name.ends_with(TXN_INDEX)
}

/// A snapshot of KRaft's metadata, as its name tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RaftSnapshot {
    /// The first offset that is not in it.
    pub end_offset: i64,
    pub epoch: i32,
    pub state: SnapshotState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum SnapshotState {
    /// Still being written.
    Partial,
    /// Marked to be deleted.
    Deleted,
    Whole,
}

/// `Snapshots.parse`: `00000000000000007209-0000000001.checkpoint`, with `.part` or `.deleted` behind it. A partial one has some
/// more digits in its name, which are passed by.
pub(super) fn raft_snapshot(name: &str) -> Option<RaftSnapshot> {
    let (plain, state) = [
        (PART, SnapshotState::Partial),
        (DELETED, SnapshotState::Deleted),
        ("", SnapshotState::Whole),
    ]
    .into_iter()
    .find_map(|(suffix, state)| Some((name.strip_suffix(suffix)?, state)))?;
    let numbers = plain.strip_suffix(RAFT_SNAPSHOT)?;
    let (offset, rest) = numbers.split_at_checked(20)?;
    let epoch = rest.strip_prefix('-')?.get(..10)?;
    Some(RaftSnapshot {
        end_offset: java::parse_long(offset)?,
        epoch: java::parse_int(epoch)?,
        state,
    })
}

/// Which partition a folder holds, and how it is marked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DirName {
    pub topic: String,
    pub partition: i32,
    pub mark: DirMark,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DirMark {
    None,
    Delete,
    Future,
    Stray,
}

/// The marks that a release knows: to the others it is a partition's name like any.
pub(super) fn marks(names: &[DirMark]) -> impl Iterator<Item = (DirMark, &'static str)> {
    [
        (DirMark::Delete, DELETE_DIR),
        (DirMark::Future, FUTURE_DIR),
        (DirMark::Stray, STRAY_DIR),
    ]
    .into_iter()
    .filter(|(mark, _)| names.contains(mark))
}

/// `parseTopicPartitionName`: `topic-7`, or `topic-7.UNIQUE-delete`.
pub(super) fn dir_name(name: &str, known: &[DirMark]) -> Option<DirName> {
    let (mark, plain) = match marks(known).find(|(_, suffix)| name.ends_with(suffix)) {
        None => (DirMark::None, name),
        Some((mark, suffix)) => {
            let marked = name.strip_suffix(suffix)?;
            let (plain, unique) = marked.rsplit_once('.')?;
            if unique.is_empty() || name.contains(char::is_whitespace) {
                return None;
            }
            (mark, plain)
        }
    };
    let (topic, partition) = plain.rsplit_once('-')?;
    if topic.is_empty() || partition.is_empty() {
        return None;
    }
    Some(DirName {
        topic: topic.to_owned(),
        partition: java::parse_int(partition)?,
        mark,
    })
}

/// What a file is, by its path in the log directory: the word of [`crate::recovery::outcome::FileFate::role`].
pub(super) fn role(path: &StorePath) -> &'static str {
    let name = path.name();
    if path.parent().as_str().is_empty() {
        return match name {
            CLEAN_SHUTDOWN_FILE => "cleanShutdown",
            RECOVERY_POINTS | LOG_START_OFFSETS | REPLICATION_OFFSETS => "checkpoint",
            META_PROPERTIES => "config",
            LOCK => "lock",
            _ => "other",
        };
    }
    let plain = [DELETED, CLEANED, SWAP]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name);
    match plain {
        LEADER_EPOCHS => "leaderEpochs",
        PARTITION_METADATA => "partitionMetadata",
        QUORUM_STATE => "quorumState",
        _ if raft_snapshot(name).is_some() => "raftSnapshot",
        _ if plain.ends_with(LOG) => "segment",
        _ if plain.ends_with(TIME_INDEX) => "timeIndex",
        _ if plain.ends_with(TXN_INDEX) => "txnIndex",
        _ if plain.ends_with(INDEX) => "index",
        _ if plain.ends_with(SNAPSHOT) => "snapshot",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [DirMark; 3] = [DirMark::Delete, DirMark::Future, DirMark::Stray];

    #[test]
    fn a_folder_names_its_partition() {
        let plain = dir_name("my-topic-7", &ALL).unwrap();
        assert_eq!((plain.topic.as_str(), plain.partition), ("my-topic", 7));
        let gone = dir_name("t-0.0123abcd-delete", &ALL).unwrap();
        assert_eq!((gone.topic.as_str(), gone.mark), ("t", DirMark::Delete));
        assert_eq!(dir_name("t-0-delete", &ALL), None, "no unique part");
        assert_eq!(dir_name("lostfound", &ALL), None);
        assert_eq!(dir_name("t-", &ALL), None);
        assert_eq!(dir_name("t-0.ab-future", &[DirMark::Delete]), None);
    }

    #[test]
    fn a_name_gives_its_offset_however_many_digits() {
        assert_eq!(offset_of("0.log"), Ok(0));
        assert_eq!(offset_of("00000000000000000042.log.swap"), Ok(42));
        assert_eq!(offset_of("abc.index"), Err(BadName::NoNumber));
        assert_eq!(prefix(42), "00000000000000000042");
    }
}
