//! storescope: what a message broker will do with its store files at the next start.
//!
//! START HERE. The library is pure: it reads a [`store::Store`], runs the broker's own recovery over it and returns an
//! [`recovery::outcome::Outcome`]. It opens no path (but [`store::disk`]), prints nothing, takes no time, keeps no global state (but the texts
//! that the page fetches, see [`language`]), and
//! the same files and options give the same outcome, byte for byte, native and in wasm.
//!
//! | module | what it knows |
//! |---|---|
//! | [`store`] | the dropped files, in folders or archives, and what was written over them; no broker |
//! | [`decode`] | fields out of bytes; no broker |
//! | [`recovery`] | the words all brokers share: rules, steps, changes, outcome |
//! | [`rocketmq`] | RocketMQ: `format/` says what bytes mean, the files beside it what the broker decides |
//! | [`kafka`] | Kafka, likewise |
//! | [`brokers`] | which broker wrote a store, and how to call it |
//! | [`what_if`] | one store under other releases, settings or edits, side by side; two stores' logs |
//! | [`view_model`] | an outcome as boxes, rows and sentences; no broker, no DOM |
//! | [`report`] | an outcome as a document, without the names in it |
//! | [`language`] | every sentence a person sees, in English and Chinese |
//! | [`protocol`] | what the page and its workers say to each other |
//!
//! Invariants: damage is data, only [`store::ReadError`] is an error; nothing here panics (the lints below); a dropped file is
//! never written, all writes go to an [`store::overlay::Overlay`].

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable
)]
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        reason = "a test that panics fails, as it should"
    )
)]

pub mod brokers;
pub mod decode;
pub mod kafka;
pub mod language;
pub mod protocol;
pub mod recovery;
pub mod report;
pub mod rocketmq;
pub mod store;
pub mod view_model;
pub mod what_if;
