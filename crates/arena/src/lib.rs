//! x
#![forbid(unsafe_code)]

mod clock;
mod r#match;
pub mod opening;
mod player;
mod random;
pub mod stats;

pub use clock::{Clock, TimeControl};
pub use r#match::{Conduct, Gone, IllegalMoves, Match, Notice, Refusal, RestoreError, Said};
pub use opening::Opening;
pub use player::{ParsePlayerError, Player};
pub use random::Random;
