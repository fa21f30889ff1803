//! What the sample stores tell.

pub const TEXTS: &[(&str, &str)] = &[
    ("sample.hole-in-the-middle.title", "A hole in the middle"),
    (
        "sample.hole-in-the-middle.what",
        "A whole file is missing. Does the broker notice?",
    ),
    (
        "story.clean-stop.happened",
        "A proper shutdown: **abort** was deleted, everything was flushed.",
    ),
    (
        "story.clean-stop.watch",
        "how little is read: three files, and nothing is dispatched.",
    ),
    (
        "story.clean-stop.why",
        "Without **abort** the broker trusts its queues and index, and reads only the last three log files. What lies before is not checked: damage there would show only when a consumer reads it.",
    ),
    (
        "story.flipped-byte.happened",
        "One bit of a body in the **first** file is wrong, and the checkpoint's times are 0: no file counts as surely on disk.",
    ),
    (
        "story.flipped-byte.watch",
        "the start file: one after the other is passed by, down to the first.",
    ),
    (
        "story.flipped-byte.why",
        "An abnormal recovery begins at the newest file whose first message is older than the checkpoint less 3 s. With a checkpoint of 0 that is none, so it reads from the front, meets the bad record, and cuts 123 sound messages behind it. With the checkpoint as it was, nobody would have looked there.",
    ),
    ("story.happened", "What happened:"),
    ("story.hide", "Hide"),
    (
        "story.hole-in-the-middle.happened",
        "A whole log file is gone from the middle, and recovery begins at the first file.",
    ),
    (
        "story.hole-in-the-middle.watch",
        "the step from file to file: after the first comes the third, and nothing is said.",
    ),
    (
        "story.hole-in-the-middle.why",
        "The broker takes the files in order of their names and never asks whether one follows the other. It starts and reports nothing. Consumers that come to the hole get nothing; the queues' units point into it.",
    ),
    (
        "story.index-lost.happened",
        "Nothing is damaged. The broker died, and the checkpoint knows only what was safe some time ago.",
    ),
    (
        "story.index-lost.watch",
        "index files that are newer than the checkpoint's index time: they are destroyed whole.",
    ),
    (
        "story.index-lost.why",
        "After an abnormal exit an index file whose last entry is newer than the checkpoint is not trusted. It is deleted, and built again only from the messages that the scan reads. Entries for messages before the start file are not written again: such messages are there, and are found by offset or time, but no longer by key.",
    ),
    ("story.label", "About this sample"),
    (
        "story.queues-ahead.happened",
        "The queues point to messages that the log never got: their files were flushed, the log's end was not.",
    ),
    (
        "story.queues-ahead.watch",
        "the ends of the queues before and after the truncation.",
    ),
    (
        "story.queues-ahead.why",
        "**processOffset** is where the log's last good message ends. Every unit that points there or behind is dirty and is cut, so that consumers are not sent to bytes that other messages will soon fill. The three messages that they stood for are not in these files.",
    ),
    (
        "story.queues-behind.happened",
        "The broker died while dispatch lagged: messages are in the log that no queue and no index knows.",
    ),
    (
        "story.queues-behind.watch",
        "the purple ends of queues and index that grow while the scan reads, message by message: play it, or move the slider.",
    ),
    (
        "story.queues-behind.why",
        "Every message that an abnormal recovery reads is dispatched again. What a queue has already it recognises by the offset and leaves alone; what is missing is written. Nothing is lost, only late.",
    ),
    (
        "story.refused.happened",
        "The last log file has no bytes, as after a full disk.",
    ),
    ("story.refused.watch", "that it ends in step 2."),
    (
        "story.refused.why",
        "Before anything else the broker checks that every log file has the length of **mappedFileSizeCommitLog**. One that does not stops the start, whatever it holds: the other files are not looked at. Nothing is lost; an empty file at the end can be moved away.",
    ),
    ("story.show", "Show that step"),
    (
        "story.start-that-hangs.happened",
        "A log file is missing in the middle, **abort** is absent, and all queues are gone: a restore that put back a part.",
    ),
    (
        "story.start-that-hangs.watch",
        "the last step: dispatch asks for the bytes at 16 384, where no file is.",
    ),
    (
        "story.start-that-hangs.why",
        "After a clean stop only the last three files are read, so the hole is not met in `load()`. Then dispatch begins where the furthest queue ends: without queues at the front. At the hole it finds no file, waits, and tries again, for ever; `start()` waits for dispatch. The real broker was seen waiting there.",
    ),
    (
        "story.torn-tail.happened",
        "The machine died while the broker wrote its last message: the head is on disk, the end of the body is not. The queue had been told of it already.",
    ),
    (
        "story.torn-tail.watch",
        "the body's CRC, stored and computed, in the record at the end; then the queue's last unit.",
    ),
    (
        "story.torn-tail.why",
        "The scan takes every record whose check holds and stops at the first that fails: that place is **processOffset**, and all behind it is cut. Whether bytes were torn or changed, the broker cannot tell, and does not ask.",
    ),
    ("story.watch", "Watch for"),
    ("story.why", "What the broker makes of it, and why:"),
];
