//! What if: one store under other releases, other settings or with a file taken away; the outcomes stand side by side.
//!
//! The store is never touched: an edit is made on a copy of its list of files. Not here: sentences, and which releases there are.

pub mod logs;

use crate::brokers::{self, Asked, BadRequest, Recovered};
use crate::recovery::difference::verdict;
use crate::recovery::outcome::Candidate;
use crate::recovery::{Outcome, Progress};
use crate::store::{Store, StorePath};
use crate::view_model::text;
use serde::{Deserialize, Serialize};

/// What would be otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WhatIf {
    /// The release and settings of the start.
    pub asked: Asked,
    pub edits: Vec<Edit>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Edit {
    /// Somebody deletes the file.
    Remove(StorePath),
}

impl WhatIf {
    /// The store as it would then be.
    pub fn edit(&self, store: &Store) -> Store {
        let mut edited = store.clone();
        for edit in &self.edits {
            match edit {
                Edit::Remove(path) => edited.remove(path),
            }
        }
        edited
    }

    /// What the broker would then do.
    pub fn recover(
        &self,
        store: &Store,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Recovered, BadRequest> {
        brokers::recover(&self.edit(store), &self.asked, false, progress)
    }
}

/// The starts under every other release that the files allow. Nothing where somebody said which release it is.
pub fn candidates(
    store: &Store,
    asked: &Asked,
    outcome: &Outcome,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Candidate>, BadRequest> {
    let mut candidates = Vec::new();
    let used = &outcome.broker;
    for course in brokers::candidates(store, asked) {
        let (Some(release), false) = (course.first(), course.contains(&used.release.as_str()))
        else {
            continue;
        };
        let what_if = WhatIf {
            asked: Asked {
                release: Some(brokers::asked_as(&used.family, release)),
                ..asked.clone()
            },
            edits: Vec::new(),
        };
        let mut recovered = what_if.recover(store, progress)?;
        text::fill_sentences(&mut recovered.outcome);
        candidates.push(Candidate {
            releases: course.iter().map(|release| (*release).to_owned()).collect(),
            differs: verdict(outcome, &recovered.outcome),
            end: recovered.outcome.end,
        });
    }
    Ok(candidates)
}
