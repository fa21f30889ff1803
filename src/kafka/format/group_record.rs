//! Records of `__consumer_offsets`: what consumer groups committed, and who their members are.
//!
//! Both halves begin with two bytes. In the key they say what the record is ([`TYPES`]), in the value its version. A record without a
//! value is a tombstone: the commit or group is gone.
//!
//! The newer protocol's records (consumer, share and streams groups) are named, with the group and member that they are about. Their
//! values are not decoded.

use super::schema::{self, Field, Kind, Members, Version};
use crate::decode::num::u64_of;
use crate::decode::{Cursor, Value};

#[derive(Clone, Debug, PartialEq)]
pub struct GroupRecord {
    /// `OffsetCommit`
    pub name: &'static str,
    pub key: Members,
    pub value: GroupValue,
}

#[derive(Clone, Debug, PartialEq)]
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

const OFFSET_COMMIT: &[Field] = &[
    Field::new("offset", Kind::Long),
    Field::new("leaderEpoch", Kind::Int).since(3),
    Field::new("metadata", Kind::Text),
    Field::new("commitTimestamp", Kind::Time),
    Field::new("expireTimestamp", Kind::Time).since(1).until(1),
    Field::new("topicId", Kind::Uuid).since(4).tag(0),
];
const MEMBER: &[Field] = &[
    Field::new("memberId", Kind::Text),
    Field::new("groupInstanceId", Kind::Text).since(3),
    Field::new("clientId", Kind::Text),
    Field::new("clientHost", Kind::Text),
    Field::new("rebalanceTimeout", Kind::Int).since(1),
    Field::new("sessionTimeout", Kind::Int),
    Field::new("subscription", Kind::Bytes),
    Field::new("assignment", Kind::Bytes),
];
const GROUP_METADATA: &[Field] = &[
    Field::new("protocolType", Kind::Text),
    Field::new("generation", Kind::Int),
    Field::new("protocol", Kind::Text),
    Field::new("leader", Kind::Text),
    Field::new("currentStateTimestamp", Kind::Time).since(2),
    Field::new("members", Kind::List(&Kind::Struct(MEMBER))),
];

const COMMIT_KEY: &[Field] = &[
    Field::new("group", Kind::Text),
    Field::new("topic", Kind::Text),
    Field::new("partition", Kind::Int),
];
const OLD_GROUP_KEY: &[Field] = &[Field::new("group", Kind::Text)];
const GROUP_KEY: &[Field] = &[Field::new("groupId", Kind::Text)];
const MEMBER_KEY: &[Field] = &[
    Field::new("groupId", Kind::Text),
    Field::new("memberId", Kind::Text),
];
const PATTERN_KEY: &[Field] = &[
    Field::new("groupId", Kind::Text),
    Field::new("regularExpression", Kind::Text),
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

/// The first flexible version.
const FLEXIBLE: i16 = 4;
const NEWEST: i16 = 4;

/// `None` where the key is none of a group's record: Kafka passes such a record by.
pub fn read(key: &[u8], value: Option<&[u8]>) -> Option<GroupRecord> {
    let mut cursor = Cursor::whole(key);
    let id = cursor.i16().ok()?;
    let found = TYPES.iter().find(|one| one.id == id)?;
    let key = schema::members(&mut cursor, found.key, Version::plain(0)).ok()?;
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
            let as_written = Version {
                number: version,
                is_flexible: version >= FLEXIBLE,
            };
            match schema::members(&mut cursor, fields, as_written) {
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

impl GroupRecord {
    /// What it says, flat: `key.group`, `value.members[0].clientId`.
    pub fn rows(&self) -> Vec<(String, Value)> {
        let mut rows = Vec::new();
        schema::rows("key", &self.key, &mut rows);
        let value = |name: &str, text: String| (name.to_owned(), Value::Text(text));
        match &self.value {
            GroupValue::Tombstone => rows.push(value("value", "null (tombstone)".to_owned())),
            GroupValue::Decoded { version, members } => {
                rows.push(("value.version".to_owned(), Value::Int((*version).into())));
                schema::rows("value", members, &mut rows);
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
