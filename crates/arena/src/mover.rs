//! What chooses moves: the seam between series of games and those who play them.

use std::{fmt, io, path::PathBuf, sync::Arc};

use tablut_engine::{Level, NoMemory};
use tablut_rules::{Game, Move, Random, Rules, Side, record::Score};

mod thinking;

pub use thinking::{BaselineMover, EngineMover, defenders_score, limits};

use crate::{
    Budget, Player, Stop, guest,
    process::ProcessMover,
    supervise::{Confinement, Isolation},
};

/// Something that chooses moves, for one game after another.
pub trait Mover: Send {
    /// Prepares for a game under some rules as some side. What follows may depend on the seed, but
    /// on nothing that happened in games before.
    ///
    /// # Errors
    /// Says why the player does not play this game.
    fn new_game(&mut self, rules: &Arc<Rules>, side: Side, seed: u64) -> Result<(), MoverError>;

    /// Chooses a move in a game that is not over, within a budget.
    ///
    /// # Errors
    /// Says why there is none.
    fn choose(&mut self, game: &Game, budget: Budget) -> Result<Choice, MoverError>;

    /// Is shown the game when it has started, after each move of either side, and when it is over.
    fn watch(&mut self, _game: &Game) {}
}

/// A chosen move, and what its player knows about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub step: Move,
    /// What the position is worth, from the defenders' point of view.
    pub score: Option<Score>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Milliseconds spent, as the player counts them.
    pub time_ms: Option<u64>,
}

impl From<Move> for Choice {
    /// A move about which nothing is known.
    fn from(step: Move) -> Self {
        Self {
            step,
            score: None,
            nodes: None,
            depth: None,
            time_ms: None,
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
    /// The player said something that is no move.
    #[error("{0}")]
    Illegal(String),
    /// Somebody wanted everything to stop.
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

/// Why a player is gone: what everybody may know, and what is for whoever started it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Absence {
    /// What happened.
    pub what: String,
    /// Where there is more to read about it, which may name places on this machine.
    pub private: Option<String>,
}

impl Absence {
    /// The same without what is not for everybody.
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
    #[error("the command line is not complete")]
    CommandLine,
    /// The program cannot be started.
    #[error("the program cannot be started: {0}")]
    Start(io::Error),
    /// There is not enough memory for its table.
    #[error("{0}")]
    Memory(NoMemory),
    /// The program does not play under the rule set.
    #[error("the program refused the game: {0}")]
    Refused(String),
}

/// What movers need besides their player.
#[derive(Clone, Debug)]
pub struct MoverOptions {
    /// The memory for a search's table, in mebibytes.
    pub hash_mb: u64,
    /// The threads of a search.
    pub threads: usize,
    /// How long a program may take to answer a greeting or a new game, in milliseconds.
    pub startup_ms: u64,
    /// How much later than its time a program's move may come, in milliseconds.
    pub grace_ms: u64,
    /// A wish to stop, obeyed while waiting.
    pub stop: Stop,
    /// What the match allows for a move, in milliseconds: programs may want to know when they start.
    pub move_ms: u64,
    /// The program that supervises others: `tablut` itself.
    pub supervisor: Option<PathBuf>,
    /// How games of foreign clients are kept apart.
    pub isolation: Isolation,
    /// What started programs may see and use. Without a supervisor they are the user's own.
    pub confinement: Confinement,
    /// The folder for what started programs print.
    pub output: Option<PathBuf>,
    /// Whether that folder is wanted after the games.
    pub keeps_output: bool,
    /// A foreign client gets a state no sooner than so many milliseconds after the last one.
    pub pace_ms: u64,
}

impl MoverOptions {
    /// How far states for foreign clients are apart when nothing is said. The Java server looks for
    /// moves once a second, and there are published clients that take whatever is in their socket
    /// for one state: they lose the second of two that come sooner.
    pub const PACE_MS: u64 = 1000;
}

impl Default for MoverOptions {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            threads: 1,
            startup_ms: 10_000,
            grace_ms: 100,
            stop: Stop::default(),
            move_ms: 1000,
            supervisor: None,
            isolation: Isolation::Shared,
            confinement: Confinement::default(),
            output: None,
            keeps_output: false,
            pace_ms: Self::PACE_MS,
        }
    }
}

/// What plays for a player.
///
/// # Errors
/// Says why nothing does.
pub fn mover(player: &Player, options: &MoverOptions) -> Result<Box<dyn Mover>, MoverError> {
    let unfit = |cause| {
        Err(MoverError::Unfit {
            player: player.to_string(),
            cause,
        })
    };
    let engine = |made: Result<EngineMover, NoMemory>| match made {
        Ok(mover) => Ok(Box::new(mover) as Box<dyn Mover>),
        Err(error) => unfit(Unfit::Memory(error)),
    };
    match player {
        Player::Random => Ok(Box::new(RandomMover::default())),
        Player::Engine(command) => Ok(Box::new(ProcessMover::new(command, options)?)),
        Player::Client(command) => guest::mover(command, options),
        Player::Person => unfit(Unfit::Person),
        Player::Level(number) => match Level::new(*number) {
            Some(level) => engine(EngineMover::at_level(level, options)),
            None => unfit(Unfit::Level),
        },
        Player::Time(_) | Player::Nodes(_) => engine(EngineMover::new(options)),
        Player::Tuned { changes, .. } => engine(EngineMover::tuned(changes, options)),
        Player::Baseline { .. } => Ok(Box::new(BaselineMover::new())),
    }
}

impl Player {
    /// What the player may spend on a move, where the match allows so many milliseconds.
    #[must_use]
    pub const fn budget(&self, match_ms: u64) -> Budget {
        match *self {
            Self::Level(_) | Self::Engine(_) | Self::Client(_) => Budget::time(match_ms),
            Self::Time(ms) => Budget::time(ms),
            Self::Nodes(nodes) | Self::Tuned { nodes, .. } => Budget::nodes(nodes),
            Self::Baseline { depth } => Budget::depth(depth),
            Self::Person | Self::Random => Budget {
                time_ms: None,
                nodes: None,
                depth: None,
            },
        }
    }
}

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Debug)]
pub struct RandomMover(Random);

impl Default for RandomMover {
    fn default() -> Self {
        Self(Random::new(0))
    }
}

impl Mover for RandomMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.0 = Random::new(seed);
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: Budget) -> Result<Choice, MoverError> {
        let moves = game.rules().moves(game.position());
        if moves.is_empty() {
            return Err(MoverError::Illegal("there is no legal move".into()));
        }
        Ok(moves[self.0.below(moves.len())].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_game_depends_on_its_seed_alone() {
        let rules = Arc::new(Rules::ashton());
        let mut mover = RandomMover::default();
        let mut play = |seed: u64| {
            mover.new_game(&rules, Side::Defenders, seed).unwrap();
            let mut game = Game::new(Arc::clone(&rules));
            while game.outcome().is_none() && game.plies().len() < 40 {
                let choice = mover.choose(&game, Budget::default()).unwrap();
                game.play(choice.step).unwrap();
            }
            let moves = game.plies().iter().map(|ply| ply.step);
            moves.collect::<Vec<_>>()
        };
        let first = play(1);
        assert_ne!(first, play(2));
        assert_eq!(first, play(1));
    }

    #[test]
    fn players_that_nothing_plays_say_so() {
        for (text, part) in [
            ("person", "person: a person cannot play here"),
            ("engine:'", "command line is not complete"),
        ] {
            let player: Player = text.parse().unwrap();
            let Err(error) = mover(&player, &MoverOptions::default()) else {
                panic!("{text} plays");
            };
            assert!(error.to_string().contains(part), "{error}");
        }
    }

    #[test]
    fn a_budget_is_the_players_own_or_that_of_the_match() {
        for (text, budget) in [
            ("time:0.5", Budget::time(500)),
            ("nodes:7", Budget::nodes(7)),
            ("baseline:3", Budget::depth(3)),
            ("random", Budget::default()),
            ("level:2", Budget::time(200)),
            ("engine:x", Budget::time(200)),
        ] {
            let player: Player = text.parse().unwrap();
            assert_eq!(player.budget(200), budget, "{text}");
        }
    }
}
