//! The broker's state under the names of the real brokers' dumps: what the tests compare.

use super::format::batch::decrement_sequence;
use super::format::snapshot;
use super::layout::{self, DirMark};
use super::load_log::Log;
use super::log_dir::Read;
use super::producers::Producer;
use super::segment::Segment;
use super::{Broker, Run, Thrown, batches};
use crate::recovery::outcome::{End, EndKind};
use crate::store::overlay::Overlay;
use crate::store::{ReadAt, StorePath};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What is seen on the way and is gone afterwards.
#[derive(Default)]
pub(super) struct Seen {
    /// `.kafka_cleanshutdown`, if it was there.
    pub flag: Option<Rc<dyn ReadAt>>,
    pub recovery_points: Read,
    pub log_starts: Read,
    walks: BTreeMap<StorePath, (Vec<i64>, Vec<i64>)>,
}

impl Seen {
    pub fn note_walk(&mut self, dir: &StorePath, recovered: &[i64], rebuilt: &[i64]) {
        self.walks
            .insert(dir.clone(), (recovered.to_vec(), rebuilt.to_vec()));
    }

    /// Whether a segment was read batch by batch.
    pub fn was_walked(&self, dir: &StorePath, base: i64) -> bool {
        self.walks.get(dir).is_some_and(|(recovered, rebuilt)| {
            recovered.contains(&base) || rebuilt.contains(&base)
        })
    }

    pub fn unwalked_bytes(&self, broker: &Broker<'_>) -> u64 {
        let segments = broker.logs.iter().flat_map(|log| {
            log.segments
                .values()
                .filter(|segment| !self.was_walked(&log.dir, segment.base_offset))
        });
        segments.fold(0, |sum, segment| sum.saturating_add(segment.size))
    }
}

/// Bytes of a whole file; for the state alone, which tests ask for.
fn whole(file: &dyn ReadAt) -> Vec<u8> {
    batches::small_file(file).unwrap_or_default()
}

fn size_and_crc(file: &dyn ReadAt) -> Value {
    let bytes = whole(file);
    json!([bytes.len(), crc32fast::hash(&bytes)])
}

/// How a file changed, in the oracle's words; `None`: it did not.
fn change(before: Option<&dyn ReadAt>, after: Option<&dyn ReadAt>) -> Option<&'static str> {
    let (Some(before), Some(after)) = (before, after) else {
        return match (before, after) {
            (None, Some(_)) => Some("created"),
            (Some(_), None) => Some("deleted"),
            _ => None,
        };
    };
    let (before, after) = (whole(before), whole(after));
    if before == after {
        return None;
    }
    let shorter = before.len().min(after.len());
    let is_prefix = before.get(..shorter) == after.get(..shorter);
    let is_cut = before.len() > after.len();
    let longer = if is_cut { &before } else { &after };
    let is_zeros = longer
        .get(shorter..)
        .is_some_and(|rest| rest.iter().all(|byte| *byte == 0));
    Some(match (is_prefix, is_cut, is_zeros) {
        (false, _, _) => "rewritten",
        (true, true, true) => "padding-cut",
        (true, true, false) => "truncated",
        (true, false, true) => "padded",
        (true, false, false) => "appended",
    })
}

/// The files directly in a folder.
type Files = BTreeMap<String, Rc<dyn ReadAt>>;

fn files_of(disk: &Overlay, dir: &StorePath) -> Files {
    disk.names_in(dir)
        .into_iter()
        .filter_map(|name| {
            let file = disk.find(&dir.join(&name))?;
            Some((name, disk.shared(file)))
        })
        .collect()
}

fn producer(id: i64, producer: &Producer) -> Value {
    let batches: Vec<Value> = producer
        .batches
        .iter()
        .map(|batch| {
            let delta = i64::from(batch.offset_delta);
            json!([
                decrement_sequence(batch.last_sequence, batch.offset_delta),
                batch.last_sequence,
                batch.last_offset.wrapping_sub(delta),
                batch.last_offset,
                batch.timestamp
            ])
        })
        .collect();
    json!({
        "producerId": id,
        "epoch": producer.epoch,
        "coordinatorEpoch": producer.coordinator_epoch,
        "lastTimestamp": producer.last_timestamp,
        "currentTxnFirstOffset": producer.txn_first_offset,
        "batches": batches,
    })
}

fn snapshot_tree(file: &dyn ReadAt) -> Value {
    match snapshot::read(&whole(file)) {
        Ok(entries) => {
            let by_id: BTreeMap<i64, Value> = entries
                .iter()
                .map(|entry| {
                    (
                        entry.producer_id,
                        producer(entry.producer_id, &Producer::of(entry)),
                    )
                })
                .collect();
            by_id.into_values().collect()
        }
        Err(bad) => json!({"error": format!("{bad:?}")}),
    }
}

fn checkpoint_tree(read: &Read) -> Value {
    match (&read.offsets, read.was_there) {
        (_, false) => Value::Null,
        (Some(offsets), true) => json!(offsets),
        (None, true) => json!({"error": "unreadable"}),
    }
}

/// A value, or that Kafka's class could not give one.
fn safe(value: Run<Value>) -> Value {
    match value {
        Ok(value) => value,
        Err(Thrown::Read(error)) => json!({"error": error.to_string()}),
        Err(_) => json!({"error": "exception"}),
    }
}

impl Broker<'_> {
    /// The state straight after loading.
    pub(super) fn state_tree(&mut self, end: &End) -> Value {
        let result = match (&end.kind, &self.offline) {
            (EndKind::Started, _) => "ok",
            (_, Some(offline)) if end.rule.as_deref() == Some(offline.rule.id) => "offline",
            _ => "exception",
        };
        let root = StorePath::new("");
        let flag = self.seen.flag.as_ref().map(|file| {
            let bytes = whole(&**file);
            bytes.into_iter().map(char::from).collect::<String>()
        });
        let mut tree = Map::new();
        let mut put = |key: &str, value: Value| tree.insert(key.to_owned(), value);
        put("cleanShutdown", self.seen.flag.is_some().into());
        put("cleanShutdownFile", json!(flag));
        put(
            "recoveryPoints",
            checkpoint_tree(&self.seen.recovery_points),
        );
        put("logStartOffsets", checkpoint_tree(&self.seen.log_starts));
        put("result", result.into());
        if result == "exception" {
            put("exception", json!([{"rule": end.rule}]));
        }
        let states = self.log_trees(result == "exception");
        let dirs: BTreeSet<String> = self
            .store
            .list(&root)
            .unwrap_or_default()
            .into_iter()
            .filter(|entry| entry.is_dir)
            .map(|entry| entry.name)
            .collect();
        let partitions: Vec<Value> = dirs
            .iter()
            .map(|dir| self.partition_tree(&root.join(dir), states.get(dir)))
            .collect();
        put("partitions", partitions.into());
        let root_files: Map<String, Value> = files_of(&self.disk, &root)
            .into_iter()
            .filter(|(name, _)| name != layout::LOCK)
            .map(|(name, file)| (name, size_and_crc(&*file)))
            .collect();
        put("rootAfter", root_files.into());
        Value::Object(tree)
    }

    /// The state of every log that is in use. Asking it maps indexes that nothing else has mapped yet, so it is asked of a copy.
    fn log_trees(&mut self, failed: bool) -> BTreeMap<String, Value> {
        let mut trees = BTreeMap::new();
        if failed {
            return trees;
        }
        let disk = self.disk.clone();
        let logs = std::mem::take(&mut self.logs);
        for log in &logs {
            if !matches!(log.name.mark, DirMark::Delete | DirMark::Stray) {
                trees.insert(log.dir.as_str().to_owned(), self.log_tree(log));
            }
        }
        self.logs = logs;
        self.disk = disk;
        trees
    }

    fn log_tree(&mut self, log: &Log) -> Value {
        let segments: Vec<Value> = log
            .segments
            .values()
            .map(|segment| self.segment_tree(segment.clone()))
            .collect();
        let epochs: Vec<Value> = log
            .epochs
            .entries
            .iter()
            .map(|(epoch, start)| json!([epoch, start]))
            .collect();
        let producers: Vec<Value> = log
            .producers
            .by_id()
            .into_iter()
            .map(|(id, entry)| producer(id, entry))
            .collect();
        let mut tree = json!({
            "logStartOffset": log.log_start,
            "logEndOffset": log.log_end,
            "recoveryPoint": log.recovery_point,
            "firstUnstableOffset": log.first_unstable,
            "localLogStartOffset": log.log_start,
            "topicId": log.topic_id,
            "segments": segments,
            "leaderEpochs": epochs,
            "producerMapEndOffset": log.producers.map_end,
            "producers": producers,
        });
        if !self.policy.has_local_log_start
            && let Value::Object(members) = &mut tree
        {
            members.remove("localLogStartOffset");
            let none = "AAAAAAAAAAAAAAAAAAAAAA";
            let id = log.topic_id.as_deref().unwrap_or(none);
            members.insert("topicId".to_owned(), id.into());
        }
        tree
    }

    fn segment_tree(&mut self, mut segment: Segment) -> Value {
        let next = segment.read_next_offset(self).map(Value::from);
        let timestamp = segment
            .max_timestamp(self)
            .map(|(timestamp, _)| timestamp.into());
        // The old ones give entries as they stand in the file.
        let base = match self.policy.old {
            Some(_) => segment.base_offset,
            None => 0,
        };
        let pairs = |entries: Vec<(i64, i64)>| {
            entries
                .into_iter()
                .map(|(key, value)| json!([key, value]))
                .collect::<Value>()
        };
        let index = match segment.offset_index.get(&mut self.disk) {
            Ok(index) => index
                .clone()
                .all(&self.disk)
                .map(|all| {
                    pairs(
                        all.into_iter()
                            .map(|(a, b)| (a.wrapping_sub(base), b))
                            .collect(),
                    )
                })
                .map_err(Thrown::from),
            Err(thrown) => Err(thrown),
        };
        let times = match segment.time_index.get(&mut self.disk) {
            Ok(index) => index
                .clone()
                .all(&self.disk)
                .map(|all| {
                    pairs(
                        all.into_iter()
                            .map(|(a, b)| (a, b.wrapping_sub(base)))
                            .collect(),
                    )
                })
                .map_err(Thrown::from),
            Err(thrown) => Err(thrown),
        };
        let aborted = segment.txn_index.all(&self.disk).map(|all| {
            all.iter()
                .map(|txn| {
                    json!([
                        txn.producer_id,
                        txn.first_offset,
                        txn.last_offset,
                        txn.last_stable_offset
                    ])
                })
                .collect::<Value>()
        });
        json!({
            "baseOffset": segment.base_offset,
            "size": segment.size,
            "nextOffset": safe(next),
            "maxTimestamp": safe(timestamp),
            "index": safe(index),
            "timeindex": safe(times),
            "abortedTxns": safe(aborted),
        })
    }

    fn partition_tree(&self, dir: &StorePath, state: Option<&Value>) -> Value {
        let before = files_of(&Overlay::over(self.store), dir);
        let after = files_of(&self.disk, dir);
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        let mut changes = Map::new();
        let mut fates = Vec::new();
        for name in names {
            let was = before.get(name).map(|file| &**file);
            let is = after.get(name).map(|file| &**file);
            let how = change(was, is);
            if let Some(how) = how {
                changes.insert(name.clone(), how.into());
            }
            if name.ends_with(layout::LOG) {
                let is_renamed =
                    is.is_none() && after.contains_key(&format!("{name}{}", layout::DELETED));
                let (size, left) = (was.map(ReadAt::size), is.map(ReadAt::size));
                fates.push(json!({
                    "log": name,
                    "before": size,
                    "after": left,
                    "truncated": size.unwrap_or(0).saturating_sub(left.unwrap_or(0)),
                    "fate": match how {
                        _ if is_renamed => "renamed-deleted",
                        None => "kept",
                        Some("padding-cut") => "truncated",
                        Some(how) => how,
                    },
                }));
            }
        }
        let files: Map<String, Value> = after
            .iter()
            .map(|(name, file)| (name.clone(), size_and_crc(&**file)))
            .collect();
        let snapshots: Map<String, Value> = after
            .iter()
            .filter(|(name, _)| name.ends_with(layout::SNAPSHOT))
            .map(|(name, file)| (name.clone(), snapshot_tree(&**file)))
            .collect();
        let (recovered, rebuilt) = self.walks_told_under(dir);
        let point = self
            .seen
            .recovery_points
            .offsets
            .as_ref()
            .and_then(|offsets| offsets.get(dir.as_str()))
            .copied()
            .unwrap_or(0);
        let mut tree = json!({
            "dir": dir.as_str(),
            "loaded": state.is_some(),
            "recoveryPointUsed": point,
            "segmentFates": fates,
            "changes": changes,
            "recoveredSegments": recovered,
            "rebuiltSegments": rebuilt,
            "filesAfter": files,
            "snapshots": snapshots,
        });
        if let (Some(state), Value::Object(members)) = (state, &mut tree) {
            members.insert("state".to_owned(), state.clone());
        }
        tree
    }

    /// The lines of a walk name the partition, not its folder: those of a `-future` folder are told under the partition's name.
    fn walks_told_under(&self, dir: &StorePath) -> (Vec<i64>, Vec<i64>) {
        let mut recovered = Vec::new();
        let mut rebuilt = Vec::new();
        for (walked, (walk, indexes)) in &self.seen.walks {
            let marks = [DirMark::Delete, DirMark::Future, DirMark::Stray];
            let named = layout::dir_name(walked.as_str(), &marks)
                .map(|name| format!("{}-{}", name.topic, name.partition));
            if named.as_deref() == Some(dir.as_str()) {
                recovered.extend(walk);
            }
            if walked == dir {
                rebuilt.extend(indexes);
            }
        }
        (recovered, rebuilt)
    }

    /// After a clean stop at once: the checkpoints, the flag, and what changed in the partitions.
    pub(super) fn closed_tree(&self, loaded: &Overlay, closed: &Run) -> Value {
        let root = StorePath::new("");
        let text = |name: &str| {
            let file = self.disk.find(&root.join(name))?;
            Some(whole(self.disk.reader(file)))
        };
        let flag = text(layout::CLEAN_SHUTDOWN_FILE)
            .map(|bytes| bytes.into_iter().map(char::from).collect::<String>());
        let offsets = |name: &str| {
            text(name).map(|bytes| {
                let read = super::format::checkpoint::entries(
                    &bytes,
                    super::format::checkpoint::offset_entry,
                );
                read.unwrap_or_default()
                    .into_iter()
                    .map(|(topic, partition, offset)| {
                        (format!("{topic}-{partition}"), offset.into())
                    })
                    .collect::<Map<String, Value>>()
            })
        };
        let mut changes = Map::new();
        for entry in self.store.list(&root).unwrap_or_default() {
            let dir = root.join(&entry.name);
            if !entry.is_dir {
                continue;
            }
            let (before, after) = (files_of(loaded, &dir), files_of(&self.disk, &dir));
            let changed: Map<String, Value> = after
                .iter()
                .filter_map(|(name, file)| {
                    let was = before.get(name).map(|file| &**file);
                    let how = change(was, Some(&**file))?;
                    let bytes = whole(&**file);
                    Some((
                        name.clone(),
                        json!([how, bytes.len(), crc32fast::hash(&bytes)]),
                    ))
                })
                .collect();
            if !changed.is_empty() {
                changes.insert(entry.name, changed.into());
            }
        }
        let mut tree = json!({
            "result": if closed.is_ok() { "ok" } else { "exception" },
            "cleanShutdownFile": flag,
            "recoveryPoints": offsets(layout::RECOVERY_POINTS),
            "changes": changes,
        });
        if let Value::Object(members) = &mut tree {
            let starts = json!(offsets(layout::LOG_START_OFFSETS));
            members.insert("logStartOffsets".to_owned(), starts);
        }
        tree
    }
}
