//! What a check finds, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    ("check.depends-on", "启动的第 {step} 步取决于它。"),
    (
        "check.seen",
        "已查看：{messages} 条消息、{units} 个队列单元、{entries} 条索引。高于提示级别的问题：{findings} 个。",
    ),
    (
        "finding.bytes-behind-end",
        "日志末端（{end}）之后的 {from} 处还有 {bytes:bytes}，不是消息。",
    ),
    (
        "finding.chain-broken",
        "`{path}` 的第 {number} 条指向第 {found} 条，而它所在槽的链上应是第 {expected} 条：其前的条目按 key 查不到。",
    ),
    (
        "finding.chain-loop",
        "`{path}` 的第 {number} 条向后指到第 {found} 条（链上应是第 {expected} 条）：沿链查询会无限循环。",
    ),
    (
        "finding.entries-expired",
        "`{path}` 有 {entries} 条指向日志最前端（{start}）之前：消息已随文件删除。",
    ),
    (
        "finding.entry-ahead",
        "`{path}` 的第 {number} 条指向 {offset}，在日志最后一条消息之后。",
    ),
    (
        "finding.entry-dangling",
        "`{path}` 的第 {number} 条指向 {offset}，那里没有消息的开头。",
    ),
    (
        "finding.entry-garbage",
        "`{path}` 的第 {number} 条的哈希不可能来自任何 key。",
    ),
    (
        "finding.entry-missing",
        "{offset} 处的消息有 {keys} 个 key 不在索引里：按它查不到这条消息。",
    ),
    (
        "finding.entry-out-of-order",
        "`{path}` 的第 {number} 条指回 {offset}，而前面已有 {before} 的条目：消息被重复索引。",
    ),
    (
        "finding.entry-wrong-key",
        "`{path}` 的第 {number} 条指向 {offset} 处的消息，而该消息没有这个 key。",
    ),
    (
        "finding.header-torn",
        "{offset} 处的消息通过了校验（只覆盖消息体），但它的 `{field}` 不可能是这样。",
    ),
    (
        "finding.index-behind",
        "索引还差日志中的 {messages} 条消息，从 {first} 开始：分发之前按 key 查不到。",
    ),
    (
        "finding.index-empty",
        "`{path}` 中没有条目（indexCount 为 {found}）。",
    ),
    (
        "finding.index-header",
        "`{path}` 的文件头不可信：indexCount 为 {found}。",
    ),
    (
        "finding.index-none",
        "没有带条目的索引文件：按 key 查不到任何消息。messageIndexEnable=false 的 broker 本来就没有。",
    ),
    (
        "finding.log-blank",
        "{offset} 处的 blank 遮住了日志的 {bytes:bytes}：broker 会从这里跳到下一个文件，而队列还指向它后面。",
    ),
    (
        "finding.log-length",
        "`{path}` 长 {found} 字节，而日志文件应为 {expected} 字节。",
    ),
    (
        "finding.log-overlap",
        "`{path}` 起始于 `{before}` 结束（{end}）之前。",
    ),
    (
        "finding.log-rest",
        "从 {offset} 起的 {bytes:bytes} 是旧末端的残留：broker 曾在这里截断，之后正常停止。",
    ),
    (
        "finding.log-zeros",
        "{offset} 处有 {bytes:bytes} 的零，位于日志中间：其后还有队列指向的消息。",
    ),
    (
        "finding.not-covered",
        "{messages} 条消息共 {of:bytes}，其中 {bytes:bytes}（消息头、topic、属性）没有校验和覆盖：那里的损坏只有在字段互相矛盾时才看得出来。",
    ),
    (
        "finding.not-listed",
        "还有 {more} 个 `{kind}` 类问题没有列出：每类列出 {listed} 个。",
    ),
    (
        "finding.physical-offset",
        "{offset} 处的消息自称位于 {found}。",
    ),
    (
        "finding.properties-torn",
        "{offset} 处的消息通过了校验（只覆盖消息体），但属性的 {length} 字节中有 {zeros} 字节为零：没有写进去。",
    ),
    (
        "finding.queue-behind",
        "{queue} 的末尾缺 {messages} 条消息，第一条在 {first}：分发之前消费者看不到。",
    ),
    (
        "finding.queue-front-missing",
        "{queue} 从队列位点 {number} 之后开始：{offset} 处的消息在日志里，但消费不到。",
    ),
    (
        "finding.queue-hole",
        "{queue} 缺少 {from} 到 {to} 的单元：缺了一个文件，或长度不对。",
    ),
    (
        "finding.queue-length",
        "`{path}` 长 {found} 字节，而队列文件应为 {expected} 字节。",
    ),
    (
        "finding.queue-missing",
        "{queue} 没有任何文件，而日志中从 {offset} 起有它的消息。",
    ),
    (
        "finding.queue-offset-back",
        "{offset} 处的消息在 {queue} 的位点是 {found}，而下一个应是 {expected}。",
    ),
    (
        "finding.queue-offset-gap",
        "{offset} 处的消息在 {queue} 的位点是 {found}，而下一个应是 {expected}：中间的不存在。",
    ),
    (
        "finding.record-batch",
        "`{offset}` 处的 {part} 不是数字，尽管记录完整。",
    ),
    (
        "finding.record-crc",
        "{offset} 处的消息体校验不符：存储 {stored:hex}，计算 {computed:hex}。",
    ),
    (
        "finding.record-crc-missing",
        "`{offset}` 处的消息没有 forceVerifyPropCRC 要求的属性 CRC。",
    ),
    (
        "finding.record-cut",
        "{offset} 处的记录还需要 {need:bytes}，而文件只剩 {left:bytes}。",
    ),
    (
        "finding.record-delay",
        "{offset} 处的延时消息的级别不是数字（{length} 个字符）。",
    ),
    (
        "finding.record-lengths",
        "{offset} 处的记录各部分长度之和为 {sum}，而大小写的是 {total}。",
    ),
    (
        "finding.record-magic",
        "{offset} 处的 {bytes:bytes} 不是消息：magic code 为 {found:hex}。",
    ),
    (
        "finding.record-part",
        "{offset} 处的记录的 {part} 长度为 {len}。",
    ),
    (
        "finding.record-size",
        "{offset} 处的记录自称有 {stored} 字节。",
    ),
    (
        "finding.slot-wrong",
        "`{path}` 的槽 {slot} 指向第 {found} 条，而最新的是第 {expected} 条：这个槽的 key 查不到。",
    ),
    (
        "finding.stale-in-line",
        "{offset} 处的完整记录（{bytes:bytes}）自称位于 {found}，没有队列在这里认识它：是旧末端的残留，启动扫描到这里会把它当真。",
    ),
    (
        "finding.stale-records",
        "日志末端（{end}）之后，从 {from} 起还有 {messages} 条完整消息（{bytes:bytes}），没有队列认识它们：曾被截断，仍留在磁盘上。",
    ),
    (
        "finding.unit-ahead",
        "{queue} 的第 {number} 个单元指向 {offset}，在日志末端之后。",
    ),
    (
        "finding.unit-deliver-time",
        "{queue} 的第 {number} 个单元的投递时间是 {found}，按消息的级别应是 {expected}：由启动时还不知道级别的 broker 写入。",
    ),
    (
        "finding.unit-duplicate",
        "{queue} 的第 {number} 个单元重复了第 {found} 个单元的消息（{offset}）：会被消费两次。",
    ),
    (
        "finding.unit-empty",
        "{queue} 的第 {number} 个单元没有写过，而它后面的写过。",
    ),
    (
        "finding.unit-filler",
        "{queue} 的第 {number} 个单元是填充，却在队列中间。",
    ),
    (
        "finding.unit-garbage",
        "{queue} 的第 {number} 个单元不成立：偏移 {offset}，大小 {size}。",
    ),
    (
        "finding.unit-misplaced",
        "{queue} 的第 {number} 个单元指向 {offset}，那是 {found} 的消息。",
    ),
    (
        "finding.unit-orphan",
        "{queue} 的第 {number} 个单元指向 {offset}，那里没有消息的开头。",
    ),
    (
        "finding.unit-overlap",
        "{queue} 的第 {number} 个单元指向 {offset}，落在前一个单元的消息内部。",
    ),
    (
        "finding.unit-shifted",
        "{queue} 的第 {number} 个单元指向 {offset}，而该消息的队列位点是 {found}：从这里起位置与位点不一致。",
    ),
    (
        "finding.unit-size",
        "{queue} 的第 {number} 个单元说 {offset} 处的消息有 {size} 字节，实际是 {found}。",
    ),
    (
        "finding.unit-tags",
        "{queue} 的第 {number} 个单元的 tagsCode 是 {found}，按消息的 tag 应是 {expected}：按 tag 过滤会漏掉它。",
    ),
    (
        "finding.units-expired",
        "{queue} 有 {units} 个单元指向日志最前端（{start}）之前：消息已随文件删除。",
    ),
    (
        "finding.units-not-told-apart",
        "{queue} 从 {number} 起还有 {units} 个单元不属于任何消息，或没有逐个查看。",
    ),
    ("severity.error", "错误"),
    ("severity.info", "提示"),
    ("severity.warning", "警告"),
];
