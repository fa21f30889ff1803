//! A sentence of the language files as elements: strong, mono, and the exact value in a title.

use storescope::language::{Look, Sentence};
use yew::prelude::*;

pub fn show(sentence: &Sentence) -> Html {
    sentence
        .0
        .iter()
        .map(|span| {
            let title = span.title.clone();
            let text = span.text.clone();
            match span.look {
                Look::Plain if title.is_none() => html! { { text } },
                Look::Plain => html! { <span {title}>{ text }</span> },
                Look::Strong => html! { <b {title}>{ text }</b> },
                Look::Mono => html! { <code {title}>{ text }</code> },
            }
        })
        .collect()
}
