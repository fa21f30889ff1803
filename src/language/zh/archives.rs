//! What is said of archives and of several stores in a drop, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "finding.archive-cut",
        "`{path}` 在第 {offset} 字节处损坏（{why}）：其前的文件照常显示，其后的缺失。",
    ),
    (
        "finding.archive-damaged",
        "`{path}` 无法作为归档打开：第 {offset} 字节处 {why}。请重新拷贝，或解包后拖入目录。",
    ),
    (
        "finding.archive-entries",
        "`{path}` 的条目超过上限 {limit} 个。请解包后拖入存储目录。",
    ),
    (
        "finding.archive-held",
        "`{path}` 解开后（不计全零部分）超过 {limit:bytes}，而 .tar.zst 只能整个放在内存里。请解包，或改用 .tar.gz、.zip。",
    ),
    (
        "finding.archive-large",
        "`{path}` 解开后超过上限 {limit:bytes}。请解包后拖入存储目录。",
    ),
    (
        "finding.archive-left-cut",
        "`{path}` 在 {count} 个文件结束前就没有了，例如 `{first}`：不列入。",
    ),
    (
        "finding.archive-left-earlier",
        "`{path}` 中有 {count} 个文件名重复出现，例如 `{first}`：以最后一个为准。",
    ),
    (
        "finding.archive-left-encrypted",
        "`{path}` 中有 {count} 个文件加密，例如 `{first}`：不列入。请用密码解包后拖入目录。",
    ),
    (
        "finding.archive-left-link",
        "`{path}` 中有 {count} 个链接，例如 `{first}`：不列入，不会跟随链接。",
    ),
    (
        "finding.archive-left-method",
        "`{path}` 中有 {count} 个文件的压缩方式这里不支持，例如 `{first}`：不列入。请解包后拖入目录。",
    ),
    (
        "finding.archive-left-name",
        "`{path}` 中有 {count} 个条目的名字不可能是存储里的文件，例如 `{first}`：不列入。",
    ),
    (
        "finding.archive-left-special",
        "`{path}` 中有 {count} 个条目既不是文件也不是目录，例如 `{first}`：不列入。",
    ),
    (
        "finding.archive-none",
        "`{path}` 名为归档，内容却不是 .zip、.tar、.tar.gz 或 .tar.zst。",
    ),
    (
        "finding.archive-unreadable",
        "`{path}` 在第 {offset} 字节处读不出来：{why}。",
    ),
    (
        "finding.several-stores",
        "这里有 {count} 个存储，当前是 `{chosen}`。",
    ),
];
