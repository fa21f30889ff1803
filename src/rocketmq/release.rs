//! Which release decides what how. A release is a row of policies; no procedure asks for a version number.
//!
//! What is a branch of its own is a row of the decision table with since and until ([`super::rules`]); what changes the course of a
//! procedure is a policy here. Which release in between changed which:
//!
//! | release | what changed, by its source |
//! |---|---|
//! | 4.9.3 … 4.9.8 | nothing that a recovery shows |
//! | 5.0.0 | DUP_INFO and inner batches in the check; `confirmOffset`; dispatch from it, not from the queues; delay levels before the recovery; minimum offset by halves; pid in `abort` |
//! | 5.1.0 | message version 2; an index that does not load refuses the start |
//! | 5.1.1 | `confirmPhyOffset` in the checkpoint |
//! | 5.1.3 | an empty last file is deleted |
//! | 5.2.0 | property CRC; queues are cut before the log |
//! | 5.3.1 | units go through the file channel |
//! | 5.3.2 | a size is held against what is left; the normal scan begins at the queues' end and dispatches what is behind it |
//! | 5.4.0 | start file by its first message and by offset, at most `commitLogRecoverMaxNum` back; queues measured again before they are cut; tags indexed |
//! | 5.5.0 | `logicsPhysicalOffset` in the checkpoint; `checkCommitLogOffsetOnRecover`; an empty last queue file is no error |
//! | 5.5.1 | negative sizes first; a queue without files starts at 0 |
//!
//! A release that is not in [`Known`] takes the rules of the nearest one below it.

use super::rules;
use crate::recovery::release;

/// `4.9.3`, and the release whose rules are used for it.
pub type Release = release::Release<Known>;

/// The releases proved against the real broker, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    R4_9_3,
    R4_9_8,
    R5_1_4,
    R5_3_3,
    R5_5_1,
}

/// Where the scan of the log begins after a clean stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalStart {
    ThirdLastFile,
    /// The last file that begins at or before the furthest queue's end.
    FileAtQueues,
    /// The last file whose first message is good and says that it stands there, at most `commitLogRecoverMaxNum` files back.
    MessageAtQueues,
}

/// How the start file is found after a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchTest {
    /// By the first message's store time against the checkpoint's times.
    StoreTime,
    /// By the first message's physical offset against the checkpoint's `logicsPhysicalOffset`, at most `commitLogRecoverMaxNum` files
    /// back; by its store time where the checkpoint has none.
    PhysicalOffset,
}

/// What the scan hands to the dispatchers after a clean stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalDispatch {
    Nothing,
    /// Messages whose offset is greater than the furthest queue's end.
    BehindQueues,
}

/// In which order log and queues are cut, and when it is seen that queues are ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truncation {
    LogThenQueues,
    QueuesThenLog,
    /// The queues are measured once more, after what the scan dispatched.
    QueuesMeasuredAgainThenLog,
}

/// Where dispatch goes on when the broker starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReputStart {
    FurthestQueue,
    /// The log's end, but with `duplicationEnable`: whatever is behind stays behind.
    ConfirmOffset,
}

/// When the levels of delayed messages become known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelayLevelsRead {
    AfterRecovery,
    /// And not by the store's own service: delayOffset.json is the broker's business.
    BeforeLoad,
}

/// How a queue's minimum offset is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MinOffsetSearch {
    /// From the first file's first unit on.
    Forwards,
    /// By halves, after a look at the queue's last unit.
    Halves,
}

/// Whether the start of the last good message is kept as `confirmOffset`, and which duplicated messages recovery dispatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfirmOffset {
    NotKept,
    LastMessage,
}

/// A release's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    pub normal_start: NormalStart,
    pub match_test: MatchTest,
    pub normal_dispatch: NormalDispatch,
    pub truncation: Truncation,
    pub reput_start: ReputStart,
    pub delay_levels: DelayLevelsRead,
    pub min_offset: MinOffsetSearch,
    pub confirm_offset: ConfirmOffset,
    /// Longs of the checkpoint that are read and written.
    pub checkpoint_longs: usize,
    /// The array that a record's parts are copied through is kept for the next record (5.5.1): only where the reader gives up on a record
    /// with a wrong size hangs on it.
    pub keeps_buffer: bool,
}

const R4_9: Policy = Policy {
    normal_start: NormalStart::ThirdLastFile,
    match_test: MatchTest::StoreTime,
    normal_dispatch: NormalDispatch::Nothing,
    truncation: Truncation::LogThenQueues,
    reput_start: ReputStart::FurthestQueue,
    delay_levels: DelayLevelsRead::AfterRecovery,
    min_offset: MinOffsetSearch::Forwards,
    confirm_offset: ConfirmOffset::NotKept,
    checkpoint_longs: 3,
    keeps_buffer: false,
};

const R5_1: Policy = Policy {
    reput_start: ReputStart::ConfirmOffset,
    delay_levels: DelayLevelsRead::BeforeLoad,
    min_offset: MinOffsetSearch::Halves,
    confirm_offset: ConfirmOffset::LastMessage,
    checkpoint_longs: 5,
    ..R4_9
};

const R5_3: Policy = Policy {
    normal_start: NormalStart::FileAtQueues,
    normal_dispatch: NormalDispatch::BehindQueues,
    truncation: Truncation::QueuesThenLog,
    ..R5_1
};

const R5_5: Policy = Policy {
    normal_start: NormalStart::MessageAtQueues,
    match_test: MatchTest::PhysicalOffset,
    truncation: Truncation::QueuesMeasuredAgainThenLog,
    checkpoint_longs: 6,
    keeps_buffer: true,
    ..R5_3
};

impl release::Known for Known {
    const PREFIX: &'static str = "rocketmq-";
    const MOST_PARTS: usize = 3;
    const PROVED: &'static [Self] = &[
        Self::R4_9_3,
        Self::R4_9_8,
        Self::R5_1_4,
        Self::R5_3_3,
        Self::R5_5_1,
    ];
    const NEWEST: Self = Self::R5_5_1;

    fn name(self) -> &'static str {
        match self {
            Self::R4_9_3 => "4.9.3",
            Self::R4_9_8 => "4.9.8",
            Self::R5_1_4 => "5.1.4",
            Self::R5_3_3 => "5.3.3",
            Self::R5_5_1 => "5.5.1",
        }
    }

    fn number(self) -> [u32; 3] {
        match self {
            Self::R4_9_3 => [4, 9, 3],
            Self::R4_9_8 => [4, 9, 8],
            Self::R5_1_4 => [5, 1, 4],
            Self::R5_3_3 => [5, 3, 3],
            Self::R5_5_1 => [5, 5, 1],
        }
    }

    fn decides_like(self, other: Self) -> bool {
        let rules = |known: Self| {
            rules::ALL
                .iter()
                .filter(move |rule| rule.is_in(known.number()))
        };
        self.policy() == other.policy()
            && rules(self)
                .map(|rule| rule.id)
                .eq(rules(other).map(|rule| rule.id))
    }
}

impl Known {
    pub fn policy(self) -> &'static Policy {
        match self {
            Self::R4_9_3 | Self::R4_9_8 => &R4_9,
            Self::R5_1_4 => &R5_1,
            Self::R5_3_3 => &R5_3,
            Self::R5_5_1 => &R5_5,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_in_between_takes_the_rules_below_it() {
        let release = Release::parse("rocketmq-4.9.5").unwrap();
        assert_eq!(release.rules_of().as_deref(), Some("4.9.3"));
        assert_eq!(Release::parse("rocketmq-4.9.8").unwrap().rules_of(), None);
        let release = Release::parse("5.2.0").unwrap();
        assert_eq!(release.rules_of().as_deref(), Some("5.1.4"));
    }

    #[test]
    fn a_release_without_known_rules_is_refused() {
        assert!(Release::parse("rocketmq-3.2.6").is_err());
        assert!(Release::parse("rocketmq-new").is_err());
    }
}
