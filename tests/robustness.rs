//! Whatever is in the files: a start comes to an end, nothing panics, and every byte of the log is accounted for.

mod support;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};
use storescope::brokers::{self, Asked};
use storescope::recovery::Place;
use storescope::recovery::outcome::Outcome;
use support::case::Unpacked;
use support::{asked, case, store_of};

/// A store of a few messages, as after a crash, and how it is recovered.
fn tiny() -> (Unpacked, Asked) {
    let case = case("crash-tiny");
    (case.store(), asked(&case))
}

/// The same with its first log file alone.
fn one_log_file() -> (Unpacked, Asked) {
    let (mut store, asked) = tiny();
    store
        .files
        .retain(|path, _| !path.starts_with("commitlog/") || path == LOG);
    (store, asked)
}

const LOG: &str = "commitlog/00000000000000000000";

/// Recovers, checks what must hold of any outcome, and looks at the bytes of every step as a reader would.
fn check(store: &Unpacked, asked: &Asked) -> Outcome {
    let store = store_of(store.clone());
    let opened = brokers::open(store);
    let outcome = support::recover(&opened.store, asked).outcome;
    let ledger = &outcome.ledger;
    let parts = [
        ledger.kept,
        ledger.cut_readable,
        ledger.cut_unreadable,
        ledger.blank,
        ledger.unwritten,
        ledger.unread,
    ];
    assert_eq!(
        parts.iter().map(|part| part.bytes).sum::<u64>(),
        ledger.total.bytes,
        "{ledger:?}"
    );
    let numbers = outcome.trace.steps.iter().map(|step| step.number);
    assert!(numbers.eq(1..=u32::try_from(outcome.trace.steps.len()).unwrap()));
    let places: Vec<&Place> = outcome
        .trace
        .steps
        .iter()
        .filter_map(|step| step.place.as_ref())
        .collect();
    for place in places.iter().rev().take(12) {
        let tree = brokers::fields(&opened.store, place, asked).unwrap();
        let size = opened.store.get(&place.file).map_or(0, |file| file.size());
        assert!(
            tree.end() <= size.max(tree.start),
            "{tree:?} of a file of {size}"
        );
    }
    outcome.map.at(&outcome.trace, u32::MAX);
    outcome
}

/// Runs numbered trials on all cores. One that does not come back within a minute is named, and so is one that panics.
fn trials(numbers: Range<u64>, trial: impl Fn(u64) + Send + Sync + Clone + 'static) {
    let threads = std::thread::available_parallelism().map_or(2, |threads| threads.get() as u64);
    let (done, results) = mpsc::channel();
    let running: Vec<_> = (0..threads)
        .map(|thread| {
            let now = std::sync::Arc::new(AtomicU64::new(0));
            let (now_here, done, trial, numbers) =
                (now.clone(), done.clone(), trial.clone(), numbers.clone());
            std::thread::spawn(move || {
                for number in numbers.skip(thread as usize).step_by(threads as usize) {
                    now_here.store(number, Ordering::Relaxed);
                    let result =
                        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| trial(number)));
                    if result.is_err() {
                        done.send(Err(number)).unwrap();
                        return;
                    }
                }
                done.send(Ok(())).unwrap();
            });
            now
        })
        .collect();
    let started = Instant::now();
    for _ in 0..threads {
        let left = Duration::from_secs(600).saturating_sub(started.elapsed());
        match results.recv_timeout(left) {
            Ok(result) => {
                result.unwrap_or_else(|number| panic!("trial {number} panicked, see above"))
            }
            Err(_) => {
                let numbers: Vec<u64> = running
                    .iter()
                    .map(|now| now.load(Ordering::Relaxed))
                    .collect();
                panic!("no end in sight of one of the trials {numbers:?}");
            }
        }
    }
}

#[test]
fn the_log_may_be_torn_at_every_byte() {
    let (store, asked) = one_log_file();
    let size = store.files[LOG].len() as u64;
    trials(0..size, move |cut| {
        // Zeros from there on: the write did not get further.
        let mut torn = store.clone();
        torn.files.get_mut(LOG).unwrap()[cut as usize..].fill(0);
        let outcome = check(&torn, &asked);
        assert_eq!(outcome.ledger.total.bytes, size);
        // Bytes of an older life of the disk from there on.
        torn.files.get_mut(LOG).unwrap()[cut as usize..].fill(0xa5);
        check(&torn, &asked);
    });
}

#[test]
fn the_log_may_end_at_every_byte() {
    let (store, asked) = one_log_file();
    let size = store.files[LOG].len() as u64;
    trials(1..size, move |cut| {
        let mut cut_off = store.clone();
        cut_off.files.get_mut(LOG).unwrap().truncate(cut as usize);
        let outcome = check(&cut_off, &asked);
        assert_eq!(
            outcome.end.rule.as_deref(),
            Some("load.log-length"),
            "{cut}"
        );
        // A broker that is set to just this size reads it.
        let mut asked = asked.clone();
        asked
            .settings
            .insert("mappedFileSizeCommitLog".to_owned(), cut.to_string());
        check(&cut_off, &asked);
    });
}

#[test]
fn queues_index_and_checkpoint_may_end_at_every_byte() {
    let (store, asked) = tiny();
    let others = store
        .files
        .iter()
        .filter(|(path, _)| !path.starts_with("commitlog/"));
    // Behind its 48 bytes a checkpoint is a page of nothing.
    let limit = |path: &str, size: usize| if path == "checkpoint" { 60 } else { size };
    let cuts: Vec<(String, usize)> = others
        .flat_map(|(path, bytes)| (0..limit(path, bytes.len())).map(|cut| (path.clone(), cut)))
        .collect();
    trials(0..cuts.len() as u64, move |trial| {
        let (path, cut) = &cuts[trial as usize];
        let mut torn = store.clone();
        torn.files.get_mut(path).unwrap()[*cut..].fill(0);
        check(&torn, &asked);
        torn.files.get_mut(path).unwrap().truncate(*cut);
        check(&torn, &asked);
        check(&torn, &Asked::default());
    });
}

/// Marsaglia's xorshift: enough to damage files, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

fn damage(store: &mut Unpacked, asked: &mut Asked, dice: &mut Dice) {
    let paths: Vec<String> = store.files.keys().cloned().collect();
    if paths.is_empty() {
        return;
    }
    let path = dice.of(&paths).clone();
    let bytes = store.files.get_mut(&path).unwrap();
    let at = dice.below(bytes.len());
    match dice.below(14) {
        0..=3 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        4..=5 if !bytes.is_empty() => {
            let end = (at + 1 + dice.below(60)).min(bytes.len());
            bytes[at..end]
                .iter_mut()
                .for_each(|byte| *byte = dice.next() as u8);
        }
        6..=8 if bytes.len() > 8 => {
            let at = at.min(bytes.len() - 8) / 4 * 4;
            let extremes = [
                0,
                -1,
                1,
                i32::MAX,
                i32::MIN,
                -20,
                20,
                4096,
                i32::MAX - 1,
                1 << 20,
            ];
            bytes[at..at + 4].copy_from_slice(&dice.of(&extremes).to_be_bytes());
        }
        9 => bytes.truncate(at),
        10 => bytes.resize(bytes.len() + dice.below(5000), dice.next() as u8),
        11 => {
            store.files.remove(&path);
        }
        12 => {
            let bytes = store.files.remove(&path).unwrap();
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let names = [
                "-4096",
                "9223372036854775807",
                "99999999999999999999",
                "x",
                "17",
                "00000000000000000007",
                "+8",
                "١",
            ];
            store
                .files
                .insert(format!("{folder}/{}", dice.of(&names)), bytes);
        }
        _ => {
            let sizes = [
                "1",
                "7",
                "19",
                "20",
                "21",
                "40",
                "4095",
                "4096",
                "100000",
                "2147483647",
            ];
            let keys = [
                "mappedFileSizeCommitLog",
                "mappedFileSizeConsumeQueue",
                "maxHashSlotNum",
                "maxIndexNum",
            ];
            asked
                .settings
                .insert((*dice.of(&keys)).to_owned(), (*dice.of(&sizes)).to_owned());
        }
    }
}

#[test]
fn damage_anywhere_comes_to_an_end() {
    let base = match std::env::var("SEED") {
        Ok(seed) => seed.parse().unwrap(),
        Err(_) => {
            SystemTime::now()
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap()
                .as_secs()
                * 10_000
        }
    };
    let count = std::env::var("TRIALS").map_or(8_000, |count| count.parse().unwrap());
    println!("{count} seeds from {base} on (again: SEED={base})");
    let stores = ["crash-tiny", "clean-tiny", "crash-tiny-queues-lost"]
        .map(|name| (case(name).store(), asked(&case(name))));
    trials(base..base + count, move |seed| {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (mut store, mut asked) = dice.of(&stores).clone();
        for _ in 0..1 + dice.below(5) {
            damage(&mut store, &mut asked, &mut dice);
        }
        for flag in [
            "checkCRCOnRecover",
            "messageIndexSafe",
            "messageIndexEnable",
            "duplicationEnable",
        ] {
            if dice.below(4) == 0 {
                asked
                    .settings
                    .insert(flag.to_owned(), (dice.below(2) == 0).to_string());
            }
        }
        let started = Instant::now();
        check(&store, &asked);
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "seed {seed} took {:?}",
            started.elapsed()
        );
    });
}

#[test]
fn the_same_store_gives_the_same_outcome_byte_for_byte() {
    for name in [
        "crash-cq-deleted-all-rescan",
        "clean-lag",
        "crash-last-file-empty",
    ] {
        let case = case(name);
        let once = || {
            support::recover(&store_of(case.store()), &asked(&case))
                .outcome
                .to_json()
        };
        assert!(once() == once(), "{name}");
    }
}
