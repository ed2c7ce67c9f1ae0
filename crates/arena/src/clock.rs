//! How much time a player has. Times are milliseconds; nothing here reads a clock.

/// How a player's time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeControl {
    /// As long as it takes.
    #[default]
    Unlimited,
    /// So much for every move; what is left is lost.
    PerMove {
        /// Milliseconds for a move.
        ms: u64,
    },
    /// So much for the whole game, and something back after every move.
    Total {
        /// Milliseconds for the game.
        ms: u64,
        /// Milliseconds added after each move.
        increment_ms: u64,
    },
}

/// The time of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clock {
    control: TimeControl,
    /// What is left for the next move.
    left: u64,
}

impl Clock {
    /// The clock at the start of a game.
    #[must_use]
    pub const fn new(control: TimeControl) -> Self {
        let left = match control {
            TimeControl::Unlimited => u64::MAX,
            TimeControl::PerMove { ms } | TimeControl::Total { ms, .. } => ms,
        };
        Self { control, left }
    }

    /// The clock of a game that goes on, with so much left for the whole game or the next move.
    #[must_use]
    pub const fn with_left(control: TimeControl, left_ms: u64) -> Self {
        let mut clock = Self::new(control);
        if !matches!(control, TimeControl::Unlimited) {
            clock.left = left_ms;
        }
        clock
    }

    /// How the time is counted.
    #[must_use]
    pub const fn control(&self) -> TimeControl {
        self.control
    }

    /// What is left for the next move, in milliseconds; nothing if there is no limit.
    #[must_use]
    pub const fn left_ms(&self) -> Option<u64> {
        match self.control {
            TimeControl::Unlimited => None,
            _ => Some(self.left),
        }
    }

    /// Takes what a move took, which was not more than what was left, and adds what it earns.
    pub(crate) const fn spend(&mut self, spent: u64) {
        self.left = match self.control {
            TimeControl::Unlimited => u64::MAX,
            TimeControl::PerMove { ms } => ms,
            TimeControl::Total { increment_ms, .. } => {
                let left = self.left.saturating_sub(spent);
                left.saturating_add(increment_ms)
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_control_counts_in_its_own_way() {
        let total = TimeControl::Total {
            ms: 1000,
            increment_ms: 50,
        };
        for (control, start, after) in [
            (TimeControl::Unlimited, None, None),
            (TimeControl::PerMove { ms: 500 }, Some(500), Some(500)),
            (total, Some(1000), Some(850)),
        ] {
            let mut clock = Clock::new(control);
            assert_eq!(clock.left_ms(), start);
            clock.spend(200);
            assert_eq!(clock.left_ms(), after, "{control:?}");
        }
        assert_eq!(Clock::with_left(total, 7).left_ms(), Some(7));
        assert_eq!(Clock::with_left(TimeControl::Unlimited, 7).left_ms(), None);
    }
}
