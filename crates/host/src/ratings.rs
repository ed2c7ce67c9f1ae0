//! What all games that are kept say about players and rule sets.

use std::collections::BTreeMap;

use tablut_arena::stats::rating::{self, Rating, Share};
use tablut_rules::BySide;
use tablut_store::{Finished, Store, StoreError};
use tokio::task::spawn_blocking;

/// Who is how strong, and how fair the rule sets are.
#[derive(Clone, PartialEq, Debug)]
pub struct Ratings {
    /// Names with their ratings, the strongest first.
    pub players: Vec<(String, BySide<Option<Rating>>)>,
    /// Rule sets by id.
    pub sets: Vec<Balance>,
    /// How many games were decided without play, and count for nothing.
    pub left_out: u64,
}

/// A game that ends away from the board (by time, a crash, an illegal move, a resignation) before so
/// many plies was decided without play: it says nothing of strength, nor of a rule set.
const PLAY: u64 = 10;

fn is_played(game: &Finished) -> bool {
    game.outcome.reason.is_on_board() || game.plies >= PLAY
}

/// How games under a rule set end.
#[derive(Clone, PartialEq, Debug)]
pub struct Balance {
    /// The id of the rule set.
    pub rules: String,
    /// How many games there are.
    pub games: u64,
    /// The share of games that each side wins.
    pub wins: BySide<Share>,
    /// The share of draws.
    pub draws: Share,
}

impl Ratings {
    /// Reads all games of a store. Those that were played elsewhere and imported count for nothing: whoever
    /// brings a file could make anybody strong.
    ///
    /// # Errors
    /// The store failed.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let mut games = store.finished_games().await?;
        games.retain(|game| !game.is_imported);
        // With many games this takes a while, and no task waits for this thread meanwhile.
        let ratings = spawn_blocking(move || Self::new(&games)).await;
        ratings.map_err(|_| StoreError::corrupt("result", "one that cannot be rated"))
    }

    fn new(games: &[Finished]) -> Self {
        let played = || games.iter().filter(|game| is_played(game));
        let rated = played().filter_map(|game| {
            let players = game.players.as_ref().map(Option::as_deref);
            Some(rating::RatedGame {
                players: players.transpose()?,
                winner: game.outcome.winner,
            })
        });
        let mut players: Vec<_> = rating::ratings(rated).into_iter().collect();
        let strength = |sides: &BySide<Option<Rating>>| {
            let known = sides.values().flatten();
            let (sum, count) = known.fold((0.0, 0.0), |(sum, count), one| {
                (sum + one.rating, count + 1.0)
            });
            sum / f64::max(count, 1.0)
        };
        players.sort_by(|a, b| strength(&b.1).total_cmp(&strength(&a.1)));
        let mut counts: BTreeMap<&str, (BySide<u64>, u64)> = BTreeMap::new();
        for game in played() {
            let (wins, draws) = counts.entry(&game.rules).or_default();
            match game.outcome.winner {
                Some(side) => wins[side] += 1,
                None => *draws += 1,
            }
        }
        let balance = |(rules, (wins, draws)): (&str, (BySide<u64>, u64))| {
            let games = wins.values().sum::<u64>() + draws;
            Some(Balance {
                rules: rules.into(),
                games,
                wins: wins.map(|count| Share::of(count, games)).transpose()?,
                draws: Share::of(draws, games)?,
            })
        };
        Self {
            players,
            sets: counts.into_iter().filter_map(balance).collect(),
            left_out: (games.len() - played().count()) as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use tablut_rules::{Outcome, Reason, Side};

    use super::*;

    fn game(reason: Reason, plies: u64) -> Finished {
        Finished {
            game: String::new(),
            rules: "ashton".into(),
            players: BySide {
                attackers: Some("ann".into()),
                defenders: Some("bob".into()),
            },
            outcome: Outcome::win(Side::Attackers, reason),
            plies,
            changed_ms: 0,
            is_imported: false,
        }
    }

    #[test]
    fn games_decided_without_play_count_for_nothing() {
        let games = [
            game(Reason::ConnectionLost, 0),
            game(Reason::TimeOut, 1),
            game(Reason::IllegalMove, PLAY - 1),
            game(Reason::Resignation, 2),
        ];
        let ratings = Ratings::new(&games);
        assert!(ratings.sets.is_empty() && ratings.players.is_empty());
        assert_eq!(ratings.left_out, 4);
    }

    #[test]
    fn games_that_were_played_count_however_they_ended() {
        let games = [
            game(Reason::KingCaptured, 4),
            game(Reason::TimeOut, PLAY),
            game(Reason::ConnectionLost, 40),
            game(Reason::ConnectionLost, 0),
        ];
        let ratings = Ratings::new(&games);
        assert_eq!((ratings.sets[0].games, ratings.left_out), (3, 1));
        assert_eq!(ratings.players.len(), 2);
    }
}
