//! What the solver knows of positions.

use tablut_rules::Move;

use crate::{
    NoMemory,
    memory::{allocate, index_of},
};

/// What is known of a position: the least number of plies in which it is won, and the largest in
/// which it is not.
#[derive(Clone, Copy)]
pub(super) struct ProofEntry {
    key: u64,
    /// The winner's move, or the defence that refuted a win last.
    pub(super) step: Option<Move>,
    pub(super) won_in: u8,
    pub(super) not_within: u8,
}

impl Default for ProofEntry {
    fn default() -> Self {
        Self {
            key: 0,
            step: None,
            won_in: u8::MAX,
            not_within: 0,
        }
    }
}

/// A table with one entry for each index; a position that comes later takes its place.
pub(super) struct ProofTable(Vec<ProofEntry>);

impl ProofTable {
    pub(super) fn new(megabytes: usize) -> Result<Self, NoMemory> {
        allocate(megabytes).map(Self)
    }

    pub(super) fn get(&self, key: u64) -> Option<ProofEntry> {
        let entry = self.0[index_of(key, self.0.len())];
        (entry.key == key).then_some(entry)
    }

    /// The entry for a key, blank if it held another position.
    fn entry(&mut self, key: u64) -> &mut ProofEntry {
        let index = index_of(key, self.0.len());
        let entry = &mut self.0[index];
        if entry.key != key {
            *entry = ProofEntry {
                key,
                ..ProofEntry::default()
            };
        }
        entry
    }

    /// The position is won within a number of plies, by a move if it is the winner's turn.
    pub(super) fn keep_won(&mut self, key: u64, plies: u32, step: Option<Move>) {
        let entry = self.entry(key);
        entry.won_in = entry.won_in.min(plies as u8);
        entry.step = step.or(entry.step);
    }

    /// The position is not won within a number of plies, because of a defence if it is the
    /// defender's turn.
    pub(super) fn keep_not_won(&mut self, key: u64, plies: u32, defence: Option<Move>) {
        let entry = self.entry(key);
        entry.not_within = entry.not_within.max(plies as u8);
        entry.step = defence.or(entry.step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_the_best_of_what_was_found() {
        let mut table = ProofTable::new(0).expect("one entry");
        let (first, second): (Option<Move>, Option<Move>) =
            ("e3e7".parse().ok(), "a1a2".parse().ok());
        table.keep_not_won(5, 3, first);
        table.keep_not_won(5, 1, None);
        table.keep_won(5, 9, second);
        table.keep_won(5, 11, None);
        let entry = table.get(5).expect("it was kept");
        assert_eq!((entry.not_within, entry.won_in), (3, 9));
        assert_eq!(entry.step, second);
        table.keep_won(6, 7, None);
        assert!(table.get(5).is_none(), "another position took the place");
    }
}
