//! What people do on the page, done in a real browser: one file per screen.
//!
//! The tests need Chromium and its driver, so they are run by `./test --only browser`, which also
//! looks at the pictures: with `TABLUT_PICTURES=FOLDER` the screens are kept there.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod analysis;
mod connection;
mod driver;
mod engine_game;
mod filled;
mod harness;
mod instrument;
mod keyboard;
mod language;
mod learning;
mod library;
mod link_game;
mod links;
mod looks;
mod newcomer;
mod playing;
#[path = "../../../store/tests/postgres/mod.rs"]
mod postgres;
mod proxy;
mod replicas;
mod rules;
mod safety;
mod screen_game;
#[path = "../server/mod.rs"]
mod server;
mod sharing;
mod speed;
mod study;
mod tournament;
mod visitors;
mod windows;
mod workers;
