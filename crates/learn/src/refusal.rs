//! Why a move does not do a task.

use tablut_rules::{Anvil, CaptureCause, End, Outcome, Piece, Position, Rules, Side, Square};

/// Why a move does not do a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// It goes elsewhere.
    Elsewhere {
        /// Where it should have gone from.
        from: Square,
        /// Where it should have gone.
        to: Square,
    },
    /// It goes another way; how far it may go is the learner's to find.
    OtherWay {
        /// Where it should have gone from.
        from: Square,
        /// The square it should have gone towards.
        towards: Square,
    },
    /// It could go further.
    Further,
    /// The man is still there.
    NotCaptured {
        /// Where it stands.
        square: Square,
        /// Who should have captured it.
        by: Side,
    },
    /// The king is not captured.
    KingFree {
        /// What it takes where he stands.
        need: Option<KingNeed>,
    },
    /// The king is on no goal.
    NoGoal,
    /// The king sees too few goals.
    FewLanes {
        /// In how many directions he sees one.
        found: usize,
        /// How many were wanted.
        wanted: usize,
    },
    /// The king still sees a goal.
    LaneOpen {
        /// The goal.
        goal: Square,
    },
    /// The position is new, so the game goes on.
    NewPosition,
    /// It repeats the position and loses.
    Repeats,
    /// It does not win by force, or not as fast as asked for.
    NoWin,
    /// The king still finds a way to the corner.
    CornerOpen {
        /// The corner.
        corner: Square,
    },
    /// He finds none, but only because men of his own stand in it.
    WhiteWall {
        /// The corner.
        corner: Square,
    },
    /// It wins, but a man was to be captured.
    WinsUncaptured {
        /// Where the man stands.
        square: Square,
    },
    /// It wins, but something else was to be done.
    WinsOtherwise,
    /// The game ended otherwise.
    Ended {
        /// How.
        outcome: Outcome,
    },
}

/// What Black needs to capture the king where he stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KingNeed {
    /// Men on all four sides.
    AllSides {
        /// Whether he stands on the castle.
        on_castle: bool,
    },
    /// Men on three sides: the empty castle closes the fourth.
    OtherSides,
    /// Men on every side that no camp closes.
    CampSides {
        /// Whether the empty castle closes one, too.
        castle: bool,
    },
    /// A man that moves beside him, with another one straight beyond.
    Between {
        /// Whether a camp square beyond is as good.
        camps: bool,
    },
}

impl KingNeed {
    /// What it takes in a position where Black can capture him now. The rules say it of a move that does,
    /// so it is true under every set.
    pub(crate) fn of(rules: &Rules, before: &Position) -> Option<Self> {
        let moves = rules.moves(before);
        let captures = |step| rules.apply_unchecked(before, step).end == Some(End::KingCaptured);
        let step = moves.iter().copied().find(|&step| captures(step))?;
        let falls = rules.explain_captures(before, step).ok()?;
        let fall = falls.into_iter().find(|one| one.piece == Piece::King)?;
        let CaptureCause::Siege(sides) = fall.cause else {
            let camps = rules.set().camp_to().contains(Piece::King) && !rules.camps().is_empty();
            return Some(Self::Between { camps });
        };
        let closed_by = |kind| sides.iter().any(|&(_, side)| side == kind);
        let castle = closed_by(Anvil::EmptyCastle);
        Some(match closed_by(Anvil::Camp) {
            true => Self::CampSides { castle },
            false if castle => Self::OtherSides,
            false => Self::AllSides {
                on_castle: before.king() == rules.castle(),
            },
        })
    }
}
