//! A record of the commit log. Big-endian, one after the other, each file on its own.
//!
//! | offset | size | field | meaning |
//! |---|---|---|---|
//! | 0 | 4 | totalSize | bytes of the record, this field included |
//! | 4 | 4 | magicCode | `daa320a7` a message, `daa320ab` one with a topic length of two bytes (5.x), `cbd43194` a blank (filler to the end of the file) |
//! | 8 | 4 | bodyCRC | CRC-32 of the body, top bit cleared |
//! | 12 | 4 | queueId | |
//! | 16 | 4 | flag | the producer's own |
//! | 20 | 8 | queueOffset | which unit of its queue |
//! | 28 | 8 | physicalOffset | where in the log it was written |
//! | 36 | 4 | sysFlag | compressed 1, multiple tags 2, transaction 4 and 8, IPv6 born 16, IPv6 store 32 |
//! | 40 | 8 | bornTimestamp | ms |
//! | 48 | 8, 20 | bornHost | address, port |
//! | 56 | 8 | storeTimestamp | ms; 12 later with an IPv6 born host, as is all below |
//! | 64 | 8, 20 | storeHost | |
//! | 72 | 4 | reconsumeTimes | |
//! | 76 | 8 | preparedTransactionOffset | |
//! | 84 | 4 | bodyLength | negative counts as none |
//! | 88 | … | body | |
//! | … | 1, 2 | topicLength | two bytes in version 2 |
//! | … | … | topic | UTF-8 |
//! | … | 2 | propertiesLength | negative counts as none |
//! | … | … | properties | name 01 value, separated by 02, with or without a last one |
//!
//! Source: `CommitLog.MessageExtEncoder`, `MessageDecoder`, from 5.0 on `MessageExtEncoder`, `MessageVersion`. Reading goes in three parts, since the broker decides between
//! them: [`frame`], [`head`] (up to and with the body), [`tail`] (topic and properties).

use crate::decode::{Cursor, Fields, Stop, Value, java, num};
use std::borrow::Cow;

/// `MessageDecoder.MESSAGE_MAGIC_CODE`
pub const MESSAGE_MAGIC: i32 = -626_843_481;
/// `MessageDecoder.MESSAGE_MAGIC_CODE_V2`, from 5.0 on: for topics longer than 127 bytes.
pub const MESSAGE_MAGIC_V2: i32 = -626_843_477;
/// `CommitLog.BLANK_MAGIC_CODE`
pub const BLANK_MAGIC: i32 = -875_286_124;

/// Record bytes beside hosts, body, topic with its length, and properties.
const FIXED: i32 = 4 + 4 + 4 + 4 + 4 + 8 + 8 + 4 + 8 + 8 + 4 + 8 + 4 + 2;

/// `MessageVersion`: how long the topic's length is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    V1,
    V2,
}

impl Version {
    /// The version that a magic number stands for; `None` where it stands for no message.
    pub fn of(magic: i32) -> Option<Self> {
        match magic {
            MESSAGE_MAGIC => Some(Self::V1),
            MESSAGE_MAGIC_V2 => Some(Self::V2),
            _ => None,
        }
    }

    pub fn is_message(magic: i32) -> bool {
        Self::of(magic).is_some()
    }

    fn topic_length_len(self) -> i32 {
        match self {
            Self::V1 => 1,
            Self::V2 => 2,
        }
    }
}

/// Where `magicCode`, `physicalOffset` and `sysFlag` stand, for those who look before they read.
pub const MAGIC_AT: u64 = 4;
pub const PHYSICAL_OFFSET_AT: u64 = 28;
pub const SYS_FLAG_AT: u64 = 36;

const BORN_HOST_V6: i32 = 1 << 4;
const STORE_HOST_V6: i32 = 1 << 5;
const COMPRESSED: i32 = 1;
const TRANSACTION: i32 = 3 << 2;

/// `MessageSysFlag.getTransactionValue`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transaction {
    None,
    Prepared,
    Commit,
    Rollback,
}

pub fn transaction(sys_flag: i32) -> Transaction {
    match (sys_flag & TRANSACTION) >> 2 {
        0 => Transaction::None,
        1 => Transaction::Prepared,
        2 => Transaction::Commit,
        _ => Transaction::Rollback,
    }
}

pub fn is_compressed(sys_flag: i32) -> bool {
    sys_flag & COMPRESSED != 0
}

/// Bytes of address and port.
pub fn born_host_len(sys_flag: i32) -> i32 {
    if sys_flag & BORN_HOST_V6 == 0 { 8 } else { 20 }
}

pub fn store_host_len(sys_flag: i32) -> i32 {
    if sys_flag & STORE_HOST_V6 == 0 { 8 } else { 20 }
}

/// Where `storeTimestamp` stands.
pub fn store_timestamp_at(sys_flag: i32) -> u64 {
    num::pos_of(i64::from(born_host_len(sys_flag))).saturating_add(48)
}

/// `CommitLog.calMsgLength`: what the record's length must be. Negative body and property lengths count as none.
pub fn expected_length(
    version: Version,
    sys_flag: i32,
    body_len: i32,
    topic_len: i32,
    properties_len: i32,
) -> i32 {
    FIXED
        .wrapping_add(version.topic_length_len())
        .wrapping_add(born_host_len(sys_flag))
        .wrapping_add(store_host_len(sys_flag))
        .wrapping_add(body_len.max(0))
        .wrapping_add(topic_len)
        .wrapping_add(properties_len.max(0))
}

/// Why a record's bytes could not be read: the exception that Java would throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    Stop(Stop),
    /// A part is longer than the array of `totalSize` bytes that the broker copies it through, or of negative length
    /// (`IndexOutOfBoundsException`).
    Part {
        name: &'static str,
        len: i32,
        room: i32,
    },
}

impl From<Stop> for Broken {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

/// The first eight bytes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub total_size: i32,
    pub magic: i32,
}

pub fn frame(cursor: &mut Cursor<'_>, fields: &mut impl Fields) -> Result<Frame, Stop> {
    let total_size = int(cursor, fields, "totalSize")?;
    let at = cursor.pos();
    let magic = cursor.i32()?;
    fields.field("magicCode", at, 4, || Value::Hex(num::u32_bits(magic)));
    Ok(Frame { total_size, magic })
}

/// An address and a port, as they stand in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host<'a>(pub &'a [u8]);

/// All fields up to the body, with the body where it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head<'a> {
    pub body_crc: i32,
    pub queue_id: i32,
    pub flag: i32,
    pub queue_offset: i64,
    pub physical_offset: i64,
    pub sys_flag: i32,
    pub born_timestamp: i64,
    pub born_host: Host<'a>,
    pub store_timestamp: i64,
    pub store_host: Host<'a>,
    pub reconsume_times: i32,
    pub prepared_transaction_offset: i64,
    pub body_len: i32,
    pub body: &'a [u8],
}

/// Reads on behind [`frame`]. `room` is the array the broker copies parts through, if it does; `with_body: false` passes over the
/// body without that array, as dispatch does.
#[inline]
pub fn head<'a>(
    cursor: &mut Cursor<'a>,
    room: Option<i32>,
    with_body: bool,
    fields: &mut impl Fields,
) -> Result<Head<'a>, Broken> {
    let at = cursor.pos();
    let body_crc = cursor.i32()?;
    fields.field("bodyCRC", at, 4, || Value::Hex(num::u32_bits(body_crc)));
    let queue_id = int(cursor, fields, "queueId")?;
    let flag = int(cursor, fields, "flag")?;
    let queue_offset = long(cursor, fields, "queueOffset")?;
    let physical_offset = long(cursor, fields, "physicalOffset")?;
    let sys_flag = int(cursor, fields, "sysFlag")?;
    let born_timestamp = time(cursor, fields, "bornTimestamp")?;
    let born_host = host(cursor, room, born_host_len(sys_flag), fields, "bornHost")?;
    let store_timestamp = time(cursor, fields, "storeTimestamp")?;
    let store_host = host(cursor, room, store_host_len(sys_flag), fields, "storeHost")?;
    let reconsume_times = int(cursor, fields, "reconsumeTimes")?;
    let prepared_transaction_offset = long(cursor, fields, "preparedTransactionOffset")?;
    let body_len = int(cursor, fields, "bodyLength")?;
    let body: &[u8] = if body_len > 0 {
        let room = if with_body { room } else { None };
        part(cursor, room, body_len, fields, "body")?
    } else {
        &[]
    };
    Ok(Head {
        body_crc,
        queue_id,
        flag,
        queue_offset,
        physical_offset,
        sys_flag,
        born_timestamp,
        born_host,
        store_timestamp,
        store_host,
        reconsume_times,
        prepared_transaction_offset,
        body_len,
        body,
    })
}

/// Topic and properties, as bytes, and where they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail<'a> {
    pub topic_at: usize,
    pub topic: &'a [u8],
    pub topic_len: i32,
    pub properties_at: usize,
    pub properties: &'a [u8],
    pub properties_len: i32,
}

/// Reads on behind [`head`].
#[inline]
pub fn tail<'a>(
    cursor: &mut Cursor<'a>,
    version: Version,
    room: Option<i32>,
    fields: &mut impl Fields,
) -> Result<Tail<'a>, Broken> {
    let at = cursor.pos();
    let topic_len = match version {
        Version::V1 => i32::from(cursor.i8()?),
        Version::V2 => i32::from(cursor.i16()?),
    };
    let topic_at = cursor.pos();
    fields.field("topicLength", at, topic_at.saturating_sub(at), || {
        Value::Int(i64::from(topic_len))
    });
    let topic = part(cursor, room, topic_len, fields, "topic")?;
    let at = cursor.pos();
    let properties_len = i32::from(cursor.i16()?);
    fields.field("propertiesLength", at, 2, || {
        Value::Int(i64::from(properties_len))
    });
    let properties_at = cursor.pos();
    let properties: &[u8] = if properties_len > 0 {
        part(cursor, room, properties_len, fields, "properties")?
    } else {
        &[]
    };
    Ok(Tail {
        topic_at,
        topic,
        topic_len,
        properties_at,
        properties,
        properties_len,
    })
}

/// `MessageDecoder.string2messageProperties`: name and value of each property that has both, in file order. A later one of the same
/// name wins. The separators are found before the text is decoded, which comes to the same: no malformed byte swallows one.
pub fn properties(bytes: &[u8]) -> Properties<'_> {
    Properties { rest: bytes }
}

pub struct Properties<'p> {
    rest: &'p [u8],
}

impl<'p> Iterator for Properties<'p> {
    type Item = (&'p [u8], &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let name_end = memchr::memchr2(1, 2, self.rest)?;
            let (name, behind) = self.rest.split_at_checked(name_end)?;
            let (separator, behind) = behind.split_first()?;
            self.rest = behind;
            if *separator == 2 {
                continue;
            }
            let value_end = memchr::memchr(2, behind).unwrap_or(behind.len());
            let (value, behind) = behind.split_at_checked(value_end)?;
            self.rest = behind.split_first().map_or(&[], |(_, behind)| behind);
            if !name.is_empty() && !value.is_empty() {
                return Some((name, value));
            }
        }
    }
}

/// The value of one property, the last of that name.
#[cfg(test)]
fn property<'t>(bytes: &'t [u8], wanted: &[u8]) -> Option<&'t [u8]> {
    properties(bytes)
        .filter(|(name, _)| *name == wanted)
        .last()
        .map(|(_, value)| value)
}

impl Host<'_> {
    /// As Java prints it: `10.0.254.0`, `2001:0:0:0:0:0:0:fe01`.
    pub fn address(&self) -> String {
        match self.0 {
            [a, b, c, d, _, _, _, _] => format!("{a}.{b}.{c}.{d}"),
            // Inet6Address turns an IPv4-mapped address back into IPv4.
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d, ..] => {
                format!("{a}.{b}.{c}.{d}")
            }
            bytes => {
                let (pairs, _) = bytes.as_chunks::<2>();
                let groups: Vec<String> = pairs
                    .iter()
                    .take(8)
                    .map(|pair| format!("{:x}", u16::from_be_bytes(*pair)))
                    .collect();
                groups.join(":")
            }
        }
    }

    pub fn port(&self) -> i32 {
        self.0
            .last_chunk::<4>()
            .map_or(0, |port| num::i32_be(*port))
    }
}

#[inline(always)]
fn int(cursor: &mut Cursor<'_>, fields: &mut impl Fields, name: &'static str) -> Result<i32, Stop> {
    let at = cursor.pos();
    let value = cursor.i32()?;
    fields.field(name, at, 4, || Value::Int(i64::from(value)));
    Ok(value)
}

#[inline(always)]
fn long(
    cursor: &mut Cursor<'_>,
    fields: &mut impl Fields,
    name: &'static str,
) -> Result<i64, Stop> {
    let at = cursor.pos();
    let value = cursor.i64()?;
    fields.field(name, at, 8, || Value::Int(value));
    Ok(value)
}

#[inline(always)]
fn time(
    cursor: &mut Cursor<'_>,
    fields: &mut impl Fields,
    name: &'static str,
) -> Result<i64, Stop> {
    let at = cursor.pos();
    let value = cursor.i64()?;
    fields.field(name, at, 8, || Value::Time(value));
    Ok(value)
}

#[inline(always)]
fn host<'a>(
    cursor: &mut Cursor<'a>,
    room: Option<i32>,
    len: i32,
    fields: &mut impl Fields,
    name: &'static str,
) -> Result<Host<'a>, Broken> {
    let at = cursor.pos();
    let host = Host(take(cursor, room, len, name)?);
    fields.field(name, at, host.0.len(), || {
        Value::Text(format!("{}:{}", host.address(), host.port()))
    });
    Ok(host)
}

#[inline(always)]
fn part<'a>(
    cursor: &mut Cursor<'a>,
    room: Option<i32>,
    len: i32,
    fields: &mut impl Fields,
    name: &'static str,
) -> Result<&'a [u8], Broken> {
    let at = cursor.pos();
    let bytes = take(cursor, room, len, name)?;
    fields.field(name, at, bytes.len(), || match name {
        "topic" => Value::Text(java::string(bytes).into_owned()),
        "properties" => Value::Text(readable(bytes)),
        _ => Value::Bytes(num::u64_of(bytes.len())),
    });
    Ok(bytes)
}

fn readable(bytes: &[u8]) -> String {
    properties(bytes)
        .map(|(name, value)| format!("{}={}", text(name), text(value)))
        .collect::<Vec<_>>()
        .join(" · ")
}

#[inline(always)]
fn take<'a>(
    cursor: &mut Cursor<'a>,
    room: Option<i32>,
    len: i32,
    name: &'static str,
) -> Result<&'a [u8], Broken> {
    let fits = len >= 0 && room.is_none_or(|room| len <= room);
    match usize::try_from(len) {
        Ok(bytes) if fits => Ok(cursor.take(bytes)?),
        _ => Err(Broken::Part {
            name,
            len,
            room: room.unwrap_or(0),
        }),
    }
}

/// The text of a topic or of properties, as the broker reads it.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    java::string(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_read_with_and_without_the_last_separator() {
        let tags_and_keys: [(&[u8], &[u8]); 2] = [(b"TAGS", b"a"), (b"KEYS", b"k1 k2")];
        let pairs: Vec<_> = properties(b"TAGS\x01a\x02KEYS\x01k1 k2").collect();
        assert_eq!(pairs, tags_and_keys);
        let pairs: Vec<_> = properties(b"TAGS\x01a\x02KEYS\x01k1 k2\x02").collect();
        assert_eq!(pairs, tags_and_keys);
    }

    #[test]
    fn a_property_without_name_or_value_is_none_and_the_last_of_a_name_wins() {
        assert_eq!(properties(b"\x01v\x02n\x01\x02x\x02").count(), 0);
        assert_eq!(property(b"a\x011\x02a\x012", b"a"), Some(&b"2"[..]));
    }

    #[test]
    fn hosts_read_as_java_prints_them() {
        assert_eq!(
            Host(&[10, 0, 254, 0, 0, 0, 0x2a, 0x9f]).address(),
            "10.0.254.0"
        );
        assert_eq!(Host(&[10, 0, 254, 0, 0, 0, 0x2a, 0x9f]).port(), 10911);
        let mut v6 = [0u8; 20];
        v6[0] = 0x20;
        v6[1] = 1;
        v6[14] = 0xfe;
        v6[15] = 1;
        assert_eq!(Host(&v6).address(), "2001:0:0:0:0:0:0:fe01");
    }
}
