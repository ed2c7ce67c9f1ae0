//! Positions and games as text, in and out: what people paste, copy and save.

use std::sync::Arc;

use serde::Deserialize;
use tablut_host::Host;
use tablut_rules::{
    BoardSize, Game, Move, Piece, Rules, Setup, SetupError, Side, Square,
    notation::{Diagram, berkeley::BerkeleyMove},
    record::{self, Record},
};

/// What a text held: a position, and moves from there on.
#[derive(Clone, Debug)]
pub struct Content {
    /// The rules it is of.
    pub rules: Arc<Rules>,
    /// The position.
    pub setup: Setup,
    /// Moves from there on.
    pub moves: Vec<Move>,
}

/// The state message of the Tablut Challenge, as far as it is a position.
#[derive(Deserialize)]
struct ChallengeState {
    board: Vec<Vec<String>>,
    turn: String,
}

/// Reads a text in any format; one that names no rule set is read under the given one.
///
/// # Errors
/// Says why the text holds neither a position nor a game.
pub fn read(host: &Host, rules: &Arc<Rules>, text: &str) -> Result<Content, String> {
    let text = text.trim().trim_start_matches('\u{feff}');
    let first = text.split_whitespace().next().unwrap_or_default();
    let position = |setup| Content {
        rules: Arc::clone(rules),
        setup,
        moves: Vec::new(),
    };
    if text.starts_with('{') && text.contains("\"board\"") {
        return challenge(text).map(position);
    }
    if let Some(setup) = java_state(text) {
        return Ok(position(setup));
    }
    if first.contains('/') {
        let setup = match text.contains(char::is_whitespace) {
            true => text.parse::<Setup>(),
            false => Setup::from_board(text, rules.set().first),
        };
        return setup.map(position).map_err(|error| error.to_string());
    }
    if text.contains("to move") {
        let diagram = text.parse::<Diagram>();
        let diagram = diagram.map_err(|error| error.to_string())?;
        return Ok(position(*diagram.setup()));
    }
    let is_numbered = first.contains('.') && first.starts_with(|c: char| c.is_ascii_digit());
    if first.starts_with(['[', '{', ';']) || is_numbered {
        return read_record(host, text);
    }
    let words = || text.split_whitespace();
    let moves: Result<Vec<Move>, _> = words().map(str::parse).collect();
    let berkeley: Result<Vec<BerkeleyMove>, _> = words().map(str::parse).collect();
    let moves = match (moves, berkeley) {
        (Ok(moves), _) if !moves.is_empty() => moves,
        (_, Ok(moves)) if !moves.is_empty() => moves.into_iter().map(|step| step.0).collect(),
        (Err(error), _) => return Err(format!("{first:?}: {error}")),
        _ => return Err("there is nothing to read".into()),
    };
    Ok(Content {
        rules: Arc::clone(rules),
        setup: Setup::from(&rules.start()),
        moves,
    })
}

fn read_record(host: &Host, text: &str) -> Result<Content, String> {
    let record = record::read_all(text).next();
    let record = record.ok_or("there is no game in the text")?;
    let record = record.map_err(|error| error.to_string())?;
    let rules = host
        .rules(&record.rules)
        .ok_or_else(|| format!("there is no rule set {:?} here", record.rules))?;
    record.replay(rules).map_err(|error| error.to_string())?;
    let tree = record.tree();
    Ok(Content {
        rules: Arc::clone(rules),
        setup: record.setup.unwrap_or_else(|| Setup::from(&rules.start())),
        moves: tree
            .main_line()
            .filter_map(|node| tree.step(node))
            .collect(),
    })
}

/// Puts rows of cells on a board.
fn place<'a, R>(rows: impl ExactSizeIterator<Item = R>, turn: &str) -> Option<Setup>
where
    R: IntoIterator<Item = &'a str>,
{
    let side = match turn.chars().next()?.to_ascii_uppercase() {
        'W' => Side::Defenders,
        'B' => Side::Attackers,
        _ => return None,
    };
    let size = BoardSize::from_rows(rows.len())?;
    let mut setup = Setup::empty(size, side);
    for (row, cells) in rows.enumerate() {
        let mut columns = 0;
        for (column, cell) in cells.into_iter().enumerate() {
            columns += 1;
            let square = Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)?;
            setup.put(
                square,
                match cell {
                    "BLACK" | "B" => Some(Piece::Attacker),
                    "WHITE" | "W" => Some(Piece::Defender),
                    "KING" | "K" => Some(Piece::King),
                    "EMPTY" | "THRONE" | "O" | "T" => None,
                    _ => return None,
                },
            );
        }
        if columns != usize::from(size.rows()) {
            return None;
        }
    }
    Some(setup)
}

/// Reads the state message of the Tablut Challenge.
fn challenge(text: &str) -> Result<Setup, String> {
    let state: ChallengeState = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let rows = state.board.iter().map(|row| row.iter().map(String::as_str));
    place(rows, &state.turn).ok_or_else(|| "this is no state of the Tablut Challenge".into())
}

/// Reads the text that the Java referee prints: rows of letters, a hyphen, whose turn it is.
fn java_state(text: &str) -> Option<Setup> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let rows = lines.iter().position(|line| *line == "-")?;
    let turn = lines.get(rows + 1)?;
    let letters = lines[..rows]
        .iter()
        .map(|line| line.split("").filter(|letter| !letter.is_empty()));
    place(letters, turn)
}

/// A position, and the game of moves from there on, in every format: its name and its text.
pub(crate) fn write(
    rules: &Arc<Rules>,
    setup: &Setup,
    moves: &[Move],
) -> Result<Vec<(String, String)>, String> {
    let mut texts = Vec::new();
    let mut add = |name: &str, text: String| texts.push((name.to_string(), text));
    let game = match moves {
        [] => None,
        moves => Some(play(rules, setup, moves)?),
    };
    let last = game
        .as_ref()
        .map_or(*setup, |game| Setup::from(game.position()));
    let diagram = Diagram::from(last).marked(rules);
    add("line", last.to_string());
    add("diagram", diagram.to_string());
    add("board", diagram.board());
    add("json", challenge_text(rules, &last));
    add("java", java_text(rules, &last));
    let record = match &game {
        Some(game) => Record::from_game(game),
        None => {
            let mut record = Record::new(rules.set().id.as_str());
            record.setup = Some(last);
            record
        }
    };
    add("record", record.to_string());
    if let Some(game) = &game {
        let words = game.plies().iter().map(|ply| ply.step.to_string());
        add("moves", words.collect::<Vec<_>>().join("\n"));
        if rules.size() == BoardSize::Nine {
            let words = game.plies().iter();
            let words = words.map(|ply| BerkeleyMove(ply.step).to_string());
            add("berkeley", words.collect::<Vec<_>>().join("\n"));
        }
    }
    Ok(texts)
}

/// Plays moves from a set-up.
///
/// # Errors
/// Says why no game can start there, or which move cannot be made.
pub fn play(rules: &Arc<Rules>, setup: &Setup, moves: &[Move]) -> Result<Game, String> {
    let position = rules.position(setup).or_else(SetupError::playable);
    let position = position.map_err(|error| error.to_string())?;
    let mut game = Game::from_position(Arc::clone(rules), position, rules.laws());
    for &step in moves {
        let played = game.play(step);
        played.map_err(|error| format!("{step}: {error}"))?;
    }
    Ok(game)
}

/// The cells of a board, row by row, in the words of the Java referee.
fn cells(rules: &Rules, setup: &Setup) -> Vec<Vec<&'static str>> {
    let size = setup.size().rows();
    let cell = |column, row| match Square::new(column, row) {
        Some(square) => match setup.piece_at(square) {
            Some(Piece::Attacker) => "BLACK",
            Some(Piece::Defender) => "WHITE",
            Some(Piece::King) => "KING",
            None if square == rules.castle() => "THRONE",
            None => "EMPTY",
        },
        None => "EMPTY",
    };
    let row = |row| (0..size).map(|column| cell(column, row)).collect();
    (0..size).map(row).collect()
}

fn challenge_text(rules: &Rules, setup: &Setup) -> String {
    let turn = setup.side().colour().to_uppercase();
    serde_json::json!({ "board": cells(rules, setup), "turn": turn }).to_string()
}

fn java_text(rules: &Rules, setup: &Setup) -> String {
    let mut text = String::new();
    for row in cells(rules, setup) {
        for cell in row {
            text.push_str(if cell == "EMPTY" { "O" } else { &cell[..1] });
        }
        text.push('\n');
    }
    let turn = &setup.side().colour().to_uppercase()[..1];
    text + "-\n" + turn
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_host::Limits;
    use tablut_store::{Place, Store};

    use super::*;

    async fn host() -> Host {
        Host::new(
            Store::open(&Place::Memory).await.unwrap(),
            Limits::default(),
        )
    }

    #[tokio::test]
    async fn every_format_is_read_as_it_was_written() {
        let host = host().await;
        let rules = host.rules("ashton").unwrap();
        let setup: Setup = "9/9/1b1K5/4w4/9/9/9/9/9 b".parse().unwrap();
        for (name, text) in write(rules, &setup, &[]).unwrap() {
            let content = read(&host, rules, &text).unwrap();
            let read = match name.as_str() {
                // A board has no side to move: it is the first one's turn.
                "board" => content.setup.with_side(Side::Attackers),
                _ => content.setup,
            };
            assert_eq!(read, setup, "{name}:\n{text}");
            assert!(content.moves.is_empty());
        }
    }

    #[tokio::test]
    async fn games_are_read_as_they_were_written() {
        let host = host().await;
        let rules = host.rules("berkeley").unwrap();
        let start = Setup::from(&rules.start());
        let moves: Vec<Move> = ["d1c1", "e4d4"].map(|step| step.parse().unwrap()).to_vec();
        let texts = write(rules, &start, &moves).unwrap();
        for (name, text) in texts.iter().skip(5) {
            let content = read(&host, rules, text).unwrap();
            assert_eq!(
                (content.setup, content.moves),
                (start, moves.clone()),
                "{name}"
            );
        }
        assert_eq!(texts.len(), 8);
    }

    #[tokio::test]
    async fn what_is_no_position_is_refused_with_a_reason() {
        let host = host().await;
        let rules = host.rules("ashton").unwrap();
        for text in [
            "",
            "hello",
            "9/9",
            "{\"board\":[[\"EMPTY\"]],\"turn\":\"WHITE\"}",
            "{\"board\":1}",
            "OOO\n-\nW",
            "-",
            "-\nW",
            "[Rules \"nothing\"]\n\n*",
            "e4e4e4",
            "e4d4 b3-6",
            "{\"board\":[],\"turn\":\"\"}",
            "1. e4-e3 *",
            "\u{feff}",
        ] {
            let error = read(&host, rules, text).map(|_| ()).unwrap_err();
            assert!(!error.is_empty(), "{text}");
        }
    }
}
