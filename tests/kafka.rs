//! Kafka: every case agrees with the real broker, every row of its decision table matters, and nothing that is done to a log directory
//! takes the library down.

mod support;

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use storescope::brokers::{self, Asked};
use storescope::kafka::{self, release::Release, rules};
use storescope::recovery::Outcome;
use storescope::recovery::outcome::EndKind;
use storescope::store::{Store, StorePath};
use support::kafka::{Case, case, cases};
use support::{assert_none, compare, on_all};

/// The state after loading, every file's bytes, and `afterClose`: what a clean stop writes.
#[test]
fn every_start_and_the_stop_after_it_are_the_real_brokers() {
    let cases = cases();
    let closed = cases
        .iter()
        .filter(|case| !case.golden["afterClose"].is_null());
    assert!(closed.count() > 300, "the stop is compared too");
    let found = on_all(&cases, |case| {
        let outcome = case.recover();
        if (outcome.end.kind == EndKind::Started) != case.starts() {
            return Some(format!(
                "starts: {}, ours: {:?}",
                case.starts(),
                outcome.end
            ));
        }
        case.difference(outcome.state.as_ref().unwrap())
    });
    assert_none(cases.iter().map(Case::label), found);
}

#[test]
fn every_batch_is_read_as_the_real_classes_read_it() {
    let cases = cases();
    let found = on_all(&cases, |case| {
        let mut got = Vec::new();
        brokers::dump(&case.store(), &case.asked(), |line| got.push(line)).unwrap();
        compare::difference(&Value::from(case.dump.clone()), &Value::from(got), "line")
    });
    assert_none(cases.iter().map(Case::label), found);
}

/// Nobody says the release or a setting: whether the broker starts is told all the same. Cases of our own are about what differs between
/// releases and settings, which files cannot tell.
#[test]
fn a_directory_is_recognised_and_judged_without_being_told_what_it_is() {
    let mut cases = cases();
    cases.retain(|case| !case.name.starts_with("own-") && !case.release.starts_with("0."));
    let found = on_all(&cases, |case| {
        let opened = brokers::open(case.store());
        let outcome = brokers::recover(&opened.store, &Asked::default(), false, &mut |_| {})
            .unwrap_or_else(|bad| panic!("{bad:?}"))
            .outcome;
        assert_eq!(outcome.broker.family, "Kafka");
        ((outcome.end.kind == EndKind::Started) != case.starts())
            .then(|| format!("starts: {}, ours: {:?}", case.starts(), outcome.end))
    });
    assert_none(cases.iter().map(Case::label), found);
}

fn rules_in(outcome: &Outcome) -> BTreeSet<String> {
    let steps = outcome.trace.steps.iter();
    steps.map(|step| step.rule.clone().into_owned()).collect()
}

fn difference_without(case: &Case, rule: &str) -> Option<String> {
    let release = Release::parse(&case.release).unwrap();
    let recovered = kafka::recover_without(
        &case.store(),
        &case.asked(),
        release,
        true,
        Some(rule),
        &mut |_| {},
    );
    case.difference(recovered.unwrap().outcome.state.as_ref().unwrap())
}

#[test]
fn every_rule_fires_and_without_any_one_of_them_some_case_comes_out_differently() {
    let cases = cases();
    let firing = on_all(&cases, |case| rules_in(&case.recover()));
    let mut where_it_fires: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for (case, fired) in cases.iter().zip(&firing) {
        for rule in fired {
            assert!(
                brokers::rule(rule).is_some(),
                "{}: {rule} is no row",
                case.label()
            );
            where_it_fires.entry(rule.as_str()).or_default().push(case);
        }
    }
    let ids: Vec<&str> = rules::ALL.iter().map(|rule| rule.id).collect();
    let silent: Vec<&&str> = ids
        .iter()
        .filter(|id| !where_it_fires.contains_key(**id))
        .collect();
    let idle: Vec<Option<&str>> = on_all(&ids, |rule| {
        let fires_in = where_it_fires.get(rule).map_or(&[][..], Vec::as_slice);
        let matters = fires_in
            .iter()
            .any(|case| difference_without(case, rule).is_some());
        (!matters).then_some(*rule)
    });
    let idle: Vec<&str> = idle.into_iter().flatten().collect();
    assert!(
        silent.is_empty() && idle.is_empty(),
        "in no case: {silent:?}\ncan be taken out: {idle:?}"
    );
}

/// A store with one file changed.
fn with(case: &Case, path: &str, bytes: Vec<u8>) -> Store {
    let mut store = case.store();
    store.insert(StorePath::new(path), Rc::new(bytes));
    store
}

/// The sums hold, and the map can be replayed.
fn assert_sound(store: &Store, asked: &Asked) {
    let outcome = brokers::recover(store, asked, true, &mut |_| {})
        .unwrap_or_else(|bad| panic!("{bad:?}"))
        .outcome;
    let ledger = &outcome.ledger;
    let parts = [
        ledger.kept,
        ledger.cut_readable,
        ledger.cut_unreadable,
        ledger.blank,
        ledger.unwritten,
        ledger.unread,
    ];
    let sum: u64 = parts.iter().map(|part| part.bytes).sum();
    assert_eq!(sum, ledger.total.bytes, "{ledger:?}");
    outcome.map.at(&outcome.trace, u32::MAX);
    brokers::check_with(store, asked, &outcome, &mut |_| {})
        .unwrap_or_else(|bad| panic!("{bad:?}"));
    brokers::dump(store, asked, |_| {}).unwrap();
}

#[test]
fn cuts_and_flips_anywhere_end_well_and_the_ledger_holds() {
    let case = case("3.9.2", "crash-rp-zero");
    let asked = case.asked();
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below.max(1) as u64) as usize
    };
    let files: Vec<(&String, &Vec<u8>)> = case
        .files()
        .iter()
        .filter(|(_, bytes)| !bytes.is_empty())
        .collect();
    for trial in 0..600 {
        let (path, bytes) = files[random(files.len())];
        let mut bytes = bytes.clone();
        match trial % 4 {
            0 => bytes.truncate(random(bytes.len())),
            1 => {
                let at = random(bytes.len());
                bytes[at] ^= 1 << random(8);
            }
            2 => {
                let at = random(bytes.len());
                let end = bytes.len().min(at + random(64));
                bytes[at..end].fill(0);
            }
            _ => {
                let at = random(bytes.len());
                let end = bytes.len().min(at + 8);
                bytes[at..end].fill(0xff);
            }
        }
        assert_sound(&with(&case, path, bytes), &asked);
    }
}

/// A cut index: refused by 0.8, rebuilt by 0.10, not looked at from 2.3 on.
#[test]
fn the_old_releases_start_or_refuse_by_their_own_rules() {
    let refused = case("0.8.2.2", "index-cut").recover();
    assert_eq!(refused.end.rule.as_deref(), Some("k.index-refused"));
    let rebuilt = case("0.10.2.2", "index-cut").recover();
    assert_eq!(rebuilt.end.kind, EndKind::Started);
    let kept = case("2.8.2", "index-cut").recover();
    assert!(!rules_in(&kept).contains("k.index-corrupt"), "nobody looks");
}

#[test]
fn a_small_segment_cut_at_every_byte_ends_at_a_batch() {
    let case = case("4.4.0", "crash-rp-zero");
    let (path, bytes) = case
        .files()
        .iter()
        .filter(|(path, bytes)| path.ends_with(".log") && bytes.len() > 200)
        .min_by_key(|(_, bytes)| bytes.len())
        .unwrap();
    for cut in 0..bytes.len() {
        assert_sound(&with(&case, path, bytes[..cut].to_vec()), &case.asked());
    }
}

#[test]
fn a_release_that_is_not_followed_is_refused() {
    let case = case("2.8.2", "clean-shutdown");
    let asked = Asked {
        release: Some("kafka-0.7.0".to_owned()),
        ..Asked::default()
    };
    assert!(brokers::recover(&case.store(), &asked, false, &mut |_| {}).is_err());
}

/// The flag keeps damage from being looked for; the audit reads everything anyway.
#[test]
fn after_a_clean_stop_only_the_audit_finds_a_flipped_bit() {
    for release in support::kafka::RELEASES {
        let case = case(release, "clean-corrupt-first");
        let outcome = case.recover();
        assert_eq!(outcome.end.kind, EndKind::Started);
        assert_eq!(outcome.ledger.cut_readable.bytes, 0);
        let checked = brokers::check(&case.store(), &case.asked(), &mut |_| {}).unwrap();
        assert!(
            checked
                .findings
                .iter()
                .any(|finding| finding.id == "k-checksum"),
            "{:?}",
            checked.findings
        );
    }
}

#[test]
fn a_directory_stopped_cleanly_has_no_finding_above_info() {
    for release in support::kafka::RELEASES {
        let case = case(release, "clean-shutdown");
        let checked = brokers::check(&case.store(), &case.asked(), &mut |_| {}).unwrap();
        assert_eq!(checked.above_info(), 0, "{:?}", checked.findings);
        assert!(checked.seen.messages > 300, "{}", checked.seen.messages);
    }
}

/// A partition's folder alone, as an engineer copies it: it is seen as a directory of one.
#[test]
fn a_lone_partition_folder_is_taken() {
    let case = case("3.9.2", "crash-undamaged");
    let partition = StorePath::new("txn-0");
    let opened = brokers::open(case.store().rooted_at(&partition));
    let outcome = brokers::recover(&opened.store, &case.asked(), false, &mut |_| {})
        .unwrap_or_else(|bad| panic!("{bad:?}"))
        .outcome;
    assert_eq!(outcome.broker.family, "Kafka");
    assert!(outcome.marks.keys().any(|mark| mark.0 == "logEndOffset"));
}
