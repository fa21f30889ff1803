//! Ways in and settings.

pub const TEXTS: &[(&str, &str)] = &[
    ("header.stores", "拖入了 {n} 个存储：请选择一个"),
    ("help.settings", "版本与设置"),
    ("settings.from.asked", "由您选择"),
    ("settings.from.conf", "来自 {file}"),
    ("settings.from.default", "未给出：broker 的默认值"),
    ("settings.from.files", "未给出：从文件读出"),
    ("settings.head", "版本与设置"),
    (
        "settings.lead",
        "使用 broker 自己的名称。留空则采用文件或 broker 默认值。",
    ),
    ("settings.open", "设置"),
    ("settings.release", "版本"),
    ("settings.release.none", "未给出：按 {release} 的规则"),
    ("settings.release.why", "同一系列的文件看起来一样"),
    ("settings.reset", "清除所有选择"),
    ("settings.run", "重新运行恢复"),
    ("settings.unset", "未给出"),
    ("settings.value.none", "{value}（未给出）"),
];
