//! What was played in a position, and what is worth watching.

use std::sync::Arc;

use tablut_archive::{Packed, Trodden};
use tablut_host::{ExploreError, ExploreSource, exchange, speech};
use tablut_rules::{BySide, Rules, Setup, Side};
use tablut_store::{SeatPlayer, TopPlayer};

use super::{Answered, Visit};
use crate::message::{
    Answer, ExploredInfo, ExploredMove, ExploredSource, FoundGame, LiveGameInfo, PlayerInfo,
    PositionInfo, Problem, SeatInfo, TopListInfo, TopPlayerInfo, WatchInfo,
};

/// How many games behind a move are shown.
const GAMES: u32 = 20;

fn explored(one: &Trodden) -> ExploredMove {
    ExploredMove {
        step: one.step.to_string(),
        white: one.tally.wins.defenders,
        black: one.tally.wins.attackers,
        draws: one.tally.draws,
        rating: one.tally.mean_rating(),
    }
}

impl Visit {
    pub(super) async fn explore(&self, place: &PositionInfo, moves: &[String]) -> Answered {
        let (rules, setup, moves) = self.line(place, moves)?;
        let mover = match moves.len() % 2 {
            0 => setup.side(),
            _ => setup.side().opponent(),
        };
        let found = self.host.explore(rules, &setup, &moves).await;
        let found = found.map_err(|error| self.unexplored(&error))?;
        let for_white = |score: i32| match mover {
            Side::Defenders => score,
            Side::Attackers => -score,
        };
        let book = found
            .book
            .iter()
            .map(|one| (one.step.to_string(), for_white(one.score)));
        let source = |one: &tablut_host::SourceMoves| ExploredSource {
            id: one.source.id().into(),
            moves: one.moves.iter().map(explored).collect(),
        };
        Ok(Answer::Explored(ExploredInfo {
            book: book.collect(),
            depth: found.depth,
            sources: found.sources.iter().map(source).collect(),
        }))
    }

    fn unexplored(&self, error: &ExploreError) -> Problem {
        match error {
            ExploreError::Line(error) => speech::exchange(self.lang, error).into(),
            ExploreError::Store(error) => speech::store(self.lang, error).into(),
            _ => speech::plain(&error.to_string()).into(),
        }
    }

    /// Games behind a move, or behind a position.
    pub(super) async fn explore_games(
        &self,
        place: &PositionInfo,
        moves: &[String],
        step: Option<&str>,
        source: &str,
    ) -> Answered {
        let (rules, setup, moves) = self.line(place, moves)?;
        let game = exchange::play(rules, &setup, &moves);
        let game = game.map_err(|error| speech::exchange(self.lang, &error))?;
        let position = game.position();
        let step = match step {
            Some(step) => Some(self.step(step)?),
            None => None,
        };
        match ExploreSource::of(source) {
            Some(ExploreSource::Shipped(which)) => {
                let host = &self.host;
                let games = host
                    .shipped_games_at(which, position, rules, step, GAMES as usize)
                    .await;
                let games = games.iter().map(|(_, game)| self.packed(rules, game));
                Ok(Answer::Found {
                    games: games.collect(),
                    next: None,
                })
            }
            _ => {
                let viewer = self.viewer();
                let found = self
                    .host
                    .games_at(&viewer, position, rules, step, GAMES)
                    .await;
                let mut found = self.kept(found)?;
                found.next = None;
                self.found_games(&found).await
            }
        }
    }

    /// A game that ships.
    fn packed(&self, rules: &Arc<Rules>, game: &Packed) -> FoundGame {
        let mut position = rules.start();
        for &step in &game.moves {
            if let Ok(applied) = rules.apply(&position, step) {
                position = applied.position;
            }
        }
        FoundGame {
            number: String::new(),
            game: String::new(),
            rules: rules.set().id().into(),
            players: game.players.as_ref().map(|name| PlayerInfo {
                name: name.clone(),
                rating: None,
            }),
            outcome: self.outcome(game.outcome),
            plies: game.moves.len() as u64,
            ended_ms: None,
            last: Setup::from(&position).to_string(),
            moves: game.moves.iter().map(ToString::to_string).collect(),
            tags: Vec::new(),
        }
    }

    pub(super) async fn watch(&self) -> Answered {
        let spotlight = self.kept(self.host.spotlight(&self.viewer()).await)?;
        let live = spotlight.live.iter().map(|one| LiveGameInfo {
            game: one.game.id.clone(),
            rules: one.game.rules.clone(),
            seats: BySide::from_fn(|side| {
                let seat = &one.game.seats[side];
                SeatInfo {
                    player: seat.player.to_string(),
                    name: seat.name.clone(),
                    taken: seat.holder.is_some() || seat.player != SeatPlayer::Person,
                    present: true,
                    men: one.setup.of_side(side).len(),
                    left: seat.left_ms,
                }
            }),
            ratings: one.ratings,
            setup: one.setup.to_string(),
            last: one.last.map(|step| step.to_string()),
            plies: one.game.plies,
            spectators: one.spectators,
        });
        let top = |one: &TopPlayer| TopPlayerInfo {
            name: one.name.clone(),
            rating: one.strength.rating.max(0.0).round() as u64,
            error: (1.96 * one.strength.deviation).round() as u64,
            games: one.strength.games,
        };
        let tops = spotlight.tops.iter().map(|list| TopListInfo {
            rules: list.rules.clone(),
            players: list
                .players
                .as_ref()
                .map(|players| players.iter().map(top).collect()),
        });
        let recent = spotlight.recent.iter().map(|entry| self.found_game(entry));
        Ok(Answer::Watch(WatchInfo {
            live: live.collect(),
            recent: recent.collect(),
            tops: tops.collect(),
        }))
    }
}
