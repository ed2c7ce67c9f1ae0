//! `tablut perft`: counts of move sequences.

use std::{
    io::{self, IsTerminal, Write},
    time::Instant,
};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use tablut_rules::{Perft, Position, Rules};

use crate::{Status, input, output};

/// Count the positions after a number of moves
#[derive(Args)]
#[command(after_help = "\
Games that end earlier are not counted; repetition and limits are ignored.

Examples:
  tablut perft 4
  tablut perft --rules berkeley --divide 2
  tablut perft --position '9/9/9/4K4/9/9/9/9/3bbb3 w' 3")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// Start from this position instead of the rule set's start
    #[arg(long, short, value_name = "POSITION", default_value = "start")]
    position: String,
    /// Print the counts for each first move
    #[arg(long)]
    divide: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The number of moves
    #[arg(value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
}

#[derive(Serialize)]
struct Row {
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    step: Option<String>,
    nodes: u64,
    capture_moves: u64,
    captured_men: u64,
    white_wins: u64,
    black_wins: u64,
}

impl Row {
    fn new(depth: Option<u32>, step: Option<String>, counts: Perft) -> Self {
        Self {
            depth,
            step,
            nodes: counts.nodes,
            capture_moves: counts.capture_moves,
            captured_men: counts.captured_men,
            white_wins: counts.defender_wins,
            black_wins: counts.attacker_wins,
        }
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let setup = input::setup(std::slice::from_ref(&self.position), &rules)?;
        let position = input::position(&setup, &rules)?;
        match self.divide {
            true => self.divide(out, &rules, &position)?,
            false => self.table(out, &rules, &position)?,
        }
        Ok(Status::Good)
    }

    /// Prints the counts below each move.
    fn divide(&self, out: &mut impl Write, rules: &Rules, position: &Position) -> Result<()> {
        let mut total = Perft::default();
        let mut rows = Vec::new();
        for (step, counts) in rules.divide(position, self.depth) {
            total += counts;
            if self.json {
                rows.push(Row::new(None, Some(step.to_string()), counts));
            } else {
                writeln!(out, "{step} {}", counts.nodes)?;
                out.flush()?;
            }
        }
        if self.json {
            output::json(out, &rows)?;
        } else {
            writeln!(out, "total {}", total.nodes)?;
        }
        Ok(())
    }

    /// Prints the counts of all depths up to the given one.
    fn table(&self, out: &mut impl Write, rules: &Rules, position: &Position) -> Result<()> {
        let mut rows = Vec::new();
        if !self.json {
            writeln!(
                out,
                "depth {:>14} {:>13} {:>13} {:>11} {:>11}",
                "nodes", "capture moves", "captured men", "white wins", "black wins"
            )?;
        }
        for depth in 1..=self.depth {
            let counts = count(rules, position, depth)?;
            if self.json {
                rows.push(Row::new(Some(depth), None, counts));
                continue;
            }
            writeln!(
                out,
                "{depth:>5} {:>14} {:>13} {:>13} {:>11} {:>11}",
                counts.nodes,
                counts.capture_moves,
                counts.captured_men,
                counts.defender_wins,
                counts.attacker_wins
            )?;
            out.flush()?;
        }
        if self.json {
            output::json(out, &rows)?;
        }
        Ok(())
    }
}

/// Counts one depth, with progress for a person who waits.
fn count(rules: &Rules, position: &Position, depth: u32) -> Result<Perft> {
    let mut talk = io::stderr();
    let moves = rules.count_moves(position);
    let start = Instant::now();
    let mut total = Perft::default();
    let mut shown = false;
    for (n, (_, counts)) in rules.divide(position, depth).enumerate() {
        total += counts;
        if talk.is_terminal() && start.elapsed().as_secs() >= 1 {
            write!(talk, "\r\x1b[Kdepth {depth}: {} of {moves} moves", n + 1)?;
            shown = true;
        }
    }
    if shown {
        write!(talk, "\r\x1b[K")?;
    }
    Ok(total)
}
