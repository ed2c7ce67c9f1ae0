//! One value for each side.

use core::ops::{Index, IndexMut};

use crate::Side;

/// One value for each side, asked for by [`Side`] and written by name, so that no order of the two
/// has to be remembered.
///
/// With the feature `serde` the fields are called `white` and `black`, as people know the sides.
///
/// ```
/// use tablut_rules::{BySide, Side};
/// let men = BySide { attackers: 16, defenders: 8 };
/// assert_eq!(men[Side::Attackers], 16);
/// assert_eq!(men.map(|count| count / 2), BySide { attackers: 8, defenders: 4 });
/// for (side, count) in men {
///     println!("{side} has {count} men");
/// }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BySide<T> {
    /// The attackers', who are black.
    #[cfg_attr(feature = "serde", serde(rename = "black"))]
    pub attackers: T,
    /// The defenders', who are white.
    #[cfg_attr(feature = "serde", serde(rename = "white"))]
    pub defenders: T,
}

impl<T> BySide<T> {
    /// The value that a function gives for each side.
    #[inline(always)]
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> Self {
        Self {
            attackers: make(Side::Attackers),
            defenders: make(Side::Defenders),
        }
    }

    /// The same value for both sides.
    #[inline(always)]
    pub fn both(value: T) -> Self
    where
        T: Clone,
    {
        Self {
            attackers: value.clone(),
            defenders: value,
        }
    }

    /// The value of a side; `by_side[side]` is the same where constants are not computed.
    #[must_use]
    #[inline(always)]
    pub const fn get(&self, side: Side) -> &T {
        match side {
            Side::Attackers => &self.attackers,
            Side::Defenders => &self.defenders,
        }
    }

    /// What a function makes of each value.
    #[inline(always)]
    pub fn map<U>(self, mut make: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            attackers: make(self.attackers),
            defenders: make(self.defenders),
        }
    }

    /// What a function makes of each value, unless it fails for one.
    ///
    /// # Errors
    /// The first failure.
    pub fn try_map<U, E>(self, mut make: impl FnMut(T) -> Result<U, E>) -> Result<BySide<U>, E> {
        Ok(BySide {
            attackers: make(self.attackers)?,
            defenders: make(self.defenders)?,
        })
    }

    /// Both sides' values together with those of another.
    #[inline(always)]
    pub fn zip<U>(self, other: BySide<U>) -> BySide<(T, U)> {
        BySide {
            attackers: (self.attackers, other.attackers),
            defenders: (self.defenders, other.defenders),
        }
    }

    /// References to the values.
    #[inline(always)]
    pub const fn as_ref(&self) -> BySide<&T> {
        BySide {
            attackers: &self.attackers,
            defenders: &self.defenders,
        }
    }

    /// References to the values, to change them.
    #[inline(always)]
    pub const fn as_mut(&mut self) -> BySide<&mut T> {
        BySide {
            attackers: &mut self.attackers,
            defenders: &mut self.defenders,
        }
    }

    /// Each side with its value, the attackers first.
    pub fn iter(&self) -> core::array::IntoIter<(Side, &T), 2> {
        self.as_ref().into_iter()
    }

    /// Each side with its value, to change it, the attackers first.
    pub fn iter_mut(&mut self) -> core::array::IntoIter<(Side, &mut T), 2> {
        self.as_mut().into_iter()
    }

    /// Each side with its value, white first: the order in which people write the two.
    pub fn white_first(self) -> core::array::IntoIter<(Side, T), 2> {
        [
            (Side::Defenders, self.defenders),
            (Side::Attackers, self.attackers),
        ]
        .into_iter()
    }

    /// The values without their sides, the attackers' first.
    pub fn values(&self) -> core::array::IntoIter<&T, 2> {
        [&self.attackers, &self.defenders].into_iter()
    }

    /// Gives each side the other's value.
    pub const fn swap(&mut self) {
        core::mem::swap(&mut self.attackers, &mut self.defenders);
    }

    /// The same values with the sides exchanged.
    #[must_use]
    pub fn into_swapped(self) -> Self {
        Self {
            attackers: self.defenders,
            defenders: self.attackers,
        }
    }
}

impl<T> BySide<Option<T>> {
    /// Both values, if neither is missing.
    #[must_use]
    pub fn transpose(self) -> Option<BySide<T>> {
        Some(BySide {
            attackers: self.attackers?,
            defenders: self.defenders?,
        })
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, side: Side) -> &T {
        self.get(side)
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline(always)]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Attackers => &mut self.attackers,
            Side::Defenders => &mut self.defenders,
        }
    }
}

impl<T> IntoIterator for BySide<T> {
    type Item = (Side, T);
    type IntoIter = core::array::IntoIter<(Side, T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        [
            (Side::Attackers, self.attackers),
            (Side::Defenders, self.defenders),
        ]
        .into_iter()
    }
}

impl<'a, T> IntoIterator for &'a BySide<T> {
    type Item = (Side, &'a T);
    type IntoIter = core::array::IntoIter<(Side, &'a T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut BySide<T> {
    type Item = (Side, &'a mut T);
    type IntoIter = core::array::IntoIter<(Side, &'a mut T), 2>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    const MEN: BySide<u32> = BySide {
        attackers: 16,
        defenders: 8,
    };

    #[test]
    fn each_side_gets_its_own_value_by_every_way_in() {
        assert_eq!(BySide::from_fn(|side| MEN[side]), MEN);
        for side in Side::ALL {
            assert_eq!(*MEN.get(side), MEN[side]);
            let mut changed = MEN;
            changed[side] = 1;
            assert_eq!(changed[side], 1);
            assert_eq!(changed[side.opponent()], MEN[side.opponent()]);
        }
        let listed: Vec<(Side, u32)> = MEN.into_iter().collect();
        assert_eq!(listed, [(Side::Attackers, 16), (Side::Defenders, 8)]);
        let written: Vec<(Side, u32)> = MEN.white_first().collect();
        assert_eq!(written, Side::WHITE_FIRST.map(|side| (side, MEN[side])));
    }

    #[test]
    fn pairs_are_zipped_and_swapped_side_by_side() {
        let names = BySide {
            attackers: "black",
            defenders: "white",
        };
        assert_eq!(MEN.zip(names)[Side::Defenders], (8, "white"));
        let mut swapped = MEN;
        swapped.swap();
        assert_eq!(swapped, MEN.into_swapped());
        assert_eq!(swapped.attackers, MEN.defenders);
    }

    #[test]
    fn a_value_that_is_missing_or_fails_leaves_no_pair() {
        let half = BySide {
            attackers: Some(1),
            defenders: None,
        };
        assert_eq!(half.transpose(), None);
        assert_eq!(MEN.map(Some).transpose(), Some(MEN));
        let small = MEN.try_map(|count| if count < 10 { Ok(count) } else { Err(count) });
        assert_eq!(small, Err(16));
    }
}
