//! What came out of a series, as a table or as JSON.

use std::{collections::BTreeMap, io::Write};

use anyhow::Result;
use serde::Serialize;
use tablut_arena::{
    series::{Ended, PlayedGame, Series, SeriesReport},
    stats::{Points, SprtVerdict, Tally},
};
use tablut_rules::Side;

use crate::output::counted;

/// A count of games with what it means.
#[derive(Serialize)]
struct Row {
    games: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    score: Option<f64>,
    elo: Option<f64>,
    elo_margin: Option<f64>,
}

impl Row {
    fn new(tally: Tally) -> Self {
        let elo = tally.elo();
        Self {
            games: tally.games(),
            won: tally.wins,
            drawn: tally.draws,
            lost: tally.losses,
            score: tally.score(),
            elo: elo.map(|(elo, _)| elo),
            elo_margin: elo.and_then(|(_, margin)| margin),
        }
    }

    fn line(&self, name: &str) -> String {
        let score = self
            .score
            .map_or("-".into(), |score| format!("{:.1} %", 100.0 * score));
        format!(
            "{name:<9} {:>6} {:>6} {:>6} {:>6} {score:>9}  {}",
            self.games,
            self.won,
            self.drawn,
            self.lost,
            self.elo
                .map_or(String::new(), |elo| with_margin(elo, self.elo_margin))
        )
    }
}

/// A number of Elo with its margin.
fn with_margin(elo: f64, margin: Option<f64>) -> String {
    match margin {
        Some(margin) => format!("{elo:+.1} ± {margin:.1}"),
        None if elo.is_finite() => format!("{elo:+.1}, too few games for an error margin"),
        None if elo > 0.0 => "too high to measure".into(),
        None => "too low to measure".into(),
    }
}

/// Why games ended, and how for the first player.
#[derive(Serialize, Default, Clone, Copy)]
struct End {
    won: u64,
    drawn: u64,
    lost: u64,
}

#[derive(Serialize)]
struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: String,
    ratio: f64,
    lower: f64,
    upper: f64,
    verdict: String,
}

#[derive(Serialize)]
struct Game {
    round: usize,
    white: String,
    black: String,
    result: &'static str,
    reason: String,
    plies: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

/// All there is to say about a series, from the first player's point of view.
#[derive(Serialize)]
struct Summary {
    players: [String; 2],
    rules: String,
    seed: u64,
    ended: &'static str,
    white: Row,
    black: Row,
    total: Row,
    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// From pairs: the error counts that the games of a pair depend on each other.
    elo: Option<f64>,
    elo_margin: Option<f64>,
    normalized_elo: Option<f64>,
    normalized_elo_margin: Option<f64>,
    superiority: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Test>,
    ends: BTreeMap<String, End>,
    games: Vec<Game>,
}

impl Summary {
    fn new(series: &Series, report: &SeriesReport) -> Self {
        let standing = &report.standing;
        let pairs = standing.pairs();
        let elo = pairs.elo();
        let mut ends: BTreeMap<String, End> = BTreeMap::new();
        for (reason, points, count) in standing.ends() {
            let end = ends.entry(reason.into()).or_default();
            match points {
                Points::Win => end.won += count,
                Points::Draw => end.drawn += count,
                Points::Loss => end.lost += count,
            }
        }
        let sprt = series.sprt.map(|sprt| {
            let ((elo0, elo1), (alpha, beta)) = (sprt.claims(), sprt.risks());
            let (lower, upper) = sprt.bounds();
            Test {
                elo0,
                elo1,
                alpha,
                beta,
                model: sprt.model().to_string(),
                ratio: sprt.ratio(pairs),
                lower,
                upper,
                verdict: sprt.verdict(pairs).to_string(),
            }
        });
        Self {
            players: series
                .entrants
                .each_ref()
                .map(|entrant| entrant.player.to_string()),
            rules: series.rules.set().id().into(),
            seed: series.seed,
            ended: match report.ended {
                Ended::Complete => "complete",
                Ended::Decided(_) => "decided",
                Ended::Stopped => "stopped",
            },
            white: Row::new(standing.side(Side::Defenders)),
            black: Row::new(standing.side(Side::Attackers)),
            total: Row::new(standing.total()),
            pairs: pairs.0,
            elo: elo.map(|elo| elo.logistic),
            elo_margin: elo.and_then(|elo| elo.logistic_margin),
            normalized_elo: elo.and_then(|elo| elo.normalized),
            normalized_elo_margin: elo.map(|elo| elo.normalized_margin),
            superiority: elo
                .filter(|elo| elo.score_error > 0.0)
                .map(|elo| elo.superiority),
            sprt,
            ends,
            games: report.games.iter().map(|game| one(series, game)).collect(),
        }
    }
}

fn one(series: &Series, game: &PlayedGame) -> Game {
    let name = |n: usize| series.entrants[n].player.to_string();
    let (white, black) = match game.side {
        Side::Defenders => (name(0), name(1)),
        Side::Attackers => (name(1), name(0)),
    };
    let outcome = game.record.outcome;
    Game {
        round: game.number + 1,
        white,
        black,
        result: match outcome.map(|outcome| outcome.winner) {
            Some(Some(Side::Defenders)) => "1-0",
            Some(Some(Side::Attackers)) => "0-1",
            Some(None) => "1/2-1/2",
            None => "*",
        },
        reason: outcome.map_or_else(String::new, |outcome| outcome.reason.to_string()),
        plies: game.record.tree().len(),
        fault: game.fault.clone(),
    }
}

/// Writes JSON.
pub(super) fn json(out: &mut impl Write, series: &Series, report: &SeriesReport) -> Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Summary::new(series, report))?;
    writeln!(out)?;
    Ok(())
}

/// Writes a table for people.
pub(super) fn text(out: &mut impl Write, series: &Series, report: &SeriesReport) -> Result<()> {
    let summary = Summary::new(series, report);
    let [first, second] = &summary.players;
    writeln!(
        out,
        "{first} against {second}, {}, {}, seed {}\n",
        summary.rules,
        counted(summary.total.games, "game", "games"),
        summary.seed
    )?;
    writeln!(
        out,
        "{:<9} {:>6} {:>6} {:>6} {:>6} {:>9}  Elo",
        "", "games", "won", "drawn", "lost", "score"
    )?;
    for (name, row) in [("white", &summary.white), ("black", &summary.black)] {
        writeln!(out, "{}", row.line(name).trim_end())?;
    }
    let mut total = summary.total;
    (total.elo, total.elo_margin) = (summary.elo, summary.elo_margin);
    writeln!(out, "{}\n", total.line("both").trim_end())?;
    let [p0, p1, p2, p3, p4] = summary.pairs;
    writeln!(
        out,
        "pairs     {p0} {p1} {p2} {p3} {p4} with 0, ½, 1, 1½, 2 points"
    )?;
    if let (Some(elo), Some(superiority)) = (summary.normalized_elo, summary.superiority) {
        writeln!(
            out,
            "strength  normalized Elo {}, stronger with a likelihood of {:.1} %",
            with_margin(elo, summary.normalized_elo_margin),
            100.0 * superiority
        )?;
    }
    let counts = |(reason, end): (&String, &End)| {
        format!("{reason} +{} ={} -{}", end.won, end.drawn, end.lost)
    };
    let ends: Vec<String> = summary.ends.iter().map(counts).collect();
    writeln!(out, "ends      {}", ends.join(", "))?;
    if let Some(test) = &summary.sprt {
        writeln!(
            out,
            "SPRT      {} or {} {} Elo with risks {} and {}: ratio {:.2} ({:.2}, {:.2}): {}",
            test.elo0,
            test.elo1,
            test.model,
            test.alpha,
            test.beta,
            test.ratio,
            test.lower,
            test.upper,
            sentence(series, report, &summary.players),
        )?;
    }
    if report.ended == Ended::Stopped {
        writeln!(
            out,
            "stopped before all {} games were played",
            2 * series.pairs
        )?;
    }
    Ok(())
}

/// What a test says, with the names.
fn sentence(series: &Series, report: &SeriesReport, players: &[String; 2]) -> String {
    let verdict = series
        .sprt
        .map(|sprt| sprt.verdict(report.standing.pairs()));
    match verdict {
        Some(SprtVerdict::Better) => format!("{} is better", players[0]),
        Some(SprtVerdict::NotBetter) => format!("{} is not better", players[0]),
        Some(SprtVerdict::Open) | None => "undecided".into(),
    }
}
