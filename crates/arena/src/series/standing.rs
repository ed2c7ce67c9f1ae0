//! How a series stands.

use std::collections::BTreeMap;

use tablut_rules::{BySide, Side};

use super::PlayedGame;
use crate::stats::{Pairs, Points, Tally};

/// What the games of a series add up to, from the first player's point of view.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SeriesStanding {
    sides: BySide<Tally>,
    pairs: Pairs,
    /// How often each reason ended a game that the first player won, drew or lost.
    ends: BTreeMap<(String, Points), u64>,
    /// First games of pairs whose second one is not over, by the number of the pair.
    halves: BTreeMap<usize, Points>,
    games: usize,
}

impl SeriesStanding {
    /// Counts a game.
    pub fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        self.sides[game.side].add(game.points);
        if let Some(outcome) = game.record.outcome {
            let end = (outcome.reason.to_string(), game.points);
            *self.ends.entry(end).or_default() += 1;
        }
        match self.halves.remove(&game.pair()) {
            Some(other) => self.pairs.add(other, game.points),
            None => drop(self.halves.insert(game.pair(), game.points)),
        }
    }

    /// How many games were counted.
    #[must_use]
    pub const fn games(&self) -> usize {
        self.games
    }

    /// The pairs of which both games were counted.
    #[must_use]
    pub const fn pairs(&self) -> &Pairs {
        &self.pairs
    }

    /// The first player's games with a side.
    #[must_use]
    pub const fn side(&self, side: Side) -> Tally {
        *self.sides.get(side)
    }

    /// The first player's games with both sides.
    #[must_use]
    pub fn total(&self) -> Tally {
        let mut total = self.sides.attackers;
        total += self.sides.defenders;
        total
    }

    /// Why games ended, with the first player's result and how often.
    pub fn ends(&self) -> impl Iterator<Item = (&str, Points, u64)> {
        let ends = self.ends.iter();
        ends.map(|((reason, points), &count)| (reason.as_str(), *points, count))
    }
}
