//! Something went wrong with the tool or the host, not with the store: what, how far it had come, and how to go on.

use super::use_language;
use crate::app::state::{Failure, What};
use crate::app::worker_link::Death;
use std::rc::Rc;
use storescope::facts;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct FailureProps {
    pub failure: Rc<Failure>,
    pub on_home: Callback<()>,
}

#[component]
pub fn FailureView(props: &FailureProps) -> Html {
    let language = use_language();
    let why = |key, why: &str| language.plain(key, &facts! { why = why });
    let what = match &props.failure.what {
        What::Death(Death::OtherBuild) => language.text("failure.build").to_owned(),
        What::Death(Death::Because(because)) => why("failure.what", because),
        What::Drop(because) => because.clone(),
        What::Sample(because) => why("failure.sample", because),
        What::Outcome(because) => why("failure.outcome", because),
    };
    let last = props
        .failure
        .progress
        .map(|(bytes, of)| language.plain("failure.last", &facts! { bytes = bytes, of = of }));
    html! {
        <main class="alone">
            <section id="failure" class="card work" role="alert">
                <h1>{ language.text("failure.head") }</h1>
                <p>{ what }</p>
                if let Some(last) = last { <p>{ last }</p> }
                <p class="quiet">{ language.text("failure.next") }</p>
                <button class="primary" onclick={props.on_home.reform(|_| ())}>{ language.text("action.start-over") }</button>
            </section>
        </main>
    }
}
