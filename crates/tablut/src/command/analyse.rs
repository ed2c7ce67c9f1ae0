//! `tablut analyse`: what the engine thinks of a position, or of every move of a game.

use std::{io::Write, sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_challenge::document::{Document, Played, Source};
use tablut_engine::{Control, Engine, EngineOptions, Score, SearchLimits};
use tablut_rules::{Game, Move, Rules, Setup, Side};

use crate::{
    Status, input,
    output::{self, Worth},
};

/// Analyse a position, or find the mistakes in a game
#[derive(Args)]
#[command(after_help = "\
Scores are from the point of view of the side to move, in units of an attacking man; `win in n` is
proved, `winning` is not. For a game, scores are white's: #5 means that white wins in five plies, #-5
that black does; won and lost are not proved. docs/engine.md describes the JSON.

Examples:
  tablut analyse start --lines 3 -t 2
  tablut analyse 9/9/1b1K5/9/9/9/9/9/b8 w
  tablut analyse game.tablut
  tablut analyse logs/*_gameLog.txt --nodes 20000")]
pub(crate) struct Arguments {
    /// The rule set of a position: an id or a TOML file [default: ashton; for a game its own]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Seconds for a position, or for each move of a game [default: 2, or 0.2]
    #[arg(long, short, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
    /// Search this many positions instead of limiting the time
    #[arg(long, value_name = "N", conflicts_with = "time")]
    nodes: Option<u64>,
    /// Stop after this depth, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// How many of the best moves to show
    #[arg(long, short, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=50))]
    lines: u8,
    /// Threads for the search
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Memory for the transposition table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A position in any format `tablut show` accepts, or files with games: records, logs of the Java
    /// server, lists of moves
    #[arg(required = true, value_name = "POSITION|FILE")]
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
        let mut engine = Engine::try_new(EngineOptions {
            hash_mb: self.hash as usize,
            threads: usize::from(self.threads),
        })?;
        let rules = input::sets(self.rules.as_deref())?.unnamed("ashton")?;
        let is_many = self.input.len() > 1 && self.input.iter().all(|word| input::is_file(word));
        let names = match is_many {
            true => self.input.chunks(1),
            false => self.input.chunks(self.input.len()),
        };
        let mut studies = Vec::new();
        for words in names {
            match input::document(words, &rules)? {
                Document::Position(setup) if !is_many => {
                    return self.position(out, &mut engine, &rules, &setup);
                }
                Document::Position(_) => bail!(
                    "{} holds a position; give several files only if they hold games",
                    words[0]
                ),
                Document::Games(sources) if sources[0].position().is_some() && !is_many => {
                    let sets = input::sets(self.rules.as_deref())?;
                    let game = sources[0].play_whole(&sets)?.game;
                    let setup = Setup::from(game.start());
                    return self.position(out, &mut engine, game.rules(), &setup);
                }
                Document::Games(sources) => {
                    self.games(out, &mut engine, &words[0], &sources, &mut studies)?;
                }
            }
        }
        if self.json {
            output::json(out, &studies)?;
        }
        Ok(Status::Good)
    }

    fn limits(&self, usual: f64, lines: usize) -> SearchLimits {
        let time = match (self.time, self.nodes, self.depth) {
            (Some(seconds), ..) => Some(seconds),
            (None, None, None) => Some(usual),
            _ => None,
        };
        SearchLimits {
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
        rules: &Arc<Rules>,
        setup: &Setup,
    ) -> Result<Status> {
        let position = input::position(setup, rules)?;
        let game = Game::from_position(Arc::clone(rules), position, rules.laws());
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
                Worth::from(info.line.score).to_string(),
                info.nodes,
                speed,
                words_of(&info.line.moves)
            );
            lost = written.and_then(|()| out.flush()).err();
        });
        if let Some(error) = lost {
            return Err(error.into());
        }
        let found = PositionAnalysis {
            position: setup.to_string(),
            rules: game.rules().set().id().into(),
            best: report.best.map(|step| step.to_string()),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: report.time.as_millis() as u64,
            lines: report
                .lines
                .iter()
                .map(|line| AnalysedLine {
                    score: line.score.into(),
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

    /// Analyses the games of a file, and adds what was found.
    fn games(
        &self,
        out: &mut impl Write,
        engine: &mut Engine,
        file: &str,
        sources: &[Source],
        studies: &mut Vec<GameAnalysis>,
    ) -> Result<()> {
        let sets = input::sets(self.rules.as_deref())?;
        for (n, source) in sources.iter().enumerate() {
            let place = match sources.len() {
                1 => file.to_string(),
                _ => format!("{file}, game {}", n + 1),
            };
            let played = source.play_whole(&sets).with_context(|| place.clone())?;
            for disagreement in &played.disagreements {
                eprintln!("{place}: {disagreement}");
            }
            let mut study = GameAnalysis::new(file, n + 1, &played);
            if !self.json {
                if !studies.is_empty() {
                    writeln!(out)?;
                }
                writeln!(out, "{place}\n{}", study.title())?;
            }
            study.moves = self.game(out, engine, &played.game)?;
            studies.push(study);
        }
        Ok(())
    }

    /// Searches every position of a game and compares each move with the best.
    fn game(&self, out: &mut impl Write, engine: &mut Engine, played: &Game) -> Result<Vec<Row>> {
        let limits = self.limits(0.2, 1);
        let rules = Arc::clone(played.rules());
        let mut game = Game::from_position(rules, *played.start(), *played.laws());
        let mut rows: Vec<Row> = Vec::new();
        if !self.json {
            writeln!(out, " move          white   best    white   lost")?;
        }
        let mut search = |game: &Game| {
            let report = engine.search(game, &limits, &Control::new(), &mut |_| {});
            let score = report.lines.first().map(|line| line.score);
            (report.best, score.unwrap_or(Score::Units(0)))
        };
        for ply in played.plies() {
            let side = game.position().side();
            let (best_move, best) = search(&game);
            game.play(ply.step).context("the game cannot be replayed")?;
            let after = match game.outcome() {
                Some(outcome) => match outcome.winner {
                    Some(winner) if winner == side => Score::Win(0),
                    Some(_) => Score::Loss(0),
                    None => Score::Units(0),
                },
                None => -search(&game).1,
            };
            // The same move cannot be a mistake, whatever the next search thinks of it.
            let lost = match best_move == Some(ply.step) {
                true => 0,
                false => (points(best) - points(after)).max(0),
            };
            let white = |score: Score| match side {
                Side::Defenders => score,
                Side::Attackers => -score,
            };
            let row = Row {
                ply: rows.len() + 1,
                side: side.colour(),
                step: ply.step.to_string(),
                score: white(after).into(),
                best: best_move.map(|step| step.to_string()),
                best_score: white(best).into(),
                lost: f64::from(lost) / 100.0,
                mark: mark(lost),
            };
            if !self.json {
                writeln!(
                    out,
                    "{:>3} {} {:<5} {:<2} {:>8} {:>6} {:>8} {:>6.2}",
                    row.ply,
                    &row.side[..1],
                    row.step,
                    row.mark,
                    cell(white(after)),
                    row.best.as_deref().unwrap_or("-"),
                    cell(white(best)),
                    row.lost
                )?;
                out.flush()?;
            }
            rows.push(row);
        }
        if !self.json {
            sums(out, &rows)?;
        }
        Ok(rows)
    }
}

/// How often each side went wrong.
fn sums(out: &mut impl Write, rows: &[Row]) -> Result<()> {
    for side in Side::ALL {
        let marks = |mark: &str, one: &str, many: &str| {
            let own = rows.iter().filter(|row| row.side == side.colour());
            let count = own.filter(|row| row.mark == mark).count();
            format!("{count} {} ({mark})", if count == 1 { one } else { many })
        };
        writeln!(
            out,
            "{}: {}, {}, {}",
            side.colour(),
            marks("?!", "inaccuracy", "inaccuracies"),
            marks("?", "mistake", "mistakes"),
            marks("??", "blunder", "blunders")
        )?;
    }
    Ok(())
}

/// White's score in the table of a game.
fn cell(score: Score) -> String {
    match score {
        Score::Win(0) => "1-0".into(),
        Score::Loss(0) => "0-1".into(),
        Score::Win(plies) => format!("#{plies}"),
        Score::Loss(plies) => format!("#-{plies}"),
        score if score.is_winning() => "won".into(),
        score if score.is_losing() => "lost".into(),
        score => score.to_string(),
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

/// How bad a move is, by the hundredths it lost.
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
struct PositionAnalysis {
    position: String,
    rules: String,
    best: Option<String>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<AnalysedLine>,
}

#[derive(Serialize)]
struct AnalysedLine {
    score: Worth,
    moves: Vec<String>,
}

/// What was found about a game.
#[derive(Serialize)]
struct GameAnalysis {
    file: String,
    /// Which game of the file, from 1.
    game: usize,
    rules: String,
    white: Option<String>,
    black: Option<String>,
    result: &'static str,
    reason: Option<String>,
    moves: Vec<Row>,
}

impl GameAnalysis {
    fn new(file: &str, game: usize, played: &Played) -> Self {
        let outcome = played.record.outcome.or(played.game.outcome());
        let header = |key: &str| played.record.header(key).map(Into::into);
        Self {
            file: file.into(),
            game,
            rules: played.game.rules().set().id().into(),
            white: header("White"),
            black: header("Black"),
            result: match outcome.map(|outcome| outcome.winner) {
                Some(Some(Side::Defenders)) => "1-0",
                Some(Some(Side::Attackers)) => "0-1",
                Some(None) => "1/2-1/2",
                None => "*",
            },
            reason: outcome.map(|outcome| outcome.reason.to_string()),
            moves: Vec::new(),
        }
    }

    /// Who played, by which rules, and how it ended.
    fn title(&self) -> String {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "unknown".into());
        let end = match &self.reason {
            Some(reason) => format!("{}, {reason}", self.result),
            None => "not finished".into(),
        };
        let (white, black) = (name(&self.white), name(&self.black));
        let title = format!(
            "{white} (white) against {black} (black), {}: {end}",
            self.rules
        );
        // What comes from a file must not command the terminal.
        title.replace(char::is_control, "\u{fffd}")
    }
}

/// One move of a game. Scores are white's; what was lost, the mover's.
#[derive(Serialize)]
struct Row {
    ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    step: String,
    score: Worth,
    best: Option<String>,
    best_score: Worth,
    lost: f64,
    mark: &'static str,
}
