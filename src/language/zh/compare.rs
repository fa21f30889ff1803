//! 两个结果并列。

pub const TEXTS: &[(&str, &str)] = &[
    ("candidates.and", "；"),
    (
        "candidates.differ",
        "在 **{releases}** 下结果不同：{what}。",
    ),
    ("candidates.row", "{label}为 {right}，而非 {left}"),
    (
        "candidates.same",
        "在文件同样允许的 **{releases}** 下结论相同。",
    ),
    ("differs.amount", "{bytes:bytes}，{messages:count 条消息}"),
    ("differs.bytes", "{bytes:bytes}"),
    ("differs.end", "启动"),
    ("differs.hangs", "一直无法就绪"),
    ("differs.none", "未知"),
    ("differs.refuses", "被拒绝"),
    ("differs.same", "结论相同。"),
    ("differs.starts", "成功"),
    ("differs.unreadable", "无法读取"),
    ("logs.differ", "{log}：从偏移量 {offset} 起不同"),
    (
        "logs.held",
        "{n:count 条}，{bytes:bytes}，偏移量 {first} 至 {last}",
    ),
    ("logs.nothing", "无"),
    ("logs.only-left", "仅左侧有"),
    ("logs.only-right", "仅右侧有"),
    ("logs.other-bytes", "字节不同"),
    ("logs.same", "{log}：两侧相同"),
];
