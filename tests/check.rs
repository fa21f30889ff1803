//! `check` finds each kind of damage in a store that has it, at its bytes, and nothing in a store that the real broker stopped and nobody
//! touched.

mod support;

use std::collections::BTreeSet;
use storescope::language::Language;
use storescope::recovery::Severity;
use support::case::Unpacked;
use support::checks::*;
use support::{asked, beside, case, case_of, cases};

#[test]
fn a_store_that_was_stopped_and_not_touched_has_no_finding_above_info() {
    let mut clean = BTreeSet::new();
    for case in cases() {
        let about = case.about();
        let untouched = about["surgery"].as_array().is_some_and(Vec::is_empty);
        // The consumers' offsets are no part of what is checked.
        let only_offsets = case.name == "clean-consumer-offset-beyond";
        if !case.name.starts_with("clean-") || !(untouched || only_offsets) {
            continue;
        }
        let checked = check(case.store(), &asked(&case));
        assert_eq!(
            kinds(&checked),
            BTreeSet::new(),
            "{}: {:#?}",
            case.label(),
            sentences(&checked)
        );
        assert!(checked.seen.messages > 0 && checked.seen.units > 0 && checked.seen.entries > 0);
        clean.insert(case.release.clone());
    }
    let releases: BTreeSet<String> = cases().into_iter().map(|case| case.release).collect();
    assert_eq!(clean, releases, "a clean store of each release");
}

/// Deleting the front of the log when it is old enough is no damage, though queues and index still point there for a while.
#[test]
fn retention_is_no_damage() {
    let checked = of_case("clean-retention-first-deleted");
    assert_eq!(
        kinds(&checked),
        BTreeSet::new(),
        "{:#?}",
        sentences(&checked)
    );
    assert_eq!(find(&checked, "units-expired").severity, Severity::Info);
    assert_eq!(find(&checked, "entries-expired").severity, Severity::Info);
}

#[test]
fn records_that_fail_are_found_wherever_they_are() {
    for (name, id) in [
        ("clean-crc-first-file", "record-crc"), // no start looks there
        ("crash-torn-tail-body", "record-crc"),
        ("clean-bad-magic-mid", "record-magic"),
        ("clean-msglen-mismatch", "record-lengths"),
        ("crash-totalsize-negative", "record-size"),
        ("crash-bodylen-negative", "record-part"),
        ("clean-delay-property-not-number", "record-delay"),
        ("crash-blank-magic-mid", "log-blank"),
    ] {
        assert_eq!(find(&of_case(name), id).severity, Severity::Error, "{name}");
    }
    // What only 5.x asks of a record.
    for (name, id) in [
        ("clean-inner-batch-no-number", "record-batch"),
        ("clean-prop-crc-asked", "record-crc-missing"),
    ] {
        let case = case_of("5.5.1", name);
        let checked = check(case.store(), &asked(&case));
        assert_eq!(find(&checked, id).severity, Severity::Error, "{name}");
    }
    // A copy that ended early: the file ends inside a record.
    let checked = made(|store| file(store, LAST_LOG).truncate(1000));
    assert_found(&checked, "record-cut", LAST_LOG, 0, 1000);
    // The first record's body begins at 88; its checksum stands in the record, and the record is what is wrong.
    let checked = made(|store| file(store, LOG)[222 + 100] ^= 1);
    assert_found(&checked, "record-crc", LOG, 222, 661);
}

/// A page of zeros in the middle: what lies behind it is known to the queues, so the zeros are no end.
#[test]
fn zeros_in_the_middle_of_the_log_are_told_from_its_end() {
    let checked = made(|store| file(store, LOG)[222..883].fill(0));
    assert_found(&checked, "log-zeros", LOG, 222, 661);
    assert_found(&checked, "unit-orphan", QUEUE, 0, 20);
    assert_found(&checked, "entry-dangling", INDEX, ENTRY_1 as u64 + 20, 20);
}

#[test]
fn files_that_are_missing_or_of_another_length_are_found() {
    let checked = of_case("clean-middle-file-missing");
    let hole = find(&checked, "log-hole");
    assert_eq!(
        hole.place.as_ref().unwrap().file.as_str(),
        "commitlog/00000000000000016384"
    );
    let checked = made(|store| file(store, LAST_LOG).truncate(9000));
    assert_found(&checked, "log-length", LAST_LOG, 0, 9000);
    let checked = made(|store| {
        store
            .files
            .remove("consumequeue/TopicA/0/00000000000000000320");
    });
    assert_found(
        &checked,
        "queue-hole",
        "consumequeue/TopicA/0/00000000000000000640",
        0,
        0,
    );
    let checked = made(|store| file(store, QUEUE).truncate(300));
    assert_found(&checked, "queue-length", QUEUE, 0, 300);
}

/// Cut off once, never wiped: whole records behind the end that no queue knows.
#[test]
fn stale_records_behind_the_end_are_counted() {
    let with_stale = |store: &mut Unpacked| {
        // The last message again, 200 bytes behind the end, as if it had been written there once.
        let end = 5574;
        let log = file(store, LAST_LOG);
        let start = (0..end)
            .rev()
            .find(|at| log[at + 4..at + 8] == [0xda, 0xa3, 0x20, 0xa7])
            .unwrap();
        let mut record = log[start..end].to_vec();
        let at = end + 200;
        record[28..36].copy_from_slice(&(65_536 + at as i64).to_be_bytes());
        record[20..28].copy_from_slice(&999i64.to_be_bytes());
        log[at..at + record.len()].copy_from_slice(&record);
        (at as u64, record.len() as u64)
    };
    let mut place = (0, 0);
    let checked = made(|store| place = with_stale(store));
    assert_found(&checked, "stale-records", LAST_LOG, place.0, place.1);
    assert_eq!(
        kinds(&checked),
        BTreeSet::new(),
        "the broker was stopped in order since"
    );
    let checked = made(|store| {
        with_stale(store);
        store.files.insert("abort".to_owned(), Vec::new());
    });
    assert_eq!(kinds(&checked), BTreeSet::from(["stale-records"]));
    // Right behind the end a start would take it as good.
    let checked = of_case("crash-stale-message-after-tail");
    assert_found(&checked, "stale-in-line", LAST_LOG, 5574, 222);
    // Bytes that are no record.
    let checked = made(|store| file(store, LAST_LOG)[6000..6010].fill(7));
    assert_found(&checked, "bytes-behind-end", LAST_LOG, 6000, 10);
    let checked = made(|store| file(store, LAST_LOG)[5574..5700].fill(7));
    assert_found(&checked, "log-rest", LAST_LOG, 5574, 126);
}

/// The checksum covers the body alone.
#[test]
fn a_header_or_properties_that_no_checksum_covers_are_looked_at() {
    let checked = made(|store| write(store, LOG, 222 + 28, &5i64.to_be_bytes()));
    assert_found(&checked, "physical-offset", LOG, 222 + 28, 8);
    let checked = made(|store| write(store, LOG, 222 + 56, &0i64.to_be_bytes()));
    assert_found(&checked, "header-torn", LOG, 222 + 56, 8);
    let checked = made(|store| file(store, LOG)[880..883].fill(0));
    assert_found(&checked, "properties-torn", LOG, 880, 3);
    let checked = made(|_| {});
    let covered = find(&checked, "not-covered");
    assert_eq!(covered.severity, Severity::Info);
    let seen = checked.seen;
    assert!(seen.covered_bytes > 0 && seen.covered_bytes < seen.message_bytes);
}

#[test]
fn units_that_are_not_their_messages_are_told_apart() {
    for (unit, id) in [
        ((883, 863, 2_598_919), "unit-duplicate"), // unit 1's message once more
        ((2046, 557, 2_598_919), "unit-misplaced"), // of TopicB/0
        ((1800, 300, 0), "unit-orphan"),
        ((900, 100, 0), "unit-overlap"), // inside unit 1's message
        ((1 << 40, 300, 0), "unit-ahead"),
        ((1746, 0, 0), "unit-garbage"),
        ((-5, 300, 0), "unit-garbage"),
        ((0, 0, 0), "unit-empty"),
        ((0, i32::MAX, 0), "unit-filler"),
        ((1746, 301, 0), "unit-size"),
        ((1746, 300, 77), "unit-tags"),
    ] {
        let checked = made(|store| write_unit(store, 2, unit));
        let (at, length) = if id == "unit-tags" { (52, 8) } else { (40, 20) };
        assert_found(&checked, id, QUEUE, at, length);
        assert_eq!(kinds(&checked), BTreeSet::from([id]), "{unit:?}");
    }
    // One place early from there on, as a start that missed a message leaves it.
    let checked = made(|store| file(store, QUEUE).copy_within(60.., 40));
    assert_found(&checked, "unit-shifted", QUEUE, 40, 20);
    assert_found(&checked, "unit-duplicate", QUEUE, 14 * 20, 20);
    let checked = made(|store| {
        write_unit(store, 2, (3295, 665, 857_175));
        write_unit(store, 3, (1746, 300, 0));
    });
    assert_found(&checked, "unit-shifted", QUEUE, 40, 20);
    assert_found(&checked, "unit-shifted", QUEUE, 60, 20);
}

#[test]
fn what_a_queue_lacks_is_told_by_where_it_lacks_it() {
    let checked = of_case("clean-cq-first-file-deleted");
    assert_eq!(
        find(&checked, "queue-front-missing").severity,
        Severity::Warning
    );
    let checked = of_case("crash-cq-tail-zero-newest");
    let behind = find(&checked, "queue-behind");
    assert!(
        behind.depends_on.is_some(),
        "the start writes its units again: {behind:?}"
    );
    let checked = of_case("crash-cq-deleted-all-rescan");
    assert!(find(&checked, "queue-missing").decisive);
    let checked = of_case("clean-queueoffset-wrong");
    assert_eq!(
        find(&checked, "queue-offset-gap").severity,
        Severity::Warning
    );
    let checked = of_case("clean-queue-offset-repeated");
    assert_eq!(
        find(&checked, "queue-offset-back").severity,
        Severity::Warning
    );
}

#[test]
fn index_entries_and_chains_are_held_against_the_log_and_each_other() {
    let entry = |number: usize| ENTRY_1 + (number - 1) * 20;
    let at = |number: usize| entry(number) as u64;
    for (place, bytes, id, found) in [
        (
            entry(2) + 4,
            400i64.to_be_bytes().to_vec(),
            "entry-dangling",
            (at(2), 20),
        ),
        (
            entry(2) + 4,
            (1i64 << 40).to_be_bytes().to_vec(),
            "entry-ahead",
            (at(2), 20),
        ),
        (
            entry(4),
            77i32.to_be_bytes().to_vec(),
            "entry-wrong-key",
            (at(4), 20),
        ),
        // Entry 4 is of the second message or later, and names the first again.
        (
            entry(4) + 4,
            0i64.to_be_bytes().to_vec(),
            "entry-out-of-order",
            (at(4), 20),
        ),
        (
            entry(4),
            (-77i32).to_be_bytes().to_vec(),
            "entry-garbage",
            (at(4), 20),
        ),
        (
            entry(4) + 16,
            90i32.to_be_bytes().to_vec(),
            "chain-loop",
            (at(4) + 16, 4),
        ),
        (
            entry(119) + 16,
            3i32.to_be_bytes().to_vec(),
            "chain-broken",
            (at(119) + 16, 4),
        ),
        (
            36,
            2_000_000i32.to_be_bytes().to_vec(),
            "index-header",
            (0, 40),
        ),
    ] {
        let checked = made(|store| write(store, INDEX, place, &bytes));
        assert_found(&checked, id, INDEX, found.0, found.1);
    }
    let checked = made(|store| file(store, INDEX)[40..440].fill(0));
    assert_eq!(find(&checked, "slot-wrong").severity, Severity::Error);
    // An entry that names another message leaves its own without one.
    let checked = made(|store| write(store, INDEX, entry(2) + 4, &400i64.to_be_bytes()));
    assert_found(&checked, "entry-missing", LOG, 222, 661);
    let checked = of_case("clean-lag");
    assert!(find(&checked, "index-behind").decisive);
}

#[test]
fn an_empty_index_is_said_and_is_no_damage() {
    assert_eq!(
        find(&of_case("clean-index-deleted"), "index-none").severity,
        Severity::Info
    );
    let checked = made(|store| {
        let size = store.files[INDEX].len();
        store
            .files
            .insert("index/20231114221320003".to_owned(), vec![0; size]);
        store
            .files
            .insert("index/20231114221320004".to_owned(), Vec::new());
    });
    assert_eq!(find(&checked, "index-empty").severity, Severity::Info);
    assert_eq!(find(&checked, "zero-length").severity, Severity::Warning);
}

/// A file that begins before the one in front of it ends: its records stand twice in the log, or elsewhere than they say.
#[test]
fn files_that_overlap_are_found() {
    let checked = made(|store| {
        let log = store.files.remove(LAST_LOG).unwrap();
        let early = "commitlog/00000000000000065000".to_owned();
        store.files.insert(early, log);
    });
    assert_found(
        &checked,
        "log-overlap",
        "commitlog/00000000000000065000",
        0,
        0,
    );
}

/// 4.9 wrote units of delayed messages before it knew the levels: the tag's hash stands where the delivery time belongs.
#[test]
fn a_delivery_time_that_was_lost_is_told() {
    const DELAYED: &str = "consumequeue/SCHEDULE_TOPIC_XXXX/1/00000000000000000000";
    let checked = made(|store| write(store, DELAYED, 12, &2_598_919i64.to_be_bytes()));
    assert_found(&checked, "unit-deliver-time", DELAYED, 12, 8);
    assert_eq!(kinds(&checked), BTreeSet::from(["unit-deliver-time"]));
}

/// A queue can be garbage for a million units. A thousand are told apart, the rest is counted.
#[test]
fn a_queue_of_garbage_is_counted_from_some_unit_on() {
    let checked = made(|store| {
        for file in 4..80 {
            let path = format!("consumequeue/TopicA/0/{:020}", file * 320);
            store.files.insert(path, vec![0xff; 320]);
        }
    });
    // 80 files of sixteen units: 61 of messages, a thousand told apart, and the rest, told once.
    let counted = find(&checked, "units-not-told-apart");
    assert_eq!(counted.severity, Severity::Warning);
    assert!(counted.sentence.starts_with("219"), "{counted:?}");
    assert_eq!(
        checked
            .findings
            .iter()
            .filter(|found| found.id == counted.id)
            .count(),
        1
    );
}

#[test]
fn what_the_start_itself_tells_is_told_by_a_check() {
    let checked = made(|store| write(store, LAST_LOG, 0, &(1i32 << 30).to_be_bytes()));
    assert_eq!(find(&checked, "heap").severity, Severity::Warning);
    let checked = made(|store| file(store, INDEX).truncate(2000));
    find(&checked, "index-size");
    let checked = made(|store| {
        store.files.insert("core.4711".to_owned(), vec![1]);
    });
    find(&checked, "file-unknown");
    let case = case("clean-shutdown");
    let mut asked = asked(&case);
    for setting in ["brokerName", "enableLmq"] {
        asked.settings.insert(setting.to_owned(), "true".to_owned());
    }
    let checked = check(case.store(), &asked);
    assert_eq!(find(&checked, "setting-ignored").severity, Severity::Info);
    assert_eq!(
        find(&checked, "setting-not-followed").severity,
        Severity::Warning
    );
}

#[test]
fn what_stands_beside_is_told_by_a_check() {
    for (id, path, bytes) in beside::each() {
        let checked = made(|store| {
            store.files.insert(path.to_owned(), bytes);
        });
        find(&checked, id);
    }
    let checked = made(|store| {
        beside::take_queues(store);
        store
            .files
            .insert("consumequeue/CURRENT".to_owned(), vec![b'M']);
    });
    find(&checked, "beside-rocksdb-queues");
    let case = case("clean-shutdown");
    let mut asked = asked(&case);
    let pool = ("transientStorePoolEnable".to_owned(), "true".to_owned());
    asked.settings.extend([pool]);
    find(&check(case.store(), &asked), "beside-pool");
    // The address of an extension unit, and no such unit.
    let checked = made(|store| write_unit(store, 2, (1746, 300, i64::MIN + 40)));
    assert_found(&checked, "unit-no-extension", QUEUE, 52, 8);
}

/// What a check can say is what some store here has: a new kind needs a case.
#[test]
fn every_kind_has_a_made_case() {
    let made = kinds_looked_for(&[
        retention_is_no_damage,
        records_that_fail_are_found_wherever_they_are,
        zeros_in_the_middle_of_the_log_are_told_from_its_end,
        files_that_are_missing_or_of_another_length_are_found,
        files_that_overlap_are_found,
        stale_records_behind_the_end_are_counted,
        a_header_or_properties_that_no_checksum_covers_are_looked_at,
        units_that_are_not_their_messages_are_told_apart,
        a_delivery_time_that_was_lost_is_told,
        a_queue_of_garbage_is_counted_from_some_unit_on,
        what_a_queue_lacks_is_told_by_where_it_lacks_it,
        index_entries_and_chains_are_held_against_the_log_and_each_other,
        an_empty_index_is_said_and_is_no_damage,
        a_long_list_ends_and_says_so,
        what_the_start_itself_tells_is_told_by_a_check,
        what_stands_beside_is_told_by_a_check,
    ]);
    // Told when a store is opened, and by Kafka's audit: their own tests hold those.
    let elsewhere = |id: &str| {
        ["archive-", "conf-", "loose-", "release-", "k-"]
            .iter()
            .any(|family| id.starts_with(family))
            || ["empty", "not-a-store", "several-stores"].contains(&id)
            || ["log-copy", "log-elsewhere", "log-root-missing", "log-roots"].contains(&id)
    };
    let texts = Language::English.keys();
    let kinds: BTreeSet<String> = texts
        .filter_map(|key| key.strip_prefix("finding."))
        .filter(|id| !elsewhere(id))
        .map(str::to_owned)
        .collect();
    let without: Vec<_> = kinds.difference(&made).collect();
    assert!(without.is_empty(), "no made case: {without:?}");
}

/// What a start hangs on is another matter than what is wrong: of two flipped bytes a start meets one.
#[test]
fn a_finding_says_which_step_of_the_start_hung_on_it() {
    let checked = of_case("crash-torn-tail-body");
    let depends_on = find(&checked, "record-crc").depends_on.clone().unwrap();
    assert_eq!(depends_on.rule, "check.body-crc");
    assert!(find(&checked, "record-crc").decisive);
    let never_read = of_case("clean-crc-first-file");
    assert_eq!(find(&never_read, "record-crc").depends_on, None);

    // The same damage twice: in the file where a clean start begins its scan, and in one that it does not open.
    for (id, at, bytes) in [
        ("record-crc", 100, vec![0xff]),
        ("record-magic", 4, vec![7, 7, 7, 7]),
        ("record-lengths", 0, 1100i32.to_be_bytes().to_vec()),
        ("record-size", 0, (-700i32).to_be_bytes().to_vec()),
        ("log-zeros", 0, vec![0; 8]),
    ] {
        let hung = |path: &str| {
            let checked = made(|store| write(store, path, at, &bytes));
            let found = find(&checked, id);
            assert_eq!(found.decisive, found.depends_on.is_some());
            found.depends_on.is_some()
        };
        assert!(hung(LAST_LOG), "{id}: the scan ended there");
        assert!(!hung(LOG), "{id}: no start looked there");
    }
    // A unit in the middle of a queue is followed by no start; one that points behind the log's end is cut away.
    let checked = made(|store| write_unit(store, 2, (1800, 300, 0)));
    assert_eq!(find(&checked, "unit-orphan").depends_on, None);
    let last = "consumequeue/TopicA/0/00000000000000000960";
    let checked = made(|store| {
        let mut ahead = (1i64 << 40).to_be_bytes().to_vec();
        ahead.extend(300i32.to_be_bytes());
        ahead.extend(0i64.to_be_bytes());
        write(store, last, 13 * 20, &ahead);
    });
    let cut = find(&checked, "unit-ahead").depends_on.clone();
    assert!(cut.is_some(), "{:#?}", sentences(&checked));
}

#[test]
fn a_long_list_ends_and_says_so() {
    let checked = of_case("clean-commitlog-empty");
    let listed = checked
        .findings
        .iter()
        .filter(|finding| finding.id == "unit-ahead")
        .count();
    assert_eq!(listed, 100);
    assert_eq!(find(&checked, "not-listed").severity, Severity::Error);
    let more: Vec<&str> = checked
        .findings
        .iter()
        .filter(|finding| finding.id == "not-listed")
        .map(|finding| finding.sentence.as_str())
        .collect();
    assert_eq!(more.len(), 2, "{more:?}");
    assert!(
        more.iter()
            .any(|sentence| sentence.starts_with("36 more findings of the kind unit-ahead")),
        "{more:?}"
    );
}

/// Whatever the real corpus holds: a check comes to an end, its places lie in their files, and damage that was done is found.
#[test]
fn every_case_is_checked_to_the_end() {
    let all = cases();
    let results = support::on_all(&all, |case| {
        let store = case.store();
        let sizes: std::collections::BTreeMap<String, u64> = store
            .files
            .iter()
            .map(|(path, bytes)| (path.clone(), bytes.len() as u64))
            .collect();
        let checked = check(store, &asked(case));
        assert_eq!(checked.unread, None, "{}", case.label());
        for finding in &checked.findings {
            if let Some(place) = &finding.place
                && let Some(size) = sizes.get(place.file.as_str())
            {
                let end = place.offset + place.length;
                assert!(
                    end <= *size,
                    "{} {finding:?}: the file has {size}",
                    case.label()
                );
            }
        }
        let mut order: Vec<Severity> = checked
            .findings
            .iter()
            .map(|found| found.severity)
            .collect();
        assert!(order.is_sorted());
        order.dedup();
        order.len()
    });
    assert_eq!(results.len(), all.len());
}

/// A pseudo-random number below `bound`, from a seed that a failure prints.
fn roll(state: &mut u64, bound: usize) -> usize {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    ((*state >> 33) as usize) % bound.max(1)
}

/// Flips, zeros and cuts anywhere: a check comes to an end, and nothing panics.
#[test]
fn random_damage_is_checked_to_the_end() {
    let case = case("clean-tiny");
    let clean = case.store();
    for seed in 0..400u64 {
        let mut store = clean.clone();
        let mut state = seed;
        for _ in 0..=roll(&mut state, 4) {
            let path = store
                .files
                .keys()
                .nth(roll(&mut state, store.files.len()))
                .cloned();
            let bytes = file(&mut store, &path.unwrap());
            let at = roll(&mut state, bytes.len());
            let end = (at + 1 + roll(&mut state, 64)).min(bytes.len());
            match roll(&mut state, 4) {
                0 => bytes.truncate(at),
                1 => bytes[at.min(end)..end].fill(0),
                2 => bytes[at.min(end)..end].fill(0xff),
                _ => bytes
                    .iter_mut()
                    .skip(at)
                    .take(1)
                    .for_each(|byte| *byte ^= 1 << (seed % 8)),
            }
        }
        let checked = check(store, &asked(&case));
        assert_eq!(checked.unread, None, "seed {seed}");
    }
}
