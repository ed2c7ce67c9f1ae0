//! Who waits for news of which job.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// Rung when there is news of a job.
#[derive(Default)]
pub(super) struct Bells {
    of: Mutex<HashMap<Arc<str>, Arc<Notify>>>,
}

impl Bells {
    fn of(&self) -> MutexGuard<'_, HashMap<Arc<str>, Arc<Notify>>> {
        // The map is whole between any two statements.
        self.of.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many jobs are waited for.
    pub(super) fn count(&self) -> usize {
        self.of().len()
    }

    /// A bell for a job.
    pub(super) fn hang(self: &Arc<Self>, job: &str) -> Bell {
        let (job, rung): (Arc<str>, Arc<Notify>) = (job.into(), Arc::default());
        self.of().insert(Arc::clone(&job), Arc::clone(&rung));
        Bell {
            job,
            rung,
            bells: Arc::clone(self),
        }
    }

    pub(super) fn ring(&self, job: &str) {
        if let Some(bell) = self.of().get(job) {
            bell.notify_one();
        }
    }

    pub(super) fn ring_all(&self) {
        self.of().values().for_each(|bell| bell.notify_one());
    }
}

/// The bell of a job, for as long as it is waited for.
pub(super) struct Bell {
    job: Arc<str>,
    rung: Arc<Notify>,
    bells: Arc<Bells>,
}

impl Bell {
    /// Waits until it is rung.
    pub(super) async fn rung(&self) {
        self.rung.notified().await;
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.bells.of().remove(&self.job);
    }
}
