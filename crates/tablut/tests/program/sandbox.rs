//! Programs one does not trust.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod attempt;
mod language;
mod world;
