//! Where engines work for visitors: in this process, or wherever a worker takes jobs from the store.
//!
//! Whoever asks does not notice the difference: a [`Job`] and an [`Inquiry`] end the work when they are
//! dropped, whoever does it.

mod bells;
mod errand;
mod queue;
mod worker;

use std::sync::{Arc, Weak};

use tablut_store::Store;

pub use worker::Worker;

use crate::{
    Busy, EnginePool, Finding, Inquiry, InquiryTask, Job, Order, PuzzleFinding, mining::PuzzleTask,
    replica::Replica, room::Sessions,
};
use queue::Queue;

/// Who does the engine work that the visitors of a process ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineSource {
    /// The engines of this process. Nothing is written for it.
    #[default]
    Own,
    /// Workers, by jobs in the store. What none of them has begun after a while is done here, and counts there.
    Queue,
    /// Workers only.
    Workers,
}

/// The engines that work for the visitors of a process.
pub(crate) struct Engines {
    pool: Arc<EnginePool>,
    queue: Option<Queue>,
}

impl Engines {
    /// Work goes to a pool of this process.
    pub(crate) fn own(pool: Arc<EnginePool>) -> Self {
        Self { pool, queue: None }
    }

    /// Work goes where the source says.
    pub(crate) fn new(
        source: EngineSource,
        pool: Arc<EnginePool>,
        store: &Store,
        replica: &Arc<Replica>,
        sessions: Weak<Sessions>,
    ) -> Self {
        let helper = match source {
            EngineSource::Own => return Self::own(pool),
            EngineSource::Queue => Some(Arc::clone(&pool)),
            EngineSource::Workers => None,
        };
        let queue = Queue::new(store.clone(), Arc::clone(replica), sessions, helper);
        Self {
            pool,
            queue: Some(queue),
        }
    }

    /// How much work is under way here or waited for elsewhere.
    pub(crate) fn load(&self) -> usize {
        let elsewhere = self.queue.as_ref().map_or(0, Queue::load);
        self.pool.load() + elsewhere
    }

    /// Orders a move.
    ///
    /// # Errors
    /// Too much is ordered already.
    pub(crate) fn order(&self, order: Order) -> Result<Job, Busy> {
        match &self.queue {
            Some(queue) if order.can_travel() => Ok(queue.order(order)),
            _ => self.pool.order(order),
        }
    }

    /// Lets puzzles be looked for, or proved.
    ///
    /// # Errors
    /// Too much is ordered already.
    pub(crate) fn mine(&self, owner: &str, task: PuzzleTask) -> Result<Job<PuzzleFinding>, Busy> {
        match &self.queue {
            Some(queue) => Ok(queue.mine(owner, task)),
            None => self.pool.mine(owner, task),
        }
    }

    /// Lets an engine work on an inquiry of somebody from an address. What it finds in the end is given to
    /// `on_end`, on a thread that may wait, before it is told.
    ///
    /// # Errors
    /// Too much is asked already.
    pub(crate) async fn inquire(
        &self,
        owner: &str,
        address: &str,
        task: InquiryTask,
        on_end: impl FnOnce(&Finding) + Send + 'static,
    ) -> Result<Inquiry, Busy> {
        match &self.queue {
            Some(queue) => queue.inquire(owner, address, task, Box::new(on_end)).await,
            None => self.pool.inquire(owner, task, on_end),
        }
    }
}
