//! What the tests of the built page stand on: the page under its own server ([`Page`]) and a real browser
//! ([`Browser`]), steered through chromedriver.
//!
//! A WebDriver client of our own, because a real drop of a folder needs the browser's debugging protocol, and because
//! the rest of WebDriver is a few JSON requests to a local port.
//!
//! What the page shows is for the files in `tests/`; only `look` knows a little of it, which most of them ask.

mod browser;
mod keys;
mod look;
mod page;
mod wire;

pub use browser::{Browser, ColourScheme};
pub use page::Page;

/// A test says what it waited for and what it saw instead; nobody handles these errors one by one.
pub type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;
