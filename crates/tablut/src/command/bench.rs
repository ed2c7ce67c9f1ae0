//! `tablut bench`: the speed of this machine, and how the engine stands its tests.

mod clock;
#[cfg(target_os = "linux")]
mod faults;
mod finish;
mod host;
mod library;
mod middle;
mod referee;

use std::{
    hint::black_box,
    io::Write,
    process,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde::Serialize;
use tablut_challenge::document::{Document, Source};
use tablut_engine::Control;
use tablut_rules::{BuiltIn, Game, Position, Rules, Side};

use crate::{Status, input, output};

/// Measure the speed of this machine
#[derive(Args)]
#[command(after_help = "\
Without a subcommand, the engine searches fixed positions with one thread. The sum of the nodes is a
signature: it is the same on every machine, and changes when the search makes different decisions.

Examples:
  tablut bench
  tablut bench rules --seconds 2")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Subcommand)]
enum What {
    /// Measure positions, bulk perft leaves and moves made per second and core, for each rule set
    #[command(after_help = "\
Examples:
  tablut bench rules --seconds 2")]
    Rules {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// How long to measure each figure, in seconds
        #[arg(long, default_value_t = 0.5, value_parser = seconds)]
        seconds: f64,
    },
    /// Play many games by link at once against servers that share a store: latency, memory, processor time
    Host(host::Arguments),
    /// Put the contest server under load: time from a move to both states, memory per game, errors
    Referee(referee::Arguments),
    /// The clients of `bench referee`, started by it
    #[command(hide = true)]
    RefereeLoad,
    Clock(clock::Arguments),
    #[cfg(target_os = "linux")]
    Faults(faults::Arguments),
    Finish(finish::Arguments),
    Library(library::Arguments),
    Middle(middle::Arguments),
}

/// A handle that the first Ctrl-C stops, so that what is known so far is printed. The second ends
/// the program.
fn interruptible() -> Result<Control> {
    let control = Control::new();
    let handle = control.clone();
    ctrlc::set_handler(move || {
        if handle.is_stopped() {
            process::exit(130);
        }
        handle.stop();
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(control)
}

/// The games of a file, played through.
fn games(name: &str) -> Result<Vec<Game>> {
    let sets = input::sets(None)?;
    let document = Document::read(&input::read(name)?, Side::Defenders);
    let sources = match document.with_context(|| format!("cannot read {name}"))? {
        Document::Games(sources) => sources,
        Document::Position(_) => bail!("{name} holds a position, but games are needed"),
    };
    let game = |(number, source): (usize, &Source)| {
        let played = source.play_whole(&sets);
        let played = played.with_context(|| format!("{name}, game {}", number + 1))?;
        Ok(played.game)
    };
    sources.iter().enumerate().map(game).collect()
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds between 0.001 and 3600".into()),
    }
}

#[derive(Serialize)]
struct Row {
    rules: String,
    positions_per_s: u64,
    bulk_leaves_per_s: u64,
    make_nodes_per_s: u64,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (json, seconds) = match self.what {
            None => return signature(out),
            Some(What::Host(arguments)) => return arguments.run(out),
            Some(What::Referee(arguments)) => return arguments.run(out),
            Some(What::RefereeLoad) => return referee::load(out),
            Some(What::Clock(arguments)) => return arguments.run(out),
            #[cfg(target_os = "linux")]
            Some(What::Faults(arguments)) => return arguments.run(out),
            Some(What::Finish(arguments)) => return arguments.run(out),
            Some(What::Library(arguments)) => return arguments.run(out),
            Some(What::Middle(arguments)) => return arguments.run(out),
            Some(What::Rules { json, seconds }) => (json, seconds),
        };
        let limit = Duration::from_secs_f64(seconds);
        let mut rows = Vec::new();
        if !json {
            writeln!(
                out,
                "million per second and core\n{:<16} {:>10} {:>12} {:>11}",
                "rules", "positions", "bulk leaves", "made nodes"
            )?;
        }
        for set in BuiltIn::LISTED {
            let row = measure(&set.rules(), limit);
            if json {
                rows.push(row);
                continue;
            }
            let million = |count: u64| count as f64 / 1e6;
            writeln!(
                out,
                "{:<16} {:>10.1} {:>12.0} {:>11.1}",
                row.rules,
                million(row.positions_per_s),
                million(row.bulk_leaves_per_s),
                million(row.make_nodes_per_s)
            )?;
            out.flush()?;
        }
        if json {
            output::json(out, &rows)?;
        }
        Ok(Status::Good)
    }
}

/// Runs the engine's fixed work and prints its signature.
fn signature(out: &mut impl Write) -> Result<Status> {
    let bench = tablut_engine::bench::run(tablut_engine::bench::DEPTH);
    let speed = bench.nodes as f64 / bench.time.as_secs_f64();
    writeln!(out, "time   {:.2} s", bench.time.as_secs_f64())?;
    writeln!(out, "speed  {:.2} million nodes/s", speed / 1e6)?;
    writeln!(out, "Bench: {}", bench.nodes)?;
    Ok(Status::Good)
}

fn measure(rules: &Rules, limit: Duration) -> Row {
    let start = rules.start();
    let positions = middle_game(rules);
    Row {
        rules: rules.set().id().into(),
        positions_per_s: per_second(limit, || {
            for position in &positions {
                black_box(rules.moves(position));
            }
            positions.len() as u64
        }),
        bulk_leaves_per_s: per_second(limit, || rules.perft(&black_box(start), 4)),
        make_nodes_per_s: per_second(limit, || rules.perft_made(&black_box(start), 3).nodes),
    }
}

/// Repeats some work until the time is over, and says how many units it did in a second.
fn per_second(limit: Duration, mut work: impl FnMut() -> u64) -> u64 {
    work();
    let (start, mut units) = (Instant::now(), 0);
    while start.elapsed() < limit {
        units += work();
    }
    (units as f64 / start.elapsed().as_secs_f64()) as u64
}

/// Positions along one line of play: every seventh legal move, from the start.
fn middle_game(rules: &Rules) -> Vec<Position> {
    let mut position = rules.start();
    let mut positions = vec![position];
    for n in 0..60 {
        let moves = rules.moves(&position);
        let Some(&step) = moves.get(7 * n % moves.len().max(1)) else {
            break;
        };
        let applied = rules.apply_unchecked(&position, step);
        if applied.end.is_some() {
            break;
        }
        position = applied.position;
        positions.push(position);
    }
    positions
}
