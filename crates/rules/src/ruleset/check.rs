//! Which faults of a rule set can be seen without tables.

use alloc::vec::Vec;

use super::{
    RuleSet,
    fault::{RuleSetFault, RuleSetProblem},
};
use crate::Bitboard;

impl RuleSet {
    /// Faults that can be seen without tables.
    pub(crate) fn check(&self) -> Vec<RuleSetFault> {
        use RuleSetProblem as Problem;
        let mut faults = Vec::new();
        let mut fault = |key: &str, problem| faults.push(RuleSetFault::new(key, problem));
        let board = self.size.squares();
        let rows = self.size.rows();

        let plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if self.id.is_empty() || !self.id.bytes().all(plain) {
            fault("id", Problem::BadId);
        }
        if self.name.iter().next().is_none() {
            fault("name", Problem::NameMissing);
        }
        for (lang, _) in self.name.iter().filter(|(_, name)| name.is_empty()) {
            fault("name", Problem::NameEmpty(lang));
        }
        let found = self.start.size().rows();
        if found != rows {
            fault("start", Problem::StartSize { found, rows });
        }
        let castle = self.castle;
        if !board.contains(castle) || self.size.edge().contains(castle) {
            fault("castle", Problem::CastlePlace { castle, rows });
        }
        let mut seen = Bitboard::EMPTY;
        for &camp in &self.camps {
            if !camp.is_disjoint(seen) {
                fault("camps", Problem::InTwoCamps(camp & seen));
            }
            seen |= camp;
        }
        if seen.contains(castle) {
            fault("camps", Problem::CastleInCamp(castle));
        }
        if !seen.is_subset(board) {
            fault("camps", Problem::OffBoard(seen - board));
        }
        let exempt = self.camp_not_to_attackers - seen;
        if !exempt.is_empty() {
            fault("hostile.camp_not_to_attackers", Problem::NotInCamps(exempt));
        }
        let goals = self.goals.squares(self.size);
        if goals.is_empty() {
            fault("end.goals", Problem::NoGoal);
        }
        if !goals.is_subset(board) {
            fault("end.goals", Problem::OffBoard(goals - board));
        }
        if goals.contains(castle) {
            fault("end.goals", Problem::CastleIsGoal(castle));
        }
        if self.repetition.is_some_and(|law| law.occurrence < 2) {
            fault("end.repetition", Problem::FirstOccurrence);
        }
        faults
    }
}
