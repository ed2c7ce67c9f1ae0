//! What a controller sends to an engine.

use std::{fmt, str::FromStr, sync::Arc};

use tablut_rules::{Game, Move, ParseBoardError, PlayError, Rules, Setup, SetupError};

use super::number;
use crate::Budget;

/// A line to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineCommand {
    /// `tablut VERSION`: the greeting.
    Tablut(u32),
    /// `option NAME VALUE`: sets an option that the engine has offered.
    Option {
        /// Its name, one word.
        name: String,
        /// Its value, the rest of the line.
        value: String,
    },
    /// `newgame RULES`: what follows is another game, under a rule set.
    NewGame(String),
    /// `isready`: asks for `readyok` when all before it is done.
    IsReady,
    /// `position …`: what to think about.
    Position(ProtocolPosition),
    /// `go …`: think.
    Go(Go),
    /// `ponderhit`: the expected move was made; the limits of `go ponder` count from now.
    PonderHit,
    /// `stop`: answer now.
    Stop,
    /// `quit`: end.
    Quit,
}

/// A position with the moves that led to it: `start|POSITION [moves MOVE…]`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProtocolPosition {
    /// Where the game started, if not from the rule set's own start.
    pub setup: Option<Setup>,
    /// The moves since.
    pub moves: Vec<Move>,
}

impl ProtocolPosition {
    /// Where a game is.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let is_usual = *game.start() == game.rules().start();
        Self {
            setup: (!is_usual).then(|| Setup::from(game.start())),
            moves: game.plies().iter().map(|ply| ply.step).collect(),
        }
    }

    /// The game at this place.
    ///
    /// # Errors
    /// Says why there is no such game under the rules.
    pub fn game(&self, rules: &Arc<Rules>) -> Result<Game, PositionError> {
        let start = match &self.setup {
            None => rules.start(),
            Some(setup) => rules
                .position(setup)
                .or_else(SetupError::playable)
                .map_err(PositionError::Setup)?,
        };
        let mut game = Game::from_position(Arc::clone(rules), start, rules.laws());
        for &step in &self.moves {
            let played = game.play(step);
            played.map_err(|reason| PositionError::Move { step, reason })?;
        }
        Ok(game)
    }
}

/// Why a game cannot start from a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The position cannot be played.
    #[error("the position cannot be played: {0}")]
    Setup(SetupError),
    /// A move cannot be made.
    #[error("{step} cannot be made: {reason}")]
    Move {
        /// The move.
        step: Move,
        /// Why not.
        reason: PlayError,
    },
}

/// How to think.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Go {
    /// When to answer.
    pub mode: Mode,
    /// What may be spent.
    pub budget: Budget,
}

/// When a search answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// When the budget is spent, or before.
    Normal,
    /// Not before `ponderhit` or `stop`; the budget counts from `ponderhit`.
    Ponder,
    /// Not before `stop`.
    Infinite,
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tablut(version) => write!(f, "tablut {version}"),
            Self::Option { name, value } => write!(f, "option {name} {value}"),
            Self::NewGame(rules) => write!(f, "newgame {rules}"),
            Self::IsReady => f.write_str("isready"),
            Self::Position(place) => write!(f, "position {place}"),
            Self::Go(go) => write!(f, "go{go}"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for ProtocolPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.setup {
            None => f.write_str("start")?,
            Some(setup) => write!(f, "{setup}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|step| write!(f, " {step}"))
    }
}

impl fmt::Display for Go {
    /// Writes what follows `go`, with a blank before each word.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.mode {
            Mode::Normal => "",
            Mode::Ponder => " ponder",
            Mode::Infinite => " infinite",
        })?;
        if let Some(ms) = self.budget.time_ms {
            write!(f, " time {ms}")?;
        }
        if let Some(nodes) = self.budget.nodes {
            write!(f, " nodes {nodes}")?;
        }
        if let Some(depth) = self.budget.depth {
            write!(f, " depth {depth}")?;
        }
        Ok(())
    }
}

impl FromStr for EngineCommand {
    type Err = ParseCommandError;

    fn from_str(line: &str) -> Result<Self, ParseCommandError> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "tablut" => number(Some(rest))
                .map(Self::Tablut)
                .ok_or(ParseCommandError::Form("tablut VERSION")),
            "option" => rest
                .split_once(char::is_whitespace)
                .map(|(name, value)| Self::Option {
                    name: name.to_string(),
                    value: value.trim().to_string(),
                })
                .ok_or(ParseCommandError::Form("option NAME VALUE")),
            "newgame" if rest.is_empty() || rest.contains(char::is_whitespace) => {
                Err(ParseCommandError::Form("newgame RULES"))
            }
            "newgame" => Ok(Self::NewGame(rest.to_string())),
            "isready" => Ok(Self::IsReady),
            "position" => rest.parse().map(Self::Position),
            "go" => rest.parse().map(Self::Go),
            "ponderhit" => Ok(Self::PonderHit),
            "stop" => Ok(Self::Stop),
            "quit" => Ok(Self::Quit),
            "" => Err(ParseCommandError::Empty),
            _ => Err(ParseCommandError::Unknown(word.chars().take(40).collect())),
        }
    }
}

impl FromStr for ProtocolPosition {
    type Err = ParseCommandError;

    fn from_str(text: &str) -> Result<Self, ParseCommandError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let end = words.iter().position(|&word| word == "moves");
        let (board, moves) = words.split_at(end.unwrap_or(words.len()));
        let setup = match board {
            [] => {
                return Err(ParseCommandError::Form(
                    "position start|POSITION [moves MOVE…]",
                ));
            }
            ["start"] => None,
            board => Some(board.join(" ").parse().map_err(ParseCommandError::Board)?),
        };
        let moves = moves.iter().skip(1).map(|word| {
            let step = word.parse();
            step.map_err(|_| ParseCommandError::Move(word.chars().take(40).collect()))
        });
        Ok(Self {
            setup,
            moves: moves.collect::<Result<_, _>>()?,
        })
    }
}

impl FromStr for Go {
    type Err = ParseCommandError;

    fn from_str(text: &str) -> Result<Self, ParseCommandError> {
        const FORM: ParseCommandError = ParseCommandError::Form(
            "go [ponder] time MS and/or nodes N and/or depth N, or go infinite",
        );
        let mut go = Self {
            mode: Mode::Normal,
            budget: Budget::default(),
        };
        let mut words = text.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "ponder" => go.mode = Mode::Ponder,
                "infinite" => go.mode = Mode::Infinite,
                "time" => go.budget.time_ms = Some(number(words.next()).ok_or(FORM)?),
                "nodes" => go.budget.nodes = Some(number(words.next()).ok_or(FORM)?),
                "depth" => go.budget.depth = Some(number(words.next()).ok_or(FORM)?),
                _ => return Err(FORM),
            }
        }
        match (go.mode, go.budget.is_unlimited()) {
            (Mode::Normal | Mode::Ponder, true) | (Mode::Infinite, false) => Err(FORM),
            _ => Ok(go),
        }
    }
}

/// A line that is not a command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseCommandError {
    /// There is nothing in the line.
    #[error("an empty line")]
    Empty,
    /// The first word is unknown.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// The command has another form.
    #[error("expected: {0}")]
    Form(&'static str),
    /// The position is invalid.
    #[error("the position is wrong: {0}")]
    Board(ParseBoardError),
    /// A word that is not a move.
    #[error("{0:?} is not a move")]
    Move(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_they_are_written() {
        let board = "3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w 4";
        for text in [
            "tablut 1",
            "option Hash 64",
            "option Book /a path/with blanks",
            "newgame ashton",
            "isready",
            "position start",
            "position start moves e4d4 d1c1",
            &format!("position {board}"),
            &format!("position {board} moves e4d4"),
            "go time 200",
            "go nodes 20000",
            "go depth 5",
            "go time 100 nodes 5 depth 3",
            "go ponder time 200",
            "go infinite",
            "ponderhit",
            "stop",
            "quit",
        ] {
            let command: EngineCommand = text.parse().unwrap();
            assert_eq!(command.to_string(), text);
        }
    }

    #[test]
    fn blanks_do_not_matter() {
        let spaced: EngineCommand = "  position   start \t moves  e4-d4  ".parse().unwrap();
        assert_eq!(spaced.to_string(), "position start moves e4d4");
    }

    #[test]
    fn what_is_no_command_is_refused_with_its_form() {
        for (text, part) in [
            ("", "empty"),
            ("hello there", "unknown command \"hello\""),
            ("tablut", "tablut VERSION"),
            ("tablut one", "tablut VERSION"),
            ("option Hash", "option NAME VALUE"),
            ("newgame", "newgame RULES"),
            ("newgame a b", "newgame RULES"),
            ("position", "position start"),
            ("position moves e4d4", "position start"),
            ("position 9/9 w", "position is wrong"),
            ("position start moves e4", "\"e4\" is not a move"),
            ("go", "go infinite"),
            ("go time", "go infinite"),
            ("go time -5", "go infinite"),
            ("go time 99999999999999999999", "go infinite"),
            ("go fast", "go infinite"),
            ("go infinite time 5", "go infinite"),
            ("go ponder", "go infinite"),
        ] {
            let error = text.parse::<EngineCommand>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_place_leads_back_to_its_game() {
        let rules = Rules::ashton();
        let mut game = Game::new(Arc::clone(&rules));
        game.play("e4d4".parse().unwrap()).unwrap();
        let place = ProtocolPosition::of(&game);
        assert_eq!(place.to_string(), "start moves e4d4");
        let again = place.game(&rules).unwrap();
        assert_eq!(again.history(), game.history());
        let wrong: ProtocolPosition = "start moves e4e5".parse().unwrap();
        assert!(wrong.game(&rules).is_err());
        let wrong: ProtocolPosition = "9/9/9/9/9/9/9/9/9 w".parse().unwrap();
        assert!(wrong.game(&rules).is_err());
    }
}
