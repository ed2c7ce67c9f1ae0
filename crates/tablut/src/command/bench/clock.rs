//! `tablut bench clock`: whether moves come in time while other work fills the cores.

use std::{
    io::{self, IsTerminal, Write},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_rules::{Game, Random, Rules};

use crate::{Status, input, output};

/// Count late moves while busy loops run beside the engine
#[derive(Args)]
#[command(after_help = "\
The engine plays against itself from random starts. Each call is timed from outside; a move is late
if the call took longer than the limit. Exit code 1 means that there were late moves.

Examples:
  tablut bench clock -n 200 --busy 2")]
pub(super) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// How many moves
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1000,
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    moves: u32,
    /// Seconds for a move
    #[arg(long, short, value_name = "SECONDS", default_value_t = 0.1, value_parser = super::seconds)]
    time: f64,
    /// Busy loops to run beside the engine
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u16).range(0..=1024))]
    busy: u16,
    /// Threads for the search
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The seed of the random starts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ClockReport {
    moves: usize,
    limit_ms: f64,
    busy: u16,
    cores: usize,
    p50_ms: f64,
    p99_ms: f64,
    worst_ms: f64,
    /// The longest time a busy loop had to wait for a core.
    pause_ms: f64,
    late: usize,
}

/// Random plies before the engine takes over.
const OPENING: usize = 4;

/// A game is abandoned after this many plies, so that the positions stay varied.
const LONGEST: usize = 80;

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let control = super::interruptible()?;
        let done = AtomicBool::new(false);
        let (mut times, pause) = thread::scope(|scope| {
            let loops: Vec<_> = (0..self.busy)
                .map(|_| scope.spawn(|| keep_busy(&done)))
                .collect();
            let times = self.play(&rules, &control);
            done.store(true, Ordering::Relaxed);
            let pauses = loops.into_iter().filter_map(|busy| busy.join().ok());
            (times, pauses.max().unwrap_or_default())
        });
        times.sort_unstable();
        let limit = Duration::from_secs_f64(self.time);
        let ms = |time: &Duration| time.as_secs_f64() * 1e3;
        let part = |of: usize| times.get((times.len() * of).div_ceil(100).max(1) - 1);
        let report = ClockReport {
            moves: times.len(),
            limit_ms: ms(&limit),
            busy: self.busy,
            cores: thread::available_parallelism().map_or(1, Into::into),
            p50_ms: part(50).map_or(0.0, ms),
            p99_ms: part(99).map_or(0.0, ms),
            worst_ms: times.last().map_or(0.0, ms),
            pause_ms: ms(&pause),
            late: times.iter().filter(|&&time| time > limit).count(),
        };
        if self.json {
            output::json(out, &report)?;
        } else {
            print(out, &report)?;
        }
        Ok(match report.late {
            0 => Status::Good,
            _ => Status::Bad,
        })
    }

    /// The time of every move. A move that was interrupted is not counted.
    fn play(&self, rules: &Arc<Rules>, control: &Control) -> Vec<Duration> {
        let limits = SearchLimits::time(Duration::from_secs_f64(self.time));
        let mut engine = Engine::new(EngineOptions {
            threads: usize::from(self.threads),
            ..EngineOptions::default()
        });
        let mut random = Random::new(self.seed);
        let mut game = opening(rules, &mut random);
        let mut times = Vec::new();
        let mut talk = io::stderr();
        while times.len() < self.moves as usize {
            if game.outcome().is_some() || game.plies().len() >= LONGEST {
                game = opening(rules, &mut random);
            }
            let begin = Instant::now();
            let report = engine.search(&game, &limits, control, &mut |_| {});
            let time = begin.elapsed();
            if control.is_stopped() {
                break;
            }
            times.push(time);
            let played = report.best.is_some_and(|step| game.play(step).is_ok());
            if !played {
                game = opening(rules, &mut random);
            }
            if talk.is_terminal() && times.len().is_multiple_of(10) {
                let _ = write!(talk, "\r\x1b[K{} of {} moves", times.len(), self.moves);
            }
        }
        if talk.is_terminal() {
            let _ = write!(talk, "\r\x1b[K");
        }
        times
    }
}

/// Computes until it is done, and says for how long it was not let at most.
fn keep_busy(done: &AtomicBool) -> Duration {
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    while !done.load(Ordering::Relaxed) {
        let now = Instant::now();
        longest = longest.max(now - last);
        last = now;
    }
    longest
}

/// A game that is not over, after a few random moves.
fn opening(rules: &Arc<Rules>, random: &mut Random) -> Game {
    let mut game = Game::new(Arc::clone(rules));
    for _ in 0..OPENING {
        let before = game.clone();
        let moves = rules.moves(game.position());
        let played = !moves.is_empty() && game.play(random.pick(&moves)).is_ok();
        if !played || game.outcome().is_some() {
            return before;
        }
    }
    game
}

fn print(out: &mut impl Write, report: &ClockReport) -> Result<()> {
    let ClockReport { busy, cores, .. } = report;
    writeln!(out, "{} moves, limit {} ms", report.moves, report.limit_ms)?;
    writeln!(out, "busy   {busy} loops on {cores} cores")?;
    writeln!(out, "p50    {:.1} ms", report.p50_ms)?;
    writeln!(out, "p99    {:.1} ms", report.p99_ms)?;
    writeln!(out, "worst  {:.1} ms", report.worst_ms)?;
    writeln!(out, "late   {}", report.late)?;
    if report.busy > 0 {
        writeln!(
            out,
            "(a busy loop had to wait for a core for up to {:.1} ms)",
            report.pause_ms
        )?;
    }
    Ok(())
}
