//! Tournaments that are kept: made from a file, played by runners, read by whoever wants to see.

mod contest;
mod correct;
mod fixture;
mod forecast;
mod runner;
mod scene;

pub use contest::{Contest, ContestError, Group, Logged, Prepared, counting, played};
pub use correct::{Author, Corrected, CorrectionWish, Notice};
pub use forecast::{Prizes, end_ms};
pub use runner::{FixtureEvent, GaveUp, Runner, Slots};
pub use scene::{LiveBoard, Scene};
