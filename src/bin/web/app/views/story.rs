//! What a sample store tells: what happened to it, what to watch for, and what the broker makes of it and why.

use super::recovery::{Msg, Recovery};
use super::{Shown, sentence};
use storescope::recovery::Facts;
use storescope::view_model::route::Source;
use storescope::view_model::stories;
use yew::html::Scope;
use yew::prelude::*;

pub fn story(shown: &Shown<'_>, link: &Scope<Recovery>) -> Html {
    let Source::Sample(id) = &shown.loaded.source else {
        return html! {};
    };
    let language = shown.language;
    let part = |part: &str, head: &'static str| {
        let key = format!("story.{id}.{part}");
        language.find(&key)?;
        let says = sentence::show(&language.sentence(&key, &Facts::new()));
        Some(html! { <p><b>{ language.text(head) }</b>{ " " }{ says }</p> })
    };
    let Some(happened) = part("happened", "story.happened") else {
        return html! {};
    };
    let step = stories::step_to_watch(id, &shown.loaded.outcome.trace);
    let show = step.map(|step| {
        html! {
            <button id="story-step" class="small" onclick={link.callback(move |_| Msg::Select(step))}>{ language.text("story.show") }</button>
        }
    });
    html! {
        <section class="card story" id="story" aria-label={language.text("story.label")}>
            <div>{ happened }{ part("watch", "story.watch") }{ part("why", "story.why") }</div>
            <div class="story-buttons">
                { show }
                <button class="small" id="story-close" onclick={link.callback(|_| Msg::HideStory)}>{ language.text("story.hide") }</button>
            </div>
        </section>
    }
}
