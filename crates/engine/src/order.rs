//! Which move is looked at first: histories, killers, answers, and the list a node takes moves from.

use tablut_rules::{Move, MoveList, Side};

/// The most plies a search goes from its root.
pub(crate) const MAX_PLY: usize = 128;

/// Moves as numbers fit fourteen bits.
const MOVES: usize = 1 << 14;

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
    killers: [[Option<Move>; 2]; MAX_PLY],
}

impl Experience {
    pub(crate) fn new() -> Self {
        Self {
            history: Box::new([[0; MOVES]; 2]),
            follow: Box::new([[0; MOVES]; 2]),
            answers: Box::new([[u16::MAX; MOVES]; 2]),
            killers: [[None; 2]; MAX_PLY],
        }
    }

    /// A new search begins: what was learnt fades.
    pub(crate) fn fade(&mut self) {
        let tables = self.history.iter_mut().chain(self.follow.iter_mut());
        for value in tables.flatten() {
            *value /= 2;
        }
        self.killers = [[None; 2]; MAX_PLY];
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
        if killers[0] != Some(step) {
            *killers = [Some(step), killers[0]];
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

    /// The killers of a ply.
    #[inline(always)]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    /// What refuted the last move before.
    #[inline(always)]
    pub(crate) fn answer(&self, side: Side, last: Option<Move>) -> Option<Move> {
        let last = last?;
        Move::from_bits(self.answers[side.index()][usize::from(last.bits()) % MOVES])
    }

    /// Forgets the killers of a ply.
    #[inline(always)]
    pub(crate) fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }
}

/// The moves of a node with their ranks, taken best first.
pub(crate) struct Ranked {
    /// Rank above, move below.
    entries: [i32; 256],
    len: usize,
    next: usize,
}

/// After so many moves the rest is taken as it comes: it hardly matters and sorting costs.
const SORTED: usize = 14;

impl Ranked {
    /// Ranks moves; ranks must fit seventeen bits and a sign.
    #[inline(always)]
    pub(crate) fn new(moves: &MoveList, mut rank: impl FnMut(Move) -> i32) -> Self {
        let mut ranked = Self {
            entries: [0; 256],
            len: moves.len().min(256),
            next: 0,
        };
        for (entry, &step) in ranked.entries.iter_mut().zip(moves.iter()) {
            *entry = rank(step) << 14 | i32::from(step.bits());
        }
        ranked
    }

    /// The next move with its rank.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<(Move, i32)> {
        if self.next >= self.len {
            return None;
        }
        if self.next < SORTED {
            let mut best = self.next;
            let mut top = self.entries[best];
            for (index, &entry) in self.entries[..self.len]
                .iter()
                .enumerate()
                .skip(self.next + 1)
            {
                if entry > top {
                    (best, top) = (index, entry);
                }
            }
            self.entries.swap(self.next, best);
        }
        let entry = self.entries[self.next];
        self.next += 1;
        Move::from_bits((entry & 0x3fff) as u16).map(|step| (step, entry >> 14))
    }
}
