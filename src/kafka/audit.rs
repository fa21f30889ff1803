//! The check that a clean stop spares: every batch, its checksum, its records, and the indexes against the log, whether a start looks at
//! them or not. Where it finds something, a consumer would too.
//!
//! A whole-file checksum there is none: a segment grows while it is used, so each batch carries its own. What a batch's does not cover
//! (its offset, its length, the leader epoch, in v2 the magic) is held against its neighbours here.

use super::batches::{Batch, Batches, small_file};
use super::format::index::{ABORTED_TXN, OFFSET_ENTRY, TIME_ENTRY, aborted_txn};
use super::format::snapshot;
use super::{Thrown, layout};
use crate::decode::Cursor;
use crate::decode::num::{pos_of, u64_of};
use crate::facts;
use crate::recovery::checked::{Checked, Seen};
use crate::recovery::{Facts, Finding, Outcome, Place, Progress, Severity};
use crate::store::{ReadAt, ReadError, Store, StorePath};
use std::collections::BTreeMap;

/// So many findings of a kind in one file are listed; the rest is counted.
const LISTED: u64 = 50;

/// Reads all of a log directory. `outcome` is that of a start, which says what a finding decided there.
pub fn audit(store: &Store, outcome: &Outcome, progress: &mut dyn FnMut(Progress)) -> Checked {
    let of = store
        .files()
        .filter(|(path, _)| is_segment(path))
        .fold(0, |sum, (_, file)| file.size().saturating_add(sum));
    let mut audit = Audit {
        store,
        outcome,
        progress,
        read: Progress { bytes: 0, of },
        seen: Seen::default(),
        findings: Vec::new(),
        listed: BTreeMap::new(),
    };
    let unread = audit.run().err();
    let mut findings = audit.findings;
    findings.sort_by_key(|finding| finding.severity);
    Checked::new(&outcome.broker, audit.seen, findings, unread)
}

struct Audit<'s> {
    store: &'s Store,
    outcome: &'s Outcome,
    progress: &'s mut dyn FnMut(Progress),
    read: Progress,
    seen: Seen,
    findings: Vec<Finding>,
    /// Findings so far, by kind and file.
    listed: BTreeMap<(&'static str, StorePath), u64>,
}

/// A batch as the indexes see it: where it begins, and the offsets it spans.
struct Known {
    position: u64,
    base: i64,
    last: i64,
}

fn is_segment(path: &StorePath) -> bool {
    path.as_str().ends_with(layout::LOG) && !path.parent().as_str().is_empty()
}

impl Audit<'_> {
    fn run(&mut self) -> Result<(), ReadError> {
        for (path, file) in self.store.files() {
            if is_segment(path) {
                let batches = self.segment(path, &**file)?;
                self.indexes(path, &batches)?;
            } else if path.as_str().ends_with(layout::SNAPSHOT) {
                let bytes = small_file(&**file)?;
                if let Err(bad) = snapshot::read(&bytes) {
                    let facts = facts! { path = path, why = format!("{bad:?}") };
                    let place = Place::whole(path, file.size());
                    self.find("k-snapshot-bad", Severity::Warning, place, facts);
                }
            }
        }
        Ok(())
    }

    fn find(&mut self, id: &'static str, severity: Severity, place: Place, facts: Facts) {
        let count = self.listed.entry((id, place.file.clone())).or_default();
        *count = count.saturating_add(1);
        if *count > LISTED {
            return;
        }
        let end = place.offset.saturating_add(place.length.max(1));
        let decides = self.outcome.trace.steps.iter().any(|step| {
            step.place.as_ref().is_some_and(|at| {
                at.file == place.file
                    && (place.offset..end).contains(&at.offset)
                    && step.rule.starts_with("k.check")
            })
        });
        let finding = Finding::new(id, severity, Some(place), facts);
        self.findings
            .push(if decides { finding.decisive() } else { finding });
    }

    /// Walks a segment's batches; behind one that is none, the next that can be found.
    fn segment(&mut self, path: &StorePath, file: &dyn ReadAt) -> Result<Vec<Known>, ReadError> {
        let base = layout::offset_of(path.name()).unwrap_or(0);
        let mut known = Vec::new();
        let mut expected = base;
        let mut at = 0;
        let mut told = 0u64;
        while at < file.size() {
            let mut batches = Batches::new(file, path, at, file.size());
            let stop = loop {
                match batches.next() {
                    Ok(Some(batch)) => {
                        self.batch(path, &mut batches, &batch, &mut expected, &mut known)?;
                        told = told.saturating_add(batch.size);
                        if told >= 4 << 20 {
                            self.tell(told);
                            told = 0;
                        }
                    }
                    Err(Thrown::Read(error)) => return Err(error),
                    Ok(None) | Err(_) => break batches.position(),
                }
            };
            if stop >= file.size() {
                break;
            }
            at = self.gap(path, file, stop)?;
        }
        self.tell(told);
        Ok(known)
    }

    fn tell(&mut self, bytes: u64) {
        self.read.bytes = self.read.bytes.saturating_add(bytes).min(self.read.of);
        (self.progress)(self.read);
    }

    /// Bytes that are no batch, up to the next one or the file's end.
    fn gap(&mut self, path: &StorePath, file: &dyn ReadAt, at: u64) -> Result<u64, ReadError> {
        let next = super::ledger::next_batch(file, path, at)?;
        let len = next.saturating_sub(at);
        let place = Place::before(path, at, len);
        let facts = facts! { path = path, at = at, bytes = len };
        if super::inspect::is_zeros(file, at)? {
            self.find("k-zeros", Severity::Warning, place, facts);
        } else {
            self.find("k-no-batch", Severity::Error, place, facts);
        }
        Ok(next)
    }

    fn batch(
        &mut self,
        path: &StorePath,
        batches: &mut Batches<'_>,
        batch: &Batch,
        expected: &mut i64,
        known: &mut Vec<Known>,
    ) -> Result<(), ReadError> {
        let place = Place::before(path, batch.position, batch.size);
        let last = batch.last_offset(path).unwrap_or(batch.offset);
        let about = |why: &str| facts! { path = path, at = batch.position, offset = batch.offset, last = last, why = why };
        match batches.ensure_valid(batch) {
            Ok(()) => {}
            Err(Thrown::Read(error)) => return Err(error),
            Err(_) => {
                self.find("k-checksum", Severity::Error, place, about(""));
                return Ok(());
            }
        }
        let records = match batches.records(batch) {
            Ok(records) => records,
            Err(Thrown::Read(error)) => return Err(error),
            Err(_) => return Ok(()),
        };
        if let Some(fault) = records.fault {
            let why = match fault {
                super::format::record::Fault::Invalid(why)
                | super::format::record::Fault::Throws(why) => why,
            };
            self.find("k-records", Severity::Error, place.clone(), about(why));
        }
        let first = match records.records.first() {
            Some(record) => record.offset,
            None => batch.offset,
        };
        if first < *expected {
            let mut facts = about("");
            facts.insert("expected".into(), (*expected).into());
            facts.insert("first".into(), first.into());
            self.find("k-offset-back", Severity::Error, place, facts);
        }
        *expected = last.wrapping_add(1);
        let covered = if batch.is_v2() { 21 } else { 16 };
        self.seen.messages = self
            .seen
            .messages
            .saturating_add(u64_of(records.records.len()));
        self.seen.message_bytes = self.seen.message_bytes.saturating_add(batch.size);
        self.seen.covered_bytes = self
            .seen
            .covered_bytes
            .saturating_add(batch.size.saturating_sub(covered));
        known.push(Known {
            position: batch.position,
            base: first,
            last,
        });
        Ok(())
    }

    /// The three indexes of a segment against its batches.
    fn indexes(&mut self, log: &StorePath, batches: &[Known]) -> Result<(), ReadError> {
        let base = layout::offset_of(log.name()).unwrap_or(0);
        let dir = log.parent();
        let beside = |extension| layout::file(&dir, base, extension, "");
        let path = beside(layout::INDEX);
        match self.store.get(&path) {
            Some(file) => {
                let bytes = small_file(&**file)?;
                self.offset_index(&path, &bytes, base, batches);
            }
            None => {
                let facts = facts! { path = &path };
                self.find(
                    "k-index-missing",
                    Severity::Warning,
                    Place::missing(&path),
                    facts,
                );
            }
        }
        let path = beside(layout::TIME_INDEX);
        if let Some(file) = self.store.get(&path) {
            let bytes = small_file(&**file)?;
            self.time_index(&path, &bytes);
        }
        let path = beside(layout::TXN_INDEX);
        if let Some(file) = self.store.get(&path) {
            let bytes = small_file(&**file)?;
            for (no, entry) in bytes.chunks(34).enumerate() {
                let at = u64_of(no).saturating_mul(ABORTED_TXN);
                let read = aborted_txn(&mut Cursor::whole(entry), &mut ());
                self.seen.entries = self.seen.entries.saturating_add(1);
                if read.is_ok_and(|txn| txn.version == 0 && txn.last_offset >= base) {
                    continue;
                }
                let facts = facts! { path = &path, at = at };
                let place = Place::before(&path, at, u64_of(entry.len()));
                self.find("k-txn-index", Severity::Error, place, facts);
            }
        }
        Ok(())
    }

    /// An entry names a batch's position and an offset in it. Zeros behind the last entry are room.
    fn offset_index(&mut self, path: &StorePath, bytes: &[u8], base: i64, batches: &[Known]) {
        for (no, entry) in bytes.chunks(8).enumerate() {
            if entry.iter().all(|byte| *byte == 0) {
                break;
            }
            let at = u64_of(no).saturating_mul(OFFSET_ENTRY);
            let mut cursor = Cursor::whole(entry);
            let read = cursor.i32().and_then(|offset| Ok((offset, cursor.i32()?)));
            let (relative, position) = read.unwrap_or((-1, -1));
            let offset = base.wrapping_add(i64::from(relative));
            self.seen.entries = self.seen.entries.saturating_add(1);
            let found = batches
                .binary_search_by_key(&pos_of(i64::from(position)), |batch| batch.position)
                .ok()
                .and_then(|no| batches.get(no));
            // Up to 0.10 an entry has the first offset; later the last one of what was appended at once, which may be several batches.
            let is_last = || {
                batches
                    .binary_search_by_key(&offset, |batch| batch.last)
                    .is_ok()
            };
            let fits =
                found.is_some_and(|batch| offset == batch.base || offset > batch.base && is_last());
            if !fits {
                let facts = facts! { path = path, at = at, offset = offset, position = position };
                let place = Place::before(path, at, u64_of(entry.len()));
                self.find("k-index-entry", Severity::Error, place, facts);
            }
        }
    }

    fn time_index(&mut self, path: &StorePath, bytes: &[u8]) {
        let mut before = (i64::MIN, i32::MIN);
        for (no, entry) in bytes.chunks(12).enumerate() {
            if entry.iter().all(|byte| *byte == 0) {
                break;
            }
            let at = u64_of(no).saturating_mul(TIME_ENTRY);
            let mut cursor = Cursor::whole(entry);
            let read = cursor.i64().and_then(|time| Ok((time, cursor.i32()?)));
            self.seen.entries = self.seen.entries.saturating_add(1);
            match read {
                Ok(now) if now.0 > before.0 && now.1 >= before.1 => before = now,
                _ => {
                    let facts = facts! { path = path, at = at };
                    let place = Place::before(path, at, u64_of(entry.len()));
                    self.find("k-time-index", Severity::Error, place, facts);
                }
            }
        }
    }
}
