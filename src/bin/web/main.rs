//! The page. What it shows comes from its workers, whose program is `src/bin/reader`.
//!
//! Not here: anything about stores. What a broker does is the library's business, and what to show of it is worked out in
//! `storescope::view_model`.

mod app;
mod wire;

fn main() {
    console_error_panic_hook::set_once();
    app::start();
}
