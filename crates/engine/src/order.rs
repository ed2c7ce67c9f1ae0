//! Which move is looked at first: histories, killers, answers, and the list a node takes moves from.

use tablut_rules::{Move, Side};

/// The most plies a search goes from its root.
pub(crate) const MAX_PLY: usize = 128;

/// Moves as numbers fit fourteen bits.
const MOVES: usize = 1 << 14;

/// The number of no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// The largest value of a history.
const HISTORY_MOST: i32 = 16_000;

/// What one thread has learnt about moves.
pub(crate) struct Experience {
    /// Per side and move: how often it refuted, with gravity.
    history: Box<[[i16; MOVES]; 2]>,
    /// Per side, square the last move went to, and square this one goes to.
    follow: Box<[[i16; MOVES]; 2]>,
    /// Per side and last move: what refuted it.
    answers: Box<[[u16; MOVES]; 2]>,
    killers: [[u16; 2]; MAX_PLY],
}

impl Experience {
    pub(crate) fn new() -> Self {
        Self {
            history: Box::new([[0; MOVES]; 2]),
            follow: Box::new([[0; MOVES]; 2]),
            answers: Box::new([[NO_MOVE; MOVES]; 2]),
            killers: [[NO_MOVE; 2]; MAX_PLY],
        }
    }

    /// A new search begins: what was learnt fades.
    pub(crate) fn fade(&mut self) {
        let tables = self.history.iter_mut().chain(self.follow.iter_mut());
        for value in tables.flatten() {
            *value /= 2;
        }
        self.killers = [[NO_MOVE; 2]; MAX_PLY];
    }

    /// Both tables of a side, as seen after a move: for the ranking of a whole list.
    #[inline(always)]
    pub(crate) fn tables(&self, side: Side, last: Option<Move>) -> (&[i16; MOVES], &[i16; 128]) {
        let from = last.map_or(127, |last| last.to().index()) << 7;
        let row = &self.follow[side.index()][from..from + 128];
        let row = row.try_into().expect("a row has 128 entries");
        (&self.history[side.index()], row)
    }

    #[inline(always)]
    fn pair(last: Option<Move>, step: Move) -> usize {
        let last = last.map_or(127, |last| last.to().index());
        last << 7 | step.to().index()
    }

    /// How well a quiet move has done.
    #[inline(always)]
    pub(crate) fn history(&self, side: Side, last: Option<Move>, step: Move) -> i32 {
        let side = side.index();
        i32::from(self.history[side][usize::from(step.bits()) % MOVES])
            + i32::from(self.follow[side][Self::pair(last, step) % MOVES])
    }

    /// A quiet move refuted; those tried before it did not.
    pub(crate) fn reward(
        &mut self,
        side: Side,
        last: Option<Move>,
        ply: usize,
        step: Move,
        tried: impl Iterator<Item = Move>,
        depth: i32,
    ) {
        let bonus = (depth * depth * 12 + 40 * depth).min(1_800);
        self.adjust(side, last, step, bonus);
        for other in tried {
            self.adjust(side, last, other, -bonus);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != step.bits() {
            *killers = [step.bits(), killers[0]];
        }
        if let Some(last) = last {
            self.answers[side.index()][usize::from(last.bits()) % MOVES] = step.bits();
        }
    }

    fn adjust(&mut self, side: Side, last: Option<Move>, step: Move, bonus: i32) {
        let slots = [
            &mut self.history[side.index()][usize::from(step.bits()) % MOVES],
            &mut self.follow[side.index()][Self::pair(last, step) % MOVES],
        ];
        for slot in slots {
            let old = i32::from(*slot);
            *slot = (old + bonus - old * bonus.abs() / HISTORY_MOST) as i16;
        }
    }

    /// The killers of a ply, as numbers.
    #[inline(always)]
    pub(crate) fn killers(&self, ply: usize) -> [u16; 2] {
        self.killers[ply]
    }

    /// What refuted the last move before, as a number.
    #[inline(always)]
    pub(crate) fn answer(&self, side: Side, last: Option<Move>) -> u16 {
        last.map_or(NO_MOVE, |last| {
            self.answers[side.index()][usize::from(last.bits()) % MOVES]
        })
    }

    /// Forgets the killers of a ply.
    #[inline(always)]
    pub(crate) fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [NO_MOVE; 2];
    }
}

/// The moves of a node with their ranks, taken best first. Kept per ply, so that nothing is cleared.
pub(crate) struct Ranked {
    /// Rank above, move below.
    entries: [i32; 256],
    /// Entries before this one are still to be chosen from by rank.
    good: usize,
    len: usize,
    next: usize,
}

/// Moves of a lower rank are taken as they come: it hardly matters, and sorting costs.
const GOOD: i32 = 200;

impl Ranked {
    pub(crate) const fn new() -> Self {
        Self {
            entries: [0; 256],
            good: 0,
            len: 0,
            next: 0,
        }
    }

    /// Empties the list.
    #[inline(always)]
    pub(crate) fn begin(&mut self) {
        (self.good, self.len, self.next) = (0, 0, 0);
    }

    /// Adds a move; ranks must fit seventeen bits and a sign. All are added before one is taken.
    #[inline(always)]
    pub(crate) fn push(&mut self, step: Move, rank: i32) {
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
    pub(crate) fn take(&mut self) -> Option<(Move, i32)> {
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
        let mut ranked = Ranked::new();
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
