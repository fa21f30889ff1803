//! Where the player stands, what the store is like there, and how it goes on by itself.
//!
//! A step that reads many messages is a stretch in which the player can stand at any of them. Its moments come from a worker, once they
//! are needed; until then the store is shown as it was before the step.

use crate::app::state::{Ask, Loaded};
use gloo::timers::callback::Timeout;
use storescope::protocol::{Answer, Question};
use storescope::recovery::map::MapNow;
use storescope::recovery::moments::{Moments, RunOfMessages, Stretch};
use storescope::view_model::changed::Changed;
use storescope::view_model::route::Go;
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row};
use yew::Callback;

pub struct Playback {
    pub selected: u32,
    /// Inside the selected step: the log offset up to which it has read.
    pub inside: Option<i64>,
    pub before: MapNow,
    pub now: MapNow,
    pub changed: Changed,
    moments: Asked,
    pub speed: usize,
    playing: Option<Timeout>,
}

/// The moments of one stretch.
enum Asked {
    Nothing,
    Waiting(Stretch),
    Here(Moments),
    /// They could not be had; the step is then shown whole.
    Failed(Stretch),
}

/// How fast it plays.
pub const SPEEDS: [(f64, &str); 5] = [
    (0.5, "0.5×"),
    (1.0, "1×"),
    (2.0, "2×"),
    (4.0, "4×"),
    (8.0, "8×"),
];
const STEP_MS: f64 = 800.0;
const MOMENT_MS: f64 = 70.0;
/// A run is played in about so many pictures.
const PICTURES: usize = 24;
/// The start is run once more for a run's moments. Of larger stores only where a person asks for it.
const PLAYED_INSIDE: u64 = 256 << 20;
/// Fewer messages are no stretch to play.
const FEW: i64 = 4;

impl Playback {
    pub fn new() -> Self {
        Self {
            selected: 0,
            inside: None,
            before: MapNow::default(),
            now: MapNow::default(),
            changed: Changed::default(),
            moments: Asked::Nothing,
            speed: 1,
            playing: None,
        }
    }

    /// Stands after a step, or inside it. `rows` say which steps are folded into one.
    pub fn stand(
        &mut self,
        loaded: &Loaded,
        rows: &[Row],
        step: u32,
        inside: Option<i64>,
        ask: &Asking,
    ) {
        self.selected = step;
        let run = self.run(loaded);
        self.inside = inside.filter(|_| run.is_some());
        let at = |number| loaded.outcome.map.at(&loaded.outcome.trace, number);
        let first = rows
            .iter()
            .find_map(|row| match row {
                Row::Group {
                    first, open: false, ..
                } if row.holds(step) => Some(*first),
                _ => None,
            })
            .unwrap_or(step);
        self.before = at(first.saturating_sub(1));
        self.now = match (self.inside, run) {
            (Some(offset), Some(run)) => {
                self.need(run.stretch, ask);
                self.at_moment(loaded, offset, &run)
            }
            _ => at(step),
        };
        self.changed = Changed::between(&self.before, &self.now);
    }

    fn at_moment(&mut self, loaded: &Loaded, offset: i64, run: &RunOfMessages) -> MapNow {
        let (map, trace) = (&loaded.outcome.map, &loaded.outcome.trace);
        match &self.moments {
            Asked::Here(moments) if moments.stretch == run.stretch => {
                let Some(moment) = moments.at(offset) else {
                    return self.before.clone();
                };
                if let Some(earlier) = moment.checked_sub(1) {
                    self.before = moments.map(map, trace, earlier);
                }
                moments.map(map, trace, moment)
            }
            Asked::Failed(_) => map.at(trace, self.selected),
            _ => self.before.clone(),
        }
    }

    /// The messages that the selected step reads.
    pub fn run(&self, loaded: &Loaded) -> Option<RunOfMessages> {
        run_of(loaded, self.selected)
    }

    fn here(&self, stretch: Stretch) -> Option<&Moments> {
        match &self.moments {
            Asked::Here(moments) if moments.stretch == stretch => Some(moments),
            _ => None,
        }
    }

    fn need(&mut self, stretch: Stretch, ask: &Asking) {
        let is_asked = match &self.moments {
            Asked::Nothing => false,
            Asked::Waiting(asked) | Asked::Failed(asked) => *asked == stretch,
            Asked::Here(moments) => moments.stretch == stretch,
        };
        if !is_asked {
            self.moments = Asked::Waiting(stretch);
            (ask.0)(stretch);
        }
    }

    /// The moments that were asked for are here.
    pub fn hear(&mut self, stretch: Stretch, moments: Result<Moments, String>) -> bool {
        let is_awaited = matches!(&self.moments, Asked::Waiting(asked) if *asked == stretch);
        if is_awaited {
            self.moments = match moments {
                Ok(moments) => Asked::Here(moments),
                Err(_) => Asked::Failed(stretch),
            };
        }
        is_awaited
    }

    /// How many messages of its run the player has behind it, and whether that is known already.
    pub fn messages(&self, run: &RunOfMessages) -> (i64, bool) {
        let Some(offset) = self.inside else {
            return (run.messages, true);
        };
        match self.here(run.stretch) {
            Some(moments) => {
                let moment = moments.at(offset).and_then(|at| moments.moments.get(at));
                let read = moment.map_or(0, |moment| moment.messages);
                (i64::try_from(read).unwrap_or(i64::MAX), true)
            }
            None => (share(run, offset), false),
        }
    }

    /// The way to a message of the selected run, by its number; all of them is the step itself.
    pub fn to_message(&self, run: &RunOfMessages, number: i64) -> Go {
        let step = self.selected;
        if number >= run.messages {
            return Go::Step(step);
        }
        let Stretch { from, to, .. } = run.stretch;
        if number <= 0 {
            return Go::Inside(step, from);
        }
        let offset = match self.here(run.stretch) {
            Some(moments) => {
                let is_before = |moment: &storescope::recovery::moments::Moment| {
                    i64::try_from(moment.messages).unwrap_or(i64::MAX) < number
                };
                let at = moments.moments.partition_point(is_before);
                moments
                    .moments
                    .get(at)
                    .map_or(to, |moment| moment.log_offset)
            }
            // Not known yet: about there. When the moments come, the message before it is meant.
            None => {
                let part = number as f64 / run.messages.max(1) as f64;
                from.saturating_add(((to - from) as f64 * part) as i64)
            }
        };
        Go::Inside(step, offset.min(to - 1).max(from))
    }

    /// One moment on or back.
    pub fn by_message(&self, run: &RunOfMessages, forward: bool) -> Option<Go> {
        let step = self.selected;
        let Stretch { from, to, .. } = run.stretch;
        let Some(moments) = self.here(run.stretch) else {
            return Some(Go::Inside(step, if forward { from } else { to - 1 }));
        };
        let at = match self.inside {
            None => moments.moments.len().checked_sub(1),
            Some(offset) => moments.at(offset),
        };
        let next = match (at, forward) {
            (None, false) => return None,
            (None, true) => 0,
            (Some(0), false) => return Some(Go::Inside(step, from)),
            (Some(at), false) => at - 1,
            (Some(at), true) => at + 1,
        };
        let moment = moments.moments.get(next)?;
        Some(if next + 1 == moments.moments.len() {
            Go::Step(step)
        } else {
            Go::Inside(step, moment.log_offset)
        })
    }

    pub fn is_playing(&self) -> bool {
        self.playing.is_some()
    }

    pub fn stop(&mut self) {
        self.playing = None;
    }

    /// Calls `tick` when the next picture is due.
    pub fn play(&mut self, tick: impl FnOnce() + 'static) {
        let pause = if self.inside.is_some() {
            MOMENT_MS
        } else {
            STEP_MS
        };
        let speed = SPEEDS.get(self.speed).map_or(1.0, |(speed, _)| *speed);
        self.playing = Some(Timeout::new((pause / speed) as u32, tick));
    }

    /// Where playing leads from here; None at the end.
    pub fn next(&self, loaded: &Loaded, rows: &[Row]) -> Option<Go> {
        if let (Some(offset), Some(run)) = (self.inside, self.run(loaded)) {
            let Some(moments) = self.here(run.stretch) else {
                // They are on their way.
                return matches!(self.moments, Asked::Waiting(_))
                    .then_some(Go::Inside(self.selected, offset))
                    .or(Some(Go::Step(self.selected)));
            };
            let stride = (moments.moments.len() / PICTURES).max(1);
            let next = moments.at(offset).map_or(0, |at| at + stride);
            return Some(match moments.moments.get(next) {
                Some(moment) if next + 1 < moments.moments.len() => {
                    Go::Inside(self.selected, moment.log_offset)
                }
                _ => Go::Step(self.selected),
            });
        }
        let trace = &loaded.outcome.trace;
        let step = selection::moved(trace, rows, self.selected, Move::Next)?;
        let is_alone = rows
            .iter()
            .any(|row| matches!(row, Row::Step { number } if *number == step));
        let run = run_of(loaded, step)
            .filter(|run| is_alone && run.messages >= FEW && loaded.opened.bytes <= PLAYED_INSIDE);
        Some(match run {
            Some(run) => Go::Inside(step, run.stretch.from),
            None => Go::Step(step),
        })
    }
}

fn run_of(loaded: &Loaded, step: u32) -> Option<RunOfMessages> {
    let step = steps::step(&loaded.outcome.trace, step)?;
    RunOfMessages::of(step).filter(|run| run.messages > 1)
}

/// About how many messages lie before an offset.
fn share(run: &RunOfMessages, offset: i64) -> i64 {
    let Stretch { from, to, .. } = run.stretch;
    let part = (offset - from) as f64 / (to - from).max(1) as f64;
    (part * run.messages as f64) as i64
}

/// How to ask for the moments of a stretch.
pub struct Asking<'a>(pub &'a dyn Fn(Stretch));

/// The question for them.
pub fn question(stretch: Stretch, reply: Callback<Answer>) -> Ask {
    Ask {
        question: Question::Moments { stretch },
        reply,
    }
}
