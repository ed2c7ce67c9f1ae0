//! x
#![forbid(unsafe_code)]

mod clock;
pub mod opening;
mod player;
mod random;
pub mod stats;

pub use clock::{Clock, TimeControl};
pub use opening::Opening;
pub use player::{ParsePlayerError, Player};
pub use random::Random;
