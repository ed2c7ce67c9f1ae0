//! Whether the reasons that the fast code gives for what it refuses and captures are true.

use tablut_rules::{Anvil, Capture, CaptureCause, IllegalMove, Side};

use super::{Board, Cell, Oracle, Place, WAYS, unknown};

impl Oracle<'_> {
    /// Whether a reason why the piece on `from` cannot go to `to`, whoever is to move, is true.
    pub(crate) fn is_reason(
        self,
        board: &Board,
        (from, to): (Place, Place),
        reason: IllegalMove,
    ) -> bool {
        let Some(piece) = board.at(from).filter(|&cell| cell != Cell::Empty) else {
            return matches!(
                reason,
                IllegalMove::NoPiece(_) | IllegalMove::OutsideBoard(_)
            );
        };
        let square = Place::from(reason.square());
        // The squares behind `from` up to `to`, on the way that leads there.
        let mut way = WAYS.into_iter().filter(|&way| {
            let mut next = from.step(way);
            while board.at(next).is_some() && next != to {
                next = next.step(way);
            }
            next == to && board.at(next).is_some()
        });
        let Some(way) = way.next() else {
            return match reason {
                IllegalMove::NoStep(_) => from == to,
                IllegalMove::NotStraight { .. } => from.row != to.row && from.column != to.column,
                IllegalMove::OutsideBoard(_) => board.at(square).is_none(),
                _ => false,
            };
        };
        let is_between = {
            let mut next = from.step(way);
            while next != square && next != to {
                next = next.step(way);
            }
            next == square && square != to
        };
        match reason {
            IllegalMove::Occupied { piece, .. } => {
                square == to && board.has(square, Cell::from(Some(piece)))
            }
            IllegalMove::PieceInTheWay { piece, .. } => {
                is_between && board.has(square, Cell::from(Some(piece)))
            }
            IllegalMove::CampStop { .. } => {
                square == to && self.is_closed_camp(piece, from, square)
            }
            IllegalMove::CampInTheWay { .. } => {
                is_between && self.is_closed_camp(piece, from, square)
            }
            IllegalMove::CastleStop(_) => {
                square == to && square == self.castle() && !self.may_stop_on_castle(piece)
            }
            IllegalMove::CastleInTheWay(_) => {
                is_between && square == self.castle() && !self.may_cross_castle(way)
            }
            IllegalMove::OutsideBoard(_)
            | IllegalMove::NoPiece(_)
            | IllegalMove::NotYours { .. }
            | IllegalMove::NoStep(_)
            | IllegalMove::NotStraight { .. } => false,
            other => unknown(other),
        }
    }

    /// Whether a reason why a piece was captured is true; the board is that behind the move, with
    /// what was captured still on it.
    pub(crate) fn is_cause(self, board: &Board, mover: Side, capture: &Capture) -> bool {
        let is_hostile = |square, kind: Anvil| {
            let place = Place::from(square);
            let cell = board.at(place);
            match kind {
                Anvil::Man => cell == Some(man(mover)),
                Anvil::King => mover == Side::Defenders && cell == Some(Cell::King),
                Anvil::EmptyCastle => place == self.castle() && cell == Some(Cell::Empty),
                Anvil::CastleWithKing | Anvil::BesiegedCastle => {
                    place == self.castle() && cell == Some(Cell::King)
                }
                Anvil::Camp => self.camp_of(place).is_some(),
                other => unknown(other),
            }
        };
        match &capture.cause {
            CaptureCause::Between { anvil, kind, .. } => is_hostile(*anvil, *kind),
            CaptureCause::Siege(sides) => {
                sides.iter().all(|&(square, kind)| is_hostile(square, kind))
            }
            other => unknown(other),
        }
    }
}

/// A man of a side.
const fn man(side: Side) -> Cell {
    match side {
        Side::Attackers => Cell::Black,
        Side::Defenders => Cell::White,
    }
}
