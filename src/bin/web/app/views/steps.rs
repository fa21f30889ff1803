//! The list of steps: the broker's start as it would tell it, with like steps folded.

use super::recovery::{Msg, Recovery};
use super::{Shown, icons, sentence};
use storescope::facts;
use storescope::language::Language;
use storescope::view_model::steps::{self, Row};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};
use yew::html::Scope;
use yew::prelude::*;

/// Rows on the page at a time, around the selected one. An opened group of twenty thousand steps stays quick.
const WINDOW: usize = 160;
const SHIFT: isize = 80;

pub fn step_list(shown: &Shown<'_>, rows: &[Row], from: usize, link: &Scope<Recovery>) -> Html {
    let language = shown.language;
    let to = from.saturating_add(WINDOW).min(rows.len());
    let rest = |key, n: usize, by: isize| {
        let label = language.plain(key, &facts! { n = n });
        html! {
            if n > 0 {
                <li class="rest"><button class="plain" onclick={link.callback(move |_| Msg::ShiftSteps(by))}>{ label }</button></li>
            }
        }
    };
    html! {
        <section class="steps">
            <h2 id="steps-head">{ language.text("steps.head") }<span class="quiet">{ format!("{} / {}", shown.selected, shown.of()) }</span></h2>
            <ol id="steps" aria-labelledby="steps-head">
                { rest("steps.earlier", from, -SHIFT) }
                { for rows.get(from..to).unwrap_or(&[]).iter().map(|row| show(row, shown, link)) }
                { rest("steps.later", rows.len().saturating_sub(to), SHIFT) }
            </ol>
        </section>
    }
}

/// The first row of the window. It stays where it is while the selected row is inside it.
pub fn window_around(start: usize, at: usize, rows: usize) -> usize {
    let last = rows.saturating_sub(WINDOW);
    if (start..start + WINDOW).contains(&at) {
        start.min(last)
    } else {
        at.saturating_sub(WINDOW / 2).min(last)
    }
}

fn show(row: &Row, shown: &Shown<'_>, link: &Scope<Recovery>) -> Html {
    match *row {
        Row::Step { number } => one(number, shown, link),
        Row::Group { first, last, open } => group(first, last, open, shown, link),
    }
}

fn one(number: u32, shown: &Shown<'_>, link: &Scope<Recovery>) -> Html {
    let language = shown.language;
    let Some(step) = steps::step(&shown.loaded.outcome.trace, number) else {
        return html! {};
    };
    let current = number == shown.selected;
    let class = classes!(
        "step",
        format!("step-{}", steps::tone(&shown.loaded.outcome, step).word()),
        current.then_some("current"),
        (number > shown.selected).then_some("later"),
        (number == shown.loaded.deciding).then_some("deciding"),
    );
    html! {
        <li {class} key={number}>
            <button data-step={number.to_string()} data-rule={step.rule.to_string()} aria-current={current.then_some("step")}
                tabindex={if current { "0" } else { "-1" }} onclick={link.callback(move |_| Msg::Select(number))}>
                <span class="no">{ number }</span><span class="says">{ sentence::show(&steps::sentence(step, language)) }</span>
            </button>
        </li>
    }
}

fn group(first: u32, last: u32, open: bool, shown: &Shown<'_>, link: &Scope<Recovery>) -> Html {
    let language: Language = shown.language;
    let current = !open && (first..=last).contains(&shown.selected);
    let class = classes!(
        "step",
        "group",
        current.then_some("current"),
        (first > shown.selected).then_some("later"),
        open.then_some("open"),
    );
    let said = steps::run_sentence(&shown.loaded.outcome.trace, first, last, language);
    let fold = link.callback(move |_: MouseEvent| Msg::Fold { first });
    let choose = if open {
        fold.clone()
    } else {
        link.callback(move |_: MouseEvent| Msg::Select(last))
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
pub fn bring_into_view() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    let Ok(Some(current)) = document.query_selector("#steps [aria-current=step]") else {
        return;
    };
    scroll_to(&current);
    let focused = document.active_element();
    let inside = focused.is_some_and(|focused| focused.closest("#steps").ok().flatten().is_some());
    if inside && let Ok(current) = current.dyn_into::<HtmlElement>() {
        // It is on the page; a refusal would only leave the focus where it was.
        let _ = current.focus();
    }
}

/// Into view, no further than needed.
pub fn scroll_to(element: &Element) {
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    element.scroll_into_view_with_scroll_into_view_options(&options);
}
