//! A game that this process referees for others, kept move by move so that people can watch it.

use tablut_arena::Match;
use tablut_rules::{BySide, Side};
use tablut_store::{Game, GameOwner, Seat, SeatPlayer, Store, StoreError};

use crate::{fresh_id, host::wall_clock_ms, progress::progress};

/// Keeps a game as it goes on.
#[derive(Debug)]
pub struct Keeper {
    store: Store,
    game: Game,
    /// Whether the game itself is known to be kept.
    is_made: bool,
    kept: usize,
}

impl Keeper {
    /// Keeps a game between players with these names from the first
    /// [`keep`](Self::keep) on. Its id is fixed from here on: however often that fails, there is one game.
    #[must_use]
    pub fn new(store: Store, names: BySide<String>, contest: &Match) -> Self {
        let control = contest.clock(Side::Defenders).control();
        let seat = |side: Side| Seat {
            player: SeatPlayer::Remote,
            secret: fresh_id(),
            holder: None,
            name: Some(names[side].clone()),
            left_ms: contest.clock(side).left_ms(),
        };
        let game = Game::new(
            fresh_id(),
            GameOwner::Referee,
            contest.game().rules().set().id(),
            control,
            BySide::from_fn(seat),
            wall_clock_ms(),
        );
        Self {
            store,
            game,
            is_made: false,
            kept: 0,
        }
    }

    /// Keeps what is new. After a failure, the next call keeps what is missing too.
    ///
    /// # Errors
    /// The database failed.
    pub async fn keep(&mut self, contest: &Match) -> Result<(), StoreError> {
        if !self.is_made {
            self.make().await?;
            self.is_made = true;
        }
        if contest.game().plies().is_empty() && contest.outcome().is_none() {
            return Ok(());
        }
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

    /// Keeps the game itself.
    async fn make(&self) -> Result<(), StoreError> {
        let Err(error) = self.store.create_game(&self.game).await else {
            return Ok(());
        };
        // It may have been kept by an earlier try, although the store did not say so.
        match self.store.game(&self.game.id).await {
            Ok(_) => Ok(()),
            Err(_) => Err(error),
        }
    }

    async fn advance(&self, contest: &Match) -> Result<(), StoreError> {
        let news = progress(contest, self.kept, self.kept);
        let id = &self.game.id;
        self.store
            .advance(id, &news, wall_clock_ms())
            .await
            .map(drop)
    }
}

#[cfg(test)]
mod tests {
    use tablut_arena::{Conduct, Gone, IllegalMoves, Said, TimeControl};
    use tablut_rules::Rules;
    use tablut_store::{Kept, Location};

    use super::*;

    #[tokio::test]
    async fn a_game_that_was_kept_without_a_word_is_not_kept_twice() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let conduct = Conduct {
            illegal: IllegalMoves::Lose,
            gone: Gone::Loses,
            max_plies: None,
        };
        let start = tablut_rules::Game::new(Rules::ashton());
        let mut contest = Match::new(start, BySide::both(TimeControl::Unlimited), conduct);
        for side in Side::ALL {
            contest.tell(0, Said::Seated(side));
        }
        let names = BySide {
            attackers: "One".to_string(),
            defenders: "Two".to_string(),
        };
        let mut keeper = Keeper::new(store.clone(), names, &contest);
        // The first try reached the store, and its answer was lost.
        store.create_game(&keeper.game).await.unwrap();
        keeper.keep(&contest).await.unwrap();
        let said = Said::Move {
            side: Side::Defenders,
            step: "e4f4".parse().unwrap(),
            score: None,
        };
        contest.tell(1, said);
        keeper.keep(&contest).await.unwrap();
        assert_eq!(store.count_kept(Kept::Games).await.unwrap(), 1);
        assert_eq!(store.game(&keeper.game.id).await.unwrap().plies, 1);
    }
}
