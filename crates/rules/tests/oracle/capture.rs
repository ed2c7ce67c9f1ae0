//! What a move captures, and how it ends the game on the board itself.

use std::vec::Vec;

use tablut_rules::{CastleKing, End, KingFall, Piece, Side, TwoLanes};

use super::{Board, Cell, Oracle, Place, WAYS, unknown};

/// What a move leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Played {
    /// The board after the move, captured men removed. A captured king stays.
    pub(crate) board: Board,
    /// The men it captured, in the order of the board.
    pub(crate) captured: Vec<Place>,
    /// The king's fate, if this move decided it.
    pub(crate) end: Option<End>,
}

impl Oracle<'_> {
    /// Makes a move. Two open lanes are left to [`Oracle::play`]; there may be any number of kings.
    pub(crate) fn shift(self, board: &Board, from: Place, to: Place) -> Played {
        // The piece moves first. What is captured is judged then, before any man is removed.
        let piece = board.at(from).expect("a piece moves from the board");
        let mut after = *board;
        after.put(from, Cell::Empty);
        after.put(to, piece);

        let mut captured = self.captured(&after, to);
        captured.sort();
        let end = match piece {
            Cell::Black if self.takes_a_king(&after, to) => Some(End::KingCaptured),
            // The king wins the moment he stops on a goal; captures of that move are made first.
            Cell::King if self.is_goal(to) => Some(End::KingEscaped),
            _ => None,
        };
        for &man in &captured {
            after.put(man, Cell::Empty);
        }
        Played {
            board: after,
            captured,
            end,
        }
    }

    /// Makes a move on a board with one king.
    pub(crate) fn play(self, board: &Board, from: Place, to: Place) -> Played {
        let mut played = self.shift(board, from, to);
        let mover = board.at(from).and_then(Cell::side);
        if played.end.is_none()
            && self.set.two_lanes() == TwoLanes::Wins
            && self.escape_is_certain(&played.board, mover)
        {
            played.end = Some(End::TwoLanes);
        }
        played
    }

    /// The men that the piece which has just arrived on `to` captures.
    ///
    /// Captures are active: the man lies between the moved piece and the square straight beyond.
    fn captured(self, board: &Board, to: Place) -> Vec<Place> {
        let mover = board.at(to).and_then(Cell::side);
        let mut captured = Vec::new();
        for way in WAYS {
            let man = to.step(way);
            let beyond = man.step(way);
            let falls = match board.at(man) {
                Some(Cell::Black) if mover == Some(Side::Defenders) => {
                    self.is_hostile_to_black(board, beyond)
                }
                Some(Cell::White) if mover == Some(Side::Attackers) => {
                    self.is_hostile_to_white(board, beyond, man)
                }
                _ => false,
            };
            if falls {
                captured.push(man);
            }
        }
        captured
    }

    /// Whether a square helps to capture a black man beside it.
    fn is_hostile_to_black(self, board: &Board, place: Place) -> bool {
        match board.at(place) {
            // The board's edge is never hostile.
            None => return false,
            // A piece of the other side always is, and the king is a white piece as an anvil too.
            Some(Cell::White | Cell::King) => return true,
            Some(Cell::Empty | Cell::Black) => {}
        }
        let empty_castle = place == self.castle() && board.has(place, Cell::Empty);
        // Camp squares are hostile empty or not, but for those that shield the men inside.
        let camp = self.camp_of(place).is_some() && !place.is_in(self.set.camp_not_to_attackers());
        empty_castle && self.set.castle_empty_to().contains(Piece::Attacker)
            || camp && self.set.camp_to().contains(Piece::Attacker)
    }

    /// Whether a square helps to capture the white man on `man`, which is beside it.
    fn is_hostile_to_white(self, board: &Board, place: Place, man: Place) -> bool {
        match board.at(place) {
            None => return false,
            Some(Cell::Black) => return true,
            Some(Cell::Empty | Cell::White | Cell::King) => {}
        }
        let is_castle = place == self.castle();
        let empty_castle = is_castle && board.has(place, Cell::Empty);
        let castle_with_king = is_castle && board.has(place, Cell::King);
        let camp = self.camp_of(place).is_some();
        empty_castle && self.set.castle_empty_to().contains(Piece::Defender)
            || castle_with_king && self.king_on_castle_is_hostile(board, man)
            || camp && self.set.camp_to().contains(Piece::Defender)
    }

    /// Whether the castle with the king on it helps to capture his own man beside it.
    fn king_on_castle_is_hostile(self, board: &Board, man: Place) -> bool {
        match self.set.castle_king_to_defenders() {
            CastleKing::Never => false,
            CastleKing::Always => true,
            // When the other three neighbours of the castle are black.
            CastleKing::Besieged => {
                let mut sides = self.castle().sides().into_iter();
                sides.all(|side| side == man || board.has(side, Cell::Black))
            }
            other => unknown(other),
        }
    }

    /// Whether a black man that has just arrived on `to` captures a king.
    fn takes_a_king(self, board: &Board, to: Place) -> bool {
        let mut kings = board.kings().into_iter();
        kings.any(|king| {
            self.king_falls_by_siege(board, king, to)
                || self.king_falls_between_two(board, king, to)
        })
    }

    /// A king on the castle or beside it falls only when all four sides are closed; where the set
    /// says so, everywhere.
    fn king_falls_by_siege(self, board: &Board, king: Place, to: Place) -> bool {
        if !self.is_near_castle(king) && self.set.king_elsewhere() != KingFall::Siege {
            return false;
        }
        // A siege counts when a black man moves to any square beside the king.
        // The referee's mistake: a siege of the castle counts after any black move.
        let idle = self.set.quirk().idle_siege && king == self.castle();
        let counts = king.sides().contains(&to) || idle;
        counts
            && king
                .sides()
                .into_iter()
                .all(|side| self.closes(board, side))
    }

    /// Whether a square closes a side of a besieged king.
    fn closes(self, board: &Board, side: Place) -> bool {
        match board.at(side) {
            // A king on an edge has one side open for good.
            None => false,
            Some(Cell::Black) => true,
            Some(Cell::Empty) if side == self.castle() => true,
            Some(_) => self.set.camp_closes() && self.camp_of(side).is_some(),
        }
    }

    /// A king away from the castle falls between two opposite hostile squares like a man, where
    /// the set says so.
    fn king_falls_between_two(self, board: &Board, king: Place, to: Place) -> bool {
        let wrong_test = self.set.quirk().middle_row;
        let exposed = !self.is_near_castle(king) || king == self.castle() && wrong_test;
        if self.set.king_elsewhere() != KingFall::Custodial || !exposed {
            return false;
        }
        // The referee's mistake: a man that arrives on the castle's row never takes him so.
        if wrong_test && to.row == self.castle().row {
            return false;
        }
        WAYS.into_iter().any(|way| {
            let beyond = king.step(way);
            to.step(way) == king && self.is_hostile_to_king(board, beyond)
        })
    }

    /// Whether a square helps to capture a king between two.
    fn is_hostile_to_king(self, board: &Board, place: Place) -> bool {
        match board.at(place) {
            None => false,
            Some(Cell::Black) => true,
            Some(_) => self.camp_of(place).is_some() && self.set.camp_to().contains(Piece::King),
        }
    }

    /// Whether a square is the castle or beside it.
    fn is_near_castle(self, place: Place) -> bool {
        place == self.castle() || self.castle().sides().contains(&place)
    }

    /// Whether the king has two open lanes and cannot be captured first.
    fn escape_is_certain(self, board: &Board, mover: Option<Side>) -> bool {
        let [king] = board.kings()[..] else {
            panic!("two lanes are asked for on boards with one king");
        };
        let open = self.lanes(board, king).into_iter().flatten().count();
        if open < 2 {
            return false;
        }
        // If Black has just moved, the king goes next.
        mover == Some(Side::Attackers)
            || !self
                .moves(board, Side::Attackers)
                .into_iter()
                .any(|(from, to)| self.shift(board, from, to).end == Some(End::KingCaptured))
    }
}
