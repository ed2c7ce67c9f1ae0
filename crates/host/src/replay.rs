//! Games of the store, played again to see what is on their boards.

use tablut_rules::{Game, Setup};
use tablut_store::StoreError;

use crate::{Host, exchange};

impl Host {
    /// What was played in games of the store, with one question for all their moves; nothing for a game that
    /// cannot be shown.
    ///
    /// # Errors
    /// The store failed.
    pub async fn replay(
        &self,
        games: &[&tablut_store::Game],
    ) -> Result<Vec<Option<Game>>, StoreError> {
        let ids: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
        let steps = self.store().steps_of(&ids).await?;
        let played = |game: &&tablut_store::Game| {
            let rules = self.rules(&game.rules)?;
            let start = game.setup.unwrap_or_else(|| Setup::from(&rules.start()));
            exchange::play(rules, &start, steps.get(&game.id)?).ok()
        };
        Ok(games.iter().map(played).collect())
    }
}
