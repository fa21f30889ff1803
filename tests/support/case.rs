//! A case on disk: a store, what was done to it, and what the real broker made of it. Uses nothing of the library, so that `xtask`
//! reads cases with the same code.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Settings that a golden names and that change what a start does.
const SETTINGS: [&str; 13] = [
    "mappedFileSizeCommitLog",
    "mappedFileSizeConsumeQueue",
    "maxHashSlotNum",
    "maxIndexNum",
    "messageIndexEnable",
    "messageIndexSafe",
    "checkCRCOnRecover",
    "duplicationEnable",
    "messageDelayLevel",
    "enabledAppendPropCRC",
    "forceVerifyPropCRC",
    "checkCommitLogOffsetOnRecover",
    "commitLogRecoverMaxNum",
];

pub struct Case {
    /// `4.9.3`
    pub release: String,
    /// `crash-torn-tail-body`
    pub name: String,
    /// What the real broker did.
    pub golden: Value,
    folder: PathBuf,
}

pub struct Form {
    pub about: Value,
    pub store: Unpacked,
}

/// The files of a store, and its folders, which matter where they are empty.
#[derive(Clone, Default)]
pub struct Unpacked {
    pub files: BTreeMap<String, Vec<u8>>,
    pub dirs: Vec<String>,
}

/// The folder of all cases, from the folder of the root Cargo.toml.
pub fn cases_folder(root: &Path) -> PathBuf {
    root.join("tests/cases/rocketmq")
}

/// Every case below a folder of `RELEASE/NAME`, in name order.
pub fn all(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for release in entries(folder) {
        cases.extend(of_release(&release));
    }
    assert!(!cases.is_empty(), "no case in {}", folder.display());
    cases
}

/// Every case below one release's folder.
pub fn of_release(folder: &Path) -> Vec<Case> {
    entries(folder)
        .iter()
        .map(|case| Case::open(case))
        .collect()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let listing =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut entries: Vec<PathBuf> = listing
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    entries.sort();
    entries
}

impl Case {
    pub fn open(folder: &Path) -> Self {
        let golden: Value =
            serde_json::from_slice(&gunzip(&folder.join("golden.json.gz"))).unwrap();
        Self {
            release: golden["version"].as_str().unwrap().to_owned(),
            name: folder.file_name().unwrap().to_string_lossy().into_owned(),
            golden,
            folder: folder.to_owned(),
        }
    }

    /// `4.9.3/crash-torn-tail-body`
    pub fn label(&self) -> String {
        format!("{}/{}", self.release, self.name)
    }

    /// The settings the real broker ran with, by its own names.
    pub fn settings(&self) -> BTreeMap<String, String> {
        settings_of(&self.golden["geometry"])
    }

    /// Whether the real `load()` came back with true.
    pub fn starts(&self) -> bool {
        self.golden["load"]["result"] == true
    }

    /// The harness ran out of its small heap: the golden says nothing about the broker.
    pub fn is_excused(&self) -> bool {
        self.golden["load"]["exception"]
            .as_str()
            .is_some_and(|text| text.contains("Java heap space"))
    }

    /// What was done to the store, and why.
    pub fn about(&self) -> Value {
        serde_json::from_slice(&fs::read(self.folder.join("case.json")).unwrap()).unwrap()
    }

    /// The store before the start. Several cases may share one, under different settings.
    pub fn store(&self) -> Unpacked {
        let mut folder = self.folder.clone();
        if let Some(other) = self.about().get("storeOf").and_then(Value::as_str) {
            folder.set_file_name(other);
        }
        unpack(&folder.join("store.tar.zst"))
    }

    /// A store in a form that is found and mostly not followed: what the real broker wrote, and what it made of it once more.
    pub fn form(root: &Path, kind: &str) -> Form {
        let folder = root.join("tests/cases/rocketmq-forms").join(kind);
        let about = fs::read(folder.join("case.json")).unwrap();
        Form {
            about: serde_json::from_slice(&about).unwrap(),
            store: unpack(&folder.join("store.tar.zst")),
        }
    }

    /// Every message as the real decoder reads it, where the case has that.
    pub fn dump(&self) -> Option<Vec<Value>> {
        let path = self.folder.join("dump.jsonl.gz");
        path.exists().then(|| {
            let lines = gunzip(&path);
            let lines = String::from_utf8(lines).unwrap();
            lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect()
        })
    }
}

impl Form {
    /// File sizes, and what the broker was told beside them.
    pub fn settings(&self) -> BTreeMap<String, String> {
        let mut settings = settings_of(&self.about["geometry"]);
        for (key, value) in self.about["settings"].as_object().unwrap() {
            settings.insert(key.clone(), value.to_string());
        }
        settings
    }
}

fn settings_of(geometry: &Value) -> BTreeMap<String, String> {
    let given = |key: &str| match geometry.get(key)? {
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    SETTINGS
        .iter()
        .filter_map(|key| Some(((*key).to_owned(), given(key)?)))
        .collect()
}

fn gunzip(path: &Path) -> Vec<u8> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(file)
        .read_to_end(&mut bytes)
        .unwrap();
    bytes
}

fn unpack(path: &Path) -> Unpacked {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let plain = ruzstd::decoding::StreamingDecoder::new(file).unwrap();
    let mut store = Unpacked::default();
    for entry in tar::Archive::new(plain).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let path = path
            .trim_start_matches("./")
            .trim_end_matches('/')
            .to_owned();
        if entry.header().entry_type().is_dir() {
            if !path.is_empty() && path != "." {
                store.dirs.push(path);
            }
        } else {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            store.files.insert(path, bytes);
        }
    }
    store
}

impl Unpacked {
    /// Lays the store down on disk.
    pub fn write_to(&self, folder: &Path) {
        for dir in &self.dirs {
            fs::create_dir_all(folder.join(dir)).unwrap();
        }
        for (path, bytes) in &self.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }
}
