//! Every message that can be read, those that are cut marked; one of them opened.
//!
//! The search runs in a worker, a stretch at a time, and the table asks for the rows on the screen.

use super::byte_view::Bytes;
use super::doors::doors;
use super::grid::{self, Grid, Scroll, grid};
use super::message_panel::{self, Tab};
use super::{ViewProps, sentence};
use crate::app::state::Ask;
use std::rc::Rc;
use storescope::brokers::rows::{At, MessageRow, OpenMessage, ReadTo, RowFate, What};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::protocol::{Answer, Question};
use storescope::recovery::Place;
use storescope::store::ReadError;
use storescope::view_model::message_filter::{self, Parsed};
use storescope::view_model::route::{Go, View};
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Of the log, per question: the worker hears other questions between two.
const BITE: u64 = 16 << 20;

pub enum Msg {
    Typed(String),
    Filter(String),
    Found(u32, Result<(u64, ReadTo), ReadError>),
    Rows(u32, u64, Result<Vec<MessageRow>, ReadError>),
    RowOf(u32, Option<u64>),
    Stop,
    Scrolled(Scroll),
    Step(grid::Step),
    Choose(u64, Place),
    Opened(Place, Result<Box<OpenMessage>, ReadError>),
    Show(Tab),
    GoOn,
}

pub struct Messages {
    typed: String,
    parsed: Parsed,
    /// Which search: answers to an older one are late.
    search: u32,
    rows: u64,
    read: ReadTo,
    stopped: bool,
    error: Option<ReadError>,
    /// Rows that are here, from the first one's number on.
    held: (u64, Vec<MessageRow>),
    asked: Option<(u64, u64)>,
    scroll: Scroll,
    /// The row of what is chosen, once it is known.
    at: Option<u64>,
    /// To be scrolled to when it is on the page.
    reveal: Option<u64>,
    /// A row that is chosen by its number before it is here.
    coming: Option<u64>,
    opened: Option<(Place, Result<Rc<OpenMessage>, ReadError>)>,
    tab: Tab,
    node: NodeRef,
}

impl Component for Messages {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut view = Self {
            typed: ctx.props().route.filter(View::Messages).to_owned(),
            parsed: Parsed::default(),
            search: 0,
            rows: 0,
            read: ReadTo::default(),
            stopped: false,
            error: None,
            held: (0, Vec::new()),
            asked: None,
            scroll: Scroll::default(),
            at: None,
            reveal: None,
            coming: None,
            opened: None,
            tab: Tab::Fields,
            node: NodeRef::default(),
        };
        view.begin(ctx);
        view.open(ctx);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ViewProps) -> bool {
        let now = ctx.props().route.filter(View::Messages);
        if now != old.route.filter(View::Messages) {
            now.clone_into(&mut self.typed);
            self.begin(ctx);
        }
        if ctx.props().route.place != old.route.place {
            self.open(ctx);
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, _: bool) {
        if let Some(now) = self.scroll.resized(&self.node) {
            ctx.link().send_message(Msg::Scrolled(now));
        }
        if let Some(row) = self.reveal.take() {
            grid::bring(&self.node, row, self.rows);
        }
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Typed(text) => self.typed = text,
            Msg::Filter(text) => {
                ctx.props().go.emit(Go::Filter(View::Messages, text));
                return false;
            }
            Msg::Found(search, _) | Msg::Rows(search, ..) | Msg::RowOf(search, _)
                if search != self.search =>
            {
                return false;
            }
            Msg::Found(_, Ok((rows, read))) => {
                (self.rows, self.read) = (rows, read);
                if !self.stopped && read.next.is_some() {
                    self.find(ctx);
                }
                self.want_rows(ctx);
                if self.at.is_none() {
                    self.find_row(ctx);
                }
            }
            Msg::Found(_, Err(error)) | Msg::Rows(_, _, Err(error)) => self.error = Some(error),
            // The worker has forgotten the search: another one took its place.
            Msg::Rows(_, _, Ok(rows)) if rows.is_empty() => self.begin(ctx),
            Msg::Rows(_, from, Ok(rows)) => {
                self.held = (from, rows);
                self.asked = None;
                self.choose_coming(ctx);
                self.want_rows(ctx);
            }
            Msg::RowOf(_, row) => {
                self.at = row.or(self.at);
                self.reveal = row;
            }
            Msg::Stop => self.stopped = true,
            Msg::GoOn => {
                self.stopped = false;
                self.find(ctx);
            }
            Msg::Scrolled(scroll) => {
                self.scroll = scroll;
                self.want_rows(ctx);
            }
            Msg::Step(step) => {
                let Some(row) = step.from(self.at, self.rows) else {
                    return false;
                };
                self.at = Some(row);
                self.reveal = Some(row);
                self.coming = Some(row);
                self.choose_coming(ctx);
            }
            Msg::Choose(row, place) => {
                self.at = Some(row);
                ctx.props().go.emit(Go::Choose(Some(place)));
                return false;
            }
            Msg::Opened(place, opened) => {
                if ctx.props().route.place.as_ref() != Some(&place) {
                    return false;
                }
                self.opened = Some((place, opened.map(Rc::from)));
            }
            Msg::Show(tab) => self.tab = tab,
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        html! {
            <div class="view two-panes messages-view" id="messages-view">
                <section class="pane">
                    { self.toolbar(ctx) }
                    { self.table(ctx) }
                </section>
                <aside class="pane detail" aria-label={ctx.props().language.text("messages.detail")}>{ self.detail(ctx) }</aside>
            </div>
        }
    }
}

impl Messages {
    fn begin(&mut self, ctx: &Context<Self>) {
        self.parsed = message_filter::parse(ctx.props().route.filter(View::Messages));
        self.search = self.search.wrapping_add(1);
        self.rows = 0;
        // Until the first answer nothing is known: that is not the end.
        self.read = ReadTo {
            next: Some(At::default()),
            ..ReadTo::default()
        };
        self.held = (0, Vec::new());
        (self.asked, self.at, self.error) = (None, None, None);
        self.stopped = false;
        if let Some(element) = self.node.cast::<Element>() {
            element.set_scroll_top(0);
        }
        self.scroll.top = 0.0;
        self.find(ctx);
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

    fn filter(&self) -> Box<storescope::brokers::rows::Filter> {
        Box::new(self.parsed.filter.clone())
    }

    fn find(&self, ctx: &Context<Self>) {
        let (filter, budget, search) = (self.filter(), BITE, self.search);
        self.ask(ctx, Question::Find { filter, budget }, move |answer| {
            let Answer::Find(found) = answer else {
                return None;
            };
            Some(Msg::Found(
                search,
                found.map(|found| (found.rows, found.read)),
            ))
        });
    }

    /// The place that is chosen, as a row: it may have come by a link.
    fn find_row(&self, ctx: &Context<Self>) {
        let Some(place) = ctx.props().route.place.clone() else {
            return;
        };
        let (filter, search) = (self.filter(), self.search);
        self.ask(ctx, Question::RowOf { filter, place }, move |answer| {
            let Answer::RowOf(Ok(row)) = answer else {
                return None;
            };
            row.map(|row| Msg::RowOf(search, Some(row)))
        });
    }

    fn want_rows(&mut self, ctx: &Context<Self>) {
        let slice = self.scroll.slice(self.rows);
        let (from, count) = (slice.first, slice.count);
        let held = self.held.0..self.held.0 + self.held.1.len() as u64;
        let here = held.contains(&from) && from + count <= held.end;
        if count == 0 || here || self.asked.is_some() {
            return;
        }
        self.asked = Some((from, count));
        let (filter, search) = (self.filter(), self.search);
        let question = Question::Rows {
            filter,
            from,
            count,
        };
        self.ask(ctx, question, move |answer| {
            let Answer::Rows(rows) = answer else {
                return None;
            };
            Some(Msg::Rows(search, from, rows))
        });
    }

    fn row(&self, number: u64) -> Option<&MessageRow> {
        let at = number.checked_sub(self.held.0)?;
        self.held.1.get(usize::try_from(at).ok()?)
    }

    /// A row that a key led to, once it is here.
    fn choose_coming(&mut self, ctx: &Context<Self>) {
        let Some(place) = self
            .coming
            .and_then(|number| self.row(number))
            .map(|row| row.place.clone())
        else {
            return;
        };
        self.coming = None;
        ctx.props().go.emit(Go::Choose(Some(place)));
    }

    fn open(&mut self, ctx: &Context<Self>) {
        let Some(place) = ctx.props().route.place.clone() else {
            self.opened = None;
            return;
        };
        let known = self.at.and_then(|at| self.row(at));
        if known.is_none_or(|row| row.place != place) {
            self.at = None;
            self.find_row(ctx);
        }
        let asked = place.clone();
        self.ask(ctx, Question::Open { place }, move |answer| {
            let Answer::Open(opened) = answer else {
                return None;
            };
            Some(Msg::Opened(asked.clone(), opened))
        });
    }

    fn toolbar(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let value = |event: &Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            input.value()
        };
        let oninput = link.callback(move |event: InputEvent| Msg::Typed(value(&event)));
        let onchange = link.callback(move |event: Event| Msg::Filter(value(&event)));
        let only = |word: &'static str, key: &'static str| {
            let words = message_filter::words(&self.typed);
            let asked = format!("is:{word}");
            let on = words.contains(&asked);
            let others: Vec<String> = words
                .into_iter()
                .filter(|word| !word.starts_with("is:"))
                .map(|word| match word.split_once(':') {
                    Some((name, value)) => message_filter::word_of(name, value),
                    None => word,
                })
                .collect();
            let mut text = others.join(" ");
            if !on {
                text = format!("{text} {asked}").trim().to_owned();
            }
            html! {
                <button class="small" aria-pressed={on.to_string()} data-only={word}
                    onclick={link.callback(move |_| Msg::Filter(text.clone()))}>{ language.text(key) }</button>
            }
        };
        let percent = 100 * self.read.bytes / self.read.of.max(1);
        let reading = self.read.next.is_some();
        html! {
            <>
            <div class="toolbar">
                <input id="messages-filter" type="search" value={self.typed.clone()} {oninput} {onchange} spellcheck="false"
                    placeholder={language.text("messages.filter.example")} aria-label={language.text("messages.filter")}
                    aria-describedby="messages-help" />
                { only("cut", "messages.only.cut") }
                { only("wrong", "messages.only.wrong") }
                <details class="filter-help"><summary>{ language.text("messages.filter.help") }</summary>
                    <dl class="card" id="messages-help">{ for message_filter::NAMES.iter().map(|name| html! {
                        <><dt><code>{ format!("{name}:") }</code></dt>
                        <dd>{ language.find(&format!("messages.filter.{name}")).unwrap_or("") }</dd></>
                    }) }</dl>
                </details>
            </div>
            <div class="found" aria-live="polite">
                <span id="messages-count" data-rows={self.rows.to_string()} data-done={(!reading).to_string()}>
                    { language.plain("messages.found", &facts! { n = self.rows }) }
                </span>
                if reading {
                    <progress max="100" value={percent.to_string()}></progress>
                    <span class="quiet">{ language.plain("messages.reading", &facts! { bytes = self.read.bytes, of = self.read.of }) }</span>
                    if self.stopped { <button class="small" onclick={link.callback(|_| Msg::GoOn)}>{ language.text("messages.go-on") }</button> }
                    else { <button class="small" onclick={link.callback(|_| Msg::Stop)}>{ language.text("action.cancel") }</button> }
                }
                if !self.parsed.unknown.is_empty() {
                    <span class="problem-inline" role="alert">{ language.plain("messages.unknown", &facts! { words = self.parsed.unknown.join(", ") }) }</span>
                }
                if let Some(error) = &self.error { <span class="problem-inline" role="alert">{ error.to_string() }</span> }
            </div>
            </>
        }
    }

    fn table(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let slice = self.scroll.slice(self.rows);
        let rows: Html = (slice.first..slice.first + slice.count)
            .map(|number| self.one(number, ctx))
            .collect();
        let column = |class, key| (class, language.text(key).to_owned());
        grid(
            &Grid {
                id: "messages",
                label: language.text("messages.label"),
                columns: vec![
                    column("c-offset", "messages.offset"),
                    column("c-topic", "messages.topic"),
                    column("c-queue", "messages.queue"),
                    column("c-time", "messages.time"),
                    column("c-tag", "messages.tag"),
                    column("c-keys", "messages.keys"),
                    column("c-size", "messages.size"),
                    column("c-fate", "messages.fate"),
                ],
                total: self.rows,
                slice,
                node: &self.node,
                scrolled: link.callback(Msg::Scrolled),
                stepped: link.callback(Msg::Step),
            },
            rows,
        )
    }

    fn one(&self, number: u64, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        let index = (number + 1).to_string();
        let Some(row) = self.row(number) else {
            return html! { <tr key={number} aria-rowindex={index} class="coming"><td colspan="8">{ "…" }</td></tr> };
        };
        let on = self.at == Some(number);
        let place = row.place.clone();
        let onclick = ctx
            .link()
            .callback(move |_: MouseEvent| Msg::Choose(number, place.clone()));
        let class = classes!(
            on.then_some("on"),
            format!("row-{}", fate_word(row.fate)),
            (!row.wrong.is_empty()).then_some("wrong"),
            matches!(row.what, What::End(_)).then_some("end"),
        );
        let offset = match row.log_offset {
            Some(offset) => numbers::grouped(offset),
            None => format!("{} @ {}", row.place.file.name(), row.place.offset),
        };
        let place = format!("{} @ {}", row.place.file, row.place.offset);
        let cells = match &row.what {
            What::Message(message) => {
                let keys = [&message.keys, &message.unique_key];
                let keys: Vec<&str> = keys.into_iter().flatten().map(String::as_str).collect();
                html! {
                    <>
                    <td class="c-topic" title={message.topic.clone()}>{ &message.topic }</td>
                    <td class="c-queue">{ message.queue }<span class="quiet">{ " # " }</span>{ numbers::grouped(message.queue_offset) }</td>
                    <td class="c-time">{ numbers::time(message.store_ms).trim_end_matches(" UTC") }</td>
                    <td class="c-tag" title={message.tag.clone()}>{ message.tag.as_deref().unwrap_or("") }</td>
                    <td class="c-keys" title={keys.join(" ")}>{ keys.join(" ") }</td>
                    <td class="c-size">{ numbers::grouped(i64::try_from(row.place.length).unwrap_or(i64::MAX)) }</td>
                    <td class="c-fate">{ fate(row, language) }</td>
                    </>
                }
            }
            What::End(why) => {
                html! { <td colspan="7">{ language.find(&format!("messages.end.{why}")).unwrap_or(why) }</td> }
            }
        };
        html! {
            <tr key={number} {class} aria-rowindex={index} aria-selected={on.to_string()} {onclick}
                data-offset={row.log_offset.map(|offset| offset.to_string())} data-fate={fate_word(row.fate)}>
                <td class="c-offset" title={place}>{ offset }</td>{ cells }
            </tr>
        }
    }

    fn detail(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let language = props.language;
        let say = |text: &str| html! { <p class="quiet say">{ text.to_owned() }</p> };
        let Some(place) = &props.route.place else {
            return say(language.text("messages.choose"));
        };
        let opened = match &self.opened {
            Some((of, opened)) if of == place => opened,
            _ => return say(language.text("bytes.waiting")),
        };
        let message = match opened {
            Ok(message) => message,
            Err(error) => return say(&error.to_string()),
        };
        // A place that came by a link may be any byte of the message.
        let row = self.at.and_then(|at| self.row(at));
        let row = row.filter(|row| {
            let end = row.place.offset + row.place.length;
            row.place.file == place.file && (row.place.offset..end).contains(&place.offset)
        });
        let tab = |tab: Tab| {
            let on = self.tab == tab;
            html! {
                <button role="tab" aria-selected={on.to_string()} data-tab={tab.word()}
                    onclick={ctx.link().callback(move |_| Msg::Show(tab))}>{ language.text(tab.title()) }</button>
            }
        };
        html! {
            <div class="message" id="message" data-place={format!("{}@{}", place.file, place.offset)}>
                <h2>{ message_panel::heading(message, place) }</h2>
                if let Some(row) = row {
                    <p class="marks-line">
                        <span class={format!("badge fate-{}", fate_word(row.fate))}>{ language.text(fate_key(row.fate)) }</span>
                        { for row.wrong.iter().map(|why| html! {
                            <span class="badge wrong">{ sentence::show(&language.sentence(&format!("row.{}", why.id), &why.facts)) }</span>
                        }) }
                    </p>
                }
                { doors(place, props) }
                <div role="tablist" class="tabs">{ for Tab::ALL.map(tab) }</div>
                <div class="tab-body" role="tabpanel" tabindex="0">
                    if self.tab == Tab::Bytes { <Bytes ..props.clone() /> }
                    else { { message_panel::panel(self.tab, message, &ctx.props().copy, language) } }
                </div>
            </div>
        }
    }
}

fn fate_word(fate: RowFate) -> &'static str {
    match fate {
        RowFate::Kept => "kept",
        RowFate::Cut => "cut",
        RowFate::Unknown => "unknown",
    }
}

fn fate_key(fate: RowFate) -> &'static str {
    match fate {
        RowFate::Kept => "row.fate.kept",
        RowFate::Cut => "row.fate.cut",
        RowFate::Unknown => "row.fate.unknown",
    }
}

/// What a row is marked with: the word beside the colour.
fn fate(row: &MessageRow, language: Language) -> Html {
    let wrong = row.wrong.first();
    let why = wrong.map(|why| language.plain(&format!("row.{}", why.id), &why.facts));
    html! {
        <>
        if row.fate == RowFate::Cut { <span class="badge fate-cut">{ language.text("row.fate.cut") }</span> }
        if let Some(why) = why { <span class="badge wrong" title={why}>{ language.text("row.wrong") }</span> }
        </>
    }
}
