//! What the page knows: which screen, which work runs, and a recovery with all that is worked out from it once.

use super::dropped::Files;
use super::worker_link::Death;
use std::rc::Rc;
use storescope::brokers::Asked;
use storescope::protocol::{Answer, Opened, Question};
use storescope::recovery::Outcome;
use storescope::recovery::map::MapNow;
use storescope::view_model::route::Source;
use storescope::view_model::steps::Run;
use storescope::view_model::timeline::Ground;
use storescope::view_model::{selection, steps};
use yew::Callback;

/// Which screen.
#[derive(Clone, PartialEq)]
pub enum Screen {
    First,
    /// What was dropped is no store; or nothing.
    NoStore(Rc<NoStore>),
    Failed(Rc<Failure>),
    Recovery(Shared<Loaded>),
}

/// Something that was opened and holds no store.
#[derive(Clone, Debug, PartialEq)]
pub struct NoStore {
    pub opened: Opened,
    /// Path and size of what was there.
    pub files: Vec<(String, u64)>,
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub what: What,
    /// How far it had come.
    pub progress: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum What {
    Death(Death),
    /// An empty drop, or one of things that are no files.
    Nothing,
    Drop(String),
    /// A sample, or texts.
    Fetch(String),
}

/// Something that runs; stale answers are told by its token.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    pub token: u32,
    pub name: String,
    pub stage: Stage,
    /// Short work is not shown.
    pub visible: bool,
    /// Of the first screen's picture, which a person did not ask for.
    pub hidden: bool,
    pub source: Source,
    /// The release and settings that were asked for.
    pub asked: Asked,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Walking {
        files: usize,
    },
    /// So many files have been handed over.
    Handing {
        files: usize,
    },
    Starting,
    Reading {
        bytes: u64,
        of: u64,
    },
}

/// A recovery, and what every view of it needs.
pub struct Loaded {
    pub token: u32,
    pub opened: Opened,
    pub source: Source,
    pub asked: Asked,
    pub json: Rc<str>,
    pub outcome: Outcome,
    pub last: MapNow,
    pub ground: Ground,
    pub deciding: u32,
    pub runs: Vec<Run>,
}

impl Loaded {
    pub fn new(
        token: u32,
        opened: Opened,
        (source, asked): (Source, Asked),
        json: String,
        outcome: Outcome,
    ) -> Self {
        let deciding = selection::deciding(&outcome);
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        Self {
            token,
            opened,
            source,
            asked,
            json: json.into(),
            ground: Ground::of(&outcome, &last),
            last,
            deciding,
            runs: steps::runs(&outcome.trace, deciding),
            outcome,
        }
    }
}

impl Loaded {
    /// How many steps there are, and the number of the last one.
    pub fn steps(&self) -> u32 {
        self.outcome
            .trace
            .steps
            .last()
            .map_or(0, |step| step.number)
    }
}

/// Large and never changed: two are equal if they are the same one.
pub struct Shared<T>(pub Rc<T>);

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}

/// A view wants to know something of the open store. A newer question does not stop an older one: who asked twice compares.
#[derive(Clone, PartialEq)]
pub struct Ask {
    pub question: Question,
    pub reply: Callback<Answer>,
}

/// Names and sizes of dropped files, for a look at what is no store.
pub fn listing(files: &Files) -> Vec<(String, u64)> {
    files
        .names
        .files
        .iter()
        .cloned()
        .zip(files.sizes.iter().copied())
        .collect()
}
