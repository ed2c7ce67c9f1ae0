//! Players, above all other people's programs: how they are started, confined, spoken to and ended.
//!
//! [`mover`] turns a [`Player`](tablut_arena::Player) into something that chooses moves, whether it is our
//! engine, a program that speaks the engine protocol ([`process`]) or a client of the Tablut Challenge
//! ([`Lobby`] for those that connect by themselves). [`supervise`] is the sandbox, [`cores`] gives each game
//! cores of its own, [`throttle`] bounds what an address may try, and [`compliance`] examines a client.
//! Nothing is printed here, and a program's fault is never an error of ours: it is the reason a game ended.

#![forbid(unsafe_code)]

#[cfg(unix)]
mod client;
#[cfg(unix)]
pub mod compliance;
pub mod cores;
#[cfg(unix)]
mod lobby;
mod mover;
pub mod process;
pub mod supervise;
mod template;
pub mod throttle;

#[cfg(unix)]
pub use client::remote;
#[cfg(unix)]
pub use lobby::Lobby;
pub use mover::{
    BaselineMover, EngineMover, MoverOptions, RandomMover, defenders_score, limits, mover,
};
