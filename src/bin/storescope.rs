//! The command line: the same library for hosts without a browser. Standard output holds the answer alone.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;
use storescope::brokers::{self, Asked, BrokerConf, Opened};
use storescope::language::Language;
use storescope::recovery::outcome::{EndKind, Outcome};
use storescope::report::{self, Format, Wanted, inputs};
use storescope::store::{StorePath, disk};
use storescope::view_model::text;

const USAGE: &str = "\
storescope recover PATH [STORE OPTIONS] [--json [--state]]   what the broker will do with this store
storescope dump    PATH [STORE OPTIONS] [--json]             every message, one JSON object a line
storescope check   PATH [STORE OPTIONS] [--json]             damage and contradictions, also those no broker looks for
storescope report  PATH [STORE OPTIONS] -o FILE.html|.md|.json [--language en|zh] [--no-redact]
                                                             a document to attach to an incident, without the names in the store

STORE OPTIONS: [--store FOLDER] [--broker RELEASE] [--set KEY=VALUE]... [--settings JSON] [--conf BROKER.CONF]
PATH is a RocketMQ store, a Kafka log directory or a .zip, .tar, .tar.gz or .tar.zst of one, opened read-only; --store names one of several stores in it.
The settings of a broker.conf in PATH, or named by --conf, are used; --set goes before them.
RELEASE: rocketmq-4.9.3, 4.9.8, 5.1.4, 5.3.3, 5.5.1, kafka-0.8.2.2, 0.10.2.2, 2.8.2, 3.9.2, 4.4.0; one in between takes the rules of the nearest
of them below it. Without it the files tell, as far as they can.
--settings gives Kafka's settings per topic: {\"topic\": {\"segment.index.bytes\": \"10240\"}}.
Exit status: 0 the broker starts and nothing was cut or lost; 1 it starts and something was cut, lost or needs a look;
2 it does not start; 3 the store could not be read, or the call was wrong.
Exit status of check: 0 no finding above info; 1 there are some; 3 the store could not be read, or the call was wrong.";

/// What was called.
struct Call {
    command: Command,
    path: PathBuf,
    asked: Asked,
    json: bool,
    state: bool,
    /// `-o`
    output: Option<PathBuf>,
    language: Language,
    with_names: bool,
}

#[derive(Clone, Copy)]
enum Command {
    Recover,
    Dump,
    Check,
    Report,
}

fn main() -> ExitCode {
    let mut call = match parse() {
        Ok(Some(call)) => call,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return wrong_call(&error),
    };
    let opened = match disk::open(&call.path) {
        Ok(dropped) => brokers::open_asked(dropped, &call.asked, &mut |_| {}),
        Err(error) => return wrong_call(&format!("{}: {error}", call.path.display())),
    };
    let opened = match opened {
        Ok(opened) => opened,
        Err(bad) => return wrong_call(&bad.to_string()),
    };
    call.asked = call.asked.with(opened.conf.as_ref());
    if let [first, others @ ..] = opened.stores.as_slice()
        && !others.is_empty()
        && call.asked.store.is_none()
    {
        eprintln!(
            "storescope: there are {} stores here, and {first} is read; for another one: --store {}",
            opened.stores.len(),
            others.join(", --store ")
        );
    }
    match call.command {
        Command::Recover => recover(&call, opened),
        Command::Dump => dump(&call, opened),
        Command::Check => check(&call, opened),
        Command::Report => write_report(&call, opened),
    }
}

fn wrong_call(error: &str) -> ExitCode {
    eprintln!("storescope: {error}\n\n{USAGE}");
    ExitCode::from(3)
}

fn parse() -> Result<Option<Call>, String> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_env();
    let (mut command, mut path) = (None, None);
    let mut asked = Asked::default();
    let (mut json, mut state, mut with_names) = (false, false, false);
    let mut output = None;
    let mut language = Language::English;
    let mut conf = None;
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        match argument {
            Long("json") => json = true,
            Long("state") => state = true,
            Long("no-redact") => with_names = true,
            Long("language") => language = Language::from_tag(&value_of(&mut parser)?),
            Short('o') | Long("output") => output = Some(PathBuf::from(value_of(&mut parser)?)),
            Long("store") => asked.store = Some(value_of(&mut parser)?),
            Long("broker") => asked.release = Some(value_of(&mut parser)?),
            Long("set") => {
                let setting = value_of(&mut parser)?;
                let (key, value) = setting
                    .split_once('=')
                    .ok_or_else(|| format!("--set takes KEY=VALUE, and got {setting}"))?;
                asked.settings.insert(key.to_owned(), value.to_owned());
            }
            Long("settings") => {
                asked.topics = serde_json::from_str(&value_of(&mut parser)?).map_err(|error| {
                    format!("--settings takes JSON, topic → setting → value: {error}")
                })?;
            }
            Long("conf") => {
                let path = value_of(&mut parser)?;
                let bytes = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
                let read = BrokerConf::read(StorePath::new(&path), &bytes);
                conf = Some(read.ok_or_else(|| format!("{path} holds no settings of a broker"))?);
            }
            Short('h') | Long("help") => return Ok(None),
            Value(word) if command.is_none() => {
                command = Some(match word.to_str() {
                    Some("recover") => Command::Recover,
                    Some("dump") => Command::Dump,
                    Some("check") => Command::Check,
                    Some("report") => Command::Report,
                    _ => return Err(format!("no such command: {}", word.to_string_lossy())),
                });
            }
            Value(word) if path.is_none() => path = Some(PathBuf::from(word)),
            other => return Err(other.unexpected().to_string()),
        }
    }
    match (command, path) {
        (Some(command), Some(path)) => Ok(Some(Call {
            command,
            path,
            asked: asked.with(conf.as_ref()),
            json,
            state,
            output,
            language,
            with_names,
        })),
        (None, _) => Err("which command?".to_owned()),
        (Some(_), None) => Err("which store? A PATH is missing".to_owned()),
    }
}

fn value_of(parser: &mut lexopt::Parser) -> Result<String, String> {
    let value = parser.value().map_err(|error| error.to_string())?;
    value
        .into_string()
        .map_err(|_| "an option is not UTF-8".to_owned())
}

fn recover(call: &Call, opened: Opened) -> ExitCode {
    let recovered = match brokers::recover(&opened.store, &call.asked, call.state, &mut |_| {}) {
        Ok(recovered) => recovered,
        Err(bad) => return wrong_call(&bad.to_string()),
    };
    let mut outcome = recovered.outcome;
    outcome.findings.splice(0..0, opened.findings);
    text::fill_sentences(&mut outcome);
    if call.json {
        println!("{}", outcome.to_json());
    } else {
        print!("{}", text::whole(&outcome, Language::English));
    }
    exit_code(&outcome)
}

fn exit_code(outcome: &Outcome) -> ExitCode {
    let counts = &outcome.counts;
    let ledger = &outcome.ledger;
    let lost = ledger.cut_readable.bytes > 0
        || ledger.cut_unreadable.bytes > 0
        || counts.queue_entries_cut > 0
        || counts.index_entries_lost > 0;
    ExitCode::from(match outcome.end.kind {
        EndKind::Unreadable => 3,
        // load() came back with true: the process runs, and its start waits.
        EndKind::Hangs if outcome.end.after_load => 1,
        EndKind::Refused | EndKind::Hangs => 2,
        EndKind::Started => u8::from(lost || outcome.is_limited()),
    })
}

fn dump(call: &Call, opened: Opened) -> ExitCode {
    use std::io::Write;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut broken_pipe = false;
    let read = brokers::dump(&opened.store, &call.asked, |line| {
        broken_pipe |= writeln!(out, "{line}").is_err();
    });
    match read {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("storescope: {error}");
            ExitCode::from(3)
        }
    }
}

fn check(call: &Call, opened: Opened) -> ExitCode {
    let mut checked = match brokers::check(&opened.store, &call.asked, &mut |_| {}) {
        Ok(checked) => checked,
        Err(bad) => return wrong_call(&bad.to_string()),
    };
    checked.findings.splice(0..0, opened.findings);
    text::fill_finding_sentences(&mut checked.findings);
    if call.json {
        println!("{}", checked.to_json());
    } else {
        print!("{}", text::findings(&checked, Language::English));
    }
    ExitCode::from(match checked.unread {
        Some(_) => 3,
        None => u8::from(checked.above_info() > 0),
    })
}

fn write_report(call: &Call, opened: Opened) -> ExitCode {
    let Some(output) = &call.output else {
        return wrong_call("where to? -o FILE.html, FILE.md or FILE.json");
    };
    let Some(format) = Format::of(&output.to_string_lossy()) else {
        return wrong_call(&format!(
            "{} ends in none of .html, .md and .json",
            output.display()
        ));
    };
    if is_below(output, &call.path) {
        return wrong_call("the report would be written into the store, which is never written");
    }
    let recovered = match brokers::recover(&opened.store, &call.asked, false, &mut |_| {}) {
        Ok(recovered) => recovered,
        Err(bad) => return wrong_call(&bad.to_string()),
    };
    let mut outcome = recovered.outcome;
    outcome.findings.splice(0..0, opened.findings);
    let wanted = Wanted {
        format,
        language: call.language,
        made_ms: now_ms(),
        with_names: call.with_names,
    };
    let written = inputs::read(&opened.store, &outcome, &mut |_| {})
        .map(|inputs| report::report(&outcome, &inputs, &wanted))
        .map_err(|error| error.to_string())
        .and_then(|text| {
            std::fs::write(output, text).map_err(|error| format!("{}: {error}", output.display()))
        });
    if let Err(error) = written {
        eprintln!("storescope: {error}");
        return ExitCode::from(3);
    }
    exit_code(&outcome)
}

/// Whether a file would lie in a folder, or is it. A folder that cannot be looked at is none to write to, and the writing will say so.
fn is_below(file: &Path, folder: &Path) -> bool {
    let parent = file
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new(".")).canonicalize();
    let (Ok(parent), Ok(folder)) = (parent, folder.canonicalize()) else {
        return false;
    };
    let whole = file.file_name().map(|name| parent.join(name));
    parent.starts_with(&folder) || whole.is_some_and(|whole| whole == folder)
}

/// A clock that stands before 1970 is one that nobody set.
fn now_ms() -> Option<i64> {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    i64::try_from(since.ok()?.as_millis()).ok()
}
