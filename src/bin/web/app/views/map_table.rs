//! The map's table twin. Always on the page, for screen readers and tests; seen when asked for.

use super::Shown;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::map::LaneKind;
use storescope::view_model::changed::Changed;
use storescope::view_model::map_table::{self, FileLine, LaneLine, MarkLine};
use yew::prelude::*;

/// Rows of a kind: what a person scrolls through, and, while it is only there for screen readers and tests, what the page is quick
/// with at every step.
const ROWS: usize = 300;
const HIDDEN_ROWS: usize = 120;

pub fn map_table(shown: &Shown<'_>, changed: &Changed, visible: bool) -> Html {
    let language = shown.language;
    let most = if visible { ROWS } else { HIDDEN_ROWS };
    let table = map_table::table(&shown.loaded.outcome, shown.now, changed, most);
    let text = |key| language.text(key);
    let more = |rows: usize, columns: usize| {
        let hidden = rows.saturating_sub(most);
        html! {
            if hidden > 0 {
                <tr class="more"><td colspan={columns.to_string()}>{ language.plain("table.more", &facts! { n = hidden }) }</td></tr>
            }
        }
    };
    let heads = |keys: &[&'static str]| -> Html {
        keys.iter()
            .map(|key| html! { <th scope="col">{ text(key) }</th> })
            .collect()
    };
    let group = |key, columns: usize| {
        html! {
            <tr class="group"><th scope="colgroup" colspan={columns.to_string()}>{ text(key) }</th></tr>
        }
    };
    html! {
        <div class={classes!("table-area", (!visible).then_some("visually-hidden"))} tabindex={visible.then_some("0")}
            data-own-keys={visible.then_some("true")}>
            <table id="map-table" data-step={shown.selected.to_string()} data-files={table.all_files.to_string()}
                data-lanes={table.all_lanes.to_string()}>
                <caption>{ language.plain("table.title", &facts! { step = shown.selected, of = shown.of() }) }</caption>
                <tbody>
                    { group("table.marks", 7) }
                    <tr>{ heads(&["table.mark", "table.value"]) }</tr>
                    { for table.marks.iter().map(|line| mark(line, language)) }
                </tbody>
                <tbody>
                    { group("table.files", 7) }
                    <tr>{ heads(&["table.file", "table.lane", "table.start", "table.size", "table.wrote", "table.fate"]) }</tr>
                    { for table.files.iter().map(|line| file(line, language)) }
                    { more(table.all_files, 7) }
                </tbody>
                <tbody>
                    { group("table.lanes", 7) }
                    <tr>{ heads(&["table.lane", "table.end", "table.log-offset", "table.rebuilt", "table.cut"]) }</tr>
                    { for table.lanes.iter().map(|line| lane(line, language)) }
                    { more(table.all_lanes, 7) }
                </tbody>
            </table>
        </div>
    }
}

fn mark(line: &MarkLine, language: Language) -> Html {
    let is_time = line.name.ends_with("Timestamp");
    let value = match line.value {
        Some(time) if is_time && time > 0 => numbers::time(time),
        Some(value) => numbers::grouped(value),
        None => language.text("table.not-known").to_owned(),
    };
    html! {
        <tr class={line.changed.then_some("changed")} data-row="mark" data-mark={line.name.clone()} data-value={line.value.map(|value| value.to_string())}>
            <th scope="row">{ &line.name }</th><td class="number" colspan="2">{ value }</td>
        </tr>
    }
}

fn file(line: &FileLine, language: Language) -> Html {
    let number = |value: u64| numbers::grouped(i64::try_from(value).unwrap_or(i64::MAX));
    let fate = match line.fate {
        _ if line.deleted => language.text("fate.deleted"),
        _ if line.created => language.text("fate.created"),
        Some(fate) => language
            .find(&format!("fate.{}", map_table::fate_word(fate)))
            .unwrap_or(""),
        None => "",
    };
    html! {
        <tr class={line.changed.then_some("changed")} data-row="file" data-path={line.path.clone()} data-start={line.start.to_string()} data-size={line.size.to_string()}
            data-wrote={line.wrote.to_string()} data-deleted={line.deleted.to_string()} data-created={line.created.to_string()}
            data-fate={line.fate.map(map_table::fate_word)}>
            <th scope="row">{ &line.path }</th><td>{ &line.lane }</td>
            <td class="number">{ numbers::grouped(line.start) }</td><td class="number">{ number(line.size) }</td>
            <td class="number">{ number(line.wrote) }</td><td>{ fate }</td>
        </tr>
    }
}

fn lane(line: &LaneLine, language: Language) -> Html {
    let kind = if line.kind == LaneKind::Index {
        "index"
    } else {
        "queue"
    };
    let entries = if line.known {
        numbers::grouped(line.entries)
    } else {
        language.text("table.not-known").to_owned()
    };
    let offset = if line.known {
        numbers::grouped(line.log_offset)
    } else {
        String::new()
    };
    html! {
        <tr class={line.changed.then_some("changed")} data-row="lane" data-kind={kind} data-lane={line.name.clone()} data-known={line.known.to_string()}
            data-entries={line.entries.to_string()} data-log-offset={line.log_offset.to_string()}
            data-rebuilt={line.rebuilt.to_string()} data-cut={line.cut.to_string()}>
            <th scope="row">{ &line.name }</th><td class="number">{ entries }</td><td class="number">{ offset }</td>
            <td class="number">{ numbers::grouped(line.rebuilt) }</td><td class="number">{ numbers::grouped(line.cut) }</td>
        </tr>
    }
}
