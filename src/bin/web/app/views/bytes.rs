//! The bytes of a place: hex coloured by field, and the fields; choosing one shows the other.

use super::copying;
use super::recovery::{LOOK_BYTES, Look, Msg, Recovery};
use super::steps::scroll_to;
use super::{icons, sentence};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::protocol::Seen;
use storescope::recovery::Place;
use storescope::recovery::trace::Image;
use storescope::view_model::byte_rows;
use storescope::view_model::{Tone, log_bars};
use yew::html::Scope;
use yew::prelude::*;

pub fn bytes(
    place: Option<&Place>,
    look: Option<&Look>,
    field: Option<usize>,
    language: Language,
    link: &Scope<Recovery>,
    doors: Html,
) -> Html {
    let say = |text: String| html! { <p class="quiet say">{ text }</p> };
    let waiting = || say(language.text("bytes.waiting").to_owned());
    let content = match (place, look) {
        (None, _) => say(language.text("bytes.none").to_owned()),
        (Some(place), _) if place.image == Image::Missing => say_missing(place, language),
        (Some(place), Some(look)) if look.place == *place => match &look.seen {
            None => waiting(),
            Some(Err(error)) => {
                say(language.plain("bytes.error", &facts! { why = error.to_string() }))
            }
            Some(Ok(seen)) => shown(seen, field, language, link),
        },
        (Some(_), _) => waiting(),
    };
    html! { <div class="bytes" id="bytes" data-own-keys="true">{ doors }{ content }</div> }
}

/// Scrolls to the chosen field, in the hex and in the list.
pub fn bring_into_view() {
    let Some(document) = web_sys::window().and_then(|window| window.document()) else {
        return;
    };
    for selector in ["#bytes .hex .on", "#bytes .fields .on"] {
        if let Ok(Some(chosen)) = document.query_selector(selector) {
            scroll_to(&chosen);
        }
    }
}

fn say_missing(place: &Place, language: Language) -> Html {
    let sentence = language.sentence("bytes.missing", &facts! { file = &place.file });
    html! { <p class="quiet say">{ sentence::show(&sentence) }</p> }
}

fn shown(seen: &Seen, field: Option<usize>, language: Language, link: &Scope<Recovery>) -> Html {
    let offset = i64::try_from(seen.fields.start.max(seen.from)).unwrap_or(i64::MAX);
    let head = facts! { file = log_bars::short_name(seen.place.file.name()), offset = offset };
    let image = match seen.place.image {
        Image::AfterLoad => "bytes.after-load",
        Image::AfterReput => "bytes.after-reput",
        Image::Before | Image::Missing => "bytes.before",
    };
    let tree = Some(&seen.fields).filter(|tree| !tree.rows.is_empty());
    let rows = byte_rows::rows(seen.from, &seen.bytes, tree);
    let end = seen.from + seen.bytes.len() as u64;
    let chosen = byte_rows::chosen(seen.from, &seen.bytes, &seen.fields, field);
    html! {
        <>
        <div class="place">
            <span title={seen.place.file.as_str().to_owned()}>{ language.plain("bytes.of-file", &head) }</span>
            <span class="quiet">{ language.text(image) }</span>
            { copying::bytes_buttons(chosen, &link.callback(Msg::Copy), language) }
            { turn("bytes.earlier", icons::back(), (seen.from > 0).then(|| seen.from.saturating_sub(LOOK_BYTES)), language, link) }
            { turn("bytes.later", icons::forward(), (end < seen.file_size).then_some(end), language, link) }
        </div>
        if seen.bytes.is_empty() { <p class="quiet say">{ language.text("bytes.empty") }</p> }
        else {
            <div class="hex" tabindex="0" aria-label={language.text("bytes.bytes")}>
                { for rows.iter().map(|row| html! {
                    <div class="row">
                        <span class="at">{ format!("{:08x}", row.offset) }</span>
                        <span class="hexes">{ for row.runs.iter().map(|run| {
                            let of = run.field;
                            let class = classes!(
                                "run",
                                of.map(|of| format!("f{}", of % 6)),
                                run.wrong.then_some("wrong"),
                                (run.zero && of.is_none()).then_some("zero"),
                                (of.is_some() && of == field).then_some("on"),
                            );
                            let name = of.and_then(|of| seen.fields.rows.get(of)).map(|row| row.name.clone());
                            html! { <span {class} title={name} onclick={link.callback(move |_| Msg::Field(of))}>{ &run.hex }</span> }
                        }) }</span>
                        <span class="ascii">{ &row.text }</span>
                    </div>
                }) }
            </div>
        }
        <div class="field-area" tabindex="0">
            if !seen.fields.rows.is_empty() { { fields(seen, field, language, link) } }
            if let Some(why) = &seen.fields.stopped {
                <p class="stopped">{ language.plain("bytes.stopped", &facts! { why = why.as_str() }) }</p>
            }
        </div>
        </>
    }
}

/// A button to the bytes before or behind; there is none at the ends of the file.
fn turn(
    key: &'static str,
    icon: Html,
    to: Option<u64>,
    language: Language,
    link: &Scope<Recovery>,
) -> Html {
    let label = language.text(key);
    let onclick = to.map(|from| link.callback(move |_: MouseEvent| Msg::Bytes { from }));
    html! { <button class="turn" disabled={to.is_none()} title={label} aria-label={label} {onclick}>{ icon }</button> }
}

fn fields(seen: &Seen, field: Option<usize>, language: Language, link: &Scope<Recovery>) -> Html {
    let differs = |stored: &str, computed: &str| {
        language.plain(
            "bytes.differs",
            &facts! { stored = stored, computed = computed },
        )
    };
    let shown = seen.from..seen.from + seen.bytes.len() as u64;
    html! {
        <table class="fields" aria-label={language.text("bytes.fields")}>
            { for seen.fields.rows.iter().enumerate().map(|(at, row)| {
                let chosen = field == Some(at);
                let value = byte_rows::value(&row.value, &differs);
                let (start, visible) = (row.start, shown.contains(&row.start));
                let choose = link.batch_callback(move |_: MouseEvent| {
                    let field = Msg::Field((!chosen).then_some(at));
                    // A field beyond the bytes shown brings its own.
                    let bytes = (!visible && !chosen).then_some(Msg::Bytes { from: start });
                    std::iter::once(field).chain(bytes).collect::<Vec<_>>()
                });
                let class = classes!(chosen.then_some("on"), (byte_rows::tone(&row.value) == Tone::Lost).then_some("wrong"));
                let place = format!("{} + {}", numbers::grouped(i64::try_from(row.start).unwrap_or(i64::MAX)), row.len);
                html! {
                    <tr {class} data-field={row.name.clone()}>
                        <th scope="row"><button class={classes!("plain", format!("f{}", at % 6))} aria-pressed={chosen.to_string()} title={place}
                            onclick={choose}>{ &row.name }</button></th>
                        <td>{ value }</td>
                    </tr>
                }
            }) }
        </table>
    }
}
