//! The sets that ship. Each is a text in `sets/`; nothing else in the code knows them.

use super::RuleSet;

/// Id and text of each set, in the order in which they are listed. Hidden ones come last.
static SETS: &[(&str, &str)] = &[
    ("ashton", include_str!("../sets/ashton.toml")),
    ("ashton-siege", include_str!("../sets/ashton-siege.toml")),
    ("ashton-split", include_str!("../sets/ashton-split.toml")),
    ("berkeley", include_str!("../sets/berkeley.toml")),
    ("linnaeus", include_str!("../sets/linnaeus.toml")),
    ("classic", include_str!("../sets/classic.toml")),
    ("modern", include_str!("../sets/modern.toml")),
    (
        "referee-classic",
        include_str!("../sets/referee-classic.toml"),
    ),
    (
        "referee-modern",
        include_str!("../sets/referee-modern.toml"),
    ),
    (
        "referee-brandub",
        include_str!("../sets/referee-brandub.toml"),
    ),
];

/// How many of them are listed.
const LISTED: usize = 7;

fn read(text: &str) -> RuleSet {
    RuleSet::read(text).expect("a built-in set is sound")
}

impl RuleSet {
    /// The built-in set with an id, hidden ones included.
    #[must_use]
    pub fn builtin(id: &str) -> Option<Self> {
        let (_, text) = SETS.iter().find(|(known, _)| *known == id)?;
        Some(read(text))
    }

    /// The built-in sets that users are offered, the default first.
    pub fn listed() -> impl Iterator<Item = Self> {
        SETS[..LISTED].iter().map(|(_, text)| read(text))
    }

    /// The twins of the reference referee's variants, with its mistakes: for checks, not for play.
    pub fn hidden() -> impl Iterator<Item = Self> {
        SETS[LISTED..].iter().map(|(_, text)| read(text))
    }
}
