//! Raichi and tuichu: the king's open lanes.

use crate::{Bitboard, Direction, Piece, Position, Rules, Square};

/// A way out: the king can reach a goal in this direction with one move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Lane {
    /// Where it leads.
    pub direction: Direction,
    /// The nearest goal.
    pub goal: Square,
    /// The squares from beside the king to the goal.
    pub path: Bitboard,
}

/// The king's open lanes now, whoever is to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Calls {
    lanes: [Option<Lane>; 4],
}

impl Calls {
    /// The open lanes.
    pub fn lanes(&self) -> impl Iterator<Item = Lane> + '_ {
        self.lanes.iter().flatten().copied()
    }

    /// How many lanes are open.
    #[must_use]
    pub fn count(&self) -> usize {
        self.lanes().count()
    }

    /// Exactly one lane is open.
    #[must_use]
    pub fn is_raichi(&self) -> bool {
        self.count() == 1
    }

    /// Two or more lanes are open.
    #[must_use]
    pub fn is_tuichu(&self) -> bool {
        self.count() >= 2
    }

    /// What the defenders would call out: `raichi`, `tuichu`, or nothing.
    #[must_use]
    pub fn word(&self) -> Option<&'static str> {
        match self.count() {
            0 => None,
            1 => Some("raichi"),
            _ => Some("tuichu"),
        }
    }
}

impl Rules {
    /// The king's open lanes in a position, whoever is to move.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// use tablut_rules::{Rules, Setup};
    /// let rules = Rules::ashton();
    /// let setup: Setup = "9/9/1b1K5/9/9/9/9/9/9 b".parse().expect("a position");
    /// let position = rules.position(&setup).expect("sound");
    /// assert_eq!(rules.calls(&position).word(), Some("raichi"));
    /// # }
    /// ```
    #[must_use]
    pub fn calls(&self, position: &Position) -> Calls {
        self.calls_from(position.king(), position.occupied())
    }

    /// The open lanes of a king on a square, given the occupied squares.
    pub(crate) fn calls_from(&self, king: Square, occupied: Bitboard) -> Calls {
        let targets = self.slide_targets(Piece::King, king, occupied) & self.goals();
        let mut calls = Calls::default();
        for goal in targets {
            let Some(direction) = king.direction_to(goal) else {
                continue;
            };
            let path: Bitboard = king.between(goal).collect();
            let slot = &mut calls.lanes[direction as usize];
            // Goals behind the nearest one belong to the same lane.
            if slot.is_none_or(|lane| path.len() < lane.path.len() - 1) {
                *slot = Some(Lane {
                    direction,
                    goal,
                    path: path.with(goal),
                });
            }
        }
        calls
    }
}
