//! Tournaments that are kept: made from a file, played by runners, read by whoever wants to see.

mod contest;
mod fixture;
mod runner;
mod scene;

pub use contest::{Contest, ContestError, Group, Prepared, played};
pub use runner::{Event, GaveUp, Runner, Slots};
pub use scene::{LiveBoard, Scene};
