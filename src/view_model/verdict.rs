//! The verdict: whether the broker starts, what is cut or lost, what nobody checked, and what to do next. In that order, because that is
//! the order in which it is asked.

use super::log_bars::{self, ReadSoFar};
use super::{Tone, selection, steps};
use crate::facts;
use crate::language::{Language, Sentence, numbers};
use crate::recovery::map::{FileNow, LaneKind, MapNow};
use crate::recovery::outcome::{Counts, EndKind};
use crate::recovery::rule::Kind;
use crate::recovery::{Facts, Finding, Outcome, Severity};
use std::collections::BTreeSet;

#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    pub tone: Tone,
    pub headline: Sentence,
    /// Why, and what follows from it.
    pub because: Vec<Sentence>,
    pub next: Sentence,
    pub chips: Vec<Chip>,
    pub tiles: Vec<Tile>,
}

/// A reason in a few words; choosing it leads to its step.
#[derive(Clone, Debug, PartialEq)]
pub struct Chip {
    pub text: Sentence,
    pub tone: Tone,
    pub step: Option<u32>,
}

/// A number beside the verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// `verified`: known to tests, and with `tile.` before it the key of its label.
    pub id: &'static str,
    pub label: &'static str,
    pub value: i64,
    pub shown: String,
    /// The exact number where the shown one is rounded.
    pub exact: String,
    pub tone: Tone,
}

/// The amounts that the verdict is about, as exact numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    pub verified: i64,
    pub unread: i64,
    pub dropped: i64,
    /// Messages behind the cut, and how many of them are whole.
    pub cut_messages: i64,
    pub readable_messages: i64,
    /// Bytes behind the cut that hold no whole message.
    pub torn: i64,
    pub process_offset: Option<i64>,
}

pub fn amounts(outcome: &Outcome, last: &MapNow) -> Amounts {
    let read = ReadSoFar::of(last);
    let log_files: Vec<&FileNow> = last
        .files
        .iter()
        .filter(|file| is_log(last, file))
        .collect();
    let (readable, unreadable) = (outcome.ledger.cut_readable, outcome.ledger.cut_unreadable);
    let long = crate::decode::num::long_of;
    Amounts {
        verified: read.verified(),
        unread: log_bars::unread(&log_files, &read),
        dropped: long(readable.bytes.saturating_add(unreadable.bytes)),
        cut_messages: long(
            readable
                .messages
                .unwrap_or(0)
                .saturating_add(unreadable.messages.unwrap_or(0)),
        ),
        readable_messages: long(readable.messages.unwrap_or(0)),
        torn: long(unreadable.bytes),
        process_offset: super::timeline::process_offset(last),
    }
}

fn is_log(now: &MapNow, file: &FileNow) -> bool {
    now.lanes
        .get(file.file.lane)
        .is_some_and(|lane| lane.lane.kind == LaneKind::Log)
}

pub fn verdict(outcome: &Outcome, last: &MapNow, language: Language) -> Verdict {
    let amounts = amounts(outcome, last);
    Verdict {
        tone: tone(outcome, &amounts),
        headline: headline(outcome, &amounts, language),
        because: because(outcome, &amounts, language),
        next: next(outcome, &amounts, language),
        chips: chips(outcome, &amounts, language),
        tiles: tiles(outcome, &amounts, language),
    }
}

fn tone(outcome: &Outcome, amounts: &Amounts) -> Tone {
    match outcome.end.kind {
        EndKind::Started
            if amounts.dropped == 0 && !any_loss(&outcome.counts) && !outcome.is_limited() =>
        {
            Tone::Verified
        }
        EndKind::Started => Tone::Warn,
        EndKind::Refused | EndKind::Hangs | EndKind::Unreadable => Tone::Lost,
    }
}

/// What the verdict is not about, by short names.
fn limited(outcome: &Outcome, language: Language) -> Sentence {
    let names: BTreeSet<String> = outcome
        .limits()
        .filter(|finding| finding.severity < Severity::Info)
        .map(|finding| language.plain(&format!("limit.{}", finding.id), &finding.facts))
        .collect();
    if names.is_empty() {
        return Sentence::plain("");
    }
    let names: Vec<String> = names.into_iter().collect();
    let what = names.join(language.text("limit.and"));
    language.sentence("verdict.limited", &facts! { what = what })
}

fn any_loss(counts: &Counts) -> bool {
    counts.queue_entries_cut > 0 || counts.index_entries_lost > 0
}

fn headline(outcome: &Outcome, amounts: &Amounts, language: Language) -> Sentence {
    let none = Facts::new();
    if outcome.end.kind == EndKind::Unreadable && outcome.end.rule.is_none() {
        return language.sentence("verdict.unreadable", &none);
    }
    if let Some(rule) = &outcome.end.rule {
        let own = format!("end.{rule}");
        let key = match outcome.end.kind {
            _ if language.find(&own).is_some() => own.as_str(),
            EndKind::Hangs => "verdict.hangs",
            _ => "verdict.refused",
        };
        return language.sentence(key, &outcome.end.facts);
    }
    let cut = facts! {
        messages = amounts.cut_messages,
        bytes = amounts.dropped,
        at = amounts.process_offset.unwrap_or(-1),
        unread = amounts.unread,
    };
    let key = match (amounts.dropped, amounts.cut_messages, amounts.unread) {
        (0, _, 0) => "verdict.cut-none.all-read",
        (0, _, _) => "verdict.cut-none.unread",
        (_, 0, 0) => "verdict.cut-bytes.all-read",
        (_, 0, _) => "verdict.cut-bytes.unread",
        (_, _, 0) => "verdict.cut.all-read",
        (_, _, _) => "verdict.cut.unread",
    };
    language
        .sentence("verdict.starts", &none)
        .then(language.sentence(&own(outcome, key, language), &cut))
        .then(limited(outcome, language))
}

/// The key of a text, or of the broker's own form of it where there is one: `verdict.all-there.kafka`.
fn own(outcome: &Outcome, key: &str, language: Language) -> String {
    let own = format!("{key}.{}", outcome.broker.family.to_lowercase());
    if language.find(&own).is_some() {
        own
    } else {
        key.to_owned()
    }
}

fn because(outcome: &Outcome, amounts: &Amounts, language: Language) -> Vec<Sentence> {
    let mut found = Vec::new();
    if outcome.end.kind == EndKind::Unreadable {
        if let Some(error) = &outcome.end.unread {
            let facts = facts! {
                file = error.file.as_str(), offset = error.offset, length = error.len, why = error.why.as_str(),
            };
            found.push(language.sentence("verdict.read-error", &facts));
        }
        let limits = outcome.limits().filter(|_| outcome.end.rule.is_some());
        found.extend(limits.map(|finding| finding_sentence(finding, language)));
        return found;
    }
    if outcome.end.kind != EndKind::Started && !outcome.end.after_load {
        let key = if amounts.verified == 0 {
            "verdict.nothing-checked"
        } else {
            "verdict.ended-after"
        };
        found.push(language.sentence(key, &facts! { bytes = amounts.verified }));
        return found;
    }
    if amounts.dropped > 0
        && let Some(step) = steps::step(&outcome.trace, selection::deciding(outcome))
    {
        found.push(steps::sentence(step, language).ended(language.text("verdict.full-stop")));
    }
    if amounts.cut_messages > 0 && amounts.torn > 0 {
        let key = own(outcome, "verdict.torn-too", language);
        found.push(language.sentence(&key, &facts! { bytes = amounts.torn }));
    }
    // What the verdict is not about comes before what else there is to know.
    let (limits, others): (Vec<_>, Vec<_>) = outcome
        .findings
        .iter()
        .filter(|finding| finding.severity != Severity::Info)
        .partition(|finding| finding.limits);
    for finding in limits.into_iter().chain(others).take(2) {
        found.push(finding_sentence(finding, language));
    }
    let counts = &outcome.counts;
    let mut add = |key: &str, n: u64| {
        if n > 0 {
            found.push(language.sentence(key, &facts! { n = n }));
        }
    };
    add("verdict.queue-cut", counts.queue_entries_cut);
    add("verdict.queue-rebuilt", counts.queue_entries_rebuilt);
    add("verdict.index-rebuilt", counts.index_entries_rebuilt);
    add("verdict.index-lost", counts.index_entries_lost);
    if found.is_empty() && !outcome.is_limited() {
        let key = own(outcome, "verdict.all-there", language);
        found.push(language.sentence(&key, &Facts::new()));
    }
    found
}

fn finding_sentence(finding: &Finding, language: Language) -> Sentence {
    language.sentence(&format!("finding.{}", finding.id), &finding.facts)
}

/// What to do. A refused start has its own advice by rule, if there is one.
fn next(outcome: &Outcome, amounts: &Amounts, language: Language) -> Sentence {
    let facts = facts! { messages = amounts.readable_messages, bytes = amounts.dropped };
    if let Some(rule) = &outcome.end.rule {
        let own = format!("next.{rule}");
        if language.find(&own).is_some() {
            return language.sentence(&own, &outcome.end.facts);
        }
    }
    let key = match outcome.end.kind {
        EndKind::Refused => "next.refused",
        EndKind::Hangs => "next.hangs",
        EndKind::Unreadable => "next.unreadable",
        EndKind::Started if amounts.readable_messages > 0 => "next.messages-cut",
        EndKind::Started if amounts.dropped > 0 => "next.bytes-cut",
        EndKind::Started if outcome.counts.index_entries_lost > 0 => "next.index-lost",
        EndKind::Started if outcome.is_limited() => "next.limited",
        EndKind::Started if amounts.unread > 0 => "next.unread",
        EndKind::Started => "next.nothing",
    };
    language.sentence(&own(outcome, key, language), &facts)
}

/// One for each rule that has a short text, in the order of the steps; and what ended the scan or the start in any case.
fn chips(outcome: &Outcome, amounts: &Amounts, language: Language) -> Vec<Chip> {
    let deciding = selection::deciding(outcome);
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    if outcome.broker.found != "asked" {
        let broker = &outcome.broker;
        let facts = facts! { family = broker.family.as_str(), release = broker.release.as_str() };
        found.push(Chip {
            text: language.sentence("chip.release-assumed", &facts),
            tone: Tone::Plain,
            step: None,
        });
    }
    for finding in outcome.limits() {
        found.push(Chip {
            text: language.sentence(&format!("chip.{}", finding.id), &finding.facts),
            tone: if finding.severity < Severity::Info {
                Tone::Warn
            } else {
                Tone::Plain
            },
            step: None,
        });
    }
    for step in &outcome.trace.steps {
        let decides = step.number == deciding;
        let is_new = seen.insert(&*step.rule);
        if !is_new && !decides {
            continue;
        }
        let key = format!("chip.{}", step.rule);
        let tone = if decides {
            steps::tone(outcome, step)
        } else {
            Tone::Plain
        };
        // The scan of a sound log ends where it ends: that is worth a word, and no damage.
        let is_end = decides && tone == Tone::Plain && steps::kind(&step.rule) == Kind::Reject;
        let text = match language.find(&key) {
            _ if is_end => {
                let offset = amounts.process_offset.unwrap_or(-1);
                language.sentence("chip.end", &facts! { offset = offset })
            }
            Some(_) => language.sentence(&key, &step.facts),
            None if tone == Tone::Lost => steps::sentence(step, language),
            None => continue,
        };
        found.push(Chip {
            text,
            tone,
            step: Some(step.number),
        });
    }
    found
}

/// None where there is no verdict: a zero would be an answer.
fn tiles(outcome: &Outcome, amounts: &Amounts, language: Language) -> Vec<Tile> {
    if outcome.end.kind == EndKind::Unreadable && outcome.end.rule.is_some() {
        return Vec::new();
    }
    let long = crate::decode::num::long_of;
    let counts = &outcome.counts;
    let tile = |id, key, value: i64, shown: String, tone| {
        let exact = numbers::grouped(value);
        Tile {
            id,
            label: language.text(key),
            value,
            shown,
            exact,
            tone: if value == 0 { Tone::Plain } else { tone },
        }
    };
    let bytes = |id, key, value: i64, tone| tile(id, key, value, numbers::bytes(value), tone);
    let entries =
        |id, key, value: u64, tone| tile(id, key, long(value), numbers::grouped(long(value)), tone);
    let mut tiles = vec![
        bytes(
            "verified",
            "tile.verified",
            amounts.verified,
            Tone::Verified,
        ),
        bytes("unread", "tile.unread", amounts.unread, Tone::Trusted),
        bytes("dropped", "tile.dropped", amounts.dropped, Tone::Lost),
        entries(
            "queue-cut",
            "tile.queue-cut",
            counts.queue_entries_cut,
            Tone::Lost,
        ),
        entries(
            "queue-rebuilt",
            "tile.queue-rebuilt",
            counts.queue_entries_rebuilt,
            Tone::Rebuilt,
        ),
        entries(
            "index-rebuilt",
            "tile.index-rebuilt",
            counts.index_entries_rebuilt,
            Tone::Rebuilt,
        ),
        entries(
            "index-lost",
            "tile.index-lost",
            counts.index_entries_lost,
            Tone::Lost,
        ),
    ];
    // Where there are no queues, nothing need be said of them.
    let has_queues = outcome.files.iter().any(|file| file.role == "consumeQueue");
    let of_queues = ["queue-cut", "queue-rebuilt", "index-lost"];
    if !has_queues
        && tiles
            .iter()
            .all(|tile| tile.value == 0 || !of_queues.contains(&tile.id))
    {
        tiles.retain(|tile| !of_queues.contains(&tile.id));
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    fn of(outcome: &Outcome) -> Verdict {
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        verdict(outcome, &last, Language::English)
    }

    fn words(sentence: &Sentence) -> String {
        sentence.to_string().replace(['\u{202f}', '\u{a0}'], " ")
    }

    #[test]
    fn the_headline_says_start_cut_and_what_was_not_checked() {
        let verdict = of(&fixture::crash());
        assert_eq!(
            words(&verdict.headline),
            "The broker will start. 200 B that hold no whole message are cut at processOffset 3 000; 1 000 B were not checked."
        );
        let values: Vec<_> = verdict
            .tiles
            .iter()
            .map(|tile| (tile.id, tile.value))
            .collect();
        assert_eq!(
            values,
            [
                ("verified", 2000),
                ("unread", 1000),
                ("dropped", 200),
                ("queue-cut", 1),
                ("queue-rebuilt", 5),
                ("index-rebuilt", 0),
                ("index-lost", 30),
            ]
        );
    }

    #[test]
    fn one_message_is_one_message() {
        let mut outcome = fixture::crash();
        outcome.ledger.cut_unreadable.messages = Some(1);
        assert!(words(&of(&outcome).headline).contains("1 message is cut at processOffset 3 000"));
        outcome.ledger.cut_readable.messages = Some(6);
        assert!(words(&of(&outcome).headline).contains("7 messages are cut"));
    }

    #[test]
    fn a_refused_start_is_a_verdict_with_a_next_step() {
        let mut outcome = fixture::crash();
        outcome.end.kind = EndKind::Refused;
        outcome.end.rule = Some("load.log-length".into());
        let verdict = of(&outcome);
        assert_eq!(verdict.tone, Tone::Lost);
        assert!(words(&verdict.headline).starts_with("The broker will not start"));
        assert!(!verdict.next.is_empty());
    }

    #[test]
    fn nothing_unread_is_called_sound() {
        let mut outcome = fixture::crash();
        outcome.ledger.cut_unreadable.bytes = 0;
        let text = words(&of(&outcome).headline);
        assert!(text.contains("Nothing is cut"), "{text}");
        assert!(text.contains("were not checked"), "{text}");
    }
}
