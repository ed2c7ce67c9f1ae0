//! What lives: games that survive restarts, the engine pool, and answers about any position.
//!
//! Joins `tablut-arena`, the engine and the store. A [`Host`] makes games and lets people join them; a
//! game that is being watched or played is a session, a task of its own that shows a
//! [`Match`](tablut_arena::Match), keeps every move before it tells anybody of it, and lets the
//! [`EnginePool`] think for its engine players. Other processes on the same store may show the same game:
//! none owns it, and each reads what the others have kept. A game that nobody looks at costs nothing. A [`tournament::Runner`] plays the fixtures of tournaments that
//! are kept. The web, the terminal and workers only call this crate; it opens no socket, reads no file
//! and prints nothing.

mod attendance;
mod audience;
mod census;
mod engines;
mod error;
pub mod exchange;
mod explorer;
mod host;
mod ids;
mod import;
mod inquiry;
mod keeper;
mod ledger;
mod lessons;
mod mining;
mod organiser;
mod pool;
mod progress;
mod puzzles;
mod ratings;
mod replay;
mod replica;
mod reviews;
mod room;
mod seat;
mod session;
mod sleeper;
mod spectator;
pub mod speech;
mod spotlight;
mod study;
mod survey;
mod terms;
mod ticket;
pub mod tournament;
mod view;
mod weight;

pub use attendance::{Absent, Attendance, Denied, Sight, Tidings};
pub use engines::{EngineSource, Worker};
pub use error::{HostError, Refused};
pub use explorer::{BookMove, Exploration, ExploreError, ExploreSource, SourceMoves};
pub use host::{Host, Limits};
pub use ids::{fresh_id, same_secret};
pub use import::{ImportFault, ImportProblem, ImportReport};
pub use inquiry::{
    Finding, FoundLine, InquiryError, InquiryOrder, InquiryTask, KnownWin, LinesFound, MOST_LINES,
    PlayLine, ProofFound, Win, WinAnswer,
};
pub use keeper::Keeper;
pub use lessons::Lessons;
pub use mining::{MOST_PUZZLE_ORDERS, PuzzleFinding, PuzzleOrder};
pub use pool::{Busy, EnginePool, Inquiry, InquiryNews, Job, Order, Unanswered};
pub use puzzles::{
    PuzzleFilter, PuzzleRecord, RUSH_MISSES, RUSH_MS, RunKind, daily_puzzle, puzzle_of,
};
pub use ratings::{Balance, Ratings};
pub use replica::PageCount;
pub use sleeper::Sleeper;
pub use spotlight::{LiveGame, Spotlight, TopList};
pub use study::{
    Annotation, Body, Drawing, NodeKey, NodeView, OpenedStudy, Remarks, Study, StudyCommand,
    StudyError, StudyNode, StudyTree, StudyWatch,
};
pub use survey::{Survey, SurveyError, Target, survey};
pub use terms::{Opponent, Terms, TermsError};
pub use ticket::{Ticket, Wish};
pub use view::{Onlookers, SeatView, View};
pub use weight::{WeightedMan, Weights, weigh};
