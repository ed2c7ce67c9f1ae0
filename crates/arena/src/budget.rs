//! What a player may spend on a move.

/// What a player may spend on a move; nothing said means no limit of that kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Budget {
    /// Milliseconds.
    pub time_ms: Option<u64>,
    /// Milliseconds after which a player that can tell should have a reason to think on.
    pub soft_ms: Option<u64>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
}

impl Budget {
    /// Milliseconds for a move.
    #[must_use]
    pub const fn time(ms: u64) -> Self {
        Self {
            time_ms: Some(ms),
            soft_ms: None,
            nodes: None,
            depth: None,
        }
    }

    /// Positions for a move.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            time_ms: None,
            soft_ms: None,
            nodes: Some(nodes),
            depth: None,
        }
    }

    /// Plies for a move.
    #[must_use]
    pub const fn depth(depth: u32) -> Self {
        Self {
            time_ms: None,
            soft_ms: None,
            nodes: None,
            depth: Some(depth),
        }
    }

    /// The same, but no longer than a number of milliseconds.
    #[must_use]
    pub fn within(self, ms: u64) -> Self {
        Self {
            time_ms: Some(self.time_ms.map_or(ms, |own| own.min(ms))),
            ..self
        }
    }

    /// Whether there is no limit at all.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}
