//! `cargo xtask oracle --broker kafka`: fresh log directories, damaged at random, through the real loader and through storescope.

use crate::{Result, cases::compare, oracle, tally::Tally, workspace};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

/// Seeds from `base` on, `last` included.
pub fn run(release: &str, base: u32, last: u32) -> Result<ExitCode> {
    println!("Kafka {release}, seeds {base} to {last} (again: --seed-base {base})");
    let storescope = oracle::build_storescope()?;
    let scratch = workspace::target_dir()?.join(format!("oracle-kafka-{release}-{base}"));
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    let mut broker = Command::new(workspace::root().join("tests/brokers/kafka/run.sh"));
    broker.arg(release).arg("fuzz").arg(&scratch);
    workspace::run(broker.args([base.to_string(), last.to_string()]))?;

    let mut sum = Tally::default();
    for seed in base..=last {
        let name = format!("fuzz-{seed}");
        let folder = scratch.join(&name);
        let golden: Value = serde_json::from_slice(&fs::read(folder.join("golden.json"))?)?;
        if is_excused(&golden) {
            println!("{name}: excused, the real broker ran out of the harness's heap");
            continue;
        }
        match judge(&storescope, release, &folder, &golden)? {
            None => sum += Tally::ONE_PASSED,
            Some(difference) => {
                sum += Tally::ONE_FAILED;
                let kept = keep(release, &folder, &name)?;
                println!("{name}: {difference}\n    kept in {}", kept.display());
            }
        }
    }
    fs::remove_dir_all(&scratch)?;
    println!("{sum}");
    Ok(if sum.failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// 0.8 makes room for a message of any size that the log names, up to 2 GiB: what it then does depends on the heap it was given.
fn is_excused(golden: &Value) -> bool {
    golden.to_string().contains("OutOfMemoryError")
}

/// The first difference between the real broker and the command line, in the outcome or in the dump.
fn judge(
    storescope: &Path,
    release: &str,
    folder: &Path,
    golden: &Value,
) -> Result<Option<String>> {
    let store = folder.join("store");
    let mut recover = Command::new(storescope);
    recover.arg("recover").arg(&store);
    recover.args(["--json", "--state", "--broker", &format!("kafka-{release}")]);
    recover.arg("--settings").arg(golden["config"].to_string());
    let done = recover.output()?;
    let starts = match done.status.code() {
        Some(0 | 1) => true,
        Some(2) => false,
        _ => {
            let said = String::from_utf8_lossy(&done.stderr);
            return Ok(Some(format!("{}: {}", done.status, said.trim())));
        }
    };
    let really = golden["result"] == "ok";
    if starts != really {
        return Ok(Some(format!("the broker starts: {really}, ours: {starts}")));
    }
    let outcome: Value = serde_json::from_slice(&done.stdout)?;
    if let Some(found) = compare::kafka_states(golden, &outcome["state"]) {
        return Ok(Some(found));
    }

    let mut dump = Command::new(storescope);
    dump.arg("dump").arg(&store);
    dump.args(["--json", "--broker", &format!("kafka-{release}")]);
    dump.arg("--settings").arg(golden["config"].to_string());
    let got = lines(&String::from_utf8(dump.output()?.stdout)?)?;
    let want = lines(&fs::read_to_string(folder.join("dump.jsonl"))?)?;
    Ok(compare::difference(&want, &got, "dump"))
}

fn lines(text: &str) -> Result<Value> {
    let lines = text.lines().map(serde_json::from_str::<Value>);
    Ok(lines.collect::<std::result::Result<_, _>>()?)
}

/// Keeps a case that differs, until it is understood.
fn keep(release: &str, folder: &Path, name: &str) -> Result<PathBuf> {
    let kept = workspace::root()
        .join(format!("tests/cases/kafka/{release}-new"))
        .join(name);
    copy(folder, &kept)?;
    Ok(kept)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
