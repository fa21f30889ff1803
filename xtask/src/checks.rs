//! `cargo xtask test`: every suite in its order, also after one has failed, and one line that sums them up.

use crate::{
    Result, prerequisites,
    prerequisites::WASM_TARGET,
    tally::{CargoTestOutput, Tally},
    web_build::Program,
    workspace,
};
use std::{
    io::{self, BufRead, BufReader, Write},
    process::{Command, ExitCode, Stdio},
};

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Suite {
    Fmt,
    Clippy,
    Native,
    Browser,
}

impl Suite {
    const ALL: [Self; 4] = [Self::Fmt, Self::Clippy, Self::Native, Self::Browser];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|suite| suite.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Native => "native",
            Self::Browser => "browser",
        }
    }

    fn run(self) -> Tally {
        match self {
            Self::Fmt => check("formatting", check_format),
            Self::Clippy => {
                let mut both = check("lints of everything native", lint_native);
                both += check("lints of the page", lint_page);
                both
            }
            Self::Native => run_tests("native tests", native_tests),
            Self::Browser => run_tests("browser tests", browser_tests),
        }
    }
}

/// Runs all suites, or one. The last line it prints is the sum and nothing else.
pub fn run(only: Option<Suite>) -> ExitCode {
    let (chosen, others): (Vec<_>, Vec<_>) = Suite::ALL
        .into_iter()
        .partition(|suite| only.is_none_or(|only| only == *suite));
    let mut sum = Tally::default();
    let mut failed = Vec::new();
    for suite in chosen {
        let tally = suite.run();
        if tally.failed > 0 {
            failed.push(suite.name());
        }
        sum += tally;
    }

    println!();
    if sum.ignored > 0 {
        println!("ignored tests: {}", sum.ignored);
    }
    if !others.is_empty() {
        let names: Vec<_> = others.into_iter().map(Suite::name).collect();
        println!("not run: {}", names.join(", "));
    }
    if !failed.is_empty() {
        println!("failed: {}", failed.join(", "));
    }
    println!("{sum}");
    match sum.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// A step that as a whole passes or fails.
fn check(title: &str, step: fn() -> Result<()>) -> Tally {
    announce(title);
    match step() {
        Ok(()) => Tally::ONE_PASSED,
        Err(error) => fails(title, &*error),
    }
}

/// A step that counts its tests one by one; if they cannot even be run, that is one failure.
fn run_tests(title: &str, command: fn() -> Result<Command>) -> Tally {
    announce(title);
    match command().and_then(count_tests) {
        Ok(tally) => tally,
        Err(error) => fails(title, &*error),
    }
}

fn announce(title: &str) {
    println!("\n== {title}");
}

fn fails(title: &str, error: &dyn std::error::Error) -> Tally {
    println!("== {title}: {error}");
    Tally::ONE_FAILED
}

fn check_format() -> Result<()> {
    prerequisites::ensure_component("rustfmt", "fmt")?;
    workspace::run(workspace::cargo()?.args(["fmt", "--all", "--check"]))
}

fn lint_native() -> Result<()> {
    prerequisites::ensure_component("clippy", "clippy")?;
    let mut cargo = workspace::cargo()?;
    cargo
        .args(["clippy", "--locked", "--workspace", "--all-targets"])
        .args(["--", "-D", "warnings"]);
    workspace::run(&mut cargo)
}

fn lint_page() -> Result<()> {
    prerequisites::ensure_component("clippy", "clippy")?;
    prerequisites::ensure_wasm_target()?;
    for program in Program::ALL {
        let mut cargo = workspace::cargo()?;
        cargo
            .args(["clippy", "--locked", "--package", "storescope", "--lib"])
            .args(["--bin", program.name, "--features", program.features])
            .args(["--target", WASM_TARGET])
            .args(["--", "-D", "warnings"]);
        workspace::run(&mut cargo)?;
    }
    Ok(())
}

fn native_tests() -> Result<Command> {
    let mut cargo = workspace::cargo()?;
    cargo
        .args(["test", "--locked", "--no-fail-fast"])
        .args(["--workspace", "--exclude", "e2e"]);
    Ok(cargo)
}

fn browser_tests() -> Result<Command> {
    let browser = prerequisites::ensure_browser()?;
    let mut cargo = workspace::cargo()?;
    cargo
        .args(["test", "--locked", "--no-fail-fast"])
        .args(["--package", "e2e"])
        .env("CHROME", browser.chrome)
        .env("CHROMEDRIVER", browser.chromedriver);
    Ok(cargo)
}

/// Runs `cargo test` and reads its results while the user sees every line as it comes.
fn count_tests(mut cargo: Command) -> Result<Tally> {
    let mut child = cargo.stdout(Stdio::piped()).spawn()?;
    let mut output = CargoTestOutput::default();
    if let Some(stdout) = child.stdout.take() {
        let mut stdout = BufReader::new(stdout);
        let mut line = Vec::new(); // tests may print what is not UTF-8
        while stdout.read_until(b'\n', &mut line)? > 0 {
            io::stdout().write_all(&line)?;
            output.line(&String::from_utf8_lossy(&line));
            line.clear();
        }
    }
    Ok(output.end(child.wait()?.success()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_can_be_asked_for_by_its_name() {
        for suite in Suite::ALL {
            assert_eq!(Suite::named(suite.name()), Some(suite));
        }
        assert_eq!(Suite::named("e2e"), None);
    }
}
