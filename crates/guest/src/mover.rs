//! From a [`Player`] to what chooses its moves: the only place where a kind of player becomes a mover.

use std::{fs, path::PathBuf, sync::Arc};

use tablut_arena::{
    Choice, Mover, MoverError, Player, Question, Stop, Tuning, TuningEvaluation, Unfit,
};
use tablut_engine::{Evaluation, Level, Network, NoMemory};
use tablut_rules::{Game, Random, Rules, Side};

mod thinking;

pub use thinking::{BaselineMover, EngineMover, defenders_score, limits};

#[cfg(unix)]
use crate::client::{ClientMover, Source};
use crate::{
    process::ProcessMover,
    supervise::{Confinement, Isolation},
    template::Template,
};

/// What movers need besides their player.
#[derive(Clone, Debug)]
pub struct MoverOptions {
    /// The memory for a search's table, in mebibytes.
    pub hash_mb: u64,
    /// The threads of a search.
    pub threads: usize,
    /// Whether our engine, at its best, plays openings from its book.
    pub uses_book: bool,
    /// How long a program may take to answer a greeting or a new game, in milliseconds.
    pub startup_ms: u64,
    /// How much later than its time a program's move may come, in milliseconds.
    pub grace_ms: u64,
    /// A stop signal, obeyed while waiting.
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
    /// Whether to keep that folder after the games.
    pub keeps_output: bool,
    /// The least time between two states for a foreign client, in milliseconds.
    pub pace_ms: u64,
}

impl MoverOptions {
    /// The default time between states for clients. The Java server looks for
    /// moves once a second, and there are published clients that take whatever is in their socket
    /// for one state: they lose the second of two that come sooner.
    pub const PACE_MS: u64 = 1000;
}

impl Default for MoverOptions {
    fn default() -> Self {
        Self {
            hash_mb: 16,
            threads: 1,
            uses_book: true,
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
        Player::Client(command) => client(command, options),
        Player::Person => unfit(Unfit::Person),
        Player::Level(number) => match Level::new(*number) {
            Some(level) => engine(EngineMover::at_level(level, options)),
            None => unfit(Unfit::Level),
        },
        Player::Time(_) | Player::Nodes(_) => engine(EngineMover::new(options)),
        Player::Tuned(tuning) => match evaluation(tuning) {
            Ok(evaluation) => engine(EngineMover::tuned(&tuning.changes, evaluation, options)),
            Err(cause) => unfit(cause),
        },
        Player::Baseline { .. } => Ok(Box::new(BaselineMover::default())),
    }
}

/// How a tuned engine evaluates.
fn evaluation(tuning: &Tuning) -> Result<Evaluation, Unfit> {
    let file = match &tuning.evaluation {
        None => return Ok(Evaluation::BuiltIn),
        Some(TuningEvaluation::Hand) => return Ok(Evaluation::Hand),
        Some(TuningEvaluation::File(file)) => file,
    };
    let unusable = |cause: String| Unfit::Network {
        file: file.clone(),
        cause,
    };
    let bytes = fs::read(file).map_err(|error| unusable(error.to_string()))?;
    let network = Network::read(&bytes).map_err(|error| unusable(error.to_string()))?;
    Ok(Evaluation::Network(Arc::new(network)))
}

/// What plays for a client's command line.
fn client(command: &str, options: &MoverOptions) -> Result<Box<dyn Mover>, MoverError> {
    let unfit = |cause| MoverError::Unfit {
        player: format!("client:{command}"),
        cause,
    };
    let template = Template::new(command).ok_or_else(|| unfit(Unfit::CommandLine))?;
    #[cfg(unix)]
    return Ok(Box::new(ClientMover::new(
        Source::Program(template),
        options,
    )));
    #[cfg(not(unix))]
    {
        let _ = (template, options);
        Err(unfit(Unfit::Start(std::io::ErrorKind::Unsupported.into())))
    }
}

/// Plays any legal move, each as likely as the others.
#[derive(Clone, Debug, Default)]
pub struct RandomMover {
    seed: u64,
}

impl Mover for RandomMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, _: Question<'_>) -> Result<Choice, MoverError> {
        let moves = game.rules().moves(game.position());
        if moves.is_empty() {
            return Err(no_move());
        }
        // Nothing is remembered from move to move, so that a mover made for one move of a game plays like
        // one that has played all of it. A position that comes again is answered anew.
        let ply = game.plies().len() as u64;
        let mut random = Random::new(self.seed ^ game.position().key() ^ ply);
        Ok(random.pick(&moves).into())
    }
}

/// The side to move cannot.
fn no_move() -> MoverError {
    MoverError::Illegal("there is no legal move".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_game_depends_on_its_seed_alone() {
        let rules = Rules::ashton();
        let mut mover = RandomMover::default();
        let mut play = |seed: u64| {
            mover.new_game(&rules, Side::Defenders, seed).unwrap();
            let mut game = Game::new(Arc::clone(&rules));
            while game.outcome().is_none() && game.plies().len() < 40 {
                let choice = mover.choose(&game, Question::default()).unwrap();
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
            ("engine:'", "command line is incomplete"),
            (
                "nodes:5,eval=/no/such/file",
                "the network /no/such/file cannot be used",
            ),
            ("nodes:5,eval=/dev/null", "not a network"),
        ] {
            let player: Player = text.parse().unwrap();
            let Err(error) = mover(&player, &MoverOptions::default()) else {
                panic!("{text} plays");
            };
            assert!(error.to_string().contains(part), "{error}");
        }
    }
}
