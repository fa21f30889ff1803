//! The list of steps: the broker's start as it would tell it, with like steps folded.

use super::{icons, sentence, use_language};
use crate::app::state::{Loaded, Shared};
use std::rc::Rc;
use storescope::facts;
use storescope::language::Language;
use storescope::view_model::steps::{self, Row};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct StepListProps {
    pub loaded: Shared<Loaded>,
    pub rows: Rc<Vec<Row>>,
    pub selected: u32,
    pub on_step: Callback<u32>,
    pub on_fold: Callback<u32>,
}

/// Rows on the page at a time, around the selected one. An opened group of twenty thousand steps stays quick.
const WINDOW: usize = 160;

#[component]
pub fn StepList(props: &StepListProps) -> Html {
    let language = use_language();
    let list = use_node_ref();
    let at = props
        .rows
        .iter()
        .position(|row| row.holds(props.selected))
        .unwrap_or(0);
    let start = use_state_eq(|| 0usize);
    let from = window_around(*start, at, props.rows.len());
    let to = (from + WINDOW).min(props.rows.len());
    {
        let (list, start) = (list.clone(), start.clone());
        use_effect_with((props.selected, props.rows.clone()), move |_| {
            start.set(from);
            bring_into_view(&list);
        });
    }
    let of = props.loaded.outcome.trace.steps.len();
    let shift = |by: isize| {
        let start = start.clone();
        Callback::from(move |_: MouseEvent| start.set(from.saturating_add_signed(by)))
    };
    let rest = |key, n: usize, by| {
        html! {
            if n > 0 {
                <li class="rest"><button class="plain" onclick={shift(by)}>{ language.plain(key, &facts! { n = n }) }</button></li>
            }
        }
    };
    html! {
        <section class="steps">
            <h2 id="steps-head">{ language.text("steps.head") }<span class="quiet">{ format!("{} / {of}", props.selected) }</span></h2>
            <ol ref={list} id="steps" aria-labelledby="steps-head">
                { rest("steps.earlier", from, -(WINDOW as isize / 2)) }
                { for props.rows.get(from..to).unwrap_or(&[]).iter().map(|row| show(row, props, language)) }
                { rest("steps.later", props.rows.len() - to, WINDOW as isize / 2) }
            </ol>
        </section>
    }
}

/// The window stays where it is while the selected row is inside it.
fn window_around(start: usize, at: usize, rows: usize) -> usize {
    let last = rows.saturating_sub(WINDOW);
    if (start..start + WINDOW).contains(&at) {
        start.min(last)
    } else {
        at.saturating_sub(WINDOW / 2).min(last)
    }
}

fn show(row: &Row, props: &StepListProps, language: Language) -> Html {
    match *row {
        Row::Step { number } => one(number, props, language),
        Row::Group { first, last, open } => group(first, last, open, props, language),
    }
}

fn one(number: u32, props: &StepListProps, language: Language) -> Html {
    let Some(step) = steps::step(&props.loaded.outcome.trace, number) else {
        return html! {};
    };
    let current = number == props.selected;
    let class = classes!(
        "step",
        format!("step-{}", steps::tone(&props.loaded.outcome, step).word()),
        current.then_some("current"),
        (number > props.selected).then_some("later"),
        (number == props.loaded.deciding).then_some("deciding"),
    );
    html! {
        <li {class} key={number}>
            <button data-step={number.to_string()} data-rule={step.rule.to_string()} aria-current={current.then_some("step")}
                tabindex={if current { "0" } else { "-1" }} onclick={props.on_step.reform(move |_| number)}>
                <span class="no">{ number }</span><span class="says">{ sentence::show(&steps::sentence(step, language)) }</span>
            </button>
        </li>
    }
}

fn group(first: u32, last: u32, open: bool, props: &StepListProps, language: Language) -> Html {
    let current = !open && (first..=last).contains(&props.selected);
    let class = classes!(
        "step",
        "group",
        current.then_some("current"),
        (first > props.selected).then_some("later"),
        open.then_some("open"),
    );
    let said = steps::run_sentence(&props.loaded.outcome.trace, first, last, language);
    let fold = props.on_fold.reform(move |_: MouseEvent| first);
    let choose = if open {
        fold.clone()
    } else {
        props.on_step.reform(move |_: MouseEvent| last)
    };
    let label = language.text(if open { "steps.close" } else { "steps.open" });
    html! {
        <li {class} key={format!("{first}-{last}")}>
            <button data-first={first.to_string()} data-last={last.to_string()} aria-current={current.then_some("step")}
                tabindex={if current { "0" } else { "-1" }} onclick={choose}>
                <span class="no">{ format!("{first}–{last}") }</span><span class="says">{ sentence::show(&said) }</span>
            </button>
            <button class="fold plain" aria-expanded={open.to_string()} aria-label={label} title={label} onclick={fold}>{ icons::chevron() }</button>
        </li>
    }
}

/// Scrolls to the current row, and takes the focus along if it was in the list.
fn bring_into_view(list: &NodeRef) {
    let Some(list) = list.cast::<Element>() else {
        return;
    };
    let Ok(Some(current)) = list.query_selector("[aria-current=step]") else {
        return;
    };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    current.scroll_into_view_with_scroll_into_view_options(&options);
    let focused = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.active_element());
    let inside = focused.is_some_and(|focused| focused.closest("#steps").ok().flatten().is_some());
    if inside && let Ok(current) = current.dyn_into::<HtmlElement>() {
        // It is on the page; a refusal would only leave the focus where it was.
        let _ = current.focus();
    }
}
