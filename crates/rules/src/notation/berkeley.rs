//! Moves as the Berkeley course writes them: rows from the bottom, only the changed coordinate.

use core::{fmt, str::FromStr};

use crate::{Move, Square};

/// A move in the form `b3-6` (to b6) or `b3-f` (to f3), with row 1 at the **bottom** of a 9×9 board.
///
/// ```
/// use tablut_rules::{Move, notation::berkeley::BerkeleyMove};
/// let step: BerkeleyMove = "b3-6".parse()?;
/// assert_eq!(step.0.to_string(), "b7b4");
/// assert_eq!(step.to_string(), "b3-6");
/// # Ok::<(), tablut_rules::notation::berkeley::ParseBerkeleyError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BerkeleyMove(pub Move);

/// The letter of a square's column and the digit of its row, counted from the bottom.
fn coordinates(square: Square) -> (char, u8) {
    (char::from(b'a' + square.column()), 9 - square.row())
}

/// Reads a column letter.
fn column(byte: u8) -> Option<u8> {
    (b'a'..=b'i').contains(&byte).then(|| byte - b'a')
}

/// Reads a row digit, counted from the bottom.
fn row(byte: u8) -> Option<u8> {
    (b'1'..=b'9').contains(&byte).then(|| b'9' - byte)
}

impl fmt::Display for BerkeleyMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (coordinates(self.0.from()), coordinates(self.0.to()));
        write!(f, "{}{}-", from.0, from.1)?;
        if from.0 == to.0 {
            write!(f, "{}", to.1)
        } else {
            write!(f, "{}", to.0)
        }
    }
}

impl FromStr for BerkeleyMove {
    type Err = ParseBerkeleyError;

    fn from_str(text: &str) -> Result<Self, ParseBerkeleyError> {
        let &[from_column, from_row, b'-', target] = text.as_bytes() else {
            return Err(ParseBerkeleyError);
        };
        let from = (column(from_column), row(from_row));
        let (Some(from_column), Some(from_row)) = from else {
            return Err(ParseBerkeleyError);
        };
        let to = match (column(target), row(target)) {
            (Some(column), _) => Square::new(column, from_row),
            (_, Some(row)) => Square::new(from_column, row),
            _ => None,
        };
        let from = Square::new(from_column, from_row);
        match (from, to) {
            (Some(from), Some(to)) if from != to => Ok(Self(Move::new(from, to))),
            _ => Err(ParseBerkeleyError),
        }
    }
}

/// A text that is no move in the Berkeley form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseBerkeleyError;

impl fmt::Display for ParseBerkeleyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a move is a square, a hyphen, and the column or row it goes to, as in b3-6 or b3-f",
        )
    }
}

impl core::error::Error for ParseBerkeleyError {}
