//! What the results of games mean: points, Elo with its error, and when to stop. Pure arithmetic.
//!
//! Games are played in pairs: one opening, twice, with sides swapped. The opening favours one side,
//! so the two results of a pair depend on each other, and only the pair is an independent trial. A
//! pair is worth 0, ½, 1, 1½ or 2 points, which gives the five counts of [`Pairs`] (the
//! *pentanomial* model). All figures are from the first player's point of view.

mod elo;
pub mod rating;
mod sprt;

pub use elo::{Elo, elo_of_score, score_of_elo};
pub use sprt::{Model, ParseSprtError, Sprt, SprtVerdict};

use std::ops::AddAssign;

/// The result of one game for one player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Points {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Points {
    /// The result in half points: 0, 1 or 2.
    #[must_use]
    pub const fn halves(self) -> u8 {
        self as u8
    }

    /// The same result for the opponent.
    #[must_use]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// Counts a game.
    pub const fn add(&mut self, points: Points) {
        match points {
            Points::Win => self.wins += 1,
            Points::Draw => self.draws += 1,
            Points::Loss => self.losses += 1,
        }
    }

    /// How many games were counted.
    #[must_use]
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points made: one for a win, a half for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points made per game, from 0 to 1; nothing without games.
    #[must_use]
    pub fn score(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// Elo and its margin if every game is an independent trial, as are games with one side from
    /// different openings; nothing without games.
    #[must_use]
    pub fn elo(&self) -> Option<(f64, Option<f64>)> {
        let count = self.games() as f64;
        let shares = [(self.losses, 0.0), (self.draws, 0.5), (self.wins, 1.0)];
        let shares = shares.map(|(games, points)| (points, games as f64 / count));
        (self.games() > 0).then(|| {
            let (score, variance) = moments(&shares);
            let error = (variance / count).sqrt();
            (elo_of_score(score), elo::margin(score, error))
        })
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// How many pairs of games gave 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pairs(pub [u64; 5]);

impl Pairs {
    /// Counts a pair of games.
    pub const fn add(&mut self, first: Points, second: Points) {
        self.0[(first.halves() + second.halves()) as usize] += 1;
    }

    /// How many pairs were counted.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The points of each kind of pair per game (0, ¼, ½, ¾, 1), with its share of all pairs.
    fn shares(&self, counts: [f64; 5]) -> [(f64, f64); 5] {
        let total: f64 = counts.iter().sum();
        std::array::from_fn(|n| (n as f64 / 4.0, counts[n] / total))
    }

    /// Elo, its error and what follows from it; nothing without pairs.
    #[must_use]
    pub fn elo(&self) -> Option<Elo> {
        (self.count() > 0).then(|| Elo::of_pairs(self))
    }
}

/// Mean and variance of a distribution of values.
fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(value, share)| value * share).sum();
    let square = |value: f64| (value - mean) * (value - mean);
    let variance = shares.iter().map(|&(value, share)| share * square(value));
    (mean, variance.sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_points_and_scores() {
        let mut tally = Tally::default();
        assert_eq!(tally.score(), None);
        for points in [Points::Win, Points::Win, Points::Draw, Points::Loss] {
            tally.add(points);
        }
        assert_eq!((tally.games(), tally.points()), (4, 2.5));
        assert_eq!(tally.score(), Some(0.625));
        let mut twice = tally;
        twice += tally;
        assert_eq!(twice.games(), 8);
        let even = Tally {
            wins: 40,
            draws: 20,
            losses: 40,
        };
        let (elo, margin) = even.elo().unwrap();
        // The deviation of a game is √0.2: 0.0877 is 1.96 standard errors.
        assert!(elo.abs() < 1e-9 && (margin.unwrap() - 61.5).abs() < 0.2);
        assert_eq!(Tally::default().elo(), None);
    }

    #[test]
    fn a_pair_falls_into_the_class_of_its_points() {
        use Points::{Draw, Loss, Win};
        for (first, second, class) in [
            (Loss, Loss, 0),
            (Loss, Draw, 1),
            (Draw, Draw, 2),
            (Win, Loss, 2),
            (Draw, Win, 3),
            (Win, Win, 4),
        ] {
            for (first, second) in [(first, second), (second, first)] {
                let mut pairs = Pairs::default();
                pairs.add(first, second);
                assert_eq!(pairs.0[class], 1, "{first:?} {second:?}");
                assert_eq!(pairs.count(), 1);
            }
        }
    }
}
