//! The strip above the map: the parts of the start in order, and where the selected step is. Click or drag to go there.

use super::use_language;
use super::width::use_width;
use crate::app::state::{Loaded, Shared};
use storescope::facts;
use storescope::recovery::rule::Phase;
use storescope::view_model::selection::Move;
use storescope::view_model::{steps, strip};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent};
use yew::prelude::*;

/// Left of all drawings is a column for names.
pub const NAMES: f64 = 150.0;

#[derive(Clone, PartialEq, Properties)]
pub struct StripProps {
    pub loaded: Shared<Loaded>,
    pub selected: u32,
    pub on_step: Callback<u32>,
    pub on_move: Callback<Move>,
}

#[component]
pub fn Strip(props: &StripProps) -> Html {
    let language = use_language();
    let node = use_node_ref();
    let width = use_width(node.clone());
    let scrubbing = use_mut_ref(|| false);
    let room = (width - NAMES).max(1.0);
    let sections = use_memo((props.loaded.clone(), room as i32), |(loaded, _)| {
        strip::sections(&loaded.outcome.trace, room)
    });
    let goto = {
        let (sections, on_step, node) = (sections.clone(), props.on_step.clone(), node.clone());
        move |event: &PointerEvent| {
            let Some(element) = node.cast::<Element>() else {
                return;
            };
            let x = f64::from(event.client_x()) - element.get_bounding_client_rect().left() - NAMES;
            if let Some(step) = strip::step_at(&sections, x) {
                on_step.emit(step);
            }
        }
    };
    let onpointerdown = {
        let (scrubbing, goto) = (scrubbing.clone(), goto.clone());
        Callback::from(move |event: PointerEvent| {
            *scrubbing.borrow_mut() = true;
            if let Some(element) = event
                .current_target()
                .and_then(|target| target.dyn_into::<Element>().ok())
            {
                // Without capture a drag ends where the pointer leaves the strip.
                let _ = element.set_pointer_capture(event.pointer_id());
            }
            goto(&event);
        })
    };
    let onpointermove = {
        let scrubbing = scrubbing.clone();
        Callback::from(move |event: PointerEvent| {
            if *scrubbing.borrow() {
                goto(&event);
            }
        })
    };
    let onpointerup = Callback::from(move |_: PointerEvent| *scrubbing.borrow_mut() = false);
    let onkeydown = {
        let on_move = props.on_move.clone();
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowRight" | "ArrowDown" => Move::Next,
                "ArrowLeft" | "ArrowUp" => Move::Previous,
                _ => return,
            };
            event.prevent_default();
            event.stop_propagation();
            on_move.emit(to);
        })
    };
    let of = props.loaded.outcome.trace.steps.len();
    let value = language.plain(
        "player.position",
        &facts! { step = props.selected, of = of },
    );
    let x = NAMES + strip::position(&sections, props.selected);
    html! {
        <div ref={node} class="strip" id="strip" role="slider" tabindex="0" aria-label={language.text("strip.label")} aria-valuemin="1"
            aria-valuemax={of.to_string()} aria-valuenow={props.selected.to_string()} aria-valuetext={value}
            data-own-keys="true" {onpointerdown} {onpointermove} {onpointerup} {onkeydown}>
            <svg width={width.to_string()} height="34" aria-hidden="true">
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
        Phase::Scan => "section-scan",
        Phase::Truncate => "section-truncate",
        Phase::Reput => "section-reput",
        Phase::Load | Phase::Queues | Phase::StartFile | Phase::Ready => "section-other",
    }
}
