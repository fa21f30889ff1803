//! A commit log in several folders (`storePathCommitLog=/disk1/commitlog,/disk2/commitlog`): the broker loads the files of all of them as
//! one row, by their names (`MultiPathMappedFileQueue#load`, 4.8). So the files are put into one `commitlog/` here, and a finding says
//! from where.
//!
//! A setting says which folders they are. Without it a log that stands in folders of other names, and nowhere else, is taken for it;
//! beside a `commitlog/` other folders are told, and left alone: they may as well hold files that somebody moved away.

use super::beside::Beside;
use super::format::message;
use super::layout;
use crate::decode::Cursor;
use crate::facts;
use crate::recovery::{Finding, Place, Severity};
use crate::store::{Store, StorePath, Window};
use std::collections::BTreeSet;

/// The setting that names them.
pub const SETTING: &str = "storePathCommitLog";

/// A folder whose files are a log's.
struct Folder {
    path: StorePath,
    names: BTreeSet<String>,
}

/// Of several roots the one that is a store, where the others are nothing but further folders of its log.
pub fn root_of<'r>(dropped: &Store, roots: &'r [StorePath]) -> Option<&'r StorePath> {
    let (bare, whole): (Vec<&StorePath>, Vec<&StorePath>) = roots
        .iter()
        .partition(|root| holds_no_more_than_a_log(dropped, root));
    let [root] = whole.as_slice() else {
        return None;
    };
    let lacks_log = names_in(dropped, &root.join("commitlog")).is_empty();
    (!bare.is_empty() && lacks_log).then_some(*root)
}

fn holds_no_more_than_a_log(dropped: &Store, folder: &StorePath) -> bool {
    !dropped.is_dir(&folder.join("consumequeue"))
        && !dropped.is_dir(&folder.join("index"))
        && dropped.get(&folder.join("checkpoint")).is_none()
}

/// The store below a root, with the folders of its log joined.
pub fn join(dropped: &Store, root: &StorePath, setting: Option<&str>) -> (Store, Vec<Finding>) {
    let mut store = if root.as_str().is_empty() {
        dropped.clone()
    } else {
        dropped.rooted_at(root)
    };
    let folders = log_folders(dropped, root);
    let own = root.join("commitlog");
    let mut findings = Vec::new();
    let chosen: Vec<&Folder> = match setting {
        Some(setting) => named(&folders, setting, &mut findings),
        None if folders.iter().any(|folder| folder.path == own) => {
            findings.extend(tell_others(&folders, root, &own));
            return (store, findings);
        }
        None => folders.iter().collect(),
    };
    let mut joined: BTreeSet<&str> = BTreeSet::new();
    let mut from: Vec<&str> = Vec::new();
    for folder in &chosen {
        if folder
            .names
            .iter()
            .any(|name| joined.contains(name.as_str()))
        {
            findings.push(tell("log-copy", Severity::Warning, folder, root));
            continue;
        }
        joined.extend(folder.names.iter().map(String::as_str));
        from.push(folder.path.as_str());
        for name in &folder.names {
            let path = folder.path.join(name);
            if let Some(file) = dropped.get(&path).cloned() {
                if let Some(inside) = path.below(root) {
                    store.remove(&StorePath::new(inside));
                }
                store.insert(layout::commit_log_dir().join(name), file);
            }
        }
    }
    if from.iter().any(|path| *path != own.as_str()) {
        findings.push(Finding::new(
            "log-roots",
            Severity::Info,
            None,
            facts! { folders = from.join(", "), count = from.len(), files = joined.len() },
        ));
    }
    (store, findings)
}

/// Every folder that holds files of a log: in the store, and outside of it where it is no part of another store.
fn log_folders(dropped: &Store, root: &StorePath) -> Vec<Folder> {
    let is_of_else = |path: &StorePath| {
        let parts: Vec<&str> = path.as_str().split('/').collect();
        let inside = path.below(root).unwrap_or("");
        let inside: Vec<&str> = inside.split('/').chain(["0", "0"]).collect();
        parts
            .iter()
            .any(|part| ["consumequeue", "index", "config"].contains(part))
            || matches!(Beside::of(&inside), Some(kind) if kind != Beside::LogElsewhere)
    };
    let belongs = |path: &StorePath| {
        let parent = path.parent();
        parent == *root || holds_no_more_than_a_log(dropped, &parent)
    };
    let folders = dropped
        .dirs()
        .filter(|path| !is_of_else(path) && belongs(path));
    folders
        .filter_map(|path| {
            let names = names_in(dropped, path);
            let first = path.join(names.first()?);
            begins_with_a_record(dropped, &first).then(|| Folder {
                path: path.clone(),
                names,
            })
        })
        .collect()
}

fn names_in(dropped: &Store, folder: &StorePath) -> BTreeSet<String> {
    let listed = dropped.list(folder).unwrap_or_default();
    let is_offset =
        |name: &String| name.len() == 20 && name.bytes().all(|byte| byte.is_ascii_digit());
    listed
        .into_iter()
        .map(|entry| entry.name)
        .filter(|name| is_offset(name) && dropped.get(&folder.join(name)).is_some())
        .collect()
}

fn begins_with_a_record(dropped: &Store, path: &StorePath) -> bool {
    let Some(file) = dropped.get(path) else {
        return false;
    };
    let mut window = Window::with_block(&**file, 64);
    let bytes = window.from(0, 8).unwrap_or(&[]);
    message::frame(&mut Cursor::whole(bytes), &mut ()).is_ok_and(|frame| {
        frame.magic == message::BLANK_MAGIC || message::Version::is_message(frame.magic)
    })
}

/// The folders that a setting names: by as many of their last parts as were dropped. One that was not dropped is told.
fn named<'f>(folders: &'f [Folder], setting: &str, findings: &mut Vec<Finding>) -> Vec<&'f Folder> {
    let mut chosen: Vec<&Folder> = Vec::new();
    for path in setting.split(',').map(str::trim) {
        let parts_in_common = |folder: &Folder| {
            let asked = path.rsplit('/').filter(|part| !part.is_empty());
            let there = folder.path.as_str().rsplit('/');
            asked.zip(there).take_while(|(a, b)| a == b).count()
        };
        let free = folders
            .iter()
            .filter(|folder| !chosen.iter().any(|taken| taken.path == folder.path));
        match free.max_by_key(|folder| parts_in_common(folder)) {
            Some(folder) if parts_in_common(folder) > 0 => chosen.push(folder),
            _ => findings.push(
                Finding::new(
                    "log-root-missing",
                    Severity::Warning,
                    None,
                    facts! { path = path },
                )
                .limiting(),
            ),
        }
    }
    chosen
}

/// Folders beside `commitlog` that hold files of a log: copies, or what a setting may name as well.
fn tell_others(folders: &[Folder], root: &StorePath, own: &StorePath) -> Vec<Finding> {
    let of_own = folders.iter().find(|folder| folder.path == *own);
    let others = folders
        .iter()
        .filter(|folder| folder.path != *own && folder.path.parent() == *root);
    others
        .map(|folder| {
            let is_copy = of_own.is_some_and(|own| !own.names.is_disjoint(&folder.names));
            if is_copy {
                tell("log-copy", Severity::Info, folder, root)
            } else {
                tell("log-elsewhere", Severity::Warning, folder, root).limiting()
            }
        })
        .collect()
}

fn tell(id: &str, severity: Severity, folder: &Folder, root: &StorePath) -> Finding {
    let inside = folder.path.below(root).map(StorePath::new);
    let place = inside.as_ref().zip(folder.names.first());
    Finding::new(
        id,
        severity,
        place.map(|(path, name)| Place::before(&path.join(name), 0, 0)),
        facts! { path = inside.as_ref().unwrap_or(&folder.path), files = folder.names.len() },
    )
}
