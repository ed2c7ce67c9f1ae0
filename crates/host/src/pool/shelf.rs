//! Engines that are free, with what they remember.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tablut_engine::{Engine, EngineOptions};

/// An engine on the shelf, and the game it thought about last.
struct Kept {
    id: String,
    engine: Engine,
}

#[derive(Default)]
struct Stock {
    /// The one used longest ago first.
    free: Vec<Kept>,
    /// How many were made that belong here.
    made: usize,
}

/// A few engines with large tables. Whoever comes when all are in use gets a smaller one, so memory
/// has a limit however many think at once.
pub(super) struct Shelf {
    hash_mb: usize,
    most: usize,
    stock: Mutex<Stock>,
}

/// An engine in use.
pub(super) struct Borrowed {
    pub(super) engine: Engine,
    is_large: bool,
}

/// How many times smaller the table of those is who come late.
const LATE: usize = 8;

impl Shelf {
    pub(super) fn new(most: usize, hash_mb: usize) -> Self {
        Self {
            hash_mb: hash_mb.max(1),
            most,
            stock: Mutex::default(),
        }
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        // A stock is whole between any two statements.
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine that knows a game, or another.
    pub(super) fn take(&self, id: &str) -> Borrowed {
        let mut stock = self.stock();
        let known = stock.free.iter().position(|kept| kept.id == id);
        let is_full = stock.made >= self.most;
        let oldest = (is_full && !stock.free.is_empty()).then_some(0);
        if let Some(index) = known.or(oldest) {
            return Borrowed {
                engine: stock.free.remove(index).engine,
                is_large: true,
            };
        }
        stock.made += usize::from(!is_full);
        drop(stock);
        let hash_mb = match is_full {
            false => self.hash_mb,
            true => (self.hash_mb / LATE).max(1),
        };
        Borrowed {
            engine: fresh(hash_mb),
            is_large: !is_full,
        }
    }

    /// Takes an engine back.
    pub(super) fn put(&self, id: &str, borrowed: Borrowed) {
        if borrowed.is_large {
            self.stock().free.push(Kept {
                id: id.into(),
                engine: borrowed.engine,
            });
        }
    }
}

/// An engine that knows nothing.
pub(super) fn fresh(hash_mb: usize) -> Engine {
    Engine::new(EngineOptions {
        hash_mb,
        threads: 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_finds_its_engine_again_and_memory_has_a_limit() {
        let shelf = Shelf::new(2, 16);
        let size = |borrowed: &Borrowed| borrowed.engine.options().hash_mb;
        let [ann, bob, eve] = ["ann", "bob", "eve"].map(|id| shelf.take(id));
        assert_eq!([size(&ann), size(&bob), size(&eve)], [16, 16, 2]);
        shelf.put("bob", bob);
        shelf.put("eve", eve);
        shelf.put("ann", ann);
        let ids = || {
            let stock = shelf.stock();
            let ids = stock.free.iter().map(|kept| kept.id.clone());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(ids(), ["bob", "ann"]);
        let ann = shelf.take("ann");
        assert_eq!(ids(), ["bob"]);
        let new = shelf.take("new");
        assert_eq!((size(&new), ids().len()), (16, 0));
        drop(ann);
    }
}
