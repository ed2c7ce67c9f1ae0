//! How a person ends work that is under way: first gently, then at once.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

/// A wish to stop, shared by those who may have it and those who obey.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicU8>);

const FINISH: u8 = 1;
const ABANDON: u8 = 2;

impl Stop {
    /// Finish what has begun, and begin nothing more.
    pub fn finish(&self) {
        self.0.fetch_max(FINISH, Ordering::Relaxed);
    }

    /// Drop everything.
    pub fn abandon(&self) {
        self.0.fetch_max(ABANDON, Ordering::Relaxed);
    }

    /// Whether nothing more should begin.
    #[must_use]
    pub fn is_finishing(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= FINISH
    }

    /// Whether everything should be dropped.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= ABANDON
    }
}
