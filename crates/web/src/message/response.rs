//! What a server sends: answers to requests, and news of the game a page looks at.

use serde::{Deserialize, Serialize};
use tablut_host::speech::Remark;

use super::{
    AdminInfo, ComparisonInfo, DemonstrationInfo, ExploredInfo, FoundGame, FoundInfo, GameEntry,
    GameState, ImportInfo, LessonEntry, LessonStepInfo, LibraryEntry, PositionInfo, PuzzleHelp,
    PuzzleInfo, PuzzleTrialInfo, PuzzlesInfo, RatingsInfo, RulesInfo, SetInfo, StudyEntry,
    StudyState, SurveyInfo, TournamentEntry, TournamentInfo, TrialInfo, WatchInfo, WeightsInfo,
};

/// What a server sends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(untagged)]
pub enum ServerMessage {
    /// The answer to a request.
    Response(Response),
    /// Something that happened.
    Event(ServerEvent),
}

/// The answer to a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Response {
    /// The number of the request.
    pub re: u32,
    /// What came of it.
    #[serde(flatten)]
    pub result: ResponseResult,
}

/// What came of a request.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub enum ResponseResult {
    /// It was done.
    Ok(Box<Answer>),
    /// It was not.
    Error(Problem),
}

/// Why a request was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    /// A sentence for the visitor.
    pub text: String,
    /// The square that causes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
}

impl From<Remark> for Problem {
    fn from(remark: Remark) -> Self {
        Self {
            text: remark.text,
            square: remark.square.map(|square| square.to_string()),
        }
    }
}

/// Something that happened in the game a visitor looks at, or that the engine found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "event", rename_all = "camelCase")]
pub enum ServerEvent {
    /// The game has changed.
    State(Box<GameState>),
    /// The game cannot be looked at any more, unless it is joined again.
    Lost {
        /// The id of the game.
        game: String,
        /// A sentence for the visitor.
        text: String,
    },
    /// The study that the page shows was changed on another page.
    Study(Box<StudyState>),
    /// What an inquiry has found so far.
    Found {
        /// The number of the inquiry.
        number: u32,
        /// Whether this is all.
        done: bool,
        /// What was found.
        found: FoundInfo,
    },
    /// The server ends; the page should try again in a moment.
    Closing,
}

/// What was asked for. Which one answers which request stands in `message/declaration.rs`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Answer {
    /// Nothing to say but that it was done.
    Done,
    /// Who the visitor is, and what is here.
    Welcome(Welcome),
    /// The rules of a set.
    Rules(RulesInfo),
    /// What can be said of a position.
    Survey(SurveyInfo),
    /// A study.
    Study(StudyState),
    /// Studies that have a name.
    Studies(Vec<StudyEntry>),
    /// Texts by format.
    Texts(Vec<(String, String)>),
    /// Filled slots.
    Slots(Vec<(u8, PositionInfo)>),
    /// What a slot held before.
    Before(Option<PositionInfo>),
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
    /// Processes, queues and limits.
    Admin(AdminInfo),
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
    /// What a position is worth without search.
    Weights(WeightsInfo),
    /// The lessons of a rule set.
    Lessons(Vec<LessonEntry>),
    /// A step of a lesson.
    LessonStep(LessonStepInfo),
    /// What is said of a move that was tried in a lesson.
    Trial(TrialInfo),
    /// The puzzles of a rule set.
    Puzzles(PuzzlesInfo),
    /// A puzzle.
    Puzzle(PuzzleInfo),
    /// What is said of a move that was tried in a puzzle.
    PuzzleTrial(PuzzleTrialInfo),
    /// Help with a puzzle.
    PuzzleHelp(PuzzleHelp),
    /// A record.
    Text(String),
    /// Games that are over.
    Found {
        /// The games.
        games: Vec<FoundGame>,
        /// Where to go on; nothing at the end.
        next: Option<String>,
    },
    /// Names, or words, with how many games each has.
    Names(Vec<(String, u64)>),
    /// What an import came to.
    Imported(ImportInfo),
    /// What was played in a position.
    Explored(ExploredInfo),
    /// What is worth watching now.
    Watch(WatchInfo),
    /// Positions that show what a rule set does.
    Demonstrations(Vec<DemonstrationInfo>),
    /// Where two rule sets differ.
    Comparison(ComparisonInfo),
    /// A move to think about.
    Hint {
        /// The move.
        step: String,
        /// What the position is worth for white, as text.
        score: Option<String>,
    },
}

/// Who a visitor is, and what is here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct Welcome {
    /// The name they chose.
    pub name: Option<String>,
    /// Their settings.
    pub settings: Vec<(String, String)>,
    /// The rule sets, the default first.
    pub sets: Vec<SetInfo>,
    /// The id of the rule set that new boards have.
    pub default_rules: String,
    /// Whether they may change the server's settings.
    pub local: bool,
    /// The beginning of links that others can open, if others can come.
    pub public: Option<String>,
}
