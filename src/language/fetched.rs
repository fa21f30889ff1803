//! Chinese texts that the page fetches when somebody wants to read Chinese: a first visit in English does not pay for them.
//! `static/zh.json` is the tables of [`super::zh`]; `tests/language.rs` holds it and writes it anew.

use super::Texts;
use std::collections::BTreeMap;
use std::sync::OnceLock;

static CHINESE: OnceLock<[Texts; 1]> = OnceLock::new();

pub(super) fn parts() -> &'static [Texts] {
    CHINESE.get().map_or(&[], |texts| texts)
}

/// From now on there is Chinese. The texts stay for as long as the page.
pub fn learn(json: &str) -> Result<(), String> {
    let texts: BTreeMap<String, String> =
        serde_json::from_str(json).map_err(|error| error.to_string())?;
    let sorted: Vec<(&'static str, &'static str)> = texts
        .into_iter()
        .map(|(key, text)| (&*key.leak(), &*text.leak()))
        .collect();
    CHINESE.get_or_init(|| [sorted.leak()]);
    Ok(())
}
