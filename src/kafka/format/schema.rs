//! Kafka's message schemas, as far as records on disk need them: named fields in order, the versions that have them, and two ways of
//! writing them.
//!
//! | versions | |
//! |---|---|
//! | plain | fields one after the other; texts and bytes behind two or four bytes of length, -1 is null |
//! | flexible | lengths are varints, one higher than the length, 0 is null; optional fields stand behind their tag at the struct's end |
//!
//! Which version is the first flexible one is the message's own ([`Version`]). Not here: what the messages are.

use crate::decode::num::u64_of;
use crate::decode::{Cursor, Stop, Value};

/// A value out of a message, nested as it is there.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    Null,
    Bool(bool),
    Int(i64),
    Double(f64),
    /// Milliseconds since 1970.
    Time(i64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(String),
    Struct(Members),
    List(Vec<Node>),
}

pub type Members = Vec<(&'static str, Node)>;

#[derive(Clone, Copy)]
pub enum Kind {
    Bool,
    Byte,
    Short,
    UnsignedShort,
    Int,
    Long,
    /// A long, in milliseconds since 1970.
    Time,
    Double,
    Uuid,
    Text,
    Bytes,
    Struct(&'static [Field]),
    List(&'static Kind),
}

/// A field, and the versions that have it.
pub struct Field {
    name: &'static str,
    kind: Kind,
    since: i16,
    until: i16,
    /// Optional: written behind this tag, and only if it is not the default.
    tag: Option<usize>,
}

impl Field {
    pub const fn new(name: &'static str, kind: Kind) -> Self {
        Self {
            name,
            kind,
            since: 0,
            until: i16::MAX,
            tag: None,
        }
    }

    pub const fn since(self, since: i16) -> Self {
        Self { since, ..self }
    }

    pub const fn until(self, until: i16) -> Self {
        Self { until, ..self }
    }

    pub const fn tag(self, tag: usize) -> Self {
        Self {
            tag: Some(tag),
            ..self
        }
    }

    fn is_in(&self, version: Version) -> bool {
        (self.since..=self.until).contains(&version.number)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    pub number: i16,
    pub is_flexible: bool,
}

impl Version {
    pub const fn plain(number: i16) -> Self {
        Self {
            number,
            is_flexible: false,
        }
    }

    pub const fn flexible(number: i16) -> Self {
        Self {
            number,
            is_flexible: true,
        }
    }
}

/// The fields that the version has. Bytes behind them are left to the caller.
pub fn members(
    cursor: &mut Cursor<'_>,
    fields: &'static [Field],
    version: Version,
) -> Result<Members, Stop> {
    let mut members = Members::new();
    for field in fields {
        if field.tag.is_none() && field.is_in(version) {
            members.push((field.name, node(cursor, field.kind, version)?));
        }
    }
    if version.is_flexible {
        tagged(cursor, fields, version, &mut members)?;
    }
    Ok(members)
}

fn node(cursor: &mut Cursor<'_>, kind: Kind, version: Version) -> Result<Node, Stop> {
    Ok(match kind {
        Kind::Bool => Node::Bool(cursor.i8()? != 0),
        Kind::Byte => Node::Int(cursor.i8()?.into()),
        Kind::Short => Node::Int(cursor.i16()?.into()),
        Kind::UnsignedShort => Node::Int(cursor.i16()?.cast_unsigned().into()),
        Kind::Int => Node::Int(cursor.i32()?.into()),
        Kind::Long => Node::Int(cursor.i64()?),
        Kind::Time => Node::Time(cursor.i64()?),
        Kind::Double => Node::Double(f64::from_bits(cursor.i64()?.cast_unsigned())),
        Kind::Uuid => match <[u8; 16]>::try_from(cursor.take(16)?) {
            Ok(uuid) => Node::Uuid(uuid_text(uuid)),
            Err(_) => Node::Null,
        },
        Kind::Text => match length(cursor, version, true)? {
            None => Node::Null,
            Some(len) => Node::Text(String::from_utf8_lossy(cursor.take(len)?).into_owned()),
        },
        Kind::Bytes => match length(cursor, version, false)? {
            None => Node::Null,
            Some(len) => Node::Bytes(cursor.take(len)?.to_vec()),
        },
        Kind::Struct(fields) => Node::Struct(members(cursor, fields, version)?),
        Kind::List(of) => match length(cursor, version, false)? {
            None => Node::Null,
            Some(count) => {
                let mut nodes = Vec::new();
                for _ in 0..count {
                    nodes.push(node(cursor, *of, version)?);
                }
                Node::List(nodes)
            }
        },
    })
}

/// `None`: null.
fn length(cursor: &mut Cursor<'_>, version: Version, is_text: bool) -> Result<Option<usize>, Stop> {
    if version.is_flexible {
        return Ok(unsigned_varint(cursor)?.checked_sub(1));
    }
    let len = if is_text {
        i32::from(cursor.i16()?)
    } else {
        cursor.i32()?
    };
    Ok(usize::try_from(len).ok())
}

/// `ByteUtils.readUnsignedVarint`: at most five bytes.
pub fn unsigned_varint(cursor: &mut Cursor<'_>) -> Result<usize, Stop> {
    let mut value = 0usize;
    for shift in [0, 7, 14, 21, 28] {
        let byte = usize::from(cursor.i8()?.cast_unsigned());
        value |= (byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    // Longer than a length can be: nothing that long is there.
    cursor.take(usize::MAX).map(<[u8]>::len)
}

/// The optional fields at a struct's end.
fn tagged(
    cursor: &mut Cursor<'_>,
    fields: &'static [Field],
    version: Version,
    members: &mut Members,
) -> Result<(), Stop> {
    for _ in 0..unsigned_varint(cursor)? {
        let tag = unsigned_varint(cursor)?;
        let len = unsigned_varint(cursor)?;
        let bytes = cursor.take(len)?;
        let known = fields
            .iter()
            .find(|field| field.tag == Some(tag) && field.is_in(version));
        members.push(match known {
            Some(field) => (
                field.name,
                node(&mut Cursor::whole(bytes), field.kind, version)?,
            ),
            None => ("unknown tag", Node::Bytes(bytes.to_vec())),
        });
    }
    Ok(())
}

/// As Kafka writes an id: base64 for URLs, without padding.
fn uuid_text(uuid: [u8; 16]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let whole = u128::from_be_bytes(uuid);
    // 22 digits of 6 bits are 132: four more than there are.
    (0..22u32)
        .map(|no| {
            let lowest = 122i64.saturating_sub(i64::from(no).saturating_mul(6));
            let bits = match u32::try_from(lowest) {
                Ok(shift) => whole.checked_shr(shift).unwrap_or(0),
                Err(_) => whole.checked_shl(4).unwrap_or(0),
            };
            let digit = usize::try_from(bits & 0x3f).unwrap_or(0);
            DIGITS.get(digit).copied().map_or('?', char::from)
        })
        .collect()
}

/// What a struct says, flat: `key.group`, `value.members[0].clientId`.
pub fn rows(path: &str, members: &Members, rows: &mut Vec<(String, Value)>) {
    for (name, node) in members {
        flatten(format!("{path}.{name}"), node, rows);
    }
}

fn flatten(path: String, node: &Node, to: &mut Vec<(String, Value)>) {
    let value = match node {
        Node::Null => Value::Text("null".to_owned()),
        Node::Bool(is) => Value::Text(is.to_string()),
        Node::Int(number) => Value::Int(*number),
        Node::Double(number) => Value::Text(number.to_string()),
        Node::Time(-1) => Value::Int(-1),
        Node::Time(ms) => Value::Time(*ms),
        Node::Text(text) | Node::Uuid(text) => Value::Text(text.clone()),
        Node::Bytes(bytes) => Value::Bytes(u64_of(bytes.len())),
        Node::Struct(members) => return rows(&path, members, to),
        Node::List(nodes) if nodes.is_empty() => Value::Text("[]".to_owned()),
        Node::List(nodes) => {
            for (no, node) in nodes.iter().enumerate() {
                flatten(format!("{path}[{no}]"), node, to);
            }
            return;
        }
    };
    to.push((path, value));
}
