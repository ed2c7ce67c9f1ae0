//! The messages of the contest: names and moves to the server, states to the clients.
//!
//! Written strictly, as the reference server and its clients write; read forgivingly, as they read.
//! This is the place where sides are called WHITE and BLACK.

use serde::Deserialize;
use tablut_rules::{BoardSize, Move, Outcome, Piece, Rules, Setup, Side, Square};

use super::json::{self, Value};

/// The word for a side on the wire.
#[must_use]
pub const fn word(side: Side) -> &'static str {
    match side {
        Side::Defenders => "WHITE",
        Side::Attackers => "BLACK",
    }
}

/// A payload that is not JSON, or not of the right kind: it crashes the reference server.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the payload cannot be read as JSON of the right kind")]
pub struct Malformed;

/// Reads a name, with or without quotation marks.
///
/// # Errors
/// The payload is not a string.
pub fn read_name(payload: &[u8]) -> Result<String, Malformed> {
    match json::read(&String::from_utf8_lossy(payload)) {
        Ok(Value::Text(name)) => Ok(name),
        _ => Err(Malformed),
    }
}

/// A name as the payload of a frame.
#[must_use]
pub fn name_payload(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

/// What a client wants to move, with the squares as they were sent.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Action {
    /// The first square; nothing if it was missing.
    pub from: Option<String>,
    /// The last square; nothing if it was missing.
    pub to: Option<String>,
}

impl Action {
    /// Reads an action. Order, further members and the turn do not matter.
    ///
    /// # Errors
    /// The payload is not an object, or its squares and turn are not strings.
    pub fn read(payload: &[u8]) -> Result<Self, Malformed> {
        let Ok(Value::Object(members)) = json::read(&String::from_utf8_lossy(payload)) else {
            return Err(Malformed);
        };
        let mut action = Self::default();
        for (key, value) in members {
            let known = match key.as_str() {
                "from" => Some(&mut action.from),
                "to" => Some(&mut action.to),
                "turn" => None,
                _ => continue,
            };
            let value = match value {
                Value::Text(text) => Some(text),
                Value::Null => None,
                Value::Object(_) | Value::Other => return Err(Malformed),
            };
            if let Some(known) = known {
                *known = value;
            }
        }
        Ok(action)
    }

    /// The move, if both squares are on a board.
    #[must_use]
    pub fn step(&self) -> Option<Move> {
        let from = square(self.from.as_deref()?)?;
        Some(Move::new(from, square(self.to.as_deref()?)?))
    }

    /// A move of a side as the payload of a frame.
    #[must_use]
    pub fn payload(step: Move, side: Side) -> String {
        let (from, to, turn) = (step.from(), step.to(), word(side));
        format!(r#"{{"from":"{from}","to":"{to}","turn":"{turn}"}}"#)
    }
}

impl From<Move> for Action {
    fn from(step: Move) -> Self {
        Self {
            from: Some(step.from().to_string()),
            to: Some(step.to().to_string()),
        }
    }
}

/// A square as clients may write it: any case, and digits of any script.
fn square(text: &str) -> Option<Square> {
    let mut letters = text.chars();
    let (column, row) = (letters.next()?, letters.next()?);
    if letters.next().is_some() {
        return None;
    }
    let column = u8::try_from(column.to_ascii_lowercase()).ok()?;
    let row = u8::try_from(digit(row)?).ok()?;
    Square::new(column.checked_sub(b'a')?, row.checked_sub(1)?)
}

/// The value of a decimal digit, which the reference server reads in every script.
fn digit(letter: char) -> Option<u32> {
    /// The zeros of the scripts in the first plane (Unicode category Nd).
    const ZEROS: [u32; 37] = [
        0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
        0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
        0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
        0xff10,
    ];
    let above = |zero: &u32| u32::from(letter).checked_sub(*zero).filter(|n| *n < 10);
    ZEROS.iter().find_map(above)
}

/// Whose turn a state shows: a side's, or how the game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// A side is to move.
    Of(Side),
    /// A side has won.
    Won(Side),
    /// The game is drawn.
    Draw,
}

impl Turn {
    const ALL: [Self; 5] = [
        Self::Of(Side::Defenders),
        Self::Of(Side::Attackers),
        Self::Won(Side::Defenders),
        Self::Won(Side::Attackers),
        Self::Draw,
    ];

    /// The turn of a game that stands so.
    #[must_use]
    pub const fn new(to_move: Side, outcome: Option<Outcome>) -> Self {
        match outcome {
            None => Self::Of(to_move),
            Some(outcome) => match outcome.winner {
                Some(side) => Self::Won(side),
                None => Self::Draw,
            },
        }
    }

    /// The side to move; White's, for want of another, when the game is over.
    #[must_use]
    pub const fn side(self) -> Side {
        match self {
            Self::Of(side) => side,
            Self::Won(_) | Self::Draw => Side::Defenders,
        }
    }

    /// The word on the wire.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Of(side) => word(side),
            Self::Won(Side::Defenders) => "WHITEWIN",
            Self::Won(Side::Attackers) => "BLACKWIN",
            Self::Draw => "DRAW",
        }
    }

    /// The letters in logs.
    #[must_use]
    pub const fn letters(self) -> &'static str {
        match self {
            Self::Of(Side::Defenders) => "W",
            Self::Of(Side::Attackers) => "B",
            Self::Won(Side::Defenders) => "WW",
            Self::Won(Side::Attackers) => "BW",
            Self::Draw => "D",
        }
    }

    /// The turn with such letters in a log.
    #[must_use]
    pub fn from_letters(letters: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|turn| turn.letters() == letters)
    }
}

/// What a square of a state shows.
#[must_use]
pub(super) fn cell(setup: &Setup, castle: Square, square: Square) -> &'static str {
    match setup.piece_at(square) {
        Some(Piece::Attacker) => "BLACK",
        Some(Piece::Defender) => "WHITE",
        Some(Piece::King) => "KING",
        None if square == castle => "THRONE",
        None => "EMPTY",
    }
}

/// The squares of a board, row by row from the top.
pub(super) fn rows(size: BoardSize) -> impl Iterator<Item = impl Iterator<Item = Square>> {
    let count = size.rows();
    (0..count).map(move |row| (0..count).filter_map(move |column| Square::new(column, row)))
}

/// A board and whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// The pieces; its side to move means nothing when the game is over.
    pub setup: Setup,
    /// Whose turn it is.
    pub turn: Turn,
}

impl State {
    /// A state as the payload of a frame.
    #[must_use]
    pub fn payload(&self, rules: &Rules) -> String {
        let mut text = String::with_capacity(800);
        text.push_str(r#"{"board":["#);
        for (n, row) in rows(self.setup.size()).enumerate() {
            text.push_str(if n == 0 { "[" } else { ",[" });
            for (n, square) in row.enumerate() {
                text.push_str(if n == 0 { "\"" } else { ",\"" });
                text.push_str(cell(&self.setup, rules.castle(), square));
                text.push('"');
            }
            text.push(']');
        }
        text.push_str(r#"],"turn":""#);
        text.push_str(self.turn.word());
        text.push_str("\"}");
        text
    }

    /// The state as the Java server prints it: rows of letters, a hyphen, whose turn it is.
    #[must_use]
    pub fn letters(&self) -> String {
        // The Java server knows only boards with the castle in the middle.
        let middle = self.setup.size().rows() / 2;
        let castle = Square::new(middle, middle).expect("the middle is on the board");
        let mut text = String::new();
        for row in rows(self.setup.size()) {
            text.extend(row.map(|square| match cell(&self.setup, castle, square) {
                "EMPTY" => 'O',
                word => word.chars().next().unwrap_or('O'),
            }));
            text.push('\n');
        }
        text + "-\n" + self.turn.letters()
    }

    /// Reads what [`State::letters`] writes.
    #[must_use]
    pub fn from_letters(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let end = lines.iter().position(|line| *line == "-")?;
        let turn = Turn::from_letters(lines.get(end + 1)?)?;
        let size = BoardSize::from_rows(end)?;
        let mut setup = Setup::empty(size, turn.side());
        for (line, squares) in lines.iter().zip(rows(size)) {
            if line.chars().count() != end {
                return None;
            }
            for (letter, square) in line.chars().zip(squares) {
                let piece = match letter {
                    'O' | 'T' => None,
                    'W' => Some(Piece::Defender),
                    'B' => Some(Piece::Attacker),
                    'K' => Some(Piece::King),
                    _ => return None,
                };
                setup.put(square, piece);
            }
        }
        Some(Self { setup, turn })
    }

    /// Reads a state that a server sent.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(payload: &[u8]) -> Result<Self, StateError> {
        #[derive(Deserialize)]
        struct Raw {
            board: Vec<Vec<String>>,
            turn: String,
        }
        let raw: Raw =
            serde_json::from_slice(payload).map_err(|error| StateError::Json(error.into()))?;
        let Some(turn) = Turn::ALL.into_iter().find(|turn| turn.word() == raw.turn) else {
            return Err(StateError::Turn(raw.turn));
        };
        let size = BoardSize::from_rows(raw.board.len()).ok_or(StateError::Size)?;
        let mut setup = Setup::empty(size, turn.side());
        for (row, squares) in raw.board.iter().zip(rows(size)) {
            if row.len() != raw.board.len() {
                return Err(StateError::Size);
            }
            for (cell, square) in row.iter().zip(squares) {
                let piece = match cell.as_str() {
                    "EMPTY" | "THRONE" => None,
                    "WHITE" => Some(Piece::Defender),
                    "BLACK" => Some(Piece::Attacker),
                    "KING" => Some(Piece::King),
                    other => return Err(StateError::Cell(other.to_string())),
                };
                setup.put(square, piece);
            }
        }
        Ok(Self { setup, turn })
    }
}

/// Why a payload is not a state.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum StateError {
    /// It is not JSON of that form.
    #[error("the state is not JSON with a board and a turn: {0}")]
    Json(JsonFault),
    /// There is no such turn.
    #[error("the state has the unknown turn {0:?}")]
    Turn(String),
    /// The board is neither 7×7 nor 9×9.
    #[error("the state has a board that is neither 7×7 nor 9×9")]
    Size,
    /// There is no such cell.
    #[error("the state has a square with the unknown content {0:?}")]
    Cell(String),
}

/// What is wrong with the JSON of a state, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text}")]
pub struct JsonFault {
    /// The line, from 1.
    pub line: usize,
    /// The byte in the line, from 1; 0 if the line is empty.
    pub column: usize,
    /// What kind of fault it is.
    pub kind: JsonFaultKind,
    /// The fault in the parser's English, with line and column.
    pub text: String,
}

/// What kind of fault JSON has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonFaultKind {
    /// The text ends too early.
    Cut,
    /// It is not JSON.
    Syntax,
    /// It is JSON, but something is missing or is of another kind.
    Form,
}

impl From<serde_json::Error> for JsonFault {
    fn from(error: serde_json::Error) -> Self {
        use serde_json::error::Category;
        Self {
            line: error.line(),
            column: error.column(),
            kind: match error.classify() {
                Category::Eof | Category::Io => JsonFaultKind::Cut,
                Category::Syntax => JsonFaultKind::Syntax,
                Category::Data => JsonFaultKind::Form,
            },
            text: error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tablut_rules::BuiltIn;

    use super::*;

    fn action(from: Option<&str>, to: Option<&str>) -> Action {
        Action {
            from: from.map(Into::into),
            to: to.map(Into::into),
        }
    }

    #[test]
    fn actions_are_read_in_every_form_the_reference_takes() {
        for (payload, expected) in [
            (r#"{"from":"e6","to":"f6","turn":"WHITE"}"#, Some("e6f6")),
            ("{from:'E4',to:'D4'}", Some("e4d4")),
            (r#"{"to":"d4","x":[1],"from":"e4","turn":7}"#, Some("e4d4")),
            ("{\"from\":\"e\u{663}\",\"to\":\"e４\"}", Some("e3e4")),
            (r#"{"from":"e10","to":"e4"}"#, None),
            (r#"{"from":"e0","to":"e4"}"#, None),
            (r#"{"from":"z4","to":"e4"}"#, None),
            (r#"{"from":"ex","to":"e4"}"#, None),
            (r#"{"from":"e4"}"#, None),
            ("{}", None),
        ] {
            let step = Action::read(payload.as_bytes()).unwrap().step();
            assert_eq!(
                step,
                expected.map(|text| text.parse().unwrap()),
                "{payload}"
            );
        }
        for payload in ["", "null", "[]", "e4", "{} {}", r#"{"from":{},"to":"e4"}"#] {
            assert_eq!(
                Action::read(payload.as_bytes()),
                Err(Malformed),
                "{payload}"
            );
        }
        assert_eq!(
            Action::read(b"{\"from\":null,\"to\":\"e\xff\"}"),
            Ok(action(None, Some("e\u{fffd}")))
        );
    }

    #[test]
    fn an_action_has_the_form_of_the_java_client() {
        let step = "e6f6".parse().unwrap();
        assert_eq!(
            Action::payload(step, Side::Defenders),
            r#"{"from":"e6","to":"f6","turn":"WHITE"}"#
        );
        assert_eq!(name_payload("a\"b"), r#""a\"b""#);
    }

    #[test]
    fn states_come_back_as_they_were_sent() {
        for set in [BuiltIn::Ashton, BuiltIn::RefereeBrandub] {
            let rules = set.rules();
            for turn in Turn::ALL {
                let side = match turn {
                    Turn::Of(side) => side,
                    _ => Side::Defenders,
                };
                let setup = Setup::from(&rules.start()).with_side(side);
                let state = State { setup, turn };
                let payload = state.payload(&rules);
                assert_eq!(State::read(payload.as_bytes()), Ok(state));
                assert_eq!(Turn::from_letters(turn.letters()), Some(turn));
            }
        }
        for (payload, part) in [
            ("{}", "board"),
            (r#"{"board":[],"turn":"WHITE"}"#, "neither"),
            (r#"{"board":[],"turn":"white"}"#, "turn \"white\""),
        ] {
            let error = State::read(payload.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
