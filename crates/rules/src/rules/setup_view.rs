//! Answers for any piece on any set-up, sound or not: for editors and boards.

use super::{End, Rules};
use crate::{Bitboard, Calls, IllegalMove, Move, Piece, Setup, Side, Square};

/// What a move would do on a set-up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Preview {
    /// The set-up after the move, with the other side to move.
    pub setup: Setup,
    /// The men it captures.
    pub captured: Bitboard,
    /// Whether it captures a king, brings one to a goal, or wins by two open lanes.
    pub end: Option<End>,
}

/// A set-up as these rules see it, whoever is to move and however many kings there are.
///
/// Made by [`Rules::view`]. Whether the set-up is a sound position is for [`Rules::position`] and
/// [`Rules::faults`] to say; everything here answers all the same.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::{Rules, Setup};
/// let rules = Rules::ashton();
/// let setup: Setup = "9/9/9/2w6/9/9/9/9/9 b".parse().expect("a set-up, though without a king");
/// let view = rules.view(&setup);
/// assert_eq!(view.targets("c4".parse().expect("a square")).len(), 14);
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SetupView<'a> {
    rules: &'a Rules,
    setup: &'a Setup,
}

impl Rules {
    /// A set-up, sound or not, as these rules see it.
    #[must_use]
    pub const fn view<'a>(&'a self, setup: &'a Setup) -> SetupView<'a> {
        SetupView { rules: self, setup }
    }
}

impl SetupView<'_> {
    /// The squares the piece on a square can go to. Empty if the square is.
    #[must_use]
    pub fn targets(self, from: Square) -> Bitboard {
        let Self { rules, setup } = self;
        match setup.piece_at(from) {
            Some(piece) if rules.size().squares().contains(from) => {
                rules.slide_targets(piece, from, setup.occupied())
            }
            _ => Bitboard::EMPTY,
        }
    }

    /// Why the piece on a square cannot go to another.
    ///
    /// # Errors
    /// The reason, if it cannot.
    pub fn explain(self, step: Move) -> Result<(), IllegalMove> {
        self.rules.explain_slide(self.setup, step)
    }

    /// The open lanes of a king that stands, or would stand, on a square.
    #[must_use]
    pub fn calls(self, king: Square) -> Calls {
        self.rules.calls_from(king, self.setup.occupied())
    }

    /// The squares that help to capture men of a side now: enemy pieces, and squares hostile to it.
    #[must_use]
    pub fn hostile_to(self, side: Side) -> Bitboard {
        let Self { rules, setup } = self;
        let hostile = &rules.hostile[side];
        let enemies = setup.of_side(side.opponent());
        let squares = enemies | hostile.always | (hostile.when_empty & !setup.occupied());
        let king_holds = setup.pieces(Piece::King).contains(rules.castle);
        let castle_helps = side == Side::Defenders
            && king_holds
            && Square::all().any(|to| rules.king.castle_guard[to.index()].is_subset(enemies));
        if castle_helps {
            squares.with(rules.castle)
        } else {
            squares
        }
    }

    /// What a move of any piece would capture and end. Nothing if the piece cannot go there.
    #[must_use]
    pub fn preview(self, step: Move) -> Option<Preview> {
        let Self { rules, setup } = self;
        let (from, to) = (step.from(), step.to());
        if !self.targets(from).contains(to) {
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
                let holder = kings & Bitboard::from(rules.castle);
                let king = holder.first().or(kings.first());
                let men = after.pieces(Piece::Defender);
                let occupied = after.occupied();
                if kings
                    .iter()
                    .any(|king| rules.king_falls(king, to, attackers, occupied))
                {
                    end = Some(End::KingCaptured);
                }
                rules.captured_by_attacker(to, attackers, men, king)
            }
            Side::Defenders => {
                if mover == Piece::King && rules.goals.contains(to) {
                    end = Some(End::KingEscaped);
                }
                rules.captured_by_defender(to, after.of_side(Side::Defenders), attackers)
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
        if end.is_none() && rules.two_lanes_win_in(&setup) {
            end = Some(End::TwoLanes);
        }
        Some(Preview {
            setup,
            captured,
            end,
        })
    }
}
