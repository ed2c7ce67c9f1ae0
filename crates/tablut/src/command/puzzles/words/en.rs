//! English.

use super::Words;

pub(super) const WORDS: Words = Words {
    puzzle: "Puzzle",
    help: "Type a move such as e3e7; h for a hint, s for the solution, n for another one, q to stop.",
    again: "Try again.",
    rating: "Your rating:",
};
