//! The terminal game.
//!
//! `app` decides: it receives what arrived (keys, the mouse, the state of the game, the time) and gives
//! what has to be done. It touches nothing. `draw` shows it. `drive` is the rim: it reads keys,
//! lets the engine think and writes files; `desk` is the place at the host that plays and keeps games.

mod analyst;
pub(crate) mod app;
mod cursor;
pub(crate) mod desk;
mod draw;
pub(crate) mod drive;
mod edit;
pub(crate) mod effect;
mod face;
mod layout;
pub(crate) mod menu;
mod play;
mod prompt;
mod reading;
pub(crate) mod screen;
pub(crate) mod standing;
pub(crate) mod table;
pub(crate) mod text;
pub(crate) mod theme;
