//! The bar at the top: which store, under whose rules, and the page's own switches.

use super::{icons, use_language};
use crate::app::preferences::Theme;
use crate::app::state::{Loaded, Shared};
use gloo::timers::callback::Timeout;
use storescope::facts;
use storescope::language::{Language, numbers};
use web_sys::FileList;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct HeaderProps {
    pub loaded: Option<Shared<Loaded>>,
    pub theme: Theme,
    pub on_language: Callback<Language>,
    pub on_theme: Callback<Theme>,
    pub on_files: Callback<FileList>,
    pub on_home: Callback<()>,
}

#[component]
pub fn Header(props: &HeaderProps) -> Html {
    let language = use_language();
    let text = |key| language.text(key);
    let home = props.on_home.reform(|_: MouseEvent| ());
    let theme = props.theme.other();
    let theme_title = if theme == Theme::Dark {
        "action.theme.dark"
    } else {
        "action.theme.light"
    };
    html! {
        <header class="bar">
            <button class="logo" onclick={home.clone()} title={text("action.start-over")}>{ icons::logo() }{ "storescope" }</button>
            if let Some(loaded) = &props.loaded { { crumb(loaded, language) } }
            <div class="grow"></div>
            if let Some(loaded) = &props.loaded {
                <span class="quiet privacy">{ text("app.privacy") }</span>
                <CopyJson loaded={loaded.clone()} />
                <button id="open-other" onclick={home} title={text("action.open.title")}>{ text("action.open") }</button>
            }
            <button id="language" onclick={props.on_language.reform(move |_| language.other())}
                title={text("action.language.title")} lang={language.other().tag()}>{ text("action.language") }</button>
            <button id="theme" class="icon-button" onclick={props.on_theme.reform(move |_| theme)}
                aria-label={text(theme_title)} title={text(theme_title)}>{ icons::theme() }</button>
        </header>
    }
}

fn crumb(loaded: &Loaded, language: Language) -> Html {
    let broker = &loaded.outcome.broker;
    let release = broker.rules_of.as_ref().unwrap_or(&broker.release);
    let rules = facts! { family = broker.family.as_str(), release = release.as_str() };
    let files = facts! { n = loaded.opened.files };
    let bytes = i64::try_from(loaded.opened.bytes).unwrap_or(i64::MAX);
    html! {
        <div class="crumb">
            <b>{ &loaded.opened.name }</b>
            { format!(" · {} · {} · ", language.plain("header.rules", &rules), language.plain("header.files", &files)) }
            <span title={format!("{} B", numbers::grouped(bytes))}>{ numbers::bytes(bytes) }</span>
        </div>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct CopyJsonProps {
    loaded: Shared<Loaded>,
}

/// Copies the contract's JSON, the same that `storescope recover --json` prints.
#[component]
fn CopyJson(props: &CopyJsonProps) -> Html {
    let language = use_language();
    let copied = use_state(|| false);
    let timer = use_mut_ref(|| None::<Timeout>);
    let onclick = {
        let (loaded, copied) = (props.loaded.clone(), copied.clone());
        Callback::from(move |_| {
            let Some(window) = web_sys::window() else {
                return;
            };
            // Refused only where the page has no right to the clipboard; then nothing is said to be copied.
            let written = window.navigator().clipboard().write_text(&loaded.json);
            let (said, unsaid, timer) = (copied.clone(), copied.clone(), timer.clone());
            wasm_bindgen_futures::spawn_local(async move {
                if wasm_bindgen_futures::JsFuture::from(written).await.is_ok() {
                    said.set(true);
                    *timer.borrow_mut() = Some(Timeout::new(1600, move || unsaid.set(false)));
                }
            });
        })
    };
    let label = if *copied {
        "action.copied"
    } else {
        "action.copy-json"
    };
    html! { <button id="copy-json" class="primary" {onclick} aria-live="polite">{ language.text(label) }</button> }
}
