//! `tablut analyse`: what the engine thinks of a position, or of every move of a game.

use std::{io::Write, time::Duration};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_engine::{Control, Engine, Limits, Options, Score};
use tablut_rules::{
    Game, Move, Side,
    record::{self, Record},
};

use crate::{Status, input, output};

/// Analyse a position, or find the mistakes of a game
#[derive(Args)]
#[command(after_help = "\
Scores are from the point of view of the side to move, in units of an attacking man; for a game they
are white's. `win in n` is claimed only when it has been proved.

Examples:
  tablut analyse start --lines 3 -t 2
  tablut analyse 9/9/1b1K5/9/9/9/9/9/b8 w
  tablut analyse game.tablut")]
pub(crate) struct Arguments {
    /// The rule set of a position: an id or a TOML file [default: ashton; for a game its own]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Seconds for a position, or for each move of a game [default: 2, or 0.2]
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Positions to search instead of a time
    #[arg(long, value_name = "N", conflicts_with = "time")]
    nodes: Option<u64>,
    /// The last depth, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// How many of the best moves to show
    #[arg(long, short, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=50))]
    lines: u8,
    /// Threads of the search
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory for the search's table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A position in any form `tablut show` takes, or a file with a game record
    #[arg(required = true, value_name = "POSITION|RECORD")]
    input: Vec<String>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.001..=86_400.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds between 0.001 and 86400".into()),
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let mut engine = Engine::new(Options {
            hash_mb: self.hash as usize,
            threads: usize::from(self.threads),
        });
        if let [name] = &self.input[..]
            && input::is_file(name)
        {
            let text = input::read(name)?;
            if text.trim_start().starts_with(['[', '{', ';']) {
                return self.games(out, &mut engine, &text);
            }
            return self.position(out, &mut engine, &[text]);
        }
        self.position(out, &mut engine, &self.input)
    }

    fn limits(&self, usual: f64, lines: usize) -> Limits {
        let time = match (self.time, self.nodes, self.depth) {
            (Some(seconds), ..) => Some(seconds),
            (None, None, None) => Some(usual),
            _ => None,
        };
        Limits {
            time: time.map(Duration::from_secs_f64),
            nodes: self.nodes,
            depth: self.depth,
            lines,
        }
    }

    fn position(
        &self,
        out: &mut impl Write,
        engine: &mut Engine,
        words: &[String],
    ) -> Result<Status> {
        let rules = input::rules(self.rules.as_deref().unwrap_or("ashton"))?;
        let setup = match words {
            [text] if text.contains('\n') => input::parse_setup(text, &rules)?,
            words => input::setup(words, &rules)?,
        };
        let position = input::position(&setup, &rules)?;
        let laws = rules.laws();
        let game = Game::from_position(rules, position, laws);
        if let Some(outcome) = game.outcome() {
            bail!("the game is over: {outcome}");
        }
        let limits = self.limits(2.0, usize::from(self.lines));
        if !self.json {
            writeln!(out, "depth      score       nodes    nodes/s   time  line")?;
        }
        let mut lost = None;
        let report = engine.search(&game, &limits, &Control::new(), &mut |info| {
            if self.json || lost.is_some() {
                return;
            }
            let seconds = info.time.as_secs_f64();
            let speed = info.nodes as f64 / seconds.max(1e-6);
            let written = writeln!(
                out,
                "{:>5} {:>10} {:>11} {:>10.0} {seconds:>6.2}  {}",
                info.depth,
                info.line.score.to_string(),
                info.nodes,
                speed,
                words_of(&info.line.moves)
            );
            lost = written.and_then(|()| out.flush()).err();
        });
        if let Some(error) = lost {
            return Err(error.into());
        }
        let found = Found {
            position: setup.to_string(),
            rules: game.rules().set().id.clone(),
            best: report.best.map(|step| step.to_string()),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: report.time.as_millis() as u64,
            lines: report
                .lines
                .iter()
                .map(|line| FoundLine {
                    score: line.score.to_string(),
                    moves: line.moves.iter().map(Move::to_string).collect(),
                })
                .collect(),
        };
        if self.json {
            output::json(out, &found)?;
        } else if let Some(best) = found.best {
            writeln!(out, "best  {best}")?;
        }
        Ok(Status::Good)
    }

    fn games(&self, out: &mut impl Write, engine: &mut Engine, text: &str) -> Result<Status> {
        let mut any = false;
        for (n, record) in record::read_all(text).enumerate() {
            any = true;
            let record = record.with_context(|| format!("record {}", n + 1))?;
            if n > 0 && !self.json {
                writeln!(out)?;
            }
            self.game(out, engine, &record)?;
        }
        if !any {
            bail!("there is no record in the input");
        }
        Ok(Status::Good)
    }

    /// Searches every position of a game and compares each move with the best.
    fn game(&self, out: &mut impl Write, engine: &mut Engine, record: &Record) -> Result<()> {
        let rules = match &self.rules {
            Some(name) => std::sync::Arc::new(input::rules(name)?),
            None => input::record_rules(record)?,
        };
        let played = record
            .replay(&rules)
            .context("the game cannot be replayed")?;
        let limits = self.limits(0.2, 1);
        let mut game = Game::from_position(rules, *played.start(), *played.laws());
        let mut rows: Vec<Row> = Vec::new();
        if !self.json {
            writeln!(out, " move          white   best    white   lost")?;
        }
        for ply in played.plies() {
            let side = game.position().side();
            let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
            let best = report.lines.first().map_or(0, |line| points(line.score));
            let best_move = report.best;
            game.play(ply.step).context("the game cannot be replayed")?;
            let after = match game.outcome() {
                Some(outcome) => match outcome.winner {
                    Some(winner) if winner == side => DECIDED,
                    Some(_) => -DECIDED,
                    None => 0,
                },
                None => {
                    let report = engine.search(&game, &limits, &Control::new(), &mut |_| {});
                    -report.lines.first().map_or(0, |line| points(line.score))
                }
            };
            let white = |points: i32| match side {
                Side::Defenders => points,
                Side::Attackers => -points,
            };
            // The same move cannot be a mistake, whatever the next search thinks of it.
            let lost = if best_move == Some(ply.step) {
                0
            } else {
                (best - after).max(0)
            };
            let row = Row {
                ply: rows.len() + 1,
                side: side.colour(),
                step: ply.step.to_string(),
                score: white(after),
                best: best_move.map(|step| step.to_string()),
                best_score: white(best),
                lost,
                mark: mark(lost),
            };
            if !self.json {
                writeln!(
                    out,
                    "{:>3} {} {:<5} {:<2} {:>8} {:>6} {:>8} {:>6}",
                    row.ply,
                    &row.side[..1],
                    row.step,
                    row.mark,
                    Score::Units(row.score).to_string(),
                    row.best.as_deref().unwrap_or("-"),
                    Score::Units(row.best_score).to_string(),
                    format!("{:.2}", f64::from(row.lost) / 100.0)
                )?;
                out.flush()?;
            }
            rows.push(row);
        }
        if self.json {
            return output::json(out, &rows);
        }
        for side in Side::ALL {
            let marks = |mark: &str| {
                let own = rows.iter().filter(|row| row.side == side.colour());
                own.filter(|row| row.mark == mark).count()
            };
            writeln!(
                out,
                "{}: {} inaccuracies (?!), {} mistakes (?), {} blunders (??)",
                side.colour(),
                marks("?!"),
                marks("?"),
                marks("??")
            )?;
        }
        Ok(())
    }
}

/// What a decided position counts for in a table of mistakes: ten men.
const DECIDED: i32 = 1000;

/// A score as hundredths, so that moves can be compared.
fn points(score: Score) -> i32 {
    match score {
        Score::Win(_) => DECIDED,
        Score::Loss(_) => -DECIDED,
        Score::Units(units) => units.clamp(-DECIDED, DECIDED),
    }
}

/// How bad a move is that lost so many hundredths.
const fn mark(lost: i32) -> &'static str {
    match lost {
        ..50 => "",
        50..100 => "?!",
        100..300 => "?",
        _ => "??",
    }
}

fn words_of(moves: &[Move]) -> String {
    let words: Vec<String> = moves.iter().map(Move::to_string).collect();
    words.join(" ")
}

#[derive(Serialize)]
struct Found {
    position: String,
    rules: String,
    best: Option<String>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<FoundLine>,
}

#[derive(Serialize)]
struct FoundLine {
    score: String,
    moves: Vec<String>,
}

/// One move of a game. Scores are white's, in hundredths.
#[derive(Serialize)]
struct Row {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    step: String,
    score: i32,
    best: Option<String>,
    best_score: i32,
    lost: i32,
    mark: &'static str,
}
