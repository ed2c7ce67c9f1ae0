//! Checks a win before it is claimed: every answer is tried, with the game's real history, without
//! reductions, null moves or values from the table. The table only says which move to try first.

use std::sync::atomic::Ordering::Relaxed;

use tablut_rules::{Move, Outcome, Position, Rules, Side};

use crate::{path::Path, search::Shared};

/// A check of one claim.
pub(crate) struct Prover<'a> {
    shared: &'a Shared<'a>,
    path: Path,
    winner: Side,
    left: u32,
}

/// The check ran out of its budget or was stopped.
struct Spent;

impl<'a> Prover<'a> {
    /// A check for a winner that may visit so many nodes.
    pub(crate) fn new(shared: &'a Shared<'a>, path: Path, winner: Side, budget: u32) -> Self {
        Self {
            shared,
            path,
            winner,
            left: budget,
        }
    }

    /// Whether the winner, to move, wins within so many plies if the first move is this one.
    pub(crate) fn wins_with(mut self, position: &Position, step: Move, plies: u32) -> bool {
        self.step_wins(position, step, plies).unwrap_or(false)
    }

    /// Whether the side to move loses within so many plies, whatever it does.
    pub(crate) fn loses(mut self, position: &Position, plies: u32) -> bool {
        self.all_lose(position, plies).unwrap_or(false)
    }

    /// Whether the side to move loses within so many plies if its first move is this one.
    pub(crate) fn loses_after(mut self, position: &Position, step: Move, plies: u32) -> bool {
        self.step_loses(position, step, plies).unwrap_or(false)
    }

    fn rules(&self) -> &'a Rules {
        self.shared.rules
    }

    fn spend(&mut self) -> Result<(), Spent> {
        let watch = self.left.is_multiple_of(1024);
        if self.left == 0 || watch && self.is_over() {
            return Err(Spent);
        }
        self.left -= 1;
        Ok(())
    }

    fn is_over(&self) -> bool {
        let late = |end| std::time::Instant::now() >= end;
        self.shared.stopped.load(Relaxed)
            || self.shared.control.is_stopped()
            || self.shared.deadline.is_some_and(late)
    }

    /// Whether a move of the winner wins within so many plies, itself counted.
    fn step_wins(&mut self, position: &Position, step: Move, plies: u32) -> Result<bool, Spent> {
        self.after(position, step, |prover, after, outcome| match outcome {
            Some(outcome) => Ok(outcome.winner == Some(prover.winner)),
            None if plies < 3 => Ok(false),
            None => prover.all_lose(after, plies - 1),
        })
    }

    /// Whether the winner, to move, wins within so many plies.
    fn some_wins(&mut self, position: &Position, plies: u32) -> Result<bool, Spent> {
        self.spend()?;
        if plies == 0 {
            return Ok(false);
        }
        if self
            .rules()
            .scan(position)
            .winning_move(self.winner)
            .is_some()
        {
            return Ok(true);
        }
        if plies < 3 && !self.path.is_limited() {
            return Ok(false);
        }
        let hint = self.shared.table.probe(position.key());
        let hint = hint.and_then(|found| found.step);
        let hint = hint.filter(|&step| self.rules().is_legal(position, step));
        if let Some(step) = hint
            && self.step_wins(position, step, plies)?
        {
            return Ok(true);
        }
        for &step in &self.rules().moves(position) {
            if Some(step) != hint && self.step_wins(position, step, plies)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every move of the loser, to move, loses within so many plies.
    fn all_lose(&mut self, position: &Position, plies: u32) -> Result<bool, Spent> {
        self.spend()?;
        let rules = self.rules();
        let loser = self.winner.opponent();
        if rules.scan(position).winning_move(loser).is_some() {
            return Ok(false);
        }
        let moves = rules.moves(position);
        if moves.is_empty() {
            let outcome = self.path.laws().without_move(loser);
            return Ok(outcome.is_some_and(|outcome| outcome.winner == Some(self.winner)));
        }
        for &step in &moves {
            if !self.step_loses(position, step, plies)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a move of the loser loses within so many plies, itself counted.
    fn step_loses(&mut self, position: &Position, step: Move, plies: u32) -> Result<bool, Spent> {
        self.after(position, step, |prover, after, outcome| match outcome {
            Some(outcome) => Ok(outcome.winner == Some(prover.winner)),
            None if plies < 2 => Ok(false),
            None => prover.some_wins(after, plies - 1),
        })
    }

    /// Makes a move, judges the position after it by all laws, and asks about it.
    fn after(
        &mut self,
        position: &Position,
        step: Move,
        ask: impl FnOnce(&mut Self, &Position, Option<Outcome>) -> Result<bool, Spent>,
    ) -> Result<bool, Spent> {
        let rules = self.rules();
        let applied = rules.apply_unchecked(position, step);
        let after = &applied.position;
        self.path.push(after.key());
        let outcome = applied
            .end
            .map(Outcome::from)
            .or_else(|| Some(self.path.judge(rules, after)?.0));
        let answer = ask(self, after, outcome);
        self.path.pop();
        answer
    }
}
