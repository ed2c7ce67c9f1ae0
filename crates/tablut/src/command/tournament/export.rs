//! A tournament as files: tables, records, a report.

use std::{fmt::Write as _, fs, io::Write, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};
use tablut_arena::tournament::Stage;
use tablut_rules::{Side, record::Record};
use tablut_store::Fixture;

use super::{Named, Standing, html, outcome, table};
use crate::Status;

#[derive(Args)]
#[command(after_help = "\
Writes to the folder:
  standings.csv  games.csv   for spreadsheets
  results.json               for programs
  games.txt  players.txt     the two tables of the Java log reader
  games.tablut               the records of all games
  report.html                tables and all games on boards, in one file

Examples:
  tablut tournament export
  tablut tournament export spring-cup --to results")]
pub(super) struct Export {
    #[command(flatten)]
    tournament: Named,
    /// The folder [default: the tournament's id]
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

/// A fixture that was played, with its record.
pub(super) struct Played<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) record: Record,
}

impl Export {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let standing = self.tournament.load()?;
        let folder = self
            .to
            .unwrap_or_else(|| PathBuf::from(&standing.contest.id));
        let games = played(&standing)?;
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let json = serde_json::to_string_pretty(&results(&standing))?;
        let records: String = games
            .iter()
            .map(|game| format!("{}\n", game.record))
            .collect();
        for (name, text) in [
            ("standings.csv", standings_csv(&standing)),
            ("games.csv", games_csv(&standing)),
            ("results.json", json + "\n"),
            ("games.txt", java_games(&standing, &games)),
            ("players.txt", java_players(&standing)),
            ("games.tablut", records),
            ("report.html", html::report(&standing, &games)?),
        ] {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(Status::Good)
    }
}

/// The games that are over, in the order of their fixtures, with what a reader wants to know of each.
fn played(standing: &Standing) -> Result<Vec<Played<'_>>> {
    let (contest, store) = (&standing.contest, &standing.store);
    let mut games = Vec::new();
    for fixture in &standing.fixtures {
        let (Some(id), Some(_)) = (&fixture.game, &fixture.result) else {
            continue;
        };
        let mut record = standing.runtime.block_on(async {
            let game = store.game(id).await?;
            store.record(&game).await
        })?;
        for (key, value) in [
            ("Event", contest.plan.name.clone()),
            ("Round", format!("{}.{}", fixture.round, fixture.number + 1)),
        ] {
            record.set_header(key, value)?;
        }
        games.push(Played { fixture, record });
    }
    Ok(games)
}

fn stage(fixture: &Fixture) -> String {
    table::stage_name(&match &fixture.stage {
        Some(name) => Stage::Group(name.clone()),
        None => Stage::Final,
    })
}

/// Cells as a line of comma-separated values.
fn csv_line<S: AsRef<str>>(cells: &[S]) -> String {
    let quoted = cells.iter().map(|cell| {
        let cell = cell.as_ref();
        match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell.to_string(),
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn standings_csv(standing: &Standing) -> String {
    let contest = &standing.contest;
    let mut text = csv_line(&[&["stage"][..], &table::COLUMNS].concat());
    for group in contest.groups(&standing.fixtures) {
        for row in &group.standings.rows {
            let mut cells = vec![table::stage_name(&group.stage)];
            cells.extend(table::cells(contest, row));
            text += &csv_line(&cells);
        }
    }
    text
}

fn games_csv(standing: &Standing) -> String {
    let contest = &standing.contest;
    let mut text = csv_line(&[
        "game",
        "stage",
        "round",
        "white",
        "black",
        "winner",
        "reason",
        "moves",
        "white captures",
        "black captures",
        "fault",
    ]);
    for one in &standing.fixtures {
        let mut cells = vec![
            (one.number + 1).to_string(),
            stage(one),
            one.round.to_string(),
            contest.team(one.white).to_string(),
            contest.team(one.black).to_string(),
        ];
        if let Some(result) = &one.result {
            cells.extend([
                result
                    .outcome
                    .winner
                    .map_or("draw", Side::colour)
                    .to_string(),
                result.outcome.reason.to_string(),
                result.plies.to_string(),
                result.captures[0].to_string(),
                result.captures[1].to_string(),
                result.fault.clone().unwrap_or_default(),
            ]);
        }
        cells.resize(11, String::new());
        text += &csv_line(&cells);
    }
    text
}

/// Everything that is known of a tournament, for programs.
fn results(standing: &Standing) -> Value {
    let contest = &standing.contest;
    let game = |one: &Fixture| {
        json!({
            "game": one.number + 1,
            "stage": stage(one),
            "round": one.round,
            "white": contest.team(one.white),
            "black": contest.team(one.black),
            "result": one.result.as_ref().map(|result| json!({
                "winner": result.outcome.winner.map(Side::colour),
                "reason": result.outcome.reason.to_string(),
                "moves": result.plies,
                "white_captures": result.captures[0],
                "black_captures": result.captures[1],
                "fault": result.fault,
            })),
        })
    };
    let games: Vec<Value> = standing.fixtures.iter().map(game).collect();
    let mut all = table::as_json(contest, &standing.fixtures);
    all["games"] = games.into();
    all
}

/// The first table of the Java log reader: a line for each game.
fn java_games(standing: &Standing, games: &[Played<'_>]) -> String {
    let contest = &standing.contest;
    let mut text = String::from(
        "White\tBlack\tEnding\tMoves\tWhite captured\tBlack captured\tWhite moves\tBlack moves\n",
    );
    for Played { fixture, .. } in games {
        let Some(result) = &fixture.result else {
            continue;
        };
        let ending = match result.outcome.winner {
            Some(Side::Defenders) => "WHITEWIN",
            Some(Side::Attackers) => "BLACKWIN",
            None => "DRAW",
        };
        let first = contest.rules.set().first == Side::Defenders;
        let (early, late) = (result.plies.div_ceil(2), result.plies / 2);
        let (white, black) = if first { (early, late) } else { (late, early) };
        let [by_white, by_black] = result.captures;
        // "White captured" are white men that were taken.
        let _ = writeln!(
            text,
            "{}\t{}\t{ending}\t{}\t{by_black}\t{by_white}\t{white}\t{black}",
            contest.team(fixture.white),
            contest.team(fixture.black),
            result.plies
        );
    }
    text
}

/// The second table of the Java log reader: a line for each player.
fn java_players(standing: &Standing) -> String {
    let contest = &standing.contest;
    let mut text = String::from(
        "Player\tPoints\tWins\tLosses\tDraws\tCaptures\tLost\tMove points\tMoves in wins\tMoves in losses\tMoves\n",
    );
    for group in contest.groups(&standing.fixtures) {
        for row in &group.standings.rows {
            let all = row.all();
            let _ = writeln!(
                text,
                "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{:.2}\t{:.2}\t{:.2}\t{}",
                contest.team(row.team),
                row.points(),
                all.won,
                all.lost,
                all.drawn,
                row.captured,
                row.lost_men,
                row.move_points(),
                row.mean_win(),
                row.move_points() + row.mean_win(),
                row.plies[0]
            );
        }
    }
    text
}

/// What a game came to, in a few words.
pub(super) fn ending(fixture: &Fixture) -> String {
    let result = fixture.result.as_ref();
    result.map_or(String::new(), |result| outcome(result.outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        assert_eq!(csv_line(&["a", "b,c", "d\"e"]), "a,\"b,c\",\"d\"\"e\"\n");
    }
}
