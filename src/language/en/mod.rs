//! English.

mod archives;
mod files;
mod findings;
mod page;
mod rules;

pub const PARTS: &[super::Texts] = &[
    page::TEXTS,
    rules::TEXTS,
    findings::TEXTS,
    archives::TEXTS,
    files::TEXTS,
];
