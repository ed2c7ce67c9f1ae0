//! Marks: how bad a move was, by the winning chances it lost.

/// How bad a move was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum MoveMark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl MoveMark {
    /// Every mark, the mildest first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The winning chances a move has to lose to get the mark, on a scale from 0 to 1.
    #[must_use]
    pub const fn threshold(self) -> f64 {
        match self {
            Self::Inaccuracy => 0.05,
            Self::Mistake => 0.10,
            Self::Blunder => 0.15,
        }
    }

    /// The mark of a move that lost winning chances.
    #[must_use]
    pub fn of_loss(loss: f64) -> Option<Self> {
        let mut harshest_first = Self::ALL.into_iter().rev();
        harshest_first.find(|mark| loss >= mark.threshold())
    }

    /// The sign in lists of moves.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric glyph in records.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Self::Mistake => 2,
            Self::Blunder => 4,
            Self::Inaccuracy => 6,
        }
    }
}

/// The sign of an only move in lists of moves.
pub const ONLY_MOVE_SIGN: &str = "□";

/// The numeric glyph of an only move in records.
pub const ONLY_MOVE_NAG: u8 = 7;
