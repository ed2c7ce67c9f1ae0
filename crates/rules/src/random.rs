//! Seeded random numbers (SplitMix64): the same on every machine.

use crate::zobrist;

/// A stream of random numbers that depends on nothing but its seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The stream of one part of something that has a seed, such as one game of a series.
    #[must_use]
    pub fn part(seed: u64, part: u64) -> Self {
        let mut random = Self(seed ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
        Self(random.next())
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        // Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
        self.0 = self.0.wrapping_add(zobrist::STEP);
        zobrist::splitmix(self.0)
    }

    /// A number below a bound; zero if the bound is.
    pub const fn below(&mut self, bound: usize) -> usize {
        let bound = if bound == 0 { 1 } else { bound };
        (self.next() % bound as u64) as usize
    }

    /// One of several values.
    ///
    /// # Panics
    /// If there are none.
    pub const fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// A number from zero up to, but not including, one.
    pub fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn parts_of_one_seed_differ() {
        let mut seen: Vec<u64> = (0..100).map(|part| Random::part(1, part).next()).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 100);
    }
}
