//! The report: one HTML file with tables and every game on a board, which needs nothing else.

use anyhow::Result;
use jiff::Timestamp;
use serde_json::{Value, json};
use tablut_arena::tournament::StandingRow;
use tablut_host::{
    speech::{self, sentence},
    tournament::{Contest, Logged, Prizes, counting, played},
};
use tablut_rules::{Piece, Rules, Square, text::Lang};

use super::{Standing, export::Played, table, words::Words};

/// The page, with a place for what it shows.
const PAGE: &str = include_str!("report.html");

/// A report of a tournament as it stands.
pub(super) fn report(standing: &Standing, games: &[Played<'_>], lang: Lang) -> Result<String> {
    let words = Words::of(lang);
    let contest = &standing.contest;
    let tables = contest.groups(&standing.fixtures);
    let groups: Vec<Value> = tables
        .iter()
        .map(|group| {
            let rows = &group.standings.rows;
            json!({
                "name": (words.stage)(&group.stage),
                "rows": rows.iter().map(|row| cells(contest, row, words)).collect::<Vec<_>>(),
                "cross": group.cross,
            })
        })
        .collect();
    let begun = standing
        .fixtures
        .iter()
        .filter_map(|one| one.begun_ms)
        .min();
    let ended = standing
        .fixtures
        .iter()
        .filter_map(|one| one.ended_ms)
        .max();
    let prizes = Prizes::new(contest, &tables);
    let names = |teams: &[usize]| -> Vec<&str> { teams.iter().map(|&n| contest.team(n)).collect() };
    let data = json!({
        "lang": lang.to_string(),
        "text": words.labels,
        "name": contest.plan.name,
        "rules": contest.rules.set().name_in(lang),
        "created": words.moment(contest.created_ms),
        "first": begun.map(|ms| words.moment(ms)),
        "last": ended.map(|ms| words.moment(ms)),
        "written": words.moment(Timestamp::now().as_millisecond()),
        "teams": contest.plan.teams.iter().enumerate().map(|(n, team)| json!([
            team.name, team.members.join(", "), team.group,
            if contest.has_withdrawn(n) { words.labels.withdrawn } else { "" },
        ])).collect::<Vec<_>>(),
        "prizes": { "captures": names(&prizes.captures), "men": names(&prizes.men) },
        "corrections": contest.log.iter().map(|one| correction(one, lang)).collect::<Vec<_>>(),
        "played": played(&standing.fixtures),
        "total": counting(&standing.fixtures),
        "columns": words.columns,
        "groups": groups,
        "board": board(&contest.rules),
        "games": games.iter().map(|game| game_json(standing, game, words)).collect::<Result<Vec<_>>>()?,
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
            () if !rules.set().size().squares().contains(square) => "outside",
            () if square == rules.castle() => "castle",
            () if rules.camps().contains(square) => "camp",
            () if rules.escapes().contains(square) => "goal",
            () => "",
        };
        json!({ "mark": mark, "piece": piece })
    });
    json!(squares.collect::<Vec<_>>())
}

/// The cells of a team's line.
fn cells(contest: &Contest, row: &StandingRow, words: &Words) -> [String; 11] {
    let mut cells = table::cells(contest, row);
    if contest.has_withdrawn(row.team) {
        cells[1] = format!("{} ({})", contest.team(row.team), words.labels.withdrawn);
    }
    for figure in &mut cells[9..] {
        *figure = words.figure(figure);
    }
    cells
}

/// A correction: its number, when, what, why, by whom, and how it was undone.
fn correction(one: &Logged, lang: Lang) -> Value {
    let what = sentence(&speech::change(lang, one.team.as_deref(), &one.change));
    let moment = |ms| Words::of(lang).moment(ms);
    let undone = one.undone.as_ref();
    let undone = undone.map(|note| format!("{}: {} ({})", moment(note.at_ms), note.why, note.by));
    json!([
        one.number,
        moment(one.note.at_ms),
        what,
        one.note.why,
        one.note.by,
        undone
    ])
}

fn game_json(standing: &Standing, game: &Played<'_>, words: &Words) -> Result<Value> {
    let contest = &standing.contest;
    let mut plies = Vec::new();
    if let Some(record) = &game.record {
        // Games may be cut off by a limit that the rules do not have, so the moves alone are played.
        let mut moves = record.clone();
        moves.outcome = None;
        plies = moves.replay(&contest.rules)?.plies().to_vec();
    }
    let plies = plies.iter().map(|ply| {
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
        "white": contest.team(game.fixture.teams.defenders),
        "black": contest.team(game.fixture.teams.attackers),
        "ending": words.ending(game.fixture),
        "date": game.fixture.ended_ms.map(|ms| words.moment(ms)),
        "fault": game.fixture.result.as_ref().and_then(|result| result.fault.clone()),
        "plies": plies.collect::<Vec<_>>(),
    }))
}
