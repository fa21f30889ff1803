//! The page. [`App`] holds its state and talks to the workers; the views lay out what `storescope::view_model` worked out.
//!
//! Not here: reading files (a worker does) and deciding what to show (the view model does). Nothing here takes long: the page answers.

mod dropped;
mod fetch;
mod preferences;
mod readers;
mod route;
mod samples;
mod state;
mod views;
mod worker_link;

use dropped::{Entries, Files};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use preferences::Theme;
use readers::{Readers, Who};
use samples::Sample;
use state::{Ask, Failure, Loaded, NoStore, Screen, Shared, Stage, What, Work};
use std::collections::BTreeMap;
use std::rc::Rc;
use storescope::brokers::Asked;
use storescope::language::Language;
use storescope::protocol::{Answer, Opened, PART, Part, Response};
use storescope::recovery::Outcome;
use storescope::recovery::Severity;
use storescope::view_model::route::{Go, Route, Source};
use wasm_bindgen::prelude::*;
use web_sys::{DataTransfer, DragEvent};
use worker_link::{Death, Heard};
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

    /// New work takes the place of what runs.
    fn begin(&mut self, ctx: &Context<Self>, source: Source, asked: Asked) -> u32 {
        self.readers.cancel();
        self.held = None;
        self.last_token = self.last_token.wrapping_add(1);
        let token = self.last_token;
        self.work = Some(Work {
            token,
            name: source.name().to_owned(),
            stage: Stage::Walking { files: 0 },
            visible: false,
            hidden: false,
            source,
            asked,
        });
        let link = ctx.link().clone();
        self.timer = Some(Timeout::new(SHOW_WORK_AFTER_MS, move || {
            link.send_message(Msg::StillWorking(token))
        }));
        token
    }

    fn walk(&mut self, ctx: &Context<Self>, entries: Entries) {
        let token = self.begin(ctx, Source::Own(String::new()), Asked::default());
        let link = ctx.link().clone();
        self.gather(ctx, token, async move {
            let counted = move |files| link.send_message(Msg::Walked(token, files));
            dropped::walk(entries, counted).await.map_err(What::Drop)
        });
    }

    /// Waits for what is opened, and for the texts about stores.
    fn gather(
        &self,
        ctx: &Context<Self>,
        token: u32,
        files: impl Future<Output = Result<Files, What>> + 'static,
    ) {
        ctx.link().send_future(async move {
            let files = match files.await {
                Ok(files) => fetch::texts(Language::English)
                    .await
                    .map(|()| files)
                    .map_err(What::Fetch),
                failed => failed,
            };
            Msg::Gathered(token, files)
        });
    }

    fn stage(&mut self, token: u32, stage: Stage) -> bool {
        match &mut self.work {
            Some(work) if work.token == token => {
                work.stage = stage;
                work.visible
            }
            _ => false,
        }
    }

    fn gathered(&mut self, ctx: &Context<Self>, token: u32, files: Result<Files, What>) {
        let Some(work) = self.work.as_mut().filter(|work| work.token == token) else {
            return;
        };
        let hidden = work.hidden;
        let files = match files {
            Ok(files) if files.is_empty() && files.names.name.is_empty() => Err(What::Nothing),
            other => other,
        };
        let files = match files {
            Ok(files) => files,
            Err(_) if hidden => {
                self.work = None;
                return;
            }
            Err(what) => return self.fail(what),
        };
        work.name.clone_from(&files.names.name);
        if let Source::Own(name) = &mut work.source {
            name.clone_from(&files.names.name);
            self.dropped.insert(name.clone(), files.clone());
        }
        if self.route.source.as_ref() == Some(&work.source) {
            // What a link asked for, whose files have come now.
            work.asked.clone_from(&self.route.asked);
        }
        work.stage = Stage::Handing { files: 0 };
        self.files = files;
        self.opened = None;
        self.parts.clear();
        match self.readers.open(&self.files.names) {
            Ok(()) => self.hand(ctx, token),
            Err(why) => self.fail(What::Death(Death::Because(why))),
        }
    }

    /// Hands the next files to the workers, and lets the page breathe before those behind; after the last the recovery begins.
    fn hand(&mut self, ctx: &Context<Self>, token: u32) {
        let Some(work) = self.work.as_mut().filter(|work| work.token == token) else {
            return;
        };
        let Stage::Handing { files: from } = work.stage else {
            return;
        };
        let to = from.saturating_add(PART).min(self.files.handles.len());
        let names = self.files.names.files.get(from..to).unwrap_or(&[]);
        let handles = self.files.handles.get(from..to).unwrap_or(&[]);
        let mut done = self.readers.add(names, handles);
        if to < self.files.handles.len() {
            work.stage = Stage::Handing { files: to };
            let link = ctx.link().clone();
            self.next_hand = Some(Timeout::new(0, move || link.send_message(Msg::Hand(token))));
        } else {
            work.stage = Stage::Starting;
            done = done.and_then(|()| self.readers.recover(&work.asked));
        }
        if let Err(why) = done {
            self.fail(What::Death(Death::Because(why)));
        }
    }

    fn fail(&mut self, what: What) {
        let progress = match self.work.take().map(|work| work.stage) {
            Some(Stage::Reading { bytes, of }) => Some((bytes, of)),
            _ => None,
        };
        self.screen = Screen::Failed(Rc::new(Failure { what, progress }));
    }

    /// The first sample, recovered while nobody asked for anything.
    fn make_picture(&mut self, ctx: &Context<Self>) {
        let Some(sample) = self.samples.first().map(|sample| sample.id.clone()) else {
            return;
        };
        if self.work.is_some() || self.screen != Screen::First {
            return;
        }
        self.last_token = self.last_token.wrapping_add(1);
        let token = self.last_token;
        self.work = Some(Work {
            token,
            name: sample.clone(),
            stage: Stage::Starting,
            visible: false,
            hidden: true,
            source: Source::Sample(sample.clone()),
            asked: Asked::default(),
        });
        self.held = None;
        self.gather(ctx, token, async move {
            samples::load(&sample).await.map_err(What::Fetch)
        });
    }

    fn heard(&mut self, who: Who, heard: Heard) -> bool {
        let response = match heard {
            Heard::Response(response) => *response,
            Heard::Recovered { rest, json, memory } => return self.recovered(*rest, json, memory),
            Heard::Dead(death) => {
                self.readers.bury(who);
                return self.died(who, What::Death(death));
            }
        };
        match response {
            Response::Ready { .. } => false,
            Response::Opened(opened) if who == Who::Recover => self.opened_store(opened),
            Response::Opened(_) => false,
            Response::Progress { bytes, of } => {
                let token = self.work.as_ref().map_or(0, |work| work.token);
                self.stage(token, Stage::Reading { bytes, of })
            }
            Response::Part(part) => {
                self.parts.push(part);
                false
            }
            // It comes with its JSON, as a message of its own.
            Response::Recovered { .. } => false,
            Response::Answering { bytes, of, .. } => {
                self.answering = Some((bytes, of));
                true
            }
            Response::Answered { id, answer } => {
                if let Some(reply) = self.asked.remove(&id) {
                    reply.emit(answer);
                }
                self.answering.take().is_some()
            }
            Response::Failed { why } | Response::Died { why } => {
                self.died(who, What::Death(Death::Because(why)))
            }
        }
    }

    /// A worker is gone. While it recovered, that is the outcome; while it only looked, the page goes on.
    fn died(&mut self, who: Who, what: What) -> bool {
        if who == Who::Recover && self.work.as_ref().is_some_and(|work| !work.hidden) {
            self.fail(what);
            return true;
        }
        self.work = None;
        false
    }

    fn opened_store(&mut self, opened: Opened) -> bool {
        let hidden = self.work.as_ref().is_some_and(|work| work.hidden);
        if !hidden
            && opened.stores.is_empty()
            && opened
                .findings
                .iter()
                .any(|finding| finding.severity == Severity::Error)
        {
            self.readers.cancel();
            self.work = None;
            self.screen = Screen::NoStore(Rc::new(NoStore {
                opened,
                files: state::listing(&self.files),
            }));
            return true;
        }
        self.opened = Some(opened);
        false
    }

    fn recovered(&mut self, mut outcome: Outcome, json: String, memory: f64) -> bool {
        let (Some(work), Some(opened)) = (self.work.take(), self.opened.take()) else {
            return false;
        };
        if let Err(why) = self.readers.recovered(&json, &work.asked) {
            return self.died(Who::Inspect, What::Death(Death::Because(why)));
        }
        for part in self.parts.drain(..) {
            part.put_into(&mut outcome);
        }
        let loaded = Loaded::new(
            work.token,
            opened,
            (work.source.clone(), work.asked.clone()),
            json,
            outcome,
        );
        let loaded = Shared(Rc::new(loaded));
        if work.hidden {
            self.picture = Some(loaded);
            return true;
        }
        self.asked.clear();
        self.held = Some(loaded.clone());
        if !self.is_at(&work.source, &work.asked) {
            self.route = Route {
                asked: work.asked,
                ..Route::of(work.source)
            };
            route::push(&self.route);
        }
        self.screen = Screen::Recovery(loaded.clone());
        tell_outcome(loaded.json.clone(), memory);
        true
    }

    fn ask(&mut self, ask: Ask) {
        // A worker that cannot be asked has died, and that is told when it does.
        if let Ok(id) = self.readers.ask(ask.question) {
            self.asked.insert(id, ask.reply);
        }
    }

    /// A worker that computes hears nothing: it is ended, and a new one learns what the old one knew. Nobody gets an answer any more.
    fn stop_answering(&mut self) {
        self.answering = None;
        self.asked.clear();
        let Some(held) = self.held.clone() else {
            return;
        };
        let files = &self.files;
        let done = self
            .readers
            .restart_inspect(&files.names, &files.handles)
            .and_then(|()| self.readers.recovered(&held.json, &held.asked));
        if let Err(why) = done {
            self.died(Who::Inspect, What::Death(Death::Because(why)));
        }
    }

    /// The address speaks of this store, under this release and these settings.
    fn is_at(&self, source: &Source, asked: &Asked) -> bool {
        self.route.source.as_ref() == Some(source) && self.route.asked == *asked
    }

    fn open(&mut self, ctx: &Context<Self>, source: Source, asked: Asked) {
        if let Some(held) = self.held.clone().filter(|held| held.source == source) {
            if held.asked != asked {
                return self.open_again(ctx, held, asked);
            }
            self.screen = Screen::Recovery(held);
            if !self.is_at(&source, &asked) {
                let route = Route {
                    asked,
                    ..Route::of(source)
                };
                self.go(ctx, Go::To(Box::new(route)));
            }
            return;
        }
        match &source {
            Source::Sample(id) => {
                let id = id.clone();
                let token = self.begin(ctx, source, asked);
                self.gather(ctx, token, async move {
                    samples::load(&id).await.map_err(What::Fetch)
                });
            }
            Source::Own(name) => match self.dropped.get(name).cloned() {
                Some(files) => {
                    let token = self.begin(ctx, source, asked);
                    self.gathered(ctx, token, Ok(files));
                }
                // The first screen says what to drop.
                None => self.screen = Screen::First,
            },
        }
    }

    /// The files that the workers have, under another release or other settings, or another store among them.
    fn open_again(&mut self, ctx: &Context<Self>, held: Shared<Loaded>, asked: Asked) {
        let files = self.files.clone();
        let is_busy = self.readers.is_busy();
        let token = self.begin(ctx, held.source.clone(), asked.clone());
        if is_busy {
            // The worker that had them was ended.
            return self.gathered(ctx, token, Ok(files));
        }
        if let Some(work) = &mut self.work {
            work.stage = Stage::Starting;
        }
        self.parts.clear();
        // A worker says so if it opens another store.
        self.opened = Some(held.opened.clone());
        if let Err(why) = self.readers.recover(&asked) {
            self.fail(What::Death(Death::Because(why)));
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
