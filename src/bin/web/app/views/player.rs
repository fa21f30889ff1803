//! The buttons above the strip: step by step, played, to the ends and to the step that decided.

use super::legend::Legend;
use super::{icons, use_language};
use storescope::facts;
use storescope::view_model::selection::Move;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct PlayerProps {
    pub step: u32,
    pub of: u32,
    pub deciding: u32,
    pub playing: bool,
    pub table: bool,
    pub on_move: Callback<Move>,
    pub on_play: Callback<()>,
    pub on_decide: Callback<()>,
    pub on_table: Callback<()>,
}

#[component]
pub fn Player(props: &PlayerProps) -> Html {
    let language = use_language();
    let button = |id: &'static str,
                  key,
                  icon: Html,
                  onclick: Callback<MouseEvent>,
                  pressed: Option<bool>| {
        let label = language.text(key);
        html! {
            <button {id} class="icon-button" title={label} aria-label={label} aria-pressed={pressed.map(|on| on.to_string())} {onclick}>{ icon }</button>
        }
    };
    let to = |to: Move| props.on_move.reform(move |_: MouseEvent| to);
    let play = if props.playing {
        ("player.pause", icons::pause())
    } else {
        ("player.play", icons::play())
    };
    let position = facts! { step = props.step, of = props.of };
    let table = if props.table {
        "table.hide"
    } else {
        "table.show"
    };
    html! {
        <div class="player">
            <div class="buttons">
                { button("first-step", "player.first", icons::first(), to(Move::First), None) }
                { button("previous-step", "player.back", icons::back(), to(Move::Previous), None) }
                { button("play", play.0, play.1, props.on_play.reform(|_| ()), Some(props.playing)) }
                { button("next-step", "player.forward", icons::forward(), to(Move::Next), None) }
                { button("last-step", "player.last", icons::last(), to(Move::Last), None) }
                { button("deciding-step", "player.decide", icons::target(), props.on_decide.reform(|_| ()), Some(props.step == props.deciding)) }
            </div>
            <span id="position" class="position" data-step={props.step.to_string()} data-of={props.of.to_string()}>
                { language.plain("player.position", &position) }
            </span>
            <div class="grow"></div>
            <Legend />
            <button id="table-toggle" class="small" aria-pressed={props.table.to_string()} aria-controls="map-table"
                onclick={props.on_table.reform(|_| ())}>{ language.text(table) }</button>
        </div>
    }
}
