//! The records around the selected step's point of the log, one box each. A click shows a record's bytes.

use super::Shown;
use super::legend::fill;
use super::recovery::{Msg, Records, Recovery};
use super::strip::NAMES;
use storescope::brokers::{Record, RecordKind};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::view_model::magnifier::{self, Known, RecordBox};
use storescope::view_model::timeline;
use yew::html::Scope;
use yew::prelude::*;

pub fn magnifier(
    shown: &Shown<'_>,
    asked: Option<&Records>,
    chosen: Option<&Place>,
    link: &Scope<Recovery>,
) -> Html {
    let language = shown.language;
    let say = |text: String| html! { <text class="count" x={(NAMES + 12.0).to_string()} y="34">{ text }</text> };
    let content = match asked.and_then(|asked| Some((asked.around, asked.records.as_ref()?))) {
        None => say(language.text("bytes.waiting").to_owned()),
        Some((_, Err(error))) => {
            say(language.plain("zoom.error", &facts! { why = error.to_string() }))
        }
        Some((_, Ok(records))) if records.is_empty() => say(language.text("zoom.none").to_owned()),
        Some((around, Ok(records))) => {
            let known = Known {
                read: &shown.now.log,
                end: timeline::process_offset(shown.now),
            };
            let boxes = magnifier::boxes(
                records,
                around,
                &known,
                (shown.width - NAMES - 8.0).max(1.0),
            );
            let show = |one: &RecordBox| {
                Some(record_box(
                    one,
                    records.get(one.record)?,
                    chosen,
                    language,
                    link,
                ))
            };
            boxes.iter().filter_map(show).collect()
        }
    };
    let around = asked.map(|asked| numbers::grouped(asked.around));
    html! {
        <div class="zoom" id="zoom">
            <svg width={shown.width.to_string()} height="58" role="group" aria-label={language.text("zoom.head")}>
                <text class="name" x="0" y="26">{ language.text("zoom.head") }</text>
                <text class="mono count" x="0" y="41">{ around }</text>
                <rect class="frame" x={NAMES.to_string()} y="1" width={(shown.width - NAMES - 1.0).max(1.0).to_string()} height="55" rx="4" />
                { content }
            </svg>
        </div>
    }
}

/// What a record is, in a word or two, fits from here on.
pub const WORDS_FIT: f64 = 100.0;

fn record_box(
    one: &RecordBox,
    record: &Record,
    chosen: Option<&Place>,
    language: Language,
    link: &Scope<Recovery>,
) -> Html {
    let chosen = chosen.map_or(one.chosen, |place| *place == record.place);
    let title = facts! {
        label = record.label.as_str(), bytes = record.place.length, offset = record.log_offset, kind = kind(record.kind, language),
    };
    let title = language.plain("zoom.record", &title);
    let place = record.place.clone();
    let onclick = link.callback(move |_: MouseEvent| Msg::Record(place.clone()));
    let place = record.place.clone();
    let onkeydown = link.batch_callback(move |event: KeyboardEvent| {
        let pressed = matches!(event.key().as_str(), "Enter" | " ");
        if pressed {
            event.prevent_default();
        }
        pressed.then(|| Msg::Record(place.clone()))
    });
    let x = NAMES + 4.0 + one.x;
    let words = kind(record.kind, language);
    let label = one
        .label
        .clone()
        .or_else(|| (one.width >= WORDS_FIT).then(|| words.to_owned()));
    html! {
        <g class={classes!("record", format!("record-{}", one.tone.word()), chosen.then_some("chosen"))} role="button" tabindex="0"
            aria-label={title.clone()} data-offset={record.log_offset.to_string()} data-kind={kind_word(record.kind)} {onclick} {onkeydown}>
            <title>{ title }</title>
            <rect fill={fill(one.tone)} x={format!("{x:.1}")} y="8" width={format!("{:.1}", one.width)} height="41" rx="2" />
            if let Some(label) = label { <text x={format!("{:.1}", x + 6.0)} y="33">{ label }</text> }
        </g>
    }
}

pub fn kind(kind: RecordKind, language: Language) -> &'static str {
    language.text(match kind {
        RecordKind::Message => "zoom.kind.message",
        RecordKind::Bad => "zoom.kind.bad",
        RecordKind::Blank => "zoom.kind.blank",
        RecordKind::Zeros => "zoom.kind.zeros",
        RecordKind::Unknown => "zoom.kind.unknown",
    })
}

fn kind_word(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Message => "message",
        RecordKind::Bad => "bad",
        RecordKind::Blank => "blank",
        RecordKind::Zeros => "zeros",
        RecordKind::Unknown => "unknown",
    }
}
