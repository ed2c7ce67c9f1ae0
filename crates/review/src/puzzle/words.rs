//! What is said about puzzles, in every language; each is a module with one `Words`.

mod de;
mod en;
mod it;

use tablut_rules::{Move, Position, Rules, Side, Square, in_language, text::Lang};

use super::{Motif, Puzzle, PuzzleGoal};
use crate::{deeds, text::dashed};

/// What each language says about puzzles, in whole sentences.
struct Words {
    motif: fn(Motif) -> &'static str,
    /// What a side has to do, given how many moves of its own it has for a win.
    win: fn(Side, u32) -> String,
    save: fn(Side) -> &'static str,
    right: fn(&str) -> String,
    solved: &'static str,
    /// The opponent's answer to a wrong move, if there is one.
    wrong: fn(&str) -> String,
    wrong_at_once: &'static str,
    /// A win, but not the shortest.
    slower: &'static str,
    /// Which piece to move.
    hint: fn(Square) -> String,
    solution: fn(&str) -> String,
}

const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}

impl Motif {
    /// What the motif is called.
    #[must_use]
    pub fn name(self, lang: Lang) -> &'static str {
        (words(lang).motif)(self)
    }
}

impl Puzzle {
    /// What is to be done.
    #[must_use]
    pub fn task(&self, lang: Lang) -> String {
        let words = words(lang);
        match self.goal {
            PuzzleGoal::Win => (words.win)(self.side(), self.plies().div_ceil(2)),
            PuzzleGoal::Save => (words.save)(self.side()).into(),
        }
    }
}

/// What is said of a right move: what it does, by the rules.
#[must_use]
pub fn praise(rules: &Rules, before: &Position, step: Move, is_last: bool, lang: Lang) -> String {
    let words = words(lang);
    let right = (words.right)(&dashed(step));
    let done: Vec<String> = deeds(rules, before, step)
        .iter()
        .take(2)
        .map(|deed| deed.sentence(lang))
        .collect();
    let solved = if is_last { words.solved } else { "" };
    let what = match done.is_empty() {
        true => String::new(),
        false => format!(" {}.", crate::text::capitalized(&done.join(", "))),
    };
    format!("{right}{what} {solved}").trim().into()
}

/// What is said of a wrong move, given the opponent's answer.
#[must_use]
pub fn blame(reply: Option<Move>, lang: Lang) -> String {
    match reply {
        Some(reply) => (words(lang).wrong)(&dashed(reply)),
        None => words(lang).wrong_at_once.into(),
    }
}

/// What is said of a move that wins too, but later.
#[must_use]
pub fn slower(lang: Lang) -> &'static str {
    words(lang).slower
}

/// Which piece is to be moved.
#[must_use]
pub fn hint(from: Square, lang: Lang) -> String {
    (words(lang).hint)(from)
}

/// The solution.
#[must_use]
pub fn solution(moves: &[Move], lang: Lang) -> String {
    let moves: Vec<String> = moves.iter().map(|&step| dashed(step)).collect();
    (words(lang).solution)(&moves.join(" "))
}
