//! Positions in one line: rows from the top, a side to move, and, if any, quiet moves.

use alloc::string::String;
use core::{fmt, str::FromStr};

use crate::{BoardSize, Piece, Position, Setup, Side, Square};

impl fmt::Display for Setup {
    /// Writes `3bbb3/4b4/… w`, with a third part if moves without a capture have been counted.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.size().rows();
        for row in 0..rows {
            if row > 0 {
                f.write_str("/")?;
            }
            let mut empty = 0;
            for column in 0..rows {
                let square = Square::new(column, row).expect("it is on the board");
                match self.piece_at(square) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        write!(f, "{piece}")?;
                        empty = 0;
                    }
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        write!(f, " {}", side_letter(self.side()))?;
        if self.quiet() > 0 {
            write!(f, " {}", self.quiet())?;
        }
        Ok(())
    }
}

impl fmt::Display for Position {
    /// Writes the same line as a [`Setup`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Setup::from(self))
    }
}

impl FromStr for Setup {
    type Err = ParseBoardError;

    /// Reads a line of rows, side to move and, optionally, the number of quiet moves.
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let mut parts = text.split_ascii_whitespace();
        let rows = parts.next().unwrap_or_default();
        let side = parts.next();
        let mut setup = Self::from_board(rows, Side::Defenders)?;
        setup = setup.with_side(parse_side(side.ok_or(ParseBoardError::NoSide)?)?);
        if let Some(quiet) = parts.next() {
            let quiet = quiet
                .parse()
                .map_err(|_| ParseBoardError::Quiet(quiet.into()))?;
            setup = setup.with_quiet(quiet);
        }
        match parts.next() {
            None => Ok(setup),
            Some(rest) => Err(ParseBoardError::TooLong(rest.into())),
        }
    }
}

impl Setup {
    /// Reads rows joined by `/`, from the top, without a side to move.
    ///
    /// `b` and `w` are men, `K` the king, `.` and `T` (the empty castle) empty squares, and a digit
    /// is that many empty squares.
    ///
    /// # Errors
    /// Says which row, and what is wrong with it.
    pub fn from_board(text: &str, side: Side) -> Result<Self, ParseBoardError> {
        let rows = text.split('/').count();
        let size = BoardSize::from_rows(rows).ok_or(ParseBoardError::Rows(rows))?;
        let mut setup = Self::empty(size, side);
        for (row, text) in text.split('/').enumerate() {
            read_row(&mut setup, row as u8, text)?;
        }
        Ok(setup)
    }
}

/// Puts the pieces of one row of text on the board.
pub(super) fn read_row(setup: &mut Setup, row: u8, text: &str) -> Result<(), ParseBoardError> {
    let mut column = 0_u32;
    for letter in text.chars() {
        let piece = match letter {
            '1'..='9' => {
                column += u32::from(letter) - u32::from('0');
                continue;
            }
            '.' | '-' | ':' | '*' | 'T' | 't' => None,
            _ => match Piece::from_letter(letter) {
                Some(piece) => Some(piece),
                None => {
                    return Err(ParseBoardError::Letter {
                        letter,
                        row: row + 1,
                        column: column + 1,
                    });
                }
            },
        };
        let square = u8::try_from(column).ok().and_then(|c| Square::new(c, row));
        if let (Some(square), Some(piece)) = (square, piece) {
            setup.put(square, Some(piece));
        }
        column = column.saturating_add(1);
    }
    let expected = setup.size().rows();
    if column == u32::from(expected) {
        Ok(())
    } else {
        Err(ParseBoardError::Squares {
            row: row + 1,
            found: column,
            expected,
        })
    }
}

/// Reads `w`, `b`, `white` or `black`, in any letter case.
pub(super) fn parse_side(text: &str) -> Result<Side, ParseBoardError> {
    text.parse().map_err(|_| ParseBoardError::Side(text.into()))
}

const fn side_letter(side: Side) -> char {
    match side {
        Side::Attackers => 'b',
        Side::Defenders => 'w',
    }
}

/// A text that is no board or position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ParseBoardError {
    /// The number of rows fits no board.
    Rows(usize),
    /// A row with the wrong number of squares.
    Squares {
        /// The row, from 1 at the top.
        row: u8,
        /// How many squares it describes.
        found: u32,
        /// How many it should.
        expected: u8,
    },
    /// A letter that means nothing.
    Letter {
        /// The letter.
        letter: char,
        /// The row, from 1 at the top.
        row: u8,
        /// The column, from 1 at the left.
        column: u32,
    },
    /// A row of a diagram with another row's number.
    RowNumber {
        /// The number that stands there.
        number: u8,
        /// The row, from 1 at the top.
        row: u8,
    },
    /// The side to move is missing.
    NoSide,
    /// The side to move is neither white nor black.
    Side(String),
    /// The count of quiet moves is no number.
    Quiet(String),
    /// Something follows where nothing should.
    TooLong(String),
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rows(rows) => write!(
                f,
                "a board has 9 rows (or 7) separated by '/', this has {rows}"
            ),
            Self::Squares {
                row,
                found,
                expected,
            } => write!(f, "row {row} has {found} squares instead of {expected}"),
            Self::Letter {
                letter,
                row,
                column,
            } => write!(
                f,
                "{letter:?} in row {row}, column {column}, is no piece: use b, w, K, and . or a \
                 digit for empty squares"
            ),
            Self::RowNumber { number, row } => write!(
                f,
                "row {row} from the top is called {number}; rows are counted from the top here"
            ),
            Self::NoSide => f.write_str("the side to move is missing: add w or b behind the board"),
            Self::Side(text) => write!(f, "the side to move is w or b, not {text:?}"),
            Self::Quiet(text) => write!(
                f,
                "the moves without a capture are a number up to 65535, not {text:?}"
            ),
            Self::TooLong(text) => write!(f, "nothing may follow a position, but {text:?} does"),
        }
    }
}

impl core::error::Error for ParseBoardError {}
