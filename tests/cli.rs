//! The built command line: its answers, its exit codes, and that it leaves the store alone.

mod support;

use serde_json::Value as Json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;
use support::{case, compare};

/// A case's store on disk, gone when the test is over.
struct OnDisk(PathBuf);

impl OnDisk {
    fn of(name: &str) -> Self {
        let store = Self::empty(name);
        case(name).store().write_to(&store.0);
        store
    }

    fn empty(name: &str) -> Self {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("test").replace(':', "_");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for OnDisk {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn storescope(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_storescope"))
        .args(arguments)
        .output()
        .unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code, not a signal")
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn the_exit_code_tells_how_the_start_ends() {
    for (name, expected) in [
        ("clean-shutdown", 0),
        ("clean-lag", 0), // queues are rebuilt, nothing is lost
        ("crash-torn-tail-body", 1),
        ("crash-crc-first-file-rescan", 1),
        ("clean-middle-file-missing-queues-lost", 1), // load() comes back; what waits is the dispatch behind it
        ("crash-last-file-empty", 2),
        ("crash-totalsize-maxint", 2),
        ("crash-queue-one-unit-a-file", 2), // load() never comes back
    ] {
        let store = OnDisk::of(name);
        assert_eq!(
            code(&storescope(&["recover", store.path(), "--json"])),
            expected,
            "{name}"
        );
        assert_eq!(
            code(&storescope(&["recover", store.path()])),
            expected,
            "{name}, in words"
        );
    }
}

#[test]
fn the_answer_has_the_members_of_the_contract() {
    let store = OnDisk::of("crash-torn-tail-body");
    let answer = json(&storescope(&["recover", store.path(), "--json"]));
    for member in [
        "schema", "tool", "broker", "options", "end", "marks", "trace", "files", "ledger",
        "findings",
    ] {
        assert!(answer.get(member).is_some(), "{member} is missing");
    }
    assert_eq!(answer["schema"], "storescope/1");
    assert_eq!(answer["end"]["kind"], "started");
    assert_eq!(answer["state"], Json::Null, "only when asked for");
    assert_eq!(
        answer["marks"]["processOffset"]["after"],
        case("crash-torn-tail-body").golden["recovery"]["processOffset"]
    );
    let bytes = |part: &str| answer["ledger"][part]["bytes"].as_u64().unwrap();
    let parts = [
        "kept",
        "cutReadable",
        "cutUnreadable",
        "blank",
        "unwritten",
        "unread",
    ];
    assert_eq!(parts.map(bytes).iter().sum::<u64>(), bytes("total"));
}

#[test]
fn the_state_is_the_real_brokers_under_its_settings() {
    for name in [
        "crash-lag",
        "settings-dup-crash-lag",
        "settings-indexsafe-crash-intact",
    ] {
        let case = case(name);
        let folder = OnDisk::empty(name);
        case.store().write_to(&folder.0);
        let settings: Vec<String> = case
            .settings()
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let mut call = vec![
            "recover",
            folder.path(),
            "--json",
            "--state",
            "--broker",
            "rocketmq-4.9.3",
        ];
        call.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        assert_eq!(
            compare::states(&case.golden, &json(&storescope(&call))["state"]),
            None,
            "{name}"
        );
    }
}

#[test]
fn without_a_setting_sizes_are_read_off_the_files() {
    let (case, store) = (case("crash-intact"), OnDisk::of("crash-intact"));
    let answer = json(&storescope(&["recover", store.path(), "--json", "--state"]));
    assert_eq!(answer["broker"]["found"], "narrowed");
    assert_eq!(
        answer["broker"]["release"], "4.9.8",
        "or 4.9.3: their rules are the same"
    );
    assert_eq!(
        answer["options"]["assumed"]["mappedFileSizeCommitLog"],
        "files"
    );
    assert_eq!(
        answer["options"]["settings"]["mappedFileSizeConsumeQueue"],
        "320"
    );
    assert_eq!(compare::states(&case.golden, &answer["state"]), None);
}

#[test]
fn the_dump_is_one_json_object_a_line() {
    let (case, store) = (case("crash-lag"), OnDisk::of("crash-lag"));
    let output = storescope(&["dump", store.path(), "--json"]);
    assert_eq!(code(&output), 0);
    let lines = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Json> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        compare::difference(
            &Json::from(case.dump().unwrap()),
            &Json::from(lines),
            "dump"
        ),
        None
    );
}

#[test]
fn a_wrong_call_is_told_on_standard_error_with_exit_code_3() {
    let store = OnDisk::of("crash-tiny");
    let path = store.path();
    let nowhere = store.0.join("nowhere");
    for (call, told) in [
        (vec![], "which command"),
        (vec!["recover"], "PATH is missing"),
        (vec!["paint", path], "no such command: paint"),
        (vec!["recover", path, "--jason"], "--jason"),
        (vec!["recover", path, path], "unexpected"),
        (vec!["recover", path, "--set"], "--set"),
        (vec!["recover", path, "--set", "maxIndexNum"], "KEY=VALUE"),
        (
            vec!["recover", path, "--set", "maxIndexNum=many"],
            "maxIndexNum takes",
        ),
        (
            vec!["recover", path, "--set", "checkCRCOnRecover=maybe"],
            "true or false",
        ),
        (
            vec!["recover", path, "--broker", "rocketmq-3.2.6"],
            "rocketmq-3.2.6",
        ),
        (vec!["recover", nowhere.to_str().unwrap()], "nowhere"),
        (vec!["dump", nowhere.to_str().unwrap()], "nowhere"),
    ] {
        let output = storescope(&call);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(code(&output), 3, "{call:?}");
        assert!(said.contains(told), "{call:?} says {said}");
        assert!(
            output.stdout.is_empty(),
            "{call:?}: standard output holds the answer alone"
        );
    }
}

#[test]
fn help_is_an_answer() {
    let output = storescope(&["--help"]);
    assert_eq!(code(&output), 0);
    assert!(String::from_utf8_lossy(&output.stdout).contains("storescope recover PATH"));
}

fn files_below(folder: &Path) -> Vec<(PathBuf, Vec<u8>, SystemTime)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            let written = fs::metadata(&path).unwrap().modified().unwrap();
            files.push((path.clone(), fs::read(&path).unwrap(), written));
        }
    }
    files.sort();
    files
}

#[test]
fn nothing_under_the_store_is_written() {
    let store = OnDisk::of("crash-cq-deleted-all-rescan");
    let before = files_below(&store.0);
    assert_eq!(
        code(&storescope(&["recover", store.path(), "--json", "--state"])),
        0
    );
    assert_eq!(code(&storescope(&["dump", store.path()])), 0);
    assert!(before == files_below(&store.0));
}

#[test]
fn the_folder_above_the_store_will_do() {
    let store = OnDisk::empty("above");
    case("crash-tiny")
        .store()
        .write_to(&store.0.join("broker-a/store"));
    let above = json(&storescope(&["recover", store.path(), "--json"]));
    let inside = json(&storescope(&[
        "recover",
        store.0.join("broker-a/store").to_str().unwrap(),
        "--json",
    ]));
    assert_eq!(above["marks"], inside["marks"]);
    assert_eq!(above["ledger"], inside["ledger"]);
}

/// A folder packed with the tar crate, as `tar czf` does it.
fn packed(folder: &Path, name: &str) -> Vec<u8> {
    let gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(gz);
    tar.append_dir_all(name, folder).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}

#[test]
fn an_archive_is_taken_where_a_folder_is() {
    let store = OnDisk::of("crash-torn-tail-body");
    let plain = storescope(&["recover", store.path(), "--json", "--state"]);
    let folder = OnDisk::empty("packed");
    let archive = folder.0.join("store.tar.gz");
    fs::write(&archive, packed(&store.0, "store")).unwrap();
    let archive = archive.to_str().unwrap();
    let from_archive = storescope(&["recover", archive, "--json", "--state"]);
    assert_eq!(code(&from_archive), 1);
    assert!(from_archive.stdout == plain.stdout);
    assert_eq!(
        storescope(&["dump", archive]).stdout,
        storescope(&["dump", store.path()]).stdout
    );

    fs::write(folder.0.join("notes.zip"), "no zip").unwrap();
    let notes = folder.0.join("notes.zip");
    let answer = json(&storescope(&["recover", notes.to_str().unwrap(), "--json"]));
    assert_eq!(answer["findings"][0]["id"], "archive-none");
}

#[test]
fn of_several_stores_the_first_is_read_and_the_call_says_how_to_name_another() {
    let folder = OnDisk::empty("two");
    for (name, below) in [("clean-shutdown", "a"), ("crash-torn-tail-body", "b")] {
        case(name).store().write_to(&folder.0.join(below));
    }
    let first = storescope(&["recover", folder.path(), "--json"]);
    assert_eq!(code(&first), 0);
    let said = String::from_utf8_lossy(&first.stderr);
    assert!(
        said.contains("there are 2 stores here, and a is read; for another one: --store b"),
        "{said}"
    );
    let second = storescope(&["recover", folder.path(), "--json", "--store", "b"]);
    assert_eq!(code(&second), 1);
    assert!(second.stderr.is_empty());
    let none = storescope(&["recover", folder.path(), "--store", "c"]);
    assert_eq!(code(&none), 3);
    let said = String::from_utf8_lossy(&none.stderr);
    assert!(
        said.contains("there is no store in c; there are: a, b"),
        "{said}"
    );
}

#[test]
fn check_tells_by_its_exit_code_whether_something_is_above_info() {
    for (name, expected) in [
        ("clean-shutdown", 0),
        ("clean-retention-first-deleted", 0), // what points before the log's front is no damage
        ("clean-crc-first-file", 1),          // a start does not look there
    ] {
        let store = OnDisk::of(name);
        let output = storescope(&["check", store.path(), "--json"]);
        assert_eq!(code(&output), expected, "{name}");
        assert_eq!(
            code(&storescope(&["check", store.path()])),
            expected,
            "{name}, in words"
        );
        let answer = json(&output);
        for finding in answer["findings"].as_array().unwrap() {
            for member in ["id", "severity", "place", "sentence"] {
                assert!(
                    finding.get(member).is_some(),
                    "{member} is missing in {finding}"
                );
            }
            assert!(!finding["sentence"].as_str().unwrap().is_empty());
        }
    }
    assert_eq!(code(&storescope(&["check", "/nowhere"])), 3);
}

#[test]
fn a_report_is_written_where_asked_and_never_into_the_store() {
    let store = OnDisk::of("crash-torn-tail-body");
    let folder = OnDisk::empty("reports");
    for (name, begins) in [
        ("a.html", "<!doctype html>"),
        ("a.md", "# What the broker"),
        ("a.json", "{"),
    ] {
        let file = folder.0.join(name);
        let output = storescope(&["report", store.path(), "-o", file.to_str().unwrap()]);
        assert_eq!(code(&output), 1, "the exit code is that of recover");
        assert!(output.stdout.is_empty());
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with(begins), "{name}");
        assert!(!text.contains("TopicA"), "{name}");
    }
    let named = folder.0.join("named.md");
    storescope(&[
        "report",
        store.path(),
        "-o",
        named.to_str().unwrap(),
        "--no-redact",
        "--language",
        "zh",
    ]);
    let text = fs::read_to_string(&named).unwrap();
    assert!(text.contains("TopicA") && text.contains("保留"));

    let inside = store.0.join("report.html");
    let output = storescope(&["report", store.path(), "-o", inside.to_str().unwrap()]);
    assert_eq!(code(&output), 3);
    assert!(!inside.exists());
    assert_eq!(
        code(&storescope(&["report", store.path(), "-o", "a.pdf"])),
        3
    );
    assert_eq!(code(&storescope(&["report", store.path()])), 3);
}

/// A broker.conf beside the store is read as the broker reads it; one that is named goes as well, and `--set` before both.
#[test]
fn a_broker_conf_gives_settings() {
    let folder = std::env::temp_dir().join(format!("storescope-conf-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let store = folder.join("store");
    std::fs::create_dir_all(&store).unwrap();
    support::case("crash-crc-first-file-rescan")
        .store()
        .write_to(&store);
    let conf = folder.join("broker.conf");
    std::fs::write(&conf, "brokerName=a\ncheckCRCOnRecover=false\n").unwrap();
    let setting = |arguments: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_storescope"))
            .args(["recover", "--json"])
            .args(arguments)
            .output()
            .unwrap();
        let outcome: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        outcome["options"]["settings"]["checkCRCOnRecover"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (parent, inner, conf) = (
        folder.to_str().unwrap(),
        store.to_str().unwrap(),
        conf.to_str().unwrap(),
    );
    assert_eq!(setting(&[inner]), "true");
    assert_eq!(setting(&[parent]), "false");
    assert_eq!(setting(&[inner, "--conf", conf]), "false");
    assert_eq!(
        setting(&[parent, "--set", "checkCRCOnRecover=true"]),
        "true"
    );
    let _ = std::fs::remove_dir_all(&folder);
}

/// Queues that lag are caught up by 4.9 and left alone by 5.1.
#[test]
fn one_store_under_two_releases_stands_side_by_side() {
    let store = OnDisk::of("clean-lag");
    let call = |with: &[&str]| {
        let mut arguments = vec!["compare", store.path(), "--broker", "4.9.3"];
        arguments.extend(with);
        storescope(&arguments)
    };
    let differs = call(&["--with", "--broker", "5.1.4", "--json"]);
    assert_eq!(code(&differs), 1);
    let found = json(&differs);
    assert_eq!(found["schema"], "storescope/1");
    assert_eq!(
        (
            &found["left"]["broker"]["release"],
            &found["right"]["broker"]["release"]
        ),
        (&"4.9.3".into(), &"5.1.4".into())
    );
    let verdict = found["verdict"].as_array().unwrap();
    let rebuilt = verdict
        .iter()
        .find(|row| row["count"] == "queueEntriesRebuilt")
        .unwrap();
    assert_eq!(
        rebuilt["left"],
        found["left"]["counts"]["queueEntriesRebuilt"]
    );
    assert_eq!(rebuilt["right"], 0);
    let steps = found["steps"].as_array().unwrap();
    let only_5 = steps
        .iter()
        .find(|step| step["rule"] == "reput.from-confirm-offset")
        .unwrap();
    assert_eq!(
        (only_5["left"].is_null(), &only_5["since"]),
        (true, &"5.0".into())
    );

    let same = call(&["--with", "--broker", "4.9.8"]);
    assert_eq!(code(&same), 0);
    assert!(String::from_utf8_lossy(&same.stdout).contains("The verdict is the same."));
    assert_eq!(code(&call(&[])), 3, "with what?");
}

/// Two stores that have little in common: what each has alone is told.
#[test]
fn two_stores_are_held_to_each_other() {
    let (store, other) = (OnDisk::of("clean-shutdown"), OnDisk::of("clean-tiny"));
    let same = storescope(&["compare", store.path(), store.path(), "--json"]);
    assert_eq!(code(&same), 0);
    assert!(json(&same)["logs"][0]["firstDifference"].is_null());
    let differs = storescope(&["compare", store.path(), other.path(), "--json"]);
    assert_eq!(code(&differs), 1);
    let log = &json(&differs)["logs"][0];
    assert!(
        log["firstDifference"].is_i64() && log["left"] != log["right"],
        "{log}"
    );
}
