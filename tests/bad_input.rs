//! What is no store, or only a part of one: a sentence names the file, what was expected and what was found, the rest is still
//! shown, and nothing panics.

mod support;

use std::rc::Rc;
use std::time::{Duration, Instant};
use storescope::brokers::{self, Asked};
use storescope::recovery::outcome::{EndKind, Outcome};
use storescope::recovery::trace::Fact;
use storescope::store::{Store, StorePath};
use storescope::view_model::text;
use support::case::Unpacked;
use support::{asked, case, store_of};

const LOG: &str = "commitlog/00000000000000000000";

/// As the page and the command line do it: open, recover, put into words.
fn outcome(store: Store, asked: &Asked) -> Outcome {
    let opened = brokers::open(store);
    let mut outcome = brokers::recover(&opened.store, asked, false, &mut |_| {})
        .unwrap()
        .outcome;
    outcome.findings.splice(0..0, opened.findings);
    text::fill_sentences(&mut outcome);
    outcome
}

fn dropped(files: &[(&str, &[u8])]) -> Store {
    let mut store = Store::new("dropped");
    for (path, bytes) in files {
        store.insert(StorePath::new(path), Rc::new(bytes.to_vec()));
    }
    store
}

/// A finding by its id, with a sentence in which each of the words stands.
fn assert_told(outcome: &Outcome, id: &str, words: &[&str]) {
    let of_id: Vec<&str> = outcome
        .findings
        .iter()
        .filter(|finding| finding.id == id)
        .map(|finding| finding.sentence.as_str())
        .collect();
    let told = of_id
        .iter()
        .any(|sentence| words.iter().all(|word| sentence.contains(word)));
    assert!(
        told,
        "no finding {id} with {words:?}, but {:?}",
        outcome.findings
    );
}

/// The start is refused by this rule, on this file, and the headline names it.
fn assert_refused(outcome: &Outcome, rule: &str, path: &str) {
    assert_eq!(outcome.end.kind, EndKind::Refused);
    assert_eq!(outcome.end.rule.as_deref(), Some(rule));
    assert!(
        outcome.end.sentence.contains(path),
        "{}",
        outcome.end.sentence
    );
}

fn number(outcome: &Outcome, fact: &str) -> i64 {
    match outcome.end.facts.get(fact) {
        Some(Fact::Int(value)) => *value,
        other => panic!("{fact} is {other:?}"),
    }
}

fn changed(name: &str, change: impl FnOnce(&mut Unpacked)) -> Outcome {
    let case = case(name);
    let mut store = case.store();
    change(&mut store);
    outcome(store_of(store), &asked(&case))
}

#[test]
fn an_empty_folder_is_told() {
    let outcome = outcome(dropped(&[]), &Asked::default());
    assert_told(&outcome, "empty", &[]);
    assert_eq!(outcome.ledger.total.bytes, 0);
}

#[test]
fn files_that_are_no_store_are_told() {
    let holiday: &[(&str, &[u8])] = &[
        ("holiday/beach.jpg", b"\xff\xd8\xff"),
        ("holiday/list.txt", b"sun cream"),
    ];
    let outcome = outcome(dropped(holiday), &Asked::default());
    assert_told(&outcome, "not-a-store", &["2"]);
    assert_told(&outcome, "file-unknown", &["beach.jpg"]);
}

#[test]
fn one_lone_log_file_is_a_store_of_one_file() {
    let whole = case("crash-intact").store();
    let lone = dropped(&[("00000000000000000000", &whole.files[LOG])]);
    let outcome = outcome(lone, &Asked::default());
    assert_told(&outcome, "loose-placed", &["1"]);
    assert_eq!(outcome.end.kind, EndKind::Started);
    assert_eq!(outcome.ledger.total.bytes, whole.files[LOG].len() as u64);
    assert!(
        outcome.ledger.kept.messages > Some(20),
        "{:?}",
        outcome.ledger
    );
}

#[test]
fn every_file_of_a_store_may_come_alone() {
    for (path, bytes) in &case("crash-intact").store().files {
        let name = path.rsplit('/').next().unwrap();
        let outcome = outcome(dropped(&[(name, bytes)]), &Asked::default());
        let is_told = !outcome.findings.is_empty();
        assert!(is_told, "{path} alone: nothing is said about it");
    }
}

#[test]
fn loose_files_of_a_whole_store_find_their_places() {
    let whole = case("crash-intact").store();
    let mut loose = Store::new("loose");
    // Queue files of several queues have one name; the log, the index and one queue can lie in one folder.
    for (path, bytes) in &whole.files {
        if !path.starts_with("consumequeue/") {
            loose.insert(
                StorePath::new(path.rsplit('/').next().unwrap()),
                Rc::new(bytes.clone()),
            );
        }
    }
    let outcome = outcome(loose, &asked(&case("crash-intact")));
    let log = |path: &&String| path.starts_with("commitlog/");
    let on_disk: u64 = whole
        .files
        .iter()
        .filter(|(path, _)| log(path))
        .map(|(_, bytes)| bytes.len() as u64)
        .sum();
    // A preallocated file of zeros has no content to be known by.
    assert!(
        outcome.ledger.total.bytes > on_disk / 2,
        "{:?} of {on_disk}",
        outcome.ledger.total
    );
    assert_eq!(outcome.end.kind, EndKind::Started);
}

#[test]
fn a_log_file_without_a_byte_stops_the_start() {
    let outcome = changed("crash-intact", |store| {
        store.files.get_mut(LOG).unwrap().clear()
    });
    assert_refused(&outcome, "load.log-length", LOG);
    assert_eq!(
        (number(&outcome, "expected"), number(&outcome, "found")),
        (16_384, 0)
    );
    assert_told(&outcome, "zero-length", &[LOG]);
}

#[test]
fn every_file_may_have_no_byte() {
    let paths: Vec<String> = case("crash-intact").store().files.keys().cloned().collect();
    for path in paths {
        let outcome = changed("crash-intact", |store| {
            store.files.get_mut(&path).unwrap().clear()
        });
        if path != "abort" && path != "lock" {
            assert_told(&outcome, "zero-length", &[&path]);
        }
    }
}

#[test]
fn a_log_file_whose_name_is_no_number_stops_the_start() {
    let outcome = changed("crash-intact", |store| {
        let bytes = store.files[LOG].clone();
        store
            .files
            .insert("commitlog/backup-of-0".to_owned(), bytes);
    });
    assert_refused(&outcome, "load.log-name", "backup-of-0");
}

#[test]
fn a_queue_file_whose_name_is_no_number_stops_the_start() {
    let outcome = changed("crash-intact", |store| {
        let bytes = vec![0; 320];
        store
            .files
            .insert("consumequeue/TopicA/0/notes".to_owned(), bytes);
    });
    assert_refused(&outcome, "load.queue-name", "consumequeue/TopicA/0/notes");
}

#[test]
fn a_queue_file_of_the_wrong_length_names_both_lengths() {
    let outcome = changed("crash-intact", |store| {
        let path = store
            .files
            .keys()
            .find(|path| path.starts_with("consumequeue/TopicB/"))
            .unwrap()
            .clone();
        store.files.get_mut(&path).unwrap().truncate(313);
    });
    assert_refused(&outcome, "load.queue-length", "consumequeue/TopicB/");
    assert_eq!(
        (number(&outcome, "expected"), number(&outcome, "found")),
        (320, 313)
    );
}

#[test]
fn an_index_file_of_odd_size_is_told_and_the_start_goes_on() {
    for size in [1, 39, 40, 41, 1_000, 5_000] {
        let mut odd = String::new();
        let outcome = changed("clean-shutdown", |store| {
            let path = store
                .files
                .keys()
                .find(|path| path.starts_with("index/"))
                .unwrap()
                .clone();
            store.files.get_mut(&path).unwrap().resize(size, 0);
            odd = path;
        });
        assert_told(&outcome, "index-size", &[&odd]);
        assert_eq!(outcome.end.kind, EndKind::Started, "{size}");
    }
}

#[test]
fn stray_files_are_told_and_change_nothing() {
    let plain = changed("crash-intact", |_| {});
    let outcome = changed("crash-intact", |store| {
        store.files.insert("core.4711".to_owned(), vec![1; 100]);
        store.files.insert("rocksdb/LOG".to_owned(), vec![1; 100]);
    });
    assert_told(&outcome, "file-unknown", &["core.4711"]);
    assert_told(&outcome, "file-unknown", &["rocksdb/LOG"]);
    assert_eq!(outcome.end, plain.end);
    assert_eq!(outcome.marks, plain.marks);
}

#[test]
fn ten_thousand_files_are_no_trouble() {
    let started = Instant::now();
    // Queues, as a broker with very many topics has them.
    let outcome = changed("crash-tiny", |store| {
        for n in 0..10_000 {
            let path = format!("consumequeue/Topic{}/{}/00000000000000000000", n / 8, n % 8);
            store.files.insert(path, vec![0; 160]);
        }
    });
    assert_eq!(outcome.end.kind, EndKind::Started);
    // Files that are none of the broker's.
    let many: Vec<(String, Vec<u8>)> = (0..10_000)
        .map(|n| (format!("photos/{n}.jpg"), vec![0xff, 0xd8]))
        .collect();
    let many: Vec<(&str, &[u8])> = many
        .iter()
        .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
        .collect();
    let outcome = self::outcome(dropped(&many), &Asked::default());
    assert_told(&outcome, "not-a-store", &[]);
    assert!(
        started.elapsed() < Duration::from_secs(30),
        "took {:?}",
        started.elapsed()
    );
}
