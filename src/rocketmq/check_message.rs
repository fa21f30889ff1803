//! `CommitLog#checkMessageAndReturnSize`: is the record at a place good, and what is dispatched of it?
//!
//! Facts in, one judgement out; nothing is changed here. In order: too short for a frame, from 5.2 on for its size too · blank or
//! unknown magic · the size as the length of an array · each part within file and array · the body's CRC · DUP_INFO · a delayed
//! message's level · the property CRC · the sum of the lengths · the numbers of an inner batch.

use super::format::message::{self, Broken, Frame, Version};
use super::rules::{self, InForce};
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
    /// `checkDupInfo`: `duplicationEnable`.
    pub dup_info: bool,
    /// `forceVerifyPropCRC`
    pub property_crc: bool,
    pub buffer: Buffer,
    /// The delay levels, which 4.9 has not yet read while it recovers.
    pub delays: &'c DelayLevels,
    pub rules: InForce<'c>,
}

impl Check<'_> {
    /// Whether bytes are a whole message at all, for those who ask as no broker does.
    pub fn whole_message() -> Self {
        static NONE: DelayLevels = DelayLevels::NONE;
        Self {
            crc: true,
            body: true,
            dup_info: false,
            property_crc: false,
            buffer: Buffer::OF_EACH_RECORD,
            delays: &NONE,
            rules: InForce::newest(),
        }
    }

    fn has(&self, rule: &'static Rule) -> bool {
        self.rules.has(rule)
    }
}

/// The array that the broker copies a record's parts through: one for each record, or, from 5.5.1 on, one that is kept and as long as the
/// longest record so far. Only where the reader gives up on a record with a wrong size hangs on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer(Option<i32>);

impl Buffer {
    pub const OF_EACH_RECORD: Self = Self(None);
    pub const KEPT: Self = Self(Some(0));

    /// A record has been copied through it. A longer one than `maxCheckMessageReuseBufferSize` (1 MiB) has an array of its own.
    pub fn keep(&mut self, record: i32) {
        const LONGEST: i32 = 1 << 20;
        if let Some(len) = self.0.as_mut().filter(|_| record <= LONGEST) {
            *len = record.max(*len);
        }
    }

    fn room(self, total_size: i32) -> i32 {
        self.0.map_or(total_size, |len| len.max(total_size))
    }
}

/// `ScheduleMessageService`: how long each level waits, in ms. Level 1 is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DelayLevels {
    waits: Vec<i64>,
    /// The highest level that counts. Of one that could not be read the wait is not known, but it counts.
    highest: i32,
}

impl DelayLevels {
    const NONE: Self = Self {
        waits: Vec::new(),
        highest: 0,
    };

    /// `parseDelayLevel`: `1s 5s … 2h`; `None` where the broker's parsing throws.
    pub fn parse(text: &str) -> Option<Self> {
        let waits: Option<Vec<i64>> = words(text).map(Self::parse_level).collect();
        waits.map(|waits| Self {
            highest: len(&waits),
            waits,
        })
    }

    /// The same as 5.x does it: the levels before the first one that cannot be read, and that one without a wait of its own.
    pub fn parse_front(text: &str) -> Self {
        let waits: Vec<i64> = words(text).map_while(Self::parse_level).collect();
        let unread = words(text).nth(waits.len());
        let counts = unread.is_some_and(|word| !word.is_empty());
        Self {
            highest: len(&waits).saturating_add(i32::from(counts)),
            waits,
        }
    }

    fn parse_level(word: &str) -> Option<i64> {
        let unit_at = word.char_indices().next_back()?.0;
        let (number, unit) = word.split_at_checked(unit_at)?;
        let unit = match unit {
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return None,
        };
        Some(java::parse_long(number)?.wrapping_mul(unit))
    }

    pub fn max_level(&self) -> i32 {
        self.highest
    }

    /// `computeDeliverTimestamp`
    fn deliver_at(&self, level: i32, store_timestamp: i64) -> i64 {
        let wait = usize::try_from(level.saturating_sub(1))
            .ok()
            .and_then(|at| self.waits.get(at))
            .copied()
            .unwrap_or(1_000);
        store_timestamp.wrapping_add(wait)
    }
}

fn len(waits: &[i64]) -> i32 {
    num::java_int(num::long_len(waits.len()))
}

/// Java's `split(" ")`: empty words at the end are none, but of an empty text there is one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let trimmed = text.trim_end_matches(' ');
    let none = trimmed.is_empty() && !text.is_empty();
    trimmed.split(' ').filter(move |_| !none)
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
    /// `totalSize` is more than what is left (5.2), which is asked before anything else.
    BeyondFile {
        need: u64,
        left: u64,
    },
    /// The same, asked before anything else of the record is read (5.5.1).
    NegativeFirst {
        stored: i32,
    },
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
    /// `DUP_INFO` is missing or has not two parts, with `duplicationEnable` (5.x).
    DupInfo {
        found: Option<String>,
    },
    /// The checksum over the whole record, with `forceVerifyPropCRC`.
    PropertyCrc {
        stored: u32,
        computed: u32,
    },
    PropertyCrcMissing,
    /// `INNER_BASE` or `INNER_NUM` is no number (`NumberFormatException`, 5.x).
    InnerBatch {
        name: &'static str,
        text: String,
    },
    /// The record says that it stands in another file, with `checkCommitLogOffsetOnRecover` (5.5).
    OffsetField {
        stored: i64,
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
            Self::NegativeFirst { .. } => &rules::CHECK_NEGATIVE_FIRST,
            Self::HugeSize { .. } => &rules::CHECK_HUGE_SIZE,
            Self::Part { .. } => &rules::CHECK_PART,
            Self::BodyCrc { .. } => &rules::CHECK_BODY_CRC,
            Self::BeyondFile { .. } => &rules::CHECK_REMAINING,
            Self::DupInfo { .. } => &rules::CHECK_DUP_INFO,
            Self::PropertyCrc { .. } => &rules::CHECK_PROPERTY_CRC,
            Self::PropertyCrcMissing => &rules::CHECK_PROPERTY_CRC_MISSING,
            Self::InnerBatch { .. } => &rules::CHECK_INNER_BATCH,
            Self::OffsetField { .. } => &rules::CHECK_OFFSET_FIELD,
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
    pub version: Version,
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
    dup_info: Option<&'r [u8]>,
    crc32: Option<&'r [u8]>,
    inner_base: Option<&'r [u8]>,
    inner_num: Option<&'r [u8]>,
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
                b"DUP_INFO" => &mut found.dup_info,
                b"__CRC32#" => &mut found.crc32,
                b"INNER_BASE" => &mut found.inner_base,
                b"INNER_NUM" => &mut found.inner_num,
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
    if check.has(&rules::CHECK_REMAINING) {
        check_remaining(cursor, check)?;
    }
    let frame = message::frame(cursor, &mut ())?;
    let known = match Version::of(frame.magic) {
        Some(Version::V2) => check
            .has(&rules::CHECK_TOPIC_OF_TWO_BYTES)
            .then_some(Version::V2),
        known => known,
    };
    if known.is_none() {
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
    let version = known.unwrap_or(Version::V1);
    check_array(frame, check)?;
    let room = check
        .has(&rules::CHECK_PART)
        .then_some(check.buffer.room(frame.total_size));
    let head = message::head(cursor, room, check.body, &mut ())?;
    // With forceVerifyPropCRC the body is left to the property CRC, which covers it.
    if check.body && check.crc && head.body_len > 0 && !check.property_crc {
        let computed = rocketmq_crc32(head.body);
        let stored = num::u32_bits(head.body_crc);
        if computed != stored && check.has(&rules::CHECK_BODY_CRC) {
            return Err(Reject::BodyCrc { stored, computed }.into());
        }
    }
    let tail = message::tail(cursor, version, room, &mut ())?;
    if check.dup_info && check.has(&rules::CHECK_DUP_INFO) {
        check_dup_info(tail.properties)?;
    }
    let deliver_at = deliver_at(tail.topic, tail.properties, head.store_timestamp, check)?;
    if check.crc && check.property_crc {
        check_property_crc(cursor, frame.total_size, tail.properties, check)?;
    }
    let sum = message::expected_length(
        version,
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
    if check.has(&rules::CHECK_INNER_BATCH) {
        check_inner_batch(tail.properties)?;
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
        version,
        read: cursor.pos(),
    }))
}

fn range(at: usize, bytes: &[u8]) -> Range<usize> {
    at..at.saturating_add(bytes.len())
}

/// From 5.2 on the size is held against what is left before anything is read by it. In Java's `int`, so that a size near the smallest
/// number counts as a large one.
fn check_remaining(cursor: &mut Cursor<'_>, check: Check<'_>) -> Result<(), Failed> {
    const SIZE: u64 = 4;
    let left = cursor.left();
    if left <= SIZE {
        return Err(Reject::BeyondFile { need: 5, left }.into());
    }
    let mut behind_size = cursor.clone();
    let stored = behind_size.i32()?;
    let need = i64::from(stored.wrapping_sub(4));
    let left = left.saturating_sub(SIZE);
    let reject = if stored < 0 && check.has(&rules::CHECK_NEGATIVE_FIRST) {
        Reject::NegativeFirst { stored }
    } else if num::long_of(left) < need {
        let need = num::pos_of(need);
        Reject::BeyondFile { need, left }
    } else {
        return Ok(());
    };
    *cursor = behind_size;
    Err(reject.into())
}

/// `DUP_INFO` has two parts. A record without any property is not asked.
fn check_dup_info(properties: &[u8]) -> Result<(), Reject> {
    if properties.is_empty() {
        return Ok(());
    }
    let found = Properties::of(properties).dup_info.map(message::text);
    // As Java's `split`: empty words at the end are none.
    let two = found
        .as_ref()
        .is_some_and(|text| text.trim_end_matches('_').split('_').count() == 2);
    if two {
        return Ok(());
    }
    let found = found.map(Cow::into_owned);
    Err(Reject::DupInfo { found })
}

/// `CommitLog.CRC32_RESERVED_LEN`: the last bytes of a record, which hold its property CRC.
const PROPERTY_CRC_LEN: usize = 20;

/// The record but for its last twenty bytes, against the ten digits in them, the lowest first. The record is taken to end where the
/// reader stands, and to begin `totalSize` before.
fn check_property_crc(
    cursor: &Cursor<'_>,
    total_size: i32,
    properties: &[u8],
    check: Check<'_>,
) -> Result<(), Reject> {
    let stored = Properties::of(properties)
        .crc32
        .map(|digits| {
            let units: Vec<u16> = message::text(digits).encode_utf16().collect();
            units.iter().rev().fold(0i32, |number, unit| {
                let digit = i32::from(*unit).wrapping_sub(i32::from(b'0'));
                number.wrapping_mul(10).wrapping_add(digit)
            })
        })
        .filter(|number| *number >= 0);
    let Some(stored) = stored else {
        return if check.has(&rules::CHECK_PROPERTY_CRC_MISSING) {
            Err(Reject::PropertyCrcMissing)
        } else {
            Ok(())
        };
    };
    let end = cursor.pos();
    let from = end.saturating_sub(num::usize_of(num::pos_of(i64::from(total_size))));
    let covered = cursor.behind(from, end.saturating_sub(PROPERTY_CRC_LEN));
    let (stored, computed) = (num::u32_bits(stored), rocketmq_crc32(covered));
    if stored != computed && check.has(&rules::CHECK_PROPERTY_CRC) {
        return Err(Reject::PropertyCrc { stored, computed });
    }
    Ok(())
}

/// A message that holds a batch names its first queue offset and their count; both have to be numbers once both are there.
fn check_inner_batch(properties: &[u8]) -> Result<(), Reject> {
    if memchr::memmem::find(properties, b"INNER_BASE").is_none() {
        return Ok(());
    }
    let found = Properties::of(properties);
    let (Some(base), Some(count)) = (found.inner_base, found.inner_num) else {
        return Ok(());
    };
    let (base, count) = (message::text(base), message::text(count));
    let bad = |name, text: Cow<'_, str>| Reject::InnerBatch {
        name,
        text: text.into_owned(),
    };
    if java::parse_long(&base).is_none() {
        return Err(bad("INNER_BASE", base));
    }
    let is_short = java::parse_int(&count).is_some_and(|count| i16::try_from(count).is_ok());
    if !is_short {
        return Err(bad("INNER_NUM", count));
    }
    Ok(())
}

/// `new byte[totalSize]` comes before any look at how much is left, up to 5.1.
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
        Check {
            rules: InForce::of(crate::rocketmq::release::Known::R4_9_8),
            ..Check::whole_message()
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
        assert_eq!(DelayLevels::parse("1s ").unwrap().max_level(), 1);
        let front = DelayLevels::parse_front("1s 5s 10 2h");
        assert_eq!(front.max_level(), 3, "the one that cannot be read counts");
        assert_eq!(front.deliver_at(3, 100), 1_100, "as a level without a wait");
    }
}
