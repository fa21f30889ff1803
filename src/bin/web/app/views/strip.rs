//! The strip above the map: the parts of the start in order, and where the selected step is. Click or drag to go there.

use super::Shown;
use super::recovery::{Msg, Recovery};
use storescope::facts;
use storescope::recovery::rule::Phase;
use storescope::view_model::selection::Move;
use storescope::view_model::{steps, strip};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};
use yew::html::Scope;
use yew::prelude::*;

/// Left of all drawings is a column for names.
pub const NAMES: f64 = 150.0;

/// The step under a pointer.
pub fn step_under(shown: &Shown<'_>, event: &PointerEvent) -> Option<u32> {
    let element = event.current_target()?.dyn_into::<Element>().ok()?;
    let x = f64::from(event.client_x()) - element.get_bounding_client_rect().left() - NAMES;
    strip::step_at(&sections(shown), x)
}

fn sections(shown: &Shown<'_>) -> Vec<strip::Section> {
    strip::sections(&shown.loaded.outcome.trace, (shown.width - NAMES).max(1.0))
}

pub fn strip(shown: &Shown<'_>, link: &Scope<Recovery>) -> Html {
    let language = shown.language;
    let sections = sections(shown);
    let x = NAMES + strip::position(&sections, shown.selected);
    let value = language.plain(
        "player.position",
        &facts! { step = shown.selected, of = shown.of() },
    );
    let onpointerdown = link.callback(|event: PointerEvent| {
        if let Some(element) = event
            .current_target()
            .and_then(|target| target.dyn_into::<Element>().ok())
        {
            // Without capture a drag ends where the pointer leaves the strip.
            let _ = element.set_pointer_capture(event.pointer_id());
        }
        Msg::Scrub(event)
    });
    let onpointermove = link
        .batch_callback(|event: PointerEvent| (event.buttons() == 1).then_some(Msg::Scrub(event)));
    let onkeydown = link.batch_callback(|event: KeyboardEvent| {
        let to = match event.key().as_str() {
            "ArrowRight" | "ArrowDown" => Move::Next,
            "ArrowLeft" | "ArrowUp" => Move::Previous,
            "Home" => Move::First,
            "End" => Move::Last,
            "PageDown" => Move::NextDecision,
            "PageUp" => Move::PreviousDecision,
            _ => return None,
        };
        event.prevent_default();
        Some(Msg::Move(to))
    });
    html! {
        <div class="strip" id="strip" role="slider" tabindex="0" aria-label={language.text("strip.label")} aria-valuemin="1"
            aria-valuemax={shown.of().to_string()} aria-valuenow={shown.selected.to_string()} aria-valuetext={value}
            data-own-keys="true" {onpointerdown} {onpointermove} {onkeydown}>
            <svg width={shown.width.to_string()} height="34" aria-hidden="true">
                <text class="name" x="0" y="20">{ language.text("strip.steps") }</text>
                { for sections.iter().map(|section| {
                    let label = language.text(steps::phase_key("phase", section.phase));
                    let fits = section.width > label.chars().count() as f64 * 6.4 + 10.0;
                    html! {
                        <g class={classes!("section", look(section.phase))}>
                            <title>{ label }</title>
                            <rect x={(NAMES + section.x).to_string()} y="6" width={section.width.to_string()} height="20" rx="3" />
                            if fits { <text x={(NAMES + section.x + 7.0).to_string()} y="20">{ label }</text> }
                        </g>
                    }
                }) }
                <path class="position-line" d={format!("M{x:.1} 3V30")} />
                <circle class="position-knob" cx={format!("{x:.1}")} cy="5" r="4" />
            </svg>
        </div>
    }
}

fn look(phase: Phase) -> &'static str {
    match phase {
        Phase::Scan | Phase::Check => "section-scan",
        Phase::Truncate => "section-truncate",
        Phase::Reput => "section-reput",
        Phase::Load
        | Phase::Queues
        | Phase::StartFile
        | Phase::Ready
        | Phase::Walk
        | Phase::Producers
        | Phase::Shutdown => "section-other",
    }
}
