//! A whole outcome as text: what the command line prints, and the sentences that the outcome's JSON carries for its readers.

use super::verdict::verdict;
use super::{Tone, side_by_side, steps};
use crate::facts;
use crate::language::{Language, Sentence};
use crate::recovery::checked::Checked;
use crate::recovery::{Finding, Outcome, Severity};
use std::fmt::Write;

/// Fills the sentences of the end and of the findings, in English: a reader of the JSON needs no word list.
pub fn fill_sentences(outcome: &mut Outcome) {
    let last = last_map(outcome);
    outcome.end.sentence = words(&verdict(outcome, &last, Language::English).headline);
    fill_finding_sentences(&mut outcome.findings);
}

pub fn fill_finding_sentences(findings: &mut [Finding]) {
    for finding in findings {
        finding.sentence =
            Language::English.plain(&format!("finding.{}", finding.id), &finding.facts);
    }
}

/// What a check found: a line for each finding, the gravest first, and what was looked at.
pub fn findings(checked: &Checked, language: Language) -> String {
    let mut text = String::new();
    for finding in &checked.findings {
        let severity = severity(finding.severity, language);
        let place = finding.place.as_ref().map_or(String::new(), |place| {
            format!("{} @{}+{}", place.file, place.offset, place.length)
        });
        let sentence = language.plain(&format!("finding.{}", finding.id), &finding.facts);
        let hangs = finding
            .depends_on
            .as_ref()
            .map(|on| facts! { step = on.step })
            .map(|facts| language.plain("check.depends-on", &facts));
        let _ = writeln!(
            text,
            "{severity:<8} {:<20} {place}\n         {sentence}{}",
            finding.id,
            hangs.map_or(String::new(), |hangs| format!(" {hangs}"))
        );
    }
    if let Some(error) = &checked.unread {
        let _ = writeln!(text, "{error}");
    }
    let seen = &checked.seen;
    let facts = facts! {
        messages = seen.messages,
        units = seen.units,
        entries = seen.entries,
        findings = checked.above_info(),
    };
    let _ = writeln!(text, "{}", language.plain("check.seen", &facts));
    text
}

pub fn severity(severity: Severity, language: Language) -> &'static str {
    match severity {
        Severity::Error => language.text("severity.error"),
        Severity::Warning => language.text("severity.warning"),
        Severity::Info => language.text("severity.info"),
    }
}

/// Verdict, amounts, findings and every step, a line each.
pub fn whole(outcome: &Outcome, language: Language) -> String {
    let verdict = verdict(outcome, &last_map(outcome), language);
    let mut text = String::new();
    let mut line = |words: String| {
        // Writing to a String does not fail.
        let _ = writeln!(text, "{words}");
    };
    line(words(&verdict.headline));
    for sentence in &verdict.because {
        line(words(sentence));
    }
    for sentence in side_by_side::candidates(outcome, language) {
        line(words(&sentence));
    }
    line(format!(
        "{} {}",
        language.text("next.label"),
        words(&verdict.next)
    ));
    line(String::new());
    for tile in &verdict.tiles {
        line(format!("{:>16}  {}", tile.shown, tile.label));
    }
    if !outcome.findings.is_empty() {
        line(String::new());
    }
    for finding in &outcome.findings {
        line(format!(
            "! {}",
            language.plain(&format!("finding.{}", finding.id), &finding.facts)
        ));
    }
    line(String::new());
    for step in &outcome.trace.steps {
        let mark = match steps::tone(outcome, step) {
            Tone::Lost => '-',
            Tone::Rebuilt => '+',
            Tone::Warn => '!',
            _ => ' ',
        };
        line(format!(
            "{:>5} {mark} {:<28} {}",
            step.number,
            step.rule,
            words(&steps::sentence(step, language))
        ));
    }
    text
}

fn last_map(outcome: &Outcome) -> crate::recovery::map::MapNow {
    outcome.map.at(&outcome.trace, u32::MAX)
}

fn words(sentence: &Sentence) -> String {
    sentence.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn the_text_begins_with_the_verdict_and_ends_with_the_last_step() {
        let outcome = fixture::crash();
        let text = whole(&outcome, Language::English);
        assert!(text.starts_with("The broker will start."), "{text}");
        let last = outcome.trace.steps.last().unwrap();
        assert!(text.lines().last().unwrap().contains(&*last.rule), "{text}");
    }

    #[test]
    fn the_json_carries_its_sentences() {
        let mut outcome = fixture::crash();
        fill_sentences(&mut outcome);
        assert!(outcome.end.sentence.contains("The broker will start"));
    }
}
