//! What a position is worth: units, or a proved win or loss with its length.

use std::{cmp::Ordering, fmt, ops::Neg};

/// The worth of a position for the side to move.
///
/// A win or loss is only claimed after a check without reductions that uses the game's real history;
/// a decided position that could not be checked is a large number of units.
///
/// ```
/// use tablut_engine::Score;
/// assert!(Score::Win(3) > Score::Win(5) && Score::Win(5) > Score::Units(9_000));
/// assert!(Score::Loss(2) < Score::Loss(4));
/// assert_eq!(-Score::Win(3), Score::Loss(3));
/// assert_eq!(Score::Units(125).to_string(), "+1.25");
/// assert_eq!(Score::Win(5).to_string(), "win in 5");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Score {
    /// Hundredths of an attacking man.
    Units(i32),
    /// The side to move wins in at most this many plies.
    Win(u32),
    /// The side to move loses in at most this many plies.
    Loss(u32),
}

impl Score {
    /// Units from here on (either way) stand for a decided position.
    pub const DECIDED: i32 = 10_000;

    /// The score seen from the other side.
    #[must_use]
    pub const fn negate(self) -> Self {
        match self {
            Self::Units(units) => Self::Units(-units),
            Self::Win(plies) => Self::Loss(plies),
            Self::Loss(plies) => Self::Win(plies),
        }
    }

    /// Whether the side to move wins, proved or not.
    #[must_use]
    pub const fn is_winning(self) -> bool {
        match self {
            Self::Win(_) => true,
            Self::Units(units) => units >= Self::DECIDED,
            Self::Loss(_) => false,
        }
    }

    /// Whether the side to move loses, proved or not.
    #[must_use]
    pub const fn is_losing(self) -> bool {
        self.negate().is_winning()
    }

    /// One number that orders all scores.
    const fn rank(self) -> (i8, i64) {
        match self {
            Self::Loss(plies) => (-1, plies as i64),
            Self::Units(units) => (0, units as i64),
            Self::Win(plies) => (1, -(plies as i64)),
        }
    }
}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        self.negate()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match *self {
            Self::Units(units) => {
                let sign = if units < 0 { '-' } else { '+' };
                let size = units.unsigned_abs();
                format!("{sign}{}.{:02}", size / 100, size % 100)
            }
            Self::Win(plies) => format!("win in {plies}"),
            Self::Loss(plies) => format!("loss in {plies}"),
        })
    }
}

/// Scores inside the search: plain numbers, wins counted from the root.
pub(crate) mod value {
    use super::Score;

    /// A win at the root.
    pub(crate) const WIN: i32 = 30_000;
    /// Larger than every value.
    pub(crate) const INFINITY: i32 = 31_000;
    /// Wins of up to this many plies are told from units.
    pub(crate) const LONGEST: i32 = 1_000;
    /// Values from here on are wins.
    pub(crate) const DECIDED: i32 = WIN - LONGEST;
    /// The largest value of an evaluation.
    pub(crate) const MOST: i32 = Score::DECIDED - 1;

    /// Whether a value says who wins.
    #[inline(always)]
    pub(crate) const fn is_decided(value: i32) -> bool {
        value >= DECIDED || value <= -DECIDED
    }

    /// In how many plies a decided value wins (or loses) from the root.
    pub(crate) const fn plies(value: i32) -> u32 {
        (WIN - value.abs()).unsigned_abs()
    }

    /// The score of a decided value that has been checked.
    pub(crate) const fn proved(value: i32) -> Score {
        if value > 0 {
            Score::Win(plies(value))
        } else {
            Score::Loss(plies(value))
        }
    }

    /// The score of a value that has not been checked.
    pub(crate) const fn unproved(value: i32) -> Score {
        if value >= DECIDED {
            Score::Units(2 * Score::DECIDED - plies(value) as i32)
        } else if value <= -DECIDED {
            Score::Units(plies(value) as i32 - 2 * Score::DECIDED)
        } else {
            Score::Units(value)
        }
    }

    /// The value as the table keeps it: wins counted from the node.
    #[inline(always)]
    pub(crate) const fn to_table(value: i32, ply: i32) -> i32 {
        if value >= DECIDED {
            value + ply
        } else if value <= -DECIDED {
            value - ply
        } else {
            value
        }
    }

    /// The value as the search uses it: wins counted from the root.
    #[inline(always)]
    pub(crate) const fn from_table(value: i32, ply: i32) -> i32 {
        if value >= DECIDED {
            value - ply
        } else if value <= -DECIDED {
            value + ply
        } else {
            value
        }
    }
}
