//! What can be typed: one command or move on a line.

use std::{fmt, str::FromStr};

use tablut_rules::{Move, Side, Square, notation::berkeley::BerkeleyMove};

/// A command of the console.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ConsoleOrder {
    New,
    Move(Move),
    Seed(i64),
    Auto(Side),
    Manual(Side),
    Limit(u32),
    Dump,
    Undo,
    Toggle(Square),
    Quit,
}

/// What the commands are, for errors.
const KNOWN: &str = "new, a move such as b3-6, seed N, auto black|white, manual black|white, \
                     limit N, dump, undo, toggle SQUARE, quit";

/// A line that is not a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ParseOrderError {
    Unknown(String),
    /// A move whose form is wrong.
    Move(String),
    Value {
        word: String,
        expected: &'static str,
    },
}

impl fmt::Display for ParseOrderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(text) => write!(f, "{text:?} is no command; there are {KNOWN}"),
            Self::Move(text) => write!(
                f,
                "{text:?} is no move: name a square and the column or row it goes to, as in b3-6 \
                 or b3-f"
            ),
            Self::Value { word, expected } => write!(f, "{word} needs {expected}"),
        }
    }
}

/// Reads a line; a line with only blanks or a comment is not an order.
pub(super) fn read(line: &str) -> Result<Option<ConsoleOrder>, ParseOrderError> {
    let text = line.split('#').next().unwrap_or_default().trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some)
}

impl FromStr for ConsoleOrder {
    type Err = ParseOrderError;

    fn from_str(text: &str) -> Result<Self, ParseOrderError> {
        let text = text.to_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        let order = match words[..] {
            ["new"] => Self::New,
            ["dump"] => Self::Dump,
            ["undo"] => Self::Undo,
            ["quit"] => Self::Quit,
            ["seed", ref rest @ ..] => Self::Seed(seed(rest)?),
            ["limit", ref rest @ ..] => {
                Self::Limit(value("limit", rest, "a number of moves above 0")?)
            }
            ["auto", ref rest @ ..] => Self::Auto(side("auto", rest)?),
            ["manual", ref rest @ ..] => Self::Manual(side("manual", rest)?),
            ["toggle", ref rest @ ..] => Self::Toggle(square(rest)?),
            [word] if word.contains('-') => match word.parse() {
                Ok(BerkeleyMove(step)) => Self::Move(step),
                Err(_) => return Err(ParseOrderError::Move(text)),
            },
            _ => return Err(ParseOrderError::Unknown(text)),
        };
        Ok(order)
    }
}

fn needs(word: &str, expected: &'static str) -> ParseOrderError {
    ParseOrderError::Value {
        word: word.into(),
        expected,
    }
}

fn value<T: FromStr>(
    word: &str,
    rest: &[&str],
    expected: &'static str,
) -> Result<T, ParseOrderError> {
    match rest {
        [text] => text.parse().map_err(|_| needs(word, expected)),
        _ => Err(needs(word, expected)),
    }
}

/// A seed: digits only, as the original reads it.
fn seed(rest: &[&str]) -> Result<i64, ParseOrderError> {
    let is_plain = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let expected = "a whole number that is not negative";
    match rest {
        [text] if is_plain(text) => value("seed", rest, expected),
        _ => Err(needs("seed", expected)),
    }
}

fn side(word: &str, rest: &[&str]) -> Result<Side, ParseOrderError> {
    match rest {
        ["black"] => Ok(Side::Attackers),
        ["white"] => Ok(Side::Defenders),
        _ => Err(needs(word, "black or white")),
    }
}

/// A square with its row counted from the bottom.
fn square(rest: &[&str]) -> Result<Square, ParseOrderError> {
    let square = match rest {
        [text] => text.parse::<Square>().ok(),
        _ => None,
    };
    square
        .map(turned)
        .ok_or_else(|| needs("toggle", "a square from a1 to i9"))
}

/// The square whose row has the same number, counted from the other end.
pub(super) fn turned(square: Square) -> Square {
    Square::new(square.column(), 8 - square.row()).unwrap_or(square)
}
