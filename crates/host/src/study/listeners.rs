//! Who listens to the owners of studies here, and word of their changes.
//!
//! A page listens to the owner of the study it shows, and so hears of a board that was not kept before, too. What it
//! hears only says when to look.

use std::{
    collections::HashMap,
    future::pending,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

use tablut_store::{Store, StoreNotice, StudyNotice};
use tokio::{
    sync::{
        broadcast::{Receiver, error::RecvError},
        watch,
    },
    task::AbortHandle,
};

/// What was said last; nothing if something may have been missed.
type LastWord = Option<StudyNotice>;

/// Those who are listened to, by owner.
#[derive(Clone, Default)]
struct Owners(Arc<Mutex<HashMap<Arc<str>, watch::Sender<LastWord>>>>);

impl Owners {
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, watch::Sender<LastWord>>> {
        // It is whole between any two statements.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All who listen in this process.
#[derive(Default)]
pub(crate) struct StudyListeners {
    owners: Owners,
    /// What passes the word on, from the first listener on.
    task: OnceLock<AbortHandle>,
}

impl StudyListeners {
    /// Begins to listen to an owner.
    pub(crate) fn watch(&self, store: &Store, owner: &str) -> StudyWatch {
        self.task.get_or_init(|| {
            let passing = pass_on(store.notices(), self.owners.clone());
            tokio::spawn(passing).abort_handle()
        });
        let owner: Arc<str> = owner.into();
        let mut owners = self.owners.lock();
        let sender = owners.entry(Arc::clone(&owner)).or_default();
        StudyWatch {
            word: sender.subscribe(),
            owner,
            owners: self.owners.clone(),
        }
    }
}

impl Drop for StudyListeners {
    fn drop(&mut self) {
        if let Some(task) = self.task.get() {
            task.abort();
        }
    }
}

/// Tells those who listen to an owner what the store announces.
async fn pass_on(mut notices: Receiver<StoreNotice>, owners: Owners) {
    loop {
        match notices.recv().await {
            Ok(StoreNotice::Study(notice)) => {
                if let Some(sender) = owners.lock().get(&notice.owner) {
                    sender.send_replace(Some(notice));
                }
            }
            Ok(StoreNotice::Game(..) | StoreNotice::Job(_) | StoreNotice::Jobs) => {}
            Ok(StoreNotice::Missed) | Err(RecvError::Lagged(_)) => {
                for sender in owners.lock().values() {
                    sender.send_replace(None);
                }
            }
            Err(RecvError::Closed) => return,
        }
    }
}

/// Somebody who listens to the owner of studies, until this is dropped.
pub struct StudyWatch {
    owner: Arc<str>,
    word: watch::Receiver<LastWord>,
    owners: Owners,
}

impl StudyWatch {
    /// Whose studies these are.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Waits for a change of one of the studies, and gives the last one; nothing if changes may have been missed.
    /// Whoever gives up waiting loses nothing and may wait again.
    pub async fn changed(&mut self) -> Option<StudyNotice> {
        match self.word.changed().await {
            Ok(()) => self.word.borrow_and_update().clone(),
            // Nobody will say anything any more.
            Err(_) => pending().await,
        }
    }
}

impl Drop for StudyWatch {
    fn drop(&mut self) {
        let mut owners = self.owners.lock();
        // The last one who listened, this one, is still counted.
        let is_last = |sender: &watch::Sender<LastWord>| sender.receiver_count() <= 1;
        if owners.get(&self.owner).is_some_and(is_last) {
            owners.remove(&self.owner);
        }
    }
}
