//! What is worth watching: games that are being played, games that have just ended, and who plays best.

use tablut_rules::{BySide, Move, Setup, Side};
use tablut_store::{Entry, Game, Search, SeatPlayer, StoreError, TopPlayer, Viewer};

use crate::{Host, host::wall_clock_ms, replica::Replica};

/// A game counts as live for so long after something happened in it, in milliseconds.
const LIVE_MS: i64 = 15 * 60 * 1000;

/// How many live games and how many finished ones are shown.
const LIVE: u32 = 24;
const RECENT: u32 = 12;

/// How many players are shown for each side, and how many games they need.
const TOP: u32 = 5;
const TOP_GAMES: u32 = 5;

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct LiveGame {
    /// The game.
    pub game: Game,
    /// What is on the board.
    pub setup: Setup,
    /// The last move.
    pub last: Option<Move>,
    /// How many watch it, at all processes.
    pub spectators: u64,
    /// How strong the players are.
    pub ratings: BySide<Option<u64>>,
}

/// The best players of a rule set.
#[derive(Clone, PartialEq, Debug)]
pub struct TopList {
    /// The id of the rule set.
    pub rules: String,
    /// The best first.
    pub players: BySide<Vec<TopPlayer>>,
}

/// What is worth watching now.
#[derive(Clone, Debug)]
pub struct Spotlight {
    /// Games that are being played, the best first.
    pub live: Vec<LiveGame>,
    /// Games that have just ended.
    pub recent: Vec<Entry>,
    /// Who plays best, by rule set.
    pub tops: Vec<TopList>,
}

impl Spotlight {
    pub(crate) async fn load(
        host: &Host,
        viewer: &Viewer,
        replica: &Replica,
    ) -> Result<Self, StoreError> {
        let store = host.store();
        let games = store
            .live_games(viewer, wall_clock_ms() - LIVE_MS, LIVE)
            .await?;
        let played = host.replay(&games.iter().collect::<Vec<_>>()).await?;
        let ids: Vec<&str> = games.iter().map(|game| &*game.id).collect();
        // Whoever asks here is perhaps asked there.
        replica.audience().tell(store, &replica.id()).await;
        let elsewhere = store.spectators_elsewhere(&replica.id(), &ids).await?;
        let mut live = Vec::new();
        for (game, played) in games.into_iter().zip(played) {
            let Some(played) = played else {
                continue;
            };
            live.push(LiveGame {
                setup: Setup::from(played.position()),
                last: played.plies().last().map(|ply| ply.step),
                spectators: replica.audience().count(&game.id)
                    + elsewhere.get(&game.id).copied().unwrap_or_default(),
                ratings: ratings(host, &game).await?,
                game,
            });
        }
        // Players first who are known to be strong, then what most people watch, then what moved last.
        live.sort_by_key(|one| {
            std::cmp::Reverse((strength(one), one.spectators, one.game.changed_ms))
        });
        let recent = store
            .search(viewer, &Search::default(), None, RECENT)
            .await?;
        let mut tops = Vec::new();
        for rules in host.rule_sets() {
            let rules = rules.set().id();
            let mut players = BySide::both(Vec::new());
            for side in Side::ALL {
                players[side] = store.top_players(rules, side, TOP_GAMES, TOP).await?;
            }
            if players.values().any(|list| !list.is_empty()) {
                tops.push(TopList {
                    rules: rules.into(),
                    players,
                });
            }
        }
        Ok(Self {
            live,
            recent: recent.entries,
            tops,
        })
    }
}

/// The ratings of both players together; who has none counts as a beginner.
fn strength(live: &LiveGame) -> u64 {
    live.ratings
        .values()
        .map(|rating| rating.unwrap_or(0))
        .sum()
}

/// How strong the players of a game are, as far as they are known.
async fn ratings(host: &Host, game: &Game) -> Result<BySide<Option<u64>>, StoreError> {
    let mut ratings = BySide::both(None);
    for (side, seat) in &game.seats {
        let name = match (&seat.name, &seat.player) {
            (Some(name), _) => name.clone(),
            (None, SeatPlayer::Person) => continue,
            (None, player) => player.to_string(),
        };
        ratings[side] = host.store().rating_of(&game.rules, &name, side).await?;
    }
    Ok(ratings)
}
