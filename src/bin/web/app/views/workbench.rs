//! An open store: the rail with its views, the one that is shown, and the keys that work in all of them.
//!
//! Another view is a variant of [`View`], its row in [`BUILT`], and a component that takes [`ViewProps`].

use super::ViewProps;
use super::byte_view::Bytes;
use super::check::Check;
use super::files::Files;
use super::help::{self, help};
use super::lists::Lists;
use super::messages::Messages;
use super::recovery::Recovery;
use gloo::events::{EventListener, EventListenerOptions};
use storescope::brokers;
use storescope::language::numbers;
use storescope::view_model::route::{Go, View};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};
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
    Key(KeyboardEvent),
}

pub struct Workbench {
    help: bool,
    /// The list of keys has just appeared, and takes the focus.
    focus_help: bool,
    _keys: Option<EventListener>,
}

impl Component for Workbench {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        Self {
            help: false,
            focus_help: false,
            _keys: listen_to_keys(ctx.link().callback(Msg::Key)),
        }
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        if std::mem::take(&mut self.focus_help) {
            focus(help::CLOSE);
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Show(view) => {
                let ViewProps { route, go, .. } = ctx.props();
                go.emit(Go::To(Box::new(route.in_view(view))));
                false
            }
            Msg::Help => {
                self.help = !self.help;
                self.focus_help = self.help;
                true
            }
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
        let language = ctx.props().language;
        html! {
            <>
            <main class="workbench">
                { self.rail(ctx) }
                { show(ctx.props()) }
            </main>
            if self.help { { help(language, ctx.link().callback(|_| Msg::Help)) } }
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

fn show(props: &ViewProps) -> Html {
    let props = props.clone();
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
                <button class="keys" id="keys" onclick={link.callback(|_| Msg::Help)}>{ language.text("action.keys") }<kbd>{ "?" }</kbd></button>
            </nav>
        }
    }

    /// Keys that work in every view. While the list of keys is open, only those that close it.
    fn key(&self, event: &KeyboardEvent, props: &ViewProps) -> Option<Msg> {
        let key = event.key();
        if !is_plain(event) {
            return None;
        }
        match key.as_str() {
            "Escape" if self.help => Some(Msg::Help),
            "?" => Some(Msg::Help),
            _ if self.help => None,
            digit => {
                let number: usize = digit.parse().ok()?;
                there(props).nth(number.checked_sub(1)?).map(Msg::Show)
            }
        }
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

fn focus(id: &str) {
    let element = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id(id));
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
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
