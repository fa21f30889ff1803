//! `LogLoader` (3.x, 4.x) and the loading half of `Log` (2.8): from the files of a partition's folder to its log.
//!
//! Leftovers of an interrupted clean-up first, then every segment's files, then the walk over the segments that may hold what was
//! never flushed, then what is built from them: log start, leader epochs, producers.

use super::batches::Batches;
use super::epochs::LeaderEpochs;
use super::layout::{self, DirMark, DirName};
use super::producers::{Appended, Producers};
use super::release::SwapFiles;
use super::segment::{Segment, SegmentConfig, failure};
use super::{Broker, Failure, Run, Thrown, bad_name, rules};
use crate::decode::num::long_len;
use crate::facts;
use crate::recovery::{Place, Rule};
use crate::store::StorePath;
use std::collections::{BTreeMap, BTreeSet};

/// A partition's log once it is loaded.
pub(super) struct Log {
    pub dir: StorePath,
    pub name: DirName,
    pub segments: BTreeMap<i64, Segment>,
    pub producers: Producers,
    pub epochs: LeaderEpochs,
    pub log_start: i64,
    pub recovery_point: i64,
    pub log_end: i64,
    pub first_unstable: Option<i64>,
    pub topic_id: Option<String>,
}

/// What is known of a partition before its files are read.
#[derive(Clone, Copy)]
pub(super) struct Known {
    pub had_clean_shutdown: bool,
    pub recovery_point: i64,
    pub log_start: i64,
    pub config: SegmentConfig,
}

/// The parts of a log while it is loaded.
pub(super) struct Loader {
    pub dir: StorePath,
    pub known: Known,
    pub segments: BTreeMap<i64, Segment>,
    pub producers: Producers,
    pub epochs: LeaderEpochs,
    /// The segment that [`Thrown::Overflow`] is about, where it is not in the list yet.
    overflowed: Option<Segment>,
    /// Base offsets, for the state: walked, and rebuilt for a missing index.
    pub recovered: Vec<i64>,
    pub rebuilt: Vec<i64>,
}

impl Log {
    pub fn load(broker: &mut Broker<'_>, dir: &StorePath, name: DirName, known: Known) -> Run<Log> {
        let epochs = LeaderEpochs::load(broker, dir)?;
        let producers = Producers::new(broker, dir)?;
        let mut loader = Loader::new(dir, known, producers, epochs);
        let is_deleted = name.mark == DirMark::Delete;
        let loaded = loader.load(broker, is_deleted);
        broker
            .seen
            .note_walk(dir, &loader.recovered, &loader.rebuilt);
        let (log_start, recovery_point, log_end) = loaded?;
        let mut log = Log {
            dir: dir.clone(),
            name,
            segments: loader.segments,
            producers: loader.producers,
            epochs: loader.epochs,
            log_start,
            recovery_point: recovery_point.max(log_start),
            log_end,
            first_unstable: None,
            topic_id: None,
        };
        let unstable = log
            .producers
            .first_unstable()
            .map(|first| first.max(log.log_start));
        log.first_unstable = unstable;
        if log.first_unstable.is_some()
            && broker.marked_offline
            && broker.policy.reads_check_offline
        {
            return Err(Thrown::Fails(Failure {
                rule: &rules::ALREADY_OFFLINE,
                place: Some(Place::whole(dir, 0)),
                facts: facts! { path = dir, offset = log.first_unstable.unwrap_or(0) },
            }));
        }
        if let Some(first) = unstable {
            log.first_unstable = Some(log.offset_read_at(broker, first)?);
        }
        log.topic_id = super::log_dir::topic_id(broker, dir)?;
        Ok(log)
    }

    /// `convertToOffsetMetadata`: the offset that a read comes to. It asks the indexes of the segments on the way.
    fn offset_read_at(&mut self, broker: &mut Broker<'_>, offset: i64) -> Run<i64> {
        if offset > self.log_end {
            return Ok(offset);
        }
        let Some(floor) = self
            .segments
            .range(..=offset)
            .next_back()
            .map(|(base, _)| *base)
        else {
            return Ok(offset);
        };
        if offset == self.log_end {
            return Ok(offset);
        }
        for (_, segment) in self.segments.range_mut(floor..) {
            if let Some(found) = segment.offset_read_at(broker, offset)? {
                return Ok(found);
            }
        }
        Ok(self.log_end)
    }
}

impl Loader {
    pub fn new(dir: &StorePath, known: Known, producers: Producers, epochs: LeaderEpochs) -> Self {
        Self {
            dir: dir.clone(),
            known,
            segments: BTreeMap::new(),
            producers,
            epochs,
            overflowed: None,
            recovered: Vec::new(),
            rebuilt: Vec::new(),
        }
    }

    /// Log start, recovery point, log end.
    fn load(&mut self, broker: &mut Broker<'_>, is_deleted: bool) -> Run<(i64, i64, i64)> {
        let swaps = self.remove_temp_files(broker)?;
        if broker.policy.swap == SwapFiles::Renamed {
            self.rename_swap_files(broker, &swaps)?;
        }
        self.retry_on_overflow(broker, Self::load_segment_files)?;
        if broker.policy.swap == SwapFiles::Recovered {
            self.recover_swap_files(broker, &swaps)?;
        }
        let (recovery_point, log_end) = if is_deleted {
            if self.segments.is_empty() {
                self.open_new(broker, 0);
            }
            (0, 0)
        } else {
            let found = self.retry_on_overflow(broker, Self::recover_log)?;
            if let Some(mut last) = self.segments.last_entry() {
                last.get_mut().resize_indexes(broker)?;
            }
            found
        };
        self.epochs.truncate_from_end(broker, log_end)?;
        let first = self.segments.keys().next().copied().unwrap_or(0);
        let log_start = self.known.log_start.max(first);
        let epochs_start = if broker.policy.epochs_begin_at_first_segment {
            log_start
        } else {
            self.known.log_start
        };
        self.epochs.truncate_from_start(broker, epochs_start)?;
        let bases: Vec<i64> = self.segments.keys().copied().collect();
        if broker.policy.removes_stray_snapshots {
            self.producers.remove_stray(broker, &bases)?;
        }
        let clean = self.known.had_clean_shutdown;
        rebuild_producers(
            broker,
            &self.dir,
            &mut self.segments,
            &mut self.producers,
            Replay {
                log_start,
                last_offset: log_end,
                from_clean_shutdown: clean,
            },
        )?;
        Ok((log_start, recovery_point, log_end))
    }

    pub fn open(&self, broker: &mut Broker<'_>, base: i64, suffix: &'static str) -> Segment {
        Segment::open(broker, &self.dir, base, self.known.config, suffix)
    }

    pub fn open_new(&mut self, broker: &mut Broker<'_>, base: i64) {
        let segment = self.open(broker, base, "");
        broker.step(
            &rules::SEGMENT_NEW,
            Some(Place::missing(&segment.path())),
            facts! { path = &segment.path(), base = base },
            Vec::new(),
        );
        self.segments.insert(base, segment);
    }

    fn offset_of(&self, name: &str) -> Run<i64> {
        layout::offset_of(name).map_err(|_| bad_name(&self.dir.join(name)))
    }

    pub fn delete_file(
        &self,
        broker: &mut Broker<'_>,
        name: &str,
        rule: &'static Rule,
        facts: crate::recovery::Facts,
    ) {
        let path = self.dir.join(name);
        if !broker.has(rule) {
            return;
        }
        if let Some(file) = broker.disk.find(&path) {
            broker.disk.delete(file);
            let changes = broker.map.deleted(&path);
            broker.step(rule, Some(Place::whole(&path, 0)), facts, changes);
        }
    }

    /// `removeTempFilesAndCollectSwapFiles`: `.deleted` and `.cleaned` files go, and the `.swap` files of a split that was never
    /// complete. What is left of the `.swap` files.
    fn remove_temp_files(&self, broker: &mut Broker<'_>) -> Run<Vec<String>> {
        let mut cleaned: Vec<String> = Vec::new();
        let mut swaps: Vec<String> = Vec::new();
        let mut least_cleaned = i64::MAX;
        for name in broker.disk.names_in(&self.dir) {
            let path = self.dir.join(&name);
            if name.ends_with(layout::DELETED) {
                let facts = facts! { path = &path };
                self.delete_file(broker, &name, &rules::FILE_DELETED, facts);
            } else if name.ends_with(layout::CLEANED) {
                least_cleaned = least_cleaned.min(self.offset_of(&name)?);
                cleaned.push(name);
            } else if let Some(plain) = name.strip_suffix(layout::SWAP) {
                if broker.policy.swap == SwapFiles::Renamed {
                    swaps.push(name);
                } else if layout::is_index(plain) || plain.ends_with(layout::LOG) {
                    self.delete_indexes(broker, plain, "")?;
                    if plain.ends_with(layout::LOG) {
                        swaps.push(name);
                    }
                }
            }
        }
        let mut valid = Vec::new();
        for name in swaps {
            let is_part_of_split = self.offset_of(&name)? >= least_cleaned;
            if broker.holds(&rules::SWAP_INVALID, is_part_of_split) {
                if broker.policy.swap == SwapFiles::Recovered {
                    let plain = name.strip_suffix(layout::SWAP).unwrap_or(&name).to_owned();
                    self.delete_indexes(broker, &plain, layout::SWAP)?;
                }
                let path = self.dir.join(&name);
                let facts = facts! { path = &path, cleaned = least_cleaned };
                self.delete_file(broker, &name, &rules::SWAP_INVALID, facts);
            } else {
                valid.push(name);
            }
        }
        for name in cleaned {
            let path = self.dir.join(&name);
            let facts = facts! { path = &path };
            self.delete_file(broker, &name, &rules::FILE_CLEANED, facts);
        }
        Ok(valid)
    }

    /// The indexes beside a swapped log are made anew, so those that are there go (2.8).
    fn delete_indexes(&self, broker: &mut Broker<'_>, of: &str, suffix: &str) -> Run {
        let base = self.offset_of(of)?;
        for extension in [layout::INDEX, layout::TIME_INDEX, layout::TXN_INDEX] {
            let path = layout::file(&self.dir, base, extension, suffix);
            let facts = facts! { path = &path };
            self.delete_file(broker, path.name(), &rules::SWAP_INDEX_DELETED, facts);
        }
        Ok(())
    }

    /// From 3.0 on: what the swapped segments cover goes, and they take its place as they are.
    fn rename_swap_files(&self, broker: &mut Broker<'_>, swaps: &[String]) -> Run {
        let mut covered: Option<(i64, i64)> = None;
        for name in swaps {
            if name
                .strip_suffix(layout::SWAP)
                .is_some_and(|plain| plain.ends_with(layout::LOG))
            {
                let base = self.offset_of(name)?;
                let mut segment = self.open(broker, base, layout::SWAP);
                let next = segment.read_next_offset(broker)?;
                let (from, to) = covered.unwrap_or((base, next));
                covered = Some((from.min(base), to.max(next)));
            }
        }
        if let Some((from, to)) = covered {
            for name in broker.disk.names_in(&self.dir) {
                if name.ends_with(layout::SWAP) {
                    continue;
                }
                if let Ok(offset) = layout::offset_of(&name)
                    && (from..to).contains(&offset)
                {
                    let path = self.dir.join(&name);
                    let facts = facts! { path = &path, from = from, to = to };
                    self.delete_file(broker, &name, &rules::SWAP_COVERED, facts);
                }
            }
        }
        for name in broker.disk.names_in(&self.dir) {
            if let Some(plain) = name.strip_suffix(layout::SWAP)
                && broker.has(&rules::SWAP_RENAMED)
            {
                let (from, to) = (self.dir.join(&name), self.dir.join(plain));
                if let Some(file) = broker.disk.find(&from) {
                    broker.rename(file, to.clone());
                }
                let facts = facts! { path = &from, to = &to };
                broker.step(
                    &rules::SWAP_RENAMED,
                    Some(Place::whole(&from, 0)),
                    facts,
                    Vec::new(),
                );
            }
        }
        Ok(())
    }

    /// 2.8: a swapped segment is checked like one that was never flushed, and replaces those it covers.
    fn recover_swap_files(&mut self, broker: &mut Broker<'_>, swaps: &[String]) -> Run {
        for name in swaps {
            let base = self.offset_of(name)?;
            let mut segment = self.open(broker, base, layout::SWAP);
            let path = segment.path();
            let facts = facts! { path = &path };
            broker.step(
                &rules::SWAP_RECOVERED,
                Some(Place::whole(&path, segment.size)),
                facts,
                Vec::new(),
            );
            if broker.has(&rules::SWAP_RECOVERED) {
                self.recover_segment(broker, &mut segment, false)?;
            }
            let next = segment.read_next_offset(broker)?;
            let mut old = Vec::new();
            for covered in self.bases_between(base, next)? {
                if let Some(segment) = self.segments.get_mut(&covered)
                    && segment.read_next_offset(broker)? > base
                {
                    old.push(covered);
                }
            }
            self.replace_segments(broker, vec![segment], &old);
        }
        Ok(())
    }

    /// `replaceSegments`: the old ones get the suffix of files to be deleted, the new ones lose theirs.
    pub fn replace_segments(&mut self, broker: &mut Broker<'_>, new: Vec<Segment>, old: &[i64]) {
        let mut replaced: Vec<Segment> = Vec::new();
        for base in old {
            replaced.extend(self.segments.remove(base));
        }
        for mut segment in replaced {
            self.mark_deleted(broker, &mut segment, &rules::SEGMENT_REPLACED);
        }
        for mut segment in new {
            segment.change_suffix(broker, "");
            self.segments.insert(segment.base_offset, segment);
        }
    }

    fn mark_deleted(&self, broker: &mut Broker<'_>, segment: &mut Segment, rule: &'static Rule) {
        if !broker.has(rule) {
            return;
        }
        let path = segment.path();
        let size = segment.size;
        let changes = broker.map.deleted(&path);
        segment.change_suffix(broker, layout::DELETED);
        let facts = facts! { path = &path, base = segment.base_offset, bytes = size };
        broker.step(rule, Some(Place::whole(&path, size)), facts, changes);
    }

    /// A segment whose offsets do not fit into its indexes is split, and what was tried is tried again.
    fn retry_on_overflow<T>(
        &mut self,
        broker: &mut Broker<'_>,
        attempt: fn(&mut Self, &mut Broker<'_>) -> Run<T>,
    ) -> Run<T> {
        loop {
            match attempt(self, broker) {
                Err(Thrown::Overflow { segment, offset }) => self.split(broker, segment, offset)?,
                done => return done,
            }
        }
    }

    /// `splitOverflowedSegment`
    fn split(&mut self, broker: &mut Broker<'_>, base: i64, offset: i64) -> Run {
        let known = self.segments.get(&base).cloned();
        let mut segment = match self.overflowed.take().or(known) {
            Some(segment) => segment,
            None => self.open(broker, base, ""),
        };
        let path = segment.path();
        let facts = facts! { path = &path, base = base, offset = offset };
        let place = Some(Place::whole(&path, segment.size));
        if !broker.has(&rules::SEGMENT_SPLIT) {
            return Err(failure(&path, 0, "an offset that does not fit"));
        }
        if !segment.has_overflow(broker)? {
            return Err(Thrown::Fails(Failure {
                rule: &rules::SPLIT_IMPOSSIBLE,
                place,
                facts,
            }));
        }
        broker.step(&rules::SEGMENT_SPLIT, place, facts, Vec::new());
        let mut new: Vec<Segment> = Vec::new();
        let mut position = 0;
        while position < segment.size {
            let first = {
                let file = broker.disk.shared(segment.log);
                let mut batches = Batches::look(&*file, &path, position, segment.size);
                let batch = batches
                    .next()?
                    .ok_or_else(|| failure(&path, position, "no batch to split off"))?;
                batches.base_offset(&batch)?
            };
            for extension in [
                layout::INDEX,
                layout::TIME_INDEX,
                layout::TXN_INDEX,
                layout::LOG,
            ] {
                let path = layout::file(&self.dir, first, extension, layout::CLEANED);
                if let Some(file) = broker.disk.find(&path) {
                    broker.disk.delete(file);
                }
            }
            let mut part = self.open(broker, first, layout::CLEANED);
            let appended = part.append_from(broker, &segment, position)?;
            new.push(part);
            if appended == 0 {
                return Err(failure(&path, position, "nothing could be split off"));
            }
            position = position.saturating_add(appended);
        }
        for part in &mut new {
            part.become_inactive(broker)?;
            part.flush(broker)?;
            part.change_suffix(broker, layout::SWAP);
        }
        let old: Vec<i64> = self
            .segments
            .contains_key(&base)
            .then_some(base)
            .into_iter()
            .collect();
        let kept = new.iter().any(|part| part.base_offset == base);
        self.replace_segments(broker, new, &old);
        if broker.policy.marks_snapshots && !kept && !old.is_empty() {
            self.producers.mark_for_deletion(broker, base);
        }
        Ok(())
    }

    /// `loadSegmentFiles`: in name order, every log file becomes a segment; index files without one go.
    fn load_segment_files(&mut self, broker: &mut Broker<'_>) -> Run {
        self.segments.clear();
        for name in broker.disk.names_in(&self.dir) {
            if layout::is_index(&name) {
                let base = self.offset_of(&name)?;
                let log = layout::file(&self.dir, base, layout::LOG, "");
                if broker.disk.find(&log).is_none() {
                    let path = self.dir.join(&name);
                    let facts = facts! { path = &path, log = &log };
                    self.delete_file(broker, &name, &rules::INDEX_ORPHAN, facts);
                }
            } else if name.ends_with(layout::LOG) {
                let base = self.offset_of(&name)?;
                let mut segment = self.open(broker, base, "");
                let checked = self.check_indexes(broker, &mut segment);
                if matches!(checked, Err(Thrown::Overflow { .. })) {
                    self.overflowed = Some(segment);
                    return checked;
                }
                checked?;
                self.segments.insert(base, segment);
            }
        }
        Ok(())
    }

    /// `sanityCheck`: is the offset index there, and does no aborted transaction end before the segment? The entries of the offset
    /// and time index are not looked at.
    fn check_indexes(&mut self, broker: &mut Broker<'_>, segment: &mut Segment) -> Run {
        let index = segment.offset_index.path.clone();
        let is_missing = broker.disk.find(&index).is_none();
        if broker.holds(&rules::INDEX_MISSING, is_missing) {
            let facts = facts! { path = &index, log = &segment.path() };
            broker.step(
                &rules::INDEX_MISSING,
                Some(Place::missing(&index)),
                facts,
                Vec::new(),
            );
            let epochs = broker.policy.epochs_from_rebuilds;
            let rebuilt = self.recover_segment(broker, segment, epochs);
            let base = segment.base_offset;
            let told = self.known.had_clean_shutdown
                || base < self.known.recovery_point
                || broker.policy.tells_every_missing_index;
            if told {
                self.rebuilt.push(base);
            }
            return rebuilt.map(|_| ());
        }
        let times = segment.time_index.path.clone();
        let is_missing = broker.disk.find(&times).is_none();
        if broker.holds(&rules::TIME_INDEX_MISSING, is_missing) {
            segment
                .time_index
                .get(&mut broker.disk)?
                .resize(&mut broker.disk, 0)?;
            let facts = facts! { path = &times };
            broker.step(
                &rules::TIME_INDEX_MISSING,
                Some(Place::missing(&times)),
                facts,
                Vec::new(),
            );
        }
        let below = segment.txn_index.below_base(&broker.disk)?;
        if let Some(txn) = below.filter(|_| broker.has(&rules::TXN_INDEX_BELOW)) {
            let path = segment.txn_index.path.clone();
            let facts = facts! { path = &path, last = txn.last_offset, base = segment.base_offset };
            broker.step(
                &rules::TXN_INDEX_BELOW,
                Some(Place::whole(&path, 0)),
                facts,
                Vec::new(),
            );
            self.rebuilt.push(segment.base_offset);
            let epochs = broker.policy.epochs_from_rebuilds;
            self.recover_segment(broker, segment, epochs)?;
        }
        Ok(())
    }

    /// `recoverSegment`: the producers as they were where the segment begins, the check itself, a snapshot behind it. Bytes cut.
    fn recover_segment(
        &mut self,
        broker: &mut Broker<'_>,
        segment: &mut Segment,
        with_epochs: bool,
    ) -> Run<u64> {
        let mut producers = Producers::new(broker, &self.dir)?;
        let start = self.known.log_start;
        rebuild_producers(
            broker,
            &self.dir,
            &mut self.segments,
            &mut producers,
            Replay {
                log_start: start,
                last_offset: segment.base_offset,
                from_clean_shutdown: false,
            },
        )?;
        let epochs = with_epochs.then_some(&mut self.epochs);
        let checked = segment.recover(broker, &mut producers, epochs)?;
        producers.take_snapshot(broker)?;
        Ok(checked.truncated)
    }

    /// `LogSegments.values`: the segments that hold offsets of a range.
    fn bases_between(&self, from: i64, to: i64) -> Run<Vec<i64>> {
        bases_in_range(&self.dir, &self.segments, from, to)
    }

    /// `recoverLog`: the walk, and what the log's ends are after it.
    fn recover_log(&mut self, broker: &mut Broker<'_>) -> Run<(i64, i64)> {
        let recovery_point = self.known.recovery_point;
        if !self.known.had_clean_shutdown {
            self.walk_unflushed(broker)?;
        }
        let log_end = self.log_end_or_delete_all(broker)?;
        if broker.holds(&rules::SEGMENT_NEW, self.segments.is_empty()) {
            let start = self.known.log_start;
            self.open_new(broker, start);
        }
        match log_end {
            Some(log_end)
                if self.known.had_clean_shutdown || broker.policy.walk_moves_recovery_point =>
            {
                Ok((log_end, log_end))
            }
            Some(log_end) => Ok((recovery_point.min(log_end), log_end)),
            None => {
                let last = self.segments.last_entry();
                let log_end = match last {
                    Some(mut last) => last.get_mut().read_next_offset(broker)?,
                    None => 0,
                };
                Ok((recovery_point.min(log_end), log_end))
            }
        }
    }

    pub fn walk_unflushed(&mut self, broker: &mut Broker<'_>) -> Run {
        let recovery_point = self.known.recovery_point;
        let unflushed = self.bases_between(recovery_point, i64::MAX)?;
        let facts = facts! {
            path = &self.dir,
            point = recovery_point,
            segments = unflushed.len(),
            skipped = self.segments.len().saturating_sub(unflushed.len()),
        };
        broker.step(
            &rules::WALK_FROM,
            Some(Place::whole(&self.dir, 0)),
            facts,
            Vec::new(),
        );
        if !broker.has(&rules::WALK_FROM) {
            return Ok(());
        }
        for (no, base) in unflushed.iter().enumerate() {
            let Some(mut segment) = self.segments.get(base).cloned() else {
                continue;
            };
            self.recovered.push(*base);
            let recovered = self.recover_unflushed(broker, &mut segment);
            let path = segment.path();
            let truncated = match recovered {
                Ok(truncated) => truncated,
                Err(Thrown::InvalidOffset) if broker.has(&rules::SEGMENT_EMPTIED) => {
                    let facts = facts! { path = &path, base = *base, bytes = segment.size };
                    let place = Place::whole(&path, segment.size);
                    broker.step(&rules::SEGMENT_EMPTIED, Some(place), facts, Vec::new());
                    segment.truncate_to(broker, *base)?
                }
                Err(thrown) => {
                    self.segments.insert(*base, segment);
                    return Err(thrown);
                }
            };
            if truncated > 0
                && broker.has(&rules::LATER_DELETED)
                && broker.has(&rules::LOG_TRUNCATED)
            {
                let next = segment.read_next_offset(broker)?;
                self.segments.insert(*base, segment);
                let later: Vec<i64> = unflushed
                    .iter()
                    .skip(no.saturating_add(1))
                    .copied()
                    .collect();
                let facts = facts! { path = &path, next = next, later = long_len(later.len()) };
                broker.step(
                    &rules::LOG_TRUNCATED,
                    Some(Place::before(&path, 0, 0)),
                    facts,
                    Vec::new(),
                );
                self.remove_segments(broker, &later);
                if broker.policy.marks_snapshots {
                    for base in later {
                        self.producers.mark_for_deletion(broker, base);
                    }
                }
                return Ok(());
            }
            self.segments.insert(*base, segment);
        }
        Ok(())
    }

    /// The segment stays in the list while the producers in front of it are built, and is then checked.
    fn recover_unflushed(&mut self, broker: &mut Broker<'_>, segment: &mut Segment) -> Run<u64> {
        if broker.policy.old.is_some() {
            let mut none = Producers::none(&self.dir);
            return Ok(segment.recover(broker, &mut none, None)?.truncated);
        }
        self.recover_segment(broker, segment, true)
    }

    /// `removeAndDeleteSegmentsAsync`
    fn remove_segments(&mut self, broker: &mut Broker<'_>, bases: &[i64]) {
        for base in bases {
            if let Some(mut segment) = self.segments.remove(base) {
                self.mark_deleted(broker, &mut segment, &rules::LATER_DELETED);
            }
        }
    }

    /// The log's end; `None` where it lies before the log's start, and all segments go.
    fn log_end_or_delete_all(&mut self, broker: &mut Broker<'_>) -> Run<Option<i64>> {
        let Some(mut last) = self.segments.last_entry() else {
            return Ok(None);
        };
        let log_end = last.get_mut().read_next_offset(broker)?;
        let log_start = self.known.log_start;
        if !broker.holds(&rules::LOG_START_BEYOND, log_end < log_start) {
            return Ok(Some(log_end));
        }
        let facts = facts! { path = &self.dir, end = log_end, start = log_start };
        broker.step(
            &rules::LOG_START_BEYOND,
            Some(Place::whole(&self.dir, 0)),
            facts,
            Vec::new(),
        );
        let all: Vec<i64> = self.segments.keys().copied().collect();
        self.remove_segments(broker, &all);
        self.epochs.clear(broker)?;
        self.producers.start_at(broker, log_start);
        Ok(None)
    }
}

/// Up to where producers are built.
#[derive(Clone, Copy)]
struct Replay {
    log_start: i64,
    last_offset: i64,
    from_clean_shutdown: bool,
}

/// `rebuildProducerState`: from the newest snapshot on, the batches up to an offset.
fn rebuild_producers(
    broker: &mut Broker<'_>,
    dir: &StorePath,
    segments: &mut BTreeMap<i64, Segment>,
    producers: &mut Producers,
    replay: Replay,
) -> Run {
    let Replay {
        log_start,
        last_offset,
        from_clean_shutdown,
    } = replay;
    let mut bases = segments.keys().rev().copied();
    let (last, before_last) = (bases.next(), bases.next());
    let snapshot_at: BTreeSet<i64> = [before_last, last, Some(last_offset)]
        .into_iter()
        .flatten()
        .collect();
    if producers.latest_snapshot().is_none()
        && broker.holds(&rules::PRODUCERS_ASSUMED_NONE, from_clean_shutdown)
    {
        let facts = facts! { path = dir, end = last_offset };
        broker.step(
            &rules::PRODUCERS_ASSUMED_NONE,
            Some(Place::whole(dir, 0)),
            facts,
            Vec::new(),
        );
        for offset in [before_last, last, Some(last_offset)].into_iter().flatten() {
            producers.map_end = offset;
            producers.take_snapshot(broker)?;
        }
        return Ok(());
    }
    let was_empty = producers.is_empty() && producers.map_end >= last_offset;
    producers.truncate_and_reload(broker, log_start, last_offset)?;
    if last_offset > producers.map_end && !was_empty {
        let holds_last = segments
            .range(..=last_offset)
            .next_back()
            .map(|(base, _)| *base);
        for base in bases_in_range(dir, segments, producers.map_end, last_offset)? {
            let Some(segment) = segments.get_mut(&base) else {
                continue;
            };
            let start = base.max(producers.map_end).max(log_start);
            producers.map_end = start;
            if snapshot_at.contains(&base) {
                producers.take_snapshot(broker)?;
            }
            let max_position = if holds_last == Some(base) {
                let found = segment.translate_offset(broker, last_offset)?;
                found.map_or(segment.size, |batch| batch.position)
            } else {
                segment.size
            };
            let whole = u64::from(u32::MAX >> 1);
            if let Some((from, to)) = segment.read(broker, start, whole, max_position)?
                && broker.has(&rules::PRODUCERS_REPLAYED)
            {
                load_producers(broker, segment, producers, from, to)?;
            }
        }
    }
    producers.map_end = last_offset;
    producers.take_snapshot(broker)
}

/// `loadProducersFromRecords`
fn load_producers(
    broker: &mut Broker<'_>,
    segment: &Segment,
    producers: &mut Producers,
    from: u64,
    to: u64,
) -> Run {
    let path = segment.path();
    let file = broker.disk.shared(segment.log);
    let mut batches = Batches::new(&*file, &path, from, to);
    let mut loaded: BTreeMap<i64, Appended> = BTreeMap::new();
    let mut completed = Vec::new();
    let mut count = 0u64;
    while let Some(batch) = batches.next()? {
        if !batch.is_v2() {
            continue;
        }
        let id = batch.field(&path, batch.header.producer_id())?;
        if id <= -1 {
            continue;
        }
        count = count.saturating_add(1);
        let appended = loaded.entry(id).or_insert_with(|| producers.prepare(id));
        completed.extend(appended.append(broker, &mut batches, &batch, &path)?);
    }
    for (_, appended) in loaded {
        producers.update(appended);
    }
    for txn in &completed {
        producers.complete(txn, &path)?;
    }
    if count > 0 {
        let facts = facts! { path = &path, batches = count, from = from, to = to };
        let place = Place::before(&path, from, to.saturating_sub(from));
        broker.step(&rules::PRODUCERS_REPLAYED, Some(place), facts, Vec::new());
    }
    Ok(())
}

/// `LogSegments.values`
fn bases_in_range(
    dir: &StorePath,
    segments: &BTreeMap<i64, Segment>,
    from: i64,
    to: i64,
) -> Run<Vec<i64>> {
    if from == to {
        return Ok(Vec::new());
    }
    if to < from {
        return Err(failure(dir, 0, "a range of offsets that goes back"));
    }
    Ok(bases_between(segments, from, to))
}

/// The bases of the segments from the one that holds an offset on, up to another.
pub(super) fn bases_between(segments: &BTreeMap<i64, Segment>, from: i64, to: i64) -> Vec<i64> {
    let floor = segments.range(..=from).next_back().map(|(base, _)| *base);
    segments
        .range(floor.unwrap_or(i64::MIN)..to)
        .map(|(base, _)| *base)
        .collect()
}
