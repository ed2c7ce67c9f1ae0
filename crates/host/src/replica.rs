//! This process among those that serve the same store: it says that it lives, buries those that are dead,
//! and hears what the others have changed.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tablut_store::{Store, StoreError, StoreNotice};
use tokio::{
    sync::{OnceCell, broadcast::error::RecvError},
    task::AbortHandle,
    time::{Instant, MissedTickBehavior, interval},
};

use crate::{fresh_id, host::Sessions, session::SessionCommand};

/// How many games are asked about at once.
const BATCH: usize = 200;

/// This process, as the store names it.
pub(crate) struct Replica {
    id: Arc<str>,
    /// What goes on in the background from the first game on.
    task: OnceCell<AbortHandle>,
}

impl Replica {
    pub(crate) fn new() -> Self {
        Self {
            id: fresh_id().into(),
            task: OnceCell::new(),
        }
    }

    pub(crate) fn id(&self) -> Arc<str> {
        Arc::clone(&self.id)
    }

    /// Makes this process known, so that somebody notices if it dies.
    pub(crate) async fn appear(
        &self,
        store: &Store,
        sessions: &Arc<Sessions>,
    ) -> Result<(), StoreError> {
        let begin = async || {
            store.beat(&self.id).await?;
            let work = Work {
                id: self.id(),
                store: store.clone(),
                sessions: Arc::downgrade(sessions),
                well_since: None,
            };
            Ok(tokio::spawn(work.run()).abort_handle())
        };
        self.task.get_or_try_init(begin).await.map(drop)
    }

    /// Leaves: the clocks of those who play by this process stand still until they are back by another.
    pub(crate) async fn retire(&self, store: &Store) {
        let Some(task) = self.task.get() else {
            return;
        };
        task.abort();
        // If nobody hears it, others bury this process later.
        let _ = store.bury(&self.id, true).await;
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }
}

/// What goes on in the background.
struct Work {
    id: Arc<str>,
    store: Store,
    sessions: Weak<Sessions>,
    /// Since when all beats were kept: who was cut off itself cannot tell who else is dead.
    well_since: Option<Instant>,
}

impl Work {
    async fn run(mut self) {
        let mut notices = self.store.notices();
        let [mut beat, mut look] = [self.store.beat_every(), self.store.look_every()].map(ticks);
        loop {
            tokio::select! {
                notice = notices.recv() => match notice {
                    Ok(StoreNotice::Game(id, version)) => {
                        let Some(sessions) = self.sessions.upgrade() else { return };
                        sessions.tell(&id, SessionCommand::Look { version, plies: None });
                    }
                    // Who shows a study hears of it elsewhere.
                    Ok(StoreNotice::Study(_)) => {}
                    Ok(StoreNotice::Missed) | Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return,
                },
                _ = beat.tick() => self.beat().await,
                _ = look.tick() => self.look().await,
            }
            if self.sessions.strong_count() == 0 {
                return;
            }
        }
    }

    async fn beat(&mut self) {
        match self.store.beat(&self.id).await {
            Ok(true) => {}
            Ok(false) => {
                // It was taken for dead; whoever is here sits down again.
                tracing::warn!(process = &*self.id, "was taken for dead by another process");
                if let Some(sessions) = self.sessions.upgrade() {
                    sessions.tell_all(|| SessionCommand::Reseat);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the store does not hear that this process is alive");
                self.well_since = None;
                return;
            }
        }
        let well_since = *self.well_since.get_or_insert_with(Instant::now);
        if well_since.elapsed() < self.store.silence() {
            return;
        }
        for dead in self.store.silent_processes().await.unwrap_or_default() {
            tracing::warn!(
                process = dead,
                "has been silent for too long; its players are awaited"
            );
            // Another may do it, or it is done with the next beat.
            let _ = self.store.bury(&dead, false).await;
        }
    }

    /// Looks whether games have changed without a notice.
    async fn look(&self) {
        let Some(sessions) = self.sessions.upgrade() else {
            return;
        };
        for games in sessions.ids().chunks(BATCH) {
            let Ok(found) = self.store.versions(games).await else {
                return;
            };
            let mut missing: Vec<&String> = games.iter().collect();
            for (id, version, plies) in found {
                missing.retain(|&game| *game != id);
                let plies = Some(plies);
                sessions.tell(&id, SessionCommand::Look { version, plies });
            }
            for id in missing {
                let (version, plies) = (u64::MAX, None);
                sessions.tell(id, SessionCommand::Look { version, plies });
            }
        }
    }
}

fn ticks(every: Duration) -> tokio::time::Interval {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
