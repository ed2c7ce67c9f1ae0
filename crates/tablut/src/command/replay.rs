//! `tablut replay`: game logs and records, step by step, checked and converted.

mod step;
mod stepper;

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use jiff::Zoned;
use step::Step;
use tablut_arena::challenge::log::{self, Log};
use tablut_rules::{
    Game, Rules,
    record::{self, Record},
};

use crate::{Status, input};

/// Step through a game log or record, check it, convert it
#[derive(Args)]
#[command(after_help = "\
Game logs of the Java server (of any machine's language) and records are recognised. Every move is
made again under the rules, and where the log disagrees is said, with the line.

In a terminal, keys step through the game: right or space forward, left back, home and end, q quits.
Otherwise every position is printed.

Examples:
  tablut replay logs/_alpha_vs_beta_1794787326964_gameLog.txt
  tablut replay logs/*.txt --check
  tablut replay game.txt --to record > game.tablut
  tablut replay game.tablut --to log")]
pub(crate) struct Arguments {
    /// Game logs or records, or - for standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<String>,
    /// Convert it instead of showing it
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Only say where log and rules disagree
    #[arg(long, conflicts_with = "to")]
    check: bool,
    /// Which record of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The rule set of a log, or of a record of another set: an id or a TOML file [default: ashton, or
    /// the record's own]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
}

/// What a game can be converted to.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A game with headers, as `tablut convert` reads it
    Record,
    /// A game log as the Java server writes it
    Log,
    /// The moves
    Moves,
}

/// A game that was read.
struct Read {
    steps: Vec<Step>,
    game: Game,
    record: Record,
    /// Where the text and the rules disagree.
    disagreements: Vec<String>,
}

/// Shows a log as `tablut replay LOG` does.
pub(super) fn show(log: &str, out: &mut impl Write) -> Result<Status> {
    let arguments = Arguments {
        logs: vec![log.into()],
        to: None,
        check: false,
        game: 1,
        rules: None,
    };
    arguments.run(out)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut status = Status::Good;
        for (n, log) in self.logs.iter().enumerate() {
            if n > 0 && !self.check {
                writeln!(out)?;
            }
            if self.one(log, out)? == Status::Bad {
                status = Status::Bad;
            }
        }
        Ok(status)
    }

    /// Shows, checks or converts one log.
    fn one(&self, log: &str, out: &mut impl Write) -> Result<Status> {
        let text = input::read(log)?;
        let read = match Log::is_log(&text) {
            true => self.log(&text),
            false => self.record(&text),
        };
        let read = read.with_context(|| log.to_string())?;
        match self.to {
            Some(format) => write_as(out, format, &read)?,
            None if self.check => {}
            None if log != "-" && io::stdout().is_terminal() && io::stdin().is_terminal() => {
                stepper::run(&read.steps).context("cannot use this terminal")?;
            }
            None => {
                for step in &read.steps {
                    writeln!(out, "{step}\n")?;
                }
            }
        }
        out.flush()?;
        for disagreement in &read.disagreements {
            eprintln!("{log}: {disagreement}");
        }
        if !read.disagreements.is_empty() {
            return Ok(Status::Bad);
        }
        if self.check {
            let plies = read.game.plies().len();
            writeln!(out, "{log}: {plies} moves, all as the rules say")?;
        }
        Ok(Status::Good)
    }

    fn rules_or(&self, id: &str) -> Result<Arc<Rules>> {
        let name = self.rules.as_deref().unwrap_or(id);
        Ok(Arc::new(input::rules(name)?))
    }

    fn log(&self, text: &str) -> Result<Read> {
        let log: Log = text.parse()?;
        let rules = self.rules_or("ashton")?;
        let replayed = log.replay(&rules)?;
        Ok(Read {
            steps: step::of_log(&log, &rules),
            record: log.record(&replayed),
            disagreements: replayed
                .disagreements
                .iter()
                .map(ToString::to_string)
                .collect(),
            game: replayed.game,
        })
    }

    fn record(&self, text: &str) -> Result<Read> {
        let index = self
            .game
            .checked_sub(1)
            .context("records are counted from 1")?;
        let mut records = record::read_all(text);
        let Some(record) = records.nth(index) else {
            bail!(
                "there is no game log and no record number {} in it",
                self.game
            );
        };
        let mut record = record.context("this is neither a game log nor a record")?;
        let rules = match &self.rules {
            Some(name) => Arc::new(input::rules(name)?),
            None => input::record_rules(&record)?,
        };
        record.rules = rules.set().id.clone();
        let (game, disagreements) = step::play(&record, &rules);
        Ok(Read {
            steps: step::of_game(&game, &record),
            game,
            record,
            disagreements,
        })
    }
}

fn write_as(out: &mut impl Write, format: Format, read: &Read) -> Result<()> {
    match format {
        Format::Record => write!(out, "{}", read.record)?,
        Format::Log => {
            let name = |key: &str| read.record.header(key).unwrap_or("unknown");
            let time = Zoned::now().datetime();
            let text = log::whole(time, name("White"), name("Black"), &read.game);
            write!(out, "{text}")?;
        }
        Format::Moves => {
            for ply in read.game.plies() {
                writeln!(out, "{}", ply.step)?;
            }
        }
    }
    Ok(())
}
