//! English.

mod archives;
mod check;
mod files;
mod findings;
mod kafka_rules;
mod page;
mod player;
mod report;
mod rules;
mod views;

pub const PARTS: &[super::Texts] = &[
    page::TEXTS,
    player::TEXTS,
    rules::TEXTS,
    views::TEXTS,
    findings::TEXTS,
    kafka_rules::TEXTS,
    archives::TEXTS,
    check::TEXTS,
    files::TEXTS,
    report::TEXTS,
];
