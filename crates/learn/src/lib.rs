#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod compose;
mod lesson;
mod plan;
mod refusal;
mod scene;
mod task;
pub mod text;

pub use lesson::{Lesson, Step, StepTopic};
pub use plan::{Theme, plans};
pub use refusal::{KingNeed, Refusal};
pub use task::{Judgement, MadeError, Task};
