//! What the broker itself writes about a start: `store.log` and `storeerror.log`, so that a line there finds its step here.
//!
//! The recovery says what is to be told and with which values ([`StoreLog::print`]); how a release words it stands in [`lines`]. The
//! lines since the last step go with the next one. A line that comes again and again on the way to a step (one a message, one a file)
//! is kept a few times, then counted: an outcome does not grow with the store.
//!
//! Not here: what is shown of it, and lines of threads that do not recover.

pub(super) mod lines;
mod records;

use super::mapped_file_queue::MappedFileQueue;
use super::release::Known;
use crate::decode::num::civil;
use crate::facts;
use crate::recovery::trace::{Fact, Facts, LogLine};
use lines::{Line, Row};

/// How often a line of one wording stands in a step.
const KEPT: usize = 3;

/// Lines that wait for their step; and all there ever were, where somebody wants them whole.
pub(super) struct StoreLog {
    release: Known,
    waiting: Vec<Waiting>,
    whole: Option<Vec<String>>,
    /// `load` or `start`, and the thread: as the real brokers' dumps have it.
    of: (&'static str, &'static str),
    /// `MessageStoreState`
    state: &'static str,
}

struct Waiting {
    row: &'static Row,
    line: LogLine,
}

impl StoreLog {
    pub fn new(release: Known, whole: bool) -> Self {
        Self {
            release,
            waiting: Vec::new(),
            whole: whole.then(Vec::new),
            of: ("load", "main"),
            state: "INIT",
        }
    }

    /// `load()` is over; or another thread goes on.
    pub fn goes_on_in(&mut self, phase: &'static str, thread: &'static str) {
        self.of = (phase, thread);
    }

    /// The broker tells something. The values are asked for only where the line is kept: a scan may come here for every message.
    #[inline]
    pub fn print(&mut self, line: &'static Line, values: impl FnOnce() -> Facts) {
        if let Some(row) = line.row(self.release) {
            self.keep(row, values);
        }
    }

    /// A line without values.
    pub fn say(&mut self, line: &'static Line) {
        self.print(line, Facts::new);
    }

    fn keep(&mut self, row: &'static Row, values: impl FnOnce() -> Facts) {
        let mut alike = self
            .waiting
            .iter_mut()
            .filter(|it| std::ptr::eq(it.row, row));
        let (first, last) = (
            alike.by_ref().take(KEPT.saturating_sub(1)).count(),
            alike.next(),
        );
        let is_kept = first.saturating_add(usize::from(last.is_some())) < KEPT;
        if let Some(last) = last {
            last.line.more = last.line.more.saturating_add(1);
            if self.whole.is_none() {
                return;
            }
        }
        let values = values();
        let text = fill(row.text, &values);
        if let Some(whole) = &mut self.whole {
            let (phase, thread) = self.of;
            let (level, logger) = (row.level.word(), row.file.logger());
            // An exception stands behind its message, in one line.
            let text = text.replace("\n\t", " ").replace('\n', " | ");
            whole.push(format!("{phase} [{thread}] {level} {logger} - {text}"));
        }
        if is_kept {
            self.waiting.push(Waiting {
                row,
                line: LogLine {
                    level: row.level,
                    file: row.file.name().into(),
                    text,
                    more: 0,
                    names: holds_names(&values),
                },
            });
        }
    }

    /// `MessageStoreStateMachine#transitTo`
    pub fn reach(&mut self, state: &'static str, reached: bool) {
        let from = self.state;
        let line = if reached {
            self.state = state;
            &lines::STATE_REACHED
        } else {
            &lines::STATE_MISSED
        };
        self.print(line, || facts! { from = from, to = state });
    }

    /// `MappedFileQueue#findMappedFileByOffset`: what it says of an offset that no file reaches.
    pub fn print_not_matched(&mut self, files: &MappedFileQueue, offset: i64) {
        let (Some(first), Some(last)) = (files.files.first(), files.files.last()) else {
            return;
        };
        let end = last.from.wrapping_add(i64::from(files.file_size));
        if offset < first.from || offset >= end {
            self.print(&lines::OFFSET_NOT_MATCHED, || {
                facts! {
                    offset = offset,
                    first = first.from,
                    last = end,
                    size = files.file_size,
                    files = files.files.len(),
                }
            });
        }
    }

    /// The lines for the next step.
    pub fn take(&mut self) -> Vec<LogLine> {
        self.waiting.drain(..).map(|waiting| waiting.line).collect()
    }

    pub fn take_whole(&mut self) -> Vec<String> {
        self.whole.take().unwrap_or_default()
    }
}

/// `UtilAll#timeMillisToHumanString`: `20231116020142118`, in the broker's time zone, which is taken to be UTC.
pub(super) fn shown(ms: i64) -> String {
    const DAY_MS: i64 = 86_400_000;
    let (year, month, day) = civil(ms.div_euclid(DAY_MS));
    let of_day = ms.rem_euclid(DAY_MS);
    let (hours, minutes) = (of_day / 3_600_000, of_day / 60_000 % 60);
    let (seconds, rest) = (of_day / 1000 % 60, of_day % 1000);
    format!("{year:04}{month:02}{day:02}{hours:02}{minutes:02}{seconds:02}{rest:03}")
}

/// Whether a value is text that people gave: all text may be, but for the path of a file whose name every store has, and the broker's
/// own words.
fn holds_names(values: &Facts) -> bool {
    const PLAIN: [&str; 5] = ["file", "from", "to", "shown", "magic"];
    values
        .iter()
        .any(|(name, value)| matches!(value, Fact::Text(_)) && !PLAIN.contains(&name.as_ref()))
}

fn fill(text: &str, values: &Facts) -> String {
    let mut filled = String::with_capacity(text.len().saturating_mul(2));
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let Some((name, after)) = behind.split_once('}') else {
            rest = behind;
            break;
        };
        match values.get(name) {
            Some(Fact::Text(text)) => filled.push_str(text),
            Some(Fact::Int(number)) => filled.push_str(&number.to_string()),
            None => {}
        }
        rest = after;
    }
    filled.push_str(rest);
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_for_every_message_is_kept_a_few_times_and_counted() {
        let mut log = StoreLog::new(Known::R4_9_3, false);
        for offset in 0..1000i64 {
            log.print(
                &lines::REPEATED,
                || facts! { max = 5000i64, offset = offset },
            );
        }
        let lines = log.take();
        let more: Vec<u64> = lines.iter().map(|line| line.more).collect();
        assert_eq!(more, [0, 0, 997]);
        assert!(lines[2].text.ends_with("phyOffset=2"));
        assert!(log.take().is_empty());
    }

    #[test]
    fn a_release_that_does_not_tell_it_prints_nothing() {
        let mut log = StoreLog::new(Known::R5_5_1, true);
        log.print(&lines::REPEATED, || facts! { max = 1i64, offset = 2i64 });
        assert!(log.take().is_empty() && log.take_whole().is_empty());
    }

    #[test]
    fn every_release_has_one_wording_and_every_slot_is_closed() {
        for (name, line) in lines::ALL {
            for text in line.texts() {
                assert_eq!(
                    text.matches('{').count(),
                    text.matches('}').count(),
                    "{name}"
                );
            }
            assert!(line.is_one_a_release(), "{name}");
        }
    }

    #[test]
    fn a_time_is_told_as_the_broker_tells_it() {
        assert_eq!(shown(1_700_100_102_118), "20231116020142118");
    }
}
