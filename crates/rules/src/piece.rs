//! The two sides, the three kinds of piece, and the sizes of board.

use core::{fmt, str::FromStr};

/// One of the two sides, named by its role.
///
/// On screen and in the Challenge's protocol the attackers are black and the defenders white.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Side {
    /// The side that hunts the king; black.
    Attackers = 0,
    /// The side of the king; white.
    Defenders = 1,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::Attackers, Self::Defenders];

    /// Both sides, white first: the order in which white's name, port or result is written before
    /// black's.
    pub const WHITE_FIRST: [Self; 2] = [Self::Defenders, Self::Attackers];

    /// The other side.
    #[must_use]
    #[inline(always)]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Attackers => Self::Defenders,
            Self::Defenders => Self::Attackers,
        }
    }

    /// The colour people know it by: attackers are black, defenders white.
    #[must_use]
    pub const fn colour(self) -> &'static str {
        match self {
            Self::Attackers => "black",
            Self::Defenders => "white",
        }
    }
}

impl fmt::Display for Side {
    /// Writes the colour: `white` or `black`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.colour())
    }
}

impl FromStr for Side {
    type Err = ParseSideError;

    /// Reads `white`, `black`, `w` or `b`, in any letter case.
    fn from_str(text: &str) -> Result<Self, ParseSideError> {
        let named = |side: &Self| {
            let colour = side.colour();
            text.eq_ignore_ascii_case(colour) || text.eq_ignore_ascii_case(&colour[..1])
        };
        Self::ALL.into_iter().find(named).ok_or(ParseSideError)
    }
}

/// A text that names no side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSideError;

impl fmt::Display for ParseSideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a side is white or black")
    }
}

impl core::error::Error for ParseSideError {}

/// One kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    /// A man of the attackers.
    Attacker = 0,
    /// A man of the defenders.
    Defender = 1,
    /// The king.
    King = 2,
}

impl Piece {
    /// All three kinds.
    pub const ALL: [Self; 3] = [Self::Attacker, Self::Defender, Self::King];

    /// The side the piece belongs to.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::Attacker => Side::Attackers,
            Self::Defender | Self::King => Side::Defenders,
        }
    }

    /// The piece as an index: attacker 0, defender 1, king 2.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The man of a side.
    #[must_use]
    pub const fn man(side: Side) -> Self {
        match side {
            Side::Attackers => Self::Attacker,
            Side::Defenders => Self::Defender,
        }
    }

    /// The letter of the piece in every text format: `b`, `w`, `K`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Attacker => 'b',
            Self::Defender => 'w',
            Self::King => 'K',
        }
    }

    /// The piece with a letter, small or capital.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'b' | 'B' => Some(Self::Attacker),
            'w' | 'W' => Some(Self::Defender),
            'k' | 'K' => Some(Self::King),
            _ => None,
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(f, self.letter())
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Reads the letter `b`, `w` or `K`, small or capital.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Self::from_letter(letter).ok_or(ParsePieceError),
            _ => Err(ParsePieceError),
        }
    }
}

/// A text that names no piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParsePieceError;

impl fmt::Display for ParsePieceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a piece is b (a black man), w (a white man) or K (the king)")
    }
}

impl core::error::Error for ParsePieceError {}

/// How many rows and columns a board has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum BoardSize {
    /// Brandub: squares `a1` to `g7`.
    Seven = 7,
    /// Tablut: squares `a1` to `i9`.
    #[default]
    Nine = 9,
}

impl BoardSize {
    /// The number of rows, and of columns.
    #[must_use]
    pub const fn rows(self) -> u8 {
        self as u8
    }

    /// The size with this many rows, if there is one.
    #[must_use]
    pub const fn from_rows(rows: usize) -> Option<Self> {
        match rows {
            7 => Some(Self::Seven),
            9 => Some(Self::Nine),
            _ => None,
        }
    }

    /// The squares of a board of this size.
    #[must_use]
    pub fn squares(self) -> crate::Bitboard {
        crate::Square::all()
            .filter(|square| square.column() < self.rows() && square.row() < self.rows())
            .collect()
    }

    /// The squares on the rim of a board of this size.
    #[must_use]
    pub fn edge(self) -> crate::Bitboard {
        let last = self.rows() - 1;
        self.squares()
            .iter()
            .filter(|square| {
                [0, last].contains(&square.column()) || [0, last].contains(&square.row())
            })
            .collect()
    }

    /// The four corners of a board of this size.
    #[must_use]
    pub fn corners(self) -> crate::Bitboard {
        let last = self.rows() - 1;
        self.squares()
            .iter()
            .filter(|square| {
                [0, last].contains(&square.column()) && [0, last].contains(&square.row())
            })
            .collect()
    }
}
