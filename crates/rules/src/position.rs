//! A position: one king, pieces on their squares, a side to move, in 48 bytes.

use crate::{Bitboard, BoardSize, BySide, Move, Piece, Side, Square, zobrist};

/// A position of a game under some rule set.
///
/// Made by [`Rules::start`](crate::Rules::start), [`Rules::position`](crate::Rules::position) and
/// [`Rules::apply`](crate::Rules::apply); there is always exactly one king. It is copied, never
/// undone, and holds no reference to its rules.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The king is among the defenders.
    pub(crate) pieces: BySide<Bitboard>,
    pub(crate) key: u64,
    pub(crate) king: Square,
    pub(crate) side: Side,
    pub(crate) size: BoardSize,
    /// Moves in a row that captured nothing; stays at its largest value.
    pub(crate) quiet: u16,
}

const _: () = assert!(size_of::<Position>() == 48);

impl Position {
    /// The squares of one side's pieces, the king's among the defenders'.
    #[must_use]
    #[inline(always)]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        *self.pieces.get(side)
    }

    /// The squares of one side's men, without the king's.
    #[must_use]
    #[inline(always)]
    pub fn men(&self, side: Side) -> Bitboard {
        match side {
            Side::Attackers => self.pieces.attackers,
            Side::Defenders => self.pieces.defenders ^ Bitboard::of(self.king),
        }
    }

    /// All squares with a piece.
    #[must_use]
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.pieces.attackers | self.pieces.defenders
    }

    /// Where the king stands. A captured king stays on the board in the final position.
    #[must_use]
    #[inline(always)]
    pub const fn king(&self) -> Square {
        self.king
    }

    /// The side to move.
    #[must_use]
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// The size of the board.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// A number that is the same for the same pieces and side to move, and almost never otherwise.
    #[must_use]
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// How many moves in a row have captured nothing.
    #[must_use]
    #[inline(always)]
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// What stands on a square.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        if square == self.king {
            Some(Piece::King)
        } else if self.pieces.attackers.contains(square) {
            Some(Piece::Attacker)
        } else if self.pieces.defenders.contains(square) {
            Some(Piece::Defender)
        } else {
            None
        }
    }

    /// Whether pieces and side to move are the same: what counts for repetition.
    #[must_use]
    pub fn repeats(&self, other: &Self) -> bool {
        self.key == other.key
            && self.pieces == other.pieces
            && self.king == other.king
            && self.side == other.side
    }

    /// The same position with the other side to move: what a search asks that lets a side pass. No
    /// rule set allows it in a game.
    #[must_use]
    #[inline]
    pub fn pass(&self) -> Self {
        Self {
            side: self.side.opponent(),
            key: self.key ^ zobrist::DEFENDERS_TO_MOVE,
            ..*self
        }
    }

    /// The piece that a legal move moves.
    #[inline(always)]
    pub(crate) fn mover(&self, step: Move) -> Piece {
        if step.from() == self.king {
            Piece::King
        } else {
            Piece::man(self.side)
        }
    }

    /// The key, computed from nothing: the slow twin of the one that moves keep up to date.
    #[must_use]
    pub fn fresh_key(&self) -> u64 {
        let mut key = match self.side {
            Side::Attackers => 0,
            Side::Defenders => zobrist::DEFENDERS_TO_MOVE,
        };
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                key ^= zobrist::of(piece, square);
            }
        }
        key
    }
}

impl core::fmt::Debug for Position {
    /// The one-line text form.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
