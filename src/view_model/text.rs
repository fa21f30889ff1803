//! A whole outcome as text: what the command line prints, and the sentences that the outcome's JSON carries for its readers.

use super::verdict::verdict;
use super::{Tone, steps};
use crate::language::{Language, Sentence};
use crate::recovery::Outcome;
use std::fmt::Write;

/// Fills the sentences of the end and of the findings, in English: a reader of the JSON needs no word list.
pub fn fill_sentences(outcome: &mut Outcome) {
    let last = last_map(outcome);
    outcome.end.sentence = words(&verdict(outcome, &last, Language::English).headline);
    for finding in &mut outcome.findings {
        finding.sentence =
            Language::English.plain(&format!("finding.{}", finding.id), &finding.facts);
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
