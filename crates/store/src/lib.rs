//! What is kept: games with every move, named positions, slots, settings, tournaments.
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
mod game;
mod library;
mod location;
mod open;
mod progress;
mod score;
mod seat;
mod store;
mod tournament;
mod visitor;
mod work;

pub use claim::{Claim, LONGEST_LEASE_MS};
pub use correction::{Amendment, Correction, LogEntry, Note};
pub use error::{Entity, OpenError, StoreError};
pub use game::{Game, GameFilter};
pub use library::{NamedPosition, Saved};
pub use location::Location;
pub use progress::{Progress, StoredMove};
pub use score::Finished;
pub use seat::{GameOwner, Seat, SeatPlayer};
pub use store::Store;
pub use tablut_arena::tournament::Ruling;
pub use tournament::{Fixture, FixtureResult, State, Tournament};
pub use visitor::{Kept, Visitor};
