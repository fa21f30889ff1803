//! What the page shows at a step is what the steps up to it did, and at the last step it is what the real broker has.
//!
//! The map at every step is held against a replay of the changes written for this test alone; ends of queues, marks, ledger and
//! counts are held against the store's own bytes before and the golden after.

mod support;

use serde_json::Value as Json;
use std::collections::{BTreeMap, HashSet};
use storescope::brokers::{self, Recovered};
use storescope::recovery::Phase;
use storescope::recovery::map::{LaneKind, MapNow, StoreMap};
use storescope::recovery::moments::RunOfMessages;
use storescope::recovery::outcome::Outcome;
use storescope::recovery::trace::{Change, LaneEnd, LaneMove, Step};
use storescope::rocketmq::PROCESS_OFFSET;
use support::case::{Case, Unpacked};
use support::{asked, cases, compare, on_all, recover, store_of};

/// The end of a file, of a lane, and what became of them: nothing else, as plain numbers.
#[derive(Clone, Debug, Default, PartialEq)]
struct Replay {
    files: Vec<(String, usize, u64, bool)>,
    lanes: Vec<(String, LaneEnd, i64, i64)>,
    log: Vec<(i64, i64, u64, bool)>,
    marks: BTreeMap<String, Option<i64>>,
}

impl Replay {
    fn before(map: &StoreMap) -> Self {
        let files = map.files.iter();
        let lanes = map.lanes.iter();
        Self {
            files: files
                .map(|file| (file.path.to_string(), file.lane, file.size, false))
                .collect(),
            lanes: lanes
                .map(|lane| (lane.name.clone(), LaneEnd::EMPTY, 0, 0))
                .collect(),
            ..Self::default()
        }
    }

    fn shown(now: &MapNow) -> Self {
        let files = now.files.iter();
        let lanes = now.lanes.iter();
        let log = now.log.iter();
        let marks = now.marks.iter();
        Self {
            files: files
                .map(|now| {
                    (
                        now.file.path.to_string(),
                        now.file.lane,
                        now.wrote,
                        now.deleted,
                    )
                })
                .collect(),
            lanes: lanes
                .map(|now| (now.lane.name.clone(), now.end, now.rebuilt, now.cut))
                .collect(),
            log: log
                .map(|range| (range.from, range.to, range.messages, range.filler))
                .collect(),
            marks: marks
                .map(|(mark, to)| (mark.0.clone().into_owned(), *to))
                .collect(),
        }
    }

    /// Panics where a change speaks of a file or lane that is not there: a change that is lost is a lie on the map.
    fn step(&mut self, step: &Step) {
        for change in &step.changes {
            match change {
                Change::Wrote { file, to, .. } => self.files[*file].2 = *to,
                Change::Deleted { file } => self.files[*file].3 = true,
                Change::Created { path, lane, .. } => {
                    self.files.push((path.to_string(), *lane, 0, false))
                }
                Change::Verified { from, to, messages } => {
                    self.log.push((*from, *to, *messages, false))
                }
                Change::Filler { from, to } => self.log.push((*from, *to, 0, true)),
                Change::Mark { mark, to, .. } => {
                    self.marks.insert(mark.0.clone().into_owned(), *to);
                }
                Change::NewLane { lane } => {
                    self.lanes.push((lane.name.clone(), LaneEnd::EMPTY, 0, 0))
                }
                Change::Lane {
                    lane,
                    from,
                    to,
                    how,
                } => {
                    let lane = &mut self.lanes[*lane];
                    let is_empty = lane.1.entries == 0 && from.entries == 0;
                    assert!(
                        *how == LaneMove::Read || lane.1 == *from || is_empty,
                        "{}: at {:?}, moved from {from:?}",
                        lane.0,
                        lane.1
                    );
                    lane.1 = *to;
                    let more = to.entries - from.entries;
                    match how {
                        LaneMove::Read => {}
                        LaneMove::Rebuilt => lane.2 += more,
                        LaneMove::Cut | LaneMove::Destroyed => lane.3 -= more,
                    }
                }
            }
        }
    }
}

/// Runs a check over every case that the real broker judged, and says which fail and how.
fn for_every_case(check: impl Fn(&Case, &Recovered) -> Result<(), String> + Sync) {
    let cases: Vec<Case> = cases()
        .into_iter()
        .filter(|case| !case.is_excused())
        .collect();
    let failed: Vec<String> = on_all(&cases, |case| {
        let recovered = recover(&store_of(case.store()), &asked(case));
        check(case, &recovered)
            .err()
            .map(|error| format!("\n{}\n    {error}", case.label()))
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(
        failed.is_empty(),
        "{} of {} cases fail:{}",
        failed.len(),
        cases.len(),
        failed[..failed.len().min(20)].concat()
    );
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, want: &T, ours: &T) -> Result<(), String> {
    if want == ours {
        Ok(())
    } else {
        Err(format!("{what}: want {want:?}, ours {ours:?}"))
    }
}

#[test]
fn the_map_at_every_step_is_the_replay_of_the_steps_up_to_it() {
    for_every_case(|_, recovered| {
        let Outcome { map, trace, .. } = &recovered.outcome;
        let mut replay = Replay::before(map);
        same("step 0", &replay, &Replay::shown(&map.at(trace, 0)))?;
        for (n, step) in (1u32..).zip(&trace.steps) {
            same("number", &n, &step.number)?;
            replay.step(step);
            same(
                &format!("step {n}, {}", step.rule),
                &replay,
                &Replay::shown(&map.at(trace, n)),
            )?;
        }
        Ok(())
    });
}

/// The state of the golden when the start was over, if it came so far.
fn last_state(case: &Case) -> Option<Json> {
    let golden = compare::settle(&case.golden);
    let reached = |stage: &str| golden.get(stage).filter(|state| state.is_object()).cloned();
    reached("afterReput").or_else(|| reached("afterLoad"))
}

fn shown_at_the_end(outcome: &Outcome) -> MapNow {
    outcome.map.at(&outcome.trace, u32::MAX)
}

fn lane<'m>(
    now: &'m MapNow,
    kind: LaneKind,
    name: &str,
) -> Option<&'m storescope::recovery::map::LaneNow> {
    now.lanes
        .iter()
        .find(|now| now.lane.kind == kind && now.lane.name == name)
}

fn queue_name(queue: &Json) -> String {
    format!("{}/{}", queue["topic"].as_str().unwrap(), queue["queueId"])
}

#[test]
fn at_the_last_step_the_queues_end_where_the_real_ones_do() {
    for_every_case(|case, recovered| {
        let Some(state) = last_state(case) else {
            return Ok(());
        };
        let now = shown_at_the_end(&recovered.outcome);
        for queue in state["consumeQueues"].as_array().unwrap() {
            let name = queue_name(queue);
            let files = queue["files"].as_array().unwrap();
            let Some(lane) = lane(&now, LaneKind::Queue, &name) else {
                same(
                    &format!("files of {name}, which has no lane"),
                    &0,
                    &files.len(),
                )?;
                continue;
            };
            if files.is_empty() && !lane.known {
                continue; // an empty folder: nothing was read, nothing is shown
            }
            same(
                &format!("entries of {name}"),
                &queue["maxOffsetInQueue"],
                &Json::from(lane.end.entries),
            )?;
            same(
                &format!("maxPhysicOffset of {name}"),
                &queue["maxPhysicOffset"],
                &Json::from(lane.end.log_offset),
            )?;
        }
        Ok(())
    });
}

#[test]
fn at_the_last_step_the_log_and_its_files_end_where_the_real_ones_do() {
    for_every_case(|case, recovered| {
        let Some(state) = last_state(case) else {
            return Ok(());
        };
        let outcome = &recovered.outcome;
        let now = shown_at_the_end(outcome);
        let log = &state["commitLog"];
        let process_offset = outcome
            .marks
            .get(&PROCESS_OFFSET)
            .and_then(|moved| moved.after);
        // Without a file of the log there is none; the golden then says 0, what the broker sets its files' end to.
        if !case.golden["commitLogFilesBefore"]
            .as_array()
            .unwrap()
            .is_empty()
        {
            same(
                "processOffset",
                &case.golden["recovery"]["processOffset"],
                &Json::from(process_offset),
            )?;
        }
        let mut files: Vec<(&str, u64)> = now
            .files
            .iter()
            .filter(|now| now.file.lane == 0 && !now.deleted)
            .map(|now| (now.file.path.name(), now.wrote))
            .collect();
        files.sort();
        let theirs: Vec<(&str, u64)> = log["files"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| {
                (
                    file["name"].as_str().unwrap(),
                    file["wrotePosition"].as_u64().unwrap(),
                )
            })
            .collect();
        same("files of the log", &theirs, &files)
    });
}

#[test]
fn at_the_last_step_the_index_files_hold_as_many_entries_as_the_real_ones() {
    for_every_case(|case, recovered| {
        let Some(state) = last_state(case) else {
            return Ok(());
        };
        let now = shown_at_the_end(&recovered.outcome);
        let deleted: HashSet<usize> = now
            .files
            .iter()
            .filter(|now| now.deleted)
            .map(|now| now.file.lane)
            .collect();
        let lanes = now.lanes.iter().enumerate();
        let ours: Vec<i64> = lanes
            .filter(|(no, now)| {
                now.lane.kind == LaneKind::Index && now.known && !deleted.contains(no)
            })
            .map(|(_, now)| now.end.entries)
            .collect();
        let theirs: Vec<i64> = state["index"]
            .as_array()
            .unwrap()
            .iter()
            .map(|file| file["indexCount"].as_i64().unwrap().max(1) - 1)
            .collect();
        same("entries of each index file", &theirs, &ours)
    });
}

/// A queue's files before the start, and the settings that say how they are read.
struct QueueBefore<'s> {
    files: Vec<(i64, &'s [u8])>,
}

impl<'s> QueueBefore<'s> {
    fn of(store: &'s Unpacked, name: &str) -> Self {
        let folder = format!("consumequeue/{name}/");
        let files = store.files.iter();
        let files = files.filter_map(|(path, bytes)| {
            Some((path.strip_prefix(&folder)?.parse().ok()?, bytes.as_slice()))
        });
        Self {
            files: files.collect(),
        }
    }

    /// Entries up to the first bad unit, looked for from the third-last file on: `ConsumeQueue#recover`.
    fn end(&self) -> LaneEnd {
        let mut end = LaneEnd::EMPTY;
        for (start, bytes) in &self.files[self.files.len().saturating_sub(3)..] {
            let mut good = 0;
            for unit in bytes.chunks_exact(20) {
                let offset = i64::from_be_bytes(unit[..8].try_into().unwrap());
                let size = i32::from_be_bytes(unit[8..12].try_into().unwrap());
                if offset < 0 || size <= 0 {
                    break;
                }
                good += 1;
                end.log_offset = offset + i64::from(size);
            }
            end.entries = start / 20 + good;
            if good < i64::try_from(bytes.len()).unwrap() / 20 {
                break;
            }
        }
        end
    }
}

impl QueueBefore<'_> {
    /// Units up to the end, over all files.
    fn units(&self) -> i64 {
        self.files
            .first()
            .map_or(0, |(first, _)| (self.end().entries - first / 20).max(0))
    }
}

/// The step of the trace at which truncation begins.
fn truncation(outcome: &Outcome) -> Option<&Step> {
    outcome
        .trace
        .steps
        .iter()
        .find(|step| step.rule == "mark.process-offset")
}

#[test]
fn before_the_truncation_step_the_old_ends_of_the_queues_are_shown() {
    for_every_case(|case, recovered| {
        let outcome = &recovered.outcome;
        let Some(truncation) = truncation(outcome) else {
            return Ok(());
        };
        let before = outcome.map.at(&outcome.trace, truncation.number - 1);
        let store = case.store();
        for now in before
            .lanes
            .iter()
            .filter(|now| now.lane.kind == LaneKind::Queue && now.known)
        {
            let name = &now.lane.name;
            let queue = QueueBefore::of(&store, name);
            if queue.files.is_empty() {
                continue; // made anew while scanning
            }
            let old = queue.end();
            same(
                &format!("entries of {name}"),
                &(old.entries + now.rebuilt),
                &now.end.entries,
            )?;
            same(&format!("cut of {name}"), &0, &now.cut)?;
            if now.rebuilt == 0 {
                same(
                    &format!("log offset of {name}"),
                    &old.log_offset,
                    &now.end.log_offset,
                )?;
            }
        }
        Ok(())
    });
}

#[test]
fn the_ledger_accounts_for_every_byte_of_the_log() {
    for_every_case(|case, recovered| {
        let ledger = &recovered.outcome.ledger;
        let parts = [
            ledger.kept,
            ledger.cut_readable,
            ledger.cut_unreadable,
            ledger.blank,
            ledger.unwritten,
            ledger.unread,
        ];
        same(
            "sum",
            &ledger.total.bytes,
            &parts.iter().map(|part| part.bytes).sum(),
        )?;
        let is_log = |path: &str| {
            path.strip_prefix("commitlog/")
                .is_some_and(|name| !name.contains('/'))
        };
        let on_disk = case
            .store()
            .files
            .iter()
            .filter(|(path, _)| is_log(path))
            .map(|(_, bytes)| bytes.len() as u64)
            .sum();
        same("total", &on_disk, &ledger.total.bytes)
    });
}

#[test]
fn the_ledger_counts_every_message_where_the_whole_log_is_read() {
    // Queues, index and checkpoint are lost, the log is that of crash-intact: the scan begins at the first file.
    let case = support::case("crash-cq-deleted-all-rescan");
    let dump = support::case("crash-intact").dump().unwrap();
    let messages = dump.iter().filter(|line| line["end"].is_null()).count() as u64;
    let ledger = recover(&store_of(case.store()), &asked(&case))
        .outcome
        .ledger;
    assert_eq!(ledger.kept.messages, Some(messages));
    assert_eq!(ledger.total.messages, Some(messages));
    assert_eq!(
        (
            ledger.cut_readable.bytes,
            ledger.cut_unreadable.bytes,
            ledger.unread.bytes
        ),
        (0, 0, 0)
    );
    let end = &case.golden["afterReput"]["commitLog"];
    assert_eq!(end, "same");
    assert_eq!(
        Json::from(ledger.kept.bytes + ledger.blank.bytes),
        case.golden["afterLoad"]["commitLog"]["maxOffset"]
    );
}

/// Units that the truncation believes without a look at them, after the queue's own recovery did not.
fn believed(outcome: &Outcome) -> i64 {
    let lanes = shown_at_the_end(outcome).lanes;
    let truncation = outcome
        .trace
        .steps
        .iter()
        .filter(|step| step.phase == Phase::Truncate);
    truncation
        .flat_map(|step| &step.changes)
        .map(|change| match change {
            Change::Lane {
                lane,
                from,
                to,
                how: LaneMove::Read,
            } if lanes[*lane].lane.kind == LaneKind::Queue => to.entries - from.entries,
            _ => 0,
        })
        .sum()
}

#[test]
fn queue_entries_rebuilt_and_cut_lead_from_what_was_there_to_what_the_real_broker_has() {
    for_every_case(|case, recovered| {
        let Some(state) = last_state(case) else {
            return Ok(());
        };
        let store = case.store();
        let counts = recovered.outcome.counts;
        let lanes = recovered.outcome.map.lanes.iter();
        let names = lanes
            .filter(|lane| lane.kind == LaneKind::Queue)
            .map(|lane| lane.name.clone());
        let before: i64 = names
            .map(|name| QueueBefore::of(&store, &name).units())
            .sum();
        // What fills the front of a file that begins in the middle is no entry.
        let blank = serde_json::json!([0, i32::MAX, 0]);
        let after = state["consumeQueues"].as_array().unwrap().iter();
        let after: usize = after
            .map(|queue| {
                queue["units"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .filter(|unit| **unit != blank)
                    .count()
            })
            .sum();
        let rebuilt = i64::try_from(counts.queue_entries_rebuilt).unwrap();
        let cut = i64::try_from(counts.queue_entries_cut).unwrap();
        let believed = believed(&recovered.outcome);
        let found = before + rebuilt + believed - cut;
        same(
            &format!("{before} before, {rebuilt} rebuilt, {believed} believed, {cut} cut; after"),
            &(after as i64),
            &found,
        )
    });
}

/// Key hash and log offset of the entries of an index file as it was dropped; entry 0 is never used.
fn entries_before(bytes: &[u8], slots: usize) -> Vec<(i64, i64)> {
    let count = bytes
        .get(36..40)
        .map_or(0, |count| i32::from_be_bytes(count.try_into().unwrap()));
    let entry = |n: usize| {
        let at = 40 + slots * 4 + n * 20;
        let entry = bytes.get(at..at + 20)?;
        let hash = i32::from_be_bytes(entry[..4].try_into().unwrap());
        Some((
            i64::from(hash),
            i64::from_be_bytes(entry[4..12].try_into().unwrap()),
        ))
    };
    (1..usize::try_from(count).unwrap_or(0))
        .map_while(entry)
        .collect()
}

#[test]
fn index_entries_rebuilt_and_lost_lead_from_what_was_there_to_what_the_real_broker_has() {
    for_every_case(|case, recovered| {
        let Some(state) = last_state(case) else {
            return Ok(());
        };
        let store = case.store();
        let counts = recovered.outcome.counts;
        let slots = case.golden["geometry"]["maxHashSlotNum"].as_u64().unwrap() as usize;
        let (mut rebuilt, mut present, mut kept) = (0, HashSet::new(), HashSet::new());
        for file in state["index"].as_array().unwrap() {
            let path = format!("index/{}", file["name"].as_str().unwrap());
            let count_before = store.files.get(&path).and_then(|bytes| bytes.get(36..40));
            let count_before = count_before.map_or(1, |count| {
                i32::from_be_bytes(count.try_into().unwrap()).max(1)
            });
            rebuilt += file["indexCount"].as_i64().unwrap().max(1) - i64::from(count_before);
            for entry in file["entries"].as_array().unwrap() {
                present.insert((entry[0].as_i64().unwrap(), entry[1].as_i64().unwrap()));
            }
            kept.insert(path);
        }
        same(
            "rebuilt",
            &rebuilt,
            &i64::try_from(counts.index_entries_rebuilt).unwrap(),
        )?;
        let deleted =
            recovered.outcome.files.iter().filter(|file| {
                file.role == "index" && file.before.is_some() && file.after.is_none()
            });
        let deleted: HashSet<String> = deleted.map(|file| file.path.to_string()).collect();
        for path in &deleted {
            same(&format!("{path} is gone"), &false, &kept.contains(path))?;
        }
        let end = case.golden["recovery"]["processOffset"].as_i64().unwrap();
        let lost = deleted
            .iter()
            .flat_map(|path| entries_before(&store.files[path], slots))
            .filter(|entry| entry.1 < end && !present.contains(entry))
            .count();
        same(
            "lost",
            &lost,
            &usize::try_from(counts.index_entries_lost).unwrap(),
        )
    });
}

/// Inside a run the player stands at a message: what was written by then is there, and nothing of what comes after.
#[test]
fn inside_a_run_the_map_is_that_of_the_message() {
    let runs = std::sync::atomic::AtomicU64::new(0);
    for_every_case(|case, recovered| {
        let outcome = &recovered.outcome;
        let store = store_of(case.store());
        let units = units_by_queue(outcome);
        // A dispatch that goes round for ever comes by the same messages again: its run is no stretch of the log.
        let goes_round = outcome.end.rule.as_deref() == Some("reput.goes-round");
        for step in &outcome.trace.steps {
            let Some(run) = RunOfMessages::of(step)
                .filter(|run| !goes_round || run.stretch.phase == Phase::Scan)
            else {
                continue;
            };
            let moments =
                brokers::moments(&store, &asked(case), run.stretch, u32::MAX, &mut |_| {})
                    .map_err(|bad| format!("{bad:?}"))?;
            let Some(last) = moments.moments.len().checked_sub(1) else {
                return Err(format!("step {} has no moments", step.number));
            };
            runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            same("messages", &run.messages, &(moments.moments.len() as i64))?;
            let end = moments.map(&outcome.map, &outcome.trace, last);
            let whole = outcome.map.at(&outcome.trace, step.number);
            same("lanes at the end of the run", &ends(&whole), &ends(&end))?;
            same("read", &read(&whole), &read(&end))?;
            for at in 0..=last {
                let moment = &moments.moments[at];
                let now = moments.map(&outcome.map, &outcome.trace, at);
                for lane in now.lanes.iter().filter(|lane| lane.rebuilt > 0) {
                    let Some((first, units)) = units.get(&lane.lane.name) else {
                        continue;
                    };
                    let at = (lane.end.entries - first) as usize;
                    if let Some((offset, size)) = at.checked_sub(1).and_then(|at| units.get(at)) {
                        same(
                            "the queue's last unit",
                            &(offset + size),
                            &lane.end.log_offset,
                        )?;
                    }
                    if lane.end.log_offset > moment.log_offset {
                        return Err(format!(
                            "{} is ahead of {}",
                            lane.lane.name, moment.log_offset
                        ));
                    }
                }
            }
        }
        Ok(())
    });
    assert!(runs.into_inner() > 300, "runs were looked into");
}

/// A queue that only came up, and got no unit, is told with the run's step.
fn ends(now: &MapNow) -> Vec<(String, LaneEnd, i64)> {
    let lanes = now.lanes.iter().filter(|lane| lane.end.entries > 0);
    lanes
        .map(|lane| (lane.lane.name.clone(), lane.end, lane.rebuilt))
        .collect()
}

/// Messages, and bytes of the log.
fn read(now: &MapNow) -> (u64, i64) {
    let ranges = now.log.iter().filter(|range| !range.filler);
    ranges.fold((0, 0), |(messages, bytes), range| {
        (messages + range.messages, bytes + range.to - range.from)
    })
}

/// The units of each queue as the start leaves them: number of the first, and of each the offset and size.
fn units_by_queue(outcome: &Outcome) -> BTreeMap<String, (i64, Vec<(i64, i64)>)> {
    let state = outcome.state.as_ref();
    let queues = state.and_then(|state| {
        let after = state.get("afterReput").or_else(|| state.get("afterLoad"))?;
        after["consumeQueues"].as_array().cloned()
    });
    let mut found = BTreeMap::new();
    for queue in queues.unwrap_or_default() {
        let first = queue["files"][0]["name"].as_str();
        let first = first.and_then(|name| name.parse::<i64>().ok()).unwrap_or(0) / 20;
        let units = queue["units"].as_array().unwrap().iter();
        let units = units.map(|unit| (unit[0].as_i64().unwrap(), unit[1].as_i64().unwrap()));
        found.insert(queue_name(&queue), (first, units.collect()));
    }
    found
}
