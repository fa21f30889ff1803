//! The buttons above the strip: step by step, played, to the ends and to the step that decided.

use super::legend::legend;
use super::playback::{Playback, SPEEDS};
use super::recovery::{Msg, Recovery};
use super::{Shown, icons};
use storescope::facts;
use storescope::view_model::selection::Move;
use web_sys::HtmlSelectElement;
use yew::html::Scope;
use yew::prelude::*;

pub fn player(shown: &Shown<'_>, playback: &Playback, link: &Scope<Recovery>) -> Html {
    let playing = playback.is_playing();
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
    let speed = link.batch_callback(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        select.value().parse().ok().map(Msg::Speed)
    });
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
                { button("next-decision", "player.next-decision", icons::next_decision(), to(Move::NextDecision), None) }
                { button("deciding-step", "player.decide", icons::target(), link.callback(|_| Msg::Decide), Some(decided)) }
            </div>
            <select id="speed" aria-label={language.text("player.speed")} title={language.text("player.speed")} onchange={speed}>
                { for SPEEDS.iter().enumerate().map(|(at, (_, label))| html! {
                    <option value={at.to_string()} selected={at == playback.speed}>{ *label }</option>
                }) }
            </select>
            <span id="position" class="position" data-step={shown.selected.to_string()} data-of={shown.of().to_string()}>{ position }</span>
            <div class="grow"></div>
            { legend(language) }
        </div>
    }
}
