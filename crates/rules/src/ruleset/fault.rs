//! What can be wrong with a rule set, as data and as sentences.

use alloc::{string::String, vec::Vec};
use core::{error::Error, fmt};

use crate::{
    Bitboard, ParseBoardError, ParseSquareError, SetupFault, Square, setup::names, text::Lang,
};

/// One thing that is wrong with a rule set, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSetFault {
    key: String,
    problem: RuleSetProblem,
    pub(crate) line: Option<usize>,
}

impl RuleSetFault {
    pub(crate) fn new(key: impl Into<String>, problem: RuleSetProblem) -> Self {
        Self {
            key: key.into(),
            problem,
            line: None,
        }
    }

    #[must_use]
    pub(crate) const fn at(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    /// The parameter's key in the text form, such as `end.goals`; empty for a fault of syntax.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong. `Display` is a sentence without capital and full stop.
    #[must_use]
    pub const fn problem(&self) -> &RuleSetProblem {
        &self.problem
    }

    /// The line in the text, from 1, if the set was read from text.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for RuleSetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.problem)
    }
}

impl Error for RuleSetFault {
    /// What the value of the parameter was refused for, if another type refused it.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            #[cfg(feature = "toml")]
            RuleSetProblem::UnknownBase(error) => Some(error),
            RuleSetProblem::NoSquare { error, .. } => Some(error),
            RuleSetProblem::NoBoard(error) => Some(error),
            RuleSetProblem::UnsoundStart(fault) => Some(fault),
            _ => None,
        }
    }
}

/// In which way a rule set is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RuleSetProblem {
    /// The text is no TOML; what its reader says.
    Syntax(String),
    /// A key that every set needs is not there.
    MissingKey,
    /// A key that means nothing.
    UnknownKey {
        /// The key that may have been meant.
        meant: Option<&'static str>,
    },
    /// An entry of a table that means nothing.
    UnknownEntry {
        /// The entry.
        entry: String,
        /// Those that mean something.
        known: Vec<String>,
    },
    /// The set is based on one that does not ship.
    #[cfg(feature = "toml")]
    UnknownBase(crate::ParseBuiltInError),
    /// The id belongs to a built-in set with other rules.
    TakenId(String),
    /// A value of another type than the parameter's.
    WrongType {
        /// What the parameter takes.
        expected: &'static str,
        /// What stands there.
        found: &'static str,
    },
    /// A value that the parameter has no form for; the forms it has.
    WrongForm(&'static str),
    /// A number that is negative or too large.
    OutOfRange {
        /// The number.
        number: i64,
        /// The largest that can be.
        most: u32,
    },
    /// More moves without a capture than can be counted.
    LimitTooLarge,
    /// A word that is none of the parameter's.
    UnknownWord {
        /// The word.
        word: String,
        /// The parameter's words.
        known: Vec<&'static str>,
    },
    /// A text that is no square.
    NoSquare {
        /// The text.
        text: String,
        /// Why it is none.
        error: ParseSquareError,
    },
    /// The rows of the start are no board.
    NoBoard(ParseBoardError),
    /// A number of rows that no board has.
    BoardSize(u32),
    /// The id is empty or has other characters than small letters, digits and hyphens.
    BadId,
    /// There is no name in any language.
    NameMissing,
    /// The name in a language is empty.
    NameEmpty(Lang),
    /// The start has another size than the board.
    StartSize {
        /// The rows of the start.
        found: u8,
        /// The rows of the board.
        rows: u8,
    },
    /// The castle is not inside the board.
    CastlePlace {
        /// Where it is.
        castle: Square,
        /// The rows of the board.
        rows: u8,
    },
    /// Squares that are in two camps.
    InTwoCamps(Bitboard),
    /// The castle is in a camp.
    CastleInCamp(Square),
    /// Squares that the board does not have.
    OffBoard(Bitboard),
    /// Squares that should be in camps and are not.
    NotInCamps(Bitboard),
    /// There is no goal.
    NoGoal,
    /// The castle is a goal.
    CastleIsGoal(Square),
    /// The first occurrence of a position is no repetition.
    FirstOccurrence,
    /// The start is no sound position.
    UnsoundStart(SetupFault),
    /// The side that moves first has no legal move.
    NoFirstMove,
}

impl fmt::Display for RuleSetProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(message) => f.write_str(message),
            Self::MissingKey => f.write_str("this key is missing"),
            Self::UnknownKey { meant: None } => f.write_str("this key is unknown"),
            Self::UnknownKey { meant: Some(key) } => {
                write!(f, "this key is unknown; did you mean {key}?")
            }
            Self::UnknownEntry { entry, known } => {
                write!(f, "{entry} is unknown; there are {}", known.join(", "))
            }
            #[cfg(feature = "toml")]
            Self::UnknownBase(error) => write!(f, "{error}"),
            Self::TakenId(id) => write!(f, "{id} is a built-in set with other rules"),
            Self::WrongType { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::WrongForm(forms) => write!(f, "expected {forms}"),
            Self::OutOfRange { number, most } => {
                write!(f, "{number} is not between 0 and {most}")
            }
            Self::LimitTooLarge => write!(f, "at most {} moves can be counted", u16::MAX),
            Self::UnknownWord { word, known } => {
                write!(f, "{word:?} is unknown: expected ")?;
                for (n, known) in known.iter().enumerate() {
                    write!(f, "{}{known:?}", if n == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
            Self::NoSquare { text, error } => write!(f, "{text:?} is no square: {error}"),
            Self::NoBoard(error) => write!(f, "{error}"),
            Self::BoardSize(rows) => write!(f, "a board has 7 or 9 rows, not {rows}"),
            Self::BadId => {
                f.write_str("an id has small letters, digits and hyphens only, and at least one")
            }
            Self::NameMissing => {
                f.write_str("the name is missing: write \"…\", or { en = \"…\", de = \"…\" }")
            }
            Self::NameEmpty(lang) => write!(f, "the name in {lang} is empty"),
            Self::StartSize { found, rows } => {
                write!(f, "the start has {found} rows, but the board has {rows}")
            }
            Self::CastlePlace { castle, rows } => write!(
                f,
                "{castle} is not inside the board of {rows}×{rows}; a castle needs a square on \
                 every side"
            ),
            Self::InTwoCamps(squares) => write!(f, "in two camps: {}", names(*squares)),
            Self::CastleInCamp(castle) => write!(f, "the castle {castle} is in a camp"),
            Self::OffBoard(squares) => write!(f, "not on the board: {}", names(*squares)),
            Self::NotInCamps(squares) => write!(f, "not camp squares: {}", names(*squares)),
            Self::NoGoal => f.write_str("there is no goal"),
            Self::CastleIsGoal(castle) => write!(f, "the castle {castle} is a goal"),
            Self::FirstOccurrence => f.write_str("the first occurrence that can end a game is 2"),
            Self::UnsoundStart(fault) => write!(f, "{fault}"),
            Self::NoFirstMove => f.write_str("the side that moves first has no legal move"),
        }
    }
}

/// A rule set that cannot be used: all its faults, in the order of their lines.
///
/// Each fault has a cause of its own ([`Error::source`]); the list as a whole has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSetError {
    faults: Vec<RuleSetFault>,
}

impl RuleSetError {
    pub(crate) fn new(mut faults: Vec<RuleSetFault>) -> Self {
        faults.sort_by_key(|fault| fault.line);
        faults.dedup();
        Self { faults }
    }

    /// Everything that is wrong; never empty.
    #[must_use]
    pub fn faults(&self) -> &[RuleSetFault] {
        &self.faults
    }

    #[cfg(feature = "toml")]
    pub(crate) fn into_faults(self) -> Vec<RuleSetFault> {
        self.faults
    }
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if n == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl Error for RuleSetError {}

#[cfg(all(test, feature = "toml"))]
mod tests {
    use std::format;

    use super::*;
    use crate::RuleSet;

    /// The only fault of a set that is Ashton's but for some lines.
    fn fault(lines: &str) -> RuleSetFault {
        let text = format!("base = \"ashton\"\nid = \"mine\"\nname = \"Mine\"\n{lines}");
        let error = text.parse::<RuleSet>().expect_err("it has a fault");
        assert_eq!(error.faults().len(), 1, "{error}");
        error.faults()[0].clone()
    }

    #[test]
    fn a_fault_says_where_and_what_as_data() {
        let wrong = fault("[king]\nelsewhere = \"nowhere\"");
        assert_eq!((wrong.key(), wrong.line()), ("king.elsewhere", Some(5)));
        let known = alloc::vec!["custodial", "siege"];
        let word = "nowhere".into();
        assert_eq!(
            *wrong.problem(),
            RuleSetProblem::UnknownWord { word, known }
        );
        let unknown = fault("[king]\nelswhere = \"siege\"");
        let meant = Some("king.elsewhere");
        assert_eq!(*unknown.problem(), RuleSetProblem::UnknownKey { meant });
    }

    #[test]
    fn a_fault_carries_what_caused_it() {
        let square = fault("castle = \"z9\"");
        let source = square.source().and_then(|source| source.downcast_ref());
        assert_eq!(source, Some(&ParseSquareError));
        let start = fault("start = [\"b\"]");
        let source = start.source().and_then(|source| source.downcast_ref());
        assert_eq!(source, Some(&ParseBoardError::Rows(1)));
        let crowded = fault("castle = \"e4\"");
        let source = crowded.source().and_then(|source| source.downcast_ref());
        let castle = "e4".parse().unwrap();
        assert_eq!(source, Some(&SetupFault::ManOnCastle(castle)));
    }
}
