//! A record of a v2 batch. All numbers but the attributes are of variable length ([`super::varint`]).
//!
//! | field | |
//! |---|---|
//! | length | bytes that follow |
//! | attributes | 1 byte, unused |
//! | timestampDelta, offsetDelta | from the batch's base |
//! | key, value | length, then bytes; a negative length is null |
//! | headers | count, then key and value of each |

use super::batch::{self, Header};
use super::compression::{Codec, Unpacked, unpack};
use super::varint::{BadVarint, varint, varlong};
use crate::decode::num;

/// One record; of v0 and v1 a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub offset: i64,
    pub timestamp: i64,
    /// -1: none.
    pub sequence: i32,
    pub key: Option<Vec<u8>>,
    pub value: Option<Vec<u8>>,
    pub headers: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

/// Why a batch gives no more records. Recovery takes the first kind for damage and stops at any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `InvalidRecordException`, `CorruptRecordException`
    Invalid(&'static str),
    /// Any other exception.
    Throws(&'static str),
}

/// Records, and why there are no more, if that is not the batch's end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Records {
    pub records: Vec<Record>,
    pub fault: Option<Fault>,
}

impl Records {
    pub fn fails(fault: Fault) -> Self {
        Self {
            records: Vec::new(),
            fault: Some(fault),
        }
    }
}

/// `DefaultRecordBatch.iterator`: all of a compressed batch or nothing, of a plain one those before the first fault.
pub fn records(batch: &[u8]) -> Records {
    let header = Header::new(batch);
    let (Ok(count), Ok(attributes)) = (header.count(), header.attributes()) else {
        return Records::fails(Fault::Throws("the batch is shorter than its header"));
    };
    if count == 0 {
        return Records::default();
    }
    let payload = batch.get(batch::HEADER..).unwrap_or(&[]);
    let Some(codec) = Codec::of(i64::from(attributes & batch::CODEC_MASK)) else {
        return Records::fails(Fault::Throws("unknown compression type"));
    };
    if codec == Codec::None {
        let plain = Unpacked {
            bytes: payload.to_vec(),
            fault: None,
        };
        return Reader::new(&header, &plain, false).read(count);
    }
    let unpacked = unpack(codec, payload, true);
    let read = Reader::new(&header, &unpacked, true).read(count);
    match read.fault {
        Some(fault) => Records::fails(fault),
        None => read,
    }
}

struct Reader<'a> {
    unpacked: &'a Unpacked,
    is_stream: bool,
    at: usize,
    base_offset: i64,
    base_timestamp: i64,
    base_sequence: i32,
    append_time: Option<i64>,
}

impl<'a> Reader<'a> {
    fn new(header: &Header, unpacked: &'a Unpacked, is_stream: bool) -> Self {
        let attributes = header.attributes().unwrap_or(0);
        Self {
            unpacked,
            is_stream,
            at: 0,
            base_offset: header.offset().unwrap_or(0),
            base_timestamp: header.base_timestamp().unwrap_or(0),
            base_sequence: header.base_sequence().unwrap_or(batch::NO_SEQUENCE),
            append_time: (attributes & batch::LOG_APPEND_TIME != 0)
                .then(|| header.max_timestamp().unwrap_or(0)),
        }
    }

    fn left(&self) -> &'a [u8] {
        self.unpacked.bytes.get(self.at..).unwrap_or(&[])
    }

    fn read(mut self, count: i32) -> Records {
        let mut read = Records::default();
        if count < 0 {
            return Records::fails(Fault::Invalid("a record count below zero"));
        }
        for no in 1..=count {
            match self.record() {
                Ok(record) => read.records.push(record),
                Err(fault) => {
                    read.fault = Some(fault);
                    return read;
                }
            }
            if no == count && !self.left().is_empty() {
                read.records.pop();
                read.fault = Some(Fault::Invalid("bytes behind the last record"));
            } else if no == count && self.unpacked.fault.is_some() {
                read.records.pop();
                read.fault = Some(Fault::Throws("the compressed bytes are broken"));
            }
        }
        read
    }

    /// What is missing: of a stream that broke off more than its end.
    fn ended(&self, otherwise: &'static str) -> Fault {
        match self.unpacked.fault {
            Some(_) if self.is_stream => Fault::Throws("the compressed bytes are broken"),
            _ => Fault::Invalid(otherwise),
        }
    }

    fn record(&mut self) -> Result<Record, Fault> {
        let (size, len) = match varint(self.left()) {
            Ok(read) => read,
            Err(BadVarint::Ends) => return Err(self.ended("the records end early")),
            // Only a stream's reader catches this one.
            Err(BadVarint::TooLong) if self.is_stream => {
                return Err(Fault::Invalid("a length is too long"));
            }
            Err(BadVarint::TooLong) => return Err(Fault::Throws("a length is too long")),
        };
        self.at = self.at.saturating_add(len);
        let rest = self.left();
        let body = match usize::try_from(size) {
            Ok(size) => rest
                .get(..size)
                .ok_or_else(|| self.ended("a record is longer than what is left"))?,
            Err(_) => return Err(Fault::Invalid("a record length below zero")),
        };
        // Without a stream the fields are read from the whole batch, and only then their length is compared.
        let from = if self.is_stream { body } else { rest };
        let mut fields = Body { bytes: from, at: 0 };
        let record = fields
            .record(self)
            .ok_or(Fault::Invalid("a record's fields"))?;
        if fields.at != body.len() {
            return Err(Fault::Invalid("a record's fields do not fit its length"));
        }
        self.at = self.at.saturating_add(body.len());
        Ok(record)
    }
}

struct Body<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Body<'a> {
    fn left(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }

    fn int(&mut self) -> Option<i32> {
        let (value, len) = varint(self.left()).ok()?;
        self.at = self.at.saturating_add(len);
        Some(value)
    }

    /// Bytes behind their length; a negative one is null.
    fn bytes(&mut self) -> Option<Option<Vec<u8>>> {
        let length = self.int()?;
        let Ok(length) = usize::try_from(length) else {
            return Some(None);
        };
        let bytes = self.left().get(..length)?;
        self.at = self.at.saturating_add(length);
        Some(Some(bytes.to_vec()))
    }

    fn record(&mut self, reader: &Reader<'_>) -> Option<Record> {
        self.left().first()?;
        self.at = self.at.saturating_add(1);
        let (delta, len) = varlong(self.left()).ok()?;
        self.at = self.at.saturating_add(len);
        let offset_delta = self.int()?;
        let key = self.bytes()?;
        let value = self.bytes()?;
        let count = usize::try_from(self.int()?).ok()?;
        if count > self.left().len() {
            return None;
        }
        let mut headers = Vec::with_capacity(count.min(64));
        for _ in 0..count {
            let name = self.bytes()??;
            headers.push((name, self.bytes()?));
        }
        Some(Record {
            offset: reader.base_offset.wrapping_add(i64::from(offset_delta)),
            timestamp: reader
                .append_time
                .unwrap_or(reader.base_timestamp.wrapping_add(delta)),
            sequence: if reader.base_sequence >= 0 {
                batch::increment_sequence(reader.base_sequence, offset_delta)
            } else {
                batch::NO_SEQUENCE
            },
            key,
            value,
            headers,
        })
    }
}

/// The end of a transaction, as its control record tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndMarker {
    pub aborts: bool,
    pub coordinator_epoch: i32,
}

/// `EndTransactionMarker.deserialize`: key is version and type, value is version and coordinator epoch.
pub fn end_marker(record: &Record) -> Result<EndMarker, Fault> {
    let key = record.key.as_deref().ok_or(Fault::Throws("no key"))?;
    let (version, rest) = key
        .split_first_chunk::<2>()
        .ok_or(Fault::Invalid("a control key too short"))?;
    let kind = rest
        .first_chunk::<2>()
        .ok_or(Fault::Invalid("a control key too short"))?;
    if i16::from_be_bytes(*version) < 0 {
        return Err(Fault::Invalid("a control key's version"));
    }
    let aborts = match i16::from_be_bytes(*kind) {
        0 => true,
        1 => false,
        _ => return Err(Fault::Throws("no end of a transaction")),
    };
    let value = record.value.as_deref().ok_or(Fault::Throws("no value"))?;
    let (version, rest) = value
        .split_first_chunk::<2>()
        .ok_or(Fault::Invalid("a control value too short"))?;
    let epoch = rest
        .first_chunk::<4>()
        .ok_or(Fault::Invalid("a control value too short"))?;
    if i16::from_be_bytes(*version) < 0 {
        return Err(Fault::Invalid("a control value's version"));
    }
    Ok(EndMarker {
        aborts,
        coordinator_epoch: i32::from_be_bytes(*epoch),
    })
}

/// Bytes as a count, for a table.
pub fn size_of(bytes: Option<&Vec<u8>>) -> Option<u64> {
    bytes.map(|bytes| num::u64_of(bytes.len()))
}
