//! Tournaments, without clocks, files or programs: who plays whom, and how the teams stand.
//!
//! A [`Plan`] is what a tournament file says. Its fixtures follow from it alone, so that every machine
//! that reads the same plan numbers them alike. What an organiser corrects later is a list of [`Change`]s;
//! [`Amended`] is the plan with all of them.

mod correction;
mod misfit;
mod plan;
mod schedule;
mod secret;
mod standing;

pub use correction::{Amended, Change, ChangeError, Ruling, Winner};
pub use misfit::Misfit;
pub use plan::{Entry, Format, Plan, PlanError, PlanFault, ProgramLimits, Team};
pub use schedule::{Fixture, Stage};
pub use secret::{is_sealed, known_secret, seal, seal_secret};
pub use standing::{CountedGame, StandingRow, Standings, TeamTally};
pub use toml::{Table, Value};
