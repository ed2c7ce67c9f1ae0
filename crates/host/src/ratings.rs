//! What all games that are kept say about players and rule sets.

use std::collections::BTreeMap;

use tablut_arena::stats::rating::{self, Rating, Share};
use tablut_rules::Side;
use tablut_store::{Finished, Store, StoreError};
use tokio::task::spawn_blocking;

/// Who is how strong, and how fair the rule sets are.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Names with ratings by [`Side::index`], the strongest first.
    pub players: Vec<(String, [Option<Rating>; 2])>,
    /// Rule sets by id.
    pub sets: Vec<Balance>,
}

/// How games under a rule set end.
#[derive(Clone, PartialEq, Debug)]
pub struct Balance {
    /// The id of the rule set.
    pub rules: String,
    /// How many games there are.
    pub games: u64,
    /// The share of white wins, black wins and draws.
    pub shares: [Share; 3],
}

impl Ratings {
    /// Reads all games of a store.
    ///
    /// # Errors
    /// The store failed.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let games = store.finished_games().await?;
        // With many games this takes a while, and no task waits for this thread meanwhile.
        let ratings = spawn_blocking(move || Self::new(&games)).await;
        ratings.map_err(|_| StoreError::corrupt("result", "one that cannot be rated"))
    }

    fn new(games: &[Finished]) -> Self {
        let rated = games.iter().filter_map(|game| {
            let [attackers, defenders] = &game.players;
            Some(rating::Result {
                players: [attackers.as_deref()?, defenders.as_deref()?],
                winner: game.outcome.winner,
            })
        });
        let mut players: Vec<_> = rating::ratings(rated).into_iter().collect();
        let strength = |sides: &[Option<Rating>; 2]| {
            let known = sides.iter().flatten();
            let (sum, count) = known.fold((0.0, 0.0), |(sum, count), one| {
                (sum + one.rating, count + 1.0)
            });
            sum / f64::max(count, 1.0)
        };
        players.sort_by(|a, b| strength(&b.1).total_cmp(&strength(&a.1)));
        let mut counts: BTreeMap<&str, [u64; 3]> = BTreeMap::new();
        for game in games {
            let place = match game.outcome.winner {
                Some(Side::Defenders) => 0,
                Some(Side::Attackers) => 1,
                None => 2,
            };
            counts.entry(&game.rules).or_default()[place] += 1;
        }
        let balance = |(rules, counts): (&str, [u64; 3])| {
            let games = counts.iter().sum();
            let [white, black, draw] = counts.map(|count| Share::of(count, games));
            Some(Balance {
                rules: rules.into(),
                games,
                shares: [white?, black?, draw?],
            })
        };
        Self {
            players,
            sets: counts.into_iter().filter_map(balance).collect(),
        }
    }
}
