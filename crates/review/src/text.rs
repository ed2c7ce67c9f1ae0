//! Sentences about moves, in every language: each is a fact in words.
//!
//! Each language is a module with one `Words`; a missing sentence does not compile. Parts of sentences
//! come without capital and full stop.

mod de;
mod en;
mod it;

use tablut_engine::Score;
use tablut_rules::{Move, Piece, Side, Square, in_language, text::Lang};

use crate::{BetterLine, Deed, Fact, MoveMark, Retry, RetryRating, ReviewedMove};

/// What each language has to say about moves.
struct Words {
    /// What a mark calls a move.
    mark: fn(MoveMark) -> &'static str,
    /// What a move does, as a predicate that can follow the move; how it ends the game, as a sentence.
    deed: fn(&Deed) -> String,
    /// A fact.
    fact: fn(&Fact) -> String,
    /// From one of White's scores to another.
    swing: fn(&str, &str) -> String,
    /// That a side wins, where a score would stand.
    won: fn(Side) -> &'static str,
    /// The better move.
    best: fn(&str) -> String,
    /// How good a move is that was tried.
    rating: fn(RetryRating) -> &'static str,
    /// The sign between units and decimals.
    decimal: char,
}

const fn words(lang: Lang) -> &'static Words {
    in_language!(lang, WORDS)
}

/// At most this many facts are said about a move.
const MOST_FACTS: usize = 3;

/// At most this many deeds are said of a reply or a better move.
const MOST_DEEDS: usize = 2;

impl Fact {
    /// The fact as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (words(lang).fact)(self)
    }
}

impl Deed {
    /// The deed as a predicate that can follow the move, or how the game ends; without full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (words(lang).deed)(self)
    }
}

impl MoveMark {
    /// What the mark calls a move: "a mistake".
    #[must_use]
    pub fn name(self, lang: Lang) -> &'static str {
        (words(lang).mark)(self)
    }
}

impl RetryRating {
    /// The rating as a sentence with its full stop.
    #[must_use]
    pub fn sentence(self, lang: Lang) -> &'static str {
        (words(lang).rating)(self)
    }
}

impl BetterLine {
    /// The better move and what it does, without capital and full stop; nothing if there is no move.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> Option<String> {
        let best = (words(lang).best)(&dashed(self.step()?));
        Some(match self.deeds.is_empty() {
            true => best,
            false => format!("{best} ({})", joined(&self.deeds, words(lang))),
        })
    }
}

impl ReviewedMove {
    /// What is said about the move in a review; empty if there is nothing to say.
    ///
    /// For a bad move the mark, what is wrong with it, how White's score changed, and the better move;
    /// for an only move and for the end of the game, that it is.
    #[must_use]
    pub fn comment(&self, lang: Lang) -> String {
        let words = words(lang);
        let Some(mark) = self.mark else {
            return self.praise(lang);
        };
        let facts = self.blamed();
        let mut sentences: Vec<String> = facts.iter().map(|fact| fact.sentence(lang)).collect();
        let is_proved =
            |fact: &&Fact| matches!(fact, Fact::MissesWin { .. } | Fact::AllowsWin { .. });
        // Where a win was proved, numbers would add nothing.
        if !facts.iter().any(is_proved) {
            let (from, to) = (self.white_before(), self.white_after());
            let swing = (words.swing)(&score(from, lang), &score(to, lang));
            match sentences.last_mut() {
                Some(last) => *last = format!("{last}; {swing}"),
                None => sentences.push(swing),
            }
        }
        if let Some(first) = sentences.first_mut() {
            *first = format!("{}: {first}", mark.name(lang));
        }
        sentences.extend(self.better.as_ref().and_then(|line| line.sentence(lang)));
        paragraph(&sentences)
    }

    /// The reasons for a mark that are worth saying.
    fn blamed(&self) -> Vec<&Fact> {
        let reply = self.reply.first().copied();
        worth_saying(&self.facts, reply)
    }

    /// What is said about a move that is not bad.
    fn praise(&self, lang: Lang) -> String {
        let said = self.facts.iter().filter(|fact| {
            let is_end = matches!(
                fact,
                Fact::Does {
                    deed: Deed::Ends { .. }
                }
            );
            is_end || matches!(fact, Fact::OnlyMove { .. } | Fact::Repeats { .. })
        });
        let sentences: Vec<String> = said.map(|fact| fact.sentence(lang)).collect();
        paragraph(&sentences)
    }
}

impl Retry {
    /// What is said about a move that was tried.
    #[must_use]
    pub fn comment(&self, lang: Lang) -> String {
        let rating = self.rating.sentence(lang);
        if self.rating == RetryRating::AsGood {
            return rating.into();
        }
        let facts = worth_saying(&self.facts, self.reply.first().copied());
        let sentences: Vec<String> = facts.iter().map(|fact| fact.sentence(lang)).collect();
        match sentences.is_empty() {
            true => rating.into(),
            false => format!("{rating} {}", paragraph(&sentences)),
        }
    }
}

/// The reasons why a move was bad that are worth saying: captures only if the opponent's best answer
/// is one, or if it is the king's.
fn worth_saying(facts: &[Fact], reply: Option<Move>) -> Vec<&Fact> {
    let is_worth = |fact: &&Fact| match fact {
        Fact::Exposes { by, capture } | Fact::LeavesBetween { by, capture } => {
            Some(*by) == reply || capture.piece == Piece::King
        }
        fact => fact.is_blame(),
    };
    facts.iter().filter(is_worth).take(MOST_FACTS).collect()
}

/// The first of some deeds.
fn joined(deeds: &[Deed], words: &Words) -> String {
    let said: Vec<String> = deeds.iter().take(MOST_DEEDS).map(words.deed).collect();
    said.join(", ")
}

/// Sentences with capitals and full stops.
fn paragraph(sentences: &[String]) -> String {
    let sentences = sentences.iter().map(|text| capitalized(text) + ".");
    sentences.collect::<Vec<_>>().join(" ")
}

/// A text that begins with a capital.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A move as people write it: `e9–e7`.
pub(crate) fn dashed(step: Move) -> String {
    format!("{}–{}", step.from(), step.to())
}

/// White's score in tenths, or who wins.
fn score(score: Score, lang: Lang) -> String {
    let words = words(lang);
    match score {
        score if score.is_winning() => (words.won)(Side::Defenders).into(),
        score if score.is_losing() => (words.won)(Side::Attackers).into(),
        Score::Units(units) => {
            let tenths = (f64::from(units) / 10.0).round() as i32;
            let sign = match tenths {
                0 => "",
                1.. => "+",
                _ => "−",
            };
            let size = tenths.unsigned_abs();
            format!("{sign}{}{}{}", size / 10, words.decimal, size % 10)
        }
        Score::Win(_) | Score::Loss(_) => String::new(),
    }
}

/// The names of squares, the last one after a word of its own.
fn list(squares: &[Square], last: &str) -> String {
    let names: Vec<String> = squares.iter().map(Square::to_string).collect();
    match &names[..] {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., end] => format!("{} {last} {end}", init.join(", ")),
    }
}
