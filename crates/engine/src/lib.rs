#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod baseline;
pub mod bench;
mod book;
mod breakdown;
mod built_in;
mod claim;
mod control;
mod engine;
mod evaluation;
mod gap;
mod histories;
mod king;
mod level;
mod limits;
mod memory;
pub mod network;
mod parameter;
mod path;
mod report;
mod root;
mod score;
mod search;
mod shape;
pub mod solve;
mod transposition;

pub use book::{Book, BookEntry, BookError};
pub use breakdown::{Breakdown, evaluate};
pub use control::Control;
pub use engine::{Engine, EngineOptions, Evaluation};
pub use evaluation::Term;
pub use level::{Level, ParseLevelError};
pub use limits::SearchLimits;
pub use memory::NoMemory;
pub use network::{Network, NetworkError};
pub use parameter::Parameters;
pub use report::{SearchInfo, SearchReport, Variation};
pub use score::Score;

use built_in::built_in_set;
