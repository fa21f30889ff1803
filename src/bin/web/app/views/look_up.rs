//! What the broker's own readers find: a key's hash chain, and the units that a consumer passes.

use super::{ViewProps, sentence};
use storescope::brokers::rows::{FileLookUp, LookUp, Pull, RowFate, Target, Why};
use storescope::decode::Value;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::view_model::route::{Route, View};
use yew::prelude::*;

/// A button to the message that something points to.
pub fn to_message(target: &Target, props: &ViewProps, go: Callback<Box<Route>>) -> Html {
    let place = Place {
        image: storescope::recovery::trace::Image::Before,
        ..target.place.clone()
    };
    let to = props.route.at(View::Messages, place);
    let cut = target.fate == RowFate::Cut;
    html! {
        <p class="to-message">
            <button class="small" data-message={target.log_offset.to_string()} onclick={move |_| go.emit(Box::new(to.clone()))}>
                { &target.label }<span class="quiet">{ format!(" @ {}", numbers::grouped(target.log_offset)) }</span>
            </button>
            if cut { <span class="badge fate-cut">{ props.language.text("row.fate.cut") }</span> }
        </p>
    }
}

fn why(group: &str, why: &Why, language: Language) -> Html {
    sentence::show(&language.sentence(&format!("{group}.{}", why.id), &why.facts))
}

pub fn looked_up(found: &LookUp, props: &ViewProps, go: Callback<Box<Route>>) -> Html {
    let language = props.language;
    let hits = found.found.iter().filter(|found| found.has_key).count();
    html! {
        <div id="looked-up" data-found={hits.to_string()}>
            <p>{ sentence::show(&language.sentence("look.hashed", &facts! { text = found.hashed.as_str(), hash = found.hash })) }</p>
            <p><b>{ language.plain("look.result", &facts! { n = hits }) }</b></p>
            <ol class="found-list">{ for found.found.iter().map(|one| html! {
                <li data-has-key={one.has_key.to_string()}>
                    if let Some(target) = &one.target { { to_message(target, props, go.clone()) } }
                    else { <code>{ numbers::grouped(one.log_offset) }</code> }
                    <span class={classes!((!one.has_key).then_some("quiet"))}>{ why("found", &one.why, language) }</span>
                </li>
            }) }</ol>
            { for found.files.iter().map(|file| one_file(file, language)) }
        </div>
    }
}

fn one_file(file: &FileLookUp, language: Language) -> Html {
    let time = |name: &str| {
        let field = file.head.rows.iter().find(|row| row.name == name);
        match field.map(|row| &row.value) {
            Some(Value::Time(ms)) => numbers::time(*ms),
            _ => "–".to_owned(),
        }
    };
    html! {
        <section class="chain" data-file={file.file.as_str().to_owned()}>
            <h4 class="mono">{ file.file.name() }</h4>
            <p class="quiet">{ format!("{} – {}", time("beginTimestamp"), time("endTimestamp")) }</p>
            <p>{ why("look", &file.why, language) }</p>
            if let Some(slot) = &file.slot {
                <p>{ sentence::show(&language.sentence("look.slot", &facts! { slot = slot.number, entry = slot.value })) }</p>
            }
            if !file.chain.is_empty() {
                <table class="list chain-table">
                    <thead><tr>
                        { for ["look.entry", "look.time", "lists.message", "lists.note"].map(|key| html! { <th scope="col">{ language.text(key) }</th> }) }
                    </tr></thead>
                    <tbody>{ for file.chain.iter().map(|link| html! {
                        <tr class={classes!(link.taken.then_some("taken"))}>
                            <td class="number">{ numbers::grouped(link.entry.number) }</td>
                            <td>{ numbers::time(link.time_ms) }</td>
                            <td>{ link.entry.target.as_ref().map(|target| target.label.clone()).unwrap_or_default() }</td>
                            <td>{ why("chain", &link.why, language) }</td>
                        </tr>
                    }) }</tbody>
                </table>
            }
            if let Some(ended) = &file.ended { <p class="quiet">{ why("chain.end", ended, language) }</p> }
        </section>
    }
}

pub fn pulled(pull: &Pull, props: &ViewProps, go: Callback<Box<Route>>) -> Html {
    let language = props.language;
    let key = format!("pull.{}", pull.status);
    html! {
        <div id="pulled" data-status={pull.status.clone()} data-taken={pull.units.iter().filter(|unit| unit.taken).count().to_string()}>
            <p><b class="mono">{ &pull.status }</b>{ " " }{ language.find(&key).unwrap_or("") }</p>
            <p class="quiet">{ language.plain("pull.bounds", &facts! { min = pull.min_offset, max = pull.max_offset, next = pull.next_offset }) }</p>
            if !pull.codes.is_empty() {
                <p class="quiet">{ for pull.codes.iter().map(|(tag, code)| html! { <><code>{ format!("{tag} → {code}") }</code>{ " " }</> }) }</p>
            }
            <ol class="found-list">{ for pull.units.iter().map(|unit| html! {
                <li data-taken={unit.taken.to_string()}>
                    <span class="no">{ format!("#{} × 20 = {}", unit.entry.number, numbers::grouped(unit.entry.number.saturating_mul(20))) }</span>
                    if let Some(target) = &unit.entry.target { { to_message(target, props, go.clone()) } }
                    <span class={classes!((!unit.taken).then_some("quiet"))}>{ why("pulled", &unit.why, language) }</span>
                </li>
            }) }</ol>
        </div>
    }
}
