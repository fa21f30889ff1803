//! What the broker has read, written and taken away so far, and how much of it in this step.

use super::Shown;
use storescope::facts;
use storescope::language::numbers;
use storescope::view_model::changed::{self, Counter};
use yew::prelude::*;

pub fn counters(shown: &Shown<'_>) -> Html {
    let counters = changed::counters(shown.before, shown.now);
    html! {
        <dl class="counters" id="counters" aria-label={shown.language.text("counter.label")}>
            <dt class="head">{ shown.language.text("counter.label") }</dt>
            { for counters.iter().map(|counter| one(counter, shown)) }
        </dl>
    }
}

fn one(counter: &Counter, shown: &Shown<'_>) -> Html {
    let language = shown.language;
    let number = |value: i64| {
        if counter.is_bytes {
            numbers::bytes(value)
        } else {
            numbers::grouped(value)
        }
    };
    let more = (counter.more != 0).then(|| {
        let more = facts! { more = number(counter.more) };
        language.plain("counter.more", &more)
    });
    let label = language
        .find(&format!("counter.{}", counter.id))
        .unwrap_or("");
    html! {
        <div class={classes!("counter", format!("counter-{}", counter.id), more.is_some().then_some("changed"))} data-counter={counter.id}
            data-value={counter.value.to_string()} data-more={counter.more.to_string()} title={numbers::grouped(counter.value)}>
            <dd>{ number(counter.value) }if let Some(more) = more { <b>{ more }</b> }</dd><dt>{ label }</dt>
        </div>
    }
}
