//! storescope
