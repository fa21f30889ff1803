//! Kafka 的决策表及其附属文字：`rule.k.…` 及其 `.when`、`.then`，`end.k.…`、`next.k.…`、`finding.k-…`。

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.k.already-offline",
        "broker 无法启动：目录在加载途中被标记为失败。",
    ),
    (
        "end.k.checkpoint-refused",
        "broker 无法启动：`{path}` 无法读取。",
    ),
    (
        "end.k.checkpoint-unreadable",
        "broker 会停止：`{path}` 无法读取，日志目录被标记为失败。",
    ),
    (
        "end.k.corrupt-uncaught",
        "broker 无法启动：`{path}` 的 {at} 处不是批次，而干净停机标记使其不会被截断。",
    ),
    (
        "end.k.dir-name",
        "broker 无法启动：文件夹 `{name}` 不是分区。",
    ),
    (
        "end.k.epochs-unreadable",
        "broker 无法使用该目录启动：`{path}` 无法读取。",
    ),
    (
        "end.k.file-name",
        "broker 无法启动：`{path}` 的文件名开头不是数字。",
    ),
    (
        "end.k.index-refused",
        "broker 无法启动：索引 `{path}` 视为损坏。",
    ),
    (
        "end.k.load-throws",
        "broker 无法启动：`{path}` 的 {at} 处：{why}。",
    ),
    (
        "end.k.metadata-unreadable",
        "broker 无法使用该目录启动：`{path}` 无法读取。",
    ),
    (
        "end.k.split-impossible",
        "broker 无法启动：`{path}` 中的偏移量 {offset} 低于段基准。",
    ),
    (
        "end.k.txn-index-version",
        "broker 无法启动：`{path}` 含有版本 {version} 的事务。",
    ),
    (
        "finding.k-checksum",
        "`{path:file}` 的 {at} 处：偏移量 {offset} 至 {last} 的校验和不成立。读到该处的消费者会失败。",
    ),
    (
        "finding.k-index-entry",
        "`{path:file}` 的 {at} 处：偏移量 {offset} 指向位置 {position}，那里没有该偏移量的批次。",
    ),
    (
        "finding.k-index-missing",
        "`{path:file}` 不存在：下次启动会校验整个段。",
    ),
    (
        "finding.k-no-batch",
        "`{path:file}` 的 {at} 处：{bytes:bytes} 不是批次。读到该处的消费者会失败。",
    ),
    (
        "finding.k-not-checked",
        "{bytes:bytes} 位于 recovery point 之前，未经读取即被采用。",
    ),
    (
        "finding.k-nothing-checked",
        "存在干净停机标记，因此 {bytes:bytes} 未经读取即被采用：停机之后发生的损坏只有消费者会发现。",
    ),
    (
        "finding.k-offset-back",
        "`{path:file}` 的 {at} 处：偏移量为 {first}，应不小于 {expected}。偏移量不受任何校验和保护。",
    ),
    (
        "finding.k-records",
        "`{path:file}` 的 {at} 处：校验和成立，但偏移量 {offset} 至 {last} 的记录无法读取：{why}。",
    ),
    (
        "finding.k-snapshot-bad",
        "`{path:file}` 已损坏（{why}）：broker 会删除它并使用更早的一个。",
    ),
    (
        "finding.k-time-index",
        "`{path:file}` 的 {at} 处：时间或偏移量回退。",
    ),
    (
        "finding.k-txn-index",
        "`{path:file}` 的 {at} 处：不是该段的已中止事务。",
    ),
    (
        "finding.k-zeros",
        "`{path:file}` 的 {at} 处：到文件末尾共 {bytes:bytes} 的零。若有干净停机标记，启动会因此失败。",
    ),
    (
        "next.bytes-cut.kafka",
        "启动 broker：它截断的部分不含完整批次。",
    ),
    (
        "next.k.already-offline",
        "先修复检查点文件：复制目录，然后删除该文件。",
    ),
    (
        "next.k.checkpoint-refused",
        "先复制目录，再删除该文件：没有它会校验每个段。",
    ),
    (
        "next.k.checkpoint-unreadable",
        "先复制目录，再删除该检查点文件：没有它会校验每个段，耗时更长，但不会丢失完好的数据。",
    ),
    (
        "next.k.corrupt-uncaught",
        "复制目录，在副本中删除 `.kafka_cleanshutdown` 再拖到这里：会显示将截断什么。",
    ),
    ("next.k.dir-name", "把该文件夹移出日志目录。"),
    (
        "next.k.epochs-unreadable",
        "先复制该文件，再清空它：遍历批次时会重新找到 epoch。",
    ),
    ("next.k.file-name", "把该文件移出分区文件夹。"),
    (
        "next.k.index-refused",
        "先复制目录，再删除该索引：缺失的索引会被重建。",
    ),
    (
        "next.k.load-throws",
        "与副本比较该文件；在改动目录之前，先把改过的副本拖到这里查看。",
    ),
    (
        "next.k.metadata-unreadable",
        "从该分区的另一个副本复制该文件：topic id 相同。",
    ),
    (
        "next.k.split-impossible",
        "与副本比较该批次；在改动目录之前，先把改过的副本拖到这里查看。",
    ),
    (
        "next.k.txn-index-version",
        "在副本上删除该 `.txnindex` 和旁边的 `.index`：随后会校验该段并重建两者。",
    ),
    (
        "next.messages-cut.kafka",
        "先复制目录：截断点之后有 {messages:count 条记录}现在可读，broker 启动后就没有了。查看其他副本是否持有它们，然后启动 broker。",
    ),
    ("phase.check", "校验"),
    ("phase.producers", "生产者"),
    ("phase.shutdown", "随后干净停机"),
    ("phase.walk", "哪些段"),
    (
        "rule.k.already-offline",
        "`{path}`：目录已被标记为失败，此时读取批次：加载终止",
    ),
    (
        "rule.k.already-offline.then",
        "此时读取会抛出异常，broker 不启动。",
    ),
    (
        "rule.k.already-offline.when",
        "目录被标记为失败之后，有未完成事务需要查找其第一个批次吗？",
    ),
    (
        "rule.k.batches-good",
        "`{path:file}`：{batches:count 个批次}完好，偏移量 {first} 至 {last}，{bytes:bytes}",
    ),
    (
        "rule.k.batches-good.then",
        "保留。内容不解压，偏移量之间也不比较。",
    ),
    (
        "rule.k.batches-good.when",
        "每个批次的长度和校验和都成立吗？",
    ),
    (
        "rule.k.check-control",
        "`{path:file}` 的 {at} 处：控制批次无法读取（{why}）",
    ),
    (
        "rule.k.check-control.then",
        "遍历止于该批次之后：其后截断。",
    ),
    (
        "rule.k.check-control.when",
        "能从控制批次读出事务的结束吗？",
    ),
    (
        "rule.k.check-crc32",
        "`{path:file}` 的 {at} 处：CRC-32 存 `{stored:hex}`、算 `{computed:hex}`，偏移量 {offset}，{size:bytes}",
    ),
    (
        "rule.k.check-crc32.then",
        "遍历到此为止：该消息及其后一切都截断，无论完好与否。",
    ),
    (
        "rule.k.check-crc32.when",
        "v0 或 v1 消息的校验和成立吗？它覆盖 magic 起的全部。",
    ),
    (
        "rule.k.check-crc32c",
        "`{path:file}` 的 {at} 处：CRC-32C 存 `{stored:hex}`、算 `{computed:hex}`，base offset {offset}，{size:bytes}",
    ),
    (
        "rule.k.check-crc32c.then",
        "遍历到此为止：该批次及其后一切都截断，无论完好与否。",
    ),
    (
        "rule.k.check-crc32c.when",
        "批次的校验和成立吗？它覆盖 attributes 起的全部，不含偏移量、长度、epoch 和 magic。",
    ),
    (
        "rule.k.check-largest",
        "`{path:file}` 的 {at} 处：长度 {size}，大于 max.message.bytes {largest}",
    ),
    (
        "rule.k.check-largest.then",
        "遍历到此为止，其后截断：即使只是调低了设置而数据完好。从 0.11 起不再检查。",
    ),
    (
        "rule.k.check-largest.when",
        "消息大于 max.message.bytes 吗？",
    ),
    (
        "rule.k.check-overhead",
        "`{path:file}` 的 {at} 处：{size} 字节，不足一个头部",
    ),
    ("rule.k.check-overhead.then", "遍历到此为止：其后截断。"),
    ("rule.k.check-overhead.when", "v2 批次至少有完整头部吗？"),
    (
        "rule.k.check-size",
        "`{path:file}` 的 {at} 处：长度 {size}，小于最小消息的 {least}",
    ),
    (
        "rule.k.check-size.then",
        "遍历到此为止：其后截断。最后一个批次之后的零也归于此。",
    ),
    ("rule.k.check-size.when", "批次长度至少为最小消息的长度吗？"),
    ("rule.k.checkpoint-made", "`{path:file}` 不存在：创建空文件"),
    (
        "rule.k.checkpoint-made.then",
        "创建一个空文件。没有条目即为 0：遍历从第一个段开始。",
    ),
    ("rule.k.checkpoint-made.when", "检查点文件存在吗？"),
    (
        "rule.k.checkpoint-refused",
        "`{path:file}` 无法读取（{why}）：加载终止",
    ),
    (
        "rule.k.checkpoint-refused.then",
        "0.8 不启动。从 0.10 起按空文件处理。",
    ),
    (
        "rule.k.checkpoint-refused.when",
        "recovery point 能读取吗？",
    ),
    (
        "rule.k.checkpoint-reset",
        "`{path:file}` 第 {line} 行不是数字：按空文件处理",
    ),
    (
        "rule.k.checkpoint-reset.then",
        "按空文件处理，目录继续使用。",
    ),
    ("rule.k.checkpoint-reset.when", "条目中有不是数字的词吗？"),
    (
        "rule.k.checkpoint-unreadable",
        "`{path:file}` 无法读取（{why}）：目录被标记为失败",
    ),
    (
        "rule.k.checkpoint-unreadable.then",
        "按空文件继续加载，但目录已被标记为失败：没有其他目录的 broker 会停止。",
    ),
    (
        "rule.k.checkpoint-unreadable.when",
        "检查点文件能读取吗：版本、条数、条目？",
    ),
    (
        "rule.k.corrupt-uncaught",
        "`{path:file}`：{at} 处不是批次，出现在没有防备的地方：加载终止",
    ),
    (
        "rule.k.corrupt-uncaught.then",
        "broker 不启动。干净停机之后，最后一个批次之后有零便会如此；删除标记则会截掉它们并启动。",
    ),
    (
        "rule.k.corrupt-uncaught.when",
        "损坏是在查找日志末端时遇到的，而不是在遍历时吗？",
    ),
    ("rule.k.dir-name", "文件夹 `{name}` 不是分区：加载终止"),
    (
        "rule.k.dir-name.then",
        "broker 不启动。此时尚未加载任何东西，但干净停机标记已被删除。",
    ),
    (
        "rule.k.dir-name.when",
        "每个文件夹名都是主题、连字符加数字吗？",
    ),
    ("rule.k.dir-to-delete", "`{path}` 是已删除的分区：很快删除"),
    (
        "rule.k.dir-to-delete.then",
        "加载后，file.delete.delay.ms 之后删除。",
    ),
    ("rule.k.dir-to-delete.when", "文件夹名以 `-delete` 结尾吗？"),
    ("rule.k.epoch-found", "leader epoch {epoch} 从 {offset} 起"),
    (
        "rule.k.epoch-found.then",
        "该 epoch 及其起点写入 `{path:file}`。",
    ),
    (
        "rule.k.epoch-found.when",
        "批次的 leader epoch 比已知的新吗？",
    ),
    (
        "rule.k.epochs-before-start",
        "leader epoch {epoch} 现在起于 log start {start}",
    ),
    (
        "rule.k.epochs-before-start.then",
        "在其之前结束的删除；包含它的改为从该处开始，写入 `{path:file}`。",
    ),
    (
        "rule.k.epochs-before-start.when",
        "有 leader epoch 起于日志起点之前吗？",
    ),
    (
        "rule.k.epochs-behind-end",
        "起点在 {end} 或之后的 leader epoch 删除",
    ),
    (
        "rule.k.epochs-behind-end.then",
        "从 `{path:file}` 中删除其条目。",
    ),
    (
        "rule.k.epochs-behind-end.when",
        "有 leader epoch 起于日志末端或之后吗？",
    ),
    (
        "rule.k.epochs-unreadable",
        "`{path:file}` 无法读取（{why}）",
    ),
    (
        "rule.k.epochs-unreadable.then",
        "从 3.0 起目录被标记为失败、其余分区继续加载；之前启动就此终止。空文件不算失败。",
    ),
    (
        "rule.k.epochs-unreadable.when",
        "`leader-epoch-checkpoint` 能读取吗？",
    ),
    (
        "rule.k.file-cleaned",
        "`{path:file}` 是未完成的清理结果：删除",
    ),
    (
        "rule.k.file-cleaned.then",
        "删除：压缩或拆分还没有写完它。原文件仍在。",
    ),
    ("rule.k.file-cleaned.when", "文件名以 `.cleaned` 结尾吗？"),
    ("rule.k.file-deleted", "`{path:file}` 本待删除：现在删除"),
    (
        "rule.k.file-deleted.then",
        "删除：broker 在延迟删除执行之前停机了。",
    ),
    ("rule.k.file-deleted.when", "文件名以 `.deleted` 结尾吗？"),
    (
        "rule.k.file-name",
        "`{path:file}` 的文件名开头不是数字：加载终止",
    ),
    (
        "rule.k.file-name.then",
        "broker 不启动。其他种类的文件名随意。",
    ),
    (
        "rule.k.file-name.when",
        "日志、索引、快照的文件名以偏移量开头吗？",
    ),
    (
        "rule.k.flag-absent",
        "没有干净停机标记：将校验可能未刷盘的部分",
    ),
    (
        "rule.k.flag-absent.then",
        "上次停机不干净：每个分区都从其 recovery point 起遍历。",
    ),
    (
        "rule.k.flag-absent.when",
        "日志目录中有 `.kafka_cleanshutdown` 吗？",
    ),
    ("rule.k.flag-present", "存在干净停机标记：什么都不会校验"),
    (
        "rule.k.flag-present.then",
        "上次停机是干净的：不会遍历任何段，无论它现在损坏与否。日志末端从最后一个索引条目起取得。",
    ),
    (
        "rule.k.flag-present.when",
        "日志目录中有 `.kafka_cleanshutdown` 吗？其内容不会被读取。",
    ),
    ("rule.k.flag-removed", "加载之前先删除标记"),
    (
        "rule.k.flag-removed.then",
        "现在就删除它，加载途中崩溃便算作崩溃。2.7 及以前在加载之后才删除。",
    ),
    ("rule.k.flag-removed.when", "开始加载时标记还在吗？"),
    (
        "rule.k.index-corrupt",
        "`{path:file}`：最后偏移量 {last}，基准 {base}，{size:bytes}：视为损坏，校验该段并重建索引",
    ),
    (
        "rule.k.index-corrupt.then",
        "否则校验并截断该段，重建两个索引。崩溃之后每个活动段的索引都会如此：它以零结尾。",
    ),
    (
        "rule.k.index-corrupt.when",
        "索引的最后条目在基准之上，且文件为整数个条目吗？",
    ),
    (
        "rule.k.index-missing",
        "`{path:file}` 不存在：校验该段并重建索引",
    ),
    (
        "rule.k.index-missing.then",
        "整段校验，干净停机之后也如此，并在第一个坏批次处截断。其后的段保留，因此可能留下空洞。",
    ),
    (
        "rule.k.index-missing.when",
        "段的 `.index` 存在吗？其条目不会被查看。",
    ),
    (
        "rule.k.index-orphan",
        "`{path:file}` 没有对应的日志文件：删除",
    ),
    ("rule.k.index-orphan.then", "删除索引。"),
    ("rule.k.index-orphan.when", "该索引有对应的日志文件吗？"),
    (
        "rule.k.index-rebuilt",
        "重建 `{path:file}`：{entries:count 个条目}，时间索引 {times} 个",
    ),
    (
        "rule.k.index-rebuilt.then",
        "偏移量索引和时间索引各写一个条目。原有条目不再；新条目位置可能不同，同样正确。",
    ),
    (
        "rule.k.index-rebuilt.when",
        "自上一个条目起读过的字节超过 index.interval.bytes 吗？",
    ),
    (
        "rule.k.index-refused",
        "`{path:file}`：最后偏移量 {last}，基准 {base}，{size:bytes}：视为损坏，加载终止",
    ),
    (
        "rule.k.index-refused.then",
        "否则 0.8 不启动：它只重建缺失的索引。",
    ),
    (
        "rule.k.index-refused.when",
        "遍历之后：每个索引的最后条目都在基准之上，且文件为整数个条目吗？",
    ),
    (
        "rule.k.later-deleted",
        "`{path:file}` 位于截断点之后：标记删除，{bytes:bytes}",
    ),
    (
        "rule.k.later-deleted.then",
        "获得 `.deleted` 后缀，file.delete.delay.ms 之后删除：在此之前可以复制其字节。",
    ),
    (
        "rule.k.later-deleted.when",
        "段位于被截断的段之后，或 log start 超出末端吗？",
    ),
    ("rule.k.load-throws", "`{path}` 的 {at} 处：{why}：加载终止"),
    ("rule.k.load-throws.then", "broker 不启动。"),
    ("rule.k.load-throws.when", "加载抛出了无人捕获的异常吗？"),
    (
        "rule.k.loaded",
        "`{path}` 加载完成：偏移量 {start} 至 {end}，recovery point {point}，{segments:count 个段}",
    ),
    (
        "rule.k.loaded.then",
        "从末端继续追加。崩溃之后 recovery point 不前移：取检查点与日志末端的较小者。",
    ),
    ("rule.k.loaded.when", "分区的日志就绪了吗？"),
    (
        "rule.k.log-start-beyond",
        "`{path}`：log start {start} 超出末端 {end}：删除全部段",
    ),
    (
        "rule.k.log-start-beyond.then",
        "无论有无标记，删除全部段，并在 log start 处新建空段。",
    ),
    (
        "rule.k.log-start-beyond.when",
        "日志末端在检查点的 log start offset 之前吗？",
    ),
    (
        "rule.k.log-starts",
        "读取 {entries:count 个 log start offset}",
    ),
    (
        "rule.k.log-starts.then",
        "分区从该处或其第一个段开始，取较晚者。",
    ),
    (
        "rule.k.log-starts.when",
        "`log-start-offset-checkpoint` 写了什么？",
    ),
    (
        "rule.k.log-truncated",
        "日志现在止于 {next}；删除其后 {later:count 个段}",
    ),
    (
        "rule.k.log-truncated.then",
        "遍历结束。其后的段不经读取全部删除。",
    ),
    ("rule.k.log-truncated.when", "该段被截断了吗？"),
    (
        "rule.k.metadata-log",
        "`{path}` 是 KRaft 自己的日志：交给 controller",
    ),
    (
        "rule.k.metadata-log.then",
        "broker 的加载过程会跳过它。controller 每次启动都以 recovery point 0 打开并全部校验；此处不跟踪。",
    ),
    (
        "rule.k.metadata-log.when",
        "该文件夹是 KRaft 的 `__cluster_metadata` 吗？",
    ),
    (
        "rule.k.metadata-unreadable",
        "`{path:file}` 无法读取（{why}）",
    ),
    (
        "rule.k.metadata-unreadable.then",
        "从 3.0 起目录被标记为失败、其余分区继续加载；之前启动就此终止。",
    ),
    (
        "rule.k.metadata-unreadable.when",
        "`partition.metadata` 能读取吗：版本和 topic id？",
    ),
    (
        "rule.k.producers-none",
        "`{path}`：干净停机后没有快照：视为没有生产者",
    ),
    (
        "rule.k.producers-none.then",
        "视为没有生产者，什么也不读取。继续写入的生产者可能重复写入批次。",
    ),
    (
        "rule.k.producers-none.when",
        "一个快照也没有，而停机是干净的吗？",
    ),
    (
        "rule.k.producers-replayed",
        "从 `{path:file}` 的 {batches:count 个批次}取得生产者状态",
    ),
    (
        "rule.k.producers-replayed.then",
        "为取得生产者而读取；此处不看校验和。",
    ),
    (
        "rule.k.producers-replayed.when",
        "快照之后还有带生产者的批次吗？",
    ),
    (
        "rule.k.recovery-points",
        "读取 {entries:count 个 recovery point}",
    ),
    (
        "rule.k.recovery-points.then",
        "分区在其 recovery point 之前视为已刷盘，崩溃之后也不遍历。",
    ),
    (
        "rule.k.recovery-points.when",
        "`recovery-point-offset-checkpoint` 写了什么？",
    ),
    (
        "rule.k.segment-cut",
        "`{path:file}` 从 {from} 截至 {to}：丢弃 {bytes:bytes}",
    ),
    (
        "rule.k.segment-cut.then",
        "文件在此截断。broker 启动之后这些字节就没有了：若其他副本没有，请先复制。",
    ),
    (
        "rule.k.segment-cut.when",
        "最后一个完好批次之后还有内容吗？",
    ),
    (
        "rule.k.segment-emptied",
        "`{path:file}`：偏移量在该写索引条目处回退：整段清空，{bytes:bytes}",
    ),
    (
        "rule.k.segment-emptied.then",
        "整段截为空，完好的批次也在内。同样的损坏若稍偏离索引条目则不会被注意。",
    ),
    (
        "rule.k.segment-emptied.when",
        "在写索引条目处，偏移量不大于上一个吗？",
    ),
    ("rule.k.segment-new", "`{path:file}`：在 {base} 处新建空段"),
    ("rule.k.segment-new.then", "新建一个空段。"),
    ("rule.k.segment-new.when", "没有段剩下吗？"),
    (
        "rule.k.segment-replaced",
        "`{path:file}` 被替换：标记删除，{bytes:bytes}",
    ),
    (
        "rule.k.segment-replaced.then",
        "它们获得 `.deleted` 后缀，file.delete.delay.ms 之后删除。",
    ),
    (
        "rule.k.segment-replaced.when",
        "swap 段或拆分段替换了哪些段？",
    ),
    (
        "rule.k.segment-split",
        "`{path:file}`：偏移量 {offset} 超出段基准 2³¹：拆分",
    ),
    (
        "rule.k.segment-split.then",
        "在不满足处拆分该段，并从 recovery point 重新遍历。",
    ),
    (
        "rule.k.segment-split.when",
        "每个偏移量都在段基准之上的 31 位以内吗？",
    ),
    ("rule.k.snapshot-bad", "`{path:file}` 已损坏（{why}）：删除"),
    (
        "rule.k.snapshot-bad.then",
        "删除并使用更早的一个；缺少的从日志读取。",
    ),
    (
        "rule.k.snapshot-bad.when",
        "快照的版本、长度、校验和成立吗？",
    ),
    ("rule.k.snapshot-marked", "`{path:file}` 随其段一同删除"),
    ("rule.k.snapshot-marked.then", "它也获得 `.deleted` 后缀。"),
    ("rule.k.snapshot-marked.when", "被删除的段有快照吗？"),
    (
        "rule.k.snapshot-outside",
        "`{path:file}` 在目前读到的日志之外：删除",
    ),
    (
        "rule.k.snapshot-outside.then",
        "删除，遍历到该处时重新写出。",
    ),
    (
        "rule.k.snapshot-outside.when",
        "快照在 log start 或之前，或在生产者状态构建终点之后吗？",
    ),
    (
        "rule.k.snapshot-read",
        "从 `{path:file}` 读取 {producers:count 个生产者}",
    ),
    ("rule.k.snapshot-read.then", "序列号和未完成事务取自它。"),
    ("rule.k.snapshot-read.when", "最新的生产者快照是哪个？"),
    ("rule.k.snapshot-stray", "`{path:file}` 不属于任何段：删除"),
    (
        "rule.k.snapshot-stray.then",
        "其中只保留最新的一个，且须晚于所有段：那是干净停机写下的。",
    ),
    ("rule.k.snapshot-stray.when", "有快照的偏移量不是段起点吗？"),
    (
        "rule.k.snapshot-written",
        "{offset} 处的 {producers:count 个生产者}写入 `{path:file}`",
    ),
    (
        "rule.k.snapshot-written.then",
        "写出快照，下次启动不必再读这一部分。",
    ),
    (
        "rule.k.snapshot-written.when",
        "自上次快照以来状态前进了吗？",
    ),
    (
        "rule.k.split-impossible",
        "`{path:file}`：偏移量 {offset} 低于段基准 {base}：被当成过高，拆分失败",
    ),
    (
        "rule.k.split-impossible.then",
        "broker 不启动：它试图拆分一个无可拆分的段。",
    ),
    ("rule.k.split-impossible.when", "有偏移量低于段基准吗？"),
    (
        "rule.k.stop-checkpoint",
        "写出 `{path:file}`：{entries:count 个条目}",
    ),
    ("rule.k.stop-checkpoint.then", "写出偏移量。"),
    ("rule.k.stop-checkpoint.when", "所有日志都关闭了吗？"),
    ("rule.k.stop-flag", "写出标记：下次启动将什么都不校验"),
    (
        "rule.k.stop-flag.then",
        "创建标记。从此以后文件发生什么都不会被注意。",
    ),
    ("rule.k.stop-flag.when", "所有日志都顺利关闭了吗？"),
    (
        "rule.k.stop-flush",
        "`{path}` 刷盘：recovery point {from} 至 {to}",
    ),
    (
        "rule.k.stop-flush.then",
        "干净停机会刷盘，recovery point 成为日志末端。",
    ),
    ("rule.k.stop-flush.when", "日志有未刷盘的内容吗？"),
    (
        "rule.k.swap-covered",
        "`{path:file}` 已被 swap 段覆盖：删除",
    ),
    (
        "rule.k.swap-covered.then",
        "日志、索引、快照一并删除：压缩已完成，只差替换。",
    ),
    (
        "rule.k.swap-covered.when",
        "文件的偏移量在 `.swap` 段覆盖的 {from} 至 {to} 之内吗？",
    ),
    (
        "rule.k.swap-index-deleted",
        "`{path:file}` 位于 swap 日志旁：删除",
    ),
    (
        "rule.k.swap-index-deleted.then",
        "删除索引：校验 swap 日志时会重建。",
    ),
    ("rule.k.swap-index-deleted.when", "该段有 `.swap` 文件吗？"),
    (
        "rule.k.swap-invalid",
        "`{path:file}` 属于未完成的拆分：删除",
    ),
    (
        "rule.k.swap-invalid.then",
        "删除 `.swap` 文件：拆分还没有写出全部部分。原文件仍在。",
    ),
    (
        "rule.k.swap-invalid.when",
        "在该 `.swap` 文件的偏移量处或之前有 `.cleaned` 文件吗？",
    ),
    ("rule.k.swap-recovered", "`{path:file}` 按未刷盘的段校验"),
    (
        "rule.k.swap-recovered.then",
        "校验，若残缺则截断，再替换它覆盖的段。从 3.0 起只重命名。",
    ),
    ("rule.k.swap-recovered.when", "还有 `.swap` 日志吗？"),
    ("rule.k.swap-renamed", "`{path:file}` 原样就位，不查看内容"),
    (
        "rule.k.swap-renamed.then",
        "重命名。从 3.0 起不再校验；之前会校验。",
    ),
    ("rule.k.swap-renamed.when", "还有 `.swap` 文件吗？"),
    (
        "rule.k.time-index-last",
        "`{path:file}`：最后条目 {time:time}，偏移量 {offset}",
    ),
    (
        "rule.k.time-index-last.then",
        "它成为时间索引的最后一个条目，与关闭段时一样。",
    ),
    ("rule.k.time-index-last.when", "段中最大的时间戳是多少？"),
    (
        "rule.k.time-index-missing",
        "`{path:file}` 不存在：创建空文件",
    ),
    (
        "rule.k.time-index-missing.then",
        "创建空文件，不重建。在遍历该段之前，按时间查找不到其中的条目。",
    ),
    (
        "rule.k.time-index-missing.when",
        "段的 `.timeindex` 存在吗？",
    ),
    (
        "rule.k.txn-index-below",
        "`{path:file}`：有事务止于 {last}，早于段起点 {base}",
    ),
    ("rule.k.txn-index-below.then", "整段校验并重建其索引。"),
    (
        "rule.k.txn-index-below.when",
        "有已中止事务在段起点之前结束吗？",
    ),
    (
        "rule.k.txn-index-rebuilt",
        "生产者 {producer} 的已中止事务 {first} 至 {last} 写入 `{path:file}`",
    ),
    (
        "rule.k.txn-index-rebuilt.then",
        "写入事务索引，只读已提交数据的读者会跳过它。",
    ),
    ("rule.k.txn-index-rebuilt.when", "控制批次中止了事务吗？"),
    (
        "rule.k.txn-index-version",
        "`{path:file}`：{at} 处版本为 {version}：加载终止",
    ),
    (
        "rule.k.txn-index-version.then",
        "broker 不启动。无论是否干净停机，每个段都做此检查。",
    ),
    (
        "rule.k.txn-index-version.when",
        "每个已中止事务的版本都认识吗？",
    ),
    (
        "rule.k.walk-from",
        "`{path}`：recovery point {point}：遍历 {segments:count 个段}，信任 {skipped} 个",
    ),
    (
        "rule.k.walk-from.then",
        "逐批读取。更早的段中的损坏不会被发现；最后一个段总会读取。",
    ),
    (
        "rule.k.walk-from.when",
        "哪些段可能含有未刷盘的内容？从包含 recovery point 的段起。",
    ),
    ("run.phase.check", "校验段的 {n} 个步骤"),
    ("run.phase.producers", "构建生产者状态的 {n} 个步骤"),
    ("run.phase.shutdown", "干净停机的 {n} 个步骤"),
    ("run.phase.walk", "选择段的 {n} 个步骤"),
    ("verdict.all-there.kafka", "读取的每个批次都完好。"),
    (
        "verdict.cut-bytes.all-read.kafka",
        "截断 {bytes:bytes}，其中没有完整批次；其余均已校验。",
    ),
    (
        "verdict.cut-bytes.unread.kafka",
        "截断 {bytes:bytes}，其中没有完整批次；{unread:bytes} 未校验。",
    ),
    (
        "verdict.cut.all-read.kafka",
        "截断 {messages:count 条记录}，{bytes:bytes}；其余段均已校验。",
    ),
    (
        "verdict.cut.unread.kafka",
        "截断 {messages:count 条记录}，{bytes:bytes}；{unread:bytes} 未校验。",
    ),
    (
        "verdict.torn-too.kafka",
        "截断部分中有 {bytes:bytes} 不含完整批次。",
    ),
];
