//! The contest's two ports beside the page: any two clients can play, and anyone can watch.

use std::{
    mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tablut_challenge::{
    Effect, Options, Referee,
    server::{RefereePorts, play},
};
use tablut_host::Keeper;
use tablut_rules::BySide;
use tablut_store::{Store, StoreError};
use tokio::{
    sync::mpsc,
    task::{JoinHandle, JoinSet},
    time::{Duration, Instant, sleep, timeout},
};

/// How long it is tried again to keep the end of a game.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long to wait before that.
const AGAIN: Duration = Duration::from_secs(1);

/// How long a server that stops waits until what was played is stored.
const FAREWELL: Duration = Duration::from_secs(10);

/// The tasks that store games, one for each game.
type Keeping = Arc<Mutex<JoinSet<()>>>;

/// The contest's ports while they are open.
pub(super) struct OpenContest {
    playing: JoinHandle<()>,
    keeping: Keeping,
}

impl OpenContest {
    /// Plays one game after the other at these ports.
    pub(super) fn start(table: RefereePorts, options: Options, store: Store) -> Self {
        let keeping = Keeping::default();
        let playing = tokio::spawn(serve(table, options, store, Arc::clone(&keeping)));
        Self { playing, keeping }
    }

    /// Ends the game in progress, and waits until every move that was made is stored.
    pub(super) async fn close(self) {
        self.playing.abort();
        // Once the game is gone, its moves come to an end.
        let _ = self.playing.await;
        let keeping = mem::take(&mut *lock(&self.keeping));
        if timeout(FAREWELL, keeping.join_all()).await.is_err() {
            eprintln!("tablut: the last moves of a refereed game could not be stored in time");
        }
    }
}

fn lock(keeping: &Keeping) -> MutexGuard<'_, JoinSet<()>> {
    keeping.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn serve(table: RefereePorts, options: Options, store: Store, keeping: Keeping) {
    loop {
        let (sender, moments) = mpsc::unbounded_channel();
        {
            let mut keeping = lock(&keeping);
            keeping.spawn(keep(store.clone(), moments));
            while keeping.try_join_next().is_some() {}
        }
        let mut watch = |_, referee: &Referee, effect: &Effect| {
            if matches!(
                effect,
                Effect::Started | Effect::Moved { .. } | Effect::Over { .. }
            ) {
                // If nobody keeps it any more, it is played all the same.
                let _ = sender.send(referee.clone());
            }
        };
        play(&table, options.clone(), &mut watch).await;
    }
}

/// Keeps a game as the referee sees it.
async fn keep(store: Store, mut moments: mpsc::UnboundedReceiver<Referee>) {
    let (mut keeper, mut last) = (None, None);
    let mut kept = Ok(());
    while let Some(moment) = moments.recv().await {
        // What failed is kept with the next move.
        kept = keep_moment(&store, &mut keeper, &moment).await;
        last = Some(moment);
    }
    let end = Instant::now() + PATIENCE;
    // After the last one there is no next.
    while let (Err(error), Some(last)) = (&kept, &last) {
        if !error.may_pass() || Instant::now() > end {
            eprintln!("tablut: a refereed game could not be stored: {error}");
            return;
        }
        sleep(AGAIN).await;
        kept = keep_moment(&store, &mut keeper, last).await;
    }
}

/// Keeps what is new in a game; the first time, the game itself.
async fn keep_moment(
    store: &Store,
    keeper: &mut Option<Keeper>,
    moment: &Referee,
) -> Result<(), StoreError> {
    let keeper = keeper.get_or_insert_with(|| {
        let names = BySide::from_fn(|side| moment.name(side).to_string());
        Keeper::new(store.clone(), names, moment.contest())
    });
    keeper.keep(moment.contest()).await
}
