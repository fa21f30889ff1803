//! Ways in and settings.

pub const TEXTS: &[(&str, &str)] = &[
    ("header.stores", "{n} stores were dropped: choose one"),
    ("help.settings", "release and settings"),
    ("settings.from.asked", "chosen by you"),
    ("settings.from.conf", "from {file}"),
    ("settings.from.default", "not given: the broker's default"),
    ("settings.from.files", "not given: read off the files"),
    ("settings.head", "Release and settings"),
    (
        "settings.lead",
        "The broker's own names. An empty field takes what the files or the broker's defaults say.",
    ),
    ("settings.open", "Settings"),
    ("settings.release", "Release"),
    ("settings.release.none", "not given: rules of {release}"),
    ("settings.release.why", "files of one line look alike"),
    ("settings.reset", "Forget all that was chosen"),
    ("settings.run", "Run the recovery again"),
    ("settings.unset", "not given"),
    ("settings.value.none", "{value} (not given)"),
];
