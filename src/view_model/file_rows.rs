//! The files of a store: what each is, how long before and after, what becomes of it and by which step, and what it would cost to
//! delete it. Roles are the broker's words; what they mean is in [`crate::language`] under `file.<role>`.

use super::{Tone, steps};
use crate::decode::num::long_of;
use crate::language::Language;
use crate::recovery::map::LaneKind;
use crate::recovery::outcome::{EndKind, Fate, FileFate};
use crate::recovery::rule::Kind;
use crate::recovery::trace::Fact;
use crate::recovery::{Change, Outcome, Step};
use crate::store::StorePath;

/// A file that a person chose.
#[derive(Clone, Debug, PartialEq)]
pub struct FileDetail<'o> {
    pub fate: &'o FileFate,
    pub tone: Tone,
    /// The steps that touched it, those that decided about it first.
    pub steps: Vec<&'o Step>,
    /// What deleting it before the start would mean: `file.delete.<…>`.
    pub delete: String,
}

pub fn tone(fate: Fate) -> Tone {
    match fate {
        Fate::Kept | Fate::Ignored => Tone::Plain,
        Fate::NotFollowed => Tone::Warn,
        Fate::Cut | Fate::Deleted | Fate::Refused => Tone::Lost,
        Fate::Created | Fate::Changed => Tone::Rebuilt,
    }
}

/// Steps that name the file, or that changed it.
pub fn touching<'o>(outcome: &'o Outcome, path: &StorePath) -> Vec<&'o Step> {
    const MOST: usize = 40;
    let number = file_number(outcome, path);
    let names = |step: &Step| {
        let in_place = step.place.as_ref().is_some_and(|place| place.file == *path);
        let in_facts = step.facts.values().any(|fact| match fact {
            Fact::Text(text) => text == path.as_str(),
            Fact::Int(_) => false,
        });
        let in_changes = step.changes.iter().any(|change| match change {
            Change::Wrote { file, .. } | Change::Deleted { file } => number == Some(*file),
            Change::Created { path: made, .. } => made == path,
            _ => false,
        });
        in_place || in_facts || in_changes
    };
    let mut found: Vec<&Step> = outcome
        .trace
        .steps
        .iter()
        .filter(|step| names(step))
        .collect();
    let weight = |step: &&Step| match steps::kind(&step.rule) {
        Kind::Refuse | Kind::Hang => 0,
        Kind::Cut => 1,
        Kind::Reject => 2,
        Kind::Rebuild => 3,
        Kind::Choice => 4,
        Kind::Accept | Kind::Notice | Kind::Limit => 5,
    };
    found.sort_by_key(weight);
    found.truncate(MOST);
    found
}

/// Its number on the map: files that were there come first, those made follow in the order of their steps.
fn file_number(outcome: &Outcome, path: &StorePath) -> Option<usize> {
    let there = outcome.map.files.iter().position(|file| file.path == *path);
    there.or_else(|| {
        let changes = outcome.trace.steps.iter().flat_map(|step| &step.changes);
        let made = changes.filter_map(|change| match change {
            Change::Created { path, .. } => Some(path),
            _ => None,
        });
        let at = made.into_iter().position(|made| made == path)?;
        Some(outcome.map.files.len().saturating_add(at))
    })
}

pub fn detail<'o>(outcome: &'o Outcome, path: &StorePath) -> Option<FileDetail<'o>> {
    let fate = outcome.files.iter().find(|file| file.path == *path)?;
    Some(FileDetail {
        fate,
        tone: tone(fate.fate),
        steps: touching(outcome, path),
        delete: delete(outcome, fate),
    })
}

/// What is known of the cost: it hangs on what the file is, and on whether what it holds is there once more.
fn delete(outcome: &Outcome, fate: &FileFate) -> String {
    let case = if fate.before.is_none() {
        "made"
    } else if fate.fate == Fate::Ignored {
        "ignored"
    } else if fate.fate == Fate::NotFollowed {
        "not-followed"
    } else if outcome.end.kind == EndKind::Refused && fate.fate == Fate::Refused {
        "refused"
    } else {
        fate.role.as_str()
    };
    let key = format!("file.delete.{case}");
    match Language::English.find(&key) {
        Some(_) => key,
        // Nobody has said yet what a file of this role costs.
        None => "file.delete.other".to_owned(),
    }
}

/// Which kind of lane a file belongs to: the view that shows what it holds. A file that the broker makes is of the kind of its like.
pub fn lane_kind(outcome: &Outcome, path: &StorePath) -> Option<LaneKind> {
    let on_map = |path: &StorePath| {
        let file = outcome.map.files.iter().find(|file| file.path == *path)?;
        outcome.map.lanes.get(file.lane).map(|lane| lane.kind)
    };
    on_map(path).or_else(|| {
        let made = outcome.files.iter().find(|file| file.path == *path)?;
        let mut alike = outcome.files.iter().filter(|file| file.role == made.role);
        alike.find_map(|file| on_map(&file.path))
    })
}

/// Before and after as a reader compares them: `None` where they are the same.
pub fn change(fate: &FileFate) -> Option<i64> {
    let (before, after) = (fate.before?, fate.after?);
    (before != after).then(|| long_of(after).saturating_sub(long_of(before)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn a_file_knows_the_steps_that_touched_it_and_what_its_loss_would_mean() {
        let outcome = fixture::crash();
        let touched = outcome
            .trace
            .steps
            .iter()
            .find_map(|step| step.place.as_ref())
            .unwrap();
        let steps = touching(&outcome, &touched.file);
        assert!(!steps.is_empty());
        for fate in &outcome.files {
            let detail = detail(&outcome, &fate.path).unwrap();
            assert!(
                crate::language::Language::English
                    .find(&detail.delete)
                    .is_some(),
                "{}",
                detail.delete
            );
        }
    }
}
