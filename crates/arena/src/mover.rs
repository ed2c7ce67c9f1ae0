//! What chooses moves: the seam between series of games and those who play them.

use std::{fmt, io, sync::Arc, time::Duration};

use tablut_engine::{Control, NoMemory, SearchInfo};
use tablut_rules::{Game, Move, Rules, Side, record::Score};

use crate::Budget;

/// Something that chooses moves, for one game after another.
pub trait Mover: Send {
    /// Prepares for a game under some rules as some side. What follows may depend on the seed, but
    /// on nothing that happened in games before.
    ///
    /// # Errors
    /// Says why the player does not play this game.
    fn new_game(&mut self, rules: &Arc<Rules>, side: Side, seed: u64) -> Result<(), MoverError>;

    /// Chooses a move in a game that is not over.
    ///
    /// # Errors
    /// Says why there is no move.
    fn choose(&mut self, game: &Game, question: Question<'_>) -> Result<Choice, MoverError>;

    /// Is shown the game when it has started, after each move of either side, and when it is over.
    fn watch(&mut self, _game: &Game) {}

    /// Thinks about a position in which the opponent is to move, until it is stopped. Movers that do not
    /// think on the opponent's time return at once.
    fn ponder(&mut self, _game: &Game, _control: &Control) {}
}

/// What a mover is asked: a move within a budget, for someone who may stop it or look on.
#[derive(Default)]
pub struct Question<'a> {
    /// What the move may cost.
    pub budget: Budget,
    /// Stops a search of our engine, or makes it pause. Programs are ended by the [`Stop`](crate::Stop) they
    /// were made with, because they can hang outside a search as well.
    pub control: Control,
    /// Is told of each variation that a search of our engine has finished.
    pub on_info: Option<&'a mut dyn FnMut(&SearchInfo)>,
}

impl From<Budget> for Question<'_> {
    /// A question that nobody interrupts.
    fn from(budget: Budget) -> Self {
        Self {
            budget,
            ..Self::default()
        }
    }
}

impl fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Question")
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

/// A chosen move, and what its player knows about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub step: Move,
    /// What the position is worth, from the defenders' point of view.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// The time spent, as the player counts it.
    pub time: Option<Duration>,
    /// The moves it expects, its own first; none if it does not tell.
    pub line: Vec<Move>,
}

impl From<Move> for Choice {
    /// A move about which nothing is known.
    fn from(step: Move) -> Self {
        Self {
            step,
            score: None,
            nodes: None,
            depth: None,
            time: None,
            line: Vec::new(),
        }
    }
}

/// Why a player made no move.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoverError {
    /// No move came in time.
    #[error("no move came in time")]
    Late,
    /// The player is gone: a program that ended or never answered.
    #[error("{0}")]
    Gone(Absence),
    /// The player sent something that is not a move.
    #[error("{0}")]
    Illegal(String),
    /// It was told to stop.
    #[error("it was stopped")]
    Stopped,
    /// The player cannot play at all; playing on makes no sense.
    #[error("{player}: {cause}")]
    Unfit {
        /// The player.
        player: String,
        /// Why.
        cause: Unfit,
    },
}

/// Why a player is gone: what anyone may know, and what is only for whoever started it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Absence {
    /// What happened.
    pub what: String,
    /// Where there is more to read about it, which may name places on this machine.
    pub private: Option<String>,
}

impl Absence {
    /// The same without the private part.
    #[must_use]
    pub fn public(self) -> Self {
        Self {
            private: None,
            ..self
        }
    }
}

impl From<String> for Absence {
    fn from(what: String) -> Self {
        Self {
            what,
            private: None,
        }
    }
}

impl From<&str> for Absence {
    fn from(what: &str) -> Self {
        what.to_string().into()
    }
}

impl fmt::Display for Absence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.private {
            Some(private) => write!(f, "; {private}"),
            None => Ok(()),
        }
    }
}

impl MoverError {
    /// Whether the machine is to blame for it, and not the player.
    #[must_use]
    pub const fn is_of_machine(&self) -> bool {
        matches!(
            self,
            Self::Unfit {
                cause: Unfit::Machine(_) | Unfit::Memory(_),
                ..
            }
        )
    }
}

/// Why a player cannot play at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// There is no such level.
    #[error("there is no such level")]
    Level,
    /// A person needs a board to play on.
    #[error("a person cannot play here")]
    Person,
    /// The command line of a program has no end of a quotation, or no words.
    #[error("the command line is incomplete")]
    CommandLine,
    /// The program cannot be started.
    #[error("the program cannot be started: {0}")]
    Start(io::Error),
    /// No program can be started here at the moment, whichever it is: the machine is short of something.
    #[error("this machine cannot start programs at the moment: {0}")]
    Machine(io::Error),
    /// There is not enough memory for its table.
    #[error("{0}")]
    Memory(NoMemory),
    /// The file of its network cannot be used.
    #[error("the network {file} cannot be used: {cause}")]
    Network {
        /// The file.
        file: String,
        /// Why.
        cause: String,
    },
    /// The program does not play under the rule set.
    #[error("the program refused the game: {0}")]
    Refused(String),
}
