#![doc = include_str!("../README.md")]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
// The oracle of `tests/oracle` is compiled inside the crate too, where it spoils tables.
#[cfg(test)]
extern crate self as tablut_rules;
#[cfg(test)]
extern crate std;

mod bitboard;
mod by_side;
mod calls;
#[cfg(feature = "conformance")]
pub mod conformance;
mod demonstration;
mod explain;
mod fold;
mod game;
mod history;
mod line;
mod moves;
pub mod notation;
mod outcome;
mod perft;
mod piece;
mod position;
mod random;
pub mod record;
mod rules;
mod ruleset;
#[cfg(feature = "serde")]
mod serde_text;
mod setup;
mod square;
mod symmetry;
pub mod text;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use by_side::BySide;
pub use calls::{Calls, Lane};
pub use demonstration::{Demonstration, DemonstrationTopic};
pub use explain::{Anvil, Capture, CaptureCause, IllegalMove, Verdict};
pub use fold::{Fold, Folded};
pub use game::{Game, LimitError, PlayError, Ply};
pub use history::{History, Judgement, Laws, StartCounts};
pub use moves::{Move, MoveList};
pub use notation::{ParseBoardError, ParseMoveError};
pub use outcome::{Outcome, ParseReasonError, Reason};
pub use perft::Perft;
pub use piece::{BoardSize, ParsePieceError, ParseSideError, Piece, Side};
pub use position::Position;
pub use random::Random;
pub use rules::{Applied, End, Preview, Rules, Scan, SetupView};
#[cfg(feature = "toml")]
pub use ruleset::{BuiltIn, ParseBuiltInError};
pub use ruleset::{
    CampClosed, CastleCross, CastleKing, CastleStop, Goals, KingFall, Name, NoMove, Parameter,
    PieceSet, Quirk, Repetition, RepetitionResult, RuleSet, RuleSetError, RuleSetFault,
    RuleSetProblem, TwoLanes, Witness, WitnessSearch,
};
pub use setup::{Setup, SetupError, SetupFault};
pub use square::{Direction, ParseSquareError, Square};
pub use symmetry::Symmetry;
