//! `tablut puzzles`: positions with one right way, to be solved, made and proved.

mod check;
mod crew;
mod make;
mod motifs;
mod solve;
mod words;

use std::io::Write;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::Status;

/// Solve puzzles, make new ones from games, or prove those that ship
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Without a subcommand, shows puzzles near your rating and judges what you type. The first try at each counts
(Glicko-2); a hint counts for nothing, the solution as a miss.

Examples:
  tablut puzzles
  tablut puzzles --motif siege --rules linnaeus
  tablut puzzles --side black --length 5
  tablut puzzles --daily
  tablut puzzles make --to mine.txt --self-play 1000 games/challenge-won.tablut
  tablut puzzles check"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: Option<What>,
    #[command(flatten)]
    solve: solve::Arguments,
}

#[derive(Subcommand)]
enum What {
    /// Look for puzzles in games and add them to a file
    Make(make::Arguments),
    /// Prove puzzles: all that ship, or those of a file
    Check(check::Arguments),
    /// Find the motifs of the puzzles of a file anew
    Motifs(motifs::Arguments),
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        match self.what {
            None => self.solve.run(out),
            Some(What::Make(arguments)) => arguments.run(out),
            Some(What::Check(arguments)) => arguments.run(out),
            Some(What::Motifs(arguments)) => arguments.run(out),
        }
    }
}
