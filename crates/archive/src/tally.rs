//! What came of moves.

use tablut_rules::{BySide, Move, Side};

/// How the games went in which a move was played.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// Games that each side won.
    pub wins: BySide<u64>,
    /// Games that nobody won.
    pub draws: u64,
    /// How many of the games have a rating for the one who moved.
    pub rated: u64,
    /// The sum of those ratings.
    pub ratings: u64,
}

impl Tally {
    /// One game, with the rating of whoever moved.
    #[must_use]
    pub fn of(winner: Option<Side>, rating: Option<u64>) -> Self {
        let mut tally = Self::default();
        match winner {
            Some(side) => tally.wins[side] = 1,
            None => tally.draws = 1,
        }
        tally.rated = u64::from(rating.is_some());
        tally.ratings = rating.unwrap_or_default();
        tally
    }

    /// How many games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins.attackers + self.wins.defenders + self.draws
    }

    /// The mean rating of those who moved, if any of them has one.
    #[must_use]
    pub const fn mean_rating(&self) -> Option<u64> {
        self.ratings.checked_div(self.rated)
    }

    /// Adds other games.
    pub fn add(&mut self, other: &Self) {
        for side in Side::ALL {
            self.wins[side] += other.wins[side];
        }
        self.draws += other.draws;
        self.rated += other.rated;
        self.ratings += other.ratings;
    }
}

/// A move that was played in a position, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trodden {
    /// The move: folded, or as it stands in the position that was asked about.
    pub step: Move,
    /// What came of it.
    pub tally: Tally,
}

impl Trodden {
    /// Adds a game in which a move was played to those that are counted.
    pub fn count(list: &mut Vec<Self>, step: Move, tally: &Tally) {
        match list.iter_mut().find(|one| one.step == step) {
            Some(one) => one.tally.add(tally),
            None => list.push(Self {
                step,
                tally: *tally,
            }),
        }
    }

    /// The most played first; of equals, one order for all.
    pub fn sort(list: &mut [Self]) {
        list.sort_by_key(|one| (std::cmp::Reverse(one.tally.games()), one.step.bits()));
    }
}
