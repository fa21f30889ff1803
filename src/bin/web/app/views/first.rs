//! The first screen: drop a store, or open one that the real broker made.

use super::legend::Patterns;
use super::map::Map;
use super::picker::Pickers;
use super::{sentence, use_language};
use crate::app::samples::Sample;
use crate::app::state::{Loaded, Shared};
use std::rc::Rc;
use storescope::facts;
use storescope::view_model::{selection, steps};
use web_sys::FileList;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct FirstProps {
    pub samples: Vec<Sample>,
    pub picture: Option<Shared<Loaded>>,
    pub on_files: Callback<FileList>,
    pub on_sample: Callback<String>,
    pub on_picture: Callback<()>,
}

#[component]
pub fn First(props: &FirstProps) -> Html {
    let language = use_language();
    let text = |key| language.text(key);
    html! {
        <>
        <Patterns />
        <main class="first">
            <div class="hero">
                <div class="pitch">
                    <div><h1>{ text("first.head") }</h1><p>{ text("first.lead") }</p></div>
                    <section id="drop" class="drop" aria-labelledby="drop-head">
                        <b id="drop-head">{ text("drop.here") }</b>
                        <span class="quiet">{ text("drop.or") }</span>
                        <Pickers on_files={props.on_files.clone()} />
                        <span class="quiet">{ text("drop.privacy") }</span>
                    </section>
                </div>
                <Picture loaded={props.picture.clone()} on_open={props.on_picture.clone()} />
            </div>
            if !props.samples.is_empty() {
                <h2 id="samples-head">{ text("first.samples") }</h2>
                <ul class="samples" aria-labelledby="samples-head">
                    { for props.samples.iter().map(|sample| card(sample, props, language)) }
                </ul>
            }
        </main>
        <footer class="foot"><span>{ text("first.foot") }</span></footer>
        </>
    }
}

fn card(sample: &Sample, props: &FirstProps, language: storescope::language::Language) -> Html {
    let id = sample.id.clone();
    let say = |part: &str| language.find(&format!("sample.{}.{part}", sample.id));
    let size = language.plain(
        "sample.size",
        &facts! { broker = sample.broker.as_str(), bytes = sample.bytes() },
    );
    html! {
        <li>
            <button class="sample" data-id={sample.id.clone()} onclick={props.on_sample.reform(move |_| id.clone())}>
                <b>{ say("title").unwrap_or(&sample.id).to_owned() }</b><span>{ say("what") }</span><i>{ size }</i>
            </button>
        </li>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PictureProps {
    loaded: Option<Shared<Loaded>>,
    on_open: Callback<()>,
}

/// A real outcome, small: the map at a step that a slider chooses, and what the broker says there.
#[component]
fn Picture(props: &PictureProps) -> Html {
    let language = use_language();
    let chosen = use_state_eq(|| None::<u32>);
    let Some(loaded) = &props.loaded else {
        return html! { <section class="card picture" aria-hidden="true"></section> };
    };
    let last = loaded.outcome.trace.steps.len() as u32;
    let step = chosen.unwrap_or(last);
    let now = Shared(Rc::new(loaded.outcome.map.at(&loaded.outcome.trace, step)));
    let shown = chosen.unwrap_or(loaded.deciding);
    let said = steps::step(&loaded.outcome.trace, shown)
        .map(|step| steps::sentence(step, language))
        .unwrap_or_default();
    let oninput = {
        let chosen = chosen.clone();
        Callback::from(move |event: InputEvent| {
            let input: web_sys::HtmlInputElement = event.target_unchecked_into();
            chosen.set(input.value().parse().ok());
        })
    };
    let place = selection::place(&loaded.outcome, shown).cloned();
    html! {
        <section class="card picture" aria-labelledby="picture-head">
            <h2 id="picture-head">{ language.text("first.picture") }</h2>
            <input type="range" min="1" max={last.to_string()} value={step.to_string()} aria-label={language.text("strip.label")} {oninput} />
            <Map loaded={loaded.clone()} {now} selected={step} {place} all_queues={false} on_more={Callback::noop()} compact=true />
            <p class="caption">{ sentence::show(&said) }</p>
            <button id="open-picture" onclick={props.on_open.reform(|_| ())}>{ language.text("first.picture.open") }</button>
        </section>
    }
}
