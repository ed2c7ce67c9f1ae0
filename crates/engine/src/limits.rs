//! When a search has to end.

use std::time::Duration;

/// What a search may use. Without any limit it ends when its [`Control`](crate::Control) stops it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Wall time for the whole call; see [`SearchLimits::MARGIN`].
    pub time: Option<Duration>,
    /// Wall time after which no deeper iteration begins, more or less: less if the best move has
    /// been the same for long, more if it has just changed or its value has fallen.
    pub soft_time: Option<Duration>,
    /// Positions visited, over all threads together.
    pub nodes: Option<u64>,
    /// Plies of the last iteration.
    pub depth: Option<u32>,
    /// How many of the best moves to report, each with its line.
    pub lines: usize,
}

impl SearchLimits {
    /// What is kept back of the time: the search ends this long before its limit, but uses at least
    /// half of it.
    pub const MARGIN: Duration = Duration::from_millis(8);

    /// Limited by time.
    #[must_use]
    pub fn time(time: Duration) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    /// Limited by nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// Limited by depth.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// The same limits with another number of lines.
    #[must_use]
    pub fn with_lines(mut self, lines: usize) -> Self {
        self.lines = lines;
        self
    }

    /// The time the search itself may use: the time for a move less the margin.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        self.time
            .map(|time| time.saturating_sub(Self::MARGIN).max(time / 2))
    }
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            time: None,
            soft_time: None,
            nodes: None,
            depth: None,
            lines: 1,
        }
    }
}
