//! Records of `__consumer_offsets`: what consumer groups committed, and who their members are.
//!
//! Both halves begin with two bytes. In the key they say what the record is ([`TYPES`]), in the value its version. A record without a
//! value is a tombstone: the commit or group is gone.
//!
//! | since | |
//! |---|---|
//! | value version 0 | fields one after the other; texts and bytes behind two or four bytes of length, -1 is null |
//! | 4 | lengths are varints, one higher than the length, 0 is null; optional fields stand behind their tag at the end |
//!
//! The newer protocol's records (consumer, share and streams groups) are named, with the group and member that they are about. Their
//! values are not decoded.

use crate::decode::num::u64_of;
use crate::decode::{Cursor, Stop, Value};

/// A value out of a record, nested as it is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    Null,
    Int(i64),
    /// Milliseconds since 1970.
    Time(i64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(String),
    Structs(Vec<Members>),
}

pub type Members = Vec<(&'static str, Node)>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupRecord {
    /// `OffsetCommit`
    pub name: &'static str,
    pub key: Members,
    pub value: GroupValue,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupValue {
    Tombstone,
    Decoded {
        version: i16,
        members: Members,
    },
    /// A kind or a version that is not decoded.
    Other {
        version: Option<i16>,
        len: usize,
    },
    /// It ends before its fields do.
    Short {
        version: i16,
    },
}

#[derive(Clone, Copy)]
enum Kind {
    Int,
    Long,
    Time,
    Text,
    Bytes,
    Structs(&'static [Field]),
}

/// A field, and the versions of its value that have it.
struct Field {
    name: &'static str,
    kind: Kind,
    since: i16,
    until: i16,
}

const fn field(name: &'static str, kind: Kind) -> Field {
    since(0, name, kind)
}

const fn since(since: i16, name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        since,
        until: i16::MAX,
    }
}

const OFFSET_COMMIT: &[Field] = &[
    field("offset", Kind::Long),
    since(3, "leaderEpoch", Kind::Int),
    field("metadata", Kind::Text),
    field("commitTimestamp", Kind::Time),
    Field {
        name: "expireTimestamp",
        kind: Kind::Time,
        since: 1,
        until: 1,
    },
];
const MEMBER: &[Field] = &[
    field("memberId", Kind::Text),
    since(3, "groupInstanceId", Kind::Text),
    field("clientId", Kind::Text),
    field("clientHost", Kind::Text),
    since(1, "rebalanceTimeout", Kind::Int),
    field("sessionTimeout", Kind::Int),
    field("subscription", Kind::Bytes),
    field("assignment", Kind::Bytes),
];
const GROUP_METADATA: &[Field] = &[
    field("protocolType", Kind::Text),
    field("generation", Kind::Int),
    field("protocol", Kind::Text),
    field("leader", Kind::Text),
    since(2, "currentStateTimestamp", Kind::Time),
    field("members", Kind::Structs(MEMBER)),
];

const COMMIT_KEY: &[Field] = &[
    field("group", Kind::Text),
    field("topic", Kind::Text),
    field("partition", Kind::Int),
];
const OLD_GROUP_KEY: &[Field] = &[field("group", Kind::Text)];
const GROUP_KEY: &[Field] = &[field("groupId", Kind::Text)];
const MEMBER_KEY: &[Field] = &[field("groupId", Kind::Text), field("memberId", Kind::Text)];
const PATTERN_KEY: &[Field] = &[
    field("groupId", Kind::Text),
    field("regularExpression", Kind::Text),
];

struct Type {
    id: i16,
    name: &'static str,
    key: &'static [Field],
    value: Option<&'static [Field]>,
}

const fn plain(id: i16, name: &'static str, key: &'static [Field]) -> Type {
    Type {
        id,
        name,
        key,
        value: None,
    }
}

const fn decoded(
    id: i16,
    name: &'static str,
    key: &'static [Field],
    value: &'static [Field],
) -> Type {
    Type {
        id,
        name,
        key,
        value: Some(value),
    }
}

const TYPES: &[Type] = &[
    decoded(0, "OffsetCommit", COMMIT_KEY, OFFSET_COMMIT),
    decoded(1, "OffsetCommit", COMMIT_KEY, OFFSET_COMMIT),
    decoded(2, "GroupMetadata", OLD_GROUP_KEY, GROUP_METADATA),
    plain(3, "ConsumerGroupMetadata", GROUP_KEY),
    plain(4, "ConsumerGroupPartitionMetadata", GROUP_KEY),
    plain(5, "ConsumerGroupMemberMetadata", MEMBER_KEY),
    plain(6, "ConsumerGroupTargetAssignmentMetadata", GROUP_KEY),
    plain(7, "ConsumerGroupTargetAssignmentMember", MEMBER_KEY),
    plain(8, "ConsumerGroupCurrentMemberAssignment", MEMBER_KEY),
    plain(9, "ShareGroupPartitionMetadata", GROUP_KEY),
    plain(10, "ShareGroupMemberMetadata", MEMBER_KEY),
    plain(11, "ShareGroupMetadata", GROUP_KEY),
    plain(12, "ShareGroupTargetAssignmentMetadata", GROUP_KEY),
    plain(13, "ShareGroupTargetAssignmentMember", MEMBER_KEY),
    plain(14, "ShareGroupCurrentMemberAssignment", MEMBER_KEY),
    plain(15, "ShareGroupStatePartitionMetadata", GROUP_KEY),
    plain(16, "ConsumerGroupRegularExpression", PATTERN_KEY),
    plain(17, "StreamsGroupMetadata", GROUP_KEY),
    plain(18, "StreamsGroupPartitionMetadata", GROUP_KEY),
    plain(19, "StreamsGroupMemberMetadata", MEMBER_KEY),
    plain(20, "StreamsGroupTargetAssignmentMetadata", GROUP_KEY),
    plain(21, "StreamsGroupTargetAssignmentMember", MEMBER_KEY),
    plain(22, "StreamsGroupCurrentMemberAssignment", MEMBER_KEY),
    plain(23, "StreamsGroupTopology", GROUP_KEY),
];

/// The first version whose lengths are varints.
const FLEXIBLE: i16 = 4;
const NEWEST: i16 = 4;

/// `None` where the key is none of a group's record: Kafka passes such a record by.
pub fn read(key: &[u8], value: Option<&[u8]>) -> Option<GroupRecord> {
    let mut cursor = Cursor::whole(key);
    let id = cursor.i16().ok()?;
    let found = TYPES.iter().find(|one| one.id == id)?;
    let key = structure(&mut cursor, found.key, 0).ok()?;
    Some(GroupRecord {
        name: found.name,
        key,
        value: value.map_or(GroupValue::Tombstone, |bytes| {
            read_value(bytes, found.value)
        }),
    })
}

fn read_value(bytes: &[u8], fields: Option<&'static [Field]>) -> GroupValue {
    let mut cursor = Cursor::whole(bytes);
    let version = cursor.i16().ok();
    match (fields, version) {
        (Some(fields), Some(version @ 0..=NEWEST)) => {
            match structure(&mut cursor, fields, version) {
                Ok(members) => GroupValue::Decoded { version, members },
                Err(_) => GroupValue::Short { version },
            }
        }
        (_, version) => GroupValue::Other {
            version,
            len: bytes.len(),
        },
    }
}

fn structure(
    cursor: &mut Cursor<'_>,
    fields: &'static [Field],
    version: i16,
) -> Result<Members, Stop> {
    let mut members = Members::new();
    for field in fields {
        if (field.since..=field.until).contains(&version) {
            members.push((field.name, node(cursor, field.kind, version)?));
        }
    }
    if version >= FLEXIBLE {
        tagged(cursor, &mut members)?;
    }
    Ok(members)
}

fn node(cursor: &mut Cursor<'_>, kind: Kind, version: i16) -> Result<Node, Stop> {
    Ok(match kind {
        Kind::Int => Node::Int(cursor.i32()?.into()),
        Kind::Long => Node::Int(cursor.i64()?),
        Kind::Time => Node::Time(cursor.i64()?),
        Kind::Text => match length(cursor, version, true)? {
            None => Node::Null,
            Some(len) => Node::Text(String::from_utf8_lossy(cursor.take(len)?).into_owned()),
        },
        Kind::Bytes => match length(cursor, version, false)? {
            None => Node::Null,
            Some(len) => Node::Bytes(cursor.take(len)?.to_vec()),
        },
        Kind::Structs(fields) => {
            let count = length(cursor, version, false)?.unwrap_or(0);
            let mut structs = Vec::new();
            for _ in 0..count {
                structs.push(structure(cursor, fields, version)?);
            }
            Node::Structs(structs)
        }
    })
}

/// `None`: null.
fn length(cursor: &mut Cursor<'_>, version: i16, is_text: bool) -> Result<Option<usize>, Stop> {
    if version >= FLEXIBLE {
        return Ok(unsigned(cursor)?.checked_sub(1));
    }
    let len = if is_text {
        i32::from(cursor.i16()?)
    } else {
        cursor.i32()?
    };
    Ok(usize::try_from(len).ok())
}

fn unsigned(cursor: &mut Cursor<'_>) -> Result<usize, Stop> {
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

/// The optional fields at a struct's end: the one known is a commit's topic id.
fn tagged(cursor: &mut Cursor<'_>, members: &mut Members) -> Result<(), Stop> {
    for _ in 0..unsigned(cursor)? {
        let tag = unsigned(cursor)?;
        let len = unsigned(cursor)?;
        let bytes = cursor.take(len)?;
        members.push(match (tag, <[u8; 16]>::try_from(bytes)) {
            (0, Ok(uuid)) => ("topicId", Node::Uuid(uuid_text(uuid))),
            _ => ("unknown tag", Node::Bytes(bytes.to_vec())),
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

impl GroupRecord {
    /// What it says, flat: `key.group`, `value.members[0].clientId`.
    pub fn rows(&self) -> Vec<(String, Value)> {
        let mut rows = Vec::new();
        flatten("key", &self.key, &mut rows);
        let value = |name: &str, text: String| (name.to_owned(), Value::Text(text));
        match &self.value {
            GroupValue::Tombstone => rows.push(value("value", "null (tombstone)".to_owned())),
            GroupValue::Decoded { version, members } => {
                rows.push(("value.version".to_owned(), Value::Int((*version).into())));
                flatten("value", members, &mut rows);
            }
            GroupValue::Other { version, len } => {
                if let Some(version) = version {
                    rows.push(("value.version".to_owned(), Value::Int((*version).into())));
                }
                rows.push(("value".to_owned(), Value::Bytes(u64_of(*len))));
            }
            GroupValue::Short { version } => {
                rows.push(("value.version".to_owned(), Value::Int((*version).into())));
                rows.push(value("value", "ends before its fields".to_owned()));
            }
        }
        rows
    }
}

fn flatten(path: &str, members: &Members, rows: &mut Vec<(String, Value)>) {
    for (name, node) in members {
        let path = format!("{path}.{name}");
        let value = match node {
            Node::Null => Value::Text("null".to_owned()),
            Node::Int(number) => Value::Int(*number),
            Node::Time(-1) => Value::Int(-1),
            Node::Time(ms) => Value::Time(*ms),
            Node::Text(text) | Node::Uuid(text) => Value::Text(text.clone()),
            Node::Bytes(bytes) => Value::Bytes(u64_of(bytes.len())),
            Node::Structs(structs) => {
                for (no, inner) in structs.iter().enumerate() {
                    flatten(&format!("{path}[{no}]"), inner, rows);
                }
                continue;
            }
        };
        rows.push((path, value));
    }
}
