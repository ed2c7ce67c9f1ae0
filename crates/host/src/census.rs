//! How much is kept for all visitors together, and whether there is room for more.

use std::time::{Duration, Instant};

use tablut_store::{Kept, Store, StoreError};
use tokio::sync::Mutex;

/// How long a count is believed. Meanwhile what is kept here is added; what other processes keep in the
/// same store is seen with the next count.
const FRESH: Duration = Duration::from_secs(30);

/// How soon it is counted again once there is no room.
const SOON: Duration = Duration::from_secs(1);

/// Remembers what was counted, since counting reads whole tables.
#[derive(Debug, Default)]
pub(crate) struct Census {
    /// By [`Kept`].
    counts: [Mutex<Option<(u64, Instant)>>; 4],
}

impl Census {
    /// Whether fewer than this many are kept; if so, one more is taken as kept.
    pub(crate) async fn has_room(
        &self,
        store: &Store,
        what: Kept,
        most: u64,
    ) -> Result<bool, StoreError> {
        let mut slot = self.counts[what as usize].lock().await;
        let believed = slot.filter(|&(count, at)| {
            let age = at.elapsed();
            age < FRESH && (count < most || age < SOON)
        });
        let (count, at) = match believed {
            Some(believed) => believed,
            None => (store.count_kept(what).await?, Instant::now()),
        };
        let is_room = count < most;
        *slot = Some((count + u64::from(is_room), at));
        Ok(is_room)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_store::Location;

    use super::*;

    #[tokio::test]
    async fn so_many_are_let_in_and_no_more() {
        let store = Store::open(&Location::Memory).await.unwrap();
        let census = Census::default();
        let mut kept = 0;
        for n in 0..20 {
            if census.has_room(&store, Kept::Visitors, 7).await.unwrap() {
                kept += 1;
                store.keep_visitor(&format!("v{n}"), 0).await.unwrap();
            }
        }
        assert_eq!(kept, 7);
        assert_eq!(store.count_kept(Kept::Visitors).await.unwrap(), 7);
        assert!(census.has_room(&store, Kept::Games, 1).await.unwrap());
    }
}
