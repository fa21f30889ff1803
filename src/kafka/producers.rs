//! `ProducerStateManager`: who has written to a partition, with which sequence numbers, and which transactions are open. It is built
//! from the newest usable snapshot and the batches behind it, and written as snapshots again.

use super::batches::{Batch, Batches, fault_thrown, small_file};
use super::format::batch::{CONTROL, TRANSACTIONAL};
use super::format::index::AbortedTxn;
use super::format::record::end_marker;
use super::format::snapshot::{self, BadSnapshot, Entry};
use super::segment::failure;
use super::{Broker, Failure, Run, Thrown, layout, rules};
use crate::decode::num::{java_int, u64_of};
use crate::facts;
use crate::recovery::Place;
use crate::store::StorePath;
use std::collections::{BTreeMap, VecDeque};

/// The last batches of a producer that are kept, to tell a repeated one.
const BATCHES_KEPT: usize = 5;
const NO_EPOCH: i16 = -1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BatchMeta {
    pub last_sequence: i32,
    pub last_offset: i64,
    pub offset_delta: i32,
    pub timestamp: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Producer {
    pub epoch: i16,
    pub coordinator_epoch: i32,
    pub last_timestamp: i64,
    pub txn_first_offset: Option<i64>,
    pub batches: VecDeque<BatchMeta>,
}

impl Producer {
    fn empty() -> Self {
        Self {
            epoch: NO_EPOCH,
            coordinator_epoch: -1,
            last_timestamp: -1,
            txn_first_offset: None,
            batches: VecDeque::new(),
        }
    }

    pub fn of(entry: &Entry) -> Self {
        let batch = BatchMeta {
            last_sequence: entry.last_sequence,
            last_offset: entry.last_offset,
            offset_delta: entry.offset_delta,
            timestamp: entry.timestamp,
        };
        Self {
            epoch: entry.epoch,
            coordinator_epoch: entry.coordinator_epoch,
            last_timestamp: entry.timestamp,
            txn_first_offset: Some(entry.current_txn_first_offset).filter(|first| *first >= 0),
            batches: (entry.last_offset >= 0)
                .then_some(batch)
                .into_iter()
                .collect(),
        }
    }

    fn set_epoch(&mut self, epoch: i16) {
        if self.epoch != epoch {
            self.batches.clear();
            self.epoch = epoch;
        }
    }

    fn add(&mut self, batch: BatchMeta) {
        if self.batches.len() == BATCHES_KEPT {
            self.batches.pop_front();
        }
        self.batches.push_back(batch);
    }

    fn update(&mut self, next: Producer) {
        self.set_epoch(next.epoch);
        for batch in next.batches {
            self.add(batch);
        }
        self.coordinator_epoch = next.coordinator_epoch;
        self.txn_first_offset = next.txn_first_offset;
        self.last_timestamp = next.last_timestamp;
    }
}

/// A transaction whose end was read.
pub(super) struct Completed {
    producer_id: i64,
    first_offset: i64,
    last_offset: i64,
    pub aborts: bool,
}

impl Completed {
    pub fn aborted(&self, last_stable_offset: i64) -> AbortedTxn {
        AbortedTxn {
            version: 0,
            producer_id: self.producer_id,
            first_offset: self.first_offset,
            last_offset: self.last_offset,
            last_stable_offset,
        }
    }
}

/// `ProducerAppendInfo`: what batches say about one producer, before it is taken over.
pub(super) struct Appended {
    producer_id: i64,
    entry: Producer,
    started: Vec<i64>,
}

impl Appended {
    pub fn append(
        &mut self,
        broker: &Broker<'_>,
        batches: &mut Batches<'_>,
        batch: &Batch,
        path: &StorePath,
    ) -> Run<Option<Completed>> {
        let header = &batch.header;
        let attributes = batch.field(path, header.attributes())?;
        let epoch = batch.field(path, header.producer_epoch())?;
        if attributes & CONTROL != 0 && broker.has(&rules::CHECK_CONTROL) {
            let read = batches.records(batch)?;
            let record = match (read.records.first(), read.fault) {
                (Some(record), _) => record,
                (None, Some(fault)) => return Err(fault_thrown(fault, path, batch.position)),
                (None, None) => return Ok(None),
            };
            let marker =
                end_marker(record).map_err(|fault| fault_thrown(fault, path, batch.position))?;
            let completed = self.entry.txn_first_offset.map(|first_offset| Completed {
                producer_id: self.producer_id,
                first_offset,
                last_offset: batch.offset,
                aborts: marker.aborts,
            });
            self.entry.set_epoch(epoch);
            self.entry.coordinator_epoch = marker.coordinator_epoch;
            self.entry.txn_first_offset = None;
            self.entry.last_timestamp = record.timestamp;
            return Ok(completed);
        }
        let last_offset = batch.last_offset(path)?;
        let timestamp = batch.max_timestamp(path)?;
        self.entry.set_epoch(epoch);
        self.entry.add(BatchMeta {
            last_sequence: batch.field(path, header.last_sequence())?,
            last_offset,
            offset_delta: java_int(last_offset.wrapping_sub(batch.offset)),
            timestamp,
        });
        self.entry.last_timestamp = timestamp;
        let is_transactional = attributes & TRANSACTIONAL != 0;
        match self.entry.txn_first_offset {
            Some(_) if !is_transactional => Err(failure(
                path,
                batch.position,
                "a batch outside of its producer's open transaction",
            )),
            None if is_transactional => {
                self.entry.txn_first_offset = Some(batch.offset);
                self.started.push(batch.offset);
                Ok(None)
            }
            _ => Ok(None),
        }
    }
}

/// A transaction by its first offset: whose, and where it ended.
type Txns = BTreeMap<i64, (i64, Option<i64>)>;

pub(super) struct Producers {
    dir: StorePath,
    /// In the order they came.
    entries: Vec<(i64, Producer)>,
    /// Slots of Java's hash table: it decides the order in which a snapshot is written.
    slots: usize,
    ongoing: Txns,
    /// Ended, but above the high watermark.
    unreplicated: Txns,
    pub snapshots: BTreeMap<i64, StorePath>,
    /// The offset that this is the state at.
    pub map_end: i64,
    snap_end: i64,
}

impl Producers {
    pub fn new(broker: &Broker<'_>, dir: &StorePath) -> Run<Self> {
        Ok(Self {
            snapshots: snapshots_in(broker, dir)?,
            ..Self::none(dir)
        })
    }

    /// Of a release that knows no producers.
    pub fn none(dir: &StorePath) -> Self {
        Self {
            dir: dir.clone(),
            entries: Vec::new(),
            slots: 16,
            ongoing: Txns::new(),
            unreplicated: Txns::new(),
            snapshots: BTreeMap::new(),
            map_end: 0,
            snap_end: 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.unreplicated.is_empty()
    }

    pub fn latest_snapshot(&self) -> Option<i64> {
        self.snapshots.keys().next_back().copied()
    }

    pub fn by_id(&self) -> BTreeMap<i64, &Producer> {
        self.entries
            .iter()
            .map(|(id, entry)| (*id, entry))
            .collect()
    }

    /// `firstUnstableOffset`: where the earliest transaction begins that is open, or ended above the high watermark.
    pub fn first_unstable(&self) -> Option<i64> {
        let first = |txns: &Txns| txns.keys().next().copied();
        match (first(&self.ongoing), first(&self.unreplicated)) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    pub fn prepare(&self, producer_id: i64) -> Appended {
        let known = self.entries.iter().find(|(id, _)| *id == producer_id);
        let entry = match known {
            Some((_, entry)) => Producer {
                batches: VecDeque::new(),
                ..entry.clone()
            },
            None => Producer::empty(),
        };
        Appended {
            producer_id,
            entry,
            started: Vec::new(),
        }
    }

    pub fn update(&mut self, appended: Appended) {
        let id = appended.producer_id;
        match self.entries.iter_mut().find(|(known, _)| *known == id) {
            Some((_, entry)) => entry.update(appended.entry),
            None => self.insert(id, appended.entry),
        }
        for first in appended.started {
            self.ongoing.insert(first, (id, None));
        }
    }

    fn insert(&mut self, id: i64, entry: Producer) {
        self.entries.push((id, entry));
        if self.entries.len() > self.slots.saturating_mul(3) / 4 {
            self.slots = self.slots.saturating_mul(2);
        }
    }

    fn put(&mut self, id: i64, entry: Producer) {
        match self.entries.iter_mut().find(|(known, _)| *known == id) {
            Some((_, there)) => *there = entry,
            None => self.insert(id, entry),
        }
    }

    pub fn last_stable_offset(&self, completed: &Completed) -> i64 {
        self.ongoing
            .iter()
            .find(|(_, (id, _))| *id != completed.producer_id)
            .map_or(completed.last_offset.wrapping_add(1), |(first, _)| *first)
    }

    pub fn complete(&mut self, completed: &Completed, path: &StorePath) -> Run {
        let Some((id, _)) = self.ongoing.remove(&completed.first_offset) else {
            return Err(failure(path, 0, "a transaction ends that was not begun"));
        };
        let ended = (id, Some(completed.last_offset));
        self.unreplicated.insert(completed.first_offset, ended);
        Ok(())
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.ongoing.clear();
        self.unreplicated.clear();
    }

    /// `truncateAndReload`: snapshots outside the log go; the state is that of the newest one left.
    pub fn truncate_and_reload(
        &mut self,
        broker: &mut Broker<'_>,
        log_start: i64,
        log_end: i64,
    ) -> Run {
        let outside: Vec<i64> = self
            .snapshots
            .keys()
            .copied()
            .filter(|offset| *offset > log_end || *offset <= log_start)
            .collect();
        for offset in outside {
            if broker.has(&rules::SNAPSHOT_OUTSIDE) {
                self.delete_snapshot(broker, offset, &rules::SNAPSHOT_OUTSIDE);
            }
        }
        if log_end != self.map_end {
            self.clear();
            self.load_snapshot(broker, log_start)
        } else {
            self.unreplicated
                .retain(|_, (_, last)| last.is_none_or(|last| last >= log_start));
            self.map_end = self.map_end.max(log_start);
            self.snap_end = self.latest_snapshot().unwrap_or(log_start);
            Ok(())
        }
    }

    fn load_snapshot(&mut self, broker: &mut Broker<'_>, log_start: i64) -> Run {
        while let Some((offset, path)) = self.snapshots.iter().next_back() {
            if !broker.has(&rules::SNAPSHOT_READ) {
                break;
            }
            let (offset, path) = (*offset, path.clone());
            let bytes = match broker.disk.find(&path) {
                Some(file) => small_file(broker.disk.reader(file))
                    .map_err(|error| error.in_file(path.as_str()))?,
                None => return Err(missing(&path)),
            };
            match snapshot::read(&bytes) {
                Ok(entries) => {
                    for entry in &entries {
                        let producer = Producer::of(entry);
                        if let Some(first) = producer.txn_first_offset {
                            self.ongoing.insert(first, (entry.producer_id, None));
                        }
                        self.put(entry.producer_id, producer);
                    }
                    self.snap_end = offset;
                    self.map_end = offset;
                    broker.step(
                        &rules::SNAPSHOT_READ,
                        Some(Place::whole(&path, u64_of(bytes.len()))),
                        facts! { path = &path, offset = offset, producers = entries.len() },
                        Vec::new(),
                    );
                    return Ok(());
                }
                Err(bad) => {
                    if !broker.has(&rules::SNAPSHOT_BAD) {
                        return Err(failure(&path, 0, "a producer snapshot that is corrupt"));
                    }
                    broker.step(
                        &rules::SNAPSHOT_BAD,
                        Some(Place::whole(&path, u64_of(bytes.len()))),
                        bad_facts(&path, bad),
                        Vec::new(),
                    );
                    self.remove(broker, offset);
                }
            }
        }
        self.snap_end = log_start;
        self.map_end = log_start;
        Ok(())
    }

    /// Forgets a snapshot and deletes its file. Whether there was one.
    fn remove(&mut self, broker: &mut Broker<'_>, offset: i64) -> bool {
        let Some(path) = self.snapshots.remove(&offset) else {
            return false;
        };
        match broker.disk.find(&path) {
            Some(file) => {
                broker.disk.delete(file);
                true
            }
            None => false,
        }
    }

    fn delete_snapshot(
        &mut self,
        broker: &mut Broker<'_>,
        offset: i64,
        rule: &'static crate::recovery::Rule,
    ) {
        let path = self.snapshots.get(&offset).cloned();
        if self.remove(broker, offset)
            && let Some(path) = path
        {
            broker.step(
                rule,
                Some(Place::whole(&path, 0)),
                facts! { path = &path, offset = offset },
                Vec::new(),
            );
        }
    }

    /// `removeAndMarkSnapshotForDeletion`: the file gets the suffix of files to be deleted; one that is gone already is passed by.
    pub fn mark_for_deletion(&mut self, broker: &mut Broker<'_>, offset: i64) {
        if let Some(path) = self.snapshots.remove(&offset)
            && let Some(file) = broker.disk.find(&path)
            && broker.has(&rules::SNAPSHOT_MARKED)
        {
            let to = StorePath::new(&format!("{path}{}", layout::DELETED));
            broker.disk.rename(file, to.clone());
            broker.step(
                &rules::SNAPSHOT_MARKED,
                Some(Place::whole(&path, 0)),
                facts! { path = &path, to = &to },
                Vec::new(),
            );
        }
    }

    /// `truncateFullyAndStartAt`
    pub fn start_at(&mut self, broker: &mut Broker<'_>, offset: i64) {
        self.clear();
        let all: Vec<i64> = self.snapshots.keys().copied().collect();
        for offset in all {
            self.delete_snapshot(broker, offset, &rules::SNAPSHOT_OUTSIDE);
        }
        self.snap_end = 0;
        self.map_end = offset;
    }

    /// `takeSnapshot`: only at an offset above the last one's. A file that stands there is written over, not shortened.
    pub fn take_snapshot(&mut self, broker: &mut Broker<'_>) -> Run {
        if self.map_end <= self.snap_end || !broker.has(&rules::SNAPSHOT_WRITTEN) {
            return Ok(());
        }
        let path = layout::file(&self.dir, self.map_end, layout::SNAPSHOT, "");
        let bytes = snapshot::write(&self.in_table_order());
        let length = u64_of(bytes.len());
        let file = match broker.disk.find(&path) {
            Some(file) => file,
            None => broker.disk.create(path.clone(), length),
        };
        broker.disk.extend(file, length);
        broker.disk.write(file, 0, &bytes)?;
        broker.step(
            &rules::SNAPSHOT_WRITTEN,
            Some(Place::whole(&path, length)),
            facts! { path = &path, offset = self.map_end, producers = self.entries.len() },
            Vec::new(),
        );
        self.snapshots.insert(self.map_end, path);
        self.snap_end = self.map_end;
        Ok(())
    }

    /// The entries in the order of Java's hash table, by which a snapshot lists them.
    fn in_table_order(&self) -> Vec<Entry> {
        let mut entries: Vec<(u32, Entry)> = self
            .entries
            .iter()
            .map(|(id, entry)| {
                let last = entry.batches.back();
                let written = Entry {
                    producer_id: *id,
                    epoch: entry.epoch,
                    last_sequence: last.map_or(-1, |batch| batch.last_sequence),
                    last_offset: last.map_or(-1, |batch| batch.last_offset),
                    offset_delta: last.map_or(0, |batch| batch.offset_delta),
                    timestamp: entry.last_timestamp,
                    coordinator_epoch: entry.coordinator_epoch,
                    current_txn_first_offset: entry.txn_first_offset.unwrap_or(-1),
                };
                (self.slot(*id), written)
            })
            .collect();
        entries.sort_by_key(|(slot, _)| *slot);
        entries.into_iter().map(|(_, entry)| entry).collect()
    }

    fn slot(&self, id: i64) -> u32 {
        let bits = id.cast_unsigned();
        let hash = java_int((bits ^ (bits >> 32)).cast_signed()).cast_unsigned();
        let spread = hash ^ (hash >> 16);
        let slots = u32::try_from(self.slots).unwrap_or(u32::MAX);
        spread & slots.saturating_sub(1)
    }

    /// `removeStraySnapshots`: of those that begin no segment only the newest stays, if it is newer than every segment.
    pub fn remove_stray(&mut self, broker: &mut Broker<'_>, bases: &[i64]) -> Run {
        self.snapshots = snapshots_in(broker, &self.dir.clone())?;
        if !broker.has(&rules::SNAPSHOT_STRAY) {
            return Ok(());
        }
        let all: Vec<i64> = self.snapshots.keys().copied().collect();
        let mut latest = None;
        for offset in all {
            if bases.contains(&offset) {
                continue;
            }
            if let Some(earlier) = latest {
                self.delete_snapshot(broker, earlier, &rules::SNAPSHOT_STRAY);
            }
            latest = Some(offset);
        }
        if let (Some(stray), Some(last)) = (latest, bases.iter().max())
            && stray < *last
        {
            self.delete_snapshot(broker, stray, &rules::SNAPSHOT_STRAY);
        }
        Ok(())
    }
}

fn snapshots_in(broker: &Broker<'_>, dir: &StorePath) -> Run<BTreeMap<i64, StorePath>> {
    let mut snapshots = BTreeMap::new();
    for name in broker.disk.names_in(dir) {
        if name.ends_with(layout::SNAPSHOT) {
            let path = dir.join(&name);
            let offset = layout::offset_of(&name).map_err(|_| super::bad_name(&path))?;
            snapshots.insert(offset, path);
        }
    }
    Ok(snapshots)
}

/// A snapshot that is known and gone: reading it is an `IOException`.
fn missing(path: &StorePath) -> Thrown {
    Thrown::Io(Failure {
        rule: &rules::LOAD_THROWS,
        place: Some(Place::missing(path)),
        facts: facts! { path = path, at = 0, why = "a producer snapshot that is gone" },
    })
}

fn bad_facts(path: &StorePath, bad: BadSnapshot) -> crate::recovery::Facts {
    let mut facts = facts! { path = path };
    match bad {
        BadSnapshot::Cut => {
            facts.insert("why".into(), "cut".into());
        }
        BadSnapshot::Version { found } => {
            facts.insert("why".into(), "version".into());
            facts.insert("found".into(), i64::from(found).into());
        }
        BadSnapshot::Crc { stored, computed } => {
            facts.insert("why".into(), "crc".into());
            facts.insert("stored".into(), stored.into());
            facts.insert("computed".into(), computed.into());
        }
    }
    facts
}
