//! What a player did in a game, in figures.

use tablut_arena::Match;
use tablut_rules::Side;

/// The figures of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// Moves made.
    pub moves: u32,
    /// Men captured.
    pub captured: u32,
    /// Illegal moves.
    pub errors: u32,
    /// Milliseconds thought.
    pub spent_ms: u64,
    /// Milliseconds of the longest thought.
    pub longest_ms: u64,
}

impl Tally {
    /// The figures of a side in a match.
    #[must_use]
    pub fn new(contest: &Match, side: Side) -> Self {
        let game = contest.game();
        let record = contest.record();
        let nodes = record.tree().main_line();
        let mut tally = Self {
            errors: contest.errors(side),
            ..Self::default()
        };
        for (ply, node) in game.plies().iter().zip(nodes) {
            if ply.position.side() == side {
                continue;
            }
            let spent = record.tree().notes(node).spent_ms.unwrap_or(0);
            tally.moves += 1;
            tally.captured += ply.captured.len();
            tally.spent_ms += spent;
            tally.longest_ms = tally.longest_ms.max(spent);
        }
        tally
    }

    /// The mean time of a move, in milliseconds.
    #[must_use]
    pub fn mean_ms(&self) -> u64 {
        self.spent_ms / u64::from(self.moves.max(1))
    }
}
