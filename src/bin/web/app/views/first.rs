//! The first screen: drop a store, or open one that the real broker made.

use super::legend::patterns;
use super::picker::pickers;
use super::picture::Picture;
use super::sentence;
use crate::app::samples::Sample;
use crate::app::state::{Loaded, Shared};
use crate::app::{App, Msg};
use storescope::brokers::Asked;
use storescope::facts;
use storescope::language::Language;
use storescope::view_model::route::Source;
use yew::html::Scope;
use yew::prelude::*;

pub fn first(
    samples: &[Sample],
    picture: Option<&Shared<Loaded>>,
    awaited: Option<&Source>,
    language: Language,
    link: &Scope<App>,
) -> Html {
    let text = |key| language.text(key);
    html! {
        <>
        { patterns() }
        <main class="first">
            <div class="hero">
                <div class="pitch">
                    <div><h1>{ text("first.head") }</h1><p>{ text("first.lead") }</p></div>
                    <section id="drop" class="drop" aria-labelledby="drop-head">
                        <b id="drop-head">{ text("drop.here") }</b>
                        if let Some(Source::Own(name)) = awaited {
                            <p id="awaited" role="status">{ sentence::show(&language.sentence("drop.awaited", &facts! { name = name.as_str() })) }</p>
                        }
                        <span class="quiet">{ text("drop.or") }</span>
                        { pickers(language, &link.callback(Msg::Picked)) }
                        <span class="quiet">{ text("drop.privacy") }</span>
                    </section>
                </div>
                if let Some(loaded) = picture {
                    <Picture loaded={loaded.clone()} {language} on_open={link.callback(|()| Msg::OpenPicture)} />
                } else {
                    <section class="card picture" aria-hidden="true"></section>
                }
            </div>
            if !samples.is_empty() {
                <h2 id="samples-head">{ text("first.samples") }</h2>
                <ul class="samples" aria-labelledby="samples-head">{ for samples.iter().map(|sample| card(sample, language, link)) }</ul>
            }
        </main>
        <footer class="foot"><span>{ text("first.foot") }</span></footer>
        </>
    }
}

fn card(sample: &Sample, language: Language, link: &Scope<App>) -> Html {
    let say = |part: &str| language.find(&format!("sample.{}.{part}", sample.id));
    let size = language.plain(
        "sample.size",
        &facts! { broker = sample.release.replace("rocketmq-", "RocketMQ "), bytes = sample.bytes },
    );
    let source = Source::Sample(sample.id.clone());
    html! {
        <li>
            <button class="sample" data-id={sample.id.clone()} onclick={link.callback(move |_| Msg::Open(source.clone(), Asked::default()))}>
                <b>{ say("title").unwrap_or(&sample.id).to_owned() }</b><span>{ say("what") }</span><i>{ size }</i>
            </button>
        </li>
    }
}
