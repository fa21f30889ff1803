//! The map: space. The log by physical offset, queues and index below it on the same axis, marks across all of them.

use super::Shown;
use super::legend::fill;
use super::strip::NAMES;
use storescope::facts;
use storescope::language::{Language, numbers};
use storescope::recovery::Place;
use storescope::view_model::changed::Changed;
use storescope::view_model::lane_choice::LaneChoice;
use storescope::view_model::lanes::LaneRow;
use storescope::view_model::scale::Scale;
use storescope::view_model::timeline::{self, Line, Timeline, Wanted};
use storescope::view_model::{Bar, Tone};
use yew::prelude::*;

/// Which queues have a row.
#[derive(Clone, PartialEq)]
pub enum Queues {
    /// The first screen's picture.
    Picture,
    /// The first ones, or all; and how to change that.
    Few(Callback<()>),
    All(Callback<()>),
}

/// Queues shown before a person asks for more, and then.
const FEW_QUEUES: usize = 8;
const COMPACT_QUEUES: usize = 4;
const MANY_QUEUES: usize = 400;

// Rows from top to bottom.
const AXIS: f64 = 14.0;
const CLOCK: f64 = 40.0;
const LOG: f64 = 52.0;
const LOG_HEIGHT: f64 = 30.0;
const QUEUES: f64 = LOG + LOG_HEIGHT + 16.0;
const QUEUE_PITCH: f64 = 15.0;
const QUEUE_HEIGHT: f64 = 9.0;
/// From here on a file's box has room for its name and that it is deleted.
const DELETED_FITS: f64 = 150.0;

/// How the map is looked at.
pub struct MapLook<'m> {
    pub rows: Queues,
    /// The log offsets that are seen; None: all.
    pub window: Option<(i64, i64)>,
    /// The queues that may have a row, in order.
    pub queues: &'m [(usize, String)],
    /// Which of them are pinned, and how to change that.
    pub pins: Option<(&'m LaneChoice, Callback<String>)>,
    /// What the selected step did, to be marked.
    pub changed: &'m Changed,
    /// Drawn over the log's row: records and bytes, from near.
    pub over: &'m dyn Fn(&Scale, (f64, f64)) -> Html,
}

pub fn map(shown: &Shown<'_>, place: Option<&Place>, look: &MapLook<'_>) -> Html {
    let language = shown.language;
    let rows = &look.rows;
    let timeline = timeline::timeline(&Wanted {
        outcome: &shown.loaded.outcome,
        ground: &shown.loaded.ground,
        now: shown.now,
        place,
        width: (shown.width - NAMES).max(1.0),
        window: look.window,
        queues: look.queues,
        changed: look.changed,
        queue_rows: match rows {
            Queues::Picture => COMPACT_QUEUES,
            Queues::Few(_) => FEW_QUEUES,
            Queues::All(_) => MANY_QUEUES,
        },
        language,
    });
    let more = QUEUES + timeline.queues.len().max(1) as f64 * QUEUE_PITCH;
    let toggle = match rows {
        Queues::Few(toggle) if timeline.more > 0 => Some((
            toggle,
            language.plain("map.more-queues", &facts! { n = timeline.more }),
        )),
        Queues::All(toggle) => Some((toggle, language.text("map.less-queues").to_owned())),
        Queues::Few(_) | Queues::Picture => None,
    };
    let index = more + if toggle.is_some() { 20.0 } else { 6.0 };
    let marks = index + 26.0;
    let height = marks + 38.0;
    html! {
        <div class="map">
            <svg id="map" width={px(shown.width)} height={px(height)} role="group"
                aria-label={timeline::summary(&timeline, shown.selected, shown.of(), language)}>
                { axis(&timeline, language) }
                { clock(&timeline, language) }
                { log(&timeline, language) }
                { (look.over)(&timeline.scale, (LOG, LOG_HEIGHT)) }
                { queues(&timeline, look, language) }
                if let Some((toggle, label)) = toggle { { more_queues(toggle, label, matches!(rows, Queues::All(_)), more) } }
                <text class="name" x="0" y={px(index + 10.0)}>{ language.text("map.index") }</text>
                <text class="count" x="48" y={px(index + 10.0)}>
                    { language.plain("map.index-files", &facts! { n = timeline.index_files }) }
                </text>
                { lane_bars(&timeline.index, index, 12.0) }
                { times(&timeline, marks, language) }
                { changed(&timeline) }
                { spot(&timeline) }
                { process_offset(&timeline, marks, language) }
            </svg>
        </div>
    }
}

fn px(number: f64) -> String {
    format!("{number:.1}")
}

fn axis(timeline: &Timeline, language: Language) -> Html {
    let width = timeline.scale.width;
    html! {
        <g class="axis">
            <text class="name" x="0" y={px(AXIS + 4.0)}>{ language.text("map.axis") }</text>
            <path class="line" d={format!("M{NAMES} {}H{}", AXIS - 6.0, NAMES + width)} />
            { for timeline.ticks.iter().map(|tick| {
                let anchor = if tick.x > width - 60.0 { "end" } else if tick.x < 40.0 { "start" } else { "middle" };
                html! {
                    <g>
                        <path class="line" d={format!("M{} {}v5", px(NAMES + tick.x), AXIS - 8.0)} />
                        <text class="mono" x={px(NAMES + tick.x)} y={px(AXIS + 12.0)} text-anchor={anchor}>{ numbers::grouped(tick.offset) }</text>
                    </g>
                }
            }) }
        </g>
    }
}

/// The second axis: when the log was written. The day stands before the first time alone.
fn clock(timeline: &Timeline, language: Language) -> Html {
    let width = timeline.scale.width;
    html! {
        <g class="axis clock">
            <text class="name" x="0" y={px(CLOCK)}>{ language.text("map.clock") }</text>
            { for timeline.clock.iter().map(|tick| {
                let anchor = if tick.x > width - 60.0 { "end" } else if tick.x < 40.0 { "start" } else { "middle" };
                html! {
                    <g>
                        <title>{ numbers::time(tick.time_ms) }</title>
                        <path class="line" d={format!("M{} {}v4", px(NAMES + tick.x), px(CLOCK + 3.0))} />
                        <text class="mono" x={px(NAMES + tick.x)} y={px(CLOCK)} text-anchor={anchor}>{ shown_clock(tick.time_ms) }</text>
                    </g>
                }
            }) }
        </g>
    }
}

/// A whole second needs no more digits.
fn shown_clock(time_ms: i64) -> String {
    let clock = numbers::clock(time_ms);
    clock.strip_suffix(".000").unwrap_or(&clock).to_owned()
}

/// What the selected step read of the log.
fn changed(timeline: &Timeline) -> Html {
    timeline
        .changed
        .iter()
        .map(|spot| html! {
            <path class="changed-line" d={format!("M{} {}h{}", px(NAMES + spot.x), px(LOG + LOG_HEIGHT + 3.0), px(spot.width))} />
        })
        .collect()
}

fn log(timeline: &Timeline, language: Language) -> Html {
    html! {
        <g class="log">
            <text class="name" x="0" y={px(LOG + 19.0)}>{ language.text("map.log") }</text>
            { for timeline.files.iter().map(|file| html! {
                <g>
                    { bars(&file.bars, LOG, LOG_HEIGHT) }
                    <rect class={classes!("file", file.deleted.then_some("deleted"), file.created.then_some("created"))}
                        x={px(NAMES + file.x)} y={px(LOG)} width={px(file.width)} height={px(LOG_HEIGHT)} />
                    if let Some(label) = &file.label {
                        <text class="file-name" x={px(NAMES + file.x + 7.0)} y={px(LOG + 19.0)}>
                            { label }
                            if file.deleted && file.width > DELETED_FITS { { format!(" · {}", language.text("map.deleted")) } }
                        </text>
                    }
                </g>
            }) }
        </g>
    }
}

fn bars(bars: &[Bar], y: f64, height: f64) -> Html {
    bars.iter().map(|bar| html! {
        <rect class={classes!("bar", format!("bar-{}", bar.tone.word()))} fill={fill(bar.tone)} x={px(NAMES + bar.x)} y={px(y)}
            width={px(bar.width)} height={px(height)}>
            <title>{ &bar.title }</title>
        </rect>
    }).collect()
}

fn queues(timeline: &Timeline, look: &MapLook<'_>, language: Language) -> Html {
    let all = timeline.queues.len() + timeline.more;
    html! {
        <g class="queues">
            <text class="name" x="0" y={px(QUEUES + 9.0)}>{ language.text("map.queues") }</text>
            if all == 0 {
                <text class="count" x={px(NAMES)} y={px(QUEUES + 9.0)}>{ language.text("map.queues-none") }</text>
            }
            { for timeline.queues.iter().enumerate().map(|(at, row)| {
                let y = QUEUES + at as f64 * QUEUE_PITCH;
                let chosen = timeline.lane == Some(row.lane);
                let class = classes!("queue", chosen.then_some("chosen"), row.changed.then_some("changed"));
                html! {
                    <g {class} data-lane={row.name.clone()}>
                        { lane_name(row, look.pins.as_ref(), y, language) }
                        <path class="lane-line" d={format!("M{NAMES} {}h{}", px(y + QUEUE_HEIGHT / 2.0), px(timeline.scale.width))} />
                        { lane_bars(&row.bars, y, QUEUE_HEIGHT) }
                        if let Some(spot) = &row.spot {
                            <rect class="changed-spot" x={px(NAMES + spot.x - 1.0)} y={px(y - 1.5)} width={px(spot.width + 2.0)}
                                height={px(QUEUE_HEIGHT + 3.0)} rx="2" />
                        }
                    </g>
                }
            }) }
        </g>
    }
}

/// A queue's name; where rows can be pinned, it is the button for that.
fn lane_name(
    row: &LaneRow,
    pins: Option<&(&LaneChoice, Callback<String>)>,
    y: f64,
    language: Language,
) -> Html {
    let text = |pinned: bool| {
        let mark = if pinned { "● " } else { "" };
        html! {
            <text class="mono lane" x={px(NAMES - 8.0)} y={px(y + 8.0)} text-anchor="end">{ format!("{mark}{}", shorten(&row.name)) }</text>
        }
    };
    let Some((choice, toggle)) = pins else {
        return html! { <><title>{ &row.name }</title>{ text(false) }</> };
    };
    let pinned = choice.is_pinned(&row.name);
    let key = if pinned { "lanes.unpin" } else { "lanes.pin" };
    let label = language.plain(key, &facts! { name = row.name.as_str() });
    let name = row.name.clone();
    let toggle = toggle.reform(move |()| name.clone());
    html! {
        <g class="pin" role="button" tabindex="0" aria-pressed={pinned.to_string()} aria-label={label.clone()}
            onclick={toggle.reform(|_: MouseEvent| ())} onkeydown={on_enter(&toggle)}>
            <title>{ label }</title>
            { text(pinned) }
        </g>
    }
}

/// Enter and the space bar do what a click does.
fn on_enter(act: &Callback<()>) -> Callback<KeyboardEvent> {
    let act = act.clone();
    Callback::from(move |event: KeyboardEvent| {
        if matches!(event.key().as_str(), "Enter" | " ") {
            event.prevent_default();
            act.emit(());
        }
    })
}

/// Entries on disk are plain, so that the log's own pattern means bytes that were not read.
fn lane_bars(bars: &[Bar], y: f64, height: f64) -> Html {
    bars.iter()
        .map(|bar| {
            let paint = (bar.tone != Tone::Trusted).then(|| fill(bar.tone));
            html! {
                <rect class={classes!("bar", format!("lane-{}", bar.tone.word()))} fill={paint} x={px(NAMES + bar.x)} y={px(y)}
                    width={px(bar.width)} height={px(height)} rx="1.5"><title>{ &bar.title }</title></rect>
            }
        })
        .collect()
}

/// Shows the other queues, or only the first ones again.
fn more_queues(toggle: &Callback<()>, label: String, open: bool, y: f64) -> Html {
    let onclick = toggle.reform(|_: MouseEvent| ());
    let onkeydown = on_enter(toggle);
    html! {
        <g id="more-queues" class="link" role="button" tabindex="0" aria-expanded={open.to_string()} {onclick} {onkeydown}>
            <text x={px(NAMES - 8.0)} y={px(y + 8.0)} text-anchor="end">{ label }</text>
        </g>
    }
}

/// A long topic keeps its end, where the queue's number is.
fn shorten(name: &str) -> String {
    const LETTERS: usize = 13;
    let letters: Vec<char> = name.chars().collect();
    match letters.len().checked_sub(LETTERS) {
        Some(over) if over > 0 => std::iter::once('…')
            .chain(letters.into_iter().skip(over + 1))
            .collect(),
        _ => name.to_owned(),
    }
}

fn times(timeline: &Timeline, y: f64, language: Language) -> Html {
    let Some(last) = timeline.times.last() else {
        return html! {};
    };
    let names: Vec<&str> = timeline
        .times
        .iter()
        .map(|line| line.name.as_str())
        .collect();
    let label = language.plain("map.checkpoint", &facts! { names = names.join(", ") });
    let anchor = if last.x > timeline.scale.width / 2.0 {
        "end"
    } else {
        "start"
    };
    html! {
        <g class="times">
            { for timeline.times.iter().map(|line| html! {
                <path d={format!("M{} {}V{}", px(NAMES + line.x), px(LOG - 4.0), px(y + 22.0))}><title>{ &line.title }</title></path>
            }) }
            <text x={px(NAMES + last.x)} y={px(y + 34.0)} text-anchor={anchor}>{ label }</text>
        </g>
    }
}

fn spot(timeline: &Timeline) -> Html {
    match &timeline.spot {
        Some(spot) => html! {
            <rect class="spot" x={px(NAMES + spot.x - 1.5)} y={px(LOG - 4.0)} width={px(spot.width + 3.0)} height={px(LOG_HEIGHT + 8.0)} rx="3" />
        },
        None => html! {},
    }
}

/// A flag at the foot of the line, kept inside the picture. Before the step that sets it, the flag is an outline and says when.
fn process_offset(timeline: &Timeline, y: f64, language: Language) -> Html {
    let (line, label, class) = match (&timeline.process_offset, &timeline.coming) {
        (Some(line), _) => (line, line.name.clone(), "process-offset"),
        (None, Some((line, step))) => {
            let label = language.plain(
                "map.coming",
                &facts! { name = line.name.as_str(), step = *step },
            );
            (line, label, "process-offset coming")
        }
        (None, None) => return html! {},
    };
    let Line { x, name, title, .. } = line;
    let flag = label.chars().count() as f64 * 6.6 + 16.0;
    let left = (x - flag / 2.0).clamp(0.0, (timeline.scale.width - flag).max(0.0));
    html! {
        <g {class}>
            <title>{ format!("{name} {title}") }</title>
            <path d={format!("M{} {}V{}", px(NAMES + x), px(LOG - 8.0), px(y))} />
            <rect x={px(NAMES + left)} y={px(y)} width={px(flag)} height="18" rx="3" />
            <text x={px(NAMES + left + flag / 2.0)} y={px(y + 13.0)} text-anchor="middle">{ label }</text>
        </g>
    }
}
