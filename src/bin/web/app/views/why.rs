//! Why a step came: its rule, as the decision table has it, and where the broker's source says so.

use super::{Shown, sentence};
use storescope::brokers;
use storescope::facts;
use storescope::language::numbers;
use storescope::view_model::steps;
use yew::prelude::*;

pub fn why(shown: &Shown<'_>) -> Html {
    let language = shown.language;
    let outcome = &shown.loaded.outcome;
    let Some(step) = steps::step(&outcome.trace, shown.selected) else {
        return html! {};
    };
    let Some(rule) = brokers::rule(&step.rule) else {
        return html! {};
    };
    let part = |name: &str| {
        let key = format!("rule.{}.{name}", rule.id);
        language
            .find(&key)
            .map(|_| sentence::show(&language.sentence(&key, &step.facts)))
    };
    let family = outcome.broker.family.as_str();
    let releases = match rule.until {
        Some(until) => language.plain(
            "rule.until",
            &facts! { family = family, since = rule.since, until = until },
        ),
        None => language.plain(
            "rule.since",
            &facts! { family = family, since = rule.since },
        ),
    };
    html! {
        <div class="why" id="why" data-rule={rule.id}>
            <dl>
                if let Some(when) = part("when") { <dt>{ language.text("why.when") }</dt><dd>{ when }</dd> }
                if let Some(then) = part("then") { <dt>{ language.text("why.then") }</dt><dd>{ then }</dd> }
                <dt>{ language.text("why.source") }</dt><dd><code>{ rule.source }</code><br />{ releases }</dd>
            </dl>
            <p class="quiet"><code>{ rule.id }</code></p>
            if !step.tally.is_empty() {
                <table class="tally">
                    <caption>{ language.text("why.tally") }</caption>
                    { for step.tally.iter().map(|(id, count)| html! {
                        <tr><th scope="row">{ sentence::show(&steps::tally_sentence(id, language)) }</th>
                        <td>{ numbers::grouped(i64::try_from(*count).unwrap_or(i64::MAX)) }</td></tr>
                    }) }
                </table>
            }
        </div>
    }
}
