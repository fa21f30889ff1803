//! The strip above the map: time. One section for each part of the start, wide enough to read and wider where more happens.

use super::scale::{float, whole};
use crate::recovery::Trace;
use crate::recovery::rule::Phase;

/// A part of the start on the strip.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    pub phase: Phase,
    pub x: f64,
    pub width: f64,
    /// Numbers of its first and last step.
    pub first: u32,
    pub last: u32,
}

const GAP: f64 = 2.0;

/// Sections in the order in which the broker comes to them. A phase that is entered twice has two sections.
pub fn sections(trace: &Trace, width: f64) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    for step in &trace.steps {
        match found.last_mut() {
            Some(last) if last.phase == step.phase => last.last = step.number,
            _ => found.push(Section {
                phase: step.phase,
                x: 0.0,
                width: 0.0,
                first: step.number,
                last: step.number,
            }),
        }
    }
    let weights: Vec<f64> = found.iter().map(weight).collect();
    let sum: f64 = weights.iter().sum();
    let gaps = float(crate::decode::num::long_len(found.len().saturating_sub(1))) * GAP;
    let room = (width - gaps).max(1.0);
    let mut x = 0.0;
    for (section, weight) in found.iter_mut().zip(weights) {
        section.x = x;
        section.width = room * weight / sum;
        x += section.width + GAP;
    }
    found
}

/// Twenty thousand steps are not a thousand times as wide as twenty.
fn weight(section: &Section) -> f64 {
    let steps = float(i64::from(section.last.saturating_sub(section.first))) + 1.0;
    let extra = if matches!(section.phase, Phase::Scan | Phase::Check) {
        1.5
    } else {
        0.0
    };
    1.6 + extra + steps.ln()
}

/// Where a step stands on the strip.
pub fn position(sections: &[Section], number: u32) -> f64 {
    let section = sections
        .iter()
        .find(|section| section.first <= number && number <= section.last);
    section.map_or(0.0, |section| {
        let steps = float(i64::from(section.last.saturating_sub(section.first))) + 1.0;
        let at = float(i64::from(number.saturating_sub(section.first))) + 0.5;
        section.x + section.width * at / steps
    })
}

/// The step at a place of the strip.
pub fn step_at(sections: &[Section], x: f64) -> Option<u32> {
    let section = sections
        .iter()
        .find(|section| x <= section.x + section.width + GAP)
        .or(sections.last())?;
    let steps = float(i64::from(section.last.saturating_sub(section.first))) + 1.0;
    let part = ((x - section.x) / section.width).clamp(0.0, 1.0);
    let at = u32::try_from(whole(part * steps)).unwrap_or(0);
    Some(section.first.saturating_add(at).min(section.last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn every_step_has_its_place_and_the_place_its_step() {
        let trace = fixture::crash().trace;
        let sections = sections(&trace, 800.0);
        let end = sections.last().unwrap();
        assert!(
            (end.x + end.width - 800.0).abs() < 0.001,
            "the strip is filled"
        );
        assert!(
            sections.iter().all(|section| section.width > 30.0),
            "a word fits"
        );
        for step in &trace.steps {
            let x = position(&sections, step.number);
            assert_eq!(step_at(&sections, x), Some(step.number));
        }
        assert_eq!(step_at(&sections, -5.0), Some(1));
        assert_eq!(
            step_at(&sections, 9999.0),
            trace.steps.last().map(|step| step.number)
        );
        assert_eq!(step_at(&[], 1.0), None);
    }
}
