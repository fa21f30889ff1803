//! Findings, by `finding.<id>`.

pub const TEXTS: &[(&str, &str)] = &[];
