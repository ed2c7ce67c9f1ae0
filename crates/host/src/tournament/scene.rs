//! A tournament at a moment, for those who look at it.

use std::sync::Arc;

use tablut_rules::{Game, Move, Setup};
use tablut_store::{Fixture, State, Store};

use super::{Contest, ContestError, Group, end_ms};
use crate::host::wall_clock_ms;

/// How many boards are shown at most.
const BOARDS: usize = 24;

/// A tournament as it stands.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The tournament.
    pub contest: Contest,
    /// Whether games begin.
    pub state: State,
    /// Its fixtures.
    pub fixtures: Vec<Fixture>,
    /// Its tables.
    pub groups: Vec<Group>,
    /// The games that are being played.
    pub boards: Vec<LiveBoard>,
    /// When it will be over, if games go on as they did.
    pub ends_ms: Option<i64>,
}

/// A game that is being played somewhere.
#[derive(Clone, Debug)]
pub struct LiveBoard {
    /// The number of its fixture.
    pub fixture: usize,
    /// The id of the game.
    pub game: String,
    /// The position.
    pub setup: Setup,
    /// The last move.
    pub last: Option<Move>,
    /// Plies played.
    pub plies: usize,
    /// What the side to move has left, in milliseconds.
    pub left_ms: u64,
}

impl Scene {
    /// Reads a tournament.
    ///
    /// # Errors
    /// The store failed or has none.
    pub async fn load(store: &Store, id: &str) -> Result<Self, ContestError> {
        let kept = store.tournament(id).await?;
        let contest = Contest::new(&kept)?;
        let fixtures = store.fixtures(id).await?;
        let mut boards = Vec::new();
        let live = fixtures.iter().filter(|one| one.is_claimed);
        for fixture in live.take(BOARDS) {
            if let Some(board) = board(store, &contest, fixture).await {
                boards.push(board);
            }
        }
        Ok(Self {
            groups: contest.groups(&fixtures),
            ends_ms: end_ms(&contest, &fixtures, wall_clock_ms()),
            state: kept.state,
            contest,
            fixtures,
            boards,
        })
    }
}

/// The board of a fixture; nothing if its game is gone meanwhile.
async fn board(store: &Store, contest: &Contest, fixture: &Fixture) -> Option<LiveBoard> {
    let id = fixture.game.as_ref()?;
    let kept = store.game(id).await.ok()?;
    let moves = store.moves(id).await.ok()?;
    let mut game = Game::new(Arc::clone(&contest.rules));
    for one in &moves {
        game.play(one.step).ok()?;
    }
    let spent = u64::try_from(wall_clock_ms() - kept.changed_ms).unwrap_or(0);
    Some(LiveBoard {
        fixture: fixture.number,
        game: id.clone(),
        setup: Setup::from(game.position()),
        last: moves.last().map(|one| one.step),
        plies: moves.len(),
        left_ms: contest.plan.move_ms.saturating_sub(spent),
    })
}
