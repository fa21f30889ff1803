//! 决策表的文字：`rule.<id>` 是步骤中的一句，`.when`、`.then` 是规则本身；`end.<id>`、`next.<id>` 是结论的标题和下一步；`finding.<id>` 是发现。

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.check.huge-size",
        "broker 无法启动：`{offset}` 处的总长度 {stored} 使其因 OutOfMemoryError 退出。",
    ),
    (
        "end.load.checkpoint-unreadable",
        "broker 无法启动：`{path}` 无法作为文件打开。",
    ),
    (
        "end.load.delay-levels",
        "broker 无法启动：messageDelayLevel `{text}` 无法解析。",
    ),
    (
        "end.load.delay-offsets",
        "broker 无法启动：`{path}` 从字节 {position} 起不是 JSON。",
    ),
    (
        "end.load.log-length",
        "broker 无法启动：`{path}` 长 {found} 字节，应为 {expected} 字节。",
    ),
    (
        "end.load.log-name",
        "broker 无法启动：`{path}` 的文件名不是偏移量。",
    ),
    (
        "end.load.queue-length",
        "broker 无法启动：`{path}` 长 {found} 字节，应为 {expected} 字节。",
    ),
    (
        "end.load.queue-name",
        "broker 无法启动：`{path}` 的文件名不是偏移量。",
    ),
    (
        "end.logic.one-unit-file-never-ends",
        "broker 会卡死在 load() 中：{queue} 的每个文件只有一个单元。",
    ),
    (
        "end.reput.beyond-confirm-offset",
        "broker 会卡在启动阶段：duplicationEnable 打开，`{from}` 之后什么都不分发。",
    ),
    (
        "end.reput.goes-round",
        "broker 会卡在启动阶段：分发一次又一次回到 `{offset}`。",
    ),
    (
        "end.reput.no-data",
        "broker 会卡在启动阶段：分发要从 `{offset}` 继续，却没有 commitlog 文件包含它。",
    ),
    (
        "end.reput.thread-dies",
        "broker 会卡在启动阶段：分发线程死于 `{offset}`，该处总长度为 {stored}。",
    ),
    (
        "next.check.huge-size",
        "先备份存储目录，并与副本对比此处；改动原目录之前，先把改过的副本拖到这里，看看 commitlog 若止于此会截掉多少。",
    ),
    (
        "next.load.checkpoint-unreadable",
        "先备份存储目录，再把真正的 checkpoint 放回；若没有 checkpoint 而 abort 存在，会扫描整个 commitlog 并销毁索引文件。",
    ),
    (
        "next.load.delay-levels",
        "检查 broker 配置中的 messageDelayLevel：数字加 s、m、h 或 d，之间只留一个空格，顺序与写入消息时保持一致。",
    ),
    (
        "next.load.delay-offsets",
        "先备份存储目录（包括 config），再放回一份可读的 delayOffset.json；若一份都没有，队列中尚存的延迟消息会再投递一次。",
    ),
    (
        "next.load.log-length",
        "先备份存储目录；若其他文件也是这个长度，请核对 mappedFileSizeCommitLog，否则先弄清这个文件为何长度不对，再决定是否移走。",
    ),
    (
        "next.load.log-name",
        "先备份存储目录，再把这个文件移出 commitlog；若它确属 commitlog，请改回以起始偏移量命名（20 位数字）。",
    ),
    (
        "next.load.queue-length",
        "先备份存储目录；核对 mappedFileSizeConsumeQueue，移走该队列之前，先把去掉它的副本拖到这里，看看能重建多少：丢失的队列并不总能全部重建。",
    ),
    (
        "next.load.queue-name",
        "先备份存储目录，再把这个文件移出队列目录；若它确属该队列，请改回以起始字节偏移命名（20 位数字）。",
    ),
    (
        "next.logic.one-unit-file-never-ends",
        "先备份存储目录，再核对 mappedFileSizeConsumeQueue：默认值是 6000000，队列文件的大小必须与之一致。",
    ),
    (
        "next.reput.beyond-confirm-offset",
        "检查 duplicationEnable：默认关闭，关闭后落后的部分就会分发。",
    ),
    (
        "next.reput.goes-round",
        "先备份存储目录，再找文件名不是文件大小整数倍的 commitlog 文件：它被改过名，或属于另一个存储。",
    ),
    (
        "next.reput.no-data",
        "先备份存储目录；在做任何改动之前，先到备份或副本里找缺失的 commitlog 文件。",
    ),
    (
        "next.reput.thread-dies",
        "先备份存储目录，并与副本对比此处；改动原目录之前，先把改过的副本拖到这里看看结果。",
    ),
    (
        "rule.check.beyond-file",
        "`{offset}` 处**记录不完整**：需要 {need} 字节，只剩 {left}",
    ),
    (
        "rule.check.beyond-file.then",
        "异常被吞掉，不打日志，记录判为无效；哪怕后面还有完整的文件也一样。",
    ),
    (
        "rule.check.beyond-file.when",
        "字段需要的字节数超过文件剩余吗？",
    ),
    ("rule.check.blank", "BLANK：文件其余部分为填充"),
    (
        "rule.check.blank.then",
        "本文件中它之后的内容都不再读。在文件尾部，这是有意写入的填充；若出现在中间，就会跳过完好的消息：队列单元还在，重建的索引里却没有它们。",
    ),
    ("rule.check.blank.when", "魔数是 BLANK 的魔数吗？"),
    (
        "rule.check.body-crc",
        "`{offset}` 处**消息体 CRC 不符**：存 {stored:hex}，算得 {computed:hex}",
    ),
    (
        "rule.check.body-crc.then",
        "消息体字节被改或写入未完成，记录判为无效。broker 自己的日志把两个值写反了：bodyCRC 那个才是算出来的。",
    ),
    (
        "rule.check.body-crc.when",
        "checkCRCOnRecover 打开时：消息体的 CRC 与所存的不同吗？",
    ),
    (
        "rule.check.delay-level",
        "`{offset}` 处**延迟级别** `{text}` 不是数字",
    ),
    (
        "rule.check.delay-level.then",
        "异常被吞掉，不打日志，记录判为无效，尽管它的字节都在。",
    ),
    (
        "rule.check.delay-level.when",
        "SCHEDULE_TOPIC_XXXX 中的消息，其 DELAY 属性不是数字吗？",
    ),
    (
        "rule.check.huge-size",
        "`{offset}` 处**总长度为 {stored}**：OutOfMemoryError，broker 退出",
    ),
    (
        "rule.check.huge-size.then",
        "broker 先按总长度分配内存，之后才会与文件大小相比；这个 Error 没有人捕获，进程在 load() 中退出。此前已删除或已写入的内容不会还原。",
    ),
    (
        "rule.check.huge-size.when",
        "总长度超过 JVM 能分配的最大数组吗？",
    ),
    (
        "rule.check.lengths-differ",
        "`{offset}` 处**长度不符**：总长度 {total}，各部分合计 {sum}",
    ),
    (
        "rule.check.lengths-differ.then",
        "写入未完成或字节被改，记录判为无效。关掉 checkCRCOnRecover 时，写了一半的消息体也会在这里查出。",
    ),
    (
        "rule.check.lengths-differ.when",
        "各部分长度之和与总长度不等吗？",
    ),
    (
        "rule.check.magic-code",
        "`{offset}` 处**魔数为 {found:hex}**：不是消息",
    ),
    (
        "rule.check.magic-code.then",
        "这里不是消息的开头。全 0 表示从未写入，是 commitlog 正常的末尾；其他值则是写入未完成或字节被改。",
    ),
    (
        "rule.check.magic-code.when",
        "魔数既不是消息的，也不是 BLANK 的吗？",
    ),
    (
        "rule.check.negative-size",
        "`{offset}` 处**总长度为 {stored}**：记录不可能有这个长度",
    ),
    (
        "rule.check.negative-size.then",
        "broker 按此长度申请数组，抛出的异常被吞掉，不打日志，记录判为无效。",
    ),
    ("rule.check.negative-size.when", "总长度是负数吗？"),
    (
        "rule.check.nothing-written",
        "从 `{offset}` 起没有写过数据：全为零",
    ),
    (
        "rule.check.nothing-written.then",
        "对 broker 来说这只是一个不认识的 magic code，日志到此为止。正常的日志也是这样结束的：文件创建时全为零。",
    ),
    (
        "rule.check.nothing-written.when",
        "长度和 magic code 都为零吗？",
    ),
    (
        "rule.check.part-beyond-size",
        "`{offset}` 处 **{part} 长 {len} 字节**：记录里只容得下 {room}",
    ),
    (
        "rule.check.part-beyond-size.then",
        "异常被吞掉，不打日志，记录判为无效：两个长度中必有一个被改坏。",
    ),
    (
        "rule.check.part-beyond-size.when",
        "某个部分比记录总长度还长，或长度为负吗？",
    ),
    ("rule.dispatch.already-queued", "队列中已有：不写入"),
    (
        "rule.dispatch.already-queued.then",
        "当作已在队列中，不去看对应的单元。异常退出后这很常见；但若有单元指到 commitlog 之外，完好的消息就会被挡在队列外。",
    ),
    (
        "rule.dispatch.already-queued.when",
        "消息末尾不超过该队列的 maxPhysicOffset 吗？",
    ),
    (
        "rule.dispatch.deliver-time",
        "延迟消息：tagsCode 为投递时间",
    ),
    (
        "rule.dispatch.deliver-time.then",
        "tagsCode 存的是存储时间加延迟。延迟级别在扫描之后才解析：扫描过程中重建的单元，tagsCode 里是 tag 的哈希，这些消息会立即投递。",
    ),
    (
        "rule.dispatch.deliver-time.when",
        "是 SCHEDULE_TOPIC_XXXX 中延迟级别大于 0 的消息吗？",
    ),
    (
        "rule.dispatch.front-filled",
        "**{queue}**：首条消息之前预填 {units} 个单元",
    ),
    (
        "rule.dispatch.front-filled.then",
        "文件前部用 offset 为 0、size 为 2147483647 的单元填上，minOffset 设在它们之后。它们不代表任何消息：更早消息的单元没有重建。",
    ),
    (
        "rule.dispatch.front-filled.when",
        "队列是新建的，而首条消息的队列 offset 不是 0 吗？",
    ),
    (
        "rule.dispatch.new-queue-file",
        "**{queue}** 新建文件 `{path:file}`",
    ),
    (
        "rule.dispatch.new-queue-file.then",
        "新建一个全 0 文件。队列的第一个文件由最先分发的消息的队列 offset 决定。",
    ),
    (
        "rule.dispatch.new-queue-file.when",
        "队列还没有文件，或最后一个已写满吗？",
    ),
    (
        "rule.dispatch.out-of-order",
        "**{queue}**：offset {expected} 写在了 {current}，相差 {units}",
    ),
    (
        "rule.dispatch.out-of-order.then",
        "打一条 [BUG] 日志，然后照样追加。从此单元的位置与消息里的队列 offset 对不上，缺掉的单元在消费端看来就像从未存在。",
    ),
    (
        "rule.dispatch.out-of-order.when",
        "消息的队列 offset 在队列末尾之后吗？",
    ),
    ("rule.dispatch.place-taken", "队列中的位置已被占用：不写入"),
    (
        "rule.dispatch.place-taken.then",
        "保留已有单元，不写入；至于它是否指向这条消息，并不检查。",
    ),
    (
        "rule.dispatch.place-taken.when",
        "消息的队列 offset 在队列末尾之前吗？",
    ),
    (
        "rule.dispatch.queue-file-not-made",
        "**{queue}**：没有可写的文件，放弃该单元",
    ),
    (
        "rule.dispatch.queue-file-not-made.then",
        "每隔 1 秒重试一次，共 30 次，之后把 consume queue 标记为不可写：此后所有队列都不再写入单元，broker 也拒绝接收消息。",
    ),
    (
        "rule.dispatch.queue-file-not-made.when",
        "队列文件建不出来，或写不进这个单元吗？",
    ),
    ("rule.dispatch.queued", "单元写入 consume queue"),
    (
        "rule.dispatch.queued.then",
        "在其 consume queue 末尾追加一个单元：物理偏移量、大小、tagsCode。",
    ),
    ("rule.dispatch.queued.when", "是该队列的下一条消息吗？"),
    (
        "rule.dispatch.transaction-not-queued",
        "prepared 与 rollback 消息不进队列",
    ),
    (
        "rule.dispatch.transaction-not-queued.then",
        "不写 consume queue 单元，消息仍在 commitlog 中。",
    ),
    (
        "rule.dispatch.transaction-not-queued.when",
        "是事务的 prepared 或 rollback 消息吗？",
    ),
    ("rule.index.already-indexed", "索引中已有：不写入"),
    (
        "rule.index.already-indexed.then",
        "当作已建索引。恰好从那里开始的消息不在此列，它的 key 会索引两次；若文件头里的偏移量是乱码，完好的消息会被挡在外面。",
    ),
    (
        "rule.index.already-indexed.when",
        "消息偏移量小于最后一个索引文件的 endPhyOffset 吗？",
    ),
    (
        "rule.index.count-from-one",
        "`{path:file}`：条目数为 {found}，按 1 处理",
    ),
    (
        "rule.index.count-from-one.then",
        "按 1 处理：下一个 key 会覆盖写在第一个条目上。",
    ),
    (
        "rule.index.count-from-one.when",
        "索引文件头里的条目数是 0 或负数吗？",
    ),
    (
        "rule.index.folder-stops-loading",
        "`{path}` 是目录：排在它后面的索引文件都不加载",
    ),
    (
        "rule.index.folder-stops-loading.then",
        "索引加载到此为止，broker 照常启动。后面的索引文件还在磁盘上，但按 key 查询看不到它们。",
    ),
    (
        "rule.index.folder-stops-loading.when",
        "index 下是否有名字为数字、却不能作为文件打开的东西？",
    ),
    (
        "rule.index.kept",
        "保留索引文件 `{path:file}`：{entries} 个条目，截至 {end:time}",
    ),
    (
        "rule.index.kept.then",
        "直接保留，不检查槽和条目：只要文件头没露馅，内容全是乱码也会保留。",
    ),
    (
        "rule.index.kept.when",
        "索引文件不比 checkpoint 新，或者没有 abort？",
    ),
    (
        "rule.index.mapped-to-size",
        "`{path:file}` 长 {found} 字节：按 {expected} 映射",
    ),
    (
        "rule.index.mapped-to-size.then",
        "任何长度都不会被拒绝。偏短的文件用 0 补长，偏长的只读到这个大小；槽数与写入时不同，其中的条目就查不到。",
    ),
    (
        "rule.index.mapped-to-size.when",
        "索引文件的长度与 maxHashSlotNum、maxIndexNum 算出的一致吗？",
    ),
    (
        "rule.index.name-ignored",
        "`{path}`：`{name}` 不是数字，跳过",
    ),
    (
        "rule.index.name-ignored.then",
        "不是则打一条 ERROR 日志，跳过该文件继续加载。文件留在磁盘上，按 key 查询看不到其中的条目。",
    ),
    (
        "rule.index.name-ignored.when",
        "每个索引文件名都是数字（创建时间）吗？",
    ),
    ("rule.index.new-file", "新建索引文件 `{path:file}`"),
    (
        "rule.index.new-file.then",
        "新建一个，以当时的系统时间命名：真实启动时文件名会不同。若前一个文件已满，则把它刷盘并写 checkpoint。",
    ),
    (
        "rule.index.new-file.when",
        "没有索引文件，或最后一个已满吗？",
    ),
    (
        "rule.index.newer-than-checkpoint",
        "索引文件 `{path:file}` 比 checkpoint 新：销毁，含 {entries} 个条目",
    ),
    (
        "rule.index.newer-than-checkpoint.then",
        "删除该文件。扫描只会为它读到的消息重建索引：起始文件之前的消息，其索引条目永久丢失，按 key 查不到。",
    ),
    (
        "rule.index.newer-than-checkpoint.when",
        "异常退出后：索引文件的 endTimestamp 晚于 checkpoint 的 indexMsgTimestamp 吗？",
    ),
    ("rule.index.put", "key 写入索引"),
    (
        "rule.index.put.then",
        "每个 key 写一个条目：key 的哈希、物理偏移量、时间，以及同槽链上的前一个条目。",
    ),
    ("rule.index.put.when", "消息有 UNIQ_KEY 或 KEYS 吗？"),
    ("rule.index.rollback-not-indexed", "rollback 消息不建索引"),
    (
        "rule.index.rollback-not-indexed.then",
        "它的 key 都不建索引。",
    ),
    (
        "rule.index.rollback-not-indexed.when",
        "是事务的 rollback 消息吗？",
    ),
    ("rule.index.slot-not-believed", "槽的值越界：当作空槽"),
    (
        "rule.index.slot-not-believed.then",
        "当作空槽，另起一条链：该槽原有的条目，按 key 查询再也走不到。",
    ),
    (
        "rule.index.slot-not-believed.when",
        "槽的值为负，或超过文件的条目数吗？",
    ),
    (
        "rule.index.switched-off",
        "messageIndexEnable 已关：不建索引",
    ),
    (
        "rule.index.switched-off.then",
        "不建索引。但已有的索引文件照样加载；异常退出后，比 checkpoint 新的照样销毁，而且不会重建。",
    ),
    (
        "rule.index.switched-off.when",
        "messageIndexEnable 关闭了吗？",
    ),
    ("rule.index.time-bounded", "时间差越界：取边界值"),
    (
        "rule.index.time-bounded.then",
        "条目里改记边界值。按 key 加时间范围查询可能查不到它。",
    ),
    (
        "rule.index.time-bounded.when",
        "消息早于索引文件的首条，或晚了超过 2147483647 秒吗？",
    ),
    ("rule.load.abort-absent", "没有 **abort**：走正常恢复"),
    (
        "rule.load.abort-absent.then",
        "recoverNormally 只看 commitlog 的最后三个文件，扫描时不做分发；索引文件不校验，全部保留。更早文件里的损坏不会被发现；手工删掉 abort 也是同样的效果。",
    ),
    (
        "rule.load.abort-absent.when",
        "存储目录下没有 abort 文件吗？",
    ),
    ("rule.load.abort-present", "**abort** 存在：走异常恢复"),
    (
        "rule.load.abort-present.then",
        "broker 进程没有正常停止，或者这些文件是在它运行时拷贝的。recoverAbnormally 按 checkpoint 的时间选起始文件，边扫描边重新分发；比 checkpoint 新的索引文件会被销毁。",
    ),
    (
        "rule.load.abort-present.when",
        "存储目录下有 abort 文件吗？",
    ),
    (
        "rule.load.checkpoint-missing",
        "没有 **checkpoint**：各时间按 0 处理，并新建该文件",
    ),
    (
        "rule.load.checkpoint-missing.then",
        "所有时间都为 0。若 abort 存在，commitlog 会从第一个文件扫起，凡是有条目的索引文件都会被销毁。",
    ),
    (
        "rule.load.checkpoint-missing.when",
        "没有 checkpoint 文件吗？",
    ),
    (
        "rule.load.checkpoint-read",
        "**checkpoint**：physic {physic:time}，logics {logics:time}，index {index:time}",
    ),
    (
        "rule.load.checkpoint-read.then",
        "异常退出后，physic 与 logics 的较小值减 3 秒决定从哪里开始扫描，index 时间决定保留哪些索引文件。文件不够长时，缺的字节按 0 读。",
    ),
    (
        "rule.load.checkpoint-read.when",
        "commitlog、队列、索引各自落盘到了哪个存储时间？",
    ),
    (
        "rule.load.checkpoint-unreadable",
        "`{path}` 无法作为文件打开：加载中止",
    ),
    (
        "rule.load.checkpoint-unreadable.then",
        "打不开（例如同名位置是个目录），load() 就失败，此时还没有恢复或改动任何数据。",
    ),
    (
        "rule.load.checkpoint-unreadable.when",
        "checkpoint 能作为文件打开并映射吗？",
    ),
    (
        "rule.load.delay-levels",
        "messageDelayLevel `{text}` 无法解析：load() 失败",
    ),
    (
        "rule.load.delay-levels.then",
        "load() 返回 false，而此时 commitlog 和队列已经恢复并截断完毕。连续两个空格就足以触发。",
    ),
    (
        "rule.load.delay-levels.when",
        "messageDelayLevel 中有不是“数字加 s、m、h 或 d”的项吗？",
    ),
    (
        "rule.load.delay-offsets",
        "`{path}` 从字节 {position} 起不是 JSON：load() 失败",
    ),
    (
        "rule.load.delay-offsets-backup",
        "`{path}` 无法读取：改读 .bak",
    ),
    (
        "rule.load.delay-offsets-backup.then",
        "改用 .bak，它比前者早一次持久化：其间投递过的延迟消息会再投递一次。若 .bak 也没有，各级别都从队列的第一个单元开始。",
    ),
    (
        "rule.load.delay-offsets-backup.when",
        "delayOffset.json 读不了吗？",
    ),
    (
        "rule.load.delay-offsets.then",
        "load() 返回 false，而此时 commitlog 和队列已经恢复并截断完毕。若根本没有 .bak，broker 反而能启动，只是延迟消息要从各队列的第一个单元重新处理。",
    ),
    (
        "rule.load.delay-offsets.when",
        "delayOffset.json 读不了，.bak 存在却也读不了吗？",
    ),
    (
        "rule.load.delay-queues",
        "{levels} 个延迟级别：各对应一个队列，投递进度限制在队列范围内",
    ),
    (
        "rule.load.delay-queues.then",
        "每个级别对应 SCHEDULE_TOPIC_XXXX 的一个队列。投递进度超出范围的，改为该队列的 minOffset 或 maxOffset。",
    ),
    (
        "rule.load.delay-queues.when",
        "有哪些延迟级别，它们的投递进度都在队列范围内吗？",
    ),
    (
        "rule.load.log-files",
        "commitlog 文件 {files} 个，每个 {size:bytes}",
    ),
    (
        "rule.load.log-files.then",
        "在恢复找到真正的末尾之前，每个文件都先当作写满。中间缺一个文件不会被发现。",
    ),
    ("rule.load.log-files.when", "commitlog 由哪些文件组成？"),
    (
        "rule.load.log-length",
        "`{path:file}` 长 {found} 字节，应为 {expected}：加载中止",
    ),
    (
        "rule.load.log-length.then",
        "遇到第一个不等的文件，load() 就返回 false，不恢复也不改动任何数据。空的最后一个文件也算，commitlog 下多出来的目录或杂文件同样算。",
    ),
    (
        "rule.load.log-length.when",
        "commitlog 下每个文件的长度都恰好等于 mappedFileSizeCommitLog 吗？",
    ),
    (
        "rule.load.log-name",
        "`{path}`：`{name}` 不是偏移量，加载中止",
    ),
    (
        "rule.load.log-name.then",
        "长度正确但文件名不是数字，load() 就失败，不恢复也不改动任何数据。在目录里留一份备份文件就足以触发。",
    ),
    (
        "rule.load.log-name.when",
        "commitlog 下每个文件名都是数字（即起始偏移量）吗？",
    ),
    ("rule.load.queue-files", "队列 {queues} 个，文件 {files} 个"),
    (
        "rule.load.queue-files.then",
        "broker 只凭目录认队列。目录缺失的队列，要等分发到它的消息时才会重新创建。",
    ),
    ("rule.load.queue-files.when", "有哪些 consume queue？"),
    (
        "rule.load.queue-folder-ignored",
        "`{path}` 不是队列号：忽略",
    ),
    (
        "rule.load.queue-folder-ignored.then",
        "不是则直接跳过，里面的内容既不读取也不改动。",
    ),
    (
        "rule.load.queue-folder-ignored.when",
        "topic 目录下的子目录名是整数（队列号）吗？",
    ),
    (
        "rule.load.queue-length",
        "`{path:file}` 长 {found} 字节，应为 {expected}：加载中止",
    ),
    (
        "rule.load.queue-length.then",
        "遇到第一个不等的文件，load() 就返回 false：一个队列的一个文件不对，整个 broker 都起不来。不恢复也不改动任何数据。",
    ),
    (
        "rule.load.queue-length.when",
        "consume queue 的每个文件都恰好等于 mappedFileSizeConsumeQueue（按 20 字节单元取整）吗？",
    ),
    (
        "rule.load.queue-name",
        "`{path}`：`{name}` 不是偏移量，加载中止",
    ),
    (
        "rule.load.queue-name.then",
        "长度正确但文件名不是数字，load() 就失败，不恢复也不改动任何数据。",
    ),
    (
        "rule.load.queue-name.when",
        "consume queue 的每个文件名都是数字（起始字节偏移）吗？",
    ),
    (
        "rule.log.end-set",
        "`{path:file}`：写入位置从 {from} 退回到 {to}",
    ),
    (
        "rule.log.end-set.then",
        "把该文件的写入位置设到那里。其后的字节留在磁盘上，直到被新消息覆盖；不会清零。",
    ),
    ("rule.log.end-set.when", "processOffset 落在哪个文件里？"),
    (
        "rule.log.file-behind-end",
        "`{path:file}` 在 processOffset 之后：删除，{size:bytes}",
    ),
    (
        "rule.log.file-behind-end.then",
        "连同其中的消息一起删除，完好的也不例外。预分配的全 0 文件同样删除，这没有损失。",
    ),
    (
        "rule.log.file-behind-end.when",
        "有 commitlog 文件的起点在 processOffset 之后吗？",
    ),
    (
        "rule.log.no-files",
        "没有 commitlog 文件：删除 {queues} 个队列",
    ),
    (
        "rule.log.no-files.then",
        "broker 删除全部 consume queue 文件，以空存储启动，队列 offset 从 0 重新开始。storePathCommitLog 配错或磁盘没挂载就足以触发；索引文件会保留，但已无消息可指。",
    ),
    ("rule.log.no-files.when", "commitlog 下一个文件都没有吗？"),
    (
        "rule.logic.ahead-of-log",
        "队列到达 `{maxPhysicOffset}` ≥ processOffset `{processOffset}`：截断脏单元",
    ),
    (
        "rule.logic.ahead-of-log.then",
        "每个队列都截到 processOffset。每次正常重启两者都相等：“truncate dirty logic files” 这条 WARN 不代表有损坏。",
    ),
    (
        "rule.logic.ahead-of-log.when",
        "各队列 maxPhysicOffset 的最大值不小于 processOffset 吗？",
    ),
    (
        "rule.logic.first-unit-ahead",
        "**{queue}**：`{path:file}` 开头已超过 processOffset：删除",
    ),
    (
        "rule.logic.first-unit-ahead.then",
        "删除该文件，再看前一个。只凭首个单元决定。",
    ),
    (
        "rule.logic.first-unit-ahead.when",
        "队列最后一个文件的首个单元指向 processOffset 或其后吗？",
    ),
    (
        "rule.logic.first-unit-believed",
        "**{queue}**：首个单元不看 size 就采信",
    ),
    (
        "rule.logic.first-unit-believed.then",
        "不看 size 就当作有效。文件全 0 时会多出一个幽灵单元：maxOffset 多 1，却没有对应的消息。",
    ),
    (
        "rule.logic.first-unit-believed.when",
        "队列最后一个文件的首个单元指向 processOffset 之前吗？",
    ),
    (
        "rule.logic.one-unit-file-never-ends",
        "**{queue}**：每个文件只有一个单元，循环不会结束",
    ),
    (
        "rule.logic.one-unit-file-never-ends.then",
        "循环只在第二个及以后的单元处退出。mappedFileSizeConsumeQueue 不大于 20 时，load() 永不返回，也没有日志。",
    ),
    (
        "rule.logic.one-unit-file-never-ends.when",
        "队列文件只容得下一个单元，且它指向 processOffset 之前吗？",
    ),
    (
        "rule.logic.unit-ahead",
        "**{queue}** 超前：截掉 {cut} 个单元，止于 {entries}",
    ),
    (
        "rule.logic.unit-ahead.then",
        "队列在它之前结束。之后的单元被截掉，这些队列 offset 会重新分配出去。",
    ),
    (
        "rule.logic.unit-ahead.when",
        "有单元指向 processOffset 或其后吗？",
    ),
    ("rule.logic.unit-empty", "**{queue}** 止于第一个空单元"),
    (
        "rule.logic.unit-empty.then",
        "队列在它之前结束：所有单元都在 processOffset 之前。",
    ),
    (
        "rule.logic.unit-empty.when",
        "单元的 offset 为负，或 size 不大于 0 吗？",
    ),
    ("rule.mark.process-offset", "**processOffset = {offset}**"),
    (
        "rule.mark.process-offset.then",
        "超过它的都是脏数据：commitlog、队列、文件都截到这里。broker 日志里的 pos= 是读到的位置，不是这个偏移量。",
    ),
    (
        "rule.mark.process-offset.when",
        "扫描得出的 commitlog 末尾在哪里？",
    ),
    (
        "rule.queue.end-set",
        "**{queue}** 末尾：队列 offset {entries}，物理偏移量 `{maxPhysicOffset}`",
    ),
    (
        "rule.queue.end-set.then",
        "写入位置设在最后一个有效单元之后，该单元对应消息的末尾成为 maxPhysicOffset。不回查消息，重复或重叠的单元都会放过。",
    ),
    (
        "rule.queue.end-set.when",
        "只看队列自身的单元，它在哪里结束？",
    ),
    (
        "rule.queue.file-behind-end",
        "`{path:file}` 在队列末尾 {end} 之后：删除",
    ),
    (
        "rule.queue.file-behind-end.then",
        "连同其中的单元一起删除。消息仍在 commitlog 里，只有被重新分发的才会重新得到单元。",
    ),
    (
        "rule.queue.file-behind-end.when",
        "有队列文件的起点在队列末尾之后吗？",
    ),
    (
        "rule.queue.first-bad-unit-ends-it",
        "**{queue}** 止于字节 {position} 处的单元之前：offset {offset}，size {size}",
    ),
    (
        "rule.queue.first-bad-unit-ends-it.then",
        "队列在它之前结束，后面的队列文件被删除。在最后一个文件尚未写入的 0 上停下是正常的；但中间只要坏一个单元，其后完好的单元就全丢了。",
    ),
    (
        "rule.queue.first-bad-unit-ends-it.when",
        "单元的 offset 为负，或 size 不大于 0 吗？",
    ),
    (
        "rule.queue.last-three-files",
        "**{queue}**：共 {files} 个文件，其中 {skipped} 个不读",
    ),
    (
        "rule.queue.last-three-files.then",
        "只读最后三个，之前的单元原样采信，不检查。",
    ),
    (
        "rule.queue.last-three-files.when",
        "该队列的文件超过三个吗？",
    ),
    (
        "rule.reput.beyond-confirm-offset",
        "**reput** 在 `{from}` 等待 confirmOffset `{confirm}`，而它不会前进",
    ),
    (
        "rule.reput.beyond-confirm-offset.then",
        "什么都不分发，而 start() 要等分发追上：永远等下去。commitlog 本身是完整的。",
    ),
    (
        "rule.reput.beyond-confirm-offset.when",
        "duplicationEnable 打开时：reput 不低于 confirmOffset，且还有数据未分发吗？",
    ),
    ("rule.reput.caught-up", "**reput** 已追上，位于 `{offset}`"),
    (
        "rule.reput.caught-up.then",
        "start() 继续，broker 就绪。reput 跳过的字节也算追上。",
    ),
    (
        "rule.reput.caught-up.when",
        "reput 到达或超过 commitlog 末尾了吗？",
    ),
    (
        "rule.reput.dispatched",
        "**reput**：分发 {messages} 条消息，{bytes:bytes}，到 `{to}`",
    ),
    (
        "rule.reput.dispatched.then",
        "分发到它的队列和索引。此处不读消息体，也不校验 CRC。",
    ),
    ("rule.reput.dispatched.when", "reput 的位置上有消息吗？"),
    (
        "rule.reput.from",
        "**reput** 从 `{offset}` 开始：落后 {behind:bytes}",
    ),
    (
        "rule.reput.from.then",
        "从那里继续分发，直到 commitlog 末尾。所有队列只取一个最大值：丢失或落后的队列，在它之前的部分不会修复。",
    ),
    (
        "rule.reput.from.when",
        "所有队列 maxPhysicOffset 的最大值是多少（不小于 commitlog 的起点）？",
    ),
    (
        "rule.reput.goes-round",
        "**reput** 回到了 `{offset}`，它已经来过这里",
    ),
    (
        "rule.reput.goes-round.then",
        "同一批消息被无休止地重复分发：队列会拒绝，索引却不断增长。start() 永远等下去。",
    ),
    (
        "rule.reput.goes-round.when",
        "reput 来过这个偏移量吗？若有 commitlog 文件名不是文件大小的整数倍，它就会被抛回来。",
    ),
    ("rule.reput.next-file", "**reput** 转到下一个文件"),
    (
        "rule.reput.next-file.then",
        "reput 从下一个文件的起点继续。",
    ),
    ("rule.reput.next-file.when", "reput 的位置上是 BLANK 吗？"),
    ("rule.reput.no-data", "**reput**：没有文件包含 `{offset}`"),
    (
        "rule.reput.no-data.then",
        "reput 原地不动，start() 永远等它。commitlog 中间缺一个文件就足以触发，加载时并不会发现。",
    ),
    (
        "rule.reput.no-data.when",
        "reput 所在的偏移量没有文件，或没有写入数据吗？",
    ),
    (
        "rule.reput.rest-skipped",
        "**reput** 从 `{offset}` 起跳过本文件剩余部分：{bytes:bytes} 未分发",
    ),
    (
        "rule.reput.rest-skipped.then",
        "master 会跳过本文件剩余的全部内容。其中完好的消息仍在 commitlog 里，但没有队列单元也没有索引条目，消费者永远看不到。",
    ),
    (
        "rule.reput.rest-skipped.when",
        "reput 位置上的记录无效，又没有长度可依吗？",
    ),
    (
        "rule.reput.size-skipped",
        "**reput** 越过 `{offset}` 处的无效记录，长度 {size}",
    ),
    (
        "rule.reput.size-skipped.then",
        "broker 把刚判为不符的长度加到 reput 的位置上，读取却从各部分实际结束处继续。这条记录不进队列，此后两者可能对不上。",
    ),
    (
        "rule.reput.size-skipped.when",
        "reput 位置上的记录长度不符，且总长度大于 0 吗？",
    ),
    (
        "rule.reput.thread-dies",
        "**reput** 线程死于 `{offset}`：总长度 {stored} 引发 OutOfMemoryError",
    ),
    (
        "rule.reput.thread-dies.then",
        "分发线程只捕获 Exception，这个 Error 会让它退出。start() 永远等下去。",
    ),
    (
        "rule.reput.thread-dies.when",
        "reput 位置上的总长度超过 JVM 能分配的最大数组吗？",
    ),
    (
        "rule.scan.accepted",
        "扫描 {bytes:bytes}，到 `{to}`，{messages} 条消息完整",
    ),
    (
        "rule.scan.accepted.then",
        "保留。消息头、topic、properties 都没有 CRC 保护，消息里写的物理偏移量也不与实际位置比对：properties 被清零、末尾之后的一条旧消息，都能通过。",
    ),
    ("rule.scan.accepted.when", "记录通过了所有检查吗？"),
    (
        "rule.scan.files-used-up",
        "最后一个文件 `{path:file}` 以 {skipped:bytes} 的 BLANK 结束：commitlog 止于其前",
    ),
    (
        "rule.scan.files-used-up.then",
        "所有文件都扫完了。commitlog 的末尾就是 BLANK 的起点，下一次写入从那里开始。",
    ),
    (
        "rule.scan.files-used-up.when",
        "最后一个文件以 BLANK 结束吗？",
    ),
    (
        "rule.scan.next-file",
        "`{path:file}` 以 {skipped:bytes} 的 BLANK 结束：继续下一个文件",
    ),
    (
        "rule.scan.next-file.then",
        "从下一个文件开头接着扫描。只按目录里的顺序取，文件名之间有缺口也照样继续。",
    ),
    ("rule.scan.next-file.when", "BLANK 之后还有下一个文件吗？"),
    (
        "rule.scan.not-dispatched",
        "duplicationEnable：不低于 confirmOffset，不分发",
    ),
    (
        "rule.scan.not-dispatched.then",
        "消息留在 commitlog 中，但不进队列和索引。启动时 confirmOffset 是 −1，因此一条都不会分发。",
    ),
    (
        "rule.scan.not-dispatched.when",
        "duplicationEnable 打开时：消息的偏移量不低于 confirmOffset 吗？",
    ),
    (
        "rule.scan.stops",
        "**扫描停止**于 `{path:file}` 的 `{offset}`",
    ),
    (
        "rule.scan.stops.then",
        "commitlog 到它之前为止。后面的内容不管好坏都不再读，更后面的文件会被删除。",
    ),
    ("rule.scan.stops.when", "记录无效吗？"),
    (
        "rule.start.abort-made",
        "broker 运行期间 **abort** 一直存在",
    ),
    (
        "rule.start.abort-made.then",
        "创建 abort，已有则保留。只有正常停止且分发已追平时才会删除。",
    ),
    ("rule.start.abort-made.when", "存储启动完成了吗？"),
    (
        "rule.start.first-file",
        "没有匹配的文件：**从第一个开始**，`{path:file}`",
    ),
    (
        "rule.start.first-file.then",
        "扫描整个 commitlog。慢，但队列和索引缺的部分会重新分发。",
    ),
    (
        "rule.start.first-file.when",
        "没有任何文件与 checkpoint 匹配吗？",
    ),
    (
        "rule.start.index-time-counts",
        "messageIndexSafe：索引时间也参与，上限 {limit:time}",
    ),
    (
        "rule.start.index-time-counts.then",
        "索引时间若小于 physic、logics 减 3 秒，就以它为上限，扫描可能从更早处开始。能补回一部分索引条目，但管不了已经丢失的索引文件。",
    ),
    (
        "rule.start.index-time-counts.when",
        "messageIndexEnable 与 messageIndexSafe 都打开了吗？",
    ),
    (
        "rule.start.matched",
        "文件 `{path:file}`：首条消息 {storeTimestamp:time} ≤ {limit:time}：**从这里开始**",
    ),
    (
        "rule.start.matched.then",
        "从这个文件开始扫描。更早的文件不读：其中的损坏不会被发现，那些消息丢失的队列单元和索引条目也补不回来。",
    ),
    (
        "rule.start.matched.when",
        "首条消息的存储时间不晚于 checkpoint 给出的上限吗？",
    ),
    (
        "rule.start.newer-than-checkpoint",
        "文件 `{path:file}`：首条消息 {storeTimestamp:time} > {limit:time}：往前一个文件",
    ),
    (
        "rule.start.newer-than-checkpoint.then",
        "往前看一个文件。每个文件只看首条消息。",
    ),
    (
        "rule.start.newer-than-checkpoint.when",
        "首条消息的存储时间晚于 checkpoint 给出的上限吗？",
    ),
    (
        "rule.start.no-message",
        "文件 `{path:file}`：魔数 {found:hex}，不是消息：往前一个文件",
    ),
    (
        "rule.start.no-message.then",
        "往前看一个文件。预分配的全 0 文件就是这样，属正常情况。",
    ),
    (
        "rule.start.no-message.when",
        "文件开头的魔数不是消息的魔数吗？",
    ),
    (
        "rule.start.no-store-time",
        "文件 `{path:file}`：首条消息没有存储时间：往前一个文件",
    ),
    ("rule.start.no-store-time.then", "往前看一个文件。"),
    (
        "rule.start.no-store-time.when",
        "文件首条消息的 storeTimestamp 是 0 吗？",
    ),
    (
        "rule.start.third-last-file",
        "文件 `{path:file}`：**从这里开始**，之前 {unread:bytes} 不读",
    ),
    (
        "rule.start.third-last-file.then",
        "从那里开始扫描，不看 checkpoint。预分配的全 0 文件也算三个之一；起始文件之前的损坏不会被发现。",
    ),
    (
        "rule.start.third-last-file.when",
        "没有 abort 时：倒数第三个文件是哪个（不足三个则取第一个）？",
    ),
    ("rule.table.min-offset", "**{queue}**：minOffset = {offset}"),
    (
        "rule.table.min-offset-not-found",
        "**{queue}**：第一个文件里没有单元落在 commitlog 内，minOffset 不变",
    ),
    (
        "rule.table.min-offset-not-found.then",
        "minOffset 不变（启动后为 0），尽管那里的消息早已不在。只查第一个文件。",
    ),
    (
        "rule.table.min-offset-not-found.when",
        "队列第一个文件中没有一个单元指向现存的 commitlog 吗？",
    ),
    (
        "rule.table.min-offset.then",
        "以它为 minOffset：消费者最早可从那里读起。",
    ),
    (
        "rule.table.min-offset.when",
        "队列第一个文件中，第一个指向现存 commitlog 的单元是哪个？",
    ),
    (
        "rule.table.queue-offsets",
        "确定 {queues} 个队列的下一个 offset",
    ),
    (
        "rule.table.queue-offsets.then",
        "取队列末尾。队列落后于 commitlog 或丢过单元时，会把 commitlog 中已有消息用过的队列 offset 再分配一次。",
    ),
    (
        "rule.table.queue-offsets.when",
        "每个队列的下一条消息用哪个队列 offset？",
    ),
];
