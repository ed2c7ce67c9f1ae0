//! `tablut bench middle`: how fast and how deep the engine searches in the middle of games.

use std::{io::Write, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_engine::{Engine, EngineOptions, SearchLimits};
use tablut_rules::Game;

use crate::{Status, output};

/// Search positions from the middle of recorded games: nodes per second and depth
#[derive(Args)]
#[command(after_help = "\
In every game that is long enough, the position after --after plies is searched by one thread with an
empty table.

Examples:
  tablut bench middle games/challenge-won.tablut
  tablut bench middle games/challenge-won.tablut --after 30 --time 0.5")]
pub(super) struct Arguments {
    /// A file of game records
    #[arg(value_name = "FILE")]
    file: String,
    /// Search the position after this many plies
    #[arg(long, value_name = "N", default_value_t = 20)]
    after: usize,
    /// Look at no more than this many games
    #[arg(long, value_name = "N", default_value_t = 40)]
    most: usize,
    /// Seconds for a position
    #[arg(long, short, value_name = "SECONDS", default_value_t = 2.0, value_parser = super::seconds)]
    time: f64,
    /// The depth to reach
    #[arg(long, value_name = "PLIES", default_value_t = 12)]
    depth: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MiddleReport {
    positions: usize,
    reached: usize,
    /// Per position, the lowest first.
    depths: Vec<u32>,
    nodes_per_s: u64,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let positions = self.positions()?;
        let control = super::interruptible()?;
        let limits = SearchLimits::time(Duration::from_secs_f64(self.time));
        let (mut depths, mut nodes, mut time) = (Vec::new(), 0, Duration::ZERO);
        for game in &positions {
            let mut engine = Engine::new(EngineOptions::default());
            let report = engine.search(game, &limits, &control, &mut |_| {});
            if control.is_stopped() {
                break;
            }
            depths.push(report.depth);
            nodes += report.nodes;
            time += report.time;
        }
        depths.sort_unstable();
        let report = MiddleReport {
            positions: depths.len(),
            reached: depths.iter().filter(|&&depth| depth >= self.depth).count(),
            depths,
            nodes_per_s: (nodes as f64 / time.as_secs_f64().max(1e-9)) as u64,
        };
        if self.json {
            output::json(out, &report)?;
        } else {
            self.print(out, &report)?;
        }
        Ok(Status::Good)
    }

    fn print(&self, out: &mut impl Write, report: &MiddleReport) -> Result<()> {
        let million = report.nodes_per_s as f64 / 1e6;
        writeln!(out, "positions  {}", report.positions)?;
        writeln!(out, "speed      {million:.2} million nodes/s")?;
        writeln!(
            out,
            "depth      {} or more in {} positions within {} s",
            self.depth, report.reached, self.time
        )?;
        let middle = report.depths.get(report.depths.len() / 2);
        if let (Some(low), Some(middle), Some(high)) =
            (report.depths.first(), middle, report.depths.last())
        {
            writeln!(
                out,
                "           lowest {low}, median {middle}, highest {high}"
            )?;
        }
        Ok(())
    }

    /// The games as they stood after the given number of plies.
    fn positions(&self) -> Result<Vec<Game>> {
        let name = &self.file;
        let mut positions = super::games(name)?;
        // A position close to the end is not in the middle of the game.
        positions.retain(|game| game.plies().len() >= self.after + 8);
        for game in &mut positions {
            while game.plies().len() > self.after && game.undo() {}
        }
        if positions.is_empty() {
            bail!("{name} has no game of more than {} plies", self.after + 8);
        }
        // Spread over the whole file.
        let step = positions.len().div_ceil(self.most.max(1));
        Ok(positions.into_iter().step_by(step).collect())
    }
}
