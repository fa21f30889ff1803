//! The command line: the same library for hosts without a browser. Standard output holds the answer alone.

mod call;
mod compare;

use call::{Call, Command, USAGE};
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;
use storescope::brokers::{self, Asked, Opened};
use storescope::language::Language;
use storescope::recovery::outcome::{EndKind, Outcome};
use storescope::report::{self, Format, Wanted, inputs};
use storescope::store::disk;
use storescope::view_model::text;
use storescope::what_if;

fn main() -> ExitCode {
    let mut call = match call::parse() {
        Ok(Some(call)) => call,
        Ok(None) => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Err(error) => return wrong_call(&error),
    };
    let opened = match open(&call.path, &mut call.asked) {
        Ok(opened) => opened,
        Err(error) => return wrong_call(&error),
    };
    match call.command {
        Command::Recover => recover(&call, opened),
        Command::Dump => dump(&call, opened),
        Command::Check => check(&call, opened),
        Command::Report => write_report(&call, opened),
        Command::Compare => compare::compare(&call, opened),
    }
}

/// Finds the store that was asked for; the settings of a broker.conf beside it are put to use.
fn open(path: &Path, asked: &mut Asked) -> Result<Opened, String> {
    let dropped = disk::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let opened = brokers::open_asked(dropped, asked, &mut |_| {}).map_err(|bad| bad.to_string())?;
    *asked = asked.with(opened.conf.as_ref());
    if let [first, others @ ..] = opened.stores.as_slice()
        && !others.is_empty()
        && asked.store.is_none()
    {
        eprintln!(
            "storescope: there are {} stores here, and {first} is read; for another one: --store {}",
            opened.stores.len(),
            others.join(", --store ")
        );
    }
    Ok(opened)
}

fn wrong_call(error: &str) -> ExitCode {
    eprintln!("storescope: {error}\n\n{USAGE}");
    ExitCode::from(3)
}

fn recover(call: &Call, opened: Opened) -> ExitCode {
    let recovered = match brokers::recover(&opened.store, &call.asked, call.state, &mut |_| {}) {
        Ok(recovered) => recovered,
        Err(bad) => return wrong_call(&bad.to_string()),
    };
    let mut outcome = recovered.outcome;
    outcome.findings.splice(0..0, opened.findings);
    text::fill_sentences(&mut outcome);
    match what_if::candidates(&opened.store, &call.asked, &outcome, &mut |_| {}) {
        Ok(candidates) => outcome.candidates = candidates,
        Err(bad) => return wrong_call(&bad.to_string()),
    }
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
