//! How much time a player has. Times are milliseconds; nothing here reads a clock.

use std::{fmt, str::FromStr};

use crate::Budget;

/// The longest time that can be given, for a move or a game: a day.
const LONGEST_MS: u64 = 24 * 3600 * 1000;

/// How a player's time is counted.
///
/// As text, programs and stores write it in milliseconds (`Display` and `FromStr`), people in seconds
/// ([`in_seconds`](Self::in_seconds) and [`from_seconds`](Self::from_seconds)); the grammar is the same:
/// `none`, `move:60`, `total:300+2`, or `total:300` without an increment.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeControl {
    /// As long as it takes.
    #[default]
    Unlimited,
    /// A fixed time for every move; what is left over is lost.
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

impl TimeControl {
    /// What a player with so much time left should spend on a move; nothing without a clock.
    ///
    /// A clock for the whole game has to last: a move gets about a twenty-fifth of it, and up to a
    /// sixth where there is a reason.
    #[must_use]
    pub fn budget(self, left_ms: u64) -> Budget {
        // What it takes to make the move after it was found.
        let most = left_ms.saturating_sub(100).max(left_ms / 2);
        match self {
            Self::Unlimited => Budget::default(),
            Self::PerMove { .. } => Budget::time((left_ms / 10 * 9).min(most)),
            Self::Total { increment_ms, .. } => Budget {
                soft_ms: Some((left_ms / 25 + increment_ms / 4 * 3).min(most)),
                ..Budget::time((left_ms / 6 + increment_ms / 4 * 3).min(most))
            },
        }
    }
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no clock: expected none, move:TIME or total:TIME+INCREMENT, of at most a day")]
pub struct ParseTimeControlError(String);

impl FromStr for TimeControl {
    type Err = ParseTimeControlError;

    fn from_str(text: &str) -> Result<Self, ParseTimeControlError> {
        Self::read(text, 1).ok_or_else(|| ParseTimeControlError(text.into()))
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(1))
    }
}

impl TimeControl {
    /// The time control that a person writes, in seconds.
    ///
    /// # Errors
    /// The text is no time control.
    pub fn from_seconds(text: &str) -> Result<Self, ParseTimeControlError> {
        Self::read(text, 1000).ok_or_else(|| ParseTimeControlError(text.into()))
    }

    /// The text of a time control for a person, in whole seconds.
    #[must_use]
    pub fn in_seconds(self) -> String {
        self.write(1000)
    }

    /// Reads a text whose times are numbers of a unit of this many milliseconds. No time at all and
    /// more than a day are refused.
    fn read(text: &str, unit: u64) -> Option<Self> {
        let time = |text: &str, least: u64| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            let number: u64 = digits.then(|| text.parse().ok()).flatten()?;
            let ms = number.checked_mul(unit)?;
            (least..=LONGEST_MS).contains(&ms).then_some(ms)
        };
        match text.split_once(':') {
            None => (text == "none").then_some(Self::Unlimited),
            Some(("move", each)) => Some(Self::PerMove { ms: time(each, 1)? }),
            Some(("total", rest)) => {
                let (total, increment) = match rest.split_once('+') {
                    Some((total, increment)) => (total, time(increment, 0)?),
                    None => (rest, 0),
                };
                Some(Self::Total {
                    ms: time(total, 1)?,
                    increment_ms: increment,
                })
            }
            Some(_) => None,
        }
    }

    fn write(self, unit: u64) -> String {
        match self {
            Self::Unlimited => "none".into(),
            Self::PerMove { ms } => format!("move:{}", ms / unit),
            Self::Total { ms, increment_ms } => {
                format!("total:{}+{}", ms / unit, increment_ms / unit)
            }
        }
    }
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

    /// The clock of a game that continues, with this much left for the whole game or the next move.
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

    /// What is left for the next move, in milliseconds; `None` without a limit.
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
    fn a_clock_for_the_whole_game_lasts() {
        let control = TimeControl::Total {
            ms: 60_000,
            increment_ms: 500,
        };
        let (mut left, mut moves) = (60_000_u64, 0);
        while moves < 300 {
            let budget = control.budget(left);
            let (soft, hard) = (budget.soft_ms.unwrap(), budget.time_ms.unwrap());
            assert!(soft <= hard && hard < left, "{left}: {budget:?}");
            // Even if every move takes all it may.
            left = left - hard + 500;
            moves += 1;
        }
        assert_eq!(TimeControl::Unlimited.budget(5), Budget::default());
        let per_move = TimeControl::PerMove { ms: 1_000 };
        assert_eq!(per_move.budget(1_000), Budget::time(900));
        assert_eq!(per_move.budget(100), Budget::time(50));
    }

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

    #[test]
    fn controls_are_read_as_they_are_written() {
        for control in [
            TimeControl::Unlimited,
            TimeControl::PerMove { ms: 60_000 },
            // The demonstration cup of docs/tournament.md.
            TimeControl::PerMove { ms: 50 },
            TimeControl::Total {
                ms: 300_000,
                increment_ms: 0,
            },
        ] {
            assert_eq!(control.to_string().parse(), Ok(control));
        }
        for text in ["none", "move:60", "total:300+2"] {
            let control = TimeControl::from_seconds(text).expect("a clock");
            assert_eq!(control.in_seconds(), text);
        }
        let minutes = TimeControl::Total {
            ms: 300_000,
            increment_ms: 0,
        };
        assert_eq!(TimeControl::from_seconds("total:300"), Ok(minutes));
    }

    #[test]
    fn what_is_no_control_is_refused() {
        for text in [
            "",
            "x",
            "none:",
            "move",
            "move:",
            "move:0",
            "move:+5000",
            "move:86400001",
            "total:",
            "total:5000+",
            "total:5000+-1",
            "total:99999999999999999999+0",
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
            assert!(TimeControl::from_seconds(text).is_err(), "{text}");
        }
    }
}
