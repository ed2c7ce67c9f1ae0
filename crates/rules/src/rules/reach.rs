//! Answers for any piece on any set-up, sound or not: for editors and boards.

use super::{End, Rules};
use crate::{Bitboard, Move, Piece, Setup, Side, Square};

/// What a move would do on a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Preview {
    /// The set-up after the move, with the other side to move.
    pub setup: Setup,
    /// The men it captures.
    pub captured: Bitboard,
    /// Whether it captures a king, brings one to a goal, or wins by two open lanes.
    pub end: Option<End>,
}

impl Rules {
    /// The squares the piece on a square can go to, whoever is to move and however many kings there
    /// are. Empty if the square is.
    #[must_use]
    pub fn reach(&self, setup: &Setup, from: Square) -> Bitboard {
        match setup.piece_at(from) {
            Some(piece) if self.size().squares().contains(from) => {
                self.slide_targets(piece, from, setup.occupied())
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// The squares that help to capture men of a side now: enemy pieces, and squares hostile to it.
    #[must_use]
    pub fn hostile_squares(&self, setup: &Setup, side: Side) -> Bitboard {
        let hostile = &self.hostile[side.index()];
        let enemies = setup.of_side(side.opponent());
        let squares = enemies | hostile.always | (hostile.when_empty & !setup.occupied());
        let king_holds = setup.pieces(Piece::King).contains(self.castle);
        let castle_helps = side == Side::Defenders
            && king_holds
            && Square::all().any(|to| self.king.castle_guard[to.index()].is_subset(enemies));
        if castle_helps {
            squares.with(self.castle)
        } else {
            squares
        }
    }

    /// What a move of any piece would capture and end. Nothing if the piece cannot go there.
    #[must_use]
    pub fn preview(&self, setup: &Setup, step: Move) -> Option<Preview> {
        let (from, to) = (step.from(), step.to());
        if !self.reach(setup, from).contains(to) {
            return None;
        }
        let mover = setup.piece_at(from)?;
        let mut after = setup.with_side(mover.side().opponent());
        after.shift(step);
        let attackers = after.of_side(Side::Attackers);
        let kings = after.pieces(Piece::King);
        let mut end = None;
        let captured = match mover.side() {
            Side::Attackers => {
                // Several kings are all taken for occupied squares; one may hold the castle.
                let holder = kings & Bitboard::from(self.castle);
                let king = holder.first().or(kings.first());
                let men = after.pieces(Piece::Defender);
                let occupied = after.occupied();
                if kings
                    .iter()
                    .any(|king| self.king_falls(king, to, attackers, occupied))
                {
                    end = Some(End::KingCaptured);
                }
                self.captured_by_attacker(to, attackers, men, king)
            }
            Side::Defenders => {
                if mover == Piece::King && self.goals.contains(to) {
                    end = Some(End::KingEscaped);
                }
                self.captured_by_defender(to, after.of_side(Side::Defenders), attackers)
            }
        };
        for square in captured {
            after.put(square, None);
        }
        let quiet = if captured.is_empty() {
            setup.quiet().saturating_add(1)
        } else {
            0
        };
        let setup = after.with_quiet(quiet);
        if end.is_none() && self.two_lanes_win_in(&setup) {
            end = Some(End::TwoLanes);
        }
        Some(Preview {
            setup,
            captured,
            end,
        })
    }
}
