//! What lives: games that survive restarts, the engine pool, and answers about any position.
//!
//! Joins `tablut-arena`, the engine and the store. A [`Host`] makes games and lets people join them; a
//! game that is being watched or played is a session, a task of its own that owns a
//! [`Match`](tablut_arena::Match), keeps every move before it tells anybody of it, and lets the
//! [`EnginePool`] think for its engine players. A game that nobody looks at costs nothing: it is
//! dropped, and comes back from the store. A [`tournament::Runner`] plays the fixtures of tournaments that
//! are kept. The web, the terminal and workers only call this crate; it opens no socket, reads no file
//! and prints nothing.

mod attendance;
mod census;
mod error;
pub mod exchange;
mod host;
mod ids;
mod keeper;
mod organiser;
mod pool;
mod progress;
mod ratings;
mod seat;
mod session;
mod spectator;
pub mod speech;
mod study;
mod terms;
mod ticket;
pub mod tournament;
mod view;

pub use attendance::{Absent, Attendance, Denied, Sight, Tidings};
pub use error::{HostError, Refused};
pub use host::{Host, Limits};
pub use ids::{fresh_id, same_secret};
pub use keeper::Keeper;
pub use pool::{Busy, EnginePool, Job, Order, Unanswered};
pub use ratings::{Balance, Ratings};
pub use study::{Study, StudyError, Target, study};
pub use terms::{Opponent, Terms, TermsError};
pub use ticket::{Ticket, Wish};
pub use view::{SeatView, View};
