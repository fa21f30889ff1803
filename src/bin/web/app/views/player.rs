//! The buttons above the strip: step by step, played, to the ends and to the step that decided.

use super::legend::legend;
use super::recovery::{Msg, Recovery};
use super::{Shown, icons};
use storescope::facts;
use storescope::view_model::selection::Move;
use yew::html::Scope;
use yew::prelude::*;

pub fn player(shown: &Shown<'_>, playing: bool, table: bool, link: &Scope<Recovery>) -> Html {
    let language = shown.language;
    let button = |id: &'static str,
                  key,
                  icon: Html,
                  onclick: Callback<MouseEvent>,
                  pressed: Option<bool>| {
        let label = language.text(key);
        html! {
            <button {id} class="icon-button" title={label} aria-label={label} aria-pressed={pressed.map(|on| on.to_string())} {onclick}>
                { icon }
            </button>
        }
    };
    let to = |to: Move| link.callback(move |_: MouseEvent| Msg::Move(to));
    let play = if playing {
        ("player.pause", icons::pause())
    } else {
        ("player.play", icons::play())
    };
    let decided = shown.selected == shown.loaded.deciding;
    let position = language.plain(
        "player.position",
        &facts! { step = shown.selected, of = shown.of() },
    );
    html! {
        <div class="player">
            <div class="buttons">
                { button("first-step", "player.first", icons::first(), to(Move::First), None) }
                { button("previous-step", "player.back", icons::back(), to(Move::Previous), None) }
                { button("play", play.0, play.1, link.callback(|_| Msg::Play), Some(playing)) }
                { button("next-step", "player.forward", icons::forward(), to(Move::Next), None) }
                { button("last-step", "player.last", icons::last(), to(Move::Last), None) }
                { button("deciding-step", "player.decide", icons::target(), link.callback(|_| Msg::Decide), Some(decided)) }
            </div>
            <span id="position" class="position" data-step={shown.selected.to_string()} data-of={shown.of().to_string()}>{ position }</span>
            <div class="grow"></div>
            { legend(language) }
            <button id="table-toggle" class="small" aria-pressed={table.to_string()} aria-controls="map-table"
                onclick={link.callback(|_| Msg::Table)}>{ language.text(if table { "table.hide" } else { "table.show" }) }</button>
        </div>
    }
}
