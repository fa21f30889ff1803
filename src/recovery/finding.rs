//! Something a person should know about a store, whether the broker looks at it or not.

use super::trace::{Facts, Place};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// `file.unknown`; its sentence is `finding.<id>` in [`crate::language`].
    pub id: String,
    pub severity: Severity,
    pub place: Option<Place>,
    pub facts: Facts,
    /// The sentence in English, for readers of the JSON.
    #[serde(default)]
    pub sentence: String,
    /// A step of the recovery hung on it.
    pub decisive: bool,
}

impl Finding {
    pub fn new(id: &str, severity: Severity, place: Option<Place>, facts: Facts) -> Self {
        Self {
            id: id.to_owned(),
            severity,
            place,
            facts,
            sentence: String::new(),
            decisive: false,
        }
    }

    pub fn decisive(mut self) -> Self {
        self.decisive = true;
        self
    }
}
