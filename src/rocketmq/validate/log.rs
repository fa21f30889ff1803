//! The log from front to back: which stretches are whole messages, and what the others are.
//!
//! A stretch that is none of a message is *trouble*. What it means shows behind it. A whole message that its queue points to was
//! written by the broker there: then the trouble lies in the middle of the log, and is damage. Whole messages that no queue knows are
//! *stale*: a start cut them off once, and nobody wiped their bytes. Filler behind a blank is never looked at for text (it holds what
//! was in memory), only for whole messages that say they stand there.

use super::entries::Entries;
use super::notes::Notes;
use super::units::{Known, Units};
use super::{Message, Reading};
use crate::decode::Cursor;
use crate::decode::num::{long_of, pos_of, u64_of, usize_of};
use crate::facts;
use crate::recovery::trace::Facts;
use crate::recovery::{Place, Severity};
use crate::rocketmq::check_message::{
    Bad, Buffer, Check, Checked, NeedMore, Reject, check_message,
};
use crate::rocketmq::format::message;
use crate::rocketmq::layout::{self, Layout, Role};
use crate::store::{ReadError, StorePath, Window};

/// A file of the log, where it begins.
struct LogFile {
    path: StorePath,
    start: i64,
    /// No later file begins with a record: the log's end is in this one.
    is_last: bool,
}

/// What a walk carries from record to record.
struct Walk<'w, 's> {
    reading: &'w mut Reading<'s>,
    units: &'w mut Units<'s>,
    entries: &'w mut Entries<'s>,
    notes: &'w mut Notes,
    /// Where the last message ends that is surely the log's.
    end: i64,
}

/// Bytes that are no message.
struct Trouble {
    from: u64,
    why: Why,
    /// Whole messages behind it that no queue knows.
    stale: Option<Stale>,
}

enum Why {
    Zeros,
    Blank,
    Bad(Box<Bad>),
}

struct Stale {
    from: u64,
    to: u64,
    bytes: u64,
    messages: u64,
}

pub(super) fn walk<'s>(
    reading: &mut Reading<'s>,
    layout: &Layout,
    units: &mut Units<'s>,
    entries: &mut Entries<'s>,
    notes: &mut Notes,
) -> Result<i64, ReadError> {
    let mut files: Vec<LogFile> = layout
        .files()
        .filter_map(|(path, role)| match role {
            Role::CommitLog { start: Some(start) } => Some(LogFile {
                path: path.clone(),
                start: *start,
                is_last: true,
            }),
            _ => None,
        })
        .collect();
    files.sort_by_key(|file| file.start);
    let mut log_goes_on = false;
    for file in files.iter_mut().rev() {
        file.is_last = !log_goes_on;
        log_goes_on |= begins_with_a_record(reading, &file.path)?;
    }
    let mut walk = Walk {
        reading,
        units,
        entries,
        notes,
        end: -1,
    };
    for (number, file) in files.iter().enumerate() {
        walk.tell_seam(file, files.get(number.saturating_add(1)));
        walk.file(file)
            .map_err(|error| error.in_file(file.path.as_str()))?;
    }
    walk.tell_uncovered(files.first());
    Ok(walk.end)
}

impl Walk<'_, '_> {
    /// A length that is not the others', a hole, or files that overlap.
    fn tell_seam(&mut self, file: &LogFile, next: Option<&LogFile>) {
        let expected = i64::from(self.reading.options.mapped_file_size_commit_log);
        let found = self
            .reading
            .store
            .get(&file.path)
            .map_or(0, |data| data.size());
        if found != pos_of(expected) {
            self.notes.add(
                "log-length",
                Severity::Error,
                Place::whole(&file.path, found),
                facts! { path = &file.path, found = found, expected = expected },
            );
        }
        let end = file.start.saturating_add(expected);
        let Some(next) = next.filter(|next| next.start != end) else {
            return;
        };
        if next.start > end {
            let missing = layout::commit_log_dir().join(&layout::file_name(end));
            self.notes.add(
                "log-hole",
                Severity::Warning,
                Place::missing(&missing),
                facts! { path = &missing, from = end, to = next.start },
            );
        } else {
            self.notes.add(
                "log-overlap",
                Severity::Error,
                Place::before(&next.path, 0, 0),
                facts! { path = &next.path, before = &file.path, end = end },
            );
        }
    }

    fn file(&mut self, file: &LogFile) -> Result<(), ReadError> {
        let Some(data) = self.reading.store.get(&file.path) else {
            return Ok(());
        };
        let size = data.size();
        let mut window = Window::scan(&**data);
        let mut trouble: Option<Trouble> = None;
        let mut at = 0u64;
        let mut told = 0u64;
        while at < size {
            if at.saturating_sub(told) >= TELL_EVERY {
                self.reading.read(at.saturating_sub(told));
                told = at;
            }
            let left = size.saturating_sub(at);
            let mut want = 4096;
            let (checked, bytes) = loop {
                let bytes = window.from(at, want)?;
                match check_message(&mut Cursor::new(bytes, left), self.check()) {
                    Err(NeedMore(more)) if more <= LONGEST => want = more,
                    Err(NeedMore(_)) => break (too_long(bytes), bytes),
                    Ok(checked) => break (checked, bytes),
                }
            };
            let why = match checked {
                Checked::Message(request) => {
                    let len = pos_of(i64::from(request.msg_size)).max(1);
                    let message = Message {
                        path: &file.path,
                        at,
                        offset: file.start.wrapping_add(long_of(at)),
                        request: &request,
                        record: bytes.get(..usize_of(len)).unwrap_or(bytes),
                    };
                    let stands_here = request.commit_log_offset == message.offset;
                    if trouble.is_none() || stands_here {
                        self.message(&message, &mut trouble, file)?;
                        at = at.saturating_add(len);
                        continue;
                    }
                    // In trouble, what does not say that it stands here is text that looks like a message.
                    None
                }
                Checked::Blank => Some(Why::Blank),
                Checked::Bad(bad) if bad.reject == Reject::NothingWritten => Some(Why::Zeros),
                Checked::Bad(bad) => Some(Why::Bad(Box::new(bad))),
            };
            if let (None, Some(why)) = (&trouble, why) {
                trouble = Some(Trouble {
                    from: at,
                    why,
                    stale: None,
                });
            }
            at = next_magic(&mut window, at.saturating_add(1), size)?;
        }
        self.reading.read(size.saturating_sub(told));
        match trouble {
            None => {}
            Some(trouble) => self.tell_end(file, size, trouble, &mut window)?,
        }
        Ok(())
    }

    fn check(&self) -> Check<'_> {
        Check {
            crc: true,
            body: true,
            dup_info: false,
            property_crc: self.reading.options.force_verify_prop_crc,
            buffer: Buffer::OF_EACH_RECORD,
            delays: &self.reading.delays,
            rules: self.reading.options.rules(),
        }
    }

    /// A whole message: of the log, or stale.
    fn message(
        &mut self,
        message: &Message<'_>,
        trouble: &mut Option<Trouble>,
        file: &LogFile,
    ) -> Result<(), ReadError> {
        let known = self.units.meet(self.reading.store, message, self.notes)?;
        if let Some(before) = trouble {
            let is_of_log = match before.why {
                Why::Bad(_) => known != Known::No || !file.is_last,
                Why::Zeros => known == Known::Yes || !file.is_last,
                Why::Blank => known == Known::Yes,
            };
            if !is_of_log {
                let len = u64_of(message.record.len());
                let stale = before.stale.get_or_insert(Stale {
                    from: message.at,
                    to: message.at,
                    bytes: 0,
                    messages: 0,
                });
                stale.to = message.at.saturating_add(len);
                stale.bytes = stale.bytes.saturating_add(len);
                stale.messages = stale.messages.saturating_add(1);
                return Ok(());
            }
            self.tell_damage(file, before, message.at);
            *trouble = None;
        }
        if known == Known::No && message.request.commit_log_offset != message.offset {
            self.tell_stale_in_line(message);
            return Ok(());
        }
        self.units.expect(message, known, self.notes);
        self.look_at_header(message);
        self.entries.meet(self.reading, message, self.notes)?;
        let len = u64_of(message.record.len());
        let seen = &mut self.reading.seen;
        seen.messages = seen.messages.saturating_add(1);
        seen.message_bytes = seen.message_bytes.saturating_add(len);
        self.end = message.offset.saturating_add(long_of(len));
        Ok(())
    }

    /// A whole record right behind the last message that says it stands elsewhere, and that no queue knows here: it is left from an
    /// older end, and a start that scans up to it takes it as good.
    fn tell_stale_in_line(&mut self, message: &Message<'_>) {
        self.notes.add(
            "stale-in-line",
            Severity::Error,
            message.place(),
            facts! {
                offset = message.offset,
                found = message.request.commit_log_offset,
                bytes = message.record.len(),
            },
        );
    }

    /// Trouble in the middle of the log, up to a message that is surely of the log.
    fn tell_damage(&mut self, file: &LogFile, trouble: &Trouble, to: u64) {
        let offset = file.start.wrapping_add(long_of(trouble.from));
        let bytes = to.saturating_sub(trouble.from);
        let place = Place::before(&file.path, trouble.from, bytes);
        let mut facts = facts! { path = &file.path, offset = offset, bytes = bytes };
        let id = match &trouble.why {
            Why::Zeros => "log-zeros",
            Why::Blank => "log-blank",
            Why::Bad(bad) => {
                let (id, more) = of_reject(&bad.reject);
                facts.extend(more);
                id
            }
        };
        self.notes.add(id, Severity::Error, place, facts);
    }

    /// Trouble up to the end of the file.
    fn tell_end(
        &mut self,
        file: &LogFile,
        size: u64,
        trouble: Trouble,
        window: &mut Window<'_>,
    ) -> Result<(), ReadError> {
        let offset = file.start.wrapping_add(long_of(trouble.from));
        // Everything the queues know is before it, and the broker was stopped in order: the rest of an older end. A file that lost its
        // own end tells nothing of that kind.
        let is_whole = long_of(size) == i64::from(self.reading.options.mapped_file_size_commit_log);
        let is_rest = self.reading.stopped_cleanly
            && file.is_last
            && is_whole
            && offset >= self.units.log_end();
        if let Why::Bad(bad) = &trouble.why {
            if is_rest {
                let end = end_of_bytes(window, trouble.from, size)?;
                self.notes.add(
                    "log-rest",
                    Severity::Info,
                    Place::before(&file.path, trouble.from, end.saturating_sub(trouble.from)),
                    facts! { offset = offset, bytes = end.saturating_sub(trouble.from) },
                );
            } else {
                let to = trouble.stale.as_ref().map_or(size, |stale| stale.from);
                let end =
                    end_of_bytes(window, trouble.from, to)?.max(trouble.from.saturating_add(1));
                let (id, more) = of_reject(&bad.reject);
                let bytes = end.saturating_sub(trouble.from);
                let mut facts = facts! { path = &file.path, offset = offset, bytes = bytes };
                facts.extend(more);
                let place = Place::before(&file.path, trouble.from, bytes);
                self.notes.add(id, Severity::Error, place, facts);
            }
        }
        if let Some(stale) = trouble.stale {
            let severity = if is_rest {
                Severity::Info
            } else {
                Severity::Warning
            };
            self.notes.add(
                "stale-records",
                severity,
                Place::before(&file.path, stale.from, stale.to.saturating_sub(stale.from)),
                facts! {
                    messages = stale.messages,
                    bytes = stale.bytes,
                    from = file.start.wrapping_add(long_of(stale.from)),
                    end = offset,
                },
            );
        } else if matches!(trouble.why, Why::Zeros) {
            let first = first_byte(window, trouble.from, size)?;
            if let Some(first) = first {
                let end = end_of_bytes(window, first, size)?;
                let bytes = end.saturating_sub(first);
                let severity = if self.reading.stopped_cleanly {
                    Severity::Info
                } else {
                    Severity::Warning
                };
                self.notes.add(
                    "bytes-behind-end",
                    severity,
                    Place::before(&file.path, first, bytes),
                    facts! {
                        bytes = bytes,
                        from = file.start.wrapping_add(long_of(first)),
                        end = offset,
                    },
                );
            }
        }
        Ok(())
    }

    /// The body's checksum holds, and it covers the body alone: what the other fields say by themselves.
    fn look_at_header(&mut self, message: &Message<'_>) {
        let request = message.request;
        if request.commit_log_offset != message.offset {
            self.notes.add(
                "physical-offset",
                Severity::Error,
                Place::before(message.path, message.at.saturating_add(28), 8),
                facts! { offset = message.offset, found = request.commit_log_offset },
            );
        }
        let mut cursor = Cursor::whole(message.record);
        let read = message::frame(&mut cursor, &mut ())
            .ok()
            .and_then(|_| message::head(&mut cursor, None, true, &mut ()).ok())
            .and_then(|head| {
                let tail = message::tail(&mut cursor, request.version, None, &mut ()).ok()?;
                Some((head, tail))
            });
        let Some((head, tail)) = read else { return };
        let seen = &mut self.reading.seen;
        seen.covered_bytes = seen.covered_bytes.saturating_add(u64_of(head.body.len()));
        let torn = if head.queue_id < 0 {
            Some(("queueId", 12, 4))
        } else if head.queue_offset < 0 {
            Some(("queueOffset", 20, 8))
        } else if head.store_timestamp <= 0 {
            let at = message::store_timestamp_at(head.sys_flag);
            Some(("storeTimestamp", at, 8))
        } else if tail.topic.is_empty() || tail.topic.iter().any(|byte| *byte < b' ') {
            let behind = u64_of(tail.properties.len().saturating_add(2));
            let end = u64_of(message.record.len()).saturating_sub(behind);
            let len = u64_of(tail.topic.len());
            Some(("topic", end.saturating_sub(len), len))
        } else {
            None
        };
        if let Some((field, at, len)) = torn {
            self.notes.add(
                "header-torn",
                Severity::Warning,
                Place::before(message.path, message.at.saturating_add(at), len),
                facts! { offset = message.offset, field = field },
            );
        }
        if let Some(zeros) = zeros_in(tail.properties) {
            let start = u64_of(message.record.len().saturating_sub(tail.properties.len()));
            let at = message.at.saturating_add(start).saturating_add(zeros.0);
            self.notes.add(
                "properties-torn",
                Severity::Warning,
                Place::before(message.path, at, zeros.1),
                facts! { offset = message.offset, zeros = zeros.1, length = tail.properties.len() },
            );
        }
    }

    fn tell_uncovered(&mut self, first: Option<&LogFile>) {
        let seen = self.reading.seen;
        let uncovered = seen.message_bytes.saturating_sub(seen.covered_bytes);
        if let Some(first) = first.filter(|_| uncovered > 0) {
            self.notes.add(
                "not-covered",
                Severity::Info,
                Place::before(&first.path, 0, 0),
                facts! {
                    bytes = uncovered,
                    of = seen.message_bytes,
                    messages = seen.messages,
                },
            );
        }
    }
}

fn begins_with_a_record(reading: &Reading<'_>, path: &StorePath) -> Result<bool, ReadError> {
    let Some(data) = reading.store.get(path).filter(|data| data.size() >= 8) else {
        return Ok(false);
    };
    let mut bytes = [0; 8];
    data.read_exact_at(0, &mut bytes)
        .map_err(|error| error.in_file(path.as_str()))?;
    let frame = message::frame(&mut Cursor::whole(&bytes), &mut ());
    Ok(frame.is_ok_and(|frame| {
        frame.magic == message::BLANK_MAGIC || message::Version::is_message(frame.magic)
    }))
}

const TELL_EVERY: u64 = 4 << 20;
/// A record that claims more is taken for damage: the largest that a broker takes is 4 MiB, unless its settings say more.
pub(super) const LONGEST: usize = 64 << 20;

fn too_long(bytes: &[u8]) -> Checked {
    let stored = Cursor::whole(bytes).i32().unwrap_or(0);
    Checked::Bad(Bad {
        reject: Reject::HugeSize { stored },
        stopped_at: 0,
        size: None,
        claimed: stored,
    })
}

/// Where properties that were never written begin, and how many zeros there are: a text holds none.
fn zeros_in(properties: &[u8]) -> Option<(u64, u64)> {
    let first = properties.iter().position(|byte| *byte == 0)?;
    let zeros = properties.iter().filter(|byte| **byte == 0).count();
    Some((u64_of(first), u64_of(zeros)))
}

/// A finding's id for a record that fails, and what its sentence says.
fn of_reject(reject: &Reject) -> (&'static str, Facts) {
    match reject {
        Reject::BodyCrc { stored, computed } => (
            "record-crc",
            facts! { stored = *stored, computed = *computed },
        ),
        Reject::Magic { found } => ("record-magic", facts! { found = *found }),
        Reject::Lengths {
            total_size, sum, ..
        } => ("record-lengths", facts! { total = *total_size, sum = *sum }),
        Reject::NegativeSize { stored }
        | Reject::NegativeFirst { stored }
        | Reject::HugeSize { stored } => ("record-size", facts! { stored = *stored }),
        Reject::Part { name, len, .. } => ("record-part", facts! { part = *name, len = *len }),
        Reject::DelayLevel { text } => ("record-delay", facts! { length = text.len() }),
        // Asked by a start alone, for its settings' sake.
        Reject::DupInfo { .. } | Reject::OffsetField { .. } | Reject::NothingWritten => {
            ("log-zeros", Facts::new())
        }
        Reject::PropertyCrc { stored, computed } => (
            "record-crc",
            facts! { stored = *stored, computed = *computed },
        ),
        Reject::PropertyCrcMissing => ("record-crc-missing", Facts::new()),
        Reject::InnerBatch { name, text } => {
            ("record-batch", facts! { part = *name, length = text.len() })
        }
        Reject::BeyondFile { need, left } | Reject::Underflow { need, left } => {
            ("record-cut", facts! { need = *need, left = *left })
        }
    }
}

/// The next place where a message could begin: four bytes before a magic number.
fn next_magic(window: &mut Window<'_>, from: u64, end: u64) -> Result<u64, ReadError> {
    let is_magic = |eight: &[u8]| {
        let magic = eight.get(4..).and_then(|four| four.try_into().ok());
        magic.is_some_and(|magic| message::Version::is_message(i32::from_be_bytes(magic)))
    };
    search(window, from, end, 8, |bytes| {
        bytes.windows(8).position(is_magic)
    })
    .map(|found| found.unwrap_or(end))
}

/// The first byte that is not zero.
fn first_byte(window: &mut Window<'_>, from: u64, end: u64) -> Result<Option<u64>, ReadError> {
    search(window, from, end, 1, |bytes| {
        bytes.iter().position(|byte| *byte != 0)
    })
}

/// Behind the last byte that is not zero.
fn end_of_bytes(window: &mut Window<'_>, from: u64, end: u64) -> Result<u64, ReadError> {
    let mut last = from;
    let mut at = from;
    while at < end {
        let bytes = window.from(at, 1)?;
        let here = usize_of(end.saturating_sub(at)).min(bytes.len());
        let bytes = bytes.get(..here).unwrap_or(bytes);
        if let Some(found) = bytes.iter().rposition(|byte| *byte != 0) {
            last = at.saturating_add(u64_of(found)).saturating_add(1);
        }
        at = at.saturating_add(u64_of(here).max(1));
    }
    Ok(last)
}

/// Looks through a stretch block by block, with as much overlap as a hit is long.
fn search(
    window: &mut Window<'_>,
    from: u64,
    end: u64,
    len: u64,
    find: impl Fn(&[u8]) -> Option<usize>,
) -> Result<Option<u64>, ReadError> {
    let mut at = from;
    while at.saturating_add(len) <= end {
        let bytes = window.from(at, usize_of(len))?;
        let here = usize_of(end.saturating_sub(at)).min(bytes.len());
        let bytes = bytes.get(..here).unwrap_or(bytes);
        if let Some(found) = find(bytes) {
            return Ok(Some(at.saturating_add(u64_of(found))));
        }
        let step = u64_of(here).saturating_sub(len.saturating_sub(1)).max(1);
        at = at.saturating_add(step);
    }
    Ok(None)
}
