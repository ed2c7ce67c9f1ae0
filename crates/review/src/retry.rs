//! Trying again: judging another move at a moment of a game.

use tablut_engine::{Control, Engine, Score, SearchLimits};
use tablut_rules::{Game, Move, PlayError};

use crate::{
    Fact, MoveMark, ReviewedMove,
    fact::{MoveView, facts},
    reviewer::PositionView,
    winning_chance,
};

/// How good a move is that was tried instead of the one played.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "camelCase"))]
pub enum RetryRating {
    /// As good as the best: it loses less than an inaccuracy does.
    AsGood,
    /// Better than the move played, though not good.
    Better,
    /// No better than the move played.
    NotBetter,
}

/// What is known of a move that was tried.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Retry {
    /// The move.
    pub step: Move,
    /// How good it is.
    pub rating: RetryRating,
    /// What the position after it is worth to the mover.
    #[cfg_attr(feature = "serde", serde(with = "crate::score_serde"))]
    pub after: Score,
    /// What the engine answers: the opponent's best line.
    pub reply: Vec<Move>,
    /// What is true about it, the most important first.
    pub facts: Vec<Fact>,
}

/// Judges a move that is tried instead of one that was played. `game` stands before that move.
///
/// # Errors
/// The move cannot be made.
pub fn retry(
    game: &Game,
    played: &ReviewedMove,
    step: Move,
    engine: &mut Engine,
    limits: &SearchLimits,
    control: &Control,
) -> Result<Retry, PlayError> {
    let mut next = game.clone();
    next.play(step)?;
    let view = PositionView::ask(&next, engine, limits, control);
    let after = -view.score;
    let lost = |after: Score| (winning_chance(played.before) - winning_chance(after)).max(0.0);
    let is_best = played.better.as_ref().and_then(|line| line.step()) == Some(step);
    let rating = if step == played.step {
        match played.mark {
            None => RetryRating::AsGood,
            Some(_) => RetryRating::NotBetter,
        }
    } else if is_best || MoveMark::of_loss(lost(after)).is_none() {
        RetryRating::AsGood
    } else if MoveMark::of_loss(lost(after)) < played.mark {
        RetryRating::Better
    } else {
        RetryRating::NotBetter
    };
    let facts = facts(&MoveView {
        game,
        next: &next,
        step,
        before: played.before,
        after,
        reply: view.line.first().copied(),
        rivals: None,
    });
    Ok(Retry {
        step,
        rating,
        after,
        reply: view.line,
        facts,
    })
}
