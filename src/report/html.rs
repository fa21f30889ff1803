//! The document as one .html file: no script, nothing fetched, light and dark by the reader's system, and for print.

use super::picture::{self, LEGEND};
use super::{Report, StepLine};
use crate::facts;
use crate::language::{Look, Sentence};
use crate::view_model::Tone;
use std::borrow::Cow;

const STYLE: &str = include_str!("style.css");

/// Text as text, in an element or an attribute, whatever it holds. Characters that would turn the line around or not show at all are
/// shown as a box.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '&' | '<' | '>' | '"' | '\'') || is_hidden(c);
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len().saturating_add(16));
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if is_hidden(c) => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

pub(super) fn write(report: &Report<'_>) -> String {
    let mut page = Page {
        report,
        html: String::new(),
    };
    page.whole();
    page.html
}

struct Page<'p> {
    report: &'p Report<'p>,
    html: String,
}

impl Page<'_> {
    fn put(&mut self, html: &str) {
        self.html.push_str(html);
        self.html.push('\n');
    }

    fn text(&self, key: &'static str) -> Cow<'static, str> {
        escaped(self.report.text(key))
    }

    fn whole(&mut self) {
        let title = self.text("report.title");
        let lang = self.report.language.tag();
        self.put(&format!(
            "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n\
            <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n\
            <meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
            <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>"
        ));
        self.head();
        self.verdict();
        self.picture();
        self.decisions();
        self.ledger();
        self.findings();
        self.files();
        self.settings();
        self.inputs();
        self.steps();
        self.foot();
        self.put("</main>\n</body>\n</html>");
    }

    fn head(&mut self) {
        let title = self.text("report.title");
        let about: Vec<String> = self
            .report
            .about
            .iter()
            .map(|(label, value)| {
                format!(
                    "<div><dt>{}</dt><dd>{}</dd></div>",
                    escaped(label),
                    escaped(value)
                )
            })
            .collect();
        self.put(&format!(
            "<header><h1>{title}</h1><dl class=\"about\">{}</dl></header>",
            about.concat()
        ));
    }

    fn verdict(&mut self) {
        let verdict = &self.report.verdict;
        let because: Vec<String> = verdict
            .because
            .iter()
            .map(|sentence| format!("<li>{}</li>", spans(sentence)))
            .collect();
        let tiles: Vec<String> = verdict
            .tiles
            .iter()
            .map(|tile| {
                format!(
                    "<div class=\"{}\"><dd title=\"{}\">{}</dd><dt>{}</dt></div>",
                    tile.tone.word(),
                    escaped(&tile.exact),
                    escaped(&tile.shown),
                    escaped(tile.label)
                )
            })
            .collect();
        let next = self.text("next.label");
        let html = format!(
            "<section class=\"verdict {}\">\n<h2>{}</h2>\n<ul>{}</ul>\n<p class=\"next\"><b>{next}</b> {}</p>\n<dl class=\"tiles\">{}</dl>\n</section>",
            verdict.tone.word(),
            spans(&verdict.headline),
            because.concat(),
            spans(&verdict.next),
            tiles.concat()
        );
        self.put(&html);
    }

    fn picture(&mut self) {
        let legend: Vec<String> = LEGEND
            .iter()
            .map(|(tone, key)| format!("<li>{}{}</li>", picture::swatch(*tone), self.text(key)))
            .collect();
        let heading = self.text("report.picture");
        let html = format!(
            "<section class=\"picture\"><h2>{heading}</h2><ul class=\"legend\">{}</ul>\n{}</section>",
            legend.concat(),
            picture::draw(self.report)
        );
        self.put(&html);
    }

    fn decisions(&mut self) {
        let rows = step_rows(&self.report.loud);
        let heading = self.text("report.loud");
        let body = if rows.is_empty() {
            format!("<p>{}</p>", self.text("report.loud-none"))
        } else {
            let more = self.more_steps(self.report.more_loud);
            format!("<table class=\"steps\"><tbody>{rows}</tbody></table>{more}")
        };
        let html = format!("<section><h2>{heading}</h2>{body}</section>");
        self.put(&html);
    }

    fn ledger(&mut self) {
        let ledger = self.table(
            &["report.ledger", "report.bytes", "report.messages"],
            &self.report.ledger,
        );
        let marks = if self.report.marks.is_empty() {
            String::new()
        } else {
            self.table(
                &["report.marks", "report.before", "report.after"],
                &self.report.marks,
            )
        };
        self.put(&format!(
            "<section class=\"pair\">\n{ledger}{marks}</section>"
        ));
    }

    fn findings(&mut self) {
        if self.report.findings.is_empty() {
            return;
        }
        let rows: Vec<String> = self
            .report
            .findings
            .iter()
            .map(|(severity, sentence)| {
                format!(
                    "<tr><td>{}</td><td class=\"words\">{}</td></tr>",
                    escaped(severity),
                    spans(sentence)
                )
            })
            .collect();
        let heading = self.text("report.findings");
        self.put(&format!(
            "<section><h2>{heading}</h2><table class=\"findings\"><tbody>{}</tbody></table></section>",
            rows.concat()
        ));
    }

    fn files(&mut self) {
        let table = self.table(
            &[
                "report.file",
                "report.before",
                "report.after",
                "report.fate",
            ],
            &self.report.files,
        );
        let more = self.more(self.report.more_files);
        self.section("report.files", &format!("{table}{more}"));
    }

    fn settings(&mut self) {
        let table = self.table(
            &["report.setting", "report.value", "report.from"],
            &self.report.settings,
        );
        self.section("report.settings", &table);
    }

    fn inputs(&mut self) {
        let table = self.table(
            &["report.file", "report.bytes", "report.sha256"],
            &self.report.inputs,
        );
        let more = self.more(self.report.more_inputs);
        let digest = facts! { digest = self.report.digest.as_str() };
        let digest = spans(&self.report.language.sentence("report.digest", &digest));
        self.section("report.inputs", &format!("<p>{digest}</p>{table}{more}"));
    }

    fn steps(&mut self) {
        let rows = step_rows(&self.report.steps);
        let more = self.more(self.report.more_steps);
        self.section(
            "report.steps",
            &format!("<table class=\"steps\"><tbody>{rows}</tbody></table>{more}"),
        );
    }

    fn foot(&mut self) {
        let key = if self.report.with_names {
            "report.with-names"
        } else {
            "report.without-names"
        };
        let foot = self.text(key);
        self.put(&format!("<footer>{foot}</footer>"));
    }

    /// A part behind the first page: all of it is there, on paper too.
    fn section(&mut self, heading: &'static str, inner: &str) {
        let heading = self.text(heading);
        self.put(&format!(
            "<section class=\"behind\"><h2>{heading}</h2>\n{inner}</section>"
        ));
    }

    /// Steps that the first page has no room for stand in the list of all.
    fn more_steps(&self, more: usize) -> String {
        if more == 0 {
            return String::new();
        }
        let facts = facts! { n = more };
        let more = self.report.language.plain("report.more-steps", &facts);
        format!("<p class=\"more\">{}</p>", escaped(&more))
    }

    fn more(&self, more: usize) -> String {
        if more == 0 {
            return String::new();
        }
        let more = self
            .report
            .language
            .plain("report.more", &facts! { n = more });
        format!("<p>{}</p>", escaped(&more))
    }

    /// The first column is text, and so is every other that holds no number.
    fn table<const N: usize>(&self, heads: &[&'static str; N], rows: &[[String; N]]) -> String {
        let heads: Vec<String> = heads
            .iter()
            .map(|key| format!("<th scope=\"col\">{}</th>", self.text(key)))
            .collect();
        let rows: Vec<String> = rows
            .iter()
            .map(|row| {
                let cells = row.iter().map(|cell| format!("<td>{}</td>", escaped(cell)));
                format!("<tr>{}</tr>\n", cells.collect::<String>())
            })
            .collect();
        format!(
            "<table><thead><tr>{}</tr></thead>\n<tbody>{}</tbody></table>\n",
            heads.concat(),
            rows.concat()
        )
    }
}

fn step_rows(steps: &[StepLine]) -> String {
    let row = |step: &StepLine| {
        format!(
            "<tr class=\"{}\"><td>{}</td><td class=\"words\">{}</td><td>{}</td></tr>\n",
            step.tone.word(),
            step.number,
            spans(&step.sentence),
            escaped(&step.rule)
        )
    };
    steps.iter().map(row).collect()
}

fn spans(sentence: &Sentence) -> String {
    let span = |span: &crate::language::Span| {
        let text = escaped(&span.text);
        let text = match &span.title {
            Some(title) => format!("<span title=\"{}\">{text}</span>", escaped(title)),
            None => text.into_owned(),
        };
        match span.look {
            Look::Plain => text,
            Look::Strong => format!("<b>{text}</b>"),
            Look::Mono => format!("<code>{text}</code>"),
        }
    };
    sentence.0.iter().map(span).collect()
}

/// The mark beside a step in plain text.
pub(super) fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Lost => "−",
        Tone::Rebuilt => "+",
        Tone::Warn => "!",
        _ => " ",
    }
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escaped("<script>alert('x')</script>&\"\u{202e}\0"),
            "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;\u{fffd}\u{fffd}"
        );
        assert_eq!(escaped("commitlog/0"), "commitlog/0");
    }
}
