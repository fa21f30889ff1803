//! The page and its workers, in one program: `main` looks at its global to see which of them it is.
//!
//! Not here: anything about stores. What a broker does is the library's business, and what to show of it is worked out in
//! `storescope::view_model`.

mod app;
mod wire;
mod worker;

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

fn main() {
    console_error_panic_hook::set_once();
    match js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() {
        Ok(scope) => worker::serve(scope),
        Err(_) => app::start(),
    }
}
