//! How wide an element is, as it changes: drawings are laid out in real pixels, so that text keeps its size.

use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};
use yew::Callback;

/// Tells the inner width of an element now and whenever it changes, until dropped.
pub struct Width {
    observer: ResizeObserver,
    _measure: Closure<dyn FnMut()>,
}

impl Width {
    pub fn of(element: Element, tell: Callback<f64>) -> Option<Self> {
        tell.emit(f64::from(element.client_width()));
        let measured = element.clone();
        let measure =
            Closure::<dyn FnMut()>::new(move || tell.emit(f64::from(measured.client_width())));
        let observer = ResizeObserver::new(measure.as_ref().unchecked_ref()).ok()?;
        observer.observe(&element);
        Some(Self {
            observer,
            _measure: measure,
        })
    }
}

impl Drop for Width {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
