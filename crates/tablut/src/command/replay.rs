//! `tablut replay`: game logs and records, step by step, checked and converted.

mod step;
mod stepper;

use std::io::{self, IsTerminal, Write};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value, json};
use step::Step;
use tablut_challenge::document::{Document, Played, Source, TextFormat};
use tablut_rules::{Setup, Side};

use super::convert;
use crate::{Status, input, output};

/// Step through a game log, record or list of moves; check it or convert it
#[derive(Args)]
#[command(after_help = "\
Accepts game logs of the Java server (whatever the language of its machine), records and lists of moves.
Every move is replayed under the rules; each line where the log disagrees is reported.

In a terminal, keys step through the game: right or space forward, left back, home and end, q quits.
Otherwise every position is printed.

Examples:
  tablut replay logs/_alpha_vs_beta_1794787326964_gameLog.txt
  tablut replay logs/*.txt --check
  tablut replay game.txt --to record > game.tablut
  tablut replay game.tablut --to log
  tablut replay logs/*.txt --json")]
pub(crate) struct Arguments {
    /// Game logs, records or lists of moves, or - for standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<String>,
    /// Convert it instead of showing it
    #[arg(long, value_parser = convert::format_parser(&FORMATS), value_name = "FORMAT")]
    to: Option<TextFormat>,
    /// Only report where log and rules disagree
    #[arg(long, conflicts_with = "to")]
    check: bool,
    /// Print JSON: every move with what it captures and the position after it
    #[arg(long, conflicts_with_all = ["to", "check"])]
    json: bool,
    /// Which record of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The rule set: an id or a TOML file [default: the log's or record's own; ashton for moves]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
}

/// What a game can be converted to.
const FORMATS: [TextFormat; 3] = [TextFormat::Record, TextFormat::Log, TextFormat::Moves];

/// A game that was read.
struct Read {
    steps: Vec<Step>,
    played: Played,
}

/// Shows a log as `tablut replay LOG` does.
pub(super) fn show(log: &str, out: &mut impl Write) -> Result<Status> {
    let arguments = Arguments {
        logs: vec![log.into()],
        to: None,
        check: false,
        json: false,
        game: 1,
        rules: None,
    };
    arguments.run(out)
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut status = Status::Good;
        if self.json {
            let mut games = Vec::new();
            for log in &self.logs {
                let read = self.read(&input::read(log)?);
                let played = read.with_context(|| log.clone())?.played;
                if !played.disagreements.is_empty() {
                    status = Status::Bad;
                }
                games.push(as_json(log, &played));
            }
            output::json(out, &games)?;
            return Ok(status);
        }
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
        let read = self.read(&text).with_context(|| log.to_string())?;
        match self.to {
            Some(format) => convert::write_game(out, format, &read.played)?,
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
        for disagreement in &read.played.disagreements {
            eprintln!("{log}: {disagreement}");
        }
        if !read.played.disagreements.is_empty() {
            return Ok(Status::Bad);
        }
        if self.check {
            let moves = output::counted(read.played.game.plies().len(), "move", "moves");
            writeln!(out, "{log}: {moves}, all as the rules require")?;
        }
        Ok(Status::Good)
    }

    /// Reads the game that was asked for.
    fn read(&self, text: &str) -> Result<Read> {
        let sets = input::sets(self.rules.as_deref())?;
        let sources = match Document::read(text, Side::Defenders)? {
            Document::Games(sources) => sources,
            Document::Position(_) => bail!("this is a position; `tablut show` shows it"),
        };
        let index = self.game.checked_sub(1);
        let source = index.and_then(|index| sources.get(index));
        let source = source.with_context(|| match sources.len() {
            1 => format!("it contains one game, so there is no game {}", self.game),
            count => format!(
                "it contains games 1 to {count}, so there is no game {}",
                self.game
            ),
        })?;
        let played = source.play(&sets)?;
        let steps = match source {
            Source::Log(log) => step::of_log(log, played.game.rules()),
            _ => step::of_game(&played.game, &played.record),
        };
        Ok(Read { steps, played })
    }
}

/// A game for programs.
fn as_json(file: &str, played: &Played) -> Value {
    let (game, record) = (&played.game, &played.record);
    let moves: Vec<Value> = game
        .plies()
        .iter()
        .enumerate()
        .map(|(n, ply)| {
            let captured: Vec<String> = ply.captured.iter().map(|s| s.to_string()).collect();
            json!({
                "ply": n + 1,
                "side": ply.position.side().opponent().colour(),
                "move": ply.step.to_string(),
                "captured": captured,
                "position": Setup::from(&ply.position).to_string(),
            })
        })
        .collect();
    let outcome = game.outcome();
    json!({
        "file": file,
        "white": record.header("White"),
        "black": record.header("Black"),
        "rules": game.rules().set().id(),
        "start": Setup::from(game.start()).to_string(),
        "moves": moves,
        "winner": outcome.and_then(|outcome| outcome.winner).map(Side::colour),
        "reason": outcome.map(|outcome| outcome.reason.to_string()),
        "disagreements": played.disagreements,
    })
}
