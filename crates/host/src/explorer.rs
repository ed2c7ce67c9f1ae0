//! What was played in a position: by the book, by games that ship, and by the games that are kept here.

use std::sync::Arc;

use tablut_archive::{Ground, Packed, Shipped, Trodden, shipped};
use tablut_engine::Book;
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
            let moves = entry.ranked().into_iter();
            exploration.book = moves
                .map(|(step, score)| BookMove { step, score })
                .collect();
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
