//! The recovery of one store. One selection, a step, drives all: map, strip, magnifier, list, bytes and rule show that step.

use super::bytes::{self, bytes};
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
use super::workbench::{is_dialog_open, is_inside, is_plain, listen_to_keys};
use super::{Shown, ViewProps};
use crate::app::state::Ask;
use gloo::events::EventListener;
use gloo::timers::callback::Interval;
use std::collections::BTreeSet;
use storescope::brokers::Record;
use storescope::language::Language;
use storescope::protocol::{Answer, Question, Seen};
use storescope::recovery::Place;
use storescope::recovery::map::MapNow;
use storescope::recovery::trace::Image;
use storescope::store::ReadError;
use storescope::view_model::route::Go;
use storescope::view_model::selection::{self, Move};
use storescope::view_model::steps::{self, Row, Run};
use storescope::view_model::verdict::{self as judge, Verdict};
use web_sys::{Element, KeyboardEvent, PointerEvent};
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
    Table,
    MoreQueues,
    Show(Panel),
    Record(Place),
    Bytes {
        from: u64,
    },
    Field(Option<usize>),
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
    selected: u32,
    now: MapNow,
    verdict: Verdict,
    /// Groups of steps that are open, by their first one; the rows that this leads to; and the first row on the page.
    open: BTreeSet<u32>,
    rows: Vec<Row>,
    first_row: usize,
    look: Option<Look>,
    records: Option<Records>,
    field: Option<usize>,
    all_queues: bool,
    table: bool,
    panel: Panel,
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
}

const PLAY_EVERY_MS: u32 = 800;

impl Component for Recovery {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        let open = BTreeSet::new();
        let mut view = Self {
            selected: 0,
            now: MapNow::default(),
            verdict: judge::verdict(&loaded.outcome, &loaded.last, *language),
            rows: steps::rows(&loaded.outcome.trace, &loaded.runs, &open),
            open,
            first_row: 0,
            look: None,
            records: None,
            field: None,
            all_queues: false,
            table: false,
            panel: Panel::Bytes,
            playing: None,
            reveal: None,
            drawings: NodeRef::default(),
            width: 0.0,
            _measure: None,
            _keys: listen_to_keys(ctx.link().callback(Msg::Key)),
        };
        view.show(ctx, ctx.props().step());
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ViewProps) -> bool {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        if old.language != *language {
            self.verdict = judge::verdict(&loaded.outcome, &loaded.last, *language);
        }
        let step = ctx.props().step();
        if step != self.selected {
            self.show(ctx, step);
        } else if old.route.place != ctx.props().route.place {
            self.look_at_place(ctx);
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
        let rows = if self.all_queues {
            Queues::All(more)
        } else {
            Queues::Few(more)
        };
        html! {
            <>
            { patterns() }
            <div class="recovery">
                <div class="center">
                    { verdict(&shown, &self.verdict, link) }
                    <section class="card timeline" aria-label={language.text("timeline.label")}>
                        { player(&shown, self.playing.is_some(), self.table, link) }
                        <div ref={self.drawings.clone()}>
                            { strip(&shown, link) }
                            <div hidden={self.table}>
                                { map(&shown, place, &rows) }
                                { magnifier(&shown, self.records.as_ref(), picked, link) }
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
                            if self.panel == Panel::Bytes { { bytes(place, self.look.as_ref(), self.field, language, link) } }
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
            now: &self.now,
            selected: self.selected,
            width: self.width,
            language: *language,
        }
    }

    /// The bytes that are looked at: of a record that was chosen, else of the step.
    fn place<'s>(&'s self, ctx: &'s Context<Self>) -> Option<&'s Place> {
        let picked = ctx.props().route.place.as_ref();
        picked.or_else(|| selection::place(&ctx.props().loaded.outcome, self.selected))
    }

    /// Goes to a step; the route leads back here.
    fn select(&mut self, ctx: &Context<Self>, step: u32) -> bool {
        ctx.props().go.emit(Go::Step(step));
        false
    }

    /// Shows the store as it is after a step.
    fn show(&mut self, ctx: &Context<Self>, step: u32) {
        let loaded = &ctx.props().loaded;
        self.selected = step;
        self.now = loaded.outcome.map.at(&loaded.outcome.trace, step);
        self.reveal_selected();
        self.look_at_place(ctx);
        if let Some(around) = selection::interest(&loaded.outcome, step) {
            self.find_records(ctx, around);
        }
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
        let step = selection::moved(&self.rows, self.selected, to);
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
