//! The arrows between the modules, and what every file must have.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder, with its path from the root and its text.
fn sources(folder: &str) -> Vec<(String, String)> {
    let mut sources = Vec::new();
    let mut todo: Vec<PathBuf> = vec![root().join(folder)];
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path
                .strip_prefix(root())
                .unwrap()
                .to_string_lossy()
                .replace('\\', "/");
            sources.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
    sources.sort();
    assert!(!sources.is_empty(), "{folder}");
    sources
}

/// The lines that are code, with their numbers: a comment may name what it likes.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// None of the words stands in the code of any of the folders' files, those excepted.
fn assert_absent(folders: &[&str], except: &[&str], words: &[&str]) {
    let mut found = Vec::new();
    for (name, text) in folders.iter().flat_map(|folder| sources(folder)) {
        if except.iter().any(|part| name.starts_with(part)) {
            continue;
        }
        for (number, line) in code(&text) {
            for word in words.iter().filter(|word| line.contains(**word)) {
                found.push(format!("{name}:{number} names {word}"));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn store_and_decode_know_no_broker() {
    let above = [
        "crate::recovery",
        "crate::rocketmq",
        "crate::kafka",
        "crate::brokers",
        "crate::view_model",
        "crate::language",
        "crate::protocol",
    ];
    assert_absent(&["src/store", "src/decode"], &[], &above);
    assert_absent(
        &["src/store"],
        &[],
        &["crate::decode::fields", "crate::decode::java"],
    );
}

#[test]
fn the_words_of_a_recovery_name_no_broker() {
    let above = [
        "crate::rocketmq",
        "crate::kafka",
        "crate::brokers",
        "crate::view_model",
        "crate::language",
        "crate::protocol",
    ];
    assert_absent(&["src/recovery"], &[], &above);
}

#[test]
fn a_broker_is_named_only_by_the_list_of_brokers() {
    assert_absent(
        &["src"],
        &["src/rocketmq/", "src/kafka/", "src/brokers.rs", "src/bin/"],
        &["crate::rocketmq", "rocketmq::", "crate::kafka", "kafka::"],
    );
    assert_absent(&["src/bin"], &[], &["rocketmq::", "kafka::"]);
    assert_absent(&["src/rocketmq"], &[], &["kafka"]);
    assert_absent(&["src/kafka"], &[], &["rocketmq"]);
}

#[test]
fn what_is_shown_is_an_outcome_and_nothing_of_how_it_came_about() {
    let broker = [
        "crate::rocketmq",
        "crate::kafka",
        "crate::brokers::recover",
        "Overlay",
    ];
    assert_absent(
        &["src/view_model", "src/language", "src/report"],
        &[],
        &broker,
    );
}

#[test]
fn what_bytes_mean_knows_no_decision() {
    let decisions = [
        "super::super::rules",
        "rocketmq::rules",
        "check_message",
        "crate::recovery::Rule",
    ];
    assert_absent(&["src/rocketmq/format"], &[], &decisions);
    let decisions = [
        "super::super::rules",
        "kafka::rules",
        "Thrown",
        "crate::recovery",
    ];
    assert_absent(&["src/kafka/format"], &[], &decisions);
}

#[test]
fn a_broker_knows_nothing_of_the_page_and_the_languages() {
    assert_absent(
        &["src/rocketmq", "src/kafka"],
        &[],
        &["crate::view_model", "crate::language", "crate::protocol"],
    );
}

#[test]
fn only_one_file_of_the_library_opens_a_path() {
    assert_absent(
        &["src"],
        &["src/store/disk.rs", "src/bin/"],
        &["std::fs", "File::open", "std::path"],
    );
    assert_absent(
        &["src"],
        &["src/bin/"],
        &[
            "println!",
            "eprintln!",
            "dbg!",
            "SystemTime",
            "Instant::now",
        ],
    );
}

#[test]
fn every_module_says_what_it_is_for() {
    for (name, text) in ["src", "tests", "xtask"]
        .iter()
        .flat_map(|folder| sources(folder))
    {
        let first = text.lines().next().unwrap_or_default();
        assert!(first.starts_with("//! "), "{name} begins with {first:?}");
    }
}
