//! Two outcomes side by side: what comes out otherwise, and on which steps the ways there part.
//!
//! Steps are held to each other by their rule and place, in order; two that stand for each other may still say different things.

use super::outcome::{Amount, Counts, EndKind, FileFate, Ledger, Outcome};
use super::trace::{Change, Mark, RuleId, Step};
use crate::store::StorePath;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, DiffOp};
use std::collections::BTreeSet;

/// Where two outcomes differ.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// What a person acts on: empty where the verdict is the same.
    pub verdict: Vec<Differs>,
    pub files: Vec<FileDiffers>,
    /// All steps of both, in order.
    pub steps: Vec<Pair>,
}

/// One part of the verdict that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "what",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Differs {
    End {
        left: EndKind,
        right: EndKind,
        /// The rules that decided, where one did.
        left_rule: Option<RuleId>,
        right_rule: Option<RuleId>,
    },
    /// Where a mark stands in the end.
    Mark {
        mark: Mark,
        left: Option<i64>,
        right: Option<i64>,
    },
    /// A part of the ledger, by its name in the outcome's JSON.
    Ledger {
        part: String,
        left: Amount,
        right: Amount,
    },
    Count {
        count: String,
        left: u64,
        right: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FileDiffers {
    pub path: StorePath,
    pub left: Option<FileFate>,
    pub right: Option<FileFate>,
}

/// Steps by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "camelCase")]
pub enum Pair {
    /// So many steps in a row are the same on both sides.
    Same {
        left: u32,
        right: u32,
        count: u32,
    },
    /// The same rule at the same place, with other values.
    Otherwise {
        left: u32,
        right: u32,
    },
    Left {
        left: u32,
    },
    Right {
        right: u32,
    },
}

pub fn difference(left: &Outcome, right: &Outcome) -> Difference {
    Difference {
        verdict: verdict(left, right),
        files: files(left, right),
        steps: pairs(left, right),
    }
}

/// What a person acts on: empty where the verdict is the same.
pub fn verdict(left: &Outcome, right: &Outcome) -> Vec<Differs> {
    let mut differs = Vec::new();
    if (left.end.kind, &left.end.rule) != (right.end.kind, &right.end.rule) {
        differs.push(Differs::End {
            left: left.end.kind,
            right: right.end.kind,
            left_rule: left.end.rule.clone(),
            right_rule: right.end.rule.clone(),
        });
    }
    // A mark that one release does not have, or keeps at -1 for want of it, is not another outcome.
    let kept = |mark: Option<i64>| mark != Some(-1);
    for (mark, moved) in &left.marks {
        let Some(other) = right.marks.get(mark) else {
            continue;
        };
        if moved.after != other.after && kept(moved.after) && kept(other.after) {
            differs.push(Differs::Mark {
                mark: mark.clone(),
                left: moved.after,
                right: other.after,
            });
        }
    }
    for ((part, left), (_, right)) in amounts(&left.ledger)
        .into_iter()
        .zip(amounts(&right.ledger))
    {
        if left != right {
            differs.push(Differs::Ledger {
                part: part.to_owned(),
                left,
                right,
            });
        }
    }
    for ((count, left), (_, right)) in counts(&left.counts).into_iter().zip(counts(&right.counts)) {
        if left != right {
            differs.push(Differs::Count {
                count: count.to_owned(),
                left,
                right,
            });
        }
    }
    differs
}

/// The ledger's parts by their names in the outcome's JSON.
fn amounts(ledger: &Ledger) -> [(&'static str, Amount); 7] {
    [
        ("kept", ledger.kept),
        ("cutReadable", ledger.cut_readable),
        ("cutUnreadable", ledger.cut_unreadable),
        ("blank", ledger.blank),
        ("unwritten", ledger.unwritten),
        ("unread", ledger.unread),
        ("total", ledger.total),
    ]
}

fn counts(counts: &Counts) -> [(&'static str, u64); 4] {
    [
        ("queueEntriesRebuilt", counts.queue_entries_rebuilt),
        ("queueEntriesCut", counts.queue_entries_cut),
        ("indexEntriesRebuilt", counts.index_entries_rebuilt),
        ("indexEntriesLost", counts.index_entries_lost),
    ]
}

fn files(left: &Outcome, right: &Outcome) -> Vec<FileDiffers> {
    let of = |outcome: &Outcome, path: &StorePath| {
        let found = outcome.files.iter().find(|file| file.path == *path);
        found.cloned()
    };
    let paths: BTreeSet<&StorePath> = left
        .files
        .iter()
        .chain(&right.files)
        .map(|file| &file.path)
        .collect();
    paths
        .into_iter()
        .map(|path| FileDiffers {
            path: path.clone(),
            left: of(left, path),
            right: of(right, path),
        })
        .filter(|file| file.left != file.right)
        .collect()
}

/// What makes two steps stand for each other.
type Key<'s> = (&'s str, Option<(&'s StorePath, u64)>);

fn key(step: &Step) -> Key<'_> {
    let place = step.place.as_ref();
    (&step.rule, place.map(|place| (&place.file, place.offset)))
}

fn keys(outcome: &Outcome) -> Vec<Key<'_>> {
    outcome.trace.steps.iter().map(key).collect()
}

fn pairs(left: &Outcome, right: &Outcome) -> Vec<Pair> {
    let ops = similar::capture_diff_slices(Algorithm::Patience, &keys(left), &keys(right));
    let mut pairs = Vec::new();
    for op in ops {
        let (from_left, from_right) = (op.old_range(), op.new_range());
        let lefts = left.trace.steps.get(from_left).unwrap_or(&[]);
        let rights = right.trace.steps.get(from_right).unwrap_or(&[]);
        if matches!(op, DiffOp::Equal { .. }) {
            for (a, b) in lefts.iter().zip(rights) {
                push_matched(&mut pairs, a, b);
            }
        } else {
            pairs.extend(lefts.iter().map(|step| Pair::Left { left: step.number }));
            pairs.extend(rights.iter().map(|step| Pair::Right { right: step.number }));
        }
    }
    pairs
}

fn push_matched(pairs: &mut Vec<Pair>, a: &Step, b: &Step) {
    if !says_the_same(a, b) {
        pairs.push(Pair::Otherwise {
            left: a.number,
            right: b.number,
        });
    } else if let Some(Pair::Same { count, .. }) = pairs.last_mut() {
        *count = count.saturating_add(1);
    } else {
        pairs.push(Pair::Same {
            left: a.number,
            right: b.number,
            count: 1,
        });
    }
}

fn says_the_same(a: &Step, b: &Step) -> bool {
    (&a.place, &a.facts, a.count, &a.tally) == (&b.place, &b.facts, b.count, &b.tally)
        && a.changes.len() == b.changes.len()
        && a.changes
            .iter()
            .zip(&b.changes)
            .all(|(a, b)| without_number(a) == without_number(b))
}

/// Lanes and files are numbered in an outcome's own map; which one is meant the step's place and facts say.
fn without_number(change: &Change) -> Change {
    let mut change = change.clone();
    match &mut change {
        Change::Wrote { file, .. } | Change::Deleted { file } => *file = 0,
        Change::Created { lane, .. } | Change::Lane { lane, .. } => *lane = 0,
        Change::Verified { .. }
        | Change::Filler { .. }
        | Change::Mark { .. }
        | Change::NewLane { .. } => {}
    }
    change
}
