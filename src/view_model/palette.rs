//! The command palette: what a few typed letters may mean. Views, commands, steps of the recovery, log offsets, and what to look for
//! among the messages.

use super::route::View;
use super::steps;
use crate::facts;
use crate::language::{Language, numbers};
use crate::recovery::Outcome;

/// What an entry does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    View(View),
    /// Presses a key: every command has one.
    Key(&'static str),
    /// Presses a button of the page, by its id.
    Button(&'static str),
    Step(u32),
    /// Shows the log around an offset.
    Offset(i64),
    Filter(View, String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub label: String,
    /// What it is, or which key does the same.
    pub hint: String,
    pub act: Act,
}

/// Commands with their keys; the texts are those of the list of keys.
const COMMANDS: [(&str, &str); 14] = [
    ("p", "palette.play"),
    ("n", "palette.next-decision"),
    ("N", "palette.previous-decision"),
    ("d", "palette.decide"),
    ("Home", "palette.first"),
    ("End", "palette.last"),
    ("t", "palette.table"),
    ("b", "palette.bytes"),
    ("w", "palette.why"),
    ("z", "palette.zoom-step"),
    ("0", "palette.zoom-all"),
    ("s", "palette.settings"),
    ("c", "palette.copy"),
    ("?", "palette.keys"),
];

const BUTTONS: [(&str, &str); 5] = [
    ("copy-json", "action.copy-json"),
    ("copy-link", "action.copy-link"),
    ("theme", "action.theme"),
    ("language", "palette.language"),
    ("open-other", "action.open.title"),
];

/// Entries at most.
const MOST: usize = 40;

/// What a query may mean, the likeliest first; an empty one lists the views and commands.
pub fn entries(query: &str, outcome: &Outcome, views: &[View], language: Language) -> Vec<Entry> {
    let query = query.trim();
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let mut found = Vec::new();
    if let Some(number) = as_number(query) {
        found.extend(of_number(number, outcome, language));
    }
    let fits = |label: &str| {
        let label = label.to_lowercase();
        words.iter().all(|word| label.contains(word))
    };
    let views_of = views.iter().map(|view| Entry {
        label: language.text(view.title()).to_owned(),
        hint: language.text("palette.view").to_owned(),
        act: Act::View(*view),
    });
    let commands = COMMANDS.iter().map(|(key, text)| Entry {
        label: language.text(text).to_owned(),
        hint: (*key).to_owned(),
        act: Act::Key(key),
    });
    let buttons = BUTTONS.iter().map(|(id, text)| Entry {
        label: language.text(text).to_owned(),
        hint: String::new(),
        act: Act::Button(id),
    });
    let all = views_of.chain(commands).chain(buttons);
    found.extend(all.filter(|entry| fits(&entry.label)));
    if !words.is_empty() {
        let room = MOST.saturating_sub(found.len());
        let steps = outcome.trace.steps.iter().map(|step| Entry {
            label: steps::sentence(step, language).to_string(),
            hint: language.plain("palette.step", &facts! { step = step.number }),
            act: Act::Step(step.number),
        });
        found.extend(steps.filter(|entry| fits(&entry.label)).take(room));
        if views.contains(&View::Messages) {
            found.push(Entry {
                label: language.plain("palette.messages", &facts! { text = query }),
                hint: language.text(View::Messages.title()).to_owned(),
                act: Act::Filter(View::Messages, query.to_owned()),
            });
        }
    }
    found.truncate(MOST);
    found
}

/// `70822`, `70 822`, `0x114a6`.
fn as_number(text: &str) -> Option<i64> {
    let plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && *letter != ',' && *letter != '_')
        .collect();
    match plain.strip_prefix("0x") {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => plain.parse().ok(),
    }
}

fn of_number(number: i64, outcome: &Outcome, language: Language) -> Vec<Entry> {
    let mut found = Vec::new();
    let step = u32::try_from(number)
        .ok()
        .and_then(|number| steps::step(&outcome.trace, number));
    if let Some(step) = step {
        found.push(Entry {
            label: steps::sentence(step, language).to_string(),
            hint: language.plain("palette.step", &facts! { step = step.number }),
            act: Act::Step(step.number),
        });
    }
    if number >= 0 {
        found.push(Entry {
            label: language.plain("palette.offset", &facts! { offset = number }),
            hint: numbers::hex(number),
            act: Act::Offset(number),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    fn acts(query: &str) -> Vec<Act> {
        let outcome = fixture::crash();
        let views = [View::Recovery, View::Messages];
        let entries = entries(query, &outcome, &views, Language::English);
        entries.into_iter().map(|entry| entry.act).collect()
    }

    #[test]
    fn nothing_typed_lists_what_there_is() {
        let acts = acts("");
        assert!(acts.contains(&Act::View(View::Messages)) && acts.contains(&Act::Key("p")));
        assert!(!acts.iter().any(|act| matches!(act, Act::Step(_))));
    }

    #[test]
    fn a_number_is_a_step_and_an_offset() {
        assert_eq!(acts("10")[..2], [Act::Step(10), Act::Offset(10)]);
        assert_eq!(acts("70 822")[0], Act::Offset(70_822));
        assert!(acts("0x10").contains(&Act::Offset(16)));
        assert!(!acts("-5").contains(&Act::Offset(-5)));
    }

    #[test]
    fn words_find_steps_by_what_they_say_and_messages_by_anything() {
        let found = acts("crc DIFFERS");
        assert_eq!(found[0], Act::Step(fixture::STEP_STOP));
        assert_eq!(
            found.last(),
            Some(&Act::Filter(View::Messages, "crc DIFFERS".to_owned()))
        );
        assert_eq!(acts("next decision")[0], Act::Key("n"));
    }
}
