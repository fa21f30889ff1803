//! Which release decides what how. A release is a row of policies; no procedure asks for a version number.
//!
//! Which release in between changed which, by its source. The rows from 3.0 on were run against the real loader; those of 0.11 to 2.7 were
//! not: 2.7 is held to its source, and what 0.11 to 2.2 check at load besides is not followed.
//!
//! | release | what changed |
//! |---|---|
//! | 0.9 | a bad index is rebuilt, it no longer ends the start |
//! | 0.10.1 | time indexes |
//! | 0.11 | v2 batches, producers, leader epochs, log start; an index is bad if its last offset is at or below the base |
//! | 1.1 | the walk moves the recovery point to the log's end |
//! | 2.0 | an index is bad only if its last offset is below the base; segments whose offsets overflow are split |
//! | 2.3 | offset and time index are no longer checked at load |
//! | 2.8 | the flag goes before loading; the recovery point stays; stray producer snapshots go |
//! | 3.0 | `.swap` files are renamed as they are; rebuilds tell epochs; snapshots of deleted segments are marked |
//! | 3.2 | a text file that cannot be read costs the directory, not the start; a missing index is told of only below the recovery point |
//! | 3.7 | the flag holds the broker's epoch; `-stray` folders |
//! | 3.8 | leader epochs that were cut are written behind the start |
//! | 4.0 … 4.4 | offsets are looked for by base offset |
//!
//! A release that has no row takes the nearest one below it.

use super::batches::Reading;
use crate::recovery::release;

/// `3.9.2`, and the release whose rules are used for it.
pub type Release = release::Release<Known>;

/// The releases proved against the real broker, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    R0_8_2,
    R0_10_2,
    R2_7_2,
    R2_8_2,
    R3_1_2,
    R3_6_2,
    R3_7_1,
    R3_8_0,
    R3_9_2,
    R4_4_0,
}

/// What becomes of `.swap` files, the result of a clean-up or split that a crash interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SwapFiles {
    /// Checked like a segment that was never flushed, then put in the place of those it covers.
    Recovered,
    /// Those it covers are deleted, and it is renamed as it is.
    Renamed,
}

/// What the releases do that know neither leaders' epochs nor producers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Old {
    pub reading: Reading,
    pub has_time_index: bool,
    /// `-delete` folders.
    pub knows_delete: bool,
    /// A swapped segment replaces those it covers; before, it was renamed to what it replaces.
    pub replaces_swapped: bool,
    /// Indexes are checked before the walk, and a bad one is rebuilt; before, behind it, and a bad one ended the start.
    pub checks_indexes_first: bool,
    /// A recovery point file that cannot be read ends the start.
    pub bad_checkpoint_refuses: bool,
}

/// What a release does its own way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    pub old: Option<Old>,
    /// The flag goes once everything is loaded.
    pub flag_removed_after_loading: bool,
    /// Once the walk is over the recovery point is the log's end, damage or not; before and after it stays where it was.
    pub walk_moves_recovery_point: bool,
    /// Producer snapshots that belong to no segment go.
    pub removes_stray_snapshots: bool,
    /// Messages larger than `max.message.bytes` end the walk.
    pub checks_largest: bool,
    pub swap: SwapFiles,
    /// The leader epochs are cut to the log start that holds after loading, not to the one in the checkpoint file.
    pub epochs_begin_at_first_segment: bool,
    /// A segment that is rebuilt for a missing index tells its leader epochs.
    pub epochs_from_rebuilds: bool,
    /// Producer snapshots of deleted segments get the suffix at once, not when the files are deleted.
    pub marks_snapshots: bool,
    /// A missing index is told of also where the walk would have rebuilt it.
    pub tells_every_missing_index: bool,
    /// A word that is no number makes a text file malformed; else it is an exception of its own.
    pub bad_number_is_malformed: bool,
    /// A text file of a partition that cannot be read marks the directory failed, and the other partitions are loaded; before, it
    /// ended the start.
    pub storage_exceptions_are_passed_by: bool,
    /// Reading a batch throws once the directory is marked failed.
    pub reads_check_offline: bool,
    /// An offset is looked for by the base offsets of batches, not by their last ones.
    pub searches_by_base: bool,
    /// Index entries of appended batches are made by the batch.
    pub index_by_batch: bool,
    /// A clean stop flushes also where the recovery point is the log's end.
    pub always_flushes: bool,
    /// What `.kafka_cleanshutdown` holds.
    pub flag: &'static str,
    /// The topic of KRaft's own log: the broker's loader leaves it to the controller's.
    pub metadata_topic: &'static str,
    /// Leader epochs that were cut are written when loading is over.
    pub epochs_flush_later: bool,
    /// `-stray` folders, `remote-log-index-cache`.
    pub knows_stray: bool,
    /// Topic id and local log start are part of the state.
    pub has_local_log_start: bool,
}

impl Policy {
    pub fn reading(&self) -> Reading {
        self.old.map_or(Reading::Batches, |old| old.reading)
    }

    pub fn has_time_index(&self) -> bool {
        self.old.is_none_or(|old| old.has_time_index)
    }
}

impl release::Known for Known {
    const PREFIX: &'static str = "kafka-";
    const MOST_PARTS: usize = 4;
    const PROVED: &'static [Self] = &[
        Self::R0_8_2,
        Self::R0_10_2,
        Self::R2_8_2,
        Self::R3_9_2,
        Self::R4_4_0,
    ];
    const NEWEST: Self = Self::R4_4_0;
    const ROWS: &'static [Self] = &[
        Self::R0_8_2,
        Self::R0_10_2,
        Self::R2_7_2,
        Self::R2_8_2,
        Self::R3_1_2,
        Self::R3_6_2,
        Self::R3_7_1,
        Self::R3_8_0,
        Self::R3_9_2,
        Self::R4_4_0,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::R0_8_2 => "0.8.2.2",
            Self::R0_10_2 => "0.10.2.2",
            Self::R2_7_2 => "2.7.2",
            Self::R2_8_2 => "2.8.2",
            Self::R3_1_2 => "3.1.2",
            Self::R3_6_2 => "3.6.2",
            Self::R3_7_1 => "3.7.1",
            Self::R3_8_0 => "3.8.0",
            Self::R3_9_2 => "3.9.2",
            Self::R4_4_0 => "4.4.0",
        }
    }

    fn begins(self) -> &'static str {
        match self {
            Self::R0_8_2 => "0.8.2.2",
            Self::R0_10_2 => "0.10.1",
            Self::R2_7_2 => "0.11.0",
            Self::R2_8_2 => "2.8.0",
            Self::R3_1_2 => "3.0.0",
            Self::R3_6_2 => "3.2.0",
            Self::R3_7_1 => "3.7.0",
            Self::R3_8_0 => "3.8.0",
            Self::R3_9_2 => "3.9.0",
            Self::R4_4_0 => "4.4.0",
        }
    }

    fn number(self) -> [u32; 3] {
        match self {
            Self::R0_8_2 => [0, 8, 2],
            Self::R0_10_2 => [0, 10, 2],
            Self::R2_7_2 => [2, 7, 2],
            Self::R2_8_2 => [2, 8, 2],
            Self::R3_1_2 => [3, 1, 2],
            Self::R3_6_2 => [3, 6, 2],
            Self::R3_7_1 => [3, 7, 1],
            Self::R3_8_0 => [3, 8, 0],
            Self::R3_9_2 => [3, 9, 2],
            Self::R4_4_0 => [4, 4, 0],
        }
    }

    fn decides_like(self, other: Self) -> bool {
        self == other
    }
}

impl Known {
    pub(crate) fn policy(self) -> Policy {
        let of_2_8 = Policy {
            old: None,
            flag_removed_after_loading: false,
            walk_moves_recovery_point: false,
            removes_stray_snapshots: true,
            checks_largest: false,
            swap: SwapFiles::Recovered,
            epochs_begin_at_first_segment: true,
            epochs_from_rebuilds: false,
            marks_snapshots: false,
            tells_every_missing_index: true,
            bad_number_is_malformed: true,
            storage_exceptions_are_passed_by: false,
            reads_check_offline: false,
            searches_by_base: false,
            index_by_batch: false,
            always_flushes: false,
            flag: "",
            metadata_topic: "@metadata",
            epochs_flush_later: false,
            knows_stray: false,
            has_local_log_start: false,
        };
        let of_3_9 = Policy {
            old: None,
            flag_removed_after_loading: false,
            walk_moves_recovery_point: false,
            removes_stray_snapshots: true,
            checks_largest: false,
            swap: SwapFiles::Renamed,
            epochs_begin_at_first_segment: false,
            epochs_from_rebuilds: true,
            marks_snapshots: true,
            tells_every_missing_index: false,
            bad_number_is_malformed: false,
            storage_exceptions_are_passed_by: true,
            reads_check_offline: true,
            searches_by_base: false,
            index_by_batch: true,
            always_flushes: true,
            flag: r#"{"version":0,"brokerEpoch":-1}"#,
            metadata_topic: "__cluster_metadata",
            epochs_flush_later: true,
            knows_stray: true,
            has_local_log_start: true,
        };
        let of_3_6 = Policy {
            flag: "",
            epochs_flush_later: false,
            knows_stray: false,
            ..of_3_9
        };
        let of_0_10 = Policy {
            old: Some(Old {
                reading: Reading::Messages,
                has_time_index: true,
                knows_delete: true,
                replaces_swapped: true,
                checks_indexes_first: true,
                bad_checkpoint_refuses: false,
            }),
            checks_largest: true,
            flag_removed_after_loading: true,
            ..of_2_8
        };
        match self {
            Self::R0_8_2 => Policy {
                old: Some(Old {
                    reading: Reading::MessagesToTheFirstShort,
                    has_time_index: false,
                    knows_delete: false,
                    replaces_swapped: false,
                    checks_indexes_first: false,
                    bad_checkpoint_refuses: true,
                }),
                ..of_0_10
            },
            Self::R0_10_2 => of_0_10,
            Self::R2_7_2 => Policy {
                flag_removed_after_loading: true,
                walk_moves_recovery_point: true,
                removes_stray_snapshots: false,
                ..of_2_8
            },
            Self::R2_8_2 => of_2_8,
            Self::R3_1_2 => Policy {
                tells_every_missing_index: true,
                storage_exceptions_are_passed_by: false,
                ..of_3_6
            },
            Self::R3_6_2 => of_3_6,
            Self::R3_7_1 => Policy {
                epochs_flush_later: false,
                ..of_3_9
            },
            Self::R3_8_0 => of_3_9,
            Self::R3_9_2 => of_3_9,
            Self::R4_4_0 => Policy {
                searches_by_base: true,
                ..of_3_9
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recovery::release::Known as _;

    #[test]
    fn a_release_in_between_takes_the_rules_below_it() {
        let rules = |asked: &str| Release::parse(asked).unwrap().known.name();
        assert_eq!(rules("kafka-3.4.1"), "3.6.2");
        assert_eq!(rules("3.0.0"), "3.1.2");
        assert_eq!(rules("2.8.0"), "2.8.2");
        assert_eq!(rules("2.4.1"), "2.7.2");
        assert_eq!(rules("0.10.1.1"), "0.10.2.2");
        assert_eq!(rules("4.3.1"), "3.9.2");
        assert_eq!(Release::parse("kafka-4.4.0").unwrap().rules_of(), None);
    }

    #[test]
    fn a_release_without_known_rules_is_refused() {
        assert!(Release::parse("kafka-0.7.0").is_err());
        assert!(Release::parse("kafka-new").is_err());
    }
}
