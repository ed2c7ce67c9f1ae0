//! A match that sleeps while nobody asks about it. A process may show thousands of games, of which most wait for a
//! move: of those only the moves are kept, not the positions that they led to.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
};

use tablut_arena::{DormantMatch, Match};

/// A match, which wakes when it is asked something.
#[derive(Clone, Debug)]
pub struct Sleeper(State);

#[derive(Clone, Debug)]
enum State {
    Awake(Arc<Match>),
    Asleep {
        dormant: Arc<DormantMatch>,
        /// The match, if it was asked something after all.
        woken: OnceLock<Arc<Match>>,
    },
}

impl Sleeper {
    fn awake(&self) -> &Arc<Match> {
        match &self.0 {
            State::Awake(play) => play,
            State::Asleep { dormant, woken } => woken.get_or_init(|| Arc::new(dormant.wake())),
        }
    }

    /// Changes the match. Copies of this stay as they were.
    pub(crate) fn change<T>(&mut self, change: impl FnOnce(&mut Match) -> T) -> T {
        let mut play = Match::clone(self);
        let changed = change(&mut play);
        *self = play.into();
        changed
    }

    /// The same match, asleep.
    pub(crate) fn asleep(&self) -> Self {
        let dormant = match &self.0 {
            State::Awake(play) => Arc::new(play.dormant()),
            State::Asleep { dormant, .. } => Arc::clone(dormant),
        };
        Self(State::Asleep {
            dormant,
            woken: OnceLock::new(),
        })
    }
}

impl From<Match> for Sleeper {
    fn from(play: Match) -> Self {
        Self(State::Awake(Arc::new(play)))
    }
}

impl Deref for Sleeper {
    type Target = Match;

    fn deref(&self) -> &Match {
        self.awake()
    }
}
