//! Language and colours: the browser's own until a person chooses, and then what was chosen, also next time.

use storescope::language::Language;
use web_sys::{Element, Storage};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    Light,
    Dark,
}

impl Theme {
    fn word(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub fn other(self) -> Self {
        match self {
            Self::Light => Self::Dark,
            Self::Dark => Self::Light,
        }
    }

    /// What is seen now: chosen, or the system's.
    pub fn current() -> Self {
        let chosen = read(THEME).or_else(|| root()?.get_attribute("data-theme"));
        let dark = match chosen.as_deref() {
            Some("dark") => true,
            Some("light") => false,
            _ => system_is_dark(),
        };
        if dark { Self::Dark } else { Self::Light }
    }

    pub fn choose(self) {
        write(THEME, self.word());
        self.show();
    }

    fn show(self) {
        if let Some(root) = root() {
            // Without the attribute the page would only keep the system's colours.
            let _ = root.set_attribute("data-theme", self.word());
        }
    }
}

const THEME: &str = "storescope.theme";
const LANGUAGE: &str = "storescope.language";

/// Puts what was chosen before on the page, and says the language.
pub fn restore() -> Language {
    match read(THEME).as_deref() {
        Some("dark") => Theme::Dark.show(),
        Some("light") => Theme::Light.show(),
        _ => {}
    }
    let asked = read(LANGUAGE).or_else(|| web_sys::window()?.navigator().language());
    let language = asked.map_or(Language::English, |tag| Language::from_tag(&tag));
    show_language(language);
    language
}

pub fn choose_language(language: Language) {
    write(LANGUAGE, language.tag());
    show_language(language);
}

fn show_language(language: Language) {
    if let Some(root) = root() {
        // A screen reader then speaks English; the texts are right all the same.
        let _ = root.set_attribute("lang", language.tag());
    }
}

fn system_is_dark() -> bool {
    let query = web_sys::window().and_then(|window| {
        window
            .match_media("(prefers-color-scheme: dark)")
            .ok()
            .flatten()
    });
    query.is_some_and(|query| query.matches())
}

fn root() -> Option<Element> {
    web_sys::window()?.document()?.document_element()
}

/// A browser may forbid storage; then a choice lasts as long as the page.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok().flatten()
}

fn write(key: &str, value: &str) {
    if let Some(storage) = storage() {
        let _ = storage.set_item(key, value);
    }
}
