//! A set of squares in one 128-bit word.

use core::{
    fmt,
    ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign},
};

use crate::{Direction, Square, line::COLUMN};

/// A set of squares.
///
/// Works like any set: `|` is the union, `&` the intersection, `-` the difference, `!` what is
/// missing of the 81 squares of the large board. [`Bitboard::shift`], [`Bitboard::neighbours`],
/// [`Bitboard::fill`] and [`Bitboard::flood`] move whole sets at once.
///
/// ```
/// use tablut_rules::{Bitboard, Square};
/// let corner: Square = "a1".parse()?;
/// let set = Bitboard::from(corner);
/// assert!(set.contains(corner));
/// assert_eq!(set.len(), 1);
/// # Ok::<(), tablut_rules::ParseSquareError>(())
/// ```
// Bit *n* stands for the square with number *n*. Bits 81 to 127 are never set in a set that leaves
// this crate; `rules::IMPOSSIBLE`, a bit beyond the board, stands in private tables only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

/// The last column.
const LAST_COLUMN: u128 = COLUMN << 8;

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

    /// The set with these bits; bits beyond the board are dropped.
    pub(crate) const fn from_bits(bits: u128) -> Self {
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
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The same as [`Bitboard::len`], quicker for a handful of squares and slower for more.
    ///
    /// The plain x86-64 instruction set cannot count bits, and counting all 128 costs more than
    /// taking a few away one by one.
    #[must_use]
    #[inline(always)]
    pub const fn len_of_few(self) -> u32 {
        let mut rest = self.0;
        let mut count = 0;
        while rest != 0 {
            rest &= rest - 1;
            count += 1;
        }
        count
    }

    /// Whether two or more squares are in the set.
    #[must_use]
    #[inline(always)]
    pub const fn has_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
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

    /// The set of the square with the lowest number alone; empty if the set is.
    #[must_use]
    #[inline(always)]
    pub const fn first_only(self) -> Self {
        Self(self.0 & self.0.wrapping_neg())
    }

    /// The squares from the lowest number to the highest.
    #[inline(always)]
    pub fn iter(self) -> Squares {
        Squares(self)
    }

    /// Every square moved one step; what would leave the large board drops off.
    #[must_use]
    #[inline(always)]
    pub const fn shift(self, direction: Direction) -> Self {
        Self(match direction {
            Direction::Up => self.0 >> 9,
            Direction::Down => self.0 << 9 & Self::ALL.0,
            Direction::Left => (self.0 & !COLUMN) >> 1,
            Direction::Right => (self.0 & !LAST_COLUMN) << 1,
        })
    }

    /// The squares beside those of the set; some of them may be in the set themselves.
    #[must_use]
    #[inline(always)]
    pub const fn neighbours(self) -> Self {
        Self(
            (self.0 & !LAST_COLUMN) << 1
                | (self.0 & !COLUMN) >> 1
                | self.0 << 9 & Self::ALL.0
                | self.0 >> 9,
        )
    }

    /// The set, and the squares that up to seven steps in one direction through open squares reach
    /// from it.
    ///
    /// The eighth step, from one rim of the large board to the other, is left out: three doublings
    /// are worth more to an evaluation than that square.
    #[must_use]
    #[inline(always)]
    pub const fn fill(self, direction: Direction, open: Self) -> Self {
        Self(match direction {
            Direction::Up => fill::<9, false>(self.0, open.0),
            Direction::Down => fill::<9, true>(self.0, open.0),
            Direction::Left => fill::<1, false>(self.0, open.0 & !LAST_COLUMN),
            Direction::Right => fill::<1, true>(self.0, open.0 & !COLUMN),
        })
    }

    /// The squares of the set that are open, and all that single steps through open squares connect
    /// with them.
    #[must_use]
    #[inline(always)]
    pub const fn flood(self, open: Self) -> Self {
        let mut region = Self(self.0 & open.0);
        loop {
            // Single steps: they are so cheap that more of them beat fewer long ones.
            let once = Self(region.0 | region.neighbours().0 & open.0);
            let next = Self(once.0 | once.neighbours().0 & open.0);
            if next.0 == region.0 {
                return region;
            }
            region = next;
        }
    }

    /// A number in which every bit depends on the set: for tables with a place for each set.
    #[must_use]
    #[inline(always)]
    pub const fn mix(self) -> u64 {
        (self.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ ((self.0 >> 64) as u64).wrapping_mul(0xd6e8_feb8_6659_fd93)
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

/// The bits that up to seven steps of a length reach from others through open ones, with these.
#[inline(always)]
const fn fill<const STEP: u32, const UPWARDS: bool>(from: u128, open: u128) -> u128 {
    const fn moved<const UPWARDS: bool>(set: u128, by: u32) -> u128 {
        if UPWARDS { set << by } else { set >> by }
    }
    let (mut set, mut open) = (from, open);
    set |= open & moved::<UPWARDS>(set, STEP);
    open &= moved::<UPWARDS>(open, STEP);
    set |= open & moved::<UPWARDS>(set, 2 * STEP);
    open &= moved::<UPWARDS>(open, 2 * STEP);
    set | open & moved::<UPWARDS>(set, 4 * STEP)
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

    #[inline(always)]
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
    #[inline(always)]
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

impl Sub for Bitboard {
    type Output = Self;
    /// The squares of this set that are not in the other.
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl SubAssign for Bitboard {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.0 &= !other.0;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The squares with these names.
    fn set(names: &str) -> Bitboard {
        let squares = names.split_ascii_whitespace();
        squares
            .map(|name| name.parse::<Square>().unwrap())
            .collect()
    }

    #[test]
    fn a_shift_moves_every_square_one_step_or_off_the_board() {
        for square in Square::all() {
            for direction in Direction::ALL {
                let step = square
                    .step(direction)
                    .map_or(Bitboard::EMPTY, Bitboard::from);
                assert_eq!(Bitboard::from(square).shift(direction), step, "{square}");
            }
            assert_eq!(
                Bitboard::from(square).neighbours(),
                Bitboard::beside(square)
            );
        }
        for direction in Direction::ALL {
            assert_eq!(Bitboard::ALL.shift(direction).len(), 72);
        }
    }

    #[test]
    fn a_fill_does_not_cross_the_rim() {
        let fill = |direction| set("a5").fill(direction, Bitboard::ALL);
        assert_eq!(fill(Direction::Right), set("a5 b5 c5 d5 e5 f5 g5 h5"));
        assert_eq!(fill(Direction::Left), set("a5"));
        assert_eq!(fill(Direction::Down), set("a5 a6 a7 a8 a9"));
        assert_eq!(fill(Direction::Up), set("a5 a4 a3 a2 a1"));
    }

    #[test]
    fn a_fill_stops_before_the_first_closed_square() {
        let open = Bitboard::ALL - set("c5 e5 e2");
        assert_eq!(set("d5").fill(Direction::Left, open), set("d5"));
        assert_eq!(set("a5").fill(Direction::Right, open), set("a5 b5"));
        assert_eq!(set("e8").fill(Direction::Up, open), set("e8 e7 e6"));
        assert_eq!(set("i9").fill(Direction::Down, open), set("i9"));
    }

    #[test]
    fn a_flood_stops_at_walls() {
        let open = Bitboard::ALL - set("a3 b3 c2 c1");
        assert_eq!(set("a1").flood(open), set("a1 a2 b1 b2"));
        assert_eq!(
            set("a3").flood(open),
            Bitboard::EMPTY,
            "it is closed itself"
        );
    }

    #[test]
    fn small_sets_are_counted_like_large_ones() {
        for names in ["", "e5", "a1 i9", "a1 b1 h9 i9 e5"] {
            let set = set(names);
            assert_eq!(set.len_of_few(), set.len());
            assert_eq!(set.has_several(), set.len() > 1);
            assert_eq!(set.first_only().first(), set.first());
            assert!(set.first_only().len() <= 1);
        }
    }

    #[test]
    fn a_difference_keeps_what_the_other_set_lacks() {
        assert_eq!(set("a1 b2 c3") - set("b2 d4"), set("a1 c3"));
        let mut left = set("a1 b2");
        left -= set("a1");
        assert_eq!(left, set("b2"));
    }
}
