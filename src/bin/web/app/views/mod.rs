//! What is on the screen. A view takes what the view model worked out and lays it out; it computes nothing itself.

pub mod bytes;
pub mod failure;
pub mod first;
pub mod header;
pub mod icons;
pub mod legend;
pub mod magnifier;
pub mod map;
pub mod map_table;
pub mod no_store;
pub mod picker;
pub mod player;
pub mod recovery;
pub mod sentence;
pub mod steps;
pub mod strip;
pub mod verdict;
pub mod why;
pub mod width;
pub mod working;

use storescope::language::Language;
use yew::prelude::*;

/// The language of the page. English where nobody has said.
#[hook]
pub fn use_language() -> Language {
    use_context::<Language>().unwrap_or_default()
}
