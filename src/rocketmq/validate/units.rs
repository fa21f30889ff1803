//! The queues against the log. A message names its queue and its place there: the unit at that place must be its own.
//!
//! The pass over the log reads along each queue and remembers which units were met ([`Queue::met`], as ranges: a sound queue is one).
//! What is left over is then looked at unit by unit: never written, filled in on purpose, or pointing to something that is not its
//! message.

use super::notes::Notes;
use super::{Message, Reading};
use crate::decode::num::{java_div, long_of, pos_of, usize_of};
use crate::decode::{Cursor, java};
use crate::facts;
use crate::recovery::{Place, Severity};
use crate::rocketmq::beside::QueuesElsewhere;
use crate::rocketmq::check_message::{
    Buffer, Check, Checked, NeedMore, SCHEDULE_TOPIC, check_message,
};
use crate::rocketmq::extension::{self, Extended};
use crate::rocketmq::format::consume_queue::{self, UNIT_U64, Unit};
use crate::rocketmq::format::message::{self, Transaction};
use crate::rocketmq::format::queue_ext;
use crate::rocketmq::layout::{self, Layout, QueueKey, Role};
use crate::store::{ReadAt, ReadError, Store, StorePath, Window};
use std::collections::HashMap;

/// Whether a queue points to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Yes,
    No,
    /// It is of no queue (a prepared transaction), or its queue has no files at all.
    Unknown,
}

pub(super) struct Units<'s> {
    queues: Vec<Queue<'s>>,
    by_topic: HashMap<String, Vec<(i32, usize)>>,
    log_end: i64,
    log_start: i64,
    elsewhere: QueuesElsewhere,
}

struct Queue<'s> {
    key: QueueKey,
    files: Vec<QueueFile<'s>>,
    window: Option<(usize, Window<'s>)>,
    /// Units that are their message's: from, to; in order as far as the log is.
    met: Vec<(i64, i64)>,
    /// The queue offset of the last message of it.
    last: Option<i64>,
    behind: Option<Behind>,
}

struct QueueFile<'s> {
    path: StorePath,
    /// Offset in the queue, in bytes.
    start: i64,
    data: &'s dyn ReadAt,
}

/// Messages at the end of the log that the queue does not have yet.
struct Behind {
    messages: u64,
    first: i64,
    place: Place,
}

/// Ranges remembered for a queue. One that is worse than that has its units looked at one by one.
const RANGES: usize = 4096;
/// Read at once on the way from a queue's end to its front.
const UNITS_AT_ONCE: u64 = 3000;
const NEVER_WRITTEN: Unit = Unit {
    offset: 0,
    size: 0,
    tags_code: 0,
};
/// Units of one queue that are told apart; what is left over then is only counted.
const LOOKED_AT: u64 = 1000;

impl<'s> Units<'s> {
    pub fn open(
        reading: &Reading<'s>,
        layout: &Layout,
        notes: &mut Notes,
    ) -> Result<Self, ReadError> {
        let mut units = Self {
            queues: Vec::new(),
            by_topic: HashMap::new(),
            log_end: -1,
            log_start: 0,
            elsewhere: QueuesElsewhere::of(layout, &reading.options),
        };
        let (mut log_start, mut log_end) = (i64::MAX, 0);
        for (path, role) in layout.files() {
            let Some(data) = reading.store.get(path) else {
                continue;
            };
            match role {
                Role::CommitLog { start: Some(start) } => {
                    log_start = log_start.min(*start);
                    log_end = log_end.max(start.saturating_add(long_of(data.size())));
                }
                Role::Queue {
                    queue,
                    start: Some(start),
                } => units.put(queue, path, *start, &**data),
                _ => {}
            }
        }
        units.log_start = if log_start == i64::MAX { 0 } else { log_start };
        for queue in &mut units.queues {
            queue.files.sort_by_key(|file| file.start);
            queue.tell_seams(reading, notes);
            if let Some(end) = queue.end_in_log(log_end)? {
                units.log_end = units.log_end.max(end);
            }
        }
        Ok(units)
    }

    fn put(&mut self, key: &QueueKey, path: &StorePath, start: i64, data: &'s dyn ReadAt) {
        // Light queues point to other topics' messages.
        if key.topic.starts_with("%LMQ%") {
            return;
        }
        let numbers = self.by_topic.entry(key.topic.clone()).or_default();
        let at = match numbers.iter().find(|(id, _)| *id == key.id) {
            Some((_, at)) => *at,
            None => {
                let at = self.queues.len();
                numbers.push((key.id, at));
                self.queues.push(Queue {
                    key: key.clone(),
                    files: Vec::new(),
                    window: None,
                    met: Vec::new(),
                    last: None,
                    behind: None,
                });
                at
            }
        };
        if let Some(queue) = self.queues.get_mut(at) {
            queue.files.push(QueueFile {
                path: path.clone(),
                start,
                data,
            });
        }
    }

    /// Where the last message ends that some queue points to; -1 without queues.
    pub fn log_end(&self) -> i64 {
        self.log_end
    }

    fn find(&mut self, message: &Message<'_>) -> Option<&mut Queue<'s>> {
        let at = self
            .by_topic
            .get(&*message.topic())?
            .iter()
            .find(|(id, _)| *id == message.request.queue_id)?
            .1;
        self.queues.get_mut(at)
    }

    /// Looks up a message's unit.
    pub fn meet(
        &mut self,
        store: &Store,
        message: &Message<'_>,
        notes: &mut Notes,
    ) -> Result<Known, ReadError> {
        if !is_queued(message.request.sys_flag) {
            return Ok(Known::Unknown);
        }
        let block = self.block();
        let Some(queue) = self.find(message).filter(|queue| !queue.files.is_empty()) else {
            return Ok(Known::Unknown);
        };
        let number = message.request.queue_offset;
        let Some(unit) = queue.unit(number, block)? else {
            return Ok(Known::No);
        };
        // A copy of an older message has that one's unit, which has been met.
        let by_field = unit.offset == message.request.commit_log_offset
            && queue.met.last().is_none_or(|(_, to)| *to <= number);
        let its_own =
            unit.size == message.request.msg_size && (unit.offset == message.offset || by_field);
        if !its_own {
            return Ok(Known::No);
        }
        queue.note_met(number);
        // What was missing before it has its place in the middle, and shows there.
        queue.behind = None;
        queue.look_at_tag(store, message, number, unit, notes)?;
        Ok(Known::Yes)
    }

    /// Each queue reads along; together they hold no more than this.
    fn block(&self) -> usize {
        let all = 16usize << 20;
        all.checked_div(self.queues.len())
            .unwrap_or(all)
            .clamp(4 << 10, 256 << 10)
    }

    /// The message is of the log: its queue ought to have it.
    pub fn expect(&mut self, message: &Message<'_>, known: Known, notes: &mut Notes) {
        if !is_queued(message.request.sys_flag) || self.elsewhere.holds(&message.topic()) {
            return;
        }
        let (number, label) = (message.request.queue_offset, message.queue());
        let Some(queue) = self.find(message) else {
            let key = QueueKey {
                topic: message.topic().into_owned(),
                id: message.request.queue_id,
            };
            notes.add(
                "queue-missing",
                Severity::Warning,
                message.place(),
                facts! { queue = label, offset = message.offset },
            );
            // Told once: from here on it is an empty queue.
            let at = self.queues.len();
            self.by_topic
                .entry(key.topic.clone())
                .or_default()
                .push((key.id, at));
            self.queues.push(Queue {
                key,
                files: Vec::new(),
                window: None,
                met: Vec::new(),
                last: Some(number),
                behind: None,
            });
            return;
        };
        if let Some(last) = queue.last.replace(number) {
            let expected = last.saturating_add(1);
            if number != expected {
                let id = if number > expected {
                    "queue-offset-gap"
                } else {
                    "queue-offset-back"
                };
                notes.add(
                    id,
                    Severity::Warning,
                    Place::before(message.path, message.at.saturating_add(20), 8),
                    facts! {
                        queue = label.as_str(),
                        offset = message.offset,
                        expected = expected,
                        found = number,
                    },
                );
            }
        }
        if known == Known::Yes || queue.files.is_empty() {
            return;
        }
        let first = queue.files.first().map_or(0, |file| file.start);
        if number.saturating_mul(long_of(UNIT_U64)) < first {
            notes.add(
                "queue-front-missing",
                Severity::Warning,
                message.place(),
                facts! { queue = label, offset = message.offset, number = number },
            );
        } else if queue.is_behind(number) {
            let place = queue.end_place();
            let behind = queue.behind.get_or_insert(Behind {
                messages: 0,
                first: message.offset,
                place,
            });
            behind.messages = behind.messages.saturating_add(1);
        }
    }

    /// After the log: what is left over.
    pub fn finish(
        &mut self,
        reading: &mut Reading<'s>,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        let (start, end) = (self.log_start, log_end_of_files(reading));
        let block = self.block();
        for queue in &mut self.queues {
            if let Some(behind) = &queue.behind {
                notes.add(
                    "queue-behind",
                    Severity::Warning,
                    behind.place.clone(),
                    facts! {
                        queue = queue.key.label(),
                        messages = behind.messages,
                        first = behind.first,
                    },
                );
            }
            queue.look_at_rest(reading, start..end, block, notes)?;
        }
        Ok(())
    }
}

/// Where the last file of the log ends.
pub(super) fn log_end_of_files(reading: &Reading<'_>) -> i64 {
    let dir = layout::commit_log_dir();
    let listed = reading.store.list(&dir).unwrap_or_default();
    let ends = listed.iter().filter_map(|entry| {
        let file = reading.store.get(&dir.join(&entry.name))?;
        Some(java::parse_long(&entry.name)?.saturating_add(long_of(file.size())))
    });
    ends.max().unwrap_or(0)
}

/// Prepared and rolled-back transactions are in no queue.
fn is_queued(sys_flag: i32) -> bool {
    matches!(
        message::transaction(sys_flag),
        Transaction::None | Transaction::Commit
    )
}

impl<'s> Queue<'s> {
    /// Files of another length than the others, and holes between files.
    fn tell_seams(&self, reading: &Reading<'_>, notes: &mut Notes) {
        let expected = i64::from(reading.options.mapped_file_size_consume_queue);
        for (number, file) in self.files.iter().enumerate() {
            let found = file.data.size();
            if found != pos_of(expected) {
                notes.add(
                    "queue-length",
                    Severity::Error,
                    Place::whole(&file.path, found),
                    facts! { path = &file.path, found = found, expected = expected },
                );
            }
            let end = file.start.saturating_add(expected);
            let next = self.files.get(number.saturating_add(1));
            if let Some(next) = next.filter(|next| next.start != end) {
                notes.add(
                    "queue-hole",
                    Severity::Warning,
                    Place::before(&next.path, 0, 0),
                    facts! {
                        queue = self.key.label(),
                        from = java_div(end, long_of(UNIT_U64)),
                        to = java_div(next.start, long_of(UNIT_U64)),
                    },
                );
            }
        }
    }

    /// The file that holds a unit, and where in it the unit stands.
    fn locate(&self, number: i64) -> Option<(usize, u64)> {
        let pos = number.checked_mul(long_of(UNIT_U64))?;
        let at = self
            .files
            .partition_point(|file| file.start <= pos)
            .checked_sub(1)?;
        let file = self.files.get(at)?;
        let inside = pos_of(pos.saturating_sub(file.start));
        (inside.saturating_add(UNIT_U64) <= file.data.size()).then_some((at, inside))
    }

    fn unit(&mut self, number: i64, block: usize) -> Result<Option<Unit>, ReadError> {
        let Some((at, inside)) = self.locate(number) else {
            return Ok(None);
        };
        let Some(file) = self.files.get(at) else {
            return Ok(None);
        };
        let data = file.data;
        let path = file.path.clone();
        let window = match &mut self.window {
            Some((of, window)) if *of == at => window,
            slot => {
                let fresh = Window::with_block(data, block);
                &mut slot.insert((at, fresh)).1
            }
        };
        let bytes = window
            .from(inside, usize_of(UNIT_U64))
            .map_err(|error| error.in_file(path.as_str()))?;
        Ok(consume_queue::unit(&mut Cursor::whole(bytes), &mut ()).ok())
    }

    fn place(&self, number: i64) -> Option<Place> {
        let (at, inside) = self.locate(number)?;
        let file = self.files.get(at)?;
        Some(Place::before(&file.path, inside, UNIT_U64))
    }

    fn note_met(&mut self, number: i64) {
        let next = number.saturating_add(1);
        if let Some((_, to)) = self.met.last_mut()
            && *to == number
        {
            *to = next;
        } else if self.met.len() < RANGES {
            self.met.push((number, next));
        }
    }

    /// The unit's tags code is what a consumer's filter sees before the message is read.
    fn look_at_tag(
        &self,
        store: &Store,
        message: &Message<'_>,
        number: i64,
        unit: Unit,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        let request = message.request;
        let tags = request.properties(message.record).tags_code();
        let expected = request.deliver_at.unwrap_or(tags);
        let extended = extension::look(store, &self.key.label(), unit.tags_code)?;
        let found = extended.tags_code(unit.tags_code);
        if found == Some(expected) {
            return Ok(());
        }
        let Some(place) = self.place(number) else {
            return Ok(());
        };
        let of_unit = Place::before(&place.file, place.offset.saturating_add(12), 8);
        let Some(found) = found else {
            let offset = queue_ext::address(unit.tags_code).unwrap_or(0);
            notes.add(
                "unit-no-extension",
                Severity::Warning,
                of_unit,
                facts! { queue = self.key.label(), number = number, offset = offset },
            );
            return Ok(());
        };
        let place = match extended {
            Extended::Unit { place, .. } => {
                Place::before(&place.file, place.offset.saturating_add(2), 8)
            }
            _ => of_unit,
        };
        let delayed = self.key.topic == SCHEDULE_TOPIC;
        let id = if delayed {
            "unit-deliver-time"
        } else {
            "unit-tags"
        };
        notes.add(
            id,
            Severity::Warning,
            place,
            facts! {
                queue = self.key.label(),
                number = number,
                found = found,
                expected = expected,
            },
        );
        Ok(())
    }

    /// Whether nothing is written at a unit's place or behind it.
    fn is_behind(&self, number: i64) -> bool {
        let end = self.met.last().map_or(0, |(_, to)| *to);
        number >= end
    }

    /// Behind the last unit that a message has met.
    fn end_place(&self) -> Place {
        let end = self.met.last().map_or(0, |(_, to)| *to);
        let last = self.files.last();
        self.place(end).map_or_else(
            || {
                let path = last.map_or_else(|| StorePath::new(""), |file| file.path.clone());
                Place::before(&path, last.map_or(0, |file| file.data.size()), 0)
            },
            |place| Place::before(&place.file, place.offset, 0),
        )
    }

    /// Where the message of the last sensible unit ends.
    fn end_in_log(&self, log_end: i64) -> Result<Option<i64>, ReadError> {
        self.find_from_end(|_, unit| {
            let sensible = unit.size > 0 && unit.offset >= 0 && unit.end() <= log_end;
            (sensible && unit != Unit::BLANK).then(|| unit.end())
        })
    }

    /// Behind the last unit that is not all zeros.
    fn written_end(&self) -> Result<i64, ReadError> {
        let last = self.find_from_end(|number, unit| (unit != NEVER_WRITTEN).then_some(number))?;
        Ok(last.map_or(0, |last| last.saturating_add(1)))
    }

    /// What is found first on the way from the queue's end to its front, unit by unit.
    fn find_from_end<T>(
        &self,
        find: impl Fn(i64, Unit) -> Option<T>,
    ) -> Result<Option<T>, ReadError> {
        for file in self.files.iter().rev() {
            let first = java_div(file.start, long_of(UNIT_U64));
            let mut end = file.data.size() / UNIT_U64;
            while end > 0 {
                let start = end.saturating_sub(UNITS_AT_ONCE);
                let mut bytes =
                    vec![0; usize_of(end.saturating_sub(start).saturating_mul(UNIT_U64))];
                file.data
                    .read_exact_at(start.saturating_mul(UNIT_U64), &mut bytes)
                    .map_err(|error| error.in_file(file.path.as_str()))?;
                let numbers = first.saturating_add(long_of(start))..;
                let units: Vec<_> = numbers.zip(bytes.as_chunks::<20>().0).collect();
                let found = units.into_iter().rev().find_map(|(number, bytes)| {
                    let unit = consume_queue::unit(&mut Cursor::whole(bytes), &mut ()).ok()?;
                    find(number, unit)
                });
                if found.is_some() {
                    return Ok(found);
                }
                end = start;
            }
        }
        Ok(None)
    }

    /// Every unit that no message has met.
    fn look_at_rest(
        &mut self,
        reading: &mut Reading<'_>,
        log: std::ops::Range<i64>,
        block: usize,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        self.met.sort_unstable();
        let files: Vec<(i64, u64)> = self
            .files
            .iter()
            .map(|file| (file.start, file.data.size()))
            .collect();
        let written = self.written_end()?;
        let mut looked_at = 0u64;
        let mut expired: Option<(Place, u64)> = None;
        let mut not_told_apart: Option<(i64, i64)> = None;
        let mut before: Option<Unit> = None;
        for (start, size) in files {
            let first = java_div(start, long_of(UNIT_U64));
            let end = first.saturating_add(long_of(size / UNIT_U64)).min(written);
            let mut number = first;
            while number < end {
                if let Some(to) = self.met_at(number) {
                    number = to.min(end);
                    before = self.unit(number.saturating_sub(1), block)?;
                    continue;
                }
                let Some(unit) = self.unit(number, block)? else {
                    break;
                };
                if (0..log.start).contains(&unit.offset) && unit.size > 0 && unit != Unit::BLANK {
                    match &mut expired {
                        Some((place, units)) => {
                            *units = units.saturating_add(1);
                            place.length = place.length.saturating_add(UNIT_U64);
                        }
                        none => *none = self.place(number).map(|place| (place, 1)),
                    }
                    before = Some(unit);
                    number = number.saturating_add(1);
                    continue;
                }
                looked_at = looked_at.saturating_add(1);
                if looked_at > LOOKED_AT {
                    let (_, units) = not_told_apart.get_or_insert((number, 0));
                    *units = units.saturating_add(end.saturating_sub(number));
                    break;
                }
                self.look_at(reading, number, unit, before, &log, notes)?;
                if unit != Unit::BLANK && unit.size > 0 {
                    before = Some(unit);
                }
                number = number.saturating_add(1);
            }
            reading.read(size);
            let used = end.saturating_sub(first).max(0);
            reading.seen.units = reading.seen.units.saturating_add(pos_of(used));
            if let Some((place, units)) = expired.take() {
                let facts = facts! { queue = self.key.label(), units = units, start = log.start };
                notes.add("units-expired", Severity::Info, place, facts);
            }
        }
        if let Some((number, units)) = not_told_apart
            && let Some(place) = self.place(number)
        {
            notes.add(
                "units-not-told-apart",
                Severity::Warning,
                place,
                facts! { queue = self.key.label(), number = number, units = units },
            );
        }
        Ok(())
    }

    fn met_at(&self, number: i64) -> Option<i64> {
        let at = self
            .met
            .partition_point(|(from, _)| *from <= number)
            .checked_sub(1)?;
        let (_, to) = self.met.get(at)?;
        (number < *to).then_some(*to)
    }

    fn look_at(
        &self,
        reading: &Reading<'_>,
        number: i64,
        unit: Unit,
        before: Option<Unit>,
        log: &std::ops::Range<i64>,
        notes: &mut Notes,
    ) -> Result<(), ReadError> {
        let Some(place) = self.place(number) else {
            return Ok(());
        };
        let queue = self.key.label();
        let mut facts = facts! {
            queue = queue.as_str(),
            number = number,
            offset = unit.offset,
            size = unit.size,
        };
        let (id, severity) = if unit == Unit::BLANK {
            if before.is_none() {
                return Ok(()); // fills the front of a queue that begins in the middle
            }
            ("unit-filler", Severity::Warning)
        } else if unit.offset == 0 && unit.size == 0 {
            ("unit-empty", Severity::Warning)
        } else if unit.size <= 0 || unit.offset < 0 {
            ("unit-garbage", Severity::Error)
        } else if unit.offset >= log.end {
            ("unit-ahead", Severity::Error)
        } else {
            match message_at(reading, unit.offset)? {
                None => {
                    let overlaps = before.is_some_and(|before| {
                        unit.offset < before.end() && before.offset < unit.end()
                    });
                    if overlaps {
                        ("unit-overlap", Severity::Error)
                    } else {
                        ("unit-orphan", Severity::Error)
                    }
                }
                Some(found) => {
                    facts.insert("found".into(), found.label().into());
                    if found.topic != self.key.topic || found.queue_id != self.key.id {
                        ("unit-misplaced", Severity::Error)
                    } else if found.queue_offset != number {
                        facts.insert("found".into(), found.queue_offset.into());
                        if self.met_at(found.queue_offset).is_some() {
                            ("unit-duplicate", Severity::Error)
                        } else {
                            ("unit-shifted", Severity::Error)
                        }
                    } else if found.size != unit.size {
                        facts.insert("found".into(), found.size.into());
                        ("unit-size", Severity::Error)
                    } else {
                        return Ok(());
                    }
                }
            }
        };
        notes.add(id, severity, place, facts);
        Ok(())
    }
}

/// What a message says about itself.
struct Found {
    topic: String,
    queue_id: i32,
    queue_offset: i64,
    size: i32,
}

impl Found {
    fn label(&self) -> String {
        format!("{}/{} #{}", self.topic, self.queue_id, self.queue_offset)
    }
}

/// The whole message that begins at a log offset.
fn message_at(reading: &Reading<'_>, offset: i64) -> Result<Option<Found>, ReadError> {
    let dir = layout::commit_log_dir();
    let listed = reading.store.list(&dir).unwrap_or_default();
    let file = listed.iter().find_map(|entry| {
        let start = java::parse_long(&entry.name)?;
        let path = dir.join(&entry.name);
        let file = reading.store.get(&path)?;
        let end = start.saturating_add(long_of(file.size()));
        (offset >= start && offset < end).then(|| (file, pos_of(offset.saturating_sub(start))))
    });
    let Some((file, at)) = file else {
        return Ok(None);
    };
    let check = Check {
        crc: false,
        body: true,
        dup_info: false,
        property_crc: false,
        buffer: Buffer::OF_EACH_RECORD,
        delays: &reading.delays,
        rules: reading.options.rules(),
    };
    let left = file.size().saturating_sub(at);
    let mut window = Window::with_block(&**file, 4 << 10);
    let mut want = 512;
    loop {
        let bytes = window.from(at, want)?;
        return match check_message(&mut Cursor::new(bytes, left), check) {
            Err(NeedMore(more)) if more <= super::log::LONGEST => {
                want = more;
                continue;
            }
            Ok(Checked::Message(request)) => Ok(Some(Found {
                topic: request.topic(bytes).into_owned(),
                queue_id: request.queue_id,
                queue_offset: request.queue_offset,
                size: request.msg_size,
            })),
            _ => Ok(None),
        };
    }
}
