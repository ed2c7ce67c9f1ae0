//! A set of squares in one 128-bit word.

use core::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not},
};

use crate::{Direction, Square};

/// A set of squares.
///
/// Bit *n* stands for the square with number *n*; bits 81 to 127 are never set.
///
/// ```
/// use tablut_rules::{Bitboard, Square};
/// let corner: Square = "a1".parse()?;
/// let set = Bitboard::from(corner);
/// assert!(set.contains(corner));
/// assert_eq!(set.len(), 1);
/// # Ok::<(), tablut_rules::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

/// The single bit of each square. A load is cheaper than a 128-bit shift by a variable.
/// 128 entries, so that masking a seven-bit number replaces the bounds check.
pub(crate) static BIT: [Bitboard; 128] = {
    let mut table = [Bitboard::EMPTY; 128];
    let mut index = 0;
    while index < Square::COUNT {
        table[index] = Bitboard(1 << index);
        index += 1;
    }
    table
};

impl Bitboard {
    /// The set without squares.
    pub const EMPTY: Self = Self(0);
    /// All 81 squares.
    pub const ALL: Self = Self((1 << Square::COUNT) - 1);

    /// The square as a set of one, from a table: for hot code.
    #[inline(always)]
    pub(crate) fn of(square: Square) -> Self {
        BIT[square.index() & 127]
    }

    /// The set as a number: bit *n* is the square with number *n*.
    #[must_use]
    pub const fn bits(self) -> u128 {
        self.0
    }

    /// The set with these bits; bits beyond the board are dropped.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// Whether no square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many squares are in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a square is in the set.
    #[must_use]
    #[inline(always)]
    pub fn contains(self, square: Square) -> bool {
        !(self & Self::of(square)).is_empty()
    }

    /// Whether every square of this set is in the other.
    #[must_use]
    #[inline(always)]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether no square is in both sets.
    #[must_use]
    #[inline(always)]
    pub const fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Adds a square.
    pub fn insert(&mut self, square: Square) {
        *self |= Self::of(square);
    }

    /// Takes a square out.
    pub fn remove(&mut self, square: Square) {
        self.0 &= !Self::of(square).0;
    }

    /// This set with one more square.
    #[must_use]
    pub fn with(mut self, square: Square) -> Self {
        self.insert(square);
        self
    }

    /// This set without a square.
    #[must_use]
    pub fn without(mut self, square: Square) -> Self {
        self.remove(square);
        self
    }

    /// The square with the lowest number, if any.
    #[must_use]
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_index_unchecked(self.0.trailing_zeros() as u8))
        }
    }

    /// The squares from the lowest number to the highest.
    pub fn iter(self) -> Squares {
        Squares(self)
    }

    /// The squares beside a square: two to four.
    #[must_use]
    pub const fn beside(square: Square) -> Self {
        let mut set = 0;
        let mut index = 0;
        while index < 4 {
            if let Some(neighbour) = square.step(Direction::ALL[index]) {
                set |= 1 << neighbour.index();
            }
            index += 1;
        }
        Self(set)
    }
}

/// The squares of a [`Bitboard`], in order of their numbers.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let first = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        self.iter()
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl Extend<Square> for Bitboard {
    fn extend<I: IntoIterator<Item = Square>>(&mut self, squares: I) {
        for square in squares {
            self.insert(square);
        }
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }
}

impl fmt::Debug for Bitboard {
    /// The squares by name, as in `{a1, e5}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
