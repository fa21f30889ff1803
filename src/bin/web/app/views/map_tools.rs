//! What stands above the map: how much of the log it shows, and which queues.

use super::recovery::{Msg, Recovery, Zoom};
use super::{Shown, icons};
use storescope::facts;
use storescope::language::numbers;
use storescope::view_model::lane_choice::{LaneChoice, Sort};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::html::Scope;
use yew::prelude::*;

pub fn map_tools(
    shown: &Shown<'_>,
    window: Option<(i64, i64)>,
    choice: &LaneChoice,
    table: bool,
    link: &Scope<Recovery>,
) -> Html {
    let language = shown.language;
    let text = |key| language.text(key);
    let button = |id: &'static str, key, icon: Html, zoom: Zoom, off: bool| {
        let label = text(key);
        html! {
            <button {id} class="icon-button" title={label} aria-label={label} disabled={off}
                onclick={link.callback(move |_| Msg::Zoom(zoom))}>{ icon }</button>
        }
    };
    let seen = match window {
        None => text("zoom.all").to_owned(),
        Some((from, to)) => language.plain(
            "zoom.window",
            &facts! { from = from, to = to, bytes = to.saturating_sub(from) },
        ),
    };
    let choice_of = |words: Vec<String>| LaneChoice {
        words,
        ..choice.clone()
    };
    let shown_words = choice.words.join(" ");
    let filter = {
        let choice_of = choice_of(Vec::new());
        link.callback(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let words = input.value();
            Msg::Lanes(LaneChoice {
                words: words.split_whitespace().map(str::to_owned).collect(),
                ..choice_of.clone()
            })
        })
    };
    let sort = {
        let choice = choice.clone();
        link.callback(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            Msg::Lanes(LaneChoice {
                sort: Sort::named(&select.value()).unwrap_or_default(),
                ..choice.clone()
            })
        })
    };
    let queues =
        numbers::grouped(i64::try_from(shown.loaded.ground.queues.len()).unwrap_or(i64::MAX));
    html! {
        <div class="map-tools" role="toolbar" aria-label={text("zoom.label")}>
            if !table {
            { button("zoom-in", "zoom.in", icons::plus(), Zoom::In, false) }
            { button("zoom-out", "zoom.out", icons::minus(), Zoom::Out, window.is_none()) }
            { button("zoom-step", "zoom.step", icons::target(), Zoom::Step, false) }
            { button("zoom-fit", "zoom.fit", icons::fit(), Zoom::Fit, window.is_none()) }
            <span id="window" class="quiet" data-from={window.map(|window| window.0.to_string())} data-to={window.map(|window| window.1.to_string())}>
                { seen }
            </span>
            }
            <div class="grow"></div>
            if !table {
            <input id="lane-filter" type="search" value={shown_words} placeholder={language.plain("lanes.filter", &facts! { n = queues })}
                aria-label={text("lanes.filter.label")} oninput={filter} />
            <select id="lane-sort" aria-label={text("lanes.sort")} onchange={sort}>
                { for Sort::ALL.iter().map(|sort| html! {
                    <option value={sort.word()} selected={*sort == choice.sort}>
                        { language.find(&format!("sort.{}", sort.word())).unwrap_or("") }
                    </option>
                }) }
            </select>
            }
            <button id="table-toggle" class="small" aria-pressed={table.to_string()} aria-controls="map-table"
                onclick={link.callback(|_| Msg::Table)}>{ language.text(if table { "table.hide" } else { "table.show" }) }</button>
        </div>
    }
}
