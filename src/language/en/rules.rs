//! The sentences of the decision table: `rule.<id>`, what a step says; `.when` and `.then`, what the rule says; `end.<id>` and `next.<id>`,
//! a verdict's headline and the next thing to do; `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.check.huge-size",
        "The broker will not start: at `{offset}` a total size of {stored} ends it with OutOfMemoryError.",
    ),
    (
        "end.load.checkpoint-unreadable",
        "The broker will not start: `{path}` cannot be opened as a file.",
    ),
    (
        "end.load.delay-levels",
        "The broker will not start: messageDelayLevel `{text}` cannot be read.",
    ),
    (
        "end.load.delay-offsets",
        "The broker will not start: `{path}` is no JSON from byte {position} on.",
    ),
    (
        "end.load.log-length",
        "The broker will not start: `{path}` has {found} bytes where {expected} are expected.",
    ),
    (
        "end.load.log-name",
        "The broker will not start: `{path}` has a name that is no offset.",
    ),
    (
        "end.load.queue-length",
        "The broker will not start: `{path}` has {found} bytes where {expected} are expected.",
    ),
    (
        "end.load.queue-name",
        "The broker will not start: `{path}` has a name that is no offset.",
    ),
    (
        "end.logic.one-unit-file-never-ends",
        "The broker will hang in load(): the files of {queue} hold a single unit.",
    ),
    (
        "end.reput.beyond-confirm-offset",
        "The broker will hang while starting: with duplicationEnable nothing from `{from}` on is dispatched.",
    ),
    (
        "end.reput.goes-round",
        "The broker will hang while starting: dispatch comes back to `{offset}` again and again.",
    ),
    (
        "end.reput.no-data",
        "The broker will hang while starting: no file of the log holds `{offset}`, where dispatch goes on.",
    ),
    (
        "end.reput.thread-dies",
        "The broker will hang while starting: dispatch dies at `{offset}`, on a total size of {stored}.",
    ),
    (
        "next.check.huge-size",
        "Copy the store first and compare this place with a replica; then drop a changed copy here and see how much is cut if the log ends at this place, before you change the store itself.",
    ),
    (
        "next.load.checkpoint-unreadable",
        "Copy the store first, then put the real checkpoint back; without one, and with abort present, the whole log is scanned and the index files are destroyed.",
    ),
    (
        "next.load.delay-levels",
        "Check messageDelayLevel in the broker's configuration: numbers with s, m, h or d, one space between them, in the order in which they were when messages were stored.",
    ),
    (
        "next.load.delay-offsets",
        "Copy the store with its config folder first, then put a readable delayOffset.json back; without any, delayed messages still in their queues are delivered again.",
    ),
    (
        "next.load.log-length",
        "Copy the store first; if the other files have that length too, check mappedFileSizeCommitLog, otherwise find out what cut or left this file before you move it.",
    ),
    (
        "next.load.log-name",
        "Copy the store first, then move this file out of commitlog; if it belongs to the log, give it back its start offset as its name, in 20 digits.",
    ),
    (
        "next.load.queue-length",
        "Copy the store first; check mappedFileSizeConsumeQueue, and drop a copy without this queue here to see what comes back before you move it: not all of a lost queue is always rebuilt.",
    ),
    (
        "next.load.queue-name",
        "Copy the store first, then move this file out of the queue's folder; if it belongs to the queue, give it back its start in bytes as its name, in 20 digits.",
    ),
    (
        "next.logic.one-unit-file-never-ends",
        "Copy the store first, then check mappedFileSizeConsumeQueue: its default is 6000000, and the queue files have to have the size that it says.",
    ),
    (
        "next.reput.beyond-confirm-offset",
        "Check duplicationEnable: it is off by default, and with it off what is behind is dispatched.",
    ),
    (
        "next.reput.goes-round",
        "Copy the store first, and look for the commitlog file whose name is no multiple of the file size: its name was changed, or it is of another store.",
    ),
    (
        "next.reput.no-data",
        "Copy the store first, and look for the missing commitlog file in a backup or a replica before you change anything.",
    ),
    (
        "next.reput.thread-dies",
        "Copy the store first and compare this place with a replica; then drop a changed copy here and see what comes of it, before you change the store itself.",
    ),
    (
        "rule.check.beyond-file",
        "**record cut off** at `{offset}`: {need} bytes needed, {left} left",
    ),
    (
        "rule.check.beyond-file.then",
        "The exception is swallowed without a log line and the record is taken as bad, even where whole files follow.",
    ),
    (
        "rule.check.beyond-file.when",
        "Does a field need more bytes than the file has left?",
    ),
    ("rule.check.blank", "blank: the rest of the file is filler"),
    (
        "rule.check.blank.then",
        "Nothing behind it in this file is read. At a file's end it is filler on purpose; in mid-file it skips good messages, whose queue units stay while a rebuilt index lacks them.",
    ),
    (
        "rule.check.blank.when",
        "Is the magic code that of a blank?",
    ),
    (
        "rule.check.body-crc",
        "**body CRC differs** at `{offset}`: stored {stored:hex}, computed {computed:hex}",
    ),
    (
        "rule.check.body-crc.then",
        "The body is corrupt or torn, and the record is taken as bad. The broker's own log line has the two values swapped: its bodyCRC is the computed one.",
    ),
    (
        "rule.check.body-crc.when",
        "With checkCRCOnRecover: does the body's CRC differ from the one stored?",
    ),
    (
        "rule.check.delay-level",
        "**delay level** `{text}` at `{offset}` is no number",
    ),
    (
        "rule.check.delay-level.then",
        "The exception is swallowed without a log line and the record is taken as bad, though all its bytes are there.",
    ),
    (
        "rule.check.delay-level.when",
        "Does a message of SCHEDULE_TOPIC_XXXX have a DELAY property that is no number?",
    ),
    (
        "rule.check.huge-size",
        "**total size {stored}** at `{offset}`: OutOfMemoryError, the broker dies",
    ),
    (
        "rule.check.huge-size.then",
        "The broker allocates the total size before it compares it with the file, and nobody catches the Error: the process ends in load(). What was deleted or written before it stays so.",
    ),
    (
        "rule.check.huge-size.when",
        "Is the total size larger than any array that a JVM can hold?",
    ),
    (
        "rule.check.lengths-differ",
        "**lengths differ** at `{offset}`: total size {total}, parts sum to {sum}",
    ),
    (
        "rule.check.lengths-differ.then",
        "The record is torn or corrupt, and taken as bad. This catches a torn body too where checkCRCOnRecover is off.",
    ),
    (
        "rule.check.lengths-differ.when",
        "Do the lengths of the parts not add up to the total size?",
    ),
    (
        "rule.check.magic-code",
        "**magic code {found:hex}** at `{offset}`: no message",
    ),
    (
        "rule.check.magic-code.then",
        "No message begins here. Zeros are what was never written, the usual end of a log; anything else is torn or corrupt.",
    ),
    (
        "rule.check.magic-code.when",
        "Is the magic code neither a message's nor a blank's?",
    ),
    (
        "rule.check.negative-size",
        "**total size {stored}** at `{offset}`: no record can have it",
    ),
    (
        "rule.check.negative-size.then",
        "The broker asks for an array of that length, swallows the exception without a log line, and takes the record as bad.",
    ),
    (
        "rule.check.negative-size.when",
        "Is the total size negative?",
    ),
    (
        "rule.check.nothing-written",
        "nothing was written from `{offset}` on: zeros",
    ),
    (
        "rule.check.nothing-written.then",
        "To the broker this is an unknown magic code like any other, and the log ends here. Every healthy log ends like this: files are made full of zeros.",
    ),
    (
        "rule.check.nothing-written.when",
        "Are size and magic code both zero?",
    ),
    (
        "rule.check.part-beyond-size",
        "**{part} of {len} bytes** at `{offset}`: the record has room for {room}",
    ),
    (
        "rule.check.part-beyond-size.then",
        "The exception is swallowed without a log line and the record is taken as bad: one of the two lengths is corrupt.",
    ),
    (
        "rule.check.part-beyond-size.when",
        "Is one part longer than the record's total size, or its length negative?",
    ),
    (
        "rule.dispatch.already-queued",
        "already in the queue: nothing is written",
    ),
    (
        "rule.dispatch.already-queued.then",
        "The broker takes it as queued, without a look at its unit. After an abnormal exit this is usual; but a unit that points beyond the log keeps good messages out of the queue.",
    ),
    (
        "rule.dispatch.already-queued.when",
        "Does the message end at or below the queue's maxPhysicOffset?",
    ),
    (
        "rule.dispatch.deliver-time",
        "delayed message: tagsCode is the time of its delivery",
    ),
    (
        "rule.dispatch.deliver-time.then",
        "tagsCode holds store time plus delay. The levels are read only after the scan: units that the scan itself rebuilds have the tag's hash there, and those messages are delivered at once.",
    ),
    (
        "rule.dispatch.deliver-time.when",
        "Is it a message of SCHEDULE_TOPIC_XXXX with a delay level above 0?",
    ),
    (
        "rule.dispatch.front-filled",
        "**{queue}**: {units:count filler unit|filler units} before its first message",
    ),
    (
        "rule.dispatch.front-filled.then",
        "The file's front is filled with units of offset 0 and size 2147483647, and minOffset is set behind them. They stand for no message: the units of earlier messages are not rebuilt.",
    ),
    (
        "rule.dispatch.front-filled.when",
        "Is the queue new, and does its first message not have queue offset 0?",
    ),
    (
        "rule.dispatch.new-queue-file",
        "new file for **{queue}**: `{path:file}`",
    ),
    (
        "rule.dispatch.new-queue-file.then",
        "A file of zeros is made. The first file of a queue is chosen by the queue offset of the message that is dispatched first.",
    ),
    (
        "rule.dispatch.new-queue-file.when",
        "Does the queue have no file yet, or is its last one full?",
    ),
    (
        "rule.dispatch.out-of-order",
        "**{queue}**: offset {expected} is written at {current}, off by {units}",
    ),
    (
        "rule.dispatch.out-of-order.then",
        "The broker logs a [BUG] line and appends the unit all the same. From here on a unit's place is not the queue offset in its message, and consumers read units that are missing as if they never were.",
    ),
    (
        "rule.dispatch.out-of-order.when",
        "Does the message's queue offset lie behind the queue's end?",
    ),
    (
        "rule.dispatch.place-taken",
        "the place in the queue is taken: nothing is written",
    ),
    (
        "rule.dispatch.place-taken.then",
        "The unit that is there stays, and nothing is written; whether it points to this message is not looked at.",
    ),
    (
        "rule.dispatch.place-taken.when",
        "Does the message's queue offset lie before the queue's end?",
    ),
    (
        "rule.dispatch.queue-file-not-made",
        "**{queue}**: no file to write to, the unit is given up",
    ),
    (
        "rule.dispatch.queue-file-not-made.then",
        "The broker tries 30 times, a second apart, and then marks the consume queues as not writable: from there on no queue gets a unit, and the broker takes no messages.",
    ),
    (
        "rule.dispatch.queue-file-not-made.when",
        "Can the queue's file not be made or not take the unit?",
    ),
    ("rule.dispatch.queued", "unit written to the consume queue"),
    (
        "rule.dispatch.queued.then",
        "A unit of physical offset, size and tagsCode is appended to its consume queue.",
    ),
    (
        "rule.dispatch.queued.when",
        "Is the message the next one of its queue?",
    ),
    (
        "rule.dispatch.transaction-not-queued",
        "prepared and rollback messages get no queue unit",
    ),
    (
        "rule.dispatch.transaction-not-queued.then",
        "It gets no unit in a consume queue; the message stays in the log.",
    ),
    (
        "rule.dispatch.transaction-not-queued.when",
        "Is the message the prepared or the rollback one of a transaction?",
    ),
    (
        "rule.index.already-indexed",
        "already indexed: nothing is written",
    ),
    (
        "rule.index.already-indexed.then",
        "It is taken as indexed. The message that begins exactly there passes, and its keys are indexed twice; a garbage offset in the header keeps good messages out.",
    ),
    (
        "rule.index.already-indexed.when",
        "Is the message's offset below the last index file's endPhyOffset?",
    ),
    (
        "rule.index.count-from-one",
        "`{path:file}`: entry count {found}, taken as 1",
    ),
    (
        "rule.index.count-from-one.then",
        "It is taken as 1: the next key is written over the file's first entry.",
    ),
    (
        "rule.index.count-from-one.when",
        "Is the entry count in an index file's header zero or negative?",
    ),
    (
        "rule.index.folder-stops-loading",
        "`{path}` is a folder: no index file behind it is loaded",
    ),
    (
        "rule.index.folder-stops-loading.then",
        "Loading of the index ends there, and the broker starts all the same. The index files behind it stay on disk, but key look-up does not see them.",
    ),
    (
        "rule.index.folder-stops-loading.when",
        "Is there something in index whose name is a number and that cannot be opened as a file?",
    ),
    (
        "rule.index.kept",
        "index file `{path:file}` kept: {entries:count entry|entries} up to {end:time}",
    ),
    (
        "rule.index.kept.then",
        "It is kept without a look at its slots and entries: a file full of garbage stays too, as long as its header does not speak against it.",
    ),
    (
        "rule.index.kept.when",
        "Is the index file no newer than the checkpoint, or was there no abort?",
    ),
    (
        "rule.index.mapped-to-size",
        "`{path:file}` has {found} bytes: mapped as {expected}",
    ),
    (
        "rule.index.mapped-to-size.then",
        "No length is refused. A shorter file is lengthened with zeros, a longer one is read up to that size only; with other slot numbers than it was written with, its entries are not found.",
    ),
    (
        "rule.index.mapped-to-size.when",
        "Is an index file as long as maxHashSlotNum and maxIndexNum make it?",
    ),
    (
        "rule.index.name-ignored",
        "`{path}`: `{name}` is no number, skipped",
    ),
    (
        "rule.index.name-ignored.then",
        "If not, the broker logs an ERROR, skips the file and goes on. The file stays on disk, and key look-up does not see its entries.",
    ),
    (
        "rule.index.name-ignored.when",
        "Is the name of each index file a number, the time of its making?",
    ),
    ("rule.index.new-file", "new index file `{path:file}`"),
    (
        "rule.index.new-file.then",
        "One is made, named by the clock at that moment: the name will differ in a real start. When it follows a full one, that one is flushed and the checkpoint is written.",
    ),
    (
        "rule.index.new-file.when",
        "Is there no index file, or is the last one full?",
    ),
    (
        "rule.index.newer-than-checkpoint",
        "index file `{path:file}` is newer than the checkpoint: destroyed, {entries:count entry|entries}",
    ),
    (
        "rule.index.newer-than-checkpoint.then",
        "The file is deleted. The scan indexes again only what it reads: entries of messages before the start file are lost for good, and key look-up misses them.",
    ),
    (
        "rule.index.newer-than-checkpoint.when",
        "After an abnormal exit: is the index file's endTimestamp later than the checkpoint's indexMsgTimestamp?",
    ),
    ("rule.index.put", "key written to the index"),
    (
        "rule.index.put.then",
        "One entry is written for each key: its hash, the physical offset, the time, and the entry before it in the slot's chain.",
    ),
    (
        "rule.index.put.when",
        "Does the message have a UNIQ_KEY or KEYS?",
    ),
    (
        "rule.index.rollback-not-indexed",
        "a rollback message is not indexed",
    ),
    (
        "rule.index.rollback-not-indexed.then",
        "None of its keys is indexed.",
    ),
    (
        "rule.index.rollback-not-indexed.when",
        "Is it the rollback message of a transaction?",
    ),
    (
        "rule.index.slot-not-believed",
        "slot value out of range: taken as empty",
    ),
    (
        "rule.index.slot-not-believed.then",
        "The slot is taken as empty and a new chain begins: older entries of this slot are no longer reached by key look-up.",
    ),
    (
        "rule.index.slot-not-believed.when",
        "Is the slot's value negative, or above the file's entry count?",
    ),
    (
        "rule.index.switched-off",
        "messageIndexEnable is off: not indexed",
    ),
    (
        "rule.index.switched-off.then",
        "Nothing is indexed. Index files are loaded all the same, and those newer than the checkpoint are destroyed after an abnormal exit and not built again.",
    ),
    ("rule.index.switched-off.when", "Is messageIndexEnable off?"),
    (
        "rule.index.time-bounded",
        "time difference out of range: set to the nearest bound",
    ),
    (
        "rule.index.time-bounded.then",
        "The entry is given the nearest bound instead. Look-up by key and time may then miss it.",
    ),
    (
        "rule.index.time-bounded.when",
        "Is the message older than the index file's first, or more than 2147483647 s younger?",
    ),
    ("rule.load.abort-absent", "no **abort**: normal recovery"),
    (
        "rule.load.abort-absent.then",
        "recoverNormally looks at the last three files of the log only and dispatches nothing while it scans; every index file is kept as it is. Damage in earlier files is not noticed, and an abort removed by hand has the same effect.",
    ),
    (
        "rule.load.abort-absent.when",
        "Is there no abort file in the store's folder?",
    ),
    (
        "rule.load.abort-present",
        "**abort** is present: abnormal recovery",
    ),
    (
        "rule.load.abort-present.then",
        "The broker died, or these files were copied while it ran. recoverAbnormally picks the start file by the checkpoint's times and dispatches again what it scans; index files newer than the checkpoint are destroyed.",
    ),
    (
        "rule.load.abort-present.when",
        "Is there an abort file in the store's folder?",
    ),
    (
        "rule.load.checkpoint-missing",
        "no **checkpoint**: its times are zero, the file is made anew",
    ),
    (
        "rule.load.checkpoint-missing.then",
        "All times are zero. With abort present the log is then scanned from its first file, and every index file that holds an entry is destroyed.",
    ),
    (
        "rule.load.checkpoint-missing.when",
        "Is there no checkpoint file?",
    ),
    (
        "rule.load.checkpoint-read",
        "**checkpoint**: physic {physic:time}, logics {logics:time}, index {index:time}",
    ),
    (
        "rule.load.checkpoint-read.then",
        "After an abnormal exit the smaller of physic and logics, minus 3 s, decides where the scan begins, and the index time decides which index files stay. Bytes that the file lacks count as zero.",
    ),
    (
        "rule.load.checkpoint-read.when",
        "Up to which store times were log, queues and index on disk?",
    ),
    (
        "rule.load.checkpoint-unreadable",
        "`{path}` cannot be opened as a file: loading stops",
    ),
    (
        "rule.load.checkpoint-unreadable.then",
        "If it cannot, a folder in its place for one, load() fails before anything is recovered or changed.",
    ),
    (
        "rule.load.checkpoint-unreadable.when",
        "Can checkpoint be opened and mapped as a file?",
    ),
    (
        "rule.load.delay-levels",
        "messageDelayLevel `{text}` cannot be read: load() fails",
    ),
    (
        "rule.load.delay-levels.then",
        "load() returns false, after the log and the queues were recovered and cut. Two spaces in a row are enough.",
    ),
    (
        "rule.load.delay-levels.when",
        "Is a word of messageDelayLevel something else than a number with s, m, h or d?",
    ),
    (
        "rule.load.delay-offsets",
        "`{path}` is no JSON from byte {position} on: load() fails",
    ),
    (
        "rule.load.delay-offsets-backup",
        "`{path}` cannot be read: its .bak is tried",
    ),
    (
        "rule.load.delay-offsets-backup.then",
        "The broker takes the .bak, which is one flush older: delayed messages delivered since are delivered again. If that is missing too, all levels begin at their queue's first unit.",
    ),
    (
        "rule.load.delay-offsets-backup.when",
        "Can delayOffset.json not be read?",
    ),
    (
        "rule.load.delay-offsets.then",
        "load() returns false, after the log and the queues were recovered and cut. With no .bak at all the broker would start, and look at every delayed message again from its queue's first unit.",
    ),
    (
        "rule.load.delay-offsets.when",
        "Can neither delayOffset.json nor its .bak be read, though the .bak is there?",
    ),
    (
        "rule.load.delay-queues",
        "{levels:count delay level|delay levels}: each has a queue, delivery offsets are kept within it",
    ),
    (
        "rule.load.delay-queues.then",
        "Each level gets its queue of SCHEDULE_TOPIC_XXXX. A delivery offset outside is moved to the queue's minOffset or maxOffset.",
    ),
    (
        "rule.load.delay-queues.when",
        "Which delay levels are there, and do their delivery offsets lie within their queues?",
    ),
    (
        "rule.load.log-files",
        "{files:count log file|log files} of {size:bytes} each",
    ),
    (
        "rule.load.log-files.then",
        "Each counts as written to its end until recovery finds where the log really ends. A file missing in the middle is not noticed.",
    ),
    ("rule.load.log-files.when", "Which files does the log have?"),
    (
        "rule.load.log-length",
        "`{path:file}` has {found} bytes, not {expected}: loading stops",
    ),
    (
        "rule.load.log-length.then",
        "load() returns false at the first one that is not, and nothing is recovered or changed. An empty last file counts too, and so does any folder or stray file in commitlog.",
    ),
    (
        "rule.load.log-length.when",
        "Is each file in commitlog exactly mappedFileSizeCommitLog long?",
    ),
    (
        "rule.load.log-name",
        "`{path}`: `{name}` is no offset, loading stops",
    ),
    (
        "rule.load.log-name.then",
        "A file of the right length whose name is no number makes load() fail; nothing is recovered or changed. A backup copy left in the folder is enough.",
    ),
    (
        "rule.load.log-name.when",
        "Is the name of each file in commitlog a number, its start offset?",
    ),
    (
        "rule.load.queue-files",
        "{queues:count queue|queues} in {files:count file|files}",
    ),
    (
        "rule.load.queue-files.then",
        "Queues are known by their folders alone. One whose folder is missing is made again when a message for it is dispatched.",
    ),
    (
        "rule.load.queue-files.when",
        "Which consume queues are there?",
    ),
    (
        "rule.load.queue-folder-ignored",
        "`{path}` is no queue number: ignored",
    ),
    (
        "rule.load.queue-folder-ignored.then",
        "If not, the broker passes over it: what it holds is neither read nor changed.",
    ),
    (
        "rule.load.queue-folder-ignored.when",
        "Is the folder's name in a topic's folder a whole number, the queue's?",
    ),
    (
        "rule.load.queue-length",
        "`{path:file}` has {found} bytes, not {expected}: loading stops",
    ),
    (
        "rule.load.queue-length.then",
        "load() returns false at the first one that is not: one wrong file of one queue stops the whole broker. Nothing is recovered or changed.",
    ),
    (
        "rule.load.queue-length.when",
        "Is each consume queue file exactly mappedFileSizeConsumeQueue long, in whole units of 20 bytes?",
    ),
    (
        "rule.load.queue-name",
        "`{path}`: `{name}` is no offset, loading stops",
    ),
    (
        "rule.load.queue-name.then",
        "A file of the right length whose name is no number makes load() fail; nothing is recovered or changed.",
    ),
    (
        "rule.load.queue-name.when",
        "Is the name of each consume queue file a number, its start in bytes?",
    ),
    (
        "rule.log.end-set",
        "`{path:file}`: write position set back from {from} to {to}",
    ),
    (
        "rule.log.end-set.then",
        "Its write position is set there. The bytes behind stay on disk until new messages overwrite them; nothing is zeroed.",
    ),
    ("rule.log.end-set.when", "Which file holds processOffset?"),
    (
        "rule.log.file-behind-end",
        "`{path:file}` lies behind processOffset: deleted, {size:bytes}",
    ),
    (
        "rule.log.file-behind-end.then",
        "It is deleted with every message in it, good ones too. A pre-allocated file of zeros goes the same way, at no loss.",
    ),
    (
        "rule.log.file-behind-end.when",
        "Does a file of the log begin behind processOffset?",
    ),
    (
        "rule.log.no-files",
        "no log file: {queues:count queue is|queues are} deleted",
    ),
    (
        "rule.log.no-files.then",
        "The broker deletes every consume queue file and starts empty, with queue offsets from 0. A wrong storePathCommitLog or a disk that is not mounted is enough; index files stay and point nowhere.",
    ),
    ("rule.log.no-files.when", "Is there no file in commitlog?"),
    (
        "rule.logic.ahead-of-log",
        "queues reach `{maxPhysicOffset}` ≥ processOffset `{processOffset}`: dirty units are cut",
    ),
    (
        "rule.logic.ahead-of-log.then",
        "Each queue is cut to processOffset. Both are equal on every healthy restart: the WARN \"truncate dirty logic files\" is no sign of damage.",
    ),
    (
        "rule.logic.ahead-of-log.when",
        "Is the queues' largest maxPhysicOffset at or above processOffset?",
    ),
    (
        "rule.logic.first-unit-ahead",
        "**{queue}**: `{path:file}` begins past processOffset: deleted",
    ),
    (
        "rule.logic.first-unit-ahead.then",
        "The file is deleted, and the one before it is looked at. Only the first unit decides.",
    ),
    (
        "rule.logic.first-unit-ahead.when",
        "Does the first unit of the queue's last file point to processOffset or beyond?",
    ),
    (
        "rule.logic.first-unit-believed",
        "**{queue}**: first unit believed without a look at its size",
    ),
    (
        "rule.logic.first-unit-believed.then",
        "It is taken as good without a look at its size. In a file of zeros this makes a phantom unit: maxOffset is one too high, and no message is there.",
    ),
    (
        "rule.logic.first-unit-believed.when",
        "Does the first unit of the queue's last file point before processOffset?",
    ),
    (
        "rule.logic.one-unit-file-never-ends",
        "**{queue}**: files of a single unit, this loop never ends",
    ),
    (
        "rule.logic.one-unit-file-never-ends.then",
        "The loop leaves a file only at its second unit or later. With mappedFileSizeConsumeQueue of 20 or less load() never returns, and no line is logged.",
    ),
    (
        "rule.logic.one-unit-file-never-ends.when",
        "Does a queue file hold a single unit, which points before processOffset?",
    ),
    (
        "rule.logic.unit-ahead",
        "**{queue}** had run ahead: {cut:count unit|units} cut, ends at {entries}",
    ),
    (
        "rule.logic.unit-ahead.then",
        "The queue ends before it. The units behind are cut, and their queue offsets are given out again.",
    ),
    (
        "rule.logic.unit-ahead.when",
        "Does a unit point to processOffset or beyond?",
    ),
    (
        "rule.logic.unit-empty",
        "**{queue}** ends at its first empty unit",
    ),
    (
        "rule.logic.unit-empty.then",
        "The queue ends before it: all its units lie below processOffset.",
    ),
    (
        "rule.logic.unit-empty.when",
        "Is a unit's offset negative, or its size not above zero?",
    ),
    ("rule.mark.process-offset", "**processOffset = {offset}**"),
    (
        "rule.mark.process-offset.then",
        "What lies past it is dirty: log, queues and files are cut to it. The pos= in the broker's log line is where its reader stood, not this offset.",
    ),
    (
        "rule.mark.process-offset.when",
        "Where did the scan find the log's end?",
    ),
    (
        "rule.queue.end-set",
        "**{queue}** ends at queue offset {entries}, log offset `{maxPhysicOffset}`",
    ),
    (
        "rule.queue.end-set.then",
        "The write position is set behind the last good unit, and the end of that unit's message becomes maxPhysicOffset. No message is looked up: repeated or overlapping units pass.",
    ),
    (
        "rule.queue.end-set.when",
        "Where does the queue end, by its own units?",
    ),
    (
        "rule.queue.file-behind-end",
        "`{path:file}` lies behind the queue's end {end}: deleted",
    ),
    (
        "rule.queue.file-behind-end.then",
        "It is deleted with all units in it. Their messages stay in the log; only those that are dispatched again get a unit again.",
    ),
    (
        "rule.queue.file-behind-end.when",
        "Does a queue file begin behind the queue's end?",
    ),
    (
        "rule.queue.first-bad-unit-ends-it",
        "**{queue}** ends before the unit at byte {position}: offset {offset}, size {size}",
    ),
    (
        "rule.queue.first-bad-unit-ends-it.then",
        "The queue ends before it, and queue files behind are deleted. On the unwritten zeros of the last file this is the usual end; on one bad unit in the middle it drops every good unit after it.",
    ),
    (
        "rule.queue.first-bad-unit-ends-it.when",
        "Is a unit's offset negative, or its size not above zero?",
    ),
    (
        "rule.queue.last-three-files",
        "**{queue}**: {files:count file|files}, of which {skipped} not read",
    ),
    (
        "rule.queue.last-three-files.then",
        "Only the last three are read; the units before them are believed as they are.",
    ),
    (
        "rule.queue.last-three-files.when",
        "Does the queue have more than three files?",
    ),
    (
        "rule.reput.beyond-confirm-offset",
        "**reput** at `{from}` waits for confirmOffset `{confirm}`, which does not move",
    ),
    (
        "rule.reput.beyond-confirm-offset.then",
        "Nothing is dispatched, and start() waits for dispatch to catch up: it waits for ever. The log is whole.",
    ),
    (
        "rule.reput.beyond-confirm-offset.when",
        "With duplicationEnable: does reput stand at or above confirmOffset while something is behind?",
    ),
    (
        "rule.reput.caught-up",
        "**reput** has caught up at `{offset}`",
    ),
    (
        "rule.reput.caught-up.then",
        "start() goes on, and the broker gets ready. Bytes that reput skipped count as caught up.",
    ),
    (
        "rule.reput.caught-up.when",
        "Does reput stand at the log's end, or beyond?",
    ),
    (
        "rule.reput.dispatched",
        "**reput**: {messages:count message|messages} dispatched, {bytes:bytes}, up to `{to}`",
    ),
    (
        "rule.reput.dispatched.then",
        "It is dispatched to its queue and the index. Here the body is not read: no CRC is checked.",
    ),
    (
        "rule.reput.dispatched.when",
        "Is there a message at reput's offset?",
    ),
    (
        "rule.reput.from",
        "**reput** starts at `{offset}`: {behind:bytes} behind",
    ),
    (
        "rule.reput.from.then",
        "Dispatch goes on from there to the log's end. One maximum over all queues decides: a queue that is lost or behind is not repaired below it.",
    ),
    (
        "rule.reput.from.when",
        "Which is the largest maxPhysicOffset of all queues, and the log's first offset at least?",
    ),
    (
        "rule.reput.goes-round",
        "**reput** comes back to `{offset}`, where it has been",
    ),
    (
        "rule.reput.goes-round.then",
        "The same messages are dispatched again without end: queues refuse them, but the index grows. start() waits for ever.",
    ),
    (
        "rule.reput.goes-round.when",
        "Has reput been at this offset before? It is thrown back where a commitlog file's name is no multiple of the file size.",
    ),
    (
        "rule.reput.next-file",
        "**reput** goes on with the next file",
    ),
    (
        "rule.reput.next-file.then",
        "reput goes on at the start of the next file.",
    ),
    (
        "rule.reput.next-file.when",
        "Is there a blank at reput's offset?",
    ),
    ("rule.reput.no-data", "**reput**: no file holds `{offset}`"),
    (
        "rule.reput.no-data.then",
        "reput stays where it is, and start() waits for it for ever. A file missing in the middle of the log is enough: loading does not notice it.",
    ),
    (
        "rule.reput.no-data.when",
        "Is there no file, or nothing written, at reput's offset?",
    ),
    (
        "rule.reput.rest-skipped",
        "**reput** skips the rest of the file from `{offset}`: {bytes:bytes} not dispatched",
    ),
    (
        "rule.reput.rest-skipped.then",
        "A master skips what is left of this file. Good messages in it stay in the log, but get neither queue unit nor index entry; consumers never see them.",
    ),
    (
        "rule.reput.rest-skipped.when",
        "Is the record at reput's offset bad, with no size to go by?",
    ),
    (
        "rule.reput.size-skipped",
        "**reput** passes over the bad record at `{offset}`, size {size}",
    ),
    (
        "rule.reput.size-skipped.then",
        "The broker adds the size it has just refused to reput's offset, and reads on where the parts ended. The record gets no queue unit, and from here on the two may disagree.",
    ),
    (
        "rule.reput.size-skipped.when",
        "Do the lengths differ in a record at reput's offset, with a size above zero?",
    ),
    (
        "rule.reput.thread-dies",
        "**reput** dies at `{offset}`: OutOfMemoryError on total size {stored}",
    ),
    (
        "rule.reput.thread-dies.then",
        "The Error ends the dispatching thread, which catches exceptions only. start() waits for it for ever.",
    ),
    (
        "rule.reput.thread-dies.when",
        "Is the total size at reput's offset larger than any array that a JVM can hold?",
    ),
    (
        "rule.scan.accepted",
        "{bytes:bytes} scanned up to `{to}`, {messages:count message|messages} whole",
    ),
    (
        "rule.scan.accepted.then",
        "It is kept. No CRC covers the header, topic and properties, and the physical offset it states is not compared with its place: zeroed properties or an old message behind the tail pass.",
    ),
    (
        "rule.scan.accepted.when",
        "Does the record pass every check?",
    ),
    (
        "rule.scan.files-used-up",
        "`{path:file}`, the last file, ends in a blank of {skipped:bytes}: the log ends before it",
    ),
    (
        "rule.scan.files-used-up.then",
        "The scan has seen every file. The log's end is where the blank begins, and the next write goes there.",
    ),
    (
        "rule.scan.files-used-up.when",
        "Does the last file end with a blank?",
    ),
    (
        "rule.scan.next-file",
        "`{path:file}` ends in a blank of {skipped:bytes}: on to the next file",
    ),
    (
        "rule.scan.next-file.then",
        "The scan goes on at its start. It takes the next file of the folder, even where the names show a gap.",
    ),
    (
        "rule.scan.next-file.when",
        "Is there a file behind the blank?",
    ),
    (
        "rule.scan.not-dispatched",
        "duplicationEnable: at or above confirmOffset, not dispatched",
    ),
    (
        "rule.scan.not-dispatched.then",
        "It stays in the log, but queues and index do not get it. confirmOffset is −1 at a start, so that nothing at all is dispatched.",
    ),
    (
        "rule.scan.not-dispatched.when",
        "With duplicationEnable: is the message's offset at or above confirmOffset?",
    ),
    (
        "rule.scan.stops",
        "**the scan stops** at `{offset}` in `{path:file}`",
    ),
    (
        "rule.scan.stops.then",
        "The log ends before it. Nothing behind it is read, be it good or not, and later files are deleted.",
    ),
    ("rule.scan.stops.when", "Is the record bad?"),
    (
        "rule.start.abort-made",
        "**abort** stands while the broker runs",
    ),
    (
        "rule.start.abort-made.then",
        "abort is made, or stays if it was there. Only a clean shutdown with nothing left to dispatch deletes it.",
    ),
    ("rule.start.abort-made.when", "Is the store started?"),
    (
        "rule.start.first-file",
        "no file matches: **start at the first**, `{path:file}`",
    ),
    (
        "rule.start.first-file.then",
        "The whole log is scanned. It is slow, but what queues and index lack of it is dispatched again.",
    ),
    (
        "rule.start.first-file.when",
        "Did no file match the checkpoint?",
    ),
    (
        "rule.start.index-time-counts",
        "messageIndexSafe: the index time counts too, limit {limit:time}",
    ),
    (
        "rule.start.index-time-counts.then",
        "The limit is the index time where that is smaller than physic and logics minus 3 s, so that the scan may begin earlier. It brings index entries back, but knows nothing of index files that are gone.",
    ),
    (
        "rule.start.index-time-counts.when",
        "Are messageIndexEnable and messageIndexSafe both on?",
    ),
    (
        "rule.start.matched",
        "file `{path:file}`: first message {storeTimestamp:time} ≤ {limit:time}: **start here**",
    ),
    (
        "rule.start.matched.then",
        "The scan begins at this file. Earlier ones are not read: damage there is not noticed, and lost queue units and index entries of their messages do not come back.",
    ),
    (
        "rule.start.matched.when",
        "Is the first message's store time at or before the checkpoint's limit?",
    ),
    (
        "rule.start.newer-than-checkpoint",
        "file `{path:file}`: first message {storeTimestamp:time} > {limit:time}: one file back",
    ),
    (
        "rule.start.newer-than-checkpoint.then",
        "The broker goes one file back. Only the first message of each file is looked at.",
    ),
    (
        "rule.start.newer-than-checkpoint.when",
        "Is the first message's store time later than the checkpoint's limit?",
    ),
    (
        "rule.start.no-message",
        "file `{path:file}`: magic code {found:hex}, no message: one file back",
    ),
    (
        "rule.start.no-message.then",
        "The broker goes one file back. This is usual for a pre-allocated file of zeros.",
    ),
    (
        "rule.start.no-message.when",
        "Does the file begin with something else than a message's magic code?",
    ),
    (
        "rule.start.no-store-time",
        "file `{path:file}`: first message has no store time: one file back",
    ),
    (
        "rule.start.no-store-time.then",
        "The broker goes one file back.",
    ),
    (
        "rule.start.no-store-time.when",
        "Is the store time of the file's first message zero?",
    ),
    (
        "rule.start.third-last-file",
        "file `{path:file}`: **start here**, {unread:bytes} before it not read",
    ),
    (
        "rule.start.third-last-file.then",
        "The scan begins there, whatever the checkpoint says. A pre-allocated file of zeros counts as one of the three; damage before the start file is not noticed.",
    ),
    (
        "rule.start.third-last-file.when",
        "Without abort: which is the third file from the end, or the first if there are fewer?",
    ),
    ("rule.table.min-offset", "**{queue}**: minOffset = {offset}"),
    (
        "rule.table.min-offset-not-found",
        "**{queue}**: no unit of its first file reaches the log, minOffset stays",
    ),
    (
        "rule.table.min-offset-not-found.then",
        "minOffset stays where it was, 0 after a start, though the messages there are gone. Only the first file is searched.",
    ),
    (
        "rule.table.min-offset-not-found.when",
        "Does no unit of the queue's first file point into the log?",
    ),
    (
        "rule.table.min-offset.then",
        "It becomes minOffset: consumers can read from there on.",
    ),
    (
        "rule.table.min-offset.when",
        "Which is the first unit of the queue's first file that points into the log?",
    ),
    (
        "rule.table.queue-offsets",
        "next queue offset set for {queues:count queue|queues}",
    ),
    (
        "rule.table.queue-offsets.then",
        "The queue's end. Where a queue is behind the log or lost units, it gives out queue offsets that messages in the log already have.",
    ),
    (
        "rule.table.queue-offsets.when",
        "Which queue offset does the next message of each queue get?",
    ),
];
