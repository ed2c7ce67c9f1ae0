//! Puzzles: positions from games with exactly one right move at each of the solver's turns.
//!
//! Two kinds: a *win*, where at each turn one move wins in the plies that are left and no other does,
//! at the first turn not two plies later either; and a *save*, where every move but one loses soon. [`find_win`] and [`find_save`] look for them in positions, [`mine`] in whole games, and
//! [`Puzzle::prove`] proves one again from nothing. [`judge`] answers whoever solves one. Everything
//! rests on the solver; nothing is estimated but how hard a puzzle may be ([`Puzzle::first_rating`]).

mod collection;
mod find;
mod judge;
mod mine;
mod motif;
mod text;
pub mod words;

use tablut_rules::{Game, Move, Rules, Setup, SetupError, Side, Symmetry};

pub use collection::{built_in_puzzles, puzzle, read_puzzles};
pub use find::{Effort, PuzzleFault, difficulty, distance, find_save, find_win};
pub use judge::{Judgement, MadeError, Refuted, judge, refute};
pub use mine::mine;
pub use motif::Motif;
pub use text::PuzzleTextError;

/// Other first moves must not win within this many plies more than the right one.
pub const SLACK: u32 = 2;

/// What the solver of a puzzle has to do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PuzzleGoal {
    /// Win by force.
    Win,
    /// Find the only move that does not lose.
    Save,
}

/// A position with one right way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    /// Its number in the collection of its rule set, for good.
    pub number: u32,
    /// What is to be done.
    pub goal: PuzzleGoal,
    /// Where its history begins.
    pub start: Setup,
    /// The moves up to the position that is to be solved: all since the last capture if repetition
    /// matters, else the last one only.
    pub history: Vec<Move>,
    /// The right moves, and between them the opponent's.
    pub solution: Vec<Move>,
    /// What it is about, in the order of [`Motif::ALL`].
    pub motifs: Vec<Motif>,
    /// How many positions the engine looked at until it kept to the right first move.
    pub nodes: u64,
}

/// Why the moves of a puzzle cannot be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PuzzleGameError {
    /// Its history does not begin in a sound position.
    Setup(SetupError),
    /// A move is illegal, or the game is over before it.
    Move(Move),
}

impl std::fmt::Display for PuzzleGameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setup(error) => write!(f, "its position is not sound: {error}"),
            Self::Move(step) => write!(f, "{step} cannot be played"),
        }
    }
}

impl std::error::Error for PuzzleGameError {}

impl Puzzle {
    /// The game up to the position that is to be solved.
    ///
    /// # Errors
    /// Its moves cannot be played under these rules.
    pub fn game(&self, rules: &std::sync::Arc<Rules>) -> Result<Game, PuzzleGameError> {
        let start = rules
            .position(&self.start)
            .map_err(PuzzleGameError::Setup)?;
        let mut game = Game::from_position(rules.clone(), start, rules.laws());
        for &step in &self.history {
            game.play(step).map_err(|_| PuzzleGameError::Move(step))?;
        }
        match game.outcome() {
            None => Ok(game),
            Some(_) => Err(PuzzleGameError::Move(self.solution[0])),
        }
    }

    /// The same puzzle with the motifs that its solution has.
    ///
    /// # Errors
    /// Its moves cannot be played under these rules.
    pub fn with_motifs_found(self, rules: &std::sync::Arc<Rules>) -> Result<Self, PuzzleGameError> {
        let game = self.game(rules)?;
        let motifs = motif::motifs(&game, self.goal, &self.solution);
        Ok(Self { motifs, ..self })
    }

    /// Who solves it.
    #[must_use]
    pub fn side(&self) -> Side {
        match self.history.len() % 2 {
            0 => self.start.side(),
            _ => self.start.side().opponent(),
        }
    }

    /// How many plies its solution has.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.solution.len() as u32
    }

    /// Its rating before anybody has tried it: a guess from the work of the engine and from its
    /// length. Middling ones are near 1500, where visitors begin, so that nobody begins with the hardest.
    #[must_use]
    pub fn first_rating(&self) -> f64 {
        let work = (self.nodes.max(16) as f64 / 16.0).log2();
        let length = f64::from(self.plies().saturating_sub(3));
        (1250.0 + 75.0 * work + 35.0 * length).clamp(1000.0, 2800.0)
    }

    /// What is the same for puzzles that are reflections or rotations of each other.
    #[must_use]
    pub fn shape(&self, rules: &Rules, game: &Game) -> String {
        let setup = Setup::from(game.position()).with_quiet(0);
        let turned = |symmetry: Symmetry| symmetry.setup(&setup).to_string();
        let symmetries = rules.set().symmetries().into_iter();
        symmetries.map(turned).min().unwrap_or_default()
    }
}
