//! What can be wrong with the text of a record, and where.

use alloc::string::String;
use core::fmt;

use super::ParseScoreError;
use crate::{ParseBoardError, ParseMoveError, ParseReasonError};

/// A text that is no record: what is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseRecordError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: RecordFault,
}

impl fmt::Display for ParseRecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.fault
        )
    }
}

impl core::error::Error for ParseRecordError {}

/// What is wrong with the text of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum RecordFault {
    /// There is nothing but white space and comments.
    NoRecord,
    /// Something follows the end of the record.
    Follows,
    /// A header without key, value or bracket.
    HeaderForm,
    /// A key that was there before.
    HeaderRepeated(String),
    /// No header names the rules.
    NoRules,
    /// The header `Setup` is no position.
    Setup(ParseBoardError),
    /// The header `Result` is none of the four results.
    Result(String),
    /// The header `Reason` names none.
    Reason(String),
    /// The result behind the moves is not that of the header.
    ResultDiffers {
        /// The result in the header.
        header: &'static str,
        /// The result behind the moves.
        moves: &'static str,
    },
    /// A result without a reason.
    ResultWithoutReason(&'static str),
    /// A reason without a result.
    ReasonWithoutResult,
    /// A result inside a variation.
    ResultInVariation,
    /// A backslash before something that is no escape, or before nothing.
    Escape(Option<char>),
    /// A header's value that its line does not close.
    UnclosedValue,
    /// A comment that is never closed.
    UnclosedComment,
    /// A variation that is never closed.
    UnclosedVariation,
    /// A closing bracket that was never opened.
    Unopened(char),
    /// A variation before any move it could replace.
    VariationBeforeMove,
    /// A variation without a move.
    EmptyVariation,
    /// A time in a comment that is none.
    Time(String),
    /// A score in a comment that is none.
    Score(String),
    /// A numeric glyph that is none.
    Nag(String),
    /// A word that is no move.
    Move {
        /// The word.
        text: String,
        /// Why it is none.
        error: ParseMoveError,
    },
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecord => f.write_str("there is no record"),
            Self::Follows => f.write_str("the record has ended, but something follows"),
            Self::HeaderForm => f.write_str("a header has the form [Key \"value\"]"),
            Self::HeaderRepeated(key) => write!(f, "there are two headers {key}"),
            Self::NoRules => f.write_str("the header Rules is missing, as in [Rules \"ashton\"]"),
            Self::Setup(error) => write!(f, "the set-up is no position: {error}"),
            Self::Result(text) => {
                write!(f, "a result is 1-0, 0-1, 1/2-1/2 or *, not {text:?}")
            }
            Self::Reason(text) => write!(f, "{text:?} is {ParseReasonError}"),
            Self::ResultDiffers { header, moves } => write!(
                f,
                "the result behind the moves is {moves}, but {header} in the header"
            ),
            Self::ResultWithoutReason(result) => write!(
                f,
                "the result {result} needs a header Reason, as in [Reason \"king escaped\"]"
            ),
            Self::ReasonWithoutResult => {
                f.write_str("there is a reason for the end of the game, but no result")
            }
            Self::ResultInVariation => f.write_str("a result cannot stand in a variation"),
            Self::Escape(Some(letter)) => write!(
                f,
                "{letter:?} behind a backslash means nothing; a backslash itself is \\\\"
            ),
            Self::Escape(None) => f.write_str("nothing follows the backslash"),
            Self::UnclosedValue => f.write_str("the value has no closing quotation mark"),
            Self::UnclosedComment => f.write_str("the comment is never closed"),
            Self::UnclosedVariation => f.write_str("the variation is never closed"),
            Self::Unopened(bracket) => write!(f, "{bracket} closes nothing"),
            Self::VariationBeforeMove => {
                f.write_str("a variation stands behind the move it replaces, and there is none yet")
            }
            Self::EmptyVariation => f.write_str("the variation has no move"),
            Self::Time(text) => write!(
                f,
                "a time is hours, minutes and seconds as in 0:00:59.500, not {text:?}"
            ),
            Self::Score(text) => write!(f, "{text:?} is no score: {ParseScoreError}"),
            Self::Nag(text) => write!(
                f,
                "{text:?} is no glyph: one of ! ? !! ?? !? ?!, or $ and a number up to 255"
            ),
            Self::Move { text, error } => write!(f, "{text:?} is no move: {error}"),
        }
    }
}
