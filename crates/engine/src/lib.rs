#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod baseline;
pub mod bench;
mod breakdown;
mod control;
mod engine;
mod evaluation;
mod level;
mod limits;
mod order;
mod parameter;
mod path;
mod pause;
mod prover;
mod report;
mod root;
mod score;
mod search;
mod shape;
pub mod solve;
mod table;

pub use breakdown::{Breakdown, Weigher, evaluate};
pub use control::Control;
pub use engine::{Engine, EngineOptions};
pub use evaluation::Term;
pub use level::{Level, ParseLevelError};
pub use limits::SearchLimits;
pub use parameter::Parameters;
pub use report::{SearchInfo, SearchReport, Variation};
pub use score::Score;
pub use table::NoMemory;
