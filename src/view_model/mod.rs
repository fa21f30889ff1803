//! An outcome as boxes, rows and sentences: everything a view shows, worked out without a browser and tested without one.
//!
//! Nothing here knows a broker (rules come as data) or the DOM (boxes are numbers, colours are words such as [`Tone::Lost`]).
//! A view only lays out what it finds here.

pub mod byte_rows;
pub mod changed;
pub mod close_up;
pub mod file_rows;
pub mod gaps;
pub mod lane_choice;
pub mod lanes;
pub mod list_route;
pub mod log_bars;
pub mod magnifier;
pub mod map_table;
pub mod message_filter;
pub mod palette;
pub mod route;
pub mod scale;
pub mod scroll;
pub mod selection;
pub mod side_by_side;
pub mod steps;
pub mod stories;
pub mod strip;
pub mod text;
pub mod timeline;
pub mod verdict;

#[cfg(test)]
pub(crate) mod fixture;

/// What something is to a reader. Each has a colour, and a pattern or a word beside it: never a colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Tone {
    Plain,
    /// The broker read it, and every check held.
    Verified,
    /// The broker goes by it without reading it.
    Trusted,
    /// The broker has not come to it yet.
    Unread,
    /// Cut, deleted or destroyed.
    Lost,
    /// Written again.
    Rebuilt,
    /// Filler written on purpose, or zeros never written.
    Blank,
    /// Worth a look.
    Warn,
}

impl Tone {
    /// The word that style sheets and tests know it by.
    pub fn word(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Verified => "verified",
            Self::Trusted => "trusted",
            Self::Unread => "unread",
            Self::Lost => "lost",
            Self::Rebuilt => "rebuilt",
            Self::Blank => "blank",
            Self::Warn => "warn",
        }
    }
}

/// A stretch of a row, in pixels.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    pub x: f64,
    pub width: f64,
    pub tone: Tone,
    /// What a pointer or a screen reader gets.
    pub title: String,
}
