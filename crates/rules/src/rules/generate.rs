//! Lists of legal moves. A hot path: no branch depends on where a line is blocked.

use super::{Rules, Slide};
use crate::{
    Bitboard, Move, MoveList, Piece, Position, Side, Square,
    line::{self, BoardLines, LineBits},
};

/// Row, column, and what a move from the square to the start of its row or column looks like.
#[derive(Clone, Copy)]
struct SlideOrigin {
    row: u8,
    column: u8,
    row_base: u16,
    column_base: u16,
}

/// The place of each square; 128 entries, so that a masked index needs no check.
static PLACES: [SlideOrigin; 128] = {
    let empty = SlideOrigin {
        row: 0,
        column: 0,
        row_base: 0,
        column_base: 0,
    };
    let mut table = [empty; 128];
    let mut index = 0;
    while index < Square::COUNT {
        let (row, column) = (index / 9, index % 9);
        table[index] = SlideOrigin {
            row: row as u8,
            column: column as u8,
            row_base: (index | (9 * row) << Move::SHIFT) as u16,
            column_base: (index | column << Move::SHIFT) as u16,
        };
        index += 1;
    }
    table
};

/// Calls `each` with the numbers of the squares of a set.
///
/// Two loops over halves are cheaper than one over 128 bits.
#[inline(always)]
fn for_each_square(set: Bitboard, mut each: impl FnMut(usize)) {
    let mut low = set.0 as u64;
    while low != 0 {
        each(low.trailing_zeros() as usize);
        low &= low - 1;
    }
    let mut high = (set.0 >> 64) as u64;
    while high != 0 {
        each(64 + high.trailing_zeros() as usize);
        high &= high - 1;
    }
}

impl Rules {
    /// All legal moves of the side to move.
    ///
    /// The position must not be over; see [`Game`](crate::Game) for repetition and limits.
    #[must_use]
    #[inline]
    pub fn moves(&self, position: &Position) -> MoveList {
        let mut list = MoveList::new();
        self.moves_into(position, &mut list);
        list
    }

    /// Writes all legal moves of the side to move into a list, which is cleared first.
    #[inline]
    pub fn moves_into(&self, position: &Position, list: &mut MoveList) {
        list.clear();
        self.for_each_slide(position, |place, row, column| {
            list.append(line::row_moves(row, place.row_base), line::count(row));
            let moves = line::column_moves(column, place.column_base);
            list.append(moves, line::count(column));
        });
    }

    /// How many legal moves the side to move has, without listing them.
    #[must_use]
    #[inline]
    pub fn count_moves(&self, position: &Position) -> usize {
        let mut count = 0;
        self.for_each_slide(position, |_, row, column| {
            count += line::count(row) + line::count(column);
        });
        count
    }

    /// Whether the side to move has a legal move.
    #[must_use]
    pub fn has_moves(&self, position: &Position) -> bool {
        let mut any = 0;
        self.for_each_slide(position, |_, row, column| any |= row | column);
        any != 0
    }

    /// Whether a move is legal for the side to move.
    #[must_use]
    pub fn is_legal(&self, position: &Position, step: Move) -> bool {
        position.pieces(position.side).contains(step.from())
            && self
                .slide_targets(position.mover(step), step.from(), position.occupied())
                .contains(step.to())
    }

    /// Calls `each` with every piece's place and its targets in row and column.
    #[inline(always)]
    fn for_each_slide(
        &self,
        position: &Position,
        mut each: impl FnMut(SlideOrigin, LineBits, LineBits),
    ) {
        let lines = BoardLines::new(position.occupied());
        let mut visit = |piece: Piece, index: usize| {
            let place = PLACES[index & 127];
            let slide = &self.slides[piece.index()][index & 127];
            let (row, column) = slide.targets(place, &lines);
            each(place, row, column);
        };
        match position.side {
            Side::Attackers => for_each_square(position.pieces.attackers, |index| {
                visit(Piece::Attacker, index);
            }),
            Side::Defenders => {
                for_each_square(position.men(Side::Defenders), |index| {
                    visit(Piece::Defender, index);
                });
                visit(Piece::King, position.king.index());
            }
        }
    }

    /// Where a piece of a kind could go from a square, given the occupied squares.
    #[must_use]
    #[inline]
    pub(crate) fn slide_targets(&self, piece: Piece, from: Square, occupied: Bitboard) -> Bitboard {
        let place = PLACES[from.index() & 127];
        let slide = &self.slides[piece.index()][from.index() & 127];
        let row = line::row_of(occupied, place.row) | slide.row_barrier;
        let column = line::column_of(occupied, place.column) | slide.column_barrier;
        let row = line::reach(place.column, row) & slide.row_stop;
        let column = line::reach(place.row, column) & slide.column_stop;
        line::row_squares(row, place.row) | line::column_squares(column, place.column)
    }
}

impl Slide {
    /// The targets in the row and in the column.
    #[inline(always)]
    fn targets(&self, place: SlideOrigin, lines: &BoardLines) -> (LineBits, LineBits) {
        let row = line::reach(place.column, lines.row(place.row) | self.row_barrier);
        let column = line::reach(place.row, lines.column(place.column) | self.column_barrier);
        (row & self.row_stop, column & self.column_stop)
    }
}
