//! The built command line on Kafka's log directories: its answers, its exit codes, and that it leaves the directory alone.

mod support;

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::compare;
use support::kafka::{Case, case};

/// A case on disk, gone when the test is over.
struct OnDisk {
    folder: PathBuf,
    case: Case,
}

impl OnDisk {
    fn of(test: &str, name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
        let _ = fs::remove_dir_all(&folder);
        let case = case("3.9.2", name);
        for (path, bytes) in case.files() {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        Self { folder, case }
    }

    fn call(&self, command: &str, more: &[&str]) -> Output {
        let settings = self.case.golden["config"].to_string();
        Command::new(env!("CARGO_BIN_EXE_storescope"))
            .arg(command)
            .arg(&self.folder)
            .args(["--broker", "kafka-3.9.2", "--settings", &settings])
            .args(more)
            .output()
            .unwrap()
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn the_exit_code_tells_how_the_start_ends_and_the_files_stay_as_they_were() {
    for (name, expected) in [
        ("clean-shutdown", 0),
        ("torn-tail", 1),
        ("crc-flip-first", 1),
        ("clean-zero-tail", 2),
        ("epochs-garbage", 2),
    ] {
        let on_disk = OnDisk::of("kafka_exit", name);
        let done = on_disk.call("recover", &[]);
        let said = String::from_utf8_lossy(&done.stdout);
        assert_eq!(done.status.code(), Some(expected), "{name}: {said}");
        for (path, bytes) in on_disk.case.files() {
            let now = fs::read(on_disk.folder.join(path)).unwrap();
            assert!(now == *bytes, "{name}: {path} was written");
        }
    }
}

#[test]
fn the_state_and_the_dump_that_are_printed_are_the_real_brokers() {
    let on_disk = OnDisk::of("kafka_state", "torn-tail");
    let done = on_disk.call("recover", &["--json", "--state"]);
    let outcome: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(outcome["schema"], "storescope/1");
    assert_eq!(outcome["broker"]["family"], "Kafka");
    assert_eq!(on_disk.case.difference(&outcome["state"]), None);

    let dumped = on_disk.call("dump", &["--json"]);
    let lines = String::from_utf8(dumped.stdout).unwrap();
    let got: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let want = Value::from(on_disk.case.dump.clone());
    assert_eq!(compare::difference(&want, &Value::from(got), "dump"), None);
}

#[test]
fn check_tells_by_its_exit_status_what_a_clean_start_does_not_see() {
    let clean = OnDisk::of("kafka_check", "clean-shutdown");
    assert_eq!(clean.call("check", &[]).status.code(), Some(0));
    let damaged = OnDisk::of("kafka_check", "clean-corrupt-first");
    assert_eq!(damaged.call("recover", &[]).status.code(), Some(0));
    let checked = damaged.call("check", &["--json"]);
    assert_eq!(checked.status.code(), Some(1));
    let findings: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let found = findings["findings"].as_array().unwrap();
    assert!(found.iter().any(|finding| finding["id"] == "k-checksum"));
}

#[test]
fn a_release_that_does_not_exist_is_a_wrong_call() {
    let on_disk = OnDisk::of("kafka_call", "clean-shutdown");
    let done = Command::new(env!("CARGO_BIN_EXE_storescope"))
        .arg("recover")
        .arg(&on_disk.folder)
        .args(["--broker", "kafka-0.1"])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(3));
    assert!(done.stdout.is_empty() && !done.stderr.is_empty());
}
