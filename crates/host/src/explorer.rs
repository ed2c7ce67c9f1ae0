//! What was played in a position: by the book, by games that ship, and by the games that are kept here.

use std::sync::Arc;

use tablut_archive::{Ground, Packed, Shipped, Trodden, shipped};
use tablut_engine::{Book, BookEntry};
use tablut_rules::{Move, Position, Rules, Setup};
use tablut_store::{Found, Search, StoreError, Viewer};
use tokio::task::spawn_blocking;

use crate::{Host, exchange};

/// Where games come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ExploreSource {
    /// The games that are kept here.
    Store,
    /// A collection that ships.
    Shipped(Shipped),
}

impl ExploreSource {
    /// All of them.
    pub const ALL: [Self; 3] = [
        Self::Store,
        Self::Shipped(Shipped::SelfPlay),
        Self::Shipped(Shipped::Rivals),
    ];

    /// What messages call it.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Shipped(which) => which.id(),
        }
    }

    /// The one with an id.
    #[must_use]
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.id() == id)
    }
}

/// The moves that games of one source made in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceMoves {
    /// Where the games come from.
    pub source: ExploreSource,
    /// The moves as they stand on the board, the most played first.
    pub moves: Vec<Trodden>,
}

/// A move of the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub step: Move,
    /// Its score for the side to move, in hundredths.
    pub score: i32,
}

/// The moves of an entry, the best first. The others were searched for a shorter time: they are as much worse than the
/// best as that search thought.
fn ranked(entry: &BookEntry) -> Vec<BookMove> {
    let top = entry.others.iter().map(|&(_, score)| score).max();
    let less = |score| top.unwrap_or(score) - score;
    let others = entry.others.iter().filter(|(step, _)| *step != entry.step);
    let others = others.map(|&(step, score)| (step, entry.score - less(score)));
    let mut moves: Vec<BookMove> = std::iter::once((entry.step, entry.score))
        .chain(others)
        .map(|(step, score)| BookMove { step, score })
        .collect();
    moves[1..].sort_by_key(|one| -one.score);
    moves
}

/// What is known of the moves in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exploration {
    /// The moves of the book, the best first.
    pub book: Vec<BookMove>,
    /// How deep the book was searched.
    pub depth: u32,
    /// What games did.
    pub sources: Vec<SourceMoves>,
}

/// Why a position cannot be explored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// The moves cannot be played from there.
    #[error(transparent)]
    Line(#[from] exchange::ExchangeError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Host {
    /// What was played after moves from a set-up.
    ///
    /// # Errors
    /// The moves cannot be played, or the store failed.
    pub async fn explore(
        &self,
        rules: &Arc<Rules>,
        setup: &Setup,
        moves: &[Move],
    ) -> Result<Exploration, ExploreError> {
        let game = exchange::play(rules, setup, moves)?;
        let position = *game.position();
        let mut exploration = Exploration {
            book: Vec::new(),
            depth: 0,
            sources: Vec::new(),
        };
        if game.outcome().is_some() {
            return Ok(exploration);
        }
        if let Some(entry) = Book::built_in(rules).and_then(|book| book.get(&position)) {
            exploration.depth = entry.depth;
            exploration.book = ranked(&entry);
        }
        for source in ExploreSource::ALL {
            let moves = self.moves_of(source, rules, &position).await?;
            if !moves.is_empty() {
                exploration.sources.push(SourceMoves { source, moves });
            }
        }
        Ok(exploration)
    }

    async fn moves_of(
        &self,
        source: ExploreSource,
        rules: &Arc<Rules>,
        position: &Position,
    ) -> Result<Vec<Trodden>, StoreError> {
        let which = match source {
            ExploreSource::Shipped(which) => which,
            ExploreSource::Store => {
                let Some(ground) = Ground::named(rules.set().id()) else {
                    return Ok(Vec::new());
                };
                let place = ground.tracker.place(position);
                let mut moves = self.store().explored(place, position.side()).await?;
                moves.retain_mut(|one| {
                    one.step = ground.tracker.unfold(position, one.step);
                    // Two places with one number would be a wonder; what they said would be nonsense.
                    rules.is_legal(position, one.step)
                });
                return Ok(moves);
            }
        };
        let (id, position) = (rules.set().id().to_string(), *position);
        // The first who asks waits until the games are read; others do not wait for them.
        let moves = spawn_blocking(move || {
            let archive = shipped(which);
            match archive.rules().set().id() == id {
                true => archive.moves_in(&position),
                false => Vec::new(),
            }
        });
        Ok(moves.await.unwrap_or_default())
    }

    /// The games that are kept here and came to a position, and if one is named made a move there.
    ///
    /// # Errors
    /// The store failed.
    pub async fn games_at(
        &self,
        viewer: &Viewer,
        position: &Position,
        rules: &Rules,
        step: Option<Move>,
        most: u32,
    ) -> Result<Found, StoreError> {
        let Some(ground) = Ground::named(rules.set().id()) else {
            return Ok(Found {
                entries: Vec::new(),
                next: None,
            });
        };
        let search = Search {
            place: Some(ground.tracker.place(position)),
            step: step.map(|step| ground.tracker.footprint(position, step).step),
            ..Search::default()
        };
        self.store().search(viewer, &search, None, most).await
    }

    /// The games of a collection that came to a position, and if one is named made a move there; each with its
    /// number.
    pub async fn shipped_games_at(
        &self,
        which: Shipped,
        position: &Position,
        rules: &Rules,
        step: Option<Move>,
        most: usize,
    ) -> Vec<(usize, Packed)> {
        let (id, position) = (rules.set().id().to_string(), *position);
        let found = spawn_blocking(move || {
            let archive = shipped(which);
            if archive.rules().set().id() != id {
                return Vec::new();
            }
            let games = archive.games_at(&position, step, most).into_iter();
            games
                .filter_map(|number| Some((number, archive.game(number)?)))
                .collect()
        });
        found.await.unwrap_or_default()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[test]
    fn no_move_of_the_book_stands_twice_or_above_the_best() {
        let entry = BookEntry {
            step: "c5c4".parse().unwrap(),
            score: -883,
            depth: 17,
            nodes: 20_000_000,
            others: ["d5d4 -871", "c5c4 -878", "e3h3 -869"]
                .map(|other| {
                    let (step, score) = other.split_once(' ').unwrap();
                    (step.parse().unwrap(), score.parse().unwrap())
                })
                .to_vec(),
        };
        let moves = ranked(&entry);
        let told = moves
            .iter()
            .map(|one| format!("{} {}", one.step, one.score));
        let told: Vec<String> = told.collect();
        assert_eq!(told, ["c5c4 -883", "e3h3 -883", "d5d4 -885"]);
    }
}
