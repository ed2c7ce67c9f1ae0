//! Stopping a search from outside, now or at a time set while it runs.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// A handle on a running search; clones are the same handle.
///
/// A search looks at it about every thousand nodes.
#[derive(Clone, Debug)]
pub struct Control {
    shared: Arc<ControlState>,
}

struct ControlState {
    stopped: AtomicBool,
    /// Nanoseconds after `zero`; the largest number means none.
    deadline: AtomicU64,
    zero: Instant,
    gate: Option<Gate>,
}

/// What a search passes each time it looks.
type Gate = Box<dyn Fn() + Send + Sync>;

impl fmt::Debug for ControlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ControlState")
            .field("stopped", &self.stopped)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl Control {
    /// A handle that has not been stopped and has no deadline.
    #[must_use]
    pub fn new() -> Self {
        Self::build(None)
    }

    /// A handle with a gate that the search passes each time it looks, on its own thread. A gate
    /// that does not return at once makes the search pause: it goes on later exactly where it was,
    /// so a search limited by nodes or depth finds the same as without pauses.
    #[must_use]
    pub fn with_gate(gate: impl Fn() + Send + Sync + 'static) -> Self {
        Self::build(Some(Box::new(gate)))
    }

    fn build(gate: Option<Gate>) -> Self {
        Self {
            shared: Arc::new(ControlState {
                stopped: AtomicBool::new(false),
                deadline: AtomicU64::new(u64::MAX),
                zero: Instant::now(),
                gate,
            }),
        }
    }

    /// Ends the search as soon as it looks.
    pub fn stop(&self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
    }

    /// Ends the search at a time; also while it runs, as when the opponent has made the move that
    /// was thought about.
    pub fn set_deadline(&self, deadline: Instant) {
        let after = deadline.saturating_duration_since(self.shared.zero);
        let nanos = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX - 1);
        self.shared.deadline.store(nanos, Ordering::Relaxed);
    }

    /// Whether the search has to end: it was stopped, or its deadline has passed. Whoever asks passes
    /// the gate first.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        if let Some(gate) = &self.shared.gate {
            gate();
        }
        if self.shared.stopped.load(Ordering::Relaxed) {
            return true;
        }
        match self.shared.deadline.load(Ordering::Relaxed) {
            u64::MAX => false,
            nanos => self.shared.zero.elapsed() >= Duration::from_nanos(nanos),
        }
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
