//! Something a person should know about a store, whether the broker looks at it or not.

use super::trace::{Facts, Place, RuleId};
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
    /// What it is about is not followed: the verdict is limited.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub limits: bool,
    /// Which one, where a check has looked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depends_on: Option<DependsOn>,
}

/// The step of a start that hung on a finding's bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DependsOn {
    pub step: u32,
    pub rule: RuleId,
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
            limits: false,
            depends_on: None,
        }
    }

    pub fn limiting(mut self) -> Self {
        self.limits = true;
        self
    }

    pub fn decisive(mut self) -> Self {
        self.decisive = true;
        self
    }
}
