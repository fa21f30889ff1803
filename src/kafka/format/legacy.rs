//! A message of the formats v0 and v1. What a compressed one holds as its value is a message set again, the *inner* messages.
//!
//! | at | bytes | field | |
//! |---|---|---|---|
//! | 0 | 8 | offset | of a wrapper: of its last inner message |
//! | 8 | 4 | size | bytes that follow |
//! | 12 | 4 | crc | CRC-32 of all from magic on |
//! | 16 | 1 | magic | 0 or 1 |
//! | 17 | 1 | attributes | bits 0–2 codec, 3 timestamp type (v1) |
//! | 18 | 8 | timestamp | v1 only |
//! | | | key, value | length, then bytes; -1 is null |
//!
//! The offset and the size are covered by no checksum.

use super::compression::{Codec, unpack};
use super::record::{Fault, Record, Records};
use crate::decode::{Cursor, Fields, Stop, Value, num};

pub const NO_TIMESTAMP: i64 = -1;
/// The smallest size of a message: a v0 one without key and value.
pub const SMALLEST: i32 = 14;

/// A message behind its offset and size.
#[derive(Clone, Copy)]
pub struct Message<'a> {
    bytes: &'a [u8],
    /// 0.8 knows one format and reads every message as that, whatever its magic says.
    as_v0: bool,
}

impl<'a> Message<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            as_v0: false,
        }
    }

    fn read_by(self, inner: Inner) -> Self {
        Self {
            as_v0: inner == Inner::AsTheyStand,
            ..self
        }
    }

    fn has_timestamp(&self) -> Option<bool> {
        Some(!self.as_v0 && self.magic()? != 0)
    }

    pub fn magic(&self) -> Option<i8> {
        Some(i8::from_be_bytes([*self.bytes.get(4)?]))
    }

    pub fn attributes(&self) -> Option<i8> {
        Some(i8::from_be_bytes([*self.bytes.get(5)?]))
    }

    pub fn crc(&self) -> Option<u32> {
        self.bytes.first_chunk().copied().map(u32::from_be_bytes)
    }

    pub fn computed_crc(&self) -> u32 {
        crc32fast::hash(self.bytes.get(4..).unwrap_or(&[]))
    }

    pub fn is_valid(&self) -> bool {
        self.crc() == Some(self.computed_crc())
    }

    pub fn timestamp(&self) -> Option<i64> {
        if !self.has_timestamp()? {
            return Some(NO_TIMESTAMP);
        }
        self.bytes
            .get(6..)?
            .first_chunk()
            .copied()
            .map(i64::from_be_bytes)
    }

    pub fn codec(&self) -> Option<Codec> {
        Codec::of(i64::from(self.attributes()? & 0x07))
    }

    fn key_at(&self) -> Option<usize> {
        Some(if self.has_timestamp()? { 14 } else { 6 })
    }

    fn length_at(&self, at: usize) -> Option<i32> {
        self.bytes
            .get(at..)?
            .first_chunk()
            .copied()
            .map(i32::from_be_bytes)
    }

    /// Bytes behind their length; the outer `None` is Java's exception.
    fn delimited(&self, at: usize) -> Option<Option<&'a [u8]>> {
        let Ok(length) = usize::try_from(self.length_at(at)?) else {
            return Some(None);
        };
        let from = at.checked_add(4)?;
        Some(Some(self.bytes.get(from..from.checked_add(length)?)?))
    }

    pub fn key(&self) -> Option<Option<&'a [u8]>> {
        self.delimited(self.key_at()?)
    }

    pub fn value(&self) -> Option<Option<&'a [u8]>> {
        let at = self.key_at()?;
        let key = usize::try_from(self.length_at(at)?.max(0)).ok()?;
        self.delimited(at.checked_add(4)?.checked_add(key)?)
    }

    fn record(&self, offset: i64, append_time: Option<i64>) -> Option<Record> {
        let timestamp = match append_time {
            Some(time) if self.has_timestamp()? => time,
            _ => self.timestamp()?,
        };
        Some(Record {
            offset,
            timestamp,
            sequence: super::batch::NO_SEQUENCE,
            key: self.key()?.map(<[u8]>::to_vec),
            value: self.value()?.map(<[u8]>::to_vec),
            headers: Vec::new(),
        })
    }
}

/// How a release reads what is inside a wrapper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inner {
    /// 0.8: offsets as they stand, a codec of the inner message is not looked at.
    AsTheyStand,
    /// 0.10: v1 counts from the wrapper's offset back.
    Relative,
    /// From 0.11 on: that, and the wrapper must be one.
    Checked,
}

/// The messages of a top-level message: itself, or those inside.
pub fn records(message: Message<'_>, offset: i64, inner: Inner, largest: i32) -> Records {
    let message = message.read_by(inner);
    let Some(codec) = message.codec() else {
        return Records::fails(Fault::Throws("unknown compression type"));
    };
    if codec == Codec::None {
        return match message.record(offset, None) {
            Some(record) => Records {
                records: vec![record],
                fault: None,
            },
            None => Records::fails(Fault::Throws("a key or value behind the message's end")),
        };
    }
    match inner_messages(message, offset, codec, inner, largest) {
        Ok(messages) => read_inner(message, &messages, inner),
        Err(fault) => Records::fails(fault),
    }
}

/// The offset of the first record: for a wrapper it takes unpacking.
pub fn first_offset(message: Message<'_>, offset: i64, inner: Inner) -> Result<i64, Fault> {
    let message = message.read_by(inner);
    match message.codec() {
        None => Err(Fault::Throws("unknown compression type")),
        Some(Codec::None) => Ok(offset),
        Some(codec) => {
            let messages = inner_messages(message, offset, codec, inner, i32::MAX)?;
            match messages.first() {
                Some((_, first))
                    if inner != Inner::AsTheyStand
                        && first.as_message().codec() != Some(Codec::None) =>
                {
                    Err(Fault::Invalid("an inner message is compressed"))
                }
                Some((offset, _)) => Ok(*offset),
                None => Err(Fault::Throws("no inner messages")),
            }
        }
    }
}

struct Held(Vec<u8>);

impl Held {
    fn as_message(&self) -> Message<'_> {
        Message::new(&self.0)
    }
}

fn inner_messages(
    message: Message<'_>,
    offset: i64,
    codec: Codec,
    inner: Inner,
    largest: i32,
) -> Result<Vec<(i64, Held)>, Fault> {
    let magic = message.magic().unwrap_or(0);
    if inner == Inner::Checked && !(0..=1).contains(&magic) {
        return Err(Fault::Invalid("a wrapper of an unknown magic"));
    }
    if codec == Codec::Zstd && inner == Inner::Checked {
        return Err(Fault::Invalid("zstd is none of the old codecs"));
    }
    if codec == Codec::Zstd {
        return Err(Fault::Throws("unknown compression type"));
    }
    let value = message
        .value()
        .ok_or(Fault::Throws("a value behind the message's end"))?
        .ok_or(if inner == Inner::Checked {
            Fault::Invalid("a wrapper without a value")
        } else {
            Fault::Throws("a wrapper without a value")
        })?;
    let unpacked = unpack(codec, value, magic != 0);
    if unpacked.fault.is_some() && inner == Inner::AsTheyStand {
        return Err(Fault::Throws("the compressed bytes are broken"));
    }
    let mut messages = Vec::new();
    let mut rest = unpacked.bytes.as_slice();
    while let Some((head, behind)) = rest.split_first_chunk::<12>() {
        let [a, b, c, d, e, f, g, h, s @ ..] = *head;
        let inner_offset = i64::from_be_bytes([a, b, c, d, e, f, g, h]);
        let size = i32::from_be_bytes(s);
        if size < SMALLEST {
            return Err(Fault::Invalid("an inner message smaller than any"));
        }
        if inner != Inner::AsTheyStand && size > largest {
            return Err(Fault::Invalid("an inner message larger than allowed"));
        }
        let Some(bytes) = usize::try_from(size)
            .ok()
            .and_then(|size| behind.get(..size))
        else {
            break;
        };
        messages.push((inner_offset, Held(bytes.to_vec())));
        rest = behind.get(bytes.len()..).unwrap_or(&[]);
    }
    if unpacked.fault.is_some() {
        return Err(Fault::Throws("the compressed bytes are broken"));
    }
    if inner == Inner::AsTheyStand {
        return Ok(messages);
    }
    let Some(last) = messages.last().map(|(last, _)| *last) else {
        return Err(if inner == Inner::Checked {
            Fault::Invalid("no inner messages")
        } else {
            Fault::Throws("no inner messages")
        });
    };
    if inner == Inner::Relative && magic > 0 {
        let base = offset.wrapping_sub(last);
        for (offset, _) in messages.iter_mut().filter(|_| base >= 0) {
            *offset = base.wrapping_add(*offset);
        }
    }
    if inner == Inner::Checked && magic == 1 {
        let base = match offset {
            0 => 0,
            _ if offset < last => return Err(Fault::Invalid("a wrapper's offset is too low")),
            _ => offset.wrapping_sub(last),
        };
        for (offset, _) in &mut messages {
            *offset = base.wrapping_add(*offset);
        }
    }
    Ok(messages)
}

fn read_inner(wrapper: Message<'_>, messages: &[(i64, Held)], inner: Inner) -> Records {
    let append_time = wrapper
        .attributes()
        .filter(|attributes| attributes & 0x08 != 0)
        .and_then(|_| wrapper.timestamp());
    let mut read = Records::default();
    for (offset, held) in messages {
        let message = held.as_message().read_by(inner);
        if message.codec() != Some(Codec::None) {
            read.fault = Some(Fault::Invalid("an inner message is compressed"));
            return read;
        }
        match message.record(*offset, append_time) {
            Some(record) => read.records.push(record),
            None => {
                read.fault = Some(Fault::Throws("a key or value behind the message's end"));
                return read;
            }
        }
    }
    read
}

/// The message's fields by Kafka's names.
pub fn read_fields(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<(), Stop> {
    let mut at = cursor.pos();
    let mut note = |cursor: &Cursor<'_>, name, value: Value| {
        fields.field(name, at, cursor.pos().saturating_sub(at), || value);
        at = cursor.pos();
    };
    let v = cursor.i64()?;
    note(cursor, "offset", Value::Int(v));
    let v = cursor.i32()?;
    note(cursor, "size", Value::Int(v.into()));
    let v = cursor.i32()?;
    note(cursor, "crc", Value::Hex(num::u32_bits(v)));
    let magic = cursor.i8()?;
    note(cursor, "magic", Value::Int(magic.into()));
    let v = cursor.i8()?;
    let text = super::batch::attributes_text(i16::from(v) & 0x0f);
    note(cursor, "attributes", Value::Text(text));
    if magic != 0 {
        let v = cursor.i64()?;
        note(cursor, "timestamp", Value::Time(v));
    }
    for (length, bytes) in [("keyLength", "key"), ("valueLength", "value")] {
        let v = cursor.i32()?;
        note(cursor, length, Value::Int(v.into()));
        if let Ok(count) = usize::try_from(v) {
            cursor.take(count)?;
            note(cursor, bytes, Value::Bytes(num::u64_of(count)));
        }
    }
    Ok(())
}
