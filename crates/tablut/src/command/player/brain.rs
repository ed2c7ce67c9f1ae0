//! What chooses the moves of a player.

use std::{
    io::{self, BufRead, Write},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use tablut_arena::{Budget, Mover};
use tablut_engine::{
    Control, Engine, EngineOptions, Level, NoMemory, SearchInfo, SearchLimits, SearchReport,
};
use tablut_guest::{RandomMover, defenders_score};
use tablut_rules::{Game, Move, Side};

use super::read_move;

/// Engine, chance or person.
pub(super) enum Brain {
    Engine {
        engine: Box<Engine>,
        level: Option<Level>,
        seed: u64,
    },
    Random(RandomMover),
    Person,
}

/// A move, and what is to be said about it.
pub(super) struct Thought {
    pub(super) step: Move,
    pub(super) note: String,
}

impl Thought {
    /// A move without a word.
    pub(super) const fn plain(step: Move) -> Self {
        Self {
            step,
            note: String::new(),
        }
    }
}

impl Brain {
    pub(super) fn engine(
        hash_mb: u32,
        threads: u16,
        level: Option<Level>,
        seed: u64,
    ) -> Result<Self, NoMemory> {
        let options = EngineOptions {
            hash_mb: hash_mb as usize,
            threads: usize::from(threads),
        };
        Ok(Self::Engine {
            engine: Box::new(Engine::try_new(options)?),
            level,
            seed,
        })
    }

    pub(super) fn random(seed: u64) -> Self {
        let mut mover = RandomMover::default();
        // It plays under any rules as any side; only the seed matters.
        let rules = tablut_rules::Rules::ashton();
        drop(mover.new_game(&rules, Side::Defenders, seed));
        Self::Random(mover)
    }

    /// Chooses a move before a time.
    pub(super) fn choose(
        &mut self,
        game: &Game,
        deadline: Instant,
        debug: bool,
        out: &mut impl Write,
    ) -> Result<Thought> {
        match self {
            Self::Engine {
                engine,
                level,
                seed,
            } => {
                let control = Control::new();
                control.set_deadline(deadline);
                let left = deadline.saturating_duration_since(Instant::now());
                let limits = SearchLimits::time(left.max(Duration::from_millis(1)));
                let report = match level {
                    Some(level) => level.choose(engine, game, *seed, &control),
                    None => engine.search(game, &limits, &control, &mut |info| {
                        if debug {
                            // Nobody there to read it is no reason to lose.
                            drop(
                                writeln!(out, "  {}", depth(info, game)).and_then(|()| out.flush()),
                            );
                        }
                    }),
                };
                let step = report.best.context("there is no legal move")?;
                Ok(Thought {
                    step,
                    note: note(&report, game),
                })
            }
            Self::Random(mover) => {
                let choice = mover.choose(game, Budget::default())?;
                Ok(Thought::plain(choice.step))
            }
            Self::Person => ask(game, out),
        }
    }

    /// Thinks about a position until `wait` has waited, if this brain can.
    pub(super) fn ponder<T>(&mut self, game: &Game, wait: impl FnOnce() -> T) -> T {
        let Self::Engine {
            engine,
            level: None,
            ..
        } = self
        else {
            return wait();
        };
        let control = Control::new();
        thread::scope(|scope| {
            scope.spawn(|| engine.search(game, &SearchLimits::default(), &control, &mut |_| {}));
            let waited = wait();
            control.stop();
            waited
        })
    }
}

fn depth(info: &SearchInfo, game: &Game) -> String {
    let line: Vec<String> = info
        .line
        .moves
        .iter()
        .take(8)
        .map(Move::to_string)
        .collect();
    let score = defenders_score(info.line.score, game.position().side());
    format!(
        "depth {:>2}, score {score}, line {}",
        info.depth,
        line.join(" ")
    )
}

/// Depth, score, speed and line. Scores are White's.
fn note(report: &SearchReport, game: &Game) -> String {
    let Some(line) = report.lines.first() else {
        return String::new();
    };
    let score = defenders_score(line.score, game.position().side());
    let seconds = report.time.as_secs_f64();
    let speed = report.nodes as f64 / seconds.max(1e-6) / 1e6;
    let moves: Vec<String> = line.moves.iter().take(8).map(Move::to_string).collect();
    format!(
        ": depth {}, score {score}, {:.2} million nodes at {speed:.2} million/s in {seconds:.2} s, line {}",
        report.depth,
        report.nodes as f64 / 1e6,
        moves.join(" ")
    )
}

/// Asks a person, until there is a legal move.
fn ask(game: &Game, out: &mut impl Write) -> Result<Thought> {
    loop {
        write!(out, "your move (as in e4d4): ")?;
        out.flush()?;
        let mut line = String::new();
        if io::stdin()
            .lock()
            .read_line(&mut line)
            .context("cannot read your move")?
            == 0
        {
            bail!("no more input; giving up the game");
        }
        if line.trim().is_empty() {
            continue;
        }
        match read_move(&line, game.rules(), game) {
            Ok(step) => return Ok(Thought::plain(step)),
            Err(error) => writeln!(out, "{error}")?,
        }
    }
}
