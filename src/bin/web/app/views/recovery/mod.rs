//! The recovery of one store. One selection, a step, drives all: map, strip, magnifier, list, bytes and rule show that step.

mod keys;
mod look;
mod zoom;

pub use look::{LOOK_BYTES, Look, Records};
pub use zoom::{CloseUp, Zoom};

use super::bytes::{self, bytes};
use super::close_up::close_up;
use super::counters::counters;
use super::doors::doors;
use super::inside::inside;
use super::legend::patterns;
use super::magnifier::magnifier;
use super::map::{MapLook, Queues, map};
use super::map_table::map_table;
use super::map_tools::map_tools;
use super::playback::{self, Asking, Playback, SPEEDS};
use super::player::player;
use super::steps::{self as step_view, step_list};
use super::story::story;
use super::strip::{self, strip};
use super::verdict::verdict;
use super::why::why;
use super::width::Width;
use super::workbench::listen_to_keys;
use super::{Shown, ViewProps};
use gloo::events::EventListener;
use std::collections::BTreeSet;
use storescope::language::Language;
use storescope::protocol::Answer;
use storescope::recovery::Place;
use storescope::recovery::moments::{Moments, Stretch};
use storescope::view_model::lane_choice::LaneChoice;
use storescope::view_model::route::{Go, Route, View};
use storescope::view_model::scale::Scale;
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row, Run};
use storescope::view_model::verdict::{self as judge, Verdict};
use web_sys::{Element, KeyboardEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

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
    Speed(usize),
    Faster(bool),
    /// Inside a step that reads many messages: to one by its number, or by one.
    Message(i64),
    ByMessage {
        forward: bool,
    },
    Moments(Stretch, Result<Moments, String>),
    Zoom(Zoom),
    Wheel(WheelEvent),
    Drag(PointerEvent),
    Drop,
    Lanes(LaneChoice),
    Pin(String),
    Near((i64, i64), Answer),
    Table,
    HideStory,
    MoreQueues,
    Show(Panel),
    Record(Place),
    Bytes {
        from: u64,
    },
    Field(Option<usize>),
    Copy(String),
    Key(KeyboardEvent),
    Width(f64),
    Looked(Look),
    Found(Records),
}

/// What the lower part of the side shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    Bytes,
    Why,
}

pub struct Recovery {
    playback: Playback,
    verdict: Verdict,
    /// Groups of steps that are open, by their first one; the rows that this leads to; and the first row on the page.
    open: BTreeSet<u32>,
    rows: Vec<Row>,
    first_row: usize,
    look: Option<Look>,
    records: Option<Records>,
    near: CloseUp,
    choice: LaneChoice,
    /// The queues that may have a row, by the choice.
    queues: Vec<(usize, String)>,
    /// Where the pointer took hold of the map, and what was seen then.
    drag: Option<(f64, (i64, i64))>,
    field: Option<usize>,
    all_queues: bool,
    table: bool,
    story: bool,
    panel: Panel,
    /// What must be scrolled to once it is on the page.
    reveal: Option<Reveal>,
    drawings: NodeRef,
    width: f64,
    _measure: Option<Width>,
    _keys: Option<EventListener>,
    _wheel: Option<EventListener>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Reveal {
    Step,
    Field,
}

impl Component for Recovery {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        let open = BTreeSet::new();
        let mut view = Self {
            playback: Playback::new(),
            verdict: judge::verdict(&loaded.outcome, &loaded.last, *language),
            rows: steps::rows(&loaded.outcome.trace, &loaded.runs, &open),
            open,
            first_row: 0,
            look: None,
            records: None,
            near: CloseUp::default(),
            choice: LaneChoice::default(),
            queues: Vec::new(),
            drag: None,
            field: None,
            all_queues: false,
            table: false,
            story: true,
            panel: Panel::Bytes,
            reveal: None,
            drawings: NodeRef::default(),
            width: 0.0,
            _measure: None,
            _keys: listen_to_keys(ctx.link().callback(Msg::Key)),
            _wheel: None,
        };
        view.choose_lanes(ctx);
        view.show(ctx);
        view.look_near(ctx);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ViewProps) -> bool {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        if old.language != *language {
            self.verdict = judge::verdict(&loaded.outcome, &loaded.last, *language);
        }
        let Route { inside, zoom, .. } = ctx.props().route;
        if old.route.filter(View::Recovery) != ctx.props().route.filter(View::Recovery) {
            self.choose_lanes(ctx);
        }
        if old.route.zoom != zoom {
            self.look_near(ctx);
        }
        if ctx.props().step() != self.playback.selected || old.route.inside != inside {
            self.show(ctx);
        } else if old.route.place != ctx.props().route.place {
            self.look_at_place(ctx);
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first && let Some(element) = self.drawings.cast::<Element>() {
            self._wheel = zoom::listen_to_wheel(&element, ctx.link().callback(Msg::Wheel));
            self._measure = Width::of(element, ctx.link().callback(Msg::Width));
        }
        match self.reveal.take() {
            Some(Reveal::Step) => step_view::bring_into_view(),
            Some(Reveal::Field) => bytes::bring_into_view(),
            None => {}
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let loaded = &ctx.props().loaded;
        if matches!(
            msg,
            Msg::Select(_)
                | Msg::Move(_)
                | Msg::Scrub(_)
                | Msg::Decide
                | Msg::Message(_)
                | Msg::ByMessage { .. }
        ) {
            self.playback.stop();
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
                let selected = self.playback.selected;
                let here = |run: &&Run| (run.first..=run.last).contains(&selected);
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
            Msg::Play if self.playback.is_playing() => self.playback.stop(),
            Msg::Play => {
                if self.playback.next(loaded, &self.rows).is_none() {
                    self.go(ctx, Move::First);
                }
                self.play(ctx);
            }
            Msg::Tick => match self.playback.next(loaded, &self.rows) {
                Some(go) => {
                    ctx.props().go.emit(go);
                    self.play(ctx);
                    return false;
                }
                None => self.playback.stop(),
            },
            Msg::Speed(speed) => self.playback.speed = speed.min(SPEEDS.len() - 1),
            Msg::Faster(faster) => {
                let speed = self.playback.speed;
                self.playback.speed = if faster {
                    (speed + 1).min(SPEEDS.len() - 1)
                } else {
                    speed.saturating_sub(1)
                };
            }
            Msg::Message(number) => {
                if let Some(run) = self.playback.run(loaded) {
                    ctx.props().go.emit(self.playback.to_message(&run, number));
                }
                return false;
            }
            Msg::ByMessage { forward } => {
                let run = self.playback.run(loaded);
                if let Some(go) = run.and_then(|run| self.playback.by_message(&run, forward)) {
                    ctx.props().go.emit(go);
                }
                return false;
            }
            Msg::Moments(stretch, moments) => {
                if self.playback.hear(stretch, moments) {
                    self.show(ctx);
                }
            }
            Msg::Zoom(zoom) => {
                ctx.props().go.emit(Go::Zoom(self.zoomed(ctx, zoom)));
                return false;
            }
            Msg::Wheel(event) => {
                let Some(zoom) = self.wheel(&event) else {
                    return false;
                };
                event.prevent_default();
                ctx.link().send_message(Msg::Zoom(zoom));
                return false;
            }
            Msg::Drag(event) => return self.drag(ctx, &event),
            Msg::Drop => self.drag = None,
            Msg::Lanes(choice) => {
                let line = choice.to_string();
                ctx.props().go.emit(Go::Filter(View::Recovery, line));
                return false;
            }
            Msg::Pin(name) => {
                let mut choice = self.choice.clone();
                choice.toggle_pin(&name);
                ctx.link().send_message(Msg::Lanes(choice));
                return false;
            }
            Msg::Near(window, answer) => {
                if self.near.window != Some(window) {
                    return false;
                }
                match answer {
                    Answer::Records(records) => self.near.records = Some(records),
                    Answer::Look(seen) => self.near.bytes = Some(seen),
                    _ => return false,
                }
            }
            Msg::HideStory => self.story = false,
            Msg::Table => self.table = !self.table,
            Msg::MoreQueues => self.all_queues = !self.all_queues,
            Msg::Show(panel) => self.panel = panel,
            Msg::Record(place) => {
                self.field = None;
                self.panel = Panel::Bytes;
                ctx.props().go.emit(Go::Choose(Some(place)));
            }
            Msg::Bytes { from } => {
                if let Some(place) = self.place(ctx).cloned() {
                    self.look(ctx, place, Some(from));
                }
            }
            Msg::Looked(look) => match &mut self.look {
                Some(asked) if asked.place == look.place && asked.from == look.from => {
                    *asked = look
                }
                _ => return false,
            },
            Msg::Found(records) => match &mut self.records {
                Some(asked) if asked.around == records.around => *asked = records,
                _ => return false,
            },
            Msg::Copy(text) => {
                ctx.props().copy.emit(text);
                return false;
            }
            Msg::Field(field) => {
                self.field = field;
                self.reveal = Some(Reveal::Field);
            }
            Msg::Key(event) => {
                let Some(msg) = keys::pressed(&event) else {
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
        let (link, language) = (ctx.link(), ctx.props().language);
        let picked = ctx.props().route.place.as_ref();
        let shown = self.shown(ctx);
        let place = self.place(ctx);
        let more = link.callback(|()| Msg::MoreQueues);
        let window = ctx.props().route.zoom;
        let over = |scale: &Scale, row| {
            if self.near.window == window {
                close_up(&shown, &self.near, scale, row, link)
            } else {
                html! {}
            }
        };
        let look = MapLook {
            rows: if self.all_queues {
                Queues::All(more)
            } else {
                Queues::Few(more)
            },
            window,
            queues: &self.queues,
            pins: Some((&self.choice, link.callback(Msg::Pin))),
            changed: &self.playback.changed,
            over: &over,
        };
        let dragging = self.drag.is_some().then_some("dragging");
        let ways = place.map_or_else(Html::default, |place| doors(place, ctx.props()));
        html! {
            <>
            { patterns() }
            <div class="recovery">
                <div class="center">
                    if self.story { { story(&shown, link) } }
                    { verdict(&shown, &self.verdict, link) }
                    <section class="card timeline" aria-label={language.text("timeline.label")}>
                        { player(&shown, &self.playback, link) }
                        <div ref={self.drawings.clone()}>
                            { strip(&shown, link) }
                            { inside(&shown, &self.playback, link) }
                            { counters(&shown) }
                            { map_tools(&shown, window, &self.choice, self.table, link) }
                            <div hidden={self.table}>
                                <div class={classes!("map-area", dragging)} onpointerdown={link.callback(Msg::Drag)}
                                    onpointermove={link.batch_callback(|event: PointerEvent| (event.buttons() == 1).then_some(Msg::Drag(event)))}
                                    onpointerup={link.callback(|_| Msg::Drop)} onpointercancel={link.callback(|_| Msg::Drop)}>
                                    { map(&shown, place, &look) }
                                </div>
                                { magnifier(&shown, self.records.as_ref(), picked, link) }
                            </div>
                        </div>
                        { map_table(&shown, &self.playback.changed, self.table) }
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
                            if self.panel == Panel::Bytes { { bytes(place, self.look.as_ref(), self.field, language, link, ways) } }
                            else { { why(&shown) } }
                        </div>
                    </section>
                </aside>
            </div>
            </>
        }
    }
}

impl Recovery {
    fn shown<'s>(&'s self, ctx: &'s Context<Self>) -> Shown<'s> {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        Shown {
            loaded,
            before: &self.playback.before,
            now: &self.playback.now,
            selected: self.playback.selected,
            width: self.width,
            language: *language,
        }
    }

    /// Goes to a step; the route leads back here.
    fn select(&mut self, ctx: &Context<Self>, step: u32) -> bool {
        ctx.props().go.emit(Go::Step(step));
        false
    }

    /// Shows the store as it is where the route says: after a step, or inside it.
    fn show(&mut self, ctx: &Context<Self>) {
        let ViewProps {
            loaded, route, ask, ..
        } = ctx.props();
        let step = ctx.props().step();
        let moved = step != self.playback.selected;
        let link = ctx.link();
        let asking = |stretch: Stretch| {
            let reply = link.batch_callback(move |answer| {
                let Answer::Moments(moments) = answer else {
                    return None;
                };
                Some(Msg::Moments(stretch, moments))
            });
            ask.emit(playback::question(stretch, reply));
        };
        let asking = Asking(&asking);
        self.playback
            .stand(loaded, &self.rows, step, route.inside, &asking);
        if moved {
            self.reveal_selected();
            self.look_at_place(ctx);
        }
        let interest = self
            .playback
            .inside
            .or_else(|| selection::interest(&loaded.outcome, step));
        if let Some(around) = interest {
            self.find_records(ctx, around);
        }
    }

    fn choose_lanes(&mut self, ctx: &Context<Self>) {
        let ViewProps { loaded, route, .. } = ctx.props();
        self.choice = LaneChoice::parse(route.filter(View::Recovery));
        self.queues = self.choice.of(&loaded.ground.queues, &loaded.last);
    }

    fn go(&mut self, ctx: &Context<Self>, to: Move) -> bool {
        let trace = &ctx.props().loaded.outcome.trace;
        let step = selection::moved(trace, &self.rows, self.playback.selected, to);
        if let Some(step) = step {
            self.select(ctx, step);
        }
        step.is_some()
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
            .position(|row| row.holds(self.playback.selected))
            .unwrap_or(0);
        self.first_row = step_view::window_around(self.first_row, at, self.rows.len());
        self.reveal = Some(Reveal::Step);
    }

    fn play(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.playback.play(move || link.send_message(Msg::Tick));
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
