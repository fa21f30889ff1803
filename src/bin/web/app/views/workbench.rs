//! An open store: the rail with its views, the one that is shown, and the keys that work in all of them.
//!
//! Another view is a variant of [`View`], its row in [`BUILT`], and a component that takes [`ViewProps`].

use super::ViewProps;
use super::byte_view::Bytes;
use super::check::Check;
use super::copying;
use super::files::Files;
use super::help::{self, help};
use super::lists::Lists;
use super::messages::Messages;
use super::palette::{self, Palette};
use super::recovery::Recovery;
use super::settings::Settings;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Timeout;
use storescope::brokers;
use storescope::facts;
use storescope::language::numbers;
use storescope::view_model::palette::Act;
use storescope::view_model::route::{Go, Route, View};
use storescope::view_model::{scale, timeline};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, KeyboardEventInit};
use yew::prelude::*;

/// The views that there are, in the order of the rail.
const BUILT: &[View] = &[
    View::Recovery,
    View::Files,
    View::Messages,
    View::Queues,
    View::Index,
    View::Bytes,
    View::Check,
];

pub enum Msg {
    Show(View),
    Help,
    Settings,
    Palette,
    Close,
    Act(Act),
    Copy(Option<String>),
    /// What was copied; None: the browser refused.
    Copied(Option<String>),
    Say(Option<String>),
    Key(KeyboardEvent),
}

/// What lies over the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialog {
    Help,
    Palette,
    Settings,
}

impl Dialog {
    /// What has the focus when it appears.
    fn first(self) -> &'static str {
        match self {
            Self::Help => help::CLOSE,
            Self::Palette => palette::FIELD,
            Self::Settings => "release",
        }
    }
}

pub struct Workbench {
    dialog: Option<Dialog>,
    /// It has just appeared, and takes the focus; what had it before gets it back.
    opened: bool,
    before: Option<HtmlElement>,
    /// Said for a moment at the foot of the page.
    said: Option<(String, Timeout)>,
    _keys: Option<EventListener>,
}

impl Component for Workbench {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        Self {
            dialog: None,
            opened: false,
            before: None,
            said: None,
            _keys: listen_to_keys(ctx.link().callback(Msg::Key)),
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if std::mem::take(&mut self.opened)
            && let Some(dialog) = self.dialog
        {
            focus(dialog.first());
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let language = ctx.props().language;
        match msg {
            Msg::Show(view) => {
                let ViewProps { route, go, .. } = ctx.props();
                go.emit(Go::To(Box::new(route.in_view(view))));
                false
            }
            Msg::Help => self.toggle(Dialog::Help),
            Msg::Settings => self.toggle(Dialog::Settings),
            Msg::Palette => self.toggle(Dialog::Palette),
            Msg::Close => self.close(),
            Msg::Act(act) => {
                act_on(ctx.props(), act);
                false
            }
            Msg::Copy(Some(text)) => {
                ctx.link().send_future(async move {
                    let done = crate::app::copy(&text).await;
                    Msg::Copied(done.then_some(text))
                });
                false
            }
            Msg::Copy(None) => self.say(ctx, language.text("copied.none").to_owned()),
            Msg::Copied(None) => self.say(ctx, language.text("copied.refused").to_owned()),
            Msg::Copied(Some(text)) => {
                let text = facts! { text = shorten(&text) };
                self.say(ctx, language.plain("copied.what", &text))
            }
            Msg::Say(text) => match text {
                Some(text) => self.say(ctx, text),
                None => self.said.take().is_some(),
            },
            Msg::Key(event) => {
                let Some(msg) = self.key(&event, ctx.props()) else {
                    return false;
                };
                event.prevent_default();
                ctx.link().send_message(msg);
                false
            }
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        html! {
            <>
            <main class="workbench">
                { self.rail(ctx) }
                { show(ctx) }
            </main>
            { self.dialog(ctx) }
            <div id="said" class={classes!("said", self.said.is_some().then_some("on"))} role="status">
                { self.said.as_ref().map_or("", |(text, _)| text.as_str()).to_owned() }
            </div>
            </>
        }
    }
}

/// A view that is not there shows the recovery.
fn shown_view(props: &ViewProps) -> View {
    let asked = props.route.view;
    if there(props).any(|view| view == asked) {
        asked
    } else {
        View::Recovery
    }
}

/// The views of this store: lists only where their rows can be read.
fn there(props: &ViewProps) -> impl Iterator<Item = View> {
    let lists = brokers::has_lists(&props.loaded.outcome);
    let is_list = |view: &View| matches!(view, View::Messages | View::Queues | View::Index);
    BUILT
        .iter()
        .copied()
        .filter(move |view| lists || !is_list(view))
}

fn show(ctx: &Context<Workbench>) -> Html {
    let props = ViewProps {
        copy: ctx.link().callback(|text| Msg::Copy(Some(text))),
        ..ctx.props().clone()
    };
    match shown_view(&props) {
        View::Recovery | View::Report => html! { <Recovery ..props /> },
        View::Files => html! { <Files ..props /> },
        View::Messages => html! { <Messages ..props /> },
        View::Queues => html! { <Lists key="queues" ..props /> },
        View::Index => html! { <Lists key="index" ..props /> },
        View::Bytes => html! { <Bytes ..props /> },
        View::Check => html! { <Check ..props /> },
    }
}

impl Workbench {
    fn dialog(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        match self.dialog {
            Some(Dialog::Help) => help(props.language, link.callback(|_| Msg::Close)),
            Some(Dialog::Settings) => html! {
                <Settings view={props.clone()} close={link.callback(|()| Msg::Close)} />
            },
            Some(Dialog::Palette) => html! {
                <Palette view={props.clone()} views={there(props).collect::<Vec<View>>()} act={link.callback(Msg::Act)} close={link.callback(|()| Msg::Close)} />
            },
            None => html! {},
        }
    }

    fn say(&mut self, ctx: &Context<Self>, text: String) -> bool {
        let link = ctx.link().clone();
        let over = Timeout::new(SAY_MS, move || link.send_message(Msg::Say(None)));
        self.said = Some((text, over));
        true
    }

    fn toggle(&mut self, dialog: Dialog) -> bool {
        if self.dialog == Some(dialog) {
            return self.close();
        }
        if self.dialog.is_none() {
            self.before = focused();
        }
        self.dialog = Some(dialog);
        self.opened = true;
        true
    }

    fn close(&mut self) -> bool {
        self.dialog = None;
        if let Some(before) = self.before.take() {
            // It may have left the page meanwhile; then the focus is nowhere, as after any click.
            let _ = before.focus();
        }
        true
    }

    /// The views there are, and the way to the keys.
    fn rail(&self, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        let shown = shown_view(ctx.props());
        let link = ctx.link();
        let tab = |view: View| {
            let on = view == shown;
            html! {
                <button class={classes!(on.then_some("on"))} data-view={view.word()} aria-current={on.then_some("page")}
                    onclick={link.callback(move |_| Msg::Show(view))}>
                    { language.text(view.title()) }<span>{ count(view, ctx.props()) }</span>
                </button>
            }
        };
        html! {
            <nav class="rail" aria-label={language.text("nav.label")}>
                { for there(ctx.props()).map(tab) }
                <div class="grow"></div>
                <button class="keys" id="palette-open" onclick={link.callback(|_| Msg::Palette)}>{ language.text("help.palette") }<kbd>{ "Ctrl K" }</kbd></button>
                <button class="keys" id="settings-open" onclick={link.callback(|_| Msg::Settings)}>{ language.text("settings.open") }<kbd>{ "s" }</kbd></button>
                <button class="keys" id="keys" onclick={link.callback(|_| Msg::Help)}>{ language.text("action.keys") }<kbd>{ "?" }</kbd></button>
            </nav>
        }
    }

    /// Keys that work in every view. While the list of keys is open, only those that close it.
    fn key(&self, event: &KeyboardEvent, props: &ViewProps) -> Option<Msg> {
        let key = event.key();
        if key == "Escape" && self.dialog.is_some() {
            return Some(Msg::Close);
        }
        if is_palette_key(event) {
            return Some(Msg::Palette);
        }
        if !is_plain(event) {
            return None;
        }
        match key.as_str() {
            "?" if self.dialog.is_none_or(|dialog| dialog == Dialog::Help) => Some(Msg::Help),
            _ if self.dialog.is_some() => None,
            "c" => Some(Msg::Copy(copying::number())),
            "C" => Some(Msg::Copy(copying::row())),
            "s" => Some(Msg::Settings),
            digit => {
                let number: usize = digit.parse().ok()?;
                there(props).nth(number.checked_sub(1)?).map(Msg::Show)
            }
        }
    }
}

/// Control or Command with K.
fn is_palette_key(event: &KeyboardEvent) -> bool {
    (event.ctrl_key() || event.meta_key())
        && !event.alt_key()
        && event.key().eq_ignore_ascii_case("k")
}

fn act_on(props: &ViewProps, act: Act) {
    let ViewProps {
        loaded, route, go, ..
    } = props;
    let to = |route: Route| go.emit(Go::To(Box::new(route)));
    match act {
        Act::View(view) => to(route.in_view(view)),
        Act::Key(key) => press(key),
        Act::Button(id) => {
            if let Some(button) = element(id) {
                button.click();
            }
        }
        Act::Step(step) => to(route.at_step(step)),
        Act::Offset(offset) => {
            let whole = (loaded.ground.from, loaded.ground.to);
            let stretch = (offset, offset.saturating_add(AROUND));
            to(Route {
                zoom: scale::around(whole, stretch),
                place: timeline::place_at(&loaded.outcome, offset),
                ..route.in_view(View::Recovery)
            });
        }
        Act::Filter(view, text) => to(route.in_view(view).went(Go::Filter(view, text))),
    }
}

/// How much of the log is shown from an offset on.
const AROUND: i64 = 1024;
const SAY_MS: u32 = 2600;

/// As if the key had been pressed where the focus is.
fn press(key: &str) {
    let init = KeyboardEventInit::new();
    init.set_key(key);
    init.set_bubbles(true);
    init.set_cancelable(true);
    let document = web_sys::window().and_then(|window| window.document());
    let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &init);
    if let (Some(body), Ok(event)) = (document.and_then(|document| document.body()), event) {
        // Nobody waits for what comes of it.
        let _ = body.dispatch_event(&event);
    }
}

fn shorten(text: &str) -> String {
    const LETTERS: usize = 60;
    match text.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or(text)),
        None => text.to_owned(),
    }
}

/// How much there is in a view, where that is known.
fn count(view: View, props: &ViewProps) -> Option<String> {
    let grouped = |n: usize| numbers::grouped(i64::try_from(n).unwrap_or(i64::MAX));
    match view {
        View::Recovery => Some(props.loaded.steps().to_string()),
        View::Files => Some(grouped(props.loaded.outcome.files.len())),
        View::Queues => Some(grouped(props.loaded.ground.queues.len())),
        _ => None,
    }
}

fn focused() -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.active_element()?.dyn_into().ok()
}

fn element(id: &str) -> Option<HtmlElement> {
    let document = web_sys::window()?.document()?;
    document.get_element_by_id(id)?.dyn_into().ok()
}

fn focus(id: &str) {
    if let Some(element) = element(id) {
        // It is on the page; a refusal would only leave the focus where it was.
        let _ = element.focus();
    }
}

/// Every key, wherever the focus is.
pub fn listen_to_keys(heard: Callback<KeyboardEvent>) -> Option<EventListener> {
    let document = web_sys::window()?.document()?;
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(
        &document,
        "keydown",
        options,
        move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                heard.emit(event.clone());
            }
        },
    ))
}

/// A key that is no browser's command, and pressed where nobody types.
pub fn is_plain(event: &KeyboardEvent) -> bool {
    let command = event.ctrl_key() || event.meta_key() || event.alt_key();
    !command && !event.default_prevented() && !is_inside(event, "input, textarea, select")
}

/// The key was pressed in such an element.
pub fn is_inside(event: &KeyboardEvent, selector: &str) -> bool {
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| target.closest(selector).ok().flatten().is_some())
}

/// Something lies over the page, and the keys are its own.
pub fn is_dialog_open() -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let dialog = document.and_then(|document| document.query_selector("[aria-modal=true]").ok());
    dialog.flatten().is_some()
}
