//! From a record to a game, where the rules judge what the reader did not.

use alloc::{string::String, sync::Arc};
use core::fmt;

use super::{Hyphenated, Record};
use crate::{Game, Laws, Move, Outcome, PlayError, Reason, Rules, SetupError};

impl Record {
    /// Plays the main line under a rule set and its own laws.
    ///
    /// A recorded end that is not on the board (resignation, agreement, time, a lost connection, an
    /// illegal move, or a limit of moves that the laws do not have) ends the game as recorded. A
    /// record without an outcome claims nothing; the game then stands as the rules say.
    ///
    /// # Errors
    /// Says what the rules do not allow, or that they see another outcome than the recorded one.
    pub fn replay(&self, rules: &Arc<Rules>) -> Result<Game, ReplayError> {
        self.replay_under(rules, rules.laws())
    }

    /// Plays the main line under a rule set and other laws, as [`Record::replay`] does.
    ///
    /// # Errors
    /// The same as those of [`Record::replay`].
    pub fn replay_under(&self, rules: &Arc<Rules>, laws: Laws) -> Result<Game, ReplayError> {
        let given = &rules.set().id;
        if *given != self.rules {
            return Err(ReplayError::OtherRules {
                recorded: self.rules.clone(),
                given: given.clone(),
            });
        }
        // Games can start from positions with faults, as long as play is possible.
        let start = match &self.setup {
            None => rules.start(),
            Some(setup) => rules
                .position(setup)
                .or_else(SetupError::playable)
                .map_err(ReplayError::Setup)?,
        };
        let mut game = Game::from_position(Arc::clone(rules), start, laws);
        for node in self.tree.main_line() {
            let ply = self.tree.ply(node);
            if let Some(step) = self.tree.step(node) {
                let played = game.play(step);
                played.map_err(|reason| ReplayError::Move { ply, step, reason })?;
            }
        }
        let Some(recorded) = self.outcome else {
            return Ok(game);
        };
        let found = game.outcome();
        let agrees = match found {
            Some(found) => found == recorded,
            None => !is_seen(recorded.reason, &laws) && game.finish(recorded),
        };
        if agrees {
            Ok(game)
        } else {
            Err(ReplayError::Outcome { recorded, found })
        }
    }
}

/// Whether a game itself notices that it is over for a reason.
const fn is_seen(reason: Reason, laws: &Laws) -> bool {
    match reason {
        Reason::MoveLimit => laws.move_limit.is_some(),
        reason => reason.is_on_board(),
    }
}

/// Why a record is not the record of a game under some rules.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReplayError {
    /// The record names another rule set.
    OtherRules {
        /// The id in the record.
        recorded: String,
        /// The id of the rule set it was to be played under.
        given: String,
    },
    /// The set-up cannot be played.
    Setup(SetupError),
    /// A move cannot be made.
    Move {
        /// Which move, from 1.
        ply: usize,
        /// The move.
        step: Move,
        /// Why it cannot be made.
        reason: PlayError,
    },
    /// The rules see another outcome.
    Outcome {
        /// The outcome in the record.
        recorded: Outcome,
        /// The outcome under the rules, if the game is over.
        found: Option<Outcome>,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherRules { recorded, given } => write!(
                f,
                "the record is of a game under the rule set {recorded:?}, not {given:?}"
            ),
            Self::Setup(error) => write!(f, "the set-up cannot be played: {error}"),
            Self::Move { ply, step, reason } => {
                let number = ply.div_ceil(2);
                let dots = if ply % 2 == 1 { "." } else { "..." };
                let step = Hyphenated(*step);
                write!(
                    f,
                    "move {number}{dots} {step} (ply {ply}) cannot be made: {reason}"
                )
            }
            Self::Outcome { recorded, found } => {
                write!(f, "the record says {recorded}, but under the rules ")?;
                match found {
                    Some(found) => write!(f, "it is {found}"),
                    None => f.write_str("the game is not over"),
                }
            }
        }
    }
}

impl core::error::Error for ReplayError {}
