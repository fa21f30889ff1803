//! `LogSegment`: a log file with its indexes; finding offsets in it, checking it, cutting it.

use super::batches::{Batch, Batches, Reading, position_after};
use super::epochs::LeaderEpochs;
use super::index::{Kind, LazyIndex, TxnIndex, position_of, relative_offset};
use super::layout;
use super::producers::Producers;
use super::{Broker, Failure, Run, Thrown, rules};
use crate::decode::num::{long_of, pos_of};
use crate::facts;
use crate::recovery::Place;
use crate::recovery::trace::Change;
use crate::store::StorePath;
use crate::store::overlay::FileNo;

/// What a topic's settings say about its segments.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentConfig {
    pub index_interval_bytes: i64,
    pub segment_index_bytes: u64,
    /// `segment.bytes` where new files are made at full size (`preallocate`).
    pub preallocated: Option<u64>,
    /// Of releases that compare with it.
    pub largest_message: Option<i32>,
}

#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub dir: StorePath,
    pub base_offset: i64,
    suffix: &'static str,
    pub log: FileNo,
    pub size: u64,
    pub offset_index: LazyIndex,
    pub time_index: LazyIndex,
    pub txn_index: TxnIndex,
    config: SegmentConfig,
    /// `(timestamp, offset)`; `None`: not asked yet.
    max_timestamp: Option<(i64, i64)>,
    bytes_since_last_index_entry: i64,
}

/// What a check of a segment found.
pub(super) struct Checked {
    /// Bytes cut off behind the last good batch.
    pub truncated: u64,
}

/// What the batches of a checked stretch were in sum.
#[derive(Default)]
struct Stretch {
    from: u64,
    batches: u64,
    records: Option<u64>,
    first: Option<i64>,
    last: i64,
}

/// A step for so many bytes of good batches.
const STEP_BYTES: u64 = 64 << 20;

impl Segment {
    /// Opens a segment's files, making the log file if it is missing. Its indexes wait until they are asked.
    pub fn open(
        broker: &mut Broker<'_>,
        dir: &StorePath,
        base_offset: i64,
        config: SegmentConfig,
        suffix: &'static str,
    ) -> Self {
        let path = |extension| layout::file(dir, base_offset, extension, suffix);
        let log_path = path(layout::LOG);
        let log = match broker.disk.find(&log_path) {
            Some(file) => file,
            None => broker
                .disk
                .create(log_path, config.preallocated.unwrap_or(0)),
        };
        // A preallocated file that was just made is empty to its segment.
        let size = match broker.disk.size_before(log) {
            None if config.preallocated.is_some() && suffix.is_empty() => 0,
            _ => broker.disk.size(log),
        };
        let max = config.segment_index_bytes;
        let is_old = broker.policy.old.is_some();
        Self {
            offset_index: LazyIndex::new(
                path(layout::INDEX),
                Kind::Offset,
                base_offset,
                max,
                is_old,
            ),
            time_index: LazyIndex::new(
                path(layout::TIME_INDEX),
                Kind::Time,
                base_offset,
                max,
                is_old,
            ),
            txn_index: TxnIndex::open(&broker.disk, path(layout::TXN_INDEX), base_offset),
            dir: dir.clone(),
            base_offset,
            suffix,
            log,
            size,
            config,
            max_timestamp: None,
            bytes_since_last_index_entry: 0,
        }
    }

    pub fn path(&self) -> StorePath {
        layout::file(&self.dir, self.base_offset, layout::LOG, self.suffix)
    }

    pub fn max_timestamp(&mut self, broker: &mut Broker<'_>) -> Run<(i64, i64)> {
        if let Some(known) = self.max_timestamp {
            return Ok(known);
        }
        let last = self.time_index.get(&mut broker.disk)?.last;
        self.max_timestamp = Some(last);
        Ok(last)
    }

    /// `translateOffset`: where the first batch is that reaches an offset.
    pub fn translate_offset(&mut self, broker: &mut Broker<'_>, offset: i64) -> Run<Option<Batch>> {
        let index = self.offset_index.get(&mut broker.disk)?.clone();
        let entry = index.lookup(&broker.disk, offset)?;
        let path = self.path();
        let from = position_of(entry);
        let file = broker.disk.shared(self.log);
        let mut batches =
            Batches::look(&*file, &path, from, self.size).read_as(broker.policy.reading());
        if broker.policy.searches_by_base {
            return search_by_base(&mut batches, &path, offset);
        }
        if broker.policy.reading() == Reading::MessagesToTheFirstShort {
            return search_by_header(&mut batches, &path, offset, self.size);
        }
        while let Some(batch) = batches.next()? {
            if batch.last_offset(&path)? >= offset {
                return Ok(Some(batch));
            }
        }
        Ok(None)
    }

    /// The offset that a read of an offset comes to, if this segment has any for it.
    pub fn offset_read_at(&mut self, broker: &mut Broker<'_>, offset: i64) -> Run<Option<i64>> {
        let Some(batch) = self.translate_offset(broker, offset)? else {
            return Ok(None);
        };
        if !broker.policy.searches_by_base {
            return Ok(Some(offset));
        }
        let path = self.path();
        let file = broker.disk.shared(self.log);
        let mut batches = Batches::look(&*file, &path, batch.position, self.size);
        batches.base_offset(&batch).map(Some)
    }

    /// `read`: the stretch of the file from an offset up to a position, as `(start, end)`.
    pub fn read(
        &mut self,
        broker: &mut Broker<'_>,
        offset: i64,
        max_size: u64,
        max_position: u64,
    ) -> Run<Option<(u64, u64)>> {
        let Some(batch) = self.translate_offset(broker, offset)? else {
            return Ok(None);
        };
        let start = batch.position;
        if max_size == 0 {
            return Ok(Some((start, start)));
        }
        let size = max_position
            .checked_sub(start)
            .ok_or_else(|| failure(&self.path(), start, "a stretch that ends before it begins"))?;
        let end = start.saturating_add(size.min(max_size)).min(self.size);
        Ok(Some((start, end)))
    }

    /// `readNextOffset`: one more than the last batch's last offset, looked for from the last index entry on.
    pub fn read_next_offset(&mut self, broker: &mut Broker<'_>) -> Run<i64> {
        let from = self.offset_index.get(&mut broker.disk)?.last.0;
        let size = self.size;
        let Some((start, end)) = self.read(broker, from, size, size)? else {
            return Ok(self.base_offset);
        };
        let path = self.path();
        let file = broker.disk.shared(self.log);
        let mut batches = Batches::look(&*file, &path, start, end).read_as(broker.policy.reading());
        let mut last = None;
        while let Some(batch) = batches.next()? {
            last = Some(batch);
        }
        match last {
            Some(batch) => Ok(batch.last_offset(&path)?.wrapping_add(1)),
            None => Ok(self.base_offset),
        }
    }

    fn ensure_in_range(&self, offset: i64) -> Run {
        match relative_offset(self.base_offset, offset) {
            Some(_) => Ok(()),
            None => Err(Thrown::Overflow {
                segment: self.base_offset,
                offset,
            }),
        }
    }

    /// `LogSegment.recover`: reads every batch, builds the indexes anew, and cuts off what follows the last good one.
    pub fn recover(
        &mut self,
        broker: &mut Broker<'_>,
        producers: &mut Producers,
        mut epochs: Option<&mut LeaderEpochs>,
    ) -> Run<Checked> {
        let has_times = broker.policy.has_time_index();
        let mut entries = (self.offset_index.get(&mut broker.disk)?.entries, 0);
        self.offset_index
            .get(&mut broker.disk)?
            .reset(&mut broker.disk)?;
        if has_times {
            entries.1 = self.time_index.get(&mut broker.disk)?.entries;
            self.time_index
                .get(&mut broker.disk)?
                .reset(&mut broker.disk)?;
        }
        self.txn_index.reset(&mut broker.disk);
        self.max_timestamp = None;
        let mut valid = 0;
        let stopped = self.check_batches(broker, producers, &mut epochs, &mut valid);
        match stopped {
            Ok(()) => {}
            Err(Thrown::Corrupt(found)) if broker.has(found.rule) => broker.note(found),
            // Without the row, what was found is no reason to stop: all bytes count as good.
            Err(Thrown::Corrupt(_)) => valid = self.size,
            Err(other) => return Err(other),
        }
        let truncated = self.size.saturating_sub(valid);
        if truncated > 0 && broker.has(&rules::SEGMENT_CUT) {
            self.cut(broker, valid);
        }
        self.offset_index
            .get(&mut broker.disk)?
            .trim(&mut broker.disk)?;
        if broker.policy.has_time_index() {
            let (timestamp, offset) = self.max_timestamp(broker)?;
            let index = self.time_index.get(&mut broker.disk)?;
            if broker.without.as_deref() != Some(rules::TIME_INDEX_LAST.id) {
                index.maybe_append(&mut broker.disk, timestamp, offset, true)?;
            }
            index.trim(&mut broker.disk)?;
        }
        self.tell_rebuilt(broker, entries)?;
        Ok(Checked { truncated })
    }

    fn check_batches(
        &mut self,
        broker: &mut Broker<'_>,
        producers: &mut Producers,
        epochs: &mut Option<&mut LeaderEpochs>,
        valid: &mut u64,
    ) -> Run {
        let path = self.path();
        let file = broker.disk.shared(self.log);
        let mut batches = Batches::new(&*file, &path, 0, self.size)
            .with_largest(self.config.largest_message)
            .read_as(broker.policy.reading());
        let mut last_index_entry = 0u64;
        let mut stretch = Stretch::default();
        let interval = self.config.index_interval_bytes;
        let ended = loop {
            let batch = match batches.next() {
                Ok(Some(batch)) => batch,
                Ok(None) => break Ok(()),
                Err(thrown) => break Err(thrown),
            };
            if let Err(thrown) = batches.ensure_valid(&batch) {
                break Err(thrown);
            }
            let last = match batch.last_offset(&path) {
                Ok(last) => last,
                Err(thrown) => break Err(thrown),
            };
            let is_old = broker.policy.old.is_some();
            if let Err(thrown) = self.ensure_in_range(last)
                && !is_old
            {
                break Err(thrown);
            }
            if !broker.has(&rules::BATCHES_GOOD) {
                break Ok(());
            }
            let has_times = broker.policy.has_time_index();
            if has_times {
                let timestamp = batch.max_timestamp(&path)?;
                if timestamp > self.max_timestamp(broker)?.0 {
                    self.max_timestamp = Some((timestamp, last));
                }
            }
            if long_of(valid.saturating_sub(last_index_entry)) > interval
                && broker.has(&rules::INDEX_REBUILT)
            {
                // The old ones index a batch by its first offset, which takes unpacking a wrapper.
                let indexed = match is_old.then(|| batches.base_offset(&batch)) {
                    None => last,
                    Some(Ok(first)) => first,
                    Some(Err(thrown)) => break Err(thrown),
                };
                let index = self.offset_index.get(&mut broker.disk)?;
                if let Err(thrown) = index.append(&mut broker.disk, indexed, *valid) {
                    break Err(thrown);
                }
                if has_times && let Err(thrown) = self.append_time(broker) {
                    break Err(thrown);
                }
                last_index_entry = *valid;
            }
            *valid = position_after(&batch);
            stretch.take(&batch, last);
            if batch.is_v2() {
                let epoch = batch.header.leader_epoch().unwrap_or(-1);
                if let Some(epochs) = epochs
                    && epoch >= 0
                    && epochs.latest().is_none_or(|latest| epoch > latest)
                {
                    epochs.assign_and_write(broker, epoch, batch.offset)?;
                }
                if let Err(thrown) = self.update_producers(broker, producers, &mut batches, &batch)
                {
                    break Err(thrown);
                }
            }
            if valid.saturating_sub(stretch.from) >= STEP_BYTES {
                self.tell_stretch(broker, &mut stretch, *valid);
            }
        };
        self.tell_stretch(broker, &mut stretch, *valid);
        ended
    }

    fn append_time(&mut self, broker: &mut Broker<'_>) -> Run {
        let (timestamp, offset) = self.max_timestamp(broker)?;
        let index = self.time_index.get(&mut broker.disk)?;
        index.maybe_append(&mut broker.disk, timestamp, offset, false)
    }

    /// Releases that map the indexes of a segment as soon as they open it.
    pub fn map_indexes(&mut self, broker: &mut Broker<'_>) -> Run {
        self.offset_index.get(&mut broker.disk)?;
        if broker.policy.has_time_index() {
            self.time_index.get(&mut broker.disk)?;
        }
        Ok(())
    }

    fn tell_stretch(&self, broker: &mut Broker<'_>, stretch: &mut Stretch, to: u64) {
        let path = self.path();
        let bytes = to.saturating_sub(stretch.from);
        if stretch.batches > 0 {
            let mut changes = Vec::new();
            if let Some(axis) = broker.map.axis(&path) {
                changes.push(Change::Verified {
                    from: axis.saturating_add(long_of(stretch.from)),
                    to: axis.saturating_add(long_of(to)),
                    messages: stretch.records.unwrap_or(stretch.batches),
                });
            }
            let facts = facts! {
                path = &path,
                bytes = bytes,
                batches = stretch.batches,
                first = stretch.first.unwrap_or(self.base_offset),
                last = stretch.last,
            };
            let place = Place::before(&path, stretch.from, bytes);
            broker.step(&rules::BATCHES_GOOD, Some(place), facts, changes);
            broker.progress(bytes);
        }
        *stretch = Stretch {
            from: to,
            ..Stretch::default()
        };
    }

    fn tell_rebuilt(&mut self, broker: &mut Broker<'_>, before: (u64, u64)) -> Run {
        let offset_entries = self.offset_index.get(&mut broker.disk)?.entries;
        let has_times = broker.policy.has_time_index();
        let time_entries = match has_times {
            true => self.time_index.get(&mut broker.disk)?.entries,
            false => 0,
        };
        broker.counts.index_entries_rebuilt = broker
            .counts
            .index_entries_rebuilt
            .saturating_add(offset_entries)
            .saturating_add(time_entries);
        let path = self.offset_index.path.clone();
        let facts = facts! {
            path = &path,
            entries = offset_entries,
            times = time_entries,
            before = before.0,
            times_before = before.1,
        };
        broker.step(
            &rules::INDEX_REBUILT,
            Some(Place::before(&path, 0, 0)),
            facts,
            Vec::new(),
        );
        let path = self.time_index.path.clone();
        let (timestamp, offset) = match has_times {
            true => self.max_timestamp(broker)?,
            false => (-1, -1),
        };
        if timestamp >= 0 {
            broker.step(
                &rules::TIME_INDEX_LAST,
                Some(Place::before(&path, 0, 0)),
                facts! { path = &path, time = timestamp, offset = offset },
                Vec::new(),
            );
        }
        Ok(())
    }

    /// Cuts the log file.
    fn cut(&mut self, broker: &mut Broker<'_>, to: u64) {
        let path = self.path();
        let from = self.size;
        broker.disk.set_size(self.log, to);
        self.size = to;
        let mut changes = Vec::new();
        if let Some(file) = broker.map.file(&path) {
            changes.push(Change::Wrote { file, from, to });
        }
        let bytes = from.saturating_sub(to);
        broker.step(
            &rules::SEGMENT_CUT,
            Some(Place::before(&path, to, bytes)),
            facts! { path = &path, from = from, to = to, bytes = bytes },
            changes,
        );
    }

    /// `updateProducerState`: what a good batch says about its producer, and the end of a transaction.
    fn update_producers(
        &mut self,
        broker: &mut Broker<'_>,
        producers: &mut Producers,
        batches: &mut Batches<'_>,
        batch: &Batch,
    ) -> Run {
        let path = self.path();
        if batch.header.producer_id().unwrap_or(-1) > -1 {
            let mut appended = producers.prepare(batch.header.producer_id().unwrap_or(-1));
            let completed = appended.append(broker, batches, batch, &path)?;
            producers.update(appended);
            if let Some(completed) = completed {
                let stable = producers.last_stable_offset(&completed);
                if broker.holds(&rules::TXN_INDEX_REBUILT, completed.aborts) {
                    let txn = completed.aborted(stable);
                    self.txn_index.append(&mut broker.disk, txn)?;
                    let facts = facts! {
                        path = &self.txn_index.path,
                        producer = txn.producer_id,
                        first = txn.first_offset,
                        last = txn.last_offset,
                    };
                    let place = Place::before(&path, batch.position, batch.size);
                    broker.step(&rules::TXN_INDEX_REBUILT, Some(place), facts, Vec::new());
                }
                producers.complete(&completed, &path)?;
            }
        }
        producers.map_end = batch.last_offset(&path)?.wrapping_add(1);
        Ok(())
    }

    /// `truncateTo`: everything at or above an offset goes. Bytes cut.
    pub fn truncate_to(&mut self, broker: &mut Broker<'_>, offset: i64) -> Run<u64> {
        let found = self.translate_offset(broker, offset)?;
        if found.is_none() && broker.policy.old.is_some() {
            return Ok(0);
        }
        let max = self.config.segment_index_bytes;
        let mut index = self.offset_index.get(&mut broker.disk)?.clone();
        index.truncate_to(&broker.disk, offset)?;
        index.resize(&mut broker.disk, max)?;
        self.offset_index.opened = Some(index);
        let has_times = broker.policy.has_time_index();
        if has_times {
            let mut times = self.time_index.get(&mut broker.disk)?.clone();
            times.truncate_to(&broker.disk, offset)?;
            times.resize(&mut broker.disk, max)?;
            self.time_index.opened = Some(times);
        }
        self.txn_index.truncate_to(&mut broker.disk, offset)?;
        let before = self.size;
        if let Some(batch) = found {
            self.cut(broker, batch.position);
        }
        self.bytes_since_last_index_entry = 0;
        if has_times && self.max_timestamp(broker)?.0 >= 0 {
            self.max_timestamp = Some(self.read_largest_timestamp(broker)?);
        }
        Ok(before.saturating_sub(self.size))
    }

    fn read_largest_timestamp(&mut self, broker: &mut Broker<'_>) -> Run<(i64, i64)> {
        let last = self.time_index.get(&mut broker.disk)?.last;
        let index = self.offset_index.get(&mut broker.disk)?.clone();
        let from = position_of(index.lookup(&broker.disk, last.1)?);
        let path = self.path();
        let file = broker.disk.shared(self.log);
        let mut batches =
            Batches::look(&*file, &path, from, self.size).read_as(broker.policy.reading());
        let mut largest = (-1, -1);
        while let Some(batch) = batches.next()? {
            let timestamp = batch.max_timestamp(&path)?;
            if timestamp > largest.0 {
                largest = (timestamp, batch.last_offset(&path)?);
            }
        }
        Ok(if largest.0 > last.0 { largest } else { last })
    }

    /// `hasOverflow`: the last batch's last offset does not fit into the indexes.
    pub fn has_overflow(&mut self, broker: &mut Broker<'_>) -> Run<bool> {
        let next = self.read_next_offset(broker)?;
        let last = next.wrapping_sub(1);
        Ok(next > self.base_offset && relative_offset(self.base_offset, last).is_none())
    }

    /// `appendFromFile`: takes over batches from a position on, as long as their offsets fit. Bytes taken.
    pub fn append_from(
        &mut self,
        broker: &mut Broker<'_>,
        source: &Segment,
        start: u64,
    ) -> Run<u64> {
        const CHUNK: u64 = 1 << 20;
        let path = source.path();
        let file = broker.disk.shared(source.log);
        let mut position = start;
        loop {
            let mut batches = Batches::look(&*file, &path, position, source.size);
            let mut chunk = Vec::new();
            let mut bytes = 0u64;
            while let Some(batch) = batches.next()? {
                let fits = relative_offset(self.base_offset, batch.last_offset(&path)?).is_some();
                let room = bytes == 0 || bytes.saturating_add(batch.size) < CHUNK;
                if !fits || !room {
                    break;
                }
                bytes = bytes.saturating_add(batch.size);
                chunk.push(batch);
            }
            if bytes == 0 {
                return Ok(position.saturating_sub(start));
            }
            let at = self.size;
            self.size = at.saturating_add(bytes);
            broker.disk.set_size(self.log, self.size);
            for batch in &chunk {
                let copied = batches.bytes(batch)?.to_vec();
                let to = at.saturating_add(batch.position.saturating_sub(position));
                broker.disk.write(self.log, to, &copied)?;
            }
            self.index_appended(broker, &path, &chunk, at)?;
            position = position.saturating_add(bytes);
        }
    }

    /// The index entries that appending makes: from 3.x on by the batch, before by what is appended at once.
    fn index_appended(
        &mut self,
        broker: &mut Broker<'_>,
        path: &StorePath,
        chunk: &[Batch],
        at: u64,
    ) -> Run {
        let by_batch = broker.policy.index_by_batch;
        let total: u64 = chunk
            .iter()
            .fold(0, |sum, batch| sum.saturating_add(batch.size));
        let mut physical = at;
        for (no, batch) in chunk.iter().enumerate() {
            let last = batch.last_offset(path)?;
            let timestamp = batch.max_timestamp(path)?;
            if timestamp > self.max_timestamp(broker)?.0 {
                self.max_timestamp = Some((timestamp, last));
            }
            let is_last = no.saturating_add(1) == chunk.len();
            if by_batch || is_last {
                if self.bytes_since_last_index_entry > self.config.index_interval_bytes {
                    let index = self.offset_index.get(&mut broker.disk)?;
                    index.append(&mut broker.disk, last, physical)?;
                    let (timestamp, offset) = self.max_timestamp(broker)?;
                    let index = self.time_index.get(&mut broker.disk)?;
                    index.maybe_append(&mut broker.disk, timestamp, offset, false)?;
                    self.bytes_since_last_index_entry = 0;
                }
                let size = if by_batch { batch.size } else { total };
                physical = physical.saturating_add(size);
                self.bytes_since_last_index_entry = self
                    .bytes_since_last_index_entry
                    .saturating_add(long_of(size));
            }
        }
        Ok(())
    }

    /// `onBecomeInactiveSegment`
    pub fn become_inactive(&mut self, broker: &mut Broker<'_>) -> Run {
        let (timestamp, offset) = self.max_timestamp(broker)?;
        let index = self.time_index.get(&mut broker.disk)?;
        index.maybe_append(&mut broker.disk, timestamp, offset, true)?;
        index.trim(&mut broker.disk)?;
        self.offset_index
            .get(&mut broker.disk)?
            .trim(&mut broker.disk)
    }

    /// `flush` asks both indexes, which maps them.
    pub fn flush(&mut self, broker: &mut Broker<'_>) -> Run {
        self.map_indexes(broker)
    }

    /// `close`: the last timestamp gets its entry, mapped indexes are trimmed; what fails is passed by.
    pub fn close(&mut self, broker: &mut Broker<'_>) -> Run {
        if let Some((timestamp, offset)) = self.max_timestamp {
            let index = self.time_index.get(&mut broker.disk)?;
            let appended = index.maybe_append(&mut broker.disk, timestamp, offset, true);
            if let Err(Thrown::Read(error)) = appended {
                return Err(Thrown::Read(error));
            }
        }
        for index in [&mut self.offset_index, &mut self.time_index] {
            if let Err(Thrown::Read(error)) = index.close(&mut broker.disk) {
                return Err(Thrown::Read(error));
            }
        }
        if self.size < broker.disk.size(self.log) {
            broker.disk.set_size(self.log, self.size);
        }
        Ok(())
    }

    pub fn resize_indexes(&mut self, broker: &mut Broker<'_>) -> Run {
        let max = self.config.segment_index_bytes;
        let index = self.offset_index.get(&mut broker.disk)?;
        index.resize(&mut broker.disk, max)?;
        if broker.policy.has_time_index() {
            let times = self.time_index.get(&mut broker.disk)?;
            times.resize(&mut broker.disk, max)?;
        }
        Ok(())
    }

    /// `changeFileSuffixes`: the log and those of its indexes that are there.
    pub fn change_suffix(&mut self, broker: &mut Broker<'_>, to: &'static str) {
        let path = |extension| layout::file(&self.dir, self.base_offset, extension, to);
        broker.rename(self.log, path(layout::LOG));
        self.offset_index
            .rename(&mut broker.disk, path(layout::INDEX));
        self.time_index
            .rename(&mut broker.disk, path(layout::TIME_INDEX));
        self.txn_index
            .rename(&mut broker.disk, path(layout::TXN_INDEX));
        self.suffix = to;
    }
}

/// `searchForOffsetFromPosition` (4.x): goes by the base offsets, and asks a batch's last one only where it must.
fn search_by_base(batches: &mut Batches<'_>, path: &StorePath, offset: i64) -> Run<Option<Batch>> {
    let mut before: Option<Batch> = None;
    while let Some(batch) = batches.next()? {
        let base = batches.base_offset(&batch)?;
        if base == offset {
            return Ok(Some(batch));
        }
        if base > offset {
            return match before {
                Some(before) if before.last_offset(path)? >= offset => Ok(Some(before)),
                _ => Ok(Some(batch)),
            };
        }
        before = Some(batch);
    }
    match before {
        Some(before) if before.last_offset(path)? >= offset => Ok(Some(before)),
        _ => Ok(None),
    }
}

/// `FileMessageSet.searchFor` (0.8): a message need not be whole to be found, and a length below the smallest ends loading.
fn search_by_header(
    batches: &mut Batches<'_>,
    path: &StorePath,
    offset: i64,
    size: u64,
) -> Run<Option<Batch>> {
    while let Some(batch) = batches.peek(size)? {
        if batch.offset >= offset {
            return Ok(Some(batch));
        }
        if batch.size < MIN_MESSAGE {
            return Err(failure(
                path,
                batch.position,
                "a message size below the smallest",
            ));
        }
        batches.skip_to(batch.end());
    }
    Ok(None)
}

/// Bytes of the smallest message, with its offset and size.
const MIN_MESSAGE: u64 = 26;

impl Stretch {
    fn take(&mut self, batch: &Batch, last: i64) {
        let records = super::batches::record_count(batch);
        self.records = if self.batches == 0 {
            records
        } else {
            self.records
                .zip(records)
                .map(|(sum, more)| sum.saturating_add(more))
        };
        self.batches = self.batches.saturating_add(1);
        self.first.get_or_insert(batch.offset);
        self.last = last;
    }
}

pub(super) fn failure(path: &StorePath, at: u64, why: &'static str) -> Thrown {
    Thrown::Fails(Failure {
        rule: &rules::LOAD_THROWS,
        place: Some(Place::before(path, at, 0)),
        facts: facts! { path = path, at = at, why = why },
    })
}

/// A size in settings, below zero as none.
pub(super) fn size_of(setting: i64) -> u64 {
    pos_of(setting)
}
