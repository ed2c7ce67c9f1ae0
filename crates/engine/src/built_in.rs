//! Which built-in set rules are: networks and books belong to exactly those.

use tablut_rules::{BuiltIn, Rules};

/// The built-in set that rules are, with its number; those of a user's own set are none, whatever its
/// name.
pub(crate) fn built_in_set(rules: &Rules) -> Option<(usize, BuiltIn)> {
    let set: BuiltIn = rules.set().id().parse().ok()?;
    if *set.rules() != *rules {
        return None;
    }
    let index = BuiltIn::ALL.iter().position(|&other| other == set)?;
    Some((index, set))
}
