//! What is wrong with a store, whether a start looks at it or not: every record, every queue unit and every index entry is read once
//! and held against the others.
//!
//! | file | looks at |
//! |---|---|
//! | [`log`] | the log from front to back: records, filler, what stands behind its end |
//! | [`units`] | each message's unit in its queue, and then the units that are no message's |
//! | [`entries`] | each message's index entries, and then the entries that are no message's; the chains |
//! | [`notes`] | the findings: how many of a kind are listed, and which step of a start hung on them |
//!
//! One pass over the log leads. Queues and index files are read beside it, since units and entries stand in the order of their
//! messages; so memory does not grow with the store. Nothing is decided here, and nothing is recovered.
//!
//! Not here: what the broker makes of it (that is the recovery), batch queues, queues in RocksDB, light queues (`%LMQ%`).

mod entries;
mod log;
mod notes;
mod units;

use super::check_message::{DelayLevels, DispatchRequest};
use super::layout::{self, Layout};
use super::options::{self, Options};
use super::release::Release;
use crate::brokers::Asked;
use crate::recovery::checked::{Checked, Seen};
use crate::recovery::{Outcome, Place, Progress};
use crate::store::{ReadError, Store, StorePath};
use entries::Entries;
use notes::Notes;
use units::Units;

/// A whole message of the log, where it stands.
struct Message<'m> {
    path: &'m StorePath,
    /// In its file.
    at: u64,
    /// In the log: where it stands, whatever its own field says.
    offset: i64,
    request: &'m DispatchRequest,
    record: &'m [u8],
}

impl Message<'_> {
    fn place(&self) -> Place {
        let size = u64::try_from(self.request.msg_size).unwrap_or(0);
        Place::before(self.path, self.at, size)
    }

    fn topic(&self) -> std::borrow::Cow<'_, str> {
        self.request.topic(self.record)
    }

    fn queue(&self) -> String {
        format!("{}/{}", self.topic(), self.request.queue_id)
    }
}

/// What a check reads, and how far it is.
struct Reading<'s> {
    store: &'s Store,
    options: Options,
    delays: DelayLevels,
    /// No abort: the broker was stopped, and what is in no order was so when it ran on.
    stopped_cleanly: bool,
    progress: Progress,
    tell: &'s mut dyn FnMut(Progress),
    seen: Seen,
}

impl Reading<'_> {
    fn read(&mut self, bytes: u64) {
        self.progress.bytes = self
            .progress
            .bytes
            .saturating_add(bytes)
            .min(self.progress.of);
        (self.tell)(self.progress);
    }
}

/// Reads the whole store. `outcome` is a start over it: it gives its own findings, and the steps that hung on one.
pub fn validate(
    store: &Store,
    asked: &Asked,
    outcome: &Outcome,
    tell: &mut dyn FnMut(Progress),
) -> Result<Checked, options::BadSetting> {
    let layout = Layout::of(store);
    let mut chosen = options::choose(asked, store, &layout)?;
    if let Ok(release) = Release::parse(&outcome.broker.release) {
        chosen.options.release = release.known;
    }
    let of = layout
        .files()
        .filter(|(_, role)| {
            matches!(
                role,
                layout::Role::CommitLog { .. } | layout::Role::Queue { .. } | layout::Role::Index
            )
        })
        .filter_map(|(path, _)| store.get(path))
        .fold(0u64, |sum, file| sum.saturating_add(file.size()));
    let mut reading = Reading {
        store,
        delays: DelayLevels::parse(&chosen.options.message_delay_level).unwrap_or_default(),
        options: chosen.options,
        stopped_cleanly: store.get(&layout::abort_file()).is_none(),
        progress: Progress { bytes: 0, of },
        tell,
        seen: Seen::default(),
    };
    let mut notes = Notes::default();
    // Units and entries that point into another log cannot be held to this one.
    let unread = if reading.options.dledger_commit_log {
        None
    } else {
        read_all(&mut reading, &layout, &mut notes).err()
    };
    Ok(Checked::new(
        &outcome.broker,
        reading.seen,
        notes.finish(outcome),
        unread,
    ))
}

fn read_all(
    reading: &mut Reading<'_>,
    layout: &Layout,
    notes: &mut Notes,
) -> Result<(), ReadError> {
    let mut units = Units::open(reading, layout, notes)?;
    let mut entries = Entries::open(reading, layout, notes)?;
    let log_end = log::walk(reading, layout, &mut units, &mut entries, notes)?;
    units.finish(reading, notes)?;
    entries.finish(reading, log_end, notes)
}
