//! How pieces move, and the king's lanes.

use std::vec::Vec;

use tablut_rules::{CampClosed, CastleCross, CastleStop, Side};

use super::{Board, Cell, Oracle, Place, WAYS, Way, unknown};

/// A way out: with one move in this direction the king reaches a goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Lane {
    /// The nearest goal.
    pub(crate) goal: Place,
    /// From beside the king to the goal, in the order of the board.
    pub(crate) path: Vec<Place>,
}

impl Oracle<'_> {
    /// The squares the piece on a square can go to, whoever is to move.
    ///
    /// Every piece moves like a rook, any distance, never over a piece.
    pub(crate) fn targets(self, board: &Board, from: Place) -> Vec<Place> {
        let mut targets = Vec::new();
        let Some(piece @ (Cell::Black | Cell::White | Cell::King)) = board.at(from) else {
            return targets;
        };
        for way in WAYS {
            let mut to = from.step(way);
            while board.has(to, Cell::Empty) && !self.is_closed_camp(piece, from, to) {
                if to != self.castle() || self.may_stop_on_castle(piece) {
                    targets.push(to);
                }
                if to == self.castle() && !self.may_cross_castle(way) {
                    break;
                }
                to = to.step(way);
            }
        }
        targets
    }

    /// Whether a piece that starts on `from` can neither stop on nor cross the square `to`,
    /// because it is a camp square.
    pub(super) fn is_closed_camp(self, piece: Cell, from: Place, to: Place) -> bool {
        let Some(camp) = self.camp_of(to) else {
            return false;
        };
        match self.set.camp_closed_to() {
            CampClosed::Nobody => false,
            // The king may neither stop on nor cross a camp square, men may.
            CampClosed::King => piece == Cell::King,
            // A piece that starts on a camp square may move inside that same camp and cross its
            // empty squares. It never enters another camp, and a piece from outside enters none.
            CampClosed::Outsiders => self.camp_of(from) != Some(camp),
            other => unknown(other),
        }
    }

    /// Whether a piece may stop on the empty castle.
    pub(super) fn may_stop_on_castle(self, piece: Cell) -> bool {
        match self.set.castle_stop() {
            CastleStop::Nobody => false,
            CastleStop::King => piece == Cell::King,
            other => unknown(other),
        }
    }

    /// Whether pieces on this way may pass over the empty castle.
    pub(super) fn may_cross_castle(self, way: Way) -> bool {
        match self.set.castle_cross() {
            CastleCross::Nobody => false,
            // The referee's mistake: it lets pieces cross vertically only.
            CastleCross::Everyone => !self.set.quirk().castle_column_only || way.right == 0,
            other => unknown(other),
        }
    }

    /// All moves of a side.
    pub(crate) fn moves(self, board: &Board, side: Side) -> Vec<(Place, Place)> {
        let mut moves = Vec::new();
        for from in board.places() {
            if board.at(from).and_then(Cell::side) == Some(side) {
                let targets = self.targets(board, from);
                moves.extend(targets.into_iter().map(|to| (from, to)));
            }
        }
        moves
    }

    /// The directions in which a king could reach a goal with one move now, whoever is to move:
    /// one entry for each of up, down, left, right.
    pub(crate) fn lanes(self, board: &Board, king: Place) -> [Option<Lane>; 4] {
        let targets = self.targets(board, king);
        WAYS.map(|way| {
            let mut path = Vec::new();
            let mut place = king.step(way);
            while board.at(place).is_some() {
                path.push(place);
                if targets.contains(&place) && self.is_goal(place) {
                    path.sort();
                    return Some(Lane { goal: place, path });
                }
                place = place.step(way);
            }
            None
        })
    }
}
