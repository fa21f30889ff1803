//! One message: its fields, its properties, its body as text, as JSON or in hex.

use super::copying;
use storescope::brokers::rows::OpenMessage;
use storescope::decode::Value;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::view_model::byte_rows;
use yew::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    Fields,
    Properties,
    Text,
    Json,
    Hex,
    Bytes,
}

impl Tab {
    pub const ALL: [Self; 6] = [
        Self::Fields,
        Self::Properties,
        Self::Text,
        Self::Json,
        Self::Hex,
        Self::Bytes,
    ];

    pub fn word(self) -> &'static str {
        match self {
            Self::Fields => "fields",
            Self::Properties => "properties",
            Self::Text => "text",
            Self::Json => "json",
            Self::Hex => "hex",
            Self::Bytes => "bytes",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Fields => "bytes.fields",
            Self::Properties => "message.properties",
            Self::Text => "message.text",
            Self::Json => "message.json",
            Self::Hex => "message.hex",
            Self::Bytes => "bytes.bytes",
        }
    }
}

/// What the message is called: its topic, or where it stands.
pub fn heading(message: &OpenMessage, place: &Place) -> String {
    let topic = message.fields.rows.iter().find_map(|row| match &row.value {
        Value::Text(topic) if row.name == "topic" => Some(topic.clone()),
        _ => None,
    });
    let number = |name: &str| {
        message.fields.rows.iter().find_map(|row| match row.value {
            Value::Int(number) if row.name == name => Some(number),
            _ => None,
        })
    };
    match (topic, number("queueId"), number("queueOffset")) {
        (Some(topic), Some(queue), Some(offset)) => format!("{topic}/{queue} #{offset}"),
        (Some(topic), ..) => topic,
        _ => format!("{} @ {}", place.file, place.offset),
    }
}

pub fn panel(tab: Tab, message: &OpenMessage, copy: &Callback<String>, language: Language) -> Html {
    match tab {
        Tab::Fields => fields(message, language),
        Tab::Properties => properties(message, language),
        Tab::Text | Tab::Json | Tab::Hex => body(tab, message, copy, language),
        Tab::Bytes => html! {},
    }
}

fn fields(message: &OpenMessage, language: Language) -> Html {
    let differs = |stored: &str, computed: &str| {
        language.plain(
            "bytes.differs",
            &facts! { stored = stored, computed = computed },
        )
    };
    html! {
        <>
        <table class="fields wide" id="message-fields">
            { for message.fields.rows.iter().map(|row| {
                let wrong = matches!(row.value, Value::Differs { .. });
                html! {
                    <tr class={wrong.then_some("wrong")} data-field={row.name.clone()}>
                        <th scope="row">{ &row.name }</th><td>{ byte_rows::value(&row.value, &differs) }</td>
                    </tr>
                }
            }) }
        </table>
        if let Some(why) = &message.fields.stopped {
            <p class="stopped">{ language.plain("bytes.stopped", &facts! { why = why.as_str() }) }</p>
        }
        </>
    }
}

fn properties(message: &OpenMessage, language: Language) -> Html {
    if message.properties.is_empty() {
        return html! { <p class="quiet say">{ language.text("message.no-properties") }</p> };
    }
    html! {
        <table class="fields wide" id="message-properties">
            { for message.properties.iter().map(|(name, value)| html! {
                <tr data-property={name.clone()}><th scope="row">{ name }</th><td>{ value }</td></tr>
            }) }
        </table>
    }
}

fn body(tab: Tab, message: &OpenMessage, copy: &Callback<String>, language: Language) -> Html {
    if message.body_bytes == 0 {
        return html! { <p class="quiet say">{ language.text("message.no-body") }</p> };
    }
    let shown = message.body.len() as u64;
    let rest = message.body_bytes.saturating_sub(shown);
    let text = || String::from_utf8_lossy(&message.body).into_owned();
    let content = match tab {
        Tab::Hex => hex(message),
        Tab::Json => match serde_json::from_slice::<serde_json::Value>(&message.body) {
            Ok(json) => {
                let pretty = serde_json::to_string_pretty(&json).unwrap_or_else(|_| text());
                html! { <pre id="message-body">{ pretty }</pre> }
            }
            Err(error) => html! {
                <p class="quiet say" id="message-body">{ language.plain("message.no-json", &facts! { why = error.to_string() }) }</p>
            },
        },
        _ => html! { <pre id="message-body">{ text() }</pre> },
    };
    html! {
        <>
        if message.compressed { <p class="quiet">{ language.text("message.compressed") }</p> }
        if tab == Tab::Hex { <p>{ copying::bytes_buttons(&message.body, copy, language) }</p> }
        { content }
        if rest > 0 { <p class="quiet">{ language.plain("message.more", &facts! { bytes = rest }) }</p> }
        </>
    }
}

fn hex(message: &OpenMessage) -> Html {
    const MOST: usize = 8 << 10;
    let bytes = message.body.get(..MOST).unwrap_or(&message.body);
    let rows = byte_rows::rows_of(16, message.body_at, bytes, None);
    html! {
        <div class="hex wide" id="message-body" tabindex="0">
            { for rows.iter().map(|row| html! {
                <div class="row">
                    <span class="at" title={numbers::grouped(i64::try_from(row.offset).unwrap_or(i64::MAX))}>{ format!("{:08x}", row.offset) }</span>
                    <span class="hexes">{ for row.runs.iter().map(|run| html! { <span class="run">{ &run.hex }</span> }) }</span>
                    <span class="ascii">{ &row.text }</span>
                </div>
            }) }
        </div>
    }
}
