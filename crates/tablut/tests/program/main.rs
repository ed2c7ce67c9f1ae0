//! The program as its users meet it, one file for each matter. They are one test binary, because linking
//! the whole program into each of them takes longer than most of them run.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod console;
mod correct;
mod deploy;
#[cfg(target_os = "linux")]
#[path = "../disk/mod.rs"]
mod disk;
mod flood;
mod full;
mod health;
mod hosting;
mod image;
mod kill;
mod lessons;
mod patience;
#[path = "../../../store/tests/postgres/mod.rs"]
mod postgres;
mod puzzles;
mod rules_page;
mod sandbox;
#[path = "../server/mod.rs"]
mod server;
mod shell;
mod store;
mod terminal;
mod tournament;
