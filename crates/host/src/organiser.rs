//! Tournaments that this process plays on request.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use tablut_arena::Stop;
use tablut_guest::{
    MoverOptions,
    supervise::{Isolation, Supervised},
};
use tablut_store::{State, Store, StoreError};
use tokio::runtime::Handle;

use crate::{
    Ratings, fresh_id,
    tournament::{Author, Contest, ContestError, Corrected, CorrectionWish, Runner, Scene, Slots},
};

/// How long a claim lasts when nothing is heard of us.
const LEASE: Duration = Duration::from_secs(15);

/// How old what is shown may be.
const FRESH: Duration = Duration::from_millis(400);

/// How old ratings may be.
const FRESH_RATINGS: Duration = Duration::from_secs(2);

/// How old they may be if they took long, as a multiple of what they took. Reading all games is never more
/// than a small part of what the store and this machine do.
const FRESH_FACTOR: u32 = 20;

/// A scene, and when it was loaded.
type Shelf = Arc<tokio::sync::Mutex<Option<(Instant, Arc<Scene>)>>>;

/// Runs tournaments here, and shows all of them.
pub(crate) struct Organiser {
    store: Store,
    options: MoverOptions,
    running: Mutex<HashMap<String, (JoinHandle<()>, Stop)>>,
    scenes: Mutex<HashMap<String, Shelf>>,
    /// The last ones, and until when they serve.
    ratings: tokio::sync::Mutex<Option<(Instant, Arc<Ratings>)>>,
}

impl Organiser {
    pub(crate) fn new(store: Store, options: MoverOptions) -> Self {
        Self {
            store,
            options,
            running: Mutex::default(),
            scenes: Mutex::default(),
            ratings: tokio::sync::Mutex::default(),
        }
    }

    /// A tournament as it stands; many who ask at once cost one look into the store.
    pub(crate) async fn scene(&self, id: &str) -> Result<Arc<Scene>, ContestError> {
        // Those who ask for one tournament wait for each other; others do not wait for them.
        let shelf = self.shelf(id);
        let mut known = shelf.lock().await;
        if let Some((at, scene)) = known.as_ref()
            && at.elapsed() < FRESH
        {
            return Ok(Arc::clone(scene));
        }
        let scene = Arc::new(Scene::load(&self.store, id).await?);
        *known = Some((Instant::now(), Arc::clone(&scene)));
        Ok(scene)
    }

    fn scenes(&self) -> MutexGuard<'_, HashMap<String, Shelf>> {
        self.scenes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the scene of a tournament is; those that are old and that nobody waits for are thrown away.
    fn shelf(&self, id: &str) -> Shelf {
        let mut scenes = self.scenes();
        let is_old = |shelf: &Shelf| {
            let known = shelf.try_lock();
            known.is_ok_and(|known| known.as_ref().is_none_or(|(at, _)| at.elapsed() >= FRESH))
        };
        scenes.retain(|_, shelf| Arc::strong_count(shelf) > 1 || !is_old(shelf));
        Arc::clone(scenes.entry(id.into()).or_default())
    }

    /// Forgets a scene that has changed; whoever loads it just now does so for themselves.
    fn forget(&self, id: &str) {
        self.scenes().remove(id);
    }

    /// What all games say; reading them all takes a while, so the answer serves for some time.
    pub(crate) async fn ratings(&self) -> Result<Arc<Ratings>, StoreError> {
        let mut known = self.ratings.lock().await;
        if let Some((until, ratings)) = known.as_ref()
            && Instant::now() < *until
        {
            return Ok(Arc::clone(ratings));
        }
        let begin = Instant::now();
        let ratings = Arc::new(Ratings::load(&self.store).await?);
        let fresh = FRESH_RATINGS.max(begin.elapsed() * FRESH_FACTOR);
        *known = Some((Instant::now() + fresh, Arc::clone(&ratings)));
        Ok(ratings)
    }

    /// Lets a tournament go on, and plays its games here too.
    pub(crate) async fn start(&self, id: &str) -> Result<(), ContestError> {
        let contest = Contest::load(&self.store, id).await?;
        if contest.is_archived() {
            return Err(ContestError::Archived(id.into()));
        }
        // Looked for when it is needed, and not by a task: it starts a program.
        let options = self.options.clone();
        let has_programs = contest.has_programs();
        let isolation = tokio::task::spawn_blocking(move || isolation(&options, has_programs));
        let isolation = match isolation.await {
            Ok(isolation) => isolation?,
            Err(_) => Isolation::Shared,
        };
        self.store.set_tournament_state(id, State::Running).await?;
        self.forget(id);
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.retain(|_, (thread, _)| !thread.is_finished());
        if running.contains_key(id) {
            return Ok(());
        }
        let stop = Stop::default();
        let slots = Slots::new(
            None,
            contest.plan.limits.cores.map_or(1, |cores| cores as usize),
        );
        let runner = Runner {
            store: self.store.clone(),
            tournament: Some(id.into()),
            worker: format!("page:{}", fresh_id()),
            lease: LEASE,
            // A server waits until its store works again.
            patience: Duration::MAX,
            slots: match isolation {
                Isolation::Shared => slots.at_most(1),
                _ => slots,
            },
            // Teams from elsewhere are let in where a port is open for them.
            lobby: None,
            options: MoverOptions {
                stop: stop.clone(),
                move_ms: contest.plan.move_ms,
                isolation,
                ..self.options.clone()
            },
        };
        let runtime = Handle::current();
        let thread = thread::spawn(move || {
            // If its store fails for good, so does everything else here, and tells of it.
            let _ = runner.run(&runtime, &|_| {});
        });
        running.insert(id.into(), (thread, stop));
        Ok(())
    }

    /// Makes a correction, which is seen at once.
    pub(crate) async fn correct(
        &self,
        id: &str,
        wish: &CorrectionWish,
        author: &Author,
    ) -> Result<Corrected, ContestError> {
        let corrected = Contest::correct(&self.store, id, wish, author).await;
        self.forget(id);
        corrected
    }

    /// Deletes a tournament that was put away, for good.
    pub(crate) async fn delete(&self, id: &str) -> Result<(), ContestError> {
        if !Contest::load(&self.store, id).await?.is_archived() {
            return Err(ContestError::NotArchived(id.into()));
        }
        self.store.delete_tournament(id).await?;
        self.forget(id);
        Ok(())
    }

    /// Lets no more games of a tournament begin, anywhere.
    pub(crate) async fn pause(&self, id: &str) -> Result<(), ContestError> {
        if Contest::load(&self.store, id).await?.is_archived() {
            return Err(ContestError::Archived(id.into()));
        }
        self.store.set_tournament_state(id, State::Paused).await?;
        self.forget(id);
        Ok(())
    }

    /// Drops the games that are played here; they are played again by whoever goes on.
    pub(crate) async fn close(&self) {
        let running = {
            let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::take(&mut *running)
        };
        for (thread, stop) in running.into_values() {
            stop.abandon();
            // A runner waits for the runtime's threads, so it is not waited for on one of them.
            let joined = tokio::task::spawn_blocking(move || thread.join());
            let _ = joined.await;
        }
    }
}

/// How games of clients are kept apart here; programs that cannot be shut in are not started.
fn isolation(options: &MoverOptions, has_programs: bool) -> Result<Isolation, ContestError> {
    let Some(supervisor) = &options.supervisor else {
        return Ok(Isolation::Shared);
    };
    if has_programs && !options.confinement.is_trusted {
        Supervised::try_sandbox(supervisor)
            .map_err(|error| ContestError::Programs(error.to_string()))?;
    }
    Ok(options.confinement.isolation(supervisor))
}

#[cfg(test)]
mod tests {
    use tablut_store::Location;

    use super::*;

    #[tokio::test]
    async fn a_tournament_that_takes_long_to_load_holds_up_no_other() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let organiser = Organiser::new(store, MoverOptions::default());
        let slow = organiser.shelf("slow");
        let loading = slow.lock().await;
        let patience = Duration::from_secs(60);
        let other = tokio::time::timeout(patience, organiser.scene("other")).await;
        assert!(other.is_ok_and(|other| other.is_err()));
        drop(loading);
        // What is old and waited for by nobody is not kept.
        drop(slow);
        drop(organiser.shelf("new"));
        assert_eq!(organiser.scenes().len(), 1);
    }
}
