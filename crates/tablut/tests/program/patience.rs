//! Waiting for what other processes do.

use std::{
    thread,
    time::{Duration, Instant},
};

/// How long a test waits at most.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Looks until something is so.
pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
