//! The recovery of one store. One selection, a step, drives all: map, strip, magnifier, list, bytes and rule show that step.

use super::bytes::Bytes;
use super::legend::Patterns;
use super::magnifier::Magnifier;
use super::map::Map;
use super::map_table::MapTableView;
use super::player::Player;
use super::steps::StepList;
use super::strip::Strip;
use super::use_language;
use super::verdict::VerdictCard;
use super::why::Why;
use crate::app::state::{Ask, Loaded, Look, Records, Shared};
use gloo::events::EventListener;
use gloo::timers::callback::Interval;
use std::collections::BTreeSet;
use std::rc::Rc;
use storescope::language::Language;
use storescope::recovery::Place;
use storescope::recovery::map::MapNow;
use storescope::recovery::trace::Image;
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct RecoveryProps {
    pub loaded: Shared<Loaded>,
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
    Decide,
    Fold {
        first: u32,
    },
    /// Opens or closes the group that the selection is in.
    FoldHere {
        open: bool,
    },
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
}

/// What the lower part of the side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Bytes,
    Why,
}

pub struct Recovery {
    selected: u32,
    now: Rc<MapNow>,
    open: BTreeSet<u32>,
    rows: Rc<Vec<Row>>,
    /// A record chosen in the magnifier, instead of the step's own place.
    picked: Option<Place>,
    field: Option<usize>,
    all_queues: bool,
    table: bool,
    panel: Panel,
    help: bool,
    playing: Option<Interval>,
    _keys: Option<EventListener>,
}

const PLAY_EVERY_MS: u32 = 800;

impl Component for Recovery {
    type Message = Msg;
    type Properties = RecoveryProps;

    fn create(ctx: &Context<Self>) -> Self {
        let loaded = &ctx.props().loaded;
        let last = loaded.outcome.trace.steps.len() as u32;
        let selected = ctx
            .props()
            .first_step
            .filter(|step| *step <= last)
            .unwrap_or(loaded.deciding);
        let open = BTreeSet::new();
        let link = ctx.link().clone();
        let keys = web_sys::window()
            .and_then(|window| window.document())
            .map(|document| {
                EventListener::new_with_options(
                    &document,
                    "keydown",
                    gloo::events::EventListenerOptions::enable_prevent_default(),
                    move |event| {
                        if let Some(event) = event.dyn_ref::<KeyboardEvent>() {
                            link.send_message(Msg::Key(event.clone()));
                        }
                    },
                )
            });
        let mut view = Self {
            selected: 0,
            now: Rc::new(MapNow::default()),
            rows: Rc::new(steps::rows(&loaded.outcome.trace, &loaded.runs, &open)),
            open,
            picked: None,
            field: None,
            all_queues: false,
            table: false,
            panel: Panel::Bytes,
            help: false,
            playing: None,
            _keys: keys,
        };
        view.select(ctx, selected);
        view
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let deciding = ctx.props().loaded.deciding;
        match msg {
            Msg::Select(step) => {
                self.playing = None;
                return self.select(ctx, step);
            }
            Msg::Move(to) => {
                self.playing = None;
                return self.go(ctx, to);
            }
            Msg::Decide => {
                self.playing = None;
                return self.select(ctx, deciding);
            }
            Msg::Fold { first } => {
                if !self.open.remove(&first) {
                    self.open.insert(first);
                }
                self.fold(ctx);
            }
            Msg::FoldHere { open } => {
                let here = |run: &&steps::Run| (run.first..=run.last).contains(&self.selected);
                let Some(first) = ctx
                    .props()
                    .loaded
                    .runs
                    .iter()
                    .find(here)
                    .map(|run| run.first)
                else {
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
            Msg::Help => self.help = !self.help,
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
                if let Some(place) = self.place(ctx) {
                    ctx.props().ask.emit(Ask::Look {
                        place,
                        from: Some(from),
                    });
                }
            }
            Msg::Field(field) => self.field = field,
            Msg::Key(event) => {
                let Some(msg) = key(&event, self.help) else {
                    return false;
                };
                event.prevent_default();
                ctx.link().send_message(msg);
                return false;
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let RecoveryProps {
            loaded,
            look,
            records,
            ..
        } = ctx.props();
        let link = ctx.link();
        let on_step = link.callback(Msg::Select);
        let place = self.place(ctx);
        let of = loaded.outcome.trace.steps.len() as u32;
        html! {
            <>
            <Patterns />
            <main class="recovery">
                <Nav steps={of} on_help={link.callback(|()| Msg::Help)} />
                <div class="center">
                    <VerdictCard loaded={loaded.clone()} on_step={on_step.clone()} />
                    <section class="card timeline" aria-label="timeline">
                        <Player step={self.selected} {of} deciding={loaded.deciding} playing={self.playing.is_some()} table={self.table}
                            on_move={link.callback(Msg::Move)} on_play={link.callback(|()| Msg::Play)}
                            on_decide={link.callback(|()| Msg::Decide)} on_table={link.callback(|()| Msg::Table)} />
                        <Strip loaded={loaded.clone()} selected={self.selected} on_step={on_step.clone()} on_move={link.callback(Msg::Move)} />
                        <div class="map-area" hidden={self.table}>
                            <Map loaded={loaded.clone()} now={Shared(self.now.clone())} selected={self.selected} place={place.clone()}
                                all_queues={self.all_queues} on_more={link.callback(|()| Msg::MoreQueues)} />
                            <Magnifier loaded={loaded.clone()} now={Shared(self.now.clone())} selected={self.selected}
                                records={records.clone()} chosen={self.picked.clone()} on_record={link.callback(Msg::Record)} />
                        </div>
                        <MapTableView loaded={loaded.clone()} now={Shared(self.now.clone())} selected={self.selected} shown={self.table} />
                    </section>
                </div>
                <aside class="side" aria-label="steps">
                    <StepList loaded={loaded.clone()} rows={self.rows.clone()} selected={self.selected} on_step={on_step}
                        on_fold={link.callback(|first| Msg::Fold { first })} />
                    <SidePanel panel={self.panel} on_panel={link.callback(Msg::Show)}>
                        if self.panel == Panel::Bytes {
                            <Bytes {place} look={look.clone()} field={self.field} on_field={link.callback(Msg::Field)}
                                on_bytes={link.callback(|from| Msg::Bytes { from })} />
                        } else {
                            <Why loaded={loaded.clone()} selected={self.selected} />
                        }
                    </SidePanel>
                </aside>
            </main>
            if self.help { <Help on_close={link.callback(|()| Msg::Help)} /> }
            </>
        }
    }
}

impl Recovery {
    /// Shows the store as it is after a step.
    fn select(&mut self, ctx: &Context<Self>, step: u32) -> bool {
        let loaded = &ctx.props().loaded;
        if step == self.selected {
            return self.picked.take().is_some();
        }
        self.selected = step;
        self.now = Rc::new(loaded.outcome.map.at(&loaded.outcome.trace, step));
        self.picked = None;
        self.field = None;
        ctx.props().on_step.emit(step);
        if let Some(place) = self
            .place(ctx)
            .filter(|place| place.image != Image::Missing)
        {
            ctx.props().ask.emit(Ask::Look { place, from: None });
        }
        if let Some(around) = selection::interest(&loaded.outcome, step) {
            ctx.props().ask.emit(Ask::Records { around });
        }
        true
    }

    fn go(&mut self, ctx: &Context<Self>, to: Move) -> bool {
        match selection::moved(&self.rows, self.selected, to) {
            Some(step) => self.select(ctx, step),
            None => false,
        }
    }

    fn fold(&mut self, ctx: &Context<Self>) {
        let loaded = &ctx.props().loaded;
        self.rows = Rc::new(steps::rows(&loaded.outcome.trace, &loaded.runs, &self.open));
    }

    fn play(&mut self, ctx: &Context<Self>) -> Interval {
        let at_end = selection::moved(&self.rows, self.selected, Move::Next).is_none();
        if at_end {
            self.go(ctx, Move::First);
        }
        let link = ctx.link().clone();
        Interval::new(PLAY_EVERY_MS, move || link.send_message(Msg::Tick))
    }

    fn place(&self, ctx: &Context<Self>) -> Option<Place> {
        self.picked
            .clone()
            .or_else(|| selection::place(&ctx.props().loaded.outcome, self.selected).cloned())
    }
}

/// Keys that work wherever the focus is, but in a field that takes them itself.
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
    let own_arrows = inside("[data-own-keys]");
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
        _ if own_arrows => return None,
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

#[derive(Clone, PartialEq, Properties)]
struct NavProps {
    steps: u32,
    on_help: Callback<()>,
}

#[component]
fn Nav(props: &NavProps) -> Html {
    let language = use_language();
    html! {
        <nav class="rail" aria-label={language.text("nav.label")}>
            <a href="#recovery" class="on" aria-current="page" onclick={Callback::from(|event: MouseEvent| event.prevent_default())}>
                { language.text("nav.recovery") }<span>{ props.steps }</span>
            </a>
            <div class="grow"></div>
            <button class="plain" id="keys" onclick={props.on_help.reform(|_| ())}>{ language.text("action.keys") }<kbd>{ "?" }</kbd></button>
        </nav>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct SidePanelProps {
    panel: Panel,
    on_panel: Callback<Panel>,
    children: Html,
}

#[component]
fn SidePanel(props: &SidePanelProps) -> Html {
    let language = use_language();
    let tab = |panel, key, id| {
        let chosen = props.panel == panel;
        html! {
            <button role="tab" id={id} aria-selected={chosen.to_string()} aria-controls="side-panel"
                onclick={props.on_panel.reform(move |_| panel)}>{ language.text(key) }</button>
        }
    };
    let labelled = if props.panel == Panel::Bytes {
        "tab-bytes"
    } else {
        "tab-why"
    };
    html! {
        <section class="below">
            <div role="tablist" class="tabs">
                { tab(Panel::Bytes, "bytes.bytes", "tab-bytes") }
                { tab(Panel::Why, "why.head", "tab-why") }
            </div>
            <div role="tabpanel" id="side-panel" aria-labelledby={labelled}>{ props.children.clone() }</div>
        </section>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct HelpProps {
    on_close: Callback<()>,
}

#[component]
fn Help(props: &HelpProps) -> Html {
    let language: Language = use_language();
    const KEYS: [(&str, &str); 8] = [
        ("↓ ↑  j k", "help.arrows"),
        ("Home End", "help.ends"),
        ("→ ←", "help.fold"),
        ("d", "help.decide"),
        ("p", "help.play"),
        ("t", "help.table"),
        ("b  w", "help.why"),
        ("?", "help.help"),
    ];
    let close = use_node_ref();
    {
        let close = close.clone();
        use_effect_with((), move |()| {
            if let Some(button) = close.cast::<web_sys::HtmlElement>() {
                // Without focus it is still read; the keys work all the same.
                let _ = button.focus();
            }
        });
    }
    html! {
        <div class="veil">
            <section class="card help" role="dialog" aria-modal="true" aria-labelledby="help-head">
                <h2 id="help-head">{ language.text("help.head") }</h2>
                <dl>{ for KEYS.iter().map(|(keys, key)| html! {
                    <><dt>{ for keys.split(' ').filter(|key| !key.is_empty()).map(|key| html! { <kbd>{ key }</kbd> }) }</dt>
                    <dd>{ language.text(key) }</dd></>
                }) }</dl>
                <button ref={close} onclick={props.on_close.reform(|_| ())}>{ language.text("action.close") }</button>
            </section>
        </div>
    }
}
