//! The Tablut Challenge: its wire format, its referee, its game logs, and both ends of the wire.
//!
//! `docs/challenge.md` describes the protocol for teams. [`Referee`] decides, and is pure; [`frame`],
//! [`message`] and [`log`] are text and bytes; [`server`] and [`client`] are the drivers with sockets.
//! [`document`] reads every text in which people have positions and games, the contest's logs among them.

#![forbid(unsafe_code)]

mod accept;
pub mod client;
pub mod document;
mod effect;
pub mod frame;
pub mod json;
pub mod log;
mod manner;
pub mod message;
mod options;
mod referee;
pub mod server;
mod tally;

pub use accept::pause_after;
pub use effect::{Dismissal, Effect, Fault, Heard};
pub use manner::{Early, Farewell, Lost, Manner, Names, Rubbish};
pub use options::Options;
pub use referee::Referee;
pub use tally::Tally;

use tablut_rules::Side;

/// The port of a side, unless another is asked for.
#[must_use]
pub const fn port(side: Side) -> u16 {
    match side {
        Side::Defenders => 5800,
        Side::Attackers => 5801,
    }
}

/// The contest's ports, White's first.
pub const PORTS: [u16; 2] = [port(Side::Defenders), port(Side::Attackers)];

/// The sides in the order in which the contest names them: White first.
pub const WHITE_FIRST: [Side; 2] = [Side::Defenders, Side::Attackers];
