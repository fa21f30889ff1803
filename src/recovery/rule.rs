//! A decision as data: what the broker asks, where its source asks it, and from which release to which.
//!
//! The trace cites rules, the "why" panel prints them, and a test demands for each a case that changes when the row is taken out.
//! The sentences (when, then) are in [`crate::language`], by the rule's id.

/// One row of a broker's decision table.
#[derive(Debug)]
pub struct Rule {
    /// `start.newer-than-checkpoint`
    pub id: &'static str,
    /// The broker's class and method: `CommitLog#isMappedFileMatchedRecover`.
    pub source: &'static str,
    pub phase: Phase,
    pub kind: Kind,
    /// First and last release line with this rule; no last: still so.
    pub since: &'static str,
    pub until: Option<&'static str>,
}

/// Which part of a start a rule belongs to: the sections of the steps strip.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum Phase {
    Load,
    Queues,
    StartFile,
    Scan,
    Truncate,
    Reput,
    Ready,
    /// Which files are to be checked.
    Walk,
    Check,
    Producers,
    /// A clean stop right after the start.
    Shutdown,
}

/// What a step is to a reader; decides its colour, never its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The broker found something, and goes on.
    Notice,
    /// It took one way of several.
    Choice,
    /// It read something and took it as good.
    Accept,
    /// It found something wrong, and stops or passes by.
    Reject,
    /// It cut or deleted something.
    Cut,
    /// It wrote something again.
    Rebuild,
    /// It does not start.
    Refuse,
    /// It never gets ready.
    Hang,
    /// The tool itself stopped counting.
    Limit,
}
