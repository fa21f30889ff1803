//! What was dropped is no store: what was expected, what was found, and what to drop instead.

use super::picker::pickers;
use super::sentence;
use crate::app::state::NoStore;
use crate::app::{App, Msg};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Severity;
use yew::html::Scope;
use yew::prelude::*;

/// A person recognises a wrong folder by its first names.
const SHOWN: usize = 60;

pub fn no_store(found: &NoStore, language: Language, link: &Scope<App>) -> Html {
    let files = &found.files;
    let more = facts! { n = files.len().saturating_sub(SHOWN) };
    // What makes it no store comes first; ten thousand strange files are one sentence and a list.
    let mut findings: Vec<_> = found.opened.findings.iter().collect();
    findings.sort_by_key(|finding| finding.severity);
    let is_error = |severity| severity == Severity::Error;
    html! {
        <main class="alone">
            <section id="problem" class="card work" role="alert">
                { for findings.iter().take(5).map(|finding| html! {
                    <p class={is_error(finding.severity).then_some("problem")} data-finding={finding.id.clone()}>
                        { sentence::show(&language.sentence(&format!("finding.{}", finding.id), &finding.facts)) }
                    </p>
                }) }
                <p>{ language.text("problem.next") }</p>
                { pickers(language, &link.callback(Msg::Picked)) }
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
                <button onclick={link.callback(|_| Msg::StartOver)}>{ language.text("action.start-over") }</button>
            </section>
        </main>
    }
}
