//! The recovery of one store. One selection, a step, drives all: map, strip, magnifier, list, bytes and rule show that step.

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
use super::strip::{self, NAMES, strip};
use super::verdict::verdict;
use super::why::why;
use super::width::Width;
use super::workbench::{is_dialog_open, is_inside, is_plain, listen_to_keys};
use super::{Shown, ViewProps};
use crate::app::state::Ask;
use gloo::events::{EventListener, EventListenerOptions};
use std::collections::BTreeSet;
use storescope::brokers::Record;
use storescope::language::Language;
use storescope::protocol::{Answer, Question, Seen};
use storescope::recovery::Place;
use storescope::recovery::moments::{Moments, Stretch};
use storescope::recovery::trace::Image;
use storescope::store::ReadError;
use storescope::view_model::close_up as near;
use storescope::view_model::lane_choice::LaneChoice;
use storescope::view_model::route::{Go, Route, View};
use storescope::view_model::scale::{self, Scale};
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row, Run};
use storescope::view_model::timeline;
use storescope::view_model::verdict::{self as judge, Verdict};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent, PointerEvent, WheelEvent};
use yew::prelude::*;

/// Bytes that were asked for. Until the answer is here, `seen` is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    pub place: Place,
    pub from: Option<u64>,
    pub seen: Option<Result<Seen, ReadError>>,
}

/// Records of the log that were asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Records {
    pub around: i64,
    pub records: Option<Result<Vec<Record>, ReadError>>,
}

/// The log from near: what was asked for a window, and the answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseUp {
    pub window: Option<(i64, i64)>,
    pub records: Option<Result<Vec<Record>, ReadError>>,
    pub bytes: Option<Result<Seen, ReadError>>,
    /// Where the bytes' file begins in the log.
    pub file_start: i64,
}

/// What to show of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zoom {
    In,
    Out,
    Fit,
    /// The bytes of the selected step.
    Step,
    /// By a share of what is seen.
    Pan(f64),
    /// Closer or farther, around a pixel of the map.
    At {
        x: f64,
        factor: f64,
    },
}

/// How many bytes of a record are shown at once.
pub const LOOK_BYTES: u64 = 256;
/// How far the magnifier looks to both sides.
const ZOOM_BYTES: u64 = 2048;

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
            self._wheel = listen_to_wheel(&element, ctx.link().callback(Msg::Wheel));
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
                let Some(msg) = key(&event) else {
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

    /// The bytes that are looked at: of a record that was chosen, else of the step.
    fn place<'s>(&'s self, ctx: &'s Context<Self>) -> Option<&'s Place> {
        let picked = ctx.props().route.place.as_ref();
        picked.or_else(|| selection::place(&ctx.props().loaded.outcome, self.playback.selected))
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

    /// The whole log, and what is seen of it.
    fn seen(&self, ctx: &Context<Self>) -> ((i64, i64), (i64, i64)) {
        let ViewProps { loaded, route, .. } = ctx.props();
        let whole = (loaded.ground.from, loaded.ground.to);
        (whole, route.zoom.unwrap_or(whole))
    }

    fn zoomed(&self, ctx: &Context<Self>, zoom: Zoom) -> Option<(i64, i64)> {
        let loaded = &ctx.props().loaded;
        let (whole, window) = self.seen(ctx);
        let interest = self
            .playback
            .inside
            .or_else(|| selection::interest(&loaded.outcome, self.playback.selected));
        let middle = window.0.midpoint(window.1);
        let near = interest.filter(|offset| (window.0..=window.1).contains(offset));
        let near = near.unwrap_or(middle);
        match zoom {
            Zoom::In => scale::zoomed(whole, window, 0.5, near),
            Zoom::Out => scale::zoomed(whole, window, 2.0, near),
            Zoom::Fit => None,
            Zoom::Step => {
                let place = self.place(ctx);
                let from = selection::of_place(&loaded.outcome, place).or(interest)?;
                let length = place.map_or(0, |place| i64::try_from(place.length).unwrap_or(0));
                scale::around(whole, (from, from.saturating_add(length)))
            }
            Zoom::Pan(share) => {
                let by = (window.1 - window.0) as f64 * share;
                (window != whole).then(|| scale::panned(whole, window, by as i64))
            }
            Zoom::At { x, factor } => {
                let at = Scale::new(window.0, window.1, self.map_width()).offset(x);
                scale::zoomed(whole, window, factor, at)
            }
        }
    }

    fn map_width(&self) -> f64 {
        (self.width - NAMES).max(1.0)
    }

    /// With Control the wheel zooms, with Shift or sidewards it pans; else it scrolls the page.
    fn wheel(&self, event: &WheelEvent) -> Option<Zoom> {
        let on_map = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())?;
        let map = on_map.closest("#map").ok().flatten()?;
        if event.ctrl_key() || event.meta_key() {
            let x = f64::from(event.client_x()) - map.get_bounding_client_rect().left() - NAMES;
            let factor = (event.delta_y() / 240.0).clamp(-1.0, 1.0).exp2();
            return Some(Zoom::At { x, factor });
        }
        let sidewards = if event.shift_key() && event.delta_x() == 0.0 {
            event.delta_y()
        } else {
            event.delta_x()
        };
        (sidewards != 0.0).then(|| Zoom::Pan(sidewards / self.map_width()))
    }

    /// The map moves with the pointer that holds it.
    fn drag(&mut self, ctx: &Context<Self>, event: &PointerEvent) -> bool {
        let (whole, window) = self.seen(ctx);
        if window == whole || event.button() > 0 {
            return false;
        }
        let x = f64::from(event.client_x());
        if event.type_() == "pointerdown" {
            let target = event.target().and_then(|to| to.dyn_into::<Element>().ok());
            if target.is_none_or(|target| {
                target
                    .closest("[role=button], .record")
                    .ok()
                    .flatten()
                    .is_some()
            }) {
                return false;
            }
            if let Some(area) = event
                .current_target()
                .and_then(|to| to.dyn_into::<Element>().ok())
            {
                // Without capture a drag ends where the pointer leaves the map.
                let _ = area.set_pointer_capture(event.pointer_id());
            }
            self.drag = Some((x, window));
            return true;
        }
        let Some((start, held)) = self.drag else {
            return false;
        };
        let by = (start - x) / self.map_width() * (held.1 - held.0) as f64;
        let next = scale::panned(whole, held, by as i64);
        ctx.props().go.emit(Go::Zoom(Some(next)));
        false
    }

    /// Asks for the records, and the bytes, of a window that is near enough.
    fn look_near(&mut self, ctx: &Context<Self>) {
        let ViewProps { loaded, ask, .. } = ctx.props();
        let window = ctx.props().route.zoom;
        let old = std::mem::take(&mut self.near);
        self.near.window = window;
        let Some((from, to)) = window.filter(|(from, to)| to - from <= near::RECORDS) else {
            return;
        };
        let window = (from, to);
        // What is known of the same bytes stays until the answer comes.
        self.near.records = old.records;
        let reply = |question| {
            let reply = ctx.link().callback(move |answer| Msg::Near(window, answer));
            ask.emit(Ask { question, reply });
        };
        reply(Question::Records {
            around: from.midpoint(to),
            bytes: u64::try_from((to - from) / 2 + 1).unwrap_or(0),
        });
        if to - from > near::BYTES {
            return;
        }
        let Some(place) = timeline::place_at(&loaded.outcome, from) else {
            return;
        };
        let position = i64::try_from(place.offset).unwrap_or(0);
        self.near.file_start = from - position;
        reply(Question::Look {
            from: Some(place.offset),
            place,
            length: u64::try_from(to - from).unwrap_or(0),
        });
    }

    fn look_at_place(&mut self, ctx: &Context<Self>) {
        self.field = None;
        let place = self.place(ctx);
        if let Some(place) = place.filter(|place| place.image != Image::Missing) {
            self.look(ctx, place.clone(), None);
        }
    }

    fn look(&mut self, ctx: &Context<Self>, place: Place, from: Option<u64>) {
        // The bytes before stay until the new ones are here, unless they are another place's.
        let seen = self
            .look
            .take()
            .filter(|look| look.place == place)
            .and_then(|look| look.seen);
        let question = Question::Look {
            place: place.clone(),
            from,
            length: LOOK_BYTES,
        };
        let asked = place.clone();
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Look(seen) = answer else {
                return None;
            };
            Some(Msg::Looked(Look {
                place: asked.clone(),
                from,
                seen: Some(seen),
            }))
        });
        self.look = Some(Look { place, from, seen });
        ctx.props().ask.emit(Ask { question, reply });
    }

    fn find_records(&mut self, ctx: &Context<Self>, around: i64) {
        let records = self.records.take().and_then(|asked| asked.records);
        self.records = Some(Records { around, records });
        let question = Question::Records {
            around,
            bytes: ZOOM_BYTES,
        };
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Records(records) = answer else {
                return None;
            };
            Some(Msg::Found(Records {
                around,
                records: Some(records),
            }))
        });
        ctx.props().ask.emit(Ask { question, reply });
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

/// Keys that work wherever the focus is, but in a place that takes them itself.
fn key(event: &KeyboardEvent) -> Option<Msg> {
    if !is_plain(event) || is_dialog_open() {
        return None;
    }
    let own_keys = is_inside(event, "[data-own-keys]");
    let msg = match event.key().as_str() {
        "j" => Msg::Move(Move::Next),
        "k" => Msg::Move(Move::Previous),
        "d" => Msg::Decide,
        "p" => Msg::Play,
        "n" => Msg::Move(Move::NextDecision),
        "N" => Msg::Move(Move::PreviousDecision),
        "," => Msg::ByMessage { forward: false },
        "." => Msg::ByMessage { forward: true },
        "<" => Msg::Faster(false),
        ">" => Msg::Faster(true),
        "+" | "=" => Msg::Zoom(Zoom::In),
        "-" => Msg::Zoom(Zoom::Out),
        "0" => Msg::Zoom(Zoom::Fit),
        "z" => Msg::Zoom(Zoom::Step),
        "t" => Msg::Table,
        "b" => Msg::Show(Panel::Bytes),
        "w" => Msg::Show(Panel::Why),
        _ if own_keys => return None,
        "ArrowRight" if event.shift_key() => Msg::Zoom(Zoom::Pan(0.25)),
        "ArrowLeft" if event.shift_key() => Msg::Zoom(Zoom::Pan(-0.25)),
        "PageDown" => Msg::Move(Move::NextDecision),
        "PageUp" => Msg::Move(Move::PreviousDecision),
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

/// The page's own listeners cannot keep a wheel from scrolling.
fn listen_to_wheel(element: &Element, heard: Callback<WheelEvent>) -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(
        element,
        "wheel",
        options,
        move |event| {
            if let Some(event) = event.dyn_ref::<WheelEvent>() {
                heard.emit(event.clone());
            }
        },
    ))
}
