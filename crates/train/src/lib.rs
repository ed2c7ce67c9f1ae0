//! Makes networks for the engine, and finds better numbers for its search.
//!
//! [`play`] makes games, [`data`] keeps them, [`fit`] learns a network from them, [`cycle`] goes round
//! and keeps what is better; [`inspect`] shows what was learnt; [`book`] searches openings for long;
//! [`archive`] packs games for the explorer. [`spsa`] adjusts the numbers of the
//! search by playing. Nothing is believed: what they propose is played against what was before.

#![forbid(unsafe_code)]

pub mod archive;
pub mod book;
pub mod cycle;
pub mod data;
pub mod fit;
pub mod inspect;
pub mod play;
pub mod sample;
pub mod spsa;
