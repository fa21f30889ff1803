//! A message to its queue and to the index: `doDispatch`, and the two dispatchers behind it (4.9).
//!
//! Dispatch runs a million times in a scan, so what it does is summed up ([`Dispatched`]) and told with the next step; only what is
//! rare and matters (a new file, a front filled, a unit out of order) is a step of its own.

use super::check_message::DispatchRequest;
use super::format::consume_queue::{UNIT, Unit};
use super::format::message::{self, Transaction};
use super::layout::file_name;
use super::mapped_file_queue::MappedFile;
use super::store_log::lines::{self, Line};
use super::{Broker, Run, rules};
use crate::decode::num::{java_div, pos_of};
use crate::facts;
use crate::recovery::trace::{Change, Facts, LaneMove, RuleId};
use crate::recovery::{Phase, Place, Rule};
use crate::store::StorePath;
use std::collections::BTreeMap;

/// What dispatch did since the last step.
#[derive(Default)]
pub(super) struct Dispatched {
    tally: BTreeMap<&'static str, u64>,
    queued: u64,
    indexed: u64,
    queues: Vec<usize>,
    index_files: Vec<usize>,
    /// Changes that happened on the way, in order.
    pub changes: Vec<Change>,
}

impl Dispatched {
    pub fn count(&mut self, rule: &'static Rule) {
        let count = self.tally.entry(rule.id).or_default();
        *count = count.saturating_add(1);
    }

    pub fn index_put(&mut self, at: usize) {
        self.indexed = self.indexed.saturating_add(1);
        if self.index_files.last() != Some(&at) {
            self.index_files.push(at);
        }
    }
}

impl Broker<'_> {
    /// Tells a step, and with it what dispatch did before.
    pub(super) fn step_with_dispatched(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
    ) {
        self.step_with_changes(rule, place, facts, Vec::new());
    }

    pub(super) fn step_with_changes(
        &mut self,
        rule: &'static Rule,
        place: Option<Place>,
        facts: Facts,
        more: Vec<Change>,
    ) {
        let done = std::mem::take(&mut self.dispatched);
        let mut changes = done.changes;
        let mut tally: Vec<(RuleId, u64)> = done
            .tally
            .into_iter()
            .map(|(rule, count)| (RuleId::Borrowed(rule), count))
            .collect();
        for (rule, count) in [
            (&rules::DISPATCH_QUEUED, done.queued),
            (&rules::INDEX_PUT, done.indexed),
        ] {
            if count > 0 {
                tally.push((RuleId::Borrowed(rule.id), count));
            }
        }
        for no in done.queues {
            let Some(queue) = self.queues.get_mut(no) else {
                continue;
            };
            let Some(before) = queue.end_at_last_step.take() else {
                continue;
            };
            let end = queue.end();
            changes.push(Change::Lane {
                lane: queue.lane,
                from: before,
                to: end,
                how: LaneMove::Rebuilt,
            });
            if let Some(file) = queue.files.files.last() {
                changes.push(Change::Wrote {
                    file: file.on_map,
                    from: 0,
                    to: pos_of(i64::from(file.wrote)),
                });
            }
        }
        for at in done.index_files {
            let Some(index) = self.index.files.get_mut(at) else {
                continue;
            };
            let Some(before) = index.end_at_last_step.take() else {
                continue;
            };
            let end = index.end();
            changes.push(Change::Lane {
                lane: index.lane,
                from: before,
                to: end,
                how: LaneMove::Rebuilt,
            });
        }
        changes.extend(more);
        let log = self.store_log.take();
        self.recorder.run(rule, place, facts, changes, tally, log);
    }

    /// A message was read, and dispatched where the phase does that: one moment of a run, where somebody asks for them.
    pub(super) fn note_moment(&mut self, phase: Phase, from: i64, to: i64) {
        let Some(mut recorder) = self.moments.take() else {
            return;
        };
        if recorder.read(phase, from, to, self.recorder.steps().len()) {
            let mut changes = Vec::new();
            let mut moved = |lane, before, now| {
                let from = recorder.moved(lane, before, now);
                changes.extend(from.map(|from| Change::Lane {
                    lane,
                    from,
                    to: now,
                    how: LaneMove::Rebuilt,
                }));
                from.is_some()
            };
            let mut wrote = Vec::new();
            for queue in self
                .dispatched
                .queues
                .iter()
                .filter_map(|no| self.queues.get(*no))
            {
                let Some(before) = queue.end_at_last_step else {
                    continue;
                };
                if moved(queue.lane, before, queue.end())
                    && let Some(file) = queue.files.files.last()
                {
                    wrote.push(Change::Wrote {
                        file: file.on_map,
                        from: 0,
                        to: pos_of(i64::from(file.wrote)),
                    });
                }
            }
            for index in self
                .dispatched
                .index_files
                .iter()
                .filter_map(|at| self.index.files.get(*at))
            {
                if let Some(before) = index.end_at_last_step {
                    moved(index.lane, before, index.end());
                }
            }
            changes.append(&mut wrote);
            recorder.tell(to, phase == Phase::Scan, changes);
        }
        self.moments = Some(recorder);
    }

    /// `doDispatch`
    pub(super) fn dispatch(&mut self, request: &DispatchRequest, record: &[u8]) -> Run {
        self.facts.dispatched.count(request.commit_log_offset);
        let topic = request.topic(record);
        let properties = request.properties(record);
        if request.deliver_at.is_some() {
            self.dispatched.count(&rules::DISPATCH_DELIVER_TIME);
        }
        let queued = match message::transaction(request.sys_flag) {
            Transaction::None | Transaction::Commit => true,
            Transaction::Prepared | Transaction::Rollback => {
                !self.has(&rules::DISPATCH_TRANSACTION)
            }
        };
        if queued {
            let tags_code = request.deliver_at.unwrap_or_else(|| properties.tags_code());
            self.put_message_position_info_wrapper(request, &topic, tags_code)?;
        } else {
            self.dispatched.count(&rules::DISPATCH_TRANSACTION);
        }
        self.build_index(request, &topic, &properties)
    }

    /// `putMessagePositionInfoWrapper`: where the unit cannot be written, the broker tries thirty times in thirty seconds, then marks
    /// the queues as broken, and no message is queued any more.
    fn put_message_position_info_wrapper(
        &mut self,
        request: &DispatchRequest,
        topic: &str,
        tags_code: i64,
    ) -> Run {
        if self.elsewhere.holds(topic) {
            return Ok(());
        }
        let queue = self.find_queue(topic, request.queue_id);
        let can_write = self.queues_writable || !self.has(&rules::DISPATCH_NO_FILE);
        if can_write && self.put_message_position_info(queue, request, tags_code)? {
            // From 5.5 on the time waits for the next flush of the queues, a second after the start.
            if self.options.release.policy().checkpoint_longs < 6 {
                self.checkpoint.logics_msg_timestamp = request.store_timestamp;
            }
            return Ok(());
        }
        if self.queues_writable {
            self.queues_writable = false;
            self.print_broken_queue(queue, request.commit_log_offset);
            let label = self.queues.get(queue).map(|queue| queue.key.label());
            self.step(
                &rules::DISPATCH_NO_FILE,
                None,
                facts! { queue = label.unwrap_or_default() },
                Vec::new(),
            );
        } else {
            self.dispatched.count(&rules::DISPATCH_NO_FILE);
        }
        Ok(())
    }

    /// Thirty tries, and then no more.
    fn print_broken_queue(&mut self, no: usize, offset: i64) {
        let Some(queue) = self.queues.get(no) else {
            return;
        };
        let (topic, id) = (queue.key.topic.as_str(), queue.key.id);
        for times in 0..30 {
            self.store_log.print(
                &lines::PUT_FAILED,
                || facts! { topic = topic, queue = id, offset = offset, times = times },
            );
        }
        self.store_log.print(
            &lines::QUEUE_BROKEN,
            || facts! { topic = topic, queue = id },
        );
    }

    /// `putMessagePositionInfo`
    fn put_message_position_info(
        &mut self,
        no: usize,
        request: &DispatchRequest,
        tags_code: i64,
    ) -> Run<bool> {
        let Some(queue) = self.queues.get(no) else {
            return Ok(false);
        };
        let unit = Unit {
            offset: request.commit_log_offset,
            size: request.msg_size,
            tags_code,
        };
        if self.holds(
            &rules::DISPATCH_REPEATED,
            unit.end() <= queue.max_physic_offset,
        ) {
            self.dispatched.count(&rules::DISPATCH_REPEATED);
            let max = queue.max_physic_offset;
            self.store_log.print(
                &lines::REPEATED,
                || facts! { max = max, offset = unit.offset },
            );
            return Ok(true);
        }
        let expected = request.queue_offset.wrapping_mul(i64::from(UNIT));
        if !self.make_queue_file(no, expected)? {
            return Ok(false);
        }
        if request.queue_offset != 0 {
            self.fill_pre_blank(no, expected)?;
            let current = self
                .queues
                .get(no)
                .map_or(0, |queue| queue.files.max_offset());
            if self.holds(&rules::DISPATCH_PLACE_TAKEN, expected < current) {
                self.dispatched.count(&rules::DISPATCH_PLACE_TAKEN);
                self.print_misplaced(&lines::PLACE_TAKEN, no, expected, current);
                return Ok(true);
            }
            if expected != current {
                if !self.has(&rules::DISPATCH_OUT_OF_ORDER) {
                    return Ok(true);
                }
                self.print_misplaced(&lines::OUT_OF_ORDER, no, expected, current);
                self.tell_out_of_order(no, expected, current);
            }
        }
        if let Some(queue) = self.queues.get_mut(no) {
            if queue.end_at_last_step.is_none() {
                queue.end_at_last_step = Some(queue.end());
                self.dispatched.queues.push(no);
            }
            queue.max_physic_offset = unit.end();
        }
        let written = !self.has(&rules::DISPATCH_QUEUED) || self.append_unit(no, unit)?;
        if written {
            self.dispatched.queued = self.dispatched.queued.saturating_add(1);
            if let Some(queue) = self.queues.get_mut(no) {
                queue.rebuilt = queue.rebuilt.saturating_add(1);
            }
        }
        Ok(written)
    }

    /// `getLastMappedFile(expectLogicOffset)`: a first file begins where the message says, a further one where the last one ends.
    fn make_queue_file(&mut self, no: usize, expected: i64) -> Run<bool> {
        let Some(queue) = self.queues.get(no) else {
            return Ok(false);
        };
        let Some(from) = queue.files.new_file_for(expected) else {
            return Ok(true);
        };
        let name = file_name(from);
        let path = queue.key.folder().join(&name);
        let first_in_queue = queue.files.files.is_empty();
        let (label, lane, size) = (queue.key.label(), queue.lane, queue.files.file_size);
        // A path with a NUL character is one that Java refuses to open.
        if !self.has(&rules::DISPATCH_NEW_FILE) || path.as_str().contains('\0') {
            return Ok(false);
        }
        let folder = queue.key.folder();
        if first_in_queue && !self.store.is_dir(&folder) {
            self.store_log
                .print(&lines::FOLDER_MADE, || facts! { path = &folder });
        }
        let size_bytes = pos_of(i64::from(size));
        let file = self.disk.create(path.clone(), size_bytes);
        let on_map = self.map.new_file();
        if let Some(queue) = self.queues.get_mut(no) {
            queue.files.files.push(MappedFile {
                file,
                on_map,
                name,
                from,
                wrote: 0,
                flushed: 0,
                first_in_queue,
            });
        }
        self.file_step(
            &rules::DISPATCH_NEW_FILE,
            &path,
            facts! { path = &path, queue = label },
            Change::Created {
                path: path.clone(),
                lane,
                start: from,
                size: size_bytes,
            },
        );
        Ok(true)
    }

    /// A step about a queue file, with the lanes that the queue's first appearance made.
    fn file_step(&mut self, rule: &'static Rule, path: &StorePath, facts: Facts, change: Change) {
        let mut changes = std::mem::take(&mut self.dispatched.changes);
        changes.push(change);
        self.step(rule, Some(Place::missing(path)), facts, changes);
    }

    /// `fillPreBlank`: a queue whose first file begins in the middle gets units that stand for nothing in front.
    fn fill_pre_blank(&mut self, no: usize, expected: i64) -> Run {
        let Some(queue) = self.queues.get(no) else {
            return Ok(());
        };
        let fresh = queue
            .files
            .files
            .last()
            .is_some_and(|file| file.first_in_queue && file.wrote == 0);
        if !self.holds(&rules::DISPATCH_PRE_BLANK, fresh) {
            return Ok(());
        }
        let until = queue.files.position_of(expected);
        let (label, lane, before) = (queue.key.label(), queue.lane, queue.end());
        let mut at = 0;
        while at < until {
            self.append_unit(no, Unit::BLANK)?;
            at = at.saturating_add(UNIT);
        }
        let Some(queue) = self.queues.get_mut(no) else {
            return Ok(());
        };
        queue.min_logic_offset = expected;
        queue.files.flushed_where = expected;
        let (after, units) = (
            queue.end(),
            java_div(i64::from(until), i64::from(UNIT)).max(0),
        );
        let last = queue.files.files.last();
        let wrote = last.map_or(0, |file| file.wrote);
        let path = last
            .map(|file| file.file)
            .map(|file| self.disk.path(file))
            .unwrap_or_else(|| StorePath::new(""));
        self.store_log.print(
            &lines::PRE_BLANK,
            || facts! { path = &path, offset = expected, wrote = wrote },
        );
        self.file_step(
            &rules::DISPATCH_PRE_BLANK,
            &path,
            facts! { queue = label, units = units },
            Change::Lane {
                lane,
                from: before,
                to: after,
                how: LaneMove::Read,
            },
        );
        Ok(())
    }

    /// Where a unit should go and where it goes, in bytes.
    fn print_misplaced(&mut self, line: &'static Line, no: usize, expected: i64, current: i64) {
        let Some(queue) = self.queues.get(no) else {
            return;
        };
        self.store_log.print(line, || {
            facts! {
                expected = expected,
                current = current,
                topic = queue.key.topic.as_str(),
                queue = queue.key.id,
                diff = expected.wrapping_sub(current),
            }
        });
    }

    /// The unit goes where the queue ends, not where the message says: from here on places and queue offsets differ.
    fn tell_out_of_order(&mut self, no: usize, expected: i64, current: i64) {
        let Some(queue) = self.queues.get_mut(no) else {
            return;
        };
        if std::mem::replace(&mut queue.told_out_of_order, true) {
            self.dispatched.count(&rules::DISPATCH_OUT_OF_ORDER);
            return;
        }
        let label = queue.key.label();
        let unit = i64::from(UNIT);
        let facts = facts! {
            queue = label,
            expected = java_div(expected, unit),
            current = java_div(current, unit),
            units = java_div(expected.wrapping_sub(current), unit),
        };
        self.step(&rules::DISPATCH_OUT_OF_ORDER, None, facts, Vec::new());
    }

    /// `MappedFile#appendMessage`: false where fewer bytes are left, which only a misnamed file leads to.
    fn append_unit(&mut self, no: usize, unit: Unit) -> Run<bool> {
        let Some(queue) = self.queues.get_mut(no) else {
            return Ok(false);
        };
        let size = queue.files.file_size;
        let Some(file) = queue.files.last_mut() else {
            return Ok(false);
        };
        let end = file.wrote.saturating_add(UNIT);
        if end > size {
            return Ok(false);
        }
        self.disk
            .write(file.file, pos_of(i64::from(file.wrote)), &unit.to_bytes())?;
        file.wrote = end;
        Ok(true)
    }
}
