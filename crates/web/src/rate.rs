//! How often something may be done: a bucket that fills again with time.

use std::time::Instant;

/// A bucket of so many drops, one taken for each deed.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    size: f64,
    per_second: f64,
    drops: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn new(size: u32, per_second: f64, now: Instant) -> Self {
        Self {
            size: f64::from(size),
            per_second,
            drops: f64::from(size),
            at: now,
        }
    }

    /// Takes a drop; false if there is none.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.at = self.at.max(now);
        self.drops = (self.drops + passed * self.per_second).min(self.size);
        let is_there = self.drops >= 1.0;
        if is_there {
            self.drops -= 1.0;
        }
        is_there
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bucket_empties_and_fills_again() {
        let start = Instant::now();
        let mut bucket = Bucket::new(3, 2.0, start);
        let mut taken = |now| (0..10).filter(|_| bucket.take(now)).count();
        assert_eq!(taken(start), 3);
        assert_eq!(taken(start + Duration::from_secs(1)), 2);
        assert_eq!(taken(start + Duration::from_secs(60)), 3);
        assert_eq!(taken(start), 0);
    }
}
