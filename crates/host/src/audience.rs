//! How many watch each game here, and what other processes are told of it.

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tablut_store::Store;

/// Who watches which game, by number.
#[derive(Clone, Default)]
pub(crate) struct Audience {
    shared: Arc<Mutex<Counts>>,
}

#[derive(Default)]
struct Counts {
    by_game: HashMap<Arc<str>, u64>,
    /// The games of which others have not been told how many watch now.
    untold: HashSet<Arc<str>>,
}

/// Someone who watches a game, until this is dropped.
pub(crate) struct Spectating {
    game: Arc<str>,
    audience: Audience,
}

impl Audience {
    fn counts(&self) -> MutexGuard<'_, Counts> {
        // It is whole between any two statements.
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Someone comes to watch a game.
    pub(crate) fn enter(&self, game: &str) -> Spectating {
        let mut counts = self.counts();
        let known = counts.by_game.get_key_value(game);
        let game: Arc<str> = known.map_or_else(|| game.into(), |(game, _)| Arc::clone(game));
        *counts.by_game.entry(Arc::clone(&game)).or_default() += 1;
        counts.untold.insert(Arc::clone(&game));
        Spectating {
            game,
            audience: self.clone(),
        }
    }

    /// How many watch a game here.
    pub(crate) fn count(&self, game: &str) -> u64 {
        self.counts().by_game.get(game).copied().unwrap_or_default()
    }

    /// Tells other processes what they have not been told yet; if that fails, with the next heartbeat.
    pub(crate) async fn tell(&self, store: &Store, process: &str) {
        let news = self.news();
        if !news.is_empty() && store.note_spectators(process, &news).await.is_err() {
            self.untold(news.into_iter().map(|(game, _)| game));
        }
    }

    /// What others have not been told yet: games, and how many watch each now. It counts as told.
    fn news(&self) -> Vec<(Arc<str>, u64)> {
        let mut counts = self.counts();
        let untold = mem::take(&mut counts.untold);
        let now = |game: Arc<str>| {
            let count = counts.by_game.get(&game).copied().unwrap_or_default();
            (game, count)
        };
        untold.into_iter().map(now).collect()
    }

    /// Others were not told of these after all.
    fn untold(&self, games: impl IntoIterator<Item = Arc<str>>) {
        self.counts().untold.extend(games);
    }

    /// Others have forgotten what they were told.
    pub(crate) fn forgotten(&self) {
        let mut counts = self.counts();
        let games: Vec<Arc<str>> = counts.by_game.keys().cloned().collect();
        counts.untold.extend(games);
    }
}

impl std::fmt::Debug for Spectating {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Spectating").field(&self.game).finish()
    }
}

impl Drop for Spectating {
    fn drop(&mut self) {
        let mut counts = self.audience.counts();
        if let Some(count) = counts.by_game.get_mut(&self.game) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.by_game.remove(&self.game);
            }
        }
        counts.untold.insert(Arc::clone(&self.game));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_leaves_is_not_counted_any_more() {
        let audience = Audience::default();
        let one = audience.enter("a");
        let two = audience.enter("a");
        assert_eq!((audience.count("a"), audience.count("b")), (2, 0));
        drop(one);
        assert_eq!(audience.count("a"), 1);
        drop(two);
        assert_eq!(audience.count("a"), 0);
        assert!(audience.counts().by_game.is_empty());
    }

    #[test]
    fn others_are_told_what_has_changed_and_all_if_they_have_forgotten_it() {
        let audience = Audience::default();
        let _one = audience.enter("a");
        let two = audience.enter("b");
        let mut news = audience.news();
        news.sort();
        assert_eq!(news, [("a".into(), 1), ("b".into(), 1)]);
        assert_eq!(audience.news(), []);
        drop(two);
        let news = audience.news();
        assert_eq!(news, [("b".into(), 0)]);
        audience.untold(news.into_iter().map(|(game, _)| game));
        assert_eq!(audience.news(), [("b".into(), 0)]);
        audience.forgotten();
        assert_eq!(audience.news(), [("a".into(), 1)]);
    }
}
