//! One store under several releases, settings or edits: what the real brokers disagree about, side by side; and two stores' logs.

mod support;

use std::rc::Rc;
use storescope::brokers::{self, Asked};
use storescope::recovery::Outcome;
use storescope::recovery::difference::{Differs, difference};
use storescope::store::{Store, StorePath};
use storescope::what_if::{Edit, WhatIf, candidates, logs};
use support::{asked, case, kafka, store_of};

fn under(store: &Store, asked: &Asked, release: &str) -> Outcome {
    let what_if = WhatIf {
        asked: Asked {
            release: Some(release.to_owned()),
            ..asked.clone()
        },
        edits: Vec::new(),
    };
    what_if.recover(store, &mut |_| {}).unwrap().outcome
}

/// A clean stop whose queues were behind: 4.9 dispatches what is missing when it starts, 5.1 begins at the log's end, 5.3 dispatches while it
/// recovers and leaves out the message that begins where the queues end, 5.5 likewise.
#[test]
fn a_store_whose_queues_lag_is_caught_up_by_some_releases_only() {
    let case = case("clean-lag");
    let (store, asked) = (store_of(case.store()), asked(&case));
    let rebuilt = |release| under(&store, &asked, release).counts.queue_entries_rebuilt;
    let of_4_9 = rebuilt("rocketmq-4.9.3");
    assert!(of_4_9 > 0);
    assert_eq!(rebuilt("rocketmq-4.9.8"), of_4_9);
    assert_eq!(rebuilt("rocketmq-5.1.4"), 0);
    assert_eq!(rebuilt("rocketmq-5.3.3"), of_4_9 - 1);
    assert_eq!(rebuilt("rocketmq-5.5.1"), of_4_9 - 1);

    let (left, right) = (
        under(&store, &asked, "rocketmq-4.9.3"),
        under(&store, &asked, "rocketmq-5.1.4"),
    );
    let found = difference(&left, &right);
    let queues = Differs::Count {
        count: "queueEntriesRebuilt".to_owned(),
        left: of_4_9,
        right: 0,
    };
    assert!(found.verdict.contains(&queues), "{:?}", found.verdict);
    let is_end = |differs: &Differs| matches!(differs, Differs::End { .. });
    assert!(!found.verdict.iter().any(is_end), "both start");
}

/// The files leave 4.9.3 and 4.9.8, whose rules are the same: there is nothing to tell.
#[test]
fn releases_with_the_same_rules_are_one_candidate() {
    let case = case("clean-lag");
    let store = store_of(case.store());
    let courses = brokers::candidates(&store, &Asked::default());
    assert_eq!(courses, [["4.9.3", "4.9.8"]]);
}

/// Only the log is left: no file tells the release, and the verdict is given for each.
#[test]
fn where_the_files_do_not_tell_the_release_every_candidate_has_its_verdict() {
    let case = case("clean-lag");
    let mut store = store_of(case.store());
    let paths: Vec<StorePath> = store.files().map(|(path, _)| path.clone()).collect();
    for path in paths {
        if !path.as_str().starts_with("commitlog/") && !path.as_str().starts_with("consumequeue/") {
            store.remove(&path);
        }
    }
    let nobody_said = Asked {
        release: None,
        ..asked(&case)
    };
    let outcome = WhatIf {
        asked: nobody_said.clone(),
        edits: Vec::new(),
    }
    .recover(&store, &mut |_| {})
    .unwrap()
    .outcome;
    let found = candidates(&store, &nobody_said, &outcome, &mut |_| {}).unwrap();
    assert!(!found.is_empty());
    for candidate in &found {
        assert!(!candidate.releases.contains(&outcome.broker.release));
        let alone = under(
            &store,
            &nobody_said,
            &format!("rocketmq-{}", candidate.releases[0]),
        );
        let same = alone.counts == outcome.counts && alone.ledger == outcome.ledger;
        assert_eq!(candidate.differs.is_empty(), same, "{candidate:?}");
    }
    assert!(found.iter().any(|candidate| !candidate.differs.is_empty()));
}

/// After a clean shutdown Kafka checks nothing; without the flag it reads what lies behind the recovery point. The real broker was asked about
/// the directories without it.
#[test]
fn without_the_flag_a_clean_directory_is_checked_from_the_recovery_point_on() {
    let flag = StorePath::new(".kafka_cleanshutdown");
    for (name, is_found) in [
        ("noflag-corrupt-tail", true),
        // The first segment is flushed: nobody looks there, flag or no flag,
        ("noflag-corrupt-first", false),
        // but where the recovery point is 0.
        ("noflag-rp-zero-corrupt-first", true),
    ] {
        let case = kafka::case("3.9.2", name);
        let mut clean = case.store();
        clean.insert(flag.clone(), Rc::new(Vec::new()));
        let outcome = |edits| {
            let what_if = WhatIf {
                asked: case.asked(),
                edits,
            };
            what_if.recover(&clean, &mut |_| {}).unwrap().outcome
        };
        let cut = |outcome: &Outcome| {
            outcome.ledger.cut_readable.bytes + outcome.ledger.cut_unreadable.bytes
        };
        assert_eq!(cut(&outcome(Vec::new())), 0, "{name}: trusted");
        let without = outcome(vec![Edit::Remove(flag.clone())]);
        assert_eq!(cut(&without) > 0, is_found, "{name}");
        // What the real broker does with the directory as it is: `tests/kafka.rs` holds our start to it.
        let real = case.recover();
        assert_eq!(
            (without.marks, without.ledger),
            (real.marks, real.ledger),
            "{name}"
        );
    }
}

/// A replica that stopped earlier: what only the other has begins where it ends.
#[test]
fn two_logs_differ_from_the_first_message_that_one_has_alone() {
    let case = case("clean-shutdown");
    let asked = asked(&case);
    let (left, mut right) = (store_of(case.store()), store_of(case.store()));
    let of = |left: &Store, right: &Store| logs::compare((left, &asked), (right, &asked)).unwrap();
    let same = of(&left, &right);
    assert_eq!((same.len(), same[0].first_difference), (1, None));
    assert!(same[0].left.entries > 0 && same[0].left == same[0].right);

    let mut offsets = Vec::new();
    brokers::log_entries(&left, &asked, &mut |_, offset, _| offsets.push(offset)).unwrap();
    let (last_but_one, last) = (offsets[offsets.len() - 2], offsets[offsets.len() - 1]);
    let (path, mut bytes, start) = file_of(&left, last_but_one);
    let at = usize::try_from(last_but_one - start).unwrap();
    bytes[at..].fill(0);
    right.insert(path, Rc::new(bytes));
    let cut = &of(&left, &right)[0];
    assert_eq!(cut.first_difference, Some(last_but_one));
    assert_eq!(
        (
            cut.only_left.entries,
            cut.only_left.first,
            cut.only_left.last
        ),
        (2, Some(last_but_one), Some(last))
    );
    assert_eq!((cut.only_right.entries, cut.other_bytes.entries), (0, 0));

    let (path, mut bytes, start) = file_of(&left, offsets[3]);
    let body = usize::try_from(offsets[3] - start).unwrap() + 90;
    bytes[body] ^= 1;
    right.insert(path, Rc::new(bytes));
    let flipped = &of(&left, &right)[0];
    assert_eq!(flipped.first_difference, Some(offsets[3]));
    assert_eq!(
        (flipped.other_bytes.entries, flipped.other_bytes.first),
        (1, Some(offsets[3]))
    );
}

/// The log file that holds an offset, its bytes, and where it begins.
fn file_of(store: &Store, offset: i64) -> (StorePath, Vec<u8>, i64) {
    store
        .files()
        .filter(|(path, _)| path.as_str().starts_with("commitlog/"))
        .find_map(|(path, file)| {
            let start: i64 = path.name().parse().unwrap();
            let size = i64::try_from(file.size()).unwrap();
            let mut bytes = vec![0; usize::try_from(file.size()).unwrap()];
            file.read_exact_at(0, &mut bytes).unwrap();
            (start..start + size)
                .contains(&offset)
                .then(|| (path.clone(), bytes, start))
        })
        .unwrap()
}
