//! The dropped files: a tree of named, readable byte sources. Knows no broker and writes nothing.
//!
//! Not here: what a path means (that is each broker's `role`), and writes (see [`overlay`]).

pub mod archive;
#[cfg(not(target_arch = "wasm32"))]
pub mod disk;
pub mod find;
pub mod overlay;
mod read_at;
mod window;

pub use read_at::{ReadAt, ReadError};
pub use window::Window;

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

/// A path inside a store, `/`-separated and relative to the store's root: `commitlog/00000000000000000000`.
///
/// Not a `std::path::Path`: a store may come from an archive or a browser, and must read the same on every host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StorePath(Arc<str>);

impl StorePath {
    /// Takes any spelling of a relative path: empty parts and `.` are dropped, so `./a//b` is `a/b`.
    pub fn new(text: &str) -> Self {
        let parts: Vec<&str> = text
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
            .collect();
        Self(parts.join("/").into())
    }

    /// `name` below this folder, spelled as it is given: a corrupt topic may hold any character.
    pub fn join(&self, name: &str) -> Self {
        if self.0.is_empty() {
            Self(name.into())
        } else {
            Self(format!("{}/{name}", self.0).into())
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last part: `commitlog/000…` has the name `000…`.
    pub fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// The folder this lies in; the root for a single name.
    pub fn parent(&self) -> Self {
        match self.0.rsplit_once('/') {
            Some((parent, _)) => Self(parent.into()),
            None => Self("".into()),
        }
    }

    /// The path seen from `folder`, if it lies below it.
    pub fn below(&self, folder: &StorePath) -> Option<&str> {
        if folder.0.is_empty() {
            return Some(&self.0);
        }
        self.0.strip_prefix(folder.as_str())?.strip_prefix('/')
    }
}

impl fmt::Display for StorePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for StorePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// One entry of a folder, as a directory listing gives it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    pub name: String,
    pub is_dir: bool,
}

/// The dropped files. Cloning is cheap: the bytes are shared.
#[derive(Clone, Default)]
pub struct Store {
    name: String,
    files: BTreeMap<StorePath, Rc<dyn ReadAt>>,
    dirs: BTreeSet<StorePath>,
}

impl Store {
    /// `name` is what a person calls it: the dropped folder's name.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn insert(&mut self, path: StorePath, file: Rc<dyn ReadAt>) {
        self.insert_dir(path.parent());
        self.files.insert(path, file);
    }

    /// Leaves a file out; its folder stays.
    pub fn remove(&mut self, path: &StorePath) {
        self.files.remove(path);
    }

    /// Names a folder, which matters when it is empty: an empty queue folder still is a queue to the broker.
    pub fn insert_dir(&mut self, path: StorePath) {
        let mut dir = path;
        while !dir.as_str().is_empty() && self.dirs.insert(dir.clone()) {
            dir = dir.parent();
        }
    }

    pub fn get(&self, path: &StorePath) -> Option<&Rc<dyn ReadAt>> {
        self.files.get(path)
    }

    pub fn is_dir(&self, path: &StorePath) -> bool {
        path.as_str().is_empty() || self.dirs.contains(path)
    }

    pub fn files(&self) -> impl Iterator<Item = (&StorePath, &Rc<dyn ReadAt>)> {
        self.files.iter()
    }

    pub fn dirs(&self) -> impl Iterator<Item = &StorePath> {
        self.dirs.iter()
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.dirs.is_empty()
    }

    /// Bytes of all files together.
    pub fn bytes(&self) -> u64 {
        self.files
            .values()
            .fold(0, |sum, file| sum.saturating_add(file.size()))
    }

    /// What a listing of `dir` shows, files and folders, in name order; `None` if there is no such folder.
    pub fn list(&self, dir: &StorePath) -> Option<Vec<Entry>> {
        if !self.is_dir(dir) {
            return None;
        }
        let mut entries: Vec<Entry> = Vec::new();
        let direct = |path: &StorePath| {
            path.below(dir)
                .filter(|rest| !rest.is_empty() && !rest.contains('/'))
                .map(str::to_owned)
        };
        // Everything below a folder sorts between "folder/" and "folder0": '0' is the character after '/'.
        let (from, to) = if dir.as_str().is_empty() {
            (StorePath("".into()), None)
        } else {
            (
                StorePath(format!("{dir}/").into()),
                Some(StorePath(format!("{dir}0").into())),
            )
        };
        let inside = |path: &StorePath| to.as_ref().is_none_or(|to| path < to);
        for (path, _) in self
            .files
            .range(&from..)
            .take_while(|(path, _)| inside(path))
        {
            if let Some(name) = direct(path) {
                entries.push(Entry {
                    name,
                    is_dir: false,
                });
            }
        }
        for path in self.dirs.range(&from..).take_while(|path| inside(path)) {
            if let Some(name) = direct(path) {
                entries.push(Entry { name, is_dir: true });
            }
        }
        entries.sort();
        Some(entries)
    }

    /// The same files seen from a folder inside: paths lose the folder, files beside it stay out.
    pub fn rooted_at(&self, dir: &StorePath) -> Store {
        let mut store = Store::new(if dir.as_str().is_empty() {
            &self.name
        } else {
            dir.name()
        });
        for (path, file) in &self.files {
            if let Some(rest) = path.below(dir) {
                store.insert(StorePath::new(rest), file.clone());
            }
        }
        for path in &self.dirs {
            if let Some(rest) = path.below(dir) {
                store.insert_dir(StorePath::new(rest));
            }
        }
        store
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(paths: &[&str]) -> Store {
        let mut store = Store::new("s");
        for path in paths {
            store.insert(StorePath::new(path), Rc::new(Vec::from(*b"x")));
        }
        store
    }

    #[test]
    fn a_listing_shows_files_and_folders_of_one_level_in_name_order() {
        let mut store = store(&["a/2", "a/1", "a/b/c", "ab/x", "top"]);
        store.insert_dir(StorePath::new("a/empty"));
        let names: Vec<String> = store
            .list(&StorePath::new("a"))
            .unwrap()
            .into_iter()
            .map(|entry| entry.name)
            .collect();
        assert_eq!(names, ["1", "2", "b", "empty"]);
        assert_eq!(
            store.list(&StorePath::new("a/1")),
            None,
            "a file is no folder"
        );
        assert_eq!(store.list(&StorePath::new("")).unwrap().len(), 3);
    }

    #[test]
    fn spellings_of_one_path_are_one_path() {
        assert_eq!(StorePath::new("./a//b/"), StorePath::new("a/b"));
        assert_eq!(StorePath::new("a/b").parent(), StorePath::new("a"));
    }

    #[test]
    fn a_store_seen_from_inside_keeps_only_what_lies_below() {
        let inner = store(&["host/store/commitlog/0", "host/readme"])
            .rooted_at(&StorePath::new("host/store"));
        assert_eq!(inner.name(), "store");
        assert_eq!(inner.len(), 1);
        assert!(inner.get(&StorePath::new("commitlog/0")).is_some());
    }
}
