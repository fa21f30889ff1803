//! What is on the screen. A view is a function from what the view model worked out to elements; it computes nothing itself.
//!
//! Only what a person can be in the middle of has a state of its own: the page ([`super::App`]), the open store with its views
//! ([`workbench`]), each such view ([`recovery`] and its siblings), and the first screen's picture ([`picture`]). Where a person is stands in
//! the route, not in a view.

pub mod byte_view;
pub mod bytes;
pub mod check;
pub mod close_up;
pub mod copying;
pub mod counters;
pub mod doors;
pub mod failure;
pub mod files;
pub mod first;
pub mod grid;
pub mod header;
pub mod help;
pub mod icons;
pub mod inside;
pub mod legend;
pub mod lists;
pub mod look_up;
pub mod magnifier;
pub mod map;
pub mod map_table;
pub mod map_tools;
pub mod message_panel;
pub mod messages;
pub mod no_store;
pub mod palette;
pub mod picker;
pub mod picture;
pub mod playback;
pub mod player;
pub mod recovery;
mod report;
pub mod sentence;
pub mod settings;
pub mod steps;
pub mod story;
pub mod strip;
pub mod verdict;
pub mod why;
pub mod width;
pub mod workbench;
pub mod working;

use crate::app::state::{Ask, Loaded, Shared};
use storescope::language::Language;
use storescope::recovery::map::MapNow;
use storescope::view_model::route::{Go, Route};
use yew::{Callback, Properties};

/// What every view of an open store is given.
#[derive(Clone, PartialEq, Properties)]
pub struct ViewProps {
    pub loaded: Shared<Loaded>,
    pub language: Language,
    /// Where the person is: the view, the step, what is chosen and filtered.
    pub route: Route,
    /// For questions to the workers.
    pub ask: Callback<Ask>,
    /// For going elsewhere.
    pub go: Callback<Go>,
    /// Puts a text on the clipboard, and says so.
    #[prop_or_default]
    pub copy: Callback<String>,
}

impl ViewProps {
    /// The step that is selected: the one that decided, until a person selects another.
    pub fn step(&self) -> u32 {
        let steps = 1..=self.loaded.steps();
        let asked = self.route.step.filter(|step| steps.contains(step));
        asked.unwrap_or(self.loaded.deciding)
    }
}

/// What all views of a recovery are about: the store as it is after a step.
#[derive(Clone, Copy)]
pub struct Shown<'s> {
    pub loaded: &'s Loaded,
    /// Before the step, or before the folded steps that it stands for.
    pub before: &'s MapNow,
    pub now: &'s MapNow,
    pub selected: u32,
    /// Of the drawings, in pixels.
    pub width: f64,
    pub language: Language,
}

impl Shown<'_> {
    /// The number of steps.
    pub fn of(&self) -> u32 {
        self.loaded.steps()
    }
}
