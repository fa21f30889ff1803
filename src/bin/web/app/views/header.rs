//! The bar at the top: which store, under whose rules, and the page's own switches.

use super::icons;
use super::report::Report;
use crate::app::preferences::Theme;
use crate::app::state::Loaded;
use crate::app::{App, Msg};
use storescope::facts;
use storescope::language::{Language, numbers};
use web_sys::HtmlSelectElement;
use yew::html::Scope;
use yew::prelude::*;

/// What was copied a moment ago: its button says so.
#[derive(Clone, Copy)]
pub struct Copied {
    pub json: bool,
    pub link: bool,
}

pub fn header(
    loaded: Option<&Loaded>,
    theme: Theme,
    copied: Copied,
    answering: Option<(u64, u64)>,
    language: Language,
    link: &Scope<App>,
) -> Html {
    let text = |key| language.text(key);
    let home = link.callback(|_: MouseEvent| Msg::StartOver);
    let theme = theme.other();
    let theme_title = text(if theme == Theme::Dark {
        "action.theme.dark"
    } else {
        "action.theme.light"
    });
    let copy_link = text(if copied.link {
        "action.copied"
    } else {
        "action.link"
    });
    let copy = text(if copied.json {
        "action.copied"
    } else {
        "action.copy-json"
    });
    let other = language.other();
    html! {
        <header class="bar">
            <button class="logo" onclick={home.clone()} title={text("action.start-over")}>{ icons::logo() }{ "storescope" }</button>
            if let Some(loaded) = loaded {
                { crumb(loaded, language) }
                { stores(loaded, language, link) }
            }
            <div class="grow"></div>
            if loaded.is_some() {
                <span class="quiet privacy">{ text("app.privacy") }</span>
                <Report {language} {answering} ask={link.callback(Msg::Ask)} cancel={link.callback(|()| Msg::StopAnswering)} />
                <button id="copy-link" aria-live="polite" title={text("action.copy-link")} onclick={link.callback(|_| Msg::CopyLink)}>{ copy_link }</button>
                <button id="copy-json" aria-live="polite" onclick={link.callback(|_| Msg::CopyJson)}>{ copy }</button>
                <button id="open-other" onclick={home} title={text("action.open.title")}>{ text("action.open") }</button>
            }
            <button id="language" onclick={link.callback(move |_| Msg::SetLanguage(other))}
                title={text("action.language.title")} lang={other.tag()}>{ text("action.language") }</button>
            <button id="theme" class="icon-button" onclick={link.callback(move |_| Msg::SetTheme(theme))}
                aria-label={theme_title} title={theme_title}>{ icons::theme() }</button>
        </header>
    }
}

fn crumb(loaded: &Loaded, language: Language) -> Html {
    let broker = &loaded.outcome.broker;
    let release = broker.rules_of.as_ref().unwrap_or(&broker.release);
    let rules = facts! { family = broker.family.as_str(), release = release.as_str() };
    let files = facts! { n = loaded.opened.files };
    let bytes = i64::try_from(loaded.opened.bytes).unwrap_or(i64::MAX);
    let name = match loaded.opened.name.as_str() {
        "" => language.text("header.loose"),
        name => name,
    };
    html! {
        <div class="crumb">
            <b>{ name.to_owned() }</b>
            { format!(" · {} · {} · ", language.plain("header.rules", &rules), language.plain("header.files", &files)) }
            <span title={format!("{} B", numbers::grouped(bytes))}>{ numbers::bytes(bytes) }</span>
        </div>
    }
}

/// Which of several stores is shown.
fn stores(loaded: &Loaded, language: Language, link: &Scope<App>) -> Html {
    let stores = &loaded.opened.stores;
    if stores.len() < 2 {
        return html! {};
    }
    let chosen = loaded.asked.store.as_ref().or(stores.first());
    let onchange = link.callback(|event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        Msg::OpenStore(select.value())
    });
    let label = language.plain("header.stores", &facts! { n = stores.len() });
    html! {
        <select id="stores" aria-label={label.clone()} title={label} {onchange}>
            { for stores.iter().map(|store| html! {
                <option value={store.clone()} selected={Some(store) == chosen}>{ store }</option>
            }) }
        </select>
    }
}
