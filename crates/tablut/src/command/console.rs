//! `tablut console`: the text console of Berkeley's CS 61B, for its graders and programs.

mod automaton;
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
use tablut_rules::BoardSize;

use self::session::{Reply, Session};
use crate::{Status, input};

/// Graders read with a small buffer, so two automatic moves are at least so far apart.
const PAUSE: Duration = Duration::from_millis(1);

/// Play by text commands, as the programs of Berkeley's CS 61B do
#[derive(Args)]
#[command(after_help = "\
Squares have row 1 at the bottom; a move names the square and the coordinate that changes: b3-6, b3-f.
Commands: new, MOVE, seed N, auto black|white, manual black|white, limit N, dump, undo, toggle SQUARE,
quit; # starts a comment. At the start black is manual and white automatic. docs/console.md tells all.

Examples:
  tablut console
  tablut console moves.txt
  printf 'auto black\\n' | tablut console
  printf 'd9-c\\ndump\\n' | tablut console --rules ashton")]
pub(crate) struct Arguments {
    /// The rule set: an id of `tablut rules`, or a TOML file
    #[arg(long, short, value_name = "ID|FILE", default_value = "berkeley")]
    rules: String,
    /// The seed of the automatic players; the command `seed` changes it
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: i64,
    /// A file with commands; without one, or with -, they are read from standard input
    file: Option<String>,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
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
        let mut session = Session::new(rules.into(), self.seed);
        let mut line = Vec::new();
        loop {
            while let Some(reply) = session.proceed() {
                say(out, &reply)?;
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
            match session.obey(&String::from_utf8_lossy(&line)) {
                Ok(Reply::Quit) => return Ok(Status::Good),
                Ok(reply) => say(out, &reply)?,
                Err(error) => {
                    // Whoever reads both sees them in the order in which they happened.
                    out.flush()?;
                    let _ = writeln!(io::stderr(), "error: {error}");
                }
            }
        }
    }
}

fn say(out: &mut impl Write, reply: &Reply) -> Result<()> {
    write!(out, "{reply}")?;
    out.flush()?;
    Ok(())
}
