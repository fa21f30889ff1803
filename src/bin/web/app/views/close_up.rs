//! The map's log row from near: records with their names, and then bytes under their fields.

use super::legend::fill;
use super::recovery::{CloseUp, Msg, Recovery};
use super::strip::NAMES;
use super::{Shown, magnifier};
use storescope::brokers::RecordKind;
use storescope::facts;
use storescope::view_model::close_up;
use storescope::view_model::magnifier::Known;
use storescope::view_model::scale::Scale;
use storescope::view_model::timeline;
use yew::html::Scope;
use yew::prelude::*;

/// A byte's hex has room from here on.
const HEX_FITS: f64 = 15.0;

pub fn close_up(
    shown: &Shown<'_>,
    near: &CloseUp,
    scale: &Scale,
    (y, height): (f64, f64),
    link: &Scope<Recovery>,
) -> Html {
    html! {
        <g class="close-up">
            { records(shown, near, scale, (y, height), link) }
            { bytes(near, scale, y + height) }
        </g>
    }
}

fn records(
    shown: &Shown<'_>,
    near: &CloseUp,
    scale: &Scale,
    (y, height): (f64, f64),
    link: &Scope<Recovery>,
) -> Html {
    let Some(Ok(records)) = &near.records else {
        return html! {};
    };
    let known = Known {
        read: &shown.now.log,
        end: timeline::process_offset(shown.now),
    };
    let boxes = close_up::records(records, scale, &known);
    boxes
        .iter()
        .filter_map(|one| {
            let record = records.get(one.record)?;
            let place = record.place.clone();
            let title = shown.language.plain(
                "zoom.record",
                &facts! {
                    label = record.label.as_str(),
                    bytes = record.place.length,
                    offset = record.log_offset,
                    kind = magnifier::kind(record.kind, shown.language),
                },
            );
            let x = NAMES + one.x;
            let label = if record.kind == RecordKind::Message {
                one.label.as_deref()
            } else {
                (one.width >= magnifier::WORDS_FIT)
                    .then(|| magnifier::kind(record.kind, shown.language))
            };
            Some(html! {
                <g class={classes!("record", format!("record-{}", one.tone.word()))} data-offset={record.log_offset.to_string()}
                    onclick={link.callback(move |_: MouseEvent| Msg::Record(place.clone()))}>
                    <title>{ title }</title>
                    <rect fill={fill(one.tone)} x={px(x)} y={px(y)} width={px(one.width - 1.0)} height={px(height)} />
                    if let Some(label) = label { <text x={px(x + 6.0)} y={px(y + 19.0)}>{ label.to_owned() }</text> }
                </g>
            })
        })
        .collect()
}

fn bytes(near: &CloseUp, scale: &Scale, y: f64) -> Html {
    let Some(Ok(seen)) = &near.bytes else {
        return html! {};
    };
    let boxes = close_up::bytes(seen, near.file_start, scale);
    let mut last = None;
    boxes
        .iter()
        .map(|byte| {
            // A field's name stands over its first byte.
            let is_first = byte.field != last;
            last = byte.field;
            let x = NAMES + byte.x;
            let class = classes!("near-byte", byte.field.map(|field| format!("f{}", field % 6)));
            html! {
                <g {class}>
                    <title>{ &byte.name }</title>
                    if byte.width >= HEX_FITS {
                        <text class="mono" x={px(x + byte.width / 2.0)} y={px(y + 10.0)} text-anchor="middle">{ &byte.hex }</text>
                    }
                    if is_first { <path d={format!("M{} {}v12", px(x), px(y))} /> }
                </g>
            }
        })
        .collect()
}

fn px(number: f64) -> String {
    format!("{number:.1}")
}
