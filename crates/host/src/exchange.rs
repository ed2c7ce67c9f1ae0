//! Positions and games as text, in and out: what people paste, copy and save.

use std::sync::Arc;

use tablut_challenge::{
    document::{self, Document, GameFault, ReadError, RuleSets},
    message::{State, Turn},
};
use tablut_rules::{
    BoardSize, Game, Move, PlayError, Rules, Setup, SetupError,
    notation::{Diagram, berkeley::BerkeleyMove},
    record::Record,
};

use crate::{Body, Host, NodeKey, Study, StudyError};

/// Why a text holds no position or game, or why moves cannot be played. `Display` is English;
/// [`speech::exchange`](crate::speech::exchange) speaks every language.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The text is neither.
    #[error("{0}")]
    Read(ReadError),
    /// The rules do not allow the game.
    #[error("the game cannot be replayed: {0}")]
    Game(GameFault),
    /// There is no game in the text.
    #[error("the text contains no game")]
    NoGame,
    /// There is no rule set with this id.
    #[error("there is no rule set {0:?} here")]
    Rules(String),
    /// No game can start from the position.
    #[error(transparent)]
    Setup(SetupError),
    /// This move cannot be made.
    #[error("{0}: {1}")]
    Move(Move, PlayError),
    /// It does not fit on a board.
    #[error(transparent)]
    Study(StudyError),
}

/// What a text held: a position, and moves from there on.
#[derive(Clone, Debug)]
pub struct Content {
    /// The rules it is of.
    pub rules: Arc<Rules>,
    /// The position.
    pub setup: Setup,
    /// Moves from there on.
    pub moves: Vec<Move>,
    /// Of a game: itself, and what was written about it.
    pub record: Option<(Game, Record)>,
}

impl Content {
    /// The board of what a text held, with all moves and notes.
    ///
    /// # Errors
    /// It is too large for a board, or has a variation that cannot be played.
    pub fn body(&self) -> Result<Body, ExchangeError> {
        let Some((_, record)) = &self.record else {
            return Ok(Body::new(self.rules.set().id(), self.setup));
        };
        Body::of_record(&self.rules, record).map_err(|error| match error {
            StudyError::Illegal(step, reason) => {
                ExchangeError::Move(step, PlayError::Illegal(reason))
            }
            error => ExchangeError::Study(error),
        })
    }
}

/// Reads a text in any format; one that names no rule set is read under the given one.
///
/// # Errors
/// Says why the text holds neither a position nor a game.
pub fn read(host: &Host, rules: &Arc<Rules>, text: &str) -> Result<Content, ExchangeError> {
    let document = Document::read(text, rules.set().first());
    let document = document.map_err(ExchangeError::Read)?;
    let source = match document {
        Document::Position(setup) => {
            return Ok(Content {
                rules: Arc::clone(rules),
                setup,
                moves: Vec::new(),
                record: None,
            });
        }
        // Of several games the first is read.
        Document::Games(games) => games.into_iter().next(),
    };
    let source = source.ok_or(ExchangeError::NoGame)?;
    let sets = RuleSets {
        asked: None,
        usual: Some(Arc::clone(rules)),
        find: &|id| host.rules(id).cloned(),
    };
    if let Some((id, setup)) = source.position() {
        let rules = (sets.find)(id).ok_or_else(|| ExchangeError::Rules(id.into()))?;
        return Ok(Content {
            rules,
            setup: *setup,
            moves: Vec::new(),
            record: None,
        });
    }
    let played = source.play_whole(&sets).map_err(|error| match error {
        document::PlayError::Rules(id) => ExchangeError::Rules(id),
        document::PlayError::Game(fault) => ExchangeError::Game(fault),
    })?;
    let game = &played.game;
    Ok(Content {
        rules: Arc::clone(game.rules()),
        setup: Setup::from(game.start()),
        moves: game.plies().iter().map(|ply| ply.step).collect(),
        record: Some((game.clone(), played.record)),
    })
}

/// A study in every format: its record with all that is written there, and the line to a node in the others.
///
/// # Errors
/// There is no such node.
pub fn write_study(
    rules: &Arc<Rules>,
    study: &Study,
    node: NodeKey,
) -> Result<Vec<(String, String)>, StudyError> {
    let body = study.body();
    let moves = study.tree().path(node);
    // A root need not be sound.
    let last = match node {
        NodeKey::ROOT => body.setup,
        _ => Setup::from(&study.position(rules, node)?.0),
    };
    // A line may go on where the laws ended the game; then its last position is written.
    let texts = write(rules, &body.setup, &moves).or_else(|_| write(rules, &last, &[]));
    let mut texts = texts.unwrap_or_default();
    for (name, text) in &mut texts {
        if name == "record" {
            *text = body.record(rules).to_string();
        }
    }
    Ok(texts)
}

/// A position, and the game of moves from there on, in every format: its name and its text.
///
/// # Errors
/// The moves cannot be played.
fn write(
    rules: &Arc<Rules>,
    setup: &Setup,
    moves: &[Move],
) -> Result<Vec<(String, String)>, ExchangeError> {
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
            let mut record = Record::new(rules.set().id());
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
pub fn play(rules: &Arc<Rules>, setup: &Setup, moves: &[Move]) -> Result<Game, ExchangeError> {
    let position = rules.position(setup).or_else(SetupError::playable);
    let position = position.map_err(ExchangeError::Setup)?;
    let mut game = Game::from_position(Arc::clone(rules), position, rules.laws());
    for &step in moves {
        let played = game.play(step);
        played.map_err(|error| ExchangeError::Move(step, error))?;
    }
    Ok(game)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use tablut_rules::{BySide, Side};
    use tablut_store::{Location, Store};

    use super::*;
    use crate::Limits;

    async fn host() -> Host {
        Host::new(
            Store::open(&Location::Memory).await.unwrap(),
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
    async fn a_log_of_the_java_server_is_a_game_of_its_own_rules() {
        let host = host().await;
        // Whatever rules are on the board, a log is of the Challenge.
        let shown = host.rules("berkeley").unwrap();
        let ashton = host.rules("ashton").unwrap();
        let start = Setup::from(&ashton.start());
        let moves: Vec<Move> = ["e4d4", "d1c1"].map(|step| step.parse().unwrap()).to_vec();
        let game = play(ashton, &start, &moves).unwrap();
        let time = "2026-11-16T09:00:00".parse().unwrap();
        let names = BySide {
            attackers: "bob",
            defenders: "ann",
        };
        let text = tablut_challenge::log::whole(time, names, &game);
        let content = read(&host, shown, &text).unwrap();
        assert_eq!(content.rules.set().id(), "ashton");
        assert_eq!((content.setup, content.moves), (start, moves));
        let (_, record) = content.record.unwrap();
        assert_eq!(record.header("White"), Some("ann"));
    }

    #[tokio::test]
    async fn a_record_without_moves_is_a_position_with_its_rules() {
        let host = host().await;
        let shown = host.rules("ashton").unwrap();
        // Not even a king is needed: it is set up, not played.
        let text = "[Rules \"berkeley\"]\n[Setup \"9/9/1b7/9/9/9/9/9/9 b\"]\n\n*\n";
        let content = read(&host, shown, text).unwrap();
        assert_eq!(content.rules.set().id(), "berkeley");
        assert!(content.record.is_none() && content.moves.is_empty());
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
            assert!(!error.to_string().is_empty(), "{text}");
        }
    }
}
