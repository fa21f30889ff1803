//! The findings of a check: of each kind so many are listed and the others counted, and each says which step of a start hung on it.

use crate::facts;
use crate::recovery::finding::DependsOn;
use crate::recovery::rule::Kind;
use crate::recovery::trace::{Change, Facts, LaneMove, Step};
use crate::recovery::{Finding, Outcome, Place, Severity};
use crate::rocketmq::rules;
use std::collections::BTreeMap;

/// Findings of one kind that are listed. The others are counted, in a finding of their own.
const LISTED: u64 = 100;

#[derive(Default)]
pub(super) struct Notes {
    findings: Vec<Finding>,
    counts: BTreeMap<&'static str, u64>,
}

impl Notes {
    pub fn add(&mut self, id: &'static str, severity: Severity, place: Place, facts: Facts) {
        let count = self.counts.entry(id).or_default();
        *count = count.saturating_add(1);
        if *count <= LISTED {
            self.findings
                .push(Finding::new(id, severity, Some(place), facts));
        }
    }

    /// All findings, the gravest first, with those that the start itself made.
    pub fn finish(self, outcome: &Outcome) -> Vec<Finding> {
        let mut findings = self.findings;
        for (id, count) in self.counts.iter().filter(|(_, count)| **count > LISTED) {
            let severity = findings
                .iter()
                .filter(|finding| finding.id == *id)
                .map(|finding| finding.severity)
                .min()
                .unwrap_or(Severity::Info);
            let more = count.saturating_sub(LISTED);
            findings.push(Finding::new(
                "not-listed",
                severity,
                None,
                facts! { kind = *id, more = more, listed = LISTED },
            ));
        }
        for finding in &mut findings {
            if let Some(depends_on) = depends_on(finding, outcome) {
                finding.depends_on = Some(depends_on);
                finding.decisive = true;
            }
        }
        // What the start noticed says itself whether a step hung on it.
        let of_start = outcome.findings.iter().filter(|finding| {
            !findings
                .iter()
                .any(|own| own.id == finding.id && own.place == finding.place)
        });
        let of_start: Vec<Finding> = of_start.cloned().collect();
        findings.extend(of_start);
        findings.sort_by_key(|finding| {
            let place = finding.place.as_ref();
            (
                finding.severity,
                place.map(|place| (place.file.clone(), place.offset)),
            )
        });
        findings
    }
}

/// The first step that decided something by these very bytes, or that cut or wrote again what the finding is about.
fn depends_on(finding: &Finding, outcome: &Outcome) -> Option<DependsOn> {
    let place = finding.place.as_ref()?;
    let lane = outcome
        .map
        .files
        .iter()
        .find(|file| file.path == place.file)
        .map(|file| file.lane);
    let step = outcome.trace.steps.iter().find(|step| {
        decides_by(step, place)
            || (is_of_lane(finding) && (changes(step, lane) || is_of_queue(step, finding)))
    })?;
    Some(DependsOn {
        step: step.number,
        rule: step.rule.clone(),
    })
}

fn decides_by(step: &Step, place: &Place) -> bool {
    let Some(at) = step.place.as_ref().filter(|at| at.file == place.file) else {
        return false;
    };
    let decides = match kind(step) {
        Some(Kind::Reject | Kind::Cut | Kind::Refuse | Kind::Hang) => true,
        Some(Kind::Choice) => at.length <= 8,
        _ => false,
    };
    let end = |place: &Place| place.offset.saturating_add(place.length.max(1));
    decides && at.offset < end(place) && place.offset < end(at)
}

/// About a queue or an index file as a whole, not about one of its units or entries.
fn is_of_lane(finding: &Finding) -> bool {
    matches!(
        finding.id.as_str(),
        "queue-behind" | "queue-missing" | "index-behind" | "unit-ahead" | "entry-ahead"
    )
}

/// A step that made a file of the queue that is missing.
fn is_of_queue(step: &Step, finding: &Finding) -> bool {
    let queue = finding.facts.get("queue");
    queue.is_some() && step.facts.get("queue") == queue && kind(step) == Some(Kind::Rebuild)
}

fn kind(step: &Step) -> Option<Kind> {
    rules::ALL
        .iter()
        .find(|rule| rule.id == step.rule)
        .map(|rule| rule.kind)
}

fn changes(step: &Step, lane: Option<usize>) -> bool {
    step.changes.iter().any(|change| {
        matches!(change, Change::Lane { lane: of, how, .. }
            if Some(*of) == lane && *how != LaneMove::Read)
    })
}
