//! The field trees of the magnifier: every message of the dumped stores, field by field as the real decoder reads it.

mod support;

use serde_json::Value as Json;
use storescope::brokers::{self, Asked};
use storescope::decode::fields::{FieldTree, Value};
use storescope::recovery::Place;
use storescope::store::{Store, StorePath};
use support::case::Case;
use support::{asked, case, cases, on_all, store_of};

fn tree(store: &Store, asked: &Asked, path: &str, at: u64) -> FieldTree {
    brokers::fields(store, &Place::before(&StorePath::new(path), at, 0), asked).unwrap()
}

fn value<'t>(tree: &'t FieldTree, name: &str) -> &'t Value {
    &tree
        .rows
        .iter()
        .find(|row| row.name == name)
        .unwrap_or_else(|| panic!("no field {name} in {tree:?}"))
        .value
}

fn int(tree: &FieldTree, name: &str) -> i64 {
    match value(tree, name) {
        Value::Int(value) | Value::Time(value) => *value,
        other => panic!("{name} is {other:?}"),
    }
}

/// Each byte of a record belongs to one field, and the fields stand in file order.
fn assert_no_gap(tree: &FieldTree, size: u64) {
    let mut at = tree.start;
    for row in &tree.rows {
        assert_eq!(row.start, at, "{}", row.name);
        at += row.len;
    }
    assert_eq!(at - tree.start, size);
}

fn assert_is_message(tree: &FieldTree, want: &Json, lengths_add_up: bool) {
    assert_eq!(tree.title, "message");
    assert_eq!(tree.stopped, None);
    let total_size = want["totalSize"].as_u64().unwrap();
    assert_no_gap(
        tree,
        if lengths_add_up {
            total_size
        } else {
            tree.end() - tree.start
        },
    );
    for (ours, theirs) in [
        ("totalSize", "totalSize"),
        ("queueId", "queueId"),
        ("flag", "flag"),
        ("queueOffset", "queueOffset"),
        ("physicalOffset", "physicalOffset"),
        ("sysFlag", "sysFlag"),
        ("bornTimestamp", "bornTimestamp"),
        ("storeTimestamp", "storeTimestamp"),
        ("reconsumeTimes", "reconsumeTimes"),
        ("preparedTransactionOffset", "preparedTransactionOffset"),
        ("bodyLength", "bodyLength"),
    ] {
        assert_eq!(
            Json::from(int(tree, ours)),
            want[theirs],
            "{ours} of {want}"
        );
    }
    for host in ["bornHost", "storeHost"] {
        let address = want[host].as_str().unwrap().replace('|', ":");
        assert_eq!(value(tree, host), &Value::Text(address));
    }
    let (stored, computed) = (&want["bodyCrc"], &want["bodyCrcComputed"]);
    match value(tree, "bodyCRC") {
        Value::Differs {
            stored: ours,
            computed: other,
        } => {
            assert_ne!(stored, computed);
            assert_eq!(Json::from(i64::from(ours.cast_signed())), *stored);
            assert_eq!(Json::from(i64::from(*other)), *computed);
        }
        Value::Hex(ours) => {
            assert!(stored == computed || want["bodyLength"] == 0, "{want}");
            assert_eq!(Json::from(i64::from(ours.cast_signed())), *stored);
        }
        other => panic!("bodyCRC is {other:?}"),
    }
    let topic = want["topic"].as_str().unwrap();
    assert_eq!(int(tree, "topicLength"), topic.len() as i64);
    if !topic.is_empty() {
        assert_eq!(value(tree, "topic"), &Value::Text(topic.to_owned()));
    }
}

/// How many messages of a case were compared.
fn compare_messages(case: &Case) -> usize {
    let Some(dump) = case.dump() else { return 0 };
    let (store, asked) = (store_of(case.store()), asked(case));
    // What a flipped bit leaves of a text may read differently; the dump test covers those.
    let plain = |line: &&Json| {
        line["end"].is_null() && !line["topic"].as_str().unwrap().contains('\u{fffd}')
    };
    let messages: Vec<&Json> = dump.iter().filter(plain).collect();
    let sound = is_log_sound(case);
    for message in &messages {
        let path = format!("commitlog/{}", message["file"].as_str().unwrap());
        let at = message["pos"].as_u64().unwrap();
        assert_is_message(&tree(&store, &asked, &path, at), message, sound);
    }
    messages.len()
}

/// Whether nobody wrote into a case's log.
fn is_log_sound(case: &Case) -> bool {
    let about = case.about();
    let mut changes = about["surgery"].as_array().unwrap().iter();
    changes.all(|change| {
        change["file"]
            .as_str()
            .is_none_or(|file| !file.starts_with("commitlog/"))
    })
}

#[test]
fn every_message_has_the_fields_that_the_real_decoder_reads() {
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| !case.name.starts_with("fuzz-"))
        .collect();
    let compared: usize = on_all(&cases, compare_messages).iter().sum();
    assert!(compared > 2_000, "{compared} messages");
}

#[test]
fn a_place_inside_a_message_shows_that_message() {
    let case = case("crash-intact");
    let (store, asked, dump) = (store_of(case.store()), asked(&case), case.dump().unwrap());
    let (path, message) = ("commitlog/00000000000000000000", &dump[3]);
    let start = message["pos"].as_u64().unwrap();
    for inside in [0, 1, 40, message["totalSize"].as_u64().unwrap() - 1] {
        assert_eq!(
            tree(&store, &asked, path, start + inside).start,
            start,
            "{inside} bytes in"
        );
    }
}

#[test]
fn a_flipped_body_bit_shows_as_a_checksum_that_differs() {
    let case = case("crash-crc-first-file-rescan");
    let (store, asked, dump) = (store_of(case.store()), asked(&case), case.dump().unwrap());
    let differs =
        |line: &&Json| line["bodyCrc"] != line["bodyCrcComputed"] && line["bodyLength"] != 0;
    let bad: Vec<&Json> = dump.iter().filter(differs).collect();
    assert_eq!(bad.len(), 1, "one bit was flipped");
    let tree = tree(
        &store,
        &asked,
        "commitlog/00000000000000000000",
        bad[0]["pos"].as_u64().unwrap(),
    );
    assert!(matches!(value(&tree, "bodyCRC"), Value::Differs { .. }));
}

#[test]
fn units_index_entries_and_the_checkpoint_are_as_the_broker_has_them_in_memory() {
    let case = case("clean-shutdown");
    let (store, asked) = (store_of(case.store()), asked(&case));
    let state = &case.golden["afterLoad"];
    for queue in state["consumeQueues"].as_array().unwrap() {
        let (topic, id) = (queue["topic"].as_str().unwrap(), &queue["queueId"]);
        let Some(file) = queue["files"][0]["name"].as_str() else {
            continue;
        };
        for (n, unit) in queue["units"]
            .as_array()
            .unwrap()
            .iter()
            .take(8)
            .enumerate()
        {
            let tree = tree(
                &store,
                &asked,
                &format!("consumequeue/{topic}/{id}/{file}"),
                n as u64 * 20,
            );
            assert_no_gap(&tree, 20);
            let ours = ["offset", "size", "tagsCode"].map(|name| Json::from(int(&tree, name)));
            assert_eq!(&Json::from(ours.to_vec()), unit, "{topic}/{id} #{n}");
        }
    }
    let entries_at = 40 + 4 * case.golden["geometry"]["maxHashSlotNum"].as_u64().unwrap();
    for index in state["index"].as_array().unwrap() {
        let path = format!("index/{}", index["name"].as_str().unwrap());
        let header = tree(&store, &asked, &path, 0);
        assert_no_gap(&header, 40);
        for name in [
            "beginTimestamp",
            "endTimestamp",
            "beginPhyOffset",
            "endPhyOffset",
            "hashSlotCount",
            "indexCount",
        ] {
            assert_eq!(
                Json::from(int(&header, name)),
                index[name],
                "{name} of {path}"
            );
        }
        for (n, entry) in (1..).zip(index["entries"].as_array().unwrap()) {
            let tree = tree(&store, &asked, &path, entries_at + n * 20);
            assert_no_gap(&tree, 20);
            let ours = ["keyHash", "phyOffset", "timeDiff", "prevIndex"]
                .map(|name| Json::from(int(&tree, name)));
            assert_eq!(&Json::from(ours.to_vec()), entry, "{path} entry {n}");
        }
    }
    let checkpoint = tree(&store, &asked, "checkpoint", 0);
    for name in [
        "physicMsgTimestamp",
        "logicsMsgTimestamp",
        "indexMsgTimestamp",
    ] {
        assert_eq!(
            Json::from(int(&checkpoint, name)),
            case.golden["checkpointFileBefore"][name]
        );
    }
}
