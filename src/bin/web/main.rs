//! The Yew page and its workers.
fn main() {}
