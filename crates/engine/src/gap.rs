//! How long a thread has to wait for a core, so that a search ends in time on a busy machine too.

use std::time::{Duration, Instant};

/// The longest time between two looks at the clock.
///
/// It is short while a core is free. Where other work fills the cores, a thread is set aside for
/// many milliseconds every now and then; a search that would not survive one more such pause has to
/// end before it comes.
pub(crate) struct ClockGap {
    last: Instant,
    longest: Duration,
}

/// A longer pause is no sign of what is to come: a machine that slept, a debugger.
const MOST: Duration = Duration::from_millis(60);

impl ClockGap {
    pub(crate) fn new() -> Self {
        Self {
            last: Instant::now(),
            longest: Duration::ZERO,
        }
    }

    /// Begins a search: pauses of earlier ones count less and less.
    pub(crate) fn begin(&mut self) {
        self.longest = self.longest * 31 / 32;
        self.resume();
    }

    /// Goes on after work during which the clock was not read.
    pub(crate) fn resume(&mut self) {
        self.last = Instant::now();
    }

    /// Looks at the clock: whether it may be past a time when it is looked at again.
    pub(crate) fn is_over(&mut self, end: Instant) -> bool {
        let now = Instant::now();
        self.longest = self.longest.max((now - self.last).min(MOST));
        self.last = now;
        now + self.longest >= end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_is_expected_again_and_slowly_forgotten() {
        let mut pause = ClockGap::new();
        let soon = |ms| Instant::now() + Duration::from_millis(ms);
        assert!(pause.is_over(Instant::now()));
        // As if the thread had been set aside for a while.
        pause.last -= Duration::from_millis(40);
        assert!(pause.is_over(soon(39)));
        assert!(!pause.is_over(soon(10_000)));
        pause.last -= Duration::from_secs(5);
        assert!(!pause.is_over(soon(10_000)), "only so much is expected");
        for _ in 0..400 {
            pause.begin();
        }
        assert!(pause.longest < Duration::from_millis(1));
    }
}
