//! Kafka's cases: all of a release in one archive, `RELEASE/NAME/{store/, golden.json, dump.jsonl}`. What the real loader made of each
//! store stands in the golden, and what its classes read in the dump.

use super::compare;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;
use storescope::brokers::{self, Asked};
use storescope::recovery::Outcome;
use storescope::store::{Store, StorePath};

pub const RELEASES: [&str; 5] = ["0.8.2.2", "0.10.2.2", "2.8.2", "3.9.2", "4.4.0"];

#[derive(Default)]
pub struct Case {
    pub release: String,
    pub name: String,
    pub golden: Value,
    pub dump: Vec<Value>,
    files: BTreeMap<String, Vec<u8>>,
    dirs: Vec<String>,
}

/// Every case of every release, in name order.
pub fn cases() -> Vec<Case> {
    RELEASES
        .iter()
        .flat_map(|release| of_release(release))
        .collect()
}

pub fn of_release(release: &str) -> Vec<Case> {
    let path = super::root().join(format!("tests/cases/kafka/{release}.tar.zst"));
    let mut cases: BTreeMap<String, Case> = BTreeMap::new();
    for (path, bytes) in entries(&path) {
        let mut parts = path.splitn(3, '/').skip(1);
        let (Some(name), Some(rest)) = (parts.next(), parts.next()) else {
            continue;
        };
        let case = cases.entry(name.to_owned()).or_insert_with(|| Case {
            release: release.to_owned(),
            name: name.to_owned(),
            ..Case::default()
        });
        match (rest, bytes) {
            ("golden.json", Some(bytes)) => case.golden = serde_json::from_slice(&bytes).unwrap(),
            ("dump.jsonl", Some(bytes)) => {
                let text = String::from_utf8(bytes).unwrap();
                let lines = text.lines();
                case.dump = lines
                    .map(|line| serde_json::from_str(line).unwrap())
                    .collect();
            }
            (inside, bytes) => match (inside.strip_prefix("store/"), bytes) {
                (Some(path), Some(bytes)) => {
                    case.files.insert(path.to_owned(), bytes);
                }
                (Some(path), None) => case.dirs.push(path.to_owned()),
                _ => {}
            },
        }
    }
    cases.into_values().collect()
}

/// The entries of an archive; a folder has no bytes.
fn entries(path: &Path) -> Vec<(String, Option<Vec<u8>>)> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let plain = ruzstd::decoding::StreamingDecoder::new(file).unwrap();
    let mut found = Vec::new();
    for entry in tar::Archive::new(plain).entries().unwrap() {
        let mut entry = entry.unwrap();
        let path = entry.path().unwrap().to_string_lossy().into_owned();
        let path = path.trim_end_matches('/').to_owned();
        if entry.header().entry_type().is_dir() {
            found.push((path, None));
        } else {
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            found.push((path, Some(bytes)));
        }
    }
    found
}

pub fn case(release: &str, name: &str) -> Case {
    let mut cases = of_release(release);
    let at = cases.iter().position(|case| case.name == name);
    cases.swap_remove(at.unwrap_or_else(|| panic!("no case {release}/{name}")))
}

impl Case {
    pub fn label(&self) -> String {
        format!("kafka-{}/{}", self.release, self.name)
    }

    pub fn store(&self) -> Store {
        let mut store = Store::new("logs");
        for dir in &self.dirs {
            store.insert_dir(StorePath::new(dir));
        }
        for (path, bytes) in &self.files {
            store.insert(StorePath::new(path), Rc::new(bytes.clone()));
        }
        store
    }

    pub fn files(&self) -> &BTreeMap<String, Vec<u8>> {
        &self.files
    }

    /// The release and the settings of each topic that the real broker ran with.
    pub fn asked(&self) -> Asked {
        Asked {
            release: Some(format!("kafka-{}", self.release)),
            topics: serde_json::from_value(self.golden["config"].clone()).unwrap(),
            ..Asked::default()
        }
    }

    pub fn starts(&self) -> bool {
        self.golden["result"] == "ok"
    }

    pub fn recover(&self) -> Outcome {
        let recovered = brokers::recover(&self.store(), &self.asked(), true, &mut |_| {});
        recovered.unwrap_or_else(|bad| panic!("{bad:?}")).outcome
    }

    /// Where a state of ours is not the real broker's.
    pub fn difference(&self, state: &Value) -> Option<String> {
        compare::kafka_states(&self.golden, state)
    }
}
