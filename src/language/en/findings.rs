//! Findings, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "finding.conf-used",
        "Settings are taken from `{path}`: {names}",
    ),
    ("finding.empty", "The folder is empty."),
    (
        "finding.file-unknown",
        "The broker does not look at `{path}`.",
    ),
    (
        "finding.heap",
        "At `{offset}` the broker allocates {stored:bytes} at once; with a smaller heap it dies with OutOfMemoryError.",
    ),
    (
        "finding.index-size",
        "`{path}` has {found} bytes where maxHashSlotNum and maxIndexNum make {expected}.",
    ),
    (
        "finding.log-hole",
        "A log file is missing: `{path}`. The broker does not notice; consumers that come to {from} … {to} get nothing.",
    ),
    (
        "finding.loose-placed",
        "{files:count file|files} came without folders and were placed by content.",
    ),
    (
        "finding.loose-unplaced",
        "`{path}` looks like a consume queue file; which queue it belongs to cannot be told.",
    ),
    (
        "finding.not-a-store",
        "None of the {files:count file|files} looks like a broker's store.",
    ),
    (
        "finding.release-assumed",
        "The release was not given and files cannot tell it: {release} is assumed.",
    ),
    (
        "finding.setting-ignored",
        "The setting `{key}` decides nothing here: ignored.",
    ),
    (
        "finding.setting-not-followed",
        "The setting `{key}` changes what the broker does and is not followed here: the verdict is limited.",
    ),
    ("finding.zero-length", "`{path}` has no bytes."),
];
