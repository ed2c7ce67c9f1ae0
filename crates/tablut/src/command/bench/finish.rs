//! `tablut bench finish`: whether the engine finishes games that are won.

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_engine::{
    Control, Engine, EngineOptions, Score, SearchLimits,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_rules::{Game, Move, Side};

use crate::{
    Status,
    output::{self, Worth},
};

/// Check whether the engine wins the won endings of recorded games
#[derive(Args)]
#[command(after_help = "\
In every game that was won, looks at positions a few plies before the end. Where the solver proves a win
for the side to move, the engine has to play a move after which the solver still proves it. Exit code 1
means that it did not always do so.

Examples:
  tablut bench finish games/challenge-won.tablut
  tablut bench finish games/challenge-won.tablut --before 6 --time 0.02")]
pub(super) struct Arguments {
    /// A file of game records
    #[arg(value_name = "FILE")]
    file: String,
    /// How many plies before the end, separated by commas
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        default_value = "3,4,5,6,7"
    )]
    before: Vec<usize>,
    /// Seconds for a move
    #[arg(long, short, value_name = "SECONDS", default_value_t = 0.1, value_parser = super::seconds)]
    time: f64,
    /// The longest win the solver looks for, in plies
    #[arg(long, value_name = "N", default_value_t = 9,
          value_parser = clap::value_parser!(u32).range(1..=99))]
    max_plies: u32,
    /// The most positions the solver looks at for each proof
    #[arg(long, value_name = "N", default_value_t = 500_000)]
    solve_nodes: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Default, Serialize)]
struct FinishReport {
    games: usize,
    rows: Vec<Row>,
    failures: Vec<Failure>,
}

/// What was found for one colour at one number of plies before the end.
#[derive(Serialize)]
struct Row {
    before: usize,
    colour: String,
    positions: usize,
    proved: usize,
    played: usize,
}

/// A win that was not kept.
#[derive(Serialize)]
struct Failure {
    game: usize,
    before: usize,
    position: String,
    played: String,
    score: Worth,
    win: Vec<String>,
}

impl Arguments {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let endings = self.endings()?;
        let control = super::interruptible()?;
        let mut engine = Engine::new(EngineOptions::default());
        let mut report = self.look(&endings, &mut engine, &control)?;
        report.games = endings.len();
        if self.json {
            output::json(out, &report)?;
        } else {
            print(out, &report)?;
        }
        Ok(match report.failures.len() {
            0 => Status::Good,
            _ => Status::Bad,
        })
    }

    /// The games that were won.
    fn endings(&self) -> Result<Vec<Game>> {
        let name = &self.file;
        let mut won = super::games(name)?;
        won.retain(|game| {
            let outcome = game.outcome();
            outcome.is_some_and(|outcome| outcome.winner.is_some())
        });
        if won.is_empty() {
            bail!("{name} has no game that was won");
        }
        Ok(won)
    }

    fn look(
        &self,
        endings: &[Game],
        engine: &mut Engine,
        control: &Control,
    ) -> Result<FinishReport> {
        let mut report = FinishReport::default();
        for &before in &self.before {
            for side in Side::WHITE_FIRST {
                report.rows.push(Row {
                    before,
                    colour: side.colour().to_string(),
                    positions: 0,
                    proved: 0,
                    played: 0,
                });
            }
        }
        let mut talk = io::stderr();
        for (number, ending) in endings.iter().enumerate() {
            if talk.is_terminal() {
                let _ = write!(talk, "\r\x1b[Kgame {} of {}", number + 1, endings.len());
            }
            for &before in &self.before {
                let Some(game) = earlier(ending, before) else {
                    continue;
                };
                let side = game.position().side();
                let answer = solve(&game, side, self.max_plies, self.solve_nodes, control);
                let tried = match answer {
                    Solution::Won { plies, line, .. } => {
                        engine.clear();
                        Some((line, self.tries(&game, plies, engine, control)))
                    }
                    _ => None,
                };
                if control.is_stopped() {
                    return Ok(report);
                }
                let colour = side.colour().to_string();
                let row = report
                    .rows
                    .iter_mut()
                    .find(|row| row.before == before && row.colour == colour)
                    .context("there is a row for each colour")?;
                row.positions += 1;
                let Some((line, tried)) = tried else {
                    continue;
                };
                row.proved += 1;
                match tried {
                    Ok(()) => row.played += 1,
                    Err((step, score)) => report.failures.push(Failure {
                        game: number + 1,
                        before,
                        position: game.position().to_string(),
                        played: step.map_or_else(String::new, |step| step.to_string()),
                        score: score.into(),
                        win: line.iter().map(Move::to_string).collect(),
                    }),
                }
            }
        }
        if talk.is_terminal() {
            let _ = write!(talk, "\r\x1b[K");
        }
        Ok(report)
    }

    /// Whether the engine's move keeps a win that the solver found; otherwise the move.
    fn tries(
        &self,
        game: &Game,
        plies: u32,
        engine: &mut Engine,
        control: &Control,
    ) -> Result<(), (Option<Move>, Score)> {
        let side = game.position().side();
        let limits = SearchLimits::time(Duration::from_secs_f64(self.time));
        let report = engine.search(game, &limits, control, &mut |_| {});
        let score = report
            .lines
            .first()
            .map_or(Score::Units(0), |line| line.score);
        // A longer win than the shortest is a win too.
        let most = match score {
            Score::Win(claimed) => plies.max(claimed),
            Score::Units(_) if score.is_winning() => self.max_plies.max(LONG),
            _ => self.max_plies,
        };
        let mut after = game.clone();
        let kept = report.best.is_some_and(|step| after.play(step).is_ok())
            && match after.outcome() {
                Some(outcome) => outcome.winner == Some(side),
                None => {
                    let nodes = self.solve_nodes.saturating_mul(PATIENCE);
                    let answer = solve(&after, side, most.saturating_sub(1), nodes, control);
                    matches!(answer, Solution::Won { .. })
                }
            };
        if kept {
            Ok(())
        } else {
            Err((report.best, score))
        }
    }
}

fn solve(game: &Game, winner: Side, plies: u32, nodes: u64, control: &Control) -> Solution {
    let limits = SolveLimits { plies, nodes };
    Solver::new(game, winner, 64, control.clone()).solve(limits, &mut |_| {})
}

/// Plies looked through after a move that the engine calls winning without proof.
const LONG: u32 = 13;

/// How many times more the solver may look at to judge a move than to find a win.
const PATIENCE: u64 = 10;

/// The game as it stood this many plies before its end.
fn earlier(game: &Game, before: usize) -> Option<Game> {
    let mut game = game.clone();
    for _ in 0..before {
        if !game.undo() {
            return None;
        }
    }
    Some(game)
}

fn print(out: &mut impl Write, report: &FinishReport) -> Result<()> {
    writeln!(out, "{} won games\n", report.games)?;
    writeln!(
        out,
        "{:>12}  {:<6} {:>9} {:>7} {:>7}",
        "plies before", "colour", "positions", "proved", "played"
    )?;
    for row in report.rows.iter().filter(|row| row.positions > 0) {
        writeln!(
            out,
            "{:>12}  {:<6} {:>9} {:>7} {:>7}",
            row.before, row.colour, row.positions, row.proved, row.played
        )?;
    }
    let colours = Side::WHITE_FIRST.map(|side| side.colour().to_string());
    for colour in colours.iter().map(Some).chain([None]) {
        let rows = || {
            report
                .rows
                .iter()
                .filter(|row| colour.is_none_or(|c| *c == row.colour))
        };
        let positions: usize = rows().map(|row| row.positions).sum();
        let proved: usize = rows().map(|row| row.proved).sum();
        let played: usize = rows().map(|row| row.played).sum();
        let rate = 100.0 * played as f64 / proved.max(1) as f64;
        let name = colour.map_or("both", String::as_str);
        writeln!(
            out,
            "{:>12}  {name:<6} {positions:>9} {proved:>7} {played:>7}  {rate:.1} %",
            "all"
        )?;
    }
    for failure in &report.failures {
        writeln!(
            out,
            "\ngame {}, {} plies before the end: {} was played ({}), but {} wins\n{}",
            failure.game,
            failure.before,
            failure.played,
            failure.score,
            failure.win.join(" "),
            failure.position
        )?;
    }
    Ok(())
}
