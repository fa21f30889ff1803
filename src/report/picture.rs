//! The timeline at the last step, as SVG: colours are the document's, each with its pattern.

use super::Report;
use super::html::escaped;
use crate::decode::num::long_len;
use crate::facts;
use crate::language::numbers;
use crate::view_model::changed::Changed;
use crate::view_model::scale::float;
use crate::view_model::timeline::{self, Ground, Timeline, Wanted};
use crate::view_model::{Bar, Tone};
use std::fmt::Write;

/// As wide as a printed page is fine with.
const WIDTH: f64 = 1000.0;
/// Left of the axis: the rows' names.
const NAMES: f64 = 150.0;
const ROWS: usize = 10;

// Rows from top to bottom.
const AXIS: f64 = 14.0;
const LOG: f64 = 40.0;
const LOG_HEIGHT: f64 = 30.0;
const QUEUES: f64 = LOG + LOG_HEIGHT + 14.0;
const PITCH: f64 = 16.0;
const QUEUE_HEIGHT: f64 = 10.0;

pub(super) const LEGEND: [(Tone, &str); 6] = [
    (Tone::Verified, "legend.verified"),
    (Tone::Trusted, "legend.trusted"),
    (Tone::Unread, "legend.unread"),
    (Tone::Lost, "legend.dropped"),
    (Tone::Rebuilt, "legend.rebuilt"),
    (Tone::Blank, "legend.blank"),
];

pub(super) fn draw(report: &Report<'_>) -> String {
    let ground = Ground::of(report.outcome, &report.last);
    let timeline = timeline::timeline(&Wanted {
        outcome: report.outcome,
        ground: &ground,
        now: &report.last,
        place: None,
        width: WIDTH - NAMES,
        window: None,
        queues: &ground.queues,
        changed: &Changed::default(),
        queue_rows: ROWS,
        language: report.language,
    });
    let steps = report.outcome.trace.steps.len();
    let last = u32::try_from(steps).unwrap_or(u32::MAX);
    let summary = timeline::summary(&timeline, last, last, report.language);
    let mut drawing = Drawing {
        report,
        timeline: &timeline,
        svg: String::new(),
    };
    let height = drawing.rows();
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n{PATTERNS}{}</svg>\n",
        escaped(&summary),
        drawing.svg
    )
}

/// A legend's small square.
pub(super) fn swatch(tone: Tone) -> String {
    format!(
        "<svg width=\"12\" height=\"12\" aria-hidden=\"true\"><rect width=\"12\" height=\"12\" rx=\"2\" fill=\"{}\"/></svg>",
        fill(tone)
    )
}

const PATTERNS: &str = "<defs>\
<pattern id=\"trusted\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
<rect class=\"pale-trusted\" width=\"6\" height=\"6\"/><path class=\"line-trusted\" d=\"M0 0V6\"/></pattern>\
<pattern id=\"unread\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
<circle class=\"dot-unread\" cx=\"3\" cy=\"3\" r=\"1\"/></pattern>\
<pattern id=\"lost\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(-45)\">\
<rect class=\"pale-lost\" width=\"5\" height=\"5\"/><path class=\"line-lost\" d=\"M0 0V5\"/></pattern>\
<pattern id=\"rebuilt\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\">\
<rect class=\"fill-rebuilt\" width=\"4\" height=\"4\"/><path class=\"line-rebuilt\" d=\"M0 0H4\"/></pattern>\
<pattern id=\"verified\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\"><rect class=\"fill-verified\" width=\"4\" height=\"4\"/></pattern>\
<pattern id=\"blank\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\"><rect class=\"fill-blank\" width=\"4\" height=\"4\"/></pattern>\
</defs>\n";

fn fill(tone: Tone) -> &'static str {
    match tone {
        Tone::Verified => "url(#verified)",
        Tone::Trusted => "url(#trusted)",
        Tone::Unread => "url(#unread)",
        Tone::Lost => "url(#lost)",
        Tone::Rebuilt => "url(#rebuilt)",
        Tone::Blank | Tone::Plain | Tone::Warn => "url(#blank)",
    }
}

struct Drawing<'d> {
    report: &'d Report<'d>,
    timeline: &'d Timeline,
    svg: String,
}

impl Drawing<'_> {
    /// Everything, from top to bottom; the picture's height.
    fn rows(&mut self) -> f64 {
        self.axis();
        self.log();
        let below = self.queues();
        let (index, marks) = (below + 8.0, below + 34.0);
        self.index(index);
        self.times(marks);
        self.process_offset(marks);
        let has_marks = !self.timeline.times.is_empty() || self.timeline.process_offset.is_some();
        if has_marks { marks + 40.0 } else { marks }
    }

    fn put(&mut self, piece: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.svg.write_fmt(piece);
        self.svg.push('\n');
    }

    fn text(&mut self, class: &str, x: f64, y: f64, anchor: &str, text: &str) {
        let text = escaped(text);
        self.put(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>"
        ));
    }

    fn name(&mut self, key: &'static str, y: f64) {
        self.text("name", 0.0, y, "start", self.report.text(key));
    }

    fn axis(&mut self) {
        self.name("map.axis", AXIS + 4.0);
        let (y, width) = (AXIS - 6.0, self.timeline.scale.width);
        self.put(format_args!(
            "<path class=\"axis\" d=\"M{NAMES} {y}h{width:.1}\"/>"
        ));
        let timeline = self.timeline;
        for tick in &timeline.ticks {
            let anchor = if tick.x > width - 60.0 {
                "end"
            } else if tick.x < 40.0 {
                "start"
            } else {
                "middle"
            };
            let x = NAMES + tick.x;
            self.put(format_args!("<path class=\"axis\" d=\"M{x:.1} {y}v5\"/>"));
            self.text(
                "mono",
                x,
                AXIS + 12.0,
                anchor,
                &numbers::grouped(tick.offset),
            );
        }
    }

    fn log(&mut self) {
        self.name("map.log", LOG + 19.0);
        let timeline = self.timeline;
        for file in &timeline.files {
            self.bars(&file.bars, LOG, LOG_HEIGHT);
            let class = if file.deleted { "file gone" } else { "file" };
            let (x, width) = (NAMES + file.x, file.width);
            self.put(format_args!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{LOG}\" width=\"{width:.1}\" height=\"{LOG_HEIGHT}\"/>"
            ));
            if let Some(label) = &file.label {
                self.text("file-name", x + 7.0, LOG + 19.0, "start", label);
            }
        }
    }

    fn bars(&mut self, bars: &[Bar], y: f64, height: f64) {
        for bar in bars {
            let (x, width, title) = (NAMES + bar.x, bar.width, escaped(&bar.title));
            let fill = fill(bar.tone);
            self.put(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\" fill=\"{fill}\"><title>{title}</title></rect>"
            ));
        }
    }

    /// Entries on disk are plain, so that the log's own pattern means bytes that were not read.
    fn lane_bars(&mut self, bars: &[Bar], y: f64, height: f64) {
        for bar in bars {
            let (x, width, title) = (NAMES + bar.x, bar.width, escaped(&bar.title));
            let paint = if bar.tone == Tone::Trusted {
                "class=\"entries\"".to_owned()
            } else {
                format!("fill=\"{}\"", fill(bar.tone))
            };
            self.put(format_args!(
                "<rect {paint} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height}\" rx=\"1.5\"><title>{title}</title></rect>"
            ));
        }
    }

    /// The queues; where the next row may begin.
    fn queues(&mut self) -> f64 {
        self.name("map.queues", QUEUES + 9.0);
        let (timeline, mut y) = (self.timeline, QUEUES);
        let rows = timeline.queues.iter().filter(|row| !row.bars.is_empty());
        let rows: Vec<_> = rows.collect();
        if rows.is_empty() {
            let all_unread = timeline.queues.iter().any(|row| row.unread);
            let none = self.report.text(if all_unread {
                "report.queues-unread"
            } else {
                "map.queues-none"
            });
            self.text("mono", NAMES, y + 9.0, "start", none);
            y += PITCH;
        }
        for row in &rows {
            self.text("mono", NAMES - 8.0, y + 9.0, "end", &shortened(&row.name));
            let (middle, width) = (y + QUEUE_HEIGHT / 2.0, timeline.scale.width);
            self.put(format_args!(
                "<path class=\"lane\" d=\"M{NAMES} {middle:.1}h{width:.1}\"/>"
            ));
            self.lane_bars(&row.bars, y, QUEUE_HEIGHT);
            y += PITCH;
        }
        let hidden = timeline.queues.len().saturating_sub(rows.len());
        let more = timeline.more.saturating_add(hidden);
        if more > 0 && !rows.is_empty() {
            let more = facts! { n = more };
            let more = self.report.language.plain("map.more-queues", &more);
            self.text("mono", NAMES - 8.0, y + 9.0, "end", &more);
            y += PITCH;
        }
        y
    }

    fn index(&mut self, y: f64) {
        self.name("map.index", y + 10.0);
        let files = facts! { n = self.timeline.index_files };
        let files = self.report.language.plain("map.index-files", &files);
        self.text("mono", NAMES - 8.0, y + 10.0, "end", &files);
        let timeline = self.timeline;
        self.lane_bars(&timeline.index, y, 12.0);
    }

    fn times(&mut self, y: f64) {
        let timeline = self.timeline;
        let Some(last) = timeline.times.last() else {
            return;
        };
        for line in &timeline.times {
            let (x, top, bottom) = (NAMES + line.x, LOG - 4.0, y + 22.0);
            let title = escaped(&line.title);
            self.put(format_args!(
                "<path class=\"time\" d=\"M{x:.1} {top}V{bottom:.1}\"><title>{title}</title></path>"
            ));
        }
        let names: Vec<&str> = timeline
            .times
            .iter()
            .map(|line| line.name.as_str())
            .collect();
        let names = facts! { names = names.join(", ") };
        let label = self.report.language.plain("map.checkpoint", &names);
        let anchor = if last.x > timeline.scale.width / 2.0 {
            "end"
        } else {
            "start"
        };
        self.text("mono", NAMES + last.x, y + 34.0, anchor, &label);
    }

    fn process_offset(&mut self, y: f64) {
        let Some(line) = &self.timeline.process_offset else {
            return;
        };
        let label = format!("{} {}", line.name, line.title);
        let flag = float(long_len(label.chars().count())) * 6.8 + 16.0;
        let room = (self.timeline.scale.width - flag).max(0.0);
        let left = NAMES + (line.x - flag / 2.0).clamp(0.0, room);
        let (x, top) = (NAMES + line.x, LOG - 8.0);
        self.put(format_args!(
            "<path class=\"cut\" d=\"M{x:.1} {top}V{y:.1}\"/><rect class=\"flag\" x=\"{left:.1}\" y=\"{y:.1}\" width=\"{flag:.1}\" height=\"18\" rx=\"3\"/>"
        ));
        self.text("on-flag", left + flag / 2.0, y + 13.0, "middle", &label);
    }
}

/// A long name keeps its end, where the queue's number is.
fn shortened(name: &str) -> String {
    const LETTERS: usize = 15;
    let count = name.chars().count();
    match count.checked_sub(LETTERS) {
        Some(over) if over > 0 => {
            let kept = name.chars().skip(over.saturating_add(1));
            std::iter::once('…').chain(kept).collect()
        }
        _ => name.to_owned(),
    }
}
