//! The moves of a node with their ranks.

use tablut_rules::Move;

/// Moves with ranks, taken best first. Kept per ply, so that nothing is cleared.
pub(crate) struct RankedMoves {
    /// Rank above, move below.
    entries: [i32; 256],
    /// Entries before this one are still to be chosen from by rank.
    good: usize,
    len: usize,
    next: usize,
}

/// Moves of a lower rank are taken in the order of the generator: sorting them costs more than it
/// gains.
const GOOD: i32 = 200;

impl RankedMoves {
    pub(super) const fn new() -> Self {
        Self {
            entries: [0; 256],
            good: 0,
            len: 0,
            next: 0,
        }
    }

    /// Empties the list.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        (self.good, self.len, self.next) = (0, 0, 0);
    }

    /// Adds a move; ranks must fit seventeen bits and a sign. All are added before one is taken.
    #[inline(always)]
    pub(super) fn push(&mut self, step: Move, rank: i32) {
        let entry = rank << 14 | i32::from(step.bits());
        // Good ones to the front; what stood there goes to the end.
        let place = if rank >= GOOD { self.good } else { self.len };
        self.entries[self.len & 255] = self.entries[place & 255];
        self.entries[place & 255] = entry;
        self.good += usize::from(rank >= GOOD);
        self.len += 1;
    }

    /// The next move with its rank.
    #[inline(always)]
    pub(super) fn take(&mut self) -> Option<(Move, i32)> {
        let next = self.next;
        if next >= self.len {
            return None;
        }
        if next < self.good {
            let mut best = next;
            for index in next + 1..self.good {
                if self.entries[index & 255] > self.entries[best & 255] {
                    best = index;
                }
            }
            self.entries.swap(next & 255, best & 255);
        }
        let entry = self.entries[next & 255];
        self.next += 1;
        Move::from_bits((entry & 0x3fff) as u16).map(|step| (step, entry >> 14))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablut_rules::Rules;

    #[test]
    fn every_move_is_taken_once_and_good_ones_by_rank() {
        let rules = Rules::ashton();
        let moves = rules.moves(&rules.start());
        let rank = |step: Move| (i32::from(step.bits()) * 7919 % 3001) - 1500;
        let mut ranked = RankedMoves::new();
        ranked.begin();
        for &step in &moves {
            ranked.push(step, rank(step));
        }
        let mut taken = Vec::new();
        let mut last = i32::MAX;
        while let Some((step, place)) = ranked.take() {
            assert_eq!(place, rank(step));
            assert!(place <= last || place < GOOD);
            assert!(place < GOOD || last >= GOOD);
            last = place;
            taken.push(step);
        }
        taken.sort_unstable();
        let mut all = moves.to_vec();
        all.sort_unstable();
        assert_eq!(taken, all);
    }
}
