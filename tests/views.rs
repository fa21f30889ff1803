//! What the views list, held against the dump and the real brokers' states: the same messages, the same hits of every filter, units
//! and entries with their messages, a key found where the broker finds it.

mod support;

use serde_json::Value;
use std::collections::BTreeSet;
use storescope::brokers::hits::Hits;
use storescope::brokers::rows::{
    Filter, KeyAsked, Known, MessageRow, Only, PullAsked, RowFate, What, Word,
};
use storescope::brokers::{self, Asked};
use storescope::recovery::map::LaneKind;
use storescope::recovery::trace::Image;
use storescope::store::Store;
use support::{asked, case, cases, on_all, recover, store_of};

fn dump(store: &Store) -> Vec<Value> {
    let mut lines = Vec::new();
    storescope::rocketmq::messages::dump(store, |line| lines.push(line)).unwrap();
    lines
}

/// All rows of a filter, found in small bites and read back in small windows, as a page does.
fn rows(store: &Store, known: &Known, filter: &Filter) -> Vec<MessageRow> {
    let mut hits = Hits::of(filter.clone());
    while hits.read().next.is_some() {
        hits.go_on(store, known, 700).unwrap();
    }
    let mut rows = Vec::new();
    while (rows.len() as u64) < hits.rows() {
        let from = rows.len() as u64;
        let window = hits.get(store, known, from, 7).unwrap();
        assert!(!window.is_empty(), "row {from} of {}", hits.rows());
        for (at, row) in (from..).zip(&window) {
            let found = hits.row_of(store, known, &row.place).unwrap();
            assert_eq!(found, Some(at), "{row:?}");
        }
        rows.extend(window);
    }
    rows
}

type Id = (String, u64);

fn id(row: &MessageRow) -> Id {
    (row.place.file.name().to_owned(), row.place.offset)
}

fn line_id(line: &Value) -> Id {
    let file = line["file"].as_str().unwrap().to_owned();
    (file, line["pos"].as_u64().unwrap())
}

/// A row and a line of the dump say the same.
fn agree(row: &MessageRow, line: &Value) -> bool {
    let text = |name: &str| line["properties"][name].as_str().map(str::to_owned);
    match &row.what {
        What::End(why) => line["end"] == why.as_str(),
        What::Message(message) => {
            line["end"].is_null()
                && line["topic"] == message.topic.as_str()
                && line["queueId"] == message.queue
                && line["queueOffset"] == message.queue_offset
                && line["physicalOffset"] == message.log_offset
                && line["storeTimestamp"] == message.store_ms
                && line["bornTimestamp"] == message.born_ms
                && line["totalSize"] == row.place.length
                && line["bodyLength"] == message.body_bytes
                && text("TAGS") == message.tag
                && text("KEYS") == message.keys
                && text("UNIQ_KEY") == message.unique_key
        }
    }
}

/// Filters that a case can answer, each with what it must find among the lines of the dump.
fn filters(lines: &[Value]) -> Vec<(Filter, Vec<Id>)> {
    let messages: Vec<&Value> = lines.iter().filter(|line| line["end"].is_null()).collect();
    let mut filters = Vec::new();
    let mut ask = |filter: Filter, is: &dyn Fn(&Value) -> bool| {
        let wanted = messages.iter().filter(|line| is(line));
        filters.push((filter, wanted.map(|line| line_id(line)).collect()));
    };
    for line in [
        messages.first(),
        messages.get(messages.len() / 2),
        messages.last(),
    ]
    .into_iter()
    .flatten()
    {
        let int = |name: &str| line[name].as_i64().unwrap();
        let topic = line["topic"].as_str().unwrap();
        let filter = Filter {
            topic: Some(Word::new(topic)),
            ..Filter::default()
        };
        ask(filter, &|line| line["topic"] == topic);
        let queue = int("queueId");
        let filter = Filter {
            queue: Some(queue..=queue),
            ..Filter::default()
        };
        ask(filter, &|line| line["queueId"] == queue);
        for (name, put) in [
            ("queueOffset", 0),
            ("physicalOffset", 1),
            ("storeTimestamp", 2),
        ] {
            let value = int(name);
            let range = value.saturating_sub(2000)..=value;
            let mut filter = Filter::default();
            match put {
                0 => filter.queue_offset = Some(range.clone()),
                1 => filter.log_offset = Some(range.clone()),
                _ => filter.store_ms = Some(range.clone()),
            }
            ask(filter, &|line| {
                range.contains(&line[name].as_i64().unwrap())
            });
        }
        for (name, value) in line["properties"].as_object().into_iter().flatten() {
            let value = value.as_str().unwrap();
            let filter = Filter {
                properties: vec![(name.clone(), Some(Word::new(value)))],
                ..Filter::default()
            };
            ask(filter, &|line| line["properties"][name] == value);
            let filter = Filter {
                properties: vec![(name.clone(), None)],
                ..Filter::default()
            };
            ask(filter, &|line| !line["properties"][name].is_null());
            let word = Some(Word::new(value));
            match name.as_str() {
                "TAGS" => ask(
                    Filter {
                        tag: word,
                        ..Filter::default()
                    },
                    &|line| line["properties"][name] == value,
                ),
                "UNIQ_KEY" => ask(
                    Filter {
                        unique_key: word,
                        ..Filter::default()
                    },
                    &|line| line["properties"][name] == value,
                ),
                "KEYS" => {
                    let Some(key) = value.split(' ').find(|key| !key.is_empty()) else {
                        continue;
                    };
                    let filter = Filter {
                        key: Some(Word::new(key)),
                        ..Filter::default()
                    };
                    ask(filter, &|line| {
                        let keys = line["properties"][name].as_str().unwrap_or("");
                        keys.split(' ').any(|found| found == key)
                    });
                }
                _ => {}
            }
        }
    }
    filters
}

/// The messages table is the dump: the same rows, the same fields, and of every filter the same hits.
#[test]
fn the_messages_table_holds_what_the_dump_prints() {
    let cases = cases();
    let answers = on_all(&cases, |case| {
        let store = store_of(case.store());
        let lines = dump(&store);
        let known = Known::default();
        let all = rows(&store, &known, &Filter::default());
        assert_eq!(all.len(), lines.len(), "{}", case.label());
        for (row, line) in all.iter().zip(&lines) {
            assert!(agree(row, line), "{}: {row:?} and {line}", case.label());
        }
        let filters = filters(&lines);
        for (filter, wanted) in &filters {
            let hits: Vec<Id> = rows(&store, &known, filter).iter().map(id).collect();
            assert_eq!(&hits, wanted, "{}: {filter:?}", case.label());
        }
        filters.len()
    });
    assert!(answers.iter().sum::<usize>() > 1000, "filters were tried");
}

/// A body bit was flipped in the last file: the messages from there on are marked as cut, and that one as wrong.
#[test]
fn cut_and_corrupt_messages_are_marked() {
    let case = case("crash-crc-last-file");
    let store = store_of(case.store());
    let outcome = recover(&store, &asked(&case)).outcome;
    let known = Known::of(&outcome);
    let process_offset = case.golden["recovery"]["processOffset"].as_i64().unwrap();
    let only = |only| Filter {
        only: Some(only),
        ..Filter::default()
    };
    let cut = rows(&store, &known, &only(Only::Cut));
    assert_eq!(
        cut.len() as u64,
        outcome.ledger.cut_readable.messages.unwrap()
            + outcome.ledger.cut_unreadable.messages.unwrap()
    );
    assert!(
        cut.iter()
            .all(|row| row.log_offset.unwrap() >= process_offset)
    );
    let kept = rows(&store, &known, &only(Only::Kept));
    assert!(
        kept.iter()
            .all(|row| row.log_offset.unwrap() < process_offset && row.fate == RowFate::Kept)
    );
    let wrong = rows(&store, &known, &only(Only::Wrong));
    assert_eq!(wrong.len(), 1);
    assert_eq!(wrong[0].log_offset, Some(process_offset));
    assert_eq!(wrong[0].wrong[0].id, "body-crc");
}

fn settings(asked: &Asked, outcome: &storescope::recovery::Outcome) -> Asked {
    Asked {
        settings: outcome.options.settings.clone(),
        ..asked.clone()
    }
}

/// In a store that was stopped cleanly every unit and every entry fits its message; after the start of a crashed one, too.
#[test]
fn every_unit_and_entry_of_a_sound_store_fits_its_message() {
    for (name, image) in [
        ("clean-shutdown", Image::Before),
        ("crash-intact", Image::AfterReput),
    ] {
        let case = case(name);
        let before = store_of(case.store());
        let recovered = recover(&before, &asked(&case));
        let asked = settings(&asked(&case), &recovered.outcome);
        let known = Known::of(&recovered.outcome);
        let store = match image {
            Image::Before => before.clone(),
            _ => recovered.stages.last().unwrap().after.to_store(),
        };
        let mut seen = 0;
        let lanes = &recovered.outcome.map.lanes;
        for lane in lanes.iter().filter(|lane| lane.kind != LaneKind::Log) {
            let list = brokers::list(&store, &known, &asked, lane.kind, &lane.name, image).unwrap();
            let rows = brokers::entries(&store, &known, &asked, &list).unwrap();
            assert_eq!(rows.len() as u64, list.rows());
            for row in rows {
                assert_eq!(row.wrong, None, "{name} {}: {row:?}", lane.name);
                seen += usize::from(row.target.is_some());
            }
        }
        assert!(seen > 20, "{name}: {seen} links");
    }
}

/// A queue that points behind the log's new end: its units are wrong before the start, and gone after it.
#[test]
fn units_of_cut_messages_are_wrong_before_the_start_and_gone_after_it() {
    let case = case("crash-crc-last-file");
    let before = store_of(case.store());
    let recovered = recover(&before, &asked(&case));
    let asked = settings(&asked(&case), &recovered.outcome);
    let known = Known::of(&recovered.outcome);
    let after = recovered.stages.last().unwrap().after.to_store();
    let wrong = |store: &Store, image| {
        let lanes = recovered.outcome.map.lanes.iter();
        let mut ids = Vec::new();
        for lane in lanes.filter(|lane| lane.kind == LaneKind::Queue) {
            let list = brokers::list(store, &known, &asked, lane.kind, &lane.name, image).unwrap();
            let first = brokers::first_wrong(store, &known, &asked, &list).unwrap();
            let rows = brokers::entries(store, &known, &asked, &list).unwrap();
            assert_eq!(
                first,
                rows.iter()
                    .position(|row| row.wrong.is_some())
                    .map(|at| at as u64)
            );
            ids.extend(
                rows.into_iter()
                    .filter_map(|row| row.wrong)
                    .map(|why| why.id),
            );
        }
        ids
    };
    let cut = wrong(&before, Image::Before);
    assert_eq!(cut.len() as u64, recovered.outcome.counts.queue_entries_cut);
    assert!(cut.iter().all(|id| id == "cut"));
    assert_eq!(wrong(&after, Image::AfterReput), Vec::<String>::new());
}

/// Every key of every message of a sound store is found, by the broker's own way, and leads to that message.
#[test]
fn every_key_is_found_where_the_broker_finds_it() {
    let case = case("clean-shutdown");
    let store = store_of(case.store());
    let recovered = recover(&store, &asked(&case));
    let asked = settings(&asked(&case), &recovered.outcome);
    let known = Known::of(&recovered.outcome);
    let look = |topic: &str, key: &str| {
        let key = KeyAsked {
            topic: topic.to_owned(),
            key: key.to_owned(),
            from_ms: 0,
            to_ms: i64::MAX,
            most: 64,
        };
        brokers::look_up(&store, &known, &asked, &key, Image::Before).unwrap()
    };
    let mut tried = 0;
    let lines = dump(&store);
    for (row, line) in rows(&store, &known, &Filter::default()).iter().zip(&lines) {
        let What::Message(message) = &row.what else {
            continue;
        };
        // Of a transaction that was rolled back no key is kept.
        if line["sysFlag"].as_i64().unwrap() & 12 == 12 {
            continue;
        }
        let Some(key) = &message.unique_key else {
            continue;
        };
        let found = look(&message.topic, key).found;
        assert!(
            found
                .iter()
                .any(|found| Some(found.log_offset) == row.log_offset && found.has_key),
            "{key}: {found:?}"
        );
        tried += 1;
    }
    assert!(tried > 10, "{tried} keys");
    let none = look("NoSuchTopic", "no-such-key");
    assert!(none.found.iter().all(|found| !found.has_key));
    assert!(
        none.files
            .iter()
            .all(|file| file.slot.is_some() || file.ended.is_none())
    );
}

/// A consumer reads every message of a queue, one after the other; a tag lets through those that hash to it.
#[test]
fn a_consumer_reads_a_queue_from_unit_to_message() {
    let case = case("clean-shutdown");
    let store = store_of(case.store());
    let recovered = recover(&store, &asked(&case));
    let asked = settings(&asked(&case), &recovered.outcome);
    let known = Known::of(&recovered.outcome);
    let lines = dump(&store);
    let messages = rows(&store, &known, &Filter::default());
    // Neither a prepared message of a transaction nor a rolled back one gets a unit.
    let consumed = |line: &Value| matches!(line["sysFlag"].as_i64().unwrap_or(0) & 12, 0 | 8);
    let messages: Vec<_> = messages
        .iter()
        .zip(&lines)
        .filter_map(|(row, line)| consumed(line).then_some(row))
        .filter_map(|row| match &row.what {
            What::Message(message) => Some((row, &**message)),
            What::End(_) => None,
        })
        .collect();
    let queues: BTreeSet<(String, i32)> = messages
        .iter()
        // A delayed message's unit holds the time it is due where others have their tag.
        .filter(|(_, message)| message.tag.is_some() && message.topic != "SCHEDULE_TOPIC_XXXX")
        .map(|(_, message)| (message.topic.clone(), message.queue))
        .collect();
    assert!(!queues.is_empty());
    for (topic, queue) in queues {
        let of_queue: Vec<_> = messages
            .iter()
            .filter(|(_, message)| message.topic == topic && message.queue == queue)
            .collect();
        let pull = |offset, tags: &str| {
            let pull = PullAsked {
                queue: format!("{topic}/{queue}"),
                offset,
                tags: tags.to_owned(),
                most: 1000,
            };
            brokers::pull(&store, &known, &asked, &pull, Image::Before).unwrap()
        };
        let all = pull(0, "*");
        assert_eq!(all.status, "FOUND", "{topic}/{queue}");
        assert_eq!(
            all.units.iter().filter(|unit| unit.taken).count(),
            of_queue.len()
        );
        assert_eq!(all.next_offset, all.max_offset);
        // A tag that names two is two to a subscription.
        let mut tags = of_queue
            .iter()
            .filter_map(|(_, message)| message.tag.clone());
        let Some(tag) = tags.find(|tag| !tag.contains("||")) else {
            continue;
        };
        let with_tag = of_queue
            .iter()
            .filter(|(_, message)| message.tag.as_ref() == Some(&tag));
        let tagged = pull(0, &tag);
        assert_eq!(
            tagged.units.iter().filter(|unit| unit.taken).count(),
            with_tag.count(),
            "{topic}/{queue} {tag}"
        );
        assert_eq!(pull(all.max_offset, "*").status, "OFFSET_OVERFLOW_ONE");
        assert_eq!(
            pull(all.max_offset + 9, "*").status,
            "OFFSET_OVERFLOW_BADLY"
        );
    }
}
