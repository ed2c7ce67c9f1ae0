//! Why something cannot be done.

use tablut_arena::{Refusal, RestoreError};
use tablut_store::StoreError;

use crate::{StudyError, TermsError};

/// Why a game cannot be made, joined or played.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The store failed, or has no such game.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The stored game is no game under its rules.
    #[error("the stored game cannot continue: {0}")]
    Restore(#[from] RestoreError),
    /// The stored game names rules, players or clocks that this program does not have.
    #[error("the stored game needs something that is missing here: {0}")]
    Unknown(String),
    /// What was agreed makes no game.
    #[error(transparent)]
    Terms(#[from] TermsError),
    /// A visitor has as many open games as one may have.
    #[error("you have {0} open games; finish or resign one first")]
    TooManyGames(u64),
    /// A visitor has as many games, over or not, as are kept for one.
    #[error("this server keeps no more than {0} games for one visitor")]
    TooManyKept(u64),
    /// A visitor's library is full.
    #[error("your library is full; delete a position first")]
    LibraryFull,
    /// A visitor has as many studies as are kept for one.
    #[error("you have {0} studies; delete one first")]
    TooManyStudies(u64),
    /// A study is another visitor's.
    #[error("this study is somebody else's: copy it to your board to change it")]
    NotYourStudy,
    /// What was wanted cannot be done to a study.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// The server keeps as much as it may.
    #[error("this server has no room to keep more; its operator can raise the limit of {0}")]
    StoreFull(&'static str),
    /// A visitor who sits on one side wants to be their own guest.
    #[error("this is your own invitation; send the link to the person who should play against you")]
    OwnInvitation,
    /// A game that has its players cannot be cancelled any more.
    #[error("the game has both its players; it can be resigned, but not cancelled")]
    Begun,
    /// The server has as many open games as it may have.
    #[error("this server has no room for another game now")]
    Full,
}

/// Why a wish in a game is not granted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refused {
    /// The visitor only watches.
    #[error("you are watching this game")]
    Watching,
    /// The rules or the course of the game forbid it.
    #[error(transparent)]
    Rules(#[from] Refusal),
    /// The game was agreed to be without take-backs.
    #[error("moves are not taken back in this game")]
    NoTakeBacks,
    /// It could not be kept, so it did not happen.
    #[error("the move could not be stored, so it was not made: {0}")]
    Store(#[from] StoreError),
    /// The move is for a position that the game is not in.
    #[error("the game has moved on; look again")]
    Behind,
    /// The session has ended; joining again brings it back.
    #[error("the connection to the game was lost")]
    Gone,
}
