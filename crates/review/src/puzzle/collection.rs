//! The puzzles that ship.

use std::sync::OnceLock;

use tablut_rules::BuiltIn;

use super::{Puzzle, PuzzleTextError};

/// Reads puzzles, one in a line; empty lines and lines that begin with `#` are left out.
///
/// # Errors
/// The number of the first line that is not a puzzle, and what is wrong with it.
pub fn read_puzzles(text: &str) -> Result<Vec<Puzzle>, (usize, PuzzleTextError)> {
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    lines
        .map(|(n, line)| line.parse().map_err(|error| (n + 1, error)))
        .collect()
}

/// The text of a set's puzzles; a set without any has none.
const fn text(set: BuiltIn) -> &'static str {
    match set {
        BuiltIn::Ashton => include_str!("../../puzzles/ashton.txt"),
        BuiltIn::AshtonSiege => include_str!("../../puzzles/ashton-siege.txt"),
        BuiltIn::AshtonSplit => include_str!("../../puzzles/ashton-split.txt"),
        BuiltIn::Berkeley => include_str!("../../puzzles/berkeley.txt"),
        BuiltIn::Linnaeus => include_str!("../../puzzles/linnaeus.txt"),
        BuiltIn::Classic => include_str!("../../puzzles/classic.txt"),
        BuiltIn::Modern => include_str!("../../puzzles/modern.txt"),
        _ => "",
    }
}

/// The puzzles that ship for a rule set, by their number.
///
/// # Panics
/// A file that ships is broken; a test reads them all.
#[must_use]
pub fn built_in_puzzles(set: BuiltIn) -> &'static [Puzzle] {
    static PUZZLES: [OnceLock<Vec<Puzzle>>; BuiltIn::ALL.len()] =
        [const { OnceLock::new() }; BuiltIn::ALL.len()];
    PUZZLES[set as usize].get_or_init(|| {
        read_puzzles(text(set)).unwrap_or_else(|(line, error)| {
            panic!("line {line} of the puzzles of {set}: {error}");
        })
    })
}

/// A puzzle that ships, by its number.
#[must_use]
pub fn puzzle(set: BuiltIn, number: u32) -> Option<&'static Puzzle> {
    let puzzles = built_in_puzzles(set);
    let index = puzzles.binary_search_by_key(&number, |puzzle| puzzle.number);
    index.ok().map(|index| &puzzles[index])
}
