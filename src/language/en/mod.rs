//! English.

#[cfg(not(feature = "fetch-texts"))]
mod archives;
#[cfg(not(feature = "fetch-texts"))]
mod beside;
#[cfg(not(feature = "fetch-texts"))]
mod check;
#[cfg(not(feature = "fetch-texts"))]
mod compare;
mod files;
#[cfg(not(feature = "fetch-texts"))]
mod findings;
#[cfg(not(feature = "fetch-texts"))]
mod kafka_rules;
mod page;
mod palette;
mod player;
#[cfg(not(feature = "fetch-texts"))]
mod releases;
#[cfg(not(feature = "fetch-texts"))]
mod report;
#[cfg(not(feature = "fetch-texts"))]
mod rules;
#[cfg(not(feature = "fetch-texts"))]
mod rules_5x;
#[cfg(not(feature = "fetch-texts"))]
mod settings;
mod stories;
#[cfg(not(feature = "fetch-texts"))]
mod views;

use super::Texts;

/// What the page says before a store is open: compiled into it.
pub const FIRST: &[Texts] = &[
    page::TEXTS,
    palette::TEXTS,
    player::TEXTS,
    stories::TEXTS,
    files::TEXTS,
];

/// What is said about a store.
#[cfg(not(feature = "fetch-texts"))]
pub const STORES: &[Texts] = &[
    rules::TEXTS,
    rules_5x::TEXTS,
    releases::TEXTS,
    views::TEXTS,
    settings::TEXTS,
    findings::TEXTS,
    kafka_rules::TEXTS,
    archives::TEXTS,
    check::TEXTS,
    beside::TEXTS,
    compare::TEXTS,
    report::TEXTS,
];
