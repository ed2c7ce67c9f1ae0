//! The line protocol between a program that wants moves and an engine that finds them.
//!
//! `docs/engine-protocol.md` describes it. [`EngineCommand`] goes to the engine, [`EngineReply`] comes back;
//! `Display` and `FromStr` of both are inverse, one value a line. [`EngineSession`] is the engine's side
//! as a state machine. `tablut_guest` has the other side, in `process.rs`.

mod command;
mod reply;
mod session;

pub use command::{EngineCommand, Go, Mode, ParseCommandError, PositionError, ProtocolPosition};
pub use reply::{EngineReply, Info, OptionKind, OptionOffer, ParseReplyError};
pub use session::{EngineAction, EngineSession};

/// The version of the protocol that is spoken here.
pub const VERSION: u32 = 1;

/// Reads the next word of a line as a number.
fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    let word = word?;
    // `parse` would take a sign.
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| word.parse().ok()).flatten()
}
