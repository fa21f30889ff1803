//! What each sample store tells: its texts are `story.<sample>.happened`, `.watch` and `.why`, and one rule is the step to watch.

use crate::recovery::Trace;

/// A sample, and the rule that its story turns on. In the order in which the page offers them.
pub const STORIES: [(&str, &str); 9] = [
    ("torn-tail", "check.body-crc"),
    ("flipped-byte", "start.first-file"),
    ("queues-behind", "scan.accepted"),
    ("hole-in-the-middle", "scan.next-file"),
    ("start-that-hangs", "reput.no-data"),
    ("index-lost", "index.newer-than-checkpoint"),
    ("queues-ahead", "logic.unit-ahead"),
    ("refused", "load.log-length"),
    ("clean-stop", "start.third-last-file"),
];

/// The step to watch of a sample's story.
pub fn step_to_watch(sample: &str, trace: &Trace) -> Option<u32> {
    let (_, rule) = STORIES.iter().find(|(id, _)| *id == sample)?;
    let step = trace.steps.iter().find(|step| step.rule == *rule)?;
    Some(step.number)
}
