//! What a person drops or picks, as names and file handles. Folders are walked to the end; nothing is read.
//!
//! A drop of ten thousand files is walked in batches, with a breath between them: the page goes on answering.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, FileList, FileSystemDirectoryEntry, FileSystemDirectoryReader, FileSystemEntry,
    FileSystemFileEntry,
};

/// The names of a drop, relative to its one folder if there is one.
#[derive(Clone, Default)]
pub struct Dropped {
    /// The folder's name, as a person calls it.
    pub name: String,
    pub files: Vec<String>,
    pub dirs: Vec<String>,
}

/// Names, and the handles in the same order. A handle is anything that is a `Blob`.
#[derive(Clone, Default)]
pub struct Files {
    pub names: Dropped,
    pub handles: Vec<JsValue>,
    pub sizes: Vec<u64>,
}

impl Files {
    pub fn is_empty(&self) -> bool {
        self.names.files.is_empty() && self.names.dirs.is_empty()
    }

    pub fn push(&mut self, path: String, handle: &web_sys::Blob) {
        self.names.files.push(path);
        self.sizes.push(handle.size() as u64);
        self.handles.push(handle.into());
    }

    /// A single folder gives the store its name, and paths go from there.
    fn below_single_folder(mut self) -> Self {
        if let [only] = self.names.files.as_slice()
            && self.names.dirs.is_empty()
            && !only.contains('/')
        {
            // An archive, most likely: a link calls it by its name.
            self.names.name.clone_from(only);
            return self;
        }
        let all = || self.names.files.iter().chain(&self.names.dirs);
        let Some(top) = all()
            .next()
            .and_then(|path| path.split('/').next())
            .map(str::to_owned)
        else {
            return self;
        };
        let inside = format!("{top}/");
        let is_folder = self.names.dirs.contains(&top)
            || self
                .names
                .files
                .iter()
                .all(|path| path.starts_with(&inside));
        if !is_folder || !all().all(|path| *path == top || path.starts_with(&inside)) {
            return self;
        }
        self.names.dirs.retain(|dir| *dir != top);
        for path in self.names.files.iter_mut().chain(&mut self.names.dirs) {
            path.drain(..inside.len());
        }
        self.names.name = top;
        self
    }
}

/// The entries of a drop. They must be taken while the event is handled; walking them comes after.
pub struct Entries {
    entries: Vec<FileSystemEntry>,
    plain: Option<FileList>,
}

pub fn entries(transfer: &DataTransfer) -> Entries {
    let items = transfer.items();
    let entry = |at| items.get(at)?.webkit_get_as_entry().ok().flatten();
    Entries {
        entries: (0..items.length()).filter_map(entry).collect(),
        plain: transfer.files(),
    }
}

/// Walks everything below the entries. `counted` hears how many files there are so far.
pub async fn walk(dropped: Entries, counted: impl Fn(usize)) -> Result<Files, String> {
    if dropped.entries.is_empty() {
        return Ok(dropped
            .plain
            .map_or_else(Files::default, |list| picked(&list)));
    }
    let mut files = Files::default();
    let mut folders = Vec::new();
    let mut rested = js_sys::Date::now();
    sort(dropped.entries, &mut files, &mut folders).await?;
    let mut open: Vec<FileSystemDirectoryReader> = Vec::new();
    loop {
        let room = AT_ONCE.saturating_sub(open.len());
        for folder in folders.drain(folders.len().saturating_sub(room)..) {
            files.names.dirs.push(path_of(&folder));
            open.push(folder.create_reader());
        }
        if open.is_empty() {
            return Ok(files.below_single_folder());
        }
        // A browser hands out a hundred entries a call, and an empty list at the end of a folder.
        let batches = all(open.iter().map(read_entries)).await?;
        let mut found = Vec::new();
        let mut batches = batches.iter();
        open.retain(|_| {
            let entries = batches
                .next()
                .map(|batch| js_sys::Array::from(&batch))
                .unwrap_or_default();
            found.extend(entries.iter().map(JsCast::unchecked_into));
            entries.length() > 0
        });
        sort(found, &mut files, &mut folders).await?;
        if js_sys::Date::now() - rested > WORK_MS {
            counted(files.names.files.len());
            breath().await;
            rested = js_sys::Date::now();
        }
    }
}

/// Folders read at the same time: each call waits for the browser, and little else.
const AT_ONCE: usize = 32;
/// So long at a time, then the page may draw and answer.
const WORK_MS: f64 = 25.0;

async fn all(promises: impl Iterator<Item = js_sys::Promise>) -> Result<js_sys::Array, String> {
    let promises: js_sys::Array = promises.map(JsValue::from).collect();
    let done = JsFuture::from(js_sys::Promise::all(&promises)).await;
    Ok(js_sys::Array::from(
        &done.map_err(|error| crate::wire::describe(&error))?,
    ))
}

/// Folders to walk, and files with their handles.
async fn sort(
    entries: Vec<FileSystemEntry>,
    files: &mut Files,
    folders: &mut Vec<FileSystemDirectoryEntry>,
) -> Result<(), String> {
    let (plain, dirs): (Vec<_>, Vec<_>) = entries.into_iter().partition(FileSystemEntry::is_file);
    folders.extend(
        dirs.into_iter()
            .map(JsCast::unchecked_into::<FileSystemDirectoryEntry>),
    );
    let handles = all(plain.iter().map(|entry| file_of(entry.unchecked_ref()))).await?;
    for (entry, handle) in plain.iter().zip(handles.iter()) {
        files.push(path_of(entry), handle.unchecked_ref());
    }
    Ok(())
}

fn path_of(entry: &FileSystemEntry) -> String {
    entry.full_path().trim_start_matches('/').to_owned()
}

fn file_of(entry: &FileSystemFileEntry) -> js_sys::Promise {
    js_sys::Promise::new(&mut |found, failed| {
        entry.file_with_callback_and_callback(found.unchecked_ref(), failed.unchecked_ref());
    })
}

fn read_entries(reader: &FileSystemDirectoryReader) -> js_sys::Promise {
    js_sys::Promise::new(&mut |found, failed| {
        let (found, failed) = (
            found.unchecked_ref(),
            failed.unchecked_ref::<js_sys::Function>(),
        );
        if let Err(error) = reader.read_entries_with_callback_and_callback(found, failed) {
            // Only rejects the promise, and that is heard where it is awaited.
            let _ = failed.call1(&JsValue::NULL, &error);
        }
    })
}

/// Lets the page draw and answer.
async fn breath() {
    let promise = js_sys::Promise::new(&mut |done, _| {
        let window = web_sys::window();
        let asked = window.map(|window| window.set_timeout_with_callback(&done));
        if !matches!(asked, Some(Ok(_))) {
            let _ = done.call0(&JsValue::NULL);
        }
    });
    // It cannot be rejected, and without it the walk only goes on sooner.
    let _ = JsFuture::from(promise).await;
}

/// What a picker gives: with their paths from the picked folder, or by name.
pub fn picked(list: &FileList) -> Files {
    let mut files = Files::default();
    for file in (0..list.length()).filter_map(|at| list.get(at)) {
        let relative = js_sys::Reflect::get(&file, &"webkitRelativePath".into())
            .ok()
            .and_then(|path| path.as_string());
        let path = relative
            .filter(|path| !path.is_empty())
            .unwrap_or_else(|| file.name());
        files.push(path, &file);
    }
    files.below_single_folder()
}
