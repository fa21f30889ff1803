//! Records that are Kafka's own, of `__consumer_offsets`, `__cluster_metadata` and control batches, written by the classes of 2.8, 3.9 and
//! 4.4 and read back by them: each is decoded as they do.

mod support;

use serde_json::{Map, Value, json};
use std::rc::Rc;
use storescope::brokers;
use storescope::decode::FieldTree;
use storescope::kafka::format::group_record::{self, GroupRecord, GroupValue};
use storescope::kafka::format::metadata_record;
use storescope::kafka::format::schema::{Members, Node};
use storescope::recovery::Place;
use storescope::store::{Store, StorePath};

struct Written {
    label: String,
    golden: Value,
    key: Vec<u8>,
    value: Option<Vec<u8>>,
}

fn written() -> Vec<Written> {
    let mut all = Vec::new();
    for release in ["2.8.2", "3.9.2", "4.4.0"] {
        let path = format!("tests/cases/kafka/group-records-{release}.jsonl");
        let text = std::fs::read_to_string(support::root().join(path)).unwrap();
        for (no, line) in text.lines().enumerate() {
            let golden: Value = serde_json::from_str(line).unwrap();
            all.push(Written {
                label: format!("{release} line {}: {}", no + 1, golden["type"]),
                key: bytes(golden["key"].as_str().unwrap()),
                value: golden["value"].as_str().map(bytes),
                golden,
            });
        }
    }
    all
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().collect();
    digits
        .chunks(2)
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}

/// As the broker's converter writes a record's data.
fn as_json(members: &Members) -> Value {
    let mut object = Map::new();
    for (name, node) in members {
        object.insert((*name).to_owned(), node_as_json(node));
    }
    Value::Object(object)
}

fn node_as_json(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(is) => json!(is),
        Node::Int(number) | Node::Time(number) => json!(number),
        Node::Double(number) => json!(number),
        Node::Text(text) | Node::Uuid(text) => json!(text),
        Node::Bytes(bytes) => json!(base64(bytes)),
        Node::Struct(members) => as_json(members),
        Node::List(nodes) => nodes.iter().map(node_as_json).collect(),
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let at = |no: usize| u32::from(three.get(no).copied().unwrap_or(0));
        let bits = at(0) << 16 | at(1) << 8 | at(2);
        for no in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * no) & 63) as usize];
            text.push(if no <= three.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    text
}

fn read(one: &Written) -> GroupRecord {
    group_record::read(&one.key, one.value.as_deref()).unwrap_or_else(|| panic!("{}", one.label))
}

#[test]
fn every_record_is_decoded_as_the_broker_decodes_it() {
    let all = written();
    assert!(all.len() > 60);
    for one in &all {
        let record = read(one);
        // 4.x has a name of its own for the form before key version 1.
        let name = one.golden["type"].as_str().unwrap();
        assert_eq!(
            record.name,
            name.trim_start_matches("Legacy"),
            "{}",
            one.label
        );
        if !one.golden["keyData"].is_null() {
            assert_eq!(as_json(&record.key), one.golden["keyData"], "{}", one.label);
        }
        match (&record.value, &one.golden["valueData"]) {
            (GroupValue::Tombstone, Value::Null) => {}
            (GroupValue::Decoded { version, members }, golden) => {
                assert_eq!(json!(version), one.golden["version"], "{}", one.label);
                assert_eq!(&as_json(members), golden, "{}", one.label);
            }
            other => panic!("{}: {other:?}", one.label),
        }
    }
}

/// A value cut anywhere, as in a record whose batch was written over: said so, and nothing is made up.
#[test]
fn a_value_that_ends_early_is_said_to() {
    for one in &written() {
        let Some(value) = &one.value else { continue };
        for len in 2..value.len() {
            let cut = group_record::read(&one.key, Some(&value[..len])).unwrap();
            let is_short = matches!(cut.value, GroupValue::Short { .. });
            assert!(is_short, "{} cut at {len}: {cut:?}", one.label);
        }
    }
}

#[test]
fn a_newer_version_and_a_foreign_key_are_not_guessed_at() {
    let mut newer = read(&written()[0]);
    newer.value = group_record::read(&written()[0].key, Some(&[0, 9, 1, 2]))
        .unwrap()
        .value;
    let other = GroupValue::Other {
        version: Some(9),
        len: 4,
    };
    assert_eq!(newer.value, other);
    assert_eq!(group_record::read(b"order-17", Some(b"paid")), None);
    assert_eq!(group_record::read(&[], None), None);
}

struct Metadata {
    label: String,
    golden: Value,
    value: Vec<u8>,
}

fn metadata() -> Vec<Metadata> {
    let mut all = Vec::new();
    for release in ["3.9.2", "4.4.0"] {
        let path = format!("tests/cases/kafka/metadata-records-{release}.jsonl");
        let text = std::fs::read_to_string(support::root().join(path)).unwrap();
        for (no, line) in text.lines().enumerate() {
            let golden: Value = serde_json::from_str(line).unwrap();
            all.push(Metadata {
                label: format!("{release} line {}: {}", no + 1, golden["type"]),
                value: bytes(golden["value"].as_str().unwrap()),
                golden,
            });
        }
    }
    all
}

fn read_metadata(one: &Metadata, value: &[u8]) -> Option<metadata_record::MetadataRecord> {
    match one.golden["control"].as_i64().unwrap() {
        -1 => metadata_record::read(value),
        control => metadata_record::read_control(&[0, 0, 0, control as u8], value),
    }
}

#[test]
fn every_record_of_the_metadata_log_is_decoded_as_the_broker_decodes_it() {
    let all = metadata();
    assert!(all.len() > 140);
    for one in &all {
        let record = read_metadata(one, &one.value).unwrap_or_else(|| panic!("{}", one.label));
        assert_eq!(record.name, one.golden["type"], "{}", one.label);
        assert_eq!(
            json!(record.version),
            one.golden["version"],
            "{}",
            one.label
        );
        let members = record.members.unwrap_or_else(|| panic!("{}", one.label));
        assert_eq!(as_json(&members), one.golden["valueData"], "{}", one.label);
    }
}

#[test]
fn a_record_of_the_metadata_log_that_ends_early_says_nothing() {
    for one in &metadata() {
        for len in 0..one.value.len() {
            let read = read_metadata(one, &one.value[..len]);
            let is_silent = read.is_none_or(|record| record.members.is_none());
            assert!(is_silent, "{} cut at {len}", one.label);
        }
    }
}

/// A v2 batch of plain records, as a coordinator writes one.
fn batch(records: &[(&[u8], Option<&[u8]>)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (no, (key, value)) in records.iter().enumerate() {
        let mut record = vec![0];
        record.extend([0, (no << 1) as u8]);
        record.extend(varint(key.len() as i64));
        record.extend_from_slice(key);
        record.extend(varint(value.map_or(-1, |value| value.len() as i64)));
        record.extend_from_slice(value.unwrap_or(&[]));
        record.push(0);
        body.extend(varint(record.len() as i64));
        body.extend(record);
    }
    let mut checked = vec![0, 0];
    checked.extend((records.len() as i32 - 1).to_be_bytes());
    checked.extend([0; 16]);
    checked.extend((-1i64).to_be_bytes());
    checked.extend((-1i16).to_be_bytes());
    checked.extend((-1i32).to_be_bytes());
    checked.extend((records.len() as i32).to_be_bytes());
    checked.extend(body);
    let mut batch = 0i64.to_be_bytes().to_vec();
    batch.extend((checked.len() as i32 + 9).to_be_bytes());
    batch.extend([0, 0, 0, 0, 2]);
    batch.extend([0; 4]);
    batch.extend(checked);
    let crc = storescope::kafka::format::batch::computed_crc(&batch);
    batch[17..21].copy_from_slice(&crc.to_be_bytes());
    batch
}

fn varint(value: i64) -> Vec<u8> {
    let mut left = ((value << 1) ^ (value >> 63)) as u64;
    let mut bytes = Vec::new();
    while left > 0x7f {
        bytes.push(left as u8 | 0x80);
        left >>= 7;
    }
    bytes.push(left as u8);
    bytes
}

fn fields_in(topic: &str, bytes: Vec<u8>) -> FieldTree {
    let path = StorePath::new(&format!("{topic}-18/00000000000000000000.log"));
    let mut store = Store::new("logs");
    let place = Place::whole(&path, bytes.len() as u64);
    store.insert(path, Rc::new(bytes));
    brokers::fields(&store, &place, &brokers::Asked::default()).unwrap()
}

#[test]
fn the_bytes_view_shows_commits_and_tombstones_where_they_lie() {
    let all = written();
    let commit = &all[0];
    let value = commit.value.as_deref();
    let bytes = batch(&[(&commit.key, value), (&commit.key, None)]);
    let tree = fields_in("__consumer_offsets", bytes.clone());
    let rows: Vec<(&str, String)> = tree
        .rows
        .iter()
        .map(|row| (row.name.as_str(), format!("{:?}", row.value)))
        .collect();
    for wanted in [
        ("record 0", "Text(\"OffsetCommit\")"),
        ("record 0 key.group", "Text(\"group-ä\")"),
        ("record 0 value.offset", "Int(4611686018427387904)"),
        ("record 1 value", "Text(\"null (tombstone)\")"),
    ] {
        assert!(
            rows.iter()
                .any(|(name, value)| (*name, value.as_str()) == wanted),
            "{wanted:?} in {rows:?}"
        );
    }
    let second = tree.rows.iter().find(|row| row.name == "record 1").unwrap();
    assert_eq!(second.start + second.len, bytes.len() as u64);

    let elsewhere = fields_in("orders", bytes);
    let has_records = elsewhere.rows.iter().any(|row| row.name == "record 0");
    assert!(!has_records, "only that topic holds such records");
}
