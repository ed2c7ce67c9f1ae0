//! `tablut puzzles motifs`: the motifs of a file's puzzles, found anew.

use std::io::Write;

use anyhow::{Context, Result, anyhow};
use clap::Args;
use tablut_review::puzzle::Puzzle;
use tablut_rules::BuiltIn;

use crate::{Status, input};

/// Find the motifs of the puzzles of a file anew
#[derive(Args)]
#[command(after_help = "\
Prints the file with the motifs that the rules find along each solution; everything else stays as it is. That is
needed when there are new motifs.

Examples:
  tablut puzzles motifs --rules modern crates/review/puzzles/modern.txt > modern.txt")]
pub(super) struct Arguments {
    /// The rule set
    #[arg(long, short, value_name = "ID", default_value = "ashton")]
    rules: BuiltIn,
    /// A file of puzzles
    #[arg(value_name = "FILE")]
    file: String,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.rules();
        for (n, line) in input::read(&self.file)?.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                writeln!(out, "{line}")?;
                continue;
            }
            let puzzle = line.parse::<Puzzle>().map_err(|error| anyhow!("{error}"));
            let found = puzzle.and_then(|puzzle| Ok(puzzle.with_motifs_found(&rules)?));
            let found = found.with_context(|| format!("{}, line {}", self.file, n + 1))?;
            writeln!(out, "{found}")?;
        }
        Ok(Status::Good)
    }
}
