//! A review: what was found about a game, move by move.

use tablut_engine::Score;
use tablut_rules::{BySide, Move, Side};

use crate::{
    Deed, Fact, MoveMark,
    accuracy::{move_accuracy, side_accuracy},
    winning_chance,
};

/// What was found about one move of a game. Scores are the mover's.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ReviewedMove {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// Who made it.
    pub side: Side,
    /// The move.
    pub step: Move,
    /// What the position before it is worth with best play.
    #[cfg_attr(feature = "serde", serde(with = "crate::score_serde"))]
    pub before: Score,
    /// What the position after it is worth; a win or loss in 0 plies is the end of the game.
    #[cfg_attr(feature = "serde", serde(with = "crate::score_serde"))]
    pub after: Score,
    /// How bad it was, if it was.
    pub mark: Option<MoveMark>,
    /// Whether the side had no other legal move, so that nothing can be held against it.
    pub is_forced: bool,
    /// The line that the engine prefers, where it prefers another move.
    pub better: Option<BetterLine>,
    /// What the engine answers: the opponent's best line after the move.
    pub reply: Vec<Move>,
    /// What is true about it, the most important first.
    pub facts: Vec<Fact>,
}

/// A line that is better than what was played.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BetterLine {
    /// The moves, the first instead of the one played.
    pub moves: Vec<Move>,
    /// What the first of them does on the board.
    pub deeds: Vec<Deed>,
}

impl BetterLine {
    /// The move to play instead.
    #[must_use]
    pub fn step(&self) -> Option<Move> {
        self.moves.first().copied()
    }
}

impl ReviewedMove {
    /// The winning chances that the move lost, from 0 to 1.
    #[must_use]
    pub fn loss(&self) -> f64 {
        match self.better.is_some() && !self.is_forced {
            // The best move loses nothing, whatever the next search thinks of it.
            false => 0.0,
            true => (winning_chance(self.before) - winning_chance(self.after)).max(0.0),
        }
    }

    /// How near it came to the best move, from 0 to 100.
    #[must_use]
    pub fn accuracy(&self) -> f64 {
        move_accuracy(self.loss())
    }

    /// Whether all other moves were much worse.
    #[must_use]
    pub fn is_only_move(&self) -> bool {
        let is_only = |fact: &Fact| matches!(fact, Fact::OnlyMove { .. });
        self.facts.iter().any(is_only)
    }

    /// Whether it is worth finding a better move as an exercise.
    #[must_use]
    pub fn is_critical(&self) -> bool {
        self.mark >= Some(MoveMark::Mistake)
    }

    /// White's score after the move.
    #[must_use]
    pub fn white_after(&self) -> Score {
        of_white(self.side, self.after)
    }

    /// White's score before the move, with best play.
    #[must_use]
    pub fn white_before(&self) -> Score {
        of_white(self.side, self.before)
    }
}

/// A side's score as White's.
fn of_white(side: Side, score: Score) -> Score {
    match side {
        Side::Defenders => score,
        Side::Attackers => -score,
    }
}

/// A point of the graph of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct GraphPoint {
    /// How many moves were made.
    pub ply: usize,
    /// White's score then.
    #[cfg_attr(feature = "serde", serde(with = "crate::score_serde"))]
    pub score: Score,
    /// White's winning chance then, from 0 to 1.
    pub chance: f64,
}

/// How one side played.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SideSummary {
    /// From 0 to 100; nothing if the side had no choice in any move.
    pub accuracy: Option<f64>,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
}

/// What was found about a game so far.
///
/// A review is made from the end of the game, so an unfinished one has its last moves.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Review {
    /// How many moves the game has.
    plies: usize,
    /// The moves that were looked at, in the order of the game, up to its end.
    moves: Vec<ReviewedMove>,
}

impl Review {
    /// A review of a game with a number of moves, none of which has been looked at.
    #[must_use]
    pub const fn new(plies: usize) -> Self {
        Self {
            plies,
            moves: Vec::new(),
        }
    }

    /// Adds what was found about a move, in any order; it replaces what was there.
    pub fn add(&mut self, reviewed: ReviewedMove) {
        let place = self.moves.binary_search_by_key(&reviewed.ply, |m| m.ply);
        match place {
            Ok(index) => self.moves[index] = reviewed,
            Err(index) => self.moves.insert(index, reviewed),
        }
    }

    /// How many moves the game has.
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// The moves that have been looked at, in the order of the game.
    #[must_use]
    pub fn moves(&self) -> &[ReviewedMove] {
        &self.moves
    }

    /// What was found about the move with a number, from 1.
    #[must_use]
    pub fn at(&self, ply: usize) -> Option<&ReviewedMove> {
        let index = self.moves.binary_search_by_key(&ply, |m| m.ply).ok()?;
        self.moves.get(index)
    }

    /// Whether every move has been looked at.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.moves.len() == self.plies
    }

    /// The moves that are worth trying again.
    pub fn critical(&self) -> impl Iterator<Item = &ReviewedMove> {
        self.moves.iter().filter(|reviewed| reviewed.is_critical())
    }

    /// How each side played, as far as is known.
    #[must_use]
    pub fn summary(&self) -> BySide<SideSummary> {
        BySide::from_fn(|side| {
            let own = || self.moves.iter().filter(move |m| m.side == side);
            let count = |mark| own().filter(|m| m.mark == Some(mark)).count();
            let chosen = own().filter(|m| !m.is_forced);
            SideSummary {
                accuracy: side_accuracy(chosen.map(ReviewedMove::accuracy)),
                inaccuracies: count(MoveMark::Inaccuracy),
                mistakes: count(MoveMark::Mistake),
                blunders: count(MoveMark::Blunder),
            }
        })
    }

    /// The points of the graph: the start, if its move has been looked at, and the position after
    /// each move.
    #[must_use]
    pub fn graph(&self) -> Vec<GraphPoint> {
        let point = |ply, score| GraphPoint {
            ply,
            score,
            chance: winning_chance(score),
        };
        let start = self.at(1).map(|first| point(0, first.white_before()));
        let rest = self.moves.iter().map(|m| point(m.ply, m.white_after()));
        start.into_iter().chain(rest).collect()
    }
}
