//! Who plays whom: matches and their clocks, players, the engine protocol, the Tablut Challenge,
//! series of games, and what their results mean.
//!
//! What decides is a pure state machine that is told what arrived and what time it is ([`Match`],
//! [`challenge::Referee`], [`protocol::Session`], everything in [`stats`]); only drivers ([`process`],
//! [`Duel`], [`series`], [`challenge::server`], [`supervise`]) look at the clock, start threads and
//! programs. Nothing is printed here: events leave, the program draws them. A peer's fault is never an error of ours: it is the reason a game ended for.

#![forbid(unsafe_code)]

mod budget;
pub mod challenge;
mod clock;
pub mod cores;
pub mod document;
mod duel;
mod guest;
mod r#match;
mod mover;
pub mod opening;
mod player;
pub mod process;
pub mod protocol;
pub mod series;
pub mod stats;
mod stop;
pub mod supervise;
pub mod throttle;
pub mod tournament;

pub use budget::Budget;
pub use clock::{Clock, TimeControl};
pub use duel::{Duel, Duelled};
#[cfg(unix)]
pub use guest::{Lobby, remote};
pub use r#match::{Conduct, Gone, IllegalMoves, Match, Notice, Refusal, RestoreError, Said};
pub use mover::{
    Absence, BaselineMover, Choice, EngineMover, Mover, MoverError, MoverOptions, RandomMover,
    Unfit, defenders_score, limits, mover,
};
pub use opening::Opening;
pub use player::{ParsePlayerError, Player};
pub use stop::Stop;
