//! `cargo xtask …`: builds, serves and tests the project with nothing to install by hand but rustup.
//!
//! What is missing (the wasm target, rustfmt, clippy, a browser for the tests) the commands fetch themselves, or they
//! say in one line what to install. See `prerequisites`.

mod bench;
mod cases;
mod checks;
mod oracle;
mod oracle_kafka;
mod pictures;
mod prerequisites;
mod samples;
mod serve;
mod tally;
mod web_build;
mod workspace;

use checks::Suite;
use std::{env, process::ExitCode};
use web_build::Profile;

/// What can go wrong here concerns whoever typed the command: a sentence is enough.
type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const USAGE: &str = "\
cargo xtask build [--debug]        the page, into dist/
cargo xtask serve [--port N]       the page, built and served on this machine (8080, or the next free port; 0: any)
                  [--until-stdin-closes]  ends together with the program that started it
cargo xtask test  [--only SUITE]   everything that must hold; SUITE: fmt, clippy, native, browser
cargo xtask samples                the page's sample stores, from the cases of the tests
cargo xtask pictures               the README's pictures (needs a browser)
cargo xtask bench                  recovery against a plain read of the same file, as ratios (needs a browser)
cargo xtask oracle --release R     fresh damaged stores, recovered by the real broker and by storescope (needs Java and Maven)
                   [--broker rocketmq|kafka] [--seeds N] [--seed-base S]";

#[derive(Debug, PartialEq)]
enum Task {
    Build(Profile),
    Serve { port: u16, until_stdin_closes: bool },
    Test(Option<Suite>),
    Samples,
    Pictures,
    Bench,
    Oracle(oracle::Asked),
    Help,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let done = parse(&arguments).and_then(run);
    done.unwrap_or_else(|error| {
        eprintln!("error: {error}");
        ExitCode::FAILURE
    })
}

fn parse(arguments: &[String]) -> Result<Task> {
    let mut words = arguments.iter().map(String::as_str);
    let mut task = match words.next() {
        Some("build") => Task::Build(Profile::Release),
        Some("serve") => Task::Serve {
            port: serve::DEFAULT_PORT,
            until_stdin_closes: false,
        },
        Some("test") => Task::Test(None),
        Some("samples") => Task::Samples,
        Some("pictures") => Task::Pictures,
        Some("bench") => Task::Bench,
        Some("oracle") => Task::Oracle(oracle::Asked::default()),
        None | Some("help" | "--help" | "-h") => return Ok(Task::Help),
        Some(other) => return Err(format!("there is no task `{other}`\n{USAGE}").into()),
    };
    while let Some(word) = words.next() {
        match (&mut task, word) {
            (Task::Build(profile), "--debug") => *profile = Profile::Debug,
            (Task::Serve { port, .. }, "--port") => *port = parse_port(words.next())?,
            (
                Task::Serve {
                    until_stdin_closes, ..
                },
                "--until-stdin-closes",
            ) => *until_stdin_closes = true,
            (Task::Test(only), "--only") => *only = Some(parse_suite(words.next())?),
            (Task::Oracle(asked), option) if asked.takes(option) => {
                asked.set(option, words.next())?
            }
            (_, "--help" | "-h") => return Ok(Task::Help),
            _ => return Err(format!("`{word}` does not belong here\n{USAGE}").into()),
        }
    }
    Ok(task)
}

fn parse_port(word: Option<&str>) -> Result<u16> {
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| "--port wants a number from 0 to 65535".into())
}

fn parse_suite(word: Option<&str>) -> Result<Suite> {
    word.and_then(Suite::named)
        .ok_or_else(|| "--only wants one of fmt, clippy, native, browser".into())
}

fn run(task: Task) -> Result<ExitCode> {
    match task {
        Task::Build(profile) => {
            web_build::build(profile)?;
        }
        Task::Serve {
            port,
            until_stdin_closes,
        } => {
            let dist = web_build::build(Profile::Release)?;
            if until_stdin_closes {
                serve::end_when_stdin_closes();
            }
            serve::serve(&dist, port)?;
        }
        Task::Test(only) => return Ok(checks::run(only)),
        Task::Samples => samples::make()?,
        Task::Pictures => pictures::make()?,
        Task::Bench => return bench::run(),
        Task::Oracle(asked) => return oracle::run(&asked),
        Task::Help => println!("{USAGE}"),
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Task> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        parse(&words)
    }

    #[test]
    fn each_task_has_its_options() -> Result<()> {
        assert_eq!(parsed("build")?, Task::Build(Profile::Release));
        assert_eq!(parsed("build --debug")?, Task::Build(Profile::Debug));
        assert_eq!(
            parsed("serve --port 0 --until-stdin-closes")?,
            Task::Serve {
                port: 0,
                until_stdin_closes: true
            }
        );
        assert_eq!(
            parsed("test --only browser")?,
            Task::Test(Some(Suite::Browser))
        );
        assert_eq!(parsed("samples")?, Task::Samples);
        assert_eq!(parsed("oracle")?, Task::Oracle(oracle::Asked::default()));
        assert!(matches!(
            parsed("oracle --release 4.9.8 --seeds 3")?,
            Task::Oracle(_)
        ));
        assert_eq!(parsed("")?, Task::Help);
        Ok(())
    }

    #[test]
    fn a_wrong_word_is_an_error_and_not_ignored() {
        for line in [
            "paint",
            "build --port 1",
            "serve --port",
            "serve --port 70000",
            "test --only",
            "test --only e2e",
            "test browser",
            "oracle --seeds",
            "oracle --port 1",
            "samples --release 4.9.3",
        ] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
