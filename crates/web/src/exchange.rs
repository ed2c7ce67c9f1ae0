//! Positions and games as text, in and out: what people paste, copy and save.

use std::sync::Arc;

use tablut_arena::challenge::message::{State, Turn};
use tablut_host::Host;
use tablut_rules::{
    BoardSize, Game, Move, Rules, Setup, SetupError,
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
        let state = State::read(text.as_bytes()).map_err(|error| error.to_string())?;
        return Ok(position(state.setup));
    }
    if let Some(state) = State::from_letters(text) {
        return Ok(position(state.setup));
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
    let state = State {
        setup: last,
        turn: Turn::Of(last.side()),
    };
    add("json", state.payload(rules));
    add("java", state.letters());
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

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_host::Limits;
    use tablut_store::{Place, Store};

    use tablut_rules::Side;

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
