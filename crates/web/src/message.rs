//! Every message between page and server, as a type.
//!
//! The page sends [`Request`]s, each with a number; the server answers each with a [`Response`] of the same
//! number, and sends [`ServerEvent`]s on its own. These types are the only source: the page's own are
//! generated from them into `protocol/message.d.ts`, and `protocol/requests.json` and
//! `protocol/messages.json` have a sample of each message, which tests read and write. Squares and moves
//! are text (`e5`, `e3e7`), positions are one line of text, sides are `white` and `black`, times are
//! milliseconds.

#[cfg(test)]
pub(crate) mod declaration;
mod game;
mod lang;
mod position;
mod request;
mod response;
mod tournament;

pub use game::{GameEntry, GameState, OutcomeInfo, SeatInfo};
pub use lang::LangName;
pub use position::{
    LaneInfo, LibraryEntry, PositionInfo, RulesInfo, SectionInfo, SetInfo, StudyInfo, TargetInfo,
};
pub use request::{Ask, NewGame, OpponentName, Request, WishName};
pub use response::{
    Answer, Problem, Response, ResponseResult, ServerEvent, ServerMessage, Welcome,
};
pub use tournament::{
    BalanceInfo, CorrectionAsk, CorrectionInfo, FixtureInfo, GroupInfo, LiveBoardInfo, NoteInfo,
    RatedPlayer, RatingsInfo, RowInfo, RulingName, TeamInfo, TeamText, TournamentEntry,
    TournamentInfo, TournamentState, TournamentWish,
};
