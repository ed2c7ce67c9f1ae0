//! Engines that know a game, kept between its moves.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tablut_arena::{Mover, MoverError, Player, Unfit};
use tablut_guest::{MoverOptions, mover};

/// An engine on the shelf, and what it thought about last: a game, or what a visitor asked.
struct Shelved<T> {
    id: String,
    engine: T,
}

struct Stock<T> {
    /// The one used longest ago first.
    free: Vec<Shelved<T>>,
    /// How many were made that belong here.
    made: usize,
}

/// A few engines with large tables. Whoever comes when all are in use gets a smaller one, so memory
/// has a limit however many think at once.
pub(super) struct Shelf<T> {
    hash_mb: u64,
    most: usize,
    stock: Mutex<Stock<T>>,
}

/// An engine in use.
pub(super) struct Borrowed<T> {
    pub(super) engine: T,
    /// Whether the game is new to it.
    pub(super) is_new: bool,
    is_large: bool,
}

/// How many times smaller the table of those is who come late.
const LATE: u64 = 8;

impl<T> Shelf<T> {
    pub(super) fn new(most: usize, hash_mb: u64) -> Self {
        Self {
            hash_mb: hash_mb.max(1),
            most,
            stock: Mutex::new(Stock {
                free: Vec::new(),
                made: 0,
            }),
        }
    }

    /// The memory of an engine that belongs here, or of one for whoever comes late, in megabytes.
    fn size(&self, is_large: bool) -> u64 {
        match is_large {
            true => self.hash_mb,
            false => (self.hash_mb / LATE).max(1),
        }
    }

    fn stock(&self) -> MutexGuard<'_, Stock<T>> {
        // A stock is whole between any two statements.
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The engine that knows a game, or another; one that has to be made gets this many megabytes. All
    /// on a shelf do the same kind of work.
    pub(super) fn take<E>(
        &self,
        id: &str,
        make: impl FnOnce(u64) -> Result<T, E>,
    ) -> Result<Borrowed<T>, E> {
        let mut stock = self.stock();
        let known = stock.free.iter().position(|kept| kept.id == id);
        let is_full = stock.made >= self.most;
        let oldest = (is_full && !stock.free.is_empty()).then_some(0);
        if let Some(index) = known.or(oldest) {
            return Ok(Borrowed {
                engine: stock.free.remove(index).engine,
                is_new: known.is_none(),
                is_large: true,
            });
        }
        stock.made += usize::from(!is_full);
        drop(stock);
        match make(self.size(!is_full)) {
            Ok(engine) => Ok(Borrowed {
                engine,
                is_new: true,
                is_large: !is_full,
            }),
            Err(error) => {
                self.stock().made -= usize::from(!is_full);
                Err(error)
            }
        }
    }

    /// Takes an engine back.
    pub(super) fn put(&self, id: &str, borrowed: Borrowed<T>) {
        if borrowed.is_large {
            self.stock().free.push(Shelved {
                id: id.into(),
                engine: borrowed.engine,
            });
        }
    }
}

/// A mover that knows nothing. Where memory is short, its table is as large as can be had.
pub(super) fn fresh(player: &Player, hash_mb: u64) -> Result<Box<dyn Mover>, MoverError> {
    let mut options = MoverOptions {
        hash_mb,
        ..MoverOptions::default()
    };
    loop {
        match mover(player, &options) {
            Err(MoverError::Unfit {
                cause: Unfit::Memory(_),
                ..
            }) if options.hash_mb > 0 => options.hash_mb /= 2,
            made => return made,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_finds_its_engine_again_and_memory_has_a_limit() {
        let shelf = Shelf::new(2, 16);
        let take = |id: &str| {
            shelf
                .take(id, |hash_mb| fresh(&Player::Time(1), hash_mb))
                .unwrap()
        };
        let [ann, bob, eve] = ["ann", "bob", "eve"].map(take);
        let is_large = [&ann, &bob, &eve].map(|borrowed| borrowed.is_large);
        assert_eq!(is_large, [true, true, false]);
        assert_eq!([shelf.size(true), shelf.size(false)], [16, 2]);
        shelf.put("bob", bob);
        shelf.put("eve", eve);
        shelf.put("ann", ann);
        let ids = || {
            let stock = shelf.stock();
            let ids = stock.free.iter().map(|kept| kept.id.clone());
            ids.collect::<Vec<_>>()
        };
        assert_eq!(ids(), ["bob", "ann"]);
        let ann = take("ann");
        assert_eq!((ann.is_new, ids()), (false, vec!["bob".to_string()]));
        let new = take("new");
        assert_eq!((new.is_new, new.is_large, ids().len()), (true, true, 0));
    }
}
