//! Who plays whom: players and their names, matches and their clocks, series of games, tournaments, the
//! engine protocol as text, and what results mean.
//!
//! What decides is a pure state machine that receives what arrived and what time it is ([`Match`],
//! [`protocol::EngineSession`], everything in [`tournament`] and [`stats`]). [`Duel`] and [`series`] drive a match
//! with anything that implements [`Mover`]; they look at the clock and start threads, but no programs and no
//! sockets. Nothing is printed here: events leave, the program draws them.

#![forbid(unsafe_code)]

mod budget;
mod clock;
mod duel;
mod r#match;
mod mover;
pub mod opening;
mod player;
pub mod protocol;
pub mod series;
pub mod stats;
mod stop;
pub mod tournament;
pub mod words;

pub use budget::Budget;
pub use clock::{Clock, ParseTimeControlError, TimeControl};
pub use duel::{Duel, Duelled};
pub use r#match::{
    Conduct, DormantMatch, Gone, IllegalMoves, Match, MatchCourse, MoveNote, Notice, Refusal,
    RestoreError, Said,
};
pub use mover::{Absence, Choice, Mover, MoverError, Question, Unfit};
pub use opening::Opening;
pub use player::{ParsePlayerError, Player, PlayerKind, Tuning, TuningEvaluation, TuningLimit};
pub use stop::Stop;
