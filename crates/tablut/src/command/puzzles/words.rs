//! What solving puzzles in the terminal says besides the puzzles themselves.

mod de;
mod en;
mod it;

use tablut_rules::{in_language, text::Lang};

/// What each language says.
pub(super) struct Words {
    /// What a puzzle is called before its number.
    pub(super) puzzle: &'static str,
    /// What can be typed.
    pub(super) help: &'static str,
    /// That another try may follow.
    pub(super) again: &'static str,
    /// What comes before a rating.
    pub(super) rating: &'static str,
}

pub(super) const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}
