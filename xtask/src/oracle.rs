//! `cargo xtask oracle`: fresh stores, damaged at random, through the real broker and through storescope. They must agree.
//!
//! A store that differs is kept, so that it can become a case. Java and Maven are needed for this task alone.

use crate::{
    Result,
    cases::{case, case::Case, compare},
    oracle_kafka,
    tally::Tally,
    workspace,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
    time::{SystemTime, UNIX_EPOCH},
};

#[derive(Debug, PartialEq)]
pub struct Asked {
    broker: Broker,
    release: Option<String>,
    seeds: u32,
    seed_base: Option<u32>,
}

impl Default for Asked {
    fn default() -> Self {
        Self {
            broker: Broker::RocketMq,
            release: None,
            seeds: 50,
            seed_base: None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Broker {
    RocketMq,
    Kafka,
}

impl Asked {
    pub fn takes(&self, option: &str) -> bool {
        ["--broker", "--release", "--seeds", "--seed-base"].contains(&option)
    }

    pub fn set(&mut self, option: &str, value: Option<&str>) -> Result<()> {
        let value = value.ok_or_else(|| format!("{option} wants a value"))?;
        match option {
            "--broker" => {
                self.broker = match value {
                    "rocketmq" => Broker::RocketMq,
                    "kafka" => Broker::Kafka,
                    _ => return Err("--broker wants rocketmq or kafka".into()),
                }
            }
            "--release" => self.release = Some(value.to_owned()),
            "--seeds" => self.seeds = value.parse()?,
            _ => self.seed_base = Some(value.parse()?),
        }
        Ok(())
    }
}

/// Below it are the seeds of the cases that the project keeps.
const FIRST_FRESH_SEED: u32 = 10_000;

pub fn run(asked: &Asked) -> Result<ExitCode> {
    let base = match asked.seed_base {
        Some(base) => base,
        None => fresh_seed()?,
    };
    let last = base + asked.seeds.saturating_sub(1);
    match asked.broker {
        Broker::RocketMq => run_rocketmq(asked.release.as_deref().unwrap_or("4.9.3"), base, last),
        Broker::Kafka => oracle_kafka::run(asked.release.as_deref().unwrap_or("3.9.2"), base, last),
    }
}

fn run_rocketmq(release: &str, base: u32, last: u32) -> Result<ExitCode> {
    println!("RocketMQ {release}, seeds {base} to {last} (again: --seed-base {base})");
    let storescope = build_storescope()?;
    let scratch = workspace::target_dir()?.join(format!("oracle-{release}-{base}"));
    if scratch.exists() {
        fs::remove_dir_all(&scratch)?;
    }
    let mut broker = Command::new(workspace::root().join("tests/brokers/rocketmq/run.sh"));
    broker.arg(release).arg("corpus").arg(&scratch);
    workspace::run(broker.args(["fuzz", &base.to_string(), &last.to_string()]))?;

    let mut sum = Tally::default();
    for case in case::of_release(&scratch) {
        match judge(&storescope, &case)? {
            _ if case.is_excused() => println!(
                "{}: excused, the real broker ran out of the harness's heap",
                case.name
            ),
            None => sum += Tally::ONE_PASSED,
            Some(difference) => {
                sum += Tally::ONE_FAILED;
                let kept = keep(&scratch, &case)?;
                println!(
                    "{}: {difference}\n    kept in {}",
                    case.name,
                    kept.display()
                );
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

fn fresh_seed() -> Result<u32> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    Ok(FIRST_FRESH_SEED + u32::try_from(now.as_millis() % 1_000_000_000)?)
}

pub fn build_storescope() -> Result<PathBuf> {
    let mut cargo = workspace::cargo()?;
    workspace::run(cargo.args([
        "build",
        "--locked",
        "--release",
        "--package",
        "storescope",
        "--bin",
        "storescope",
    ]))?;
    Ok(workspace::target_dir()?
        .join("release")
        .join(format!("storescope{}", std::env::consts::EXE_SUFFIX)))
}

/// The first difference between the real broker and the command line, in the outcome or in the dump.
fn judge(storescope: &Path, case: &Case) -> Result<Option<String>> {
    let folder = workspace::target_dir()?.join("oracle-store");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    case.store().write_to(&folder);

    let mut recover = Command::new(storescope);
    recover
        .arg("recover")
        .arg(&folder)
        .args(["--json", "--state"]);
    recover.args(["--broker", &format!("rocketmq-{}", case.release)]);
    for (key, value) in case.settings() {
        recover.arg("--set").arg(format!("{key}={value}"));
    }
    let done = recover.output()?;
    let starts = match done.status.code() {
        Some(0 | 1) => true,
        Some(2) => false,
        _ => {
            return Ok(Some(format!(
                "{}: {}",
                done.status,
                String::from_utf8_lossy(&done.stderr).trim()
            )));
        }
    };
    if starts != case.starts() {
        return Ok(Some(format!(
            "the broker starts: {}, ours: {starts}",
            case.starts()
        )));
    }
    let outcome: Value = serde_json::from_slice(&done.stdout)?;
    if let Some(found) = compare::states(&case.golden, &outcome["state"]) {
        return Ok(Some(found));
    }

    let Some(want) = case.dump() else {
        return Ok(None);
    };
    let done = Command::new(storescope)
        .arg("dump")
        .arg(&folder)
        .arg("--json")
        .output()?;
    let lines = String::from_utf8(done.stdout)?;
    let got = lines
        .lines()
        .map(serde_json::from_str)
        .collect::<std::result::Result<Vec<Value>, _>>()?;
    Ok(compare::difference(
        &Value::from(want),
        &Value::from(got),
        "dump",
    ))
}

/// Moves a case that differs to where the tests find it.
fn keep(scratch: &Path, case: &Case) -> Result<PathBuf> {
    let kept = case::cases_folder(workspace::root())
        .join(format!("{}-new", case.release))
        .join(&case.name);
    fs::create_dir_all(&kept)?;
    for entry in fs::read_dir(scratch.join(&case.name))? {
        let entry = entry?;
        fs::copy(entry.path(), kept.join(entry.file_name()))?;
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_asked_for_is_the_usual() -> Result<()> {
        let mut asked = Asked::default();
        asked.set("--broker", Some("kafka"))?;
        asked.set("--release", Some("3.9.2"))?;
        asked.set("--seed-base", Some("12345"))?;
        let wanted = Asked {
            broker: Broker::Kafka,
            release: Some("3.9.2".to_owned()),
            seeds: 50,
            seed_base: Some(12345),
        };
        assert_eq!(asked, wanted);
        assert!(asked.set("--broker", Some("pulsar")).is_err());
        assert!(asked.set("--seeds", Some("many")).is_err());
        assert!(asked.set("--seeds", None).is_err());
        Ok(())
    }

    #[test]
    fn fresh_seeds_are_none_of_the_kept_cases() -> Result<()> {
        assert!(fresh_seed()? >= FIRST_FRESH_SEED);
        Ok(())
    }
}
