//! The program `tablut`: parses the command line, calls the libraries, prints.
//!
//! Data goes to standard output, talk to standard error. Exit codes: 0 done, 1 a check found
//! something, 2 the input or the command line was wrong.

mod command;
mod input;
mod live;
mod output;
mod signal;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use clap::Parser;
use command::{Command, serve};

/// Tablut, the old Nordic board game: a board in the browser, an engine, the rules exact and explained.
#[derive(Parser)]
#[command(name = "tablut", version, after_help = EXAMPLES, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Without a command, the board opens in the browser.

Examples:
  tablut                                    the board in the browser
  tablut serve --lan                        the same, for others in your network too
  tablut rules                              the rule sets
  tablut rules show ashton                  the rules of the Tablut Challenge in sentences
  tablut rules diff ashton ashton-siege     where two sets differ, with proving positions
  tablut show start                         a position: board, legal moves, calls
  tablut analyse start -t 2                 what the engine thinks
  tablut match random random -n 20          a series of games, with sides swapped
  tablut referee                            the contest server of the Tablut Challenge
  tablut player WHITE 60 192.168.20.254     our engine in the Tablut Challenge

Wherever a rule set is asked for, the name of a TOML file of your own will do.";

/// How a command ended, besides by an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// All is well.
    Good,
    /// A check found something.
    Bad,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(io::stdout());
    let done = match arguments.command {
        Some(command) => command.run(&mut out),
        // Without a command, the board opens in the browser.
        None => serve::Arguments::default().run(&mut out),
    };
    let flushed = out.flush().map_err(anyhow::Error::from);
    let (status, error) = match (done, flushed) {
        (Ok(status), flushed) => (status, flushed.err()),
        (Err(error), _) => (Status::Good, Some(error)),
    };
    match error {
        // Whoever read the output has seen enough, as in `tablut rules | head -1`.
        Some(error) if !is_broken_pipe(&error) => {
            // Nobody may be left to hear it; the exit code says it too.
            let _ = writeln!(io::stderr(), "tablut: {error:#}");
            ExitCode::from(2)
        }
        _ if status == Status::Bad => ExitCode::FAILURE,
        _ => ExitCode::SUCCESS,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
