//! The list of steps: what each says and how loud, and runs of like steps folded into one row that can be opened.

use super::Tone;
use crate::brokers;
use crate::language::{Language, Sentence, sentence};
use crate::recovery::rule::{Kind, Phase};
use crate::recovery::{Facts, Outcome, Step, Trace};
use std::collections::BTreeSet;

/// A row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    Step {
        number: u32,
    },
    /// Steps `first` to `last` in one row; open, the steps follow it as rows of their own.
    Group {
        first: u32,
        last: u32,
        open: bool,
    },
}

impl Row {
    /// The step that is chosen when the row is: a closed group stands for its last one, for that is the state it leads to.
    pub fn stands_for(&self) -> u32 {
        match self {
            Self::Step { number } => *number,
            Self::Group {
                first, open: true, ..
            } => *first,
            Self::Group { last, .. } => *last,
        }
    }

    pub fn holds(&self, step: u32) -> bool {
        match self {
            Self::Step { number } => *number == step,
            Self::Group { open: true, .. } => false,
            Self::Group { first, last, .. } => (*first..=*last).contains(&step),
        }
    }
}

/// Fewer like steps than this are not folded.
const FOLD: usize = 3;
/// So many different rules may take turns within a group: a queue's own recovery is three steps, again and again.
const TURNS: usize = 4;

/// A run of steps that reads as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub first: u32,
    pub last: u32,
}

/// The runs of a trace, in order, without overlap. `loud` is never folded: the step that decided.
pub fn runs(trace: &Trace, loud: u32) -> Vec<Run> {
    let mut found = Vec::new();
    let mut rest = trace.steps.as_slice();
    while let Some(first) = rest.first() {
        let len = longest_run(rest, loud);
        if len >= FOLD {
            let last = rest
                .get(len.saturating_sub(1))
                .map_or(first.number, |step| step.number);
            found.push(Run {
                first: first.number,
                last,
            });
        }
        rest = rest.get(len.max(1)..).unwrap_or(&[]);
    }
    found
}

/// How many steps from the first on make one run: one rule again and again, or a few quiet rules that take turns.
fn longest_run(steps: &[Step], loud: u32) -> usize {
    let Some(first) = steps.first() else { return 0 };
    let mut rules: Vec<&str> = Vec::new();
    let mut all_quiet = true;
    let mut best = 1;
    let mut len: usize = 0;
    for step in steps {
        let fits = step.phase == first.phase && step.number != loud;
        if !fits {
            break;
        }
        if !rules.contains(&step.rule.as_ref()) {
            rules.push(&step.rule);
            all_quiet &= is_quiet(&step.rule);
        }
        if rules.len() > TURNS || (rules.len() > 1 && !all_quiet) {
            break;
        }
        len = len.saturating_add(1);
        // Taking turns means that each came up several times.
        let least = if rules.len() == 1 {
            FOLD
        } else {
            rules.len().saturating_mul(3)
        };
        if len >= least {
            best = len;
        }
    }
    best
}

fn is_quiet(rule: &str) -> bool {
    matches!(kind(rule), Kind::Notice | Kind::Accept | Kind::Choice)
}

pub fn kind(rule: &str) -> Kind {
    brokers::rule(rule).map_or(Kind::Notice, |rule| rule.kind)
}

/// The rows, with the groups in `open` (by their first step) unfolded.
pub fn rows(trace: &Trace, runs: &[Run], open: &BTreeSet<u32>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut runs = runs.iter().peekable();
    let mut folded_to = 0;
    for step in &trace.steps {
        if step.number <= folded_to {
            continue;
        }
        if let Some(run) = runs.next_if(|run| run.first == step.number) {
            let is_open = open.contains(&run.first);
            rows.push(Row::Group {
                first: run.first,
                last: run.last,
                open: is_open,
            });
            if !is_open {
                folded_to = run.last;
                continue;
            }
        }
        rows.push(Row::Step {
            number: step.number,
        });
    }
    rows
}

pub fn step(trace: &Trace, number: u32) -> Option<&Step> {
    let at = usize::try_from(number.checked_sub(1)?).ok()?;
    trace.steps.get(at)
}

/// How loud a step is. The scan of a sound log ends at bytes that are no message either: where nothing is cut, that is no damage.
pub fn tone(outcome: &Outcome, step: &Step) -> Tone {
    let ledger = &outcome.ledger;
    let cut = ledger.cut_readable.bytes > 0 || ledger.cut_unreadable.bytes > 0;
    match kind(&step.rule) {
        Kind::Reject if step.phase == Phase::Scan && !cut => Tone::Plain,
        Kind::Notice | Kind::Choice | Kind::Accept => Tone::Plain,
        Kind::Rebuild => Tone::Rebuilt,
        Kind::Limit => Tone::Warn,
        Kind::Reject | Kind::Cut | Kind::Refuse | Kind::Hang => Tone::Lost,
    }
}

/// What the broker does at a step.
pub fn sentence(step: &Step, language: Language) -> Sentence {
    let sentence = language.sentence(&format!("rule.{}", step.rule), &step.facts);
    if step.count == 1 {
        return sentence;
    }
    let times = crate::facts! { n = step.count };
    sentence.then(language.sentence("steps.times", &times))
}

/// What a rule says that fired inside a step, and was only counted: without the facts of any one time. Where the rule's own sentence
/// needs some, there is another without, `tally.<id>`; a rule that has neither is called by its id.
pub fn tally_sentence(rule: &str, language: Language) -> Sentence {
    let keys = [format!("tally.{rule}"), format!("rule.{rule}")];
    let whole = keys
        .iter()
        .filter_map(|key| language.find(key))
        .find(|text| sentence::slots(text).is_empty());
    match whole {
        Some(text) => sentence::fill(text, &Facts::new()),
        None => Sentence::plain(rule),
    }
}

/// What a folded run says: how many steps, and what they did.
pub fn run_sentence(trace: &Trace, first: u32, last: u32, language: Language) -> Sentence {
    let Some(head) = step(trace, first) else {
        return Sentence::default();
    };
    let steps = || {
        trace
            .steps
            .iter()
            .filter(|step| (first..=last).contains(&step.number))
    };
    let n = crate::decode::num::long_len(steps().count());
    let facts: Facts = crate::facts! { n = n };
    let own = format!("run.{}", head.rule);
    if steps().all(|step| step.rule == head.rule) {
        if language.find(&own).is_some() {
            return language.sentence(&own, &facts);
        }
        return language
            .sentence("run.same", &facts)
            .then(sentence(head, language));
    }
    language.sentence(phase_key("run.phase", head.phase), &facts)
}

/// The key of a text that every phase has.
pub fn phase_key(group: &str, phase: Phase) -> &'static str {
    match (group, phase) {
        ("run.phase", Phase::Load) => "run.phase.load",
        ("run.phase", Phase::Queues) => "run.phase.queues",
        ("run.phase", Phase::StartFile) => "run.phase.start-file",
        ("run.phase", Phase::Scan) => "run.phase.scan",
        ("run.phase", Phase::Truncate) => "run.phase.truncate",
        ("run.phase", Phase::Reput) => "run.phase.reput",
        ("run.phase", Phase::Ready) => "run.phase.ready",
        ("run.phase", Phase::Walk) => "run.phase.walk",
        ("run.phase", Phase::Check) => "run.phase.check",
        ("run.phase", Phase::Producers) => "run.phase.producers",
        ("run.phase", Phase::Shutdown) => "run.phase.shutdown",
        (_, Phase::Load) => "phase.load",
        (_, Phase::Queues) => "phase.queues",
        (_, Phase::StartFile) => "phase.start-file",
        (_, Phase::Scan) => "phase.scan",
        (_, Phase::Truncate) => "phase.truncate",
        (_, Phase::Reput) => "phase.reput",
        (_, Phase::Ready) => "phase.ready",
        (_, Phase::Walk) => "phase.walk",
        (_, Phase::Check) => "phase.check",
        (_, Phase::Producers) => "phase.producers",
        (_, Phase::Shutdown) => "phase.shutdown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;

    #[test]
    fn like_steps_are_folded_and_can_be_opened() {
        let trace = fixture::steps(&["load.log-files"; 6]);
        let runs = runs(&trace, 0);
        assert_eq!(runs, [Run { first: 1, last: 6 }]);
        assert_eq!(
            rows(&trace, &runs, &BTreeSet::new()),
            [Row::Group {
                first: 1,
                last: 6,
                open: false
            }]
        );
        let open = rows(&trace, &runs, &BTreeSet::from([1]));
        assert_eq!(open.len(), 7);
        assert_eq!(open[1], Row::Step { number: 1 });
    }

    #[test]
    fn the_deciding_step_is_never_folded() {
        let trace = fixture::steps(&["load.log-files"; 9]);
        assert_eq!(
            runs(&trace, 5),
            [Run { first: 1, last: 4 }, Run { first: 6, last: 9 }]
        );
    }

    #[test]
    fn rules_that_take_turns_are_one_run_and_the_next_rule_is_not() {
        let trace = fixture::steps(&["a", "b", "a", "b", "a", "b", "c"]);
        assert_eq!(runs(&trace, 7), [Run { first: 1, last: 6 }]);
        let few = fixture::steps(&["a", "b", "a"]);
        assert_eq!(
            runs(&few, 0),
            [],
            "three steps of two rules read better one by one"
        );
    }

    #[test]
    fn a_closed_group_stands_for_the_state_behind_it() {
        let group = Row::Group {
            first: 3,
            last: 8,
            open: false,
        };
        assert_eq!(group.stands_for(), 8);
        assert!(group.holds(5) && !group.holds(9));
    }
}
