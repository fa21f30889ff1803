//! The sentences of the rules: `rule.<id>`, what a step says; `.when` and `.then`, what the rule says; `.chip`, the same in a few words,
//! for those that belong beside the verdict.

pub const TEXTS: &[(&str, &str)] = &[];
