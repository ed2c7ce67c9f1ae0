//! The report: one HTML file with tables and every game on a board, which needs nothing else.

use anyhow::Result;
use serde_json::{Value, json};
use tablut_host::tournament::played;
use tablut_rules::{Piece, Rules, Square};

use super::{
    Standing,
    export::{Played, ending},
    table,
};

/// The page, with a place for what it shows.
const PAGE: &str = include_str!("report.html");

/// A report of a tournament as it stands.
pub(super) fn report(standing: &Standing, games: &[Played<'_>]) -> Result<String> {
    let contest = &standing.contest;
    let groups: Vec<Value> = contest
        .groups(&standing.fixtures)
        .iter()
        .map(|group| {
            let rows = &group.standings.rows;
            json!({
                "name": table::stage_name(&group.stage),
                "rows": rows.iter().map(|row| table::cells(contest, row)).collect::<Vec<_>>(),
                "cross": group.cross,
            })
        })
        .collect();
    let data = json!({
        "name": contest.plan.name,
        "rules": contest.rules.set().id,
        "played": played(&standing.fixtures),
        "total": standing.fixtures.len(),
        "columns": table::COLUMNS,
        "groups": groups,
        "board": board(&contest.rules),
        "games": games.iter().map(|game| game_json(standing, game)).collect::<Result<Vec<_>>>()?,
    });
    // Nothing in the data may end the script it stands in.
    let data = serde_json::to_string(&data)?.replace('<', "\\u003c");
    Ok(PAGE.replace("\"DATA\"", &data))
}

/// The squares and the start, for the page to draw.
fn board(rules: &Rules) -> Value {
    let start = rules.start();
    let squares = Square::all().map(|square| {
        let piece = match start.piece_at(square) {
            Some(Piece::Attacker) => "b",
            Some(Piece::Defender) => "w",
            Some(Piece::King) => "k",
            None => "",
        };
        let mark = match () {
            () if !rules.set().size.squares().contains(square) => "outside",
            () if square == rules.castle() => "castle",
            () if rules.camps().contains(square) => "camp",
            () if rules.escapes().contains(square) => "goal",
            () => "",
        };
        json!({ "mark": mark, "piece": piece })
    });
    json!(squares.collect::<Vec<_>>())
}

fn game_json(standing: &Standing, game: &Played<'_>) -> Result<Value> {
    let contest = &standing.contest;
    // Games may be cut off by a limit that the rules do not have, so the moves alone are played.
    let mut moves = game.record.clone();
    moves.outcome = None;
    let played = moves.replay(&contest.rules)?;
    let plies = played.plies().iter().map(|ply| {
        let captured: Vec<usize> = ply.captured.iter().map(Square::index).collect();
        json!([
            ply.step.from().index(),
            ply.step.to().index(),
            captured,
            ply.step.to_string()
        ])
    });
    Ok(json!({
        "number": game.fixture.number + 1,
        "round": game.fixture.round,
        "white": contest.team(game.fixture.white),
        "black": contest.team(game.fixture.black),
        "ending": ending(game.fixture),
        "fault": game.fixture.result.as_ref().and_then(|result| result.fault.clone()),
        "plies": plies.collect::<Vec<_>>(),
    }))
}
