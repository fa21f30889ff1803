//! What is seen of the log: closer, farther, along; by keys, wheel and pointer; and what is asked for from near.

use super::super::ViewProps;
use super::super::strip::NAMES;
use super::{Msg, Recovery};
use crate::app::state::Ask;
use gloo::events::{EventListener, EventListenerOptions};
use storescope::brokers::Record;
use storescope::protocol::{Question, Seen};
use storescope::store::ReadError;
use storescope::view_model::close_up as near;
use storescope::view_model::route::Go;
use storescope::view_model::scale::{self, Scale};
use storescope::view_model::{selection, timeline};
use wasm_bindgen::JsCast;
use web_sys::{Element, PointerEvent, WheelEvent};
use yew::prelude::*;

/// The log from near: what was asked for a window, and the answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseUp {
    pub window: Option<(i64, i64)>,
    pub records: Option<Result<Vec<Record>, ReadError>>,
    pub bytes: Option<Result<Seen, ReadError>>,
    /// Where the bytes' file begins in the log.
    pub file_start: i64,
}

/// What to show of the log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zoom {
    In,
    Out,
    Fit,
    /// The bytes of the selected step.
    Step,
    /// By a share of what is seen.
    Pan(f64),
    /// Closer or farther, around a pixel of the map.
    At {
        x: f64,
        factor: f64,
    },
}

impl Recovery {
    /// The whole log, and what is seen of it.
    pub(super) fn seen(&self, ctx: &Context<Self>) -> ((i64, i64), (i64, i64)) {
        let ViewProps { loaded, route, .. } = ctx.props();
        let whole = (loaded.ground.from, loaded.ground.to);
        (whole, route.zoom.unwrap_or(whole))
    }

    pub(super) fn zoomed(&self, ctx: &Context<Self>, zoom: Zoom) -> Option<(i64, i64)> {
        let loaded = &ctx.props().loaded;
        let (whole, window) = self.seen(ctx);
        let interest = self
            .playback
            .inside
            .or_else(|| selection::interest(&loaded.outcome, self.playback.selected));
        let middle = window.0.midpoint(window.1);
        let near = interest.filter(|offset| (window.0..=window.1).contains(offset));
        let near = near.unwrap_or(middle);
        match zoom {
            Zoom::In => scale::zoomed(whole, window, 0.5, near),
            Zoom::Out => scale::zoomed(whole, window, 2.0, near),
            Zoom::Fit => None,
            Zoom::Step => {
                let place = self.place(ctx);
                let from = selection::of_place(&loaded.outcome, place).or(interest)?;
                let length = place.map_or(0, |place| i64::try_from(place.length).unwrap_or(0));
                scale::around(whole, (from, from.saturating_add(length)))
            }
            Zoom::Pan(share) => {
                let by = (window.1 - window.0) as f64 * share;
                (window != whole).then(|| scale::panned(whole, window, by as i64))
            }
            Zoom::At { x, factor } => {
                let at = Scale::new(window.0, window.1, self.map_width()).offset(x);
                scale::zoomed(whole, window, factor, at)
            }
        }
    }

    pub(super) fn map_width(&self) -> f64 {
        (self.width - NAMES).max(1.0)
    }

    /// With Control the wheel zooms, with Shift or sidewards it pans; else it scrolls the page.
    pub(super) fn wheel(&self, event: &WheelEvent) -> Option<Zoom> {
        let on_map = event
            .target()
            .and_then(|target| target.dyn_into::<Element>().ok())?;
        let map = on_map.closest("#map").ok().flatten()?;
        if event.ctrl_key() || event.meta_key() {
            let x = f64::from(event.client_x()) - map.get_bounding_client_rect().left() - NAMES;
            let factor = (event.delta_y() / 240.0).clamp(-1.0, 1.0).exp2();
            return Some(Zoom::At { x, factor });
        }
        let sidewards = if event.shift_key() && event.delta_x() == 0.0 {
            event.delta_y()
        } else {
            event.delta_x()
        };
        (sidewards != 0.0).then(|| Zoom::Pan(sidewards / self.map_width()))
    }

    /// The map moves with the pointer that holds it.
    pub(super) fn drag(&mut self, ctx: &Context<Self>, event: &PointerEvent) -> bool {
        let (whole, window) = self.seen(ctx);
        if window == whole || event.button() > 0 {
            return false;
        }
        let x = f64::from(event.client_x());
        if event.type_() == "pointerdown" {
            let target = event.target().and_then(|to| to.dyn_into::<Element>().ok());
            if target.is_none_or(|target| {
                target
                    .closest("[role=button], .record")
                    .ok()
                    .flatten()
                    .is_some()
            }) {
                return false;
            }
            if let Some(area) = event
                .current_target()
                .and_then(|to| to.dyn_into::<Element>().ok())
            {
                // Without capture a drag ends where the pointer leaves the map.
                let _ = area.set_pointer_capture(event.pointer_id());
            }
            self.drag = Some((x, window));
            return true;
        }
        let Some((start, held)) = self.drag else {
            return false;
        };
        let by = (start - x) / self.map_width() * (held.1 - held.0) as f64;
        let next = scale::panned(whole, held, by as i64);
        ctx.props().go.emit(Go::Zoom(Some(next)));
        false
    }

    /// Asks for the records, and the bytes, of a window that is near enough.
    pub(super) fn look_near(&mut self, ctx: &Context<Self>) {
        let ViewProps { loaded, ask, .. } = ctx.props();
        let window = ctx.props().route.zoom;
        let old = std::mem::take(&mut self.near);
        self.near.window = window;
        let Some((from, to)) = window.filter(|(from, to)| to - from <= near::RECORDS) else {
            return;
        };
        let window = (from, to);
        // What is known of the same bytes stays until the answer comes.
        self.near.records = old.records;
        let reply = |question| {
            let reply = ctx.link().callback(move |answer| Msg::Near(window, answer));
            ask.emit(Ask { question, reply });
        };
        reply(Question::Records {
            around: from.midpoint(to),
            bytes: u64::try_from((to - from) / 2 + 1).unwrap_or(0),
        });
        if to - from > near::BYTES {
            return;
        }
        let Some(place) = timeline::place_at(&loaded.outcome, from) else {
            return;
        };
        let position = i64::try_from(place.offset).unwrap_or(0);
        self.near.file_start = from - position;
        reply(Question::Look {
            from: Some(place.offset),
            place,
            length: u64::try_from(to - from).unwrap_or(0),
        });
    }
}

/// The page's own listeners cannot keep a wheel from scrolling.
pub(super) fn listen_to_wheel(
    element: &Element,
    heard: Callback<WheelEvent>,
) -> Option<EventListener> {
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(
        element,
        "wheel",
        options,
        move |event| {
            if let Some(event) = event.dyn_ref::<WheelEvent>() {
                heard.emit(event.clone());
            }
        },
    ))
}
