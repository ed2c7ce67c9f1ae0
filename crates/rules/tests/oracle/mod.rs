//! The rules a second time: slow, plain, and written from the text of the rules.
//!
//! The oracle works on arrays of squares and asks the rule set's parameters one by one where a rule
//! needs them, so that each function can be held against one sentence of the rules. It shares no
//! table and no helper with the fast code: the crate's types appear only where questions come in
//! and answers go out. It must stay slow; whoever makes it clever makes it useless.
//!
//! The same files are compiled twice: for `tests/oracle.rs`, which plays at random and compares,
//! and for `src/rules/planted.rs`, which spoils tables and expects the comparison to notice. There
//! the crate is `no_std`, so these files import what the standard prelude would give them.

// Inside the crate, where every value of a parameter is known, no value is left for `unknown`.
#![allow(unreachable_patterns)]
// From outside the crate such structs cannot be written in one expression.
#![allow(clippy::field_reassign_with_default)]

mod blame;
mod board;
mod capture;
pub(crate) mod comparison;
mod dice;
mod movement;
mod record;
mod sample;

pub(crate) use board::{Board, Cell, Place, WAYS, Way};
pub(crate) use comparison::{compare_game, compare_position, compare_setup, compare_start};
pub(crate) use dice::Dice;
pub(crate) use record::Record;
pub(crate) use sample::{random_laws, random_set, random_setup};

use std::fmt;

use tablut_rules::{Goals, RuleSet};

/// What the oracle does with a value of a parameter that it has not been taught: it fails the test
/// that asked. From outside the crate the compiler cannot ask for every value.
fn unknown(value: impl fmt::Debug) -> ! {
    panic!("the oracle does not know {value:?}; teach it in tests/oracle")
}

/// A rule set, asked in plain words.
#[derive(Clone, Copy)]
pub(crate) struct Oracle<'a> {
    set: &'a RuleSet,
}

impl<'a> Oracle<'a> {
    /// The oracle of a rule set.
    pub(crate) const fn new(set: &'a RuleSet) -> Self {
        Self { set }
    }

    /// The castle.
    fn castle(self) -> Place {
        Place::from(self.set.castle())
    }

    /// The number of the camp that a square belongs to, if it is a camp square.
    fn camp_of(self, place: Place) -> Option<usize> {
        self.set.camps().iter().position(|&camp| place.is_in(camp))
    }

    /// Whether the king wins by stopping on a square.
    fn is_goal(self, place: Place) -> bool {
        let last = i32::from(self.set.size().rows()) - 1;
        let in_outer_row = place.row == 0 || place.row == last;
        let in_outer_column = place.column == 0 || place.column == last;
        match self.set.goals() {
            Goals::Edge => in_outer_row || in_outer_column,
            Goals::Corners => in_outer_row && in_outer_column,
            Goals::Squares(squares) => place.is_in(squares),
            other => unknown(other),
        }
    }
}
