//! Where the broker stood while it read a run of messages, message by message: so that a player can stand anywhere inside one step that
//! covers a million of them.
//!
//! A recovery tells a run as one step. Asked for its moments it runs once more and notes, as it reads the same messages, what changed
//! since the moment before. Nothing is worked out a second time by other rules.

use super::map::{MapNow, StoreMap};
use super::rule::Phase;
use super::trace::{Change, Fact, LaneEnd, Step, Trace};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Which moments are wanted: of the messages that end behind `from`, up to `to`, in one phase of the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stretch {
    pub phase: Phase,
    pub from: i64,
    pub to: i64,
}

/// A step that covers a run of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOfMessages {
    pub stretch: Stretch,
    pub messages: i64,
}

impl RunOfMessages {
    /// By the facts that such a step has: how many messages, from where to where in the log.
    pub fn of(step: &Step) -> Option<Self> {
        let fact = |name| match step.facts.get(name) {
            Some(Fact::Int(value)) => Some(*value),
            _ => None,
        };
        let (from, to, messages) = (fact("from")?, fact("to")?, fact("messages")?);
        let is_run = matches!(step.phase, Phase::Scan | Phase::Reput) && messages > 0 && from < to;
        is_run.then_some(Self {
            stretch: Stretch {
                phase: step.phase,
                from,
                to,
            },
            messages,
        })
    }
}

/// One message read, or several where there are too many to tell each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moment {
    /// Where the message ends in the log.
    pub log_offset: i64,
    /// Of the run, up to here.
    pub messages: u64,
    /// Steps that were told by now: some rules that fire on the way are steps of their own.
    pub steps: u32,
    /// Since the moment before, or since the last of these steps.
    pub changes: Vec<Change>,
}

/// Every moment of a stretch, or evenly chosen ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moments {
    pub stretch: Stretch,
    pub moments: Vec<Moment>,
}

impl Moments {
    /// The last moment at or before a log offset.
    pub fn at(&self, log_offset: i64) -> Option<usize> {
        self.moments
            .partition_point(|moment| moment.log_offset <= log_offset)
            .checked_sub(1)
    }

    /// The map at a moment.
    pub fn map(&self, map: &StoreMap, trace: &Trace, moment: usize) -> MapNow {
        let steps = self.moments.get(moment).map_or(0, |moment| moment.steps);
        let mut now = map.at(trace, steps);
        for moment in self.moments.iter().take(moment.saturating_add(1)) {
            // A step on the way tells what had moved before it; what was read is told at the end of the run alone.
            let is_told = moment.steps < steps;
            let is_read = |change: &&Change| matches!(change, Change::Verified { .. });
            for change in moment
                .changes
                .iter()
                .filter(|change| !is_told || is_read(change))
            {
                now.apply(change);
            }
        }
        now
    }
}

/// Collects the moments of a stretch while a recovery runs. Told after every message, it keeps those that are wanted.
pub struct MomentRecorder {
    stretch: Stretch,
    spacing: i64,
    next: i64,
    read_to: i64,
    messages: u64,
    told: u64,
    steps: usize,
    lanes: BTreeMap<usize, LaneEnd>,
    moments: Vec<Moment>,
}

impl MomentRecorder {
    /// Of about so many moments.
    pub fn new(stretch: Stretch, most: u32) -> Self {
        let bytes = stretch.to.saturating_sub(stretch.from).max(1);
        Self {
            stretch,
            spacing: bytes.checked_div(i64::from(most)).unwrap_or(1).max(1),
            next: stretch.from,
            read_to: stretch.from,
            messages: 0,
            told: 0,
            steps: 0,
            lanes: BTreeMap::new(),
            moments: Vec::new(),
        }
    }

    /// A message was read, from one log offset to another, after so many steps. True where its moment is wanted: then [`Self::tell`]
    /// follows.
    pub fn read(&mut self, phase: Phase, from: i64, to: i64, steps: usize) -> bool {
        let Stretch {
            phase: wanted,
            from: start,
            to: end,
        } = self.stretch;
        if phase != wanted || from < start || to > end {
            return false;
        }
        self.messages = self.messages.saturating_add(1);
        if self.steps != steps {
            self.steps = steps;
            self.lanes.clear();
        }
        let is_wanted = to >= self.next || to == end;
        if is_wanted {
            self.next = to.saturating_add(self.spacing);
        }
        is_wanted
    }

    /// A lane stands here now, and stood there at the last step; where it stood at the moment before, if it has moved since.
    pub fn moved(&mut self, lane: usize, before: LaneEnd, now: LaneEnd) -> Option<LaneEnd> {
        let told = self.lanes.insert(lane, now).unwrap_or(before);
        (told != now).then_some(told)
    }

    /// What changed up to a log offset. `verified`: the messages were checked as they were read.
    pub fn tell(&mut self, to: i64, verified: bool, mut changes: Vec<Change>) {
        if verified {
            changes.push(Change::Verified {
                from: self.read_to,
                to,
                messages: self.messages.saturating_sub(self.told),
            });
        }
        self.read_to = to;
        self.told = self.messages;
        self.moments.push(Moment {
            log_offset: to,
            messages: self.messages,
            steps: u32::try_from(self.steps).unwrap_or(u32::MAX),
            changes,
        });
    }

    pub fn finish(self) -> Moments {
        Moments {
            stretch: self.stretch,
            moments: self.moments,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRETCH: Stretch = Stretch {
        phase: Phase::Scan,
        from: 1000,
        to: 2000,
    };

    fn recorded(most: u32) -> Vec<(i64, u64)> {
        let mut recorder = MomentRecorder::new(STRETCH, most);
        for at in (0..30).map(|at| at * 100) {
            if recorder.read(Phase::Scan, at, at + 100, 7) {
                recorder.tell(at + 100, true, Vec::new());
            }
        }
        assert!(!recorder.read(Phase::Reput, 1500, 1600, 7), "another phase");
        let moments = recorder.finish().moments;
        moments
            .iter()
            .map(|moment| (moment.log_offset, moment.messages))
            .collect()
    }

    #[test]
    fn a_short_run_has_a_moment_for_every_message_and_a_long_one_its_share() {
        let all = recorded(1000);
        assert_eq!(all.len(), 10);
        assert_eq!((all[0], all[9]), ((1100, 1), (2000, 10)));
        let few = recorded(3);
        assert_eq!(few, [(1100, 1), (1500, 5), (1900, 9), (2000, 10)]);
    }

    #[test]
    fn between_two_messages_the_first_has_been_read() {
        let mut recorder = MomentRecorder::new(STRETCH, 10);
        for at in [1000, 1500] {
            assert!(recorder.read(Phase::Scan, at, at + 500, 1));
            recorder.tell(at + 500, false, Vec::new());
        }
        let moments = recorder.finish();
        assert_eq!(moments.at(1499), None);
        assert_eq!(moments.at(1500), Some(0));
        assert_eq!(moments.at(1999), Some(0));
        assert_eq!(moments.at(9999), Some(1));
    }
}
