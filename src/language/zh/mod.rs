//! 简体中文。

mod archives;
mod beside;
mod check;
mod compare;
mod files;
mod findings;
mod kafka_rules;
mod page;
mod palette;
mod player;
mod releases;
mod report;
mod rules;
mod rules_5x;
mod settings;
mod stories;
mod views;

pub const ALL: &[super::Texts] = &[
    page::TEXTS,
    palette::TEXTS,
    player::TEXTS,
    rules::TEXTS,
    rules_5x::TEXTS,
    releases::TEXTS,
    views::TEXTS,
    settings::TEXTS,
    stories::TEXTS,
    findings::TEXTS,
    kafka_rules::TEXTS,
    archives::TEXTS,
    check::TEXTS,
    beside::TEXTS,
    compare::TEXTS,
    files::TEXTS,
    report::TEXTS,
];
