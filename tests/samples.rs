//! The page's sample stores do what their stories say, and each story is told in both languages.

mod support;

use std::collections::BTreeSet;
use storescope::language::Language;
use storescope::recovery::outcome::{EndKind, Outcome};
use storescope::view_model::stories::{self, STORIES};
use support::{asked, case, recover, store_of};

/// Sample and case: as `cargo xtask samples` packs them, which has a test that they are still the same.
const CASES: [(&str, &str); 9] = [
    ("torn-tail", "crash-torn-tail-body"),
    ("flipped-byte", "crash-crc-first-file-rescan"),
    ("queues-behind", "crash-lag"),
    ("hole-in-the-middle", "crash-middle-file-missing"),
    ("start-that-hangs", "clean-middle-file-missing-queues-lost"),
    ("index-lost", "crash-intact"),
    ("queues-ahead", "crash-cq-ahead"),
    ("refused", "crash-last-file-empty"),
    ("clean-stop", "clean-shutdown"),
];

fn outcome(sample: &str) -> Outcome {
    let (_, name) = CASES.iter().find(|(id, _)| *id == sample).unwrap();
    let case = case(name);
    recover(&store_of(case.store()), &asked(&case)).outcome
}

#[test]
fn each_story_is_told_whole_and_has_its_step() {
    let told: BTreeSet<&str> = STORIES.iter().map(|(id, _)| *id).collect();
    assert_eq!(told, CASES.iter().map(|(id, _)| *id).collect());
    for (sample, rule) in STORIES {
        let trace = outcome(sample).trace;
        let step = stories::step_to_watch(sample, &trace);
        assert!(step.is_some(), "{sample}: {rule} does not fire");
        for language in Language::ALL {
            for part in ["happened", "watch", "why"] {
                let key = format!("story.{sample}.{part}");
                assert!(language.find(&key).is_some(), "{key}");
            }
            for part in ["title", "what"] {
                let key = format!("sample.{sample}.{part}");
                assert!(language.find(&key).is_some(), "{key}");
            }
        }
    }
}

#[test]
fn the_numbers_in_the_stories_are_the_brokers() {
    let flipped = outcome("flipped-byte");
    assert_eq!(flipped.ledger.cut_readable.messages, Some(123));
    let hangs = outcome("start-that-hangs");
    assert_eq!(hangs.end.kind, EndKind::Hangs);
    assert!(hangs.end.after_load, "load() came back");
    let last = hangs.trace.steps.last().unwrap();
    assert_eq!(last.facts["offset"], 16_384i64.into());
    let golden = case("clean-middle-file-missing-queues-lost").golden;
    assert_eq!(
        golden["reput"]["outcome"], "stuck",
        "the real broker waits there"
    );
    assert_eq!(golden["reput"]["reputFromOffset"], 16_384);
    let ahead = outcome("queues-ahead");
    assert_eq!(ahead.counts.queue_entries_cut, 3);
    let hole = outcome("hole-in-the-middle");
    assert_eq!(hole.end.kind, EndKind::Started);
    assert_eq!(outcome("refused").trace.steps.last().unwrap().number, 2);
}
