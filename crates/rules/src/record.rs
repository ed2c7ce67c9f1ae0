//! A whole game as text, in the manner of PGN: headers, moves, times, scores, comments, variations.
//!
//! ```text
//! [Event "Tablut Challenge"]
//! [Rules "ashton"]
//! [Result "1-0"]
//! [Reason "resignation"]
//!
//! {A short one.} 1. e4-d4 {[%clk 0:00:59.500] [%eval 0.25] sound} 1... d1-c1 (1... e2-d2 2. e3-f3)
//! 2. d5-d6 $1 1-0
//! ```
//!
//! `docs/notation.md` describes the form. [`Record`] implements `Display` and `FromStr`, which are
//! inverse; [`read_all`] reads several records. Nothing here judges whether moves are legal except
//! [`Record::replay`], which asks the rules. No text makes the reader panic, recurse, or take more
//! than time and memory in proportion to its length.

mod cursor;
mod fault;
mod read;
mod replay;
mod tree;
mod value;
mod write;

use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

pub use fault::{ParseRecordError, RecordFault};
pub use read::{Records, read_all};
pub use replay::ReplayError;
pub use tree::{NodeId, Notes, Tree};
pub use value::{ParseScoreError, Score};

use crate::{Game, Move, Outcome, Setup, Side};

/// The headers that are fields of a [`Record`].
const TYPED: [&str; 4] = ["Rules", "Setup", "Result", "Reason"];

/// What comments give as `[%name value]`: the clock, the time spent, the score.
const COMMANDS: [&str; 3] = ["clk", "emt", "eval"];

/// A game written down: who played what, and what was thought of it.
///
/// ```
/// use tablut_rules::record::Record;
/// let mut record = Record::new("ashton");
/// record.set_header("White", "alpha")?;
/// let tree = record.tree_mut();
/// let node = tree.add_move(tree.root(), "e4-d4".parse().expect("a move"));
/// tree.notes_mut(node).comment = "the usual start".into();
/// let text = record.to_string();
/// assert!(text.ends_with("1. e4-d4 {the usual start} *\n"));
/// assert_eq!(text.parse(), Ok(record));
/// # Ok::<(), tablut_rules::record::HeaderError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The id of the rule set.
    pub rules: String,
    /// Where the game starts, if not from the rule set's own start.
    pub setup: Option<Setup>,
    /// How the game ended; nothing if it has not, or if that is not known.
    pub outcome: Option<Outcome>,
    /// The other headers. No key is there twice.
    headers: Vec<(String, String)>,
    tree: Tree,
}

impl Record {
    /// A record without moves, of a game under a rule set.
    pub fn new(rules: impl Into<String>) -> Self {
        Self {
            rules: rules.into(),
            setup: None,
            outcome: None,
            headers: Vec::new(),
            tree: Tree::new(),
        }
    }

    /// The record of a game: its rule set, set-up, moves and outcome.
    #[must_use]
    pub fn from_game(game: &Game) -> Self {
        let mut record = Self::new(game.rules().set().id.as_str());
        let is_usual = *game.start() == game.rules().start();
        record.setup = (!is_usual).then(|| Setup::from(game.start()));
        record.outcome = game.outcome();
        let mut node = record.tree.root();
        for ply in game.plies() {
            node = record.tree.add_move(node, ply.step);
        }
        record
    }

    /// The value of a header, unless it is a field: `Rules`, `Setup`, `Result` or `Reason`.
    #[must_use]
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers()
            .find_map(|(known, value)| (known == key).then_some(value))
    }

    /// All headers that are not fields, with their values, in order.
    pub fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers
            .iter()
            .map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Sets a header, at its place if it is there already, else behind the others.
    ///
    /// # Errors
    /// Says why there is no such header; the record stays as it was.
    pub fn set_header(&mut self, key: &str, value: impl Into<String>) -> Result<(), HeaderError> {
        if TYPED.contains(&key) {
            return Err(HeaderError::Field(key.to_string()));
        }
        if key.is_empty() || !key.bytes().all(cursor::is_key_byte) {
            return Err(HeaderError::Key(key.to_string()));
        }
        match self.headers.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => *old = value.into(),
            None => self.headers.push((key.to_string(), value.into())),
        }
        Ok(())
    }

    /// Takes a header away and gives its value.
    pub fn remove_header(&mut self, key: &str) -> Option<String> {
        let index = self.headers.iter().position(|(known, _)| known == key)?;
        Some(self.headers.remove(index).1)
    }

    /// The moves.
    #[must_use]
    pub const fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The moves, to be changed.
    pub const fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }
}

/// Why a header cannot be set.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum HeaderError {
    /// The key is empty or has other characters than letters, digits, `_` and `-`.
    Key(String),
    /// The header is a field of [`Record`].
    Field(String),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => write!(
                f,
                "{key:?} is no key of a header: use the letters a to z, digits, _ and -"
            ),
            Self::Field(key) => write!(f, "the header {key} is a field of the record"),
        }
    }
}

impl core::error::Error for HeaderError {}

/// Who won, as a record says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ResultWord {
    Defenders,
    Attackers,
    Draw,
    /// Not finished, or not known.
    Open,
}

impl ResultWord {
    const ALL: [Self; 4] = [Self::Defenders, Self::Attackers, Self::Draw, Self::Open];

    const fn word(self) -> &'static str {
        match self {
            Self::Defenders => "1-0",
            Self::Attackers => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.word() == word)
    }

    const fn of(outcome: Option<Outcome>) -> Self {
        match outcome {
            None => Self::Open,
            Some(Outcome { winner, .. }) => match winner {
                Some(Side::Defenders) => Self::Defenders,
                Some(Side::Attackers) => Self::Attackers,
                None => Self::Draw,
            },
        }
    }

    /// The winner of a game that is over, who may be nobody.
    const fn winner(self) -> Option<Option<Side>> {
        match self {
            Self::Defenders => Some(Some(Side::Defenders)),
            Self::Attackers => Some(Some(Side::Attackers)),
            Self::Draw => Some(None),
            Self::Open => None,
        }
    }
}

/// A move as records write it: `e4-d4`.
struct Hyphenated(Move);

impl fmt::Display for Hyphenated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.0.from(), self.0.to())
    }
}

#[cfg(test)]
mod tests;
