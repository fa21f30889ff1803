//! The decision table of RocketMQ's recovery: every branch of the broker's code that decides, with its class and method.
//!
//! Each rule is asked where it decides ([`super::Broker::holds`]); taken out, or not in the release's table, the branch is not taken.
//! The sentences stand in [`crate::language`] under `rule.<id>`.

use super::release::Known;
use crate::recovery::release::Known as _;
use crate::recovery::rule::{Rule, rules};

/// The rows that hold: those of a release, but for one that a test takes out.
#[derive(Clone, Copy, Debug)]
pub struct InForce<'c> {
    release: [u32; 3],
    without: Option<&'c str>,
}

impl<'c> InForce<'c> {
    pub fn without(self, row: Option<&'c str>) -> Self {
        Self {
            without: row,
            ..self
        }
    }

    pub fn of(release: Known) -> Self {
        Self {
            release: release.number(),
            without: None,
        }
    }

    pub fn newest() -> Self {
        Self::of(Known::NEWEST)
    }

    /// Asked many times a message, so rows without bounds are told apart first.
    #[inline]
    pub fn has(&self, rule: &Rule) -> bool {
        let is_in = (rule.until.is_none() && rule.since == "4.9") || rule.is_in(self.release);
        is_in && self.without != Some(rule.id)
    }
}

rules! {
    // load(): what is there
    ABORT_PRESENT "load.abort-present" "DefaultMessageStore#isTempFileExist" Load Choice "4.9";
    ABORT_ABSENT "load.abort-absent" "DefaultMessageStore#isTempFileExist" Load Choice "4.9";
    LOG_LENGTH "load.log-length" "MappedFileQueue#doLoad" Load Refuse "4.9";
    LOG_NAME "load.log-name" "MappedFile#init" Load Refuse "4.9";
    LOG_EMPTY_LAST "load.empty-last-file" "MappedFileQueue#doLoad" Load Cut "5.1.3";
    LOG_FOLDER "load.folder-passed-by" "MappedFileQueue#doLoad" Load Notice "5.1";
    LOG_FILES "load.log-files" "MappedFileQueue#doLoad" Load Notice "4.9";
    QUEUE_FOLDER "load.queue-folder-ignored" "DefaultMessageStore#loadConsumeQueue" Load Notice "4.9";
    QUEUE_LENGTH "load.queue-length" "MappedFileQueue#doLoad" Load Refuse "4.9";
    QUEUE_NAME "load.queue-name" "MappedFile#init" Load Refuse "4.9";
    QUEUE_FILES "load.queue-files" "DefaultMessageStore#loadConsumeQueue" Load Notice "4.9";
    CHECKPOINT_UNREADABLE "load.checkpoint-unreadable" "StoreCheckpoint#<init>" Load Refuse "4.9";
    CHECKPOINT_READ "load.checkpoint-read" "StoreCheckpoint#<init>" Load Notice "4.9";
    CHECKPOINT_MISSING "load.checkpoint-missing" "StoreCheckpoint#<init>" Load Notice "4.9";
    INDEX_FOLDER "index.folder-stops-loading" "IndexService#load" Load Reject "4.9" to "5.0";
    INDEX_FOLDER_REFUSED "index.folder-refuses" "DefaultMessageStore#load" Truncate Refuse "5.1";
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
    START_THIRD_LAST "start.third-last-file" "CommitLog#recoverNormally" StartFile Choice "4.9" to "5.3.1";
    START_FILE_AT_QUEUES "start.file-at-queues-end" "CommitLog#recoverNormally" StartFile Choice "5.3.2" to "5.3";
    START_FIRST_BAD "start.first-message-bad" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "5.4";
    START_NO_MAGIC "start.no-message" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9" to "5.3";
    START_NO_TIME "start.no-store-time" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9";
    START_INDEX_SAFE "start.index-time-counts" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9" to "5.3";
    START_NEWER "start.newer-than-checkpoint" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9" to "5.3";
    START_MATCHED "start.matched" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "4.9" to "5.3";
    START_OFFSET_BEHIND "start.offset-behind" "ConsumeQueueStore#isMappedFileMatchedRecover" StartFile Choice "5.4";
    START_LOGICS_NEWER "start.newer-than-queues" "ConsumeQueueStore#isMappedFileMatchedRecover" StartFile Choice "5.4";
    START_INDEX_NEWER "start.newer-than-index" "IndexService#isMappedFileMatchedRecover" StartFile Choice "5.4";
    START_OFFSET_MATCHED "start.offset-matched" "CommitLog#isMappedFileMatchedRecover" StartFile Choice "5.4";
    START_LIMIT "start.file-limit" "CommitLog#recoverAbnormally" StartFile Choice "5.4";
    START_FIRST "start.first-file" "CommitLog#recoverAbnormally" StartFile Choice "4.9";

    // checkMessageAndReturnSize(): one record
    CHECK_REMAINING "check.size-beyond-file" "CommitLog#checkMessageAndReturnSize" Scan Reject "5.3.2";
    CHECK_TOPIC_OF_TWO_BYTES "check.topic-length-of-two-bytes" "MessageVersion#getTopicLength" Scan Accept "5.1";
    CHECK_BLANK "check.blank" "CommitLog#checkMessageAndReturnSize" Scan Accept "4.9";
    CHECK_ZEROS "check.nothing-written" "CommitLog#checkMessageAndReturnSize" Scan Accept "4.9";
    CHECK_MAGIC "check.magic-code" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_NEGATIVE_SIZE "check.negative-size" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9" to "5.5.0";
    CHECK_NEGATIVE_FIRST "check.negative-size-first" "CommitLog#checkMessageAndReturnSize" Scan Reject "5.5.1";
    CHECK_HUGE_SIZE "check.huge-size" "CommitLog#checkMessageAndReturnSize" Scan Refuse "4.9" to "5.3.1";
    CHECK_UNDERFLOW "check.beyond-file" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_PART "check.part-beyond-size" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_BODY_CRC "check.body-crc" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_DUP_INFO "check.dup-info" "CommitLog#checkMessageAndReturnSize" Scan Reject "5.0";
    CHECK_PROPERTY_CRC "check.property-crc" "CommitLog#checkMessageAndReturnSize" Scan Reject "5.2";
    CHECK_PROPERTY_CRC_MISSING "check.property-crc-missing" "CommitLog#checkMessageAndReturnSize" Scan Reject "5.2";
    CHECK_DELAY_LEVEL "check.delay-level" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_LENGTHS "check.lengths-differ" "CommitLog#checkMessageAndReturnSize" Scan Reject "4.9";
    CHECK_INNER_BATCH "check.inner-batch" "CommitLog#setBatchSizeIfNeeded" Scan Reject "5.0";
    CHECK_OFFSET_FIELD "check.offset-field" "CommitLog#recoverAbnormally" Scan Reject "5.5";

    // the scan
    SCAN_ACCEPTED "scan.accepted" "CommitLog#recoverAbnormally" Scan Accept "4.9";
    SCAN_DUPLICATION "scan.not-dispatched" "CommitLog#recoverAbnormally" Scan Choice "4.9" to "4.9";
    SCAN_UNCONFIRMED "scan.unconfirmed-not-dispatched" "CommitLog#recoverAbnormally" Scan Choice "5.0";
    SCAN_BEHIND_QUEUES "scan.behind-queues-dispatched" "CommitLog#recoverNormally" Scan Choice "5.3.2";
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
    INDEX_TAGS "index.tags" "IndexService#buildIndex" Scan Rebuild "5.4";

    // what is cut
    PROCESS_OFFSET "mark.process-offset" "CommitLog#recoverAbnormally" Truncate Choice "4.9";
    CONFIRM_LAST "mark.confirm-offset" "CommitLog#setConfirmOffset" Truncate Choice "5.0";
    LOG_CUT "log.end-set" "MappedFileQueue#truncateDirtyFiles" Truncate Cut "4.9";
    LOG_FILE_BEHIND "log.file-behind-end" "MappedFileQueue#truncateDirtyFiles" Truncate Cut "4.9";
    LOGIC_DIRTY "logic.ahead-of-log" "CommitLog#recoverAbnormally" Truncate Choice "4.9";
    LOGIC_FIRST_DIRTY "logic.first-unit-ahead" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Cut "4.9";
    LOGIC_FIRST_KEPT "logic.first-unit-believed" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Choice "4.9";
    LOGIC_UNIT_DIRTY "logic.unit-ahead" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Cut "4.9";
    LOGIC_UNIT_BAD "logic.unit-empty" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Choice "4.9";
    LOGIC_GOES_TOO "logic.one-unit-file-goes-too" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Cut "5.0";
    LOGIC_ENDLESS "logic.one-unit-file-never-ends" "ConsumeQueue#truncateDirtyLogicFiles" Truncate Hang "4.9";
    QUEUE_TABLE "table.queue-offsets" "DefaultMessageStore#recoverTopicQueueTable" Truncate Notice "4.9";
    MIN_OFFSET "table.min-offset" "ConsumeQueue#correctMinOffset" Truncate Choice "4.9" to "4.9";
    MIN_OFFSET_NONE "table.min-offset-not-found" "ConsumeQueue#correctMinOffset" Truncate Choice "4.9" to "4.9";
    MIN_OFFSET_EMPTY "table.queue-without-files" "ConsumeQueue#correctMinOffset" Truncate Choice "5.5.1";
    MIN_OFFSET_EMPTY_FILE "table.empty-last-file" "ConsumeQueue#correctMinOffset" Truncate Refuse "5.0" to "5.4";
    MIN_OFFSET_PASSED "table.no-unit-in-log" "ConsumeQueue#correctMinOffset" Truncate Choice "5.0";
    MIN_OFFSET_STANDS "table.min-offset-stands" "ConsumeQueue#correctMinOffset" Truncate Choice "5.0";
    MIN_OFFSET_HALVES "table.min-offset-by-halves" "ConsumeQueue#correctMinOffset" Truncate Choice "5.0";
    UNCONFIRMED_COUNTED "table.unconfirmed-counted" "ConsumeQueueStore#recoverOffsetTable" Truncate Choice "5.0";
    UNCONFIRMED_MAGIC "table.unconfirmed-magic" "ConsumeQueueStore#recoverOffsetTable" Truncate Refuse "5.0";
    DELAY_OFFSETS "load.delay-offsets" "ConfigManager#load" Truncate Refuse "4.9" to "4.9";
    DELAY_OFFSETS_BAK "load.delay-offsets-backup" "ConfigManager#loadBak" Truncate Notice "4.9" to "4.9";
    DELAY_LEVELS "load.delay-levels" "ScheduleMessageService#parseDelayLevel" Truncate Refuse "4.9" to "4.9";
    DELAY_LEVELS_FRONT "load.delay-levels-front" "DefaultMessageStore#parseDelayLevel" Load Notice "5.0";
    DELAY_QUEUES "load.delay-queues" "ScheduleMessageService#correctDelayOffset" Truncate Notice "4.9" to "4.9";

    // start(): reput until caught up
    REPUT_FROM "reput.from" "DefaultMessageStore#start" Reput Choice "4.9" to "4.9";
    REPUT_FROM_CONFIRM "reput.from-confirm-offset" "DefaultMessageStore#start" Reput Choice "5.0";
    REPUT_DUPLICATION "reput.beyond-confirm-offset" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9" to "4.9";
    REPUT_NO_DATA "reput.no-data" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9" to "4.9";
    REPUT_ROUND "reput.goes-round" "DefaultMessageStore.ReputMessageService#doReput" Reput Hang "4.9" to "4.9";
    REPUT_DISPATCHED "reput.dispatched" "DefaultMessageStore.ReputMessageService#doReput" Reput Rebuild "4.9" to "4.9";
    REPUT_BLANK "reput.next-file" "DefaultMessageStore.ReputMessageService#doReput" Reput Accept "4.9" to "4.9";
    REPUT_SKIPPED_ONE "reput.size-skipped" "DefaultMessageStore.ReputMessageService#doReput" Reput Reject "4.9" to "4.9";
    REPUT_SKIPPED_REST "reput.rest-skipped" "DefaultMessageStore.ReputMessageService#doReput" Reput Reject "4.9" to "4.9";
    REPUT_DIES "reput.thread-dies" "DefaultMessageStore.ReputMessageService#run" Reput Hang "4.9" to "4.9";
    REPUT_CAUGHT_UP "reput.caught-up" "DefaultMessageStore#start" Reput Accept "4.9";
    ABORT_MADE "start.abort-made" "DefaultMessageStore#createTempFile" Ready Notice "4.9";
    ABORT_BACKED_UP "start.abort-backed-up" "MixAll#string2File" Ready Notice "5.0";
}
