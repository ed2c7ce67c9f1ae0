#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod accuracy;
mod annotate;
mod chance;
mod fact;
mod mark;
pub mod puzzle;
mod retry;
mod review;
mod reviewer;
#[cfg(feature = "serde")]
pub mod score_serde;
pub mod text;

pub use accuracy::{move_accuracy, side_accuracy};
pub use annotate::annotate;
pub use chance::winning_chance;
pub use fact::{BoardLine, Deed, Fact, Prospect, deeds};
pub use mark::{MoveMark, ONLY_MOVE_NAG, ONLY_MOVE_SIGN};
pub use retry::{Retry, RetryRating, retry};
pub use review::{BetterLine, GraphPoint, Review, ReviewedMove, SideSummary};
pub use reviewer::{Reviewer, review};
