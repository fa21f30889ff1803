//! 简体中文。

mod files;
mod findings;
mod page;
mod rules;

pub const PARTS: &[super::Texts] = &[page::TEXTS, rules::TEXTS, findings::TEXTS, files::TEXTS];
