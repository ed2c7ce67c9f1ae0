//! The transposition table: what earlier searches found, shared by all threads.
//!
//! An entry is two words of sixty-four bits, written without a lock. The first word is the key
//! combined with the second, so that an entry torn by two writers does not match and is not used.
//!
//! ```text
//! data:  move 16 | value 16 | nothing 16 | depth 8 | generation 6, bound 2
//! ```

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::MmapMut;
use prefetch_index::prefetch_index;
use tablut_rules::Move;
use zerocopy::{FromBytes, IntoBytes, KnownLayout};

use crate::{
    NoMemory,
    memory::{index_of, map},
    score::value,
    search::Window,
};

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

/// What a search found about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Transposition {
    /// The best move, or the one that refuted.
    pub(crate) step: Option<Move>,
    /// Wins are counted from this position.
    pub(crate) value: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
}

/// Stands for "no move": its squares are beyond the board.
const NO_MOVE: u16 = u16::MAX;
const GENERATIONS: u8 = 64;
const WAYS: usize = 4;

impl Transposition {
    /// The value, seen from a ply, if it decides a window: a *cutoff*.
    #[inline]
    pub(crate) fn cutoff(&self, window: Window, ply: usize) -> Option<i32> {
        let known = value::from_table(self.value, ply as i32);
        let enough = match self.bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => known >= window.beta,
            Bound::Upper => known <= window.alpha,
        };
        enough.then_some(known)
    }

    fn pack(self, generation: u8) -> u64 {
        let step = self.step.map_or(NO_MOVE, Move::bits);
        u64::from(step)
            | u64::from(self.value as i16 as u16) << 16
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | u64::from(generation << 2 | self.bound as u8) << 56
    }

    fn unpack(data: u64) -> Self {
        Self {
            step: Move::from_bits(data as u16),
            value: i32::from((data >> 16) as u16 as i16),
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

#[derive(FromBytes, IntoBytes, KnownLayout)]
#[repr(C)]
struct Slot {
    /// The key, combined with `data`.
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries that a key may use: one cache line.
#[derive(FromBytes, IntoBytes, KnownLayout)]
#[repr(C, align(64))]
struct Cluster([Slot; WAYS]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The transposition table between searches.
pub(crate) struct TranspositionTable {
    memory: MmapMut,
    generation: u8,
}

impl TranspositionTable {
    /// A table of a number of megabytes; at least one cluster.
    pub(crate) fn new(megabytes: usize) -> Result<Self, NoMemory> {
        Ok(Self {
            memory: map(megabytes, size_of::<Cluster>())?,
            generation: 0,
        })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.memory.fill(0);
        self.generation = 0;
    }

    /// The table for a search; what was stored before grows old.
    ///
    /// # Panics
    /// Never: the memory begins at a page and is a multiple of clusters long.
    pub(crate) fn open(&mut self) -> OpenTable<'_> {
        self.generation = (self.generation + 1) % GENERATIONS;
        OpenTable {
            clusters: <[Cluster]>::mut_from_bytes(&mut self.memory).expect("whole clusters"),
            generation: self.generation,
        }
    }
}

/// The transposition table during a search, for all its threads.
#[derive(Clone, Copy)]
pub(crate) struct OpenTable<'a> {
    clusters: &'a [Cluster],
    generation: u8,
}

impl OpenTable<'_> {
    #[inline(always)]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[index_of(key, self.clusters.len())]
    }

    /// Asks for a cluster early, so that it is in the cache when it is probed.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch_index(self.clusters, index_of(key, self.clusters.len()));
    }

    /// What is known about a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Transposition> {
        for entry in &self.cluster(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                return Some(Transposition::unpack(data));
            }
        }
        None
    }

    /// Keeps what was found.
    #[inline]
    pub(crate) fn store(&self, key: u64, mut found: Transposition) {
        let mut place = &self.cluster(key).0[0];
        let mut least = i32::MAX;
        for entry in &self.cluster(key).0 {
            let data = entry.data.load(Relaxed);
            if entry.check.load(Relaxed) ^ data == key && data != 0 {
                let old = Transposition::unpack(data);
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
        let sample = self.clusters.len().min(250);
        let used = self.clusters[..sample]
            .iter()
            .flat_map(|cluster| &cluster.0)
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

    fn found(depth: i32, value: i32) -> Transposition {
        Transposition {
            step: "e3e7".parse().ok(),
            value,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let mut memory = TranspositionTable::new(1).unwrap();
        let table = memory.open();
        for (key, value) in [(1, 0), (u64::MAX, -29_990), (77 << 40, 29_000), (3, -1)] {
            let entry = found(key as i32 & 63, value);
            table.store(key, entry);
            assert_eq!(table.probe(key), Some(entry));
        }
        assert_eq!(table.probe(2), None);
    }

    #[test]
    fn a_move_outlives_a_result_without_one() {
        let mut memory = TranspositionTable::new(1).unwrap();
        let table = memory.open();
        table.store(9, found(5, 10));
        let later = Transposition {
            step: None,
            ..found(7, 20)
        };
        table.store(9, later);
        assert_eq!(table.probe(9), Some(found(7, 20)));
    }

    #[test]
    fn deep_and_young_entries_stay_when_a_cluster_is_full() {
        let mut memory = TranspositionTable::new(0).unwrap();
        let table = memory.open();
        for key in 1..=4 {
            table.store(key, found(10 + key as i32, 0));
        }
        table.store(5, found(1, 0));
        assert_eq!(table.probe(1), None, "the shallowest of the old ones");
        memory.open();
        let table = memory.open();
        table.store(6, found(1, 0));
        table.store(7, found(1, 0));
        assert!(table.probe(6).is_some() && table.probe(7).is_some());
        assert!(table.probe(4).is_some());
    }

    #[test]
    fn a_torn_entry_is_not_used() {
        let mut memory = TranspositionTable::new(0).unwrap();
        let table = memory.open();
        table.store(1, found(3, 5));
        table.clusters[0].0[0]
            .data
            .store(found(9, 9).pack(0), Relaxed);
        assert_eq!(table.probe(1), None);
    }
}
