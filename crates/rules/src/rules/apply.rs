//! Making a move: captures, the king's fate, the key. A hot path.

use super::Rules;
use crate::{
    Bitboard, BySide, IllegalMove, Move, Piece, Position, Setup, Side, Square, TwoLanes, zobrist,
};

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
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
///
/// Not `non_exhaustive`: whoever judges a move has to answer every end, and the compiler should ask.
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

    /// Whether this end is a win of a side.
    #[must_use]
    pub fn wins(self, side: Side) -> bool {
        self.winner() == side
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
    /// Makes a move of the side to move, if it is legal.
    ///
    /// The position is copied, so after an error it is still there to try another move.
    ///
    /// # Errors
    /// Why the move is illegal.
    pub fn apply(&self, position: &Position, step: Move) -> Result<Applied, IllegalMove> {
        self.explain(position, step)?;
        Ok(self.apply_unchecked(position, step))
    }

    /// Makes a move that is known to be legal: one of [`Rules::moves`], or one that
    /// [`Rules::is_legal`] allows.
    ///
    /// An illegal move is not noticed. It does no harm to memory, but the position after it means
    /// nothing.
    #[must_use]
    #[inline(always)]
    pub fn apply_unchecked(&self, position: &Position, step: Move) -> Applied {
        // Two copies of a straight path, each with its side known, beat one with choices in it.
        match position.side {
            Side::Attackers => self.advance(position, step, Piece::Attacker),
            Side::Defenders if step.from() == position.king => {
                self.advance(position, step, Piece::King)
            }
            Side::Defenders => self.advance(position, step, Piece::Defender),
        }
    }

    /// Makes a move of a known kind of piece.
    #[inline(always)]
    fn advance(&self, position: &Position, step: Move, piece: Piece) -> Applied {
        let (from, to) = (step.from(), step.to());
        let moved = Bitboard::of(from) ^ Bitboard::of(to);
        let mut pieces = position.pieces;
        pieces[piece.side()] ^= moved;
        let enemy = pieces[piece.side().opponent()];
        let is_king = piece == Piece::King;
        let mut applied = Applied {
            position: Position {
                pieces,
                key: position.key
                    ^ zobrist::DEFENDERS_TO_MOVE
                    ^ zobrist::of(piece, from)
                    ^ zobrist::of(piece, to),
                king: if is_king { to } else { position.king },
                side: piece.side().opponent(),
                size: position.size,
                quiet: position.quiet.saturating_add(1),
            },
            captured: Bitboard::EMPTY,
            end: (is_king && self.goals.contains(to)).then_some(End::KingEscaped),
        };
        if !self.touch[to.index() & 127].is_disjoint(enemy) {
            self.capture(&mut applied, to);
        }
        if self.rare_when.is_subset(applied.position.pieces.attackers) {
            self.apply_rare_laws(&mut applied, to);
        }
        applied
    }

    /// Takes what the piece that has arrived on a square captures.
    ///
    /// A function of its own, so that the path of most moves needs few registers.
    #[inline(never)]
    fn capture(&self, applied: &mut Applied, to: Square) {
        let after = &mut applied.position;
        let BySide {
            attackers,
            defenders,
        } = after.pieces;
        let victims = after.side;
        let captured = match victims {
            Side::Attackers => self.captured_by_defender(to, defenders, attackers),
            Side::Defenders => {
                let king = after.king;
                if self.king_falls(king, to, attackers, attackers | defenders) {
                    applied.end = Some(End::KingCaptured);
                }
                self.captured_by_attacker(to, attackers, after.men(victims), Some(king))
            }
        };
        if captured.is_empty() {
            return;
        }
        applied.captured = captured;
        after.pieces[victims] ^= captured;
        after.quiet = 0;
        for square in captured {
            after.key ^= zobrist::of(Piece::man(victims), square);
        }
    }

    /// Laws that few sets have, and that need more than the neighbours of a move.
    #[cold]
    fn apply_rare_laws(&self, applied: &mut Applied, to: Square) {
        let after = &applied.position;
        if self.set.quirk.idle_siege && after.side == Side::Defenders {
            let attackers = after.pieces.attackers;
            if self.king_falls(after.king, to, attackers, after.occupied()) {
                applied.end = Some(End::KingCaptured);
            }
        }
        if applied.end.is_none() && self.escape_is_certain(after) {
            applied.end = Some(End::TwoLanes);
        }
    }

    /// Whether two open lanes decide a set-up, under rules where they do.
    pub(super) fn two_lanes_win_in(&self, setup: &Setup) -> bool {
        self.set.two_lanes == TwoLanes::Wins
            && setup.pieces(Piece::King).len() == 1
            && self.escape_is_certain(&self.place(setup))
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
        let hostile = &self.hostile.defenders;
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
        let hostile = &self.hostile.attackers;
        let empty = !(attackers.0 | defenders.0);
        let helpers = defenders | hostile.always | Bitboard(hostile.when_empty.0 & empty);
        captures(to, attackers, helpers)
    }

    /// Whether the castle with the king on it helps a move that ended on `to` without attackers
    /// around it.
    pub(crate) fn castle_needs_no_guard(&self, to: Square) -> bool {
        self.king.castle_guard[to.index()].is_empty()
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
        self.set.two_lanes == TwoLanes::Wins
            && self.calls(position).is_tuichu()
            && (position.side == Side::Defenders || !self.king_can_be_captured(position))
    }

    /// Whether a move of the attackers, who are to move, captures the king.
    fn king_can_be_captured(&self, position: &Position) -> bool {
        self.moves(position).iter().any(|step| {
            let (from, to) = (step.from(), step.to());
            let moved = Bitboard::of(from) | Bitboard::of(to);
            let attackers = position.pieces.attackers ^ moved;
            let occupied = attackers | position.pieces.defenders;
            self.king_falls(position.king, to, attackers, occupied)
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
