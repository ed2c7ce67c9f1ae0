//! What is kept: games with every move and their reviews, named positions, slots, studies, settings, tournaments.
//!
//! The only SQL of the suite. One [`Store`] over SQLite (a file, or memory) and PostgreSQL (a URL); the
//! same statements and the same migrations serve both. Every write is one transaction, and is on disk
//! or in the server when it returns. Nothing here knows of sockets, clocks or engines: times are told,
//! as milliseconds since 1970.
//!
//! ```
//! use tablut_store::{Location, Store};
//! # let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
//! # runtime.block_on(async {
//! let store = Store::open(&Location::Memory).await?;
//! store.set_setting("me", "theme", "dark").await?;
//! assert_eq!(store.settings("me").await?, [("theme".to_string(), "dark".to_string())]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).expect("it works");
//! ```

mod claim;
mod connection;
mod correction;
mod error;
mod explore;
mod filing;
mod game;
mod job;
mod learning;
mod library;
mod live;
mod location;
mod notice;
mod open;
mod plant;
mod process;
mod progress;
mod review;
mod score;
mod search;
mod seat;
mod store;
mod study;
mod tag;
mod tournament;
mod visitor;
mod work;

pub use claim::{Claim, LONGEST_LEASE_MS};
pub use correction::{Amendment, Correction, LogEntry, Note};
pub use error::{Entity, OpenError, StoreError};
pub use explore::TopPlayer;
pub use filing::OPENING_PLIES;
pub use game::{Game, GameFilter};
pub use job::{JobClaim, JobCount, JobKind, JobLimits, NewJob, Release, StoredJob};
pub use learning::{PuzzleResult, PuzzleRun, PuzzleSettlement, PuzzleTry, StoredRating};
pub use library::{NamedPosition, Saved};
pub use live::{Advanced, Course, Declined, Live};
pub use location::Location;
pub use notice::{StoreNotice, StudyNotice};
pub use plant::{Planted, Planter};
pub use process::{Heard, Process, ProcessReport};
pub use progress::{Progress, StoredMove};
pub use score::Finished;
pub use search::{Cursor, Entry, Found, Search, Sort, Viewer};
pub use seat::{GameOwner, Seat, SeatPlayer};
pub use store::Store;
pub use study::{KeptStudy, StudyTitle};
pub use tablut_arena::tournament::Ruling;
pub use tournament::{Fixture, FixtureResult, State, Tournament};
pub use visitor::{Kept, Visitor};
