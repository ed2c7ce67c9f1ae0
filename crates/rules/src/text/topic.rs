//! The rules by what they are about, for those who learn them one after the other.

use alloc::{string::String, vec::Vec};

use super::{
    Lang,
    clause::{BoardClause, Clauses, EndClause, ManClause, MoveClause},
    describe,
};
use crate::RuleSet;

/// What a sentence about the rules is about. Each belongs to exactly one topic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// The board, the sides and what they want.
    Aims,
    /// How every piece moves.
    Moves,
    /// The castle.
    Castle,
    /// The camps.
    Camps,
    /// How men are captured between enemies.
    Men,
    /// What helps to capture men besides enemies.
    Hostile,
    /// How the king is captured.
    King,
    /// Where the king wins.
    Escapes,
    /// Open lanes, and what is called.
    Calls,
    /// How a game ends otherwise.
    Ends,
}

impl Topic {
    /// All of them, in the order in which they are taught.
    pub const ALL: [Self; 10] = [
        Self::Aims,
        Self::Moves,
        Self::Castle,
        Self::Camps,
        Self::Men,
        Self::Hostile,
        Self::King,
        Self::Escapes,
        Self::Calls,
        Self::Ends,
    ];

    const fn of_board(clause: &BoardClause) -> Self {
        match clause {
            BoardClause::Board(_)
            | BoardClause::Sides { .. }
            | BoardClause::Aims
            | BoardClause::Goals { .. }
            | BoardClause::Start { .. }
            | BoardClause::First(_) => Self::Aims,
            BoardClause::Castle(_) => Self::Castle,
            BoardClause::Camps(_) | BoardClause::NoCamps => Self::Camps,
            BoardClause::Escapes(_) | BoardClause::PlainGoals { .. } => Self::Escapes,
        }
    }

    const fn of_move(clause: &MoveClause) -> Self {
        match clause {
            MoveClause::Straight | MoveClause::NoJump => Self::Moves,
            MoveClause::CastleMoves { .. }
            | MoveClause::CastleColumnOnly { .. }
            | MoveClause::CrossExample { .. } => Self::Castle,
            MoveClause::CampMoves(_)
            | MoveClause::OwnCamp
            | MoveClause::OwnCampExample { .. }
            | MoveClause::OtherCampExample { .. }
            | MoveClause::NoWhiteInCamps => Self::Camps,
        }
    }

    const fn of_man(clause: &ManClause) -> Self {
        match clause {
            ManClause::Custodial
            | ManClause::EnemyHostile
            | ManClause::BetweenExample { .. }
            | ManClause::Active
            | ManClause::SideExample { .. }
            | ManClause::SafeBetween
            | ManClause::Several
            | ManClause::Edge => Self::Men,
            ManClause::CastleEmpty { .. }
            | ManClause::CastleEmptyExample { .. }
            | ManClause::CastleKing { .. }
            | ManClause::CastleKingExample { .. }
            | ManClause::CampHostile { .. }
            | ManClause::CampExempt { .. }
            | ManClause::CampHostileExample { .. }
            | ManClause::ShieldedAlways(_)
            | ManClause::ShieldedButBetween(_) => Self::Hostile,
        }
    }

    const fn of_end(clause: &EndClause) -> Self {
        match clause {
            EndClause::GoalWins { .. } => Self::Escapes,
            EndClause::CaptureWins => Self::King,
            EndClause::TwoLanesWin => Self::Calls,
            EndClause::NoMove(_)
            | EndClause::SamePosition
            | EndClause::Repetition(_)
            | EndClause::NoRepetition
            | EndClause::CapturelessLimit(_)
            | EndClause::NoDraw
            | EndClause::Order(_)
            | EndClause::Options => Self::Ends,
        }
    }

    /// The clauses that belong to the topic.
    fn select(self, mut all: Clauses) -> Clauses {
        all.board.retain(|clause| Self::of_board(clause) == self);
        all.moves.retain(|clause| Self::of_move(clause) == self);
        all.men.retain(|clause| Self::of_man(clause) == self);
        all.end.retain(|clause| Self::of_end(clause) == self);
        if self != Self::King {
            all.king.clear();
        }
        if self != Self::Calls {
            all.calls.clear();
        }
        all
    }
}

impl RuleSet {
    /// What [`RuleSet::describe`] says about one topic.
    #[must_use]
    pub fn describe_topic(&self, topic: Topic, lang: Lang) -> Vec<String> {
        let clauses = topic.select(describe::clauses(self));
        let sections = (lang.words().sections)(&clauses).into_iter();
        sections.flat_map(|section| section.sentences).collect()
    }
}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use alloc::vec::Vec;

    use super::*;
    use crate::BuiltIn;

    #[test]
    fn every_sentence_belongs_to_exactly_one_topic() {
        for set in BuiltIn::ALL.iter().map(|set| set.set()) {
            for &lang in Lang::ALL {
                let mut all: Vec<_> = set
                    .describe(lang)
                    .into_iter()
                    .flat_map(|section| section.sentences)
                    .collect();
                let mut by_topic: Vec<_> = Topic::ALL
                    .into_iter()
                    .flat_map(|topic| set.describe_topic(topic, lang))
                    .collect();
                all.sort();
                by_topic.sort();
                assert_eq!(all, by_topic, "{} in {lang}", set.id());
            }
        }
    }
}
