//! Which queues have a row on the map, and in which order. A person says it in one line, so that a link holds it:
//! `Order sort:name pin:TopicA/0`. Words choose by name; a queue that is pinned is always there, and on top.

use crate::recovery::map::MapNow;
use crate::recovery::trace::LaneMove;
use std::cmp::Reverse;
use std::fmt;

/// What comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sort {
    /// What was cut, then what was rebuilt, then what lags.
    #[default]
    Most,
    Name,
    Cut,
    /// Whose end on disk lay furthest behind.
    Lagging,
    Rebuilt,
}

impl Sort {
    pub const ALL: [Self; 5] = [
        Self::Most,
        Self::Cut,
        Self::Lagging,
        Self::Rebuilt,
        Self::Name,
    ];

    /// Its text is `sort.<word>`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Most => "most",
            Self::Name => "name",
            Self::Cut => "cut",
            Self::Lagging => "lagging",
            Self::Rebuilt => "rebuilt",
        }
    }

    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sort| sort.word() == word)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaneChoice {
    pub words: Vec<String>,
    pub sort: Sort,
    /// Names of queues.
    pub pins: Vec<String>,
}

impl LaneChoice {
    pub fn parse(line: &str) -> Self {
        let mut choice = Self::default();
        for word in line.split_whitespace() {
            if let Some(sort) = word.strip_prefix("sort:").and_then(Sort::named) {
                choice.sort = sort;
            } else if let Some(name) = word.strip_prefix("pin:") {
                choice.pins.push(name.to_owned());
            } else {
                choice.words.push(word.to_owned());
            }
        }
        choice
    }

    /// Pins a queue, or no longer.
    pub fn toggle_pin(&mut self, name: &str) {
        let before = self.pins.len();
        self.pins.retain(|pin| pin != name);
        if self.pins.len() == before {
            self.pins.push(name.to_owned());
        }
    }

    pub fn is_pinned(&self, name: &str) -> bool {
        self.pins.iter().any(|pin| pin == name)
    }

    fn wants(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        self.words
            .iter()
            .all(|word| name.contains(&word.to_lowercase()))
    }

    /// The chosen ones of `queues`, which come in the order [`Sort::Most`]. `last` is the map after the last step: the order holds for all
    /// steps, so that rows stay where they are while the steps go by.
    pub fn of(&self, queues: &[(usize, String)], last: &MapNow) -> Vec<(usize, String)> {
        let mut chosen: Vec<(usize, String)> = queues
            .iter()
            .filter(|(_, name)| self.is_pinned(name) || self.wants(name))
            .cloned()
            .collect();
        let lane = |at: usize| last.lanes.get(at);
        match self.sort {
            Sort::Most => {}
            Sort::Name => {
                chosen.sort_by(|(_, a), (_, b)| {
                    super::lanes::name_order(a).cmp(&super::lanes::name_order(b))
                });
            }
            Sort::Cut => {
                chosen.sort_by_key(|(at, _)| Reverse(lane(*at).map_or(0, |lane| lane.cut)))
            }
            Sort::Rebuilt => {
                chosen.sort_by_key(|(at, _)| Reverse(lane(*at).map_or(0, |lane| lane.rebuilt)));
            }
            Sort::Lagging => chosen.sort_by_key(|(at, _)| {
                let mut stretches = lane(*at).into_iter().flat_map(|lane| &lane.stretches);
                let read = stretches.find(|stretch| stretch.how == LaneMove::Read);
                read.map_or(-1, |read| read.to)
            }),
        }
        chosen.sort_by_key(|(_, name)| !self.is_pinned(name));
        chosen
    }
}

impl fmt::Display for LaneChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sort = (self.sort != Sort::default()).then(|| format!("sort:{}", self.sort.word()));
        let pins = self.pins.iter().map(|pin| format!("pin:{pin}"));
        let words: Vec<String> = self.words.iter().cloned().chain(sort).chain(pins).collect();
        f.write_str(&words.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view_model::fixture;
    use crate::view_model::timeline::Ground;

    fn names(line: &str) -> Vec<String> {
        let outcome = fixture::crash();
        let last = outcome.map.at(&outcome.trace, u32::MAX);
        let queues = Ground::of(&outcome, &last).queues;
        let chosen = LaneChoice::parse(line).of(&queues, &last);
        chosen.into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn words_choose_and_pins_stay_on_top() {
        assert_eq!(names(""), ["Order/1", "Order/0", "Pay/2", "Pay/10"]);
        assert_eq!(names("order"), ["Order/1", "Order/0"]);
        assert_eq!(names("order pin:Pay/10"), ["Pay/10", "Order/1", "Order/0"]);
        assert_eq!(names("nobody"), [""; 0]);
    }

    #[test]
    fn each_order_has_its_first() {
        assert_eq!(names("sort:name")[0], "Order/0");
        assert_eq!(names("sort:cut")[0], "Order/1");
        assert_eq!(names("sort:rebuilt")[0], "Order/0");
        assert_eq!(names("sort:lagging")[0], "Order/0");
    }

    #[test]
    fn what_was_read_is_written_the_same() {
        for line in ["", "Order", "a b sort:cut pin:T/0 pin:%RETRY%g/1"] {
            assert_eq!(LaneChoice::parse(line).to_string(), line);
        }
        let mut choice = LaneChoice::parse("pin:T/0");
        choice.toggle_pin("T/0");
        choice.toggle_pin("T/1");
        assert_eq!(choice.to_string(), "pin:T/1");
        assert_eq!(LaneChoice::parse("sort:odd").to_string(), "sort:odd");
    }
}
