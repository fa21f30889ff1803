//! A check over a case's store, changed or not, and what is looked for in its findings.

use super::case::Unpacked;
use super::{asked, case, store_of};
use std::cell::RefCell;
use std::collections::BTreeSet;
use storescope::brokers::{self, Asked};
use storescope::language::Language;
use storescope::recovery::checked::Checked;
use storescope::recovery::{Finding, Severity};
use storescope::view_model::text;

pub const LOG: &str = "commitlog/00000000000000000000";
pub const LAST_LOG: &str = "commitlog/00000000000000065536";
pub const QUEUE: &str = "consumequeue/TopicA/0/00000000000000000000";
pub const INDEX: &str = "index/20231114221320000";
/// The first entry of an index file of 100 slots: entry 0 is never used.
pub const ENTRY_1: usize = 40 + 400 + 20;

pub fn check(store: Unpacked, asked: &Asked) -> Checked {
    let mut told = 0;
    let checked = brokers::check(&store_of(store), asked, &mut |progress| {
        assert!(progress.bytes <= progress.of);
        told += 1;
    });
    let mut checked = checked.unwrap_or_else(|bad| panic!("{bad}"));
    let read = checked.seen.messages + checked.seen.units + checked.seen.entries;
    assert!(told > 0 || read == 0, "nobody was told how far it is");
    text::fill_finding_sentences(&mut checked.findings);
    for finding in &checked.findings {
        assert!(!finding.sentence.contains('{'), "{}", finding.sentence);
        let chinese = Language::Chinese.plain(&format!("finding.{}", finding.id), &finding.facts);
        assert!(!chinese.contains('{'), "{chinese}");
    }
    checked
}

/// The store of the clean shutdown, changed, and what a check says to it.
pub fn made(change: impl FnOnce(&mut Unpacked)) -> Checked {
    let case = case("clean-shutdown");
    let mut store = case.store();
    change(&mut store);
    check(store, &asked(&case))
}

pub fn of_case(name: &str) -> Checked {
    let case = case(name);
    check(case.store(), &asked(&case))
}

pub fn file<'u>(store: &'u mut Unpacked, path: &str) -> &'u mut Vec<u8> {
    store
        .files
        .get_mut(path)
        .unwrap_or_else(|| panic!("{path}"))
}

pub fn write(store: &mut Unpacked, path: &str, at: usize, bytes: &[u8]) {
    file(store, path)[at..at + bytes.len()].copy_from_slice(bytes);
}

/// Writes a unit of TopicA/0, of which the first file holds sixteen.
pub fn write_unit(store: &mut Unpacked, number: usize, unit: (i64, i32, i64)) {
    let mut bytes = unit.0.to_be_bytes().to_vec();
    bytes.extend(unit.1.to_be_bytes());
    bytes.extend(unit.2.to_be_bytes());
    write(store, QUEUE, number * 20, &bytes);
}

pub fn find<'c>(checked: &'c Checked, id: &str) -> &'c Finding {
    note_found(id);
    let found = checked.findings.iter().find(|finding| finding.id == id);
    found.unwrap_or_else(|| panic!("no {id} in {:#?}", sentences(checked)))
}

pub fn sentences(checked: &Checked) -> Vec<String> {
    checked
        .findings
        .iter()
        .map(|finding| format!("{:?} {} {}", finding.severity, finding.id, finding.sentence))
        .collect()
}

thread_local! {
    /// The kinds that were looked for, and found, by this thread: a test would have failed otherwise.
    static FOUND: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

fn note_found(id: &str) {
    FOUND.with_borrow_mut(|found| found.insert(id.to_owned()));
}

/// The kinds that all of these tests look for.
pub fn kinds_looked_for(tests: &[fn()]) -> BTreeSet<String> {
    FOUND.take();
    tests.iter().for_each(|test| test());
    FOUND.take()
}

/// A finding of this kind, at these bytes.
pub fn assert_found(checked: &Checked, id: &str, path: &str, offset: u64, length: u64) {
    note_found(id);
    let places: Vec<String> = checked
        .findings
        .iter()
        .filter(|finding| finding.id == id)
        .filter_map(|finding| finding.place.as_ref())
        .map(|place| format!("{} @{}+{}", place.file, place.offset, place.length))
        .collect();
    let wanted = format!("{path} @{offset}+{length}");
    assert!(
        places.contains(&wanted),
        "no {id} at {wanted}, but at {places:?}; in all {:#?}",
        sentences(checked)
    );
}

/// The kinds above info, each once.
pub fn kinds(checked: &Checked) -> BTreeSet<&str> {
    let grave = |finding: &&Finding| finding.severity < Severity::Info;
    let grave = checked.findings.iter().filter(grave);
    grave.map(|finding| finding.id.as_str()).collect()
}
