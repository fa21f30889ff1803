//! The recovery of one store. One selection, a step, drives all: map, strip, magnifier, list, bytes and rule show that step.

use super::Shown;
use super::bytes::{self, bytes};
use super::help::{self, help};
use super::legend::patterns;
use super::magnifier::magnifier;
use super::map::{Queues, map};
use super::map_table::map_table;
use super::player::player;
use super::steps::{self as step_view, step_list};
use super::strip::{self, strip};
use super::verdict::verdict;
use super::why::why;
use super::width::Width;
use crate::app::state::{Ask, Loaded, Look, Records, Shared};
use gloo::events::{EventListener, EventListenerOptions};
use gloo::timers::callback::Interval;
use std::collections::BTreeSet;
use storescope::language::Language;
use storescope::recovery::Place;
use storescope::recovery::map::MapNow;
use storescope::recovery::trace::Image;
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row, Run};
use storescope::view_model::verdict::{self as judge, Verdict};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent, PointerEvent};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct RecoveryProps {
    pub loaded: Shared<Loaded>,
    pub language: Language,
    /// Where to begin, if the address says; else at the step that decided.
    pub first_step: Option<u32>,
    pub look: Option<Look>,
    pub records: Option<Records>,
    pub ask: Callback<Ask>,
    pub on_step: Callback<u32>,
}

pub enum Msg {
    Select(u32),
    Move(Move),
    Scrub(PointerEvent),
    Decide,
    /// Opens or closes the group that begins with a step.
    Fold {
        first: u32,
    },
    /// Opens or closes the group that the selection is in.
    FoldHere {
        open: bool,
    },
    ShiftSteps(isize),
    Play,
    Tick,
    Table,
    MoreQueues,
    Show(Panel),
    Help,
    Record(Place),
    Bytes {
        from: u64,
    },
    Field(Option<usize>),
    Key(KeyboardEvent),
    Width(f64),
}

/// What the lower part of the side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Bytes,
    Why,
}

pub struct Recovery {
    selected: u32,
    now: MapNow,
    verdict: Verdict,
    /// Groups of steps that are open, by their first one; the rows that this leads to; and the first row on the page.
    open: BTreeSet<u32>,
    rows: Vec<Row>,
    first_row: usize,
    /// A record chosen in the magnifier, instead of the step's own place.
    picked: Option<Place>,
    field: Option<usize>,
    all_queues: bool,
    table: bool,
    panel: Panel,
    help: bool,
    playing: Option<Interval>,
    /// What must be scrolled to once it is on the page.
    reveal: Option<Reveal>,
    drawings: NodeRef,
    width: f64,
    _measure: Option<Width>,
    _keys: Option<EventListener>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reveal {
    Step,
    Field,
    Help,
}

const PLAY_EVERY_MS: u32 = 800;

impl Component for Recovery {
    type Message = Msg;
    type Properties = RecoveryProps;

    fn create(ctx: &Context<Self>) -> Self {
        let RecoveryProps {
            loaded,
            language,
            first_step,
            ..
        } = ctx.props();
        let first = first_step
            .filter(|step| (1..=loaded.steps()).contains(step))
            .unwrap_or(loaded.deciding);
        let open = BTreeSet::new();
        let mut view = Self {
            selected: 0,
            now: MapNow::default(),
            verdict: judge::verdict(&loaded.outcome, &loaded.last, *language),
            rows: steps::rows(&loaded.outcome.trace, &loaded.runs, &open),
            open,
            first_row: 0,
            picked: None,
            field: None,
            all_queues: false,
            table: false,
            panel: Panel::Bytes,
            help: false,
            playing: None,
            reveal: None,
            drawings: NodeRef::default(),
            width: 0.0,
            _measure: None,
            _keys: listen_to_keys(ctx),
        };
        view.select(ctx, first);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &RecoveryProps) -> bool {
        let RecoveryProps {
            loaded, language, ..
        } = ctx.props();
        if old.language != *language {
            self.verdict = judge::verdict(&loaded.outcome, &loaded.last, *language);
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first && let Some(element) = self.drawings.cast::<Element>() {
            self._measure = Width::of(element, ctx.link().callback(Msg::Width));
        }
        match self.reveal.take() {
            Some(Reveal::Step) => step_view::bring_into_view(),
            Some(Reveal::Field) => bytes::bring_into_view(),
            Some(Reveal::Help) => focus(help::CLOSE),
            None => {}
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let loaded = &ctx.props().loaded;
        if matches!(
            msg,
            Msg::Select(_) | Msg::Move(_) | Msg::Scrub(_) | Msg::Decide
        ) {
            self.playing = None;
        }
        match msg {
            Msg::Select(step) => return self.select(ctx, step),
            Msg::Move(to) => return self.go(ctx, to),
            Msg::Decide => return self.select(ctx, loaded.deciding),
            Msg::Scrub(event) => {
                let step = strip::step_under(&self.shown(ctx), &event);
                return step.is_some_and(|step| self.select(ctx, step));
            }
            Msg::Fold { first } => {
                if !self.open.remove(&first) {
                    self.open.insert(first);
                }
                self.fold(ctx);
            }
            Msg::FoldHere { open } => {
                let here = |run: &&Run| (run.first..=run.last).contains(&self.selected);
                let Some(first) = loaded.runs.iter().find(here).map(|run| run.first) else {
                    return false;
                };
                let changed = if open {
                    self.open.insert(first)
                } else {
                    self.open.remove(&first)
                };
                if !changed {
                    return false;
                }
                self.fold(ctx);
            }
            Msg::ShiftSteps(by) => {
                self.first_row = self
                    .first_row
                    .saturating_add_signed(by)
                    .min(self.rows.len())
            }
            Msg::Play => {
                self.playing = if self.playing.is_some() {
                    None
                } else {
                    Some(self.play(ctx))
                }
            }
            Msg::Tick => {
                if !self.go(ctx, Move::Next) {
                    self.playing = None;
                }
            }
            Msg::Table => self.table = !self.table,
            Msg::MoreQueues => self.all_queues = !self.all_queues,
            Msg::Show(panel) => self.panel = panel,
            Msg::Help => {
                self.help = !self.help;
                self.reveal = self.help.then_some(Reveal::Help);
            }
            Msg::Record(place) => {
                self.field = None;
                self.panel = Panel::Bytes;
                ctx.props().ask.emit(Ask::Look {
                    place: place.clone(),
                    from: None,
                });
                self.picked = Some(place);
            }
            Msg::Bytes { from } => {
                if let Some(place) = self.place(ctx).cloned() {
                    ctx.props().ask.emit(Ask::Look {
                        place,
                        from: Some(from),
                    });
                }
            }
            Msg::Field(field) => {
                self.field = field;
                self.reveal = Some(Reveal::Field);
            }
            Msg::Key(event) => {
                let Some(msg) = key(&event, self.help) else {
                    return false;
                };
                event.prevent_default();
                ctx.link().send_message(msg);
                return false;
            }
            Msg::Width(width) => self.width = width,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let RecoveryProps {
            look,
            records,
            language,
            ..
        } = ctx.props();
        let (link, language) = (ctx.link(), *language);
        let shown = self.shown(ctx);
        let place = self.place(ctx);
        let more = link.callback(|()| Msg::MoreQueues);
        let rows = if self.all_queues {
            Queues::All(more)
        } else {
            Queues::Few(more)
        };
        html! {
            <>
            { patterns() }
            <main class="recovery">
                { self.rail(&shown, link) }
                <div class="center">
                    { verdict(&shown, &self.verdict, link) }
                    <section class="card timeline" aria-label={language.text("timeline.label")}>
                        { player(&shown, self.playing.is_some(), self.table, link) }
                        <div ref={self.drawings.clone()}>
                            { strip(&shown, link) }
                            <div hidden={self.table}>
                                { map(&shown, place, &rows) }
                                { magnifier(&shown, records.as_ref(), self.picked.as_ref(), link) }
                            </div>
                        </div>
                        { map_table(&shown, self.table) }
                    </section>
                </div>
                <aside class="side" aria-label={language.text("steps.head")}>
                    { step_list(&shown, &self.rows, self.first_row, link) }
                    <section class="below">
                        <div role="tablist" class="tabs">
                            { self.tab(Panel::Bytes, "bytes.bytes", "tab-bytes", language, link) }
                            { self.tab(Panel::Why, "why.head", "tab-why", language, link) }
                        </div>
                        <div role="tabpanel" id="side-panel">
                            if self.panel == Panel::Bytes { { bytes(place, look.as_ref(), self.field, language, link) } }
                            else { { why(&shown) } }
                        </div>
                    </section>
                </aside>
            </main>
            if self.help { { help(language, link) } }
            </>
        }
    }
}

impl Recovery {
    fn shown<'s>(&'s self, ctx: &'s Context<Self>) -> Shown<'s> {
        let RecoveryProps {
            loaded, language, ..
        } = ctx.props();
        Shown {
            loaded,
            now: &self.now,
            selected: self.selected,
            width: self.width,
            language: *language,
        }
    }

    /// The bytes that are looked at: of a record that was chosen, else of the step.
    fn place<'s>(&'s self, ctx: &'s Context<Self>) -> Option<&'s Place> {
        self.picked
            .as_ref()
            .or_else(|| selection::place(&ctx.props().loaded.outcome, self.selected))
    }

    /// Shows the store as it is after a step.
    fn select(&mut self, ctx: &Context<Self>, step: u32) -> bool {
        let RecoveryProps {
            loaded,
            ask,
            on_step,
            ..
        } = ctx.props();
        if step == self.selected && self.picked.is_none() {
            return false;
        }
        self.selected = step;
        self.now = loaded.outcome.map.at(&loaded.outcome.trace, step);
        self.picked = None;
        self.field = None;
        self.reveal_selected();
        on_step.emit(step);
        if let Some(place) = self
            .place(ctx)
            .filter(|place| place.image != Image::Missing)
        {
            ask.emit(Ask::Look {
                place: place.clone(),
                from: None,
            });
        }
        if let Some(around) = selection::interest(&loaded.outcome, step) {
            ask.emit(Ask::Records { around });
        }
        true
    }

    fn go(&mut self, ctx: &Context<Self>, to: Move) -> bool {
        selection::moved(&self.rows, self.selected, to).is_some_and(|step| self.select(ctx, step))
    }

    fn fold(&mut self, ctx: &Context<Self>) {
        let loaded = &ctx.props().loaded;
        self.rows = steps::rows(&loaded.outcome.trace, &loaded.runs, &self.open);
        self.reveal_selected();
    }

    fn reveal_selected(&mut self) {
        let at = self
            .rows
            .iter()
            .position(|row| row.holds(self.selected))
            .unwrap_or(0);
        self.first_row = step_view::window_around(self.first_row, at, self.rows.len());
        self.reveal = Some(Reveal::Step);
    }

    /// From the selected step on, or from the first if there is none behind it.
    fn play(&mut self, ctx: &Context<Self>) -> Interval {
        if selection::moved(&self.rows, self.selected, Move::Next).is_none() {
            self.go(ctx, Move::First);
        }
        let link = ctx.link().clone();
        Interval::new(PLAY_EVERY_MS, move || link.send_message(Msg::Tick))
    }

    /// The views there are, and the way to the keys.
    fn rail(&self, shown: &Shown<'_>, link: &yew::html::Scope<Self>) -> Html {
        let text = |key| shown.language.text(key);
        html! {
            <nav class="rail" aria-label={text("nav.label")}>
                <button class="on" aria-current="page">{ text("nav.recovery") }<span>{ shown.of() }</span></button>
                <div class="grow"></div>
                <button class="keys" id="keys" onclick={link.callback(|_| Msg::Help)}>{ text("action.keys") }<kbd>{ "?" }</kbd></button>
            </nav>
        }
    }

    fn tab(
        &self,
        panel: Panel,
        key: &'static str,
        id: &'static str,
        language: Language,
        link: &yew::html::Scope<Self>,
    ) -> Html {
        let chosen = self.panel == panel;
        html! {
            <button role="tab" {id} aria-selected={chosen.to_string()} aria-controls="side-panel"
                onclick={link.callback(move |_| Msg::Show(panel))}>{ language.text(key) }</button>
        }
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

fn listen_to_keys(ctx: &Context<Recovery>) -> Option<EventListener> {
    let link = ctx.link().clone();
    let document = web_sys::window()?.document()?;
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(
        &document,
        "keydown",
        options,
        move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                link.send_message(Msg::Key(event.clone()));
            }
        },
    ))
}

/// Keys that work wherever the focus is, but in a place that takes them itself.
fn key(event: &KeyboardEvent, help: bool) -> Option<Msg> {
    if event.ctrl_key() || event.meta_key() || event.alt_key() || event.default_prevented() {
        return None;
    }
    let target = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok());
    let inside = |selector| {
        target
            .as_ref()
            .and_then(|target| target.closest(selector).ok().flatten())
            .is_some()
    };
    if inside("input, textarea, select") {
        return None;
    }
    let own_keys = inside("[data-own-keys]");
    let msg = match event.key().as_str() {
        "Escape" if help => Msg::Help,
        "?" => Msg::Help,
        "j" => Msg::Move(Move::Next),
        "k" => Msg::Move(Move::Previous),
        "d" => Msg::Decide,
        "p" => Msg::Play,
        "t" => Msg::Table,
        "b" => Msg::Show(Panel::Bytes),
        "w" => Msg::Show(Panel::Why),
        _ if own_keys => return None,
        "ArrowDown" => Msg::Move(Move::Next),
        "ArrowUp" => Msg::Move(Move::Previous),
        "ArrowRight" => Msg::FoldHere { open: true },
        "ArrowLeft" => Msg::FoldHere { open: false },
        "Home" => Msg::Move(Move::First),
        "End" => Msg::Move(Move::Last),
        _ => return None,
    };
    Some(msg)
}
