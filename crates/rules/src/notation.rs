//! Moves, positions and boards as text. `docs/notation.md` describes every form.
//!
//! `Display` writes one form; `FromStr` reads it back and a little more. Errors say where and why.
//!
//! | what | form |
//! |---|---|
//! | [`Move`] | `e3e7`, also read as `e3-e7` |
//! | [`Setup`], [`Position`] | one line: `3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w` |
//! | [`Diagram`] | a board of nine lines with coordinates |
//! | [`BerkeleyMove`](berkeley::BerkeleyMove) | `b3-6`, rows from the bottom |

pub mod berkeley;
mod board;
mod diagram;

use core::{fmt, str::FromStr};

pub use board::ParseBoardError;
pub use diagram::Diagram;

use crate::{Move, ParseSquareError, Square};
#[cfg(doc)]
use crate::{Position, Setup};

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())
    }
}

impl FromStr for Move {
    type Err = ParseMoveError;

    /// Reads `e3e7`, `e3-e7` or `E3E7`.
    fn from_str(text: &str) -> Result<Self, ParseMoveError> {
        let (from, to) = match text.len() {
            4 => (text.get(..2), text.get(2..)),
            5 if text.as_bytes()[2] == b'-' => (text.get(..2), text.get(3..)),
            _ => (None, None),
        };
        let (Some(from), Some(to)) = (from, to) else {
            return Err(ParseMoveError::Form);
        };
        let square = |text: &str| text.parse::<Square>();
        Ok(Self::new(
            square(from).map_err(ParseMoveError::From)?,
            square(to).map_err(ParseMoveError::To)?,
        ))
    }
}

/// A text that is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseMoveError {
    /// It does not have the form of two squares.
    Form,
    /// The first square is none.
    From(ParseSquareError),
    /// The second square is none.
    To(ParseSquareError),
}

impl fmt::Display for ParseMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str("a move is two squares, as in e3e7 or e3-e7"),
            Self::From(error) => write!(f, "the first square is wrong: {error}"),
            Self::To(error) => write!(f, "the second square is wrong: {error}"),
        }
    }
}

impl core::error::Error for ParseMoveError {}
