//! The verdict: the headline, why, what to do next, the reasons in a few words, and the numbers.

use super::{sentence, use_language};
use crate::app::state::{Loaded, Shared};
use storescope::facts;
use storescope::language::{Language, Sentence, numbers};
use storescope::recovery::{Finding, Severity};
use storescope::view_model::verdict::{self, Chip, Tile};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct VerdictProps {
    pub loaded: Shared<Loaded>,
    pub on_step: Callback<u32>,
}

#[component]
pub fn VerdictCard(props: &VerdictProps) -> Html {
    let language = use_language();
    let loaded = &props.loaded;
    let verdict = use_memo((loaded.clone(), language), |(loaded, language)| {
        verdict::verdict(&loaded.outcome, &loaded.last, *language)
    });
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
                <p><b>{ language.text("verdict.why") }</b>{ " " }
                    { sentence::show(&because) }</p>
                <p id="next" class="next"><b>{ language.text("next.label") }</b>{ " " }{ sentence::show(&verdict.next) }</p>
            </div>
            <div class="chips">
                { for verdict.chips.iter().map(|chip| show_chip(chip, &props.on_step)) }
                { process_offset(loaded, language) }
            </div>
            <Findings findings={loaded.outcome.findings.clone()} />
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

fn show_chip(chip: &Chip, on_step: &Callback<u32>) -> Html {
    let class = classes!("chip", format!("chip-{}", chip.tone.word()));
    let text = sentence::show(&chip.text);
    match chip.step {
        Some(step) => {
            html! { <button {class} onclick={on_step.reform(move |_| step)}>{ text }</button> }
        }
        None => html! { <span {class}>{ text }</span> },
    }
}

fn process_offset(loaded: &Loaded, language: Language) -> Html {
    match storescope::view_model::timeline::process_offset(&loaded.last) {
        Some(offset) => html! {
            <span class="chip" id="process-offset" data-value={offset.to_string()}>
                { sentence::show(&language.sentence("chip.process-offset", &facts! { offset = offset })) }
            </span>
        },
        None => html! {},
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FindingsProps {
    findings: Vec<Finding>,
}

/// Ten thousand unknown files are one finding each; the first ones say it.
const SHOWN: usize = 40;

#[component]
fn Findings(props: &FindingsProps) -> Html {
    let language = use_language();
    let findings = &props.findings;
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
                if more > 0 { <li class="quiet">{ language.plain("findings.more", &facts! { n = numbers::grouped(more as i64) }) }</li> }
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
