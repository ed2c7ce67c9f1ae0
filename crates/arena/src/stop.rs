//! How a person stops work in progress: first gently, then at once.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

/// A stop signal, shared by those who may raise it and those who obey it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    own: Arc<AtomicU8>,
    whole: Option<Box<Self>>,
}

const FINISH: u8 = 1;
const ABANDON: u8 = 2;

impl Stop {
    /// A stop signal for a part of the work, which also stops with the whole.
    #[must_use]
    pub fn part(&self) -> Self {
        Self {
            own: Arc::default(),
            whole: Some(Box::new(self.clone())),
        }
    }

    /// Finish what has begun, and begin nothing more.
    pub fn finish(&self) {
        self.own.fetch_max(FINISH, Ordering::Relaxed);
    }

    /// Drop everything.
    pub fn abandon(&self) {
        self.own.fetch_max(ABANDON, Ordering::Relaxed);
    }

    /// Whether nothing more should begin.
    #[must_use]
    pub fn is_finishing(&self) -> bool {
        self.is_at(FINISH)
    }

    /// Whether everything should be dropped.
    #[must_use]
    pub fn is_abandoned(&self) -> bool {
        self.is_at(ABANDON)
    }

    fn is_at(&self, wish: u8) -> bool {
        self.own.load(Ordering::Relaxed) >= wish
            || self.whole.as_ref().is_some_and(|whole| whole.is_at(wish))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_alone_or_with_the_whole() {
        let whole = Stop::default();
        let (one, other) = (whole.part(), whole.part().part());
        one.abandon();
        assert!(one.is_abandoned() && !other.is_finishing() && !whole.is_finishing());
        whole.finish();
        assert!(other.is_finishing() && !other.is_abandoned());
    }
}
