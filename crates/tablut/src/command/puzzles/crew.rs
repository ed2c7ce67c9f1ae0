//! Workers that look for puzzles and prove them, through the queue of a store.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context, Result};
use tablut_arena::Stop;
use tablut_host::{EngineSource, Host, Limits, MOST_PUZZLE_ORDERS, PuzzleFinding, PuzzleOrder};
use tokio::{runtime::Runtime, task::JoinHandle};

use crate::{
    command::{serve::process_name, tournament::StoreFlag},
    signal,
};

/// Work that a worker does.
type Errand = JoinHandle<Result<PuzzleFinding, String>>;

/// The workers of a store.
pub(super) struct Crew {
    runtime: Runtime,
    host: Host,
    /// Whether it was said that there is none.
    has_told: Arc<AtomicBool>,
}

impl Crew {
    /// The workers of the store at a place.
    pub(super) fn open(place: &str) -> Result<Self> {
        let (runtime, store) = StoreFlag::named(place).open_existing()?;
        let limits = Limits {
            engines: EngineSource::Workers,
            ..Limits::default()
        };
        let host = Host::new(store, limits);
        let appeared = runtime.block_on(host.appear(format!("{} (puzzles)", process_name())));
        appeared.context("the store does not hear that somebody orders puzzles")?;
        Ok(Self {
            runtime,
            host,
            has_told: Arc::default(),
        })
    }

    /// Has orders done, as many at once as the queue takes, and hands over what was found in the order in which
    /// they came, each with what it is about; nothing was found where nothing was ordered. Ends when all is done,
    /// when `on_found` says that it is enough, or when it is told to stop.
    ///
    /// # Errors
    /// An order could not be made, or `on_found` fails.
    pub(super) fn run<T>(
        self,
        mut orders: impl Iterator<Item = Result<(T, Option<PuzzleOrder>)>>,
        stop: &Stop,
        mut on_found: impl FnMut(T, Result<Option<PuzzleFinding>, String>) -> Result<bool>,
    ) -> Result<()> {
        let mut ahead = VecDeque::new();
        let mut work = || {
            while !stop.is_finishing() {
                while ahead.len() < MOST_PUZZLE_ORDERS
                    && !stop.is_finishing()
                    && let Some(order) = orders.next()
                {
                    let (about, order) = order?;
                    ahead.push_back((about, order.map(|order| self.send(order))));
                }
                let Some((about, errand)) = ahead.pop_front() else {
                    break;
                };
                let found = match errand {
                    Some(errand) => match self.wait(errand, stop)? {
                        Some(found) => found.map(Some),
                        None => break,
                    },
                    None => Ok(None),
                };
                if on_found(about, found)? {
                    break;
                }
            }
            Ok(())
        };
        let worked = work();
        // Jobs of a process that is no more are wanted by nobody; this says so at once.
        self.runtime.block_on(async {
            self.host.close().await;
            self.host.store().close().await;
        });
        worked
    }

    /// Begins to have an order done.
    fn send(&self, order: PuzzleOrder) -> Errand {
        let (host, has_told) = (self.host.clone(), Arc::clone(&self.has_told));
        self.runtime.spawn(async move {
            let tell = || {
                if !has_told.swap(true, Ordering::Relaxed) {
                    eprintln!(
                        "No worker does puzzles now; it waits for tablut worker --jobs puzzles."
                    );
                }
            };
            host.mine(order, tell).await
        })
    }

    /// Waits for what was found; nothing if it is told to stop first.
    fn wait(&self, errand: Errand, stop: &Stop) -> Result<Option<Result<PuzzleFinding, String>>> {
        self.runtime.block_on(async {
            tokio::select! {
                found = errand => Ok(Some(found.context("an order was lost")?)),
                () = signal::finishing(stop) => Ok(None),
                () = self.host.drained() => Ok(None),
            }
        })
    }
}
