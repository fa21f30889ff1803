//! The document as Markdown, as issue trackers and chats take it. Its picture is the HTML's alone; here the numbers stand in tables.

use super::html::sign;
use super::{Report, StepLine};
use crate::facts;
use crate::language::{Look, Sentence};
use std::fmt::Write;

pub(super) fn write(report: &Report<'_>) -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = put(report, &mut out);
    out
}

fn put(report: &Report<'_>, out: &mut String) -> std::fmt::Result {
    let verdict = &report.verdict;
    writeln!(out, "# {}\n", report.text("report.title"))?;
    writeln!(out, "**{}**\n", plain(&verdict.headline))?;
    for sentence in &verdict.because {
        writeln!(out, "- {}", spans(sentence))?;
    }
    writeln!(
        out,
        "\n{} {}\n",
        report.text("next.label"),
        spans(&verdict.next)
    )?;
    let heads: Vec<&str> = verdict.tiles.iter().map(|tile| tile.label).collect();
    let values: Vec<String> = verdict
        .tiles
        .iter()
        .map(|tile| tile.shown.clone())
        .collect();
    table(out, &heads, std::iter::once(values.as_slice()))?;
    for (label, value) in &report.about {
        writeln!(out, "- {}: {}", text(label), text(value))?;
    }

    heading(report, out, "report.loud")?;
    if report.loud.is_empty() {
        writeln!(out, "{}", report.text("report.loud-none"))?;
    }
    steps(out, &report.loud)?;
    if report.more_loud > 0 {
        let facts = facts! { n = report.more_loud };
        let more = report.language.plain("report.more-steps", &facts);
        writeln!(out, "\n{}", text(&more))?;
    }

    heading(report, out, "report.ledger")?;
    of_keys(
        report,
        out,
        &["report.ledger", "report.bytes", "report.messages"],
        &report.ledger,
    )?;
    if !report.marks.is_empty() {
        heading(report, out, "report.marks")?;
        of_keys(
            report,
            out,
            &["report.marks", "report.before", "report.after"],
            &report.marks,
        )?;
    }
    if !report.findings.is_empty() {
        heading(report, out, "report.findings")?;
        for (severity, sentence) in &report.findings {
            writeln!(out, "- {severity}: {}", spans(sentence))?;
        }
    }
    heading(report, out, "report.files")?;
    of_keys(
        report,
        out,
        &[
            "report.file",
            "report.before",
            "report.after",
            "report.fate",
        ],
        &report.files,
    )?;
    more(report, out, report.more_files)?;
    heading(report, out, "report.settings")?;
    of_keys(
        report,
        out,
        &["report.setting", "report.value", "report.from"],
        &report.settings,
    )?;
    heading(report, out, "report.inputs")?;
    let digest = facts! { digest = report.digest.as_str() };
    let digest = report.language.sentence("report.digest", &digest);
    writeln!(out, "{}\n", spans(&digest))?;
    of_keys(
        report,
        out,
        &["report.file", "report.bytes", "report.sha256"],
        &report.inputs,
    )?;
    more(report, out, report.more_inputs)?;
    heading(report, out, "report.steps")?;
    steps(out, &report.steps)?;
    more(report, out, report.more_steps)?;
    let foot = if report.with_names {
        "report.with-names"
    } else {
        "report.without-names"
    };
    writeln!(out, "\n---\n{}", report.text(foot))
}

fn heading(report: &Report<'_>, out: &mut String, key: &'static str) -> std::fmt::Result {
    writeln!(out, "\n## {}\n", report.text(key))
}

fn more(report: &Report<'_>, out: &mut String, more: usize) -> std::fmt::Result {
    if more == 0 {
        return Ok(());
    }
    let more = report.language.plain("report.more", &facts! { n = more });
    writeln!(out, "\n{}", text(&more))
}

fn steps(out: &mut String, steps: &[StepLine]) -> std::fmt::Result {
    for step in steps {
        let (number, sign) = (step.number, sign(step.tone));
        writeln!(
            out,
            "- `{number:>4} {sign}` {} (`{}`)",
            spans(&step.sentence),
            step.rule
        )?;
    }
    Ok(())
}

fn of_keys<const N: usize>(
    report: &Report<'_>,
    out: &mut String,
    heads: &[&'static str; N],
    rows: &[[String; N]],
) -> std::fmt::Result {
    let heads: Vec<&str> = heads.iter().map(|key| report.text(key)).collect();
    table(out, &heads, rows.iter().map(|row| row.as_slice()))
}

fn table<'t>(
    out: &mut String,
    heads: &[&str],
    rows: impl Iterator<Item = &'t [String]>,
) -> std::fmt::Result {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    writeln!(
        out,
        "{}",
        line(heads.iter().map(|head| text(head)).collect())
    )?;
    writeln!(
        out,
        "{}",
        line(heads.iter().map(|_| "---".to_owned()).collect())
    )?;
    for row in rows {
        writeln!(out, "{}", line(row.iter().map(|cell| text(cell)).collect()))?;
    }
    writeln!(out)
}

/// Text as text: what Markdown or the HTML in it would take as its own is set apart.
fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn plain(sentence: &Sentence) -> String {
    text(&sentence.to_string())
}

fn spans(sentence: &Sentence) -> String {
    sentence
        .0
        .iter()
        .map(|span| match span.look {
            Look::Plain => text(&span.text),
            Look::Strong => format!("**{}**", text(&span.text)),
            // A code span has no escapes: what would end it goes.
            Look::Mono => format!("`{}`", span.text.replace(['`', '\n', '\r'], "\u{fffd}")),
        })
        .collect()
}
