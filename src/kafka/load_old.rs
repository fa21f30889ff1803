//! `Log#loadSegments` of 0.10 and 0.8: no leader epochs, no producers, indexes mapped as soon as a segment is opened.

use super::epochs::LeaderEpochs;
use super::layout::{self, DirMark, DirName};
use super::load_log::{Known, Loader, Log};
use super::producers::Producers;
use super::release::Old;
use super::segment::Segment;
use super::{Broker, Failure, Run, Thrown, bad_name, rules};
use crate::decode::java;
use crate::facts;
use crate::recovery::{Facts, Place};
use crate::store::StorePath;

impl Log {
    pub fn load_old(
        broker: &mut Broker<'_>,
        dir: &StorePath,
        name: DirName,
        known: Known,
        old: Old,
    ) -> Run<Log> {
        let (epochs, producers) = (LeaderEpochs::none(dir), Producers::none(dir));
        let mut loader = Loader::new(dir, known, producers, epochs);
        let is_deleted = name.mark == DirMark::Delete;
        let loaded = loader.load_old(broker, old, is_deleted);
        broker
            .seen
            .note_walk(dir, &loader.recovered, &loader.rebuilt);
        let recovery_point = loaded?;
        let log_end = match loader.segments.last_entry() {
            Some(mut last) => last.get_mut().read_next_offset(broker)?,
            None => 0,
        };
        Ok(Log {
            dir: dir.clone(),
            name,
            log_start: loader.segments.keys().next().copied().unwrap_or(0),
            segments: loader.segments,
            producers: loader.producers,
            epochs: loader.epochs,
            recovery_point,
            log_end,
            first_unstable: None,
            topic_id: None,
        })
    }
}

impl Loader {
    /// The recovery point.
    fn load_old(&mut self, broker: &mut Broker<'_>, old: Old, is_deleted: bool) -> Run<i64> {
        let swaps = self.remove_old_leftovers(broker, old);
        self.load_old_segments(broker, old)?;
        for name in swaps {
            self.recover_old_swap(broker, &name)?;
        }
        let mut recovery_point = self.known.recovery_point;
        if self.segments.is_empty() {
            self.open_new(broker, 0);
            if let Some(mut first) = self.segments.last_entry() {
                first.get_mut().map_indexes(broker)?;
            }
        } else if !is_deleted {
            if self.known.had_clean_shutdown {
                if let Some(mut last) = self.segments.last_entry() {
                    recovery_point = last.get_mut().read_next_offset(broker)?;
                }
            } else {
                self.walk_unflushed(broker)?;
            }
            if let Some(mut last) = self.segments.last_entry() {
                last.get_mut().resize_indexes(broker)?;
            }
        }
        if !old.checks_indexes_first {
            self.refuse_bad_indexes(broker)?;
        }
        Ok(recovery_point)
    }

    /// `.deleted` and `.cleaned` files go; of a `.swap` log the index beside it goes, to be made anew.
    fn remove_old_leftovers(&self, broker: &mut Broker<'_>, old: Old) -> Vec<String> {
        let mut swaps = Vec::new();
        for name in broker.disk.names_in(&self.dir) {
            let path = self.dir.join(&name);
            let facts = facts! { path = &path };
            if name.ends_with(layout::DELETED) {
                self.delete_file(broker, &name, &rules::FILE_DELETED, facts);
            } else if name.ends_with(layout::CLEANED) {
                self.delete_file(broker, &name, &rules::FILE_CLEANED, facts);
            } else if let Some(plain) = name.strip_suffix(layout::SWAP) {
                if plain.ends_with(layout::INDEX) {
                    self.delete_file(broker, &name, &rules::SWAP_INDEX_DELETED, facts);
                } else if let Some(stem) = plain.strip_suffix(layout::LOG) {
                    let index = format!("{stem}{}", layout::INDEX);
                    let of_index = facts! { path = &self.dir.join(&index) };
                    self.delete_file(broker, &index, &rules::SWAP_INDEX_DELETED, of_index);
                    if old.replaces_swapped {
                        swaps.push(name);
                    } else if broker.has(&rules::SWAP_RECOVERED)
                        && let Some(file) = broker.disk.find(&path)
                    {
                        broker.rename(file, self.dir.join(plain));
                        let place = Place::whole(&path, 0);
                        broker.step(&rules::SWAP_RECOVERED, Some(place), facts, Vec::new());
                    }
                }
            }
        }
        swaps
    }

    fn load_old_segments(&mut self, broker: &mut Broker<'_>, old: Old) -> Run {
        for name in broker.disk.names_in(&self.dir) {
            let path = self.dir.join(&name);
            let is_time_index = old.has_time_index && name.ends_with(layout::TIME_INDEX);
            if name.ends_with(layout::INDEX) || is_time_index {
                let stem = name
                    .strip_suffix(layout::TIME_INDEX)
                    .or_else(|| name.strip_suffix(layout::INDEX))
                    .unwrap_or(&name);
                let log = self.dir.join(&format!("{stem}{}", layout::LOG));
                if broker.disk.find(&log).is_none() {
                    let facts = facts! { path = &path, log = &log };
                    self.delete_file(broker, &name, &rules::INDEX_ORPHAN, facts);
                }
            } else if let Some(stem) = name.strip_suffix(layout::LOG) {
                let base = java::parse_long(stem).ok_or_else(|| bad_name(&path))?;
                let segment = self.open_old_segment(broker, base, old)?;
                self.segments.insert(base, segment);
            }
        }
        Ok(())
    }

    fn open_old_segment(&mut self, broker: &mut Broker<'_>, base: i64, old: Old) -> Run<Segment> {
        let index = layout::file(&self.dir, base, layout::INDEX, "");
        let times = layout::file(&self.dir, base, layout::TIME_INDEX, "");
        let has_index = broker.disk.find(&index).is_some();
        let has_times = broker.disk.find(&times).is_some();
        let mut segment = self.open(broker, base, "");
        segment.map_indexes(broker)?;
        if broker.holds(&rules::INDEX_MISSING, !has_index) {
            let facts = facts! { path = &index, log = &segment.path() };
            let place = Place::missing(&index);
            broker.step(&rules::INDEX_MISSING, Some(place), facts, Vec::new());
            self.rebuilt.push(base);
            segment.recover(broker, &mut Producers::none(&self.dir), None)?;
            return Ok(segment);
        }
        if !old.checks_indexes_first {
            return Ok(segment);
        }
        let mut bad = segment.bad_offset_index(broker)?;
        if bad.is_none() {
            if broker.holds(&rules::TIME_INDEX_MISSING, !has_times) {
                let place = Place::missing(&times);
                segment
                    .time_index
                    .get(&mut broker.disk)?
                    .resize(&mut broker.disk, 0)?;
                let facts = facts! { path = &times };
                broker.step(&rules::TIME_INDEX_MISSING, Some(place), facts, Vec::new());
            }
            bad = segment.bad_time_index(broker)?;
        }
        if let Some(facts) = bad.filter(|_| broker.has(&rules::INDEX_CORRUPT)) {
            let place = Place::whole(&index, 0);
            broker.step(&rules::INDEX_CORRUPT, Some(place), facts, Vec::new());
            self.rebuilt.push(base);
            // Both are deleted and made anew, so nothing of the old entries is left where the rebuild ends early.
            segment.offset_index.delete(&mut broker.disk);
            segment.time_index.delete(&mut broker.disk);
            segment.recover(broker, &mut Producers::none(&self.dir), None)?;
        }
        Ok(segment)
    }

    /// 0.10: a swapped segment is checked, and replaces every segment it covers.
    fn recover_old_swap(&mut self, broker: &mut Broker<'_>, name: &str) -> Run {
        let stem = name
            .strip_suffix(layout::SWAP)
            .and_then(|plain| plain.strip_suffix(layout::LOG));
        let path = self.dir.join(name);
        let base = stem
            .and_then(java::parse_long)
            .ok_or_else(|| bad_name(&path))?;
        let mut segment = self.open(broker, base, layout::SWAP);
        segment.map_indexes(broker)?;
        let place = Place::whole(&path, segment.size);
        broker.step(
            &rules::SWAP_RECOVERED,
            Some(place),
            facts! { path = &path },
            Vec::new(),
        );
        if broker.has(&rules::SWAP_RECOVERED) {
            segment.recover(broker, &mut Producers::none(&self.dir), None)?;
        }
        let next = segment.read_next_offset(broker)?;
        let covered = super::load_log::bases_between(&self.segments, base, next.max(base));
        self.replace_segments(broker, vec![segment], &covered);
        Ok(())
    }

    /// 0.8: behind the walk every index is looked at, and a bad one ends the start.
    fn refuse_bad_indexes(&mut self, broker: &mut Broker<'_>) -> Run {
        for segment in self.segments.values_mut() {
            if let Some(facts) = segment.bad_offset_index(broker)? {
                let path = segment.offset_index.path.clone();
                return Err(Thrown::Fails(Failure {
                    rule: &rules::INDEX_REFUSED,
                    place: Some(Place::whole(&path, 0)),
                    facts,
                }));
            }
        }
        Ok(())
    }
}

impl Segment {
    /// `OffsetIndex.sanityCheck`: why the index counts as corrupt. The last entry must lie above the base, so that an index with zeros
    /// at its end, as every crash leaves it, counts as one.
    fn bad_offset_index(&mut self, broker: &mut Broker<'_>) -> Run<Option<Facts>> {
        let base = self.base_offset;
        let path = self.offset_index.path.clone();
        let index = self.offset_index.get(&mut broker.disk)?;
        let is_behind = index.entries > 0 && index.last.0 <= base;
        let is_cut = !index.length.is_multiple_of(8);
        Ok((is_behind || is_cut).then(
            || facts! { path = &path, last = index.last.0, base = base, size = index.length },
        ))
    }

    fn bad_time_index(&mut self, broker: &mut Broker<'_>) -> Run<Option<Facts>> {
        let base = self.base_offset;
        let path = self.time_index.path.clone();
        let index = self.time_index.get(&mut broker.disk)?.clone();
        let is_bad = match index.entries {
            0 => false,
            _ => index.last.0 < index.entry(&broker.disk, 0)?.0 || index.last.1 < base,
        };
        let is_cut = !index.length.is_multiple_of(12);
        Ok((is_bad || is_cut).then(
            || facts! { path = &path, last = index.last.1, base = base, size = index.length },
        ))
    }
}
