//! What is wrong with the store, whether the start looks at it or not: every finding with its bytes.

use super::doors::doors;
use super::{ViewProps, sentence};
use crate::app::state::Ask;
use storescope::facts;
use storescope::protocol::{Answer, Question};
use storescope::recovery::checked::Checked;
use storescope::recovery::{Finding, Severity};
use storescope::view_model::route::Go;
use yew::prelude::*;

/// Findings on the page at most.
const MOST: usize = 500;

pub enum Msg {
    Checked(Box<Checked>),
}

pub struct Check {
    checked: Option<Checked>,
}

impl Component for Check {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let reply = ctx.link().batch_callback(|answer| {
            let Answer::Check(checked) = answer else {
                return None;
            };
            Some(Msg::Checked(checked))
        });
        let question = Question::Check;
        ctx.props().ask.emit(Ask { question, reply });
        Self { checked: None }
    }

    fn update(&mut self, _: &Context<Self>, Msg::Checked(checked): Msg) -> bool {
        self.checked = Some(*checked);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        // What the recovery itself noticed stands here too.
        let noticed = &ctx.props().loaded.outcome.findings;
        let (Some(checked), noticed) = (&self.checked, noticed) else {
            return html! {
                <div class="view check-view" id="check-view"><p class="quiet say" role="status">{ language.text("check.running") }</p></div>
            };
        };
        let all: Vec<&Finding> = checked
            .findings
            .iter()
            .chain(noticed.iter().filter(|one| {
                let is_same = |two: &Finding| two.id == one.id && two.place == one.place;
                !checked.findings.iter().any(is_same)
            }))
            .collect();
        let seen = &checked.seen;
        let facts = facts! { messages = seen.messages, units = seen.units, entries = seen.entries, findings = checked.above_info() };
        let hidden = all.len().saturating_sub(MOST);
        html! {
            <div class="view check-view" id="check-view" data-findings={checked.findings.len().to_string()}>
                <p class="say">{ sentence::show(&language.sentence("check.seen", &facts)) }</p>
                if let Some(unread) = &checked.unread { <p class="problem-inline" role="alert">{ unread.to_string() }</p> }
                if all.is_empty() { <p class="say"><b>{ language.text("check.nothing") }</b></p> }
                <ul class="findings-list" tabindex="0" data-own-keys="true">
                    { for all.iter().take(MOST).map(|finding| one(finding, ctx.props())) }
                </ul>
                if hidden > 0 { <p class="quiet say">{ language.plain("check.more", &facts! { n = hidden }) }</p> }
            </div>
        }
    }
}

fn one(finding: &Finding, props: &ViewProps) -> Html {
    let language = props.language;
    let (word, key) = match finding.severity {
        Severity::Error => ("error", "check.error"),
        Severity::Warning => ("warning", "check.warning"),
        Severity::Info => ("info", "check.info"),
    };
    let text = language.sentence(&format!("finding.{}", finding.id), &finding.facts);
    let step = finding.decisive.then(|| {
        let places = props.loaded.outcome.trace.steps.iter();
        let same = |step: &&storescope::recovery::Step| match (&step.place, &finding.place) {
            (Some(of_step), Some(place)) => of_step.file == place.file,
            _ => false,
        };
        places.rev().find(same).map(|step| step.number)
    });
    let go = props.go.clone();
    let route = props.route.clone();
    html! {
        <li class={format!("finding {word}")} data-finding={finding.id.clone()}>
            <span class={format!("badge severity-{word}")}>{ language.text(key) }</span>
            <div>
                <p>{ sentence::show(&text) }</p>
                <p class="quiet"><code>{ &finding.id }</code>
                    if finding.decisive { { " · " }{ language.text("check.decisive") } }
                    if let Some(Some(step)) = step {
                        { " " }<button class="small" data-step={step.to_string()} onclick={move |_| go.emit(Go::To(Box::new(route.at_step(step))))}>
                            { language.plain("check.step", &facts! { step = step }) }</button>
                    }
                    if let Some(place) = &finding.place { { " · " }<code>{ format!("{} @ {}+{}", place.file, place.offset, place.length) }</code> }
                </p>
                if let Some(place) = &finding.place { { doors(place, props) } }
            </div>
        </li>
    }
}
