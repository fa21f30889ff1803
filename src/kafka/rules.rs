//! The decision table of Kafka's log recovery: every branch of the broker's code that decides, with its class and method.
//!
//! Each rule is asked where it decides ([`super::Broker::holds`]); taken out, the branch is not taken. The sentences stand in
//! [`crate::language`] under `rule.<id>`. Classes are named as in 3.9; 2.8 has most of them in `Log`.

use crate::recovery::rule::rules;

rules! {
    // the log directory
    FLAG_PRESENT "k.flag-present" "LogManager#loadLogs" Load Choice "0.8";
    FLAG_REMOVED "k.flag-removed" "LogManager#loadLogs" Load Notice "0.8";
    FLAG_ABSENT "k.flag-absent" "LogManager#loadLogs" Load Choice "0.8";
    CHECKPOINT_MADE "k.checkpoint-made" "CheckpointFile#<init>" Load Notice "0.8";
    RECOVERY_POINTS "k.recovery-points" "LogManager#loadLogs" Load Notice "0.8";
    LOG_STARTS "k.log-starts" "LogManager#loadLogs" Load Notice "0.11";
    CHECKPOINT_UNREADABLE "k.checkpoint-unreadable" "CheckpointFileWithFailureHandler#read" Load Refuse "1.1";
    CHECKPOINT_RESET "k.checkpoint-reset" "LogManager#loadLogs" Load Choice "0.10";
    CHECKPOINT_REFUSED "k.checkpoint-refused" "OffsetCheckpoint#read" Load Refuse "0.8" to "0.9";
    METADATA_LOG "k.metadata-log" "LogManager#loadLogs" Load Notice "2.8";
    DIR_NAME "k.dir-name" "LocalLog#parseTopicPartitionName" Load Refuse "0.8";

    // the files of a partition
    EPOCHS_UNREADABLE "k.epochs-unreadable" "LeaderEpochCheckpointFile#read" Load Refuse "0.11";
    FILE_DELETED "k.file-deleted" "LogLoader#removeTempFilesAndCollectSwapFiles" Load Cut "0.8";
    FILE_CLEANED "k.file-cleaned" "LogLoader#removeTempFilesAndCollectSwapFiles" Load Cut "0.8";
    SWAP_INDEX_DELETED "k.swap-index-deleted" "Log#removeTempFilesAndCollectSwapFiles" Load Cut "0.8" to "2.8";
    SWAP_INVALID "k.swap-invalid" "LogLoader#removeTempFilesAndCollectSwapFiles" Load Cut "2.0";
    SWAP_COVERED "k.swap-covered" "LogLoader#load" Load Cut "3.0";
    SWAP_RENAMED "k.swap-renamed" "LogLoader#load" Load Rebuild "3.0";
    FILE_NAME "k.file-name" "LogFileUtils#offsetFromFileName" Load Refuse "0.8";
    INDEX_ORPHAN "k.index-orphan" "LogLoader#loadSegmentFiles" Load Cut "0.8";
    INDEX_MISSING "k.index-missing" "LogSegment#sanityCheck" Load Choice "0.8";
    INDEX_CORRUPT "k.index-corrupt" "OffsetIndex#sanityCheck" Load Choice "0.9" to "1.1";
    TIME_INDEX_MISSING "k.time-index-missing" "LogSegment#sanityCheck" Load Notice "0.10";
    TXN_INDEX_VERSION "k.txn-index-version" "TransactionIndex#iterable" Load Refuse "0.11";
    TXN_INDEX_BELOW "k.txn-index-below" "TransactionIndex#sanityCheck" Load Choice "0.11";
    SWAP_RECOVERED "k.swap-recovered" "Log#completeSwapOperations" Load Choice "0.8" to "2.8";
    SEGMENT_REPLACED "k.segment-replaced" "LocalLog#replaceSegments" Load Cut "0.8";

    INDEX_REFUSED "k.index-refused" "OffsetIndex#sanityCheck" Ready Refuse "0.8" to "0.8";

    // the walk
    WALK_FROM "k.walk-from" "LogLoader#recoverLog" Walk Choice "0.8";
    CHECK_SIZE "k.check-size" "FileLogInputStream#nextBatch" Check Reject "0.8";
    CHECK_LARGEST "k.check-largest" "FileMessageSet#iterator" Check Reject "0.8" to "0.10";
    CHECK_OVERHEAD "k.check-overhead" "DefaultRecordBatch#ensureValid" Check Reject "0.11";
    CHECK_CRC32C "k.check-crc32c" "DefaultRecordBatch#ensureValid" Check Reject "0.11";
    CHECK_CRC32 "k.check-crc32" "LegacyRecord#ensureValid" Check Reject "0.8";
    CHECK_CONTROL "k.check-control" "EndTransactionMarker#deserialize" Check Reject "0.11";
    BATCHES_GOOD "k.batches-good" "LogSegment#recover" Check Accept "0.8";
    EPOCH_FOUND "k.epoch-found" "LogSegment#recover" Check Rebuild "0.11";
    TXN_INDEX_REBUILT "k.txn-index-rebuilt" "LogSegment#updateTxnIndex" Check Rebuild "0.11";
    INDEX_REBUILT "k.index-rebuilt" "LogSegment#recover" Check Rebuild "0.8";
    TIME_INDEX_LAST "k.time-index-last" "LogSegment#recover" Check Rebuild "0.10";
    SEGMENT_SPLIT "k.segment-split" "LocalLog#splitOverflowedSegment" Check Rebuild "2.0";
    SPLIT_IMPOSSIBLE "k.split-impossible" "LocalLog#splitOverflowedSegment" Check Refuse "2.0";

    // what is cut
    SEGMENT_CUT "k.segment-cut" "LogSegment#recover" Truncate Cut "0.8";
    SEGMENT_EMPTIED "k.segment-emptied" "LogLoader#recoverLog" Truncate Cut "0.8";
    LOG_TRUNCATED "k.log-truncated" "LogLoader#recoverLog" Truncate Choice "0.8";
    LATER_DELETED "k.later-deleted" "LogLoader#removeAndDeleteSegmentsAsync" Truncate Cut "0.8";
    LOG_START_BEYOND "k.log-start-beyond" "LogLoader#recoverLog" Truncate Cut "0.11";
    SEGMENT_NEW "k.segment-new" "LogLoader#recoverLog" Truncate Rebuild "0.8";
    EPOCHS_BEHIND_END "k.epochs-behind-end" "LeaderEpochFileCache#truncateFromEnd" Truncate Cut "0.11";
    EPOCHS_BEFORE_START "k.epochs-before-start" "LeaderEpochFileCache#truncateFromStart" Truncate Cut "0.11";

    // producers
    SNAPSHOT_STRAY "k.snapshot-stray" "ProducerStateManager#removeStraySnapshots" Producers Cut "2.8";
    SNAPSHOT_OUTSIDE "k.snapshot-outside" "ProducerStateManager#truncateAndReload" Producers Cut "0.11";
    SNAPSHOT_BAD "k.snapshot-bad" "ProducerStateManager#loadFromSnapshot" Producers Cut "0.11";
    SNAPSHOT_READ "k.snapshot-read" "ProducerStateManager#loadFromSnapshot" Producers Accept "0.11";
    SNAPSHOT_MARKED "k.snapshot-marked" "ProducerStateManager#removeAndMarkSnapshotForDeletion" Producers Cut "3.0";
    PRODUCERS_ASSUMED_NONE "k.producers-none" "UnifiedLog#rebuildProducerState" Producers Choice "0.11";
    PRODUCERS_REPLAYED "k.producers-replayed" "UnifiedLog#loadProducersFromRecords" Producers Rebuild "0.11";
    SNAPSHOT_WRITTEN "k.snapshot-written" "ProducerStateManager#takeSnapshot" Producers Rebuild "0.11";

    // ready, or not
    ALREADY_OFFLINE "k.already-offline" "LocalLog#maybeHandleIOException" Ready Refuse "3.0";
    METADATA_UNREADABLE "k.metadata-unreadable" "PartitionMetadataFile#read" Ready Refuse "2.8";
    CORRUPT_UNCAUGHT "k.corrupt-uncaught" "LogSegment#readNextOffset" Ready Refuse "0.10";
    LOAD_THROWS "k.load-throws" "LogManager#loadLogs" Ready Refuse "0.8";
    DIR_TO_DELETE "k.dir-to-delete" "LogManager#loadLog" Ready Notice "0.10";
    LOADED "k.loaded" "LogManager#loadLog" Ready Accept "0.8";

    // a clean stop
    STOP_FLUSH "k.stop-flush" "UnifiedLog#flush" Shutdown Accept "0.8";
    STOP_CHECKPOINT "k.stop-checkpoint" "LogManager#shutdown" Shutdown Notice "0.8";
    STOP_FLAG "k.stop-flag" "LogManager#shutdown" Shutdown Notice "0.8";
}
