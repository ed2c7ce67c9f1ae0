//! `tablut puzzles check`: proves puzzles.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tablut_review::puzzle::{Effort, Puzzle, built_in_puzzles, read_puzzles};
use tablut_rules::BuiltIn;

use crate::{Status, input, output::counted, signal};

/// Prove puzzles: all that ship, or those of a file
#[derive(Args)]
#[command(after_help = "\
At each of the solver's turns the right move must win by force in the plies that are left, and no other may;
at the first turn not two plies later either. Of a puzzle to save a game, every other move must lose soon.
Exit code 1 means that one is not so. --every 20 proves a twentieth.

Examples:
  tablut puzzles check
  tablut puzzles check --rules linnaeus --every 10
  tablut puzzles check --rules ashton mine.txt")]
pub(super) struct Arguments {
    /// The rule set [default: all that have puzzles]
    #[arg(long, short, value_name = "ID")]
    rules: Option<BuiltIn>,
    /// Prove only every N-th puzzle
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// A file of puzzles [default: those that ship]
    #[arg(value_name = "FILE", requires = "rules")]
    file: Option<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let stop = signal::stop("Stopping after this puzzle.")?;
        let sets = match self.rules {
            Some(set) => vec![set],
            None => BuiltIn::LISTED.to_vec(),
        };
        let (mut proved, mut faulty) = (0, 0);
        for set in sets {
            let read;
            let puzzles: &[Puzzle] = match &self.file {
                Some(name) => {
                    read = read_file(name)?;
                    &read
                }
                None => built_in_puzzles(set),
            };
            let rules = set.rules();
            for puzzle in puzzles.iter().step_by(self.every as usize) {
                if stop.is_finishing() {
                    break;
                }
                match puzzle.prove(&rules, Effort::default()) {
                    Ok(()) => proved += 1,
                    Err(fault) => {
                        faulty += 1;
                        writeln!(out, "{set} {}: {fault}", puzzle.number)?;
                        out.flush()?;
                    }
                }
            }
        }
        writeln!(out, "{} proved", counted(proved, "puzzle", "puzzles"))?;
        Ok(if faulty == 0 {
            Status::Good
        } else {
            Status::Bad
        })
    }
}

/// The puzzles of a file.
pub(super) fn read_file(name: &str) -> Result<Vec<Puzzle>> {
    let text = input::read(name)?;
    read_puzzles(&text)
        .map_err(|(line, error)| anyhow!("line {line}: {error}"))
        .with_context(|| format!("{name} is not a file of puzzles"))
}
