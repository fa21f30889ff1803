//! Two outcomes side by side, in words: what comes out otherwise, and the steps on which the ways there part.

use super::steps;
use crate::brokers;
use crate::facts;
use crate::language::{Language, Sentence, numbers};
use crate::recovery::difference::{Difference, Differs, Pair};
use crate::recovery::outcome::{Amount, EndKind, Outcome};
use crate::recovery::{Rule, Step};
use crate::what_if::logs::{Held, LogPair};
use std::fmt::Write;

/// One thing that comes out otherwise: what, and how on either side.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub label: String,
    pub left: String,
    pub right: String,
}

pub fn row(differs: &Differs, language: Language) -> Row {
    match differs {
        Differs::End { left, right, .. } => Row {
            label: language.text("differs.end").to_owned(),
            left: end(*left, language).to_owned(),
            right: end(*right, language).to_owned(),
        },
        Differs::Mark { mark, left, right } => {
            let shown = |offset: &Option<i64>| {
                offset.map_or(language.text("differs.none").to_owned(), numbers::grouped)
            };
            Row {
                label: mark.0.to_string(),
                left: shown(left),
                right: shown(right),
            }
        }
        Differs::Ledger { part, left, right } => Row {
            label: language.text(ledger_key(part)).to_owned(),
            left: amount(*left, language),
            right: amount(*right, language),
        },
        Differs::Count { count, left, right } => {
            let shown = |count: u64| numbers::grouped(crate::decode::num::long_of(count));
            Row {
                label: language.text(count_key(count)).to_owned(),
                left: shown(*left),
                right: shown(*right),
            }
        }
    }
}

fn end(kind: EndKind, language: Language) -> &'static str {
    language.text(match kind {
        EndKind::Started => "differs.starts",
        EndKind::Refused => "differs.refuses",
        EndKind::Hangs => "differs.hangs",
        EndKind::Unreadable => "differs.unreadable",
    })
}

fn ledger_key(part: &str) -> &'static str {
    match part {
        "kept" => "report.ledger.kept",
        "cutReadable" => "report.ledger.cut-readable",
        "cutUnreadable" => "report.ledger.cut-unreadable",
        "blank" => "report.ledger.blank",
        "unwritten" => "report.ledger.unwritten",
        "unread" => "report.ledger.unread",
        _ => "report.ledger.total",
    }
}

fn count_key(count: &str) -> &'static str {
    match count {
        "queueEntriesRebuilt" => "tile.queue-rebuilt",
        "queueEntriesCut" => "tile.queue-cut",
        "indexEntriesRebuilt" => "tile.index-rebuilt",
        _ => "tile.index-lost",
    }
}

fn amount(amount: Amount, language: Language) -> String {
    let facts = facts! { bytes = amount.bytes, messages = amount.messages.unwrap_or(0) };
    let key = if amount.messages.is_some() {
        "differs.amount"
    } else {
        "differs.bytes"
    };
    language.plain(key, &facts)
}

/// What the other releases that the files allow come to: one sentence for those with the same verdict, one for each that differs.
pub fn candidates(outcome: &Outcome, language: Language) -> Vec<Sentence> {
    let (same, other): (Vec<_>, Vec<_>) = outcome
        .candidates
        .iter()
        .partition(|candidate| candidate.differs.is_empty());
    let mut sentences = Vec::new();
    let names: Vec<&str> = same
        .iter()
        .flat_map(|candidate| &candidate.releases)
        .map(String::as_str)
        .collect();
    if !names.is_empty() {
        let facts = facts! { releases = names.join(", ") };
        sentences.push(language.sentence("candidates.same", &facts));
    }
    for candidate in other {
        let rows: Vec<String> = candidate
            .differs
            .iter()
            .map(|differs| row(differs, language))
            .map(|row| {
                let facts = facts! { label = row.label, left = row.left, right = row.right };
                language.plain("candidates.row", &facts)
            })
            .collect();
        let facts = facts! {
            releases = candidate.releases.join(", "),
            what = rows.join(language.text("candidates.and")),
        };
        sentences.push(language.sentence("candidates.differ", &facts));
    }
    sentences
}

/// A step that only one side has, or that says another thing on either.
pub struct Parted<'o> {
    pub left: Option<&'o Step>,
    pub right: Option<&'o Step>,
    /// The row of the decision table.
    pub rule: Option<&'static Rule>,
}

/// The steps on which the ways part, in order.
pub fn parted<'o>(
    difference: &'o Difference,
    left: &'o Outcome,
    right: &'o Outcome,
) -> impl Iterator<Item = Parted<'o>> {
    difference.steps.iter().filter_map(|pair| {
        let (left, right) = match *pair {
            Pair::Same { .. } => return None,
            Pair::Otherwise {
                left: ours,
                right: theirs,
            } => (
                steps::step(&left.trace, ours),
                steps::step(&right.trace, theirs),
            ),
            Pair::Left { left: ours } => (steps::step(&left.trace, ours), None),
            Pair::Right { right: theirs } => (None, steps::step(&right.trace, theirs)),
        };
        // What a person cannot see to differ shows in what follows from it.
        let words = |step: Option<&Step>| step.map(|step| steps::sentence(step, Language::English));
        if left.is_some() && words(left) == words(right) {
            return None;
        }
        let rule = left.or(right).and_then(|step| brokers::rule(&step.rule));
        Some(Parted { left, right, rule })
    })
}

/// What the command line prints: what comes out otherwise, then the steps on which the ways part, `<` on the left and `>` on the right.
pub fn text(
    difference: &Difference,
    left: &Outcome,
    right: &Outcome,
    language: Language,
) -> String {
    let mut text = String::new();
    for (side, outcome) in [("left", left), ("right", right)] {
        let broker = &outcome.broker;
        let _ = writeln!(
            text,
            "{side:<5} {} {}: {}",
            broker.family, broker.release, outcome.end.sentence
        );
    }
    let _ = writeln!(text);
    if difference.verdict.is_empty() {
        let _ = writeln!(text, "{}", language.text("differs.same"));
    }
    for differs in &difference.verdict {
        let row = row(differs, language);
        let _ = writeln!(text, "{:<28} {:>28} {:>28}", row.label, row.left, row.right);
    }
    let _ = writeln!(text);
    for parted in parted(difference, left, right) {
        for (side, step) in [('<', parted.left), ('>', parted.right)] {
            let Some(step) = step else { continue };
            let _ = writeln!(
                text,
                "{side} {:>5} {:<28} {}{}",
                step.number,
                step.rule,
                steps::sentence(step, language),
                parted.rule.map_or(String::new(), lines_of)
            );
        }
    }
    text
}

/// From which release to which a rule holds, and where the broker's source has it.
fn lines_of(rule: &Rule) -> String {
    let until = rule
        .until
        .map_or(String::new(), |until| format!(" to {until}"));
    format!(" [{}{until}; {}]", rule.since, rule.source)
}

/// What two stores' logs have in common and what not.
pub fn log_text(log: &LogPair, language: Language) -> String {
    let Some(offset) = log.first_difference else {
        let facts = facts! { log = log.log.as_str() };
        return format!("{}\n", language.plain("logs.same", &facts));
    };
    let facts = facts! { log = log.log.as_str(), offset = offset };
    let mut text = format!("{}\n", language.plain("logs.differ", &facts));
    for (key, held) in [
        ("logs.only-left", log.only_left),
        ("logs.only-right", log.only_right),
        ("logs.other-bytes", log.other_bytes),
    ] {
        let _ = writeln!(
            text,
            "  {:<18} {}",
            language.text(key),
            held_text(held, language)
        );
    }
    text
}

fn held_text(held: Held, language: Language) -> String {
    let (Some(first), Some(last)) = (held.first, held.last) else {
        return language.text("logs.nothing").to_owned();
    };
    let facts = facts! { n = held.entries, bytes = held.bytes, first = first, last = last };
    language.plain("logs.held", &facts)
}

#[cfg(test)]
mod tests {
    use crate::recovery::difference::{Pair, difference, verdict};
    use crate::view_model::fixture;

    #[test]
    fn an_outcome_differs_from_itself_in_nothing() {
        let outcome = fixture::crash();
        let difference = difference(&outcome, &outcome);
        assert!(difference.verdict.is_empty() && difference.files.is_empty());
        let count = u32::try_from(outcome.trace.steps.len()).unwrap();
        let all = Pair::Same {
            left: 1,
            right: 1,
            count,
        };
        assert_eq!(difference.steps, [all]);
    }

    /// One side leaves out a step and says another thing in the next one.
    #[test]
    fn the_ways_part_where_a_step_is_missing_or_says_another_thing() {
        let left = fixture::crash();
        let mut right = left.clone();
        right.trace.steps.remove(2);
        for (number, step) in (1..).zip(&mut right.trace.steps) {
            step.number = number;
        }
        right.trace.steps[2].count += 1;
        let pairs = difference(&left, &right).steps;
        assert_eq!(
            pairs[..3],
            [
                Pair::Same {
                    left: 1,
                    right: 1,
                    count: 2
                },
                Pair::Left { left: 3 },
                Pair::Otherwise { left: 4, right: 3 },
            ]
        );
        let Some(Pair::Same { left, right, .. }) = pairs.get(3) else {
            panic!("{pairs:?}");
        };
        assert_eq!((*left, *right), (5, 4));
    }

    #[test]
    fn a_mark_that_a_release_does_not_keep_is_no_other_verdict() {
        let left = fixture::crash();
        let (mut right, mut without) = (left.clone(), left.clone());
        let mark = left.marks.keys().next().unwrap().clone();
        right.marks.get_mut(&mark).unwrap().after = Some(7);
        without.marks.get_mut(&mark).unwrap().after = Some(-1);
        assert_eq!(verdict(&left, &right).len(), 1);
        assert_eq!(verdict(&left, &without), []);
    }
}
