//! What reaches the terminal game, and what it wants done.

use std::sync::Arc;

use crossterm::event::{KeyEvent, MouseEvent};
use tablut_arena::{Choice, Player, TimeControl};
use tablut_host::{Opponent, Terms, Wish};
use tablut_rules::{BySide, Game, Move, Rules, Setup, Side, record::Score};
use tablut_store::Saved;

use super::{prompt::Prompt, table::Table};

/// What was agreed in the start menu.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) rules: Arc<Rules>,
    /// Where the game starts, if not at the rule set's start.
    pub(crate) setup: Option<Setup>,
    /// Who plays.
    pub(crate) players: BySide<Player>,
    pub(crate) control: TimeControl,
}

impl Plan {
    /// The terms of the game.
    pub(crate) fn terms(&self) -> Terms {
        let opponent = match (&self.players.attackers, &self.players.defenders) {
            (Player::Person, Player::Person) => Opponent::SameScreen,
            (Player::Person, engine) => Opponent::Engine {
                side: Side::Attackers,
                engine: engine.clone(),
            },
            (engine, Player::Person) => Opponent::Engine {
                side: Side::Defenders,
                engine: engine.clone(),
            },
            _ => Opponent::Engines(self.players.clone()),
        };
        Terms {
            rules: Arc::clone(&self.rules),
            setup: self.setup,
            opponent,
            control: self.control,
            take_backs: true,
        }
    }
}

/// What an engine thinks of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Analysis {
    pub(crate) depth: u32,
    /// For white.
    pub(crate) score: Score,
    pub(crate) line: Vec<Move>,
}

/// How something is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    Good,
    Bad,
}

/// A screen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    Menu,
    Play,
    Edit,
    /// How a tournament stands.
    Standing,
}

/// What a file held.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Position(Arc<Rules>, Setup),
    Game(Box<Table>),
}

/// What reaches the terminal game.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    /// A key was pressed.
    Key(KeyEvent),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The size of the screen in columns and lines.
    Resize(u16, u16),
    /// Time has passed.
    Tick,
    /// The game stands like this.
    Table(Box<Table>),
    /// Something happened that a person should know.
    Said(Tone, String),
    /// These slots are filled.
    Slots(Vec<(u8, Saved)>),
    /// The engine would play this.
    Hint(Option<Choice>),
    /// The engine thinks so of the position that is shown.
    Analysis(Analysis),
    /// A file was read.
    Content(Content),
    /// A tournament stands like this.
    Standing(Vec<String>),
    /// The program has to end.
    Stop,
}

impl Input {
    pub(crate) fn bad(text: impl Into<String>) -> Self {
        Self::Said(Tone::Bad, text.into())
    }
}

/// What the terminal game wants done.
#[derive(Clone, Debug)]
pub(crate) enum Effect {
    /// Say something below the board.
    Say(Tone, String),
    /// Let a person type something.
    Ask(Prompt),
    /// Show another screen.
    Open(Place),
    /// Set up this position.
    SetUp(Arc<Rules>, Setup),
    /// Start a game from the position that is set up.
    GameOn,
    /// End.
    Quit,
    /// Start a game.
    New(Box<Plan>),
    /// Go on with the last game that is not over.
    Resume,
    /// Play again with sides swapped.
    Rematch,
    /// Leave the game; it is kept.
    Leave,
    /// Want something in the game.
    Wish(Wish),
    /// Ask the engine for a move.
    Hint(Box<Game>),
    /// Let the engine think about a position, or no longer.
    Analyse(Option<Box<Game>>),
    /// Fill or empty a slot.
    SaveSlot(u8, Option<Saved>),
    /// Write a new file.
    Write { path: String, text: String },
    /// Read a file; what names no rules is of these.
    Read { path: String, rules: Arc<Rules> },
}

impl Effect {
    pub(crate) fn say(text: impl Into<String>) -> Self {
        Self::Say(Tone::Good, text.into())
    }

    pub(crate) fn complain(text: impl Into<String>) -> Self {
        Self::Say(Tone::Bad, text.into())
    }
}
