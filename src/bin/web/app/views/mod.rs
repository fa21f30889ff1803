//! What is on the screen. A view is a function from what the view model worked out to elements; it computes nothing itself.
//!
//! Only three things here have a state of their own: the page ([`super::App`]), the recovery of a store ([`recovery`]) and the first
//! screen's picture ([`picture`]).

pub mod bytes;
pub mod failure;
pub mod first;
pub mod header;
pub mod help;
pub mod icons;
pub mod legend;
pub mod magnifier;
pub mod map;
pub mod map_table;
pub mod no_store;
pub mod picker;
pub mod picture;
pub mod player;
pub mod recovery;
pub mod sentence;
pub mod steps;
pub mod strip;
pub mod verdict;
pub mod why;
pub mod width;
pub mod working;

use crate::app::state::Loaded;
use storescope::language::Language;
use storescope::recovery::map::MapNow;

/// What all views of a recovery are about: the store as it is after a step.
#[derive(Clone, Copy)]
pub struct Shown<'s> {
    pub loaded: &'s Loaded,
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
