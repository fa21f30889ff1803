//! Something went wrong with the tool or the host, not with the store: what, how far it had come, and how to go on.

use crate::app::state::{Failure, What};
use crate::app::worker_link::Death;
use crate::app::{App, Msg};
use storescope::facts;
use storescope::language::Language;
use yew::html::Scope;
use yew::prelude::*;

pub fn failure(failure: &Failure, language: Language, link: &Scope<App>) -> Html {
    let why = |key, why: &str| language.plain(key, &facts! { why = why });
    let what = match &failure.what {
        What::Death(Death::OtherBuild) => language.text("failure.build").to_owned(),
        What::Death(Death::Because(because)) => why("failure.what", because),
        What::Nothing => language.text("drop.nothing").to_owned(),
        What::Drop(because) => why("drop.failed", because),
        What::Fetch(because) => why("failure.fetch", because),
    };
    let last = failure
        .progress
        .map(|(bytes, of)| language.plain("failure.last", &facts! { bytes = bytes, of = of }));
    html! {
        <main class="alone">
            <section id="failure" class="card work" role="alert">
                <h1>{ language.text("failure.head") }</h1>
                <p>{ what }</p>
                if let Some(last) = last { <p>{ last }</p> }
                if failure.what != What::Nothing { <p class="quiet">{ language.text("failure.next") }</p> }
                <button class="primary" onclick={link.callback(|_| Msg::StartOver)}>{ language.text("action.start-over") }</button>
            </section>
        </main>
    }
}
