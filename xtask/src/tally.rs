//! How many things passed and failed, and how to read that from what `cargo test` prints.

use std::{fmt, ops::AddAssign};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    pub passed: u64,
    pub failed: u64,
    pub ignored: u64,
}

impl Tally {
    pub const ONE_PASSED: Self = Self::new(1, 0);
    pub const ONE_FAILED: Self = Self::new(0, 1);

    const fn new(passed: u64, failed: u64) -> Self {
        Self {
            passed,
            failed,
            ignored: 0,
        }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.ignored += other.ignored;
    }
}

/// The last line of `cargo xtask test`.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

/// Follows the output of `cargo test`, in which each test program says `running N tests` and later `test result: …`.
#[derive(Default)]
pub struct CargoTestOutput {
    sum: Tally,
    started: u64,
    finished: u64,
}

impl CargoTestOutput {
    pub fn line(&mut self, line: &str) {
        let line = line.trim_end();
        if line.starts_with("running ") && (line.ends_with(" test") || line.ends_with(" tests")) {
            self.started += 1;
        }
        if let Some(counts) = line.strip_prefix("test result: ").and_then(counts) {
            self.finished += 1;
            self.sum += counts;
        }
    }

    /// A test program that broke off counts as failed, and so does a run that could not be built, that printed no
    /// result, or that ended badly for a reason no result shows.
    pub fn end(self, success: bool) -> Tally {
        let mut tally = self.sum;
        tally.failed += self.started.saturating_sub(self.finished);
        let unexplained = !success && tally.failed == 0;
        if self.finished == 0 && tally.failed == 0 || unexplained {
            tally.failed += 1;
        }
        tally
    }
}

/// `ok. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s`
fn counts(result: &str) -> Option<Tally> {
    let (_verdict, counts) = result.split_once(". ")?;
    let count = |what: &str| {
        let mut parts = counts.split("; ");
        let number = parts.find_map(|part| part.strip_suffix(what))?;
        number.trim_end().parse().ok()
    };
    Some(Tally {
        passed: count("passed")?,
        failed: count("failed")?,
        ignored: count("ignored")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str, success: bool) -> Tally {
        let mut reading = CargoTestOutput::default();
        output.lines().for_each(|line| reading.line(line));
        reading.end(success)
    }

    const GOOD: &str = "
running 3 tests
test a ... ok
test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.10s
";
    const BAD: &str = "
running 1 test
test b ... FAILED
test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s
";

    #[test]
    fn the_results_of_all_test_programs_are_added() {
        let tally = read(&[GOOD, BAD, GOOD].concat(), false);
        assert_eq!(
            tally,
            Tally {
                passed: 6,
                failed: 1,
                ignored: 2
            }
        );
        assert_eq!(tally.to_string(), "6 passed, 1 failed");
    }

    #[test]
    fn a_run_that_could_not_be_built_is_one_failure() {
        assert_eq!(read("", false), Tally::ONE_FAILED);
    }

    #[test]
    fn a_run_without_a_result_is_one_failure_even_if_it_ends_well() {
        assert_eq!(read("", true), Tally::ONE_FAILED);
    }

    #[test]
    fn a_test_program_that_broke_off_is_a_failure() {
        let broken = "\nrunning 7 tests\ntest a ... ok\n";
        assert_eq!(read(&[GOOD, broken].concat(), false).failed, 1);
        assert_eq!(read(&[BAD, broken].concat(), false).failed, 2);
    }

    #[test]
    fn a_run_that_ends_badly_after_good_results_is_a_failure() {
        assert_eq!(read(GOOD, false).failed, 1);
        assert_eq!(read(GOOD, true).failed, 0);
    }

    #[test]
    fn words_that_only_look_like_a_result_are_no_result() {
        let tally = read(
            "test result: ok\ntest result: ok. many passed; 0 failed; 0 ignored",
            true,
        );
        assert_eq!(tally, Tally::ONE_FAILED);
    }
}
