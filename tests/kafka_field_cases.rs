//! What people reported, each as a test by the number of its report: the same damage in a store of the real broker, and what the viewer
//! has to say about it. That every outcome here is the real broker's, byte for byte, is held by `kafka.rs`.

mod support;

use std::collections::BTreeSet;
use std::sync::OnceLock;
use storescope::brokers;
use storescope::recovery::outcome::EndKind;
use storescope::recovery::{Outcome, Severity};
use support::kafka::{Case, RELEASES, cases};

const MODERN: [&str; 3] = ["2.8.2", "3.9.2", "4.4.0"];
const SINCE_0_10: [&str; 4] = ["0.10.2.2", "2.8.2", "3.9.2", "4.4.0"];

struct Start {
    case: &'static Case,
    outcome: Outcome,
    rules: BTreeSet<String>,
}

impl Start {
    fn of(release: &str, name: &str) -> Self {
        static ALL: OnceLock<Vec<Case>> = OnceLock::new();
        let case = ALL
            .get_or_init(cases)
            .iter()
            .find(|case| case.release == release && case.name == name)
            .unwrap_or_else(|| panic!("no case {release}/{name}"));
        let outcome = case.recover();
        let rules = outcome
            .trace
            .steps
            .iter()
            .map(|step| step.rule.clone().into_owned())
            .collect();
        Self {
            case,
            outcome,
            rules,
        }
    }

    fn fired(&self, rule: &str) -> bool {
        self.rules.contains(rule)
    }

    fn starts(&self) -> bool {
        assert_eq!(
            self.outcome.end.kind == EndKind::Started,
            self.case.starts(),
            "{}",
            self.case.label()
        );
        self.case.starts()
    }

    fn cut_bytes(&self) -> u64 {
        self.outcome.ledger.cut_readable.bytes + self.outcome.ledger.cut_unreadable.bytes
    }

    /// Segments that the real broker walked, of all partitions.
    fn walked(&self) -> usize {
        let partitions = self.case.golden["partitions"].as_array().unwrap();
        let walked = |list: &serde_json::Value| list.as_array().map_or(0, Vec::len);
        partitions
            .iter()
            .map(|partition| walked(&partition["recoveredSegments"]))
            .sum()
    }

    fn finds(&self, id: &str) -> bool {
        let checked = brokers::check(&self.case.store(), &self.case.asked(), &mut |_| {}).unwrap();
        checked
            .findings
            .iter()
            .any(|finding| finding.id == id && finding.severity != Severity::Info)
    }
}

#[test]
fn kfk_01_a_torn_last_batch_is_cut_and_no_checksum_is_blamed() {
    for release in RELEASES {
        let start = Start::of(release, "torn-tail");
        assert!(start.starts() && start.fired("k.segment-cut"), "{release}");
        assert!(start.outcome.ledger.cut_unreadable.bytes > 0, "{release}");
        assert_eq!(start.outcome.ledger.cut_readable.bytes, 0, "{release}");
        assert!(!start.fired("k.check-crc32") && !start.fired("k.check-crc32c"));
    }
}

#[test]
fn kfk_03_zeros_behind_the_data_cost_nothing_and_after_a_clean_stop_they_cost_the_start() {
    for release in RELEASES {
        let start = Start::of(release, "zero-tail");
        assert!(start.starts(), "{release}");
        assert_eq!(start.outcome.ledger.cut_readable.bytes, 0, "{release}");
        let zeros = start.cut_bytes() + start.outcome.ledger.unwritten.bytes;
        assert_eq!(zeros, 4096, "{release}");
        let clean = Start::of(release, "clean-zero-tail");
        assert_eq!(clean.starts(), release == "0.8.2.2", "{release}");
    }
}

#[test]
fn kfk_04_one_flipped_byte_costs_all_that_is_behind_it_though_it_reads() {
    for release in RELEASES {
        let start = Start::of(release, "crc-flip-first");
        assert!(
            start.starts() && start.fired("k.log-truncated"),
            "{release}"
        );
        let readable = start.outcome.ledger.cut_readable;
        assert!(
            readable.messages.is_some_and(|count| count > 1),
            "{release}"
        );
    }
}

#[test]
fn kfk_06_a_bad_byte_below_the_recovery_point_stays_and_is_not_looked_at() {
    for release in RELEASES {
        let start = Start::of(release, "crc-flip-below-rp");
        assert!(start.starts(), "{release}");
        assert_eq!(start.cut_bytes(), 0, "{release}");
        assert!(start.outcome.ledger.kept.bytes > 0);
        assert!(start.finds("k-checksum"), "{release}: the audit finds it");
    }
}

#[test]
fn kfk_07_with_recovery_point_zero_the_same_byte_costs_the_log_and_a_bad_file_the_start_too() {
    for release in RELEASES {
        let start = Start::of(release, "noflag-rp-zero-corrupt-first");
        assert!(start.starts() && start.cut_bytes() > 0, "{release}");
        let unreadable = Start::of(release, "rp-garbage");
        assert_eq!(unreadable.starts(), release == "0.10.2.2", "{release}");
    }
}

#[test]
fn kfk_09_a_preallocated_index_is_called_corrupt_by_old_releases_only_and_no_data_is_lost() {
    for release in RELEASES {
        let start = Start::of(release, "crash-undamaged");
        assert!(start.starts(), "{release}");
        let called_corrupt = start.fired("k.index-corrupt");
        assert_eq!(called_corrupt, release == "0.10.2.2", "{release}");
        assert_eq!(start.outcome.ledger.cut_readable.bytes, 0, "{release}");
    }
}

#[test]
fn kfk_10_an_index_that_fails_its_check_ends_the_start_of_0_8_alone() {
    for release in RELEASES {
        let start = Start::of(release, "clean-index-cut");
        assert_eq!(start.starts(), release != "0.8.2.2", "{release}");
        assert_eq!(start.fired("k.index-refused"), release == "0.8.2.2");
    }
}

#[test]
fn kfk_12_a_bad_index_of_an_old_segment_does_not_lengthen_the_walk_since_2_3() {
    for release in MODERN {
        let start = Start::of(release, "index-garbage");
        let undamaged = Start::of(release, "crash-undamaged");
        assert!(
            start.starts() && !start.fired("k.index-corrupt"),
            "{release}"
        );
        assert!(start.walked() <= undamaged.walked(), "{release}");
    }
}

#[test]
fn kfk_13_an_interrupted_swap_is_walked_by_2_8_and_renamed_since_3_0() {
    for release in MODERN {
        let renames = release != "2.8.2";
        let start = Start::of(release, "swap-torn");
        assert_eq!(start.fired("k.swap-renamed"), renames, "{release}");
        assert_eq!(start.fired("k.swap-recovered"), !renames, "{release}");
        let invalid = Start::of(release, "swap-and-cleaned");
        assert!(invalid.fired("k.swap-invalid"), "{release}");
        let leftover = Start::of(release, "deleted-leftover");
        assert!(leftover.fired("k.file-deleted"), "{release}");
    }
}

#[test]
fn kfk_15_old_messages_have_a_crc_of_their_own_kind() {
    for release in ["0.8.2.2", "0.10.2.2"] {
        let start = Start::of(release, "noflag-rp-zero-corrupt-first");
        assert!(start.fired("k.check-crc32"), "{release}");
        assert!(!start.fired("k.check-crc32c"), "{release}");
    }
}

#[test]
fn kfk_17_a_flag_beside_torn_data_keeps_the_torn_bytes_and_the_audit_tells() {
    for release in MODERN {
        let start = Start::of(release, "clean-torn-tail");
        assert!(start.starts() && start.fired("k.flag-present"), "{release}");
        assert_eq!(start.cut_bytes(), 0, "{release}");
        let checked =
            brokers::check(&start.case.store(), &start.case.asked(), &mut |_| {}).unwrap();
        assert!(checked.above_info() > 0, "{release}");
    }
}

#[test]
fn kfk_18_a_malformed_epoch_file_costs_the_start_of_2_8_and_the_directory_since_3_2() {
    for release in MODERN {
        let start = Start::of(release, "epochs-garbage");
        assert!(
            !start.starts() && start.fired("k.epochs-unreadable"),
            "{release}"
        );
        let result = if release == "2.8.2" {
            "exception"
        } else {
            "offline"
        };
        assert_eq!(start.case.golden["result"], result, "{release}");
        assert!(Start::of(release, "epochs-missing").starts(), "{release}");
    }
}

#[test]
fn kfk_19_a_damaged_producer_snapshot_goes_and_the_log_is_read_for_it() {
    for release in MODERN {
        let start = Start::of(release, "snapshot-garbage");
        assert!(start.starts() && start.fired("k.snapshot-bad"), "{release}");
        assert!(start.fired("k.producers-replayed"), "{release}");
    }
}

#[test]
fn kfk_21_a_log_start_behind_the_log_end_deletes_every_segment() {
    for release in MODERN {
        for name in ["lso-beyond", "clean-lso-beyond"] {
            let start = Start::of(release, name);
            assert!(
                start.starts() && start.fired("k.log-start-beyond"),
                "{release}"
            );
            assert!(start.cut_bytes() > 0, "{release}");
        }
    }
}

#[test]
fn kfk_22_an_offset_too_far_from_its_base_splits_the_segment() {
    for release in MODERN {
        let start = Start::of(release, "offset-overflow");
        assert!(
            start.starts() && start.fired("k.segment-split"),
            "{release}"
        );
    }
}

#[test]
fn kfk_23_and_25_holes_of_a_compaction_and_an_index_made_at_another_time_are_no_damage() {
    for release in SINCE_0_10 {
        let start = Start::of(release, "clean-shutdown");
        let has_compacted = start
            .case
            .files()
            .keys()
            .any(|path| path.starts_with("compact-0/"));
        let checked =
            brokers::check(&start.case.store(), &start.case.asked(), &mut |_| {}).unwrap();
        assert!(has_compacted && checked.above_info() == 0, "{release}");
    }
}

/// The broker's loader leaves that log to the controller: what becomes of it is said to be unknown.
#[test]
fn kfk_24_the_metadata_log_is_told_of_and_not_judged() {
    for release in ["3.9.2", "4.4.0"] {
        let start = Start::of(release, "own-metadata-log");
        assert!(start.starts() && start.fired("k.metadata-log"), "{release}");
    }
}

#[test]
fn kfk_26_the_index_of_aborted_transactions_is_the_one_still_checked_at_load() {
    for release in MODERN {
        let start = Start::of(release, "own-txnindex-below");
        assert!(start.fired("k.txn-index-below"), "{release}");
        let garbage = Start::of(release, "txnindex-garbage");
        assert!(!garbage.starts(), "{release}");
        assert!(garbage.fired("k.txn-index-version"), "{release}");
    }
}
