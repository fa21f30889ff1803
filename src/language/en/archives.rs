//! What is said of archives and of several stores in a drop, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "finding.archive-cut",
        "`{path}` is damaged at byte {offset} ({why}): the files before it are shown, those behind it are missing.",
    ),
    (
        "finding.archive-damaged",
        "`{path}` does not open as an archive: at byte {offset}, {why}. Copy it again, or unpack it and drop the folder.",
    ),
    (
        "finding.archive-entries",
        "`{path}` has more than {limit:count entry|entries}, which is the limit. Unpack it and drop the store's folder.",
    ),
    (
        "finding.archive-held",
        "`{path}` unpacks to more than {limit:bytes}, not counting zeros, and a .tar.zst is held in memory. Unpack it, or pack it as .tar.gz or .zip.",
    ),
    (
        "finding.archive-large",
        "`{path}` unpacks to more than {limit:bytes}, which is the limit. Unpack it and drop the store's folder.",
    ),
    (
        "finding.archive-left-cut",
        "`{path}` ends before {count:count file does|files do}, such as `{first}`: left out.",
    ),
    (
        "finding.archive-left-earlier",
        "`{path}` names {count:count file|files} more than once, such as `{first}`: the last one counts.",
    ),
    (
        "finding.archive-left-encrypted",
        "{count:count file is|files are} encrypted in `{path}`, such as `{first}`: left out. Unpack it with its password and drop the folder.",
    ),
    (
        "finding.archive-left-link",
        "{count:count entry|entries} of `{path}` {count:plural is a link|are links}, such as `{first}`: left out, links are not followed.",
    ),
    (
        "finding.archive-left-method",
        "{count:count file is|files are} compressed in `{path}` in a way that is not read here, such as `{first}`: left out. Unpack it and drop the folder.",
    ),
    (
        "finding.archive-left-name",
        "{count:count entry|entries} of `{path}` {count:plural has a name|have names} that cannot be a file's in a store, such as `{first}`: left out.",
    ),
    (
        "finding.archive-left-special",
        "{count:count entry|entries} of `{path}` {count:plural is|are} neither file nor folder, such as `{first}`: left out.",
    ),
    (
        "finding.archive-none",
        "`{path}` is called an archive, and its content is no .zip, .tar, .tar.gz or .tar.zst.",
    ),
    (
        "finding.archive-unreadable",
        "`{path}` could not be read at byte {offset}: {why}.",
    ),
    (
        "finding.several-stores",
        "There are {count} stores here; this is `{chosen}`.",
    ),
];
