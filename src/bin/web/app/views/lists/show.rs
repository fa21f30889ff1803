//! How a list looks: its lanes, its tools, its rows, what was chosen of it, and what a consumer reads.

use super::super::doors::doors;
use super::super::grid::{Grid, grid};
use super::super::{ViewProps, look_up, sentence};
use super::{Lists, Msg, kind};
use storescope::brokers::rows::EntryRow;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::map::LaneKind;
use storescope::recovery::trace::Image;
use storescope::view_model::list_route::IMAGES;
use storescope::view_model::{byte_rows, message_filter};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Lanes on the page at most; a name narrows them.
const LANES: usize = 400;

impl Lists {
    /// Queues or index files, with what becomes of their entries.
    pub(super) fn lanes(&self, ctx: &Context<Self>) -> Html {
        let ViewProps {
            loaded, language, ..
        } = ctx.props();
        let link = ctx.link();
        let kind = kind(ctx.props());
        let lanes = loaded.last.lanes.iter().filter(|lane| {
            lane.lane.kind == kind
                && lane
                    .lane
                    .name
                    .to_lowercase()
                    .contains(&self.named.to_lowercase())
        });
        let oninput = link.callback(|event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            Msg::Named(input.value())
        });
        let one = |lane: &storescope::recovery::map::LaneNow| {
            let name = lane.lane.name.clone();
            let on = self.wanted.list.as_ref() == Some(&name);
            let choose = name.clone();
            html! {
                <li><button class={classes!("lane-button", on.then_some("on"))} aria-pressed={on.to_string()} data-lane={name.clone()}
                    onclick={link.callback(move |_| Msg::Lane(choose.clone()))}>
                    <span class="name" title={name.clone()}>{ &name }</span>
                    <span class="numbers">{ numbers::grouped(lane.end.entries) }
                        if lane.cut > 0 { <span class="tone-lost" title={language.text("table.cut")}>{ format!(" −{}", numbers::grouped(lane.cut)) }</span> }
                        if lane.rebuilt > 0 { <span class="tone-rebuilt" title={language.text("table.rebuilt")}>{ format!(" +{}", numbers::grouped(lane.rebuilt)) }</span> }
                    </span>
                </button></li>
            }
        };
        html! {
            <section class="pane lane-list" aria-label={language.text(if kind == LaneKind::Index { "nav.index" } else { "nav.queues" })}>
                <div class="toolbar"><input type="search" {oninput} value={self.named.clone()} placeholder={language.text("lists.named")}
                    aria-label={language.text("lists.named")} /></div>
                <ul tabindex="0" data-own-keys="true">{ for lanes.take(LANES).map(one) }</ul>
            </section>
        }
    }

    pub(super) fn toolbar(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let image = |(word, image): (&'static str, Image)| {
            let on = self.wanted.image() == image;
            let key = format!("image.{word}");
            html! {
                <button class="small" aria-pressed={on.to_string()} data-image={word}
                    title={language.find(&format!("{key}.title")).unwrap_or("")}
                    onclick={link.callback(move |_| Msg::Image(image))}>{ language.find(&key).unwrap_or(word) }</button>
            }
        };
        html! {
            <div class="toolbar">
                <b>{ self.wanted.list.as_deref().unwrap_or("") }</b>
                <span class="quiet" id="entries-count" data-rows={self.rows().to_string()}>
                    { language.plain("lists.entries", &facts! { n = self.rows() }) }</span>
                <button class="small" id="next-wrong" onclick={link.callback(|_| Msg::NextWrong)} disabled={self.rows() == 0}>
                    { self.seeking.map_or(language.text("lists.next-wrong").to_owned(), |at| {
                        language.plain("lists.seeking", &facts! { n = at, of = self.rows() })
                    }) }</button>
                if self.none_wrong { <span class="quiet" role="status" id="none-wrong">{ language.text("lists.none-wrong") }</span> }
                if let Some(error) = &self.error { <span class="problem-inline" role="alert">{ error.to_string() }</span> }
                <span class="images" role="group" aria-label={language.text("image.label")}>{ for IMAGES.map(image) }</span>
            </div>
        }
    }

    pub(super) fn table(&self, ctx: &Context<Self>) -> Html {
        let (link, language) = (ctx.link(), ctx.props().language);
        let slice = self.scroll.slice(self.rows());
        let fields = self
            .list
            .as_ref()
            .map(|list| list.columns.clone())
            .unwrap_or_default();
        let mut columns = vec![("c-number", "#".to_owned())];
        columns.extend(fields.into_iter().map(|name| ("c-field", name)));
        columns.push(("c-message", language.text("lists.message").to_owned()));
        columns.push(("c-note", language.text("lists.note").to_owned()));
        let rows: Html = (slice.first..slice.first + slice.count)
            .map(|number| self.one(number, columns.len(), ctx))
            .collect();
        grid(
            &Grid {
                id: "entries",
                label: language.text("lists.label"),
                columns,
                total: self.rows(),
                slice,
                node: &self.node,
                scrolled: link.callback(Msg::Scrolled),
                stepped: link.callback(Msg::Step),
            },
            rows,
        )
    }

    pub(super) fn one(&self, number: u64, columns: usize, ctx: &Context<Self>) -> Html {
        let language = ctx.props().language;
        let index = (number + 1).to_string();
        let Some(row) = self.row(number) else {
            return html! { <tr key={number} aria-rowindex={index} class="coming"><td colspan={columns.to_string()}>{ "…" }</td></tr> };
        };
        let on = self.at == Some(number);
        let place = row.place.clone();
        let onclick = ctx
            .link()
            .callback(move |_: MouseEvent| Msg::Choose(number, place.clone()));
        let class = classes!(
            on.then_some("on"),
            row.wrong.is_some().then_some("wrong"),
            row.note.is_some().then_some("noted"),
        );
        let (note, title) = note(row, language);
        html! {
            <tr key={number} {class} aria-rowindex={index} aria-selected={on.to_string()} {onclick} data-number={row.number.to_string()}
                data-wrong={row.wrong.as_ref().map(|why| why.id.clone())}>
                <td class="c-number">{ numbers::grouped(row.number) }</td>
                { for row.fields.rows.iter().map(|field| html! {
                    <td class="c-field">{ byte_rows::value(&field.value, &|stored, computed| format!("{stored} {computed}")) }</td>
                }) }
                <td class="c-message">{ row.target.as_ref().map(|target| target.label.clone()).unwrap_or_default() }</td>
                <td class="c-note" title={title}>{ note }</td>
            </tr>
        }
    }

    /// The entry that is chosen: what it points to, and what is wrong with it.
    pub(super) fn chosen(&self, ctx: &Context<Self>) -> Html {
        let props = ctx.props();
        let language = props.language;
        let Some(row) = self.at.and_then(|at| self.row(at)) else {
            return html! { <p class="quiet say">{ language.text("lists.choose") }</p> };
        };
        html! {
            <div class="entry" id="entry" data-number={row.number.to_string()}>
                <h2>{ format!("{} #{}", self.wanted.list.as_deref().unwrap_or(""), row.number) }</h2>
                <table class="fields wide">{ for row.fields.rows.iter().map(|field| html! {
                    <tr><th scope="row">{ &field.name }</th>
                    <td>{ byte_rows::value(&field.value, &|stored, computed| format!("{stored} {computed}")) }</td></tr>
                }) }</table>
                if let Some(why) = &row.wrong {
                    <p class="marks-line"><span class="badge wrong">{ language.text("row.wrong") }</span>
                    { sentence::show(&language.sentence(&format!("row.{}", why.id), &why.facts)) }</p>
                }
                if let Some(why) = &row.note {
                    <p class="quiet">{ sentence::show(&language.sentence(&format!("row.{}", why.id), &why.facts)) }</p>
                }
                if let Some(target) = &row.target { { look_up::to_message(target, props, ctx.link().callback(Msg::Go)) } }
                { doors(&row.place, props) }
            </div>
        }
    }

    pub(super) fn reader(&self, ctx: &Context<Self>) -> Html {
        let (props, link) = (ctx.props(), ctx.link());
        let language = props.language;
        let value = |event: &InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            input.value()
        };
        let input = |id: &'static str, key: &'static str, text: String, msg: fn(String) -> Msg| {
            let oninput = link.callback(move |event: InputEvent| msg(value(&event)));
            html! { <label>{ language.text(key) }<input {id} value={text} {oninput} spellcheck="false" /></label> }
        };
        let submit = link.callback(|event: SubmitEvent| {
            event.prevent_default();
            Msg::Read
        });
        let go = link.callback(Msg::Go);
        if kind(props) == LaneKind::Index {
            return html! {
                <section class="reader" id="look-up">
                    <h3>{ language.text("look.head") }</h3>
                    <form onsubmit={submit}>
                        { input("look-topic", "look.topic", self.wanted.topic.clone(), Msg::Topic) }
                        { input("look-key", "look.key", self.wanted.key.clone(), Msg::Key) }
                        { input("look-time", "look.window", self.wanted.time.clone(), Msg::Time) }
                        <button class="small" id="look-go">{ language.text("look.go") }</button>
                    </form>
                    if !self.wanted.time.is_empty() && message_filter::times(&self.wanted.time).is_none() {
                        <p class="problem-inline" role="alert">{ language.text("look.no-time") }</p>
                    }
                    if let Some(found) = &self.looked_up { { look_up::looked_up(found, props, go) } }
                    else { <p class="quiet">{ language.text("look.about") }</p> }
                </section>
            };
        }
        let offset = self
            .wanted
            .offset
            .map(|at| at.to_string())
            .unwrap_or_default();
        html! {
            <section class="reader" id="consumer">
                <h3>{ language.text("pull.head") }</h3>
                <form onsubmit={submit}>
                    { input("pull-offset", "pull.offset", offset, Msg::Offset) }
                    { input("pull-tags", "pull.tags", self.wanted.tags.clone(), Msg::Tags) }
                    <button class="small" id="pull-go">{ language.text("pull.go") }</button>
                </form>
                if let Some(pull) = &self.pulled { { look_up::pulled(pull, props, go) } }
                else { <p class="quiet">{ language.text("pull.about") }</p> }
            </section>
        }
    }
}

/// What an entry is marked with, short, and the whole sentence.
fn note(row: &EntryRow, language: Language) -> (Html, Option<String>) {
    let why = row.wrong.as_ref().or(row.note.as_ref());
    let Some(why) = why else {
        return (html! {}, None);
    };
    let title = language.plain(&format!("row.{}", why.id), &why.facts);
    let short = language
        .find(&format!("row.{}.short", why.id))
        .unwrap_or(&why.id);
    let class = if row.wrong.is_some() {
        "badge wrong"
    } else {
        "badge"
    };
    (html! { <span {class}>{ short }</span> }, Some(title))
}
