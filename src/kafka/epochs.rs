//! `LeaderEpochFileCache`: from which offset on which leader wrote, kept in `leader-epoch-checkpoint`.

use super::batches::small_file;
use super::format::checkpoint::{self, BadText, epoch_entry};
use super::segment::failure;
use super::{Broker, Failure, Run, Thrown, layout, rules};
use crate::facts;
use crate::recovery::{Facts, Place, Rule};
use crate::store::StorePath;
use std::collections::BTreeMap;

pub(super) struct LeaderEpochs {
    path: StorePath,
    pub entries: BTreeMap<i32, i64>,
}

impl LeaderEpochs {
    /// Of a release that knows no leader epochs.
    pub fn none(dir: &StorePath) -> Self {
        Self {
            path: dir.join(layout::LEADER_EPOCHS),
            entries: BTreeMap::new(),
        }
    }

    /// Reads the file, making an empty one if there is none.
    pub fn load(broker: &mut Broker<'_>, dir: &StorePath) -> Run<Self> {
        let path = dir.join(layout::LEADER_EPOCHS);
        let mut epochs = Self {
            path: path.clone(),
            entries: BTreeMap::new(),
        };
        let Some(file) = broker.disk.find(&path) else {
            broker.disk.create(path, 0);
            return Ok(epochs);
        };
        let bytes =
            small_file(broker.disk.reader(file)).map_err(|error| error.in_file(path.as_str()))?;
        let entries = match checkpoint::entries(&bytes, epoch_entry) {
            Ok(entries) => entries,
            Err(_) if !broker.has(&rules::EPOCHS_UNREADABLE) => Vec::new(),
            Err(bad) => return Err(epochs.unreadable(broker, &bad)),
        };
        for (epoch, offset) in entries {
            epochs.assign(epoch, offset)?;
        }
        Ok(epochs)
    }

    /// Marks the directory failed and throws; a word that is no number is another exception from 3.x on.
    fn unreadable(&self, broker: &Broker<'_>, bad: &BadText) -> Thrown {
        let failure = Failure {
            rule: &rules::EPOCHS_UNREADABLE,
            place: Some(Place::whole(&self.path, 0)),
            facts: super::bad_text_facts(&self.path, bad),
        };
        if matches!(bad, BadText::Number(_)) && !broker.policy.bad_number_is_malformed {
            Thrown::Fails(failure)
        } else {
            Thrown::Marked(failure)
        }
    }

    pub fn latest(&self) -> Option<i32> {
        self.entries.keys().next_back().copied()
    }

    /// Whether anything changed. An entry that goes back takes those above it away.
    fn assign(&mut self, epoch: i32, offset: i64) -> Run<bool> {
        if epoch < 0 || offset < 0 {
            return Err(failure(
                &self.path,
                0,
                "a leader epoch or its offset is below zero",
            ));
        }
        let is_needed = self
            .entries
            .iter()
            .next_back()
            .is_none_or(|(latest, start)| epoch != *latest || offset < *start);
        if is_needed {
            while let Some(last) = self.entries.last_entry() {
                if *last.key() < epoch && *last.get() < offset {
                    break;
                }
                last.remove();
            }
            self.entries.insert(epoch, offset);
        }
        Ok(is_needed)
    }

    pub fn assign_and_write(&mut self, broker: &mut Broker<'_>, epoch: i32, offset: i64) -> Run {
        if !broker.has(&rules::EPOCH_FOUND) {
            return Ok(());
        }
        if self.assign(epoch, offset)? {
            self.write(
                broker,
                &rules::EPOCH_FOUND,
                facts! { path = &self.path, epoch = epoch, offset = offset },
            )?;
        }
        Ok(())
    }

    fn text(&self) -> Vec<u8> {
        let lines = self
            .entries
            .iter()
            .map(|(epoch, offset)| format!("{epoch} {offset}"));
        checkpoint::write(lines.collect::<Vec<_>>().into_iter())
    }

    fn put(&self, broker: &mut Broker<'_>, later: bool) -> Run {
        if later {
            broker.scheduled.push((self.path.clone(), self.text()));
            return Ok(());
        }
        broker.replace(&self.path, &self.text())
    }

    fn write(&self, broker: &mut Broker<'_>, rule: &'static Rule, facts: Facts) -> Run {
        self.put(broker, false)?;
        broker.step(rule, Some(Place::whole(&self.path, 0)), facts, Vec::new());
        Ok(())
    }

    /// From 3.x on a task of the broker's scheduler: a start that fails does not come to it.
    fn write_later(&self, broker: &mut Broker<'_>, rule: &'static Rule, facts: Facts) -> Run {
        self.put(broker, broker.policy.epochs_flush_later)?;
        broker.step(rule, Some(Place::whole(&self.path, 0)), facts, Vec::new());
        Ok(())
    }

    /// Epochs that begin at or behind the log's end go.
    pub fn truncate_from_end(&mut self, broker: &mut Broker<'_>, end: i64) -> Run {
        let has_any = self
            .entries
            .iter()
            .next_back()
            .is_some_and(|(_, start)| *start >= end);
        if end < 0 || !has_any || !broker.has(&rules::EPOCHS_BEHIND_END) {
            return Ok(());
        }
        while let Some(last) = self.entries.last_entry() {
            if *last.get() < end {
                break;
            }
            last.remove();
        }
        self.write_later(
            broker,
            &rules::EPOCHS_BEHIND_END,
            facts! { path = &self.path, end = end },
        )
    }

    /// Epochs that end before the log begins go; the one that holds its start begins there.
    pub fn truncate_from_start(&mut self, broker: &mut Broker<'_>, start: i64) -> Run {
        if !broker.has(&rules::EPOCHS_BEFORE_START) {
            return Ok(());
        }
        let mut before = None;
        let entries = self.entries.clone();
        while let Some(first) = self.entries.first_entry() {
            if *first.get() > start {
                break;
            }
            before = Some(first.remove_entry().0);
        }
        let Some(epoch) = before else { return Ok(()) };
        self.entries.insert(epoch, start);
        if entries == self.entries {
            // Written all the same; the bytes are those that stood there, or how they are written today.
            return self.put(broker, broker.policy.epochs_flush_later);
        }
        self.write_later(
            broker,
            &rules::EPOCHS_BEFORE_START,
            facts! { path = &self.path, start = start, epoch = epoch },
        )
    }

    pub fn clear(&mut self, broker: &mut Broker<'_>) -> Run {
        self.entries.clear();
        self.put(broker, false)
    }
}
