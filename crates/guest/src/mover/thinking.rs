//! Movers that think with our own engine.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tablut_arena::{Budget, Choice, Mover, MoverError, Stop};
use tablut_engine::{
    Control, Engine, EngineOptions, Level, NoMemory, Parameters, SearchLimits, SearchReport,
    baseline,
};
use tablut_rules::{Game, Rules, Side, record};

use super::MoverOptions;

/// An engine's score, which is for the side to move, from the defenders' point of view as in records.
#[must_use]
pub fn defenders_score(score: tablut_engine::Score, side: Side) -> record::Score {
    use tablut_engine::Score;
    let score = match side {
        Side::Attackers => -score,
        Side::Defenders => score,
    };
    match score {
        Score::Units(units) => record::Score::Hundredths(units),
        Score::Win(plies) => record::Score::Win(plies),
        Score::Loss(plies) => record::Score::Loss(plies),
    }
}

/// What a budget allows a search.
#[must_use]
pub fn limits(budget: Budget) -> SearchLimits {
    SearchLimits {
        time: budget.time_ms.map(Duration::from_millis),
        nodes: budget.nodes,
        depth: budget.depth,
        lines: 1,
    }
}

/// How the engine should play.
enum Strength {
    /// As well as the budget allows.
    Full,
    /// At a level for people.
    Level(Level),
}

/// Our engine as a player.
pub struct EngineMover {
    engine: Engine,
    strength: Strength,
    seed: u64,
    stop: Stop,
}

impl EngineMover {
    /// The engine at its best.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn new(options: &MoverOptions) -> Result<Self, NoMemory> {
        Self::with(options, Strength::Full, Parameters::default())
    }

    /// The engine with other numbers inside, by name; names it does not know change nothing.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn tuned(changes: &[(String, i32)], options: &MoverOptions) -> Result<Self, NoMemory> {
        let mut parameters = Parameters::default();
        for (name, value) in changes {
            let _ = parameters.set(name, *value);
        }
        Self::with(options, Strength::Full, parameters)
    }

    /// The engine at a level.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn at_level(level: Level, options: &MoverOptions) -> Result<Self, NoMemory> {
        Self::with(options, Strength::Level(level), Parameters::default())
    }

    fn with(
        options: &MoverOptions,
        strength: Strength,
        parameters: Parameters,
    ) -> Result<Self, NoMemory> {
        let stop = options.stop.clone();
        let options = EngineOptions {
            hash_mb: usize::try_from(options.hash_mb).unwrap_or(usize::MAX),
            threads: options.threads,
        };
        Ok(Self {
            engine: Engine::with_parameters(options, parameters)?,
            strength,
            seed: 0,
            stop,
        })
    }
}

impl Mover for EngineMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.engine.clear();
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, budget: Budget) -> Result<Choice, MoverError> {
        let control = Control::new();
        let report = match &self.strength {
            Strength::Full => {
                let limits = limits(budget);
                self.engine.search(game, &limits, &control, &mut |_| {
                    // Looked at between iterations; a move takes seconds, not minutes.
                    if self.stop.is_abandoned() {
                        control.stop();
                    }
                })
            }
            Strength::Level(level) => {
                // A level has a limit of its own, but must not be late on a slow machine.
                if let Some(budget) = limits(budget).budget() {
                    control.set_deadline(Instant::now() + budget);
                }
                level.choose(&mut self.engine, game, self.seed, &control)
            }
        };
        if self.stop.is_abandoned() {
            return Err(MoverError::Stopped);
        }
        choice(&report, game)
    }
}

/// What a search found, as a choice.
fn choice(report: &SearchReport, game: &Game) -> Result<Choice, MoverError> {
    let Some(step) = report.best else {
        return Err(MoverError::Illegal("there is no legal move".into()));
    };
    let side = game.position().side();
    let score = report.lines.first().map(|line| line.score);
    Ok(Choice {
        step,
        score: score.map(|score| defenders_score(score, side)),
        nodes: Some(report.nodes),
        depth: Some(report.depth),
        time_ms: u64::try_from(report.time.as_millis()).ok(),
    })
}

/// The plain rival that stands for the programs of the field.
#[derive(Clone, Debug)]
pub struct BaselineMover {
    seed: u64,
}

impl BaselineMover {
    /// The rival; its depth comes with each budget.
    #[must_use]
    pub const fn new() -> Self {
        Self { seed: 0 }
    }
}

impl Default for BaselineMover {
    fn default() -> Self {
        Self::new()
    }
}

impl Mover for BaselineMover {
    fn new_game(&mut self, _: &Arc<Rules>, _: Side, seed: u64) -> Result<(), MoverError> {
        self.seed = seed;
        Ok(())
    }

    fn choose(&mut self, game: &Game, budget: Budget) -> Result<Choice, MoverError> {
        let depth = budget.depth.unwrap_or(baseline::DEPTH);
        // Each position of a game has its own stream.
        let seed = self.seed ^ game.position().key();
        let time = budget.time_ms.map(Duration::from_millis);
        match baseline::choose(game, depth, seed, time) {
            Some(step) => Ok(step.into()),
            None => Err(MoverError::Illegal("there is no legal move".into())),
        }
    }
}
