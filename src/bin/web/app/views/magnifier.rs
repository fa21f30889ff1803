//! The records around the selected step's point of the log, one box each. A click shows a record's bytes.

use super::legend::fill;
use super::strip::NAMES;
use super::use_language;
use super::width::use_width;
use crate::app::state::{Loaded, Records, Shared};
use storescope::brokers::{Record, RecordKind};
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::recovery::map::MapNow;
use storescope::view_model::magnifier::{self, Known, RecordBox};
use storescope::view_model::timeline;
use yew::prelude::*;

#[derive(Clone, PartialEq, Properties)]
pub struct MagnifierProps {
    pub loaded: Shared<Loaded>,
    pub now: Shared<MapNow>,
    pub selected: u32,
    pub records: Option<Records>,
    pub chosen: Option<Place>,
    pub on_record: Callback<Place>,
}

#[component]
pub fn Magnifier(props: &MagnifierProps) -> Html {
    let language = use_language();
    let node = use_node_ref();
    let width = use_width(node.clone());
    let room = (width - NAMES - 8.0).max(1.0);
    let known = Known {
        read: &props.now.log,
        end: timeline::process_offset(&props.now),
    };
    let content = match props
        .records
        .as_ref()
        .and_then(|asked| Some((asked.around, asked.records.as_ref()?)))
    {
        None => {
            html! { <text class="count" x={(NAMES + 12.0).to_string()} y="34">{ language.text("bytes.waiting") }</text> }
        }
        Some((_, Err(error))) => html! {
            <text class="count" x={(NAMES + 12.0).to_string()} y="34">{ language.plain("zoom.error", &facts! { why = error.to_string() }) }</text>
        },
        Some((_, Ok(records))) if records.is_empty() => html! {
            <text class="count" x={(NAMES + 12.0).to_string()} y="34">{ language.text("zoom.none") }</text>
        },
        Some((around, Ok(records))) => {
            let boxes = magnifier::boxes(records, around, &known, room);
            boxes
                .iter()
                .filter_map(|one| Some(record(one, records.get(one.record)?, props, language)))
                .collect()
        }
    };
    let around = props
        .records
        .as_ref()
        .map(|asked| numbers::grouped(asked.around));
    html! {
        <div ref={node} class="zoom" id="zoom">
            <svg width={width.to_string()} height="58" role="group" aria-label={language.text("zoom.head")}>
                <text class="name" x="0" y="26">{ language.text("zoom.head") }</text>
                <text class="mono count" x="0" y="41">{ around }</text>
                <rect class="frame" x={NAMES.to_string()} y="1" width={(width - NAMES - 1.0).max(1.0).to_string()} height="55" rx="4" />
                { content }
            </svg>
        </div>
    }
}

/// What a record is, in a word or two, fits from here on.
const WORDS_FIT: f64 = 100.0;

fn record(one: &RecordBox, record: &Record, props: &MagnifierProps, language: Language) -> Html {
    let chosen = props
        .chosen
        .as_ref()
        .map_or(one.chosen, |place| *place == record.place);
    let title = language.plain("zoom.record", &facts! {
        label = record.label.as_str(), bytes = record.place.length, offset = record.log_offset, kind = kind(record.kind, language),
    });
    let pick = {
        let (place, on_record) = (record.place.clone(), props.on_record.clone());
        move || on_record.emit(place.clone())
    };
    let onclick = {
        let pick = pick.clone();
        Callback::from(move |_: MouseEvent| pick())
    };
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            pick();
        }
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

fn kind(kind: RecordKind, language: Language) -> &'static str {
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
