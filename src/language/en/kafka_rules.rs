//! Kafka's decision table and what belongs to it: `rule.k.…` with `.when` and `.then`, `end.k.…`, `next.k.…`, `finding.k-…`.

pub const TEXTS: &[(&str, &str)] = &[
    (
        "end.k.already-offline",
        "The broker will not start: the directory was marked failed while it was loaded.",
    ),
    (
        "end.k.checkpoint-refused",
        "The broker will not start: `{path}` cannot be read.",
    ),
    (
        "end.k.checkpoint-unreadable",
        "The broker will halt: `{path}` cannot be read, which marks the log directory failed.",
    ),
    (
        "end.k.corrupt-uncaught",
        "The broker will not start: at {at} in `{path}` stands no batch, and the clean-shutdown flag keeps it from being cut.",
    ),
    (
        "end.k.dir-name",
        "The broker will not start: the folder `{name}` is no partition.",
    ),
    (
        "end.k.epochs-unreadable",
        "The broker will not start with this directory: `{path}` cannot be read.",
    ),
    (
        "end.k.file-name",
        "The broker will not start: the name of `{path}` begins with no number.",
    ),
    (
        "end.k.index-refused",
        "The broker will not start: the index `{path}` counts as corrupt.",
    ),
    (
        "end.k.load-throws",
        "The broker will not start: `{path}` at {at}: {why}.",
    ),
    (
        "end.k.metadata-unreadable",
        "The broker will not start with this directory: `{path}` cannot be read.",
    ),
    (
        "end.k.split-impossible",
        "The broker will not start: offset {offset} in `{path}` lies below its segment's base.",
    ),
    (
        "end.k.txn-index-version",
        "The broker will not start: `{path}` holds a transaction of version {version}.",
    ),
    (
        "finding.k-checksum",
        "`{path:file}` at {at}: the checksum of offsets {offset} to {last} does not hold. A consumer that comes there fails.",
    ),
    (
        "finding.k-index-entry",
        "`{path:file}` at {at}: offset {offset} at position {position}, where no batch of that offset begins.",
    ),
    (
        "finding.k-index-missing",
        "`{path:file}` is missing: the next start checks its whole segment.",
    ),
    (
        "finding.k-no-batch",
        "`{path:file}` at {at}: {bytes:bytes} that are no batch. A consumer that comes there fails.",
    ),
    (
        "finding.k-not-checked",
        "{bytes:bytes} lie before the recovery points and are taken over unread.",
    ),
    (
        "finding.k-nothing-checked",
        "The clean-shutdown flag is there, so {bytes:bytes} are taken over unread: damage that came after the stop is found by consumers only.",
    ),
    (
        "finding.k-offset-back",
        "`{path:file}` at {at}: offset {first} where {expected} or more is expected. No checksum covers offsets.",
    ),
    (
        "finding.k-records",
        "`{path:file}` at {at}: the checksum holds, and the records of offsets {offset} to {last} cannot be read: {why}.",
    ),
    (
        "finding.k-snapshot-bad",
        "`{path:file}` is corrupt ({why}): the broker deletes it and takes the one before.",
    ),
    (
        "finding.k-time-index",
        "`{path:file}` at {at}: time or offset goes back.",
    ),
    (
        "finding.k-txn-index",
        "`{path:file}` at {at}: no aborted transaction of this segment.",
    ),
    (
        "finding.k-zeros",
        "`{path:file}` at {at}: {bytes:bytes} of zeros to the end. With the clean-shutdown flag there, a start fails on them.",
    ),
    (
        "next.bytes-cut.kafka",
        "Start the broker: what it cuts holds no whole batch.",
    ),
    (
        "next.k.already-offline",
        "Mend the checkpoint file first: copy the directory, then delete the file.",
    ),
    (
        "next.k.checkpoint-refused",
        "Copy the directory, then delete the file: without it every segment is checked.",
    ),
    (
        "next.k.checkpoint-unreadable",
        "Copy the directory, then delete the checkpoint file: without it every segment is checked, which takes longer and loses nothing that is sound.",
    ),
    (
        "next.k.corrupt-uncaught",
        "Copy the directory, delete `.kafka_cleanshutdown` in the copy and drop it here: what would be cut is shown.",
    ),
    (
        "next.k.dir-name",
        "Move the folder out of the log directory.",
    ),
    (
        "next.k.epochs-unreadable",
        "Copy the file, then empty it: the epochs are found again in the batches that are walked.",
    ),
    (
        "next.k.file-name",
        "Move the file out of the partition's folder.",
    ),
    (
        "next.k.index-refused",
        "Copy the directory, then delete this index: a missing one is built anew.",
    ),
    (
        "next.k.load-throws",
        "Compare this file with a replica, and drop a changed copy here before you change the directory itself.",
    ),
    (
        "next.k.metadata-unreadable",
        "Copy the file from another replica of the partition: the topic id is the same there.",
    ),
    (
        "next.k.split-impossible",
        "Compare this batch with a replica, and drop a changed copy here before you change the directory itself.",
    ),
    (
        "next.k.txn-index-version",
        "Delete this `.txnindex` and the `.index` beside it on a copy: the segment is then checked and both are built anew.",
    ),
    (
        "next.messages-cut.kafka",
        "Copy the directory first: {messages:count record|records} behind the cut can be read now, and when the broker has started they are gone. Look whether another replica holds them; then start the broker.",
    ),
    ("phase.check", "check"),
    ("phase.producers", "producers"),
    ("phase.shutdown", "then a clean stop"),
    ("phase.walk", "which segments"),
    (
        "rule.k.already-offline",
        "`{path}`: a batch is read, and the directory was marked failed before: loading stops",
    ),
    (
        "rule.k.already-offline.then",
        "Reading throws now, and the broker does not start.",
    ),
    (
        "rule.k.already-offline.when",
        "Is a transaction open, so that its first batch is looked up, after the directory was marked failed?",
    ),
    (
        "rule.k.batches-good",
        "`{path:file}`: {batches:count batch|batches} good, offsets {first} to {last}, {bytes:bytes}",
    ),
    (
        "rule.k.batches-good.then",
        "They are kept. What is inside is not unpacked, and offsets are not compared with one another.",
    ),
    (
        "rule.k.batches-good.when",
        "Do length and checksum of every batch hold?",
    ),
    (
        "rule.k.check-control",
        "`{path:file}` at {at}: a control batch that cannot be read ({why})",
    ),
    (
        "rule.k.check-control.then",
        "The walk ends behind this batch: what follows is cut.",
    ),
    (
        "rule.k.check-control.when",
        "Can the end of a transaction be read from its control batch?",
    ),
    (
        "rule.k.check-crc32",
        "`{path:file}` at {at}: CRC-32 `{stored:hex}` stored, `{computed:hex}` computed, offset {offset}, {size:bytes}",
    ),
    (
        "rule.k.check-crc32.then",
        "The walk ends here: this message and everything behind it is cut, whole or not.",
    ),
    (
        "rule.k.check-crc32.when",
        "Does the checksum of the v0 or v1 message hold? It covers all from the magic on.",
    ),
    (
        "rule.k.check-crc32c",
        "`{path:file}` at {at}: CRC-32C `{stored:hex}` stored, `{computed:hex}` computed, base offset {offset}, {size:bytes}",
    ),
    (
        "rule.k.check-crc32c.then",
        "The walk ends here: this batch and everything behind it is cut, whole or not.",
    ),
    (
        "rule.k.check-crc32c.when",
        "Does the checksum of the batch hold? It covers all from the attributes on, not the offset, the length, the epoch or the magic.",
    ),
    (
        "rule.k.check-largest",
        "`{path:file}` at {at}: size {size}, more than max.message.bytes {largest}",
    ),
    (
        "rule.k.check-largest.then",
        "The walk ends here, and what follows is cut: also where the setting was lowered and the data is sound. From 0.11 on nobody looks.",
    ),
    (
        "rule.k.check-largest.when",
        "Is a message larger than max.message.bytes?",
    ),
    (
        "rule.k.check-overhead",
        "`{path:file}` at {at}: {size} bytes, less than a header",
    ),
    (
        "rule.k.check-overhead.then",
        "The walk ends here: what follows is cut.",
    ),
    (
        "rule.k.check-overhead.when",
        "Has a v2 batch at least a whole header?",
    ),
    (
        "rule.k.check-size",
        "`{path:file}` at {at}: size {size}, less than the {least} of the smallest message",
    ),
    (
        "rule.k.check-size.then",
        "The walk ends here: what follows is cut. Zeros behind the last batch end up here too.",
    ),
    (
        "rule.k.check-size.when",
        "Is a batch's length at least that of the smallest message?",
    ),
    (
        "rule.k.checkpoint-made",
        "`{path:file}` is missing: an empty one is made",
    ),
    (
        "rule.k.checkpoint-made.then",
        "An empty file is made. No entry means 0: the walk begins with the first segment.",
    ),
    (
        "rule.k.checkpoint-made.when",
        "Is the checkpoint file there?",
    ),
    (
        "rule.k.checkpoint-refused",
        "`{path:file}` cannot be read ({why}): loading stops",
    ),
    (
        "rule.k.checkpoint-refused.then",
        "0.8 does not start. From 0.10 on the file counts as empty.",
    ),
    (
        "rule.k.checkpoint-refused.when",
        "Can the recovery points be read?",
    ),
    (
        "rule.k.checkpoint-reset",
        "`{path:file}` line {line} is no number: counts as empty",
    ),
    (
        "rule.k.checkpoint-reset.then",
        "The file counts as empty, and the directory stays in use.",
    ),
    (
        "rule.k.checkpoint-reset.when",
        "Is a word of an entry no number?",
    ),
    (
        "rule.k.checkpoint-unreadable",
        "`{path:file}` cannot be read ({why}): the directory is marked failed",
    ),
    (
        "rule.k.checkpoint-unreadable.then",
        "It counts as empty and loading goes on, but the directory has been marked failed: a broker that has no other one halts.",
    ),
    (
        "rule.k.checkpoint-unreadable.when",
        "Can the checkpoint file be read: version, count, entries?",
    ),
    (
        "rule.k.corrupt-uncaught",
        "`{path:file}`: bytes that are no batch at {at}, found where nothing is prepared for it: loading stops",
    ),
    (
        "rule.k.corrupt-uncaught.then",
        "The broker does not start. After a clean stop this happens with zeros behind the last batch; with the flag deleted it would cut them and start.",
    ),
    (
        "rule.k.corrupt-uncaught.when",
        "Is the damage met while the log's end is looked up, not while walking?",
    ),
    (
        "rule.k.dir-name",
        "folder `{name}` is no partition: loading stops",
    ),
    (
        "rule.k.dir-name.then",
        "The broker does not start. Nothing has been loaded by then, but a clean-shutdown flag is gone already.",
    ),
    (
        "rule.k.dir-name.when",
        "Is every folder's name a topic, a hyphen and a number?",
    ),
    (
        "rule.k.dir-to-delete",
        "`{path}` is a partition that was deleted: it goes soon",
    ),
    (
        "rule.k.dir-to-delete.then",
        "It is loaded and deleted file.delete.delay.ms later.",
    ),
    (
        "rule.k.dir-to-delete.when",
        "Does the folder's name end in `-delete`?",
    ),
    (
        "rule.k.epoch-found",
        "leader epoch {epoch} from {offset} on",
    ),
    (
        "rule.k.epoch-found.then",
        "The epoch and where it begins are written to `{path:file}`.",
    ),
    (
        "rule.k.epoch-found.when",
        "Is a batch of a later leader epoch than is known?",
    ),
    (
        "rule.k.epochs-before-start",
        "leader epoch {epoch} now begins at the log start, {start}",
    ),
    (
        "rule.k.epochs-before-start.then",
        "Those that end before it go; the one that holds it begins there, in `{path:file}`.",
    ),
    (
        "rule.k.epochs-before-start.when",
        "Does a leader epoch begin before the log's start?",
    ),
    (
        "rule.k.epochs-behind-end",
        "leader epochs that begin at or behind {end} go",
    ),
    (
        "rule.k.epochs-behind-end.then",
        "Its entry is removed from `{path:file}`.",
    ),
    (
        "rule.k.epochs-behind-end.when",
        "Does a leader epoch begin at or behind the log's end?",
    ),
    (
        "rule.k.epochs-unreadable",
        "`{path:file}` cannot be read ({why})",
    ),
    (
        "rule.k.epochs-unreadable.then",
        "From 3.0 on the directory is marked failed and the other partitions are loaded; before, the start ended there. An empty file is no failure.",
    ),
    (
        "rule.k.epochs-unreadable.when",
        "Can `leader-epoch-checkpoint` be read?",
    ),
    (
        "rule.k.file-cleaned",
        "`{path:file}` is half a clean-up: deleted",
    ),
    (
        "rule.k.file-cleaned.then",
        "It is deleted: compaction or a split had not finished writing it. The originals are still there.",
    ),
    (
        "rule.k.file-cleaned.when",
        "Does the name end in `.cleaned`?",
    ),
    (
        "rule.k.file-deleted",
        "`{path:file}` was to be deleted: it is now",
    ),
    (
        "rule.k.file-deleted.then",
        "It is deleted: the broker stopped before its delayed deletion ran.",
    ),
    (
        "rule.k.file-deleted.when",
        "Does the name end in `.deleted`?",
    ),
    (
        "rule.k.file-name",
        "the name of `{path:file}` begins with no number: loading stops",
    ),
    (
        "rule.k.file-name.then",
        "The broker does not start. Files of other kinds may be called anything.",
    ),
    (
        "rule.k.file-name.when",
        "Does the name of a log, index or snapshot file begin with an offset?",
    ),
    (
        "rule.k.flag-absent",
        "no clean-shutdown flag: what may not have been flushed is checked",
    ),
    (
        "rule.k.flag-absent.then",
        "The stop before was no clean one: every partition is walked from its recovery point on.",
    ),
    (
        "rule.k.flag-absent.when",
        "Is `.kafka_cleanshutdown` in the log directory?",
    ),
    (
        "rule.k.flag-present",
        "clean-shutdown flag is there: nothing will be checked",
    ),
    (
        "rule.k.flag-present.then",
        "The stop before was clean: no segment is walked, however damaged it may be by now. Log ends are taken from the last index entry on.",
    ),
    (
        "rule.k.flag-present.when",
        "Is `.kafka_cleanshutdown` in the log directory? What it holds is not read.",
    ),
    (
        "rule.k.flag-removed",
        "flag removed, before anything is loaded",
    ),
    (
        "rule.k.flag-removed.then",
        "It is removed now, so that a crash while loading counts as a crash. Up to 2.7 it was removed after loading.",
    ),
    (
        "rule.k.flag-removed.when",
        "Is the flag there when loading begins?",
    ),
    (
        "rule.k.index-corrupt",
        "`{path:file}`: last offset {last}, base {base}, {size:bytes}: counts as corrupt, its segment is checked and the index built anew",
    ),
    (
        "rule.k.index-corrupt.then",
        "If not, the segment is checked and cut, and both indexes are built anew. After a crash this meets the index of every active segment: it ends in zeros.",
    ),
    (
        "rule.k.index-corrupt.when",
        "Does the index's last entry lie above the base, and is the file a whole number of entries?",
    ),
    (
        "rule.k.index-missing",
        "`{path:file}` is missing: its segment is checked and the index built anew",
    ),
    (
        "rule.k.index-missing.then",
        "The whole segment is checked, even after a clean stop, and cut at the first bad batch. Later segments stay, so a hole may be left.",
    ),
    (
        "rule.k.index-missing.when",
        "Is the segment's `.index` there? Its entries are not looked at.",
    ),
    (
        "rule.k.index-orphan",
        "`{path:file}` has no log file: deleted",
    ),
    ("rule.k.index-orphan.then", "The index is deleted."),
    (
        "rule.k.index-orphan.when",
        "Is there a log file for this index?",
    ),
    (
        "rule.k.index-rebuilt",
        "`{path:file}` built anew: {entries:count entry|entries}, {times} by time",
    ),
    (
        "rule.k.index-rebuilt.then",
        "An entry goes to the offset index and one to the time index. What stood there before is gone; the new entries may stand elsewhere and be as right.",
    ),
    (
        "rule.k.index-rebuilt.when",
        "Have more than index.interval.bytes been read since the last entry?",
    ),
    (
        "rule.k.index-refused",
        "`{path:file}`: last offset {last}, base {base}, {size:bytes}: counts as corrupt, loading stops",
    ),
    (
        "rule.k.index-refused.then",
        "If not, 0.8 does not start: it builds only a missing index anew.",
    ),
    (
        "rule.k.index-refused.when",
        "Behind the walk: does every index's last entry lie above the base, and is the file a whole number of entries?",
    ),
    (
        "rule.k.later-deleted",
        "`{path:file}` lies behind the cut: marked for deletion, {bytes:bytes}",
    ),
    (
        "rule.k.later-deleted.then",
        "It gets the suffix `.deleted` and is deleted file.delete.delay.ms later: until then its bytes can be copied.",
    ),
    (
        "rule.k.later-deleted.when",
        "Does a segment lie behind the one that was cut, or behind a log start beyond the end?",
    ),
    (
        "rule.k.load-throws",
        "`{path}` at {at}: {why}: loading stops",
    ),
    ("rule.k.load-throws.then", "The broker does not start."),
    (
        "rule.k.load-throws.when",
        "Does loading throw an exception that nothing catches?",
    ),
    (
        "rule.k.loaded",
        "`{path}` is loaded: offsets {start} to {end}, recovery point {point}, {segments:count segment|segments}",
    ),
    (
        "rule.k.loaded.then",
        "Appends go on at its end. After a crash the recovery point does not move on: it is the smaller of checkpoint and log end.",
    ),
    ("rule.k.loaded.when", "Is the partition's log ready?"),
    (
        "rule.k.log-start-beyond",
        "`{path}`: log start {start} lies beyond the end {end}: every segment goes",
    ),
    (
        "rule.k.log-start-beyond.then",
        "All segments are deleted, flag or not, and an empty one begins at the log start.",
    ),
    (
        "rule.k.log-start-beyond.when",
        "Does the log end before the log start offset of the checkpoint?",
    ),
    (
        "rule.k.log-starts",
        "{entries:count log start offset|log start offsets} read",
    ),
    (
        "rule.k.log-starts.then",
        "A partition begins there, or at its first segment, whichever is later.",
    ),
    (
        "rule.k.log-starts.when",
        "What does `log-start-offset-checkpoint` say?",
    ),
    (
        "rule.k.log-truncated",
        "the log now ends at {next}; {later:count later segment goes|later segments go}",
    ),
    (
        "rule.k.log-truncated.then",
        "The walk ends. Every later segment is deleted unread.",
    ),
    (
        "rule.k.log-truncated.when",
        "Was anything cut from this segment?",
    ),
    (
        "rule.k.metadata-log",
        "`{path}` is KRaft's own log: left to the controller",
    ),
    (
        "rule.k.metadata-log.then",
        "The broker's loader passes it by. The controller opens it with recovery point 0 and checks all of it at every start; that is not followed here.",
    ),
    (
        "rule.k.metadata-log.when",
        "Is the folder KRaft's `__cluster_metadata`?",
    ),
    (
        "rule.k.metadata-unreadable",
        "`{path:file}` cannot be read ({why})",
    ),
    (
        "rule.k.metadata-unreadable.then",
        "From 3.0 on the directory is marked failed and the other partitions are loaded; before, the start ended there.",
    ),
    (
        "rule.k.metadata-unreadable.when",
        "Can `partition.metadata` be read: version and topic id?",
    ),
    (
        "rule.k.producers-none",
        "`{path}`: no snapshot after a clean stop: no producers are known",
    ),
    (
        "rule.k.producers-none.then",
        "The producers are taken to be none, and nothing is read. A producer that goes on may write a batch twice.",
    ),
    (
        "rule.k.producers-none.when",
        "Is there no snapshot at all, and was the stop clean?",
    ),
    (
        "rule.k.producers-replayed",
        "producers of {batches:count batch|batches} of `{path:file}` taken over",
    ),
    (
        "rule.k.producers-replayed.then",
        "They are read for their producers; their checksums are not looked at here.",
    ),
    (
        "rule.k.producers-replayed.when",
        "Do batches with a producer follow the snapshot?",
    ),
    (
        "rule.k.recovery-points",
        "{entries:count recovery point|recovery points} read",
    ),
    (
        "rule.k.recovery-points.then",
        "Below its recovery point a partition counts as flushed, and is not walked after a crash.",
    ),
    (
        "rule.k.recovery-points.when",
        "What does `recovery-point-offset-checkpoint` say?",
    ),
    (
        "rule.k.segment-cut",
        "`{path:file}` cut from {from} to {to}: {bytes:bytes} gone",
    ),
    (
        "rule.k.segment-cut.then",
        "The file is cut there. The bytes are gone when the broker has started: copy them before, if another replica does not hold them.",
    ),
    (
        "rule.k.segment-cut.when",
        "Does anything follow the last good batch?",
    ),
    (
        "rule.k.segment-emptied",
        "`{path:file}`: an offset goes back where an index entry is due: the whole segment is emptied, {bytes:bytes}",
    ),
    (
        "rule.k.segment-emptied.then",
        "The segment is cut to nothing, good batches included. The same damage a little aside of an index entry goes unnoticed.",
    ),
    (
        "rule.k.segment-emptied.when",
        "Is an offset not above the last one where an index entry is written?",
    ),
    (
        "rule.k.segment-new",
        "`{path:file}`: a new, empty segment at {base}",
    ),
    ("rule.k.segment-new.then", "An empty one is made."),
    ("rule.k.segment-new.when", "Is no segment left?"),
    (
        "rule.k.segment-replaced",
        "`{path:file}` is replaced: marked for deletion, {bytes:bytes}",
    ),
    (
        "rule.k.segment-replaced.then",
        "They get the suffix `.deleted` and go file.delete.delay.ms later.",
    ),
    (
        "rule.k.segment-replaced.when",
        "Which segments does a swapped or split one replace?",
    ),
    (
        "rule.k.segment-split",
        "`{path:file}`: offset {offset} is more than 2³¹ above the segment's base: split",
    ),
    (
        "rule.k.segment-split.then",
        "The segment is split where it does not, and the walk begins again from the recovery point.",
    ),
    (
        "rule.k.segment-split.when",
        "Does every offset fit into 31 bits above the segment's base?",
    ),
    (
        "rule.k.snapshot-bad",
        "`{path:file}` is corrupt ({why}): deleted",
    ),
    (
        "rule.k.snapshot-bad.then",
        "It is deleted and the one before is used; what is missing is read from the log.",
    ),
    (
        "rule.k.snapshot-bad.when",
        "Do version, length and checksum of the snapshot hold?",
    ),
    (
        "rule.k.snapshot-marked",
        "`{path:file}` goes with its segment",
    ),
    (
        "rule.k.snapshot-marked.then",
        "It gets the suffix `.deleted` too.",
    ),
    (
        "rule.k.snapshot-marked.when",
        "Does a deleted segment have a snapshot?",
    ),
    (
        "rule.k.snapshot-outside",
        "`{path:file}` lies outside of the log as read so far: deleted",
    ),
    (
        "rule.k.snapshot-outside.then",
        "It is deleted, and written anew when the walk comes there.",
    ),
    (
        "rule.k.snapshot-outside.when",
        "Is a snapshot at or before the log start, or behind the offset up to which producers are built?",
    ),
    (
        "rule.k.snapshot-read",
        "{producers:count producer|producers} read from `{path:file}`",
    ),
    (
        "rule.k.snapshot-read.then",
        "Their sequence numbers and open transactions are taken from it.",
    ),
    (
        "rule.k.snapshot-read.when",
        "Which is the newest snapshot of the producers?",
    ),
    (
        "rule.k.snapshot-stray",
        "`{path:file}` belongs to no segment: deleted",
    ),
    (
        "rule.k.snapshot-stray.then",
        "Of those only the newest stays, if it is newer than every segment: it was written by a clean stop.",
    ),
    (
        "rule.k.snapshot-stray.when",
        "Is there a snapshot at an offset where no segment begins?",
    ),
    (
        "rule.k.snapshot-written",
        "{producers:count producer|producers} at {offset} written to `{path:file}`",
    ),
    (
        "rule.k.snapshot-written.then",
        "It is written, so that the next start need not read this part again.",
    ),
    (
        "rule.k.snapshot-written.when",
        "Has the state moved on since the last snapshot?",
    ),
    (
        "rule.k.split-impossible",
        "`{path:file}`: offset {offset} lies below the segment's base {base}: it is taken for one too far above, and the split fails",
    ),
    (
        "rule.k.split-impossible.then",
        "The broker does not start: it tries to split a segment that has nothing to split.",
    ),
    (
        "rule.k.split-impossible.when",
        "Is an offset below the segment's base?",
    ),
    (
        "rule.k.stop-checkpoint",
        "`{path:file}` written: {entries:count entry|entries}",
    ),
    ("rule.k.stop-checkpoint.then", "The offsets are written."),
    ("rule.k.stop-checkpoint.when", "Are all logs closed?"),
    (
        "rule.k.stop-flag",
        "the flag is written: the next start will check nothing",
    ),
    (
        "rule.k.stop-flag.then",
        "The flag is made. From here on nothing notices what happens to the files.",
    ),
    (
        "rule.k.stop-flag.when",
        "Have all logs been closed without a failure?",
    ),
    (
        "rule.k.stop-flush",
        "`{path}` is flushed: recovery point {from} to {to}",
    ),
    (
        "rule.k.stop-flush.then",
        "A clean stop flushes it, and the recovery point becomes the log's end.",
    ),
    (
        "rule.k.stop-flush.when",
        "Does the log hold what was not flushed?",
    ),
    (
        "rule.k.swap-covered",
        "`{path:file}` is covered by a swapped segment: deleted",
    ),
    (
        "rule.k.swap-covered.then",
        "It is deleted, log, indexes and snapshot alike: compaction had finished, only the exchange had not.",
    ),
    (
        "rule.k.swap-covered.when",
        "Does the file's offset lie in what the `.swap` segments cover, {from} to {to}?",
    ),
    (
        "rule.k.swap-index-deleted",
        "`{path:file}` stands beside a swapped log: deleted",
    ),
    (
        "rule.k.swap-index-deleted.then",
        "The index goes: it is built anew when the swapped log is checked.",
    ),
    (
        "rule.k.swap-index-deleted.when",
        "Is there a `.swap` file of this segment?",
    ),
    (
        "rule.k.swap-invalid",
        "`{path:file}` belongs to a split that was not complete: deleted",
    ),
    (
        "rule.k.swap-invalid.then",
        "The `.swap` file is deleted: the split had not written all its parts. The originals are still there.",
    ),
    (
        "rule.k.swap-invalid.when",
        "Is there a `.cleaned` file at or below the offset of this `.swap` file?",
    ),
    (
        "rule.k.swap-recovered",
        "`{path:file}` is checked like a segment that was never flushed",
    ),
    (
        "rule.k.swap-recovered.then",
        "It is checked, cut if it is torn, and replaces the segments it covers. From 3.0 on it is only renamed.",
    ),
    ("rule.k.swap-recovered.when", "Is a `.swap` log left?"),
    (
        "rule.k.swap-renamed",
        "`{path:file}` takes its place as it is, without a look inside",
    ),
    (
        "rule.k.swap-renamed.then",
        "It is renamed. From 3.0 on it is not checked; before, it was.",
    ),
    ("rule.k.swap-renamed.when", "Is a `.swap` file left?"),
    (
        "rule.k.time-index-last",
        "`{path:file}`: last entry {time:time}, offset {offset}",
    ),
    (
        "rule.k.time-index-last.then",
        "It gets the last entry of the time index, as it does when a segment is closed.",
    ),
    (
        "rule.k.time-index-last.when",
        "What is the largest timestamp of the segment?",
    ),
    (
        "rule.k.time-index-missing",
        "`{path:file}` is missing: an empty one is made",
    ),
    (
        "rule.k.time-index-missing.then",
        "An empty file is made; it is not built anew. Look-ups by time do not find this segment's entries until it is walked.",
    ),
    (
        "rule.k.time-index-missing.when",
        "Is the segment's `.timeindex` there?",
    ),
    (
        "rule.k.txn-index-below",
        "`{path:file}`: a transaction ends at {last}, before the segment begins at {base}",
    ),
    (
        "rule.k.txn-index-below.then",
        "The segment is checked as a whole and its indexes are built anew.",
    ),
    (
        "rule.k.txn-index-below.when",
        "Does an aborted transaction end before its segment begins?",
    ),
    (
        "rule.k.txn-index-rebuilt",
        "aborted transaction of producer {producer}, {first} to {last}, written to `{path:file}`",
    ),
    (
        "rule.k.txn-index-rebuilt.then",
        "It is written to the transaction index, so that readers of committed data pass it by.",
    ),
    (
        "rule.k.txn-index-rebuilt.when",
        "Does a control batch abort a transaction?",
    ),
    (
        "rule.k.txn-index-version",
        "`{path:file}`: version {version} at {at}: loading stops",
    ),
    (
        "rule.k.txn-index-version.then",
        "The broker does not start. This check runs for every segment, clean stop or not.",
    ),
    (
        "rule.k.txn-index-version.when",
        "Is the version of every aborted transaction known?",
    ),
    (
        "rule.k.walk-from",
        "`{path}`: recovery point {point}: {segments:count segment is|segments are} walked, {skipped} trusted",
    ),
    (
        "rule.k.walk-from.then",
        "They are read batch by batch. Damage in earlier ones is not found; the last segment is always read.",
    ),
    (
        "rule.k.walk-from.when",
        "Which segments may hold what was never flushed? Those from the one on that contains the recovery point.",
    ),
    ("run.phase.check", "{n} steps of checking segments"),
    (
        "run.phase.producers",
        "{n} steps of building the producers' state",
    ),
    ("run.phase.shutdown", "{n} steps of a clean stop"),
    ("run.phase.walk", "{n} steps of choosing segments"),
    (
        "verdict.all-there.kafka",
        "Every batch that was read is sound.",
    ),
    (
        "verdict.cut-bytes.all-read.kafka",
        "{bytes:bytes} that hold no whole batch are cut; all other bytes were checked.",
    ),
    (
        "verdict.cut-bytes.unread.kafka",
        "{bytes:bytes} that hold no whole batch are cut; {unread:bytes} were not checked.",
    ),
    (
        "verdict.cut.all-read.kafka",
        "{messages:count record is|records are} cut, {bytes:bytes}; all other segments were checked.",
    ),
    (
        "verdict.cut.unread.kafka",
        "{messages:count record is|records are} cut, {bytes:bytes}; {unread:bytes} were not checked.",
    ),
    (
        "verdict.torn-too.kafka",
        "{bytes:bytes} of the cut hold no whole batch.",
    ),
];
