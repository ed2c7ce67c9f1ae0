//! Finds better numbers for the engine.
//!
//! [`fit`] adjusts the weights of the evaluation to the results of games; [`spsa`] adjusts any numbers
//! by playing. Neither is believed: what they propose is played against what was before.

#![forbid(unsafe_code)]

pub mod fit;
pub mod sample;
pub mod spsa;
