//! The decision table of RocketMQ's recovery: every branch of the broker's code that decides, with its class and method.
//!
//! Each rule is asked where it decides ([`super::Broker::holds`]); taken out, the branch is not taken. The sentences stand in
//! [`crate::language`] under `rule.<id>`.

use crate::recovery::rule::{Kind, Phase, Rule};

/// Declares the rules and the list of them all.
macro_rules! rules {
    ($($name:ident $id:literal $source:literal $phase:ident $kind:ident $since:literal $(to $until:literal)?;)*) => {
        $(pub static $name: Rule = Rule {
            id: $id,
            source: $source,
            phase: Phase::$phase,
            kind: Kind::$kind,
            since: $since,
            until: until!($($until)?),
        };)*
        /// All rows, in the order in which a start comes to them.
        pub static ALL: &[&Rule] = &[$(&$name),*];
    };
}

macro_rules! until {
    () => {
        None
    };
    ($until:literal) => {
        Some($until)
    };
}

rules! {
    // load(): what is there
    ABORT_PRESENT "load.abort-present" "DefaultMessageStore#isTempFileExist" Load Choice "4.9";
    ABORT_ABSENT "load.abort-absent" "DefaultMessageStore#isTempFileExist" Load Choice "4.9";
    LOG_LENGTH "load.log-length" "MappedFileQueue#doLoad" Load Refuse "4.9";
    LOG_NAME "load.log-name" "MappedFile#init" Load Refuse "4.9";
    LOG_FILES "load.log-files" "MappedFileQueue#doLoad" Load Notice "4.9";
    QUEUE_FOLDER "load.queue-folder-ignored" "DefaultMessageStore#loadConsumeQueue" Load Notice "4.9";
    QUEUE_LENGTH "load.queue-length" "MappedFileQueue#doLoad" Load Refuse "4.9";
    QUEUE_NAME "load.queue-name" "MappedFile#init" Load Refuse "4.9";
    QUEUE_FILES "load.queue-files" "DefaultMessageStore#loadConsumeQueue" Load Notice "4.9";
    CHECKPOINT_UNREADABLE "load.checkpoint-unreadable" "StoreCheckpoint#<init>" Load Refuse "4.9";
    CHECKPOINT_READ "load.checkpoint-read" "StoreCheckpoint#<init>" Load Notice "4.9";
    CHECKPOINT_MISSING "load.checkpoint-missing" "StoreCheckpoint#<init>" Load Notice "4.9";
    INDEX_FOLDER "index.folder-stops-loading" "IndexService#load" Load Reject "4.9";
    INDEX_NAME "index.name-ignored" "IndexService#load" Load Notice "4.9";
    INDEX_RESIZED "index.mapped-to-size" "IndexFile#<init>" Load Notice "4.9";
    INDEX_COUNT "index.count-from-one" "IndexHeader#load" Load Notice "4.9";
    INDEX_DESTROYED "index.newer-than-checkpoint" "IndexService#load" Load Cut "4.9";
    INDEX_KEPT "index.kept" "IndexService#load" Load Notice "4.9";

    // recoverConsumeQueue(): each queue by itself
    QUEUE_LAST_THREE "queue.last-three-files" "ConsumeQueue#recover" Queues Choice "4.9";
    QUEUE_END "queue.first-bad-unit-ends-it" "ConsumeQueue#recover" Queues Accept "4.9";
    QUEUE_CUT "queue.end-set" "MappedFileQueue#truncateDirtyFiles" Queues Accept "4.9";
    QUEUE_FILE_BEHIND "queue.file-behind-end" "MappedFileQueue#truncateDirtyFiles" Queues Cut "4.9";

    // where the scan of the log begins
    NO_LOG "log.no-files" "CommitLog#recoverAbnormally" StartFile Cut "4.9";
    START_THIRD_LAST "start.third-last-file" "CommitLog#recoverNormally" StartFile Choice "4.9";
    START_NO_MAGIC "start.no-message" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_NO_TIME "start.no-store-time" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_INDEX_SAFE "start.index-time-counts" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_NEWER "start.newer-than-checkpoint" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_MATCHED "start.matched" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_FIRST "start.first-file" "CommitLog#recoverAbnormally" StartFile Choice "4.9";

    // checkMessageAndReturnSize(): one record
    CHECK_BLANK "check.blank" "CommitLog#checkMessageAndReturnSize" Scan Accept "4.9";
    CHECK_ZEROS "check.nothing-written" "CommitLog#checkMessageAndReturnSize" Scan Accept "4.9";
    CHECK_MAGIC "check.magic-code" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_NEGATIVE_SIZE "check.negative-size" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_HUGE_SIZE "check.huge-size" "CommitLog#checkMessageAndReturnSize" Scan Refuse "4.9";
    CHECK_UNDERFLOW "check.beyond-file" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_PART "check.part-beyond-size" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_BODY_CRC "check.body-crc" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_DELAY_LEVEL "check.delay-level" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_LENGTHS "check.lengths-differ" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";

    // the scan
    SCAN_ACCEPTED "scan.accepted" "CommitLog#recoverAbnormally" Scan Accept "4.9";
    SCAN_DUPLICATION "scan.not-dispatched" "CommitLog#recoverAbnormally" Scan Choice "4.9";
    SCAN_NEXT_FILE "scan.next-file" "CommitLog#recoverAbnormally" Scan Accept "4.9";
    SCAN_OVER "scan.files-used-up" "CommitLog#recoverAbnormally" Scan Accept "4.9";
    SCAN_END "scan.stops" "CommitLog#recoverAbnormally" Scan Choice "4.9";

    // a message to its queue and to the index
    DISPATCH_TRANSACTION "dispatch.transaction-not-queued" "DefaultMessageStore.CommitLogDispatcherBuildConsumeQueue#dispatch" Scan Choice "4.9";
    DISPATCH_REPEATED "dispatch.already-queued" "ConsumeQueue#putMessagePositionInfo" Scan Choice "4.9";
    DISPATCH_NO_FILE "dispatch.queue-file-not-made" "ConsumeQueue#putMessagePositionInfoWrapper" Scan Reject "4.9";
    DISPATCH_NEW_FILE "dispatch.new-queue-file" "MappedFileQueue#getLastMappedFile" Scan Rebuild "4.9";
    DISPATCH_PRE_BLANK "dispatch.front-filled" "ConsumeQueue#fillPreBlank" Scan Rebuild "4.9";
    DISPATCH_PLACE_TAKEN "dispatch.place-taken" "ConsumeQueue#putMessagePositionInfo" Scan Choice "4.9";
    DISPATCH_OUT_OF_ORDER "dispatch.out-of-order" "ConsumeQueue#putMessagePositionInfo" Scan Reject "4.9";
    DISPATCH_QUEUED "dispatch.queued" "ConsumeQueue#putMessagePositionInfo" Scan Rebuild "4.9";
    DISPATCH_DELIVER_TIME "dispatch.deliver-time" "ScheduleMessageService#computeDeliverTimestamp" Scan Choice "4.9";
    INDEX_OFF "index.switched-off" "DefaultMessageStore.CommitLogDispatcherBuildIndex#dispatch" Scan Choice "4.9";
    INDEX_REPEATED "index.already-indexed" "IndexService#buildIndex" Scan Choice "4.9";
    INDEX_ROLLBACK "index.rollback-not-indexed" "IndexService#buildIndex" Scan Choice "4.9";
    INDEX_NEW_FILE "index.new-file" "IndexService#getAndCreateLastIndexFile" Scan Rebuild "4.9";
    INDEX_SLOT "index.slot-not-believed" "IndexFile#putKey" Scan Choice "4.9";
    INDEX_TIME "index.time-bounded" "IndexFile#putKey" Scan Choice "4.9";
    INDEX_PUT "index.put" "IndexFile#putKey" Scan Rebuild "4.9";

    // what is cut
    PROCESS_OFFSET "mark.process-offset" "CommitLog#recoverAbnormally" Truncate Choice "4.9";
    LOG_CUT "log.end-set" "MappedFileQueue#truncateDirtyFiles" Truncate Cut "4.9";
    LOG_FILE_BEHIND "log.file-behind-end" "MappedFileQueue#truncateDirtyFiles" Truncate Cut "4.9";
    LOGIC_DIRTY "logic.ahead-of-log" "CommitLog#recoverAbnormally" Truncate Choice "4.9";
    LOGIC_FIRST_DIRTY "logic.first-unit-ahead" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Cut "4.9";
    LOGIC_FIRST_KEPT "logic.first-unit-believed" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Choice "4.9";
    LOGIC_UNIT_DIRTY "logic.unit-ahead" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Cut "4.9";
    LOGIC_UNIT_BAD "logic.unit-empty" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Choice "4.9";
    LOGIC_ENDLESS "logic.one-unit-file-never-ends" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Hang "4.9";
    QUEUE_TABLE "table.queue-offsets" "DefaultMessageStore#recoverTopicQueueTable" Truncate Notice "4.9";
    MIN_OFFSET "table.min-offset" "ConsumeQueue#correctMinOffset" Truncate Choice "4.9";
    MIN_OFFSET_NONE "table.min-offset-not-found" "ConsumeQueue#correctMinOffset" Truncate Choice "4.9";
    DELAY_OFFSETS "load.delay-offsets" "ConfigManager#load" Truncate Refuse "4.9";
    DELAY_OFFSETS_BAK "load.delay-offsets-backup" "ConfigManager#loadBak" Truncate Notice "4.9";
    DELAY_LEVELS "load.delay-levels" "ScheduleMessageService#parseDelayLevel" Truncate Refuse "4.9";
    DELAY_QUEUES "load.delay-queues" "ScheduleMessageService#correctDelayOffset" Truncate Notice "4.9";

    // start(): reput until caught up
    REPUT_FROM "reput.from" "DefaultMessageStore#start" Reput Choice "4.9";
    REPUT_DUPLICATION "reput.beyond-confirm-offset" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9";
    REPUT_NO_DATA "reput.no-data" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9";
    REPUT_ROUND "reput.goes-round" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9";
    REPUT_DISPATCHED "reput.dispatched" "DefaultMessageStore.ReputMessageService#doReput" Reput Rebuild "4.9";
    REPUT_BLANK "reput.next-file" "DefaultMessageStore.ReputMessageService#doReput" Reput Accept "4.9";
    REPUT_SKIPPED_ONE "reput.size-skipped" "DefaultMessageStore.ReputMessageService#doReput" Reput Reject "4.9";
    REPUT_SKIPPED_REST "reput.rest-skipped" "DefaultMessageStore.ReputMessageService#doReput" Reput Reject "4.9";
    REPUT_DIES "reput.thread-dies" "DefaultMessageStore.ReputMessageService#run" Reput Hang "4.9";
    REPUT_CAUGHT_UP "reput.caught-up" "DefaultMessageStore#start" Reput Accept "4.9";
    ABORT_MADE "start.abort-made" "DefaultMessageStore#createTempFile" Ready Notice "4.9";
}
