//! How wide an element is, as it changes: drawings are laid out in real pixels, so that text keeps its size.

use wasm_bindgen::prelude::*;
use web_sys::{Element, ResizeObserver};
use yew::prelude::*;

/// The element's inner width in pixels; 0 until it is on the page.
#[hook]
pub fn use_width(node: NodeRef) -> f64 {
    let width = use_state_eq(|| 0.0);
    let setter = width.setter();
    use_effect_with((), move |()| {
        let element = node.cast::<Element>();
        let measured = element.clone();
        let measure = Closure::<dyn FnMut()>::new(move || {
            if let Some(element) = &measured {
                setter.set(f64::from(element.client_width()));
            }
        });
        let observer = ResizeObserver::new(measure.as_ref().unchecked_ref()).ok();
        if let (Some(observer), Some(element)) = (&observer, &element) {
            observer.observe(element);
        }
        move || {
            if let Some(observer) = observer {
                observer.disconnect();
            }
            drop(measure);
        }
    });
    *width
}
