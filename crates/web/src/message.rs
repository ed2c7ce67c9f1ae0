//! Every message between page and server, as a type.
//!
//! The page sends [`Request`]s, each with a number; the server answers each with a [`Response`] of the same
//! number, and sends [`ServerEvent`]s on its own. These types are the only source: the page's own are
//! generated from them into `protocol/message.d.ts`, and `protocol/requests.json` and
//! `protocol/messages.json` have a sample of each message, which tests read and write. Squares and moves
//! are text (`e5`, `e3e7`), positions are one line of text, sides are `white` and `black`, times are
//! milliseconds.

mod admin;
mod catalogue;
#[cfg(test)]
pub(crate) mod declaration;
mod game;
mod inquiry;
mod lang;
mod learn;
mod position;
mod reach;
mod request;
mod response;
mod study;
mod tournament;

pub use admin::{AdminInfo, LimitInfo, LimitName, ProcessInfo, QueueInfo};
pub use catalogue::{
    ComparisonInfo, ContrastInfo, DemonstrationInfo, ExploredInfo, ExploredMove, ExploredSource,
    FoundGame, ImportInfo, LiveGameInfo, PlayerInfo, SearchAsk, TopListInfo, TopPlayerInfo,
    WatchInfo,
};
pub use game::{GameEntry, GameState, OutcomeInfo, SeatInfo};
pub use inquiry::{
    FoundInfo, InquiryAsk, KnownWinInfo, LineInfo, LinesInfo, MarkName, ProofInfo, RetryInfo,
    RetryName, ReviewInfo, ReviewedMoveInfo, ScoreInfo, SideReviewInfo, TermInfo, TermName,
    WeightsInfo, WinInfo,
};
pub use lang::LangName;
pub use learn::{
    HelpName, LessonEntry, LessonName, LessonStepInfo, PuzzleChoice, PuzzleGroup, PuzzleHelp,
    PuzzleInfo, PuzzleTrialInfo, PuzzleTryEntry, PuzzlesInfo, RunInfo, TaskBoard, TrialInfo,
    TrialResult,
};
pub use position::{
    LaneInfo, LibraryEntry, PositionInfo, RulesInfo, SectionInfo, SetInfo, SurveyInfo, TargetInfo,
};
pub use request::{Ask, NewGame, OpponentName, Request, WishName};
pub use response::{
    Answer, Problem, Response, ResponseResult, ServerEvent, ServerMessage, Welcome,
};
pub use study::{AnnotationInfo, DrawingInfo, NodeInfo, StudyEdit, StudyEntry, StudyState};
pub use tournament::{
    BalanceInfo, CorrectionAsk, CorrectionInfo, FixtureInfo, GroupInfo, LiveBoardInfo, NoteInfo,
    RatedPlayer, RatingsInfo, RowInfo, RulingName, TeamInfo, TeamText, TournamentEntry,
    TournamentInfo, TournamentState, TournamentWish,
};
