//! What a page asks for.

use serde::{Deserialize, Serialize};
use tablut_host::Wish;
use tablut_rules::Side;

use super::{
    CorrectionAsk, HelpName, InquiryAsk, LangName, LessonName, PositionInfo, PuzzleChoice,
    SearchAsk, StudyEdit, TournamentWish,
};

/// What a page wants, with a number for the answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Request {
    /// The number of the answer.
    pub id: u32,
    /// What is wanted.
    #[serde(flatten)]
    pub ask: Ask,
}

/// What a page wants.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
    /// The rules of a set in sentences.
    Rules {
        /// The id of the rule set.
        rules: String,
    },
    /// What can be said of a position, or of the one after some moves.
    Survey {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Why can this piece not go there?
    Explain {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
        /// The move.
        step: String,
        /// Whether it matters whose turn it is.
        turns: bool,
    },
    /// A study; or my board, which is kept from the first change on.
    OpenStudy {
        /// The id of the study; nothing for my board.
        study: Option<String>,
        /// The rule set, if I have no board.
        rules: String,
    },
    /// Change a study of mine, or my board.
    EditStudy {
        /// The id of the study; nothing for my board.
        study: Option<String>,
        /// The rule set, if I have no board.
        rules: String,
        /// The node I look at.
        cursor: u32,
        /// What changes.
        edit: StudyEdit,
    },
    /// I look at this node of a study of mine.
    StepStudy {
        /// The id of the study.
        study: String,
        /// The node.
        node: u32,
    },
    /// Put a copy of a study onto my board.
    CopyStudy {
        /// The id of the study.
        study: String,
    },
    /// Put a game onto my board.
    StudyGame {
        /// The id of the game.
        game: String,
        /// After how many moves to look.
        ply: usize,
    },
    /// My studies that have a name.
    Studies,
    /// Give a study of mine, or my board, a name.
    NameStudy {
        /// The id of the study; nothing for my board.
        study: Option<String>,
        /// The rule set, if I have no board.
        rules: String,
        /// The name.
        name: String,
    },
    /// Delete a study of mine for good.
    DeleteStudy {
        /// The id of the study.
        study: String,
    },
    /// A text in any format: put what it holds onto my board.
    Read {
        /// The text.
        text: String,
        /// The rule set, if the text names none.
        rules: String,
    },
    /// A study in every format: its record, and the line to a node.
    Write {
        /// The id of the study; nothing for my board.
        study: Option<String>,
        /// The rule set, if I have no board.
        rules: String,
        /// The node.
        node: u32,
    },
    /// My slots.
    Slots,
    /// Fill or empty a slot of mine.
    SaveSlot {
        /// From 0 to 9.
        number: u8,
        /// What goes into it.
        place: Option<PositionInfo>,
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
        place: PositionInfo,
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
    /// Cancel the game I look at, which nobody has joined yet.
    CancelGame,
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
    /// How are the processes, the queues and the limits?
    Admin {
        /// What only the administrator knows.
        token: String,
    },
    /// Let the pages of a process move elsewhere, and the process end.
    Drain {
        /// What only the administrator knows.
        token: String,
        /// The process, as the store names it.
        process: String,
    },
    /// Who is how strong, and how fair the rule sets are.
    Ratings,
    /// Games that are over.
    Search(SearchAsk),
    /// The games of a search as records.
    ExportGames(SearchAsk),
    /// Names of players that begin so.
    Players {
        /// The beginning.
        beginning: String,
    },
    /// My words for games.
    Tags,
    /// Call a game by a word of mine, or no longer.
    TagGame {
        /// Its number in the library.
        number: String,
        /// The word.
        tag: String,
        /// Whether it is called so from now on.
        on: bool,
    },
    /// Take the games of a text into my library.
    Import {
        /// The text.
        text: String,
        /// The rule set, if the text names none.
        rules: String,
    },
    /// What was played in a position?
    Explore {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Which games came to a position?
    ExploreGames {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
        /// And then made this move.
        step: Option<String>,
        /// `store`, `self-play` or `rivals`.
        source: String,
    },
    /// What is worth watching now?
    Watch,
    /// Positions that show what a rule set does.
    Demonstrate {
        /// The id of the rule set.
        rules: String,
    },
    /// Where two rule sets differ.
    CompareRules {
        /// The id of one.
        first: String,
        /// The id of the other.
        second: String,
    },
    /// Let the engine work on something; what it finds are events with this number. An inquiry that has
    /// the number already ends.
    Inquire {
        /// The number.
        number: u32,
        /// What is asked.
        inquiry: InquiryAsk,
    },
    /// I do not wait for an inquiry any more.
    Dismiss {
        /// Its number.
        number: u32,
    },
    /// What is a position worth without search, and why?
    Weigh {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// The lessons of a rule set, and which steps I have done.
    Lessons {
        /// The id of the rule set.
        rules: String,
    },
    /// A step of a lesson.
    LessonStep {
        /// The id of the rule set.
        rules: String,
        /// The lesson.
        lesson: LessonName,
        /// The number of the step, from 0.
        step: u32,
    },
    /// I try a move in a step of a lesson.
    TryLesson {
        /// The id of the rule set.
        rules: String,
        /// The lesson.
        lesson: LessonName,
        /// The number of the step, from 0.
        step: u32,
        /// The moves of both sides in this step before.
        made: Vec<String>,
        /// The move.
        tried: String,
    },
    /// The puzzles of a rule set, and how I stand.
    Puzzles {
        /// The id of the rule set.
        rules: String,
    },
    /// A puzzle to solve.
    Puzzle {
        /// The id of the rule set.
        rules: String,
        /// Which.
        choice: PuzzleChoice,
    },
    /// I try a move in a puzzle.
    TryPuzzle {
        /// The id of the rule set.
        rules: String,
        /// The number of the puzzle.
        number: u32,
        /// The moves of both sides before.
        made: Vec<String>,
        /// The move.
        tried: String,
        /// The id of the run it belongs to.
        run: Option<String>,
    },
    /// Help me with a puzzle.
    PuzzleHelp {
        /// The id of the rule set.
        rules: String,
        /// The number of the puzzle.
        number: u32,
        /// The moves of both sides before.
        made: Vec<String>,
        /// How much.
        help: HelpName,
    },
    /// What would the engine play in a position?
    Hint {
        /// The position.
        #[serde(flatten)]
        place: PositionInfo,
        /// Moves from there on.
        #[serde(default)]
        moves: Vec<String>,
    },
}

/// What a game should be.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct NewGame {
    /// The id of the rule set.
    pub rules: String,
    /// Where it starts, if not at the rule set's start.
    pub setup: Option<String>,
    /// Who plays.
    pub opponent: OpponentName,
    /// My side.
    #[cfg_attr(test, ts(as = "super::declaration::SideName"))]
    pub side: Side,
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
            side: Side::Defenders,
            engine: String::new(),
            white_engine: String::new(),
            control: control.into(),
            take_backs: false,
        }
    }
}

/// Who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
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
