//! The terminal game in a terminal of its own, as a person at the keyboard meets it.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    reason = "a test that cannot go on should stop where it is"
)]

mod harness;
mod manner;
mod play;
mod watch;
