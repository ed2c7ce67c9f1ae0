//! How a game ended: who won, and why.

use core::{fmt, str::FromStr};

use crate::{End, Side};

/// The result of a game with its reason.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Why the game is over.
    pub reason: Reason,
}

impl Outcome {
    /// A win of a side.
    #[must_use]
    pub const fn win(side: Side, reason: Reason) -> Self {
        Self {
            winner: Some(side),
            reason,
        }
    }

    /// A draw.
    #[must_use]
    pub const fn draw(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }
}

impl From<End> for Outcome {
    fn from(end: End) -> Self {
        let reason = match end {
            End::KingEscaped => Reason::KingEscaped,
            End::KingCaptured => Reason::KingCaptured,
            End::TwoLanes => Reason::TwoLanes,
        };
        Self::win(end.winner(), reason)
    }
}

/// Why a game is over.
///
/// Not `non_exhaustive`: whoever keeps, shows or sends results has to answer every reason, and the
/// compiler should ask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The king stopped on a goal.
    KingEscaped,
    /// The king was captured.
    KingCaptured,
    /// The king had two open lanes and could not be captured first.
    TwoLanes,
    /// The side to move had no legal move.
    NoMove,
    /// A position occurred too often.
    Repetition,
    /// Too many moves in a row captured nothing.
    CapturelessLimit,
    /// A player had used up the moves allowed.
    MoveLimit,
    /// A player used too much time.
    TimeOut,
    /// A player made an illegal move.
    IllegalMove,
    /// A player gave up.
    Resignation,
    /// The players agreed on a draw.
    Agreement,
    /// A player's connection was lost.
    ConnectionLost,
    /// Whoever runs the contest decided it.
    Decision,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Self; 13] = [
        Self::KingEscaped,
        Self::KingCaptured,
        Self::TwoLanes,
        Self::NoMove,
        Self::Repetition,
        Self::CapturelessLimit,
        Self::MoveLimit,
        Self::TimeOut,
        Self::IllegalMove,
        Self::Resignation,
        Self::Agreement,
        Self::ConnectionLost,
        Self::Decision,
    ];

    /// Whether the board, and what was on it before, shows that the game is over; the other reasons
    /// come from the players, or from whoever runs the contest.
    #[must_use]
    pub const fn is_on_board(self) -> bool {
        match self {
            Self::KingEscaped
            | Self::KingCaptured
            | Self::TwoLanes
            | Self::NoMove
            | Self::Repetition
            | Self::CapturelessLimit
            | Self::MoveLimit => true,
            Self::TimeOut
            | Self::IllegalMove
            | Self::Resignation
            | Self::Agreement
            | Self::ConnectionLost
            | Self::Decision => false,
        }
    }

    /// The reason in records and headers, such as `king escaped`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::KingEscaped => "king escaped",
            Self::KingCaptured => "king captured",
            Self::TwoLanes => "two open lanes",
            Self::NoMove => "no legal move",
            Self::Repetition => "repetition",
            Self::CapturelessLimit => "captureless limit",
            Self::MoveLimit => "move limit",
            Self::TimeOut => "time-out",
            Self::IllegalMove => "illegal move",
            Self::Resignation => "resignation",
            Self::Agreement => "agreement",
            Self::ConnectionLost => "connection lost",
            Self::Decision => "decision",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Reason {
    type Err = ParseReasonError;

    fn from_str(text: &str) -> Result<Self, ParseReasonError> {
        Self::ALL
            .into_iter()
            .find(|reason| reason.name() == text)
            .ok_or(ParseReasonError)
    }
}

/// A text that is no reason for the end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseReasonError;

impl fmt::Display for ParseReasonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a reason for the end of a game; known are")?;
        for (n, reason) in Reason::ALL.iter().enumerate() {
            write!(f, "{} {reason}", if n == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl core::error::Error for ParseReasonError {}
