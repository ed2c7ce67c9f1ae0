//! The principal variations of a search, kept per ply.

use tablut_rules::Move;

use super::stack::MAX_PLY;

/// The best lines found below each ply: a triangular table.
pub(crate) struct PvTable {
    moves: Vec<[Move; MAX_PLY]>,
    lens: [usize; MAX_PLY + 1],
}

impl PvTable {
    /// An empty table; `filler` stands where there is no move yet.
    pub(super) fn new(filler: Move) -> Self {
        Self {
            moves: vec![[filler; MAX_PLY]; MAX_PLY + 1],
            lens: [0; MAX_PLY + 1],
        }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lens[ply] = 0;
    }

    /// The line below a ply is this move and the line below the next.
    pub(crate) fn set(&mut self, ply: usize, step: Move) {
        let len = self.lens[ply + 1].min(MAX_PLY - 1);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = step;
        upper[ply][1..=len].copy_from_slice(&lower[0][..len]);
        self.lens[ply] = len + 1;
    }

    /// The line below a ply is this move alone.
    pub(super) fn set_last(&mut self, ply: usize, step: Move) {
        self.moves[ply][0] = step;
        self.lens[ply] = 1;
    }

    pub(crate) fn get(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lens[ply]]
    }
}
