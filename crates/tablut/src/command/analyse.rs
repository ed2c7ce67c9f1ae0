//! `tablut analyse`: what the engine thinks of a position, or of every move of a game.

mod report;
mod table;

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use tablut_challenge::document::{Document, Source};
use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_review::Review;
use tablut_rules::{Game, Move, Rules, Setup, text::Lang};

use crate::{
    Status, input,
    output::{self, Worth},
};

/// Analyse a position, or find the mistakes in a game
#[derive(Args)]
#[command(after_help = "\
Scores are from the point of view of the side to move, in units of an attacking man; `win in n` is
proved, `winning` is not. For a game, scores are white's: #5 means that white wins in five plies, #-5
that black does; won and lost are not proved. docs/analysis.md explains marks and accuracy and
describes the JSON.

Examples:
  tablut analyse start --lines 3 -t 2
  tablut analyse 9/9/1b1K5/9/9/9/9/9/b8 w
  tablut analyse game.tablut
  tablut analyse game.tablut --review
  tablut analyse logs/*_gameLog.txt --review --record > reviewed.tablut
  tablut analyse logs/*_gameLog.txt --nodes 20000")]
pub(crate) struct Arguments {
    /// The rule set of a position: an id or a TOML file [default: ashton; for a game its own]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Seconds for a position, or for each move of a game [default: 2, or 0.2; with --review 0.1]
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
    /// Say of each bad move of a game what is wrong with it, and how well both sides played
    #[arg(long)]
    review: bool,
    /// Write the review into the record of the game: comments, marks and better lines
    #[arg(long, requires = "review", conflicts_with = "json")]
    record: bool,
    /// The language of the review [default: from LANG]
    #[arg(long, requires = "review", value_parser = input::lang_parser())]
    lang: Option<Lang>,
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
        let mut analyses = Vec::new();
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
                    self.games(out, &mut engine, &words[0], &sources, &mut analyses)?;
                }
            }
        }
        if self.json {
            output::json(out, &analyses)?;
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
            ..SearchLimits::default()
        }
    }

    fn position(
        &self,
        out: &mut impl Write,
        engine: &mut Engine,
        rules: &Arc<Rules>,
        setup: &Setup,
    ) -> Result<Status> {
        if self.review {
            bail!("this is a position; --review needs a game: a record, a log or a list of moves");
        }
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

    /// Analyses the games of a file; what was found is shown, or added for the JSON.
    fn games(
        &self,
        out: &mut impl Write,
        engine: &mut Engine,
        file: &str,
        sources: &[Source],
        analyses: &mut Vec<table::GameAnalysis>,
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
            let review = self.look(engine, &played.game);
            let mut analysis = table::GameAnalysis::new(file, n + 1, &played, &review);
            let lang = input::lang(self.lang);
            if self.review && self.json {
                analysis.explain(&review, lang);
            }
            if !self.json {
                if !analyses.is_empty() {
                    writeln!(out)?;
                }
                match (self.review, self.record) {
                    (_, true) => report::record(out, &played, &review, lang)?,
                    (true, false) => {
                        writeln!(out, "{place}")?;
                        report::text(out, &analysis, &review, lang)?;
                    }
                    (false, false) => {
                        writeln!(out, "{place}")?;
                        analysis.table(out)?;
                    }
                }
                out.flush()?;
            }
            analyses.push(analysis);
        }
        Ok(())
    }

    /// Looks at every move of a game; a terminal is told how far it is.
    fn look(&self, engine: &mut Engine, game: &Game) -> Review {
        let usual = if self.review { 0.1 } else { 0.2 };
        let limits = self.limits(usual, 1);
        let mut talk = io::stderr();
        let is_terminal = talk.is_terminal();
        let mut tell = |done: usize, all: usize| {
            if is_terminal {
                // Who cannot be told does not have to be.
                let _ = write!(talk, "\rmove {} of {all} \r", all - done);
            }
        };
        let review = tablut_review::review(game, engine, &limits, &Control::new(), &mut |review| {
            tell(review.moves().len(), review.plies());
        });
        if is_terminal {
            let _ = write!(talk, "\r{:20}\r", "");
        }
        review
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
