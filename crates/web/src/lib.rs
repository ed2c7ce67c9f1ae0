//! What the browser sees: the page, the messages it exchanges, and who may send them.
//!
//! [`serve`] answers HTTP with the embedded page and keeps one WebSocket for each open page. Every
//! message is a type of [`message`]; `page/` holds the page itself, which knows no rules. Nothing here
//! decides anything about games: that is the business of `tablut-host`.

mod answer;
mod asset;
mod bundle;
pub mod client;
mod connection;
mod crowd;
mod door;
mod embed;
mod exhibit;
mod finding;
mod guard;
mod health;
mod image;
pub mod message;
mod preview;
mod serve;
mod state;
mod tournament;
mod visitor;

pub use axum::http::HeaderName;
pub use crowd::Traffic;
pub use guard::Proxy;
pub use serve::{Config, Running, ServeError, serve};
