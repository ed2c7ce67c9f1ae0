//! Counting positions: the standard check of a move generator.
//!
//! Sequences that end earlier are not counted, and repetition and limits play no part.

use core::ops::AddAssign;

use crate::{Applied, End, Move, Position, Rules};

/// What was counted at the last move of all sequences of a length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Perft {
    /// Sequences of that length.
    pub nodes: u64,
    /// Those whose last move captured men.
    pub capture_moves: u64,
    /// How many men these captured.
    pub captured_men: u64,
    /// Those whose last move won for the defenders.
    pub defender_wins: u64,
    /// Those whose last move won for the attackers.
    pub attacker_wins: u64,
}

impl Perft {
    fn add(&mut self, applied: &Applied) {
        self.nodes += 1;
        if !applied.captured.is_empty() {
            self.capture_moves += 1;
            self.captured_men += u64::from(applied.captured.len());
        }
        match applied.end {
            None => {}
            Some(End::KingCaptured) => self.attacker_wins += 1,
            Some(End::KingEscaped | End::TwoLanes) => self.defender_wins += 1,
        }
    }
}

impl AddAssign for Perft {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.capture_moves += other.capture_moves;
        self.captured_men += other.captured_men;
        self.defender_wins += other.defender_wins;
        self.attacker_wins += other.attacker_wins;
    }
}

impl Rules {
    /// The number of move sequences of a length. The last moves are counted, not made.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// let rules = tablut_rules::Rules::ashton();
    /// assert_eq!(rules.perft(&rules.start(), 3), 248_456);
    /// # }
    /// ```
    #[must_use]
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_moves(position) as u64,
            _ => {
                let mut nodes = 0;
                for &step in &self.moves(position) {
                    let applied = self.apply_unchecked(position, step);
                    if applied.end.is_none() {
                        nodes += self.perft(&applied.position, depth - 1);
                    }
                }
                nodes
            }
        }
    }

    /// The same with every last move made, and what these moves did.
    #[must_use]
    pub fn perft_made(&self, position: &Position, depth: u32) -> Perft {
        let mut counts = Perft::default();
        if depth == 0 {
            counts.nodes = 1;
        } else {
            self.add_perft(position, depth, &mut counts);
        }
        counts
    }

    fn add_perft(&self, position: &Position, depth: u32, counts: &mut Perft) {
        for &step in &self.moves(position) {
            let applied = self.apply_unchecked(position, step);
            if depth == 1 {
                counts.add(&applied);
            } else if applied.end.is_none() {
                self.add_perft(&applied.position, depth - 1, counts);
            }
        }
    }

    /// The counts below each legal move of a position.
    pub fn divide(
        &self,
        position: &Position,
        depth: u32,
    ) -> impl Iterator<Item = (Move, Perft)> + '_ {
        let position = *position;
        let moves = self.moves(&position);
        (0..moves.len()).map(move |n| {
            let applied = self.apply_unchecked(&position, moves[n]);
            let mut counts = Perft::default();
            if depth <= 1 {
                counts.add(&applied);
            } else if applied.end.is_none() {
                self.add_perft(&applied.position, depth - 1, &mut counts);
            }
            (moves[n], counts)
        })
    }
}
