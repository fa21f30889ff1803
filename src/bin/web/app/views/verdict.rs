//! The verdict: the headline, why, what to do next, the reasons in a few words, and the numbers.

use super::recovery::{Msg, Recovery};
use super::{Shown, sentence};
use storescope::facts;
use storescope::language::{Language, Sentence};
use storescope::recovery::{Finding, Severity};
use storescope::view_model::timeline;
use storescope::view_model::verdict::{Chip, Tile, Verdict};
use yew::html::Scope;
use yew::prelude::*;

pub fn verdict(shown: &Shown<'_>, verdict: &Verdict, link: &Scope<Recovery>) -> Html {
    let language = shown.language;
    let because = verdict
        .because
        .iter()
        .cloned()
        .fold(Sentence::default(), Sentence::then);
    html! {
        <section class={classes!("card", "verdict", format!("verdict-{}", verdict.tone.word()))} aria-labelledby="verdict">
            <h1 id="verdict">{ sentence::show(&verdict.headline) }</h1>
            <div class="tiles">{ for verdict.tiles.iter().map(tile) }</div>
            <div class="words">
                <p><b>{ language.text("verdict.why") }</b>{ " " }{ sentence::show(&because) }</p>
                <p id="next" class="next"><b>{ language.text("next.label") }</b>{ " " }{ sentence::show(&verdict.next) }</p>
            </div>
            <div class="chips">
                { for verdict.chips.iter().map(|chip| show_chip(chip, link)) }
                { process_offset(shown) }
            </div>
            { findings(&shown.loaded.outcome.findings, language) }
        </section>
    }
}

fn tile(tile: &Tile) -> Html {
    html! {
        <div class="tile" data-tile={tile.id} data-value={tile.value.to_string()}>
            <div class={classes!("n", format!("tone-{}", tile.tone.word()))} title={tile.exact.clone()}>{ &tile.shown }</div>
            <div class="l">{ tile.label }</div>
        </div>
    }
}

fn show_chip(chip: &Chip, link: &Scope<Recovery>) -> Html {
    let class = classes!("chip", format!("chip-{}", chip.tone.word()));
    let text = sentence::show(&chip.text);
    match chip.step {
        Some(step) => {
            html! { <button {class} onclick={link.callback(move |_| Msg::Select(step))}>{ text }</button> }
        }
        None => html! { <span {class}>{ text }</span> },
    }
}

fn process_offset(shown: &Shown<'_>) -> Html {
    let Some(offset) = timeline::process_offset(&shown.loaded.last) else {
        return html! {};
    };
    let text = shown
        .language
        .sentence("chip.process-offset", &facts! { offset = offset });
    html! { <span class="chip" id="process-offset" data-value={offset.to_string()}>{ sentence::show(&text) }</span> }
}

/// Ten thousand unknown files are one finding each; the first ones say it.
const SHOWN: usize = 40;

fn findings(findings: &[Finding], language: Language) -> Html {
    if findings.is_empty() {
        return html! {};
    }
    let more = findings.len().saturating_sub(SHOWN);
    html! {
        <details id="findings" class="findings">
            <summary>{ language.plain("findings.head", &facts! { n = findings.len() }) }</summary>
            <ul>
                { for findings.iter().take(SHOWN).map(|finding| html! {
                    <li class={severity(finding.severity)} data-finding={finding.id.clone()}>
                        { sentence::show(&language.sentence(&format!("finding.{}", finding.id), &finding.facts)) }
                    </li>
                }) }
                if more > 0 { <li class="quiet">{ language.plain("findings.more", &facts! { n = more }) }</li> }
            </ul>
        </details>
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}
