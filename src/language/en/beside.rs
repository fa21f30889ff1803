//! What stands beside log, queues and index and is not followed: chips, findings, names, what the verdict says of it.

pub const TEXTS: &[(&str, &str)] = &[
    ("chip.beside-batch-queues", "**batch queues** not followed"),
    ("chip.beside-compaction", "**compaction** not followed"),
    ("chip.beside-dledger", "**DLedger** log: no verdict"),
    (
        "chip.beside-extension",
        "**consumequeue_ext** read, not followed",
    ),
    (
        "chip.beside-rocksdb-queues",
        "queues in **RocksDB**: not followed",
    ),
    (
        "chip.beside-rocksdb-too",
        "queues in **RocksDB** too: not followed",
    ),
    ("chip.beside-tiered", "**tiered storage** not followed"),
    ("chip.beside-timer", "**timer wheel** not followed"),
    ("chip.log-elsewhere", "log files in `{path}` left out"),
    (
        "chip.log-root-missing",
        "a log folder was not dropped: `{path}`",
    ),
    ("chip.setting-not-followed", "`{key}` not followed"),
    (
        "end.beside.dledger",
        "There is no verdict: the messages are in DLedger's log, whose recovery is not followed.",
    ),
    ("fate.not-followed", "not followed"),
    ("file.batchQueue", "batch queue"),
    (
        "file.batchQueue.about",
        "For each batch of messages of a queue 46 bytes: where it lies in the log, its first queue offset, how many messages it is.",
    ),
    ("file.compaction", "compacted topic"),
    (
        "file.compaction.about",
        "A topic's newest message of each key, in a log and queues of its own.",
    ),
    ("file.dLedger", "DLedger log"),
    (
        "file.dLedger.about",
        "The messages, each in an entry with the leader's term, as a group of brokers agreed on them.",
    ),
    (
        "file.delete.not-followed",
        "The broker reads it, and what it makes of it is not followed here: what deleting it costs is not known. Do not take it for waste.",
    ),
    ("file.logElsewhere", "log file in another folder"),
    (
        "file.logElsewhere.about",
        "Messages as in the commit log; read only where storePathCommitLog names its folder.",
    ),
    ("file.queueExtension", "queue extension"),
    (
        "file.queueExtension.about",
        "For each unit of a queue its tags code, store time and filter bits; the unit holds the address of it.",
    ),
    ("file.rocksDb", "RocksDB"),
    (
        "file.rocksDb.about",
        "Opened by 5.5 at every start; index, timers or transactions are in it where a setting says so.",
    ),
    ("file.rocksDbQueues", "queues in RocksDB"),
    (
        "file.rocksDbQueues.about",
        "The units of all queues, and each queue's end, as RocksDB keeps them.",
    ),
    ("file.tieredStorage", "tiered storage"),
    (
        "file.tieredStorage.about",
        "Older messages, moved out of the commit log's store.",
    ),
    ("file.timerCheckpoint", "timer checkpoint"),
    (
        "file.timerCheckpoint.about",
        "How far the timer log was flushed, and the timer topic's queue was read.",
    ),
    ("file.timerLog", "timer log"),
    (
        "file.timerLog.about",
        "A record for each message that waits: where it lies in the commit log, and when it is due.",
    ),
    ("file.timerWheel", "timer wheel"),
    (
        "file.timerWheel.about",
        "A slot for each second of two weeks, which points into the timer log.",
    ),
    (
        "finding.beside-batch-queues",
        "`{path}` holds {units:count unit|units} of batch queues ({messages:count message|messages}). They are read and not followed: what is cut of them and rebuilt in them is not told, and where a start goes by the queues' maximum, theirs counts too.",
    ),
    (
        "finding.beside-compaction",
        "`{path}` holds compacted topics ({files:count file|files}, {bytes:bytes}). Their logs and queues are loaded before the checkpoint, and one that cannot be loaded refuses the start: that is not followed.",
    ),
    (
        "finding.beside-dledger",
        "The messages are in DLedger's log in `{path}`: {entries:count entry|entries}, the last one ends at {end}. Its recovery, and what queues and index are held to, are not followed; a `commitlog` beside it holds only what was written before.",
    ),
    (
        "finding.beside-extension",
        "`{path}` holds {units:count unit|units} of queue extension files. A queue unit whose tags code is an address has its tag there. Queues and log are followed; what a start cuts of these files is not, nor that one of another length than mappedFileSizeConsumeQueueExt refuses the start.",
    ),
    (
        "finding.beside-pool",
        "With transientStorePoolEnable messages wait in memory before they are committed to a file: what was not committed when the broker died is nowhere in these files, and no start can tell how much it was. The files are recovered as always.",
    ),
    (
        "finding.beside-rocksdb",
        "`{path}` is a RocksDB that 5.5 opens at every start ({files:count file|files}). With indexRocksDBEnable, timerRocksDBEnable or transRocksDBEnable something is in it, and the scan may begin earlier for its sake: that is not followed.",
    ),
    (
        "finding.beside-rocksdb-queues",
        "The consume queues are in RocksDB (`{path}`, {files:count file|files}, {bytes:bytes}): which units are there, and which a start adds, is not told. Which file the scan of the log begins at hangs on them as well: a damaged message in a file before the last one may be met by the broker and not here, or here and not by the broker. A cut in the last file stands.",
    ),
    (
        "finding.beside-rocksdb-too",
        "Queues are kept twice: as files of units, which are followed, and in RocksDB (`{path}`), which is not. What RocksDB holds, and which units a start adds there, is not told; for its sake the scan of the log may begin in an earlier file.",
    ),
    (
        "finding.beside-tiered",
        "`{path}` is of tiered storage ({files:count file|files}, {bytes:bytes}): loaded after the store, and not followed. Older messages may be there that the commit log does not have any more.",
    ),
    (
        "finding.beside-timer",
        "The timer wheel (`{path}`) is loaded after the store and is not followed: when the messages that wait are delivered is not told. What is said of log, queues and index stands.",
    ),
    (
        "finding.log-copy",
        "`{path}` holds {files:count log file|log files} of the same names as another folder: taken for a copy, and not read.",
    ),
    (
        "finding.log-elsewhere",
        "`{path}` holds {files:count log file|log files} that `commitlog` does not have. They are left out here. A broker whose storePathCommitLog names both folders reads them as one log: then give it, as `--set storePathCommitLog=commitlog,{path}` or in the settings.",
    ),
    (
        "finding.log-root-missing",
        "storePathCommitLog names `{path}`, and no such folder was dropped: its files count as missing here.",
    ),
    (
        "finding.log-roots",
        "The commit log is kept in {count:count folder|folders} ({folders}): their {files:count file|files} are read as one log, as the broker reads them, and shown as `commitlog`.",
    ),
    (
        "finding.timer-wheel-length",
        "`{path}` has {found} bytes where a timer wheel has {expected}: with the timer wheel on, the broker stops at it after the store is loaded.",
    ),
    (
        "finding.unit-no-extension",
        "Unit {number} of {queue} has its tag in an extension unit at {offset}, and there is none: the broker lets every filter pass it.",
    ),
    ("limit.and", ", "),
    ("limit.beside-batch-queues", "batch queues"),
    ("limit.beside-compaction", "compacted topics"),
    ("limit.beside-dledger", "DLedger's log"),
    ("limit.beside-rocksdb-queues", "queues in RocksDB"),
    ("limit.beside-rocksdb-too", "the queues' copy in RocksDB"),
    ("limit.log-elsewhere", "the log files in {path}"),
    ("limit.log-root-missing", "the log files in {path}"),
    ("limit.setting-not-followed", "the effect of {key}"),
    (
        "next.beside.dledger",
        "Ask the group's other members first: a DLedger broker that lost its own log takes it from the leader. Keep a copy of this store.",
    ),
    (
        "next.limited",
        "What was followed needs nothing done. Read below what was not followed, and keep a copy of the store before the start.",
    ),
    (
        "row.extension",
        "Its tags code is an address: the extension unit at {position} of `{path}` has the code {code}.",
    ),
    ("row.extension.short", "tag in extension"),
    (
        "row.no-extension",
        "Its tags code is the address {offset} of an extension unit, and there is none.",
    ),
    ("row.no-extension.short", "no extension"),
    ("verdict.limited", "**Not part of this verdict:** {what}."),
];
