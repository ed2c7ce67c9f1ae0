//! Every message between page and server, as a type.
//!
//! The page sends [`Request`]s, each with a number; the server answers each with a [`Response`] of the same
//! number, and sends [`ServerEvent`]s on its own. These types are the only source: the page's own are
//! generated from them into `protocol/message.d.ts`, and `protocol/requests.json` and
//! `protocol/messages.json` have a sample of each message, which tests read and write. Squares and moves
//! are text (`e5`, `e3e7`), positions are one line of text, sides are `attackers` and `defenders`, times
//! are milliseconds.

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

use serde::{Deserialize, Serialize};
use tablut_rules::Side;

/// A side, as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// Something for each side.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
