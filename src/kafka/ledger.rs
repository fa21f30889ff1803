//! The bytes of the segments' files by what becomes of them. What is cut is looked through once more, since the broker does not: how
//! many whole batches lie behind the cut?

use super::batches::{Batch, Batches, record_count};
use super::{Broker, Thrown, layout};
use crate::decode::num::{long_of, u64_of, usize_of};
use crate::recovery::outcome::{Amount, Ledger};
use crate::store::find::end_of_data;
use crate::store::{ReadAt, ReadError, StorePath, Window};

/// The ledger, and the stretches of the axis that hold what is cut.
pub(super) fn ledger(
    broker: &Broker<'_>,
    started: bool,
) -> Result<(Ledger, Vec<(i64, i64)>), ReadError> {
    let mut sums = Sums::default();
    let mut kept = Amount::new(0, 0);
    let mut unread = 0u64;
    let mut dirty = Vec::new();
    for (path, file) in broker.store.files() {
        let Some(axis) = broker.map.axis(path) else {
            continue;
        };
        let size = file.size();
        sums.total = sums.total.saturating_add(size);
        let dir = path.parent();
        let loaded = broker.logs.iter().find(|log| log.dir == dir);
        let base = layout::offset_of(path.name()).ok();
        let segment = loaded
            .zip(base)
            .and_then(|(log, base)| log.segments.get(&base))
            .filter(|segment| segment.path() == *path);
        let left = match segment {
            Some(segment) => segment.size.min(size),
            None if loaded.is_some() && broker.disk.find(path).is_none() => 0,
            None => size,
        };
        if !started && loaded.is_none() {
            unread = unread.saturating_add(size);
            continue;
        }
        let was_walked = base.is_some_and(|base| broker.seen.was_walked(&dir, base));
        if was_walked && segment.is_some() {
            let messages = count(&**file, path, left)?;
            kept.bytes = kept.bytes.saturating_add(left);
            kept.messages = kept
                .messages
                .zip(messages)
                .map(|(sum, more)| sum.saturating_add(more));
        } else {
            unread = unread.saturating_add(left);
        }
        if left < size {
            sums.add_cut(&**file, path, left)?;
            let offset = |at: u64| axis.saturating_add(long_of(at));
            dirty.push((offset(left), offset(size)));
        }
    }
    let mut ledger = Ledger {
        kept,
        cut_readable: Amount::new(sums.readable, sums.records),
        cut_unreadable: Amount {
            bytes: sums.unreadable,
            messages: (sums.unreadable == 0).then_some(0),
        },
        blank: Amount::new(0, 0),
        unwritten: Amount::new(sums.unwritten, 0),
        unread: Amount {
            bytes: unread,
            messages: (unread == 0).then_some(0),
        },
        total: Amount::unknown(sums.total),
    };
    ledger.total.messages = [
        ledger.kept.messages,
        ledger.cut_readable.messages,
        ledger.cut_unreadable.messages,
        ledger.unread.messages,
    ]
    .into_iter()
    .try_fold(0u64, |sum, messages| Some(sum.saturating_add(messages?)));
    Ok((ledger, dirty))
}

#[derive(Default)]
struct Sums {
    total: u64,
    readable: u64,
    records: u64,
    unreadable: u64,
    unwritten: u64,
}

fn read_error(thrown: Thrown) -> Option<ReadError> {
    match thrown {
        Thrown::Read(error) => Some(error),
        _ => None,
    }
}

/// Records of the good batches up to a position; `None` where only unpacking would tell.
fn count(file: &dyn ReadAt, path: &StorePath, to: u64) -> Result<Option<u64>, ReadError> {
    let mut batches = Batches::new(file, path, 0, to);
    let mut records = Some(0u64);
    loop {
        match batches.next() {
            Ok(Some(batch)) => {
                records = records
                    .zip(record_count(&batch))
                    .map(|(sum, more)| sum.saturating_add(more));
            }
            Ok(None) => return Ok(records),
            Err(thrown) => match read_error(thrown) {
                Some(error) => return Err(error),
                None => return Ok(records),
            },
        }
    }
}

impl Sums {
    /// Sorts the bytes behind a cut: whole batches whose checksum holds, what is none, and zeros to the end.
    fn add_cut(&mut self, file: &dyn ReadAt, path: &StorePath, from: u64) -> Result<(), ReadError> {
        let size = file.size();
        let end = end_of_data(file, from)?;
        self.unwritten = self.unwritten.saturating_add(size.saturating_sub(end));
        let mut at = from;
        let mut window = Window::scan(file);
        while at < end {
            match whole_batch(file, path, at)? {
                Some(batch) => {
                    let read = batch.size.min(end.saturating_sub(at));
                    self.readable = self.readable.saturating_add(read);
                    self.records = self
                        .records
                        .saturating_add(record_count(&batch).unwrap_or(1));
                    at = batch.end();
                }
                None => {
                    let next = next_candidate(&mut window, at.saturating_add(1), end)?;
                    self.unreadable = self.unreadable.saturating_add(next.saturating_sub(at));
                    at = next;
                }
            }
        }
        Ok(())
    }
}

/// Where the next whole batch begins from a place on that holds none; the file's end if there is none.
pub(super) fn next_batch(file: &dyn ReadAt, path: &StorePath, from: u64) -> Result<u64, ReadError> {
    let mut window = Window::scan(file);
    let mut at = from;
    while at < file.size() {
        at = next_candidate(&mut window, at.saturating_add(1), file.size())?;
        if whole_batch(file, path, at)?.is_some() {
            return Ok(at);
        }
    }
    Ok(file.size())
}

fn whole_batch(file: &dyn ReadAt, path: &StorePath, at: u64) -> Result<Option<Batch>, ReadError> {
    let mut batches = Batches::look(file, path, at, file.size());
    let batch = match batches.next() {
        Ok(Some(batch)) if (0..=2).contains(&batch.magic) => batch,
        Ok(_) => return Ok(None),
        Err(thrown) => return read_error(thrown).map_or(Ok(None), Err),
    };
    match batches.ensure_valid(&batch) {
        Ok(()) => Ok(Some(batch)),
        Err(thrown) => read_error(thrown).map_or(Ok(None), Err),
    }
}

/// The next place where a batch could begin: a length that a batch can have, and a magic that there is.
fn next_candidate(window: &mut Window<'_>, from: u64, end: u64) -> Result<u64, ReadError> {
    let mut at = from;
    while at.saturating_add(17) <= end {
        let bytes = window.from(at, 17)?;
        let left = usize_of(end.saturating_sub(at)).min(bytes.len());
        let bytes = bytes.get(..left).unwrap_or(bytes);
        let found = bytes.windows(17).position(|head| {
            let length = head
                .get(8..)
                .and_then(<[u8]>::first_chunk::<4>)
                .map_or(0, |length| u64::from(u32::from_be_bytes(*length)));
            head.last().is_some_and(|magic| *magic <= 2)
                && length >= 14
                && length <= end.saturating_sub(at)
        });
        if let Some(found) = found {
            return Ok(at.saturating_add(u64_of(found)));
        }
        at = at.saturating_add(u64_of(left).saturating_sub(16).max(1));
    }
    Ok(end)
}
