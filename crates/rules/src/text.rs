//! Sentences for people, in every language the suite speaks.
//!
//! Here, and in the text formats, the sides are called white and black. `Display` of illegal moves,
//! captures and outcomes is the English sentence; faults of texts and files are English only.

mod clause;
mod de;
mod describe;
mod en;
mod example;
mod harmless;
mod it;
#[macro_use]
mod lang;
mod topic;
mod verdict;

use alloc::{string::String, vec, vec::Vec};
use core::fmt;

use crate::{Capture, IllegalMove, Outcome, RuleSet, Rules, SetupFault};

pub use harmless::{harmless, harmless_lines, is_harmful};
pub use lang::{Lang, ParseLangError};
pub use topic::Topic;

/// What each language has to say about the rules. Short sentences come without capital and full stop.
struct Words {
    /// What the marks of a diagram mean, each with its mark.
    legend: Legend,
    /// The rules in sentences.
    sections: fn(&clause::Clauses) -> Vec<Section>,
    /// Why a move is illegal.
    illegal_move: fn(&IllegalMove) -> String,
    /// What is wrong with a set-up.
    setup_fault: fn(&SetupFault) -> String,
    /// What was captured and why.
    capture: fn(&Capture) -> String,
    /// What can be captured and how.
    threat: fn(&Capture) -> String,
    /// Who won and why.
    outcome: fn(&Outcome) -> String,
    /// What comes before the reason why a move is illegal.
    not_allowed: &'static str,
    /// That a move is legal and does nothing else.
    no_capture: &'static str,
    /// What stands above positions that show captures of men, captures of the king, and other ends.
    topics: [&'static str; 3],
    /// What is said before a capture that the king makes.
    king_captures: &'static str,
}

/// What the marks of a diagram mean, each with its mark.
struct Legend {
    castle: &'static str,
    camp: &'static str,
    escape: &'static str,
}

impl Lang {
    /// What the language says about the rules.
    const fn words(self) -> &'static Words {
        in_language!(self, WORDS)
    }

    /// What stands above positions that show captures of men, captures of the king, and other ends.
    pub(crate) const fn topics(self) -> [&'static str; 3] {
        self.words().topics
    }

    /// What is said before a capture that the king makes.
    pub(crate) const fn king_captures(self) -> &'static str {
        self.words().king_captures
    }

    /// What the marks of a [`Diagram`](crate::notation::Diagram) mean: those that a board of the rules
    /// has.
    #[must_use]
    pub fn legend(self, rules: &Rules) -> String {
        let legend = &self.words().legend;
        let mut marks = vec![legend.castle];
        if !rules.camps().is_empty() {
            marks.push(legend.camp);
        }
        if !rules.escapes().is_empty() {
            marks.push(legend.escape);
        }
        marks.join(", ")
    }
}

/// A titled group of sentences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// What the sentences are about.
    pub title: &'static str,
    /// The sentences, each complete in itself.
    pub sentences: Vec<String>,
}

impl RuleSet {
    /// The name in a language.
    #[must_use]
    pub fn name_in(&self, lang: Lang) -> &str {
        self.name.in_language(lang)
    }

    /// The rules in sentences, made from the data.
    #[must_use]
    pub fn describe(&self, lang: Lang) -> Vec<Section> {
        (lang.words().sections)(&describe::clauses(self))
    }
}

impl IllegalMove {
    /// The reason as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (lang.words().illegal_move)(self)
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Lang::En))
    }
}

impl SetupFault {
    /// What is wrong as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (lang.words().setup_fault)(self)
    }
}

impl fmt::Display for SetupFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Lang::En))
    }
}

impl Capture {
    /// What was captured and why, as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (lang.words().capture)(self)
    }

    /// The capture as something that could happen, as a sentence without capital and full stop: "the
    /// man on d4 can be captured between c4 and the camp square e4".
    #[must_use]
    pub fn threat(&self, lang: Lang) -> String {
        (lang.words().threat)(self)
    }
}

impl fmt::Display for Capture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Lang::En))
    }
}

impl Outcome {
    /// Who won and why, as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        (lang.words().outcome)(self)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Lang::En))
    }
}
