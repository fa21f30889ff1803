//! Two outcomes side by side.

pub const TEXTS: &[(&str, &str)] = &[
    ("candidates.and", "; "),
    (
        "candidates.differ",
        "Under **{releases}** it comes out otherwise: {what}.",
    ),
    ("candidates.row", "{label} {right}, not {left}"),
    (
        "candidates.same",
        "The verdict is the same under **{releases}**, which the files allow as well.",
    ),
    (
        "differs.amount",
        "{bytes:bytes} in {messages:count message|messages}",
    ),
    ("differs.bytes", "{bytes:bytes}"),
    ("differs.end", "the start"),
    ("differs.hangs", "never gets ready"),
    ("differs.none", "unknown"),
    ("differs.refuses", "refused"),
    ("differs.same", "The verdict is the same."),
    ("differs.starts", "starts"),
    ("differs.unreadable", "could not be read"),
    ("logs.differ", "{log}: from offset {offset} on they differ"),
    (
        "logs.held",
        "{n:count entry|entries}, {bytes:bytes}, offsets {first} to {last}",
    ),
    ("logs.nothing", "nothing"),
    ("logs.only-left", "only on the left"),
    ("logs.only-right", "only on the right"),
    ("logs.other-bytes", "with other bytes"),
    ("logs.same", "{log}: the same on both sides"),
];
