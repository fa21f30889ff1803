//! What `load()` ends with: the next queue offset of every queue, and its minimum: `recoverTopicQueueTable`, `correctMinOffset`.

use super::check_message::{Check, Checked, check_message};
use super::consume_queues::Units;
use super::format::consume_queue::{self, UNIT, UNIT_U64, Unit};
use super::format::message::{self, Version};
use super::mapped_file_queue::MappedFile;
use super::release::MinOffsetSearch;
use super::store_log::lines::{self, Line};
use super::{Broker, Run, rules};
use crate::decode::Cursor;
use crate::decode::num::{java_div, long_of, pos_of, usize_of};
use crate::facts;
use crate::recovery::Place;
use crate::recovery::trace::{Change, LaneMove};
use crate::store::ReadError;

impl Broker<'_> {
    /// `recoverTopicQueueTable`: the next queue offset of every queue, and its minimum.
    pub(super) fn recover_topic_queue_table(&mut self) -> Run {
        if !self.has(&rules::QUEUE_TABLE) {
            return Ok(());
        }
        let min_phy_offset = self.log.min_offset();
        let search = self.options.release.policy().min_offset;
        self.topic_queue_table.clear();
        for no in self.queues.numbers() {
            match search {
                MinOffsetSearch::Forwards => self.correct_min_offset(no, min_phy_offset)?,
                MinOffsetSearch::Halves => self.correct_min_offset_by_halves(no, min_phy_offset)?,
            }
            if let Some(queue) = self.queues.get(no) {
                self.topic_queue_table.insert(
                    format!("{}-{}", queue.key.topic, queue.key.id),
                    queue.max_offset_in_queue(),
                );
            }
        }
        if self.options.duplication_enable && self.has(&rules::UNCONFIRMED_COUNTED) {
            self.count_unconfirmed()?;
        }
        self.step_with_dispatched(
            &rules::QUEUE_TABLE,
            None,
            facts! { queues = self.queues.len() },
        );
        Ok(())
    }

    /// `correctMinOffset` (4.9): the first unit that points into the log, looked for in the first file alone.
    fn correct_min_offset(&mut self, no: usize, min_phy_offset: i64) -> Run {
        let Some(queue) = self.queues.get(no) else {
            return Ok(());
        };
        let Some(first) = queue.files.files.first() else {
            return Ok(());
        };
        let (from, wrote, label) = (
            first.from,
            pos_of(i64::from(first.wrote)),
            queue.key.label(),
        );
        let mut units = Units::of(self.disk.reader(first.file));
        let mut found = None;
        while units.at < wrote {
            let at = units.at;
            match units.next()? {
                Some(unit) if self.has(&rules::MIN_OFFSET) && unit.offset >= min_phy_offset => {
                    found = Some(at);
                    break;
                }
                Some(_) => {}
                None => break,
            }
        }
        match found {
            Some(at) => {
                let min = from.wrapping_add(long_of(at));
                self.print_min_offset(&lines::MIN_OFFSET, no, min);
                let moved = self
                    .queues
                    .get(no)
                    .is_some_and(|queue| queue.min_logic_offset != min);
                if let Some(queue) = self.queues.get_mut(no) {
                    queue.min_logic_offset = min;
                }
                if moved {
                    self.step(
                        &rules::MIN_OFFSET,
                        None,
                        facts! { queue = label, offset = java_div(min, i64::from(UNIT)) },
                        Vec::new(),
                    );
                } else {
                    self.dispatched.count(&rules::MIN_OFFSET);
                }
            }
            None if wrote > 0 && !self.has(&rules::MIN_OFFSET_NONE) => {
                if let Some(queue) = self.queues.get_mut(no) {
                    queue.min_logic_offset = from.wrapping_add(long_of(wrote));
                }
            }
            None if wrote > 0 => self.step(
                &rules::MIN_OFFSET_NONE,
                None,
                facts! { queue = label },
                Vec::new(),
            ),
            None => {}
        }
        Ok(())
    }

    /// `correctMinOffset` (5.x): a look at the last unit tells whether any points into the log; then the first file is searched by
    /// halves, as if its units were in order.
    fn correct_min_offset_by_halves(&mut self, no: usize, min_phy_offset: i64) -> Run {
        let Some(queue) = self.queues.get(no) else {
            return Ok(());
        };
        let label = queue.key.label();
        let (min, max) = (queue.min_logic_offset, queue.files.max_offset());
        let (first, last) = (queue.files.files.first(), queue.files.files.last());
        let (Some(first), Some(last)) = (first.cloned(), last.cloned()) else {
            if self.has(&rules::MIN_OFFSET_EMPTY) {
                self.print_min_offset(&lines::QUEUE_EMPTY, no, min);
            } else if min >= max {
                self.print_min_offset(&lines::QUEUE_NOT_VALID, no, min);
            }
            return self.queue_without_files(no);
        };
        // Up to 5.5.0 a minimum that is the maximum is not looked at again.
        let passed = min > max || (min == max && !self.has(&rules::MIN_OFFSET_EMPTY));
        if passed {
            self.print_min_offset(&lines::QUEUE_NOT_VALID, no, min);
            return Ok(());
        }
        match self.unit_before(&last, last.wrote)? {
            None if self.has(&rules::MIN_OFFSET_EMPTY_FILE) => {
                let place = self.whole(last.file);
                let facts = facts! { queue = label, path = &place.file };
                return Err(self.refuse(&rules::MIN_OFFSET_EMPTY_FILE, Some(place), facts));
            }
            Some(unit) if self.holds(&rules::MIN_OFFSET_PASSED, unit.offset < min_phy_offset) => {
                let end = last.from.wrapping_add(i64::from(last.wrote));
                if let Some(queue) = self.queues.get_mut(no) {
                    queue.min_logic_offset = end;
                }
                let facts = facts! { queue = label, offset = java_div(end, i64::from(UNIT)) };
                self.print_min_offset(&lines::MIN_OFFSET_PASSED, no, end);
                self.step(&rules::MIN_OFFSET_PASSED, None, facts, Vec::new());
                return Ok(());
            }
            _ => {}
        }
        let start = min.wrapping_sub(first.from);
        let (start, intact) = (start.max(0), start >= 0);
        let wrote = i64::from(first.wrote);
        if start >= wrote {
            return Ok(());
        }
        let Some(unit) = self.unit_at(&first, start)? else {
            return Ok(());
        };
        let stands = intact && unit.offset >= min_phy_offset;
        if self.holds(&rules::MIN_OFFSET_STANDS, stands) {
            self.dispatched.count(&rules::MIN_OFFSET_STANDS);
            self.store_log.print(
                &lines::MIN_OFFSET_STANDS,
                || facts! { offset = unit.offset, min = min_phy_offset },
            );
            return Ok(());
        }
        let found = self.first_in_log(&first, start, min_phy_offset)?;
        let Some(at) = found.filter(|_| self.has(&rules::MIN_OFFSET_HALVES)) else {
            return Ok(());
        };
        let min = first.from.wrapping_add(at);
        if let Some(queue) = self.queues.get_mut(no) {
            queue.min_logic_offset = min;
        }
        self.print_min_offset(&lines::MIN_OFFSET, no, min);
        self.step(
            &rules::MIN_OFFSET_HALVES,
            Some(Place::before(
                &self.disk.path(first.file),
                pos_of(at),
                UNIT_U64,
            )),
            facts! { queue = label, offset = java_div(min, i64::from(UNIT)) },
            Vec::new(),
        );
        Ok(())
    }

    fn print_min_offset(&mut self, line: &'static Line, no: usize, min: i64) {
        let Some(queue) = self.queues.get(no) else {
            return;
        };
        self.store_log.print(line, || {
            facts! {
                offset = java_div(min, i64::from(UNIT)),
                topic = queue.key.topic.as_str(),
                queue = queue.key.id,
            }
        });
    }

    /// From 5.5.1 on a queue that lost all its files begins anew.
    fn queue_without_files(&mut self, no: usize) -> Run {
        if !self.has(&rules::MIN_OFFSET_EMPTY) {
            return Ok(());
        }
        self.dispatched.count(&rules::MIN_OFFSET_EMPTY);
        if let Some(queue) = self.queues.get_mut(no) {
            let before = queue.end();
            queue.min_logic_offset = 0;
            queue.max_physic_offset = -1;
            let after = queue.end();
            if before != after {
                self.dispatched.changes.push(Change::Lane {
                    lane: queue.lane,
                    from: before,
                    to: after,
                    how: LaneMove::Read,
                });
            }
        }
        Ok(())
    }

    /// Where in a file, from `start` on, the first unit stands that points into the log.
    fn first_in_log(&self, file: &MappedFile, start: i64, min_phy_offset: i64) -> Run<Option<i64>> {
        let unit = i64::from(UNIT);
        let size = i64::from(file.wrote).saturating_sub(start);
        let offset_at = |at: i64| -> Run<Option<i64>> {
            let unit = self.unit_at(file, start.saturating_add(at))?;
            Ok(unit.map(|unit| unit.offset))
        };
        let (mut low, mut high) = (0i64, size.saturating_sub(unit));
        while high.saturating_sub(low) > unit {
            let middle = java_div(java_div(low.saturating_add(high), 2), unit);
            let middle = middle.saturating_mul(unit);
            match offset_at(middle)? {
                Some(offset) if offset > min_phy_offset => high = middle,
                Some(offset) if offset == min_phy_offset => {
                    (low, high) = (middle, middle);
                    break;
                }
                _ => low = middle,
            }
        }
        while low <= high {
            if offset_at(low)?.is_some_and(|offset| offset >= min_phy_offset) {
                return Ok(Some(start.saturating_add(low)));
            }
            low = low.saturating_add(unit);
        }
        Ok(None)
    }

    fn unit_before(&self, file: &MappedFile, end: i32) -> Run<Option<Unit>> {
        self.unit_at(file, i64::from(end).saturating_sub(i64::from(UNIT)))
    }

    fn unit_at(&self, file: &MappedFile, at: i64) -> Run<Option<Unit>> {
        let Ok(at) = u64::try_from(at) else {
            return Ok(None);
        };
        let mut bytes = [0; 20];
        self.disk.reader(file.file).read_exact_at(at, &mut bytes)?;
        Ok(consume_queue::unit(&mut Cursor::whole(&bytes), &mut ()).ok())
    }

    /// With `duplicationEnable` the messages from confirmOffset on are in no queue, and yet their queue offsets are taken.
    fn count_unconfirmed(&mut self) -> Run {
        let mut at = match self.confirm_offset {
            -1 => 0,
            offset => offset,
        };
        self.store_log
            .print(&lines::UNCONFIRMED_FROM, || facts! { offset = at });
        let mut counted = 0u64;
        while let Some((file, position, size)) = self.record_from(at)? {
            let here = file.from.wrapping_add(position);
            if here > at {
                at = here;
                continue;
            }
            let path = self.disk.path(file.file);
            let place = Place::before(&path, pos_of(position), 8);
            let mut bytes = vec![0; usize_of(pos_of(size))];
            self.disk
                .reader(file.file)
                .read_exact_at(pos_of(position), &mut bytes)?;
            let frame = message::frame(&mut Cursor::whole(&bytes), &mut ()).ok();
            match frame.map(|frame| frame.magic) {
                Some(message::BLANK_MAGIC) if size > 0 => {
                    at = at.wrapping_add(size);
                    continue;
                }
                Some(magic) if Version::of(magic) == Some(Version::V1) => {}
                // Version 2 is not known here: the start ends.
                magic if self.has(&rules::UNCONFIRMED_MAGIC) => {
                    let found = crate::decode::num::u32_bits(magic.unwrap_or(0));
                    let facts = facts! { path = &path, offset = here, found = found };
                    return Err(self.refuse(&rules::UNCONFIRMED_MAGIC, Some(place), facts));
                }
                _ => break,
            }
            let check = Check {
                dup_info: true,
                ..self.check(true, true)
            };
            let request = match check_message(&mut Cursor::whole(&bytes), check) {
                Ok(Checked::Message(request)) => request,
                Ok(Checked::Bad(bad)) => {
                    self.print_reject(&path, pos_of(position), &bad.reject);
                    break;
                }
                _ => break,
            };
            let key = format!("{}-{}", request.topic(&bytes), request.queue_id);
            at = at.wrapping_add(i64::from(request.msg_size));
            self.store_log.print(
                &lines::UNCONFIRMED_COUNTED,
                || facts! { queue = key.as_str(), offset = at },
            );
            self.topic_queue_table
                .insert(key, request.queue_offset.wrapping_add(1));
            counted = counted.saturating_add(1);
        }
        if counted > 0 {
            self.step(
                &rules::UNCONFIRMED_COUNTED,
                None,
                facts! { messages = counted, offset = self.confirm_offset },
                Vec::new(),
            );
        }
        Ok(())
    }

    /// `selectOneMessageByOffset`: the file, the place in it and the size of a record that is written to its end.
    fn record_from(&mut self, offset: i64) -> Result<Option<(MappedFile, i64, i64)>, ReadError> {
        let Some(file) = self.log.find(offset, offset == 0).cloned() else {
            self.store_log.print_not_matched(&self.log, offset);
            return Ok(None);
        };
        let position = i64::from(self.log.position_of(offset));
        let wrote = i64::from(file.wrote);
        if position < 0 || position.saturating_add(4) > wrote {
            self.print_invalid(&file, position, 4);
            return Ok(None);
        }
        let mut size = [0; 4];
        self.disk
            .reader(file.file)
            .read_exact_at(pos_of(position), &mut size)?;
        let size = i64::from(i32::from_be_bytes(size));
        let whole = position.saturating_add(size) <= wrote;
        if !whole {
            self.print_invalid(&file, position, size);
        }
        Ok(whole.then_some((file, position, size)))
    }

    /// `selectMappedBuffer`
    fn print_invalid(&mut self, file: &MappedFile, position: i64, size: i64) {
        self.store_log.print(
            &lines::POSITION_INVALID,
            || facts! { position = position, size = size, from = file.from },
        );
    }
}
