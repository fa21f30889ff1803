//! Holds a state of ours against the real broker's golden. Uses nothing of the library.

use serde_json::{Map, Value};

/// What a golden says about the harness or its clock and not about the store.
const SKIP: [&str; 8] = [
    "schema",
    "version",
    "scenario",
    "geometry",
    "log",
    "volatile",
    "checkpointFileAfter",
    "reput.reputFromOffsetAtStartSource",
];

/// What a Kafka golden says about how a case was made, and not about the broker.
const KAFKA_ABOUT: [&str; 9] = [
    "oracle",
    "scenario",
    "seed",
    "victim",
    "edits",
    "version",
    "config",
    "offlineDirs",
    "pendingTasks",
];

/// Lists of data: nothing may be there that the broker has not.
const MAPS: [&str; 7] = [
    "topicQueueTable",
    "filesAfter",
    "changes",
    "snapshots",
    "rootAfter",
    "recoveryPoints",
    "logStartOffsets",
];

/// That it failed counts; the words are the JVM's.
const WORDS: [&str; 2] = ["exception", "error"];

/// The first place where our state lacks or contradicts what the real broker had, or `None`.
pub fn states(golden: &Value, ours: &Value) -> Option<String> {
    // Dispatch still ran when the harness gave up: where it was is that moment's matter.
    let still_running = golden["reput"]["outcome"] == "timeout";
    let (mut golden, mut ours) = (settle(golden), settle(ours));
    for state in [&mut golden, &mut ours]
        .into_iter()
        .filter(|_| still_running)
    {
        state["reput"]["reputFromOffset"] = Value::Null;
        state["reput"]["dispatchBehindBytes"] = Value::Null;
        state["dispatchedAfterStart"] = Value::Null;
        state["afterReput"]["checkpoint"] = Value::Null;
    }
    difference(&golden, &ours, "")
}

/// The same of Kafka's.
pub fn kafka_states(golden: &Value, ours: &Value) -> Option<String> {
    let mut golden = golden.clone();
    if let Value::Object(members) = &mut golden {
        members.retain(|key, _| !KAFKA_ABOUT.contains(&key.as_str()));
    }
    for partition in golden["partitions"].as_array_mut().into_iter().flatten() {
        if let Value::Object(members) = partition {
            members.shift_remove("log");
        }
        if let Some(Value::Object(state)) = partition.get_mut("state") {
            // A loader alone does not know them: they come with the replicas.
            state.retain(|key, _| key != "highWatermark" && key != "lastStableOffset");
        }
    }
    difference(&golden, ours, "")
}

/// The first place where `got` lacks or contradicts `want`, or `None`.
pub fn difference(want: &Value, got: &Value, path: &str) -> Option<String> {
    if SKIP.contains(&path) {
        return None;
    }
    let key = path.rsplit(['.', '[']).next().unwrap_or("");
    if WORDS.contains(&key) {
        return (want.is_null() != got.is_null()).then(|| unlike(path, want, got));
    }
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            let lacking = want.iter().find_map(|(name, value)| {
                let here = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                match got.get(name) {
                    _ if SKIP.contains(&here.as_str()) => None,
                    Some(got) => difference(value, got, &here),
                    None => Some(format!("{here}: missing (want {})", short(value))),
                }
            });
            let extra = || {
                got.keys()
                    .find(|name| MAPS.contains(&key) && !want.contains_key(*name))
            };
            lacking.or_else(|| {
                extra().map(|name| format!("{path}: has {name}, which the broker has not"))
            })
        }
        (Value::Array(want), Value::Array(got)) => {
            let pairs = want.iter().zip(got).enumerate();
            let first = pairs
                .into_iter()
                .find_map(|(i, (want, got))| difference(want, got, &format!("{path}[{i}]")));
            let lengths = (want.len() != got.len())
                .then(|| format!("{path}: want {} items, got {}", want.len(), got.len()));
            first.or(lengths)
        }
        // The broker names a new file by its clock.
        (Value::String(want), Value::String(got))
            if want.starts_with("<new-") && got.starts_with("<new-") =>
        {
            None
        }
        _ => (want != got).then(|| unlike(path, want, got)),
    }
}

fn unlike(path: &str, want: &Value, got: &Value) -> String {
    format!("{path}: want {}, got {}", short(want), short(got))
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 120 {
        text
    } else {
        text.chars().take(117).chain("...".chars()).collect()
    }
}

/// A state with "same" written out, and without what only the harness's clock or log gives.
pub fn settle(state: &Value) -> Value {
    let mut state = state.clone();
    let load = state.get("afterLoad").cloned();
    if let (Some(load), Some(reput)) = (&load, state.get_mut("afterReput")) {
        if reput == "same" {
            *reput = load.clone();
        } else if let Value::Object(members) = reput {
            for (name, value) in members.iter_mut().filter(|(_, value)| *value == "same") {
                *value = load.get(name).cloned().unwrap_or(Value::Null);
            }
        }
    }
    if let Some(Value::Object(reput)) = state.get_mut("reput")
        && reput
            .get("outcome")
            .is_some_and(|outcome| outcome != "caughtUp")
    {
        reput.insert("outcome".to_owned(), Value::from("not caught up"));
    }
    // What a load that failed has read is known from its log lines alone, and only if it wrote them.
    if state["load"]["result"] != true
        && let Some(Value::Object(recovery)) = state.get_mut("recovery")
    {
        let kept = |name: &String| {
            ![
                "startFile",
                "startFileMatchedCheckpoint",
                "visitedFiles",
                "endedBy",
            ]
            .contains(&name.as_str())
        };
        let left: Map<String, Value> = recovery
            .clone()
            .into_iter()
            .filter(|(name, _)| kept(name))
            .collect();
        *recovery = left;
    }
    state
}
