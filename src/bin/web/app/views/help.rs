//! The list of keys.

use storescope::language::Language;
use yew::prelude::*;

const KEYS: [(&str, &str); 17] = [
    ("↓ ↑ j k", "help.arrows"),
    ("n N", "help.decision"),
    ("d", "help.decide"),
    ("Home End", "help.ends"),
    ("→ ←", "help.fold"),
    ("p", "help.play"),
    ("< >", "help.speed"),
    (", .", "help.message"),
    ("+ - 0 z", "help.zoom"),
    ("Shift→ Shift←", "help.pan"),
    ("t", "help.table"),
    ("b w", "help.why"),
    ("1 … 7", "help.views"),
    ("s", "help.settings"),
    ("c C", "help.copy"),
    ("Ctrl+K", "help.palette"),
    ("?", "help.help"),
];

/// The workbench gives [`CLOSE`] the focus when the list appears.
pub const CLOSE: &str = "help-close";

pub fn help(language: Language, close: Callback<MouseEvent>) -> Html {
    html! {
        <div class="veil">
            <section class="card dialog help" role="dialog" aria-modal="true" aria-labelledby="help-head">
                <h2 id="help-head">{ language.text("help.head") }</h2>
                <dl>{ for KEYS.iter().map(|(keys, key)| html! {
                    <><dt>{ for keys.split(' ').map(|key| html! { <kbd>{ key }</kbd> }) }</dt><dd>{ language.text(key) }</dd></>
                }) }</dl>
                <button id={CLOSE} onclick={close}>{ language.text("action.close") }</button>
            </section>
        </div>
    }
}
