//! No sentence is ever shown with an empty slot: whatever happens in a case, every text about it is whole, in both languages.

mod support;

use std::collections::BTreeSet;
use storescope::language::{Language, Sentence, sentence};
use storescope::recovery::Facts;
use storescope::recovery::outcome::Outcome;
use storescope::view_model::{steps, verdict};
use support::case::Case;
use support::{asked, cases, on_all, recover, store_of};

/// A slot without its fact shows its name in braces.
fn has_gap(sentence: &Sentence) -> bool {
    let text = sentence.to_string();
    let mut rest = text.as_str();
    while let Some((_, after)) = rest.split_once('{') {
        let name = after.split('}').next().unwrap_or("");
        if after.contains('}') && !name.is_empty() && name.chars().all(char::is_alphanumeric) {
            return true;
        }
        rest = after;
    }
    false
}

fn gaps(outcome: &Outcome, language: Language) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut look = |what: String, sentence: &Sentence| {
        if has_gap(sentence) {
            found.insert(format!("{what}: {sentence}"));
        }
    };
    for step in &outcome.trace.steps {
        look(step.rule.to_string(), &steps::sentence(step, language));
        for part in ["when", "then"] {
            let key = format!("rule.{}.{part}", step.rule);
            if language.find(&key).is_some() {
                look(key.clone(), &language.sentence(&key, &step.facts));
            }
        }
        for (rule, _) in &step.tally {
            look(
                format!("inside: {rule}"),
                &steps::tally_sentence(rule, language),
            );
        }
    }
    for finding in &outcome.findings {
        let key = format!("finding.{}", finding.id);
        look(key.clone(), &language.sentence(&key, &finding.facts));
    }
    let last = outcome.map.at(&outcome.trace, u32::MAX);
    let verdict = verdict::verdict(outcome, &last, language);
    look("headline".to_owned(), &verdict.headline);
    look("next".to_owned(), &verdict.next);
    for because in &verdict.because {
        look("because".to_owned(), because);
    }
    for chip in &verdict.chips {
        look("chip".to_owned(), &chip.text);
    }
    found
}

#[test]
fn every_sentence_about_every_case_is_whole() {
    let cases: Vec<Case> = cases();
    let found = on_all(&cases, |case| {
        let outcome = recover(&store_of(case.store()), &asked(case)).outcome;
        let languages = Language::ALL.into_iter();
        languages
            .flat_map(|language| gaps(&outcome, language))
            .collect::<Vec<_>>()
    });
    let found: BTreeSet<String> = found.into_iter().flatten().collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_gap_is_seen() {
    let gap = sentence::fill("{queue} ends", &Facts::new());
    assert!(has_gap(&gap));
    assert!(!has_gap(&Sentence::plain("a { b } and {}")));
}
