//! 5.x 起出现的规则的句子。

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.index.folder-refuses",
        "broker 无法启动：`{path}` 是文件夹，这里应为索引文件。",
    ),
    (
        "end.table.empty-last-file",
        "broker 无法启动：{queue} 的最后一个文件没有任何单元。",
    ),
    (
        "end.table.unconfirmed-magic",
        "broker 无法启动：duplicationEnable 打开时，confirmOffset `{offset}` 处不是版本 1 的消息。",
    ),
    (
        "next.index.folder-refuses",
        "先备份存储目录，再把这个文件夹移出 index。恢复其实已经执行过：重新启动之前，先看清它截断了什么。",
    ),
    (
        "next.table.empty-last-file",
        "先备份存储目录，再把空的末尾文件 `{path}` 移出队列目录，然后把副本拖到这里再看一次；5.5 可以直接启动。",
    ),
    (
        "next.table.unconfirmed-magic",
        "检查 duplicationEnable：它默认关闭。让 broker 再次碰到它之前，先备份存储目录。",
    ),
    (
        "rule.check.dup-info",
        "`{offset}` 处 **DUP_INFO** 为 `{found}`：commitlog 在一条完好的消息处结束",
    ),
    (
        "rule.check.dup-info.then",
        "记录判为无效，commitlog 在此截断。存储模块里没有任何类写这个属性，所以打开 duplicationEnable 后，每条带属性的消息都会让 commitlog 到此为止。",
    ),
    (
        "rule.check.dup-info.when",
        "duplicationEnable 打开时：消息没有 DUP_INFO 属性，或它不是两段吗？",
    ),
    (
        "rule.check.inner-batch",
        "`{offset}` 处 **{part}** `{text}` 不是数字",
    ),
    (
        "rule.check.inner-batch.then",
        "异常被捕获，记录判为无效，尽管字节都在。",
    ),
    (
        "rule.check.inner-batch.when",
        "内含批量的消息，其起始位点或条数不是数字吗？",
    ),
    (
        "rule.check.negative-size-first",
        "`{offset}` 处**总长度 {stored}**：commitlog 到此为止",
    ),
    (
        "rule.check.negative-size-first.then",
        "还没读其他字段就判为无效，也不写日志。",
    ),
    ("rule.check.negative-size-first.when", "总长度是负数吗？"),
    (
        "rule.check.offset-field",
        "`{offset}` 处**偏移量字段** `{stored}`：属于别的文件",
    ),
    (
        "rule.check.offset-field.then",
        "commitlog 到此为止：自称在别的文件里的消息，是这些字节上次使用时留下的。正常退出后不做这项检查。",
    ),
    (
        "rule.check.offset-field.when",
        "checkCommitLogOffsetOnRecover 打开时：消息自称在这个文件之外吗？",
    ),
    (
        "rule.check.property-crc",
        "`{offset}` 处**属性 CRC 不符**：存 {stored:hex}，算得 {computed:hex}",
    ),
    (
        "rule.check.property-crc-missing",
        "`{offset}` 处**没有属性 CRC**",
    ),
    (
        "rule.check.property-crc-missing.then",
        "记录判为无效：打开这个设置后，写入时没有 enabledAppendPropCRC 的消息会让 commitlog 到此为止。",
    ),
    (
        "rule.check.property-crc-missing.when",
        "forceVerifyPropCRC 打开时：消息的属性里没有 CRC 吗？",
    ),
    (
        "rule.check.property-crc.then",
        "消息头、消息体、主题或属性被改或写入未完成，记录判为无效。broker 的日志把消息体的 CRC 当作期望值打印出来。",
    ),
    (
        "rule.check.property-crc.when",
        "forceVerifyPropCRC 打开时：整条记录的 CRC 与属性里所存的不同吗？",
    ),
    (
        "rule.check.size-beyond-file",
        "`{offset}` 处**记录不完整**：还需 {need} 字节，只剩 {left} 字节",
    ),
    (
        "rule.check.size-beyond-file.then",
        "还没读其他字段就判为无效，也不写日志。",
    ),
    (
        "rule.check.size-beyond-file.when",
        "总长度超过文件剩余字节，或文件只剩不到 5 字节吗？",
    ),
    (
        "rule.check.topic-length-of-two-bytes",
        "版本 2 的消息按两字节主题长度读取",
    ),
    (
        "rule.check.topic-length-of-two-bytes.then",
        "照常读取；5.1 之前的版本会在此处结束 commitlog。",
    ),
    (
        "rule.check.topic-length-of-two-bytes.when",
        "记录的魔数是版本 2（主题超过 127 字节）吗？",
    ),
    (
        "rule.index.folder-refuses",
        "`{path}` 是文件夹：索引加载失败，**启动终止**",
    ),
    (
        "rule.index.folder-refuses.then",
        "索引加载到此停止并算作失败。恢复过程照样走完，该截断的截断、该写的写；之后 load() 返回 false。",
    ),
    (
        "rule.index.folder-refuses.when",
        "是否有文件夹让索引加载停了下来？",
    ),
    ("rule.index.tags", "标签也建索引"),
    (
        "rule.index.tags.then",
        "标签以 `TOPIC#T#TAG` 为键单独占一个条目。索引文件比旧版本更快写满。",
    ),
    ("rule.index.tags.when", "消息有标签吗？"),
    (
        "rule.load.delay-levels-front",
        "messageDelayLevel `{text}`：只识别前 {levels} 级",
    ),
    (
        "rule.load.delay-levels-front.then",
        "无法解析的级别及其后的级别都不识别，broker 照常启动：更高级别的延时消息按最后一个已知级别处理。",
    ),
    (
        "rule.load.delay-levels-front.when",
        "有无法解析的延时级别吗？",
    ),
    (
        "rule.load.empty-last-file",
        "`{path}` 为空且是同组最后一个文件：**删除**",
    ),
    (
        "rule.load.empty-last-file.then",
        "删除该文件并继续加载。磁盘写满时会留下这样的文件：建了文件却没来得及扩到应有长度。4.9 会因此拒绝启动。",
    ),
    (
        "rule.load.empty-last-file.when",
        "commitlog 或某个队列的最后一个文件长度是 0 吗？",
    ),
    ("rule.load.folder-passed-by", "`{path}` 是文件夹：跳过"),
    (
        "rule.load.folder-passed-by.then",
        "不把它当作数据文件。4.9 会比较它的长度并拒绝启动。",
    ),
    (
        "rule.load.folder-passed-by.when",
        "commitlog 或队列目录里有文件夹吗？",
    ),
    (
        "rule.logic.one-unit-file-goes-too",
        "**{queue}**：只有一个单元的文件也被删除",
    ),
    (
        "rule.logic.one-unit-file-goes-too.then",
        "它也被删除：删除过后面文件的标记一直不清，而单个单元的文件总会读到末尾。",
    ),
    (
        "rule.logic.one-unit-file-goes-too.when",
        "队列文件只有一个单元时：它后面的文件被删除过吗？",
    ),
    ("rule.mark.confirm-offset", "**confirmOffset** = `{offset}`"),
    (
        "rule.mark.confirm-offset.then",
        "最后一条有效消息的起点记作 confirmOffset，并写入 checkpoint 的 confirmPhyOffset。只有 duplicationEnable 和 controller 模式会用它，否则以 commitlog 末端为准。",
    ),
    ("rule.mark.confirm-offset.when", "扫描结束了吗？"),
    (
        "rule.reput.from-confirm-offset",
        "**reput** 从 commitlog 末端 `{offset}` 开始：落后的就一直落后",
    ),
    (
        "rule.reput.from-confirm-offset.then",
        "只分发以后写入的消息。恢复时没有分发的消息不在任何队列和索引中，以后的启动也不会再找（recheckReputOffsetFromCq 默认关闭）。",
    ),
    (
        "rule.reput.from-confirm-offset.when",
        "commitlog 末端在哪里（duplicationEnable 打开时：confirmOffset 是多少）？",
    ),
    (
        "rule.scan.behind-queues-dispatched",
        "队列之后的消息予以分发",
    ),
    (
        "rule.scan.behind-queues-dispatched.then",
        "予以分发。最远队列的末端正是第一条缺失消息的起点，而条件是“大于”，恰好把这一条永远漏掉。",
    ),
    (
        "rule.scan.behind-queues-dispatched.when",
        "没有 abort 时：消息的偏移量大于最远队列的末端吗？",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched",
        "duplicationEnable：末端超过 confirmOffset，不分发",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched.then",
        "消息留在 commitlog 中，但不进队列和索引。",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched.when",
        "duplicationEnable 打开时：消息末端超过 checkpoint 的 confirmPhyOffset 吗？",
    ),
    (
        "rule.start.abort-backed-up",
        "**abort** 写入进程号；原内容存入 `{path}`",
    ),
    (
        "rule.start.abort-backed-up.then",
        "abort.bak 没有含义：正常退出后也在。只看 abort。",
    ),
    ("rule.start.abort-backed-up.when", "写 abort 了吗？"),
    (
        "rule.start.file-at-queues-end",
        "文件 `{path:file}`：**从这里开始**，队列已到 `{queues}`；之前 {unread:bytes} 不读",
    ),
    (
        "rule.start.file-at-queues-end.then",
        "从那里开始扫描。更早的文件里有什么损坏都不会被发现。",
    ),
    (
        "rule.start.file-at-queues-end.when",
        "没有 abort 时：起点不超过最远队列末端的最后一个文件是哪个？",
    ),
    (
        "rule.start.file-limit",
        "文件 `{path:file}`：**从这里开始**，最多回退 {files} 个文件；之前 {unread:bytes} 不读",
    ),
    (
        "rule.start.file-limit.then",
        "尽管这个文件并不符合条件，仍从这里扫描。之前的消息不会重建队列和索引，load() 也不会提起。",
    ),
    (
        "rule.start.file-limit.when",
        "已经看过 commitLogRecoverMaxNum 个文件了吗（默认 10）？",
    ),
    (
        "rule.start.first-message-bad",
        "文件 `{path:file}`：第一条消息无效，再往前一个文件",
    ),
    (
        "rule.start.first-message-bad.then",
        "再往前一个文件。这里做的是完整校验（含 CRC），但每个文件只看第一条消息。",
    ),
    (
        "rule.start.first-message-bad.when",
        "文件的第一条消息没有通过校验吗？",
    ),
    (
        "rule.start.newer-than-index",
        "文件 `{path:file}`：第一条消息 {storeTimestamp:time} > indexMsgTimestamp {limit:time}，再往前一个文件",
    ),
    (
        "rule.start.newer-than-index.then",
        "再往前一个文件，正常退出后也一样。它并不知道索引文件是否丢失。",
    ),
    (
        "rule.start.newer-than-index.when",
        "messageIndexSafe 打开时：第一条消息的存储时间晚于 indexMsgTimestamp 吗？",
    ),
    (
        "rule.start.newer-than-queues",
        "文件 `{path:file}`：第一条消息 {storeTimestamp:time} > logicsMsgTimestamp {limit:time}，再往前一个文件",
    ),
    (
        "rule.start.newer-than-queues.then",
        "再往前一个文件。不再像旧版本那样减去 3 秒，也不看 commitlog 的时间。",
    ),
    (
        "rule.start.newer-than-queues.when",
        "异常退出后，checkpoint 里没有 logicsPhysicalOffset（由旧版本写下）时：第一条消息的存储时间晚于 logicsMsgTimestamp 吗？",
    ),
    (
        "rule.start.offset-behind",
        "文件 `{path:file}`：第一条消息自称 `{offset}` > `{limit}`，再往前一个文件",
    ),
    (
        "rule.start.offset-behind.then",
        "再往前一个文件。broker 相信消息自带的偏移量字段，而不是文件名。",
    ),
    (
        "rule.start.offset-behind.when",
        "第一条消息的物理偏移量大于队列确定已有的位置吗（异常退出后取 checkpoint 的 logicsPhysicalOffset）？",
    ),
    (
        "rule.start.offset-matched",
        "文件 `{path:file}`：**从这里开始**，第一条消息在 `{offset}`",
    ),
    (
        "rule.start.offset-matched.then",
        "从这个文件开始扫描。之前的内容被当作完好且已分发。",
    ),
    (
        "rule.start.offset-matched.when",
        "这个文件通过了以上全部测试吗？",
    ),
    (
        "rule.table.empty-last-file",
        "**{queue}**：最后一个文件 `{path:file}` 没有单元，load() **失败**",
    ),
    (
        "rule.table.empty-last-file.then",
        "broker 去读文件起点之前的单元，抛出异常，load() 返回 false。此时 commitlog 和队列已经截断、重建完毕。",
    ),
    (
        "rule.table.empty-last-file.when",
        "队列最后一个文件没有单元，而前面的文件有吗？",
    ),
    (
        "rule.table.min-offset-by-halves",
        "**{queue}**：minOffset = {offset}，二分查找得出",
    ),
    (
        "rule.table.min-offset-by-halves.then",
        "它成为 minOffset，消费者可以从那里读起。单元次序错乱会误导查找。",
    ),
    (
        "rule.table.min-offset-by-halves.when",
        "队列第一个文件里，第一个指向 commitlog 的单元是哪个？",
    ),
    ("rule.table.min-offset-stands", "minOffset 保持不变"),
    (
        "rule.table.min-offset-stands.then",
        "保持不变：该处的单元仍指向 commitlog。启动时它是 0。",
    ),
    (
        "rule.table.min-offset-stands.when",
        "minOffset 处的单元指向 commitlog 吗？",
    ),
    (
        "rule.table.no-unit-in-log",
        "**{queue}**：已没有单元指向 commitlog，minOffset = {offset}",
    ),
    (
        "rule.table.no-unit-in-log.then",
        "minOffset 移到队列末端：队列里读不到任何消息，位点从那里接着走。",
    ),
    (
        "rule.table.no-unit-in-log.when",
        "队列最后一个单元指向 commitlog 起点之前吗？",
    ),
    (
        "rule.table.queue-without-files",
        "没有文件的队列重新从 0 开始",
    ),
    (
        "rule.table.queue-without-files.then",
        "minOffset 归 0，maxPhysicOffset 为 −1：队列位点重新分配。",
    ),
    (
        "rule.table.queue-without-files.when",
        "队列一个文件都没有吗？",
    ),
    (
        "rule.table.unconfirmed-counted",
        "confirmOffset `{offset}` 起的 {messages:count 条消息}计入队列位点",
    ),
    (
        "rule.table.unconfirmed-counted.then",
        "下一个队列位点排在它们之后，尽管没有队列持有它们。",
    ),
    (
        "rule.table.unconfirmed-counted.when",
        "duplicationEnable 打开时：confirmOffset 之后有有效消息吗？",
    ),
    (
        "rule.table.unconfirmed-magic",
        "confirmOffset `{offset}` 处魔数 {found:hex}：load() **失败**",
    ),
    (
        "rule.table.unconfirmed-magic.then",
        "异常抛出 load()：这里不认识版本 2 的消息。",
    ),
    (
        "rule.table.unconfirmed-magic.when",
        "duplicationEnable 打开时：confirmOffset 处既不是版本 1 的消息也不是空白填充吗？",
    ),
];
