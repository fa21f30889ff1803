//! Short questions to the page that most tests ask.

use crate::{Browser, Page, Result};
use serde_json::{Value, json};

impl Browser {
    /// A browser at a sample store; `rest` says where in the page, as a link does.
    pub fn at_sample(id: &str, rest: &str) -> Result<Self> {
        let browser = Self::start()?;
        browser.goto(&format!("{}#sample={id}{rest}", Page::shared()?.url()))?;
        browser.wait_for("the store", |browser| browser.exists(".rail"))?;
        Ok(browser)
    }

    pub fn count(&self, css: &str) -> Result<u64> {
        let script = "return document.querySelectorAll(arguments[0]).length";
        Ok(self.js(script, &json!([css]))?.as_u64().unwrap_or(0))
    }

    /// A `data-…` of the first such element; empty where there is none.
    pub fn data(&self, css: &str, name: &str) -> Result<String> {
        let script = "return document.querySelector(arguments[0])?.dataset[arguments[1]] ?? ''";
        let found = self.js(script, &json!([css, name]))?;
        Ok(found.as_str().unwrap_or("").to_owned())
    }

    pub fn wait_data(&self, css: &str, name: &str, wanted: &str) -> Result<()> {
        self.wait_for(&format!("{css} to have {name} {wanted}"), |browser| {
            let now = browser.data(css, name)?;
            if now == wanted {
                return Ok(true);
            }
            Err(format!("it has {now:?}").into())
        })
    }

    /// Types into a field, as a person does: the page hears of it when the field is left.
    pub fn fill(&self, css: &str, text: &str) -> Result<()> {
        let script = "const field = document.querySelector(arguments[0]);
            field.value = arguments[1];
            field.dispatchEvent(new Event('input', { bubbles: true }));
            field.dispatchEvent(new Event('change', { bubbles: true }));";
        self.js(script, &json!([css, text]))?;
        Ok(())
    }

    /// Letters one after the other, wherever the focus is.
    pub fn type_in(&self, text: &str) -> Result<()> {
        text.chars()
            .try_for_each(|letter| self.press(&letter.to_string()))
    }

    /// Where the page says it is.
    pub fn hash(&self) -> Result<String> {
        let hash = self.js("return location.hash", &json!([]))?;
        Ok(hash.as_str().unwrap_or("").to_owned())
    }

    /// The outcome as the page has it.
    pub fn outcome(&self) -> Result<Value> {
        let text = self.js("return window.storescope.outcomeJson()", &json!([]))?;
        Ok(serde_json::from_str(text.as_str().unwrap_or("null"))?)
    }

    /// Errors in the console since it was asked last.
    pub fn severe(&self) -> Result<Vec<String>> {
        let mut lines = self.console()?;
        lines.retain(|line| line.starts_with("SEVERE"));
        Ok(lines)
    }
}
