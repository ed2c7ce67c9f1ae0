//! Sentences for people, in every language the suite speaks.
//!
//! Here, and in the text formats, the sides are called white and black. `Display` of illegal moves,
//! captures and outcomes is the English sentence; faults of texts and files are English only.

mod clause;
mod describe;
mod en;
mod example;
mod harmless;
mod it;
mod verdict;

use alloc::{string::String, vec, vec::Vec};
use core::{fmt, str::FromStr};

use crate::{Capture, IllegalMove, Outcome, RuleSet, Rules, SetupFault};

pub use harmless::{harmless, harmless_lines, is_harmful};

/// A language.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Italian.
    It,
}

impl Lang {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::En, Self::It];

    /// The two-letter code.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::It => "it",
        }
    }
}

impl Lang {
    /// What the marks of a [`Diagram`](crate::notation::Diagram) mean: those that a board of the rules
    /// has.
    #[must_use]
    pub fn legend(self, rules: &Rules) -> String {
        let [castle, camp, escape] = match self {
            Self::En => ["T castle", ": camp", "* escape square"],
            Self::It => ["T castello", ": accampamento", "* casella di fuga"],
        };
        let mut marks = vec![castle];
        if !rules.camps().is_empty() {
            marks.push(camp);
        }
        if !rules.escapes().is_empty() {
            marks.push(escape);
        }
        marks.join(", ")
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Lang {
    type Err = ParseLangError;

    fn from_str(text: &str) -> Result<Self, ParseLangError> {
        Self::ALL
            .into_iter()
            .find(|lang| lang.code().eq_ignore_ascii_case(text))
            .ok_or(ParseLangError)
    }
}

/// A text that names no language we speak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseLangError;

impl fmt::Display for ParseLangError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the languages are en and it")
    }
}

impl core::error::Error for ParseLangError {}

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
        match lang {
            Lang::En => &self.name.en,
            Lang::It => &self.name.it,
        }
    }

    /// The rules in sentences, made from the data.
    #[must_use]
    pub fn describe(&self, lang: Lang) -> Vec<Section> {
        let clauses = describe::clauses(self);
        match lang {
            Lang::En => en::sections(&clauses),
            Lang::It => it::sections(&clauses),
        }
    }
}

impl IllegalMove {
    /// The reason as a sentence without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> String {
        match lang {
            Lang::En => en::illegal_move(self),
            Lang::It => it::illegal_move(self),
        }
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
        match lang {
            Lang::En => en::setup_fault(self),
            Lang::It => it::setup_fault(self),
        }
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
        match lang {
            Lang::En => en::capture(self),
            Lang::It => it::capture(self),
        }
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
        match lang {
            Lang::En => en::outcome(self),
            Lang::It => it::outcome(self),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(Lang::En))
    }
}
