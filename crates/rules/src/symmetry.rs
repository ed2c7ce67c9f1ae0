//! The eight ways to turn and mirror a board onto itself.

use alloc::vec::Vec;

use crate::{Bitboard, BoardSize, Move, Piece, Quirk, RuleSet, Setup, Square};

/// One of the eight symmetries of a square board, about the board's own centre.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry {
    mirrored: bool,
    quarter_turns: u8,
}

impl Symmetry {
    /// The one that changes nothing.
    pub const IDENTITY: Self = Self::new(false, 0);

    /// All eight, the identity first.
    pub const ALL: [Self; 8] = [
        Self::new(false, 0),
        Self::new(false, 1),
        Self::new(false, 2),
        Self::new(false, 3),
        Self::new(true, 0),
        Self::new(true, 1),
        Self::new(true, 2),
        Self::new(true, 3),
    ];

    const fn new(mirrored: bool, quarter_turns: u8) -> Self {
        Self {
            mirrored,
            quarter_turns,
        }
    }

    /// The symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        if self.mirrored {
            // A mirror, then turns, is a mirror again: its own inverse.
            self
        } else {
            Self::new(false, (4 - self.quarter_turns) % 4)
        }
    }

    /// Where a square goes. Squares outside a smaller board stay where they are.
    #[must_use]
    pub const fn square(self, size: BoardSize, square: Square) -> Square {
        let last = size.rows() - 1;
        let (mut column, mut row) = (square.column(), square.row());
        if column > last || row > last {
            return square;
        }
        if self.mirrored {
            column = last - column;
        }
        let mut turns = 0;
        while turns < self.quarter_turns {
            (column, row) = (last - row, column);
            turns += 1;
        }
        Square::from_index_unchecked(row * 9 + column)
    }

    /// Where a set of squares goes.
    #[must_use]
    pub fn squares(self, size: BoardSize, squares: Bitboard) -> Bitboard {
        squares.iter().map(|s| self.square(size, s)).collect()
    }

    /// What a move becomes.
    #[must_use]
    pub fn step(self, size: BoardSize, step: Move) -> Move {
        Move::new(self.square(size, step.from()), self.square(size, step.to()))
    }

    /// What a set-up becomes.
    #[must_use]
    pub fn setup(self, setup: &Setup) -> Setup {
        let mut turned = Setup::empty(setup.size(), setup.side()).with_quiet(setup.quiet());
        for piece in Piece::ALL {
            for square in setup.pieces(piece) {
                turned.put(self.square(setup.size(), square), Some(piece));
            }
        }
        turned
    }
}

impl RuleSet {
    /// The symmetries that keep every rule as it is; the identity is always among them.
    ///
    /// The start position plays no part.
    #[must_use]
    pub fn symmetries(&self) -> Vec<Symmetry> {
        // Without `..`: a new parameter that names squares or tells rows from columns belongs below.
        let &Self {
            size,
            castle,
            ref camps,
            camp_not_to_attackers,
            goals,
            quirk:
                Quirk {
                    castle_column_only,
                    middle_row,
                    idle_siege: _,
                },
            id: _,
            name: _,
            source: _,
            first: _,
            start: _,
            castle_stop: _,
            castle_cross: _,
            camp_closed_to: _,
            castle_empty_to: _,
            castle_king_to_defenders: _,
            camp_to: _,
            king_elsewhere: _,
            camp_closes: _,
            repetition: _,
            no_move: _,
            two_lanes: _,
            captureless_limit: _,
        } = self;
        let goals = goals.squares(size);
        let keeps = |symmetry: &Symmetry| {
            let turned = |squares| symmetry.squares(size, squares);
            let mut turned_camps: Vec<Bitboard> = camps.iter().map(|&c| turned(c)).collect();
            let mut own_camps = camps.clone();
            turned_camps.sort_unstable();
            own_camps.sort_unstable();
            // The referee's mistakes tell rows from columns.
            let turns_rows = symmetry.quarter_turns % 2 == 1 && (castle_column_only || middle_row);
            symmetry.square(size, castle) == castle
                && turned_camps == own_camps
                && turned(goals) == goals
                && turned(camp_not_to_attackers) == camp_not_to_attackers
                && !turns_rows
        };
        Symmetry::ALL.into_iter().filter(keeps).collect()
    }
}
