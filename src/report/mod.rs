//! A recovery as a document to attach to an incident: verdict, picture, steps, ledger, inputs with their checksums, settings.
//!
//! | file | what it does |
//! |---|---|
//! | [`inputs`] | which files a start reads, with lengths and SHA-256 |
//! | [`aliases`] | an outcome without names: topics, groups, folders and a message's texts become `topic-1`, `name-2` |
//! | [`picture`] | the timeline as SVG |
//! | [`html`], [`markdown`] | the document |
//!
//! It holds offsets, counts, times and the names that every store has. Names are taken out before anything is written, not while it
//! is: what a writer does not have it cannot leak.
//!
//! Not here: where the document goes, and the clock; who asks for a report says what time it is.

mod aliases;
mod html;
pub mod inputs;
mod markdown;
mod picture;

use crate::language::{Language, Sentence, numbers};
use crate::recovery::map::MapNow;
use crate::recovery::outcome::{Amount, Fate, Source};
use crate::recovery::{Outcome, Step};
use crate::view_model::map_table::fate_word;
use crate::view_model::verdict::{self, Verdict};
use crate::view_model::{Tone, steps};
use inputs::Input;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    Html,
    Markdown,
    Json,
}

impl Format {
    /// By a file's ending.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "html" | "htm" => Some(Self::Html),
            "md" | "markdown" => Some(Self::Markdown),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// How a report is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    pub format: Format,
    pub language: Language,
    /// When it is made, in milliseconds since 1970; it says nothing about it where nobody knows.
    pub made_ms: Option<i64>,
    /// With the names that stand in the store.
    pub with_names: bool,
}

/// The document.
pub fn report(outcome: &Outcome, inputs: &[Input], wanted: &Wanted) -> String {
    let mut outcome = outcome.clone();
    outcome.state = None;
    let mut inputs = inputs.to_vec();
    if !wanted.with_names {
        aliases::take_names_out(&mut outcome, &mut inputs);
    }
    let report = Report::of(&outcome, &inputs, wanted);
    match wanted.format {
        Format::Html => html::write(&report),
        Format::Markdown => markdown::write(&report),
        Format::Json => json(&outcome, &inputs, wanted),
    }
}

fn json(outcome: &Outcome, inputs: &[Input], wanted: &Wanted) -> String {
    let mut outcome = outcome.clone();
    crate::view_model::text::fill_sentences(&mut outcome);
    let whole = serde_json::json!({
        "schema": outcome.schema,
        "madeMs": wanted.made_ms,
        "withNames": wanted.with_names,
        "inputs": inputs,
        "outcome": outcome,
    });
    serde_json::to_string_pretty(&whole).unwrap_or_default()
}

/// Everything a writer puts down, in words.
struct Report<'r> {
    language: Language,
    outcome: &'r Outcome,
    last: MapNow,
    verdict: Verdict,
    /// What it was made with and for: a line each.
    about: Vec<(&'static str, String)>,
    ledger: Vec<[String; 3]>,
    marks: Vec<[String; 3]>,
    findings: Vec<(&'static str, Sentence)>,
    /// The steps that decided, cut, wrote again or failed.
    loud: Vec<StepLine>,
    more_loud: usize,
    steps: Vec<StepLine>,
    more_steps: usize,
    files: Vec<[String; 4]>,
    more_files: usize,
    settings: Vec<[String; 3]>,
    inputs: Vec<[String; 3]>,
    more_inputs: usize,
    digest: String,
    with_names: bool,
}

struct StepLine {
    number: u32,
    tone: Tone,
    rule: String,
    sentence: Sentence,
}

/// Steps on the first page.
const LOUD: usize = 40;
/// Rows of a table; what is left over is counted. The JSON has all.
const ROWS: usize = 1000;

impl<'r> Report<'r> {
    fn of(outcome: &'r Outcome, inputs: &'r [Input], wanted: &Wanted) -> Self {
        let language = wanted.language;
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        let line = |step: &Step| StepLine {
            number: step.number,
            tone: steps::tone(outcome, step),
            rule: step.rule.to_string(),
            sentence: steps::sentence(step, language),
        };
        let loud = outcome.trace.steps.iter();
        let loud = loud.filter(|step| steps::tone(outcome, step) != Tone::Plain);
        let more_loud = loud.clone().count().saturating_sub(LOUD);
        let files = outcome.files.iter().map(|file| file_row(file, language));
        Self {
            language,
            about: about(outcome, wanted),
            ledger: ledger(outcome, language),
            marks: marks(outcome),
            findings: findings(outcome, language),
            loud: loud.take(LOUD).map(line).collect(),
            more_loud,
            steps: outcome.trace.steps.iter().take(ROWS).map(line).collect(),
            more_steps: outcome.trace.steps.len().saturating_sub(ROWS),
            files: files.take(ROWS).collect(),
            more_files: outcome.files.len().saturating_sub(ROWS),
            settings: settings(outcome, language),
            inputs: inputs.iter().take(ROWS).map(input_row).collect(),
            more_inputs: inputs.len().saturating_sub(ROWS),
            digest: inputs::digest(inputs),
            verdict: verdict::verdict(outcome, &last, language),
            last,
            outcome,
            with_names: wanted.with_names,
        }
    }

    fn text(&self, key: &'static str) -> &'static str {
        self.language.text(key)
    }
}

fn about(outcome: &Outcome, wanted: &Wanted) -> Vec<(&'static str, String)> {
    let text = |key| wanted.language.text(key);
    let broker = &outcome.broker;
    let mut release = format!("{} {}", broker.family, broker.release);
    if let Some(rules_of) = &broker.rules_of {
        release = format!("{release} ({} {rules_of})", text("report.rules-of"));
    }
    if broker.found != "asked" {
        release = format!("{release} ({})", text("report.assumed"));
    }
    let mut about = vec![
        (text("report.release"), release),
        (text("report.tool"), format!("storescope {}", outcome.tool)),
    ];
    if let Some(made) = wanted.made_ms {
        about.push((text("report.made"), numbers::time(made)));
    }
    about
}

fn ledger(outcome: &Outcome, language: Language) -> Vec<[String; 3]> {
    let ledger = &outcome.ledger;
    let row = |key, amount: Amount| {
        let messages = match amount.messages {
            Some(messages) => grouped(messages),
            None => language.text("report.unknown").to_owned(),
        };
        [
            language.text(key).to_owned(),
            grouped(amount.bytes),
            messages,
        ]
    };
    vec![
        row("report.ledger.kept", ledger.kept),
        row("report.ledger.cut-readable", ledger.cut_readable),
        row("report.ledger.cut-unreadable", ledger.cut_unreadable),
        row("report.ledger.blank", ledger.blank),
        row("report.ledger.unwritten", ledger.unwritten),
        row("report.ledger.unread", ledger.unread),
        row("report.ledger.total", ledger.total),
    ]
}

fn grouped(number: u64) -> String {
    numbers::grouped(crate::decode::num::long_of(number))
}

fn marks(outcome: &Outcome) -> Vec<[String; 3]> {
    let shown = |name: &str, value: Option<i64>| match value {
        Some(time) if name.ends_with("Timestamp") && time > 0 => numbers::time(time),
        Some(value) => numbers::grouped(value),
        None => "–".to_owned(),
    };
    let rows = outcome.marks.iter().map(|(mark, moved)| {
        let name = mark.0.as_ref();
        [
            name.to_owned(),
            shown(name, moved.before),
            shown(name, moved.after),
        ]
    });
    rows.collect()
}

fn findings(outcome: &Outcome, language: Language) -> Vec<(&'static str, Sentence)> {
    let mut findings: Vec<_> = outcome.findings.iter().collect();
    findings.sort_by_key(|finding| finding.severity);
    findings
        .into_iter()
        .take(ROWS)
        .map(|finding| {
            (
                crate::view_model::text::severity(finding.severity, language),
                language.sentence(&format!("finding.{}", finding.id), &finding.facts),
            )
        })
        .collect()
}

fn file_row(file: &crate::recovery::outcome::FileFate, language: Language) -> [String; 4] {
    let length = |length: Option<u64>| length.map_or_else(|| "–".to_owned(), grouped);
    let after = match (file.fate, file.written) {
        (Fate::Cut, Some(written)) => grouped(written),
        _ => length(file.after),
    };
    [
        file.path.to_string(),
        length(file.before),
        after,
        language.text(fate_word(file.fate)).to_owned(),
    ]
}

fn settings(outcome: &Outcome, language: Language) -> Vec<[String; 3]> {
    let options = &outcome.options;
    let rows = options.settings.iter().map(|(key, value)| {
        let from = match options.assumed.get(key) {
            None => language.text("report.given"),
            Some(Source::Files) => language.text("report.from-files"),
            Some(Source::Default) => language.text("report.default"),
        };
        [key.clone(), value.clone(), from.to_owned()]
    });
    rows.collect()
}

fn input_row(input: &Input) -> [String; 3] {
    [
        input.path.to_string(),
        grouped(input.length),
        input.sha256.clone(),
    ]
}
