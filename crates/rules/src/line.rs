//! One row or column as nine bits: how far a piece slides, and its moves ready to copy.
//!
//! The occupancy of a row is a shift of the board. The occupancy of a column is one multiplication:
//! its nine bits lie nine apart, and a factor with bits eight apart brings them side by side,
//!
//! ```text
//! bit 9·r  times  2^(72 − 8·r)  =  bit 72 + r      (r = 0 … 8, no two terms collide below bit 81)
//! ```
//!
//! All eighteen lines of a position are computed once; every piece then needs one look-up per line.
//! Slow twins of every table stand in the tests below.

use crate::{Bitboard, Move, Square, moves::CHUNK};

/// Nine bits, one for each square of a row (from the left) or column (from the top).
pub(crate) type LineBits = u16;

/// All squares of a line.
pub(crate) const FULL: LineBits = 0x1ff;

/// Column a.
pub(crate) const COLUMN: u128 = {
    let mut bits = 0;
    let mut row = 0;
    while row < 9 {
        bits |= 1 << (9 * row);
        row += 1;
    }
    bits
};

/// Brings the nine bits of column a to bits 72 to 80.
const GATHER: u128 = {
    let mut factor = 0;
    let mut row = 0;
    while row < 9 {
        factor |= 1 << (72 - 8 * row);
        row += 1;
    }
    factor
};

/// `REACH[place << 9 | blocked]`: the squares a piece at `place` of a line can slide to when the
/// squares `blocked` stop it. Sixteen places, so that a masked index needs no bounds check.
static REACH: [LineBits; 16 * 512] = {
    let mut table = [0; 16 * 512];
    let mut place = 0;
    while place < 9 {
        let mut blocked = 0;
        while blocked < 512 {
            let mut reach = 0;
            let mut up = place + 1;
            while up < 9 && blocked & 1 << up == 0 {
                reach |= 1 << up;
                up += 1;
            }
            let mut down = place;
            while down > 0 && blocked & 1 << (down - 1) == 0 {
                reach |= 1 << (down - 1);
                down -= 1;
            }
            table[place << 9 | blocked] = reach;
            blocked += 1;
        }
        place += 1;
    }
    table
};

/// For a set of targets in a line: the target parts of its moves, packed from the front.
const fn packed(square_distance: u16) -> [[u16; CHUNK]; 512] {
    let mut table = [[0; CHUNK]; 512];
    let mut targets = 0;
    while targets < 512 {
        let mut count = 0;
        let mut place = 0;
        while place < 9 && count < CHUNK {
            if targets & 1 << place != 0 {
                table[targets][count] = (place as u16 * square_distance) << Move::SHIFT;
                count += 1;
            }
            place += 1;
        }
        targets += 1;
    }
    table
}

static ROW_MOVES: [[u16; CHUNK]; 512] = packed(1);
static COLUMN_MOVES: [[u16; CHUNK]; 512] = packed(9);

/// How many squares a line holds; the plain x86-64 instruction set cannot count bits.
static COUNT: [u8; 512] = {
    let mut table = [0; 512];
    let mut line = 0;
    while line < 512 {
        table[line] = (line as u16).count_ones() as u8;
        line += 1;
    }
    table
};

/// The squares of a line in which a piece at `place` can move, given what blocks it.
#[inline(always)]
pub(crate) fn reach(place: u8, blocked: LineBits) -> LineBits {
    REACH[usize::from(place & 15) << 9 | usize::from(blocked & FULL)]
}

/// How many squares a line holds.
#[inline(always)]
pub(crate) fn count(line: LineBits) -> usize {
    usize::from(COUNT[usize::from(line & FULL)])
}

/// The moves along a row to the targets; `base` is the move to the row's first square.
#[inline(always)]
pub(crate) fn row_moves(targets: LineBits, base: u16) -> [Move; CHUNK] {
    ROW_MOVES[usize::from(targets & FULL)].map(|target| Move(target.wrapping_add(base)))
}

/// The moves along a column to the targets; `base` is the move to the column's first square.
#[inline(always)]
pub(crate) fn column_moves(targets: LineBits, base: u16) -> [Move; CHUNK] {
    COLUMN_MOVES[usize::from(targets & FULL)].map(|target| Move(target.wrapping_add(base)))
}

/// The squares of a row in a set, as a line.
#[inline(always)]
pub(crate) const fn row_of(set: Bitboard, row: u8) -> LineBits {
    (set.0 >> (9 * row)) as LineBits & FULL
}

/// The squares of a column in a set, as a line.
#[inline(always)]
pub(crate) const fn column_of(set: Bitboard, column: u8) -> LineBits {
    ((set.0 >> column & COLUMN).wrapping_mul(GATHER) >> 72) as LineBits & FULL
}

/// The first row.
pub(crate) const ROW: u128 = FULL as u128;

/// The squares of column a whose bits a line holds.
static SPREAD: [u128; 512] = {
    let mut table = [0; 512];
    let mut line = 0;
    while line < 512 {
        let mut row = 0;
        while row < 9 {
            if line & 1 << row != 0 {
                table[line] |= 1 << (9 * row);
            }
            row += 1;
        }
        line += 1;
    }
    table
};

/// The squares of a row that a line holds.
#[inline(always)]
pub(crate) fn row_squares(line: LineBits, row: u8) -> Bitboard {
    Bitboard(u128::from(line & FULL) << ((9 * u32::from(row & 15)) & 127))
}

/// The squares of a column that a line holds.
#[inline(always)]
pub(crate) fn column_squares(line: LineBits, column: u8) -> Bitboard {
    Bitboard(SPREAD[usize::from(line & FULL)] << (column & 15))
}

/// Per square: the squares to its right, left, below and above.
static RAYS: [[u128; 4]; 128] = {
    let mut table = [[0; 4]; 128];
    let mut index = 0;
    while index < Square::COUNT {
        let row = ROW << (9 * (index / 9));
        let column = COLUMN << (index % 9);
        let before = (1 << index) - 1;
        let after = !before << 1;
        table[index] = [row & after, row & before, column & after, column & before];
        index += 1;
    }
    table
};

/// The first occupied square in every direction.
#[inline(always)]
pub(crate) fn nearest(from: Square, occupied: Bitboard) -> Bitboard {
    let [right, left, below, above] = RAYS[from.index() & 127].map(|ray| ray & occupied.0);
    let lowest = |set: u128| set & set.wrapping_neg();
    // Nothing has 128 zeros, and stays nothing whatever it is combined with.
    let highest =
        |set: u128| set & crate::bitboard::BIT[127 - (set.leading_zeros() as usize & 127)].0;
    Bitboard(lowest(right) | highest(left) | lowest(below) | highest(above))
}

/// The occupancy of all rows and columns of a board.
pub(crate) struct BoardLines {
    rows: [LineBits; 16],
    columns: [LineBits; 16],
}

impl BoardLines {
    /// The eighteen lines of a set of occupied squares.
    #[inline(always)]
    pub(crate) fn new(occupied: Bitboard) -> Self {
        let mut lines = Self {
            rows: [0; 16],
            columns: [0; 16],
        };
        for place in 0..9 {
            lines.rows[usize::from(place)] = row_of(occupied, place);
            lines.columns[usize::from(place)] = column_of(occupied, place);
        }
        lines
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: u8) -> LineBits {
        self.rows[usize::from(row & 15)]
    }

    #[inline(always)]
    pub(crate) fn column(&self, column: u8) -> LineBits {
        self.columns[usize::from(column & 15)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some sets with every pattern of bits that matters, without a random number generator.
    fn sets() -> impl Iterator<Item = Bitboard> {
        (0..2000u128).map(|n| {
            let mixed = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
            Bitboard::from_bits(mixed ^ mixed >> 31)
        })
    }

    #[test]
    fn lines_hold_the_squares_of_their_row_and_column() {
        for set in sets() {
            let lines = BoardLines::new(set);
            for square in Square::all() {
                let (column, row) = (square.column(), square.row());
                let in_row = lines.row(row) & 1 << column != 0;
                let in_column = lines.column(column) & 1 << row != 0;
                assert_eq!(in_row, set.contains(square));
                assert_eq!(in_column, set.contains(square));
            }
        }
    }

    #[test]
    fn a_slide_ends_before_the_first_blocked_square() {
        for place in 0..9u8 {
            for blocked in 0..512 {
                let mut expected = 0;
                for target in 0..9u8 {
                    let path = place.min(target)..=place.max(target);
                    let free = path.filter(|&p| p != place).all(|p| blocked & 1 << p == 0);
                    if target != place && free {
                        expected |= 1 << target;
                    }
                }
                assert_eq!(reach(place, blocked), expected);
            }
        }
    }

    #[test]
    fn the_nearest_squares_are_found_step_by_step() {
        use crate::Direction;
        for set in sets().take(300) {
            for from in Square::all() {
                let first = |direction| {
                    let mut next = from.step(direction);
                    while let Some(square) = next.filter(|&square| !set.contains(square)) {
                        next = square.step(direction);
                    }
                    next
                };
                let expected: Bitboard = Direction::ALL.into_iter().filter_map(first).collect();
                assert_eq!(nearest(from, set), expected);
            }
        }
    }

    #[test]
    fn packed_moves_are_the_targets_in_order() {
        for targets in (0..512).filter(|t: &u16| t.count_ones() <= 8) {
            let places = (0..9).filter(|p| targets & 1 << p != 0);
            for (n, place) in places.clone().enumerate() {
                assert_eq!(row_moves(targets, 0)[n].0, place << Move::SHIFT);
                assert_eq!(column_moves(targets, 0)[n].0, (9 * place) << Move::SHIFT);
            }
            assert_eq!(count(targets), places.count());
        }
    }
}
