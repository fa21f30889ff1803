//! What a check finds, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    ("check.depends-on", "Step {step} of the start hangs on it."),
    (
        "check.seen",
        "Looked at: {messages:count message|messages}, {units:count queue unit|queue units}, {entries:count index entry|index entries}. Above info: {findings:count finding|findings}.",
    ),
    (
        "finding.bytes-behind-end",
        "{bytes:bytes} at {from} stand behind the log's end ({end}) and are no message.",
    ),
    (
        "finding.chain-broken",
        "Entry {number} of `{path}` points to entry {found} where its slot's chain has {expected}: entries before it are not found by their keys.",
    ),
    (
        "finding.chain-loop",
        "Entry {number} of `{path}` points forward to entry {found} (its slot's chain has {expected}): a look-up that follows it goes round for ever.",
    ),
    (
        "finding.entries-expired",
        "{entries:count entry|entries} of `{path}` {entries:plural points|point} before the log's front ({start}): the messages were deleted with their file.",
    ),
    (
        "finding.entry-ahead",
        "Entry {number} of `{path}` points to {offset}, behind the log's last message.",
    ),
    (
        "finding.entry-dangling",
        "Entry {number} of `{path}` points to {offset}, where no message begins.",
    ),
    (
        "finding.entry-garbage",
        "Entry {number} of `{path}` has a hash that no key has.",
    ),
    (
        "finding.entry-missing",
        "The message at {offset} is not in the index under {keys:count of its keys|of its keys}: look-up by it finds nothing.",
    ),
    (
        "finding.entry-out-of-order",
        "Entry {number} of `{path}` points back to {offset}, behind an entry of {before}: the message was indexed again.",
    ),
    (
        "finding.entry-wrong-key",
        "Entry {number} of `{path}` points to the message at {offset}, which has no such key.",
    ),
    (
        "finding.header-torn",
        "The message at {offset} passes its checksum, which covers the body alone, and its `{field}` cannot be.",
    ),
    (
        "finding.index-behind",
        "The index ends before {messages:count message|messages} of the log, from {first} on: look-up by key misses them until they are dispatched.",
    ),
    (
        "finding.index-empty",
        "`{path}` holds no entry (indexCount {found}).",
    ),
    (
        "finding.index-header",
        "The header of `{path}` cannot be believed: indexCount {found}.",
    ),
    (
        "finding.index-none",
        "There is no index file with entries: look-up by key finds nothing. A broker with messageIndexEnable=false has none.",
    ),
    (
        "finding.log-blank",
        "A blank at {offset} hides {bytes:bytes} of the log: the broker goes on to the next file there, and queues point behind it.",
    ),
    (
        "finding.log-length",
        "`{path}` has {found} bytes where a log file has {expected}.",
    ),
    (
        "finding.log-overlap",
        "`{path}` begins before `{before}` ends ({end}).",
    ),
    (
        "finding.log-rest",
        "{bytes:bytes} from {offset} on are the rest of an older end: the broker cut there once and was stopped in order since.",
    ),
    (
        "finding.log-zeros",
        "{bytes:bytes} of zeros at {offset} stand in the middle of the log: messages that queues point to lie behind them.",
    ),
    (
        "finding.not-covered",
        "{bytes:bytes} of the {of:bytes} of {messages:count message|messages} (headers, topics, properties) are covered by no checksum: damage there shows only where fields contradict each other.",
    ),
    (
        "finding.not-listed",
        "{more} more findings of the kind `{kind}` are not listed: {listed} of a kind are.",
    ),
    (
        "finding.physical-offset",
        "The message at {offset} says that it stands at {found}.",
    ),
    (
        "finding.properties-torn",
        "The message at {offset} passes its checksum, which covers the body alone, and {zeros} of the {length} bytes of its properties are zero: they were never written.",
    ),
    (
        "finding.queue-behind",
        "{queue} lacks {messages:count message|messages} at its end, the first one at {first}: consumers do not see them until they are dispatched.",
    ),
    (
        "finding.queue-front-missing",
        "{queue} begins behind queue offset {number}: the message at {offset} is in the log, and no consumer gets it.",
    ),
    (
        "finding.queue-hole",
        "{queue} lacks the units from {from} to {to}: a file is missing, or of another length.",
    ),
    (
        "finding.queue-length",
        "`{path}` has {found} bytes where a queue file has {expected}.",
    ),
    (
        "finding.queue-missing",
        "{queue} has no files; the log has messages of it from {offset} on.",
    ),
    (
        "finding.queue-offset-back",
        "The message at {offset} has queue offset {found} of {queue}, where {expected} comes next.",
    ),
    (
        "finding.queue-offset-gap",
        "The message at {offset} has queue offset {found} of {queue}, where {expected} comes next: the ones between are nowhere.",
    ),
    (
        "finding.record-batch",
        "At `{offset}` {part} is no number, though the record is whole.",
    ),
    (
        "finding.record-crc",
        "The body at {offset} does not have its checksum: stored {stored:hex}, computed {computed:hex}.",
    ),
    (
        "finding.record-crc-missing",
        "At `{offset}` the message has no property CRC, which forceVerifyPropCRC asks for.",
    ),
    (
        "finding.record-cut",
        "The record at {offset} needs {need:bytes} more, and {left:bytes} are left in the file.",
    ),
    (
        "finding.record-delay",
        "The delayed message at {offset} has a level that is no number ({length} characters).",
    ),
    (
        "finding.record-lengths",
        "The lengths of the parts of the record at {offset} sum to {sum}, and its size says {total}.",
    ),
    (
        "finding.record-magic",
        "{bytes:bytes} at {offset} are no message: magic code {found:hex}.",
    ),
    (
        "finding.record-part",
        "The record at {offset} has a {part} of length {len}.",
    ),
    (
        "finding.record-size",
        "The record at {offset} says it has {stored} bytes.",
    ),
    (
        "finding.slot-wrong",
        "Slot {slot} of `{path}` points to entry {found}, and its newest one is {expected}: keys of this slot are not found.",
    ),
    (
        "finding.stale-in-line",
        "The whole record ({bytes:bytes}) at {offset} says that it stands at {found}, and no queue knows it here: left from an older end, and a start that comes to it takes it as good.",
    ),
    (
        "finding.stale-records",
        "{messages:count whole message|whole messages} ({bytes:bytes}) from {from} on stand behind the log's end ({end}), and no queue knows them: cut off once, and still on disk.",
    ),
    (
        "finding.unit-ahead",
        "Unit {number} of {queue} points to {offset}, behind the log's end.",
    ),
    (
        "finding.unit-deliver-time",
        "Unit {number} of {queue} has delivery time {found} where the message's level makes {expected}: a start that did not know the levels wrote it.",
    ),
    (
        "finding.unit-duplicate",
        "Unit {number} of {queue} repeats the message of unit {found}, at {offset}: consumers get it twice.",
    ),
    (
        "finding.unit-empty",
        "Unit {number} of {queue} was never written, and units behind it were.",
    ),
    (
        "finding.unit-filler",
        "Unit {number} of {queue} is filler in the middle of the queue.",
    ),
    (
        "finding.unit-garbage",
        "Unit {number} of {queue} cannot be one: offset {offset}, size {size}.",
    ),
    (
        "finding.unit-misplaced",
        "Unit {number} of {queue} points to {offset}, a message of {found}.",
    ),
    (
        "finding.unit-orphan",
        "Unit {number} of {queue} points to {offset}, where no message begins.",
    ),
    (
        "finding.unit-overlap",
        "Unit {number} of {queue} points to {offset}, inside the message of the unit before it.",
    ),
    (
        "finding.unit-shifted",
        "Unit {number} of {queue} points to {offset}, whose message has queue offset {found}: places and queue offsets differ from there on.",
    ),
    (
        "finding.unit-size",
        "Unit {number} of {queue} says {size} bytes for the message at {offset}, which has {found}.",
    ),
    (
        "finding.unit-tags",
        "Unit {number} of {queue} has tags code {found} where the message's tag makes {expected}: filters miss it.",
    ),
    (
        "finding.units-expired",
        "{units:count unit|units} of {queue} {units:plural points|point} before the log's front ({start}): the messages were deleted with their file.",
    ),
    (
        "finding.units-not-told-apart",
        "{units:count more unit|more units} of {queue} from {number} on are no message's, or were not looked at one by one.",
    ),
    ("severity.error", "error"),
    ("severity.info", "info"),
    ("severity.warning", "warning"),
];
