//! An outcome without the names that people gave: topics, groups, folders, and whatever text of a message a step quotes.
//!
//! What stays is a list, not what goes: numbers, and the words that every store has ([`KEPT`]). A name becomes the same alias
//! everywhere, so that a queue can be followed through the report.

use super::inputs::Input;
use crate::recovery::map::{Lane, LaneKind};
use crate::recovery::trace::{Change, Fact, Facts, Mark, Place};
use crate::recovery::{Finding, Outcome};
use crate::store::StorePath;
use std::collections::HashMap;

/// Parts of a path that every store of its kind has.
const KEPT: [&str; 34] = [
    "abort",
    "abort.bak",
    "batchconsumequeue",
    "checkpoint",
    "checkpoint.bak",
    "cleaner-offset-checkpoint",
    "commitlog",
    "compaction",
    "config",
    "consumequeue",
    "consumequeue_ext",
    "consumerFilter.json",
    "consumerFilter.json.bak",
    "consumerOffset.json",
    "consumerOffset.json.bak",
    "delayOffset.json",
    "delayOffset.json.bak",
    "index",
    "leader-epoch-checkpoint",
    "lock",
    "log-start-offset-checkpoint",
    "meta.properties",
    "partition.metadata",
    "recovery-point-offset-checkpoint",
    "replication-offset-checkpoint",
    "subscriptionGroup.json",
    "subscriptionGroup.json.bak",
    "timercheck",
    "timerlog",
    "timermetrics",
    "timerwheel",
    "topics.json",
    "topics.json.bak",
    ".kafka_cleanshutdown",
];

/// Endings of files that are named by an offset.
const ENDINGS: [&str; 9] = [
    "bak",
    "cleaned",
    "deleted",
    "index",
    "log",
    "snapshot",
    "swap",
    "timeindex",
    "txnindex",
];

/// Facts whose text is a word of this program or of the broker's settings.
const WORDS: [&str; 7] = ["change", "field", "key", "kind", "names", "part", "release"];

/// Stands for a text that is not told.
const WITHHELD: &str = "…";

pub(super) fn take_names_out(outcome: &mut Outcome, inputs: &mut [Input]) {
    let mut aliases = Aliases::default();
    // The queues first: they get the low numbers, in the order in which they are listed.
    for lane in &mut outcome.map.lanes {
        aliases.lane(lane);
    }
    for file in &mut outcome.map.files {
        aliases.path(&mut file.path);
    }
    for file in &mut outcome.files {
        aliases.path(&mut file.path);
    }
    for input in inputs {
        aliases.path(&mut input.path);
    }
    for step in &mut outcome.trace.steps {
        aliases.facts(&mut step.facts);
        aliases.place(step.place.as_mut());
        step.log.retain(|line| !line.names);
        for change in &mut step.changes {
            match change {
                Change::Created { path, .. } => aliases.path(path),
                Change::Mark { mark, .. } => aliases.mark(mark),
                Change::NewLane { lane } => aliases.lane(lane),
                _ => {}
            }
        }
    }
    for finding in &mut outcome.findings {
        aliases.finding(finding);
    }
    outcome.marks = std::mem::take(&mut outcome.marks)
        .into_iter()
        .map(|(mut mark, moved)| {
            aliases.mark(&mut mark);
            (mark, moved)
        })
        .collect();
    aliases.facts(&mut outcome.end.facts);
    outcome.end.sentence.clear();
    if let Some(unread) = &mut outcome.end.unread {
        // The host's words may hold the host's paths.
        unread.file = aliases.path_text(&unread.file);
        WITHHELD.clone_into(&mut unread.why);
    }
}

#[derive(Default)]
struct Aliases {
    /// By the name as it stands in the store.
    names: HashMap<String, String>,
    topics: u32,
    others: u32,
}

impl Aliases {
    fn topic(&mut self, name: &str) -> String {
        if let Some(alias) = self.names.get(name) {
            return alias.clone();
        }
        self.topics = self.topics.saturating_add(1);
        let alias = format!("topic-{}", self.topics);
        self.names.insert(name.to_owned(), alias.clone());
        alias
    }

    fn other(&mut self, name: &str) -> String {
        if let Some(alias) = self.names.get(name) {
            return alias.clone();
        }
        self.others = self.others.saturating_add(1);
        let alias = format!("name-{}", self.others);
        self.names.insert(name.to_owned(), alias.clone());
        alias
    }

    fn lane(&mut self, lane: &mut Lane) {
        lane.name = match lane.kind {
            LaneKind::Queue => self.queue(&lane.name),
            LaneKind::Log | LaneKind::Index => self.part("", &lane.name),
        };
    }

    /// `TopicA/0`, `TopicA/0 #17` → `topic-1/0`, `topic-1/0 #17`
    fn queue(&mut self, label: &str) -> String {
        let Some((topic, number)) = label.rsplit_once('/') else {
            return self.topic(label);
        };
        let is_number = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_digit() || b"# -".contains(&byte))
        };
        let topic = self.topic(topic);
        if is_number(number) {
            format!("{topic}/{number}")
        } else {
            format!("{topic}/{WITHHELD}")
        }
    }

    /// `processOffset` stays; `Pay-0 logEndOffset`, one of many, has its log's alias before it.
    fn mark(&mut self, mark: &mut Mark) {
        let (of, word) = mark.0.rsplit_once(' ').unwrap_or(("", &mark.0));
        let is_word = word.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if of.is_empty() && is_word {
            return;
        }
        let word = if is_word { word } else { WITHHELD }.to_owned();
        let of = self.other(of);
        mark.0 = format!("{of} {word}").into();
    }

    fn path(&mut self, path: &mut StorePath) {
        *path = StorePath::new(&self.path_text(path.as_str()));
    }

    fn place(&mut self, place: Option<&mut Place>) {
        if let Some(place) = place {
            self.path(&mut place.file);
        }
    }

    fn path_text(&mut self, path: &str) -> String {
        let mut parts = Vec::new();
        let mut before = "";
        for part in path.split('/') {
            parts.push(self.part(before, part));
            before = part;
        }
        parts.join("/")
    }

    /// A part of a path behind another one. What stands below the queues' folder is a topic, whatever it looks like.
    fn part(&mut self, before: &str, part: &str) -> String {
        if before.contains("consumequeue") {
            self.topic(part)
        } else if part.is_empty() || is_kept(part) {
            part.to_owned()
        } else {
            self.other(part)
        }
    }

    fn finding(&mut self, finding: &mut Finding) {
        finding.sentence.clear();
        self.facts(&mut finding.facts);
        self.place(finding.place.as_mut());
    }

    fn facts(&mut self, facts: &mut Facts) {
        for (name, fact) in facts.iter_mut() {
            let Fact::Text(text) = fact else { continue };
            *text = match name.as_ref() {
                "path" | "before" | "file" => self.path_text(text),
                "queue" => self.queue(text),
                name if WORDS.contains(&name) => text.clone(),
                _ if self.names.contains_key(text.as_str()) => self.other(text),
                _ if is_number(text) || text.starts_with("<new-") && is_kept(text) => text.clone(),
                _ => WITHHELD.to_owned(),
            };
        }
    }
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word of [`KEPT`], an offset, an offset with an ending, or a file that the broker will name by its clock.
fn is_kept(part: &str) -> bool {
    let new = part
        .strip_prefix("<new-")
        .and_then(|rest| rest.strip_suffix('>'));
    let mut dotted = part.split('.');
    let by_offset =
        dotted.next().is_some_and(is_number) && dotted.all(|end| ENDINGS.contains(&end));
    KEPT.contains(&part) || by_offset || new.is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts;

    #[test]
    fn a_topic_has_one_alias_in_paths_lanes_and_facts() {
        let mut aliases = Aliases::default();
        assert_eq!(aliases.queue("Pay/7"), "topic-1/7");
        assert_eq!(
            aliases.path_text("consumequeue/Pay/7/00000000000000000000"),
            "consumequeue/topic-1/7/00000000000000000000"
        );
        assert_eq!(aliases.queue("a/b/0 #17"), "topic-2/0 #17");
        let mut facts = facts! { queue = "Pay/7", text = "4111 1111", found = 5i64 };
        aliases.facts(&mut facts);
        assert_eq!(
            facts,
            facts! { queue = "topic-1/7", text = WITHHELD, found = 5i64 }
        );
    }

    #[test]
    fn a_mark_of_one_log_of_many_has_its_alias() {
        let mut aliases = Aliases::default();
        let mut marked = |name: &'static str| {
            let mut mark = Mark::new(name);
            aliases.mark(&mut mark);
            mark.0.into_owned()
        };
        assert_eq!(marked("processOffset"), "processOffset");
        assert_eq!(marked("Pay-0 logEndOffset"), "name-1 logEndOffset");
        assert_eq!(marked("Pay-0 recoveryPoint"), "name-1 recoveryPoint");
    }

    #[test]
    fn a_topic_that_looks_like_a_word_or_a_number_is_a_topic() {
        let mut aliases = Aliases::default();
        assert_eq!(
            aliases.path_text("consumequeue/13800138000/0/00000000000000000020"),
            "consumequeue/topic-1/0/00000000000000000020"
        );
        assert_eq!(
            aliases.path_text("consumequeue/index/0"),
            "consumequeue/topic-2/0"
        );
    }

    #[test]
    fn only_words_of_every_store_stay_in_a_path() {
        let mut aliases = Aliases::default();
        for path in [
            "commitlog/00000000001073741824",
            "index/20231114221320000",
            "config/delayOffset.json.bak",
            "index/<new-1>",
            "00000000000000000000.timeindex",
            "checkpoint",
        ] {
            assert_eq!(aliases.path_text(path), path);
        }
        assert_eq!(aliases.path_text("host-7.example/readme"), "name-1/name-2");
        assert_eq!(aliases.path_text("commitlog/<script>"), "commitlog/name-3");
    }
}
