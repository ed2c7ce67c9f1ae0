//! Every message between page and server, as a type.
//!
//! The page sends [`Request`]s, each with a number; the server answers each with a [`Reply`] of the same
//! number, and sends [`Event`]s on its own. `protocol/samples.json` has one of each; tests on both sides
//! read it. Squares and moves are text (`e5`, `e3e7`), positions are one line of text, sides are
//! `attackers` and `defenders`, times are milliseconds.

mod tournament;

pub use tournament::{
    BalanceInfo, CorrectionAsk, CorrectionInfo, FixtureInfo, GroupInfo, LiveBoardInfo, NoteInfo,
    RatedPlayer, RatingsInfo, RowInfo, RulingName, TeamInfo, TeamText, TournamentEntry,
    TournamentInfo, TournamentState, TournamentWish,
};

use serde::{Deserialize, Serialize};
use tablut_host::Wish;
use tablut_rules::{Side, text::Lang};

/// A side, as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SideName {
    /// Black.
    Attackers,
    /// White.
    Defenders,
}

impl From<Side> for SideName {
    fn from(side: Side) -> Self {
        match side {
            Side::Attackers => Self::Attackers,
            Side::Defenders => Self::Defenders,
        }
    }
}

impl From<SideName> for Side {
    fn from(side: SideName) -> Self {
        match side {
            SideName::Attackers => Self::Attackers,
            SideName::Defenders => Self::Defenders,
        }
    }
}

/// A language, as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LangName {
    /// English.
    #[default]
    En,
    /// Italian.
    It,
}

impl From<LangName> for Lang {
    fn from(lang: LangName) -> Self {
        match lang {
            LangName::En => Self::En,
            LangName::It => Self::It,
        }
    }
}

/// Something for each side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Both<T> {
    /// Black's.
    pub attackers: T,
    /// White's.
    pub defenders: T,
}

impl<T> Both<T> {
    /// Makes it from something for each side.
    pub fn of(mut make: impl FnMut(Side) -> T) -> Self {
        Self {
            attackers: make(Side::Attackers),
            defenders: make(Side::Defenders),
        }
    }
}

/// What a page wants, with a number for the answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Request {
    /// The number of the answer.
    pub id: u32,
    /// What is wanted.
    #[serde(flatten)]
    pub ask: Ask,
}

/// A position with its rule set.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The id of the rule set.
    pub rules: String,
    /// The position in one line.
    pub setup: String,
}

/// What a page wants.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Ask {
    /// Are you there? Anything that comes back says so.
    Ping,
    /// Who am I, and what is here? Sets the language of what follows.
    Hello {
        /// The language for sentences.
        lang: LangName,
    },
    /// I want to be called so; nothing for no name.
    Name {
        /// The name.
        name: String,
    },
    /// Keep this setting of mine.
    Setting {
        /// Which.
        name: String,
        /// Its value.
        value: String,
    },
    /// Change a setting of the server, which only visitors from its own machine may.
    ServerSetting {
        /// Which.
        name: String,
        /// Its value.
        value: String,
    },
    /// The rules of a set in sentences, and where it differs from the default.
    Rules {
        /// The id of the rule set.
        rules: String,
    },
    /// What can be said of a position, or of the one after some moves.
    Study {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Why can this piece not go there?
    Explain {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
        /// The move.
        step: String,
        /// Whether it matters whose turn it is.
        turns: bool,
    },
    /// A text in any format: what does it hold?
    Read {
        /// The text.
        text: String,
        /// The rule set, if the text names none.
        rules: String,
    },
    /// A position, and moves from there on, in every format.
    Write {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// My slots.
    Slots,
    /// Fill or empty a slot of mine.
    SaveSlot {
        /// From 0 to 9.
        number: u8,
        /// What goes into it.
        place: Option<Place>,
    },
    /// My library.
    Library {
        /// Part of the names.
        search: String,
    },
    /// Put a position into my library, or change one.
    SavePosition {
        /// The id of one that is there.
        position: Option<String>,
        /// Its name.
        name: String,
        /// The position.
        #[serde(flatten)]
        place: Place,
    },
    /// Take a position out of my library.
    DeletePosition {
        /// Its id.
        position: String,
    },
    /// Make a game.
    NewGame(NewGame),
    /// My games.
    Games,
    /// Let me look at a game, and play if I may.
    Join {
        /// The id of the game.
        game: String,
        /// The secret of a seat.
        secret: Option<String>,
    },
    /// I do not look at a game any more.
    Leave,
    /// Make a move in the game I look at.
    Move {
        /// How many moves I know of; a move for another position is refused.
        ply: usize,
        /// The move.
        step: String,
    },
    /// Something else in the game I look at.
    Wish {
        /// What.
        wish: WishName,
    },
    /// Make the game that follows the one I look at.
    Rematch,
    /// The game I look at as a record.
    Record,
    /// All tournaments.
    Tournaments,
    /// How a tournament stands.
    Tournament {
        /// The id of the tournament.
        tournament: String,
    },
    /// Start or pause a tournament, or delete an archived one, which only its organiser may.
    RunTournament {
        /// The id of the tournament.
        tournament: String,
        /// What is wanted.
        wish: TournamentWish,
    },
    /// Correct a tournament, which only its organiser may.
    CorrectTournament {
        /// The id of the tournament.
        tournament: String,
        /// What changes.
        correction: CorrectionAsk,
        /// Why.
        why: String,
    },
    /// I am the organiser, though I am not at the server's own machine.
    Organise {
        /// What only the organiser knows.
        token: String,
    },
    /// Who is how strong, and how fair the rule sets are.
    Ratings,
    /// What would the engine play in a position?
    Hint {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
}

/// What a game should be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    /// The id of the rule set.
    pub rules: String,
    /// Where it starts, if not at the rule set's start.
    pub setup: Option<String>,
    /// Who plays.
    pub opponent: OpponentName,
    /// My side.
    pub side: SideName,
    /// The engine of the other side, or of black: `level:3` or `time:1`.
    #[serde(default)]
    pub engine: String,
    /// The engine of white, if two play.
    #[serde(default)]
    pub white_engine: String,
    /// `none`, `move:60000` or `total:300000+2000`.
    pub control: String,
    /// Whether moves may be taken back.
    pub take_backs: bool,
}

impl NewGame {
    /// A game by link under the Challenge's rules, in which the one who asks has white.
    #[must_use]
    pub fn by_link(control: &str) -> Self {
        Self {
            rules: "ashton".into(),
            setup: None,
            opponent: OpponentName::Link,
            side: SideName::Defenders,
            engine: String::new(),
            white_engine: String::new(),
            control: control.into(),
            take_backs: false,
        }
    }
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OpponentName {
    /// I against an engine.
    Engine,
    /// Two people on my screen.
    Screen,
    /// I against whoever gets the link.
    Link,
    /// Two engines.
    Engines,
}

/// What a player wants besides moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WishName {
    /// Offer a draw, or accept one.
    OfferDraw,
    /// Decline a draw.
    DeclineDraw,
    /// Take a move back, or let the other do so.
    TakeBack,
    /// Do not let the other take a move back.
    DeclineTakeBack,
    /// Give up.
    Resign,
}

impl From<WishName> for Wish {
    fn from(wish: WishName) -> Self {
        match wish {
            WishName::OfferDraw => Self::OfferDraw,
            WishName::DeclineDraw => Self::DeclineDraw,
            WishName::TakeBack => Self::TakeBack,
            WishName::DeclineTakeBack => Self::DeclineTakeBack,
            WishName::Resign => Self::Resign,
        }
    }
}

/// What a server sends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ServerMessage {
    /// The answer to a request.
    Reply(Reply),
    /// Something that happened.
    Event(Event),
}

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The number of the request.
    pub re: u32,
    /// What came of it.
    #[serde(flatten)]
    pub result: ReplyResult,
}

/// What came of a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ReplyResult {
    /// It was done.
    Ok(Box<Answer>),
    /// It was not.
    Error(Problem),
}

/// Why a request was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// A sentence for the visitor.
    pub text: String,
    /// The square that causes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
}

/// Something that happened in the game a visitor looks at.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum Event {
    /// The game has changed.
    State(Box<GameState>),
    /// The game cannot be looked at any more, unless it is joined again.
    Lost {
        /// The id of the game.
        game: String,
        /// A sentence for the visitor.
        text: String,
    },
    /// The server ends; the page should try again in a moment.
    Closing,
}

/// What was asked for. The page knows from its question which one to expect.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// Nothing to say but that it was done.
    Done,
    /// Who the visitor is, and what is here.
    Welcome {
        /// The name they chose.
        name: Option<String>,
        /// Their settings.
        settings: Vec<(String, String)>,
        /// The rule sets, the default first.
        sets: Vec<SetInfo>,
        /// The id of the rule set that new boards have.
        default_rules: String,
        /// Whether they may change the server's settings.
        local: bool,
        /// The beginning of links that others can open, if others can come.
        public: Option<String>,
    },
    /// The rules of a set.
    Rules {
        /// Groups of sentences.
        sections: Vec<Section>,
        /// Where the set differs from the default: what, there, here.
        differences: Vec<(String, String, String)>,
    },
    /// What can be said of a position.
    Study(StudyInfo),
    /// What a text held.
    Read {
        /// The position, at the start of its moves.
        place: Place,
        /// The moves.
        moves: Vec<String>,
    },
    /// Texts by format.
    Texts(Vec<(String, String)>),
    /// Filled slots.
    Slots(Vec<(u8, Place)>),
    /// What a slot held before.
    Before(Option<Place>),
    /// A library.
    Library(Vec<LibraryEntry>),
    /// A game that was made.
    Game {
        /// Its id.
        game: String,
    },
    /// A visitor's games.
    Games(Vec<GameEntry>),
    /// All tournaments, the newest first.
    Tournaments {
        /// The tournaments.
        list: Vec<TournamentEntry>,
        /// Those that were put away, for the organiser only.
        archived: Vec<TournamentEntry>,
        /// The last games between clients of the Challenge that came by themselves.
        refereed: Vec<GameEntry>,
    },
    /// A tournament.
    Tournament(TournamentInfo),
    /// A correction that was made, or undone.
    Corrected {
        /// Its number.
        number: u64,
        /// What it says.
        text: String,
        /// What follows from it.
        notices: Vec<String>,
    },
    /// What all games say about players and rule sets.
    Ratings(RatingsInfo),
    /// A record.
    Text(String),
    /// A move to think about.
    Hint {
        /// The move.
        step: String,
        /// What the position is worth for white, as text.
        score: Option<String>,
    },
}

/// A rule set, and what its board looks like.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SetInfo {
    /// The id.
    pub id: String,
    /// The name.
    pub name: String,
    /// Rows of the board.
    pub size: u8,
    /// The start position.
    pub start: String,
    /// The castle.
    pub castle: String,
    /// Camp squares.
    pub camps: Vec<String>,
    /// Squares where the king escapes.
    pub escapes: Vec<String>,
}

/// A titled group of sentences.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Section {
    /// The title.
    pub title: String,
    /// The sentences.
    pub sentences: Vec<String>,
}

/// Where a piece can go.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetInfo {
    /// Its square.
    pub from: String,
    /// Where to.
    pub to: String,
    /// What it would capture.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub takes: Vec<String>,
    /// Whether it would win.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wins: bool,
}

/// A king's way out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LaneInfo {
    /// Where the king stands.
    pub king: String,
    /// The nearest goal.
    pub goal: String,
}

/// What can be said of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StudyInfo {
    /// The position.
    pub setup: String,
    /// What is wrong with it, as sentences.
    pub faults: Vec<String>,
    /// Where each piece can go.
    pub targets: Vec<TargetInfo>,
    /// `raichi`, `tuichu` or nothing.
    pub call: Option<String>,
    /// The ways out.
    pub lanes: Vec<LaneInfo>,
    /// Pieces that could be captured next.
    pub capturable: Both<Vec<String>>,
    /// Squares that help to capture a side's men.
    pub hostile: Both<Vec<String>>,
    /// How the moves ended the game, as a sentence.
    pub outcome: Option<String>,
    /// What each of the moves captured.
    pub captures: Vec<Vec<String>>,
}

/// A position of a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LibraryEntry {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The position.
    #[serde(flatten)]
    pub place: Place,
    /// When it was saved.
    pub saved_ms: i64,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameEntry {
    /// The id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who plays.
    pub seats: Both<SeatInfo>,
    /// The sides the visitor plays.
    pub yours: Vec<SideName>,
    /// How many moves were made.
    pub plies: usize,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// When something last happened.
    pub changed_ms: i64,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SeatInfo {
    /// `person`, `level:3`, `time:1`, `random`.
    pub player: String,
    /// The name of a person.
    pub name: Option<String>,
    /// Whether anybody has sat here.
    pub taken: bool,
    /// Whether the player is there.
    pub present: bool,
    /// How many pieces are left.
    pub men: u32,
    /// What is left on the clock.
    pub left: Option<u64>,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OutcomeInfo {
    /// Who won; nobody in a draw.
    pub winner: Option<SideName>,
    /// Who and why, as a sentence.
    pub text: String,
}

/// A game as a visitor sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GameState {
    /// The id.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Where it started.
    pub start: String,
    /// The moves made, each with what it captured.
    pub plies: Vec<(String, Vec<String>)>,
    /// The position now.
    pub setup: String,
    /// Who is to move.
    pub turn: SideName,
    /// The sides the visitor plays.
    pub yours: Vec<SideName>,
    /// Who plays.
    pub seats: Both<SeatInfo>,
    /// Whose clock runs.
    pub running: Option<SideName>,
    /// How time is counted.
    pub control: String,
    /// Whether moves can be made: both have been there.
    pub started: bool,
    /// Where the visitor's pieces can go now.
    pub targets: Vec<TargetInfo>,
    /// `raichi`, `tuichu` or nothing.
    pub call: Option<String>,
    /// The king's ways out.
    pub lanes: Vec<LaneInfo>,
    /// Who offers a draw.
    pub draw_offer: Option<SideName>,
    /// Who asks to take a move back.
    pub take_back: Option<SideName>,
    /// Whether moves may be taken back.
    pub take_backs: bool,
    /// How it ended.
    pub outcome: Option<OutcomeInfo>,
    /// The game that follows.
    pub rematch: Option<String>,
    /// The secret of a seat nobody has taken, for the one who made the game.
    pub invitation: Option<String>,
}
