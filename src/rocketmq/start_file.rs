//! Which file of the log the scan begins at: `CommitLog#recoverNormally`, `#recoverAbnormally`, `#isMappedFileMatchedRecover`.
//!
//! What lies before it is not looked at, and after a crash not dispatched again. Each release line has its own way ([`NormalStart`],
//! [`MatchTest`]); all go backwards from the last file.

use super::check_message::{Checked, NeedMore, check_message};
use super::format::message;
use super::recover::Path;
use super::release::{MatchTest, NormalStart};
use super::store_log::{lines, shown};
use super::{Broker, Run, rules};
use crate::decode::Cursor;
use crate::decode::num::{u32_bits, usize_of};
use crate::facts;
use crate::recovery::Place;
use crate::store::Window;

impl Broker<'_> {
    /// The number of the first file to scan.
    pub(super) fn start_file(&mut self, path: Path) -> Run<usize> {
        let policy = self.options.release.policy();
        let start = match (path, policy.normal_start, policy.match_test) {
            (Path::Normal, NormalStart::ThirdLastFile, _) => return Ok(self.third_last_file()),
            (Path::Normal, NormalStart::FileAtQueues, _) => return Ok(self.file_at_queues()),
            (Path::Normal, NormalStart::MessageAtQueues, _) | (_, _, MatchTest::PhysicalOffset) => {
                self.last_file_by_offset(path)?
            }
            (_, _, MatchTest::StoreTime) => self.last_file_by_time()?,
        };
        self.scan.start_matched = start.is_some();
        Ok(match start {
            Some(start) => start,
            None if self.has(&rules::START_FIRST) => {
                self.tell_first_file();
                0
            }
            None => self.log.files.len().saturating_sub(1),
        })
    }

    fn tell_first_file(&mut self) {
        let place = self.log.files.first().map(|file| file.file);
        let place = place.map(|file| self.whole(file));
        let path = place.as_ref().map(|place| place.file.clone());
        self.step(
            &rules::START_FIRST,
            place,
            facts! { path = path.map(|path| path.as_str().to_owned()).unwrap_or_default() },
            Vec::new(),
        );
    }

    /// After a crash alone the broker says where it begins.
    fn print_start(&mut self, at: usize, path: Path) {
        if let (Path::Abnormal, Some(file)) = (path, self.log.files.get(at).cloned()) {
            self.print_of(&lines::START_FILE, &file);
        }
    }

    fn third_last_file(&mut self) -> usize {
        let files = self.log.files.len();
        let third_last = files.saturating_sub(3);
        let start = if self.has(&rules::START_THIRD_LAST) {
            third_last
        } else {
            0
        };
        let unread = self.bytes_before(start);
        if let Some(file) = self.log.files.get(start) {
            let (place, from) = (self.whole(file.file), file.from);
            self.step(
                &rules::START_THIRD_LAST,
                Some(place.clone()),
                facts! { path = &place.file, start = from, files = files, unread = unread },
                Vec::new(),
            );
        }
        start
    }

    /// What is before the furthest queue's end is taken as read: no look at it.
    fn file_at_queues(&mut self) -> usize {
        let end = self.facts.queues_max;
        let mut files = self.log.files.iter().enumerate().rev();
        let start = files
            .find(|(_, file)| file.from <= end)
            .map_or(0, |(at, _)| at);
        let start = if self.has(&rules::START_FILE_AT_QUEUES) {
            start
        } else {
            0
        };
        let unread = self.bytes_before(start);
        if let Some(file) = self.log.files.get(start) {
            let (place, from) = (self.whole(file.file), file.from);
            self.step(
                &rules::START_FILE_AT_QUEUES,
                Some(place.clone()),
                facts! { path = &place.file, start = from, queues = end, unread = unread },
                Vec::new(),
            );
        }
        start
    }

    fn last_file_by_time(&mut self) -> Run<Option<usize>> {
        for at in (0..self.log.files.len()).rev() {
            if self.is_old_enough(at)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// From 5.4 on, on both ways. After a clean stop the first file is taken without a look; and however far back the right file would
    /// be, no more than `commitLogRecoverMaxNum` files are looked at.
    fn last_file_by_offset(&mut self, path: Path) -> Run<Option<usize>> {
        let files = self.log.files.len();
        let mut left = self.options.most_files_back();
        for at in (0..files).rev() {
            if path == Path::Normal && at == 0 {
                break;
            }
            left = left.saturating_sub(1);
            if self.begins_before_queues(at, path)? {
                return Ok(Some(at));
            }
            if self.holds(&rules::START_LIMIT, left <= 0) {
                let unread = self.bytes_before(at);
                let place = self.log.files.get(at).map(|file| self.whole(file.file));
                let name = place.as_ref().map(|place| place.file.as_str().to_owned());
                let looked_at = files.saturating_sub(at);
                self.print_start(at, path);
                self.step(
                    &rules::START_LIMIT,
                    place,
                    facts! {
                        path = name.unwrap_or_default(),
                        files = looked_at,
                        unread = unread,
                    },
                    Vec::new(),
                );
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// `isMappedFileMatchedRecover` (5.4): is the first message good, and does it say that it stands before what the queues have?
    fn begins_before_queues(&mut self, at: usize, path: Path) -> Run<bool> {
        let Some(file) = self.log.files.get(at) else {
            return Ok(false);
        };
        let (log_path, from) = (self.disk.path(file.file), file.from);
        let size = self.disk.size(file.file);
        let check = super::check_message::Check {
            dup_info: self.options.duplication_enable,
            ..self.check(self.options.check_crc_on_recover, true)
        };
        let mut window = Window::look(self.disk.reader(file.file));
        let mut want = 4096;
        let checked = loop {
            let bytes = window.from(0, want)?;
            match check_message(&mut Cursor::new(bytes, size), check) {
                Ok(checked) => break checked,
                Err(NeedMore(more)) => want = more,
            }
        };
        match &checked {
            Checked::Message(request) => self.buffer.keep(request.msg_size),
            Checked::Bad(bad) if bad.stopped_at > 8 => self.buffer.keep(bad.claimed),
            _ => {}
        }
        let front = Place::before(&log_path, 0, 8);
        let request = match checked {
            Checked::Message(request) => request,
            Checked::Bad(bad) => {
                self.print_reject(&log_path, 0, &bad.reject);
                let facts = facts! { path = &log_path, reason = bad.reject.rule().id };
                self.step(&rules::START_FIRST_BAD, Some(front), facts, Vec::new());
                return Ok(!self.has(&rules::START_FIRST_BAD));
            }
            // A blank has no store time.
            Checked::Blank => {
                self.step(
                    &rules::START_NO_TIME,
                    Some(front),
                    facts! { path = &log_path },
                    Vec::new(),
                );
                return Ok(!self.has(&rules::START_NO_TIME));
            }
        };
        if self.holds(&rules::START_NO_TIME, request.store_timestamp == 0) {
            self.step(
                &rules::START_NO_TIME,
                Some(front),
                facts! { path = &log_path },
                Vec::new(),
            );
            return Ok(false);
        }
        self.map.before.clock.push((from, request.store_timestamp));
        let time_at = message::store_timestamp_at(request.sys_flag);
        let time = Place::before(&log_path, time_at, 8);
        let (offset, stored_at) = (request.commit_log_offset, request.store_timestamp);
        let logics_offset = self.checkpoint.logics_physical_offset;
        if path == Path::Abnormal && logics_offset <= 0 {
            // A checkpoint of an older release: its time of the queues counts, without the three seconds.
            let limit = self.checkpoint.logics_msg_timestamp;
            if self.holds(&rules::START_LOGICS_NEWER, stored_at > limit) {
                let facts = facts! { path = &log_path, storeTimestamp = stored_at, limit = limit };
                self.step(&rules::START_LOGICS_NEWER, Some(time), facts, Vec::new());
                return Ok(false);
            }
        } else {
            let limit = match path {
                Path::Normal => self.facts.queues_max,
                Path::Abnormal => logics_offset,
            };
            if self.holds(&rules::START_OFFSET_BEHIND, offset > limit) {
                let place = Place::before(&log_path, message::PHYSICAL_OFFSET_AT, 8);
                let facts = facts! { path = &log_path, offset = offset, limit = limit };
                self.step(&rules::START_OFFSET_BEHIND, Some(place), facts, Vec::new());
                return Ok(false);
            }
        }
        let index_counts = self.options.message_index_enable && self.options.message_index_safe;
        let limit = self.checkpoint.index_msg_timestamp;
        if index_counts && self.holds(&rules::START_INDEX_NEWER, stored_at > limit) {
            let facts = facts! { path = &log_path, storeTimestamp = stored_at, limit = limit };
            self.step(&rules::START_INDEX_NEWER, Some(time), facts, Vec::new());
            return Ok(false);
        }
        if index_counts {
            let normally = if path == Path::Normal {
                "true"
            } else {
                "false"
            };
            self.store_log.print(&lines::OLD_ENOUGH_FOR_INDEX, || {
                facts! { time = stored_at, offset = offset, limit = limit, shown = normally }
            });
        }
        if !self.has(&rules::START_OFFSET_MATCHED) {
            return Ok(false);
        }
        self.print_start(at, path);
        let place = Place::before(&log_path, message::PHYSICAL_OFFSET_AT, 8);
        let facts = facts! { path = &log_path, offset = offset };
        self.step(&rules::START_OFFSET_MATCHED, Some(place), facts, Vec::new());
        Ok(true)
    }

    /// `isMappedFileMatchedRecover` (up to 5.3): is this file's first message old enough that all before it was surely on disk?
    fn is_old_enough(&mut self, at: usize) -> Run<bool> {
        let Some(file) = self.log.files.get(at) else {
            return Ok(false);
        };
        let (path, from) = (self.disk.path(file.file), file.from);
        let mut bytes = [0; 68];
        let size = self.disk.size(file.file);
        let len = usize_of(size.min(68));
        if let Some(front) = bytes.get_mut(..len) {
            self.disk.reader(file.file).read_exact_at(0, front)?;
        }
        let int_at = |at: u64| {
            let at = usize_of(at);
            bytes
                .get(at..at.saturating_add(4))
                .and_then(|four| four.try_into().ok())
                .map_or(0, i32::from_be_bytes)
        };
        let magic = int_at(message::MAGIC_AT);
        let is_message = match message::Version::of(magic) {
            Some(message::Version::V2) => self.has(&rules::CHECK_TOPIC_OF_TWO_BYTES),
            known => known.is_some(),
        };
        if self.holds(&rules::START_NO_MAGIC, !is_message) {
            self.step(
                &rules::START_NO_MAGIC,
                Some(Place::before(&path, message::MAGIC_AT, 4)),
                facts! { path = &path, found = u32_bits(magic) },
                Vec::new(),
            );
            return Ok(false);
        }
        let time_at = message::store_timestamp_at(int_at(message::SYS_FLAG_AT));
        let mut time = [0; 8];
        self.disk
            .reader(file.file)
            .read_exact_at(time_at, &mut time)?;
        let store_timestamp = i64::from_be_bytes(time);
        let place = Place::before(&path, time_at, 8);
        if self.holds(&rules::START_NO_TIME, store_timestamp == 0) {
            self.step(
                &rules::START_NO_TIME,
                Some(place),
                facts! { path = &path },
                Vec::new(),
            );
            return Ok(false);
        }
        self.map.before.clock.push((from, store_timestamp));
        let limit = self.start_limit();
        let facts = facts! { path = &path, storeTimestamp = store_timestamp, limit = limit };
        if self.holds(&rules::START_NEWER, store_timestamp > limit) {
            self.step(&rules::START_NEWER, Some(place), facts, Vec::new());
            return Ok(false);
        }
        if !self.has(&rules::START_MATCHED) {
            return Ok(false);
        }
        self.store_log.print(
            &lines::OLD_ENOUGH,
            || facts! { time = store_timestamp, shown = shown(store_timestamp) },
        );
        self.print_start(at, Path::Abnormal);
        self.step(&rules::START_MATCHED, Some(place), facts, Vec::new());
        Ok(true)
    }

    /// The latest store time a start file's first message may have.
    fn start_limit(&mut self) -> i64 {
        let index_counts = self.options.message_index_enable && self.options.message_index_safe;
        if !self.holds(&rules::START_INDEX_SAFE, index_counts) {
            return self.checkpoint.min_timestamp();
        }
        let limit = self.checkpoint.min_timestamp_index();
        if !std::mem::replace(&mut self.scan.told_index_time, true) {
            let place = Place::before(&super::layout::checkpoint_file(), 16, 8);
            self.step(
                &rules::START_INDEX_SAFE,
                Some(place),
                facts! { limit = limit },
                Vec::new(),
            );
        }
        limit
    }
}
