//! Work that takes longer than a moment: what runs, how far it is, and a way to stop it.

use crate::app::state::{Stage, Work};
use crate::app::{App, Msg};
use storescope::facts;
use storescope::language::Language;
use yew::html::Scope;
use yew::prelude::*;

pub fn working(work: &Work, language: Language, link: &Scope<App>) -> Html {
    let title = language.plain("work.finding", &facts! { name = work.name.as_str() });
    let (line, of, done) = match work.stage {
        Stage::Walking { files } => (
            language.plain("drop.reading", &facts! { n = files }),
            None,
            None,
        ),
        Stage::Handing { .. } | Stage::Starting => {
            (language.text("work.start").to_owned(), None, None)
        }
        Stage::Reading { bytes, of } => {
            let line = language.plain("work.of", &facts! { bytes = bytes, of = of });
            (line, Some(of.max(1).to_string()), Some(bytes.to_string()))
        }
    };
    html! {
        <main class="alone">
            <section id="working" class="card work" aria-label={title.clone()}>
                <h1>{ title }</h1>
                <progress max={of} value={done} />
                <p class="quiet" role="status">{ line }</p>
                <button id="cancel" onclick={link.callback(|_| Msg::Cancel)}>{ language.text("action.cancel") }</button>
            </section>
        </main>
    }
}
