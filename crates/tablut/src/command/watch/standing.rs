//! How a tournament of a server stands, as lines.

use tablut_rules::text::harmless;
use tablut_web::message::{FixtureInfo, TournamentInfo, TournamentState};

use crate::tui::text::Text;

/// A game of a tournament as a line.
pub(super) fn fixture(fixture: &FixtureInfo) -> String {
    let FixtureInfo {
        number,
        white,
        black,
        ..
    } = fixture;
    let outcome = fixture.outcome.as_ref();
    let end = outcome.map_or("", |outcome| outcome.text.as_str());
    let plies = fixture.plies.unwrap_or(0);
    format!("{number:4}. {white} - {black}, {plies}: {end}")
}

/// How a tournament stands: its tables, the games that are played, the games that were.
pub(super) fn lines(info: &TournamentInfo, text: &Text) -> Vec<String> {
    let entry = &info.entry;
    let state = match entry.state {
        TournamentState::Running => text.running,
        TournamentState::Paused => text.paused,
        TournamentState::Over | TournamentState::Archived => text.finished,
    };
    let mut lines = vec![format!(
        "{}: {state}, {}/{}",
        entry.name, entry.played, entry.games
    )];
    for group in &info.groups {
        let title = match &group.name {
            Some(name) => format!("{} {name}", text.group),
            None => text.final_group.to_string(),
        };
        let teams = group.rows.iter().map(|row| row.team.chars().count());
        let wide = teams.chain([title.chars().count()]).max().unwrap_or(0);
        lines.push(String::new());
        lines.push(format!(
            "     {title:wide$} {:>6}  {:>9}  {:>9}",
            text.points, text.white, text.black
        ));
        for row in &group.rows {
            let results = |[won, drawn, lost]: [u32; 3]| format!("{won:3}{drawn:3}{lost:3}");
            lines.push(format!(
                "{:3}. {:wide$} {:6}  {}  {}",
                row.place,
                row.team,
                row.points,
                results(row.sides.defenders),
                results(row.sides.attackers)
            ));
        }
    }
    if !info.boards.is_empty() {
        lines.extend([String::new(), text.playing_now.to_string()]);
    }
    for board in &info.boards {
        let last = board.last.as_deref().unwrap_or("");
        lines.push(format!(
            "{:4}. {} - {}, {} {last}   #game/{}",
            board.number, board.white, board.black, board.plies, board.game
        ));
    }
    let played = info.fixtures.iter();
    let played: Vec<_> = played.filter(|game| game.outcome.is_some()).collect();
    if !played.is_empty() {
        lines.extend([String::new(), text.results.to_string()]);
    }
    // The newest first.
    lines.extend(played.into_iter().rev().map(fixture));
    // Names and faults are those of others.
    let lines = lines.iter().map(|line| harmless(line).into_owned());
    lines.collect()
}

#[cfg(test)]
mod tests {
    use tablut_rules::text::Lang;

    use super::*;

    #[test]
    fn a_tournament_is_told_in_lines() {
        let info: TournamentInfo = serde_json::from_str(
            r#"{"id": "cup", "name": "Cup", "state": "running", "teams": 2, "played": 1, "games": 2,
            "rules": "ashton", "groups": [{"name": "1", "cross": [["-", "1"], [".", "-"]], "rows": [
            {"place": 1, "team": "Alpha", "members": [], "points": 3, "sides": {"black": [0, 0, 0],
            "white": [1, 0, 0]}, "men": [3, 2], "meanMoves": 31.0, "movePoints": -31.0}]}],
            "fixtures": [{"number": 1, "group": "1", "round": 1, "white": "Alpha", "black": "Beta",
            "game": "abc", "live": false, "outcome": {"winner": "white", "text": "White wins."},
            "plies": 31, "fault": null}], "boards": [{"number": 2, "game": "def", "white": "Beta",
            "black": "Alpha", "setup": "9/9/9/9/4K4/9/9/9/9 w", "last": "e4d4", "plies": 7,
            "left": 1500}], "control": false}"#,
        )
        .expect("a tournament");
        let expected = [
            "Cup: running, 1/2",
            "",
            "     Group 1 points      White      Black",
            "  1. Alpha        3    1  0  0    0  0  0",
            "",
            "Now playing",
            "   2. Beta - Alpha, 7 e4d4   #game/def",
            "",
            "Results",
            "   1. Alpha - Beta, 31: White wins.",
        ];
        assert_eq!(lines(&info, Text::of(Lang::En)), expected);
    }
}
