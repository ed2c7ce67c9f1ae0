//! A tournament as files: tables, records, a report.

use std::{fmt::Write as _, fs, io::Write, path::PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use serde_json::{Value, json};
use tablut_arena::tournament::Stage;
use tablut_rules::{Side, record::Record, text::Lang};
use tablut_store::{Fixture, Ruling};

use super::{Named, Standing, correct, html, table};
use crate::{Status, input};

#[derive(Args)]
#[command(after_help = "\
Writes to the folder:
  standings.csv  games.csv   for spreadsheets
  results.json               for programs
  games.txt  players.txt     the two tables of the Java log reader
  games.tablut               the records of all games
  report.html                tables, prizes, corrections, all games on boards

Examples:
  tablut tournament export
  tablut tournament export spring-cup --to results
  tablut tournament export spring-cup --lang it")]
pub(super) struct Export {
    #[command(flatten)]
    tournament: Named,
    /// The folder [default: the tournament's id]
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
    /// The language of the report
    #[arg(long, value_name = "LANG", default_value_t, value_parser = input::lang_parser())]
    lang: Lang,
}

/// A fixture that is settled, with the record of its game if it was played.
pub(super) struct Played<'a> {
    pub(super) fixture: &'a Fixture,
    pub(super) record: Option<Record>,
}

impl Export {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let standing = self.tournament.load()?;
        let folder = self
            .to
            .unwrap_or_else(|| PathBuf::from(&standing.contest.id));
        let games = played(&standing)?;
        fs::create_dir_all(&folder)
            .with_context(|| format!("cannot create the folder {}", folder.display()))?;
        let json = serde_json::to_string_pretty(&results(&standing))?;
        let records: String = games
            .iter()
            .filter_map(|game| Some(format!("{}\n", game.record.as_ref()?)))
            .collect();
        for (name, text) in [
            ("standings.csv", standings_csv(&standing)),
            ("games.csv", games_csv(&standing)),
            ("results.json", json + "\n"),
            ("games.txt", java_games(&standing, &games)),
            ("players.txt", java_players(&standing)),
            ("games.tablut", records),
            ("report.html", html::report(&standing, &games, self.lang)?),
        ] {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            writeln!(out, "{}", path.display())?;
        }
        Ok(Status::Good)
    }
}

/// The games that are settled, in the order of their fixtures, with what a reader wants to know of each.
fn played(standing: &Standing) -> Result<Vec<Played<'_>>> {
    let (contest, store) = (&standing.contest, &standing.store);
    let mut games = Vec::new();
    for fixture in standing.fixtures.iter().filter(|one| one.is_settled()) {
        let (Some(id), Some(_)) = (&fixture.game, &fixture.played) else {
            let record = None;
            games.push(Played { fixture, record });
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
        let record = Some(record);
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

/// A text that a spreadsheet takes for nothing but a text: some begin to reckon, or run what they find.
fn harmless(cell: &str) -> String {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    match is_formula && cell.parse::<f64>().is_err() {
        true => format!("'{cell}"),
        false => cell.into(),
    }
}

/// Cells as a line of comma-separated values.
fn csv_line<S: AsRef<str>>(cells: &[S]) -> String {
    let quoted = cells.iter().map(|cell| {
        let cell = harmless(cell.as_ref());
        match cell.contains([',', '"', '\n', '\r']) {
            true => format!("\"{}\"", cell.replace('"', "\"\"")),
            false => cell,
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn standings_csv(standing: &Standing) -> String {
    let contest = &standing.contest;
    // A column for each figure: a spreadsheet reads 3/0/1 as a date.
    let mut text = csv_line(&[
        "stage",
        "place",
        "team",
        "members",
        "withdrawn",
        "points",
        "games",
        "won",
        "drawn",
        "lost",
        "white won",
        "white drawn",
        "white lost",
        "black won",
        "black drawn",
        "black lost",
        "captured",
        "lost men",
        "mean moves",
        "move points",
    ]);
    for group in contest.groups(&standing.fixtures) {
        for row in &group.standings.rows {
            let all = row.all();
            let mut cells = vec![
                table::stage_name(&group.stage),
                row.place.to_string(),
                contest.team(row.team).into(),
                contest.plan.teams[row.team].members.join(", "),
                if contest.has_withdrawn(row.team) {
                    "yes"
                } else {
                    ""
                }
                .into(),
            ];
            cells.extend([row.points(), all.games()].map(|figure| figure.to_string()));
            for tally in [all, row.sides.defenders, row.sides.attackers] {
                cells.extend([tally.won, tally.drawn, tally.lost].map(|figure| figure.to_string()));
            }
            cells.extend([row.captured, row.lost_men].map(|figure| figure.to_string()));
            cells.extend([row.mean_plies(), row.move_points()].map(|mean| format!("{mean:.1}")));
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
        "ruling",
        "begun",
        "ended",
    ]);
    for one in &standing.fixtures {
        let mut cells = vec![
            (one.number + 1).to_string(),
            stage(one),
            one.round.to_string(),
            contest.team(one.teams.defenders).to_string(),
            contest.team(one.teams.attackers).to_string(),
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
                result.captures.defenders.to_string(),
                result.captures.attackers.to_string(),
                result.fault.clone().unwrap_or_default(),
            ]);
        }
        cells.resize(11, String::new());
        let moment = |ms: Option<i64>| ms.map(correct::moment).unwrap_or_default();
        cells.extend([
            ruling(one).into(),
            moment(one.begun_ms),
            moment(one.ended_ms),
        ]);
        text += &csv_line(&cells);
    }
    text
}

/// What a correction says of a game, in a word.
fn ruling(fixture: &Fixture) -> &'static str {
    match fixture.ruling {
        None => "",
        Some(Ruling::Decided(_)) => "decided",
        Some(_) if fixture.result.is_some() => "",
        Some(_) if fixture.played.is_some() => "annulled",
        Some(_) => "not played",
    }
}

/// Everything that is known of a tournament, for programs.
fn results(standing: &Standing) -> Value {
    let contest = &standing.contest;
    let game = |one: &Fixture| {
        json!({
            "game": one.number + 1,
            "stage": stage(one),
            "round": one.round,
            "white": contest.team(one.teams.defenders),
            "black": contest.team(one.teams.attackers),
            "ruling": Some(ruling(one)).filter(|word| !word.is_empty()),
            "begun_ms": one.begun_ms,
            "ended_ms": one.ended_ms,
            "result": one.result.as_ref().map(|result| json!({
                "winner": result.outcome.winner.map(Side::colour),
                "reason": result.outcome.reason.to_string(),
                "moves": result.plies,
                "white_captures": result.captures.defenders,
                "black_captures": result.captures.attackers,
                "fault": result.fault,
            })),
        })
    };
    let games: Vec<Value> = standing.fixtures.iter().map(game).collect();
    let mut all = table::as_json(contest, &standing.fixtures);
    all["games"] = games.into();
    let log = contest.log.iter().map(correct::as_json);
    all["corrections"] = log.collect();
    all["created_ms"] = contest.created_ms.into();
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
        let first = contest.rules.set().first() == Side::Defenders;
        let (early, late) = (result.plies.div_ceil(2), result.plies / 2);
        let (white, black) = if first { (early, late) } else { (late, early) };
        let (by_white, by_black) = (result.captures.defenders, result.captures.attackers);
        // "White captured" are white men that were taken.
        let _ = writeln!(
            text,
            "{}\t{}\t{ending}\t{}\t{by_black}\t{by_white}\t{white}\t{black}",
            contest.team(fixture.teams.defenders),
            contest.team(fixture.teams.attackers),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1+1", "+Alpha", "-2.5", "@sum", "-x", "+3", "plain"];
        assert_eq!(csv_line(&cells), "'=1+1,'+Alpha,-2.5,'@sum,'-x,+3,plain\n");
    }

    #[test]
    fn cells_with_commas_and_quotes_are_quoted() {
        assert_eq!(csv_line(&["a", "b,c", "d\"e"]), "a,\"b,c\",\"d\"\"e\"\n");
    }
}
