//! Reading logs, in any language of the machine that wrote them.

use std::str::FromStr;

use tablut_rules::{BoardSize, BySide, Piece, Setup, Side};

use super::super::message::{Action, Turn, rows};

/// A log as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The names of the players.
    pub names: BySide<String>,
    /// When it began, as the log says it.
    pub date: String,
    /// How many repetitions were allowed, if the log says.
    pub allowed: Option<i64>,
    /// How many states were kept, negative for all, if the log says.
    pub cache: Option<i64>,
    /// The class that wrote it, which tells the rules.
    pub class: String,
    /// What happened, in order.
    pub entries: Vec<Entry>,
}

/// Something in a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// A state.
    State(Shown),
    /// An attempt to move.
    Attempt(Attempt),
}

/// A state in a log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The pieces.
    pub setup: Setup,
    /// Whose turn it is.
    pub turn: Turn,
    /// The line in the log, from 1.
    pub line: usize,
}

/// An attempt to move in a log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Who tried.
    pub side: Side,
    /// The squares as they were sent.
    pub action: Action,
    /// Whether it was made.
    pub is_made: bool,
    /// The squares of removed men, each once.
    pub removed: Vec<String>,
    /// What was wrong with it, as the log says it.
    pub warning: Option<String>,
    /// The line in the log, from 1.
    pub line: usize,
}

/// Why a text is not a game log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseLogError {
    /// There is no state in it.
    #[error("this is not a game log of the contest: there is no state (\"Stato:\") in it")]
    NoState,
    /// A state is cut off or has other letters.
    #[error(
        "line {line}: {text:?} is not part of a state: rows have the letters O W B K T, followed by - and W, B, WW, BW or D"
    )]
    State {
        /// The line, from 1.
        line: usize,
        /// What is there.
        text: String,
    },
    /// A state ends before its turn.
    #[error(
        "the state ends too early: its rows must be followed by a line with - and one with W, B, WW, BW or D"
    )]
    Cut,
    /// Boards are 7×7 or 9×9.
    #[error("line {line}: a state with {rows} rows; boards have 7 or 9")]
    Rows {
        /// The line, from 1.
        line: usize,
        /// How many.
        rows: usize,
    },
}

impl Log {
    /// Whether a text looks like a game log.
    #[must_use]
    pub fn is_log(text: &str) -> bool {
        text.contains("Stato:") && text.lines().any(is_head)
    }

    /// The id of the rule set of the game, by its board and the class that wrote the log.
    #[must_use]
    pub fn rules(&self) -> &'static str {
        let is_small = |state: &Shown| state.setup.size() == BoardSize::Seven;
        match self.class.as_str() {
            _ if self.last().is_some_and(is_small) => "referee-brandub",
            "GameTablut" => "referee-classic",
            "GameModernTablut" => "referee-modern",
            _ => "ashton",
        }
    }

    /// The last state, which shows how the game ended, or who was to move when the log stopped.
    #[must_use]
    pub fn last(&self) -> Option<&Shown> {
        let states = self.entries.iter().rev();
        states.into_iter().find_map(|entry| match entry {
            Entry::State(state) => Some(state),
            Entry::Attempt(_) => None,
        })
    }
}

/// Whether a line is the first of a log record: date, class, method.
fn is_head(line: &str) -> bool {
    line.contains(" it.unibo.ai.didattica.competition.tablut.")
}

impl FromStr for Log {
    type Err = ParseLogError;

    fn from_str(text: &str) -> Result<Self, ParseLogError> {
        let mut log = Self::default();
        // The level of the first record is the usual one; any other is a warning.
        let mut usual = None;
        let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
        while let Some((number, line)) = lines.next() {
            if is_head(line) {
                if log.date.is_empty() {
                    let date = line.split(" it.unibo.").next().unwrap_or_default();
                    log.date = date.to_string();
                    let class = line.split(".domain.").nth(1).unwrap_or_default();
                    let class = class.split_whitespace().next().unwrap_or_default();
                    log.class = class.to_string();
                }
                continue;
            }
            let Some((level, message)) = line.split_once(": ") else {
                continue;
            };
            let usual = *usual.get_or_insert(level);
            if let Some(players) = message.strip_prefix("Players:\t") {
                let players = players.strip_prefix("White:\t").unwrap_or(players);
                let (white, black) = players.split_once("\tvs\t").unwrap_or((players, ""));
                log.names = BySide {
                    attackers: black.to_string(),
                    defenders: white.to_string(),
                };
            } else if let Some(rest) = message.strip_prefix("Repeated moves allowed:\t") {
                let (allowed, cache) = rest.split_once("\tCache:\t").unwrap_or((rest, ""));
                (log.allowed, log.cache) = (allowed.trim().parse().ok(), cache.trim().parse().ok());
            } else if let Some(rest) = message.strip_prefix("Turn: ") {
                log.entries
                    .extend(attempt(rest, number).map(Entry::Attempt));
            } else if message.trim_end() == "Stato:" {
                // A state at the end of a log may be cut off.
                let state = state(&mut lines, number)?;
                log.entries.extend(state.map(Entry::State));
            } else if let Some(Entry::Attempt(attempt)) = log.entries.last_mut() {
                if level != usual {
                    attempt.warning = Some(message.to_string());
                } else if message.starts_with("Movimento pedina") {
                    attempt.is_made = true;
                } else if let Some((_, square)) = message.split_once(" rimossa in: ")
                    && !attempt.removed.iter().any(|known| known == square.trim())
                {
                    attempt.removed.push(square.trim().to_string());
                }
            }
        }
        match log.last() {
            Some(_) => Ok(log),
            None => Err(ParseLogError::NoState),
        }
    }
}

/// Reads `W Pawn from e4 to d4`.
fn attempt(text: &str, line: usize) -> Option<Attempt> {
    let (turn, rest) = text.split_once(" Pawn from ")?;
    let (from, to) = rest.split_once(" to ")?;
    let Some(Turn::Of(side)) = Turn::from_letters(turn.trim()) else {
        return None;
    };
    let square = |text: &str| (text != "null").then(|| text.to_string());
    Some(Attempt {
        side,
        action: Action {
            from: square(from),
            to: square(to.trim_end()),
        },
        is_made: false,
        removed: Vec::new(),
        warning: None,
        line,
    })
}

/// Reads a state as the Java server prints it, by itself.
///
/// # Errors
/// Says what is wrong with it, and in which line.
pub fn read_state(text: &str) -> Result<Shown, ParseLogError> {
    let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
    state(&mut lines, 1)?.ok_or(ParseLogError::Cut)
}

/// Reads the rows of a state, the dash and the turn; nothing if the text ends before them.
fn state<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    line: usize,
) -> Result<Option<Shown>, ParseLogError> {
    let mut board: Vec<&str> = Vec::new();
    let wrong = |line: usize, text: &str| ParseLogError::State {
        line,
        text: text.to_string(),
    };
    loop {
        let Some((number, text)) = lines.next() else {
            return Ok(None);
        };
        let text = text.trim();
        if text == "-" {
            break;
        }
        if text.is_empty() || board.len() > 9 || !text.bytes().all(|b| b"OWBKT".contains(&b)) {
            return Err(wrong(number, text));
        }
        board.push(text);
    }
    let Some((number, text)) = lines.next() else {
        return Ok(None);
    };
    let turn = Turn::from_letters(text.trim()).ok_or_else(|| wrong(number, text))?;
    let size = BoardSize::from_rows(board.len())
        .filter(|_| board.iter().all(|row| row.len() == board.len()));
    let size = size.ok_or(ParseLogError::Rows {
        line,
        rows: board.len(),
    })?;
    let side = match turn {
        Turn::Of(side) => side,
        Turn::Won(_) | Turn::Draw => Side::Defenders,
    };
    let mut setup = Setup::empty(size, side);
    for (row, squares) in board.iter().zip(rows(size)) {
        for (letter, square) in row.bytes().zip(squares) {
            let piece = match letter {
                b'W' => Some(Piece::Defender),
                b'B' => Some(Piece::Attacker),
                b'K' => Some(Piece::King),
                _ => None,
            };
            setup.put(square, piece);
        }
    }
    Ok(Some(Shown { setup, turn, line }))
}
