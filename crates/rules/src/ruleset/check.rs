//! What can be wrong with a rule set.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::fmt;

use super::RuleSet;
use crate::{Bitboard, setup::names};

/// One thing that is wrong with a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSetFault {
    key: String,
    message: String,
    pub(crate) line: Option<usize>,
}

impl RuleSetFault {
    pub(crate) fn new(key: impl Into<String>, message: String) -> Self {
        Self {
            key: key.into(),
            message,
            line: None,
        }
    }

    #[must_use]
    pub(crate) const fn at(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    /// The parameter's key in the text form, such as `end.goals`; empty for a fault of syntax.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is wrong, as a sentence without capital and full stop.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The line in the text, from 1, if the set was read from text.
    #[must_use]
    pub const fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for RuleSetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

/// A rule set that cannot be used: all its faults, in the order of their lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSetError {
    faults: Vec<RuleSetFault>,
}

impl RuleSetError {
    pub(crate) fn new(mut faults: Vec<RuleSetFault>) -> Self {
        faults.sort_by_key(|fault| fault.line);
        faults.dedup();
        Self { faults }
    }

    /// Everything that is wrong; never empty.
    #[must_use]
    pub fn faults(&self) -> &[RuleSetFault] {
        &self.faults
    }

    #[cfg(feature = "toml")]
    pub(crate) fn into_faults(self) -> Vec<RuleSetFault> {
        self.faults
    }
}

impl fmt::Display for RuleSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, fault) in self.faults.iter().enumerate() {
            write!(f, "{}{fault}", if n == 0 { "" } else { "\n" })?;
        }
        Ok(())
    }
}

impl core::error::Error for RuleSetError {}

impl RuleSet {
    /// Faults that can be seen without tables.
    pub(crate) fn check(&self) -> Vec<RuleSetFault> {
        let mut faults = Vec::new();
        let mut fault = |key: &str, message: String| faults.push(RuleSetFault::new(key, message));
        let board = self.size.squares();
        let rows = self.size.rows();

        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if self.id.is_empty() || !self.id.bytes().all(plain) {
            let message = "an id has small letters, digits and hyphens only, and at least one";
            fault("id", message.to_string());
        }
        if self.name.iter().next().is_none() {
            let message = "the name is missing: write \"…\", or { en = \"…\", de = \"…\" }";
            fault("name", message.to_string());
        }
        for (lang, _) in self.name.iter().filter(|(_, name)| name.is_empty()) {
            fault("name", format!("the name in {lang} is empty"));
        }
        if self.start.size() != self.size {
            let found = self.start.size().rows();
            let message = format!("the start has {found} rows, but the board has {rows}");
            fault("start", message);
        }
        if !board.contains(self.castle) || self.size.edge().contains(self.castle) {
            let castle = self.castle;
            let message = format!("{castle} is not inside the board of {rows}×{rows}");
            fault(
                "castle",
                message + "; a castle needs a square on every side",
            );
        }
        let mut seen = Bitboard::EMPTY;
        for &camp in &self.camps {
            if !camp.is_disjoint(seen) {
                fault("camps", format!("in two camps: {}", names(camp & seen)));
            }
            seen |= camp;
        }
        if seen.contains(self.castle) {
            fault("camps", format!("the castle {} is in a camp", self.castle));
        }
        if !seen.is_subset(board) {
            let message = format!("not on the board: {}", names(seen & !board));
            fault("camps", message);
        }
        let exempt = self.camp_not_to_attackers & !seen;
        if !exempt.is_empty() {
            let message = format!("not camp squares: {}", names(exempt));
            fault("hostile.camp_not_to_attackers", message);
        }
        let goals = self.goals.squares(self.size);
        if goals.is_empty() {
            fault("end.goals", "there is no goal".to_string());
        }
        if !goals.is_subset(board) {
            let message = format!("not on the board: {}", names(goals & !board));
            fault("end.goals", message);
        }
        if goals.contains(self.castle) {
            fault("end.goals", format!("the castle {} is a goal", self.castle));
        }
        if self.repetition.is_some_and(|law| law.occurrence < 2) {
            let message = "the first occurrence that can end a game is 2";
            fault("end.repetition", message.to_string());
        }
        faults
    }
}
