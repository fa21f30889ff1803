//! The map's table twin: every file, lane and mark with its exact numbers at a step, straight from the replay.

use super::changed::Changed;
use crate::recovery::map::{LaneKind, MapNow};
use crate::recovery::outcome::{Fate, Outcome};
use std::collections::BTreeMap;

/// A file's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    /// The selected step did something to it; so in the other lines.
    pub changed: bool,
    pub lane: String,
    pub path: String,
    pub start: i64,
    pub size: u64,
    pub wrote: u64,
    pub deleted: bool,
    pub created: bool,
    /// What becomes of it in the end; of a file made on the way there may be no word.
    pub fate: Option<Fate>,
}

/// A lane's row: where it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneLine {
    pub changed: bool,
    pub kind: LaneKind,
    pub name: String,
    pub known: bool,
    pub entries: i64,
    pub log_offset: i64,
    pub rebuilt: i64,
    pub cut: i64,
}

/// A mark's row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkLine {
    pub changed: bool,
    pub name: String,
    pub value: Option<i64>,
}

/// The first lines of each kind, and how many there are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapTable {
    pub all_files: usize,
    pub all_lanes: usize,
    pub files: Vec<FileLine>,
    pub lanes: Vec<LaneLine>,
    pub marks: Vec<MarkLine>,
}

pub fn table(outcome: &Outcome, now: &MapNow, changed: &Changed, most: usize) -> MapTable {
    let fates: BTreeMap<&str, Fate> = outcome
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.fate))
        .collect();
    let lane_name = |lane: usize| {
        now.lanes
            .get(lane)
            .map_or_else(String::new, |lane| lane.lane.name.clone())
    };
    let lanes = || {
        let lanes = now.lanes.iter().enumerate();
        lanes.filter(|(_, at)| at.lane.kind != LaneKind::Log)
    };
    MapTable {
        all_files: now.files.len(),
        all_lanes: lanes().count(),
        files: now
            .files
            .iter()
            .enumerate()
            .take(most)
            .map(|(number, at)| FileLine {
                changed: changed.files.contains(&number),
                lane: lane_name(at.file.lane),
                path: at.file.path.as_str().to_owned(),
                start: at.file.start,
                size: at.file.size,
                wrote: at.wrote,
                deleted: at.deleted,
                created: at.created,
                fate: fates.get(at.file.path.as_str()).copied(),
            })
            .collect(),
        lanes: lanes()
            .take(most)
            .map(|(number, at)| LaneLine {
                changed: changed.lanes.contains_key(&number),
                kind: at.lane.kind,
                name: at.lane.name.clone(),
                known: at.known,
                entries: at.end.entries,
                log_offset: at.end.log_offset,
                rebuilt: at.rebuilt,
                cut: at.cut,
            })
            .collect(),
        marks: now
            .marks
            .iter()
            .map(|(mark, value)| MarkLine {
                changed: changed.marks.contains(mark),
                name: mark.0.to_string(),
                value: *value,
            })
            .collect(),
    }
}

/// The word of a fate, for tests and as the key of its text (`fate.kept`).
pub fn fate_word(fate: Fate) -> &'static str {
    match fate {
        Fate::Kept => "kept",
        Fate::Cut => "cut",
        Fate::Deleted => "deleted",
        Fate::Created => "created",
        Fate::Changed => "changed",
        Fate::Ignored => "ignored",
        Fate::NotFollowed => "not-followed",
        Fate::Refused => "refused",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn the_table_says_what_the_replay_says_at_every_step() {
        let outcome = fixture::crash();
        for step in 0..=outcome.trace.steps.len() {
            let now = outcome.map.at(&outcome.trace, step as u32);
            let before = outcome
                .map
                .at(&outcome.trace, (step as u32).saturating_sub(1));
            let table = table(&outcome, &now, &Changed::between(&before, &now), 99);
            assert_eq!(table.files.len(), now.files.len());
            assert_eq!(
                table.lanes.len(),
                now.lanes.len() - 1,
                "the log's row is its files"
            );
            let order_1 = table
                .lanes
                .iter()
                .find(|lane| lane.name == "Order/1")
                .unwrap();
            let entries = match step {
                0..=4 => 0,
                5..=13 => 16,
                _ => 15,
            };
            assert_eq!(order_1.entries, entries, "step {step}");
            assert_eq!(order_1.changed, step == 5 || step == 14, "step {step}");
        }
    }
}
