//! What the tests share: the cases, as stores in memory, and a recovery under a case's settings.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod beside;
pub mod case;
pub mod checks;
pub mod compare;
pub mod kafka;

use case::{Case, Unpacked};
use std::path::Path;
use std::rc::Rc;
use storescope::brokers::{self, Asked, Recovered};
use storescope::store::{Store, StorePath};

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every case of the project, or those of another folder of `RELEASE/NAME` while new ones are being made.
pub fn cases() -> Vec<Case> {
    match std::env::var_os("CASES") {
        Some(folder) => case::all(Path::new(&folder)),
        None => case::all(&case::cases_folder(root())),
    }
}

/// One case by name, of 4.9.3.
pub fn case(name: &str) -> Case {
    case_of("4.9.3", name)
}

pub fn case_of(release: &str, name: &str) -> Case {
    Case::open(&case::cases_folder(root()).join(release).join(name))
}

pub fn store_of(unpacked: Unpacked) -> Store {
    let mut store = Store::new("store");
    for dir in unpacked.dirs {
        store.insert_dir(StorePath::new(&dir));
    }
    for (path, bytes) in unpacked.files {
        store.insert(StorePath::new(&path), Rc::new(bytes));
    }
    store
}

/// The release and settings that the real broker ran with.
pub fn asked(case: &Case) -> Asked {
    Asked {
        release: Some(format!("rocketmq-{}", case.release)),
        settings: case.settings(),
        ..Asked::default()
    }
}

/// Our start over a case's store, with the state.
pub fn recover(store: &Store, asked: &Asked) -> Recovered {
    brokers::recover(store, asked, true, &mut |_| {}).unwrap_or_else(|bad| panic!("{bad:?}"))
}

/// Runs something over every case on all cores (a store stays in the thread that opened it), and gives the answers in case order.
pub fn on_all<C: Sync, T: Send>(cases: &[C], work: impl Fn(&C) -> T + Sync) -> Vec<T> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    let mut answers: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut mine = Vec::new();
                    loop {
                        let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                        let Some(case) = cases.get(i) else {
                            return mine;
                        };
                        mine.push((i, work(case)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    answers.sort_by_key(|(i, _)| *i);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// That no case differs; `labels` and `found` go in step.
pub fn assert_none(labels: impl IntoIterator<Item = String>, found: Vec<Option<String>>) {
    let cases = found.len();
    let differing: Vec<String> = labels
        .into_iter()
        .zip(found)
        .filter_map(|(label, found)| Some(format!("{label}\n    {}", found?)))
        .collect();
    assert!(
        differing.is_empty(),
        "{} of {cases} cases differ:\n{}",
        differing.len(),
        differing.join("\n")
    );
}
