//! What a start saw and left in memory, written down under the names that the real broker's state is dumped with, so that both can
//! be compared member by member. Only this file knows those names.

use super::consume_queues::ConsumeQueue;
use super::format::checkpoint::Checkpoint;
use super::format::consume_queue::{self, UNIT_U64};
use super::index_service::{IndexFile, slots_crc};
use super::recover::Path;
use super::release::ReputStart;
use super::{Broker, layout};
use crate::decode::Cursor;
use crate::decode::num::{java_div, pos_of, usize_of};
use crate::recovery::Finding;
use crate::recovery::outcome::{End, EndKind, Moved, StateTree};
use crate::recovery::trace::Mark;
use crate::store::{ReadError, Window};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Lines in the order of the dumps: by thread, and those about a folder's entries by name, since a folder is read in no order.
fn in_order(lines: Vec<String>) -> Vec<String> {
    let (mut lines, reput): (Vec<_>, Vec<_>) = lines
        .into_iter()
        .partition(|line| !line.contains(" [ReputMessageService] "));
    lines.extend(reput);
    let of_folder = |line: &String| {
        [
            " - load consume queue ",
            " - load $STORE/consumequeue/",
            " - $STORE/consumequeue/",
        ]
        .iter()
        .any(|part| line.contains(part))
    };
    for block in lines.chunk_by_mut(|a, b| of_folder(a) && of_folder(b)) {
        block.sort();
    }
    number_new_files(&mut lines);
    lines
}

/// In the dumps new files have numbers in the order in which the log names them, which is not the order in which they were made: one
/// that is just full when a message comes is never named.
fn number_new_files(lines: &mut [String]) {
    let mut named: Vec<String> = Vec::new();
    for line in lines {
        let Some((before, rest)) = line.split_once("<new-") else {
            continue;
        };
        let Some((number, behind)) = rest.split_once('>') else {
            continue;
        };
        let at = named.iter().position(|known| known == number);
        let at = at.unwrap_or(named.len());
        if at == named.len() {
            named.push(number.to_owned());
        }
        *line = format!("{before}<new-{}>{behind}", at.saturating_add(1));
    }
}

/// How many messages were dispatched, and which.
#[derive(Clone, Copy, Default)]
pub(super) struct Dispatches {
    pub load: Count,
    pub start: Count,
    started: bool,
}

#[derive(Clone, Copy)]
pub(super) struct Count {
    pub messages: u64,
    pub first: i64,
    pub last: i64,
}

impl Default for Count {
    fn default() -> Self {
        Self {
            messages: 0,
            first: -1,
            last: -1,
        }
    }
}

impl Dispatches {
    pub fn count(&mut self, offset: i64) {
        let count = if self.started {
            &mut self.start
        } else {
            &mut self.load
        };
        if count.messages == 0 {
            count.first = offset;
        }
        count.messages = count.messages.saturating_add(1);
        count.last = offset;
    }
}

impl Count {
    fn tree(self) -> Value {
        json!({"messages": self.messages, "firstPhyOffset": self.first, "lastPhyOffset": self.last})
    }
}

/// What is noted on the way.
#[derive(Default)]
pub(super) struct Seen {
    pub with_state: bool,
    pub last_exit_ok: bool,
    pub checkpoint_before: Option<(u64, Checkpoint)>,
    pub queues_max: i64,
    pub dispatched: Dispatches,
    pub reput_from_at_start: Option<i64>,
    pub reput_from: Option<i64>,
    /// `dispatchBehindBytes` when the start is over (5.x).
    pub reput_behind: i64,
    /// The first lagging message, which the dispatch of a normal recovery leaves out (5.3.2).
    pub first_left_out: Option<i64>,
    pub abort_after: bool,
    pub findings: Vec<Finding>,
    marks: BTreeMap<Mark, Moved>,
    after_load: Option<Value>,
    after_reput: Option<Value>,
}

impl Seen {
    pub fn mark(&mut self, mark: &Mark, from: Option<i64>, to: Option<i64>) {
        let moved = self.marks.entry(mark.clone()).or_insert(Moved {
            before: from,
            after: to,
        });
        moved.after = to;
    }

    pub fn marks(&self) -> BTreeMap<Mark, Moved> {
        self.marks.clone()
    }

    pub fn start_phase(&mut self) {
        self.dispatched.started = true;
    }
}

impl Broker<'_> {
    /// Notes the state when `load()` is over.
    pub(super) fn note_after_load(&mut self) -> Result<(), ReadError> {
        if self.facts.with_state {
            self.facts.after_load = Some(self.state()?);
        }
        Ok(())
    }

    pub(super) fn note_after_reput(&mut self) -> Result<(), ReadError> {
        if self.facts.with_state {
            self.facts.after_reput = Some(self.state()?);
        }
        Ok(())
    }

    /// The whole tree, at the end.
    pub(super) fn state_tree(&mut self, end: &End) -> StateTree {
        let load_failed = end.kind != EndKind::Started && !end.after_load;
        let exception = (load_failed
            && end.rule.as_deref() == Some(super::rules::CHECK_HUGE_SIZE.id))
        .then_some("java.lang.OutOfMemoryError");
        let timeout = load_failed && end.kind == EndKind::Hangs;
        let result = match (load_failed, exception.is_some() || timeout) {
            (false, _) => json!(true),
            (true, false) => json!(false),
            (true, true) => Value::Null,
        };
        let mut tree = Map::new();
        tree.insert("lastExitOK".into(), json!(self.facts.last_exit_ok));
        tree.insert(
            "commitLogFilesBefore".into(),
            json!(self.log_files_before()),
        );
        tree.insert("checkpointFileBefore".into(), self.checkpoint_file_before());
        tree.insert(
            "load".into(),
            json!({"result": result, "exception": exception, "timeout": timeout}),
        );
        tree.insert("recovery".into(), self.recovery(load_failed));
        tree.insert(
            "dispatchedDuringLoad".into(),
            self.facts.dispatched.load.tree(),
        );
        if let Some(state) = self.facts.after_load.take() {
            tree.insert("afterLoad".into(), state);
        }
        if let (false, Some(from)) = (load_failed, self.facts.reput_from) {
            let caught_up = end.kind == EndKind::Started;
            let behind = match self.options.release.policy().reput_start {
                ReputStart::FurthestQueue => self.log.max_offset().wrapping_sub(from),
                ReputStart::ConfirmOffset => self.facts.reput_behind,
            };
            tree.insert(
                "reput".into(),
                json!({
                    "outcome": if caught_up { "caughtUp" } else { "stuck" },
                    "exception": null,
                    "reputFromOffsetAtStart": self.facts.reput_from_at_start,
                    "reputFromOffset": from,
                    "dispatchBehindBytes": behind,
                }),
            );
            tree.insert(
                "dispatchedAfterStart".into(),
                self.facts.dispatched.start.tree(),
            );
        }
        if let Some(state) = self.facts.after_reput.take() {
            tree.insert("afterReput".into(), state);
        }
        let abort = self.facts.abort_after || self.disk.find(&layout::abort_file()).is_some();
        tree.insert("abortAfter".into(), json!(abort));
        tree.insert("abortBackup".into(), json!(self.abort_backup()));
        tree.insert("log".into(), json!(in_order(self.store_log.take_whole())));
        Value::Object(tree)
    }

    /// What `abort` held before this start.
    fn abort_backup(&self) -> Option<String> {
        let file = self.disk.find(&layout::abort_backup_file())?;
        let mut bytes = vec![0; usize_of(self.disk.size(file).min(1 << 10))];
        self.disk.reader(file).read_exact_at(0, &mut bytes).ok()?;
        Some(crate::decode::java::string(&bytes).into_owned())
    }

    fn log_files_before(&self) -> Vec<String> {
        let entries = self
            .store
            .list(&layout::commit_log_dir())
            .unwrap_or_default();
        entries.into_iter().map(|entry| entry.name).collect()
    }

    fn checkpoint_file_before(&self) -> Value {
        let Some(file) = self.store.get(&layout::checkpoint_file()) else {
            return Value::Null;
        };
        let mut bytes = [0; 48];
        let len = usize_of(file.size().min(48));
        if let Some(front) = bytes.get_mut(..len)
            && file.read_exact_at(0, front).is_err()
        {
            return Value::Null;
        }
        let read = super::format::checkpoint::checkpoint(&mut Cursor::whole(&bytes), &mut ())
            .unwrap_or_default();
        json!({
            "length": file.size(),
            "physicMsgTimestamp": read.physic_msg_timestamp,
            "logicsMsgTimestamp": read.logics_msg_timestamp,
            "indexMsgTimestamp": read.index_msg_timestamp,
            "masterFlushedOffset": read.master_flushed_offset,
            "confirmPhyOffset": read.confirm_phy_offset,
            "logicsPhysicalOffset": read.logics_physical_offset,
        })
    }

    fn recovery(&self, load_failed: bool) -> Value {
        let scan = &self.scan;
        let path = if self.facts.last_exit_ok {
            "normal"
        } else {
            "abnormal"
        };
        let start = scan.visited.first();
        json!({
            "path": path,
            "startFile": start,
            "startFileMatchedCheckpoint": scan.path == Some(Path::Abnormal) && scan.start_matched,
            "visitedFiles": scan.visited,
            "endedBy": scan.ended_by,
            // The broker prints it on one of the two ways only.
            "endBufferPosition": scan.end_buffer_position.filter(|_| scan.path == Some(Path::Abnormal)),
            "processOffset": if load_failed { None } else { scan.process_offset },
            "maxPhyOffsetOfConsumeQueueInLog": scan.queues_ahead,
        })
    }

    /// The broker's memory, now.
    fn state(&self) -> Result<Value, ReadError> {
        let queues = self
            .queues
            .iter()
            .map(|queue| self.queue_state(queue))
            .collect::<Result<Vec<_>, _>>()?;
        let index = self
            .index
            .files
            .iter()
            .map(|file| self.index_state(file))
            .collect::<Result<Vec<_>, _>>()?;
        let longs = self.options.release.policy().checkpoint_longs;
        let kept = |at: usize, long: i64| (at < longs).then_some(long);
        Ok(json!({
            "commitLog": self.log_state(),
            "consumeQueues": queues,
            "index": index,
            "topicQueueTable": self.topic_queue_table,
            "checkpoint": {
                "physicMsgTimestamp": self.checkpoint.physic_msg_timestamp,
                "logicsMsgTimestamp": self.checkpoint.logics_msg_timestamp,
                "masterFlushedOffset": kept(3, self.checkpoint.master_flushed_offset),
                "confirmPhyOffset": kept(4, self.checkpoint.confirm_phy_offset),
                "logicsPhysicalOffset": kept(5, self.checkpoint.logics_physical_offset),
                "minTimestamp": self.checkpoint.min_timestamp(),
            },
        }))
    }

    fn log_state(&self) -> Value {
        let files: Vec<Value> = self
            .log
            .files
            .iter()
            .map(|file| {
                json!({"name": file.name, "wrotePosition": file.wrote, "flushedPosition": file.flushed})
            })
            .collect();
        json!({
            "minOffset": self.log.min_offset(),
            "maxOffset": self.log.max_offset(),
            "flushedWhere": self.log.flushed_where,
            "confirmOffset": self.confirm_offset(),
            "confirmOffsetField": self.confirm_offset,
            "files": files,
            "filesOnDisk": self.names_on_disk(),
        })
    }

    /// Files and folders, as a listing gives them.
    fn names_on_disk(&self) -> Vec<String> {
        let dir = layout::commit_log_dir();
        let mut names = self.disk.names_in(&dir);
        for entry in self.store.list(&dir).unwrap_or_default() {
            if self.store.is_dir(&dir.join(&entry.name)) {
                names.push(entry.name);
            }
        }
        names.sort();
        names
    }

    fn queue_state(&self, queue: &ConsumeQueue) -> Result<Value, ReadError> {
        let unit = i64::from(consume_queue::UNIT);
        let mut files = Vec::new();
        let mut units = Vec::new();
        for file in &queue.files.files {
            files.push(json!({"name": file.name, "wrotePosition": file.wrote}));
            let wrote = pos_of(i64::from(file.wrote));
            let mut window = Window::scan(self.disk.reader(file.file));
            let mut at = 0u64;
            while at.saturating_add(UNIT_U64) <= wrote {
                let bytes = window.from(at, 20)?;
                if let Ok(unit) = consume_queue::unit(&mut Cursor::whole(bytes), &mut ()) {
                    units.push(json!([unit.offset, unit.size, unit.tags_code]));
                }
                at = at.saturating_add(UNIT_U64);
            }
        }
        Ok(json!({
            "topic": queue.key.topic,
            "queueId": queue.key.id,
            "minOffsetInQueue": java_div(queue.min_logic_offset, unit),
            "maxOffsetInQueue": queue.max_offset_in_queue(),
            "maxPhysicOffset": queue.max_physic_offset,
            "minLogicOffset": queue.min_logic_offset,
            "files": files,
            "units": units,
        }))
    }

    fn index_state(&self, index: &IndexFile) -> Result<Value, ReadError> {
        let mut entries = Vec::new();
        self.index
            .each_entry(&self.disk, index.file, index.entries(), |entry| {
                entries.push(json!([
                    entry.key_hash,
                    entry.phy_offset,
                    entry.time_diff,
                    entry.prev_index
                ]));
            })?;
        Ok(json!({
            "name": index.name,
            "beginTimestamp": index.header.begin_timestamp,
            "endTimestamp": index.header.end_timestamp,
            "beginPhyOffset": index.header.begin_phy_offset,
            "endPhyOffset": index.header.end_phy_offset,
            "hashSlotCount": index.header.hash_slot_count,
            "indexCount": index.header.index_count,
            "slotsCrc32": slots_crc(&self.disk, index.file, self.index.slots())?,
            "entries": entries,
        }))
    }
}
