//! Pieces as someone put them: anything an editor can make, right or wrong.

use alloc::{string::String, vec::Vec};
use core::fmt;

use crate::{Bitboard, BoardSize, Move, Piece, Position, Side, Square};

/// Any arrangement of pieces, with a side to move.
///
/// A set-up may have no king or five, men on the castle, or a king already caught; only
/// [`Rules::position`](crate::Rules::position) judges it. Its text form is one line, such as
/// `3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w`; see [`crate::notation`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    size: BoardSize,
    /// Attackers, defenders, kings; no square is in two of the sets.
    pieces: [Bitboard; 3],
    side: Side,
    quiet: u16,
}

impl Setup {
    /// An empty board with a side to move.
    #[must_use]
    pub const fn empty(size: BoardSize, side: Side) -> Self {
        Self {
            size,
            pieces: [Bitboard::EMPTY; 3],
            side,
            quiet: 0,
        }
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// The side to move.
    #[must_use]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The same pieces with a side to move.
    #[must_use]
    pub const fn with_side(mut self, side: Side) -> Self {
        self.side = side;
        self
    }

    /// How many moves in a row have captured nothing.
    #[must_use]
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// The same set-up with a count of moves that captured nothing.
    #[must_use]
    pub const fn with_quiet(mut self, quiet: u16) -> Self {
        self.quiet = quiet;
        self
    }

    /// The squares of one kind of piece.
    #[must_use]
    pub const fn pieces(&self, piece: Piece) -> Bitboard {
        self.pieces[piece.index()]
    }

    /// The squares of one side's pieces, the king's among the defenders'.
    #[must_use]
    pub fn of_side(&self, side: Side) -> Bitboard {
        match side {
            Side::Attackers => self.pieces(Piece::Attacker),
            Side::Defenders => self.pieces(Piece::Defender) | self.pieces(Piece::King),
        }
    }

    /// All squares with a piece.
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        self.of_side(Side::Attackers) | self.of_side(Side::Defenders)
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        Piece::ALL
            .into_iter()
            .find(|&piece| self.pieces(piece).contains(square))
    }

    /// Puts a piece on a square, or clears it.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        for set in &mut self.pieces {
            set.remove(square);
        }
        if let Some(piece) = piece {
            self.pieces[piece.index()].insert(square);
        }
    }

    /// Moves whatever stands on a square to another, without captures.
    pub(crate) fn shift(&mut self, step: Move) {
        let piece = self.piece_at(step.from());
        self.put(step.from(), None);
        self.put(step.to(), piece);
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Self {
        let king = Bitboard::from(position.king());
        Self {
            size: position.size(),
            pieces: [
                position.pieces(Side::Attackers),
                position.men(Side::Defenders),
                king,
            ],
            side: position.side(),
            quiet: position.quiet(),
        }
    }
}

/// One thing that is wrong with a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum SetupFault {
    /// The board has another size than the rule set's.
    WrongSize {
        /// The rule set's size.
        expected: BoardSize,
        /// The set-up's size.
        found: BoardSize,
    },
    /// Pieces on squares that a smaller board does not have.
    OutsideBoard(Bitboard),
    /// There is no king.
    NoKing,
    /// There are several kings.
    SeveralKings(Bitboard),
    /// A man on the castle, where no man may stop.
    ManOnCastle(Square),
    /// Pieces on camp squares they can never reach.
    StrayInCamp(Bitboard),
    /// The king stands on a goal, so the game is over.
    KingEscaped(Square),
    /// The king is besieged, so the game is over.
    KingCaptured(Square),
    /// More men than the side has at the start.
    TooManyMen {
        /// Whose men.
        side: Side,
        /// How many there are.
        count: u32,
        /// How many there are at the start.
        most: u32,
    },
}

impl SetupFault {
    /// Whether play is impossible: there is not exactly one king on the rule set's board.
    #[must_use]
    pub const fn is_grave(&self) -> bool {
        matches!(
            self,
            Self::WrongSize { .. } | Self::OutsideBoard(_) | Self::NoKing | Self::SeveralKings(_)
        )
    }
}

impl core::error::Error for SetupFault {}

/// The names of squares, separated by blanks.
pub(crate) fn names(squares: Bitboard) -> String {
    let mut text = String::new();
    for square in squares {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&alloc::format!("{square}"));
    }
    text
}

/// A set-up that is not a sound position: all faults, and the position if play is possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    pub(crate) faults: Vec<SetupFault>,
    pub(crate) position: Option<Position>,
}

impl SetupError {
    /// Everything that is wrong.
    #[must_use]
    pub fn faults(&self) -> &[SetupFault] {
        &self.faults
    }

    /// The position all the same, if no fault is grave.
    ///
    /// # Errors
    /// Gives the error back if there is not exactly one king on the right board.
    pub fn playable(self) -> Result<Position, Self> {
        self.position.ok_or(self)
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            if n > 0 {
                f.write_str("; ")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl core::error::Error for SetupError {}
