//! The settings panel: release, and every setting that decides something, by the broker's own names; what was not given, and where its
//! value is from. Running again is a place of its own in the browser's history.

use super::ViewProps;
use std::collections::BTreeMap;
use storescope::brokers::{self, Asked};
use storescope::facts;
use storescope::language::Language;
use storescope::recovery::outcome::Source;
use storescope::view_model::route::Go;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct SettingsProps {
    pub view: ViewProps,
    pub close: Callback<()>,
}

pub enum Msg {
    Release(Option<String>),
    /// An empty value is none: the files' or the broker's own holds again.
    Set(String, String),
    Reset,
    Run,
}

/// What a person has chosen so far, and not yet run.
pub struct Settings {
    release: Option<String>,
    settings: BTreeMap<String, String>,
}

impl Component for Settings {
    type Message = Msg;
    type Properties = SettingsProps;

    fn create(ctx: &Context<Self>) -> Self {
        let asked = &ctx.props().view.loaded.asked;
        Self {
            release: asked.release.clone(),
            settings: asked.settings.clone(),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Release(release) => self.release = release,
            Msg::Set(key, value) if value.trim().is_empty() => {
                self.settings.remove(&key);
            }
            Msg::Set(key, value) => {
                self.settings.insert(key, value);
            }
            Msg::Reset => {
                self.release = None;
                self.settings.clear();
            }
            Msg::Run => {
                let ViewProps { route, go, .. } = &ctx.props().view;
                let asked = Asked {
                    release: self.release.clone(),
                    settings: self.settings.clone(),
                    ..route.asked.clone()
                };
                ctx.props().close.emit(());
                if asked != route.asked {
                    go.emit(Go::To(Box::new(route.under(asked))));
                }
                return false;
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let SettingsProps { view, close } = ctx.props();
        let (language, link) = (view.language, ctx.link());
        let text = |key| language.text(key);
        let onsubmit = link.callback(|event: SubmitEvent| {
            event.prevent_default();
            Msg::Run
        });
        let changed = self.release != view.loaded.asked.release
            || self.settings != view.loaded.asked.settings;
        html! {
            <div class="veil">
                <form class="card dialog settings" id="settings" role="dialog" aria-modal="true" aria-labelledby="settings-head" {onsubmit}>
                    <h2 id="settings-head">{ text("settings.head") }</h2>
                    <p class="quiet">{ text("settings.lead") }</p>
                    <table>
                        <tr><th scope="row"><label for="release">{ text("settings.release") }</label></th><td>{ self.releases(ctx) }</td>
                            <td class="quiet">{ release_from(view, self.release.as_deref()) }</td></tr>
                        { for view.loaded.outcome.options.settings.keys().map(|key| self.row(key, ctx)) }
                    </table>
                    <div class="dialog-buttons">
                        <button type="button" class="plain" onclick={link.callback(|_| Msg::Reset)}>{ text("settings.reset") }</button>
                        <div class="grow"></div>
                        <button type="button" id="settings-close" onclick={close.reform(|_: MouseEvent| ())}>{ text("action.close") }</button>
                        <button type="submit" id="settings-run" class="primary" disabled={!changed}>{ text("settings.run") }</button>
                    </div>
                </form>
            </div>
        }
    }
}

impl Settings {
    fn releases(&self, ctx: &Context<Self>) -> Html {
        let language = ctx.props().view.language;
        let family = &ctx.props().view.loaded.outcome.broker.family;
        let (mut known, assumed) = brokers::releases(family);
        // One in between was asked for by a link or the command line's word.
        if let Some(asked) = self.release.as_ref().filter(|asked| !known.contains(asked)) {
            known.push(asked.clone());
        }
        let none = language.plain(
            "settings.release.none",
            &facts! { release = shown(&assumed) },
        );
        let onchange = ctx.link().callback(|event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            Msg::Release(Some(select.value()).filter(|release| !release.is_empty()))
        });
        html! {
            <select id="release" {onchange}>
                <option value="" selected={self.release.is_none()}>{ none }</option>
                { for known.iter().rev().map(|release| html! {
                    <option value={release.clone()} selected={self.release.as_ref() == Some(release)}>{ shown(release) }</option>
                }) }
            </select>
        }
    }

    fn row(&self, key: &str, ctx: &Context<Self>) -> Html {
        let ViewProps {
            loaded, language, ..
        } = &ctx.props().view;
        let options = &loaded.outcome.options;
        let used = options.settings.get(key).map_or("", String::as_str);
        let set = self.settings.get(key).map(String::as_str);
        let of_conf = loaded
            .opened
            .conf
            .as_ref()
            .filter(|conf| conf.settings.contains_key(key));
        let is_flag = matches!(used, "true" | "false");
        let id = format!("set-{key}");
        let field = if is_flag {
            let key = key.to_owned();
            let onchange = ctx.link().callback(move |event: Event| {
                let select: HtmlSelectElement = event.target_unchecked_into();
                Msg::Set(key.clone(), select.value())
            });
            let assumed = if of_conf.is_some() {
                used.to_owned()
            } else {
                language.plain("settings.value.none", &facts! { value = used })
            };
            html! {
                <select {id} {onchange}>
                    if set.is_none() { <option value="" selected=true>{ assumed }</option> }
                    else { <option value="">{ language.text("settings.unset") }</option> }
                    { for ["true", "false"].iter().map(|value| html! {
                        <option value={*value} selected={set == Some(*value)}>{ *value }</option>
                    }) }
                </select>
            }
        } else {
            let key = key.to_owned();
            let oninput = ctx.link().callback(move |event: InputEvent| {
                let input: HtmlInputElement = event.target_unchecked_into();
                Msg::Set(key.clone(), input.value())
            });
            html! {
                <input {id} type="text" value={set.unwrap_or("").to_owned()} placeholder={used.to_owned()} spellcheck="false" {oninput} />
            }
        };
        let from = match (set, of_conf, options.assumed.get(key)) {
            (Some(_), _, _) => language.text("settings.from.asked").to_owned(),
            (None, Some(conf), _) => {
                language.plain("settings.from.conf", &facts! { file = &conf.file })
            }
            (None, None, source) => from_source(source, *language).to_owned(),
        };
        html! {
            <tr data-setting={key.to_owned()}><th scope="row"><label for={format!("set-{key}")}><code>{ key.to_owned() }</code></label></th><td>{ field }</td>
                <td class="quiet">{ from }</td></tr>
        }
    }
}

fn from_source(source: Option<&Source>, language: Language) -> &'static str {
    language.text(match source {
        Some(Source::Files) => "settings.from.files",
        Some(Source::Default) => "settings.from.default",
        None => "settings.from.asked",
    })
}

fn release_from(view: &ViewProps, release: Option<&str>) -> &'static str {
    view.language.text(if release.is_some() {
        "settings.from.asked"
    } else {
        "settings.release.why"
    })
}

/// `RocketMQ 4.9.3`
pub fn shown(release: &str) -> String {
    let (family, number) = release.split_once('-').unwrap_or(("", release));
    match family {
        "rocketmq" => format!("RocketMQ {number}"),
        "kafka" => format!("Kafka {number}"),
        _ => release.to_owned(),
    }
}
