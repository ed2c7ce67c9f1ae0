//! The window of values a node is searched with.

use crate::score::value::{INFINITY, WIN};

/// Values above `alpha` and below `beta` matter: at most `alpha` is no better than what the side to
/// move has elsewhere, and at least `beta` is more than the opponent will allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
}

impl Window {
    /// Every value.
    pub(crate) const FULL: Self = Self::new(-INFINITY, INFINITY);

    #[inline(always)]
    pub(crate) const fn new(alpha: i32, beta: i32) -> Self {
        Self { alpha, beta }
    }

    /// The window as the other side sees it.
    #[inline(always)]
    pub(crate) const fn flipped(self) -> Self {
        Self::new(-self.beta, -self.alpha)
    }

    /// The window that only tells whether a value is above `alpha`.
    #[inline(always)]
    pub(crate) const fn null(self) -> Self {
        Self::new(self.alpha, self.alpha + 1)
    }

    /// The part of the window that is left for a side that neither wins nor loses at once: no win is
    /// nearer than three plies then, and no loss nearer than two.
    #[inline(always)]
    pub(super) fn without_ends_at(self, ply: usize) -> Self {
        Self {
            alpha: self.alpha.max(ply as i32 + 2 - WIN),
            beta: self.beta.min(WIN - ply as i32 - 3),
        }
    }
}
