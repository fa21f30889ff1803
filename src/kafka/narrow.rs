//! Which release wrote a log directory, as far as its files show: each sign gives a first or a last release, and what lies between is left.
//!
//! The newest data counts: a directory outlives its broker's upgrades. A file that only later releases write is a sign; that one is missing
//! is a sign only where an earlier release would have left the files around it.

use super::batches::Batches;
use super::layout;
use super::release::Known;
use crate::recovery::Place;
use crate::recovery::release::{Bound, Narrowed, Sign};
use crate::store::{ReadAt, ReadError, Store, StorePath};
use std::rc::Rc;

/// Batches of a partition's last segment that are looked at.
const BATCHES: usize = 20;

pub fn narrow(store: &Store) -> Result<Narrowed<Known>, ReadError> {
    let mut signs = Vec::new();
    flag_signs(store, &mut signs);
    file_signs(store, &mut signs);
    format_signs(store, &mut signs)?;
    Ok(Narrowed::by(signs))
}

/// `.kafka_cleanshutdown` was empty until 3.6; since then it holds the broker's epoch.
fn flag_signs(store: &Store, signs: &mut Vec<Sign>) {
    let path = StorePath::new(layout::CLEAN_SHUTDOWN_FILE);
    let Some(size) = store.get(&path).map(|file| file.size()) else {
        return;
    };
    let (bound, id) = if size == 0 {
        (Bound::Until("3.6"), "release-flag-empty")
    } else {
        (Bound::Since("3.7"), "release-flag-epoch")
    };
    let place = Some(Place::whole(&path, size));
    signs.push(Sign { bound, id, place });
}

/// Files that came with a release, and files that would be there by then.
fn file_signs(store: &Store, signs: &mut Vec<Sign>) {
    let in_partition = |wanted: &dyn Fn(&str) -> bool| {
        let found = store.files().find(|(path, _)| {
            let dir = path.parent();
            !dir.as_str().is_empty() && wanted(path.name())
        });
        found.map(|(path, file)| Place::whole(path, file.size()))
    };
    let named = |name: &'static str| in_partition(&move |found| found == name);
    let ending = |suffix: &'static str| in_partition(&move |found| found.ends_with(suffix));
    let mut since = |line, id, place: Option<Place>| {
        if place.is_some() {
            let bound = Bound::Since(line);
            signs.push(Sign { bound, id, place });
        }
    };
    let (epochs, times) = (named(layout::LEADER_EPOCHS), ending(layout::TIME_INDEX));
    since("2.8", "release-topic-id", named(layout::PARTITION_METADATA));
    since("0.11", "release-leader-epochs", epochs.clone());
    since("0.10.1", "release-time-index", times.clone());
    let index = in_partition(&|name| layout::is_index(name) && !name.ends_with(layout::TIME_INDEX));
    if index.is_some() && times.is_none() {
        signs.push(Sign {
            bound: Bound::Until("0.10.0"),
            id: "release-no-time-index",
            place: index,
        });
    } else if times.is_some() && epochs.is_none() {
        signs.push(Sign {
            bound: Bound::Until("0.10"),
            id: "release-no-leader-epochs",
            place: times,
        });
    }
}

/// How the newest batches are written.
fn format_signs(store: &Store, signs: &mut Vec<Sign>) -> Result<(), ReadError> {
    for (path, file) in last_segments(store) {
        let mut batches = Batches::look(&**file, path, 0, file.size());
        for _ in 0..BATCHES {
            let batch = match batches.next() {
                Ok(Some(batch)) => batch,
                Err(super::Thrown::Read(error)) => return Err(error),
                Ok(None) | Err(_) => break,
            };
            let (line, id) = match batch.magic {
                2 => ("0.11", "release-format-2"),
                1 => ("0.10.0", "release-format-1"),
                _ => continue,
            };
            signs.push(Sign {
                bound: Bound::Since(line),
                id,
                place: Some(Place::before(path, batch.position, batch.size)),
            });
            break;
        }
    }
    Ok(())
}

/// The last segment of each partition.
fn last_segments(store: &Store) -> impl Iterator<Item = (&StorePath, &Rc<dyn ReadAt>)> {
    let is_segment = |path: &StorePath| {
        path.as_str().ends_with(layout::LOG) && !path.parent().as_str().is_empty()
    };
    let mut segments = store.files().filter(move |(path, _)| is_segment(path));
    let mut next = segments.next();
    std::iter::from_fn(move || {
        let mut last = next?;
        loop {
            next = segments.next();
            match next {
                Some(segment) if segment.0.parent() == last.0.parent() => last = segment,
                _ => return Some(last),
            }
        }
    })
}
