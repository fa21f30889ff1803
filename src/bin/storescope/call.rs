//! What was called: the command, its stores and options.

use std::path::PathBuf;
use storescope::brokers::{Asked, BrokerConf};
use storescope::language::Language;
use storescope::store::StorePath;

pub const USAGE: &str = "\
storescope recover PATH [STORE OPTIONS] [--json [--state]]   what the broker will do with this store
storescope dump    PATH [STORE OPTIONS] [--json]             every message, one JSON object a line
storescope check   PATH [STORE OPTIONS] [--json]             damage and contradictions, also those no broker looks for
storescope report  PATH [STORE OPTIONS] -o FILE.html|.md|.json [--language en|zh] [--no-redact]
                                                             a document to attach to an incident, without the names in the store
storescope compare PATH [PATH] [STORE OPTIONS] [--with STORE OPTIONS] [--json]
                                                             two stores, or one store under two releases or settings, side by side

STORE OPTIONS: [--store FOLDER] [--broker RELEASE] [--set KEY=VALUE]... [--settings JSON] [--conf BROKER.CONF]
PATH is a RocketMQ store, a Kafka log directory or a .zip, .tar, .tar.gz or .tar.zst of one, opened read-only; --store names one of several stores in it.
The settings of a broker.conf in PATH, or named by --conf, are used; --set goes before them.
RELEASE: rocketmq-4.9.3, 4.9.8, 5.1.4, 5.3.3, 5.5.1, kafka-0.8.2.2, 0.10.2.2, 2.8.2, 3.9.2, 4.4.0; one in between takes the rules of the nearest
of them below it. Without it the files tell, as far as they can.
--settings gives Kafka's settings per topic: {\"topic\": {\"segment.index.bytes\": \"10240\"}}.
Exit status: 0 the broker starts and nothing was cut or lost; 1 it starts and something was cut, lost or needs a look;
2 it does not start; 3 the store could not be read, or the call was wrong.
Exit status of compare: 0 the verdict is the same, and so are the logs of two stores; 1 they differ; 3 as above.
Exit status of check: 0 no finding above info; 1 there are some; 3 the store could not be read, or the call was wrong.";

/// What was called.
pub struct Call {
    pub command: Command,
    pub path: PathBuf,
    pub asked: Asked,
    pub json: bool,
    pub state: bool,
    /// `-o`
    pub output: Option<PathBuf>,
    pub language: Language,
    pub with_names: bool,
    /// `compare`: the right side, where it is another store, or the same under other options.
    pub beside: Beside,
}

#[derive(Default)]
pub struct Beside {
    pub path: Option<PathBuf>,
    /// What stands behind `--with`, over the options of the left side.
    pub asked: Option<Asked>,
}

#[derive(Clone, Copy)]
pub enum Command {
    Recover,
    Dump,
    Check,
    Report,
    Compare,
}

pub fn parse() -> Result<Option<Call>, String> {
    use lexopt::prelude::*;
    let mut parser = lexopt::Parser::from_env();
    let (mut command, mut path) = (None, None);
    let mut asked = Asked::default();
    let (mut json, mut state, mut with_names) = (false, false, false);
    let mut output = None;
    let mut language = Language::English;
    let mut conf = None;
    let mut beside = Beside::default();
    while let Some(argument) = parser.next().map_err(|error| error.to_string())? {
        let sided = beside.asked.as_mut().unwrap_or(&mut asked);
        match argument {
            Long("json") => json = true,
            Long("state") => state = true,
            Long("no-redact") => with_names = true,
            Long("language") => language = Language::from_tag(&value_of(&mut parser)?),
            Short('o') | Long("output") => output = Some(PathBuf::from(value_of(&mut parser)?)),
            // From here on the options are the right side's.
            Long("with") => beside.asked = Some(asked.clone()),
            Long("store") => sided.store = Some(value_of(&mut parser)?),
            Long("broker") => sided.release = Some(value_of(&mut parser)?),
            Long("set") => {
                let setting = value_of(&mut parser)?;
                let (key, value) = setting
                    .split_once('=')
                    .ok_or_else(|| format!("--set takes KEY=VALUE, and got {setting}"))?;
                sided.settings.insert(key.to_owned(), value.to_owned());
            }
            Long("settings") => {
                sided.topics = serde_json::from_str(&value_of(&mut parser)?).map_err(|error| {
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
                    Some("compare") => Command::Compare,
                    _ => return Err(format!("no such command: {}", word.to_string_lossy())),
                });
            }
            Value(word) if path.is_none() => path = Some(PathBuf::from(word)),
            Value(word) if beside.path.is_none() && matches!(command, Some(Command::Compare)) => {
                beside.path = Some(PathBuf::from(word));
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    if beside.asked.is_some() && !matches!(command, Some(Command::Compare)) {
        return Err("--with is for compare".to_owned());
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
            beside,
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
