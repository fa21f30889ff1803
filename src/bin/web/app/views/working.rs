//! Work that takes longer than a moment: what runs, how far it is, and a way to stop it.

use super::use_language;
use crate::app::state::{Stage, Work};
use storescope::facts;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct WorkingProps {
    pub work: Work,
    pub on_cancel: Callback<()>,
}

#[component]
pub fn Working(props: &WorkingProps) -> Html {
    let language = use_language();
    let name = facts! { name = props.work.name.as_str() };
    let (line, bar) = match props.work.stage {
        Stage::Walking { files } => (
            language.plain("drop.reading", &facts! { n = files }),
            html! { <progress /> },
        ),
        Stage::Starting => (
            language.text("work.start").to_owned(),
            html! { <progress /> },
        ),
        Stage::Reading { bytes, of } => (
            language.plain("work.of", &facts! { bytes = bytes, of = of }),
            html! { <progress max={of.max(1).to_string()} value={bytes.to_string()} /> },
        ),
    };
    html! {
        <main class="alone">
            <section id="working" class="card work" aria-label={language.plain("work.finding", &name)}>
                <h1>{ language.plain("work.finding", &name) }</h1>
                { bar }
                <p class="quiet" role="status">{ line }</p>
                <button id="cancel" onclick={props.on_cancel.reform(|_| ())}>{ language.text("action.cancel") }</button>
            </section>
        </main>
    }
}
