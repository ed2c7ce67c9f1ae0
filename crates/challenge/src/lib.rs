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

use tablut_rules::BySide;

/// The contest's ports, unless others are asked for.
pub const PORTS: BySide<u16> = BySide {
    attackers: 5801,
    defenders: 5800,
};
