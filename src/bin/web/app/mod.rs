//! The page. [`App`] holds its state and talks to the workers; the views lay out what `storescope::view_model` worked out.
//!
//! Not here: reading files (a worker does) and deciding what to show (the view model does). Nothing here takes long: the page answers.

mod dropped;
mod fetch;
mod hearing;
mod opening;
mod preferences;
mod readers;
mod route;
mod samples;
mod state;
mod views;
mod worker_link;

use dropped::Files;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use preferences::Theme;
use readers::{Readers, Who};
use samples::Sample;
use state::{Ask, Loaded, Screen, Shared, Stage, What, Work};
use std::collections::BTreeMap;
use std::rc::Rc;
use storescope::brokers::Asked;
use storescope::language::Language;
use storescope::protocol::{Answer, Opened, Part};
use storescope::view_model::route::{Go, Route, Source};
use wasm_bindgen::prelude::*;
use web_sys::{DataTransfer, DragEvent};
use worker_link::Heard;
use yew::prelude::*;

pub fn start() {
    match preferences::restore() {
        Language::English => show(Language::English),
        Language::Chinese => wasm_bindgen_futures::spawn_local(async {
            show(spoken(Language::Chinese).await);
        }),
    }
}

/// The language, once its texts are here; English if they cannot be had.
async fn spoken(language: Language) -> Language {
    if let Err(why) = fetch::texts(language).await {
        web_sys::console::error_1(&why.into());
        return Language::English;
    }
    language
}

fn show(language: Language) {
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"));
    match root {
        Some(root) => {
            yew::Renderer::<App>::with_root_and_props(root, AppProps { language }).render()
        }
        None => yew::Renderer::<App>::with_props(AppProps { language }).render(),
    };
}

#[derive(Clone, PartialEq, Properties)]
struct AppProps {
    language: Language,
}

pub enum Msg {
    // What a person does.
    DragOver,
    DragLeft,
    Dropped(DataTransfer),
    Picked(Files),
    Open(Source, Asked),
    OpenPicture,
    /// One of several stores that were dropped together.
    OpenStore(String),
    Go(Go),
    Cancel,
    StartOver,
    SetLanguage(Language),
    /// Its texts are here.
    Speak(Language),
    SetTheme(Theme),
    CopyJson,
    CopyLink,
    // What comes of it.
    Walked(u32, usize),
    Gathered(u32, Result<Files, What>),
    Hand(u32),
    StillWorking(u32),
    Samples(Vec<Sample>),
    Heard(Who, Heard),
    Ask(Ask),
    /// Ends the worker that answers, and starts it anew.
    StopAnswering,
    Copied(bool),
    LinkCopied(bool),
    /// The browser's buttons led to another place.
    Went(Route),
    /// The address is to say where the page is.
    ShowRoute,
}

struct App {
    language: Language,
    theme: Theme,
    screen: Screen,
    work: Option<Work>,
    /// What is being read, and what was found in it.
    files: Files,
    opened: Option<Opened>,
    samples: Vec<Sample>,
    /// The first screen's recovered crash.
    picture: Option<Shared<Loaded>>,
    /// The store that the workers hold, recovered.
    held: Option<Shared<Loaded>>,
    /// What a person dropped before, by name: back leads there again.
    dropped: BTreeMap<String, Files>,
    /// Who waits for the answer of this number.
    asked: BTreeMap<u32, Callback<Answer>>,
    /// How far the question is that a worker answers, if it takes its time.
    answering: Option<(u64, u64)>,
    readers: Readers,
    dragging: bool,
    last_token: u32,
    route: Route,
    /// The address is a moment behind: browsers do not let it follow a scrub.
    address: Option<Timeout>,
    _listeners: Vec<EventListener>,
    timer: Option<Timeout>,
    next_hand: Option<Timeout>,
    /// Of an outcome that is coming.
    parts: Vec<Part>,
    /// The outcome was just copied, and the button says so.
    copied: Option<Timeout>,
    link_copied: Option<Timeout>,
}

/// Shorter work is over before a person could read that it runs.
const SHOW_WORK_AFTER_MS: u32 = 300;
const SAY_COPIED_MS: u32 = 1600;
const ADDRESS_AFTER_MS: u32 = 250;

impl Component for App {
    type Message = Msg;
    type Properties = AppProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let readers = Readers::new(link.callback(|(who, heard)| Msg::Heard(who, heard)));
        let route = route::current();
        link.send_future(async { Msg::Samples(samples::index().await.unwrap_or_default()) });
        if let Some(source) = &route.source {
            link.send_message(Msg::Open(source.clone(), route.asked.clone()));
        }
        Self {
            language: ctx.props().language,
            theme: Theme::current(),
            screen: Screen::First,
            work: None,
            files: Files::default(),
            opened: None,
            samples: Vec::new(),
            picture: None,
            held: None,
            dropped: BTreeMap::new(),
            asked: BTreeMap::new(),
            answering: None,
            readers,
            dragging: false,
            last_token: 0,
            route,
            address: None,
            _listeners: drop_anywhere(ctx)
                .into_iter()
                .chain(route::listen(link.callback(Msg::Went)))
                .collect(),
            timer: None,
            next_hand: None,
            parts: Vec::new(),
            copied: None,
            link_copied: None,
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::DragOver => return !std::mem::replace(&mut self.dragging, true),
            Msg::DragLeft => self.dragging = false,
            Msg::Dropped(transfer) => {
                self.dragging = false;
                self.walk(ctx, dropped::entries(&transfer));
            }
            Msg::Picked(files) => {
                let token =
                    self.begin(ctx, Source::Own(files.names.name.clone()), Asked::default());
                self.gather(ctx, token, async { Ok(files) });
            }
            Msg::Open(source, asked) => self.open(ctx, source, asked),
            Msg::OpenPicture => {
                if let Some(picture) = &self.picture {
                    self.open(ctx, picture.source.clone(), Asked::default());
                }
            }
            Msg::OpenStore(folder) => {
                let asked = Asked {
                    store: Some(folder),
                    ..self.route.asked.clone()
                };
                return self.go(ctx, Go::To(Box::new(self.route.under(asked))));
            }
            Msg::Go(go) => return self.go(ctx, go),
            Msg::Went(route) => self.went(ctx, route),
            Msg::ShowRoute => {
                self.show_route();
                return false;
            }
            Msg::Cancel => {
                self.readers.cancel();
                self.work = None;
            }
            Msg::StartOver => {
                self.readers.cancel();
                self.work = None;
                self.screen = Screen::First;
                self.go(ctx, Go::To(Box::default()));
            }
            Msg::SetLanguage(language) => {
                ctx.link()
                    .send_future(async move { Msg::Speak(spoken(language).await) });
            }
            Msg::Speak(language) => {
                self.language = language;
                preferences::choose_language(language);
            }
            Msg::SetTheme(theme) => {
                self.theme = theme;
                theme.choose();
            }
            Msg::CopyJson => {
                let Screen::Recovery(loaded) = &self.screen else {
                    return false;
                };
                let json = loaded.json.clone();
                ctx.link()
                    .send_future(async move { Msg::Copied(copy(&json).await) });
                return false;
            }
            Msg::CopyLink => {
                self.show_route();
                let link = web_sys::window().and_then(|window| window.location().href().ok());
                ctx.link().send_future(async move {
                    Msg::LinkCopied(copy(&link.unwrap_or_default()).await)
                });
                return false;
            }
            Msg::LinkCopied(done) => {
                let link = ctx.link().clone();
                self.link_copied = done.then(|| {
                    Timeout::new(SAY_COPIED_MS, move || {
                        link.send_message(Msg::LinkCopied(false));
                    })
                });
            }
            Msg::Copied(true) => {
                let link = ctx.link().clone();
                self.copied = Some(Timeout::new(SAY_COPIED_MS, move || {
                    link.send_message(Msg::Copied(false))
                }));
            }
            Msg::Copied(false) => self.copied = None,
            Msg::Walked(token, files) => return self.stage(token, Stage::Walking { files }),
            Msg::Gathered(token, files) => self.gathered(ctx, token, files),
            Msg::Hand(token) => self.hand(ctx, token),
            Msg::StillWorking(token) => match &mut self.work {
                Some(work) if work.token == token && !work.hidden => work.visible = true,
                _ => return false,
            },
            Msg::Samples(samples) => {
                self.samples = samples;
                self.make_picture(ctx);
            }
            Msg::Heard(who, heard) => return self.heard(who, heard),
            Msg::Ask(ask) => {
                self.ask(ask);
                return false;
            }
            Msg::StopAnswering => self.stop_answering(),
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let loaded = match &self.screen {
            Screen::Recovery(loaded) => Some(&**loaded),
            _ => None,
        };
        let class = classes!("app", loaded.is_some().then_some("app-recovery"));
        let copied = views::header::Copied {
            json: self.copied.is_some(),
            link: self.link_copied.is_some(),
        };
        let busy = self.work.as_ref().is_some_and(|work| !work.hidden);
        html! {
            <div {class} aria-busy={busy.to_string()}>
                { views::header::header(loaded, self.theme, copied, self.answering, self.language, ctx.link()) }
                { self.view_screen(ctx) }
                if self.dragging {
                    <div class="drop-veil" aria-hidden="true"><b>{ self.language.text("drop.anywhere") }</b></div>
                }
            </div>
        }
    }
}

impl App {
    fn view_screen(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), self.language);
        if let Some(work) = self.work.as_ref().filter(|work| work.visible) {
            return views::working::working(work, language, link);
        }
        match &self.screen {
            Screen::First => {
                let awaited = self.route.source.as_ref();
                views::first::first(
                    &self.samples,
                    self.picture.as_ref(),
                    awaited,
                    language,
                    link,
                )
            }
            Screen::NoStore(found) => views::no_store::no_store(found, language, link),
            Screen::Failed(failure) => views::failure::failure(failure, language, link),
            Screen::Recovery(loaded) => html! {
                <views::workbench::Workbench
                    key={loaded.token}
                    loaded={loaded.clone()}
                    {language}
                    route={self.route.clone()}
                    ask={link.callback(Msg::Ask)}
                    go={link.callback(Msg::Go)}
                />
            },
        }
    }

    /// A person goes somewhere; the address follows.
    fn go(&mut self, ctx: &Context<Self>, go: Go) -> bool {
        let far = matches!(go, Go::To(_));
        let next = self.route.went(go);
        if next == self.route {
            return false;
        }
        if !far {
            self.route = next;
            let link = ctx.link().clone();
            self.address = Some(Timeout::new(ADDRESS_AFTER_MS, move || {
                link.send_message(Msg::ShowRoute)
            }));
            return true;
        }
        if self.address.is_some() {
            self.show_route();
        }
        route::push(&next);
        self.went(ctx, next);
        true
    }

    /// The address says where the page is to be.
    fn went(&mut self, ctx: &Context<Self>, route: Route) {
        self.address = None;
        let old = std::mem::replace(&mut self.route, route);
        if old.source == self.route.source && old.asked == self.route.asked {
            return;
        }
        match self.route.source.clone() {
            Some(source) => self.open(ctx, source, self.route.asked.clone()),
            None => {
                self.readers.cancel();
                self.work = None;
                self.screen = Screen::First;
            }
        }
    }

    fn show_route(&mut self) {
        self.address = None;
        route::replace(&self.route);
    }
}

/// Files may be dropped anywhere, at any time. Without this a browser would leave the page and show the file.
fn drop_anywhere(ctx: &Context<App>) -> Vec<EventListener> {
    let Some(window) = web_sys::window() else {
        return Vec::new();
    };
    let listen = |name: &'static str, then: fn(&DragEvent) -> Option<Msg>| {
        let link = ctx.link().clone();
        EventListener::new_with_options(
            &window,
            name,
            EventListenerOptions::enable_prevent_default(),
            move |event| {
                event.prevent_default();
                if let Some(msg) = event.dyn_ref().and_then(then) {
                    link.send_message(msg);
                }
            },
        )
    };
    vec![
        listen("dragenter", |_| Some(Msg::DragOver)),
        listen("dragover", |_| Some(Msg::DragOver)),
        // Leaving the window has no place to go to; leaving one element for another has.
        listen("dragleave", |event| {
            event.related_target().is_none().then_some(Msg::DragLeft)
        }),
        listen("drop", |event| event.data_transfer().map(Msg::Dropped)),
    ]
}

/// `window.storescope`: the outcome as the command line prints it, and how much memory it took; for tests and for the curious.
fn tell_outcome(json: Rc<str>, memory: f64) {
    let give = Closure::<dyn Fn() -> JsValue>::new(move || JsValue::from_str(&json));
    let object = js_sys::Object::new();
    let set = js_sys::Reflect::set(&object, &"outcomeJson".into(), &give.into_js_value());
    let bytes = Closure::<dyn Fn() -> f64>::new(move || memory);
    let _ = js_sys::Reflect::set(&object, &"wasmBytes".into(), &bytes.into_js_value());
    if set.is_ok() {
        // A page that forbids it (there is none) would lose the convenience and nothing else.
        let _ = js_sys::Reflect::set(&js_sys::global(), &"storescope".into(), &object);
    }
}

/// False only where the page has no right to the clipboard.
pub async fn copy(text: &str) -> bool {
    let Some(window) = web_sys::window() else {
        return false;
    };
    let written = window.navigator().clipboard().write_text(text);
    wasm_bindgen_futures::JsFuture::from(written).await.is_ok()
}
