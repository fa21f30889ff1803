//! `DefaultMessageStore#start`. In 4.9 dispatch goes on from the furthest queue until nothing is behind, and only then is the broker
//! ready; what it cannot dispatch it steps over, or waits for without end. From 5.0 on it goes on from confirmOffset, which is the
//! log's end: what recovery has not dispatched, nobody will.

use super::check_message::{Bad, Checked, NeedMore, Reject, check_message};
use super::mapped_file_queue::MappedFile;
use super::release::ReputStart;
use super::store_log::lines;
use super::{Broker, REPUT_FROM_OFFSET, Run, layout, rules};
use crate::decode::Cursor;
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::facts;
use crate::recovery::trace::Change;
use crate::recovery::{Phase, Place};
use crate::store::Window;
use crate::store::overlay::FileNo;
use std::collections::HashSet;

/// Dispatched messages since the last step.
struct ReputRun {
    from: i64,
    messages: u64,
}

const RUN_BYTES: i64 = 64 << 20;

impl Broker<'_> {
    pub(super) fn start(&mut self) -> Run {
        self.facts.start_phase();
        self.store_log.goes_on_in("start", "main");
        match self.options.release.policy().reput_start {
            ReputStart::FurthestQueue => self.catch_up()?,
            ReputStart::ConfirmOffset => self.go_on_from_confirm_offset()?,
        }
        self.store_log.say(&lines::LOG_STARTED);
        self.store_log.say(&lines::QUEUES_STARTED);
        self.make_abort()?;
        self.store_log.reach("RUNNING", true);
        self.write_checkpoint()?;
        self.write_index_headers()
    }

    fn go_on_from_confirm_offset(&mut self) -> Run {
        let confirmed = self.confirm_offset();
        let from = if self.has(&rules::REPUT_FROM_CONFIRM) {
            confirmed
        } else {
            0
        };
        self.facts.reput_from_at_start = Some(from);
        // `doReput` moves it up to where the log begins, once and before anything else.
        let caught_up = from.max(self.log.min_offset());
        self.facts.reput_from = Some(caught_up);
        self.facts.reput_behind = confirmed.wrapping_sub(caught_up);
        if from < caught_up {
            self.store_log.print(
                &lines::REPUT_MOVED_UP,
                || facts! { offset = from, min = caught_up },
            );
        }
        let change = self.mark(&REPUT_FROM_OFFSET, None, Some(from));
        self.step(
            &rules::REPUT_FROM_CONFIRM,
            None,
            facts! { offset = from, max = self.log.max_offset() },
            vec![change],
        );
        if !self.has(&rules::REPUT_CAUGHT_UP) {
            return Err(self.hang(&rules::REPUT_CAUGHT_UP, None, facts! { offset = from }));
        }
        let change = self.mark(&REPUT_FROM_OFFSET, Some(from), Some(caught_up));
        self.step_with_changes(
            &rules::REPUT_CAUGHT_UP,
            None,
            facts! { offset = caught_up },
            vec![change],
        );
        Ok(())
    }

    fn catch_up(&mut self) -> Run {
        let from = self.reput_start();
        self.facts.reput_from = Some(from);
        self.facts.reput_from_at_start = Some(from);
        let max = self.log.max_offset();
        let change = self.mark(&REPUT_FROM_OFFSET, None, Some(from));
        self.store_log.print(&lines::REPUT_FROM, || {
            facts! {
                offset = from,
                min = self.log.min_offset(),
                max = max,
                confirmed = self.confirm_offset,
            }
        });
        self.step(
            &rules::REPUT_FROM,
            None,
            facts! { offset = from, max = max, behind = max.saturating_sub(from).max(0) },
            vec![change],
        );
        self.store_log.goes_on_in("start", "ReputMessageService");
        self.reput(from)?;
        self.store_log.goes_on_in("start", "main");
        if !self.has(&rules::REPUT_CAUGHT_UP) {
            return Err(self.hang(&rules::REPUT_CAUGHT_UP, None, facts! { offset = from }));
        }
        let caught_up = self.facts.reput_from.unwrap_or(from);
        let change = self.mark(&REPUT_FROM_OFFSET, Some(from), Some(caught_up));
        self.step_with_changes(
            &rules::REPUT_CAUGHT_UP,
            None,
            facts! { offset = caught_up },
            vec![change],
        );
        self.recover_topic_queue_table()
    }

    /// `maxPhysicalPosInLogicQueue`: the furthest queue, or where the log begins. That this may lie behind the log's end, or in a hole,
    /// is not asked. (The source corrects it a second time when below the log's begin, which cannot be after the first.)
    fn reput_start(&self) -> i64 {
        if !self.has(&rules::REPUT_FROM) {
            return 0;
        }
        self.log
            .min_offset()
            .max(self.queues.max_physic_offset())
            .max(0)
    }

    /// `doReput`, called again and again until nothing is behind.
    fn reput(&mut self, start: i64) -> Run {
        let mut from = start;
        let mut run = ReputRun { from, messages: 0 };
        // Where the files do not lie on the grid of their size, dispatch is thrown back, and what comes next hangs on the offset alone.
        let mut been_at = HashSet::new();
        while from < self.log.max_offset() {
            if !been_at.insert(from) {
                self.tell_reput(&mut run, from);
                if !self.has(&rules::REPUT_ROUND) {
                    return Ok(());
                }
                let data = self.get_data(from);
                let place = data.map(|(file, at)| Place::before(&self.disk.path(file.file), at, 0));
                return Err(self.hang(&rules::REPUT_ROUND, place, facts! { offset = from }));
            }
            let held_back = self.options.duplication_enable && from >= self.confirm_offset;
            if self.holds(&rules::REPUT_DUPLICATION, held_back) {
                return Err(self.hang(
                    &rules::REPUT_DUPLICATION,
                    None,
                    facts! { from = from, confirm = self.confirm_offset },
                ));
            }
            match self.get_data(from) {
                Some((file, position)) => {
                    let first = file.from.wrapping_add(long_of(position));
                    if run.messages == 0 {
                        run.from = first;
                    }
                    from = self.reput_file(&file, position, &mut run)?;
                    self.facts.reput_from = Some(from);
                }
                None if self.has(&rules::REPUT_NO_DATA) => {
                    self.tell_reput(&mut run, from);
                    let place = self.hole_at(from);
                    return Err(self.hang(&rules::REPUT_NO_DATA, place, facts! { offset = from }));
                }
                None => from = self.log.next_file_offset(from),
            }
        }
        self.tell_reput(&mut run, from);
        Ok(())
    }

    /// Where the file should be that holds an offset, for the eye.
    fn hole_at(&self, offset: i64) -> Option<Place> {
        let size = i64::from(self.log.file_size);
        let start = offset.wrapping_sub(crate::decode::num::java_rem(offset, size));
        let path = layout::commit_log_dir().join(&layout::file_name(start));
        match self.disk.find(&path) {
            Some(_) => Some(Place::before(&path, pos_of(offset.wrapping_sub(start)), 0)),
            None => Some(Place::missing(&path)),
        }
    }

    /// `CommitLog#getData`: the file that holds the offset, from there to its write position.
    fn get_data(&self, offset: i64) -> Option<(MappedFile, u64)> {
        let file = self.log.find(offset, offset == 0)?;
        let position = self.log.position_of(offset);
        (position >= 0 && position < file.wrote)
            .then(|| (file.clone(), pos_of(i64::from(position))))
    }

    /// Dispatches from a place in a file to its write position; returns where dispatch goes on.
    ///
    /// Three numbers move apart here when lengths do not add up: where dispatch believes to be, how much it believes to have read, and
    /// where the buffer stands.
    fn reput_file(&mut self, file: &MappedFile, position: u64, run: &mut ReputRun) -> Run<i64> {
        let path = self.disk.path(file.file);
        let limit = pos_of(i64::from(file.wrote));
        let mut from = file.from.wrapping_add(long_of(position));
        let size = long_of(limit.saturating_sub(position));
        let Some(bytes_of_file) = self.store.get(&path).cloned() else {
            return Ok(self.log.next_file_offset(from));
        };
        let limit = limit.min(bytes_of_file.size());
        let mut window = Window::scan(&*bytes_of_file);
        let (mut read_size, mut buffer, mut want) = (0i64, position, 4096);
        while read_size < size {
            let bytes = window.from(buffer, want)?;
            let mut cursor = Cursor::new(bytes, limit.saturating_sub(buffer));
            match check_message(&mut cursor, self.check(false, false)) {
                Err(NeedMore(bytes)) => want = bytes.max(4096),
                Ok(Checked::Message(request)) => {
                    let msg_size = i64::from(request.msg_size);
                    let read = request.read;
                    if self.has(&rules::REPUT_DISPATCHED) {
                        self.dispatch(&request, bytes)?;
                        run.messages = run.messages.saturating_add(1);
                    }
                    let end = from.wrapping_add(msg_size);
                    self.note_moment(Phase::Reput, from, end);
                    from = end;
                    read_size = read_size.saturating_add(msg_size);
                    buffer = buffer.saturating_add(u64_of(read));
                    want = 4096;
                    if from.saturating_sub(run.from) >= RUN_BYTES {
                        self.tell_reput(run, from);
                    }
                }
                Ok(Checked::Blank) => {
                    if !self.has(&rules::REPUT_BLANK) {
                        return Err(self.hang(&rules::REPUT_BLANK, None, facts! { offset = from }));
                    }
                    self.dispatched.count(&rules::REPUT_BLANK);
                    return Ok(self.log.next_file_offset(from));
                }
                Ok(Checked::Bad(bad)) => {
                    self.print_reject(&path, buffer, &bad.reject);
                    let place = Place::before(&path, buffer, u64_of(bad.stopped_at));
                    if let Some(size) = bad.size.filter(|size| *size > 0)
                        && self.has(&rules::REPUT_SKIPPED_ONE)
                    {
                        self.tell_reput(run, from);
                        self.store_log
                            .print(&lines::REPUT_LENGTHS, || facts! { offset = from });
                        self.step(
                            &rules::REPUT_SKIPPED_ONE,
                            Some(place),
                            facts! { offset = from, size = size },
                            Vec::new(),
                        );
                        from = from.wrapping_add(i64::from(size));
                        run.from = from;
                        buffer = buffer.saturating_add(u64_of(bad.stopped_at));
                        want = 4096;
                    } else {
                        return self.skip_rest(
                            place,
                            &bad,
                            from,
                            size.saturating_sub(read_size),
                            run,
                        );
                    }
                }
            }
        }
        Ok(from)
    }

    /// A record that cannot be read at all: the rest of what was mapped is stepped over, good messages and all.
    fn skip_rest(
        &mut self,
        place: Place,
        bad: &Bad,
        from: i64,
        rest: i64,
        run: &mut ReputRun,
    ) -> Run<i64> {
        self.tell_reput(run, from);
        if let Reject::HugeSize { stored } = bad.reject
            && self.has(&rules::REPUT_DIES)
        {
            self.facts.reput_from = Some(from);
            return Err(self.hang(
                &rules::REPUT_DIES,
                Some(place),
                facts! { offset = from, stored = stored },
            ));
        }
        self.store_log
            .print(&lines::REPUT_SKIPPED, || facts! { offset = from });
        self.step(
            &rules::REPUT_SKIPPED_REST,
            Some(place),
            facts! { offset = from, bytes = rest, reason = bad.reject.rule().id },
            Vec::new(),
        );
        if !self.has(&rules::REPUT_SKIPPED_REST) {
            return Err(self.hang(&rules::REPUT_NO_DATA, None, facts! { offset = from }));
        }
        let next = from.wrapping_add(rest);
        run.from = next;
        Ok(next)
    }

    fn tell_reput(&mut self, run: &mut ReputRun, to: i64) {
        if run.messages > 0 {
            let bytes = to.saturating_sub(run.from);
            let place = self.log.find(run.from, false).map(|file| {
                let position = pos_of(i64::from(self.log.position_of(run.from)));
                let left = self.disk.size(file.file).saturating_sub(position);
                Place::before(
                    &self.disk.path(file.file),
                    position,
                    left.min(pos_of(bytes)),
                )
            });
            self.step_with_changes(
                &rules::REPUT_DISPATCHED,
                place,
                facts! { messages = run.messages, bytes = bytes, from = run.from, to = to },
                Vec::new(),
            );
        }
        run.from = to;
        run.messages = 0;
    }

    /// `createTempFile`: from now on a stop that is not clean will be seen. From 5.0 on it holds the broker's process id, which no file
    /// tells beforehand; what it held is kept beside it.
    fn make_abort(&mut self) -> Run {
        if !self.has(&rules::ABORT_MADE) {
            return Ok(());
        }
        let path = layout::abort_file();
        let there = self.disk.find(&path);
        if there.is_none() {
            self.disk.create(path.clone(), 0);
        }
        self.facts.abort_after = true;
        let place = if there.is_some() {
            Place::whole(&path, 0)
        } else {
            Place::missing(&path)
        };
        let line = if there.is_some() {
            &lines::ABORT_THERE
        } else {
            &lines::ABORT_MADE
        };
        self.store_log.print(line, || facts! { file = &path });
        self.step(
            &rules::ABORT_MADE,
            Some(place),
            facts! { path = &path },
            Vec::<Change>::new(),
        );
        if self.has(&rules::ABORT_BACKED_UP) {
            self.back_up_abort(there)?;
        }
        Ok(())
    }

    fn back_up_abort(&mut self, abort: Option<FileNo>) -> Run {
        let backup = layout::abort_backup_file();
        let mut held = vec![0; abort.map_or(0, |file| usize_of(self.disk.size(file).min(1 << 10)))];
        if let Some(file) = abort {
            self.disk.reader(file).read_exact_at(0, &mut held)?;
        }
        if let Some(old) = self.disk.find(&backup) {
            self.disk.delete(old);
        }
        let file = self.disk.create(backup.clone(), u64_of(held.len()));
        self.disk.write(file, 0, &held)?;
        self.step(
            &rules::ABORT_BACKED_UP,
            Some(Place::missing(&backup)),
            facts! { path = &backup, bytes = held.len() },
            Vec::<Change>::new(),
        );
        Ok(())
    }
}
