//! The AND/OR search of the solver.

use tablut_rules::{Applied, Move, MoveList, Position, Side};

use super::Solver;
use crate::path::FREE;

/// How often the solver asks whether it has to stop, in nodes.
const LOOK: u64 = 256;

/// The search was stopped or ended by its limits.
pub(super) struct Interrupted;

/// Whether the winner wins: if so, the earliest ply of the line that the win depends on, which is
/// [`FREE`] unless a defender is forced by a repetition.
pub(super) type Proof = Result<Option<usize>, Interrupted>;

impl Solver<'_> {
    /// Begins to answer a question that may take a number of nodes.
    pub(super) fn begin(&mut self, nodes: u64) {
        self.most = self.nodes.saturating_add(nodes);
        self.next_look = self.nodes;
    }

    /// Counts a position, unless the search has to end.
    fn count(&mut self) -> Result<(), Interrupted> {
        if self.nodes >= self.next_look {
            if (self.must_stop)() {
                return Err(Interrupted);
            }
            self.next_look = self.nodes + LOOK;
        }
        if self.nodes >= self.most {
            return Err(Interrupted);
        }
        self.nodes += 1;
        Ok(())
    }

    /// The key of a position with all its answer depends on.
    fn key(&self, position: &Position) -> u64 {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let laws = self.path.laws();
        let mut key = position.key();
        if laws.captureless_limit.is_some() {
            key ^= (u64::from(position.quiet()) + 1).wrapping_mul(MIX);
        }
        if laws.move_limit.is_some() || laws.memory.is_some() {
            let ply = self.path.index() as u64;
            key ^= (ply + 1).wrapping_mul(MIX).rotate_left(32);
        }
        key
    }

    /// Whether the winner wins the position at the end of the path within a number of plies.
    pub(super) fn search(&mut self, position: &Position, plies: u32) -> Proof {
        self.count()?;
        if plies == 0 {
            return Ok(None);
        }
        let is_attack = position.side() == self.winner;
        if is_attack && self.plain {
            if self
                .rules
                .scan(position)
                .winning_move(self.winner)
                .is_some()
            {
                return Ok(Some(FREE));
            }
            if plies == 1 && !self.may_run_out_of_moves(position) {
                return Ok(None);
            }
        }
        if let Some(entry) = self.table.get(self.key(position)) {
            if u32::from(entry.won_in) <= plies {
                return Ok(Some(FREE));
            }
            if u32::from(entry.not_within) >= plies {
                return Ok(None);
            }
        }
        if is_attack {
            let found = self.attack(position, plies)?;
            Ok(found.map(|(_, since)| since))
        } else {
            self.defend(position, plies)
        }
    }

    /// The answer for the position after a move.
    pub(super) fn descend(&mut self, after: &Position, plies: u32) -> Proof {
        self.path.push(after);
        let proof = self.search(after, plies);
        self.path.pop();
        proof
    }

    /// The winner is to move: one good move is enough.
    pub(super) fn attack(
        &mut self,
        position: &Position,
        plies: u32,
    ) -> Result<Option<(Move, usize)>, Interrupted> {
        let moves = self.rules.moves(position);
        let known = self.known_move(position, &moves);
        // Moves that threaten to win at once come first: they leave few defences.
        let mut quiet = Vec::new();
        for &step in known_first(known, &moves) {
            let applied = self.rules.apply_unchecked(position, step);
            match self.winner_after(&applied) {
                Some(ended) if ended.winner == Some(self.winner) => {
                    return Ok(Some(self.keep_won(position, 1, step, ended.since)));
                }
                Some(_) => continue,
                None if plies <= self.stride() => continue,
                None => {}
            }
            let threat = self.rules.scan(&applied.position).winning_move(self.winner);
            if threat.is_none() && Some(step) != known {
                quiet.push((step, applied.position));
            } else if let Some(since) = self.descend(&applied.position, plies - 1)? {
                return Ok(Some(self.keep_won(position, plies, step, since)));
            }
        }
        for (step, after) in quiet {
            if let Some(since) = self.descend(&after, plies - 1)? {
                return Ok(Some(self.keep_won(position, plies, step, since)));
            }
        }
        self.keep_not_won(position, plies, None);
        Ok(None)
    }

    /// Keeps that a position is not won, unless a repetition could win it after another line.
    fn keep_not_won(&mut self, position: &Position, plies: u32, step: Option<Move>) {
        if !self.thorough {
            let key = self.key(position);
            self.table.keep_not_won(key, plies, step);
        }
    }

    /// Keeps a win, if it does not depend on the line that leads to its position.
    fn keep_won(
        &mut self,
        position: &Position,
        plies: u32,
        step: Move,
        since: usize,
    ) -> (Move, usize) {
        if since < self.path.index() {
            return (step, since);
        }
        let key = self.key(position);
        self.table.keep_won(key, plies, Some(step));
        (step, FREE)
    }

    /// The other side is to move: every defence must fail.
    fn defend(&mut self, position: &Position, plies: u32) -> Proof {
        let defender = self.winner.opponent();
        if self.plain && self.rules.scan(position).winning_move(defender).is_some() {
            self.keep_not_won(position, plies, None);
            return Ok(None);
        }
        let moves = self.rules.moves(position);
        if moves.is_empty() {
            // The laws ignore a side without moves; the game cannot go on to a win.
            return Ok(None);
        }
        // What refuted a shorter win of this position refutes a longer one most often.
        let known = self.known_move(position, &moves);
        let mut since = FREE;
        for &step in known_first(known, &moves) {
            let applied = self.rules.apply_unchecked(position, step);
            let proof = match self.winner_after(&applied) {
                Some(ended) => (ended.winner == Some(self.winner)).then_some(ended.since),
                None => self.descend(&applied.position, plies - 1)?,
            };
            match proof {
                Some(reaches) => since = since.min(reaches),
                None => {
                    self.keep_not_won(position, plies, Some(step));
                    return Ok(None);
                }
            }
        }
        if since >= self.path.index() {
            since = FREE;
            let key = self.key(position);
            self.table.keep_won(key, plies, None);
        }
        Ok(Some(since))
    }

    /// The move to try first: what the solver knows, or what a running search does.
    fn known_move(&self, position: &Position, moves: &MoveList) -> Option<Move> {
        let own = self.table.get(self.key(position));
        let hint = || self.hints?.probe(position.key())?.step;
        own.and_then(|entry| entry.step)
            .or_else(hint)
            .filter(|step| moves.contains(step))
    }

    /// How a move ends the game, if it does.
    pub(super) fn winner_after(&mut self, applied: &Applied) -> Option<LineEnd> {
        if let Some(end) = applied.end {
            return Some(LineEnd {
                winner: Some(end.winner()),
                since: FREE,
            });
        }
        self.path.push(&applied.position);
        let ended = self.judge(&applied.position);
        self.path.pop();
        ended
    }

    /// What the laws say about the position at the end of the path.
    fn judge(&self, position: &Position) -> Option<LineEnd> {
        let (side, root) = (position.side(), self.root);
        // A side without moves is looked for only where there can be one.
        let is_stuck = |over: bool| {
            (over || self.may_be_stuck(position, side)) && !self.rules.has_moves(position)
        };
        if let Some(judgement) = self.path.judge_with(position, |ply| ply <= root, is_stuck) {
            return Some(LineEnd {
                winner: judgement.outcome.winner,
                since: FREE,
            });
        }
        if side != self.winner || !self.repeater_loses() {
            return None;
        }
        let judgement = self.path.judge_with(position, |_| true, |_| false)?;
        Some(LineEnd {
            winner: judgement.outcome.winner,
            since: judgement.since,
        })
    }

    /// Whether the winner's next move can leave the other side without a move, by the board or by a
    /// limit.
    fn may_run_out_of_moves(&self, position: &Position) -> bool {
        self.path.laws().move_limit.is_some() || self.may_be_stuck(position, self.winner.opponent())
    }

    /// Whether a side can be without a legal move, now or after one move of the other.
    ///
    /// A move takes at most three men off the board and stands in the way of four; a side with more
    /// pieces than that beside a square open to all can move.
    fn may_be_stuck(&self, position: &Position, side: Side) -> bool {
        let free = self.open & !position.occupied();
        let movable = position
            .pieces(side)
            .iter()
            .filter(|&piece| !self.beside[piece.index()].is_disjoint(free));
        movable.take(8).count() < 8
    }
}

/// How a line ends.
pub(super) struct LineEnd {
    pub(super) winner: Option<Side>,
    /// The earliest ply of the line that this depends on.
    pub(super) since: usize,
}

/// The known move, then the others.
fn known_first(known: Option<Move>, moves: &MoveList) -> impl Iterator<Item = &Move> {
    let first = moves.iter().filter(move |&&step| Some(step) == known);
    first.chain(moves.iter().filter(move |&&step| Some(step) != known))
}
