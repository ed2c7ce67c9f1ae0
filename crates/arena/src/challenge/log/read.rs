//! Reading logs, in any language of the machine that wrote them, and playing them again.

use std::{str::FromStr, sync::Arc};

use tablut_rules::{
    BoardSize, Game, Laws, Move, Outcome, Piece, Reason, Repetition, RepetitionResult, Rules,
    Setup, SetupError, Side, record::Record,
};

use super::super::message::{Action, Turn, rows};

/// A log as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The name of the white player.
    pub white: String,
    /// The name of the black player.
    pub black: String,
    /// When it began, as the log says it.
    pub date: String,
    /// How many repetitions were allowed, if the log says.
    pub allowed: Option<i64>,
    /// How many states were kept, negative for all, if the log says.
    pub cache: Option<i64>,
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

/// Why a text is no game log.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseLogError {
    /// There is no state in it.
    #[error("this is no game log of the contest: there is no state (\"Stato:\") in it")]
    NoState,
    /// A state is cut off or has other letters.
    #[error(
        "line {line}: {text:?} is no part of a state: rows have the letters O W B K T, then come - and W, B, WW, BW or D"
    )]
    State {
        /// The line, from 1.
        line: usize,
        /// What is there.
        text: String,
    },
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
                (log.white, log.black) = (white.to_string(), black.to_string());
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

/// Where a log and the rules disagree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Disagreement {
    /// The log makes a move that the rules forbid.
    #[error("line {line}: the log plays {step}, which is not allowed: {why}")]
    Forbidden {
        /// The line in the log.
        line: usize,
        /// The move.
        step: String,
        /// Why not.
        why: String,
    },
    /// The log refuses a move that the rules allow.
    #[error("line {line}: the log refuses {step}, which is allowed")]
    Allowed {
        /// The line in the log.
        line: usize,
        /// The move.
        step: Move,
    },
    /// The log removes other men.
    #[error("line {line}: the log removes {logged}, the rules {expected}")]
    Removed {
        /// The line in the log.
        line: usize,
        /// What the log says.
        logged: String,
        /// What the rules say.
        expected: String,
    },
    /// The log shows another board.
    #[error("line {line}: the log shows another board than the rules give, on {squares}")]
    Board {
        /// The line in the log.
        line: usize,
        /// Where they differ.
        squares: String,
    },
    /// The log shows another turn or result.
    #[error("line {line}: the log says {logged}, the rules {expected}")]
    Turn {
        /// The line in the log.
        line: usize,
        /// What the log says.
        logged: &'static str,
        /// What the rules say.
        expected: &'static str,
    },
    /// No game can start or go on from a state.
    #[error("line {line}: no game can go on from this state: {why}")]
    Start {
        /// The line in the log.
        line: usize,
        /// Why not.
        why: SetupError,
    },
}

/// A log played again.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The game up to the end, or to where it could not go on.
    pub game: Game,
    /// Whether all of the log is in the game.
    pub is_whole: bool,
    /// Where log and rules disagree.
    pub disagreements: Vec<Disagreement>,
}

impl Log {
    /// The laws the game was played under, as far as the log says.
    #[must_use]
    pub fn laws(&self, rules: &Rules) -> Laws {
        let mut laws = rules.laws().challenge();
        if let (Some(allowed), Some(_)) = (self.allowed, laws.repetition) {
            laws.repetition = u32::try_from(allowed).ok().map(|allowed| Repetition {
                occurrence: allowed.saturating_add(2),
                result: RepetitionResult::Draw,
            });
        }
        laws.memory = self.cache.and_then(|cache| u32::try_from(cache).ok());
        laws
    }

    /// Plays the log again under the rules, and finds where they disagree.
    ///
    /// # Errors
    /// No game can start from the first state.
    pub fn replay(&self, rules: &Arc<Rules>) -> Result<Replayed, Disagreement> {
        let laws = self.laws(rules);
        let start = |state: &Shown| {
            let found = rules.position(&state.setup).or_else(SetupError::playable);
            let position = found.map_err(|why| Disagreement::Start {
                line: state.line,
                why,
            })?;
            Ok(Game::from_position(Arc::clone(rules), position, laws))
        };
        let first = self.entries.iter().find_map(|entry| match entry {
            Entry::State(state) => Some(state),
            Entry::Attempt(_) => None,
        });
        let first = first.ok_or_else(|| Disagreement::Board {
            line: 1,
            squares: "all squares".into(),
        })?;
        let mut played = start(first)?;
        let mut kept: Option<Game> = None;
        let mut disagreements = Vec::new();
        let mut last: Option<&Attempt> = None;
        for entry in &self.entries {
            match entry {
                Entry::Attempt(attempt) => {
                    last = Some(attempt);
                    if let Err(found) = try_again(&mut played, attempt) {
                        disagreements.push(found);
                    }
                }
                Entry::State(state) => {
                    finish(&mut played, state.turn, last);
                    let Some(found) = compare(&played, state) else {
                        continue;
                    };
                    let is_board = matches!(found, Disagreement::Board { .. });
                    disagreements.push(found);
                    // Go on from what the log shows; what was played before stays the game.
                    if is_board && matches!(state.turn, Turn::Of(_)) {
                        let anew = start(state)?;
                        kept.get_or_insert(std::mem::replace(&mut played, anew));
                    }
                }
            }
        }
        Ok(Replayed {
            is_whole: kept.is_none(),
            game: kept.unwrap_or(played),
            disagreements,
        })
    }

    /// The log as a record.
    #[must_use]
    pub fn record(&self, replayed: &Replayed) -> Record {
        let mut record = Record::from_game(&replayed.game);
        let headers = [
            ("Event", "Tablut Challenge"),
            ("White", self.white.as_str()),
            ("Black", self.black.as_str()),
            ("Date", self.date.as_str()),
        ];
        for (key, value) in headers {
            if !value.is_empty() {
                let set = record.set_header(key, value);
                debug_assert!(set.is_ok(), "these headers are no fields");
            }
        }
        record
    }
}

/// Makes an attempt of the log in the game.
fn try_again(game: &mut Game, attempt: &Attempt) -> Result<(), Disagreement> {
    let line = attempt.line;
    let legal = attempt.action.step().filter(|&step| {
        let position = game.position();
        position.side() == attempt.side && game.rules().is_legal(position, step)
    });
    if !attempt.is_made {
        return match legal {
            Some(step) if game.outcome().is_none() => Err(Disagreement::Allowed { line, step }),
            _ => Ok(()),
        };
    }
    let forbidden = |why: String| {
        let square = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".into());
        let (from, to) = (square(&attempt.action.from), square(&attempt.action.to));
        Disagreement::Forbidden {
            line,
            step: format!("{from}-{to}"),
            why,
        }
    };
    let step = attempt.action.step();
    let step = step.ok_or_else(|| forbidden("these are not two squares".into()))?;
    let made = game.play(step).map_err(|why| forbidden(why.to_string()))?;
    let mut logged: Vec<String> = attempt.removed.clone();
    logged.sort();
    let mut expected: Vec<String> = made.captured.iter().map(|s| s.to_string()).collect();
    expected.sort();
    if logged == expected {
        return Ok(());
    }
    let words = |squares: Vec<String>| match squares.is_empty() {
        true => "nothing".to_string(),
        false => squares.join(", "),
    };
    Err(Disagreement::Removed {
        line,
        logged: words(logged),
        expected: words(expected),
    })
}

/// Ends the game as the log does, if the board does not show why.
fn finish(game: &mut Game, turn: Turn, last: Option<&Attempt>) {
    if let Turn::Won(side) = turn
        && game.outcome().is_none()
    {
        let reason = match last {
            // A server that notices a side without moves says so with the state.
            _ if !game.rules().has_moves(game.position()) => Reason::NoMove,
            Some(attempt) if !attempt.is_made && attempt.side != side => {
                match attempt.action == Action::default() {
                    true => Reason::ConnectionLost,
                    false => Reason::IllegalMove,
                }
            }
            _ => Reason::TimeOut,
        };
        // Only the side to move can lose in such a way.
        if game.position().side() != side {
            game.finish(Outcome::win(side, reason));
        }
    }
}

/// Compares the game with a state of the log.
fn compare(game: &Game, state: &Shown) -> Option<Disagreement> {
    let line = state.line;
    let expected = Setup::from(game.position());
    let squares = rows(expected.size()).flatten();
    let differs = squares.filter(|&s| state.setup.piece_at(s) != expected.piece_at(s));
    let squares: Vec<String> = differs.map(|square| square.to_string()).collect();
    if state.setup.size() != expected.size() || !squares.is_empty() {
        let squares = squares.join(", ");
        return Some(Disagreement::Board { line, squares });
    }
    let expected = Turn::new(game.position().side(), game.outcome());
    (expected != state.turn).then_some(Disagreement::Turn {
        line,
        logged: state.turn.word(),
        expected: expected.word(),
    })
}
