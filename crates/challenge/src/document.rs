//! What a text holds: a position or games, in every format people have them in.
//!
//! The one reader of all commands, of the terminal game and of the page: [`Document::read`] finds out
//! the format and reads it, [`Source::play`] plays a game under the rules it belongs to.

use std::{fmt, sync::Arc};

use serde::{Serialize, Serializer};
use tablut_rules::{
    Game, Move, ParseBoardError, ParseMoveError, Rules, Setup, SetupError, Side,
    notation::{
        Diagram,
        berkeley::{BerkeleyMove, ParseBerkeleyError},
    },
    record::{self, ParseRecordError, Record, ReplayError},
};

use crate::{
    log::{Disagreement, Log, ParseLogError, read_state},
    message::{State, StateError},
};

/// A text format for positions or games; docs/notation.md describes them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TextFormat {
    /// A position in one line. Read with digits or letters for empty squares, written with digits.
    Line,
    /// A position in one line with a letter for every square: another way to write [`TextFormat::Line`].
    Board,
    /// A position as a board of several lines.
    Diagram,
    /// A position as the referee of the Challenge sends it.
    Json,
    /// A position as the Java server prints it.
    Java,
    /// Games with headers, comments and variations.
    Record,
    /// A game log of the Java server.
    Log,
    /// A game as its moves.
    Moves,
    /// A game as its moves in the Berkeley form.
    Berkeley,
}

impl TextFormat {
    /// All of them, positions first.
    pub const ALL: [Self; 9] = [
        Self::Line,
        Self::Board,
        Self::Diagram,
        Self::Json,
        Self::Java,
        Self::Record,
        Self::Log,
        Self::Moves,
        Self::Berkeley,
    ];

    /// The word for the format on a command line, and what it is.
    #[must_use]
    pub const fn word(self) -> (&'static str, &'static str) {
        match self {
            Self::Line => ("line", "A position in one line"),
            Self::Board => (
                "board",
                "A position in one line with a letter for every square",
            ),
            Self::Diagram => ("diagram", "A position as a board of several lines"),
            Self::Json => (
                "json",
                "A position in JSON, as the referee of the Challenge sends it",
            ),
            Self::Java => (
                "java",
                "A position in letters, as the Java server prints it",
            ),
            Self::Record => ("record", "A game with headers, comments and variations"),
            Self::Log => ("log", "A game log, as the Java server writes it"),
            Self::Moves => ("moves", "A game as a list of moves"),
            Self::Berkeley => (
                "berkeley",
                "A game as a list of moves in the Berkeley format, rows from the bottom",
            ),
        }
    }
}

impl fmt::Display for TextFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line | Self::Board => "a position in one line",
            Self::Diagram => "a diagram",
            Self::Json => "a state in the referee's JSON",
            Self::Java => "a state as the Java server prints it",
            Self::Record => "a record",
            Self::Log => "a game log of the Java server",
            Self::Moves => "a list of moves",
            Self::Berkeley => "a list of Berkeley moves",
        })
    }
}

impl TextFormat {
    /// The format a text looks most like; nothing if it looks like none.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = trim(text);
        let first = text.split_whitespace().next()?;
        if Log::is_log(text) || text.lines().any(|line| line.contains(" it.unibo.ai.")) {
            return Some(Self::Log);
        }
        if let Some(rest) = text.strip_prefix('{')
            && rest.trim_start().starts_with('"')
        {
            return Some(Self::Json);
        }
        let is_row = |line: &str| matches!(line.len(), 7 | 9) && is_letters(line);
        if text.lines().nth(1).is_some() && text.lines().map(str::trim).take(2).any(is_row) {
            return Some(Self::Java);
        }
        if first.starts_with(['[', '{', ';']) || is_numbered(first) {
            return Some(Self::Record);
        }
        if first.contains('/') {
            return Some(Self::Line);
        }
        let columns = |line: &str| {
            line.split_whitespace()
                .eq(["a", "b", "c", "d", "e", "f", "g"])
        };
        let columns = |line: &str| columns(line) || line.trim().starts_with("a b c d e f g h i");
        if text.contains("to move") || text.lines().next().is_some_and(columns) {
            return Some(Self::Diagram);
        }
        // The first word that is a move in one form decides between the two, so a typo in the first
        // does not spoil the whole list.
        words(text).take(10).find_map(|(_, word)| {
            let is_berkeley = word.parse::<BerkeleyMove>().is_ok();
            let is_move = word.parse::<Move>().is_ok();
            match (is_move, is_berkeley) {
                (true, _) => Some(Self::Moves),
                (false, true) => Some(Self::Berkeley),
                (false, false) => None,
            }
        })
    }
}

/// Why a text is neither a position nor a game.
///
/// Like the other errors here not `non_exhaustive`: whoever tells people has words for each.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// There is nothing but white space.
    #[error("the text is empty")]
    Empty,
    /// It looks like nothing known.
    #[error(
        "{0:?} cannot be read: it begins neither a position (one line, diagram, the referee's JSON, \
         the Java server's letters) nor a game (record, log of the Java server, list of moves)"
    )]
    Unknown(String),
    /// It looks like a format, but is faulty.
    #[error("this looks like {format}, but {fault}")]
    Fault {
        /// The most likely format.
        format: TextFormat,
        /// What is wrong with it, and where.
        fault: TextFault,
    },
}

/// What is wrong with a text that looks like a format, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TextFault {
    /// A position in one line, or a diagram, is none.
    #[error("{0}")]
    Board(ParseBoardError),
    /// A state in JSON is none.
    #[error("{0}")]
    State(StateError),
    /// A state as the Java server prints it, or a log of it, is none.
    #[error("{0}")]
    Log(ParseLogError),
    /// One of the records cannot be read.
    #[error("{}{error}", GameNumber(*.game))]
    Record {
        /// The number of the record in the text, from 1.
        game: usize,
        /// What is wrong with it, and where.
        error: ParseRecordError,
    },
    /// There is no game.
    #[error("it contains no game")]
    NoGame,
    /// A word is no move.
    #[error("line {line}: {word:?} is not a move: {error}")]
    Word {
        /// The line, from 1.
        line: usize,
        /// The word, or its beginning.
        word: String,
        /// Why it is none.
        error: WordFault,
    },
    /// There is no move.
    #[error("it contains no move")]
    NoMove,
}

/// Why a word is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WordFault {
    /// It is no move as we write it.
    #[error("{0}")]
    Move(ParseMoveError),
    /// It is no move in the Berkeley form.
    #[error("{0}")]
    Berkeley(ParseBerkeleyError),
}

/// Which game of a text is meant, in front of what is said of it; nothing for the first.
struct GameNumber(usize);

impl fmt::Display for GameNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 | 1 => Ok(()),
            game => write!(f, "its game {game}: "),
        }
    }
}

/// What a text holds.
#[derive(Clone, Debug)]
pub enum Document {
    /// A position.
    Position(Setup),
    /// Games, at least one.
    Games(Vec<Source>),
}

impl Document {
    /// Reads a text in the format it looks like. In a position without a side to move it is the turn
    /// of `first`.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    pub fn read(text: &str, first: Side) -> Result<Self, ReadError> {
        let text = trim(text);
        match (TextFormat::of(text), text.split_whitespace().next()) {
            (Some(format), _) => Self::read_as(text, format, first),
            (None, Some(word)) => Err(ReadError::Unknown(word.chars().take(40).collect())),
            (None, None) => Err(ReadError::Empty),
        }
    }

    /// Reads a text in a format that is known.
    ///
    /// # Errors
    /// Says what is wrong with the text, and where.
    pub fn read_as(text: &str, format: TextFormat, first: Side) -> Result<Self, ReadError> {
        let text = trim(text);
        let wrong = |fault: TextFault| ReadError::Fault { format, fault };
        let position = |setup: Result<Setup, TextFault>| setup.map(Self::Position).map_err(wrong);
        match format {
            TextFormat::Line | TextFormat::Board => {
                let setup = match text.contains(char::is_whitespace) {
                    true => text.parse(),
                    false => Setup::from_board(text, first),
                };
                position(setup.map_err(TextFault::Board))
            }
            TextFormat::Diagram => {
                let diagram = text.parse::<Diagram>();
                let setup = diagram.map(|diagram| *diagram.setup());
                position(setup.map_err(TextFault::Board))
            }
            TextFormat::Json => {
                let state = State::read(text.as_bytes());
                position(state.map(|state| state.setup).map_err(TextFault::State))
            }
            TextFormat::Java => {
                let state = read_state(text).map_err(TextFault::Log);
                position(state.map(|state| state.setup))
            }
            TextFormat::Record => {
                let mut games = Vec::new();
                for (n, record) in record::read_all(text).enumerate() {
                    let game = n + 1;
                    let record =
                        record.map_err(|error| wrong(TextFault::Record { game, error }))?;
                    games.push(Source::Record(Box::new(record)));
                }
                match games.is_empty() {
                    true => Err(wrong(TextFault::NoGame)),
                    false => Ok(Self::Games(games)),
                }
            }
            TextFormat::Log => {
                let log = text.parse::<Log>();
                let log = log.map_err(|error| wrong(TextFault::Log(error)))?;
                Ok(Self::Games(vec![Source::Log(Box::new(log))]))
            }
            TextFormat::Moves | TextFormat::Berkeley => {
                let moves = moves(text, format).map_err(wrong)?;
                Ok(Self::Games(vec![Source::Moves(moves)]))
            }
        }
    }
}

/// A text without what some editors put in front, and without white space around it.
fn trim(text: &str) -> &str {
    text.trim().trim_start_matches('\u{feff}').trim_start()
}

/// Whether a line has the letters of a state only.
fn is_letters(line: &str) -> bool {
    line.bytes().all(|letter| b"OWBKT".contains(&letter))
}

/// Whether a word starts with a move number, as in `1.` or `12.e4-d4`.
fn is_numbered(word: &str) -> bool {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < word.len() && rest.starts_with('.')
}

/// The words of a text, each with its line; `#` starts a comment.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(n, line)| {
        let line = line.split('#').next().unwrap_or_default();
        line.split_whitespace().map(move |word| (n + 1, word))
    })
}

/// Reads every word as a move.
fn moves(text: &str, format: TextFormat) -> Result<MoveList, TextFault> {
    let mut moves = Vec::new();
    for (line, word) in words(text) {
        let step = match format {
            TextFormat::Berkeley => {
                let step = word.parse::<BerkeleyMove>().map(|step| step.0);
                step.map_err(WordFault::Berkeley)
            }
            _ => word.parse::<Move>().map_err(WordFault::Move),
        };
        let step = step.map_err(|error| {
            let word: String = word.chars().take(40).collect();
            TextFault::Word { line, word, error }
        })?;
        moves.push((line, step));
    }
    if moves.is_empty() {
        return Err(TextFault::NoMove);
    }
    let is_berkeley = format == TextFormat::Berkeley;
    Ok(MoveList { moves, is_berkeley })
}

/// The rule sets that texts are read under.
pub struct RuleSets<'a> {
    /// The set that was asked for: whatever a text says, it is played under it.
    pub asked: Option<Arc<Rules>>,
    /// The set of moves and positions, which name none.
    pub usual: Option<Arc<Rules>>,
    /// Finds a set by its id.
    pub find: &'a dyn Fn(&str) -> Option<Arc<Rules>>,
}

impl RuleSets<'_> {
    /// The set a text names.
    fn named(&self, id: &str) -> Result<Arc<Rules>, PlayError> {
        let asked = self.asked.clone().or_else(|| (self.find)(id));
        asked.ok_or_else(|| PlayError::Rules(id.into()))
    }

    /// The set of a text that names none.
    ///
    /// # Errors
    /// There is no set of that id.
    pub fn unnamed(&self, id: &str) -> Result<Arc<Rules>, PlayError> {
        let given = self.asked.clone().or_else(|| self.usual.clone());
        given.map_or_else(|| self.named(id), Ok)
    }
}

/// The moves of a game from the start, each with its line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveList {
    moves: Vec<(usize, Move)>,
    is_berkeley: bool,
}

/// A game as it was written.
#[derive(Clone, Debug)]
pub enum Source {
    /// A record.
    Record(Box<Record>),
    /// A log of the Java server.
    Log(Box<Log>),
    /// Moves from the start.
    Moves(MoveList),
}

/// A game played again.
#[derive(Clone, Debug)]
pub struct Played {
    /// The game, up to where the rules allow it.
    pub game: Game,
    /// The game with all that was written about it.
    pub record: Record,
    /// Where the text and the rules disagree.
    pub disagreements: Vec<GameFault>,
    /// Whether all moves of the text are in the game.
    pub is_whole: bool,
}

/// Why a game cannot be played again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// Its rule set is not known.
    #[error(
        "the record is of a game under {0:?}, which is not a built-in set; name its file with --rules"
    )]
    Rules(String),
    /// The rules do not allow it.
    #[error("the game cannot be replayed: {0}")]
    Game(GameFault),
}

/// Where a game as it was written and the rules disagree. Serialized as its English text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GameFault {
    /// A record is not that of a game under the rules.
    #[error("{0}")]
    Record(ReplayError),
    /// A log says something else than the rules.
    #[error("{0}")]
    Log(Disagreement),
    /// A move of a list cannot be made.
    #[error("line {line}: move {ply} ({step}) cannot be made: {error}")]
    Move {
        /// The line, from 1.
        line: usize,
        /// Which move, from 1.
        ply: usize,
        /// The move.
        step: Move,
        /// Why it cannot be made.
        error: tablut_rules::PlayError,
    },
}

impl Serialize for GameFault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Source {
    /// Plays the game again, as far as its rules allow.
    ///
    /// # Errors
    /// There is no such rule set, or no game can start so.
    pub fn play(&self, sets: &RuleSets<'_>) -> Result<Played, PlayError> {
        match self {
            Self::Record(record) => play_record(record, &sets.named(&record.rules)?),
            Self::Log(log) => play_log(log, &sets.named(log.rules())?),
            Self::Moves(list) => {
                let usual = if list.is_berkeley {
                    "berkeley"
                } else {
                    "ashton"
                };
                Ok(play_moves(&list.moves, &sets.unnamed(usual)?))
            }
        }
    }

    /// The position of a record without moves, which is how a position is kept with its rules.
    #[must_use]
    pub fn position(&self) -> Option<(&str, &Setup)> {
        match self {
            Self::Record(record) if record.tree().is_empty() && record.outcome.is_none() => {
                Some((record.rules.as_str(), record.setup.as_ref()?))
            }
            _ => None,
        }
    }

    /// Plays the whole game again.
    ///
    /// # Errors
    /// There is no such rule set, or the rules do not allow the game; the first place is named.
    pub fn play_whole(&self, sets: &RuleSets<'_>) -> Result<Played, PlayError> {
        let played = self.play(sets)?;
        match (played.is_whole, played.disagreements.first()) {
            (false, Some(first)) => Err(PlayError::Game(first.clone())),
            _ => Ok(played),
        }
    }
}

fn play_record(record: &Record, rules: &Arc<Rules>) -> Result<Played, PlayError> {
    let mut record = record.clone();
    record.rules = rules.set().id().into();
    let whole = |game, record| Played {
        game,
        record,
        disagreements: Vec::new(),
        is_whole: true,
    };
    let error = match record.replay(rules) {
        Ok(game) => return Ok(whole(game, record)),
        Err(error) => GameFault::Record(error),
    };
    // A contest may be played by the laws of its reference server.
    if let Ok(game) = record.replay_under(rules, rules.laws().challenge()) {
        return Ok(whole(game, record));
    }
    let start = match &record.setup {
        Some(setup) => rules.position(setup).or_else(SetupError::playable),
        None => Ok(rules.start()),
    };
    let start = start.map_err(|_| PlayError::Game(error.clone()))?;
    let mut game = Game::from_position(Arc::clone(rules), start, rules.laws());
    for node in record.tree().main_line() {
        let step = record.tree().step(node);
        if step.is_none_or(|step| game.play(step).is_err()) {
            break;
        }
    }
    Ok(Played {
        game,
        record,
        disagreements: vec![error],
        is_whole: false,
    })
}

fn play_log(log: &Log, rules: &Arc<Rules>) -> Result<Played, PlayError> {
    let replayed = log.replay(rules);
    let replayed = replayed.map_err(|error| PlayError::Game(GameFault::Log(error)))?;
    let is_lost = |found: &Disagreement| matches!(found, Disagreement::Forbidden { .. });
    let found = replayed.disagreements.iter();
    Ok(Played {
        record: log.record(&replayed),
        is_whole: replayed.is_whole && !found.clone().any(is_lost),
        disagreements: found.cloned().map(GameFault::Log).collect(),
        game: replayed.game,
    })
}

fn play_moves(moves: &[(usize, Move)], rules: &Arc<Rules>) -> Played {
    let mut game = Game::new(Arc::clone(rules));
    let mut disagreements = Vec::new();
    for (n, &(line, step)) in moves.iter().enumerate() {
        if let Err(error) = game.play(step) {
            disagreements.push(GameFault::Move {
                line,
                ply: n + 1,
                step,
                error,
            });
            break;
        }
    }
    Played {
        record: Record::from_game(&game),
        game,
        is_whole: disagreements.is_empty(),
        disagreements,
    }
}
