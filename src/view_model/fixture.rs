//! A hand-made outcome for the tests of this folder: three log files of 1000, 2000 and 1000 offsets, a bad message at 3000, a queue
//! that ran ahead of it, one that lagged, and an index file that is destroyed.

use crate::facts;
use crate::recovery::map::{Lane, LaneKind, MapFile, StoreMap};
use crate::recovery::outcome::{
    Amount, BrokerUsed, Counts, End, EndKind, Ledger, Moved, OptionsUsed, Outcome, SCHEMA,
};
use crate::recovery::rule::Phase;
use crate::recovery::trace::{LaneEnd, LaneMove, Mark};
use crate::recovery::{Change, Facts, Place, Step, Trace};
use crate::store::StorePath;

/// Where the log is cut.
pub const CUT: i64 = 3000;
/// The lane that ran ahead.
pub const ORDER_1: usize = 2;
/// The step that stops the scan.
pub const STEP_STOP: u32 = 10;

fn step(number: u32, phase: Phase, rule: &str, facts: Facts, changes: Vec<Change>) -> Step {
    Step {
        number,
        phase,
        rule: rule.to_owned().into(),
        place: None,
        facts,
        count: 1,
        tally: Vec::new(),
        changes,
        log: Vec::new(),
    }
}

/// Steps of these rules, in one phase, without facts.
pub fn steps(rules: &[&str]) -> Trace {
    let steps = (1..)
        .zip(rules)
        .map(|(number, rule)| step(number, Phase::Load, rule, Facts::new(), Vec::new()));
    Trace {
        steps: steps.collect(),
    }
}

fn end(entries: i64, log_offset: i64) -> LaneEnd {
    LaneEnd {
        entries,
        log_offset,
    }
}

fn lane(kind: LaneKind, name: &str) -> Lane {
    Lane {
        kind,
        name: name.to_owned(),
        log_start: 0,
    }
}

pub fn crash() -> Outcome {
    let log_file = |start: i64, size| MapFile {
        path: StorePath::new(&format!("commitlog/{start:020}")),
        lane: 0,
        start,
        size,
    };
    let mut bad = step(
        STEP_STOP,
        Phase::Scan,
        "check.body-crc",
        facts! { stored = 1i64, computed = 2i64 },
        vec![],
    );
    bad.place = Some(Place::before(
        &StorePath::new("commitlog/00000000000000003000"),
        0,
        200,
    ));
    let moved = |lane, from, to, how| Change::Lane {
        lane,
        from,
        to,
        how,
    };
    let read = |lane, entries, at| moved(lane, LaneEnd::EMPTY, end(entries, at), LaneMove::Read);
    let trace = vec![
        step(1, Phase::Load, "load.abort-present", facts! {}, vec![]),
        step(2, Phase::Load, "load.log-files", facts! {}, vec![]),
        step(
            3,
            Phase::Load,
            "index.newer-than-checkpoint",
            facts! {},
            vec![
                read(5, 30, 2900),
                moved(5, end(30, 2900), LaneEnd::EMPTY, LaneMove::Destroyed),
                Change::Deleted { file: 3 },
            ],
        ),
        step(
            4,
            Phase::Queues,
            "queue.end-set",
            facts! {},
            vec![read(1, 10, 2000)],
        ),
        step(
            5,
            Phase::Queues,
            "queue.end-set",
            facts! {},
            vec![read(ORDER_1, 16, 3200)],
        ),
        step(
            6,
            Phase::Queues,
            "queue.end-set",
            facts! {},
            vec![read(3, 5, 3000)],
        ),
        step(
            7,
            Phase::Queues,
            "queue.end-set",
            facts! {},
            vec![read(4, 5, 3000)],
        ),
        step(8, Phase::StartFile, "start.matched", facts! {}, vec![]),
        step(
            9,
            Phase::Scan,
            "scan.accepted",
            facts! {},
            vec![
                Change::Verified {
                    from: 1000,
                    to: 3000,
                    messages: 20,
                },
                moved(1, end(10, 2000), end(15, 3000), LaneMove::Rebuilt),
            ],
        ),
        bad,
        step(11, Phase::Scan, "scan.stops", facts! {}, vec![]),
        step(
            12,
            Phase::Truncate,
            "mark.process-offset",
            facts! {},
            vec![Change::Mark {
                mark: Mark::new("processOffset"),
                from: None,
                to: Some(CUT),
            }],
        ),
        step(
            13,
            Phase::Truncate,
            "log.end-set",
            facts! {},
            vec![Change::Wrote {
                file: 2,
                from: 1000,
                to: 0,
            }],
        ),
        step(
            14,
            Phase::Truncate,
            "logic.unit-ahead",
            facts! {},
            vec![moved(ORDER_1, end(16, 3200), end(15, 3000), LaneMove::Cut)],
        ),
        step(15, Phase::Reput, "reput.caught-up", facts! {}, vec![]),
    ];
    Outcome {
        schema: SCHEMA.to_owned(),
        tool: "test".to_owned(),
        broker: BrokerUsed {
            family: "RocketMQ".to_owned(),
            release: "4.9.3".to_owned(),
            found: "assumed".to_owned(),
            rules_of: None,
        },
        options: OptionsUsed::default(),
        end: End {
            kind: EndKind::Started,
            rule: None,
            facts: Facts::new(),
            sentence: String::new(),
            after_load: false,
            unread: None,
        },
        marks: [(
            Mark::new("processOffset"),
            Moved {
                before: None,
                after: Some(CUT),
            },
        )]
        .into(),
        ledger: Ledger {
            kept: Amount::new(3000, 40),
            cut_readable: Amount::new(0, 0),
            cut_unreadable: Amount::unknown(200),
            unwritten: Amount::new(800, 0),
            total: Amount::unknown(4000),
            ..Ledger::default()
        },
        counts: Counts {
            queue_entries_rebuilt: 5,
            queue_entries_cut: 1,
            index_entries_rebuilt: 0,
            index_entries_lost: 30,
        },
        files: Vec::new(),
        findings: Vec::new(),
        map: StoreMap {
            lanes: vec![
                lane(LaneKind::Log, "commitlog"),
                lane(LaneKind::Queue, "Order/0"),
                lane(LaneKind::Queue, "Order/1"),
                lane(LaneKind::Queue, "Pay/10"),
                lane(LaneKind::Queue, "Pay/2"),
                lane(LaneKind::Index, "20231114221320000"),
            ],
            files: vec![
                log_file(0, 1000),
                log_file(1000, 2000),
                log_file(3000, 1000),
                MapFile {
                    path: StorePath::new("index/20231114221320000"),
                    lane: 5,
                    start: 0,
                    size: 40,
                },
            ],
            clock: vec![(0, 10_000), (1000, 20_000), (3000, 40_000)],
            dirty: vec![(CUT, 3200)],
        },
        trace: Trace { steps: trace },
        candidates: Vec::new(),
        state: None,
    }
}
