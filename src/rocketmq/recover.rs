//! `CommitLog#recoverNormally` and `#recoverAbnormally`: how far the scan of the log goes, what it dispatches, and what is cut.
//!
//! Both are one procedure with two ways ([`Path`]). Where it begins stands in [`super::start_file`]. After a crash it dispatches every
//! message again; after a clean stop nothing, or from 5.3.2 on what is behind the queues. It stops at the first record that is not
//! good, whatever lies behind it: that place is processOffset.

use super::check_message::{Bad, DispatchRequest, Reject};
use super::format::message;
use super::log_scanner::{Block, BlockEnd, Checking, LogScanner};
use super::mapped_file_queue::MappedFile;
use super::release::{NormalDispatch, Truncation};
use super::store_log::lines::{self, Line};
use super::{Broker, CONFIRM_OFFSET, MAX_OFFSET, MIN_OFFSET, PROCESS_OFFSET, Run, rules};
use crate::decode::Cursor;
use crate::decode::num::{long_of, pos_of, u64_of};
use crate::facts;
use crate::recovery::trace::{Change, Facts};
use crate::recovery::{Finding, Phase, Place, Severity};
use crate::store::{StorePath, Window};

/// The two ways to recover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    Normal,
    Abnormal,
}

/// What the scan came to, for what follows and for the state.
#[derive(Default)]
pub(super) struct Scan {
    pub path: Option<Path>,
    pub start: usize,
    pub start_matched: bool,
    /// That the index time counts has been told.
    pub told_index_time: bool,
    /// Where in the log the last good message begins.
    last_message: Option<i64>,
    /// Names of the files that were read, in order.
    pub visited: Vec<String>,
    /// `end` a bad record, `over` the files were used up.
    pub ended_by: Option<&'static str>,
    pub process_offset: Option<i64>,
    /// Where in its file the reader stood when it gave up on a record.
    pub end_buffer_position: Option<u64>,
    /// `maxPhyOffsetOfConsumeQueue` where the queues had to be cut.
    pub queues_ahead: Option<i64>,
    /// What was read of each file, for the ledger.
    pub files: Vec<ScannedFile>,
    /// No commit log file was there.
    pub no_log: bool,
}

/// What a scan found in one file.
pub(super) struct ScannedFile {
    pub path: StorePath,
    /// Bytes of good messages from its start on.
    pub good: u64,
    pub messages: u64,
    /// The scan left it by a blank.
    pub blank: bool,
}

impl Scan {
    /// Where the log ends; the end of everything where the broker read nothing.
    pub fn process_offset(&self) -> i64 {
        self.process_offset.unwrap_or(i64::MAX)
    }
}

/// Messages since the last step of the scan.
#[derive(Default)]
pub(super) struct MessageRun {
    pub from: u64,
    pub messages: u64,
    pub not_dispatched: u64,
    pub last_store_timestamp: i64,
}

/// A step of the scan covers no more than this, so that the player can stand anywhere in a large file.
const RUN_BYTES: u64 = 64 << 20;
/// How often progress is told.
const PROGRESS_BYTES: u64 = 8 << 20;

/// How a file's scan ended.
enum FileEnd {
    Blank { at: u64 },
    Bad { at: u64, bad: Bad },
}

impl Broker<'_> {
    pub(super) fn recover_normally(&mut self) -> Run {
        self.recover_by(Path::Normal)
    }

    pub(super) fn recover_abnormally(&mut self) -> Run {
        self.recover_by(Path::Abnormal)
    }

    fn recover_by(&mut self, path: Path) -> Run {
        self.scan.path = Some(path);
        self.print_most_files(path);
        if self.log.files.is_empty() {
            return self.recover_without_log();
        }
        let start = self.start_file(path)?;
        self.scan_log(start, path)
    }

    fn print_most_files(&mut self, path: Path) {
        let files = self.options.most_files_back();
        let line = match path {
            Path::Normal => &lines::MOST_FILES_NORMALLY,
            Path::Abnormal => &lines::MOST_FILES_ABNORMALLY,
        };
        self.store_log.print(line, || facts! { files = files });
    }

    pub(super) fn bytes_before(&self, start: usize) -> u64 {
        let size = pos_of(i64::from(self.log.file_size));
        u64_of(start).saturating_mul(size)
    }

    /// Without a log no queue means anything. Index files stay, pointing nowhere.
    fn recover_without_log(&mut self) -> Run {
        self.scan.no_log = true;
        if self.has(&rules::NO_LOG) {
            self.destroy_logics();
        }
        self.scan.process_offset = Some(0);
        self.log.flushed_where = 0;
        Ok(())
    }

    /// The scan, and the truncations behind it.
    fn scan_log(&mut self, start: usize, path: Path) -> Run {
        self.scan.start = start;
        self.progress(self.bytes_before(start));
        let mut at = start;
        let mut process_offset = 0;
        while let Some(file) = self.log.files.get(at).cloned() {
            self.scan.visited.push(file.name.clone());
            let (good, end) = self.scan_file(&file, path)?;
            process_offset = file.from.wrapping_add(long_of(good));
            match end {
                FileEnd::Bad { at, bad } => {
                    if let Some(ended) = self.out_of_memory(&file, at, &bad) {
                        return Err(ended);
                    }
                    self.tell_stop(&file, at, &bad, path);
                    self.scan.end_buffer_position = Some(at.saturating_add(u64_of(bad.stopped_at)));
                    self.scan.ended_by = self.has(&rules::SCAN_END).then_some("end");
                    break;
                }
                FileEnd::Blank { at: blank_at } => {
                    let next = at.saturating_add(1);
                    if next >= self.log.files.len() || !self.has(&rules::SCAN_NEXT_FILE) {
                        let over = self.has(&rules::SCAN_OVER);
                        self.scan.ended_by = Some(if over { "over" } else { "end" });
                        self.print_of(
                            match path {
                                Path::Normal => &lines::OVER_NORMALLY,
                                Path::Abnormal => &lines::OVER_ABNORMALLY,
                            },
                            &file,
                        );
                        self.step_at_blank(&rules::SCAN_OVER, &file, blank_at);
                        break;
                    }
                    if let Some(next) = self.log.files.get(next).cloned() {
                        self.print_of(&lines::NEXT_FILE, &next);
                    }
                    self.step_at_blank(&rules::SCAN_NEXT_FILE, &file, blank_at);
                    at = next;
                }
            }
        }
        self.truncate(process_offset, path)
    }

    /// A line about a file of the log.
    pub(super) fn print_of(&mut self, line: &'static Line, file: &MappedFile) {
        self.store_log
            .print(line, || facts! { file = &self.disk.path(file.file) });
    }

    fn step_at_blank(&mut self, rule: &'static crate::recovery::Rule, file: &MappedFile, at: u64) {
        let path = self.disk.path(file.file);
        let size = self.disk.size(file.file);
        let skipped = size.saturating_sub(at);
        self.dispatched.count(&rules::CHECK_BLANK);
        self.step_with_changes(
            rule,
            Some(Place::before(&path, at, skipped)),
            facts! { path = &path, skipped = skipped },
            vec![Change::Filler {
                from: file.from.wrapping_add(long_of(at)),
                to: file.from.wrapping_add(long_of(size)),
            }],
        );
    }

    /// Reads good messages from the front of a file; returns how many bytes they are, and what comes behind them.
    fn scan_file(&mut self, file: &MappedFile, path: Path) -> Run<(u64, FileEnd)> {
        let log_path = self.disk.path(file.file);
        let Some(bytes_of_file) = self.store.get(&log_path).cloned() else {
            return Ok((0, FileEnd::Blank { at: 0 }));
        };
        let size = bytes_of_file.size();
        let checking = Checking {
            crc: self.options.check_crc_on_recover,
            dup_info: self.options.duplication_enable,
            property_crc: self.options.force_verify_prop_crc,
            buffer: self.buffer,
            delays: self.delays.clone(),
            release: self.options.release,
            without: self.options.without_rule.clone(),
        };
        let mut scanner = LogScanner::open(&*bytes_of_file, checking);
        let mut run = MessageRun::default();
        let (mut told, mut messages) = (0u64, 0u64);
        // What counts as read up to here; without the row that accepts messages, nothing does.
        let mut good = 0u64;
        let mut used = None;
        let end = 'file: loop {
            let block = scanner
                .next(used.take())
                .map_err(|error| error.in_file(log_path.as_str()))?;
            let mut next = block.start;
            for (request, record) in block.messages() {
                let at = file.from.wrapping_add(long_of(next));
                if self.stands_elsewhere(file, request, path) {
                    let bad = Bad {
                        reject: Reject::OffsetField {
                            stored: request.commit_log_offset,
                        },
                        stopped_at: request.read,
                        size: Some(request.msg_size),
                        claimed: request.msg_size,
                    };
                    break 'file FileEnd::Bad { at: next, bad };
                }
                self.scan.last_message = Some(at);
                next = next.saturating_add(u64_of(record.len()));
                if messages == 0 {
                    let first = (file.from, request.store_timestamp);
                    self.map.before.clock.push(first);
                }
                messages = messages.saturating_add(1);
                self.accept(request, record, path, &mut run)?;
                if self.has(&rules::SCAN_ACCEPTED) {
                    good = next;
                }
                let end = file.from.wrapping_add(long_of(next));
                self.note_moment(
                    Phase::Scan,
                    end.wrapping_sub(i64::from(request.msg_size)),
                    end,
                );
                if next.saturating_sub(run.from) >= RUN_BYTES {
                    self.tell_run(file, &mut run, next);
                }
            }
            let stop = block.stop();
            if stop.saturating_sub(told) >= PROGRESS_BYTES {
                self.progress(stop.saturating_sub(told));
                told = stop;
            }
            used = match block {
                Block { end: None, .. } => Some(block),
                Block {
                    end: Some(BlockEnd::Blank),
                    ..
                } => break FileEnd::Blank { at: stop },
                Block {
                    end: Some(BlockEnd::Bad(bad)),
                    ..
                } => break FileEnd::Bad { at: stop, bad },
            };
        };
        self.tell_run(file, &mut run, good);
        self.scan.files.push(ScannedFile {
            path: log_path,
            good,
            messages,
            blank: matches!(end, FileEnd::Blank { .. }),
        });
        self.progress(size.saturating_sub(told));
        Ok((good, end))
    }

    fn accept(
        &mut self,
        request: &DispatchRequest,
        record: &[u8],
        path: Path,
        run: &mut MessageRun,
    ) -> Run {
        self.buffer.keep(request.msg_size);
        run.messages = run.messages.saturating_add(1);
        run.last_store_timestamp = request.store_timestamp;
        if request.version == message::Version::V2 {
            self.dispatched.count(&rules::CHECK_TOPIC_OF_TWO_BYTES);
        }
        match path {
            Path::Normal if self.is_behind_queues(request) => {
                self.dispatched.count(&rules::SCAN_BEHIND_QUEUES);
            }
            Path::Normal => return Ok(()),
            Path::Abnormal => {
                if let Some(rule) = self.held_back_by(request) {
                    self.dispatched.count(rule);
                    run.not_dispatched = run.not_dispatched.saturating_add(1);
                    return Ok(());
                }
            }
        }
        self.dispatch(request, record)
    }

    /// After a clean stop: is this message one that the furthest queue has not? The furthest queue's end is where the first such message
    /// *begins*, so that one is not greater, and is left out for good.
    fn is_behind_queues(&mut self, request: &DispatchRequest) -> bool {
        let behind = self.options.release.policy().normal_dispatch == NormalDispatch::BehindQueues
            && self.has(&rules::SCAN_BEHIND_QUEUES);
        if behind && request.commit_log_offset == self.facts.queues_max {
            self.facts.first_left_out = Some(request.commit_log_offset);
        }
        behind && request.commit_log_offset > self.facts.queues_max
    }

    /// With `duplicationEnable`: what is not confirmed is not dispatched.
    fn held_back_by(&self, request: &DispatchRequest) -> Option<&'static crate::recovery::Rule> {
        if !self.options.duplication_enable {
            return None;
        }
        let end = request
            .commit_log_offset
            .wrapping_add(i64::from(request.msg_size));
        let begins_behind = request.commit_log_offset >= self.confirm_offset;
        if self.holds(&rules::SCAN_DUPLICATION, begins_behind) {
            return Some(&rules::SCAN_DUPLICATION);
        }
        let ends_behind = end > self.confirm_offset;
        self.holds(&rules::SCAN_UNCONFIRMED, ends_behind)
            .then_some(&rules::SCAN_UNCONFIRMED)
    }

    /// `checkCommitLogOffsetOnRecover` (5.5, after a crash): does a message say that it stands in another file?
    fn stands_elsewhere(&self, file: &MappedFile, request: &DispatchRequest, path: Path) -> bool {
        let offset = request.commit_log_offset;
        let end = file.from.wrapping_add(i64::from(self.log.file_size));
        path == Path::Abnormal
            && self.options.check_commit_log_offset_on_recover
            && self.holds(
                &rules::CHECK_OFFSET_FIELD,
                offset < file.from || offset > end,
            )
    }

    /// The messages since the last step, as one.
    fn tell_run(&mut self, file: &MappedFile, run: &mut MessageRun, to: u64) {
        if run.messages == 0 {
            return;
        }
        let path = self.disk.path(file.file);
        let bytes = to.saturating_sub(run.from);
        let log = |at: u64| file.from.wrapping_add(long_of(at));
        self.map
            .before
            .clock
            .push((log(to), run.last_store_timestamp));
        let verified = Change::Verified {
            from: log(run.from),
            to: log(to),
            messages: run.messages,
        };
        self.step_with_changes(
            &rules::SCAN_ACCEPTED,
            Some(Place::before(&path, run.from, bytes)),
            facts! {
                messages = run.messages,
                bytes = bytes,
                from = log(run.from),
                to = log(to),
                path = &path,
            },
            vec![verified],
        );
        *run = MessageRun {
            from: to,
            ..MessageRun::default()
        };
    }

    /// Why the scan stops, and where.
    fn tell_stop(&mut self, file: &MappedFile, at: u64, bad: &Bad, way: Path) {
        let path = self.disk.path(file.file);
        let offset = file.from.wrapping_add(long_of(at));
        let place = self.place_of(&path, at, bad);
        self.warn_of_heap(&path, at, offset, bad.claimed);
        let mut facts = self.reject_facts(&path, at, &bad.reject);
        facts.insert("offset".into(), offset.into());
        facts.insert("path".into(), (&path).into());
        facts.insert("position".into(), at.into());
        self.print_reject(&path, at, &bad.reject);
        if let Reject::OffsetField { stored } = bad.reject {
            self.store_log.print(
                &lines::OFFSET_ILLEGAL,
                || facts! { stored = stored, file = &path, offset = offset },
            );
        } else if bad.size.is_some_and(|size| size > 0) {
            self.store_log
                .print(&lines::HALF_MESSAGE, || facts! { offset = offset });
        }
        self.step(bad.reject.rule(), Some(place), facts, Vec::new());
        if self.has(&rules::SCAN_END) {
            let position = at.saturating_add(u64_of(bad.stopped_at));
            let line = match way {
                Path::Normal => &lines::END_NORMALLY,
                Path::Abnormal => &lines::END_ABNORMALLY,
            };
            self.store_log
                .print(line, || facts! { file = &path, position = position });
            self.step(
                &rules::SCAN_END,
                Some(Place::before(&path, at, 0)),
                facts! { path = &path, offset = offset },
                Vec::new(),
            );
        }
    }

    /// The bytes that decided: the field that is wrong, or what was read up to the stop.
    fn place_of(&self, path: &StorePath, at: u64, bad: &Bad) -> Place {
        let (start, len) = match bad.reject {
            Reject::Magic { .. } => (4, 4),
            Reject::NothingWritten => (0, 8),
            Reject::NegativeSize { .. }
            | Reject::NegativeFirst { .. }
            | Reject::HugeSize { .. }
            | Reject::Lengths { .. } => (0, 4),
            Reject::BodyCrc { .. } => (8, 4),
            Reject::BeyondFile { .. } => (0, 4),
            Reject::OffsetField { .. } => (28, 8),
            _ => (0, u64_of(bad.stopped_at)),
        };
        Place::before(path, at.saturating_add(start), len)
    }

    fn reject_facts(&self, path: &StorePath, at: u64, reject: &Reject) -> Facts {
        match reject {
            Reject::Underflow { need, left } => facts! { need = *need, left = *left },
            Reject::BeyondFile { need, left } => facts! { need = *need, left = *left },
            Reject::NothingWritten => Facts::new(),
            Reject::DupInfo { found } => {
                let mut facts = facts! { found = found.as_deref().unwrap_or("null") };
                facts.extend(self.message_names(path, at));
                facts
            }
            Reject::PropertyCrc { stored, computed } => {
                let mut facts = facts! { stored = *stored, computed = *computed };
                facts.extend(self.message_names(path, at));
                facts
            }
            Reject::PropertyCrcMissing => self.message_names(path, at),
            Reject::InnerBatch { name, text } => facts! { part = *name, text = text.as_str() },
            Reject::OffsetField { stored } => facts! { stored = *stored },
            Reject::Magic { found } => facts! { found = *found },
            Reject::NegativeSize { stored }
            | Reject::NegativeFirst { stored }
            | Reject::HugeSize { stored } => {
                facts! { stored = *stored }
            }
            Reject::Part { name, len, room } => facts! { part = *name, len = *len, room = *room },
            Reject::DelayLevel { text } => facts! { text = text.as_str() },
            Reject::Lengths {
                total_size,
                sum,
                body_len,
                topic_len,
                properties_len,
            } => facts! {
                total = *total_size,
                sum = *sum,
                body = *body_len,
                topicLength = *topic_len,
                properties = *properties_len,
            },
            Reject::BodyCrc { stored, computed } => {
                let mut facts = facts! { stored = *stored, computed = *computed };
                facts.extend(self.message_names(path, at));
                facts
            }
        }
    }

    /// Topic and queue of a record whose check failed behind them, as far as they can be read.
    pub(super) fn message_names(&self, path: &StorePath, at: u64) -> Facts {
        let unknown = || facts! { topic = "?", queueId = -1, queueOffset = -1i64 };
        let Some(file) = self.store.get(path) else {
            return unknown();
        };
        let mut window = Window::look(&**file);
        let left = file.size().saturating_sub(at);
        let Ok(bytes) = window.from(at, 8 << 20) else {
            return unknown();
        };
        let mut cursor = Cursor::new(bytes, left);
        let read = message::frame(&mut cursor, &mut ())
            .ok()
            .and_then(|frame| message::Version::of(frame.magic))
            .and_then(|version| {
                let head = message::head(&mut cursor, None, true, &mut ()).ok()?;
                let tail = message::tail(&mut cursor, version, None, &mut ()).ok()?;
                Some((head, tail))
            });
        match read {
            Some((head, tail)) => facts! {
                topic = message::text(tail.topic).into_owned(),
                queueId = head.queue_id,
                queueOffset = head.queue_offset,
            },
            None => unknown(),
        }
    }

    /// Sets the log's end; then, where a queue points there or behind, cuts the queues.
    fn truncate(&mut self, process_offset: i64, path: Path) -> Run {
        let process_offset = if self.has(&rules::PROCESS_OFFSET) {
            process_offset
        } else {
            0
        };
        self.scan.process_offset = Some(process_offset);
        let change = self.mark(&PROCESS_OFFSET, None, Some(process_offset));
        self.step_with_changes(
            &rules::PROCESS_OFFSET,
            None,
            facts! { offset = process_offset },
            vec![change],
        );
        self.confirm_last_message(path);
        if path == Path::Abnormal {
            self.print_flush();
        }
        match self.options.release.policy().truncation {
            Truncation::LogThenQueues => {
                self.truncate_log(process_offset);
                self.truncate_queues(self.facts.queues_max, process_offset)
            }
            Truncation::QueuesThenLog => {
                self.truncate_queues(self.facts.queues_max, process_offset)?;
                self.truncate_log(process_offset);
                Ok(())
            }
            Truncation::QueuesMeasuredAgainThenLog => {
                self.truncate_queues(self.queues.max_physic_offset(), process_offset)?;
                self.truncate_log(process_offset);
                Ok(())
            }
        }
    }

    /// `setConfirmOffset`: the *start* of the last good message. Where none was found: the log's end as it was before it is cut, or the
    /// start of the first file scanned after a crash.
    fn confirm_last_message(&mut self, path: Path) {
        if !self.has(&rules::CONFIRM_LAST) {
            return;
        }
        let none_found = match path {
            Path::Normal => self.confirm_offset(),
            Path::Abnormal => self
                .log
                .files
                .get(self.scan.start)
                .map_or(0, |file| file.from),
        };
        let from = self.confirm_offset;
        let to = self.scan.last_message.unwrap_or(none_found);
        self.set_confirm_offset(to);
        let change = self.mark(&CONFIRM_OFFSET, Some(from), Some(to));
        self.step(
            &rules::CONFIRM_LAST,
            None,
            facts! { offset = to },
            vec![change],
        );
    }

    /// From 5.2 on the queues are flushed here: one whose last file is full ends in none of its files.
    fn print_flush(&mut self) {
        if self.options.release.policy().truncation == Truncation::LogThenQueues {
            return;
        }
        for no in self.queues.numbers() {
            let Some(queue) = self.queues.get(no) else {
                continue;
            };
            let files = &queue.files;
            self.store_log.print_not_matched(files, files.flushed_where);
        }
    }

    /// The queues that point to the log's end or behind. `ahead` is the furthest of them: before the scan dispatched anything, or after.
    fn truncate_queues(&mut self, ahead: i64, process_offset: i64) -> Run {
        if !self.holds(&rules::LOGIC_DIRTY, ahead >= process_offset) {
            return Ok(());
        }
        self.scan.queues_ahead = Some(ahead);
        self.store_log.print(
            &lines::QUEUES_AHEAD,
            || facts! { ahead = ahead, offset = process_offset },
        );
        self.step_with_dispatched(
            &rules::LOGIC_DIRTY,
            None,
            facts! { maxPhysicOffset = ahead, processOffset = process_offset },
        );
        self.truncate_dirty_logic_files(process_offset)
    }

    fn truncate_log(&mut self, process_offset: i64) {
        let before = self.log.max_offset();
        self.log.flushed_where = process_offset;
        if self.has(&rules::LOG_CUT) {
            for moved in self.log.set_back(process_offset) {
                let Some(file) = self.log.files.get(moved.at) else {
                    continue;
                };
                let path = self.disk.path(file.file);
                let (from, to) = (pos_of(i64::from(moved.from)), pos_of(i64::from(moved.to)));
                let bytes = from.saturating_sub(to);
                let change = super::consume_queues::wrote(file, moved.from, moved.to);
                self.step(
                    &rules::LOG_CUT,
                    Some(Place::before(&path, to, bytes)),
                    facts! { path = &path, from = from, to = to, bytes = bytes },
                    vec![change],
                );
            }
        }
        if self.has(&rules::LOG_FILE_BEHIND) {
            for file in self.log.take_files_behind(process_offset) {
                self.print_deleted_mapped(&file);
                self.delete_mapped(
                    &file,
                    &rules::LOG_FILE_BEHIND,
                    facts! { end = process_offset },
                );
            }
        }
        let (min, max) = (self.log.min_offset(), self.log.max_offset());
        let changes = [
            self.mark(&MAX_OFFSET, Some(before), Some(max)),
            self.mark(&MIN_OFFSET, Some(min), Some(min)),
        ];
        self.dispatched.changes.extend(changes);
    }

    /// An `OutOfMemoryError` is no exception: it leaves `load()`, and the process with it.
    pub(super) fn out_of_memory(
        &mut self,
        file: &MappedFile,
        at: u64,
        bad: &Bad,
    ) -> Option<super::Ended> {
        let Reject::HugeSize { stored } = bad.reject else {
            return None;
        };
        let path = self.disk.path(file.file);
        Some(self.refuse(
            &rules::CHECK_HUGE_SIZE,
            Some(Place::before(&path, at, 4)),
            facts! {
                stored = stored,
                offset = file.from.wrapping_add(long_of(at)),
                path = &path,
                position = at,
            },
        ))
    }

    /// A record that claims a size for which the broker must have the heap.
    pub(super) fn warn_of_heap(&mut self, path: &StorePath, at: u64, offset: i64, stored: i32) {
        /// Less than this a broker has at any rate.
        const HEAP: i32 = 256 << 20;
        if stored > HEAP && stored < i32::MAX - 1 {
            self.facts.findings.push(Finding::new(
                "heap",
                Severity::Warning,
                Some(Place::before(path, at, 4)),
                facts! { offset = offset, stored = stored },
            ));
        }
    }
}
