//! Findings, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    ("finding.conf-used", "设置取自 `{path}`：{names}"),
    ("finding.empty", "目录是空的。"),
    ("finding.file-unknown", "broker 不会去看 `{path}`。"),
    (
        "finding.heap",
        "在 `{offset}` 处 broker 要一次性分配 {stored:bytes}；堆小于此就会因 OutOfMemoryError 退出。",
    ),
    (
        "finding.index-size",
        "`{path}` 长 {found} 字节，而按 maxHashSlotNum 和 maxIndexNum 应为 {expected} 字节。",
    ),
    (
        "finding.log-hole",
        "缺少一个日志文件：`{path}`。broker 不会发现；消费到 {from} … {to} 时取不到消息。",
    ),
    (
        "finding.loose-placed",
        "{files} 个文件没有目录信息，已按内容归位。",
    ),
    (
        "finding.loose-unplaced",
        "`{path}` 像是 consume queue 文件，但无法判断属于哪个队列。",
    ),
    (
        "finding.not-a-store",
        "在 {files} 个文件中没有找到 broker 的存储文件。",
    ),
    (
        "finding.release-assumed",
        "没有给出版本，从文件也看不出来：按 {release} 处理。",
    ),
    (
        "finding.setting-ignored",
        "配置项 `{key}` 在这里不起作用，已忽略。",
    ),
    (
        "finding.setting-not-followed",
        "配置项 `{key}` 会改变 broker 的行为，而这里没有模拟它：结论有局限。",
    ),
    ("finding.zero-length", "`{path}` 长度为 0。"),
];
