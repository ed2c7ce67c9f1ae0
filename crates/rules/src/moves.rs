//! A move, and a list of moves that needs no heap.

use core::{
    fmt,
    ops::{Deref, DerefMut},
};

use crate::Square;

/// One move: from a square to a square, in sixteen bits.
///
/// Its text form is `e3e7`; see [`crate::notation`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub(crate) u16);

impl Move {
    /// Bits that hold one square.
    pub(crate) const SHIFT: u32 = 7;

    /// How many places a table with one for each [`Move::index`] has.
    pub const COUNT: usize = 1 << (2 * Self::SHIFT);

    /// The move from a square to a square.
    #[must_use]
    #[inline(always)]
    pub const fn new(from: Square, to: Square) -> Self {
        Self(from.index() as u16 | (to.index() as u16) << Self::SHIFT)
    }

    /// The move's place in a table of [`Move::COUNT`] places. Not every place has a move.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize & (Self::COUNT - 1)
    }

    /// The move in fourteen bits, to be kept with other things in one word.
    #[must_use]
    #[inline(always)]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The move with a number that [`Move::bits`] gave.
    #[must_use]
    #[inline(always)]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let (from, to) = (bits & 127, bits >> Self::SHIFT);
        if from < Square::COUNT as u16 && to < Square::COUNT as u16 {
            Some(Self(bits))
        } else {
            None
        }
    }

    /// Where the piece starts.
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::from_index_unchecked((self.0 & 127) as u8)
    }

    /// Where the piece stops.
    #[must_use]
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::from_index_unchecked((self.0 >> Self::SHIFT) as u8)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Entries the generator writes at once; see [`crate::line`].
pub(crate) const CHUNK: usize = 8;

/// The largest number of moves one side can have.
///
/// In a line of nine with *n* own pieces, each empty square is reached by at most two of them: at
/// most 2 × (9 − n) moves, and 8 for a single piece. So no line has more than 14, and eighteen lines
/// no more than 252, whatever stands on the board.
const MOST: usize = 252;

/// A list of moves on the stack.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; MOST + CHUNK],
    len: usize,
}

impl MoveList {
    /// A list without moves.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            moves: [Move(0); MOST + CHUNK],
            len: 0,
        }
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Appends the first `count` moves of a chunk.
    #[inline(always)]
    pub(crate) fn append(&mut self, chunk: [Move; CHUNK], count: usize) {
        self.moves[self.len..self.len + CHUNK].copy_from_slice(&chunk);
        self.len += count;
    }
}

impl Default for MoveList {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl DerefMut for MoveList {
    /// The moves, to be put in another order.
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.moves[..self.len]
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
