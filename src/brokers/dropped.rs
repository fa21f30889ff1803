//! What a person drops or names: archives are looked into, and the stores are found, of which there may be several.
//!
//! Not here: whose a store is and what its files mean.

use crate::facts;
use crate::recovery::{Finding, Place, Severity};
use crate::store::archive::{self, Kind, LeftOut, Limits, Refused, Unpacked};
use crate::store::{ReadAt, Store, StorePath};
use std::rc::Rc;

/// Looks into archives that lie at the top. Nothing else at the top than one archive: its content takes its place, else each becomes
/// a folder. `tell` hears how much of an archive was read.
pub(super) fn look_into_archives(
    dropped: Store,
    tell: &mut dyn FnMut(u64, u64),
) -> (Store, Vec<Finding>) {
    let archives: Vec<(StorePath, Rc<dyn ReadAt>)> = dropped
        .files()
        .filter(|(path, file)| is_archive(path, &***file, dropped.len() == 1))
        .map(|(path, file)| (path.clone(), file.clone()))
        .collect();
    if archives.is_empty() {
        return (dropped, Vec::new());
    }
    let alone = archives.len() == 1 && dropped.len() == 1 && dropped.dirs().next().is_none();
    let mut findings = Vec::new();
    let mut opened = Store::new(dropped.name());
    for dir in dropped.dirs() {
        opened.insert_dir(dir.clone());
    }
    for (path, file) in dropped.files() {
        if archives.iter().all(|(archive, _)| archive != path) {
            opened.insert(path.clone(), file.clone());
        }
    }
    for (path, file) in archives {
        let name = Kind::by_name(path.name()).map_or(path.name(), |(_, stem)| stem);
        let size = file.size();
        match archive::open(name, file.clone(), Limits::default(), tell) {
            Ok(unpacked) => {
                tell_of(&path, size, &unpacked, &mut findings);
                if alone {
                    return (unpacked.store, findings);
                }
                put_below(&mut opened, name, &unpacked.store);
            }
            Err(refused) => {
                findings.push(told(&path, size, &refused));
                opened.insert(path, file);
            }
        }
    }
    (opened, findings)
}

/// By its name, and by its content where it is all there is. A read that fails is told when the archive is opened.
fn is_archive(path: &StorePath, file: &dyn ReadAt, alone: bool) -> bool {
    let at_top = path.parent().as_str().is_empty();
    let by_content = || Kind::by_content(file).is_ok_and(|kind| kind.is_some());
    at_top && (Kind::by_name(path.name()).is_some() || (alone && by_content()))
}

fn put_below(store: &mut Store, name: &str, inner: &Store) {
    let taken = |store: &Store, name: &str| {
        let path = StorePath::new(name);
        store.is_dir(&path) || store.get(&path).is_some()
    };
    let mut folder = name.to_owned();
    while taken(store, &folder) {
        folder.push('+');
    }
    let folder = StorePath::new(&folder);
    store.insert_dir(folder.clone());
    for dir in inner.dirs() {
        store.insert_dir(folder.join(dir.as_str()));
    }
    for (path, file) in inner.files() {
        store.insert(folder.join(path.as_str()), file.clone());
    }
}

/// What a person should know about an archive that was opened.
fn tell_of(path: &StorePath, size: u64, unpacked: &Unpacked, findings: &mut Vec<Finding>) {
    if let Some(damage) = &unpacked.damage {
        findings.push(Finding::new(
            "archive-cut",
            Severity::Error,
            Some(Place::before(path, damage.offset.min(size), 0)),
            facts! { path = path, offset = damage.offset, why = damage.why.as_str() },
        ));
    }
    for (why, left) in &unpacked.left_out {
        let severity = match why {
            LeftOut::Cut | LeftOut::Encrypted | LeftOut::Method => Severity::Error,
            LeftOut::Name | LeftOut::Earlier | LeftOut::Link => Severity::Warning,
            LeftOut::Special => Severity::Info,
        };
        findings.push(Finding::new(
            &format!("archive-left-{}", why.word()),
            severity,
            Some(Place::whole(path, size)),
            facts! { path = path, count = left.count, first = left.first.as_str() },
        ));
    }
}

/// Why an archive was not opened.
fn told(path: &StorePath, size: u64, refused: &Refused) -> Finding {
    let (id, facts) = match refused {
        Refused::NoArchive => ("archive-none", facts! { path = path }),
        Refused::TooManyEntries { limit } => {
            ("archive-entries", facts! { path = path, limit = *limit })
        }
        Refused::TooLarge { limit } => ("archive-large", facts! { path = path, limit = *limit }),
        Refused::TooMuchToHold { limit } => {
            ("archive-held", facts! { path = path, limit = *limit })
        }
        Refused::Damaged(damage) => (
            "archive-damaged",
            facts! { path = path, offset = damage.offset, why = damage.why.as_str() },
        ),
        Refused::Unreadable(error) => (
            "archive-unreadable",
            facts! { path = path, offset = error.offset, why = error.why.as_str() },
        ),
    };
    Finding::new(id, Severity::Error, Some(Place::whole(path, size)), facts)
}
