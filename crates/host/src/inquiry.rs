//! Inquiries: questions to the engine that take a while, such as lines, a proof or a review.
//!
//! An [`InquiryOrder`] and the [`Finding`]s that it gets are plain data: whoever has the rules can work on
//! an order, in this process or in another. [`EnginePool::inquire`](crate::EnginePool::inquire) does it
//! here. What is found is told while it grows, the newest instead of what was found before.

mod lines;
mod proof;
mod review;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tablut_engine::{Control, Engine, EngineOptions, Score};
use tablut_review::{Retry, Review, ReviewedMove, score_serde};
use tablut_rules::{Game, Move, Outcome, Rules, Setup, Side};

use crate::{
    Busy,
    exchange::{self, ExchangeError},
};

/// A line of play: a set-up, and the moves from there on. What an inquiry is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlayLine {
    /// The id of the rule set.
    pub rules: String,
    /// Where it starts.
    pub setup: Setup,
    /// The moves; repetition counts from the first on.
    pub moves: Vec<Move>,
}

impl From<&Game> for PlayLine {
    fn from(game: &Game) -> Self {
        Self {
            rules: game.rules().set().id().into(),
            setup: Setup::from(game.start()),
            moves: game.plies().iter().map(|ply| ply.step).collect(),
        }
    }
}

/// What the engine is asked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum InquiryOrder {
    /// What are the best lines at the end of this one?
    Lines {
        /// The line.
        line: PlayLine,
        /// How many, from 1 to [`MOST_LINES`].
        count: usize,
        /// Whether the side to move passes: what would the opponent do?
        pass: bool,
    },
    /// Can a side force a win at the end of this line?
    Proof {
        /// The line.
        line: PlayLine,
        /// A win that is known already and is to be walked through.
        known: Option<KnownWin>,
    },
    /// What does this game mean?
    Review {
        /// The game.
        line: PlayLine,
    },
    /// How good is a move that is tried instead of the one that was played?
    Retry {
        /// The game up to that move.
        line: PlayLine,
        /// The move that was played.
        played: Box<ReviewedMove>,
        /// The move that is tried.
        step: Move,
    },
}

/// The most lines that can be asked for.
pub const MOST_LINES: usize = 5;

/// A forced win that was proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct KnownWin {
    /// Who wins.
    pub winner: Side,
    /// In at most this many plies.
    pub plies: u32,
}

/// What was found so far.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Finding {
    /// Lines, the best first.
    Lines(LinesFound),
    /// A proof, or how far the search for one has come.
    Proof(ProofFound),
    /// A review, whole or in the making.
    Review(Review),
    /// What is known of a move that was tried.
    Retry {
        /// Who tried it.
        side: Side,
        /// What is known.
        retry: Retry,
    },
}

/// The best lines at a depth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinesFound {
    /// The depth in plies.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The time that took, in milliseconds.
    pub time_ms: u64,
    /// The lines, the best first.
    pub lines: Vec<FoundLine>,
}

/// A line with its score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FoundLine {
    /// White's score.
    #[serde(with = "score_serde")]
    pub score: Score,
    /// The moves.
    pub moves: Vec<Move>,
}

/// What is known about forced wins in a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProofFound {
    /// Positions looked at.
    pub nodes: u64,
    /// Neither side has a forced win within this many plies, as far as was looked.
    pub none_within: u32,
    /// Whether that is proved, and not only because repetition could matter or the search ended early.
    pub is_proved: bool,
    /// A forced win.
    pub win: Option<Win>,
}

/// A forced win: how, and every answer to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Win {
    /// Who wins.
    pub winner: Side,
    /// In at most this many plies.
    pub plies: u32,
    /// Whether there is no shorter one.
    pub is_shortest: bool,
    /// The winner's moves and a longest defence.
    pub line: Vec<Move>,
    /// The winner's move, if it is the winner's turn.
    pub step: Option<Move>,
    /// Every answer of the loser after that, the one that holds out longest first.
    pub answers: Vec<WinAnswer>,
}

/// An answer of the loser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinAnswer {
    /// The move.
    pub step: Move,
    /// In how many plies the winner wins after it; none are left if it ends the game.
    pub plies: u32,
}

/// Why an inquiry cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InquiryError {
    /// There is no rule set with this id.
    #[error("there is no rule set {0:?} here")]
    Rules(String),
    /// The line cannot be played.
    #[error(transparent)]
    Line(#[from] ExchangeError),
    /// The game is over: there is nothing to find.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// There is no move to review.
    #[error("the text contains no game")]
    NoMoves,
    /// Too much is asked already.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// A move of a game is to be tried again, but there is no review of it.
    #[error("the game has no finished review, or no such move")]
    NoReview,
}

impl InquiryOrder {
    /// What is asked about.
    #[must_use]
    pub const fn line(&self) -> &PlayLine {
        match self {
            Self::Lines { line, .. }
            | Self::Proof { line, .. }
            | Self::Review { line }
            | Self::Retry { line, .. } => line,
        }
    }
}

/// An order whose line was played: the engine can begin.
#[derive(Clone, Debug)]
pub struct InquiryTask {
    order: InquiryOrder,
    game: Game,
}

impl InquiryTask {
    /// Plays the line of an order under its rules.
    ///
    /// # Errors
    /// Says why there is nothing to find.
    pub fn new(order: InquiryOrder, rules: &Arc<Rules>) -> Result<Self, InquiryError> {
        let PlayLine { setup, moves, .. } = order.line();
        let mut game = exchange::play(rules, setup, moves)?;
        if matches!(order, InquiryOrder::Review { .. }) {
            return match moves.is_empty() {
                true => Err(InquiryError::NoMoves),
                false => Ok(Self { order, game }),
            };
        }
        if let Some(outcome) = game.outcome() {
            return Err(InquiryError::Over(outcome));
        }
        match &order {
            // A pass is no move of the game: what the opponent would do has no history.
            InquiryOrder::Lines { pass: true, .. } => {
                let position = game.position();
                let other = Setup::from(position).with_side(position.side().opponent());
                game = exchange::play(rules, &other, &[])?;
                if let Some(outcome) = game.outcome() {
                    return Err(InquiryError::Over(outcome));
                }
            }
            InquiryOrder::Retry { step, .. } => {
                let tried = game.clone().play(*step);
                tried.map_err(|error| ExchangeError::Move(*step, error))?;
            }
            _ => {}
        }
        Ok(Self { order, game })
    }

    /// The order.
    #[must_use]
    pub const fn order(&self) -> &InquiryOrder {
        &self.order
    }

    /// Whether it has no end of its own, other than that it has become long.
    pub(crate) const fn is_endless(&self) -> bool {
        matches!(self.order, InquiryOrder::Lines { .. })
    }

    /// Does the work with an engine. Tells what was found so far, and in the end all that was found;
    /// nothing if `control` stopped it before there was anything whole.
    pub fn perform(
        &self,
        engine: &mut Engine,
        control: &Control,
        on_finding: &mut dyn FnMut(Finding),
    ) -> Option<Finding> {
        let Self { order, game } = self;
        match order {
            InquiryOrder::Lines { count, .. } => {
                lines::find(game, *count, engine, control, on_finding)
            }
            InquiryOrder::Proof { known, .. } => proof::find(game, *known, control, on_finding),
            InquiryOrder::Review { .. } => review::make(game, engine, control, on_finding),
            InquiryOrder::Retry { played, step, .. } => {
                review::retry(game, played, *step, engine, control)
            }
        }
    }

    /// How large the transposition table of an engine of its own should be, in megabytes. A proof needs
    /// none; lines are found by an engine that remembers, as large as there is one.
    pub(crate) const fn hash_mb(&self) -> usize {
        match self.order {
            InquiryOrder::Review { .. } => review::HASH_MB,
            InquiryOrder::Retry { .. } => review::RETRY_HASH_MB,
            InquiryOrder::Lines { .. } | InquiryOrder::Proof { .. } => 1,
        }
    }
}

/// An engine of one thread: places in the pool are threads.
pub(crate) fn engine(hash_mb: usize) -> Engine {
    Engine::new(EngineOptions {
        hash_mb,
        threads: 1,
    })
}

/// A score of the side to move as White's.
const fn of_white(side: Side, score: Score) -> Score {
    match side {
        Side::Defenders => score,
        Side::Attackers => score.negate(),
    }
}

#[cfg(test)]
mod tests;
