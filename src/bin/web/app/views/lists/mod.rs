//! Queues, or the index: each list with its entries, every entry held to the message that it points to; and the store read as the
//! broker's own readers do, a key looked up or a queue consumed.

mod show;

use super::ViewProps;
use super::grid::{self, Scroll};
use crate::app::state::Ask;
use storescope::brokers::rows::{EntryRow, KeyAsked, List, LookUp, Pull, PullAsked};
use storescope::protocol::{Answer, Question};
use storescope::recovery::Place;
use storescope::recovery::map::LaneKind;
use storescope::recovery::trace::Image;
use storescope::store::ReadError;
use storescope::view_model::list_route::ListRoute;
use storescope::view_model::message_filter;
use storescope::view_model::route::{Go, View};
use yew::prelude::*;

/// Entries per question of the search for a wrong one.
const BITE: u64 = 20_000;

pub enum Msg {
    Lane(String),
    Named(String),
    Image(Image),
    Listed(u32, Result<List, ReadError>),
    ListOf(Option<String>),
    Rows(u32, u64, Result<Vec<EntryRow>, ReadError>),
    Scrolled(Scroll),
    Step(grid::Step),
    Choose(u64, Place),
    NextWrong,
    Wrong(u32, u64, Option<u64>),
    Topic(String),
    Key(String),
    Time(String),
    Offset(String),
    Tags(String),
    Read,
    LookedUp(Result<Box<LookUp>, ReadError>),
    Pulled(Result<Box<Pull>, ReadError>),
    Go(Box<storescope::view_model::route::Route>),
}

pub struct Lists {
    wanted: ListRoute,
    /// Of the lanes' names.
    named: String,
    /// Which list: answers about an older one are late.
    turn: u32,
    list: Option<List>,
    held: (u64, Vec<EntryRow>),
    asked: bool,
    scroll: Scroll,
    at: Option<u64>,
    coming: Option<u64>,
    reveal: Option<u64>,
    /// The search for the next wrong entry: where it is, or that there is none.
    seeking: Option<u64>,
    none_wrong: bool,
    looked_up: Option<LookUp>,
    pulled: Option<Pull>,
    error: Option<ReadError>,
    node: NodeRef,
}

impl Component for Lists {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut view = Self {
            wanted: ListRoute::parse(ctx.props().route.filter(ctx.props().route.view)),
            named: String::new(),
            turn: 0,
            list: None,
            held: (0, Vec::new()),
            asked: false,
            scroll: Scroll::default(),
            at: None,
            coming: None,
            reveal: None,
            seeking: None,
            none_wrong: false,
            looked_up: None,
            pulled: None,
            error: None,
            node: NodeRef::default(),
        };
        view.begin(ctx);
        view.read(ctx);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ViewProps) -> bool {
        let route = &ctx.props().route;
        let wanted = ListRoute::parse(route.filter(route.view));
        if wanted != self.wanted {
            let list = (&wanted.list, wanted.image()) != (&self.wanted.list, self.wanted.image());
            self.wanted = wanted;
            if list {
                self.begin(ctx);
            }
        }
        if route.place != old.route.place {
            self.find_place(ctx);
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        if let Some(now) = self.scroll.resized(&self.node) {
            ctx.link().send_message(Msg::Scrolled(now));
        }
        if let Some(row) = self.reveal.take() {
            grid::bring(&self.node, row, self.rows());
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Lane(name) => {
                self.wanted.list = Some(name);
                return self.tell(ctx, true);
            }
            Msg::Named(text) => self.named = text,
            Msg::Image(image) => {
                self.wanted.image = Some(image);
                return self.tell(ctx, true);
            }
            Msg::Listed(turn, _) | Msg::Rows(turn, ..) | Msg::Wrong(turn, ..)
                if turn != self.turn =>
            {
                return false;
            }
            Msg::Listed(_, Ok(list)) => {
                self.list = Some(list);
                self.find_place(ctx);
                self.want_rows(ctx);
            }
            Msg::Listed(_, Err(error)) | Msg::Rows(_, _, Err(error)) => self.error = Some(error),
            Msg::ListOf(Some(name)) if self.wanted.list.as_ref() != Some(&name) => {
                self.wanted.list = Some(name);
                return self.tell(ctx, true);
            }
            Msg::ListOf(_) => return false,
            Msg::Rows(_, from, Ok(rows)) => {
                self.held = (from, rows);
                self.asked = false;
                self.choose_coming(ctx);
                self.want_rows(ctx);
            }
            Msg::Scrolled(scroll) => {
                self.scroll = scroll;
                self.want_rows(ctx);
            }
            Msg::Step(step) => {
                let Some(row) = step.from(self.at, self.rows()) else {
                    return false;
                };
                self.go_to_row(ctx, row);
            }
            Msg::Choose(row, place) => {
                self.at = Some(row);
                ctx.props().go.emit(Go::Choose(Some(place)));
                return false;
            }
            Msg::NextWrong if self.seeking.take().is_some() => {}
            Msg::NextWrong => {
                self.none_wrong = false;
                self.seek(ctx, self.at.map_or(0, |at| at + 1));
            }
            // The search was stopped.
            Msg::Wrong(..) if self.seeking.is_none() => return false,
            Msg::Wrong(_, _, Some(row)) => {
                self.seeking = None;
                self.go_to_row(ctx, row);
            }
            Msg::Wrong(_, next, None) if next < self.rows() => self.seek(ctx, next),
            Msg::Wrong(..) => {
                self.seeking = None;
                self.none_wrong = true;
            }
            Msg::Topic(text) => self.wanted.topic = text,
            Msg::Key(text) => self.wanted.key = text,
            Msg::Time(text) => self.wanted.time = text,
            Msg::Offset(text) => self.wanted.offset = text.trim().parse().ok(),
            Msg::Tags(text) => self.wanted.tags = text,
            Msg::Read => {
                self.tell(ctx, false);
                self.read(ctx);
            }
            Msg::LookedUp(Ok(found)) => self.looked_up = Some(*found),
            Msg::Pulled(Ok(pull)) => self.pulled = Some(*pull),
            Msg::LookedUp(Err(error)) | Msg::Pulled(Err(error)) => self.error = Some(error),
            Msg::Go(route) => {
                ctx.props().go.emit(Go::To(route));
                return false;
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let id = format!("{}-view", ctx.props().route.view.word());
        html! {
            <div class="view three-panes lists-view" {id}>
                { self.lanes(ctx) }
                <section class="pane">
                    { self.toolbar(ctx) }
                    { self.table(ctx) }
                </section>
                <aside class="pane detail" aria-label={ctx.props().language.text("lists.detail")}>
                    { self.chosen(ctx) }
                    { self.reader(ctx) }
                </aside>
            </div>
        }
    }
}

/// The lists that this view shows.
fn kind(props: &ViewProps) -> LaneKind {
    if props.route.view == View::Index {
        LaneKind::Index
    } else {
        LaneKind::Queue
    }
}

impl Lists {
    fn rows(&self) -> u64 {
        self.list.as_ref().map_or(0, List::rows)
    }

    /// The address follows; a list's rows begin anew.
    fn tell(&mut self, ctx: &Context<Self>, anew: bool) -> bool {
        let props = ctx.props();
        let text = self.wanted.text();
        props.go.emit(Go::Filter(props.route.view, text));
        if anew {
            self.begin(ctx);
            self.read(ctx);
        }
        true
    }

    fn ask(
        &self,
        ctx: &Context<Self>,
        question: Question,
        reply: impl Fn(Answer) -> Option<Msg> + 'static,
    ) {
        let reply = ctx.link().batch_callback(reply);
        ctx.props().ask.emit(Ask { question, reply });
    }

    fn begin(&mut self, ctx: &Context<Self>) {
        self.turn = self.turn.wrapping_add(1);
        (self.list, self.held, self.asked) = (None, (0, Vec::new()), false);
        (self.at, self.error, self.seeking, self.none_wrong) = (None, None, None, false);
        self.scroll.top = 0.0;
        let props = ctx.props();
        let kind = kind(props);
        if self.wanted.list.is_none() {
            if let Some(place) = props.route.place.clone() {
                self.ask(ctx, Question::ListOf { place }, move |answer| {
                    let Answer::ListOf(found) = answer else {
                        return None;
                    };
                    let name = found
                        .filter(|(found, _)| *found == kind)
                        .map(|(_, name)| name);
                    Some(Msg::ListOf(name))
                });
            }
            let lanes = &props.loaded.last.lanes;
            let first = lanes.iter().find(|lane| lane.lane.kind == kind);
            self.wanted.list = first.map(|lane| lane.lane.name.clone());
        }
        let (Some(name), image, turn) = (self.wanted.list.clone(), self.wanted.image(), self.turn)
        else {
            return;
        };
        self.ask(ctx, Question::List { kind, name, image }, move |answer| {
            let Answer::List(list) = answer else {
                return None;
            };
            Some(Msg::Listed(turn, list))
        });
    }

    /// What is chosen, as a row of this list; or the list that it is in.
    fn find_place(&mut self, ctx: &Context<Self>) {
        let (Some(place), Some(list)) = (ctx.props().route.place.clone(), &self.list) else {
            return;
        };
        match list.row_at(&place) {
            Some(row) => {
                if self.at != Some(row) {
                    self.reveal = Some(row);
                }
                self.at = Some(row);
            }
            None => {
                let kind = kind(ctx.props());
                self.ask(ctx, Question::ListOf { place }, move |answer| {
                    let Answer::ListOf(found) = answer else {
                        return None;
                    };
                    let name = found
                        .filter(|(found, _)| *found == kind)
                        .map(|(_, name)| name);
                    Some(Msg::ListOf(name))
                });
            }
        }
    }

    fn want_rows(&mut self, ctx: &Context<Self>) {
        let Some(list) = &self.list else {
            return;
        };
        let slice = self.scroll.slice(list.rows());
        let (from, count) = (slice.first, slice.count);
        let held = self.held.0..self.held.0 + self.held.1.len() as u64;
        let here = held.contains(&from) && from + count <= held.end;
        if count == 0 || here || self.asked {
            return;
        }
        let (part, turn) = (list.part(from, count), self.turn);
        self.asked = true;
        self.ask(ctx, Question::Entries { list: part }, move |answer| {
            let Answer::Entries(rows) = answer else {
                return None;
            };
            Some(Msg::Rows(turn, from, rows))
        });
    }

    fn seek(&mut self, ctx: &Context<Self>, from: u64) {
        let Some(list) = &self.list else {
            return;
        };
        let (part, turn) = (list.part(from, BITE), self.turn);
        self.seeking = Some(from);
        self.ask(ctx, Question::FirstWrong { list: part }, move |answer| {
            let Answer::FirstWrong(Ok(row)) = answer else {
                return None;
            };
            Some(Msg::Wrong(turn, from + BITE, row.map(|row| from + row)))
        });
    }

    fn row(&self, number: u64) -> Option<&EntryRow> {
        let at = number.checked_sub(self.held.0)?;
        self.held.1.get(usize::try_from(at).ok()?)
    }

    fn go_to_row(&mut self, ctx: &Context<Self>, row: u64) {
        (self.at, self.reveal, self.coming) = (Some(row), Some(row), Some(row));
        self.choose_coming(ctx);
    }

    fn choose_coming(&mut self, ctx: &Context<Self>) {
        let row = self.coming.and_then(|number| self.row(number));
        let Some(place) = row.map(|row| row.place.clone()) else {
            return;
        };
        self.coming = None;
        ctx.props().go.emit(Go::Choose(Some(place)));
    }

    /// Reads as the broker's readers do, if it is said what.
    fn read(&mut self, ctx: &Context<Self>) {
        let (wanted, image) = (&self.wanted, self.wanted.image());
        match kind(ctx.props()) {
            LaneKind::Index if !wanted.key.is_empty() => {
                // A time that cannot be understood is no limit, and the form says so.
                let time = message_filter::times(&wanted.time).unwrap_or(0..=i64::MAX);
                let key = KeyAsked {
                    topic: wanted.topic.clone(),
                    key: wanted.key.clone(),
                    from_ms: *time.start(),
                    to_ms: *time.end(),
                    most: 64,
                };
                self.ask(ctx, Question::LookUp { key, image }, |answer| {
                    let Answer::LookUp(found) = answer else {
                        return None;
                    };
                    Some(Msg::LookedUp(found))
                });
            }
            LaneKind::Queue => {
                let (Some(queue), Some(offset)) = (wanted.list.clone(), wanted.offset) else {
                    self.pulled = None;
                    return;
                };
                let pull = PullAsked {
                    queue,
                    offset,
                    tags: wanted.tags.clone(),
                    most: 32,
                };
                self.ask(ctx, Question::Pull { pull, image }, |answer| {
                    let Answer::Pull(pull) = answer else {
                        return None;
                    };
                    Some(Msg::Pulled(pull))
                });
            }
            _ => self.looked_up = None,
        }
    }
}
