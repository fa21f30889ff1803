//! The bytes of a place: hex coloured by field, and the fields; choosing one shows the other.

use super::use_language;
use crate::app::LOOK_BYTES;
use crate::app::state::Look;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::protocol::Seen;
use storescope::recovery::Place;
use storescope::recovery::trace::Image;
use storescope::view_model::byte_rows;
use storescope::view_model::{Tone, log_bars};
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct BytesProps {
    pub place: Option<Place>,
    pub look: Option<Look>,
    pub field: Option<usize>,
    pub on_field: Callback<Option<usize>>,
    /// Bytes from elsewhere in the same file.
    pub on_bytes: Callback<u64>,
}

#[component]
pub fn Bytes(props: &BytesProps) -> Html {
    let language = use_language();
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((props.field, props.look.clone()), move |(field, _)| {
            if field.is_some() {
                super::bytes::show_chosen(&node);
            }
        });
    }
    let say = |text: String| html! { <p class="quiet say">{ text }</p> };
    let content = match (&props.place, &props.look) {
        (None, _) => say(language.text("bytes.none").to_owned()),
        (Some(place), _) if place.image == Image::Missing => {
            return html! { <div class="bytes" id="bytes">{ say_missing(place, language) }</div> };
        }
        (Some(place), Some(look)) if look.place == *place => match &look.seen {
            None => say(language.text("bytes.waiting").to_owned()),
            Some(Err(error)) => {
                say(language.plain("bytes.error", &facts! { why = error.to_string() }))
            }
            Some(Ok(seen)) => shown(seen, props, language),
        },
        (Some(_), _) => say(language.text("bytes.waiting").to_owned()),
    };
    html! { <div class="bytes" id="bytes" ref={node} data-own-keys="true">{ content }</div> }
}

/// Scrolls the chosen field's first byte into view.
fn show_chosen(node: &NodeRef) {
    let Some(node) = node.cast::<web_sys::Element>() else {
        return;
    };
    for selector in [".hex .on", ".fields .on"] {
        if let Ok(Some(chosen)) = node.query_selector(selector) {
            let options = web_sys::ScrollIntoViewOptions::new();
            options.set_block(web_sys::ScrollLogicalPosition::Nearest);
            chosen.scroll_into_view_with_scroll_into_view_options(&options);
        }
    }
}

fn say_missing(place: &Place, language: Language) -> Html {
    let sentence = language.sentence("bytes.missing", &facts! { file = &place.file });
    html! { <p class="quiet say">{ super::sentence::show(&sentence) }</p> }
}

fn shown(seen: &Seen, props: &BytesProps, language: Language) -> Html {
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
    html! {
        <>
        <div class="place">
            <span title={seen.place.file.as_str().to_owned()}>{ language.plain("bytes.of-file", &head) }</span>
            <span class="quiet">{ language.text(image) }</span>
            { turn(props, "bytes.earlier", super::icons::back(), (seen.from > 0).then(|| seen.from.saturating_sub(LOOK_BYTES)), language) }
            { turn(props, "bytes.later", super::icons::forward(), (end < seen.file_size).then_some(end), language) }
        </div>
        if seen.bytes.is_empty() { <p class="quiet say">{ language.text("bytes.empty") }</p> }
        else {
            <div class="hex" tabindex="0" aria-label={language.text("bytes.bytes")}>
                { for rows.iter().map(|row| html! {
                    <div class="row">
                        <span class="at">{ format!("{:08x}", row.offset) }</span>
                        <span class="hexes">{ for row.runs.iter().map(|run| {
                            let field = run.field;
                            let class = classes!(
                                "run",
                                field.map(|field| format!("f{}", field % 6)),
                                run.wrong.then_some("wrong"),
                                (run.zero && field.is_none()).then_some("zero"),
                                (field.is_some() && field == props.field).then_some("on"),
                            );
                            let name = field.and_then(|field| seen.fields.rows.get(field)).map(|field| field.name.clone());
                            html! { <span {class} title={name} onclick={props.on_field.reform(move |_| field)}>{ &run.hex }</span> }
                        }) }</span>
                        <span class="ascii">{ &row.text }</span>
                    </div>
                }) }
            </div>
        }
        <div class="field-area" tabindex="0">
            if !seen.fields.rows.is_empty() { { fields(seen, props, language) } }
            if let Some(why) = &seen.fields.stopped {
                <p class="stopped">{ language.plain("bytes.stopped", &facts! { why = why.as_str() }) }</p>
            }
        </div>
        </>
    }
}

/// A button to the bytes before or behind; there is none at the ends of the file.
fn turn(
    props: &BytesProps,
    key: &'static str,
    icon: Html,
    to: Option<u64>,
    language: Language,
) -> Html {
    let label = language.text(key);
    let onclick = to.map(|from| props.on_bytes.reform(move |_: MouseEvent| from));
    html! { <button class="turn" disabled={to.is_none()} title={label} aria-label={label} {onclick}>{ icon }</button> }
}

fn fields(seen: &Seen, props: &BytesProps, language: Language) -> Html {
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
                let chosen = props.field == Some(at);
                let value = byte_rows::value(&row.value, &differs);
                let (start, visible) = (row.start, shown.contains(&row.start));
                let choose = {
                    let (on_field, on_bytes) = (props.on_field.clone(), props.on_bytes.clone());
                    Callback::from(move |_: MouseEvent| {
                        on_field.emit(if chosen { None } else { Some(at) });
                        if !visible && !chosen {
                            on_bytes.emit(start);
                        }
                    })
                };
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
