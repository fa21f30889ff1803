//! `cargo xtask bench`: how fast a recovery is, as a ratio to a plain read of the same file in the same run.
//!
//! The machine's own speed drops out of a ratio, so two runs on two machines can be compared. The store is one log file of 1 GiB of
//! 1 KiB messages after a crash without a checkpoint: the broker, and so storescope, scans all of it with CRC. Its queues are there, as
//! after most crashes; the index is built anew, an entry a message.

use crate::{Result, workspace};
use std::{
    fs::{self, File},
    io::{BufWriter, Read, Write},
    path::{Path, PathBuf},
    process::{Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

const LOG_SIZE: u64 = 1 << 30;
const MESSAGE: usize = 1024;
const QUEUES: u64 = 8;
const TOPIC: &str = "TopicBench";
const ROUNDS: usize = 7;

pub fn run() -> Result<ExitCode> {
    let store = workspace::target_dir()?.join("bench/store");
    make_store(&store)?;
    native(&store)?;
    let mut browser = workspace::cargo()?;
    browser
        .args([
            "run",
            "--release",
            "--locked",
            "--package",
            "e2e",
            "--bin",
            "bench",
            "--",
        ])
        .arg(&store);
    workspace::run(&mut browser)?;
    Ok(ExitCode::SUCCESS)
}

/// The real command line, as a process, against a plain read; in turn, so that a slow moment hits both.
fn native(store: &Path) -> Result<()> {
    let mut build = workspace::cargo()?;
    build.args([
        "build",
        "--release",
        "--locked",
        "--package",
        "storescope",
        "--bin",
        "storescope",
    ]);
    workspace::run(&mut build)?;
    let storescope = workspace::target_dir()?.join("release/storescope");
    let log = log_file(store);
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let read = time(|| plain_read(&log))?;
        let recovered = time(|| {
            let mut call = Command::new(&storescope);
            let status = call
                .arg("recover")
                .arg(store)
                .stdout(Stdio::null())
                .status()?;
            match status.code() {
                Some(0 | 1) => Ok(()),
                code => Err(format!("storescope ended with {code:?}").into()),
            }
        })?;
        let ratio = read.as_secs_f64() / recovered.as_secs_f64();
        println!(
            "native: plain read {:.0} MiB/s, recovery with CRC {:.0} MiB/s, ratio {ratio:.2}",
            speed(read),
            speed(recovered)
        );
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!(
        "native: ratio, median of {ROUNDS}: {:.2} (wanted 0.40)",
        ratios[ROUNDS / 2]
    );
    Ok(())
}

fn time(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn speed(time: Duration) -> f64 {
    (LOG_SIZE >> 20) as f64 / time.as_secs_f64()
}

fn plain_read(path: &Path) -> Result<()> {
    let mut file = File::open(path)?;
    let mut block = vec![0; 1 << 20];
    while file.read(&mut block)? > 0 {}
    Ok(())
}

fn log_file(store: &Path) -> PathBuf {
    store.join("commitlog").join(format!("{:020}", 0))
}

/// Made once and kept: its bytes are always the same.
fn make_store(store: &Path) -> Result<()> {
    let done = store.join("lock");
    if done.exists() {
        return Ok(());
    }
    println!("making a store of 1 GiB");
    fs::create_dir_all(store.join("commitlog"))?;
    let mut log = BufWriter::new(File::create(log_file(store))?);
    let mut queues: Vec<Vec<u8>> = vec![Vec::new(); QUEUES as usize];
    let mut offset = 0;
    let mut number = 0;
    while offset + MESSAGE as u64 + 8 <= LOG_SIZE {
        let queue = number % QUEUES;
        log.write_all(&message(number, queue, number / QUEUES, offset))?;
        let units = &mut queues[queue as usize];
        units.extend(offset.to_be_bytes());
        units.extend((MESSAGE as u32).to_be_bytes());
        units.extend(java_hash("TagA").to_be_bytes());
        offset += MESSAGE as u64;
        number += 1;
    }
    log.write_all(&vec![0; (LOG_SIZE - offset) as usize])?;
    log.flush()?;
    for (queue, mut units) in queues.into_iter().enumerate() {
        let folder = store.join(format!("consumequeue/{TOPIC}/{queue}"));
        fs::create_dir_all(&folder)?;
        units.resize(300_000 * 20, 0);
        fs::write(folder.join(format!("{:020}", 0)), units)?;
    }
    fs::write(store.join("abort"), "")?;
    fs::write(done, "lock")?;
    Ok(())
}

/// A message as a producer of 4.9 sends it: a tag, a unique key, a body of random bytes.
fn message(number: u64, queue: u64, queue_offset: u64, offset: u64) -> Vec<u8> {
    let properties = format!("UNIQ_KEY\u{1}AC110001{number:024X}\u{2}TAGS\u{1}TagA");
    let body_len = MESSAGE - 91 - TOPIC.len() - properties.len();
    let mut seed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let body: Vec<u8> = (0..body_len)
        .map(|_| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as u8
        })
        .collect();
    let time = 1_700_000_000_000 + number;
    let mut bytes = Vec::with_capacity(MESSAGE);
    bytes.extend((MESSAGE as u32).to_be_bytes());
    bytes.extend(0xdaa3_20a7u32.to_be_bytes());
    bytes.extend((crc32fast::hash(&body) & 0x7fff_ffff).to_be_bytes());
    bytes.extend((queue as u32).to_be_bytes());
    bytes.extend(0u32.to_be_bytes());
    bytes.extend(queue_offset.to_be_bytes());
    bytes.extend(offset.to_be_bytes());
    bytes.extend(0u32.to_be_bytes());
    bytes.extend(time.to_be_bytes());
    bytes.extend([10, 0, 0, 1, 0, 0, 0x2a, 0x9f]);
    bytes.extend(time.to_be_bytes());
    bytes.extend([10, 0, 0, 2, 0, 0, 0x2a, 0x9f]);
    bytes.extend([0; 12]);
    bytes.extend((body_len as u32).to_be_bytes());
    bytes.extend(body);
    bytes.push(TOPIC.len() as u8);
    bytes.extend(TOPIC.as_bytes());
    bytes.extend((properties.len() as u16).to_be_bytes());
    bytes.extend(properties.as_bytes());
    bytes
}

fn java_hash(text: &str) -> i64 {
    let hash = text.bytes().fold(0i32, |hash, byte| {
        hash.wrapping_mul(31).wrapping_add(i32::from(byte))
    });
    i64::from(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_the_size_it_says() {
        let bytes = message(7, 3, 2, 7 * 1024);
        assert_eq!(bytes.len(), MESSAGE);
        assert_eq!(bytes[..4], 1024u32.to_be_bytes());
    }
}
