//! How many watch each game here.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

type Counts = Arc<Mutex<HashMap<String, usize>>>;

/// Who watches which game, by number.
#[derive(Clone, Default)]
pub(crate) struct Audience {
    counts: Counts,
}

/// Someone who watches a game, until this is dropped.
#[derive(Debug)]
pub(crate) struct Spectating {
    game: String,
    counts: Counts,
}

impl Audience {
    /// Someone comes to watch a game.
    pub(crate) fn enter(&self, game: &str) -> Spectating {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts.entry(game.into()).or_default() += 1;
        Spectating {
            game: game.into(),
            counts: Arc::clone(&self.counts),
        }
    }

    /// How many watch a game.
    pub(crate) fn count(&self, game: &str) -> usize {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.get(game).copied().unwrap_or_default()
    }
}

impl Drop for Spectating {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.game) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.game);
            }
        }
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
        assert!(audience.counts.lock().unwrap().is_empty());
    }
}
