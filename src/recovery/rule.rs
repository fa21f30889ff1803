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

impl Rule {
    /// Whether a release's table has this row. `since` and `until` may name a line: `until: "4.9"` is all of 4.9.
    pub fn is_in(&self, release: [u32; 3]) -> bool {
        is_between(release, self.since, self.until)
    }
}

/// Whether a release is of a line or a later one, and of another or an earlier one.
pub fn is_between(release: [u32; 3], since: &str, until: Option<&str>) -> bool {
    let since = parts(since).map(|part| part.unwrap_or(0));
    let until = until.map_or([u32::MAX; 3], |until| {
        parts(until).map(|part| part.unwrap_or(u32::MAX))
    });
    since <= release && release <= until
}

fn parts(text: &str) -> [Option<u32>; 3] {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    [(); 3].map(|()| parts.next().flatten())
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

/// A decision table: one static a row, and `ALL` of them in the order in which a start comes to them.
macro_rules! rules {
    ($($name:ident $id:literal $source:literal $phase:ident $kind:ident $since:literal $(to $until:literal)?;)*) => {
        $(pub static $name: $crate::recovery::rule::Rule = $crate::recovery::rule::Rule {
            id: $id,
            source: $source,
            phase: $crate::recovery::rule::Phase::$phase,
            kind: $crate::recovery::rule::Kind::$kind,
            since: $since,
            until: [$(Some($until),)? None][0],
        };)*
        /// All rows, in the order in which a start comes to them.
        pub static ALL: &[&$crate::recovery::rule::Rule] = &[$(&$name),*];
    };
}
pub(crate) use rules;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_in_the_releases_it_names() {
        let mut rule = Rule {
            id: "",
            source: "",
            phase: Phase::Load,
            kind: Kind::Notice,
            since: "4.9",
            until: Some("5.1"),
        };
        assert!(rule.is_in([4, 9, 0]) && rule.is_in([5, 1, 4]));
        assert!(!rule.is_in([5, 2, 0]) && !rule.is_in([4, 8, 9]));
        rule.since = "5.1.2";
        rule.until = None;
        assert!(!rule.is_in([5, 1, 1]) && rule.is_in([5, 1, 2]) && rule.is_in([6, 0, 0]));
    }
}
