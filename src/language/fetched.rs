//! Texts that the page fetches: those about stores behind its first screen, those in Chinese when somebody asks for them. A first visit
//! waits for neither. `static/en.json` and `static/zh.json` are made of the tables beside this; `tests/language.rs` holds them.

use super::{Language, Texts};
use std::collections::BTreeMap;
use std::sync::OnceLock;

static ENGLISH: OnceLock<[Texts; 1]> = OnceLock::new();
static CHINESE: OnceLock<[Texts; 1]> = OnceLock::new();

fn cell(language: Language) -> &'static OnceLock<[Texts; 1]> {
    match language {
        Language::English => &ENGLISH,
        Language::Chinese => &CHINESE,
    }
}

pub(super) fn parts(language: Language) -> &'static [Texts] {
    cell(language).get().map_or(&[], |texts| texts)
}

pub fn has(language: Language) -> bool {
    cell(language).get().is_some()
}

/// From now on these texts are there. They stay for as long as the page.
pub fn learn(language: Language, json: &str) -> Result<(), String> {
    let texts: BTreeMap<String, String> =
        serde_json::from_str(json).map_err(|error| error.to_string())?;
    let sorted: Vec<(&'static str, &'static str)> = texts
        .into_iter()
        .map(|(key, text)| (&*key.leak(), &*text.leak()))
        .collect();
    cell(language).get_or_init(|| [sorted.leak()]);
    Ok(())
}
