//! What stands beside log, queues and index and is not followed: chips, findings, names, what the verdict says of it.

pub const TEXTS: &[(&str, &str)] = &[
    ("chip.beside-batch-queues", "未推演 **batch queues**"),
    ("chip.beside-compaction", "未推演 **compaction**"),
    ("chip.beside-dledger", "**DLedger** 日志：没有结论"),
    ("chip.beside-extension", "**consumequeue_ext** 已读，未推演"),
    (
        "chip.beside-rocksdb-queues",
        "队列在 **RocksDB** 中：未推演",
    ),
    (
        "chip.beside-rocksdb-too",
        "队列同时写入 **RocksDB**：未推演",
    ),
    ("chip.beside-tiered", "未推演 **tiered storage**"),
    ("chip.beside-timer", "未推演 **timer wheel**"),
    ("chip.log-elsewhere", "`{path}` 中的日志文件未计入"),
    ("chip.log-root-missing", "缺一个日志目录：`{path}`"),
    ("chip.setting-not-followed", "未推演 `{key}`"),
    (
        "end.beside.dledger",
        "没有结论：消息在 DLedger 的日志中，它的恢复过程未作推演。",
    ),
    ("fate.not-followed", "未推演"),
    ("file.batchQueue", "batch queue"),
    (
        "file.batchQueue.about",
        "队列的每一批消息占 46 字节：在日志中的位置、首个队列位点、消息条数。",
    ),
    ("file.compaction", "压实 topic"),
    (
        "file.compaction.about",
        "topic 中每个 key 的最新消息，有自己的日志和队列。",
    ),
    ("file.dLedger", "DLedger 日志"),
    (
        "file.dLedger.about",
        "消息本身；每条在一个带任期的条目中，由一组 broker 达成一致。",
    ),
    (
        "file.delete.not-followed",
        "broker 会读它，而这里没有推演它的用处：删除的代价未知。不要当作垃圾删掉。",
    ),
    ("file.logElsewhere", "另一目录中的日志文件"),
    (
        "file.logElsewhere.about",
        "与 commit log 相同的消息；只有 storePathCommitLog 写了它的目录才会读取。",
    ),
    ("file.queueExtension", "队列扩展"),
    (
        "file.queueExtension.about",
        "队列每个单元的 tagsCode、存储时间和过滤位图；单元中存的是它的地址。",
    ),
    ("file.rocksDb", "RocksDB"),
    (
        "file.rocksDb.about",
        "5.5 每次启动都会打开；只有打开相应设置时，索引、定时或事务才在其中。",
    ),
    ("file.rocksDbQueues", "RocksDB 中的队列"),
    (
        "file.rocksDbQueues.about",
        "所有队列的单元和各队列的末端，由 RocksDB 保存。",
    ),
    ("file.tieredStorage", "tiered storage"),
    (
        "file.tieredStorage.about",
        "较旧的消息，已移出 commit log 的存储。",
    ),
    ("file.timerCheckpoint", "timer checkpoint"),
    (
        "file.timerCheckpoint.about",
        "timer log 刷盘到哪里，定时 topic 的队列读到哪里。",
    ),
    ("file.timerLog", "timer log"),
    (
        "file.timerLog.about",
        "每条等待中的消息一条记录：在 commit log 中的位置和到期时间。",
    ),
    ("file.timerWheel", "timer wheel"),
    (
        "file.timerWheel.about",
        "两周内每秒一个槽，指向 timer log。",
    ),
    (
        "finding.beside-batch-queues",
        "`{path}` 中有 batch queue 的 {units} 个单元（{messages} 条消息）。只读取，不推演：其中截掉和重建多少没有给出；启动若依据队列的最大位点，它们的也算在内。",
    ),
    (
        "finding.beside-compaction",
        "`{path}` 中有压实 topic（{files} 个文件，{bytes:bytes}）。它们的日志和队列在 checkpoint 之前加载，加载失败就会拒绝启动：这一步未作推演。",
    ),
    (
        "finding.beside-dledger",
        "消息在 `{path}` 的 DLedger 日志中：{entries} 个条目，最后一个结束于 {end}。它的恢复以及队列和索引与它的核对都未作推演；旁边的 `commitlog` 只有此前写入的内容。",
    ),
    (
        "finding.beside-extension",
        "`{path}` 中有队列扩展文件的 {units} 个单元。tagsCode 是地址的队列单元，其 tag 在这里。队列和日志已推演；启动会截掉这些文件的多少没有推演，长度与 mappedFileSizeConsumeQueueExt 不符而拒绝启动也没有推演。",
    ),
    (
        "finding.beside-pool",
        "打开 transientStorePoolEnable 时，消息先在内存中等待提交到文件：broker 死掉时尚未提交的不在这些文件里，任何启动都说不出有多少。文件的恢复过程不变。",
    ),
    (
        "finding.beside-rocksdb",
        "`{path}` 是 5.5 每次启动都会打开的 RocksDB（{files} 个文件）。打开 indexRocksDBEnable、timerRocksDBEnable 或 transRocksDBEnable 时其中才有内容，扫描也可能因此更早开始：未作推演。",
    ),
    (
        "finding.beside-rocksdb-queues",
        "consume queue 在 RocksDB 中（`{path}`，{files} 个文件，{bytes:bytes}）：其中有哪些单元、启动会补哪些，没有给出。日志从哪个文件开始扫描也取决于它：最后一个文件之前的损坏消息，可能 broker 遇到而这里没有，也可能相反。最后一个文件中的截断结论成立。",
    ),
    (
        "finding.beside-rocksdb-too",
        "队列存了两份：单元文件已推演，RocksDB（`{path}`）没有。RocksDB 中有什么、启动会补哪些单元没有给出；日志扫描可能因此从更早的文件开始。",
    ),
    (
        "finding.beside-tiered",
        "`{path}` 属于 tiered storage（{files} 个文件，{bytes:bytes}）：在存储之后加载，未作推演。commit log 中已没有的旧消息可能在那里。",
    ),
    (
        "finding.beside-timer",
        "timer wheel（`{path}`）在存储之后加载，未作推演：等待中的消息何时投递没有给出。关于日志、队列和索引的结论成立。",
    ),
    (
        "finding.log-copy",
        "`{path}` 中有 {files} 个日志文件与另一目录同名：视为副本，不读取。",
    ),
    (
        "finding.log-elsewhere",
        "`{path}` 中有 {files} 个 `commitlog` 没有的日志文件，这里未计入。若 broker 的 storePathCommitLog 写了两个目录，它会当作一份日志来读：请给出该设置，`--set storePathCommitLog=commitlog,{path}` 或在设置面板中填写。",
    ),
    (
        "finding.log-root-missing",
        "storePathCommitLog 写了 `{path}`，但没有拖入这样的目录：其中的文件在这里按缺失处理。",
    ),
    (
        "finding.log-roots",
        "commit log 存在 {count} 个目录中（{folders}）：其中 {files} 个文件与 broker 一样当作一份日志来读，并显示为 `commitlog`。",
    ),
    (
        "finding.timer-wheel-length",
        "`{path}` 长 {found} 字节，而 timer wheel 应为 {expected} 字节：若打开 timer wheel，broker 在存储加载之后会停在这里。",
    ),
    (
        "finding.unit-no-extension",
        "{queue} 的单元 {number} 的 tag 在扩展单元 {offset} 中，而那里没有：broker 会让任何过滤条件通过它。",
    ),
    ("limit.and", "、"),
    ("limit.beside-batch-queues", "batch queue"),
    ("limit.beside-compaction", "压实 topic"),
    ("limit.beside-dledger", "DLedger 日志"),
    ("limit.beside-rocksdb-queues", "RocksDB 中的队列"),
    ("limit.beside-rocksdb-too", "队列在 RocksDB 中的副本"),
    ("limit.log-elsewhere", "{path} 中的日志文件"),
    ("limit.log-root-missing", "{path} 中的日志文件"),
    ("limit.setting-not-followed", "{key} 的作用"),
    (
        "next.beside.dledger",
        "先看同组的其他成员：丢了自己日志的 DLedger broker 会从 leader 取回。保留这份存储的副本。",
    ),
    (
        "next.limited",
        "已推演的部分无需处理。请看下面未推演的部分，启动前保留一份存储的副本。",
    ),
    (
        "row.extension",
        "它的 tagsCode 是地址：`{path}` 中 {position} 处的扩展单元存有 {code}。",
    ),
    ("row.extension.short", "tag 在扩展中"),
    (
        "row.no-extension",
        "它的 tagsCode 是扩展单元的地址 {offset}，而那里没有扩展单元。",
    ),
    ("row.no-extension.short", "没有扩展单元"),
    ("verdict.limited", "**不在此结论之内：** {what}。"),
];
