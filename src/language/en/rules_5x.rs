//! The sentences of the rows that came with 5.x.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.index.folder-refuses",
        "The broker will not start: `{path}` is a folder where index files are expected.",
    ),
    (
        "end.table.empty-last-file",
        "The broker will not start: the last file of {queue} has no unit.",
    ),
    (
        "end.table.unconfirmed-magic",
        "The broker will not start: with duplicationEnable, what stands at confirmOffset `{offset}` is no message of version 1.",
    ),
    (
        "next.index.folder-refuses",
        "Copy the store first, then move this folder out of index. The recovery has run all the same: look at what it cuts before you start the broker again.",
    ),
    (
        "next.table.empty-last-file",
        "Copy the store first, then move the empty last file `{path}` out of the queue's folder and drop the copy here again; 5.5 starts with it as it is.",
    ),
    (
        "next.table.unconfirmed-magic",
        "Check duplicationEnable: it is off by default. Copy the store before the broker touches it again.",
    ),
    (
        "rule.check.dup-info",
        "**DUP_INFO** `{found}` at `{offset}`: the log ends at a good message",
    ),
    (
        "rule.check.dup-info.then",
        "The record is taken as bad, and the log is cut here. No class of the store writes that property, so that with duplicationEnable every message with properties ends the log.",
    ),
    (
        "rule.check.dup-info.when",
        "With duplicationEnable: is the property DUP_INFO missing, or has it not two parts?",
    ),
    (
        "rule.check.inner-batch",
        "**{part}** `{text}` at `{offset}` is no number",
    ),
    (
        "rule.check.inner-batch.then",
        "The exception is caught and the record is taken as bad, though all its bytes are there.",
    ),
    (
        "rule.check.inner-batch.when",
        "Does a message that holds a batch name its offset or its count by something that is no number?",
    ),
    (
        "rule.check.negative-size-first",
        "**total size {stored}** at `{offset}`: the log ends here",
    ),
    (
        "rule.check.negative-size-first.then",
        "The record is taken as bad before anything else of it is read, without a log line.",
    ),
    (
        "rule.check.negative-size-first.when",
        "Is the total size negative?",
    ),
    (
        "rule.check.offset-field",
        "**offset field** `{stored}` at `{offset}`: another file's",
    ),
    (
        "rule.check.offset-field.then",
        "The log ends here: a message that says it stands in another file is left from an earlier use of these bytes. After a clean stop it is not asked.",
    ),
    (
        "rule.check.offset-field.when",
        "With checkCommitLogOffsetOnRecover: does the message say that it stands outside this file?",
    ),
    (
        "rule.check.property-crc",
        "**property CRC differs** at `{offset}`: stored {stored:hex}, computed {computed:hex}",
    ),
    (
        "rule.check.property-crc-missing",
        "**no property CRC** at `{offset}`",
    ),
    (
        "rule.check.property-crc-missing.then",
        "The record is taken as bad: with this setting a message written without enabledAppendPropCRC ends the log.",
    ),
    (
        "rule.check.property-crc-missing.when",
        "With forceVerifyPropCRC: has the message no CRC among its properties?",
    ),
    (
        "rule.check.property-crc.then",
        "Header, body, topic or properties are torn or changed, and the record is taken as bad. The broker's log line prints the body's CRC as the expected one.",
    ),
    (
        "rule.check.property-crc.when",
        "With forceVerifyPropCRC: does the CRC over the whole record differ from the one in its properties?",
    ),
    (
        "rule.check.size-beyond-file",
        "**record cut off** at `{offset}`: {need} bytes to come, {left} left",
    ),
    (
        "rule.check.size-beyond-file.then",
        "The record is taken as bad before anything else of it is read, without a log line.",
    ),
    (
        "rule.check.size-beyond-file.when",
        "Is the total size more than the file has left, or are four bytes or less left?",
    ),
    (
        "rule.check.topic-length-of-two-bytes",
        "messages of version 2 are read with two bytes of topic length",
    ),
    (
        "rule.check.topic-length-of-two-bytes.then",
        "It is read as any other; releases before 5.1 end the log at it.",
    ),
    (
        "rule.check.topic-length-of-two-bytes.when",
        "Has the record the magic number of version 2, for a topic longer than 127 bytes?",
    ),
    (
        "rule.index.folder-refuses",
        "`{path}` is a folder: the index does not load, and **the start ends**",
    ),
    (
        "rule.index.folder-refuses.then",
        "Loading of the index stops there and counts as failed. The recovery still runs to its end, with all that it cuts and writes; then load() gives false.",
    ),
    (
        "rule.index.folder-refuses.when",
        "Did a folder stop the loading of the index?",
    ),
    ("rule.index.tags", "tags are indexed too"),
    (
        "rule.index.tags.then",
        "The tag gets an entry of its own, as `TOPIC#T#TAG`. Index files fill sooner than under earlier releases.",
    ),
    ("rule.index.tags.when", "Has the message a tag?"),
    (
        "rule.load.delay-levels-front",
        "messageDelayLevel `{text}`: only the first {levels} levels are known",
    ),
    (
        "rule.load.delay-levels-front.then",
        "The levels behind the one that cannot be read are not known, and the broker starts all the same: delayed messages of a higher level count as of the last known one.",
    ),
    (
        "rule.load.delay-levels-front.when",
        "Is there a delay level that cannot be read?",
    ),
    (
        "rule.load.empty-last-file",
        "`{path}` is empty and the last of its row: **deleted**",
    ),
    (
        "rule.load.empty-last-file.then",
        "It is deleted and loading goes on. A full disk leaves such a file: it was created and never got its length. 4.9 refuses to start because of it.",
    ),
    (
        "rule.load.empty-last-file.when",
        "Is the last file of commitlog or of a queue 0 bytes long?",
    ),
    (
        "rule.load.folder-passed-by",
        "`{path}` is a folder: passed by",
    ),
    (
        "rule.load.folder-passed-by.then",
        "It is not taken for a file of the row. 4.9 compares its length and refuses to start.",
    ),
    (
        "rule.load.folder-passed-by.when",
        "Is there a folder among the files of commitlog or of a queue?",
    ),
    (
        "rule.logic.one-unit-file-goes-too",
        "**{queue}**: a file of one unit goes too",
    ),
    (
        "rule.logic.one-unit-file-goes-too.then",
        "It is deleted as well: that a file behind it was deleted is never forgotten, and a file of a single unit is read to its end.",
    ),
    (
        "rule.logic.one-unit-file-goes-too.when",
        "With queue files of a single unit: was a file behind this one deleted?",
    ),
    ("rule.mark.confirm-offset", "**confirmOffset** = `{offset}`"),
    (
        "rule.mark.confirm-offset.then",
        "The start of the last good message is kept as confirmOffset and goes into the checkpoint as confirmPhyOffset. Only duplicationEnable and controller mode ask for it; otherwise the log's end counts.",
    ),
    ("rule.mark.confirm-offset.when", "Is the scan over?"),
    (
        "rule.reput.from-confirm-offset",
        "**reput** starts at `{offset}`, the log's end: what is behind stays behind",
    ),
    (
        "rule.reput.from-confirm-offset.then",
        "Dispatch goes on with what will be written. Messages that recovery has not dispatched are in no queue and no index, and no later start looks for them (recheckReputOffsetFromCq is off by default).",
    ),
    (
        "rule.reput.from-confirm-offset.when",
        "Where does the log end (with duplicationEnable: which is confirmOffset)?",
    ),
    (
        "rule.scan.behind-queues-dispatched",
        "messages behind the queues are dispatched",
    ),
    (
        "rule.scan.behind-queues-dispatched.then",
        "It is dispatched. The furthest queue ends where the first missing message begins, and “greater” leaves just that one out, for good.",
    ),
    (
        "rule.scan.behind-queues-dispatched.when",
        "Without abort: is the message's offset greater than the end of the furthest queue?",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched",
        "duplicationEnable: ends beyond confirmOffset, not dispatched",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched.then",
        "It stays in the log, but queues and index do not get it.",
    ),
    (
        "rule.scan.unconfirmed-not-dispatched.when",
        "With duplicationEnable: does the message end beyond the checkpoint's confirmPhyOffset?",
    ),
    (
        "rule.start.abort-backed-up",
        "**abort** gets the process id; what it held goes to `{path}`",
    ),
    (
        "rule.start.abort-backed-up.then",
        "abort.bak means nothing: it is there after a clean stop too. Only abort counts.",
    ),
    ("rule.start.abort-backed-up.when", "Is abort written?"),
    (
        "rule.start.file-at-queues-end",
        "file `{path:file}`: **start here**, the queues reach to `{queues}`; {unread:bytes} before it not read",
    ),
    (
        "rule.start.file-at-queues-end.then",
        "The scan begins there. Damage in earlier files is not noticed, whatever it is.",
    ),
    (
        "rule.start.file-at-queues-end.when",
        "Without abort: which is the last file that begins at or before the end of the furthest queue?",
    ),
    (
        "rule.start.file-limit",
        "file `{path:file}`: **start here**, {files} files back is the limit; {unread:bytes} before it not read",
    ),
    (
        "rule.start.file-limit.then",
        "The scan begins here although the file was not found fit. Queues and index are not rebuilt for what lies before, and load() says nothing of it.",
    ),
    (
        "rule.start.file-limit.when",
        "Have commitLogRecoverMaxNum files been looked at (10 by default)?",
    ),
    (
        "rule.start.first-message-bad",
        "file `{path:file}`: its first message is not good: one file back",
    ),
    (
        "rule.start.first-message-bad.then",
        "The broker goes one file back. The whole check is made, CRC included, but on the first message of each file alone.",
    ),
    (
        "rule.start.first-message-bad.when",
        "Does the first message of the file fail the check?",
    ),
    (
        "rule.start.newer-than-index",
        "file `{path:file}`: first message {storeTimestamp:time} > indexMsgTimestamp {limit:time}: one file back",
    ),
    (
        "rule.start.newer-than-index.then",
        "The broker goes one file back, after a clean stop too. It knows nothing of index files that are lost.",
    ),
    (
        "rule.start.newer-than-index.when",
        "With messageIndexSafe: is the first message's store time later than indexMsgTimestamp?",
    ),
    (
        "rule.start.newer-than-queues",
        "file `{path:file}`: first message {storeTimestamp:time} > logicsMsgTimestamp {limit:time}: one file back",
    ),
    (
        "rule.start.newer-than-queues.then",
        "The broker goes one file back. The three seconds that earlier releases subtract are not subtracted, and the time of the log does not count.",
    ),
    (
        "rule.start.newer-than-queues.when",
        "After a crash, with a checkpoint that has no logicsPhysicalOffset (an older release wrote it): is the first message's store time later than logicsMsgTimestamp?",
    ),
    (
        "rule.start.offset-behind",
        "file `{path:file}`: first message says `{offset}` > `{limit}`: one file back",
    ),
    (
        "rule.start.offset-behind.then",
        "The broker goes one file back. It believes the message's own offset field, not the file's name.",
    ),
    (
        "rule.start.offset-behind.when",
        "Is the first message's physical offset greater than what the queues surely have (after a crash: logicsPhysicalOffset of the checkpoint)?",
    ),
    (
        "rule.start.offset-matched",
        "file `{path:file}`: **start here**, first message at `{offset}`",
    ),
    (
        "rule.start.offset-matched.then",
        "The scan begins with this file. What lies before it is taken as sound and as dispatched.",
    ),
    (
        "rule.start.offset-matched.when",
        "Has this file passed all of these tests?",
    ),
    (
        "rule.table.empty-last-file",
        "**{queue}**: the last file `{path:file}` has no unit: load() **fails**",
    ),
    (
        "rule.table.empty-last-file.then",
        "The broker reads the unit before the file's start, which throws, and load() gives false. Log and queues have been cut and rebuilt by then.",
    ),
    (
        "rule.table.empty-last-file.when",
        "Has the queue's last file no unit, while earlier ones have?",
    ),
    (
        "rule.table.min-offset-by-halves",
        "**{queue}**: minOffset = {offset}, found by halves",
    ),
    (
        "rule.table.min-offset-by-halves.then",
        "It becomes minOffset: consumers can read from there on. Units out of order mislead the search.",
    ),
    (
        "rule.table.min-offset-by-halves.when",
        "Which is the first unit of the queue's first file that points into the log?",
    ),
    (
        "rule.table.min-offset-stands",
        "minOffset stands where it was",
    ),
    (
        "rule.table.min-offset-stands.then",
        "It stays: the unit there points into the log. After a start it is 0.",
    ),
    (
        "rule.table.min-offset-stands.when",
        "Does the unit at minOffset point into the log?",
    ),
    (
        "rule.table.no-unit-in-log",
        "**{queue}**: no unit points into the log any more, minOffset = {offset}",
    ),
    (
        "rule.table.no-unit-in-log.then",
        "minOffset becomes the queue's end: nothing can be read from it, and its offsets go on from there.",
    ),
    (
        "rule.table.no-unit-in-log.when",
        "Does the queue's last unit point before the log's begin?",
    ),
    (
        "rule.table.queue-without-files",
        "queues without files begin at 0 again",
    ),
    (
        "rule.table.queue-without-files.then",
        "minOffset becomes 0 and maxPhysicOffset −1: its queue offsets are given out anew.",
    ),
    (
        "rule.table.queue-without-files.when",
        "Has the queue no file?",
    ),
    (
        "rule.table.unconfirmed-counted",
        "{messages:count message|messages} from confirmOffset `{offset}` on count for the queue offsets",
    ),
    (
        "rule.table.unconfirmed-counted.then",
        "The next queue offset is the one behind them, though no queue holds them.",
    ),
    (
        "rule.table.unconfirmed-counted.when",
        "With duplicationEnable: are there good messages from confirmOffset on?",
    ),
    (
        "rule.table.unconfirmed-magic",
        "magic {found:hex} at confirmOffset `{offset}`: load() **fails**",
    ),
    (
        "rule.table.unconfirmed-magic.then",
        "An exception leaves load(): a message of version 2 is not known here.",
    ),
    (
        "rule.table.unconfirmed-magic.when",
        "With duplicationEnable: does something stand at confirmOffset that is neither a message of version 1 nor a blank?",
    ),
];
