//! Files and fields: what they are for, by `file.<role>` and `field.<name>`.

pub const TEXTS: &[(&str, &str)] = &[];
