//! `LogManager`: a log directory from the flag to the last partition, and what a clean stop right after it writes.

use super::batches::small_file;
use super::format::checkpoint::{self, BadMetadata, BadText, offset_entry};
use super::layout::{self, DirMark, DirName};
use super::load_log::{Known, Log, bases_between};
use super::segment::failure;
use super::{Broker, Failure, Run, Thrown, rules};
use crate::facts;
use crate::recovery::{Place, Rule};
use crate::store::StorePath;
use std::collections::BTreeMap;

/// Offsets by the folder's name, `topic-0`.
pub(super) type Offsets = BTreeMap<String, i64>;

/// A checkpoint file as it was read: `None` is no file.
#[derive(Clone, Debug, Default)]
pub(super) struct Read {
    pub was_there: bool,
    pub offsets: Option<Offsets>,
}

impl Broker<'_> {
    /// `loadLogs`. The first failure that nothing catches ends the start; the partitions behind it are loaded all the same.
    pub(super) fn load_logs(&mut self) -> Run {
        let had_clean_shutdown = self.look_for_flag();
        let recovery_points =
            self.read_checkpoint(layout::RECOVERY_POINTS, &rules::RECOVERY_POINTS)?;
        let log_starts = match self.policy.old {
            Some(_) => Read::default(),
            None => self.read_checkpoint(layout::LOG_START_OFFSETS, &rules::LOG_STARTS)?,
        };
        self.seen.recovery_points = recovery_points.clone();
        self.seen.log_starts = log_starts.clone();
        let mut first_failure = None;
        for (dir, name) in self.partition_dirs()? {
            let name = match name {
                Ok(name) => name,
                Err(failure) => {
                    self.loading_failed(Thrown::Fails(failure), &mut first_failure);
                    continue;
                }
            };
            let offset = |read: &Read| {
                let key = format!("{}-{}", name.topic, name.partition);
                read.offsets
                    .as_ref()
                    .and_then(|offsets| offsets.get(&key))
                    .copied()
            };
            let known = Known {
                had_clean_shutdown,
                recovery_point: offset(&recovery_points).unwrap_or(0),
                log_start: offset(&log_starts).unwrap_or(0),
                config: self.options.segment_config(&name.topic, &self.policy),
            };
            let loaded = match self.policy.old {
                Some(old) => Log::load_old(self, &dir, name, known, old),
                None => Log::load(self, &dir, name, known),
            };
            match loaded {
                Ok(mut log) => {
                    if log.name.mark == DirMark::Delete && !self.has(&rules::DIR_TO_DELETE) {
                        log.name.mark = DirMark::None;
                    }
                    self.tell_loaded(&log);
                    if log.name.mark == DirMark::Delete || self.has(&rules::LOADED) {
                        self.logs.push(log);
                    }
                }
                Err(Thrown::Read(error)) => return Err(Thrown::Read(error)),
                Err(thrown) => self.loading_failed(thrown, &mut first_failure),
            }
        }
        match first_failure {
            Some(failure) => Err(Thrown::Fails(failure)),
            None => {
                self.run_scheduled()?;
                if self.policy.flag_removed_after_loading {
                    self.remove_flag();
                }
                Ok(())
            }
        }
    }

    fn remove_flag(&mut self) {
        let path = StorePath::new(layout::CLEAN_SHUTDOWN_FILE);
        if let Some(file) = self.disk.find(&path)
            && self.has(&rules::FLAG_REMOVED)
        {
            let place = Place::whole(&path, self.disk.size(file));
            self.disk.delete(file);
            self.step(
                &rules::FLAG_REMOVED,
                Some(place),
                facts! { path = &path },
                Vec::new(),
            );
        }
    }

    fn run_scheduled(&mut self) -> Run {
        for (path, text) in std::mem::take(&mut self.scheduled) {
            self.replace(&path, &text)?;
        }
        Ok(())
    }

    /// What loading threw: the directory is lost, or the start.
    fn loading_failed(&mut self, thrown: Thrown, first: &mut Option<Failure>) {
        let (failure, is_caught) = match thrown {
            Thrown::Io(failure) => {
                self.marked_offline = true;
                (failure, true)
            }
            Thrown::Marked(failure) => {
                self.marked_offline = true;
                (failure, self.policy.storage_exceptions_are_passed_by)
            }
            Thrown::Corrupt(failure) => (
                Failure {
                    rule: &rules::CORRUPT_UNCAUGHT,
                    ..failure
                },
                false,
            ),
            Thrown::Fails(failure) => (failure, false),
            Thrown::InvalidOffset => (
                self.unexpected("an offset that goes back in an index"),
                false,
            ),
            Thrown::Overflow { .. } => (self.unexpected("an offset that does not fit"), false),
            Thrown::Read(_) => return,
        };
        if !self.has(failure.rule) {
            return;
        }
        self.note(failure.clone());
        if is_caught {
            self.offline.get_or_insert(failure);
        } else {
            first.get_or_insert(failure);
        }
    }

    fn unexpected(&self, why: &'static str) -> Failure {
        Failure {
            rule: &rules::LOAD_THROWS,
            place: None,
            facts: facts! { path = "", at = 0, why = why },
        }
    }

    /// Is `.kafka_cleanshutdown` there? Its bytes are not read. It is removed before anything is loaded, so that a crash while loading
    /// counts as one.
    fn look_for_flag(&mut self) -> bool {
        let path = StorePath::new(layout::CLEAN_SHUTDOWN_FILE);
        let found = self.disk.find(&path);
        self.seen.flag = found.map(|file| self.disk.shared(file));
        match found {
            Some(file) if self.has(&rules::FLAG_PRESENT) => {
                let size = self.disk.size(file);
                self.step(
                    &rules::FLAG_PRESENT,
                    Some(Place::whole(&path, size)),
                    facts! { path = &path },
                    Vec::new(),
                );
                if !self.policy.flag_removed_after_loading {
                    self.remove_flag();
                }
                true
            }
            _ if self.has(&rules::FLAG_ABSENT) => {
                self.step(
                    &rules::FLAG_ABSENT,
                    Some(Place::missing(&path)),
                    facts! { path = &path },
                    Vec::new(),
                );
                false
            }
            _ => true,
        }
    }

    /// An offset checkpoint. One that cannot be read counts as empty, and marks the directory failed.
    fn read_checkpoint(&mut self, name: &str, rule: &'static Rule) -> Run<Read> {
        let path = StorePath::new(name);
        let Some(file) = self.disk.find(&path) else {
            if self.has(&rules::CHECKPOINT_MADE) {
                self.disk.create(path.clone(), 0);
                self.step(
                    &rules::CHECKPOINT_MADE,
                    Some(Place::missing(&path)),
                    facts! { path = &path },
                    Vec::new(),
                );
            }
            return Ok(Read {
                was_there: false,
                offsets: Some(Offsets::new()),
            });
        };
        let bytes =
            small_file(self.disk.reader(file)).map_err(|error| error.in_file(path.as_str()))?;
        let place = Place::whole(&path, self.disk.size(file));
        let offsets = match checkpoint::entries(&bytes, offset_entry) {
            Ok(entries) if self.has(rule) => {
                self.step(
                    rule,
                    Some(place),
                    facts! { path = &path, entries = entries.len() },
                    Vec::new(),
                );
                Some(
                    entries
                        .into_iter()
                        .map(|(topic, partition, offset)| (format!("{topic}-{partition}"), offset))
                        .collect(),
                )
            }
            Ok(_) => Some(Offsets::new()),
            Err(bad) => {
                let is_plain_exception = self.policy.old.is_some()
                    || matches!(bad, BadText::Number(_)) && !self.policy.bad_number_is_malformed;
                let facts = super::bad_text_facts(&path, &bad);
                let refuses = self
                    .policy
                    .old
                    .is_some_and(|old| old.bad_checkpoint_refuses);
                if self.holds(&rules::CHECKPOINT_REFUSED, refuses) {
                    let failure = Failure {
                        rule: &rules::CHECKPOINT_REFUSED,
                        place: Some(place),
                        facts,
                    };
                    self.note(failure.clone());
                    self.seen.recovery_points.was_there = true;
                    return Err(Thrown::Fails(failure));
                }
                let is_passed_by = if is_plain_exception {
                    self.has(&rules::CHECKPOINT_RESET)
                } else {
                    !self.has(&rules::CHECKPOINT_UNREADABLE)
                };
                if !is_passed_by {
                    self.marked_offline = true;
                    let failure = Failure {
                        rule: &rules::CHECKPOINT_UNREADABLE,
                        place: Some(place),
                        facts,
                    };
                    self.note(failure.clone());
                    self.offline.get_or_insert(failure);
                } else {
                    self.step(&rules::CHECKPOINT_RESET, Some(place), facts, Vec::new());
                }
                None
            }
        };
        Ok(Read {
            was_there: true,
            offsets,
        })
    }

    /// The folders of the directory, each the log of a partition. A name that is none ends the start before anything is loaded.
    fn partition_dirs(&mut self) -> Run<Vec<(StorePath, Result<DirName, Failure>)>> {
        let mut known_marks = match self.policy.old {
            None => vec![DirMark::Delete, DirMark::Future],
            Some(old) if old.knows_delete => vec![DirMark::Delete],
            Some(_) => Vec::new(),
        };
        if self.policy.knows_stray {
            known_marks.push(DirMark::Stray);
        }
        let mut dirs = Vec::new();
        let entries = self.store.list(&StorePath::new("")).unwrap_or_default();
        for entry in entries.into_iter().filter(|entry| entry.is_dir) {
            let dir = StorePath::new("").join(&entry.name);
            if self.policy.knows_stray && entry.name == layout::REMOTE_INDEX_CACHE {
                continue;
            }
            match layout::dir_name(&entry.name, &known_marks) {
                Some(name)
                    if name.topic == self.policy.metadata_topic
                        && self.has(&rules::METADATA_LOG) =>
                {
                    self.step(
                        &rules::METADATA_LOG,
                        Some(Place::whole(&dir, 0)),
                        facts! { path = &dir },
                        Vec::new(),
                    )
                }
                Some(name) => dirs.push((dir, Ok(name))),
                None if self.has(&rules::DIR_NAME) => {
                    let failure = Failure {
                        rule: &rules::DIR_NAME,
                        place: Some(Place::whole(&dir, 0)),
                        facts: facts! { path = &dir, name = entry.name.as_str() },
                    };
                    if self.policy.old.is_some() {
                        // Found by the job that loads it: the others load theirs.
                        dirs.push((dir, Err(failure)));
                        continue;
                    }
                    self.note(failure.clone());
                    return Err(Thrown::Fails(failure));
                }
                None => {}
            }
        }
        Ok(dirs)
    }

    fn tell_loaded(&mut self, log: &Log) {
        let facts = facts! {
            path = &log.dir,
            start = log.log_start,
            end = log.log_end,
            point = log.recovery_point,
            segments = log.segments.len(),
        };
        let rule = match log.name.mark {
            DirMark::Delete => &rules::DIR_TO_DELETE,
            _ => &rules::LOADED,
        };
        let changes = self.map.loaded(log);
        self.step(rule, Some(Place::whole(&log.dir, 0)), facts, changes);
    }

    /// `shutdown`: every log is flushed and closed, then the checkpoints and the flag are written.
    pub(super) fn shut_down(&mut self) -> Run {
        let mut logs = std::mem::take(&mut self.logs);
        let closed = self.close_logs(&mut logs);
        self.logs = logs;
        closed?;
        let live = || {
            self.logs
                .iter()
                .filter(|log| !matches!(log.name.mark, DirMark::Delete | DirMark::Stray))
        };
        let by_partition = |offset: &dyn Fn(&Log) -> Option<i64>| -> Vec<String> {
            let offsets: BTreeMap<(String, i32), i64> = live()
                .filter_map(|log| {
                    Some(((log.name.topic.clone(), log.name.partition), offset(log)?))
                })
                .collect();
            offsets
                .into_iter()
                .map(|((topic, partition), offset)| format!("{topic} {partition} {offset}"))
                .collect()
        };
        let points = by_partition(&|log| Some(log.recovery_point));
        let starts = by_partition(&|log| {
            let first = log.segments.keys().next()?;
            (log.log_start > *first).then_some(log.log_start)
        });
        for (name, entries) in [
            (layout::RECOVERY_POINTS, points),
            (layout::LOG_START_OFFSETS, starts),
        ] {
            let is_unknown = name == layout::LOG_START_OFFSETS && self.policy.old.is_some();
            if is_unknown || !self.has(&rules::STOP_CHECKPOINT) {
                continue;
            }
            let path = StorePath::new(name);
            let count = entries.len();
            let text = checkpoint::write(entries.into_iter());
            self.replace(&path, &text)?;
            self.step(
                &rules::STOP_CHECKPOINT,
                Some(Place::whole(&path, 0)),
                facts! { path = &path, entries = count },
                Vec::new(),
            );
        }
        if !self.has(&rules::STOP_FLAG) {
            return Ok(());
        }
        let path = StorePath::new(layout::CLEAN_SHUTDOWN_FILE);
        let flag = self.policy.flag;
        self.replace(&path, flag.as_bytes())?;
        self.step(
            &rules::STOP_FLAG,
            Some(Place::missing(&path)),
            facts! { path = &path },
            Vec::new(),
        );
        Ok(())
    }

    fn close_logs(&mut self, logs: &mut [Log]) -> Run {
        let always = self.policy.always_flushes;
        let with_future: Vec<DirName> = logs
            .iter()
            .filter(|log| log.name.mark == DirMark::Future)
            .map(|log| log.name.clone())
            .collect();
        for log in logs {
            // One log a partition is closed: beside a future one, the current one is left as it is.
            let has_future = log.name.mark == DirMark::None
                && with_future.iter().any(|other| {
                    other.topic == log.name.topic && other.partition == log.name.partition
                });
            if has_future || matches!(log.name.mark, DirMark::Delete | DirMark::Stray) {
                continue;
            }
            let end = log.log_end;
            let to = if always { end.saturating_add(1) } else { end };
            if self.holds(&rules::STOP_FLUSH, to > log.recovery_point) {
                for base in bases_between(&log.segments, log.recovery_point, to) {
                    if let Some(segment) = log.segments.get_mut(&base) {
                        segment.flush(self)?;
                    }
                }
                let facts = facts! { path = &log.dir, from = log.recovery_point, to = end };
                self.step(
                    &rules::STOP_FLUSH,
                    Some(Place::whole(&log.dir, 0)),
                    facts,
                    Vec::new(),
                );
                log.recovery_point = end;
            }
            log.producers.take_snapshot(self)?;
            for segment in log.segments.values_mut() {
                segment.close(self)?;
            }
        }
        Ok(())
    }
}

/// `PartitionMetadataFile.read`: the topic's id, if the partition has that file.
pub(super) fn topic_id(broker: &mut Broker<'_>, dir: &StorePath) -> Run<Option<String>> {
    let path = dir.join(layout::PARTITION_METADATA);
    let Some(file) = broker.disk.find(&path) else {
        return Ok(None);
    };
    let bytes =
        small_file(broker.disk.reader(file)).map_err(|error| error.in_file(path.as_str()))?;
    match checkpoint::topic_id(&bytes, broker.policy.has_local_log_start) {
        Ok(id) => Ok(Some(id)),
        Err(_) if !broker.has(&rules::METADATA_UNREADABLE) => Ok(None),
        Err(BadMetadata::Text(bad)) => Err(Thrown::Marked(Failure {
            rule: &rules::METADATA_UNREADABLE,
            place: Some(Place::whole(&path, broker.disk.size(file))),
            facts: super::bad_text_facts(&path, &bad),
        })),
        Err(BadMetadata::Id) => Err(failure(&path, 0, "a topic id that is no id")),
    }
}
