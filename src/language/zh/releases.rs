//! 关于存储由哪个版本写下的发现。

pub const TEXTS: &[(&str, &str)] = &[
    (
        "finding.release-abort-backup",
        "有 `abort.bak`：这个存储上运行过 RocketMQ 5.0 或更新的版本。",
    ),
    (
        "finding.release-abort-empty",
        "`abort` 是空的：4.9 如此，更新的版本会写入进程号。",
    ),
    (
        "finding.release-abort-pid",
        "`abort` 里有进程号：当时运行的是 RocketMQ 5.0 或更新的版本。",
    ),
    (
        "finding.release-confirm-offset",
        "checkpoint 里有 4.9 不会写的字段：RocketMQ 5.x。",
    ),
    (
        "finding.release-flag-empty",
        "`.kafka_cleanshutdown` 为空：由 3.7 之前的版本写入。",
    ),
    (
        "finding.release-flag-epoch",
        "`.kafka_cleanshutdown` 含有 broker epoch：Kafka 3.7 或更高版本。",
    ),
    (
        "finding.release-format-1",
        "存在 v1 格式的消息（带时间戳）：Kafka 0.10 或更高版本。",
    ),
    (
        "finding.release-format-2",
        "存在 v2 格式的 record batch：Kafka 0.11 或更高版本。",
    ),
    (
        "finding.release-leader-epochs",
        "分区中有 leader-epoch-checkpoint：Kafka 0.11 或更高版本。",
    ),
    (
        "finding.release-logics-offset",
        "checkpoint 里有 logicsPhysicalOffset：RocketMQ 5.5 或更新的版本。",
    ),
    (
        "finding.release-no-abort-backup",
        "运行过的存储却没有 `abort.bak`：RocketMQ 4.9。",
    ),
    (
        "finding.release-no-leader-epochs",
        "分区有 time index 但没有 leader-epoch-checkpoint：Kafka 0.10。",
    ),
    (
        "finding.release-no-logics-offset",
        "checkpoint 里有各时间却没有 logicsPhysicalOffset：由 5.5 之前的版本写下。",
    ),
    (
        "finding.release-no-time-index",
        "分区有 offset index 但没有 time index：0.10.1 之前的版本。",
    ),
    (
        "finding.release-properties-closed",
        "最新消息的属性以分隔符结尾：RocketMQ 5.2 或更新的版本。",
    ),
    (
        "finding.release-properties-open",
        "最新消息的属性结尾没有分隔符：由 5.2 之前的版本写下。",
    ),
    (
        "finding.release-property-crc",
        "消息带有属性 CRC：RocketMQ 5.2 或更新的版本。",
    ),
    (
        "finding.release-time-index",
        "分区中有 time index：Kafka 0.10.1 或更高版本。",
    ),
    (
        "finding.release-topic-id",
        "分区中有 partition.metadata：Kafka 2.8 或更高版本。",
    ),
    (
        "finding.release-version-2",
        "有版本 2 的消息（主题较长）：RocketMQ 5.1 或更新的版本。",
    ),
];
