//! Every text a person sees, in English and Chinese, by key.
//!
//! A text is a template: `**bold**`, `` `mono` `` and slots such as `{lost:bytes}` that a step's facts fill (see [`sentence`]). The
//! keys of both languages are the same and so are the slots of each pair: a test holds it. The broker's own terms (processOffset,
//! abort, checkpoint, reput, commitlog) keep their spelling in every language.
//!
//! Not here: which text to show. A step says its rule, a finding its id, a view its key.

mod en;
pub mod numbers;
pub mod sentence;

#[cfg(feature = "fetch-texts")]
pub mod fetched;
#[cfg(not(feature = "fetch-texts"))]
mod zh;

pub use sentence::{Look, Sentence, Span};

use crate::recovery::Facts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Texts of one subject, sorted by key.
type Texts = &'static [(&'static str, &'static str)];

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Language {
    #[default]
    English,
    Chinese,
}

impl Language {
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// BCP 47, for the `lang` attribute.
    pub fn tag(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// What a browser or a person asks for: anything that begins with `zh` is Chinese.
    pub fn from_tag(tag: &str) -> Self {
        if tag.to_ascii_lowercase().starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::English => Self::Chinese,
            Self::Chinese => Self::English,
        }
    }

    /// What the program holds from the start.
    fn compiled_in(self) -> &'static [Texts] {
        match self {
            Self::English => en::FIRST,
            Self::Chinese => &[],
        }
    }

    /// What the page fetches, and every other program holds as well.
    #[cfg(not(feature = "fetch-texts"))]
    fn fetched(self) -> &'static [Texts] {
        match self {
            Self::English => en::STORES,
            Self::Chinese => zh::ALL,
        }
    }

    #[cfg(feature = "fetch-texts")]
    fn fetched(self) -> &'static [Texts] {
        fetched::parts(self)
    }

    fn parts(self) -> impl Iterator<Item = Texts> {
        self.compiled_in().iter().chain(self.fetched()).copied()
    }

    /// What the page fetches, by key.
    pub fn to_fetch(self) -> BTreeMap<&'static str, &'static str> {
        self.fetched().iter().copied().flatten().copied().collect()
    }

    /// Every key there is.
    pub fn keys(self) -> impl Iterator<Item = &'static str> {
        self.parts().flatten().map(|(key, _)| *key)
    }

    /// The text of a key, if this language or English has it.
    pub fn find(self, key: &str) -> Option<&'static str> {
        find_in(self.parts(), key).or_else(|| find_in(Self::English.parts(), key))
    }

    /// The text of a key that is known when the program is written: falls back to English, then to the key itself.
    pub fn text(self, key: &'static str) -> &'static str {
        self.find(key).unwrap_or(key)
    }

    /// The text of a key with its slots filled.
    pub fn sentence(self, key: &str, facts: &Facts) -> Sentence {
        match self.find(key) {
            Some(template) => sentence::fill(template, facts),
            None => Sentence::plain(key),
        }
    }

    /// The same, without bold and mono: for attributes, logs and the JSON.
    pub fn plain(self, key: &str, facts: &Facts) -> String {
        self.sentence(key, facts).to_string()
    }
}

fn find_in(mut parts: impl Iterator<Item = Texts>, key: &str) -> Option<&'static str> {
    parts.find_map(|texts| {
        let at = texts.binary_search_by(|(name, _)| (*name).cmp(key)).ok()?;
        texts.get(at).map(|(_, text)| *text)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn all(language: Language) -> BTreeMap<&'static str, &'static str> {
        let mut texts = BTreeMap::new();
        for part in language.parts() {
            for pair in part.windows(2) {
                assert!(
                    pair[0].0 < pair[1].0,
                    "{language:?}: {} must stand after {}",
                    pair[0].0,
                    pair[1].0
                );
            }
            for (key, text) in part {
                assert!(
                    texts.insert(*key, *text).is_none(),
                    "{language:?}: {key} is there twice"
                );
                assert!(!text.trim().is_empty(), "{language:?}: {key} is empty");
            }
        }
        texts
    }

    #[test]
    fn both_languages_have_the_same_keys() {
        let english: BTreeSet<_> = all(Language::English).into_keys().collect();
        let chinese: BTreeSet<_> = all(Language::Chinese).into_keys().collect();
        let missing: Vec<_> = english.symmetric_difference(&chinese).collect();
        assert!(missing.is_empty(), "only in one language: {missing:?}");
    }

    #[test]
    fn the_two_texts_of_a_key_have_the_same_slots() {
        let chinese = all(Language::Chinese);
        for (key, english) in all(Language::English) {
            let slots = |text| sentence::slots(text).into_iter().collect::<BTreeSet<_>>();
            assert_eq!(slots(english), slots(chinese[key]), "slots of {key}");
        }
    }

    #[test]
    fn every_template_closes_what_it_opens() {
        for language in Language::ALL {
            for (key, text) in all(language) {
                assert_eq!(text.matches("**").count() % 2, 0, "{language:?} {key}: **");
                assert_eq!(text.matches('`').count() % 2, 0, "{language:?} {key}: `");
                assert_eq!(
                    text.matches('{').count(),
                    text.matches('}').count(),
                    "{language:?} {key}: {{}}"
                );
                let unknown: Vec<_> = sentence::unknown_formats(text).into_iter().collect();
                assert!(
                    unknown.is_empty(),
                    "{language:?} {key}: no such formats: {unknown:?}"
                );
            }
        }
    }

    #[test]
    fn an_unknown_key_is_shown_as_it_is() {
        assert_eq!(
            Language::Chinese.plain("rule.not-there", &Facts::new()),
            "rule.not-there"
        );
        assert_eq!(Language::from_tag("zh-TW"), Language::Chinese);
        assert_eq!(Language::from_tag("de"), Language::English);
    }
}
