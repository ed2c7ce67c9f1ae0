//! What lessons in the terminal say besides the lessons themselves.

mod de;
mod en;
mod it;

use tablut_rules::{Move, in_language, text::Lang};

/// What each language says.
pub(super) struct Words {
    /// The head of a step: its number, how many there are, its title.
    pub(super) step: fn(usize, usize, &str) -> String,
    /// What the letters on the boards are, with or without camps.
    pub(super) letters: fn(bool) -> String,
    /// What can be typed.
    pub(super) help: &'static str,
    /// A move that does the task, and what is said of it.
    pub(super) right_move: fn(Move, &str) -> String,
    /// What the other side answers.
    pub(super) reply: fn(Move) -> String,
    /// That the last step is done.
    pub(super) end: &'static str,
}

pub(super) const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}
