//! Inside a step that reads many messages: a slider to stand at any of them.

use super::Shown;
use super::playback::Playback;
use super::recovery::{Msg, Recovery};
use storescope::facts;
use web_sys::HtmlInputElement;
use yew::html::Scope;
use yew::prelude::*;

pub fn inside(shown: &Shown<'_>, playback: &Playback, link: &Scope<Recovery>) -> Html {
    let Some(run) = playback.run(shown.loaded) else {
        return html! {};
    };
    let language = shown.language;
    let (number, known) = playback.messages(&run);
    let offset = playback.inside.unwrap_or(run.stretch.to);
    let says = facts! { number = number, of = run.messages, offset = offset };
    let key = if known {
        "inside.message"
    } else {
        "inside.about"
    };
    let oninput = link.batch_callback(|event: InputEvent| {
        let input: HtmlInputElement = event.target_unchecked_into();
        input.value().parse().ok().map(Msg::Message)
    });
    let label = language.text("inside.label");
    let says = language.plain(key, &says);
    html! {
        <div class="inside" id="inside" data-message={number.to_string()} data-of={run.messages.to_string()} data-offset={offset.to_string()}
            data-known={known.to_string()}>
            <label for="inside-slider">{ label }</label>
            <input id="inside-slider" type="range" min="0" max={run.messages.to_string()} value={number.to_string()} aria-valuetext={says.clone()}
                title={language.text("inside.title")} {oninput} />
            <span class="position">{ says }</span>
        </div>
    }
}
