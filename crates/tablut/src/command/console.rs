//! `tablut console`: the text console of Berkeley's CS 61B, for its graders and programs.

mod order;
mod session;

use std::{
    fs::File,
    io::{self, BufRead, BufReader, IsTerminal, Write},
    thread,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tablut_rules::{BoardSize, Setup, notation::berkeley::BerkeleyMove};

use self::session::{ConsoleReply, ConsoleSession};
use crate::{Status, input};

/// Graders read with a small buffer, so two automatic moves are at least so far apart.
const PAUSE: Duration = Duration::from_millis(1);

/// Play by text commands, like the programs of Berkeley's CS 61B
#[derive(Args)]
#[command(after_help = "\
Squares have row 1 at the bottom; a move names the square and the coordinate that changes: b3-6, b3-f.
Commands: new, MOVE, seed N, auto black|white, manual black|white, limit N, dump, undo, toggle SQUARE,
quit; # starts a comment. At the start black is manual and white automatic. See docs/console.md.

Examples:
  tablut console
  tablut console moves.txt
  tablut console --strict --log=commands.txt moves.txt transcript.txt
  printf 'auto black\\n' | tablut console
  printf 'd9-c\\ndump\\n' | tablut console --rules ashton")]
pub(crate) struct Arguments {
    /// The rule set: an id of `tablut rules`, or a TOML file
    #[arg(long, short, value_name = "ID|FILE", default_value = "berkeley")]
    rules: String,
    /// The seed of the automatic players; the command `seed` changes it
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(i64).range(0..))]
    seed: i64,
    /// Stop with exit code 1 at the first error, instead of continuing
    #[arg(long)]
    strict: bool,
    /// Copy all commands and automatic moves to this file, one per line
    #[arg(long, value_name = "FILE")]
    log: Option<String>,
    /// Show the board on standard error at the start and after each move
    #[arg(long)]
    display: bool,
    /// In the original, --display takes commands from its window unless this is given; here they are
    /// always text
    #[arg(long, hide = true)]
    testing: bool,
    /// A file with commands; without one, or with -, they are read from standard input
    #[arg(value_name = "INPUT")]
    file: Option<String>,
    /// A file to write to instead of standard output
    #[arg(value_name = "OUTPUT")]
    output: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        match self.output.as_deref() {
            None | Some("-") => self.play(out),
            Some(name) => self.play(&mut create(name)?),
        }
    }

    /// Shows the board if it has changed and `--display` asks for it.
    fn display(&self, session: &ConsoleSession, shown: &mut Option<Setup>) {
        let setup = session.setup();
        if self.display && *shown != Some(setup) {
            // Standard output stays as graders read it.
            let _ = write!(io::stderr(), "{}", ConsoleReply::Board(setup));
            *shown = Some(setup);
        }
    }

    fn play(&self, out: &mut impl Write) -> Result<Status> {
        let rules = input::rules(&self.rules)?;
        if rules.size() != BoardSize::Nine {
            let rows = rules.size().rows();
            bail!(
                "the console plays on boards of 9 rows; {} has {rows}",
                self.rules
            );
        }
        let (mut commands, is_typed): (Box<dyn BufRead>, _) = match self.file.as_deref() {
            None | Some("-") => (Box::new(io::stdin().lock()), io::stdin().is_terminal()),
            Some(name) => {
                let file = File::open(name).with_context(|| format!("cannot read {name}"))?;
                (Box::new(BufReader::new(file)), false)
            }
        };
        let mut log = self.log.as_deref().map(create).transpose()?;
        let mut session = ConsoleSession::new(rules, self.seed)?;
        let mut line = Vec::new();
        let mut shown = None;
        loop {
            self.display(&session, &mut shown);
            while let Some(reply) = session.proceed() {
                if let (Some(log), ConsoleReply::Move(step)) = (&mut log, &reply) {
                    note(log, &BerkeleyMove(*step).to_string())?;
                }
                say(out, &reply)?;
                self.display(&session, &mut shown);
                thread::sleep(PAUSE);
            }
            if is_typed {
                write!(out, "{}>", session.side().colour())?;
                out.flush()?;
            }
            line.clear();
            let read = commands.read_until(b'\n', &mut line);
            if read.context("cannot read the commands")? == 0 {
                return Ok(Status::Good);
            }
            let command = String::from_utf8_lossy(&line);
            if let Some(log) = &mut log {
                note(log, command.trim())?;
            }
            match session.obey(&command) {
                Ok(ConsoleReply::Quit) => return Ok(Status::Good),
                Ok(reply) => say(out, &reply)?,
                Err(error) => {
                    // Whoever reads both sees them in the order in which they happened.
                    out.flush()?;
                    let _ = writeln!(io::stderr(), "error: {error}");
                    if self.strict {
                        return Ok(Status::Bad);
                    }
                }
            }
        }
    }
}

/// A new file, or an old one emptied.
fn create(name: &str) -> Result<File> {
    File::create(name).with_context(|| format!("cannot write to {name}"))
}

/// Adds a line to a log.
fn note(log: &mut File, line: &str) -> Result<()> {
    writeln!(log, "{line}").context("cannot write to the log")
}

fn say(out: &mut impl Write, reply: &ConsoleReply) -> Result<()> {
    write!(out, "{reply}")?;
    out.flush()?;
    Ok(())
}
