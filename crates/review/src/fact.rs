//! Facts about a move: what can be proved from the rules, or what the search said.
//!
//! A fact is data with squares; [`crate::text`] has a sentence for each in every language. What the
//! board shows is found in `board.rs`, what needs the game or a search in `search.rs`.

mod board;
mod search;

use std::fmt;

use tablut_rules::{Capture, Move, Outcome, Square};

pub use board::deeds;
pub(crate) use search::{MoveView, facts};

/// A row or a column of the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum BoardLine {
    /// A row, by the number that is written beside it.
    Row(u8),
    /// A column, by its letter.
    Column(char),
}

impl BoardLine {
    /// The line that two squares share.
    pub(crate) const fn of(one: Square, other: Square) -> Self {
        if one.row() == other.row() {
            Self::Row(one.row() + 1)
        } else {
            Self::Column((b'a' + one.column()) as char)
        }
    }
}

impl fmt::Display for BoardLine {
    /// Writes the number or the letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row(number) => write!(f, "{number}"),
            Self::Column(letter) => write!(f, "{letter}"),
        }
    }
}

/// How a side stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Prospect {
    /// With a winning chance of at least 70 %.
    Winning,
    /// With one in between.
    Level,
    /// With a winning chance of at most 30 %.
    Losing,
}

impl Prospect {
    /// The prospect of a side with a winning chance.
    #[must_use]
    pub fn of_chance(chance: f64) -> Self {
        match chance {
            0.7.. => Self::Winning,
            ..=0.3 => Self::Losing,
            _ => Self::Level,
        }
    }
}

/// What a move does on the board, by the rules alone.
///
/// Goals stand for open lanes: each is the nearest one in its direction.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "camelCase"))]
pub enum Deed {
    /// It ends the game.
    Ends {
        /// How.
        outcome: Outcome,
    },
    /// It captures men.
    Captures {
        /// Where they stood.
        squares: Vec<Square>,
    },
    /// The defenders let the king see goals that he did not see before.
    OpensLanes {
        /// Those goals.
        goals: Vec<Square>,
    },
    /// The attackers close the open lanes: the king sees no goal any more.
    ClosesLanes {
        /// The goals that he saw.
        goals: Vec<Square>,
    },
    /// The attackers cut the king off from the goals at corners: as the pieces stand, no number of
    /// his moves leads there.
    ClosesCorners {
        /// The corners.
        corners: Vec<Square>,
        /// Whether he is cut off from all goals.
        is_last: bool,
    },
    /// The defenders give the king a way to the goals at corners that he was cut off from.
    OpensCorners {
        /// The corners.
        corners: Vec<Square>,
    },
    /// The attackers take away the king's last moves.
    BlocksKing,
    /// The attackers threaten to capture the king, which they did not before.
    ThreatensKing {
        /// How they would do it.
        by: Move,
    },
}

/// Something true about a move of a game, from the rules or as the search said.
///
/// The *reply* is the answer that the engine thinks best. A new fact needs its sentence in every
/// language, and a place in [`Fact::is_blame`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "camelCase"))]
pub enum Fact {
    /// It does something on the board.
    Does {
        /// What.
        deed: Deed,
    },
    /// The side could win by force, and cannot any more.
    MissesWin {
        /// In at most this many plies; proved.
        plies: u32,
    },
    /// The opponent can now win by force, and could not before.
    AllowsWin {
        /// In at most this many plies; proved.
        plies: u32,
    },
    /// It repeats a position, which ends the game.
    Repeats {
        /// How the game ends.
        outcome: Outcome,
        /// How the side stood before.
        prospect: Prospect,
    },
    /// The reply repeats a position, which ends the game without a win for the side, though it was
    /// winning.
    AllowsRepetition {
        /// The reply.
        reply: Move,
    },
    /// An attacker leaves a line, and the king has a lane along it.
    LeavesLine {
        /// The line.
        line: BoardLine,
        /// All goals that the king sees now.
        goals: Vec<Square>,
    },
    /// The king sees goals after a move of the attackers, though not along a line that it left.
    LeavesLanes {
        /// All goals that he sees now.
        goals: Vec<Square>,
    },
    /// The moved man was needed on a line: if it still stood there, the reply would open no lane
    /// along it.
    NeededOn {
        /// The line.
        line: BoardLine,
    },
    /// The reply does something on the board.
    Reply {
        /// The reply.
        reply: Move,
        /// What it does, at least one thing.
        deeds: Vec<Deed>,
    },
    /// The opponent can now capture a piece that it could not have captured before.
    Exposes {
        /// The capturing move; the reply, if that captures the piece.
        by: Move,
        /// What would be captured, and why.
        capture: Capture,
    },
    /// The opponent threatened to capture a piece, and still can.
    LeavesBetween {
        /// The capturing move; the reply, if that captures the piece.
        by: Move,
        /// What would be captured, and why.
        capture: Capture,
    },
    /// The reply goes to the square that the moved piece left, or over it.
    GivesUp {
        /// The square.
        square: Square,
        /// The reply.
        reply: Move,
    },
    /// An attacker leaves a square beside the king, where it closed one of his sides.
    LeavesKing {
        /// The square.
        square: Square,
    },
    /// All other moves lose winning chances as a mistake does.
    OnlyMove {
        /// Whether the best of them loses the game.
        others_lose: bool,
    },
}

impl Fact {
    /// Whether it can be a reason why a move was bad.
    #[must_use]
    pub const fn is_blame(&self) -> bool {
        match self {
            Self::MissesWin { .. }
            | Self::AllowsWin { .. }
            | Self::AllowsRepetition { .. }
            | Self::LeavesLine { .. }
            | Self::LeavesLanes { .. }
            | Self::NeededOn { .. }
            | Self::Reply { .. }
            | Self::Exposes { .. }
            | Self::LeavesBetween { .. }
            | Self::GivesUp { .. }
            | Self::LeavesKing { .. }
            | Self::Repeats { .. } => true,
            Self::Does { .. } | Self::OnlyMove { .. } => false,
        }
    }
}
