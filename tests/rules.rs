//! No row of the decision table stands there for nothing: each fires in some case, and taken out it makes some case come out
//! otherwise than the real broker.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;
use storescope::recovery::Outcome;
use storescope::rocketmq::{self, release::Release, rules};
use support::case::Case;
use support::{asked, cases, compare, on_all, recover, store_of};

/// The rules that fire in each case, found once for both tests.
fn firing() -> &'static (Vec<Case>, Vec<BTreeSet<String>>) {
    static FIRING: OnceLock<(Vec<Case>, Vec<BTreeSet<String>>)> = OnceLock::new();
    FIRING.get_or_init(|| {
        let cases: Vec<Case> = cases()
            .into_iter()
            .filter(|case| !case.is_excused())
            .collect();
        let firing = on_all(&cases, |case| {
            rules_in(&recover(&store_of(case.store()), &asked(case)).outcome)
        });
        (cases, firing)
    })
}

/// Rules of the steps, and those that fired inside a run of messages.
fn rules_in(outcome: &Outcome) -> BTreeSet<String> {
    let steps = outcome.trace.steps.iter();
    steps
        .flat_map(|step| step.tally.iter().map(|(rule, _)| rule).chain([&step.rule]))
        .map(|rule| rule.clone().into_owned())
        .collect()
}

/// What the start does with one row taken out, if it is not what the real broker does.
fn difference_without(case: &Case, rule: &str) -> Option<String> {
    let release = Release::parse(&case.release).unwrap();
    let store = store_of(case.store());
    let outcome =
        rocketmq::recover_without(&store, &asked(case), release, true, Some(rule), &mut |_| {});
    compare::states(
        &case.golden,
        outcome.unwrap().outcome.state.as_ref().unwrap(),
    )
}

fn list(rules: &[&str]) -> String {
    rules.iter().map(|rule| format!("\n    {rule}")).collect()
}

#[test]
fn every_rule_fires_in_some_case() {
    let (_, firing) = firing();
    let fired: BTreeSet<&str> = firing.iter().flatten().map(String::as_str).collect();
    let silent: Vec<&str> = rules::ALL
        .iter()
        .map(|rule| rule.id)
        .filter(|id| !fired.contains(id))
        .collect();
    assert!(
        silent.is_empty(),
        "{} rules fire in no case:{}",
        silent.len(),
        list(&silent)
    );
}

#[test]
fn every_step_cites_a_rule_of_the_table() {
    let (cases, firing) = firing();
    for (case, fired) in cases.iter().zip(firing) {
        for rule in fired {
            assert!(
                storescope::brokers::rule(rule).is_some(),
                "{}: {rule} is no row of the table",
                case.label()
            );
        }
    }
}

#[test]
fn without_any_one_rule_some_case_comes_out_differently() {
    let (cases, firing) = firing();
    let mut where_it_fires: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for (case, fired) in cases.iter().zip(firing) {
        for rule in fired {
            where_it_fires.entry(rule.as_str()).or_default().push(case);
        }
    }
    let matters = |rule: &str| {
        let fires_in = where_it_fires.get(rule).map_or(&[][..], Vec::as_slice);
        fires_in
            .iter()
            .any(|case| difference_without(case, rule).is_some())
    };
    let idle: Vec<&str> = rules::ALL
        .iter()
        .map(|rule| rule.id)
        .filter(|rule| !matters(rule))
        .collect();
    assert!(
        idle.is_empty(),
        "{} rules can be taken out and every case is as before:{}",
        idle.len(),
        list(&idle)
    );
}
