//! The transposition table: what earlier searches found, shared by all threads.
//!
//! An entry is two words of sixty-four bits, written without a lock. The first word is the key
//! combined with the second, so that an entry torn by two writers does not match and is not used.
//!
//! ```text
//! data:  move 16 | value 16 | evaluation 16 | depth 8 | generation 6, bound 2
//! ```

use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use tablut_rules::Move;

use crate::score::value;

/// What a stored value says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Bound {
    /// Nothing: only the move is meant.
    None = 0,
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// This is the value.
    Exact = 3,
}

/// An evaluation that was not needed.
pub(crate) const UNKNOWN: i32 = i16::MIN as i32;

/// What was found about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    pub(crate) step: Option<Move>,
    pub(crate) value: i32,
    pub(crate) evaluation: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// Stands for "no move": its squares are beyond the board.
const NO_MOVE: u16 = u16::MAX;
const GENERATIONS: u8 = 64;
const WAYS: usize = 4;

impl Found {
    /// The value, seen from a ply, if it says enough about a window.
    #[inline]
    pub(crate) fn answer(&self, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let known = value::from_table(self.value, ply as i32);
        let enough = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => known >= beta,
            Bound::Upper => known <= alpha,
        };
        enough.then_some(known)
    }

    fn pack(self, generation: u8) -> u64 {
        let step = self.step.map_or(NO_MOVE, Move::bits);
        u64::from(step)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.evaluation as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(generation << 2 | self.bound as u8) << 56
    }

    fn unpack(data: u64) -> Self {
        Self {
            step: Move::from_bits(data as u16),
            value: i32::from((data >> 16) as u16 as i16),
            evaluation: i32::from((data >> 32) as u16 as i16),
            depth: depth_of(data),
            bound: match data >> 56 & 3 {
                0 => Bound::None,
                1 => Bound::Upper,
                2 => Bound::Lower,
                _ => Bound::Exact,
            },
        }
    }
}

const fn depth_of(data: u64) -> i32 {
    (data >> 48 & 255) as i32
}

const fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[derive(Default)]
struct Entry {
    /// The key, combined with `data`.
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that share a place: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Entry; WAYS]);

const _: () = assert!(size_of::<Bucket>() == 64);

/// The memory for a table was not to be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoMemory {
    /// The size that was asked for.
    pub megabytes: usize,
}

impl fmt::Display for NoMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no memory for a table of {} megabytes; ask for a smaller one",
            self.megabytes
        )
    }
}

impl std::error::Error for NoMemory {}

/// The table.
pub(crate) struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
}

impl Table {
    /// A table of about so many megabytes; at least one bucket.
    pub(crate) fn new(megabytes: usize) -> Result<Self, NoMemory> {
        let none = || NoMemory { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or_else(none)?;
        let count = (bytes / size_of::<Bucket>()).max(1);
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| none())?;
        buckets.resize_with(count, Bucket::default);
        Ok(Self {
            buckets,
            generation: 0,
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for entry in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *entry = Entry::default();
        }
        self.generation = 0;
    }

    /// A new search begins: what is stored now grows old.
    pub(crate) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let place = (u128::from(key) * self.buckets.len() as u128) >> 64;
        &self.buckets[place as usize]
    }

    /// Asks for a bucket early, so that it is near when it is needed.
    #[inline(always)]
    pub(crate) fn touch(&self, key: u64) {
        let _ = self.bucket(key).0[0].check.load(Relaxed);
    }

    /// What is known about a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Found> {
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                return Some(Found::unpack(data));
            }
        }
        None
    }

    /// Keeps what was found.
    #[inline]
    pub(crate) fn store(&self, key: u64, mut found: Found) {
        let mut place = &self.bucket(key).0[0];
        let mut least = i32::MAX;
        for entry in &self.bucket(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                let old = Found::unpack(data);
                if found.step.is_none() {
                    found.step = old.step;
                }
                let fresh = generation_of(data) == self.generation;
                // A deeper answer of this search stays, unless the new one is exact.
                if fresh && found.bound != Bound::Exact && found.depth + 3 < old.depth {
                    return;
                }
                place = entry;
                break;
            }
            let age = (GENERATIONS + self.generation - generation_of(data)) % GENERATIONS;
            let worth = if data == 0 {
                i32::MIN
            } else {
                depth_of(data) - 8 * i32::from(age)
            };
            if worth < least {
                least = worth;
                place = entry;
            }
        }
        let data = found.pack(self.generation);
        place.check.store(key ^ data, Relaxed);
        place.data.store(data, Relaxed);
    }

    /// How many thousandths of the table were filled by this search, from a sample.
    pub(crate) fn fullness(&self) -> u32 {
        let sample = self.buckets.len().min(250);
        let used = self.buckets[..sample]
            .iter()
            .flat_map(|bucket| &bucket.0)
            .filter(|entry| {
                let data = entry.data.load(Relaxed);
                data != 0 && generation_of(data) == self.generation
            })
            .count();
        (used * 1000 / (sample * WAYS)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(depth: i32, value: i32) -> Found {
        Found {
            step: "e3e7".parse().ok(),
            value,
            evaluation: -value / 2,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::new(1).unwrap();
        for (key, value) in [(1, 0), (u64::MAX, -29_990), (77 << 40, 29_000), (3, -1)] {
            let entry = found(key as i32 & 63, value);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
        assert_eq!(table.probe(2), None);
    }

    #[test]
    fn a_move_outlives_a_result_without_one() {
        let table = Table::new(1).unwrap();
        table.store(9, found(5, 10));
        let later = Found {
            step: None,
            ..found(7, 20)
        };
        table.store(9, later);
        assert_eq!(table.probe(9), Some(found(7, 20)));
    }

    #[test]
    fn deep_and_young_entries_stay_when_a_bucket_is_full() {
        let mut table = Table::new(0).unwrap();
        for key in 1..=4 {
            table.store(key, found(10 + key as i32, 0));
        }
        table.store(5, found(1, 0));
        assert_eq!(table.probe(1), None, "the shallowest of the old ones");
        table.age();
        table.age();
        table.store(6, found(1, 0));
        table.store(7, found(1, 0));
        assert!(table.probe(6).is_some() && table.probe(7).is_some());
        assert!(table.probe(4).is_some());
    }

    #[test]
    fn a_torn_entry_is_not_used() {
        let table = Table::new(0).unwrap();
        table.store(1, found(3, 5));
        table.buckets[0].0[0]
            .data
            .store(found(9, 9).pack(0), Relaxed);
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        for megabytes in [usize::MAX, usize::MAX >> 21] {
            let error = Table::new(megabytes).err().unwrap();
            assert!(error.to_string().contains(&megabytes.to_string()));
        }
    }
}
