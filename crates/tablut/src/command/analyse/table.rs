//! The moves of a game, each with its scores and its mark: as a table and as JSON.

use std::io::Write;

use anyhow::Result;
use serde::Serialize;
use tablut_challenge::document::Played;
use tablut_engine::Score;
use tablut_review::{Fact, GraphPoint, MoveMark, Review, ReviewedMove, SideSummary};
use tablut_rules::{BySide, Move, Side, text::Lang};

use crate::output::{Worth, counted};

/// What was found about a game.
#[derive(Serialize)]
pub(super) struct GameAnalysis {
    file: String,
    /// Which game of the file, from 1.
    game: usize,
    rules: String,
    white: Option<String>,
    black: Option<String>,
    result: &'static str,
    reason: Option<String>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    overview: Option<Overview>,
    pub(super) moves: Vec<Row>,
}

/// What a review adds to a game.
#[derive(Serialize)]
struct Overview {
    summary: BySide<SideSummary>,
    graph: Vec<Point>,
}

#[derive(Serialize)]
struct Point {
    ply: usize,
    score: Worth,
    chance: f64,
}

impl From<GraphPoint> for Point {
    fn from(point: GraphPoint) -> Self {
        Self {
            ply: point.ply,
            score: point.score.into(),
            chance: rounded(point.chance, 1000.0),
        }
    }
}

/// One move of a game. Scores are white's; what was lost, the mover's.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) ply: usize,
    side: &'static str,
    #[serde(rename = "move")]
    step: String,
    score: Worth,
    best: String,
    best_score: Worth,
    lost: f64,
    mark: &'static str,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    reason: Option<MoveReason>,
    #[serde(skip)]
    cells: [String; 2],
}

/// What a review adds to a move.
#[derive(Serialize)]
struct MoveReason {
    /// The winning chances lost, from 0 to 1.
    chance_lost: f64,
    accuracy: f64,
    only: bool,
    better: Vec<Move>,
    reply: Vec<Move>,
    facts: Vec<Fact>,
    comment: String,
}

/// A number with few decimals, for people and for programs that compare.
fn rounded(number: f64, steps: f64) -> f64 {
    (number * steps).round() / steps
}

impl GameAnalysis {
    pub(super) fn new(file: &str, game: usize, played: &Played, review: &Review) -> Self {
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
            overview: None,
            moves: review.moves().iter().map(Row::new).collect(),
        }
    }

    /// Adds what a review says, for the JSON.
    pub(super) fn explain(&mut self, review: &Review, lang: Lang) {
        let round = |mut summary: SideSummary| {
            summary.accuracy = summary.accuracy.map(|accuracy| rounded(accuracy, 10.0));
            summary
        };
        self.overview = Some(Overview {
            summary: review.summary().map(round),
            graph: review.graph().into_iter().map(Into::into).collect(),
        });
        for (row, reviewed) in self.moves.iter_mut().zip(review.moves()) {
            row.reason = Some(MoveReason {
                chance_lost: rounded(reviewed.loss(), 1000.0),
                accuracy: rounded(reviewed.accuracy(), 10.0),
                only: reviewed.is_only_move(),
                better: reviewed
                    .better
                    .iter()
                    .flat_map(|l| l.moves.clone())
                    .collect(),
                reply: reviewed.reply.clone(),
                facts: reviewed.facts.clone(),
                comment: reviewed.comment(lang),
            });
        }
    }

    /// Who played, by which rules, and how it ended.
    pub(super) fn title(&self) -> String {
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

    /// Prints the table.
    pub(super) fn table(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "{}\n{HEAD}", self.title())?;
        for row in &self.moves {
            writeln!(out, "{}", row.line())?;
        }
        for side in Side::ALL {
            let own = || self.moves.iter().filter(|row| row.side == side.colour());
            let count = |mark: MoveMark| own().filter(|row| row.mark == mark.sign()).count();
            writeln!(out, "{}: {}", side.colour(), marks(count))?;
        }
        Ok(())
    }
}

/// The head of the table.
pub(super) const HEAD: &str = " move          white   best    white   lost";

/// How often each mark was given.
pub(super) fn marks(count: impl Fn(MoveMark) -> usize) -> String {
    let words = MoveMark::ALL.map(|mark| {
        let (one, many) = match mark {
            MoveMark::Inaccuracy => ("inaccuracy", "inaccuracies"),
            MoveMark::Mistake => ("mistake", "mistakes"),
            MoveMark::Blunder => ("blunder", "blunders"),
        };
        format!("{} ({})", counted(count(mark), one, many), mark.sign())
    });
    words.join(", ")
}

impl Row {
    fn new(reviewed: &ReviewedMove) -> Self {
        let (after, before) = (reviewed.white_after(), reviewed.white_before());
        let better = reviewed.better.as_ref().and_then(|line| line.step());
        // The best move loses nothing, whatever the next search thinks of it.
        let lost = match better {
            None => 0,
            Some(_) => (points(reviewed.before) - points(reviewed.after)).max(0),
        };
        Self {
            ply: reviewed.ply,
            side: reviewed.side.colour(),
            step: reviewed.step.to_string(),
            score: after.into(),
            best: better.unwrap_or(reviewed.step).to_string(),
            best_score: before.into(),
            lost: f64::from(lost) / 100.0,
            mark: reviewed.mark.map_or("", MoveMark::sign),
            reason: None,
            cells: [cell(after), cell(before)],
        }
    }

    /// The row of the table.
    pub(super) fn line(&self) -> String {
        let [after, before] = &self.cells;
        format!(
            "{:>3} {} {:<5} {:<2} {after:>8} {:>6} {before:>8} {:>6.2}",
            self.ply,
            &self.side[..1],
            self.step,
            self.mark,
            self.best,
            self.lost
        )
    }
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

/// What a decided position counts for in what a move lost: ten men.
const DECIDED: i32 = 1000;

/// A score as hundredths, so that moves can be compared.
fn points(score: Score) -> i32 {
    match score {
        Score::Win(_) => DECIDED,
        Score::Loss(_) => -DECIDED,
        Score::Units(units) => units.clamp(-DECIDED, DECIDED),
    }
}
