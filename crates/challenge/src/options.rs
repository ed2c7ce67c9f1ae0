//! What is played, and how.

use std::sync::Arc;

use tablut_rules::{Laws, Rules};

use super::Manner;

/// What is played, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The rules.
    pub rules: Arc<Rules>,
    /// The laws above the board.
    pub laws: Laws,
    /// Milliseconds for a move.
    pub time_ms: u64,
    /// Milliseconds for a client to send its name; by default as many as for a move.
    pub name_ms: Option<u64>,
    /// A client gets a state no sooner than this many milliseconds after the last one. Clocks stand
    /// still meanwhile.
    pub pace_ms: u64,
    /// How many illegal moves of each player are tolerated.
    pub errors: u32,
    /// How long to wait for the players, in milliseconds; forever by default.
    pub wait_ms: Option<u64>,
    /// Where we could behave as the reference server does.
    pub manner: Manner,
}

impl Options {
    /// How long a client may take to send its name by default, in milliseconds. Clients
    /// send it at once; some load something first.
    pub const NAME_MS: u64 = 10_000;

    /// How long a client may take to send its name, in milliseconds.
    #[must_use]
    pub fn name_ms(&self) -> u64 {
        self.name_ms.unwrap_or(self.time_ms)
    }

    /// A game under some rules and their own laws, with the contest's minute for a move.
    #[must_use]
    pub fn new(rules: Arc<Rules>) -> Self {
        Self {
            laws: rules.laws(),
            rules,
            time_ms: 60_000,
            name_ms: Some(Self::NAME_MS),
            pace_ms: 0,
            errors: 0,
            wait_ms: None,
            manner: Manner::default(),
        }
    }

    /// As the Java server plays it, as far as a peer can see.
    #[must_use]
    pub fn reference(rules: Arc<Rules>) -> Self {
        Self {
            laws: rules.laws().challenge(),
            wait_ms: Some(300_000),
            name_ms: None,
            manner: Manner::REFERENCE,
            ..Self::new(rules)
        }
    }
}
