//! The page's place in the browser's address and history; what a place is, [`Route`] knows.

use gloo::events::EventListener;
use storescope::view_model::route::Route;
use wasm_bindgen::JsValue;
use web_sys::{History, Window};
use yew::Callback;

/// What the address says now.
pub fn current() -> Route {
    let hash = web_sys::window()
        .and_then(|window| window.location().hash().ok())
        .unwrap_or_default();
    Route::parse(hash.trim_start_matches('#'))
}

/// Hears when the browser's back or forward button, or a hand in the address bar, leads somewhere.
pub fn listen(went: Callback<Route>) -> Option<EventListener> {
    let window = web_sys::window()?;
    Some(EventListener::new(&window, "popstate", move |_| {
        went.emit(current())
    }))
}

/// The back button will lead to where the page was.
pub fn push(route: &Route) {
    show(route, |history, address| {
        history.push_state_with_url(&JsValue::NULL, "", Some(address))
    });
}

/// In the place of where it was.
pub fn replace(route: &Route) {
    show(route, |history, address| {
        history.replace_state_with_url(&JsValue::NULL, "", Some(address))
    });
}

fn show(route: &Route, write: impl Fn(&History, &str) -> Result<(), JsValue>) {
    let Some(window) = web_sys::window() else {
        return;
    };
    if let Ok(history) = window.history() {
        // A browser limits how often this may be called; the address then is a little behind, and the next call puts it right.
        let _ = write(&history, &address(&window, route));
    }
}

fn address(window: &Window, route: &Route) -> String {
    let fragment = route.fragment();
    if fragment.is_empty() {
        // "#" alone would scroll to the top; the bare path is the page.
        let path = window.location().pathname();
        return path.unwrap_or_else(|_| "./".to_owned());
    }
    format!("#{fragment}")
}
