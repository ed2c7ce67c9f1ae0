//! Boards drawn with letters, one line for each row.

use alloc::string::String;
use core::{fmt, str::FromStr};

use super::board::{parse_side, read_row};
use crate::{Bitboard, BoardSize, ParseBoardError, Position, Rules, Setup, Side, Square};

/// A board drawn with letters and coordinates, with the side to move below.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::{Rules, notation::Diagram};
/// let rules = Rules::ashton();
/// let text = Diagram::from(&rules.start()).to_string();
/// assert!(text.starts_with("   a b c d e f g h i\n 1 . . . b b b . . .\n"));
/// assert!(text.ends_with("white to move"));
/// let back: Diagram = text.parse().expect("its own text");
/// assert_eq!(rules.position(back.setup()), Ok(rules.start()));
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    setup: Setup,
    castle: Option<Square>,
    camps: Bitboard,
    escapes: Bitboard,
}

impl Diagram {
    /// The pieces in the diagram.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Marks the empty castle with `T` and empty camp squares with `:`.
    #[must_use]
    pub fn marked(mut self, rules: &Rules) -> Self {
        self.castle = Some(rules.castle());
        self.camps = rules.camps();
        self
    }

    /// Marks empty escape squares with `*`.
    #[must_use]
    pub fn with_escapes(mut self, rules: &Rules) -> Self {
        self.escapes = rules.escapes();
        self
    }

    /// The letter of a square.
    fn letter(&self, square: Square) -> char {
        match self.setup.piece_at(square) {
            Some(piece) => piece.letter(),
            None if Some(square) == self.castle => 'T',
            None if self.camps.contains(square) => ':',
            None if self.escapes.contains(square) => '*',
            None => '.',
        }
    }

    /// The letters of a row.
    fn row(&self, row: u8) -> impl Iterator<Item = char> + '_ {
        let columns = 0..self.setup.size().rows();
        let squares = columns.filter_map(move |column| Square::new(column, row));
        squares.map(|square| self.letter(square))
    }

    /// The board as the recorded data write it: `...bbb.../....b..../…`, `T` for the empty castle.
    #[must_use]
    pub fn board(&self) -> String {
        let mut text = String::new();
        for row in 0..self.setup.size().rows() {
            if row > 0 {
                text.push('/');
            }
            // Other marks than the castle's have no letter there.
            let plain = |letter| {
                if matches!(letter, ':' | '*') {
                    '.'
                } else {
                    letter
                }
            };
            text.extend(self.row(row).map(plain));
        }
        text
    }
}

impl From<Setup> for Diagram {
    fn from(setup: Setup) -> Self {
        Self {
            setup,
            castle: None,
            camps: Bitboard::EMPTY,
            escapes: Bitboard::EMPTY,
        }
    }
}

impl From<&Position> for Diagram {
    fn from(position: &Position) -> Self {
        Self::from(Setup::from(position))
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.setup.size().rows();
        f.write_str("  ")?;
        for column in 0..rows {
            write!(f, " {}", char::from(b'a' + column))?;
        }
        for row in 0..rows {
            write!(f, "\n{:2}", row + 1)?;
            for letter in self.row(row) {
                write!(f, " {letter}")?;
            }
        }
        write!(f, "\n{} to move", self.setup.side().colour())?;
        match self.setup.quiet() {
            0 => Ok(()),
            quiet => write!(f, ", {quiet} without a capture"),
        }
    }
}

impl FromStr for Diagram {
    type Err = ParseBoardError;

    /// Reads rows with or without coordinates and blanks, and the line with the side to move.
    /// What follows that line is not looked at.
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        let lines = text.lines().map(str::trim).filter(|line| {
            let columns = line.split_ascii_whitespace().collect::<String>();
            !line.is_empty() && !matches!(columns.as_str(), "abcdefghi" | "abcdefg")
        });
        let (mut rows, mut last) = (0, None);
        for line in lines.clone() {
            if line.contains("to move") {
                last = Some(line);
                break;
            }
            rows += 1;
        }
        let size = BoardSize::from_rows(rows).ok_or(ParseBoardError::Rows(rows))?;
        let mut setup = Setup::empty(size, Side::Defenders);
        for (row, line) in lines.take(rows).enumerate() {
            let row = row as u8;
            read_row(&mut setup, row, &cells(line, row + 1)?)?;
        }
        let (side, rest) = last
            .and_then(|line| line.split_once("to move"))
            .ok_or(ParseBoardError::NoSide)?;
        setup = setup.with_side(parse_side(side.trim())?);
        if !rest.is_empty() {
            let quiet = rest
                .strip_prefix(", ")
                .and_then(|rest| rest.strip_suffix(" without a capture"))
                .ok_or_else(|| ParseBoardError::TooLong(rest.into()))?;
            let count = quiet.parse();
            setup = setup.with_quiet(count.map_err(|_| ParseBoardError::Quiet(quiet.into()))?);
        }
        Ok(Self::from(setup))
    }
}

/// The letters of a row without blanks and without its number, which must be the row's own.
fn cells(line: &str, row: u8) -> Result<String, ParseBoardError> {
    let has_several = line.split_ascii_whitespace().nth(1).is_some();
    let mut letters = String::new();
    for word in line.split_ascii_whitespace() {
        match word.parse::<u8>() {
            Ok(number) if has_several && number == row => {}
            Ok(number) if has_several => return Err(ParseBoardError::RowNumber { number, row }),
            _ => letters.push_str(word),
        }
    }
    Ok(letters)
}
