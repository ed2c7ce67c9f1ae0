//! This process among those that serve the same store: it says that it lives, buries those that are dead,
//! and hears what the others have changed.

use std::{
    sync::{Arc, OnceLock, Weak},
    time::Duration,
};

use tablut_store::{Heard, ProcessReport, Store, StoreError, StoreNotice};
use tokio::{
    sync::{OnceCell, broadcast::error::RecvError, watch},
    task::AbortHandle,
    time::{Instant, MissedTickBehavior, interval},
};

use crate::{
    audience::Audience, engines::Engines, fresh_id, room::Sessions, session::SessionCommand,
};

/// How many games are asked about at once.
const BATCH: usize = 200;

/// The pages that are open in a process, which count together with those of all others.
pub trait PageCount: Send + Sync {
    /// How many pages are open here.
    fn pages(&self) -> u64;

    /// The addresses from which many are open here, and how many; and other things of which too many should not
    /// be done at all processes together, under names of their own.
    fn addresses(&self) -> Vec<(String, u64)>;

    /// Hears how many are open elsewhere: in all, and by address as far as that is told; and what else was counted
    /// there.
    fn elsewhere(&self, pages: u64, addresses: Vec<(String, u64)>);
}

/// What this process tells of itself.
#[derive(Default)]
struct SelfPortrait {
    /// Its machine and number there.
    name: OnceLock<String>,
    pages: OnceLock<Arc<dyn PageCount>>,
    engines: OnceLock<(Weak<Engines>, usize)>,
}

impl SelfPortrait {
    fn report(&self, games: usize) -> ProcessReport {
        let engines = self.engines.get();
        let load = engines.and_then(|(engines, _)| engines.upgrade());
        ProcessReport {
            name: self.name.get().cloned().unwrap_or_default(),
            engines: engines.map_or(0, |(_, threads)| *threads as u64),
            orders: load.map_or(0, |engines| engines.load() as u64),
            pages: self.pages.get().map_or(0, |pages| pages.pages()),
            games: games as u64,
            ..ProcessReport::default()
        }
    }
}

/// This process, as the store names it.
pub(crate) struct Replica {
    id: Arc<str>,
    portrait: Arc<SelfPortrait>,
    /// Who watches games here.
    audience: Audience,
    /// Whether it was told to let its pages move elsewhere, and to end.
    drains: watch::Sender<bool>,
    /// What goes on in the background from the first game on.
    task: OnceCell<AbortHandle>,
}

impl Replica {
    pub(crate) fn new() -> Self {
        Self {
            id: fresh_id().into(),
            portrait: Arc::default(),
            audience: Audience::default(),
            drains: watch::Sender::new(false),
            task: OnceCell::new(),
        }
    }

    pub(crate) fn id(&self) -> Arc<str> {
        Arc::clone(&self.id)
    }

    /// Who watches games here.
    pub(crate) const fn audience(&self) -> &Audience {
        &self.audience
    }

    /// Says how people name this process.
    pub(crate) fn set_name(&self, name: String) {
        let _ = self.portrait.name.set(name);
    }

    /// Says who counts the pages that are open here.
    pub(crate) fn set_pages(&self, pages: Arc<dyn PageCount>) {
        let _ = self.portrait.pages.set(pages);
    }

    /// Says which engines work here, and how many may think at once.
    pub(crate) fn set_engines(&self, engines: &Arc<Engines>, threads: usize) {
        let _ = self
            .portrait
            .engines
            .set((Arc::downgrade(engines), threads));
    }

    /// Waits until an administrator wants this process to end.
    pub(crate) async fn drained(&self) {
        // The sender is here.
        let _ = self.drains.subscribe().wait_for(|drains| *drains).await;
    }

    /// Makes this process known, so that somebody notices if it dies.
    pub(crate) async fn appear(
        &self,
        store: &Store,
        sessions: &Arc<Sessions>,
    ) -> Result<(), StoreError> {
        let begin = async || {
            let report = self.portrait.report(0);
            store.beat(&self.id, &report).await?;
            let work = Work {
                id: self.id(),
                portrait: Arc::clone(&self.portrait),
                drains: self.drains.clone(),
                noted: Vec::new(),
                audience: self.audience.clone(),
                store: store.clone(),
                sessions: Arc::downgrade(sessions),
                well_since: None,
            };
            Ok(work.start())
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
    portrait: Arc<SelfPortrait>,
    drains: watch::Sender<bool>,
    /// The addresses that the store knows from here.
    noted: Vec<(String, u64)>,
    audience: Audience,
    store: Store,
    sessions: Weak<Sessions>,
    /// Since when all beats were kept: who was cut off itself cannot tell who else is dead.
    well_since: Option<Instant>,
}

impl Work {
    fn start(self) -> AbortHandle {
        tokio::spawn(self.run()).abort_handle()
    }

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
                    // Who shows a study, and who waits for an engine, hears of it elsewhere.
                    Ok(StoreNotice::Study(_) | StoreNotice::Job(_) | StoreNotice::Jobs) => {}
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
        let sessions = self.sessions.upgrade();
        let games = sessions.map_or(0, |sessions| sessions.count());
        let report = self.portrait.report(games);
        match self.store.beat(&self.id, &report).await {
            Ok(Heard { is_known, drains }) => {
                if !is_known {
                    // It was taken for dead; whoever is here sits down again.
                    tracing::warn!(process = &*self.id, "was taken for dead by another process");
                    if let Some(sessions) = self.sessions.upgrade() {
                        sessions.tell_all(|| SessionCommand::Reseat);
                    }
                    self.noted.clear();
                    self.audience.forgotten();
                }
                if drains {
                    self.drains.send_replace(true);
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the store does not hear that this process is alive");
                self.well_since = None;
                return;
            }
        }
        self.count_pages().await;
        self.audience.tell(&self.store, &self.id).await;
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

    /// Tells how many pages are open here, and hears how many are elsewhere.
    async fn count_pages(&mut self) {
        let Some(pages) = self.portrait.pages.get() else {
            return;
        };
        let mut addresses = pages.addresses();
        addresses.sort();
        if addresses != self.noted && self.store.note_crowd(&self.id, &addresses).await.is_ok() {
            self.noted = addresses;
        }
        // Whoever cannot be asked has as many as before.
        if let Ok((all, by_address)) = self.store.crowd_elsewhere(&self.id).await {
            pages.elsewhere(all, by_address);
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

pub(crate) fn ticks(every: Duration) -> tokio::time::Interval {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}
