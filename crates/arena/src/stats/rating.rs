//! How strong players are, over all their games: Glicko-2, apart for each side.
//!
//! The game is not the same for both sides, so whoever plays both has two ratings, and a game is one of
//! a player's attackers against another's defenders. What makes a rule set easier for one side shows in
//! the ratings of that side.

use std::collections::BTreeMap;

use skillratings::{
    Outcomes,
    glicko2::{Glicko2Config, Glicko2Rating, glicko2},
};
use tablut_rules::{BySide, Side};

/// A game as far as ratings are concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RatedGame<'a> {
    /// Who played.
    pub players: BySide<&'a str>,
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
}

/// How strong a player is with one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating; everyone starts with 1500.
    pub rating: f64,
    /// By how much it may be wrong, in nineteen of twenty cases.
    pub error: f64,
    /// How many games it rests on.
    pub games: u32,
}

/// How strong a player is with one side, or how hard something is, as Glicko-2 has it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Strength {
    /// The rating.
    pub rating: f64,
    /// How uncertain it is: a standard deviation.
    pub deviation: f64,
    /// How much it goes up and down.
    pub volatility: f64,
    /// How many games it rests on.
    pub games: u32,
}

impl Default for Strength {
    fn default() -> Self {
        let new = Glicko2Rating::new();
        Self {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
            games: 0,
        }
    }
}

impl Strength {
    const fn glicko(&self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating,
            deviation: self.deviation,
            volatility: self.volatility,
        }
    }

    const fn next(&self, new: &Glicko2Rating) -> Self {
        Self {
            rating: new.rating,
            deviation: new.deviation,
            volatility: new.volatility,
            games: self.games + 1,
        }
    }

    /// Both after this one has won or lost against another.
    #[must_use]
    pub fn after(self, other: Self, has_won: bool) -> (Self, Self) {
        let outcome = match has_won {
            true => Outcomes::WIN,
            false => Outcomes::LOSS,
        };
        let (own, others) = glicko2(
            &self.glicko(),
            &other.glicko(),
            &outcome,
            &Glicko2Config::new(),
        );
        (self.next(&own), other.next(&others))
    }

    /// What people see of it; nothing before the first game.
    #[must_use]
    pub fn shown(&self) -> Option<Rating> {
        (self.games > 0).then_some(Rating {
            rating: self.rating,
            error: 1.96 * self.deviation,
            games: self.games,
        })
    }
}

/// How strong two players are after a game between them.
#[must_use]
pub fn rate(before: &BySide<Strength>, winner: Option<Side>) -> BySide<Strength> {
    let outcome = match winner {
        Some(Side::Attackers) => Outcomes::WIN,
        Some(Side::Defenders) => Outcomes::LOSS,
        None => Outcomes::DRAW,
    };
    let (attackers, defenders) = glicko2(
        &before.attackers.glicko(),
        &before.defenders.glicko(),
        &outcome,
        &Glicko2Config::new(),
    );
    BySide {
        attackers: before.attackers.next(&attackers),
        defenders: before.defenders.next(&defenders),
    }
}

/// The ratings after some games, in the order in which they ended: by name, and by side.
#[must_use]
pub fn ratings<'a>(
    games: impl IntoIterator<Item = RatedGame<'a>>,
) -> BTreeMap<String, BySide<Option<Rating>>> {
    let mut known: BTreeMap<String, BySide<Strength>> = BTreeMap::new();
    for game in games {
        // Who plays against themselves learns nothing of their strength.
        if game.players.attackers == game.players.defenders {
            continue;
        }
        let before = BySide::from_fn(|side| {
            let known = known.entry(game.players[side].to_string()).or_default();
            known[side]
        });
        for (side, (name, strength)) in game.players.zip(rate(&before, game.winner)) {
            if let Some(known) = known.get_mut(name) {
                known[side] = strength;
            }
        }
    }
    known
        .into_iter()
        .map(|(name, sides)| (name, sides.map(|strength| strength.shown())))
        .collect()
}

/// A share with the interval in which the true one lies in nineteen of twenty cases (Wilson's).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// The share seen, from 0 to 1.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// The share of `count` in `all`; `None` if `all` is 0.
    #[must_use]
    pub fn of(count: u64, all: u64) -> Option<Self> {
        if all == 0 {
            return None;
        }
        let z = 1.96_f64;
        let (n, share) = (all as f64, count as f64 / all as f64);
        let middle = share + z * z / (2.0 * n);
        let reach = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        let scale = 1.0 + z * z / n;
        Some(Self {
            share,
            low: ((middle - reach) / scale).max(0.0),
            high: ((middle + reach) / scale).min(1.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_solves_rises_and_what_was_solved_falls() {
        let (player, puzzle) = (Strength::default(), Strength::default());
        let (up, down) = player.after(puzzle, true);
        assert!(up.rating > 1600.0 && down.rating < 1400.0);
        assert!(up.deviation < player.deviation);
        let (fallen, risen) = player.after(puzzle, false);
        assert!(fallen.rating < 1400.0 && risen.rating > 1600.0);
    }

    fn game<'a>(attackers: &'a str, defenders: &'a str, winner: Option<Side>) -> RatedGame<'a> {
        RatedGame {
            players: BySide {
                attackers,
                defenders,
            },
            winner,
        }
    }

    #[test]
    fn winners_rise_on_the_side_they_won_with() {
        let games = (0..20).map(|_| game("ann", "bob", Some(Side::Attackers)));
        let ratings = ratings(games);
        let (ann, bob) = (ratings["ann"], ratings["bob"]);
        assert!(ann.attackers.unwrap().rating > 1700.0);
        assert!(bob.defenders.unwrap().rating < 1300.0);
        assert_eq!((ann.defenders, bob.attackers), (None, None));
        assert_eq!(ann.attackers.unwrap().games, 20);
    }

    #[test]
    fn more_games_make_smaller_errors_and_draws_keep_equals_equal() {
        let after = |n: usize| {
            let ratings = ratings((0..n).map(|_| game("ann", "bob", None)));
            ratings["ann"].attackers.unwrap()
        };
        assert!(after(50).error < after(5).error);
        assert!((after(50).rating - 1500.0).abs() < 1.0);
    }

    #[test]
    fn games_against_oneself_do_not_count() {
        assert!(ratings([game("ann", "ann", None)]).is_empty());
    }

    #[test]
    fn a_share_has_the_interval_of_wilson() {
        // Checked by hand: 8 of 10.
        let share = Share::of(8, 10).unwrap();
        assert!((share.low - 0.4901).abs() < 1e-3 && (share.high - 0.9433).abs() < 1e-3);
        let none = Share::of(0, 20).unwrap();
        assert!(none.low.abs() < 1e-12 && none.high > 0.1);
        assert_eq!(Share::of(0, 0), None);
    }
}
