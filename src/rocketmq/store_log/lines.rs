//! Every line that the broker prints on the threads that recover, as its source words it, release by release.
//!
//! A row is one release's wording: level, file, from which release to which, text. A line that no row of a release has is not printed
//! by it. `$STORE` is storePathRootDir, `#` a duration; a line of several rows is an exception behind its message. Of the slots,
//! `{file}` is a file whose name every store has; all others that hold text hold names that people gave.

use super::super::release::Known;
use crate::recovery::trace::Level;

/// A thing that the broker tells, and how each release words it.
pub struct Line {
    rows: &'static [Row],
}

/// Which log a line is in.
#[derive(Clone, Copy)]
pub enum File {
    Store,
    StoreError,
}

impl File {
    pub fn name(self) -> &'static str {
        match self {
            Self::Store => "store.log",
            Self::StoreError => "storeerror.log",
        }
    }

    pub fn logger(self) -> &'static str {
        match self {
            Self::Store => "RocketmqStore",
            Self::StoreError => "RocketmqStoreError",
        }
    }
}

/// One wording.
pub struct Row {
    pub level: Level,
    pub file: File,
    since: Known,
    until: Option<Known>,
    pub text: &'static str,
}

impl Line {
    /// How a release words it, if it tells it at all.
    #[inline]
    pub fn row(&self, release: Known) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.is_in(release))
    }

    #[cfg(test)]
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.text)
    }

    #[cfg(test)]
    pub fn is_one_a_release(&self) -> bool {
        use crate::recovery::release::Known as _;
        let rows = |release| {
            self.rows
                .iter()
                .filter(move |row| row.is_in(release))
                .count()
        };
        Known::PROVED.iter().all(|release| rows(*release) <= 1)
    }
}

impl Row {
    #[inline]
    fn is_in(&self, release: Known) -> bool {
        self.since <= release && self.until.is_none_or(|until| release <= until)
    }
}

/// `NAME { Level File Since [to Until] "text"; … }`
macro_rules! lines {
    ($($name:ident { $($level:ident $file:ident $since:ident $(to $until:ident)? $text:literal;)+ })*) => {
        $(pub static $name: Line = Line {
            rows: &[$(Row {
                level: Level::$level,
                file: File::$file,
                since: Known::$since,
                until: [$(Some(Known::$until),)? None][0],
                text: $text,
            }),+],
        };)*
        #[cfg(test)]
        pub static ALL: &[(&str, &Line)] = &[$((stringify!($name), &$name)),*];
    };
}

lines! {
    // Everywhere: a file that goes, a folder that is made, an offset that is in no file
    UNMAPPED {
        Info Store R4_9_3 "unmap file[REF:0] $STORE/{path} OK";
    }
    CHANNEL_CLOSED {
        Info Store R4_9_3 "close file channel $STORE/{path} OK";
    }
    FILE_DELETED {
        Info Store R4_9_3 "delete file[REF:0] $STORE/{path} OK, W:{wrote} M:{flushed}, #";
    }
    FOLDER_MADE {
        Info Store R4_9_3 "$STORE/{path} mkdir OK";
    }
    OFFSET_NOT_MATCHED {
        Warn StoreError R4_9_3 "Offset not matched. Request offset: {offset}, firstOffset: {first}, lastOffset: {last}, mappedFileSize: {size}, mappedFiles count: {files}";
    }
    POSITION_INVALID {
        Warn Store R4_9_3 "selectMappedBuffer request pos invalid, request pos: {position}, size: {size}, fileFromOffset: {from}";
    }
    // The states that 5.4 and later go through
    STATE_REACHED {
        Info Store R5_5_1 "MessageStoreState transition from {from} to {to}; Time in previous state=#ms, Total time=#ms";
    }
    STATE_MISSED {
        Warn Store R5_5_1 "MessageStoreState transition from {from} to {to} failed; Time in previous state=#ms, Total time=#ms";
    }

    // load(): what is there
    EXITED_ABNORMALLY {
        Info Store R4_9_3 to R4_9_8 "last shutdown abnormally";
        Info Store R5_1_4 "last shutdown abnormally, store path root dir: $STORE";
    }
    EXITED_NORMALLY {
        Info Store R4_9_3 to R4_9_8 "last shutdown normally";
        Info Store R5_1_4 "last shutdown normally, store path root dir: $STORE";
    }
    FILE_LOADED {
        Info Store R4_9_3 "load $STORE/{path} OK";
    }
    LENGTH_NOT_MATCHED {
        Warn Store R4_9_3 "$STORE/{path}\t{length} length not matched message store config value, please check it manually";
    }
    EMPTY_FILE_DELETED {
        Warn Store R5_1_4 "$STORE/{path} size is 0, auto delete. is_ok: true";
    }
    HOLE {
        Error StoreError R5_1_4 "[BUG]The mappedFile queue's data is damaged, the adjacent mappedFile's offset don't match. pre file $STORE/{before}, cur file $STORE/{path}";
    }
    LOG_LOADED {
        Info Store R4_9_3 "load commit log OK";
    }
    LOG_FAILED {
        Info Store R4_9_3 "load commit log Failed";
    }
    QUEUE_LOADED {
        Info Store R4_9_3 "load consume queue {topic}-{queue} OK";
    }
    QUEUE_FAILED {
        Info Store R4_9_3 "load consume queue {topic}-{queue} Failed";
    }
    QUEUES_LOADED {
        Info Store R4_9_3 to R4_9_8 "load logics queue all over, OK";
        Info Store R5_1_4 "load SimpleCQ all over, OK";
    }
    BATCH_QUEUES_LOADED {
        Info Store R5_1_4 "load BatchCQ all over, OK";
    }
    QUEUE_STORE_REGISTERED {
        Info Store R5_5_1 "Registered CommitLogDispatchStore: ConsumeQueueStore";
    }
    COMPACTION_LOADED {
        Info Store R5_1_4 "compactionStore $STORE/compaction/compactionLog:$STORE/compaction/compactionCq load completed.";
    }
    COMPACTION_LOOPS {
        Info Store R5_1_4 "loop to scan all topicConfig with fixed delay 30000ms";
    }
    CHECKPOINT_EXISTS {
        Info Store R4_9_3 "store checkpoint file exists, $STORE/{file}";
    }
    CHECKPOINT_MISSING {
        Info Store R4_9_3 "store checkpoint file not exists, $STORE/{file}";
    }
    CHECKPOINT_PHYSIC {
        Info Store R4_9_3 "store checkpoint file physicMsgTimestamp {time}, {shown}";
    }
    CHECKPOINT_LOGICS {
        Info Store R4_9_3 "store checkpoint file logicsMsgTimestamp {time}, {shown}";
    }
    CHECKPOINT_INDEX {
        Info Store R4_9_3 "store checkpoint file indexMsgTimestamp {time}, {shown}";
    }
    CHECKPOINT_MASTER {
        Info Store R5_1_4 "store checkpoint file masterFlushedOffset {offset}";
    }
    CHECKPOINT_CONFIRM {
        Info Store R5_1_4 "store checkpoint file confirmPhyOffset {offset}";
    }
    CHECKPOINT_LOGICS_OFFSET {
        Info Store R5_5_1 "store checkpoint file logicsPhysicalOffset {offset}";
    }
    INDEX_LOADED {
        Info Store R4_9_3 "load index file OK, $STORE/{path}";
    }
    INDEX_NAME {
        Error Store R4_9_3 "load file $STORE/{path} error\njava.lang.NumberFormatException: For input string: \"{name}\"\n\tat java.lang.NumberFormatException.forInputString";
    }
    INDEX_FOLDER {
        Error Store R4_9_3 "load file $STORE/{path} error\njava.io.FileNotFoundException: $STORE/{path} (Is a directory)\n\tat java.io.RandomAccessFile.open0";
    }
    INDEX_REGISTERED {
        Info Store R5_5_1 "Registered CommitLogDispatchStore: IndexService";
    }
    RECOVER_MODE {
        Info Store R5_1_4 to R5_3_3 "message store recover mode: normal";
        Info Store R5_5_1 "Start to recover consume queue concurrently=false";
    }
    RECOVER_COST {
        Info Store R5_1_4 to R5_3_3 "message store recover total cost: # ms, recoverConsumeQueue: # ms, recoverCommitLog: # ms, recoverOffsetTable: # ms";
    }
    RECOVERED {
        Info Store R5_1_4 "message store recover end, and the max phy offset = {offset}";
    }
    LOAD_OVER {
        Info Store R4_9_3 "load over, and the max phy offset = {offset}";
    }
    // 5.x says so too where the files did not load.
    LOAD_OVER_REFUSED {
        Info Store R5_1_4 "load over, and the max phy offset = {offset}";
    }

    LOAD_THREW {
        Error Store R4_9_3 "load exception\n{thrown}";
    }

    // Each queue by itself
    QUEUE_NEXT_FILE {
        Info Store R4_9_3 "recover next consume queue file, $STORE/{path}";
    }
    QUEUE_LAST_FILE {
        Info Store R4_9_3 "recover last consume queue file over, last mapped file $STORE/{path}";
    }
    QUEUE_UNIT_NONE {
        Info Store R4_9_3 "recover current consume queue file over,  $STORE/{path} {offset} {size} {tags}";
    }
    QUEUE_OVER {
        Info Store R4_9_3 to R4_9_3 "recover current consume queue queue over $STORE/{path} {end}";
        Info Store R4_9_8 "recover current consume queue over $STORE/{path} {end}";
    }

    // Where the scan of the log begins
    NO_LOG {
        Warn Store R4_9_3 "The commitlog files are deleted, and delete the consume queue files";
    }
    MOST_FILES_NORMALLY {
        Info Store R5_5_1 "recoverNormally maxRecoverNum: {files}";
    }
    MOST_FILES_ABNORMALLY {
        Info Store R5_5_1 "recoverAbnormally maxRecoverNum: {files}";
    }
    OLD_ENOUGH {
        Info Store R4_9_3 to R5_3_3 "find check timestamp, {time} {shown}";
    }
    OLD_ENOUGH_FOR_INDEX {
        Info Store R5_5_1 "CommitLog isMmapFileMatchedRecover find satisfied MmapFile for index, MmapFile storeTimestamp={time}, MmapFile phyOffset={offset}, indexMsgTimestamp={limit}, recoverNormally={shown}";
    }
    START_FILE {
        Info Store R4_9_3 "recover from this mapped file $STORE/{file}";
    }

    // One record
    ILLEGAL_MAGIC {
        Warn Store R4_9_3 "found a illegal magic code 0x{magic}";
    }
    BODY_CRC {
        Warn Store R4_9_3 "CRC check failed. bodyCRC={computed}, currentCRC={stored}";
    }
    DUP_INFO {
        Warn Store R5_1_4 "DupInfo in properties check failed. dupInfo={found}";
    }
    PROPERTY_CRC {
        Warn Store R5_3_3 "CommitLog#checkAndDispatchMessage: failed to check message CRC, expected CRC={body}, actual CRC={computed}";
    }
    PROPERTY_CRC_MISSING {
        Warn Store R5_3_3 to R5_3_3 "CommitLog#checkAndDispatchMessage: failed to check message CRC, not found CRC in properties";
        // The rest of the line is the message, in hex.
        Warn Store R5_5_1 "CommitLog#checkAndDispatchMessage: failed to check message CRC, not found CRC in properties. topic={topic}";
    }
    LENGTHS {
        Error Store R4_9_3 "[BUG]read total count not equals msg total size. totalSize={total}, readTotalCount={sum}, bodyLen={body}, topicLen={topicLength}, propertiesLength={properties}";
    }
    CHECK_THREW {
        Error Store R5_3_3 "checkMessageAndReturnSize failed, may can not dispatch\n{thrown}";
    }

    // The scan
    NEXT_FILE {
        Info Store R4_9_3 "recover next physics file, $STORE/{file}";
    }
    OVER_NORMALLY {
        Info Store R4_9_3 "recover last 3 physics file over, last mapped file $STORE/{file}";
    }
    OVER_ABNORMALLY {
        Info Store R4_9_3 "recover physics file over, last mapped file $STORE/{file}";
    }
    OFFSET_ILLEGAL {
        Warn Store R5_5_1 "found illegal commitlog offset {stored} in $STORE/{file}, current pos={offset}, it will be truncated.";
    }
    HALF_MESSAGE {
        Warn Store R5_1_4 "found a half message at {offset}, it will be truncated.";
    }
    END_NORMALLY {
        Info Store R4_9_3 "recover physics file end, $STORE/{file}";
    }
    END_ABNORMALLY {
        Info Store R4_9_3 "recover physics file end, $STORE/{file} pos={position}";
    }

    // A message to its queue and to the index
    REPEATED {
        Warn Store R4_9_3 to R5_3_3 "Maybe try to build consume queue repeatedly maxPhysicOffset={max} phyOffset={offset}";
    }
    PRE_BLANK {
        Info Store R4_9_3 "fill pre blank space $STORE/{path} {offset} {wrote}";
    }
    PLACE_TAKEN {
        Warn Store R4_9_3 to R5_3_3 "Build  consume queue repeatedly, expectLogicOffset: {expected} currentLogicOffset: {current} Topic: {topic} QID: {queue} Diff: {diff}";
        Warn Store R5_5_1 "Build consume queue repeatedly, expectLogicOffset: {expected} currentLogicOffset: {current} Topic: {topic} QID: {queue} Diff: {diff}";
    }
    OUT_OF_ORDER {
        Warn StoreError R4_9_3 "[BUG]logic queue order maybe wrong, expectLogicOffset: {expected} currentLogicOffset: {current} Topic: {topic} QID: {queue} Diff: {diff}";
    }
    PUT_FAILED {
        Warn Store R4_9_3 "[BUG]put commit log position info to {topic}:{queue} {offset} failed, retry {times} times";
    }
    QUEUE_BROKEN {
        Error Store R4_9_3 "[BUG]consume queue can not write, {topic} {queue}";
    }
    INDEX_OVER {
        Warn Store R4_9_3 "Over index file capacity: index count = {count}; index max num = {most}";
    }
    INDEX_FULL {
        Warn Store R4_9_3 "Index file [$STORE/{path}] is full, trying to create another one";
    }

    // What is cut
    QUEUES_AHEAD {
        Warn Store R4_9_3 "maxPhyOffsetOfConsumeQueue({ahead}) >= processOffset({offset}), truncate dirty logic files";
    }
    LOGIC_FILE_DESTROYED {
        Info Store R4_9_3 "on recover, destroy a logic mapped file $STORE/{path}";
    }
    MIN_OFFSET {
        Info Store R4_9_3 "Compute logical min offset: {offset}, topic: {topic}, queueId: {queue}";
    }
    MIN_OFFSET_STANDS {
        Info Store R5_1_4 "Abort correction as previous min-offset points to {offset}, which is greater than {min}";
    }
    MIN_OFFSET_PASSED {
        Info Store R5_1_4 "ConsumeQueue[topic={topic}, queue-id={queue}] contains no valid entries. Min-offset is assigned as: {offset}.";
    }
    QUEUE_NOT_VALID {
        Info Store R5_1_4 to R5_3_3 "ConsumeQueue[Topic={topic}, queue-id={queue}] contains no valid entries";
        Warn Store R5_5_1 "ConsumeQueue[Topic={topic}, queue-id={queue}] contains no valid entries";
    }
    QUEUE_EMPTY {
        Info Store R5_5_1 "ConsumeQueue[Topic={topic}, queue-id={queue}] contains no entry, reset minLogicOffset to 0, maxPhysicOffset to -1";
    }
    UNCONFIRMED_FROM {
        Info Store R5_3_3 "Correct unsubmitted offset...StartReadOffset = {offset}";
    }
    UNCONFIRMED_COUNTED {
        Info Store R5_3_3 "Correcting. Key:{queue}, start read Offset: {offset}";
    }

    // start()
    REPUT_FROM {
        Info Store R4_9_3 to R4_9_8 "[SetReputOffset] maxPhysicalPosInLogicQueue={offset} clMinOffset={min} clMaxOffset={max} clConfirmedOffset={confirmed}";
    }
    REPUT_MOVED_UP {
        Warn Store R4_9_3 "The reputFromOffset={offset} is smaller than minPyOffset={min}, this usually indicate that the dispatch behind too much and the commitlog has expired.";
    }
    REPUT_SKIPPED {
        Error Store R4_9_3 to R4_9_8 "[BUG]dispatch message to consume queue error, COMMITLOG OFFSET: {offset}";
    }
    REPUT_LENGTHS {
        Error Store R4_9_3 to R4_9_8 "[BUG]read total count not equals msg total size. reputFromOffset={offset}";
    }
    LOG_STARTED {
        Info Store R5_1_4 "start commitLog successfully. storeRoot: $STORE";
    }
    QUEUES_STARTED {
        Info Store R5_3_3 "Default ConsumeQueueStore start!";
    }
    ABORT_MADE {
        Info Store R4_9_3 "$STORE/{file} create OK";
    }
    ABORT_THERE {
        Info Store R4_9_3 "$STORE/{file} already exists";
    }
}
