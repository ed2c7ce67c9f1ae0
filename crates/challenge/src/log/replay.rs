//! Playing a log again, and finding where it and the rules disagree.

use std::sync::Arc;

use tablut_rules::{
    Game, Laws, Move, Outcome, PlayError, Reason, Repetition, RepetitionResult, Rules, Setup,
    SetupError, Square, record::Record,
};

use super::{
    super::message::{Action, Turn, rows},
    Attempt, Entry, Log, Shown,
};

/// Where a log and the rules disagree.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Disagreement {
    /// The log makes a move that the rules forbid.
    #[error("line {line}: the log plays {step}, which is not allowed: {why}")]
    Forbidden {
        /// The line in the log.
        line: usize,
        /// The move.
        step: String,
        /// Why not.
        why: Forbidden,
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
    #[error(
        "line {line}: the log removes {}, the rules {}",
        list(.logged, "nothing"),
        list(.expected, "nothing")
    )]
    Removed {
        /// The line in the log.
        line: usize,
        /// The squares that the log names, as it writes them.
        logged: Vec<String>,
        /// The squares by the rules.
        expected: Vec<Square>,
    },
    /// The log shows another board.
    #[error(
        "line {line}: the log and the rules disagree about the board, on {}",
        list(.squares, "all squares")
    )]
    Board {
        /// The line in the log.
        line: usize,
        /// Where they differ; if there is none, the boards are not to be compared.
        squares: Vec<Square>,
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
    #[error("line {line}: no game can continue from this state: {why}")]
    Start {
        /// The line in the log.
        line: usize,
        /// Why not.
        why: SetupError,
    },
}

/// Why a move of a log is forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Forbidden {
    /// What the log has there is no move.
    #[error("these are not two squares")]
    NoSquares,
    /// The rules forbid it.
    #[error("{0}")]
    Rules(PlayError),
}

/// Names one after the other, or what is said if there are none.
fn list(names: &[impl ToString], none: &str) -> String {
    match names {
        [] => none.into(),
        names => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            names.join(", ")
        }
    }
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
            squares: Vec::new(),
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
            ("White", self.names.defenders.as_str()),
            ("Black", self.names.attackers.as_str()),
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
    let forbidden = |why: Forbidden| {
        let square = |text: &Option<String>| text.clone().unwrap_or_else(|| "null".into());
        let (from, to) = (square(&attempt.action.from), square(&attempt.action.to));
        Disagreement::Forbidden {
            line,
            step: format!("{from}-{to}"),
            why,
        }
    };
    let step = attempt.action.step();
    let step = step.ok_or_else(|| forbidden(Forbidden::NoSquares))?;
    let made = game.play(step);
    let made = made.map_err(|why| forbidden(Forbidden::Rules(why)))?;
    let mut logged: Vec<String> = attempt.removed.clone();
    logged.sort();
    let mut expected: Vec<Square> = made.captured.iter().collect();
    expected.sort_by_key(|square| (square.column(), square.row()));
    if expected
        .iter()
        .map(Square::to_string)
        .eq(logged.iter().cloned())
    {
        return Ok(());
    }
    Err(Disagreement::Removed {
        line,
        logged,
        expected,
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
    let squares: Vec<Square> = differs.collect();
    if state.setup.size() != expected.size() || !squares.is_empty() {
        return Some(Disagreement::Board { line, squares });
    }
    let expected = Turn::new(game.position().side(), game.outcome());
    (expected != state.turn).then_some(Disagreement::Turn {
        line,
        logged: state.turn.word(),
        expected: expected.word(),
    })
}
