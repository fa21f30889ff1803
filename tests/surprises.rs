//! What surprises people who believe that they know how RocketMQ recovers. Each surprise is a rule or a finding of ours and has been seen
//! with the real broker: the figures are those of its goldens, which `oracle.rs` holds our starts to, unit by unit.

mod support;

use serde_json::Value;
use std::rc::Rc;
use storescope::brokers;
use storescope::recovery::Outcome;
use storescope::recovery::checked::Checked;
use storescope::recovery::outcome::EndKind;
use storescope::rocketmq::narrow;
use storescope::store::{Store, StorePath};
use support::case::{self, Case};
use support::{asked, recover, root, store_of};

/// A case with the real broker's start and ours.
struct Start {
    case: Case,
    store: Store,
    ours: Outcome,
}

/// `5.3.3/clean-lag`
fn start(label: &str) -> Start {
    let case = Case::open(&case::cases_folder(root()).join(label));
    let store = store_of(case.store());
    let ours = recover(&store, &asked(&case)).outcome;
    Start { case, store, ours }
}

impl Start {
    fn fired(&self, rule: &str) -> bool {
        let in_run = |(id, _): &(_, u64)| *id == *rule;
        let steps = &self.ours.trace.steps;
        steps
            .iter()
            .any(|step| step.rule == *rule || step.tally.iter().any(in_run))
    }

    /// A part of the real broker's state once it is ready; what did not change since `load()` is not written twice.
    fn ready(&self, part: &str) -> &Value {
        let (load, ready) = (
            &self.case.golden["afterLoad"],
            &self.case.golden["afterReput"],
        );
        match ready.as_str().or(ready[part].as_str()) {
            Some("same") => &load[part],
            _ => &ready[part],
        }
    }

    /// Every unit of every queue: its topic and the unit.
    fn units(&self) -> Vec<(&str, &Value)> {
        let queues = self.ready("consumeQueues").as_array().into_iter().flatten();
        queues
            .flat_map(|queue| {
                let units = queue["units"].as_array().into_iter().flatten();
                units.map(|unit| (queue["topic"].as_str().unwrap(), unit))
            })
            .collect()
    }

    /// Entries of all index files.
    fn entries(&self) -> usize {
        let files = self.ready("index").as_array().into_iter().flatten();
        files
            .map(|file| file["entries"].as_array().map_or(0, Vec::len))
            .sum()
    }

    fn process_offset(&self) -> i64 {
        self.case.golden["recovery"]["processOffset"]
            .as_i64()
            .unwrap()
    }

    fn start_file(&self) -> &str {
        self.case.golden["recovery"]["startFile"].as_str().unwrap()
    }

    fn cut_bytes(&self) -> u64 {
        let ledger = &self.ours.ledger;
        ledger.cut_readable.bytes + ledger.cut_unreadable.bytes
    }

    fn check(&self) -> Checked {
        brokers::check(&self.store, &asked(&self.case), &mut |_| {}).unwrap()
    }

    fn finds(&self, id: &str) -> bool {
        self.check().findings.iter().any(|finding| finding.id == id)
    }
}

#[test]
fn surprise_01_the_first_lagging_message_is_never_queued_from_5_3_on() {
    let (clean, crash) = (start("5.3.3/clean-lag"), start("5.3.3/crash-lag"));
    assert_eq!(clean.units().len() + 1, crash.units().len());
    assert!(clean.fired("scan.behind-queues-dispatched") && clean.fired("dispatch.out-of-order"));
    assert!(!crash.fired("dispatch.out-of-order"));
}

#[test]
fn surprise_02_5_1_never_repairs_a_lagging_queue_after_a_clean_stop() {
    let (lag, lost, whole) = (
        start("5.1.4/clean-lag"),
        start("5.1.4/clean-cq-deleted-all"),
        start("5.1.4/clean-shutdown"),
    );
    for start in [&lag, &lost] {
        assert!(start.fired("reput.from-confirm-offset"));
        assert_eq!(start.ours.counts.queue_entries_rebuilt, 0);
    }
    assert!(lost.units().is_empty() && !whole.units().is_empty());
    assert!(start("4.9.3/clean-lag").ours.counts.queue_entries_rebuilt > 0);
}

#[test]
fn surprise_03_one_lost_queue_is_not_rebuilt_while_another_is_ahead() {
    let whole = start("4.9.3/clean-shutdown");
    let clean = start("4.9.3/clean-cq-deleted-one");
    assert!(clean.units().len() < whole.units().len());
    assert_eq!(clean.ours.counts.queue_entries_rebuilt, 0);
    // After a crash it is, from the start file on, and the front is filled.
    let crash = start("4.9.3/crash-cq-deleted-one");
    assert!(crash.units().len() > clean.units().len() && crash.fired("dispatch.front-filled"));
}

#[test]
fn surprise_04_a_unit_beyond_the_log_costs_a_good_message() {
    let (whole, huge) = (
        start("4.9.3/crash-intact"),
        start("4.9.3/crash-cq-unit-huge-offset"),
    );
    assert_eq!(huge.units().len() + 1, whole.units().len());
    assert!(huge.fired("dispatch.already-queued") && huge.fired("logic.unit-ahead"));
}

#[test]
fn surprise_05_after_a_clean_stop_each_line_looks_at_other_files() {
    let cut = |label| start(label).cut_bytes() > 0;
    assert!(cut("4.9.3/clean-crc-middle-file"), "one of the last three");
    assert!(!cut("4.9.3/clean-crc-first-file"), "nobody looks there");
    for label in ["5.3.3/clean-crc-middle-file", "5.5.1/clean-crc-middle-file"] {
        assert!(!cut(label), "{label}: only the file where the queues end");
        assert!(
            start(label).finds("record-crc"),
            "{label}: the check does look"
        );
    }
}

#[test]
fn surprise_06_queues_are_cut_to_where_they_are_on_every_healthy_restart() {
    let healthy = start("4.9.3/clean-shutdown");
    assert!(healthy.fired("logic.ahead-of-log"));
    assert_eq!(
        (healthy.cut_bytes(), healthy.ours.counts.queue_entries_cut),
        (0, 0)
    );
}

#[test]
fn surprise_07_the_index_time_counts_for_the_start_file_only_when_asked_to() {
    let (plain, safe) = (
        start("4.9.3/crash-checkpoint-between"),
        start("4.9.3/crash-checkpoint-between-index-safe"),
    );
    assert!(safe.fired("start.index-time-counts") && !plain.fired("start.index-time-counts"));
    assert!(safe.start_file() < plain.start_file());
}

#[test]
fn surprise_08_5_5_goes_by_physical_offset_and_not_by_the_checkpoints_times() {
    for name in ["crash-checkpoint-ahead", "crash-checkpoint-old"] {
        let (by_time, by_offset) = (
            start(&format!("5.3.3/{name}")),
            start(&format!("5.5.1/{name}")),
        );
        assert!(by_offset.fired("start.offset-matched") && !by_time.fired("start.offset-matched"));
        assert_ne!(by_time.start_file(), by_offset.start_file(), "{name}");
    }
}

#[test]
fn surprise_09_5_5_goes_back_ten_files_at_most() {
    let many = start("5.5.1/many-crash-cq-deleted-all-rescan");
    assert!(many.fired("start.file-limit"));
    assert_eq!(many.start_file(), "00000000000000040960");
    let mut before = 0;
    brokers::log_entries(&many.store, &asked(&many.case), &mut |_, offset, _| {
        before += usize::from(offset < 40960);
    })
    .unwrap();
    assert!(before > 0, "messages before the start file");
    let first = many
        .units()
        .iter()
        .filter_map(|(_, unit)| unit[0].as_i64())
        .min();
    assert!(
        first >= Some(40960) || many.fired("dispatch.front-filled"),
        "{first:?}"
    );
}

#[test]
fn surprise_10_a_new_index_file_moves_the_checkpoint() {
    let rebuilt = start("4.9.3/crash-index-deleted");
    assert!(rebuilt.fired("index.new-file"));
    let moved = rebuilt
        .ours
        .marks
        .iter()
        .find(|(mark, _)| mark.0 == "indexMsgTimestamp")
        .map(|(_, moved)| moved);
    assert!(
        moved.is_some_and(|moved| moved.after > moved.before),
        "{moved:?}"
    );
}

#[test]
fn surprise_11_no_checksum_covers_header_and_properties() {
    for name in ["crash-torn-tail-props", "crash-header-flip"] {
        let damaged = start(&format!("4.9.3/{name}"));
        assert_eq!(
            damaged.process_offset(),
            start("4.9.3/crash-intact").process_offset()
        );
        assert_eq!(damaged.cut_bytes(), 0, "{name}");
    }
    let covered = start("5.3.3/propcrc-crash-torn-tail-props");
    assert!(covered.fired("check.property-crc") || covered.fired("check.property-crc-missing"));
    assert!(covered.cut_bytes() > 0);
}

#[test]
fn surprise_12_a_stale_message_behind_the_end_lengthens_the_log() {
    let (whole, stale) = (
        start("4.9.3/crash-intact"),
        start("4.9.3/crash-stale-message-after-tail"),
    );
    assert!(stale.process_offset() > whole.process_offset());
    assert!(start("4.9.3/crash-phyoffset-wrong").entries() < whole.entries());
    assert!(start("5.5.1/crash-offset-field-other-file").fired("check.offset-field"));
}

#[test]
fn surprise_13_a_size_of_two_gigabytes_kills_the_broker_up_to_5_1() {
    for release in ["4.9.3", "4.9.8", "5.1.4"] {
        let huge = start(&format!("{release}/crash-totalsize-maxint"));
        assert!(
            !huge.case.starts() && huge.ours.end.kind == EndKind::Refused,
            "{release}"
        );
        assert!(huge.fired("check.huge-size"), "{release}");
    }
    let later = start("5.3.3/crash-totalsize-maxint");
    assert!(later.case.starts() && later.fired("check.size-beyond-file"));
}

#[test]
fn surprise_14_wrong_sizes_end_the_log_by_another_rule_in_each_line() {
    for (label, rule) in [
        ("4.9.3/crash-totalsize-negative", "check.negative-size"),
        (
            "5.5.1/crash-totalsize-negative",
            "check.negative-size-first",
        ),
        (
            "5.3.3/crash-totalsize-beyond-file",
            "check.size-beyond-file",
        ),
    ] {
        let wrong = start(label);
        assert!(wrong.fired(rule), "{label}");
        assert!(wrong.cut_bytes() > 0, "{label}");
    }
}

#[test]
fn surprise_15_a_blank_magic_in_mid_file_skips_the_rest_of_the_file() {
    let (whole, blank) = (
        start("4.9.3/crash-intact"),
        start("4.9.3/crash-blank-magic-mid"),
    );
    assert!(blank.fired("check.blank"));
    assert_eq!(
        blank.process_offset(),
        whole.process_offset(),
        "it goes on in the next file"
    );
    assert!(
        blank.entries() < whole.entries(),
        "the skipped messages are not indexed again"
    );
}

#[test]
fn surprise_16_the_checksum_warning_has_its_values_swapped() {
    let flipped = start("4.9.3/crash-crc-last-file");
    let step = |rule: &str| {
        flipped
            .ours
            .trace
            .steps
            .iter()
            .find(move |step| step.rule == *rule)
            .unwrap()
    };
    let differs = step("check.body-crc");
    let value = |name: &str| match &differs.facts[name] {
        storescope::recovery::trace::Fact::Int(value) => *value,
        other => panic!("{other:?}"),
    };
    let line = differs
        .log
        .iter()
        .find(|line| line.text.contains("CRC check failed"))
        .unwrap();
    let words = format!(
        "bodyCRC={}, currentCRC={}",
        value("computed"),
        value("stored")
    );
    assert!(line.text.contains(&words), "{} has not {words}", line.text);
}

#[test]
fn surprise_17_the_position_in_the_broker_s_line_is_no_recovery_offset() {
    let torn = start("4.9.3/crash-torn-tail-body");
    let mut line = torn.ours.trace.steps.iter().flat_map(|step| &step.log);
    let line = line
        .rfind(|line| line.text.contains("recover physics file end"))
        .unwrap();
    let digits = |text: &str| {
        text.chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
    };
    let position: i64 = digits(line.text.split("pos=").nth(1).unwrap())
        .parse()
        .unwrap();
    let file: i64 = torn.start_file().parse().unwrap();
    assert!(position + file > 0 && position != torn.process_offset());
}

#[test]
fn surprise_18_a_queue_file_of_zeros_gets_a_phantom_unit_in_5_5() {
    let zeros = start("5.5.1/clean-cq-tail-zero-5-all");
    assert!(zeros.fired("logic.first-unit-believed"));
    let phantom = |(_, unit): &&(&str, &Value)| **unit == serde_json::json!([0, 0, 0]);
    assert_eq!(zeros.units().iter().filter(phantom).count(), 6);
}

#[test]
fn surprise_19_delayed_messages_rebuilt_by_4_9_lose_their_delivery_time() {
    let times = |label| {
        let start = start(label);
        let units = start.units();
        let delayed = units
            .iter()
            .filter(|(topic, _)| *topic == "SCHEDULE_TOPIC_XXXX");
        // A time in milliseconds, and no hash of a tag.
        delayed
            .filter(|(_, unit)| unit[2].as_i64() > Some(1 << 40))
            .count()
    };
    assert!(times("4.9.3/crash-cq-deleted-all-rescan") < times("4.9.3/clean-shutdown"));
    assert_eq!(
        times("5.3.3/crash-cq-deleted-all-rescan"),
        times("5.3.3/clean-shutdown")
    );
    assert!(start("5.3.3/crash-cq-deleted-all-rescan").fired("dispatch.deliver-time"));
}

#[test]
fn surprise_20_the_minimum_stays_0_after_retention_in_4_9() {
    let old = start("4.9.3/clean-retention-first-deleted");
    assert!(old.fired("table.min-offset-not-found"));
    assert!(start("5.3.3/clean-retention-first-deleted").fired("table.min-offset-by-halves"));
}

#[test]
fn surprise_21_nobody_notices_a_unit_that_is_there_twice() {
    let (whole, twice) = (
        start("4.9.3/clean-shutdown"),
        start("4.9.3/clean-cq-duplicate-unit"),
    );
    assert_eq!(twice.units().len(), whole.units().len() + 1);
    assert!(
        twice.finds("unit-duplicate"),
        "{:?}",
        twice.check().findings
    );
}

#[test]
fn surprise_22_a_plain_crash_loses_index_entries() {
    let crash = start("4.9.3/crash-intact");
    let whole = start("4.9.3/clean-shutdown").entries();
    assert!(crash.fired("index.newer-than-checkpoint"));
    let lost = usize::try_from(crash.ours.counts.index_entries_lost).unwrap();
    assert!(
        lost > 0 && crash.entries() + lost == whole,
        "{} + {lost}, {whole}",
        crash.entries()
    );
}

#[test]
fn surprise_23_the_last_message_is_indexed_twice_where_the_file_is_kept() {
    let kept = start("4.9.3/crash-index-covered-by-checkpoint");
    assert!(kept.fired("index.kept") && kept.fired("index.already-indexed"));
    assert!(kept.entries() > start("4.9.3/clean-shutdown").entries());
}

#[test]
fn surprise_24_5_5_indexes_tags_as_well() {
    let (before, now) = (start("5.3.3/crash-intact"), start("5.5.1/crash-intact"));
    assert!(now.fired("index.tags") && !before.fired("index.tags"));
    assert!(now.entries() > before.entries());
}

#[test]
fn surprise_25_a_garbage_index_file_is_kept() {
    assert!(start("4.9.3/clean-index-garbage").fired("index.kept"));
    let named = start("4.9.3/clean-index-name-not-number");
    assert!(named.fired("index.name-ignored") && named.case.starts());
}

#[test]
fn surprise_26_a_hole_in_the_log_is_no_error() {
    for label in [
        "4.9.3/crash-middle-file-missing",
        "5.3.3/crash-middle-file-missing",
    ] {
        let hole = start(label);
        assert!(
            hole.case.starts() && hole.ours.end.kind == EndKind::Started,
            "{label}"
        );
        assert!(hole.finds("log-hole"), "{label}");
    }
}

#[test]
fn surprise_27_an_empty_last_file_stops_4_9_and_is_deleted_by_5() {
    let old = start("4.9.3/crash-last-file-empty");
    assert!(!old.case.starts() && old.fired("load.log-length"));
    let new = start("5.3.3/crash-last-file-empty");
    assert!(new.case.starts() && new.fired("load.empty-last-file"));
}

#[test]
fn surprise_28_an_empty_log_folder_destroys_all_queues_and_keeps_the_index() {
    for name in ["clean-commitlog-empty", "crash-commitlog-empty"] {
        let empty = start(&format!("4.9.3/{name}"));
        assert!(
            empty.fired("log.no-files") && empty.units().is_empty(),
            "{name}"
        );
        assert_eq!(empty.ready("commitLog")["minOffset"], -1, "{name}");
    }
    assert!(start("4.9.3/clean-commitlog-empty").entries() > 0);
}

#[test]
fn surprise_29_5_backs_up_abort_and_only_abort_counts() {
    let clean = start("5.3.3/clean-lag");
    assert!(clean.store.get(&StorePath::new("abort.bak")).is_some());
    assert!(clean.fired("load.abort-absent") && clean.fired("start.abort-backed-up"));
    assert!(!start("4.9.3/clean-lag").fired("start.abort-backed-up"));
}

#[test]
fn surprise_30_a_crash_leaves_the_next_file_that_a_clean_stop_deletes() {
    let files = |label| {
        let start = start(label);
        let paths = start
            .store
            .files()
            .map(|(path, _)| path.as_str().to_owned());
        paths.filter(|path| path.starts_with("commitlog/")).count()
    };
    assert_eq!(
        files("4.9.3/crash-intact"),
        files("4.9.3/clean-shutdown") + 1
    );
    assert!(start("4.9.3/crash-intact").ours.ledger.unwritten.bytes >= 16384);
}

#[test]
fn surprise_31_the_confirm_offset_is_where_the_last_good_message_begins() {
    let clean = start("5.3.3/clean-shutdown");
    assert!(clean.fired("mark.confirm-offset"));
    let confirmed = clean.ready("commitLog")["confirmOffsetField"]
        .as_i64()
        .unwrap();
    assert!(0 < confirmed && confirmed < clean.process_offset());
    let mut marks = clean.ours.marks.iter();
    let ours = marks.find(|(mark, _)| mark.0 == "confirmOffset").unwrap().1;
    assert_eq!(ours.after, Some(confirmed));
}

#[test]
fn surprise_32_properties_end_with_a_separator_from_5_2_on() {
    let sign = |label| {
        let narrowed = narrow::narrow(&start(label).store).unwrap();
        narrowed
            .findings
            .iter()
            .map(|finding| finding.id.clone())
            .collect::<Vec<_>>()
    };
    assert!(sign("5.3.3/clean-lag").contains(&"release-properties-closed".into()));
    assert!(!sign("5.1.4/clean-lag").contains(&"release-properties-closed".into()));
}

#[test]
fn surprise_33_the_delay_queues_are_the_stores_own_business_in_4_9_only() {
    assert!(start("4.9.3/clean-lag").fired("load.delay-queues"));
    assert!(!start("5.3.3/clean-lag").fired("load.delay-queues"));
}

#[test]
fn surprise_34_new_index_files_are_named_by_the_clock_which_no_file_tells() {
    let made = start("4.9.3/crash-index-deleted");
    let new = made
        .ours
        .files
        .iter()
        .filter(|file| file.path.as_str().starts_with("index/<new-"));
    assert!(new.count() > 0);
}

#[test]
fn surprise_35_5_5_opens_a_rocksdb_that_recovery_does_not_ask() {
    let plain = start("5.5.1/clean-lag");
    let mut store = plain.store.clone();
    for name in ["CURRENT", "IDENTITY", "LOCK", "000004.log"] {
        store.insert(
            StorePath::new("rocksdbstore").join(name),
            Rc::new(Vec::new()),
        );
    }
    let beside = recover(&store, &asked(&plain.case)).outcome;
    assert_eq!(
        (beside.end, beside.ledger, beside.marks),
        (plain.ours.end, plain.ours.ledger, plain.ours.marks)
    );
}
