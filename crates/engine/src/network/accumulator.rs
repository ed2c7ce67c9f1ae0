//! The hidden layer kept from position to position: only what differs between two boards is added
//! and taken away.
//!
//! Each ply has an accumulator: a board and the sums of the hidden layer for exactly that board. It
//! may be the board of a line left long ago; it is never wrong, only far. A new board starts from the
//! nearest of a few accumulators, so nothing has to be noted when moves are made or taken back.

use std::sync::Arc;

use tablut_rules::{Bitboard, Piece, Position, Side};

use super::{Network, Row, input};
use crate::{
    evaluation::{BoardView, Evaluator},
    king::KingView,
    search::MAX_PLY,
};

/// The squares of each kind of piece.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Board {
    attackers: Bitboard,
    men: Bitboard,
    king: Bitboard,
}

impl Board {
    const EMPTY: Self = Self {
        attackers: Bitboard::EMPTY,
        men: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
    };

    #[inline(always)]
    fn of(position: &Position) -> Self {
        let king = Bitboard::from(position.king());
        Self {
            attackers: position.pieces(Side::Attackers),
            men: position.pieces(Side::Defenders) ^ king,
            king,
        }
    }

    /// How many rows lie between two boards.
    #[inline(always)]
    fn distance(&self, other: &Self) -> u32 {
        (self.attackers ^ other.attackers).len_of_few()
            + (self.men ^ other.men).len_of_few()
            + (self.king ^ other.king).len_of_few()
    }

    /// The inputs that this board has and the other has not.
    #[inline(always)]
    fn without(self, other: Self) -> impl Iterator<Item = usize> {
        let of = |piece, squares: Bitboard| squares.iter().map(move |square| input(piece, square));
        of(Piece::Attacker, self.attackers - other.attackers)
            .chain(of(Piece::Defender, self.men - other.men))
            .chain(of(Piece::King, self.king - other.king))
    }
}

/// A board and the sums of the hidden layer for it.
#[derive(Clone)]
#[repr(align(64))]
struct Accumulator {
    sums: Row,
    board: Board,
}

/// Evaluates by a network. Each thread of a search has one.
pub(crate) struct NetworkEvaluator {
    network: Arc<Network>,
    /// One for each ply.
    accumulators: Box<[Accumulator]>,
}

impl NetworkEvaluator {
    pub(crate) fn new(network: Arc<Network>) -> Self {
        let empty = Accumulator {
            sums: network.bias,
            board: Board::EMPTY,
        };
        Self {
            accumulators: vec![empty; MAX_PLY].into(),
            network,
        }
    }

    /// Brings the accumulator of a ply up to a position.
    #[inline(always)]
    fn update(&mut self, board: &Board, ply: usize) {
        let own = ply % MAX_PLY;
        let (mut from, mut least) = (own, board.distance(&self.accumulators[own].board));
        if ply > 0 && least > 0 {
            let distance = board.distance(&self.accumulators[own - 1].board);
            if distance <= least {
                (from, least) = (own - 1, distance);
            }
        }
        if least == 0 && from == own {
            return;
        }
        let source = self.accumulators[from].board;
        let mut added = board.without(source);
        let mut removed = source.without(*board);
        let rows = &self.network.rows;
        let mut sums = self.accumulators[from].sums;
        loop {
            match (added.next(), removed.next()) {
                (Some(plus), Some(minus)) => {
                    let (plus, minus) = (&rows[plus], &rows[minus]);
                    for (index, sum) in sums.iter_mut().enumerate() {
                        *sum += plus[index] - minus[index];
                    }
                }
                (Some(plus), None) => {
                    for (sum, weight) in sums.iter_mut().zip(&rows[plus]) {
                        *sum += weight;
                    }
                }
                (None, Some(minus)) => {
                    for (sum, weight) in sums.iter_mut().zip(&rows[minus]) {
                        *sum -= weight;
                    }
                }
                (None, None) => break,
            }
        }
        self.accumulators[own] = Accumulator {
            sums,
            board: *board,
        };
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
