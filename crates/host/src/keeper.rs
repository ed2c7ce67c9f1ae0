//! A game that this process referees for others, kept move by move so that people can watch it.

use tablut_arena::Match;
use tablut_rules::Side;
use tablut_store::{Game, GameOwner, Seat, SeatPlayer, Store, StoreError};

use crate::{fresh_id, host::wall_clock_ms, progress::progress};

/// Keeps a game as it goes on.
#[derive(Debug)]
pub struct Keeper {
    store: Store,
    game: Game,
    kept: usize,
}

impl Keeper {
    /// Keeps a game that has begun, between players with these names, by [`Side::index`].
    ///
    /// # Errors
    /// The database failed.
    pub async fn begin(
        store: Store,
        names: [String; 2],
        contest: &Match,
    ) -> Result<Self, StoreError> {
        let control = contest.clock(Side::Defenders).control();
        let now = wall_clock_ms();
        let [attackers, defenders] = names;
        let seat = |name: String, side: Side| Seat {
            player: SeatPlayer::Remote,
            secret: fresh_id(),
            holder: None,
            name: Some(name),
            left_ms: contest.clock(side).left_ms(),
        };
        let game = Game {
            id: fresh_id(),
            owner: GameOwner::Referee,
            rules: contest.game().rules().set().id().into(),
            setup: None,
            control,
            take_backs: false,
            seats: [
                seat(attackers, Side::Attackers),
                seat(defenders, Side::Defenders),
            ],
            plies: 0,
            outcome: None,
            rematch: None,
            created_ms: now,
            changed_ms: now,
        };
        store.create_game(&game).await?;
        Ok(Self {
            store,
            game,
            kept: 0,
        })
    }

    /// Keeps what is new. After a failure, the next call keeps what is missing too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep(&mut self, contest: &Match) -> Result<(), StoreError> {
        match self.advance(contest).await {
            // Something was kept although nobody said so.
            Err(StoreError::Stale) => {
                self.kept = self.store.game(&self.game.id).await?.plies;
                self.advance(contest).await?;
            }
            done => done?,
        }
        self.kept = contest.game().plies().len();
        Ok(())
    }

    async fn advance(&self, contest: &Match) -> Result<(), StoreError> {
        let news = progress(contest, self.kept, self.kept);
        let id = &self.game.id;
        self.store.advance(id, &news, wall_clock_ms()).await
    }
}
