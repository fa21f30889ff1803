//! A report is what one would attach: it says what the outcome says, and holds nothing that is somebody's.

mod support;

use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::rc::Rc;
use storescope::brokers;
use storescope::language::Language;
use storescope::recovery::Outcome;
use storescope::report::inputs::{self, Input};
use storescope::report::{Format, Wanted, report};
use storescope::store::{Store, StorePath};
use support::case::Case;
use support::{asked, case, cases, recover, store_of};

const FORMATS: [Format; 3] = [Format::Html, Format::Markdown, Format::Json];

fn outcome_of(case: &Case) -> (Store, Outcome) {
    let store = store_of(case.store());
    let outcome = recover(&store, &asked(case)).outcome;
    (store, outcome)
}

fn inputs_of(store: &Store, outcome: &Outcome) -> Vec<Input> {
    let mut last = 0;
    let inputs = inputs::read(store, outcome, &mut |progress| {
        assert!(progress.bytes >= last && progress.bytes <= progress.of);
        last = progress.bytes;
    });
    inputs.unwrap()
}

fn wanted(format: Format, language: Language) -> Wanted {
    Wanted {
        format,
        language,
        made_ms: Some(1_772_460_131_902),
        with_names: false,
    }
}

/// The report in every format and language.
fn all_reports(store: &Store, outcome: &Outcome) -> Vec<String> {
    let inputs = inputs_of(store, outcome);
    FORMATS
        .iter()
        .flat_map(|format| Language::ALL.map(|language| wanted(*format, language)))
        .map(|wanted| report(outcome, &inputs, &wanted))
        .collect()
}

fn html_of(name: &str) -> String {
    let (store, outcome) = outcome_of(&case(name));
    let inputs = inputs_of(&store, &outcome);
    report(&outcome, &inputs, &wanted(Format::Html, Language::English))
}

fn clean(text: &str) -> String {
    text.replace(['\u{202f}', '\u{a0}'], " ")
}

#[test]
fn page_one_says_the_verdict_with_its_reasons_and_amounts() {
    let html = clean(&html_of("crash-torn-tail-body"));
    let front = html
        .find("class=\"behind\"")
        .expect("parts behind page one");
    let front = &html[..front];
    for words in [
        "1 message is cut at processOffset <code>70 822</code>; ",
        "<b>body CRC differs</b> at <code>70 822</code>",
        "RocketMQ 4.9.3",
        "2026-03-02 14:02:11.902 UTC",
        "<svg viewBox=",
        "processOffset 70 822",
        "check.body-crc",
        "<td>37 003</td>", // kept
    ] {
        assert!(front.contains(words), "page one lacks {words}");
    }
    let refused = clean(&html_of("crash-last-file-empty"));
    assert!(refused.contains("The broker will not start"));
    let chinese = {
        let (store, outcome) = outcome_of(&case("crash-torn-tail-body"));
        let inputs = inputs_of(&store, &outcome);
        report(&outcome, &inputs, &wanted(Format::Html, Language::Chinese))
    };
    assert!(chinese.contains("<html lang=\"zh-CN\">") && chinese.contains("保留"));
}

#[test]
fn inputs_have_the_checksums_of_the_files_that_a_start_reads() {
    let case = case("crash-torn-tail-body");
    let (store, outcome) = outcome_of(&case);
    let inputs = inputs_of(&store, &outcome);
    let files = case.store().files;
    assert!(inputs.len() > 20);
    for input in &inputs {
        let bytes = &files[input.path.as_str()];
        assert_eq!(input.length, bytes.len() as u64);
        let hex: String = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(input.sha256, hex, "{}", input.path);
    }
    let html = report(&outcome, &inputs, &wanted(Format::Html, Language::English));
    assert!(inputs.iter().all(|input| html.contains(&input.sha256)));
    assert!(html.contains(&inputs::digest(&inputs)));
    // A file that no start reads is no input.
    let mut store = store;
    store.insert(StorePath::new("notes.txt"), Rc::new(b"private".to_vec()));
    let outcome = recover(&store, &asked(&case)).outcome;
    let inputs = inputs_of(&store, &outcome);
    assert!(
        inputs
            .iter()
            .all(|input| input.path.as_str() != "notes.txt")
    );
}

/// What the messages of the real corpus hold, as the real decoder reads it: topics, hosts, and every property.
#[test]
fn nothing_of_any_message_is_in_a_report() {
    let with_messages: Vec<Case> = cases()
        .into_iter()
        .filter(|case| case.dump().is_some())
        .collect();
    let checked = support::on_all(&with_messages, |case| {
        let (mut secrets, mut topics) = (BTreeSet::new(), BTreeSet::new());
        for line in case.dump().unwrap() {
            topics.extend(line["topic"].as_str().map(str::to_owned));
            secrets.extend(line["msgId"].as_str().map(str::to_owned));
            for key in ["bornHost", "storeHost"] {
                let host = line[key].as_str().and_then(|host| host.split('|').next());
                secrets.extend(host.map(str::to_owned));
            }
            if let Some(properties) = line["properties"].as_object() {
                secrets.extend(properties.keys().cloned());
                secrets.extend(
                    properties
                        .values()
                        .filter_map(|value| value.as_str().map(str::to_owned)),
                );
            }
        }
        secrets.extend(topics.iter().cloned());
        // Short ones are in every text, and numbers are what a report is made of.
        secrets.retain(|secret| {
            secret.len() >= 4 && !secret.bytes().all(|byte| byte.is_ascii_digit())
        });
        // The corpus draws keys from a list of words, some of which are the report's own; a name has more than letters in it.
        secrets
            .retain(|secret| topics.contains(secret) || !secret.chars().all(char::is_alphabetic));
        let (store, outcome) = outcome_of(case);
        let reports = all_reports(&store, &outcome);
        let told = secrets
            .iter()
            .filter(|secret| reports.iter().any(|text| text.contains(secret.as_str())));
        let told: Vec<&String> = told.collect();
        assert!(
            told.is_empty(),
            "{}: {told:?} are in the report",
            case.label()
        );
        secrets.len()
    });
    assert!(checked.iter().sum::<usize>() > 1000, "{checked:?}");
}

/// Kafka's names are its folders: each partition's is a topic's.
#[test]
fn no_partition_is_named_in_a_report() {
    let mut all = support::kafka::cases();
    all.retain(|case| case.release == "3.9.2");
    let checked = support::on_all(&all, |case| {
        let store = case.store();
        let outcome = case.recover();
        // A topic's name with its partition's number is a word that nothing else in a report looks like.
        let partitions: Vec<String> = store
            .dirs()
            .map(|dir| dir.name().to_owned())
            .filter(|name| name.contains('-'))
            .collect();
        for text in all_reports(&store, &outcome) {
            let told = partitions.iter().find(|name| text.contains(name.as_str()));
            assert_eq!(told, None, "{}", case.label());
        }
        partitions.len()
    });
    assert!(checked.iter().sum::<usize>() > 100, "{checked:?}");
}

/// Planted where names go: in a topic, a folder, a loose file, the store's own name; and a delay level that is a secret word.
#[test]
fn planted_secrets_are_not_in_a_report() {
    const SECRET: &str = "TpSEKT";
    let case = case("crash-torn-tail-body");
    let mut files = case.store();
    // A topic of the same length everywhere it is told.
    files.files = files
        .files
        .into_iter()
        .map(|(path, mut bytes)| {
            while let Some(at) = bytes.windows(6).position(|six| six == b"TopicB") {
                bytes[at..at + 6].copy_from_slice(SECRET.as_bytes());
            }
            (path.replace("TopicB", SECRET), bytes)
        })
        .collect();
    for path in [
        "SEKRIT-host-7.example/readme",
        "consumequeue/13800138000/0/00000000000000000000",
        "consumequeue/SEKRIT/x/00000000000000000000",
        "commitlog/SEKRIT",
        "index/SEKRIT",
        "config/SEKRIT.json",
        "SEKRIT",
    ] {
        files.files.insert(path.to_owned(), Vec::new());
    }
    let mut store = Store::new("SEKRIT-broker");
    for (path, bytes) in files.files {
        store.insert(StorePath::new(&path), Rc::new(bytes));
    }
    let opened = brokers::open(store);
    let mut outcome = recover(&opened.store, &asked(&case)).outcome;
    outcome.findings.splice(0..0, opened.findings);
    for text in all_reports(&opened.store, &outcome) {
        for secret in [SECRET, "SEKRIT", "13800138000"] {
            assert!(!text.contains(secret), "{secret} is in the report");
        }
        assert!(text.contains("topic-") || !text.contains("consumequeue/"));
    }
    // Whoever wants them gets them.
    let inputs = inputs_of(&opened.store, &outcome);
    let with_names = Wanted {
        with_names: true,
        ..wanted(Format::Markdown, Language::English)
    };
    assert!(report(&outcome, &inputs, &with_names).contains(SECRET));
}

/// The same queue is the same alias in sentences, picture, files and inputs.
#[test]
fn an_alias_can_be_followed_through_the_report() {
    let (store, outcome) = outcome_of(&case("crash-torn-tail-body"));
    let inputs = inputs_of(&store, &outcome);
    let json = report(&outcome, &inputs, &wanted(Format::Json, Language::English));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let lanes = json["outcome"]["map"]["lanes"].as_array().unwrap();
    let of_lane = |name: &str| {
        let at = outcome
            .map
            .lanes
            .iter()
            .position(|lane| lane.name == name)
            .unwrap();
        lanes[at]["name"].as_str().unwrap().to_owned()
    };
    let alias = of_lane("Order_topic/0");
    assert!(
        alias.starts_with("topic-") && alias.ends_with("/0"),
        "{alias}"
    );
    let one = alias.trim_end_matches("/0");
    assert_eq!(of_lane("Order_topic/1"), format!("{one}/1"));
    let text = json.to_string();
    let path = format!("consumequeue/{alias}/00000000000000000000");
    assert!(text.contains(&path));
    let cut = json["outcome"]["trace"]
        .as_array()
        .unwrap()
        .iter()
        .find(|step| step["rule"] == "logic.unit-ahead");
    assert_eq!(cut.unwrap()["facts"]["queue"], alias);
    assert!(
        json["inputs"]
            .as_array()
            .unwrap()
            .iter()
            .any(|input| input["path"] == path)
    );
}

/// With names, whatever they are: in the document they are text.
#[test]
fn hostile_names_do_nothing() {
    let case = case("crash-torn-tail-body");
    let mut files = case.store();
    let evil = "<img src=x onerror=alert(1)>";
    let more = "'\"><script>alert(2)</script>";
    for path in [
        format!("consumequeue/{evil}/0/00000000000000000000"),
        format!("commitlog/{evil}"),
        format!("index/{more}"),
        format!("{more}\u{202e}|`**[x](javascript:alert(3))"),
    ] {
        files.files.insert(path, vec![1; 320]);
    }
    let store = store_of(files);
    let outcome = recover(&store, &asked(&case)).outcome;
    let inputs = inputs_of(&store, &outcome);
    for with_names in [true, false] {
        let wanted = |format| Wanted {
            with_names,
            ..wanted(format, Language::English)
        };
        let html = report(&outcome, &inputs, &wanted(Format::Html));
        for hostile in ["<img", "<script", "javascript:alert(3))\"", "\u{202e}"] {
            assert!(
                !html.contains(hostile),
                "{hostile} with names: {with_names}"
            );
        }
        let markdown = report(&outcome, &inputs, &wanted(Format::Markdown));
        // In a code span nothing is markup, and no name can end one.
        let markdown: String = markdown.split('`').step_by(2).collect();
        for hostile in ["<img", "<script", "[x](javascript"] {
            assert!(!markdown.contains(hostile), "{hostile} in Markdown");
        }
    }
}

/// Opened from disk with the network off, and with scripts forbidden.
#[test]
fn the_document_fetches_nothing_and_runs_nothing() {
    let html = html_of("crash-torn-tail-body");
    assert!(html.contains("default-src 'none'"));
    for fetched in [
        "<script",
        "<link",
        "<img",
        "<iframe",
        "http://",
        "https://",
        "@import",
        "url(http",
        " onload",
        "javascript:",
    ] {
        assert!(!html.contains(fetched), "{fetched}");
    }
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("@media print"));
}

/// A document that is well-formed: every element that is opened is closed, in order.
#[test]
fn the_document_is_well_formed() {
    for case in cases()
        .iter()
        .filter(|case| case.release == "4.9.3")
        .step_by(7)
    {
        let (store, outcome) = outcome_of(case);
        let inputs = inputs_of(&store, &outcome);
        let html = report(&outcome, &inputs, &wanted(Format::Html, Language::Chinese));
        let body = &html[html.find("<body>").unwrap()..html.find("</html>").unwrap()];
        let mut open: Vec<&str> = Vec::new();
        for tag in body.split('<').skip(1) {
            let tag = &tag[..tag.find('>').expect("a tag that ends")];
            let name = tag
                .trim_start_matches('/')
                .split([' ', '/'])
                .next()
                .unwrap();
            if tag.starts_with('/') {
                assert_eq!(open.pop().unwrap_or("nothing"), name, "{}", case.label());
            } else if !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert!(open.is_empty(), "{}: {open:?}", case.label());
        assert!(!html.contains('{') || html.matches('{').count() == html.matches('}').count());
    }
}
