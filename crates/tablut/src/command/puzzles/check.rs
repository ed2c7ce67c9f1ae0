//! `tablut puzzles check`: proves puzzles.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tablut_host::{PuzzleFinding, PuzzleOrder};
use tablut_review::puzzle::{Effort, Puzzle, built_in_puzzles, read_puzzles};
use tablut_rules::BuiltIn;

use super::crew::Crew;
use crate::{Status, input, output::counted, signal};

/// How many puzzles a worker proves at a time.
const PART: usize = 4;

/// Prove puzzles: all that ship, or those of a file
#[derive(Args)]
#[command(after_help = "\
At each of the solver's turns the right move must win by force in the plies that are left, and no other may;
at the first turn not two plies later either. Of a puzzle to save a game, every other move must lose soon.
Exit code 1 means that one is not so. --every 20 proves a twentieth. With --queue the workers of a store prove
them (tablut worker --jobs puzzles), on any number of machines.

Examples:
  tablut puzzles check
  tablut puzzles check --rules linnaeus --every 10
  tablut puzzles check --rules ashton mine.txt
  tablut puzzles check --queue postgres://tablut@db/tablut")]
pub(super) struct Arguments {
    /// The rule set [default: all that have puzzles]
    #[arg(long, short, value_name = "ID")]
    rules: Option<BuiltIn>,
    /// Prove only every N-th puzzle
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Let the workers of this store do it: a file, or a PostgreSQL URL
    #[arg(long, value_name = "FILE|URL")]
    queue: Option<String>,
    /// A file of puzzles [default: those that ship]
    #[arg(value_name = "FILE", requires = "rules")]
    file: Option<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let stop = signal::stop("Stopping after this puzzle.")?;
        let mut tally = Tally {
            out,
            proved: 0,
            faulty: 0,
        };
        match &self.queue {
            Some(place) => {
                let crew = Crew::open(place)?;
                let mut parts = Vec::new();
                for (set, puzzles) in self.puzzles()? {
                    parts.extend(puzzles.chunks(PART).map(|part| (set, part.to_vec())));
                }
                let orders = parts.into_iter().map(|(set, puzzles)| {
                    let order = PuzzleOrder::Prove {
                        rules: set.to_string(),
                        puzzles: puzzles.iter().map(Puzzle::to_string).collect(),
                    };
                    Ok(((set, puzzles), Some(order)))
                });
                crew.run(orders, &stop, |(set, puzzles), found| {
                    let faults = match found {
                        Ok(Some(PuzzleFinding::Proved(faults))) => faults,
                        Ok(_) => Vec::new(),
                        Err(fault) => vec![Some(fault); puzzles.len()],
                    };
                    for (puzzle, fault) in puzzles.iter().zip(faults) {
                        tally.count(set, puzzle, fault)?;
                    }
                    Ok(false)
                })?;
            }
            None => {
                for (set, puzzles) in self.puzzles()? {
                    let rules = set.rules();
                    for puzzle in &puzzles {
                        if stop.is_finishing() {
                            break;
                        }
                        let fault = puzzle.prove(&rules, &Effort::default()).err();
                        tally.count(set, puzzle, fault.map(|fault| fault.to_string()))?;
                    }
                }
            }
        }
        tally.report()
    }

    /// What is to be proved, by rule set.
    fn puzzles(&self) -> Result<Vec<(BuiltIn, Vec<Puzzle>)>> {
        let sets = match self.rules {
            Some(set) => vec![set],
            None => BuiltIn::LISTED.to_vec(),
        };
        let mut all = Vec::new();
        for set in sets {
            let puzzles = match &self.file {
                Some(name) => read_file(name)?,
                None => built_in_puzzles(set).to_vec(),
            };
            let puzzles = puzzles.into_iter().step_by(self.every as usize);
            all.push((set, puzzles.collect()));
        }
        Ok(all)
    }
}

/// What was proved.
struct Tally<'a, W> {
    out: &'a mut W,
    proved: usize,
    faulty: usize,
}

impl<W: Write> Tally<'_, W> {
    fn count(&mut self, set: BuiltIn, puzzle: &Puzzle, fault: Option<String>) -> Result<()> {
        match fault {
            None => self.proved += 1,
            Some(fault) => {
                self.faulty += 1;
                writeln!(self.out, "{set} {}: {fault}", puzzle.number)?;
                self.out.flush()?;
            }
        }
        Ok(())
    }

    fn report(self) -> Result<Status> {
        writeln!(
            self.out,
            "{} proved",
            counted(self.proved, "puzzle", "puzzles")
        )?;
        Ok(match self.faulty {
            0 => Status::Good,
            _ => Status::Bad,
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
