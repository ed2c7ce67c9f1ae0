//! `tablut solve`: forced wins, proved or refuted.

use std::io::{self, IsTerminal, Write};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use tablut_engine::{
    Control,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{Game, Move, Rules, Side};

use crate::{
    Status, input,
    output::{self, counted},
};

/// Prove or refute a forced win
#[derive(Args)]
#[command(after_help = "\
Every defence is tried, so an answer is a proof; the first win found is the shortest. Exit code 1
means that there is no forced win within the plies, or that the limits ended the search.

Examples:
  tablut solve 9/9/1b1K5/9/9/9/9/9/b8 w
  tablut solve --side black --max-plies 7 --tree 9/9/9/9/4K4/9/9/9/bbbb5 b")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// The side that should win [default: the side to move]
    #[arg(long, value_enum)]
    side: Option<Colour>,
    /// The longest win to look for, in plies
    #[arg(long, value_name = "N", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(1..=99))]
    max_plies: u32,
    /// Stop after this many positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    nodes: u64,
    /// Memory for the table of results, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,
    /// Print the proof: the winner's answer to every defence
    #[arg(long, conflicts_with = "json")]
    tree: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The position, in any format `tablut show` accepts
    #[arg(required = true, value_name = "POSITION")]
    position: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Colour {
    White,
    Black,
}

#[derive(Serialize)]
struct SolveReport {
    /// `won`, `not within` or `unknown`.
    answer: &'static str,
    plies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    line: Vec<String>,
    nodes: u64,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let setup = input::setup(&self.position, &rules)?;
        let position = input::position(&setup, &rules)?;
        let winner = match self.side {
            None => position.side(),
            Some(Colour::White) => Side::Defenders,
            Some(Colour::Black) => Side::Attackers,
        };
        let game = Game::from_position(rules.clone(), position, rules.laws());
        if let Some(outcome) = game.outcome() {
            writeln!(out, "The game is over: {outcome}.")?;
            let won = outcome.winner == Some(winner);
            return Ok(if won { Status::Good } else { Status::Bad });
        }
        let hash = usize::try_from(self.hash).unwrap_or(usize::MAX);
        let mut solver = Solver::try_new(&game, winner, hash, Control::new())?;
        let limits = SolveLimits {
            plies: self.max_plies,
            nodes: self.nodes,
        };
        let mut talk = io::stderr();
        let answer = solver.solve(limits, &mut |progress| {
            if talk.is_terminal() {
                // What cannot be shown is not worth an error.
                let _ = write!(
                    talk,
                    "\r\x1b[Kno win within {} plies ({} positions)",
                    progress.plies, progress.nodes
                );
            }
        });
        if talk.is_terminal() {
            let _ = write!(talk, "\r\x1b[K");
        }
        if self.json {
            output::json(out, &report(&answer, solver.nodes()))?;
        } else {
            print(out, &answer, winner, solver.nodes())?;
        }
        let Solution::Won { plies, .. } = answer else {
            return Ok(Status::Bad);
        };
        if self.tree {
            writeln!(out)?;
            let mut tree = Tree {
                out,
                solver: &mut solver,
                winner,
                rules: &rules,
            };
            tree.print(plies, 0)?;
        }
        Ok(Status::Good)
    }
}

fn words(line: &[Move]) -> Vec<String> {
    line.iter().map(Move::to_string).collect()
}

fn report(answer: &Solution, nodes: u64) -> SolveReport {
    let (answer, plies, shortest, line) = match answer {
        Solution::Won {
            plies,
            shortest,
            line,
        } => ("won", *plies, Some(*shortest), words(line)),
        Solution::NotWithin(plies) => ("not within", *plies, None, Vec::new()),
        Solution::Unknown(plies) => ("unknown", *plies, None, Vec::new()),
    };
    SolveReport {
        answer,
        plies,
        shortest,
        line,
        nodes,
    }
}

fn print(out: &mut impl Write, answer: &Solution, winner: Side, nodes: u64) -> Result<()> {
    let colour = winner.colour();
    match answer {
        Solution::Won {
            plies,
            shortest,
            line,
        } => {
            let shortest = match shortest {
                true => " This is the shortest win.",
                false => " A repetition might make it shorter.",
            };
            let plies = counted(*plies, "ply", "plies");
            writeln!(out, "{colour} wins in {plies}.{shortest}")?;
            writeln!(out, "line       {}", words(line).join(" "))?;
        }
        Solution::NotWithin(plies) => {
            let plies = counted(*plies, "ply", "plies");
            writeln!(out, "{colour} has no forced win within {plies}.")?;
        }
        Solution::Unknown(plies) => {
            let plies = counted(*plies, "ply", "plies");
            writeln!(
                out,
                "Unknown: no win for {colour} was found within {plies}, but there may be one."
            )?;
        }
    }
    writeln!(out, "positions  {nodes}")?;
    Ok(())
}

/// Prints a proof: the winner's move, then every defence with its answer.
struct Tree<'a, 'g, W> {
    out: &'a mut W,
    solver: &'a mut Solver<'g>,
    winner: Side,
    rules: &'a Rules,
}

impl<W: Write> Tree<'_, '_, W> {
    /// Prints the proof of the position that the solver stands on.
    fn print(&mut self, plies: u32, depth: usize) -> Result<()> {
        if self.solver.position().side() == self.winner {
            self.print_attack(plies, depth)
        } else {
            self.print_defences(plies, depth)
        }
    }

    fn print_attack(&mut self, plies: u32, depth: usize) -> Result<()> {
        let indent = "  ".repeat(depth);
        let Some(step) = self.solver.winning_move(plies) else {
            return Ok(());
        };
        if self.solver.play(step) || plies < 3 {
            writeln!(self.out, "{indent}{step} wins")?;
        } else {
            writeln!(self.out, "{indent}{step}")?;
            self.print(plies - 1, depth + 1)?;
        }
        self.solver.take_back();
        Ok(())
    }

    fn print_defences(&mut self, plies: u32, depth: usize) -> Result<()> {
        let indent = "  ".repeat(depth);
        // Defences that the same move answers at once are printed together.
        let mut at_once: Vec<(Move, Vec<Move>)> = Vec::new();
        for &defence in &self.rules.moves(self.solver.position()) {
            let distance = match self.solver.play(defence) {
                true => None,
                false => self.solver.distance(plies.saturating_sub(1)),
            };
            if distance == Some(1) {
                if let Some(answer) = self.solver.winning_move(1) {
                    match at_once.iter_mut().find(|(known, _)| *known == answer) {
                        Some((_, defences)) => defences.push(defence),
                        None => at_once.push((answer, vec![defence])),
                    }
                }
            } else if let Some(distance) = distance {
                writeln!(self.out, "{indent}{defence}")?;
                self.print(distance, depth + 2)?;
            }
            self.solver.take_back();
        }
        at_once.sort_by_key(|(_, defences)| defences.len());
        for (answer, defences) in at_once {
            let text = match &defences[..] {
                few if few.len() <= 4 => words(few).join(", "),
                many => format!("{} other moves", many.len()),
            };
            writeln!(self.out, "{indent}{text}: {answer} wins")?;
        }
        Ok(())
    }
}
