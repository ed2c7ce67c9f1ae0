//! The hidden layer kept from position to position: only what differs between two boards is added
//! and taken away.
//!
//! Each ply has an accumulator: a board and the sums of the hidden layer for exactly that board. It
//! may be the board of a line left long ago; it is never wrong, only far. A new board starts from the
//! nearest of a few accumulators, so nothing has to be noted when moves are made or taken back.
//!
//! When the king has gone where the board is seen in another way, all inputs are others. Then the last board
//! that was seen in this way is the nearest; there is an accumulator for each view.

use std::sync::Arc;

use tablut_rules::{Bitboard, Piece, Position, Side};

use super::{HIDDEN, INPUTS, Network, Row, View, place};
use crate::{
    evaluation::{BoardView, Evaluator},
    king::KingView,
    search::MAX_PLY,
};

/// Rows that are soon added: a move, its captures.
const NEAR: u32 = 4;

/// The squares of each kind of piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Board {
    attackers: Bitboard,
    men: Bitboard,
    king: Bitboard,
    /// How the king makes it seen.
    view: View,
}

impl Board {
    const fn empty(view: View) -> Self {
        Self {
            attackers: Bitboard::EMPTY,
            men: Bitboard::EMPTY,
            king: Bitboard::EMPTY,
            view,
        }
    }

    #[inline(always)]
    fn of(position: &Position) -> Self {
        let king = Bitboard::from(position.king());
        Self {
            attackers: position.pieces(Side::Attackers),
            men: position.pieces(Side::Defenders) ^ king,
            king,
            view: View::of(position.king()),
        }
    }

    /// How many rows lie between two boards.
    #[inline(always)]
    fn distance(&self, other: &Self) -> u32 {
        (self.attackers ^ other.attackers).len_of_few()
            + (self.men ^ other.men).len_of_few()
            + (self.king ^ other.king).len_of_few()
    }

    /// The squares of each kind of piece.
    #[inline(always)]
    const fn kinds(self) -> [(Piece, Bitboard); 3] {
        [
            (Piece::Attacker, self.attackers),
            (Piece::Defender, self.men),
            (Piece::King, self.king),
        ]
    }

    /// Calls `change` with the inputs that come and go, in pairs as long as there are both, from this board to another
    /// one which is seen in the same way.
    #[inline(always)]
    fn changes_to(self, other: Self, mut change: impl FnMut(Option<usize>, Option<usize>)) {
        for ((piece, before), (_, after)) in self.kinds().into_iter().zip(other.kinds()) {
            let (mut coming, mut going) = ((after - before).iter(), (before - after).iter());
            let input = |square| self.view.input(place(piece, square));
            loop {
                match (coming.next().map(input), going.next().map(input)) {
                    (None, None) => break,
                    (plus, minus) => change(plus, minus),
                }
            }
        }
    }
}

/// A board and the sums of the hidden layer for it.
#[derive(Clone)]
#[repr(align(64))]
struct Accumulator {
    sums: Row,
    board: Board,
}

impl Accumulator {
    /// Adds a row, and takes one away.
    #[inline(always)]
    fn apply(&mut self, plus: Option<&Row>, minus: Option<&Row>) {
        match (plus, minus) {
            (Some(plus), Some(minus)) => {
                for (sum, (plus, minus)) in self.sums.iter_mut().zip(plus.iter().zip(minus)) {
                    *sum += plus - minus;
                }
            }
            (Some(plus), None) => {
                for (sum, weight) in self.sums.iter_mut().zip(plus) {
                    *sum += weight;
                }
            }
            (None, Some(minus)) => {
                for (sum, weight) in self.sums.iter_mut().zip(minus) {
                    *sum -= weight;
                }
            }
            (None, None) => {}
        }
    }

    /// Becomes the accumulator of a board, from that of another one which is seen in the same way.
    #[inline(always)]
    fn come_from(&mut self, near: &Self, board: &Board, rows: &[Row; INPUTS]) {
        let mut is_begun = false;
        near.board.changes_to(*board, |plus, minus| {
            let (plus, minus) = (
                plus.map(|plus| &rows[plus]),
                minus.map(|minus| &rows[minus]),
            );
            match (plus, minus) {
                // A move takes a piece from one square to another.
                (Some(plus), Some(minus)) if !is_begun => {
                    for index in 0..HIDDEN {
                        self.sums[index] = near.sums[index] + (plus[index] - minus[index]);
                    }
                }
                (plus, minus) => {
                    if !is_begun {
                        self.sums = near.sums;
                    }
                    self.apply(plus, minus);
                }
            }
            is_begun = true;
        });
        if !is_begun {
            self.sums = near.sums;
        }
        self.board = *board;
    }

    /// Becomes the accumulator of another board which is seen in the same way.
    #[inline(always)]
    fn go_to(&mut self, board: &Board, rows: &[Row; INPUTS]) {
        self.board.changes_to(*board, |plus, minus| {
            self.apply(
                plus.map(|plus| &rows[plus]),
                minus.map(|minus| &rows[minus]),
            );
        });
        self.board = *board;
    }
}

/// Evaluates by a network. Each thread of a search has one.
pub(crate) struct NetworkEvaluator {
    network: Arc<Network>,
    /// One for each ply.
    accumulators: Box<[Accumulator]>,
    /// One for each view.
    seen: Box<[Accumulator]>,
}

impl NetworkEvaluator {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let empty = |view| Accumulator {
            sums: network.bias,
            board: Board::empty(view),
        };
        Self {
            accumulators: vec![empty(View::default()); MAX_PLY].into(),
            seen: View::all().map(empty).collect(),
            network,
        }
    }

    /// Brings the accumulator of a ply up to a board.
    #[inline(always)]
    fn update(&mut self, board: &Board, ply: usize) {
        let place = ply % MAX_PLY;
        let (before, rest) = self.accumulators.split_at_mut(place);
        let own = &mut rest[0];
        let rows = &self.network.rows;
        // The parent's board is one move away, unless nothing asked for its value: the accumulator
        // of this ply, left by a sibling, may be nearer then.
        let parent = before.last().filter(|parent| {
            parent.board.view == board.view && {
                let distance = board.distance(&parent.board);
                distance <= NEAR
                    || own.board.view != board.view
                    || distance <= board.distance(&own.board)
            }
        });
        if let Some(parent) = parent {
            own.come_from(parent, board, rows);
        } else if own.board.view != board.view {
            let seen = &mut self.seen[board.view.index()];
            seen.go_to(board, rows);
            own.clone_from(seen);
        } else {
            own.go_to(board, rows);
        }
    }
}

impl Evaluator for NetworkEvaluator {
    fn evaluate(&mut self, view: &BoardView<'_>, _: &mut KingView, ply: usize) -> i32 {
        let board = Board::of(view.position);
        self.update(&board, ply);
        let sums = &self.accumulators[ply % MAX_PLY].sums;
        self.network.value(sums, view.position.side())
    }
}
