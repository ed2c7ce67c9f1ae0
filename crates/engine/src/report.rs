//! What a search tells: while it runs, and at its end.

use std::time::Duration;

use tablut_rules::Move;

use crate::Score;

/// A line of play with its worth for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// What it is worth.
    pub score: Score,
    /// The moves, the first one for the side to move.
    pub moves: Vec<Move>,
}

/// News of a running search: one line of a finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchInfo {
    /// The depth of the iteration in plies.
    pub depth: u32,
    /// The deepest ply looked at.
    pub selective: u32,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time used so far.
    pub time: Duration,
    /// The number of the line among those asked for, from zero.
    pub index: usize,
    /// The line.
    pub line: Variation,
    /// How much of the table this search has filled, in thousandths.
    pub hash_full: u32,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SearchReport {
    /// The move to play; none if the game is over.
    pub best: Option<Move>,
    /// The lines asked for, best first.
    pub lines: Vec<Variation>,
    /// The last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}
