//! What was dropped is no store: what was expected, what was found, and what to drop instead.

use super::picker::Pickers;
use super::{sentence, use_language};
use crate::app::state::NoStore;
use std::rc::Rc;
use storescope::facts;
use storescope::language::numbers;
use web_sys::FileList;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct NoStoreProps {
    pub found: Rc<NoStore>,
    pub on_files: Callback<FileList>,
    pub on_home: Callback<()>,
}

/// A person recognises a wrong folder by its first names.
const SHOWN: usize = 60;

#[component]
pub fn NoStoreView(props: &NoStoreProps) -> Html {
    let language = use_language();
    let files = &props.found.files;
    let more = facts! { n = files.len().saturating_sub(SHOWN) };
    html! {
        <main class="alone">
            <section id="problem" class="card work" role="alert">
                { for props.found.opened.findings.iter().map(|finding| html! {
                    <p class="problem">{ sentence::show(&language.sentence(&format!("finding.{}", finding.id), &finding.facts)) }</p>
                }) }
                <p>{ language.text("problem.next") }</p>
                <Pickers on_files={props.on_files.clone()} />
                if !files.is_empty() {
                    <h2>{ language.text("problem.shown") }</h2>
                    <ul class="listing">
                        { for files.iter().take(SHOWN).map(|(path, size)| {
                            let size = i64::try_from(*size).unwrap_or(i64::MAX);
                            html! { <li><code>{ path }</code><span class="quiet">{ numbers::bytes(size) }</span></li> }
                        }) }
                    </ul>
                    if files.len() > SHOWN { <p class="quiet">{ language.plain("findings.more", &more) }</p> }
                }
                <button onclick={props.on_home.reform(|_| ())}>{ language.text("action.start-over") }</button>
            </section>
        </main>
    }
}
