//! The program `tablut`: parses the command line, calls the libraries, prints.
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 success, 1 a check found
//! something, 2 the input or the command line was wrong, 130 interrupted.

mod command;
mod config;
mod descriptor;
mod help;
mod input;
mod live;
mod log;
mod output;
mod signal;
mod tui;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use clap::{FromArgMatches, Parser};
use command::{Command, serve};
use tablut_rules::text::harmless_lines;

/// Tablut, the old Nordic board game: a board in the browser, an engine, and the rules, exact and explained.
#[derive(Parser)]
#[command(name = "tablut", version, help_template = TEMPLATE, after_help = AFTER, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What people come for is on the first screen.
const TEMPLATE: &str = "\
{about}

  tablut                        play: the board opens in the browser
  tablut play                   play in the terminal, even over SSH
  tablut analyse start -t 2     what the engine thinks of a position
  tablut rules show ashton      the rules of the Tablut Challenge, in sentences
  tablut referee                the contest server of the Tablut Challenge

{usage-heading} {usage}

{all-args}{after-help}";

const AFTER: &str = "\
Every command has examples: tablut COMMAND --help. If something does not work: tablut doctor
Wherever a command asks for a rule set, you can name your own TOML file.
Colours are off without a terminal, or with NO_COLOR=1.
Exit codes: 0 success; 1 a check found something; 2 the input or the command line was wrong;
130 interrupted.";

/// How a command ended, besides by an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    /// All is well.
    Good,
    /// A check found something.
    Bad,
    /// It was interrupted.
    Stopped,
}

fn main() -> ExitCode {
    let arguments = match config::matches(help::command()) {
        Ok(arguments) => arguments,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tablut: {error:#}");
            return ExitCode::from(2);
        }
    };
    let arguments = match Arguments::from_arg_matches(&arguments) {
        Ok(arguments) => arguments,
        Err(error) => error.exit(),
    };
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
            let text = harmless_lines(&format!("{error:#}"));
            let _ = writeln!(io::stderr(), "tablut: {text}");
            ExitCode::from(2)
        }
        _ => match status {
            Status::Good => ExitCode::SUCCESS,
            Status::Bad => ExitCode::FAILURE,
            // As shells say it of a program that was interrupted.
            Status::Stopped => ExitCode::from(130),
        },
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn each(command: &clap::Command, path: &str, look: &mut impl FnMut(&clap::Command, &str)) {
        for inner in command.get_subcommands() {
            let path = format!("{path} {}", inner.get_name());
            look(inner, &path);
            each(inner, &path, look);
        }
    }

    #[test]
    fn the_help_of_every_command_has_examples_of_it() {
        let (mut count, mut without) = (0, Vec::new());
        each(&Arguments::command(), "tablut", &mut |command, path| {
            // What only the program itself starts.
            if command.is_hide_set() {
                return;
            }
            let help = command.get_after_help().map(ToString::to_string);
            count += 1;
            if !help.is_some_and(|help| help.contains("Example") && help.contains(path)) {
                without.push(path.to_string());
            }
        });
        assert_eq!(without, [""; 0]);
        assert!(count > 15);
    }

    #[test]
    fn the_same_letter_means_the_same_flag_everywhere() {
        let mut letters = std::collections::BTreeMap::<char, Vec<(String, String)>>::new();
        each(&Arguments::command(), "tablut", &mut |command, path| {
            // The short flags of the contest's server are those of the Java server.
            if path == "tablut referee" {
                return;
            }
            for argument in command.get_arguments() {
                if let Some(letter) = argument.get_short() {
                    let name = argument.get_id().to_string();
                    let known = letters.entry(letter).or_default();
                    known.push((name, path.to_string()));
                }
            }
        });
        // A count is called what is counted.
        letters.remove(&'n');
        for (letter, users) in letters {
            let same = users.iter().all(|(name, _)| *name == users[0].0);
            assert!(same, "-{letter}: {users:?}");
        }
    }
}
