//! The cases of the tests, read with the tests' own code.

#![allow(dead_code, reason = "the tests use more of it")]

#[path = "../../tests/support/case.rs"]
pub mod case;
#[path = "../../tests/support/compare.rs"]
pub mod compare;
