//! The subcommands, one file each.

mod bench;
mod conformance;
mod convert;
mod r#match;
mod perft;
mod rules;
mod show;

use std::io::Write;

use clap::Subcommand;

use crate::Status;

/// What the program can do.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// List, show, compare and check rule sets
    Rules(rules::Arguments),
    /// Show a position: board, legal moves, calls, faults
    Show(show::Arguments),
    /// Convert positions and games between text formats
    Convert(convert::Arguments),
    /// Count the positions after so many moves
    Perft(perft::Arguments),
    /// Play a series of games between two players and say who is stronger
    Match(r#match::Arguments),
    /// Replay recorded behaviour of other programs and report differences
    Conformance(conformance::Arguments),
    /// Measure the speed of this machine
    Bench(bench::Arguments),
}

impl Command {
    /// Runs the command; data goes to `out`.
    pub(crate) fn run(self, out: &mut impl Write) -> anyhow::Result<Status> {
        match self {
            Self::Rules(arguments) => arguments.run(out),
            Self::Show(arguments) => arguments.run(out),
            Self::Convert(arguments) => arguments.run(out),
            Self::Perft(arguments) => arguments.run(out),
            Self::Match(arguments) => arguments.run(out),
            Self::Conformance(arguments) => arguments.run(out),
            Self::Bench(arguments) => arguments.run(out),
        }
    }
}
