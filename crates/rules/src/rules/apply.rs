//! Making a move: captures, the king's fate, the key. A hot path.

use super::Rules;
use crate::{Bitboard, Move, Piece, Position, Side, Square, zobrist};

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The position after the move, with the other side to move.
    pub position: Position,
    /// The men it captured. A captured king is not among them; see `end`.
    pub captured: Bitboard,
    /// How it ended the game, if the king's fate did.
    pub end: Option<End>,
}

/// How a move ends a game on the board itself.
///
/// Repetition, limits and a side without moves are decided by [`Game`](crate::Game).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// The king stopped on a goal: the defenders win.
    KingEscaped,
    /// The king was captured: the attackers win.
    KingCaptured,
    /// The king has two open lanes and cannot be captured first: the defenders win, in sets that
    /// say so.
    TwoLanes,
}

impl End {
    /// Who won.
    #[must_use]
    pub const fn winner(self) -> Side {
        match self {
            Self::KingEscaped | Self::TwoLanes => Side::Defenders,
            Self::KingCaptured => Side::Attackers,
        }
    }
}

/// Per square a move ends on and per direction right, left, down, up: the neighbour, where the
/// board has one more square beyond it. 128 squares, so that a masked index needs no check.
static PREY: [[Bitboard; 4]; 128] = {
    let mut table = [[Bitboard::EMPTY; 4]; 128];
    let mut index = 0;
    while index < Square::COUNT {
        let (row, column) = (index / 9, index % 9);
        if column < 7 {
            table[index][0] = Bitboard(1 << (index + 1));
        }
        if column > 1 {
            table[index][1] = Bitboard(1 << (index - 1));
        }
        if row < 7 {
            table[index][2] = Bitboard(1 << (index + 9));
        }
        if row > 1 {
            table[index][3] = Bitboard(1 << (index - 9));
        }
        index += 1;
    }
    table
};

impl Rules {
    /// Makes a legal move.
    ///
    /// Whether the move is legal is for the caller to know ([`Rules::moves`], [`Rules::is_legal`],
    /// [`Rules::explain`]); after an illegal one the position means nothing.
    #[must_use]
    #[inline]
    pub fn apply(&self, position: &Position, step: Move) -> Applied {
        let (from, to) = (step.from(), step.to());
        let side = position.side;
        let piece = position.mover(step);

        let mut own = position.pieces[side.index()];
        let mut enemy = position.pieces[side.opponent().index()];
        own ^= Bitboard::of(from) ^ Bitboard::of(to);
        let mut key = position.key ^ zobrist::DEFENDERS_TO_MOVE;
        key ^= zobrist::of(piece, from) ^ zobrist::of(piece, to);

        let mut captured = Bitboard::EMPTY;
        let mut end = None;
        if !self.touch[side.index()][to.index() & 127].is_disjoint(enemy) {
            match side {
                Side::Attackers => {
                    let king = position.king;
                    let men = enemy ^ Bitboard::of(king);
                    captured = self.captured_by_attacker(to, own, men, Some(king));
                    if self.king_falls(king, to, own, own | enemy) {
                        end = Some(End::KingCaptured);
                    }
                }
                Side::Defenders => captured = self.captured_by_defender(to, own, enemy),
            }
            enemy ^= captured;
            for square in captured {
                key ^= zobrist::of(Piece::man(side.opponent()), square);
            }
        }
        let king = if piece == Piece::King {
            to
        } else {
            position.king
        };
        if piece == Piece::King && self.goals.contains(to) {
            end = Some(End::KingEscaped);
        }
        let position = Position {
            pieces: match side {
                Side::Attackers => [own, enemy],
                Side::Defenders => [enemy, own],
            },
            key,
            king,
            side: side.opponent(),
            size: position.size,
            quiet: if captured.is_empty() {
                position.quiet.saturating_add(1)
            } else {
                0
            },
        };
        if self.two_lanes_win && end.is_none() && self.escape_is_certain(&position) {
            end = Some(End::TwoLanes);
        }
        Applied {
            position,
            captured,
            end,
        }
    }

    /// White men that fall to an attacker's move to a square; `kings` are no men.
    #[inline(always)]
    pub(super) fn captured_by_attacker(
        &self,
        to: Square,
        attackers: Bitboard,
        men: Bitboard,
        king: Option<Square>,
    ) -> Bitboard {
        let hostile = &self.hostile[Side::Defenders.index()];
        let mut occupied = attackers | men;
        let mut helpers = attackers | hostile.always;
        if let Some(king) = king {
            occupied |= Bitboard::of(king);
            let guard = self.king.castle_guard[to.index()];
            if king == self.castle && guard.is_subset(attackers) {
                helpers |= Bitboard::of(self.castle);
            }
        }
        helpers |= Bitboard(hostile.when_empty.0 & !occupied.0);
        captures(to, men, helpers)
    }

    /// Black men that fall to a defender's or the king's move to a square.
    #[inline(always)]
    pub(super) fn captured_by_defender(
        &self,
        to: Square,
        defenders: Bitboard,
        attackers: Bitboard,
    ) -> Bitboard {
        let hostile = &self.hostile[Side::Attackers.index()];
        let empty = !(attackers.0 | defenders.0);
        let helpers = defenders | hostile.always | Bitboard(hostile.when_empty.0 & empty);
        captures(to, attackers, helpers)
    }

    /// Whether the king on a square falls to an attacker's move that ended on `to`.
    #[inline(always)]
    pub(super) fn king_falls(
        &self,
        king: Square,
        to: Square,
        attackers: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        let tables = &self.king;
        if tables.custodial_from[to.index()].contains(king) {
            let beyond = (2 * king.index()).wrapping_sub(to.index());
            let beyond = crate::bitboard::BIT[beyond & 127];
            if !beyond.is_disjoint(attackers | tables.anvils) {
                return true;
            }
        }
        tables.siege_from[to.index()].contains(king) && self.is_besieged(king, attackers, occupied)
    }

    /// Whether every side of the king is closed, where that is how he falls.
    pub(crate) fn is_besieged(
        &self,
        king: Square,
        attackers: Bitboard,
        occupied: Bitboard,
    ) -> bool {
        self.king.siege[king.index()].is_subset(self.closed_to_king(attackers, occupied))
    }

    /// The squares that close a side of a besieged king.
    pub(crate) fn closed_to_king(&self, attackers: Bitboard, occupied: Bitboard) -> Bitboard {
        let closes = &self.king.closes;
        attackers | closes.always | (closes.when_empty & !occupied)
    }

    /// Whether the king has two open lanes and the attackers cannot capture him first.
    #[cold]
    fn escape_is_certain(&self, position: &Position) -> bool {
        self.calls(position).is_tuichu()
            && (position.side == Side::Defenders || !self.king_can_be_captured(position))
    }

    /// Whether a move of the attackers, who are to move, captures the king.
    fn king_can_be_captured(&self, position: &Position) -> bool {
        self.moves(position).iter().any(|step| {
            let (from, to) = (step.from(), step.to());
            let moved = Bitboard::of(from) | Bitboard::of(to);
            let attackers = position.pieces[0] ^ moved;
            self.king_falls(position.king, to, attackers, attackers | position.pieces[1])
        })
    }
}

/// The men beside `to` that have a helper straight beyond them.
#[inline(always)]
fn captures(to: Square, men: Bitboard, helpers: Bitboard) -> Bitboard {
    let [right, left, down, up] = PREY[to.index() & 127];
    let flanked = right.0 & helpers.0 >> 1
        | left.0 & helpers.0 << 1
        | down.0 & helpers.0 >> 9
        | up.0 & helpers.0 << 9;
    Bitboard(flanked) & men
}
