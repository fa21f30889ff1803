//! `CommitLog#checkMessageAndReturnSize` (4.9): is the record at a place good, and what is dispatched of it?
//!
//! Facts in, one judgement out; nothing is changed here. In order: too short for a frame · blank or unknown magic · the size as the
//! length of an array · each part within file and array · the body's CRC · a delayed message's level · the sum of the lengths.

use super::format::message::{self, Broken, Frame};
use super::rules;
use crate::decode::crc::rocketmq_crc32;
use crate::decode::{Cursor, Stop, java, num};
use crate::recovery::Rule;
use std::borrow::Cow;
use std::ops::Range;

/// How a caller has a record checked.
#[derive(Clone, Copy)]
pub struct Check<'c> {
    /// `checkCRC`
    pub crc: bool,
    /// `readBody`: recovery copies the body, dispatch passes over it.
    pub body: bool,
    /// The delay levels, which 4.9 has not yet read while it recovers.
    pub delays: &'c DelayLevels,
    pub without: Option<&'c str>,
}

impl Check<'_> {
    fn has(&self, rule: &'static Rule) -> bool {
        self.without != Some(rule.id)
    }
}

/// `ScheduleMessageService`: how long each level waits, in ms. Level 1 is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DelayLevels(Vec<i64>);

impl DelayLevels {
    /// `parseDelayLevel`: `1s 5s … 2h`; `None` where the broker's parsing throws.
    pub fn parse(text: &str) -> Option<Self> {
        let mut levels = Vec::new();
        for word in text.split(' ') {
            let unit_at = word.char_indices().next_back()?.0;
            let (number, unit) = word.split_at_checked(unit_at)?;
            let unit = match unit {
                "s" => 1_000,
                "m" => 60_000,
                "h" => 3_600_000,
                "d" => 86_400_000,
                _ => return None,
            };
            levels.push(java::parse_long(number)?.wrapping_mul(unit));
        }
        Some(Self(levels))
    }

    pub fn max_level(&self) -> i32 {
        num::java_int(num::long_len(self.0.len()))
    }

    /// `computeDeliverTimestamp`
    fn deliver_at(&self, level: i32, store_timestamp: i64) -> i64 {
        let wait = usize::try_from(level.saturating_sub(1))
            .ok()
            .and_then(|at| self.0.get(at))
            .copied()
            .unwrap_or(1_000);
        store_timestamp.wrapping_add(wait)
    }
}

/// The judgement on a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Checked {
    Message(DispatchRequest),
    /// Filler: nothing more in this file.
    Blank,
    Bad(Bad),
}

/// A record that fails the check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    pub reject: Reject,
    /// Where the reader stood when it gave up, from the record's start.
    pub stopped_at: usize,
    /// The size that is handed back with "not good": only a sum of lengths that differs has one, and dispatch steps over it.
    pub size: Option<i32>,
    /// The total size that the record claims; 0 where not even that could be read.
    pub claimed: i32,
}

/// Why a record is not good.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reject {
    /// Fewer bytes are left than a field needs (`BufferUnderflowException`).
    Underflow {
        need: u64,
        left: u64,
    },
    Magic {
        found: u32,
    },
    /// An unknown magic like any other to the broker, and what it finds behind the last message of every healthy log: zeros.
    NothingWritten,
    /// `new byte[totalSize]` with a negative size (`NegativeArraySizeException`).
    NegativeSize {
        stored: i32,
    },
    /// `new byte[totalSize]` beyond what a JVM can hold: an `OutOfMemoryError`, which nobody catches.
    HugeSize {
        stored: i32,
    },
    /// A part is longer than `totalSize`, or negative (`IndexOutOfBoundsException`).
    Part {
        name: &'static str,
        len: i32,
        room: i32,
    },
    BodyCrc {
        stored: u32,
        computed: u32,
    },
    /// A delayed message whose level is no number (`NumberFormatException`).
    DelayLevel {
        text: String,
    },
    Lengths {
        total_size: i32,
        sum: i32,
        body_len: i32,
        topic_len: i32,
        properties_len: i32,
    },
}

impl Reject {
    pub fn rule(&self) -> &'static Rule {
        match self {
            Self::Underflow { .. } => &rules::CHECK_UNDERFLOW,
            Self::Magic { .. } => &rules::CHECK_MAGIC,
            Self::NothingWritten => &rules::CHECK_ZEROS,
            Self::NegativeSize { .. } => &rules::CHECK_NEGATIVE_SIZE,
            Self::HugeSize { .. } => &rules::CHECK_HUGE_SIZE,
            Self::Part { .. } => &rules::CHECK_PART,
            Self::BodyCrc { .. } => &rules::CHECK_BODY_CRC,
            Self::DelayLevel { .. } => &rules::CHECK_DELAY_LEVEL,
            Self::Lengths { .. } => &rules::CHECK_LENGTHS,
        }
    }
}

/// What the broker hands to its dispatchers: `DispatchRequest`. Its texts stay in the record, so that it can be handed on alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DispatchRequest {
    topic: Range<usize>,
    pub queue_id: i32,
    /// The record's own field, not the place where it stands.
    pub commit_log_offset: i64,
    pub msg_size: i32,
    pub store_timestamp: i64,
    pub queue_offset: i64,
    properties: Range<usize>,
    /// When a delayed message is due.
    pub deliver_at: Option<i64>,
    pub sys_flag: i32,
    /// Bytes the reader went on by. For a good record `msg_size`.
    pub read: usize,
}

impl DispatchRequest {
    /// The topic, out of the bytes of the record.
    pub fn topic<'r>(&self, record: &'r [u8]) -> Cow<'r, str> {
        message::text(record.get(self.topic.clone()).unwrap_or(&[]))
    }

    /// The properties, out of the bytes of the record: only dispatch needs them.
    pub fn properties<'r>(&self, record: &'r [u8]) -> Properties<'r> {
        Properties::of(record.get(self.properties.clone()).unwrap_or(&[]))
    }
}

/// The properties that a record's check and its dispatch look at, found in one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Properties<'r> {
    tags: Option<&'r [u8]>,
    delay: Option<&'r [u8]>,
    keys: Option<&'r [u8]>,
    uniq_key: Option<&'r [u8]>,
}

impl<'r> Properties<'r> {
    fn of(bytes: &'r [u8]) -> Self {
        let mut found = Self::default();
        for (name, value) in message::properties(bytes) {
            let slot = match name {
                b"TAGS" => &mut found.tags,
                b"DELAY" => &mut found.delay,
                b"KEYS" => &mut found.keys,
                b"UNIQ_KEY" => &mut found.uniq_key,
                _ => continue,
            };
            *slot = Some(value);
        }
        found
    }

    /// `tagsString2tagsCode`: the hash of the tag, 0 without one.
    pub fn tags_code(&self) -> i64 {
        self.tags
            .map_or(0, |tags| i64::from(java::hash_utf8(0, tags)))
    }

    /// `PROPERTY_TAGS`
    pub fn tags(&self) -> Option<&'r [u8]> {
        self.tags
    }

    /// `PROPERTY_KEYS`, each by itself. Java's `split` drops empty words at the end, and the broker's loop those in between.
    pub fn keys(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        let keys = self.keys.unwrap_or(&[]);
        keys.split(|byte| *byte == b' ')
            .filter(|key| !key.is_empty())
    }

    /// `PROPERTY_UNIQ_CLIENT_MESSAGE_ID_KEYIDX`
    pub fn uniq_key(&self) -> Option<&'r [u8]> {
        self.uniq_key
    }
}

/// The largest array a JVM allocates (HotSpot): two less than the largest `int`. Below it, whether `new byte[totalSize]` works hangs
/// on the heap, which no file tells; the broker's start script gives 8 GiB, which is enough for any.
const MAX_ARRAY: i32 = i32::MAX - 2;

/// Checks the record at the cursor. `Err` asks for more bytes of the file.
pub fn check_message(cursor: &mut Cursor<'_>, check: Check<'_>) -> Result<Checked, NeedMore> {
    let claimed = cursor.clone().i32().unwrap_or(0);
    let judged = judge(cursor, check);
    let stopped_at = cursor.pos();
    match judged {
        Ok(checked) => Ok(checked),
        Err(Failed::NeedMore(bytes)) => Err(NeedMore(bytes)),
        Err(Failed::Reject(Reject::Underflow { .. })) if !check.has(&rules::CHECK_UNDERFLOW) => {
            Ok(Checked::Blank)
        }
        Err(Failed::Reject(reject)) => {
            let size = match &reject {
                Reject::Lengths { total_size, .. } => Some(*total_size),
                _ => None,
            };
            Ok(Checked::Bad(Bad {
                reject,
                stopped_at,
                size,
                claimed,
            }))
        }
    }
}

/// The slice ended before the file did: call again with at least this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeedMore(pub usize);

enum Failed {
    NeedMore(usize),
    Reject(Reject),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::NeedMore { bytes } => Self::NeedMore(bytes),
            Stop::Underflow { need, left } => Self::Reject(Reject::Underflow { need, left }),
        }
    }
}

impl From<Broken> for Failed {
    fn from(broken: Broken) -> Self {
        match broken {
            Broken::Stop(stop) => stop.into(),
            Broken::Part { name, len, room } => Self::Reject(Reject::Part { name, len, room }),
        }
    }
}

impl From<Reject> for Failed {
    fn from(reject: Reject) -> Self {
        Self::Reject(reject)
    }
}

#[inline]
fn judge(cursor: &mut Cursor<'_>, check: Check<'_>) -> Result<Checked, Failed> {
    let frame = message::frame(cursor, &mut ())?;
    if frame.magic != message::MESSAGE_MAGIC {
        if frame.magic == message::BLANK_MAGIC && check.has(&rules::CHECK_BLANK) {
            return Ok(Checked::Blank);
        }
        if frame.magic == 0 && frame.total_size == 0 {
            if check.has(&rules::CHECK_ZEROS) {
                return Err(Reject::NothingWritten.into());
            }
        } else if check.has(&rules::CHECK_MAGIC) {
            return Err(Reject::Magic {
                found: num::u32_bits(frame.magic),
            }
            .into());
        }
    }
    check_array(frame, check)?;
    let room = check.has(&rules::CHECK_PART).then_some(frame.total_size);
    let head = message::head(cursor, room, check.body, &mut ())?;
    if check.body && check.crc && head.body_len > 0 {
        let computed = rocketmq_crc32(head.body);
        let stored = num::u32_bits(head.body_crc);
        if computed != stored && check.has(&rules::CHECK_BODY_CRC) {
            return Err(Reject::BodyCrc { stored, computed }.into());
        }
    }
    let tail = message::tail(cursor, room, &mut ())?;
    let deliver_at = deliver_at(tail.topic, tail.properties, head.store_timestamp, check)?;
    let sum = message::expected_length(
        head.sys_flag,
        head.body_len,
        tail.topic_len,
        tail.properties_len,
    );
    if sum != frame.total_size && check.has(&rules::CHECK_LENGTHS) {
        return Err(Reject::Lengths {
            total_size: frame.total_size,
            sum,
            body_len: head.body_len,
            topic_len: tail.topic_len,
            properties_len: tail.properties_len,
        }
        .into());
    }
    Ok(Checked::Message(DispatchRequest {
        topic: range(tail.topic_at, tail.topic),
        queue_id: head.queue_id,
        commit_log_offset: head.physical_offset,
        msg_size: frame.total_size,
        store_timestamp: head.store_timestamp,
        queue_offset: head.queue_offset,
        properties: range(tail.properties_at, tail.properties),
        deliver_at,
        sys_flag: head.sys_flag,
        read: cursor.pos(),
    }))
}

fn range(at: usize, bytes: &[u8]) -> Range<usize> {
    at..at.saturating_add(bytes.len())
}

/// `new byte[totalSize]` comes before any look at how much is left.
fn check_array(frame: Frame, check: Check<'_>) -> Result<(), Reject> {
    let stored = frame.total_size;
    if stored < 0 && check.has(&rules::CHECK_NEGATIVE_SIZE) {
        return Err(Reject::NegativeSize { stored });
    }
    if stored > MAX_ARRAY && check.has(&rules::CHECK_HUGE_SIZE) {
        return Err(Reject::HugeSize { stored });
    }
    Ok(())
}

/// When a delayed message is due, by its level; a level that is no number makes the record a bad one.
fn deliver_at(
    topic: &[u8],
    properties: &[u8],
    store_timestamp: i64,
    check: Check<'_>,
) -> Result<Option<i64>, Reject> {
    if topic != SCHEDULE_TOPIC.as_bytes() {
        return Ok(None);
    }
    let Some(delay) = Properties::of(properties).delay else {
        return Ok(None);
    };
    let text = message::text(delay);
    let Some(level) = java::parse_int(&text) else {
        return if check.has(&rules::CHECK_DELAY_LEVEL) {
            Err(Reject::DelayLevel {
                text: text.into_owned(),
            })
        } else {
            Ok(None)
        };
    };
    let level = level.min(check.delays.max_level());
    let known = level > 0 && check.has(&rules::DISPATCH_DELIVER_TIME);
    Ok(known.then(|| check.delays.deliver_at(level, store_timestamp)))
}

/// `TopicValidator.RMQ_SYS_SCHEDULE_TOPIC`
pub const SCHEDULE_TOPIC: &str = "SCHEDULE_TOPIC_XXXX";

#[cfg(test)]
mod tests {
    use super::*;

    fn check() -> Check<'static> {
        static NONE: DelayLevels = DelayLevels(Vec::new());
        Check {
            crc: true,
            body: true,
            delays: &NONE,
            without: None,
        }
    }

    /// A message as the broker writes it, with one delayed property.
    fn message(topic: &str, body: &[u8], properties: &str) -> Vec<u8> {
        let total = 91 + body.len() + topic.len() + properties.len();
        let mut bytes = Vec::new();
        bytes.extend((total as i32).to_be_bytes());
        bytes.extend(message::MESSAGE_MAGIC.to_be_bytes());
        bytes.extend(rocketmq_crc32(body).to_be_bytes());
        bytes.extend([0; 76 - 4]);
        bytes.extend([0; 4]);
        bytes.truncate(84);
        bytes.extend((body.len() as i32).to_be_bytes());
        bytes.extend(body);
        bytes.push(topic.len() as u8);
        bytes.extend(topic.as_bytes());
        bytes.extend((properties.len() as i16).to_be_bytes());
        bytes.extend(properties.as_bytes());
        assert_eq!(bytes.len(), total);
        bytes
    }

    fn reject(bytes: &[u8]) -> Reject {
        match check_message(&mut Cursor::whole(bytes), check()).unwrap() {
            Checked::Bad(bad) => bad.reject,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_whole_message_is_dispatched_with_its_tag() {
        let bytes = message("TopicA", b"hello", "TAGS\u{1}TagA\u{2}KEYS\u{1}k");
        let Checked::Message(request) = check_message(&mut Cursor::whole(&bytes), check()).unwrap()
        else {
            panic!()
        };
        assert_eq!(request.topic(&bytes), "TopicA");
        assert_eq!(request.read, bytes.len());
        let properties = request.properties(&bytes);
        assert_eq!(properties.tags_code(), 2_598_919);
        assert_eq!(properties.keys().collect::<Vec<_>>(), [b"k"]);
        assert_eq!(properties.uniq_key(), None);
    }

    #[test]
    fn a_torn_tail_fails_by_what_the_zeros_stand_for() {
        let whole = message("TopicA", b"hello", "TAGS\u{1}TagA");
        for cut in 4..8 {
            let mut torn = whole.clone();
            torn[cut..].fill(0);
            assert!(matches!(reject(&torn), Reject::Magic { .. }), "{cut}");
        }
        let mut torn = whole.clone();
        torn[90..].fill(0);
        assert!(matches!(reject(&torn), Reject::BodyCrc { .. }));
        let mut torn = whole.clone();
        torn[93..].fill(0);
        assert!(matches!(reject(&torn), Reject::Lengths { sum: 96, .. }));
    }

    #[test]
    fn sizes_that_java_cannot_allocate_are_told_apart() {
        let mut bytes = message("T", b"", "");
        bytes[..4].copy_from_slice(&(-77i32).to_be_bytes());
        assert_eq!(reject(&bytes), Reject::NegativeSize { stored: -77 });
        bytes[..4].copy_from_slice(&i32::MAX.to_be_bytes());
        assert_eq!(reject(&bytes), Reject::HugeSize { stored: i32::MAX });
        bytes[..4].copy_from_slice(&10i32.to_be_bytes());
        assert!(
            matches!(reject(&bytes), Reject::Lengths { total_size: 10, .. }),
            "{:?}",
            reject(&bytes)
        );
        bytes[..4].copy_from_slice(&7i32.to_be_bytes());
        assert!(matches!(
            reject(&bytes),
            Reject::Part {
                name: "bornHost",
                ..
            }
        ));
    }

    #[test]
    fn levels_beyond_the_last_count_as_the_last() {
        let delays = DelayLevels::parse("1s 5s 2h").unwrap();
        assert_eq!(delays.deliver_at(2, 100), 5_100);
        assert_eq!(delays.max_level(), 3);
        assert_eq!(DelayLevels::parse("1s  5s"), None, "an empty word throws");
        assert_eq!(DelayLevels::parse("1x"), None);
    }
}
