//! A table of which only the rows on the screen are on the page.

use storescope::view_model::scroll::{self, Slice};
use wasm_bindgen::JsCast;
use web_sys::{Element, Event, KeyboardEvent};
use yew::prelude::*;

/// As the style sheet has it.
pub const ROW_HEIGHT: f64 = 26.0;

/// How a table is scrolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scroll {
    pub top: f64,
    pub height: f64,
}

impl Default for Scroll {
    fn default() -> Self {
        Self {
            top: 0.0,
            height: 600.0,
        }
    }
}

impl Scroll {
    pub fn of(element: &Element) -> Self {
        Self {
            top: f64::from(element.scroll_top()),
            height: f64::from(element.client_height()),
        }
    }

    /// How it is scrolled by now, where the table has another height than when it was asked last.
    pub fn resized(self, node: &NodeRef) -> Option<Self> {
        let now = Self::of(&node.cast::<Element>()?);
        ((now.height - self.height).abs() > 1.0).then_some(now)
    }

    pub fn slice(self, rows: u64) -> Slice {
        scroll::slice(rows, ROW_HEIGHT, self.top, self.height)
    }
}

/// Scrolls so that a row is on the screen, if it is not.
pub fn bring(node: &NodeRef, row: u64, rows: u64) {
    let Some(element) = node.cast::<Element>() else {
        return;
    };
    let seen = Scroll::of(&element);
    // The head stays on the screen, over the first rows.
    let first = (seen.top / ROW_HEIGHT) as u64;
    let last = ((seen.top + seen.height - 3.0 * ROW_HEIGHT) / ROW_HEIGHT) as u64;
    if !(first..=last).contains(&row) {
        element.set_scroll_top(scroll::top_for(row, rows, ROW_HEIGHT, seen.height) as i32);
    }
}

/// Where a key leads in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    By(i64),
    First,
    Last,
}

impl Step {
    pub fn of(event: &KeyboardEvent) -> Option<Self> {
        if event.ctrl_key() || event.meta_key() || event.alt_key() {
            return None;
        }
        Some(match event.key().as_str() {
            "ArrowDown" | "j" => Self::By(1),
            "ArrowUp" | "k" => Self::By(-1),
            "PageDown" => Self::By(20),
            "PageUp" => Self::By(-20),
            "Home" => Self::First,
            "End" => Self::Last,
            _ => return None,
        })
    }

    pub fn from(self, at: Option<u64>, rows: u64) -> Option<u64> {
        let last = rows.checked_sub(1)?;
        Some(match self {
            Self::First => 0,
            Self::Last => last,
            Self::By(by) => at.map_or(0, |at| at.saturating_add_signed(by).min(last)),
        })
    }
}

/// Everything about a table but its rows.
pub struct Grid<'g> {
    pub id: &'static str,
    pub label: &'g str,
    /// A class for each column, which gives its width, and its head.
    pub columns: Vec<(&'static str, String)>,
    pub total: u64,
    pub slice: Slice,
    pub node: &'g NodeRef,
    pub scrolled: Callback<Scroll>,
    pub stepped: Callback<Step>,
}

pub fn grid(grid: &Grid<'_>, rows: Html) -> Html {
    let scrolled = grid.scrolled.reform(|event: Event| {
        let target = event.target().and_then(|target| target.dyn_into().ok());
        target.map_or_else(Scroll::default, |element: Element| Scroll::of(&element))
    });
    let stepped = grid.stepped.clone();
    let onkeydown = Callback::from(move |event: KeyboardEvent| {
        if let Some(step) = Step::of(&event) {
            event.prevent_default();
            stepped.emit(step);
        }
    });
    let space = |height: f64| {
        let columns = grid.columns.len().to_string();
        html! { <tr class="space" aria-hidden="true"><td colspan={columns} height={format!("{height:.0}")}></td></tr> }
    };
    html! {
        <div class="grid-area" ref={grid.node.clone()} onscroll={scrolled} {onkeydown} tabindex="0" data-own-keys="true"
            role="region" aria-label={grid.label.to_owned()}>
            <table class="grid" id={grid.id} aria-rowcount={grid.total.to_string()} data-rows={grid.total.to_string()}>
                <colgroup>{ for grid.columns.iter().map(|(class, _)| html! { <col class={*class} /> }) }</colgroup>
                <thead><tr>{ for grid.columns.iter().map(|(class, head)| html! {
                    <th scope="col" class={*class} title={head.clone()}>{ head }</th>
                }) }</tr></thead>
                <tbody>
                    { space(grid.slice.above) }
                    { rows }
                    { space(grid.slice.below) }
                </tbody>
            </table>
        </div>
    }
}
