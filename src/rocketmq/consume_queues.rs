//! The consume queues, each a row of files of 20-byte units: `ConsumeQueue`.
//!
//! What recovery does to one: reads on from its third-last file up to the first unit that is none ([`Broker::recover_consume_queues`]);
//! drops what points behind the log's end ([`Broker::truncate_dirty_logic_files`]). Its minimum offset is found in
//! [`super::queue_table`], appending stands in [`super::dispatch`].

use super::format::consume_queue::{self, UNIT, UNIT_U64, Unit};
use super::layout::{self, QueueKey};
use super::mapped_file_queue::{MappedFile, MappedFileQueue};
use super::store_log::lines;
use super::{Broker, MAX_PHY_OFFSET_OF_CONSUME_QUEUE, Run, rules};
use crate::decode::num::{java_div, pos_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::Place;
use crate::recovery::map::{Lane, LaneKind};
use crate::recovery::trace::{Change, LaneEnd, LaneMove};
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};
use foldhash::fast::FixedState;
use std::collections::{BTreeMap, HashMap};

/// One consume queue in memory.
pub(super) struct ConsumeQueue {
    pub key: QueueKey,
    pub files: MappedFileQueue,
    /// `maxPhysicOffset`: where the message of its last unit ends.
    pub max_physic_offset: i64,
    /// `minLogicOffset`, in bytes.
    pub min_logic_offset: i64,
    pub lane: usize,
    /// Where it ended before the messages since the last step.
    pub end_at_last_step: Option<LaneEnd>,
    /// The first unit out of order has been told.
    pub told_out_of_order: bool,
    pub rebuilt: u64,
    pub cut: u64,
}

impl ConsumeQueue {
    pub fn max_offset_in_queue(&self) -> i64 {
        java_div(self.files.max_offset(), i64::from(UNIT))
    }

    pub fn end(&self) -> LaneEnd {
        LaneEnd {
            entries: self.max_offset_in_queue(),
            log_offset: self.max_physic_offset,
        }
    }
}

/// Bins of `new ConcurrentHashMap<>(32)`, the table of topics.
const TOPICS: usize = 64;
/// Bins of `new ConcurrentHashMap<>()`, the table of a topic's queues.
const QUEUES_OF_A_TOPIC: usize = 16;

/// All queues, found by topic and number.
#[derive(Default)]
pub(super) struct ConsumeQueues {
    queues: Vec<ConsumeQueue>,
    /// Asked for every message, so hashed.
    by_topic: HashMap<String, HashMap<i32, usize, FixedState>, FixedState>,
    /// `consumeQueueTable`, in the order states are written down.
    sorted: BTreeMap<QueueKey, usize>,
}

impl ConsumeQueues {
    pub fn len(&self) -> usize {
        self.queues.len()
    }

    pub fn get(&self, no: usize) -> Option<&ConsumeQueue> {
        self.queues.get(no)
    }

    pub fn get_mut(&mut self, no: usize) -> Option<&mut ConsumeQueue> {
        self.queues.get_mut(no)
    }

    /// In the order of topic and number.
    pub fn iter(&self) -> impl Iterator<Item = &ConsumeQueue> {
        self.sorted.values().filter_map(|no| self.queues.get(*no))
    }

    /// In the order in which the broker goes over them: that of its table of tables.
    pub fn numbers(&self) -> Vec<usize> {
        let topics = self.by_topic.iter().map(|(topic, ids)| {
            let first = ids.values().min().copied();
            (java::hash(topic), first, ids)
        });
        let mut topics: Vec<_> = topics.collect();
        topics.sort_unstable_by_key(|(_, first, _)| *first);
        java::table_order(TOPICS, topics, |(hash, _, _)| *hash)
            .into_iter()
            .flat_map(|(_, _, ids)| {
                let mut ids: Vec<(i32, usize)> = ids.iter().map(|(id, no)| (*id, *no)).collect();
                ids.sort_unstable_by_key(|(_, no)| *no);
                java::table_order(QUEUES_OF_A_TOPIC, ids, |(id, _)| *id)
            })
            .map(|(_, no)| no)
            .collect()
    }

    pub fn find(&self, topic: &str, id: i32) -> Option<usize> {
        self.by_topic.get(topic)?.get(&id).copied()
    }

    fn put(&mut self, queue: ConsumeQueue) -> usize {
        let no = self.queues.len();
        let topic = self.by_topic.entry(queue.key.topic.clone()).or_default();
        topic.insert(queue.key.id, no);
        self.sorted.insert(queue.key.clone(), no);
        self.queues.push(queue);
        no
    }

    /// `recoverConsumeQueue`: the furthest end of all; −1 without any.
    pub fn max_physic_offset(&self) -> i64 {
        self.queues
            .iter()
            .map(|queue| queue.max_physic_offset)
            .max()
            .unwrap_or(-1)
            .max(-1)
    }

    pub fn rebuilt(&self) -> u64 {
        self.queues
            .iter()
            .fold(0, |sum, queue| sum.saturating_add(queue.rebuilt))
    }

    pub fn cut(&self) -> u64 {
        self.queues
            .iter()
            .fold(0, |sum, queue| sum.saturating_add(queue.cut))
    }
}

/// The log offset that a queue file's first unit points to, for the map; −1 if it cannot be read.
pub(super) fn first_offset(store: &Store, path: &StorePath) -> i64 {
    let mut bytes = [0; 20];
    let read = store
        .get(path)
        .is_some_and(|file| file.size() >= UNIT_U64 && file.read_exact_at(0, &mut bytes).is_ok());
    match consume_queue::unit(&mut Cursor::whole(&bytes), &mut ()) {
        Ok(unit) if read && unit.size > 0 => unit.offset,
        _ => -1,
    }
}

/// Reads the units of a file one after the other.
pub(super) struct Units<'f> {
    window: Window<'f>,
    pub at: u64,
}

impl<'f> Units<'f> {
    pub fn of(file: &'f dyn ReadAt) -> Self {
        Self {
            window: Window::scan(file),
            at: 0,
        }
    }

    /// The next unit; `None` where fewer than its bytes are left, at which Java throws.
    pub fn next(&mut self) -> Result<Option<Unit>, ReadError> {
        let bytes = self.window.from(self.at, 20)?;
        self.at = self.at.saturating_add(UNIT_U64);
        Ok(consume_queue::unit(&mut Cursor::whole(bytes), &mut ()).ok())
    }
}

/// Where reading a queue's files came to an end.
struct Reading {
    /// Which file, and how far in it.
    process_offset: i64,
    max_physic_offset: Option<i64>,
    /// The unit that is none, and where it stands.
    ended_by: Option<(usize, u64, Unit)>,
    /// The file that was read last.
    last: usize,
    /// Files that were not read.
    skipped: usize,
}

impl Broker<'_> {
    /// A queue that is on disk, or begins to exist.
    pub(super) fn put_queue(&mut self, key: QueueKey, lane: Option<usize>) -> usize {
        let lane = match lane {
            Some(lane) => lane,
            None => self.map.new_lane(),
        };
        let is_new = lane >= self.map.before.lanes.len();
        let label = key.label();
        let no = self.queues.put(ConsumeQueue {
            key,
            files: MappedFileQueue::new(self.options.mapped_file_size_consume_queue),
            max_physic_offset: -1,
            min_logic_offset: 0,
            lane,
            end_at_last_step: None,
            told_out_of_order: false,
            rebuilt: 0,
            cut: 0,
        });
        if is_new {
            self.dispatched.changes.push(Change::NewLane {
                lane: Lane {
                    kind: LaneKind::Queue,
                    name: label,
                    log_start: -1,
                },
            });
        }
        no
    }

    /// `findConsumeQueue`: makes the queue if there is none.
    pub(super) fn find_queue(&mut self, topic: &str, id: i32) -> usize {
        match self.queues.find(topic, id) {
            Some(no) => no,
            None => self.put_queue(
                QueueKey {
                    topic: topic.to_owned(),
                    id,
                },
                None,
            ),
        }
    }

    /// `recoverConsumeQueue`: each queue finds its own end.
    pub(super) fn recover_consume_queues(&mut self) -> Run {
        for no in self.queues.numbers() {
            self.recover_queue(no)?;
        }
        let max = self.queues.max_physic_offset();
        self.facts.queues_max = max;
        let change = self.mark(&MAX_PHY_OFFSET_OF_CONSUME_QUEUE, None, Some(max));
        self.dispatched.changes.push(change);
        Ok(())
    }

    /// `ConsumeQueue#recover`
    fn recover_queue(&mut self, no: usize) -> Run {
        let Some(queue) = self.queues.get(no) else {
            return Ok(());
        };
        if queue.files.files.is_empty() {
            return Ok(());
        }
        let label = queue.key.label();
        let lane = queue.lane;
        let files = queue.files.files.len();
        let reading = self.read_queue(queue)?;
        self.print_reading(no, &reading);
        if reading.skipped > 0 {
            self.step(
                &rules::QUEUE_LAST_THREE,
                None,
                facts! { queue = label.as_str(), files = files, skipped = reading.skipped },
                Vec::new(),
            );
        }
        if let Some((file, position, unit)) = reading.ended_by {
            let place = self
                .queues
                .get(no)
                .and_then(|queue| queue.files.files.get(file))
                .map(|file| Place::before(&self.disk.path(file.file), position, UNIT_U64));
            self.step(
                &rules::QUEUE_END,
                place,
                facts! { queue = label.as_str(), position = position, offset = unit.offset, size = unit.size },
                Vec::new(),
            );
        }
        let has_cut = self.has(&rules::QUEUE_CUT);
        let has_behind = self.has(&rules::QUEUE_FILE_BEHIND);
        let Some(queue) = self.queues.get_mut(no) else {
            return Ok(());
        };
        if let Some(max) = reading.max_physic_offset {
            queue.max_physic_offset = max;
        }
        queue.files.flushed_where = reading.process_offset;
        let moved = if has_cut {
            queue.files.set_back(reading.process_offset)
        } else {
            Vec::new()
        };
        let mut changes: Vec<Change> = moved
            .iter()
            .filter_map(|moved| {
                let file = queue.files.files.get(moved.at)?;
                Some(wrote(file, moved.from, moved.to))
            })
            .collect();
        let gone = if has_behind {
            queue.files.take_files_behind(reading.process_offset)
        } else {
            Vec::new()
        };
        let end = queue.end();
        changes.push(Change::Lane {
            lane,
            from: LaneEnd::EMPTY,
            to: end,
            how: LaneMove::Read,
        });
        let place = queue.files.files.last().map(|file| file.file);
        let place = place.map(|file| self.whole(file));
        self.step(
            &rules::QUEUE_CUT,
            place,
            facts! { queue = label, entries = end.entries, maxPhysicOffset = end.log_offset },
            changes,
        );
        for file in gone {
            self.print_deleted_mapped(&file);
            self.delete_mapped(
                &file,
                &rules::QUEUE_FILE_BEHIND,
                facts! { end = reading.process_offset },
            );
        }
        Ok(())
    }

    fn print_reading(&mut self, no: usize, reading: &Reading) {
        let Some(queue) = self.queues.get(no) else {
            return;
        };
        let path_of = |at: usize| {
            let file = queue.files.files.get(at);
            file.map_or_else(|| StorePath::new(""), |file| self.disk.path(file.file))
        };
        for at in reading.skipped.saturating_add(1)..=reading.last {
            self.store_log
                .print(&lines::QUEUE_NEXT_FILE, || facts! { path = &path_of(at) });
        }
        let path = path_of(reading.last);
        let Some((_, _, unit)) = reading.ended_by else {
            self.store_log
                .print(&lines::QUEUE_LAST_FILE, || facts! { path = &path });
            return;
        };
        self.store_log.print(&lines::QUEUE_UNIT_NONE, || {
            facts! { path = &path, offset = unit.offset, size = unit.size, tags = unit.tags_code }
        });
        self.store_log.print(
            &lines::QUEUE_OVER,
            || facts! { path = &path, end = reading.process_offset },
        );
    }

    /// Reads on from the third-last file while units have an offset and a size.
    fn read_queue(&self, queue: &ConsumeQueue) -> Run<Reading> {
        let files = &queue.files.files;
        let last_three = files.len().saturating_sub(3);
        let mut at = if self.has(&rules::QUEUE_LAST_THREE) {
            last_three
        } else {
            0
        };
        let skipped = at;
        let mut reading = Reading {
            process_offset: 0,
            max_physic_offset: None,
            ended_by: None,
            last: at,
            skipped,
        };
        while let Some(file) = files.get(at) {
            let mut units = Units::of(self.disk.reader(file.file));
            let mut good = 0i64;
            reading.last = at;
            reading.process_offset = file.from;
            let file_size = i64::from(queue.files.file_size);
            while good < file_size {
                let position = units.at;
                let Some(unit) = units.next()? else {
                    // A file shorter than its mapping ends in zeros; this does not come up for loaded files.
                    return Ok(reading);
                };
                if self.holds(&rules::QUEUE_END, unit.offset < 0 || unit.size <= 0) {
                    reading.ended_by = Some((at, position, unit));
                    break;
                }
                good = good.saturating_add(i64::from(UNIT));
                reading.max_physic_offset = Some(unit.end());
            }
            reading.process_offset = file.from.wrapping_add(good);
            if reading.ended_by.is_some() {
                break;
            }
            at = at.saturating_add(1);
        }
        Ok(reading)
    }

    /// Deletes a file that its queue has let go, as a step.
    pub(super) fn delete_mapped(
        &mut self,
        file: &MappedFile,
        rule: &'static crate::recovery::Rule,
        more: crate::recovery::Facts,
    ) {
        let place = self.whole(file.file);
        let mut facts = more;
        facts.insert("path".into(), (&place.file).into());
        facts.insert("size".into(), place.length.into());
        self.disk.delete(file.file);
        self.step(
            rule,
            Some(place),
            facts,
            vec![Change::Deleted { file: file.on_map }],
        );
    }

    /// `MappedFile#destroy`
    pub(super) fn print_deleted(&mut self, path: &StorePath, wrote: i32, flushed: i32) {
        for line in [
            &lines::UNMAPPED,
            &lines::CHANNEL_CLOSED,
            &lines::FILE_DELETED,
        ] {
            self.store_log.print(
                line,
                || facts! { path = path, wrote = wrote, flushed = flushed },
            );
        }
    }

    pub(super) fn print_deleted_mapped(&mut self, file: &MappedFile) {
        self.print_deleted(&self.disk.path(file.file), file.wrote, file.flushed);
    }

    /// `truncateDirtyLogicFiles`: each queue drops, from its last file backwards, the units that point to `phy_offset` or behind.
    pub(super) fn truncate_dirty_logic_files(&mut self, phy_offset: i64) -> Run {
        for no in self.queues.numbers() {
            let before = self.queues.get(no).map(ConsumeQueue::end);
            let stopped = self.truncate_queue(no, phy_offset)?;
            let (Some(before), Some(queue)) = (before, self.queues.get_mut(no)) else {
                continue;
            };
            let after = queue.end();
            let lost = before.entries.saturating_sub(after.entries).max(0);
            queue.cut = queue.cut.saturating_add(pos_of(lost));
            let (label, lane) = (queue.key.label(), queue.lane);
            if let Some(stopped) = stopped {
                let mut changes = stopped.changes;
                if before != after {
                    changes.push(Change::Lane {
                        lane,
                        from: before,
                        to: after,
                        how: if lost > 0 {
                            LaneMove::Cut
                        } else {
                            LaneMove::Read
                        },
                    });
                }
                // A queue that stays as it is, is a matter of the sum, not of a step.
                if changes.is_empty() {
                    self.dispatched.count(stopped.rule);
                    continue;
                }
                let place = stopped
                    .file
                    .map(|(file, at)| Place::before(&self.disk.path(file), at, UNIT_U64));
                self.step(
                    stopped.rule,
                    place,
                    facts! {
                        queue = label,
                        cut = lost,
                        entries = after.entries,
                        offset = phy_offset,
                    },
                    changes,
                );
            } else if before != after {
                self.dispatched.changes.push(Change::Lane {
                    lane,
                    from: before,
                    to: after,
                    how: if lost > 0 {
                        LaneMove::Cut
                    } else {
                        LaneMove::Read
                    },
                });
            }
        }
        Ok(())
    }

    /// `ConsumeQueue#truncateDirtyLogicFiles`
    fn truncate_queue(&mut self, no: usize, phy_offset: i64) -> Run<Option<Stopped>> {
        if let Some(queue) = self.queues.get_mut(no) {
            queue.max_physic_offset = phy_offset;
        }
        let mut deleted = false;
        loop {
            let Some(queue) = self.queues.get(no) else {
                return Ok(None);
            };
            let label = queue.key.label();
            let size = queue.files.file_size;
            let Some(last) = queue.files.files.last().cloned() else {
                return Ok(None);
            };
            let scanned = self.scan_last_file(&last, size, phy_offset)?;
            let goes_too = deleted && size <= UNIT && self.has(&rules::LOGIC_GOES_TOO);
            if let Some(unit) = scanned.only.filter(|_| goes_too) {
                // That a file has been deleted is never forgotten, and a file of one unit is read to its end.
                if let Some(queue) = self.queues.get_mut(no) {
                    queue.max_physic_offset = unit.end();
                }
                self.delete_last_file(no, &rules::LOGIC_GOES_TOO, unit.offset);
                continue;
            }
            if let Some(first) = scanned.first_dirty {
                deleted = true;
                self.delete_last_file(no, &rules::LOGIC_FIRST_DIRTY, first.offset);
                continue;
            }
            let Some(queue) = self.queues.get_mut(no) else {
                return Ok(None);
            };
            if let Some(max) = scanned.max_physic_offset {
                queue.max_physic_offset = max;
            }
            let mut changes = Vec::new();
            if let Some(file) = queue.files.last_mut() {
                if file.wrote != scanned.wrote {
                    changes.push(wrote(file, file.wrote, scanned.wrote));
                }
                file.wrote = scanned.wrote;
                file.flushed = scanned.wrote;
            }
            if scanned.believed_first {
                self.dispatched.count(&rules::LOGIC_FIRST_KEPT);
            }
            match scanned.stopped_by {
                Some((rule, at)) => {
                    return Ok(Some(Stopped {
                        rule: if scanned.believed_first {
                            &rules::LOGIC_FIRST_KEPT
                        } else {
                            rule
                        },
                        file: Some((last.file, at)),
                        changes,
                    }));
                }
                // A file of a single unit is read to its end without a reason to stop, and is the last file again: the broker
                // goes round for ever.
                None if self.holds(&rules::LOGIC_ENDLESS, size <= UNIT) => {
                    return Err(self.hang(&rules::LOGIC_ENDLESS, None, facts! { queue = label }));
                }
                // Read to its end: only a first unit that was believed can have moved the end.
                None => {
                    return Ok(Some(Stopped {
                        rule: &rules::LOGIC_FIRST_KEPT,
                        file: Some((last.file, 0)),
                        changes,
                    }));
                }
            }
        }
    }

    fn delete_last_file(&mut self, no: usize, rule: &'static crate::recovery::Rule, offset: i64) {
        let Some(queue) = self.queues.get_mut(no) else {
            return;
        };
        let label = queue.key.label();
        if let Some(gone) = queue.files.files.pop() {
            // It was set back to its start before its first unit was looked at.
            let path = self.disk.path(gone.file);
            self.print_deleted(&path, 0, 0);
            self.store_log
                .print(&lines::LOGIC_FILE_DESTROYED, || facts! { path = &path });
            self.delete_mapped(&gone, rule, facts! { queue = label, offset = offset });
        }
    }

    fn scan_last_file(&self, file: &MappedFile, size: i32, phy_offset: i64) -> Run<LastFile> {
        let mut units = Units::of(self.disk.reader(file.file));
        let mut scanned = LastFile::default();
        while scanned.wrote < size {
            let at = units.at;
            let Some(unit) = units.next()? else {
                break;
            };
            if at == 0 {
                if self.holds(&rules::LOGIC_FIRST_DIRTY, unit.offset >= phy_offset) {
                    scanned.first_dirty = Some(unit);
                    return Ok(scanned);
                }
                // The first unit is taken as it is: no look at its size, nor whether its offset is one.
                let is_unit = unit.offset >= 0 && unit.size > 0;
                if !is_unit {
                    if !self.has(&rules::LOGIC_FIRST_KEPT) {
                        scanned.stopped_by = Some((&rules::LOGIC_UNIT_BAD, at));
                        return Ok(scanned);
                    }
                    scanned.believed_first = true;
                }
            } else if self.holds(&rules::LOGIC_UNIT_BAD, unit.offset < 0 || unit.size <= 0) {
                scanned.stopped_by = Some((&rules::LOGIC_UNIT_BAD, at));
                return Ok(scanned);
            } else if self.holds(&rules::LOGIC_UNIT_DIRTY, unit.offset >= phy_offset) {
                scanned.stopped_by = Some((&rules::LOGIC_UNIT_DIRTY, at));
                return Ok(scanned);
            }
            scanned.only = (at == 0).then_some(unit);
            scanned.wrote = scanned.wrote.saturating_add(UNIT);
            scanned.max_physic_offset = Some(unit.end());
        }
        Ok(scanned)
    }

    /// `destroyLogics`: no log, so no queue means anything.
    pub(super) fn destroy_logics(&mut self) {
        self.store_log.say(&lines::NO_LOG);
        let mut changes = Vec::new();
        for no in self.queues.numbers() {
            let Some(queue) = self.queues.get_mut(no) else {
                continue;
            };
            let before = queue.end();
            queue.max_physic_offset = -1;
            queue.min_logic_offset = 0;
            queue.files.flushed_where = 0;
            let gone = std::mem::take(&mut queue.files.files);
            queue.cut = queue.cut.saturating_add(pos_of(before.entries));
            let lane = queue.lane;
            for file in gone {
                self.print_deleted_mapped(&file);
                changes.push(Change::Deleted { file: file.on_map });
                self.disk.delete(file.file);
            }
            changes.push(Change::Lane {
                lane,
                from: before,
                to: LaneEnd::EMPTY,
                how: LaneMove::Destroyed,
            });
        }
        self.step(
            &rules::NO_LOG,
            Some(Place::missing(&layout::commit_log_dir())),
            facts! { queues = self.queues.len() },
            changes,
        );
    }
}

/// What a look at a queue's last file found.
#[derive(Default)]
struct LastFile {
    wrote: i32,
    max_physic_offset: Option<i64>,
    first_dirty: Option<Unit>,
    /// The unit of a file that has no other.
    only: Option<Unit>,
    believed_first: bool,
    stopped_by: Option<(&'static crate::recovery::Rule, u64)>,
}

struct Stopped {
    rule: &'static crate::recovery::Rule,
    file: Option<(crate::store::overlay::FileNo, u64)>,
    changes: Vec<Change>,
}

/// A file's write position, as a change on the map.
pub(super) fn wrote(file: &MappedFile, from: i32, to: i32) -> Change {
    Change::Wrote {
        file: file.on_map,
        from: pos_of(i64::from(from)),
        to: pos_of(i64::from(to)),
    }
}
