//! The bytes of a file around what is chosen: coloured by field, with gaps and checksums; jumped to, and searched.
//!
//! In a wide place the hex stands beside the fields, in a narrow one above them.

use super::ViewProps;
use super::copying;
use super::doors::doors;
use crate::app::state::Ask;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::protocol::{Answer, Question, Seen};
use storescope::recovery::Place;
use storescope::recovery::trace::Image;
use storescope::store::find::{self, Sought};
use storescope::store::{ReadError, StorePath};
use storescope::view_model::route::{Go, View};
use storescope::view_model::{Tone, byte_rows, gaps};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

const ROW: u64 = 16;
/// At once, and per step of the search.
const BYTES: u64 = 1024;
const BITE: u64 = 32 << 20;

pub enum Msg {
    Looked(u32, Box<Result<Seen, ReadError>>),
    Field(Option<usize>),
    /// Shows bytes from here on; what is chosen stays.
    From(u64),
    Jump(String),
    Choose(u64),
    Image(Image),
    File(String),
    Typed(String),
    Seek,
    Sought(u32, Result<Sought, ReadError>),
}

pub struct Bytes {
    look: u32,
    seen: Option<Result<Seen, ReadError>>,
    field: Option<usize>,
    needle: String,
    /// The search that runs, or what it came to: its text.
    seeking: bool,
    sought: Option<&'static str>,
    seek: u32,
}

impl Component for Bytes {
    type Message = Msg;
    type Properties = ViewProps;

    fn create(ctx: &Context<Self>) -> Self {
        let mut view = Self {
            look: 0,
            seen: None,
            field: None,
            needle: ctx.props().route.filter(View::Bytes).to_owned(),
            seeking: false,
            sought: None,
            seek: 0,
        };
        view.look(ctx, None);
        view
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &ViewProps) -> bool {
        if ctx.props().route.place != old.route.place {
            self.field = None;
            let at = ctx.props().route.place.as_ref().map(|place| place.offset);
            // A place that is in sight already is not scrolled to.
            let shown = self.seen.as_ref().and_then(|seen| seen.as_ref().ok());
            let here = shown.filter(|seen| {
                let same = old
                    .route
                    .place
                    .as_ref()
                    .map(|place| (&place.file, place.image))
                    == ctx
                        .props()
                        .route
                        .place
                        .as_ref()
                        .map(|place| (&place.file, place.image));
                let range = seen.from..seen.from + seen.bytes.len() as u64;
                same && at.is_some_and(|at| range.contains(&at))
            });
            let from = here.map(|seen| seen.from);
            self.look(ctx, from);
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let ViewProps { route, go, .. } = ctx.props();
        match msg {
            Msg::Looked(look, seen) if look == self.look => self.seen = Some(*seen),
            Msg::Looked(..) => return false,
            Msg::Field(field) => self.field = field,
            Msg::From(from) => self.look(ctx, Some(from)),
            Msg::Jump(text) => {
                let Some(offset) = offset(&text) else {
                    return false;
                };
                ctx.link().send_message(Msg::Choose(offset));
                return false;
            }
            Msg::Choose(offset) => {
                if let Some(place) = &route.place {
                    let place = Place {
                        offset,
                        length: 1,
                        ..place.clone()
                    };
                    go.emit(Go::Choose(Some(place)));
                }
                return false;
            }
            Msg::Image(image) => {
                if let Some(place) = &route.place {
                    go.emit(Go::Choose(Some(place.clone().in_image(image))));
                }
                return false;
            }
            Msg::File(path) => {
                let place = Place::before(&StorePath::new(&path), 0, 1);
                go.emit(Go::Choose(Some(place)));
                return false;
            }
            Msg::Typed(text) => {
                self.needle = text;
                self.sought = None;
                self.seek = self.seek.wrapping_add(1);
                self.seeking = false;
            }
            Msg::Seek => {
                let Some(place) = &route.place else {
                    return false;
                };
                if find::needle(&self.needle).is_none() {
                    self.sought = Some("bytes.find.what");
                    return true;
                }
                self.seek = self.seek.wrapping_add(1);
                self.seeking = true;
                self.seek_from(ctx, place.offset.saturating_add(1));
            }
            Msg::Sought(seek, _) if seek != self.seek => return false,
            Msg::Sought(_, Ok(Sought::Found(offset))) => {
                self.seeking = false;
                self.sought = None;
                let length = find::needle(&self.needle).map_or(1, |needle| needle.len() as u64);
                if let Some(place) = &route.place {
                    let place = Place {
                        offset,
                        length,
                        ..place.clone()
                    };
                    go.emit(Go::Choose(Some(place)));
                }
            }
            Msg::Sought(_, Ok(Sought::NotYet(next))) => self.seek_from(ctx, next),
            Msg::Sought(..) => {
                self.seeking = false;
                self.sought = Some("bytes.find.none");
            }
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        let Some(place) = &ctx.props().route.place else {
            return self.choose_a_file(ctx);
        };
        let content = match &self.seen {
            None => html! { <p class="quiet say">{ language.text("bytes.waiting") }</p> },
            Some(Err(error)) => html! {
                <p class="quiet say">{ language.plain("bytes.error", &facts! { why = error.to_string() }) }</p>
            },
            Some(Ok(seen)) => self.shown(seen, place, ctx),
        };
        let whole = ctx.props().route.view == View::Bytes;
        html! {
            <div class={classes!("byte-view", whole.then_some("view"))} id="byte-view" data-offset={place.offset.to_string()}>
                if whole {
                    <div class="toolbar"><b class="mono">{ place.file.as_str() }</b>{ doors(place, ctx.props()) }</div>
                }
                { self.toolbar(place, ctx) }
                { content }
            </div>
        }
    }
}

impl Bytes {
    fn look(&mut self, ctx: &Context<Self>, from: Option<u64>) {
        let Some(place) = ctx.props().route.place.clone() else {
            self.seen = None;
            return;
        };
        self.look = self.look.wrapping_add(1);
        let look = self.look;
        let question = Question::Look {
            place,
            from,
            length: BYTES,
        };
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Look(seen) = answer else {
                return None;
            };
            Some(Msg::Looked(look, Box::new(seen)))
        });
        ctx.props().ask.emit(Ask { question, reply });
    }

    fn seek_from(&self, ctx: &Context<Self>, offset: u64) {
        let (Some(place), Some(needle)) = (&ctx.props().route.place, find::needle(&self.needle))
        else {
            return;
        };
        let place = Place {
            offset,
            ..place.clone()
        };
        let seek = self.seek;
        let question = Question::Seek {
            place,
            needle,
            budget: BITE,
        };
        let reply = ctx.link().batch_callback(move |answer| {
            let Answer::Seek(sought) = answer else {
                return None;
            };
            Some(Msg::Sought(seek, sought))
        });
        ctx.props().ask.emit(Ask { question, reply });
    }

    fn choose_a_file(&self, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        let onchange = ctx.link().callback(|event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            Msg::File(select.value())
        });
        let files = &ctx.props().loaded.outcome.files;
        html! {
            <div class="byte-view view" id="byte-view">
                <div class="toolbar">
                    <label for="bytes-file">{ language.text("bytes.which-file") }</label>
                    <select id="bytes-file" {onchange}>
                        <option value="" selected=true disabled=true></option>
                        { for files.iter().filter(|file| file.before.is_some()).take(5000).map(|file| html! {
                            <option value={file.path.as_str().to_owned()}>{ file.path.as_str() }</option>
                        }) }
                    </select>
                </div>
            </div>
        }
    }

    fn toolbar(&self, place: &Place, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let value = |event: &Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            input.value()
        };
        let jump = link.callback(move |event: Event| Msg::Jump(value(&event)));
        let typed = link.callback(move |event: InputEvent| Msg::Typed(value(&event)));
        let entered = link
            .batch_callback(|event: KeyboardEvent| (event.key() == "Enter").then_some(Msg::Seek));
        let image = |image: Image, key: &'static str| {
            let on = place.image == image;
            html! {
                <button class="small" aria-pressed={on.to_string()} data-image={key.trim_start_matches("image.").to_owned()}
                    title={language.find(&format!("{key}.title")).unwrap_or("")}
                    onclick={link.callback(move |_| Msg::Image(image))}>{ language.text(key) }</button>
            }
        };
        html! {
            <div class="toolbar tight">
                <label>{ language.text("bytes.jump") }
                    <input id="bytes-jump" class="short" inputmode="numeric" value={place.offset.to_string()} onchange={jump} /></label>
                <label>{ language.text("bytes.find") }
                    <input id="bytes-find" type="search" value={self.needle.clone()} oninput={typed} onkeydown={entered}
                        placeholder={language.text("bytes.find.example")} /></label>
                <button class="small" id="bytes-next" onclick={link.callback(|_| Msg::Seek)}>
                    { language.text(if self.seeking { "bytes.find.running" } else { "bytes.find.next" }) }</button>
                if let Some(sought) = self.sought { <span class="problem-inline" role="status">{ language.text(sought) }</span> }
                <span class="images" role="group" aria-label={language.text("image.label")}>
                    { image(Image::Before, "image.before") }
                    { image(Image::AfterLoad, "image.load") }
                    { image(Image::AfterReput, "image.reput") }
                </span>
            </div>
        }
    }

    fn shown(&self, seen: &Seen, place: &Place, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let tree = Some(&seen.fields).filter(|tree| !tree.rows.is_empty());
        let rows = byte_rows::rows_of(ROW, seen.from, &seen.bytes, tree);
        let end = seen.from + seen.bytes.len() as u64;
        let turn = |key: &'static str, to: Option<u64>| {
            let onclick = to.map(|to| link.callback(move |_: MouseEvent| Msg::From(to)));
            html! { <button class="small" disabled={to.is_none()} {onclick}>{ language.text(key) }</button> }
        };
        let before = (seen.from > 0).then(|| seen.from.saturating_sub(BYTES));
        let after = (end < seen.file_size).then_some(end);
        let of = facts! { from = seen.from, to = end, size = seen.file_size };
        let chosen = byte_rows::chosen(seen.from, &seen.bytes, &seen.fields, self.field);
        let keys = {
            let link = link.clone();
            Callback::from(move |event: KeyboardEvent| {
                let to = match event.key().as_str() {
                    "PageDown" => after,
                    "PageUp" => before,
                    _ => None,
                };
                if let Some(to) = to {
                    event.prevent_default();
                    link.send_message(Msg::From(to));
                }
            })
        };
        html! {
            <>
            <div class="byte-range">
                { turn("bytes.earlier", before) }{ turn("bytes.later", after) }
                <span class="quiet">{ language.plain("bytes.range", &of) }</span>
                { copying::bytes_buttons(chosen, &ctx.props().copy, language) }
            </div>
            <div class="byte-panes">
                <div class="hex wide" id="hex" tabindex="0" data-own-keys="true" aria-label={language.text("bytes.bytes")} onkeydown={keys}>
                    if seen.bytes.is_empty() { <p class="quiet say">{ language.text("bytes.empty") }</p> }
                    { for rows.iter().map(|row| self.hex_row(row, seen, place, ctx)) }
                </div>
                <div class="field-area" tabindex="0">{ self.fields(seen, ctx) }</div>
            </div>
            </>
        }
    }

    fn hex_row(
        &self,
        row: &byte_rows::ByteRow,
        seen: &Seen,
        place: &Place,
        ctx: &Context<Self>,
    ) -> Html {
        let link = ctx.link();
        let mut at = row.offset;
        let runs: Html = row
            .runs
            .iter()
            .map(|run| {
                let start = at;
                at += (run.hex.len() as u64 + 1) / 3;
                let of = run.field;
                // What a search found, or a jump, may be a few bytes of a field.
                let chosen = start < place.offset + place.length.clamp(1, 64)
                    && place.offset < at
                    && place.length <= 64;
                let class = classes!(
                    "run",
                    of.map(|of| format!("f{}", of % 6)),
                    run.wrong.then_some("wrong"),
                    (run.zero && of.is_none()).then_some("zero"),
                    (of.is_some() && of == self.field).then_some("on"),
                    (chosen && self.field.is_none()).then_some("chosen"),
                );
                let name = of
                    .and_then(|of| seen.fields.rows.get(of))
                    .map(|row| row.name.clone());
                let onclick = link.batch_callback(move |_: MouseEvent| match of {
                    Some(_) => vec![Msg::Field(of)],
                    // Bytes of no field of this record: perhaps another record's.
                    None => vec![Msg::Choose(start)],
                });
                html! { <span {class} title={name} {onclick}>{ &run.hex }</span> }
            })
            .collect();
        html! {
            <div class="row">
                <span class="at" title={numbers::grouped(i64::try_from(row.offset).unwrap_or(i64::MAX))}>{ format!("{:08x}", row.offset) }</span>
                <span class="hexes">{ runs }</span>
                <span class="ascii">{ &row.text }</span>
            </div>
        }
    }

    fn fields(&self, seen: &Seen, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        if seen.fields.rows.is_empty() {
            return html! { <p class="quiet say">{ language.text("bytes.no-record") }</p> };
        }
        let differs = |stored: &str, computed: &str| {
            language.plain(
                "bytes.differs",
                &facts! { stored = stored, computed = computed },
            )
        };
        let shown = seen.from..seen.from + seen.bytes.len() as u64;
        let row = |line: gaps::Line| match line {
            gaps::Line::Gap { start, len } => html! {
                <tr class="gap"><th scope="row">{ language.text("bytes.gap") }</th>
                <td>{ language.plain("bytes.gap.of", &facts! { n = len, at = start }) }</td></tr>
            },
            gaps::Line::Field(at) => {
                let Some(row) = seen.fields.rows.get(at) else {
                    return html! {};
                };
                let chosen = self.field == Some(at);
                let (start, visible) = (row.start, shown.contains(&row.start));
                let choose = link.batch_callback(move |_: MouseEvent| {
                    let field = Msg::Field((!chosen).then_some(at));
                    let bytes = (!visible && !chosen).then_some(Msg::From(start));
                    std::iter::once(field).chain(bytes).collect::<Vec<_>>()
                });
                let class = classes!(
                    chosen.then_some("on"),
                    (byte_rows::tone(&row.value) == Tone::Lost).then_some("wrong")
                );
                html! {
                    <tr {class} data-field={row.name.clone()}>
                        <th scope="row"><button class={classes!("plain", format!("f{}", at % 6))} aria-pressed={chosen.to_string()}
                            onclick={choose}>{ &row.name }</button></th>
                        <td class="at">{ format!("{:x}+{}", row.start, row.len) }</td>
                        <td>{ byte_rows::value(&row.value, &differs) }</td>
                    </tr>
                }
            }
        };
        html! {
            <>
            <p class="quiet">{ title(seen, language) }</p>
            <table class="fields wide" id="byte-fields" aria-label={language.text("bytes.fields")}>
                { for gaps::lines(&seen.fields).into_iter().map(row) }
            </table>
            if let Some(why) = &seen.fields.stopped {
                <p class="stopped">{ language.plain("bytes.stopped", &facts! { why = why.as_str() }) }</p>
            }
            </>
        }
    }
}

fn title(seen: &Seen, language: Language) -> String {
    let start = seen.fields.start;
    let what = seen.fields.title.as_str();
    language.plain(
        "bytes.record",
        &facts! { what = what, at = start, bytes = seen.fields.end() - start },
    )
}

/// An offset as it is typed: digits, grouped or not, or hex after `0x`.
fn offset(text: &str) -> Option<u64> {
    let clean: String = text.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    match clean.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => clean.parse().ok(),
    }
}
