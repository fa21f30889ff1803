//! What stands beside log, queues and index, and is not followed: it is told, and no verdict claims more than was followed.

mod support;

use std::collections::BTreeSet;
use storescope::brokers::rows::{Known, PullAsked};
use storescope::brokers::{self, Asked};
use storescope::decode::fields::{FieldTree, Value};
use storescope::language::Language;
use storescope::recovery::outcome::{EndKind, Fate};
use storescope::recovery::trace::{Fact, Image};
use storescope::recovery::{Finding, Outcome, Place, Severity};
use storescope::rocketmq::{self, log_roots};
use storescope::store::StorePath;
use storescope::view_model::verdict::{Verdict, verdict};
use storescope::view_model::{Tone, text};
use support::case::{Case, Form, Unpacked};
use support::checks::{self, assert_found, kinds};
use support::{asked, beside, case, store_of};

/// A start over the store of a clean shutdown, changed.
fn start(change: impl FnOnce(&mut Unpacked)) -> Outcome {
    start_asked(change, &[])
}

fn start_asked(change: impl FnOnce(&mut Unpacked), settings: &[(&str, &str)]) -> Outcome {
    let case = case("clean-shutdown");
    let mut store = case.store();
    change(&mut store);
    let mut asked = asked(&case);
    for (key, value) in settings {
        asked
            .settings
            .insert((*key).to_owned(), (*value).to_owned());
    }
    let recovered = brokers::recover(&store_of(store), &asked, false, &mut |_| {});
    let mut outcome = recovered.unwrap_or_else(|bad| panic!("{bad}")).outcome;
    text::fill_sentences(&mut outcome);
    outcome
}

fn with(path: &str, bytes: &[u8]) -> Outcome {
    start(|store| {
        store.files.insert(path.to_owned(), bytes.to_vec());
    })
}

fn judged(outcome: &Outcome, language: Language) -> Verdict {
    verdict(outcome, &outcome.map.at(&outcome.trace, u32::MAX), language)
}

fn told<'o>(outcome: &'o Outcome, id: &str) -> &'o Finding {
    let found = outcome.findings.iter().find(|finding| finding.id == id);
    found.unwrap_or_else(|| panic!("no {id} in {:#?}", outcome.findings))
}

#[test]
fn each_kind_is_told_at_its_file_and_is_no_stranger() {
    for (id, path, bytes) in beside::each() {
        let outcome = with(path, &bytes);
        let finding = told(&outcome, id);
        assert_eq!(finding.place.as_ref().unwrap().file.as_str(), path);
        let strangers = |finding: &&Finding| finding.id == "file-unknown";
        assert_eq!(outcome.findings.iter().find(strangers), None, "{path}");
        let file = outcome.files.iter().find(|file| file.path.as_str() == path);
        assert_eq!(file.unwrap().fate, Fate::NotFollowed, "{path}");
        for language in Language::ALL {
            let name = format!("file.{}", file.unwrap().role);
            assert!(language.find(&name).is_some(), "{name}");
            let about = format!("{name}.about");
            assert!(language.find(&about).is_some(), "{about}");
        }
    }
}

/// The headline, a chip, the text and the JSON say what the verdict is not about.
#[test]
fn a_limit_is_in_the_headline_in_a_chip_in_the_text_and_in_the_json() {
    for (id, path, bytes) in beside::each() {
        let outcome = with(path, &bytes);
        let finding = told(&outcome, id);
        let json: serde_json::Value = serde_json::from_str(&outcome.to_json()).unwrap();
        let in_json = json["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|found| found["id"] == id && (found["limits"] == true) == finding.limits);
        assert!(in_json, "{id}");
        assert!(text::whole(&outcome, Language::English).contains(&finding.sentence));
        if !finding.limits {
            continue;
        }
        for language in Language::ALL {
            let verdict = judged(&outcome, language);
            let chip = language.plain(&format!("chip.{id}"), &finding.facts);
            let chips: Vec<String> = verdict.chips.iter().map(|c| c.text.to_string()).collect();
            assert!(chips.contains(&chip), "{id}: {chips:?}");
            let grave = finding.severity < Severity::Info && outcome.end.kind == EndKind::Started;
            if grave {
                let name = language.plain(&format!("limit.{id}"), &finding.facts);
                let headline = verdict.headline.to_string();
                assert!(headline.contains(&name), "{headline}");
                assert_eq!(verdict.tone, Tone::Warn, "{id}");
                let all_there = language.plain("verdict.all-there", &finding.facts);
                let because: Vec<String> =
                    verdict.because.iter().map(ToString::to_string).collect();
                assert!(!because.contains(&all_there), "{id}: {because:?}");
            }
        }
        let grave = finding.severity < Severity::Info;
        assert_eq!(outcome.is_limited(), grave, "{id}");
        if grave && outcome.end.kind == EndKind::Started {
            assert!(outcome.end.sentence.contains("Not part of this verdict"));
        }
    }
}

/// Queues in RocksDB: a start that makes files for all of them would be told wrong, and so would a check that misses them.
#[test]
fn queues_in_rocksdb_are_neither_lost_nor_rebuilt_as_files() {
    let in_rocksdb = |store: &mut Unpacked| {
        beside::take_queues(store);
        let manifest = b"MANIFEST-000004\n".to_vec();
        store
            .files
            .insert("consumequeue/CURRENT".to_owned(), manifest);
    };
    let outcome = start(in_rocksdb);
    let finding = told(&outcome, "beside-rocksdb-queues");
    let why = judged(&outcome, Language::English).because;
    assert_eq!(
        why.first().map(ToString::to_string),
        Some(finding.sentence.clone())
    );
    assert_eq!(outcome.counts.queue_entries_rebuilt, 0);
    let made = outcome.files.iter().filter(|file| file.before.is_none());
    let queues = made.filter(|file| file.role == "consumeQueue").count();
    assert_eq!(queues, 0);
    // The log is followed all the same.
    let whole = start(|_| {});
    let end = |outcome: &Outcome| {
        let mark = outcome.marks.get(&rocketmq::PROCESS_OFFSET);
        mark.and_then(|moved| moved.after)
    };
    assert_eq!(end(&outcome), end(&whole));
    // Somebody who gave RocksDB up has the files of units made.
    let given_up = start_asked(in_rocksdb, &[("storeType", "default")]);
    assert!(given_up.counts.queue_entries_rebuilt > 0);

    let case = case("clean-shutdown");
    let mut store = case.store();
    in_rocksdb(&mut store);
    let checked = checks::check(store, &asked(&case));
    assert!(!kinds(&checked).contains("queue-missing"));
}

/// The messages of a batch topic go to its batch queue, which is not followed: no queue of units is made beside it.
#[test]
fn a_batch_topic_gets_no_queue_of_units() {
    let batch = beside::each()
        .into_iter()
        .find(|(id, ..)| *id == "beside-batch-queues");
    let (_, _, bytes) = batch.unwrap();
    let outcome = start(|store| {
        store
            .files
            .retain(|path, _| !path.starts_with("consumequeue/TopicA/"));
        let path = "batchconsumequeue/TopicA/0/00000000000000000000";
        store.files.insert(path.to_owned(), bytes);
    });
    let finding = told(&outcome, "beside-batch-queues");
    assert_eq!(finding.facts.get("units"), Some(&Fact::Int(2)));
    assert_eq!(finding.facts.get("messages"), Some(&Fact::Int(7)));
    let path = |file: &&storescope::recovery::outcome::FileFate| {
        file.path.as_str().starts_with("consumequeue/TopicA/")
    };
    assert_eq!(outcome.files.iter().find(path), None);
}

/// A commit log beside DLedger's is not where the messages are: no verdict is better than one about it.
#[test]
fn a_store_of_dledger_gets_no_verdict() {
    let dledger = beside::each()
        .into_iter()
        .find(|(id, ..)| *id == "beside-dledger");
    let (_, path, bytes) = dledger.unwrap();
    let outcome = with(path, &bytes);
    assert_eq!(outcome.end.kind, EndKind::Unreadable);
    assert!(outcome.end.sentence.contains("DLedger"), "{outcome:?}");
    let entries = told(&outcome, "beside-dledger").facts.get("entries");
    assert_eq!(entries, Some(&Fact::Int(2)));
    assert!(
        outcome
            .files
            .iter()
            .all(|file| file.fate == Fate::NotFollowed)
    );
    // Switched off again: the commit log counts.
    let off = start_asked(
        |store| {
            store.files.insert(path.to_owned(), bytes.clone());
        },
        &[("enableDLegerCommitLog", "false")],
    );
    assert_eq!(off.end.kind, EndKind::Started);
    // Prepared, and never written to.
    let empty = with(path, &[0; 4096]);
    assert_eq!(empty.end.kind, EndKind::Started);
}

#[test]
fn what_every_5_x_broker_makes_limits_nothing() {
    let outcome = start(|store| {
        for path in ["compaction/position-checkpoint", "rocksdbstore/CURRENT"] {
            store.files.insert(path.to_owned(), b"1".to_vec());
        }
    });
    assert!(!outcome.is_limited());
    assert_eq!(judged(&outcome, Language::English).tone, Tone::Verified);
}

#[test]
fn a_setting_that_is_off_limits_nothing() {
    let off = start_asked(|_| {}, &[("enableLmq", "false")]);
    assert!(!off.is_limited(), "{:#?}", off.findings);
    let on = start_asked(|_| {}, &[("enableLmq", "true")]);
    assert!(on.end.sentence.contains("enableLmq"), "{}", on.end.sentence);
    let pool = start_asked(|_| {}, &[("transientStorePoolEnable", "true")]);
    told(&pool, "beside-pool");
    assert!(!pool.is_limited());
}

/// A store that the real broker of 5.5.1 wrote in another form, opened as it was dropped.
fn form(kind: &str, change: impl FnOnce(&mut Unpacked)) -> (Form, Outcome) {
    let form = Case::form(support::root(), kind);
    let mut store = form.store.clone();
    change(&mut store);
    let asked = Asked {
        release: Some("rocketmq-5.5.1".to_owned()),
        settings: form.settings(),
        ..Asked::default()
    };
    (form, start_dropped(store, &asked))
}

fn start_dropped(store: Unpacked, asked: &Asked) -> Outcome {
    let opened = brokers::open_asked(store_of(store), asked, &mut |_| {});
    let opened = opened.unwrap_or_else(|bad| panic!("{bad}"));
    let recovered = brokers::recover(&opened.store, asked, false, &mut |_| {});
    let mut outcome = recovered.unwrap_or_else(|bad| panic!("{bad}")).outcome;
    outcome.findings.splice(0..0, opened.findings);
    text::fill_sentences(&mut outcome);
    outcome
}

/// What is said of the log beside another form is what the real broker made of it, and the form is told.
#[test]
fn the_log_beside_another_form_ends_where_the_real_broker_ends_it() {
    for (kind, id) in [
        ("rocksdb", "beside-rocksdb-queues"),
        ("rocksdb-too", "beside-rocksdb-too"),
        ("batch", "beside-batch-queues"),
        ("extension", "beside-extension"),
        ("compaction", "beside-compaction"),
        ("timer", "beside-timer"),
        ("roots", "log-roots"),
    ] {
        let (form, outcome) = form(kind, |_| {});
        told(&outcome, id);
        assert_eq!(form.about["load"], true, "{kind}");
        assert_eq!(outcome.end.kind, EndKind::Started, "{kind}: {outcome:#?}");
        let mark = |mark| outcome.marks.get(&mark).and_then(|moved| moved.after);
        let of_broker = |name: &str| form.about[name].as_i64();
        assert_eq!(
            mark(rocketmq::PROCESS_OFFSET),
            of_broker("maxOffset"),
            "{kind}"
        );
        assert_eq!(mark(rocketmq::MIN_OFFSET), of_broker("minOffset"), "{kind}");
        let strangers: Vec<&Finding> = outcome
            .findings
            .iter()
            .filter(|finding| finding.id == "file-unknown")
            .collect();
        assert_eq!(strangers, Vec::<&Finding>::new(), "{kind}");
    }
    let (_, outcome) = form("dledger", |_| {});
    assert_eq!(outcome.end.kind, EndKind::Unreadable);
    let verdict = judged(&outcome, Language::English);
    assert_eq!(verdict.tiles, Vec::new(), "no zero that nobody counted");
    let why = verdict.because.first().map(ToString::to_string);
    assert!(why.is_some_and(|why| why.contains("DLedger")));
    assert_eq!(
        told(&outcome, "beside-dledger").facts.get("end"),
        Some(&Fact::Int(24_250)),
        "its last entry ends where the broker has its log's end"
    );
}

/// The real units: three quarters of them are of batches.
#[test]
fn what_can_be_read_of_a_form_is_counted() {
    let (_, batch) = form("batch", |_| {});
    let facts = &told(&batch, "beside-batch-queues").facts;
    assert_eq!(facts.get("units"), Some(&Fact::Int(20)));
    let (_, extension) = form("extension", |_| {});
    let facts = &told(&extension, "beside-extension").facts;
    assert_eq!(facts.get("units"), Some(&Fact::Int(60)));
    let (_, dledger) = form("dledger", |_| {});
    let facts = &told(&dledger, "beside-dledger").facts;
    assert_eq!(facts.get("entries"), Some(&Fact::Int(60)));
}

/// Several commit-log folders are one log: by the setting, by what else there is, and where they lie beside the store.
#[test]
fn a_log_in_several_folders_is_read_as_one() {
    let (one, expected) = form("roots", |_| {});
    let same = |store: Unpacked, setting: Option<&str>| {
        let mut asked = Asked {
            release: Some("rocketmq-5.5.1".to_owned()),
            settings: one.settings(),
            ..Asked::default()
        };
        let named = setting.map(|value| (log_roots::SETTING.to_owned(), value.to_owned()));
        asked.settings.extend(named);
        let outcome = start_dropped(store, &asked);
        assert_eq!(outcome.marks, expected.marks);
        assert_eq!(outcome.ledger, expected.ledger);
        outcome
    };
    let moved = |change: fn(&str) -> String| {
        let mut store = Unpacked::default();
        for (path, bytes) in &one.store.files {
            store.files.insert(change(path), bytes.clone());
        }
        store
    };
    same(
        one.store.clone(),
        Some("/disk1/commitlog-a, /disk2/commitlog-b"),
    );
    // On two disks, and dropped with the store beside them.
    let disks = moved(|path| match path.split_once('/') {
        Some((folder @ ("commitlog-a" | "commitlog-b"), name)) => {
            format!("{}/commitlog/{name}", folder.replace("commitlog-", "disk-"))
        }
        _ => format!("store/{path}"),
    });
    same(disks.clone(), None);
    let outcome = same(disks, Some("/disk-a/commitlog,/disk-b/commitlog"));
    assert!(!outcome.is_limited());
    // With broker.conf.
    let mut with_conf = moved(|path| path.replace("commitlog-a/", "commitlog/"));
    with_conf.files.insert(
        "broker.conf".to_owned(),
        b"brokerName=a\nstorePathCommitLog=/s/commitlog,/s/commitlog-b\n".to_vec(),
    );
    same(with_conf, None);
}

/// What may be a part of the log, and may as well be a copy of it, is told and not guessed.
#[test]
fn other_folders_with_log_files_are_told() {
    let (_, outcome) = form("roots", |store| {
        let files = std::mem::take(&mut store.files);
        let own = |path: String| path.replace("commitlog-a/", "commitlog/");
        store.files = files
            .into_iter()
            .map(|(path, bytes)| (own(path), bytes))
            .collect();
    });
    let elsewhere = told(&outcome, "log-elsewhere");
    assert!(outcome.is_limited());
    assert!(elsewhere.sentence.contains("commitlog-b"), "{elsewhere:?}");

    let case = case("clean-shutdown");
    let mut store = case.store();
    let log = store.files["commitlog/00000000000000000000"].clone();
    let copy = "commitlog.bak/00000000000000000000".to_owned();
    store.files.insert(copy, log);
    let outcome = start_dropped(store, &asked(&case));
    told(&outcome, "log-copy");
    assert!(!outcome.is_limited());

    let (form, _) = form("roots", |_| {});
    let mut store = form.store;
    store
        .files
        .retain(|path, _| !path.starts_with("commitlog-b/"));
    let mut asked = asked(&case);
    let setting = "/disk1/commitlog-a,/disk2/commitlog-b".to_owned();
    asked
        .settings
        .insert(log_roots::SETTING.to_owned(), setting);
    let outcome = start_dropped(store, &asked);
    told(&outcome, "log-root-missing");
    assert!(outcome.is_limited());
}

fn fields(form: &Form, path: &str, at: u64) -> FieldTree {
    let place = Place::before(&StorePath::new(path), at, 0);
    brokers::fields(&store_of(form.store.clone()), &place, &Asked::default()).unwrap()
}

fn field<'t>(tree: &'t FieldTree, name: &str) -> &'t Value {
    let row = tree.rows.iter().find(|row| row.name == name);
    &row.unwrap_or_else(|| panic!("no {name} in {tree:?}")).value
}

/// What the real broker wrote, field by field.
#[test]
fn the_bytes_of_other_forms_have_their_fields() {
    let first = "00000000000000000000";
    let (batch, _) = form("batch", |_| {});
    let path = format!("batchconsumequeue/TopicB/0/{first}");
    let unit = fields(&batch, &path, 46 + 30);
    assert_eq!((unit.start, unit.title.as_str()), (46, "batch unit"));
    // Every third message is a batch: of one, then of four.
    assert_eq!(field(&unit, "msgBaseOffset"), &Value::Int(1));
    assert_eq!(field(&unit, "batchSize"), &Value::Int(4));

    let (extension, _) = form("extension", |_| {});
    let path = format!("consumequeue_ext/TopicA/0/{first}");
    let unit = fields(&extension, &path, 25);
    assert_eq!((unit.start, unit.title.as_str()), (20, "extension unit"));
    assert_eq!(field(&unit, "tagsCode"), &Value::Int(2_598_919));

    let (dledger, _) = form("dledger", |_| {});
    let path = format!("dledger-n0/data/{first}");
    let entry = fields(&dledger, &path, 700);
    assert_eq!(entry.title, "DLedger entry");
    assert_eq!(field(&entry, "pos"), &Value::Int(entry.start as i64));
    // Its body is a message that says where it stands.
    let body = Value::Int(entry.start as i64 + 48);
    assert_eq!(field(&entry, "physicalOffset"), &body);

    let (timer, _) = form("timer", |_| {});
    let record = fields(&timer, &format!("timerlog/{first}"), 52);
    assert_eq!((record.start, record.title.as_str()), (52, "timer record"));
    assert_eq!(field(&record, "size"), &Value::Int(52));
    let checkpoint = fields(&timer, "config/timercheck", 0);
    assert_eq!(field(&checkpoint, "lastTimerQueueOffset"), &Value::Int(20));
    let wheel = fields(&timer, "timerwheel", 40);
    assert_eq!((wheel.start, wheel.title.as_str()), (32, "timer slot"));
}

/// A unit's tag that stands in an extension unit is held to its message all the same.
#[test]
fn tags_in_extension_files_are_followed() {
    const QUEUE: &str = "consumequeue/TopicA/0/00000000000000000000";
    const EXTENSION: &str = "consumequeue_ext/TopicA/0/00000000000000000000";
    let check = |change: fn(&mut Unpacked)| {
        let (form, _) = form("extension", |_| {});
        let mut store = form.store.clone();
        change(&mut store);
        let asked = Asked {
            release: Some("rocketmq-5.5.1".to_owned()),
            settings: form.settings(),
            ..Asked::default()
        };
        checks::check(store, &asked)
    };
    let sound = check(|_| {});
    assert_eq!(kinds(&sound), BTreeSet::new(), "{:#?}", sound.findings);
    let other_tag = check(|store| {
        let unit = beside::extension_unit(77);
        store.files.get_mut(EXTENSION).unwrap()[20..40].copy_from_slice(&unit);
    });
    assert_found(&other_tag, "unit-tags", EXTENSION, 22, 8);
    let gone = check(|store| {
        store.files.remove(EXTENSION);
    });
    assert_found(&gone, "unit-no-extension", QUEUE, 12, 8);
    assert_eq!(kinds(&gone), BTreeSet::from(["unit-no-extension"]));

    // A consumer's filter goes by the tag in the extension, and lets pass what has none.
    let taken = |tags: &str, change: fn(&mut Unpacked)| {
        let (form, outcome) = form("extension", |_| {});
        let mut store = form.store;
        change(&mut store);
        let pull = PullAsked {
            queue: "TopicA/0".to_owned(),
            offset: 0,
            tags: tags.to_owned(),
            most: 100,
        };
        let known = Known::of(&outcome);
        let asked = Asked::default();
        let pulled = brokers::pull(&store_of(store), &known, &asked, &pull, Image::Before);
        pulled
            .unwrap()
            .units
            .iter()
            .filter(|unit| unit.taken)
            .count()
    };
    assert_eq!(taken("TagA", |_| {}), 40);
    assert_eq!(taken("TagB", |_| {}), 0);
    let without = |store: &mut Unpacked| {
        store.files.remove(EXTENSION);
    };
    assert_eq!(taken("TagB", without), 40);
}
