//! What a referee receives, and what follows from it.

use std::sync::Arc;

use tablut_rules::{IllegalMove, Outcome, Side};

use super::{
    Farewell,
    frame::{Frame, LONGEST},
    message::Action,
};

/// What came from a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Heard {
    /// It is there.
    Connected,
    /// A frame.
    Frame(Frame),
    /// The end of what it sends, or of the connection.
    Closed,
}

/// What is wrong with what a player sent on its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The move is illegal.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// The squares are missing, or are none.
    #[error("from and to are not two squares of the board")]
    NoSquares,
    /// No JSON, or of the wrong kind.
    #[error("this is not a JSON object with from and to")]
    Malformed,
    /// A length below zero.
    #[error("the length of the frame is negative")]
    Negative,
    /// A length beyond the limit.
    #[error("a frame of {0} bytes is too long; the limit is {LONGEST}")]
    TooLong(u32),
    /// More than one frame before its turn.
    #[error("more than one move was sent before its turn")]
    Flood,
    /// The connection ended.
    #[error("the connection was closed")]
    Closed,
}

/// Why a client was sent away before the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, thiserror::Error)]
pub enum Dismissal {
    /// It left.
    #[error("it left before the game")]
    Left,
    /// It did not say its name in time.
    #[error("it did not send its name in time")]
    Nameless,
    /// It said nothing while others came, more than can wait.
    #[error("it was silent while many others were waiting")]
    Crowded,
    /// It sent more than one move before the game.
    #[error("it sent more than one move before the game")]
    Flood,
}

/// What follows from what came.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A player has said its name.
    Seated {
        /// Which.
        side: Side,
        /// What is kept of the name.
        name: String,
    },
    /// A client's connection is to be closed; its place is free for another.
    Dismissed {
        /// Whose.
        side: Side,
        /// Why.
        why: Dismissal,
    },
    /// Both are there.
    Started,
    /// A frame is to be sent.
    Send {
        /// To whom.
        side: Side,
        /// Length and payload.
        frame: Arc<[u8]>,
    },
    /// A move was made.
    Moved {
        /// By whom.
        side: Side,
        /// Its number, from 0.
        ply: usize,
        /// What was sent.
        action: Action,
        /// Milliseconds it took.
        spent_ms: u64,
    },
    /// What a player sent was an error.
    Refused {
        /// Whose.
        side: Side,
        /// What was sent, as far as it could be read.
        action: Action,
        /// What is wrong with it.
        fault: Fault,
        /// How many moves had been made.
        plies: usize,
        /// How many errors that makes.
        errors: u32,
    },
    /// The game is over; connections close when what was to be sent is sent.
    Over {
        /// How it ended.
        outcome: Outcome,
        /// Whether the players were told.
        farewell: Farewell,
    },
    /// The players did not come; connections close.
    Abandoned,
}
