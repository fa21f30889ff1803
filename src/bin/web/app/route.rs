//! The address' fragment: which sample, which step. `#sample=torn-tail&step=31`. Dropped files have no address.

use std::collections::BTreeMap;
use wasm_bindgen::JsValue;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    pub sample: Option<String>,
    pub step: Option<u32>,
}

impl Route {
    pub fn current() -> Self {
        let hash = web_sys::window()
            .and_then(|window| window.location().hash().ok())
            .unwrap_or_default();
        Self::parse(hash.trim_start_matches('#'))
    }

    fn parse(fragment: &str) -> Self {
        let words: BTreeMap<&str, &str> = fragment
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .collect();
        // The name becomes part of an address: letters, digits and dashes only.
        let is_name = |name: &&&str| {
            name.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        };
        Self {
            sample: words
                .get("sample")
                .filter(is_name)
                .map(|name| (*name).to_owned()),
            step: words.get("step").and_then(|step| step.parse().ok()),
        }
    }

    fn fragment(&self) -> String {
        let sample = self.sample.iter().map(|name| format!("sample={name}"));
        let step = self.step.iter().map(|step| format!("step={step}"));
        sample.chain(step).collect::<Vec<_>>().join("&")
    }

    /// Without a new entry in the browser's history: stepping through a recovery is not going places.
    pub fn show(&self) {
        let Some(window) = web_sys::window() else {
            return;
        };
        let fragment = self.fragment();
        let address = if fragment.is_empty() {
            // "#" alone would scroll to the top; the bare path is the page.
            window
                .location()
                .pathname()
                .unwrap_or_else(|_| "./".to_owned())
        } else {
            format!("#{fragment}")
        };
        if let Ok(history) = window.history() {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&address));
        }
    }
}
