//! `compare`: two recoveries side by side, and of two stores their logs as well.

use super::call::Call;
use super::{open, wrong_call};
use serde_json::{Value as Json, json};
use std::process::ExitCode;
use storescope::brokers::{Asked, Opened};
use storescope::language::Language;
use storescope::recovery::difference::{Difference, difference};
use storescope::recovery::outcome::{Outcome, SCHEMA};
use storescope::view_model::{side_by_side, steps, text};
use storescope::what_if::WhatIf;
use storescope::what_if::logs::{self, LogPair};

pub fn compare(call: &Call, opened: Opened) -> ExitCode {
    if call.beside.path.is_none() && call.beside.asked.is_none() {
        return wrong_call("with what? Another PATH, or --with and other options");
    }
    match sides(call, opened) {
        Ok((left, right, logs)) => {
            let difference = difference(&left, &right);
            if call.json {
                println!("{}", as_json(&difference, &left, &right, logs.as_deref()));
            } else {
                let words = side_by_side::text(&difference, &left, &right, Language::English);
                print!("{words}");
                for log in logs.iter().flatten() {
                    print!("{}", side_by_side::log_text(log, Language::English));
                }
            }
            let same_logs = logs
                .iter()
                .flatten()
                .all(|log| log.first_difference.is_none());
            ExitCode::from(u8::from(!difference.verdict.is_empty() || !same_logs))
        }
        Err(error) => wrong_call(&error),
    }
}

type Sides = (Outcome, Outcome, Option<Vec<LogPair>>);

fn sides(call: &Call, left: Opened) -> Result<Sides, String> {
    let mut asked = call.beside.asked.clone().unwrap_or(call.asked.clone());
    let Some(path) = &call.beside.path else {
        let ours = recovered(&left, &call.asked)?;
        return Ok((ours, recovered(&left, &asked)?, None));
    };
    let right = open(path, &mut asked)?;
    let logs = logs::compare((&left.store, &call.asked), (&right.store, &asked))
        .map_err(|error| error.to_string())?;
    let ours = recovered(&left, &call.asked)?;
    Ok((ours, recovered(&right, &asked)?, Some(logs)))
}

fn recovered(opened: &Opened, asked: &Asked) -> Result<Outcome, String> {
    let what_if = WhatIf {
        asked: asked.clone(),
        edits: Vec::new(),
    };
    let recovered = what_if.recover(&opened.store, &mut |_| {});
    let mut outcome = recovered.map_err(|bad| bad.to_string())?.outcome;
    text::fill_sentences(&mut outcome);
    Ok(outcome)
}

fn as_json(
    difference: &Difference,
    left: &Outcome,
    right: &Outcome,
    logs: Option<&[LogPair]>,
) -> Json {
    let side = |outcome: &Outcome| {
        json!({
            "broker": outcome.broker,
            "options": outcome.options,
            "end": outcome.end,
            "marks": outcome.marks,
            "ledger": outcome.ledger,
            "counts": outcome.counts,
        })
    };
    let parted: Vec<Json> = side_by_side::parted(difference, left, right)
        .map(|parted| {
            let step = |step: Option<&storescope::recovery::Step>| {
                step.map(|step| {
                    json!({
                        "number": step.number,
                        "place": step.place,
                        "sentence": steps::sentence(step, Language::English).to_string(),
                    })
                })
            };
            json!({
                "rule": parted.left.or(parted.right).map(|step| &step.rule),
                "source": parted.rule.map(|rule| rule.source),
                "since": parted.rule.map(|rule| rule.since),
                "until": parted.rule.and_then(|rule| rule.until),
                "left": step(parted.left),
                "right": step(parted.right),
            })
        })
        .collect();
    let mut whole = json!({
        "schema": SCHEMA,
        "tool": left.tool,
        "left": side(left),
        "right": side(right),
        "same": difference.verdict.is_empty(),
        "verdict": difference.verdict,
        "files": difference.files,
        "steps": parted,
    });
    if let (Json::Object(members), Some(logs)) = (&mut whole, logs) {
        members.insert("logs".to_owned(), json!(logs));
    }
    whole
}
