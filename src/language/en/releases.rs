//! Findings about which release wrote a store.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "finding.release-abort-backup",
        "`abort.bak` is there: RocketMQ 5.0 or later has run on this store.",
    ),
    (
        "finding.release-abort-empty",
        "`abort` is empty: 4.9 leaves it so, later releases write their process id into it.",
    ),
    (
        "finding.release-abort-pid",
        "`abort` holds a process id: RocketMQ 5.0 or later was running.",
    ),
    (
        "finding.release-confirm-offset",
        "The checkpoint has fields that 4.9 does not write: RocketMQ 5.x.",
    ),
    (
        "finding.release-flag-empty",
        "`.kafka_cleanshutdown` is empty: an older release than 3.7 wrote it.",
    ),
    (
        "finding.release-flag-epoch",
        "`.kafka_cleanshutdown` holds a broker epoch: Kafka 3.7 or later.",
    ),
    (
        "finding.release-format-1",
        "There are messages of format v1, with a timestamp: Kafka 0.10 or later.",
    ),
    (
        "finding.release-format-2",
        "There are record batches of format v2: Kafka 0.11 or later.",
    ),
    (
        "finding.release-leader-epochs",
        "A partition has a leader-epoch-checkpoint: Kafka 0.11 or later.",
    ),
    (
        "finding.release-logics-offset",
        "The checkpoint has a logicsPhysicalOffset: RocketMQ 5.5 or later.",
    ),
    (
        "finding.release-no-abort-backup",
        "A store that has been run, without `abort.bak`: RocketMQ 4.9.",
    ),
    (
        "finding.release-no-leader-epochs",
        "Partitions have a time index and no leader-epoch-checkpoint: Kafka 0.10.",
    ),
    (
        "finding.release-no-logics-offset",
        "The checkpoint has times but no logicsPhysicalOffset: an older release than 5.5 wrote it.",
    ),
    (
        "finding.release-no-time-index",
        "Partitions have an offset index and no time index: an older release than 0.10.1.",
    ),
    (
        "finding.release-properties-closed",
        "The newest messages' properties end with a separator: RocketMQ 5.2 or later.",
    ),
    (
        "finding.release-properties-open",
        "The newest messages' properties end without a separator: an older release than 5.2 wrote them.",
    ),
    (
        "finding.release-property-crc",
        "Messages carry a property CRC: RocketMQ 5.2 or later.",
    ),
    (
        "finding.release-time-index",
        "A partition has a time index: Kafka 0.10.1 or later.",
    ),
    (
        "finding.release-topic-id",
        "A partition has a partition.metadata: Kafka 2.8 or later.",
    ),
    (
        "finding.release-version-2",
        "There are messages of version 2, with a long topic: RocketMQ 5.1 or later.",
    ),
];
