//! `DefaultMessageStore#load`, top to bottom: abort · commit log files · consume queue files · checkpoint · index files · recovery ·
//! delay levels (5.x reads them before all else). The first thing that is wrong ends the start; nothing has been written then but what
//! the steps say.

use super::check_message::DelayLevels;
use super::format::checkpoint::{self, Checkpoint};
use super::format::delay_offset;
use super::layout::{self, QueueKey};
use super::release::DelayLevelsRead;
use super::store_log::{lines, shown};
use super::{
    Broker, CONFIRM_OFFSET, Ended, INDEX_MSG_TIMESTAMP, LOGICS_MSG_TIMESTAMP, PHYSIC_MSG_TIMESTAMP,
    Run, rules,
};
use crate::decode::{Cursor, java, num};
use crate::facts;
use crate::recovery::trace::Change;
use crate::recovery::{Finding, Place, Severity};
use crate::store::StorePath;

impl Broker<'_> {
    pub(super) fn load(&mut self) -> Run {
        let delay_levels = self.options.release.policy().delay_levels;
        if delay_levels == DelayLevelsRead::BeforeLoad {
            self.read_delay_levels();
        }
        self.store_log.reach("LOAD_BEGIN", true);
        let last_exit_ok = self.last_exit_ok();
        let loaded = self.load_files();
        self.print_refusal(&loaded);
        loaded?;
        self.load_checkpoint()?;
        self.load_index(last_exit_ok)?;
        self.recover(last_exit_ok)?;
        let offset = self.log.max_offset();
        for line in [&lines::RECOVERED, &lines::LOAD_OVER] {
            self.store_log.print(line, || facts! { offset = offset });
        }
        self.refuse_for_index()?;
        match delay_levels {
            DelayLevelsRead::BeforeLoad => Ok(()),
            DelayLevelsRead::AfterRecovery => self.load_schedule(),
        }
    }

    /// The files of the log, then those of the queues.
    fn load_files(&mut self) -> Run {
        let log = self.load_commit_log();
        if has_thrown(&log) {
            return log;
        }
        self.store_log.say(if log.is_ok() {
            &lines::LOG_LOADED
        } else {
            &lines::LOG_FAILED
        });
        self.store_log.reach("LOAD_COMMITLOG_OK", log.is_ok());
        let has_log = log.is_ok();
        let queues = log.and_then(|()| self.load_consume_queues());
        if has_thrown(&queues) {
            return queues;
        }
        if queues.is_ok() {
            self.store_log.say(&lines::QUEUES_LOADED);
        }
        if has_log {
            self.store_log.say(&lines::BATCH_QUEUES_LOADED);
        }
        self.store_log
            .reach("LOAD_CONSUME_QUEUE_OK", queues.is_ok());
        self.store_log.say(&lines::QUEUE_STORE_REGISTERED);
        if queues.is_ok() {
            self.store_log.say(&lines::COMPACTION_LOADED);
            self.store_log.say(&lines::COMPACTION_LOOPS);
        }
        self.store_log.reach("LOAD_COMPACTION_OK", queues.is_ok());
        queues
    }

    fn print_refusal(&mut self, loaded: &Run) {
        if loaded.is_err() && !has_thrown(loaded) {
            let offset = self.log.max_offset();
            self.store_log
                .print(&lines::LOAD_OVER_REFUSED, || facts! { offset = offset });
        }
    }

    /// `DefaultMessageStore#recover`: queues, log, and the table of queue offsets.
    fn recover(&mut self, last_exit_ok: bool) -> Run {
        self.store_log.reach("RECOVER_BEGIN", true);
        self.store_log.say(&lines::RECOVER_MODE);
        self.recover_consume_queues()?;
        self.store_log.reach("RECOVER_CONSUME_QUEUE_OK", true);
        if last_exit_ok {
            self.recover_normally()?;
        } else {
            self.recover_abnormally()?;
        }
        self.store_log.reach("RECOVER_COMMITLOG_OK", true);
        self.recover_topic_queue_table()?;
        self.store_log.reach("RECOVER_TOPIC_QUEUE_TABLE_OK", true);
        self.store_log.say(&lines::RECOVER_COST);
        Ok(())
    }

    /// `parseDelayLevel` (5.x): a level that cannot be read ends the list, not the start.
    fn read_delay_levels(&mut self) {
        let text = self.options.message_delay_level.clone();
        if let Some(levels) = DelayLevels::parse(&text) {
            self.delays = levels;
        } else if self.has(&rules::DELAY_LEVELS_FRONT) {
            self.delays = DelayLevels::parse_front(&text);
            let levels = self.delays.max_level();
            self.step(
                &rules::DELAY_LEVELS_FRONT,
                None,
                facts! { text = text, levels = levels },
                Vec::new(),
            );
        }
    }

    /// `isTempFileExist`: `abort` is made at a start and deleted by a clean stop. Who copies a running broker's files copies it too.
    fn last_exit_ok(&mut self) -> bool {
        let path = layout::abort_file();
        let present = self.store.get(&path).is_some() || self.store.is_dir(&path);
        self.facts.last_exit_ok = !present;
        if self.holds(&rules::ABORT_PRESENT, present) {
            self.store_log.say(&lines::EXITED_ABNORMALLY);
            let size = self.store.get(&path).map_or(0, |file| file.size());
            self.step(
                &rules::ABORT_PRESENT,
                Some(Place::whole(&path, size)),
                facts! { path = &path },
                Vec::new(),
            );
            return false;
        }
        if !self.has(&rules::ABORT_ABSENT) {
            return false;
        }
        self.store_log.say(&lines::EXITED_NORMALLY);
        self.step(
            &rules::ABORT_ABSENT,
            Some(Place::missing(&path)),
            facts! { path = &path },
            Vec::new(),
        );
        true
    }

    /// `MappedFileQueue#load` over `commitlog/`: every file has the configured length and a number for a name.
    fn load_commit_log(&mut self) -> Run {
        let dir = layout::commit_log_dir();
        let expected = self.options.mapped_file_size_commit_log;
        let entries = match self.store.list(&dir) {
            Some(entries) if self.has(&rules::LOG_FILES) => entries,
            _ => Vec::new(),
        };
        for (no, entry) in entries.iter().enumerate() {
            let path = dir.join(&entry.name);
            let size = self.store.get(&path).map(|file| file.size());
            let is_last = no.saturating_add(1) == entries.len();
            if self.passed_by(&path, size, is_last) {
                continue;
            }
            if self.wrong_length(&rules::LOG_LENGTH, size, expected) {
                let found = size.unwrap_or(0);
                self.print_length(&path, found);
                return Err(self.refuse(
                    &rules::LOG_LENGTH,
                    Some(Place::whole(&path, found)),
                    facts! { path = &path, found = found, expected = expected },
                ));
            }
            let from = match java::parse_long(&entry.name) {
                Some(from) => from,
                None if self.has(&rules::LOG_NAME) => {
                    self.print_number_format(&entry.name);
                    return Err(self.refuse(
                        &rules::LOG_NAME,
                        Some(Place::whole(&path, size.unwrap_or(0))),
                        facts! { path = &path, name = entry.name.as_str() },
                    ));
                }
                None => continue,
            };
            if let Some(file) = self.disk.find(&path) {
                let on_map = self.on_map(&path);
                self.log.add_loaded(file, on_map, &entry.name, from);
                self.store_log
                    .print(&lines::FILE_LOADED, || facts! { path = &path });
            }
        }
        self.find_holes();
        self.step(
            &rules::LOG_FILES,
            None,
            facts! { files = self.log.files.len(), size = expected },
            Vec::new(),
        );
        Ok(())
    }

    /// What 5.x does not take for a file of the row: a folder; and a last file without a byte, which a full disk leaves and which goes.
    fn passed_by(&mut self, path: &StorePath, size: Option<u64>, is_last: bool) -> bool {
        if self.holds(&rules::LOG_FOLDER, size.is_none()) {
            self.step(
                &rules::LOG_FOLDER,
                Some(Place::whole(path, 0)),
                facts! { path = path },
                Vec::new(),
            );
            return true;
        }
        if self.holds(&rules::LOG_EMPTY_LAST, size == Some(0) && is_last) {
            let changes = vec![Change::Deleted {
                file: self.on_map(path),
            }];
            if let Some(file) = self.disk.find(path) {
                self.disk.delete(file);
            }
            self.store_log
                .print(&lines::EMPTY_FILE_DELETED, || facts! { path = path });
            self.step(
                &rules::LOG_EMPTY_LAST,
                Some(Place::whole(path, 0)),
                facts! { path = path },
                changes,
            );
            return true;
        }
        false
    }

    /// A missing file in the middle is no error to the broker; who consumes across it will see.
    fn find_holes(&mut self) {
        let size = i64::from(self.options.mapped_file_size_commit_log);
        let dir = layout::commit_log_dir();
        for pair in self.log.files.windows(2) {
            let [before, after] = pair else { continue };
            let expected = before.from.wrapping_add(size);
            if after.from != expected {
                self.store_log.print(&lines::HOLE, || {
                    facts! { before = &dir.join(&before.name), path = &dir.join(&after.name) }
                });
                let path = dir.join(&layout::file_name(expected));
                self.facts.findings.push(Finding::new(
                    "log-hole",
                    Severity::Warning,
                    Some(Place::missing(&path)),
                    facts! { path = &path, from = expected, to = after.from },
                ));
            }
        }
    }

    /// Whether a file's length is not the configured one. A folder has no length of its own: it does not match either.
    fn wrong_length(
        &self,
        rule: &'static crate::recovery::Rule,
        size: Option<u64>,
        expected: i32,
    ) -> bool {
        let fits = size.is_some_and(|size| num::long_of(size) == i64::from(expected));
        self.holds(rule, !fits)
    }

    fn print_number_format(&mut self, name: &str) {
        let thrown = format!(
            "java.lang.NumberFormatException: For input string: \"{name}\"\n\tat java.lang.NumberFormatException.forInputString"
        );
        self.store_log
            .print(&lines::LOAD_THREW, || facts! { thrown = thrown });
    }

    fn print_length(&mut self, path: &StorePath, length: u64) {
        self.store_log.print(
            &lines::LENGTH_NOT_MATCHED,
            || facts! { path = path, length = length },
        );
    }

    /// A file's number on the map.
    pub(super) fn on_map(&self, path: &StorePath) -> usize {
        self.map
            .before
            .files
            .iter()
            .position(|file| file.path == *path)
            .unwrap_or(usize::MAX)
    }

    /// `loadConsumeQueue`: `consumequeue/<topic>/<queue>/<files>`. Folders whose name is no number are passed by.
    fn load_consume_queues(&mut self) -> Run {
        let root = layout::consume_queue_dir();
        let lanes: std::collections::BTreeMap<String, usize> = self
            .map
            .before
            .lanes
            .iter()
            .enumerate()
            .filter(|(_, lane)| lane.kind == crate::recovery::map::LaneKind::Queue)
            .map(|(no, lane)| (lane.name.clone(), no))
            .collect();
        let on_map: std::collections::BTreeMap<StorePath, usize> = self
            .map
            .before
            .files
            .iter()
            .enumerate()
            .map(|(no, file)| (file.path.clone(), no))
            .collect();
        let mut files = 0usize;
        let topics = match self.store.list(&root) {
            Some(topics) if self.has(&rules::QUEUE_FILES) => topics,
            _ => Vec::new(),
        };
        for topic in topics {
            let topic_dir = root.join(&topic.name);
            for queue in self.store.list(&topic_dir).unwrap_or_default() {
                let queue_dir = topic_dir.join(&queue.name);
                let Some(id) = java::parse_int(&queue.name) else {
                    let (place, facts) =
                        (Place::whole(&queue_dir, 0), facts! { path = &queue_dir });
                    if !self.has(&rules::QUEUE_FOLDER) {
                        return Err(self.refuse(&rules::QUEUE_FOLDER, Some(place), facts));
                    }
                    self.step(&rules::QUEUE_FOLDER, Some(place), facts, Vec::new());
                    continue;
                };
                let key = QueueKey {
                    topic: topic.name.clone(),
                    id,
                };
                let lane = lanes.get(&key.label()).copied();
                let no = self.put_queue(key, lane);
                let loaded = self.load_queue_files(no, &on_map);
                self.store_log.print(
                    if loaded.is_ok() {
                        &lines::QUEUE_LOADED
                    } else {
                        &lines::QUEUE_FAILED
                    },
                    || facts! { topic = topic.name.as_str(), queue = id },
                );
                files = files.saturating_add(loaded?);
            }
        }
        self.step(
            &rules::QUEUE_FILES,
            None,
            facts! { queues = self.queues.len(), files = files },
            Vec::new(),
        );
        Ok(())
    }

    fn load_queue_files(
        &mut self,
        queue: usize,
        on_map: &std::collections::BTreeMap<StorePath, usize>,
    ) -> Run<usize> {
        let Some(folder) = self.queues.get(queue).map(|queue| queue.key.folder()) else {
            return Ok(0);
        };
        let expected = self.options.mapped_file_size_consume_queue;
        let entries = self.store.list(&folder).unwrap_or_default();
        for (no, entry) in entries.iter().enumerate() {
            let path = folder.join(&entry.name);
            let size = self.store.get(&path).map(|file| file.size());
            let is_last = no.saturating_add(1) == entries.len();
            if self.passed_by(&path, size, is_last) {
                continue;
            }
            if self.wrong_length(&rules::QUEUE_LENGTH, size, expected) {
                let found = size.unwrap_or(0);
                self.print_length(&path, found);
                return Err(self.refuse(
                    &rules::QUEUE_LENGTH,
                    Some(Place::whole(&path, found)),
                    facts! { path = &path, found = found, expected = expected },
                ));
            }
            let from = match java::parse_long(&entry.name) {
                Some(from) => from,
                None if self.has(&rules::QUEUE_NAME) => {
                    self.print_number_format(&entry.name);
                    return Err(self.refuse(
                        &rules::QUEUE_NAME,
                        Some(Place::whole(&path, size.unwrap_or(0))),
                        facts! { path = &path, name = entry.name.as_str() },
                    ));
                }
                None => continue,
            };
            let file = self.disk.find(&path);
            if let (Some(file), Some(queue)) = (file, self.queues.get_mut(queue)) {
                let on_map = on_map.get(&path).copied().unwrap_or(usize::MAX);
                queue.files.add_loaded(file, on_map, &entry.name, from);
                self.store_log
                    .print(&lines::FILE_LOADED, || facts! { path = &path });
            }
        }
        Ok(entries.len())
    }

    /// `StoreCheckpoint`: the file is mapped for a page, which makes a short one longer and a missing one.
    fn load_checkpoint(&mut self) -> Run {
        let path = layout::checkpoint_file();
        if self.holds(&rules::CHECKPOINT_UNREADABLE, self.store.is_dir(&path)) {
            let thrown = format!(
                "java.io.FileNotFoundException: $STORE/{path} (Is a directory)\n\tat java.io.RandomAccessFile.open0"
            );
            self.store_log
                .print(&lines::LOAD_THREW, || facts! { thrown = thrown });
            return Err(self.refuse(
                &rules::CHECKPOINT_UNREADABLE,
                Some(Place::whole(&path, 0)),
                facts! { path = &path },
            ));
        }
        let found = self
            .disk
            .find(&path)
            .filter(|_| self.has(&rules::CHECKPOINT_READ));
        let Some(file) = found else {
            self.disk.create(path.clone(), checkpoint::FILE_SIZE);
            if self.options.release.policy().checkpoint_longs > 3 {
                self.set_confirm_offset(0);
            }
            if !self.has(&rules::CHECKPOINT_MISSING) {
                self.checkpoint.physic_msg_timestamp = i64::MAX;
                self.checkpoint.logics_msg_timestamp = i64::MAX;
                self.checkpoint.index_msg_timestamp = i64::MAX;
            }
            self.store_log
                .print(&lines::CHECKPOINT_MISSING, || facts! { file = &path });
            self.step(
                &rules::CHECKPOINT_MISSING,
                Some(Place::missing(&path)),
                facts! { path = &path },
                Vec::new(),
            );
            return Ok(());
        };
        let length = self.disk.size(file);
        self.disk.extend(file, checkpoint::FILE_SIZE);
        let mut bytes = [0; 48];
        self.disk.reader(file).read_exact_at(0, &mut bytes)?;
        let read = checkpoint::checkpoint(&mut Cursor::whole(&bytes), &mut ()).unwrap_or_default();
        self.facts.checkpoint_before = Some((length, read));
        self.checkpoint = Checkpoint {
            physic_msg_timestamp: read.physic_msg_timestamp,
            logics_msg_timestamp: read.logics_msg_timestamp,
            index_msg_timestamp: read.index_msg_timestamp,
            ..Checkpoint::default()
        };
        let longs = self.options.release.policy().checkpoint_longs;
        if longs > 3 {
            self.checkpoint.master_flushed_offset = read.master_flushed_offset;
            self.set_confirm_offset(read.confirm_phy_offset);
        }
        if longs > 5 {
            self.checkpoint.logics_physical_offset = read.logics_physical_offset;
        }
        let changes = self.checkpoint_marks();
        self.print_checkpoint(&path, &read);
        self.step(
            &rules::CHECKPOINT_READ,
            Some(Place::before(
                &path,
                0,
                num::u64_of(longs).saturating_mul(8).min(length),
            )),
            facts! {
                path = &path,
                physic = read.physic_msg_timestamp,
                logics = read.logics_msg_timestamp,
                index = read.index_msg_timestamp,
                length = length,
            },
            changes,
        );
        Ok(())
    }

    fn print_checkpoint(&mut self, path: &StorePath, read: &Checkpoint) {
        self.store_log
            .print(&lines::CHECKPOINT_EXISTS, || facts! { file = path });
        for (line, time) in [
            (&lines::CHECKPOINT_PHYSIC, read.physic_msg_timestamp),
            (&lines::CHECKPOINT_LOGICS, read.logics_msg_timestamp),
            (&lines::CHECKPOINT_INDEX, read.index_msg_timestamp),
        ] {
            self.store_log
                .print(line, || facts! { time = time, shown = shown(time) });
        }
        for (line, offset) in [
            (&lines::CHECKPOINT_MASTER, read.master_flushed_offset),
            (&lines::CHECKPOINT_CONFIRM, read.confirm_phy_offset),
            (
                &lines::CHECKPOINT_LOGICS_OFFSET,
                read.logics_physical_offset,
            ),
        ] {
            self.store_log.print(line, || facts! { offset = offset });
        }
    }

    fn checkpoint_marks(&mut self) -> Vec<Change> {
        let checkpoint = self.checkpoint;
        vec![
            self.mark(
                &PHYSIC_MSG_TIMESTAMP,
                None,
                Some(checkpoint.physic_msg_timestamp),
            ),
            self.mark(
                &LOGICS_MSG_TIMESTAMP,
                None,
                Some(checkpoint.logics_msg_timestamp),
            ),
            self.mark(
                &INDEX_MSG_TIMESTAMP,
                None,
                Some(checkpoint.index_msg_timestamp),
            ),
            self.mark(&CONFIRM_OFFSET, None, Some(self.confirm_offset)),
        ]
    }

    /// `ScheduleMessageService#load`: the delay levels become known only now, when recovery has dispatched; and every level gets a
    /// queue in memory.
    fn load_schedule(&mut self) -> Run {
        self.load_delay_offsets()?;
        let text = self.options.message_delay_level.clone();
        match DelayLevels::parse(&text) {
            Some(levels) => self.delays = levels,
            None if self.has(&rules::DELAY_LEVELS) => {
                return Err(self.refuse(&rules::DELAY_LEVELS, None, facts! { text = text }));
            }
            None => {}
        }
        let levels = self.delays.max_level();
        if self.has(&rules::DELAY_QUEUES) {
            for level in 0..levels {
                self.find_queue(super::check_message::SCHEDULE_TOPIC, level);
            }
            self.step(
                &rules::DELAY_QUEUES,
                None,
                facts! { levels = levels },
                Vec::new(),
            );
        }
        Ok(())
    }

    /// `ConfigManager#load`: a file that does not parse, or is empty or missing, gives way to its backup; only a backup that does not
    /// parse either ends the start. Neither there: the broker starts with no offsets.
    fn load_delay_offsets(&mut self) -> Run {
        let path = layout::delay_offset_file();
        let bad = match self.config_text(&path)? {
            Some(text) if !text.is_empty() => delay_offset::parse(&text).err(),
            _ => Some(0),
        };
        let Some(position) = bad.filter(|_| self.has(&rules::DELAY_OFFSETS_BAK)) else {
            return Ok(());
        };
        let backup = StorePath::new(&format!("{path}.bak"));
        let text = self.config_text(&backup)?;
        if text.is_some() || self.disk.find(&path).is_some() {
            self.step(
                &rules::DELAY_OFFSETS_BAK,
                Some(Place::whole(&backup, 0)),
                facts! { path = &path, position = position },
                Vec::new(),
            );
        }
        let bad = text.and_then(|text| delay_offset::parse(&text).err());
        if let Some(position) = bad.filter(|_| self.has(&rules::DELAY_OFFSETS)) {
            return Err(self.refuse(
                &rules::DELAY_OFFSETS,
                Some(Place::before(&backup, num::u64_of(position), 1)),
                facts! { path = &backup, position = position },
            ));
        }
        Ok(())
    }

    /// A small text file of `config/`. One larger than any such file is cut: it will not parse either way.
    fn config_text(&self, path: &StorePath) -> Run<Option<String>> {
        let Some(file) = self.store.get(path) else {
            return Ok(None);
        };
        let mut bytes = vec![0; num::usize_of(file.size().min(1 << 20))];
        file.read_exact_at(0, &mut bytes)?;
        Ok(Some(java::string(&bytes).into_owned()))
    }
}

/// A name that is no number is an exception, which ends `load()` there and then.
fn has_thrown<T>(loaded: &Run<T>) -> bool {
    matches!(loaded, Err(Ended::Refused { rule, .. })
        if [rules::LOG_NAME.id, rules::QUEUE_NAME.id].contains(&rule.id))
}
