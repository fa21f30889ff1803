//! Every case agrees with the real broker: whether it starts, its state after `load()` and when dispatch has caught up, and every
//! message as the real decoder reads it.

mod support;

use serde_json::Value;
use storescope::recovery::outcome::{End, EndKind};
use support::case::Case;
use support::{asked, assert_none, cases, compare, on_all, recover, store_of};

/// `load()` came back with true; what waits behind it is another matter.
fn starts(end: &End) -> bool {
    end.kind == EndKind::Started || end.kind == EndKind::Hangs && end.after_load
}

fn disagreement(case: &Case) -> Option<String> {
    if case.is_excused() {
        return None;
    }
    let outcome = recover(&store_of(case.store()), &asked(case)).outcome;
    if starts(&outcome.end) != case.starts() {
        return Some(format!(
            "the broker starts: {}, ours: {:?}",
            case.starts(),
            outcome.end
        ));
    }
    compare::states(&case.golden, outcome.state.as_ref().unwrap())
}

fn dump_disagreement(case: &Case) -> Option<String> {
    let want = Value::from(case.dump()?);
    let mut got = Vec::new();
    storescope::rocketmq::messages::dump(&store_of(case.store()), |line| got.push(line)).unwrap();
    compare::difference(&want, &Value::from(got), "line")
}

#[test]
fn every_start_is_the_real_brokers() {
    let cases = cases();
    assert_none(cases.iter().map(Case::label), on_all(&cases, disagreement));
}

#[test]
fn every_message_is_read_as_the_real_decoder_reads_it() {
    let cases = cases();
    assert!(
        cases.iter().filter(|case| case.dump().is_some()).count() > 20,
        "dumps are there"
    );
    assert_none(
        cases.iter().map(Case::label),
        on_all(&cases, dump_disagreement),
    );
}

#[test]
fn a_difference_is_named_by_its_path() {
    let golden = serde_json::json!({"load": {"result": true}, "afterLoad": {"a": [1, 2]}, "afterReput": {"a": "same"}});
    let ours = serde_json::json!({"load": {"result": true}, "afterLoad": {"a": [1, 2]}, "afterReput": {"a": [1, 3]}});
    assert_eq!(compare::states(&golden, &golden), None);
    assert_eq!(
        compare::states(&golden, &ours).unwrap(),
        "afterReput.a[1]: want 2, got 3"
    );
}
