//! Where games meet: positions under a rule set, folded.

use std::sync::{Arc, OnceLock};

use tablut_rules::{BuiltIn, Fold, Folded, Move, Position, Rules, Symmetry};

/// A position under a rule set, whichever way the board is turned: a number that is the same for the same
/// place, and almost never otherwise. It is kept in stores, so it never changes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(pub u64);

/// A move as it is counted: where it was made, and what it is there, folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// Where.
    pub place: Place,
    /// The move, folded together with the position.
    pub step: Move,
}

/// What finds the places of a rule set.
pub struct Tracker {
    fold: Fold,
    /// The same positions under other rules are other places.
    salt: u64,
}

impl Tracker {
    /// What finds the places of rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Self {
        Self {
            fold: Fold::new(rules.set()),
            salt: salt(rules.set().id()),
        }
    }

    /// The place of a position.
    #[must_use]
    pub fn place(&self, position: &Position) -> Place {
        self.salted(self.fold.position(position))
    }

    fn salted(&self, folded: Folded) -> Place {
        Place(folded.key ^ self.salt)
    }

    /// Where a move is made, and what it is there.
    #[must_use]
    pub fn footprint(&self, position: &Position, step: Move) -> Footprint {
        let (folded, step) = self.fold.step(position, step);
        Footprint {
            place: self.salted(folded),
            step,
        }
    }

    /// A folded move as it stands in a position.
    #[must_use]
    pub fn unfold(&self, position: &Position, step: Move) -> Move {
        self.fold.unfold(self.fold.position(position), step)
    }

    /// All moves of a position that are counted as one.
    #[must_use]
    pub fn images(&self, position: &Position, step: Move) -> Vec<Move> {
        self.fold.images(position, step)
    }

    /// What turns a position into the image that all its images share.
    #[must_use]
    pub fn symmetry(&self, position: &Position) -> Symmetry {
        self.fold.position(position).symmetry
    }

    /// The places that a game passes and the moves made there, for as long as its moves are legal.
    pub fn path<'a>(
        &'a self,
        rules: &'a Rules,
        start: Position,
        moves: impl IntoIterator<Item = Move> + 'a,
    ) -> impl Iterator<Item = Footprint> + 'a {
        let mut position = Some(start);
        moves.into_iter().map_while(move |step| {
            let here = position?;
            let applied = rules.apply(&here, step).ok()?;
            position = applied.end.is_none().then_some(applied.position);
            Some(self.footprint(&here, step))
        })
    }
}

/// A rule set that ships, with what finds its places.
pub struct Ground {
    /// The rules.
    pub rules: Arc<Rules>,
    /// What finds their places.
    pub tracker: Tracker,
}

impl Ground {
    /// That of a set; made once.
    #[must_use]
    pub fn of(set: BuiltIn) -> &'static Self {
        static MADE: [OnceLock<Ground>; BuiltIn::ALL.len()] =
            [const { OnceLock::new() }; BuiltIn::ALL.len()];
        let index = BuiltIn::ALL.iter().position(|&one| one == set);
        MADE[index.unwrap_or_default()].get_or_init(|| {
            let rules = set.rules();
            let tracker = Tracker::new(&rules);
            Self { rules, tracker }
        })
    }

    /// That of the set with an id, if it ships.
    #[must_use]
    pub fn named(id: &str) -> Option<&'static Self> {
        id.parse().ok().map(Self::of)
    }
}

/// A number for the id of a rule set (FNV-1a, then mixed).
fn salt(id: &str) -> u64 {
    let sum = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    (sum ^ (sum >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use tablut_rules::BuiltIn;

    use super::*;

    #[test]
    fn places_in_stores_stay_what_they_are() {
        let place = |set: BuiltIn| {
            let rules = set.rules();
            Tracker::new(&rules).place(&rules.start()).0
        };
        assert_eq!(place(BuiltIn::Ashton), PLACES.0);
        assert_eq!(place(BuiltIn::Berkeley), PLACES.1);
    }

    /// What stores of all versions hold.
    const PLACES: (u64, u64) = (10_156_117_647_184_217_525, 7_742_202_487_912_388_269);

    #[test]
    fn a_path_ends_where_moves_end() {
        let rules = BuiltIn::Ashton.rules();
        let tracker = Tracker::new(&rules);
        let steps = ["e4f4", "d1c1", "e4e3"].map(|step| step.parse().unwrap());
        let path: Vec<_> = tracker.path(&rules, rules.start(), steps).collect();
        assert_eq!(path.len(), 2);
        let mirrored = ["e4d4", "f1g1"].map(|step| step.parse().unwrap());
        let other: Vec<_> = tracker.path(&rules, rules.start(), mirrored).collect();
        assert_eq!(path, other);
    }
}
