//! The ply stack: what each ply of the line being searched knows.

use std::ops::{Index, IndexMut};

use tablut_rules::Move;

use crate::{histories::NO_MOVE, path::FREE};

/// All plies of a search are below this one. Nodes two plies before it are not searched further.
pub(crate) const MAX_PLY: usize = 128;

/// An evaluation that nothing asked for: less than any.
pub(super) const UNKNOWN: i32 = i16::MIN as i32;

/// What one ply knows. An evaluation that is updated move by move keeps its state here too.
pub(crate) struct PlyState {
    /// The move that led here; none at the root.
    pub(crate) step: Option<Move>,
    /// The static evaluation, or [`UNKNOWN`] where nothing asked for it.
    pub(crate) evaluation: i32,
    /// Plies that the search of this ply is reduced by.
    pub(crate) reduction: i32,
    /// A move that is left out here, to see what the others are worth; as a number.
    pub(super) excluded: u16,
    /// The earliest ply that the value of the last node here depends on.
    pub(crate) since: usize,
    /// Quiet moves that refuted here last, as numbers.
    pub(super) killers: [u16; 2],
}

impl PlyState {
    const fn new() -> Self {
        Self {
            step: None,
            evaluation: UNKNOWN,
            reduction: 0,
            excluded: NO_MOVE,
            since: FREE,
            killers: [NO_MOVE; 2],
        }
    }

    /// Remembers a quiet move that refuted.
    pub(super) fn add_killer(&mut self, step: Move) {
        if self.killers[0] != step.bits() {
            self.killers = [step.bits(), self.killers[0]];
        }
    }

    #[inline(always)]
    pub(super) fn forget_killers(&mut self) {
        self.killers = [NO_MOVE; 2];
    }
}

/// The states of all plies from the root on. A thread keeps one and reuses it.
///
/// Its length is a power of two, so that a masked ply needs no check.
pub(crate) struct PlyStack(Box<[PlyState; MAX_PLY]>);

impl PlyStack {
    pub(super) fn new() -> Self {
        Self(Box::new([const { PlyState::new() }; MAX_PLY]))
    }

    /// Prepares for a new search.
    pub(super) fn begin(&mut self) {
        for ply in &mut *self.0 {
            ply.step = None;
            ply.reduction = 0;
            ply.excluded = NO_MOVE;
            ply.forget_killers();
        }
    }
}

impl Index<usize> for PlyStack {
    type Output = PlyState;

    #[inline(always)]
    fn index(&self, ply: usize) -> &PlyState {
        &self.0[ply % MAX_PLY]
    }
}

impl IndexMut<usize> for PlyStack {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut PlyState {
        &mut self.0[ply % MAX_PLY]
    }
}
