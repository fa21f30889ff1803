//! Records of KRaft's `__cluster_metadata`, and of the control batches that every log may hold.
//!
//! A metadata record has no key. Its value begins with three unsigned varints: the frame's version (always 1), the record's api key
//! ([`TYPES`]), its version. Then the fields, in Kafka's flexible form ([`super::schema`]).
//!
//! A record of a control batch says what it is in its key: two bytes of version, two of type.
//!
//! Source: `MetadataRecordSerde`, `ControlRecordType`, `ControlRecordUtils` of 3.9 and 4.4. The preview of KRaft in 2.8 wrote some of these
//! records otherwise.

use super::schema::{self, Field, Kind, Members, Version};
use crate::decode::{Cursor, Stop, Value};

/// A record out of the metadata log or a control batch.
#[derive(Clone, Debug, PartialEq)]
pub struct MetadataRecord {
    /// `PartitionChangeRecord`
    pub name: &'static str,
    pub version: i16,
    /// `None`: a version newer than those known, or it ends before its fields do.
    pub members: Option<Members>,
}

struct Type {
    id: usize,
    name: &'static str,
    newest: i16,
    fields: &'static [Field],
}

const fn kind(id: usize, name: &'static str, newest: i16, fields: &'static [Field]) -> Type {
    Type {
        id,
        name,
        newest,
        fields,
    }
}

const fn field(name: &'static str, kind: Kind) -> Field {
    Field::new(name, kind)
}

const INTS: Kind = Kind::List(&Kind::Int);
const UUIDS: Kind = Kind::List(&Kind::Uuid);

const FEATURE: &[Field] = &[
    field("name", Kind::Text),
    field("minSupportedVersion", Kind::Short),
    field("maxSupportedVersion", Kind::Short),
];
const ENDPOINT: &[Field] = &[
    field("name", Kind::Text),
    field("host", Kind::Text),
    field("port", Kind::UnsignedShort),
    field("securityProtocol", Kind::Short),
];
const REGISTER_BROKER: &[Field] = &[
    field("brokerId", Kind::Int),
    field("isMigratingZkBroker", Kind::Bool).since(2),
    field("incarnationId", Kind::Uuid),
    field("brokerEpoch", Kind::Long),
    field("endPoints", Kind::List(&Kind::Struct(ENDPOINT))),
    field("features", Kind::List(&Kind::Struct(FEATURE))),
    field("rack", Kind::Text),
    field("fenced", Kind::Bool),
    field("inControlledShutdown", Kind::Bool).since(1),
    field("logDirs", UUIDS).since(3).tag(0),
    field("cordonedLogDirs", UUIDS).since(4).tag(1),
];
const BROKER_AND_EPOCH: &[Field] = &[
    field("brokerId", Kind::Int),
    field("brokerEpoch", Kind::Long),
];
const ID_AND_EPOCH: &[Field] = &[field("id", Kind::Int), field("epoch", Kind::Long)];
const TOPIC: &[Field] = &[field("name", Kind::Text), field("topicId", Kind::Uuid)];
const PARTITION: &[Field] = &[
    field("partitionId", Kind::Int),
    field("topicId", Kind::Uuid),
    field("replicas", INTS),
    field("isr", INTS),
    field("removingReplicas", INTS),
    field("addingReplicas", INTS),
    field("leader", Kind::Int),
    field("leaderRecoveryState", Kind::Byte).tag(0),
    field("leaderEpoch", Kind::Int),
    field("partitionEpoch", Kind::Int),
    field("directories", UUIDS).since(1),
    field("eligibleLeaderReplicas", INTS).since(2).tag(1),
    field("lastKnownElr", INTS).since(2).tag(2),
];
const PARTITION_CHANGE: &[Field] = &[
    field("partitionId", Kind::Int),
    field("topicId", Kind::Uuid),
    field("isr", INTS).tag(0),
    field("leader", Kind::Int).tag(1),
    field("replicas", INTS).tag(2),
    field("removingReplicas", INTS).tag(3),
    field("addingReplicas", INTS).tag(4),
    field("leaderRecoveryState", Kind::Byte).tag(5),
    field("directories", UUIDS).since(1).tag(8),
    field("eligibleLeaderReplicas", INTS).since(2).tag(6),
    field("lastKnownElr", INTS).since(2).tag(7),
];
const CONFIG: &[Field] = &[
    field("resourceType", Kind::Byte),
    field("resourceName", Kind::Text),
    field("name", Kind::Text),
    field("value", Kind::Text),
];
const DELEGATION_TOKEN: &[Field] = &[
    field("owner", Kind::Text),
    field("requester", Kind::Text),
    field("renewers", Kind::List(&Kind::Text)),
    field("issueTimestamp", Kind::Time),
    field("maxTimestamp", Kind::Time),
    field("expirationTimestamp", Kind::Time),
    field("tokenId", Kind::Text),
];
const SCRAM: &[Field] = &[
    field("name", Kind::Text),
    field("mechanism", Kind::Byte),
    field("salt", Kind::Bytes),
    field("storedKey", Kind::Bytes),
    field("serverKey", Kind::Bytes),
    field("iterations", Kind::Int),
];
const QUOTA_ENTITY: &[Field] = &[
    field("entityType", Kind::Text),
    field("entityName", Kind::Text),
];
const QUOTA: &[Field] = &[
    field("entity", Kind::List(&Kind::Struct(QUOTA_ENTITY))),
    field("key", Kind::Text),
    field("value", Kind::Double),
    field("remove", Kind::Bool),
];
const PRODUCER_IDS: &[Field] = &[
    field("brokerId", Kind::Int),
    field("brokerEpoch", Kind::Long),
    field("nextProducerId", Kind::Long),
];
const BROKER_CHANGE: &[Field] = &[
    field("brokerId", Kind::Int),
    field("brokerEpoch", Kind::Long),
    field("fenced", Kind::Byte).tag(0),
    field("inControlledShutdown", Kind::Byte).since(1).tag(1),
    field("logDirs", UUIDS).since(2).tag(2),
    field("cordonedLogDirs", UUIDS).since(3).tag(3),
];
const ACCESS_CONTROL: &[Field] = &[
    field("id", Kind::Uuid),
    field("resourceType", Kind::Byte),
    field("resourceName", Kind::Text),
    field("patternType", Kind::Byte),
    field("principal", Kind::Text),
    field("host", Kind::Text),
    field("operation", Kind::Byte),
    field("permissionType", Kind::Byte),
];
const REGISTER_CONTROLLER: &[Field] = &[
    field("controllerId", Kind::Int),
    field("incarnationId", Kind::Uuid),
    field("zkMigrationReady", Kind::Bool),
    field("endPoints", Kind::List(&Kind::Struct(ENDPOINT))),
    field("features", Kind::List(&Kind::Struct(FEATURE))),
];

const TYPES: &[Type] = &[
    kind(0, "RegisterBrokerRecord", 4, REGISTER_BROKER),
    kind(1, "UnregisterBrokerRecord", 0, BROKER_AND_EPOCH),
    kind(2, "TopicRecord", 0, TOPIC),
    kind(3, "PartitionRecord", 2, PARTITION),
    kind(4, "ConfigRecord", 0, CONFIG),
    kind(5, "PartitionChangeRecord", 2, PARTITION_CHANGE),
    kind(7, "FenceBrokerRecord", 0, ID_AND_EPOCH),
    kind(8, "UnfenceBrokerRecord", 0, ID_AND_EPOCH),
    kind(9, "RemoveTopicRecord", 0, &[field("topicId", Kind::Uuid)]),
    kind(10, "DelegationTokenRecord", 0, DELEGATION_TOKEN),
    kind(11, "UserScramCredentialRecord", 0, SCRAM),
    kind(
        12,
        "FeatureLevelRecord",
        0,
        &[
            field("name", Kind::Text),
            field("featureLevel", Kind::Short),
        ],
    ),
    kind(14, "ClientQuotaRecord", 0, QUOTA),
    kind(15, "ProducerIdsRecord", 0, PRODUCER_IDS),
    kind(17, "BrokerRegistrationChangeRecord", 3, BROKER_CHANGE),
    kind(18, "AccessControlEntryRecord", 0, ACCESS_CONTROL),
    kind(
        19,
        "RemoveAccessControlEntryRecord",
        0,
        &[field("id", Kind::Uuid)],
    ),
    kind(20, "NoOpRecord", 0, &[]),
    kind(
        21,
        "ZkMigrationStateRecord",
        0,
        &[field("zkMigrationState", Kind::Byte)],
    ),
    kind(
        22,
        "RemoveUserScramCredentialRecord",
        0,
        &[field("name", Kind::Text), field("mechanism", Kind::Byte)],
    ),
    kind(
        23,
        "BeginTransactionRecord",
        0,
        &[field("name", Kind::Text).tag(0)],
    ),
    kind(24, "EndTransactionRecord", 0, &[]),
    kind(
        25,
        "AbortTransactionRecord",
        0,
        &[field("reason", Kind::Text).tag(0)],
    ),
    kind(
        26,
        "RemoveDelegationTokenRecord",
        0,
        &[field("tokenId", Kind::Text)],
    ),
    kind(27, "RegisterControllerRecord", 0, REGISTER_CONTROLLER),
    kind(28, "ClearElrRecord", 0, &[field("topicName", Kind::Text)]),
    kind(
        29,
        "UnregisterControllerRecord",
        0,
        &[field("controllerId", Kind::Int)],
    ),
];

const VERSION_NAME: &str = "version";
const VERSION: Field = field(VERSION_NAME, Kind::Short);
const VOTER: &[Field] = &[
    field("voterId", Kind::Int),
    field("voterDirectoryId", Kind::Uuid).since(1),
];
const LEADER_CHANGE: &[Field] = &[
    VERSION,
    field("leaderId", Kind::Int),
    field("voters", Kind::List(&Kind::Struct(VOTER))),
    field("grantingVoters", Kind::List(&Kind::Struct(VOTER))),
];
const VOTER_ENDPOINT: &[Field] = &[
    field("name", Kind::Text),
    field("host", Kind::Text),
    field("port", Kind::UnsignedShort),
];
const SUPPORTED_VERSIONS: &[Field] = &[
    field("minSupportedVersion", Kind::Short),
    field("maxSupportedVersion", Kind::Short),
];
const VOTER_OF_SET: &[Field] = &[
    field("voterId", Kind::Int),
    field("voterDirectoryId", Kind::Uuid),
    field("endpoints", Kind::List(&Kind::Struct(VOTER_ENDPOINT))),
    field("kRaftVersionFeature", Kind::Struct(SUPPORTED_VERSIONS)),
];
const END_TXN: &[Field] = &[VERSION, field("coordinatorEpoch", Kind::Int)];

/// The two first are of transactions, and not written in the flexible form.
const CONTROL_TYPES: &[Type] = &[
    kind(0, "ABORT", 0, END_TXN),
    kind(1, "COMMIT", 0, END_TXN),
    kind(2, "LeaderChangeMessage", 1, LEADER_CHANGE),
    kind(
        3,
        "SnapshotHeaderRecord",
        0,
        &[VERSION, field("lastContainedLogTimestamp", Kind::Time)],
    ),
    kind(4, "SnapshotFooterRecord", 0, &[VERSION]),
    kind(
        5,
        "KRaftVersionRecord",
        0,
        &[VERSION, field("kRaftVersion", Kind::Short)],
    ),
    kind(
        6,
        "VotersRecord",
        0,
        &[
            VERSION,
            field("voters", Kind::List(&Kind::Struct(VOTER_OF_SET))),
        ],
    ),
];
const FIRST_FLEXIBLE_CONTROL: usize = 2;

/// A record of `__cluster_metadata` or of one of its snapshots; `None` where the value is none.
pub fn read(value: &[u8]) -> Option<MetadataRecord> {
    let mut cursor = Cursor::whole(value);
    let (frame, id, version) = frame(&mut cursor).ok()?;
    let found = TYPES.iter().find(|one| frame == 1 && one.id == id)?;
    let version = i16::try_from(version).ok()?;
    Some(found.read(&mut cursor, Version::flexible(version)))
}

fn frame(cursor: &mut Cursor<'_>) -> Result<(usize, usize, usize), Stop> {
    Ok((
        schema::unsigned_varint(cursor)?,
        schema::unsigned_varint(cursor)?,
        schema::unsigned_varint(cursor)?,
    ))
}

/// A record of a control batch; `None` where the key names no type that is known.
pub fn read_control(key: &[u8], value: &[u8]) -> Option<MetadataRecord> {
    let mut key = Cursor::whole(key);
    key.i16().ok()?;
    let id = usize::try_from(key.i16().ok()?).ok()?;
    let found = CONTROL_TYPES.iter().find(|one| one.id == id)?;
    // The value's first field is its version.
    let version = Version {
        number: Cursor::whole(value).i16().unwrap_or(0),
        is_flexible: id >= FIRST_FLEXIBLE_CONTROL,
    };
    Some(found.read(&mut Cursor::whole(value), version))
}

impl Type {
    fn read(&self, cursor: &mut Cursor<'_>, version: Version) -> MetadataRecord {
        let is_known = (0..=self.newest).contains(&version.number);
        MetadataRecord {
            name: self.name,
            version: version.number,
            members: is_known
                .then(|| schema::members(cursor, self.fields, version).ok())
                .flatten(),
        }
    }
}

impl MetadataRecord {
    /// What it says, flat: `value.endPoints[0].host`.
    pub fn rows(&self) -> Vec<(String, Value)> {
        let mut rows = Vec::new();
        let says_version =
            |members: &Members| members.iter().any(|(name, _)| *name == VERSION_NAME);
        if !self.members.as_ref().is_some_and(says_version) {
            let version = Value::Int(self.version.into());
            rows.push((format!("value.{VERSION_NAME}"), version));
        }
        match &self.members {
            Some(members) => schema::rows("value", members, &mut rows),
            None => rows.push((
                "value".to_owned(),
                Value::Text("not decoded: a newer version, or cut short".to_owned()),
            )),
        }
        rows
    }
}
