//! What the board says about the king before any move is made: for the search and the evaluation.

use tablut_rules::{Bitboard, Direction, Position, Rules, Side};

use crate::shape::{Shape, fills, union};

/// What is known of the king in one position.
#[derive(Clone, Copy)]
pub(crate) struct KingView {
    /// Squares he can move to.
    pub(crate) reach: Bitboard,
    /// Squares on which an arriving attacker would capture him.
    pub(crate) threats: Bitboard,
    /// Computed when first asked for, as many nodes end before that.
    lanes: Option<LaneSquares>,
    /// The same.
    free_lanes: Option<Bitboard>,
}

/// Squares from which the king would have open lanes.
#[derive(Clone, Copy)]
pub(crate) struct LaneSquares {
    /// At least one lane.
    pub(crate) open: Bitboard,
    /// At least two: a fork.
    pub(crate) forks: Bitboard,
}

impl KingView {
    /// Before he is looked at.
    pub(crate) const UNSEEN: Self = Self {
        reach: Bitboard::EMPTY,
        threats: Bitboard::EMPTY,
        lanes: None,
        free_lanes: None,
    };

    pub(crate) fn new(rules: &Rules, position: &Position) -> Self {
        let mut king = Self::UNSEEN;
        king.look(rules, position);
        king
    }

    /// Looks where he can go and where he can be captured.
    #[inline(always)]
    pub(crate) fn look(&mut self, rules: &Rules, position: &Position) {
        self.reach = rules.scan(position).king_targets();
        self.threats = rules.scan(position).king_threats();
    }

    /// From where on the board the king would have open lanes.
    #[inline]
    pub(crate) fn lanes(&mut self, shape: &Shape, position: &Position) -> LaneSquares {
        *self
            .lanes
            .get_or_insert_with(|| LaneSquares::new(shape, position))
    }

    /// The squares the king can move to from which he has a lane that no attacker reaches in one
    /// move.
    #[inline]
    pub(crate) fn free_lanes(&mut self, shape: &Shape, position: &Position) -> Bitboard {
        let reach = self.reach;
        *self
            .free_lanes
            .get_or_insert_with(|| reach & unblocked(shape, position))
    }
}

/// The squares from which the king would have a lane that no attacker reaches in one move.
#[inline(always)]
fn unblocked(shape: &Shape, position: &Position) -> Bitboard {
    let occupied = position.occupied();
    let attackers = position.pieces(Side::Attackers);
    let blocked = union(fills(attackers, shape.field & !occupied));
    let empty = empty_for_king(shape, position);
    let calm = empty & !blocked;
    // The square he stops on need only be empty: no attacker can go there once he is on it.
    let lanes = Direction::ALL.map(|direction| {
        let lane = (shape.goals & calm).fill(direction, calm);
        lane | lane.shift(direction) & empty
    });
    union(lanes) & !shape.goals
}

impl LaneSquares {
    #[inline(always)]
    fn new(shape: &Shape, position: &Position) -> Self {
        let empty = empty_for_king(shape, position);
        let [a, b, c, d] = fills(shape.goals & empty, empty);
        let (ab, abc) = (a | b, a | b | c);
        Self {
            open: (abc | d) & !shape.goals,
            forks: (a & b | ab & c | abc & d) & !shape.goals,
        }
    }
}

/// The squares that are open to the king once he has left his own.
#[inline(always)]
fn empty_for_king(shape: &Shape, position: &Position) -> Bitboard {
    shape.ground & (!position.occupied() | Bitboard::from(position.king()))
}
