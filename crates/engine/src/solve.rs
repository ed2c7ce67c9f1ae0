//! Forced wins: proved or refuted by looking at every defence.
//!
//! The solver asks whether a side can force a win within so many plies, for 1, 2, 3, … plies, so the
//! first win it finds is the shortest. There are no reductions, no estimates and no chances: an
//! answer *won* or *not within n plies* is a proof.
//!
//! **Repetition.** A forced win in the fewest plies never comes back to a position of its own line:
//! each move of the winner leads to positions that are won in fewer plies, and a position is won in
//! one number of plies only. So a position's answer does not depend on the path that leads to it,
//! and may be kept in a table. Positions of the *game* before the first move do matter: coming back
//! to them ends the game as the laws say, whatever the path. Only where the side that repeats loses
//! could a defender be forced by a repetition inside the line; there a refutation is not claimed.

use std::collections::HashMap;

use tablut_rules::{
    Bitboard, End, Game, Laws, Move, Position, Repetition, RepetitionResult, Rules, Side, Square,
    StartCounts, TwoLanes,
};

use crate::{Control, NoMemory};

/// How far the solver may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveLimits {
    /// The longest win to look for, in plies.
    pub plies: u32,
    /// The most positions to look at.
    pub nodes: u64,
}

impl Default for SolveLimits {
    fn default() -> Self {
        Self {
            plies: 15,
            nodes: u64::MAX,
        }
    }
}

/// What the solver found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solution {
    /// The side wins by force.
    Won {
        /// In at most so many plies.
        plies: u32,
        /// Whether no shorter forced win exists.
        shortest: bool,
        /// The winner's moves, and a longest defence.
        line: Vec<Move>,
    },
    /// The side has no forced win within so many plies.
    NotWithin(u32),
    /// The limits ended the search, or repetition could matter; so many plies were looked through
    /// without finding a win.
    Unknown(u32),
}

/// How a solver gets on, told after each length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveProgress {
    /// No win within so many plies was found.
    pub plies: u32,
    /// Positions looked at so far.
    pub nodes: u64,
}

/// What is known of a position: the least number of plies in which it is won, and the largest in
/// which it is not.
#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    step: Option<Move>,
    won: u8,
    not_within: u8,
}

const BLANK: Entry = Entry {
    key: 0,
    step: None,
    won: u8::MAX,
    not_within: 0,
};

/// The longest win that is looked for, so that lengths fit the table.
const LONGEST: u32 = 200;

/// An empty table of so many megabytes, with one entry at least.
fn blank(megabytes: usize) -> Result<Vec<Entry>, NoMemory> {
    let none = || NoMemory { megabytes };
    let bytes = megabytes.checked_mul(1 << 20).ok_or_else(none)?;
    let count = (bytes / size_of::<Entry>()).max(1);
    let mut table = Vec::new();
    table.try_reserve_exact(count).map_err(|_| none())?;
    table.resize(count, BLANK);
    Ok(table)
}

/// The search was ended by its limits.
struct Interrupted;

type Search<T> = Result<T, Interrupted>;

/// A solver for one position of one game, and one side.
pub struct Solver<'g> {
    rules: &'g Rules,
    laws: Laws,
    root: Position,
    /// How many moves each side had made before.
    made: [u32; 2],
    winner: Side,
    /// How often each position of the game has occurred, by key.
    past: HashMap<u64, u32>,
    /// Whether single moves can be judged by the king's neighbours alone.
    plain: bool,
    /// Squares every piece may stop on.
    open: Bitboard,
    /// The squares beside each square.
    beside: [Bitboard; Square::COUNT],
    table: Vec<Entry>,
    nodes: u64,
    most: u64,
    control: Control,
}

impl<'g> Solver<'g> {
    /// A solver for the present position of a game, with a table of so many megabytes; where memory
    /// is short, as large as can be had. [`Solver::try_new`] tells instead.
    ///
    /// # Panics
    /// There is no memory for the smallest table either.
    #[must_use]
    pub fn new(game: &'g Game, winner: Side, mut hash_mb: usize, control: Control) -> Self {
        loop {
            match Self::try_new(game, winner, hash_mb, control.clone()) {
                Ok(solver) => return solver,
                Err(error) => {
                    assert!(hash_mb > 0, "{error}");
                    hash_mb /= 2;
                }
            }
        }
    }

    /// A solver with a table of just the size that was asked for.
    ///
    /// # Errors
    /// There is not that much memory.
    pub fn try_new(
        game: &'g Game,
        winner: Side,
        hash_mb: usize,
        control: Control,
    ) -> Result<Self, NoMemory> {
        let rules: &Rules = game.rules();
        let set = rules.set();
        let mut past = HashMap::new();
        let uncounted = match game.laws().start_counts {
            StartCounts::Yes => None,
            StartCounts::No => Some(game.start().key()),
        };
        let positions = game.plies().iter().map(|ply| ply.position);
        for position in std::iter::once(*game.start()).chain(positions) {
            *past.entry(position.key()).or_insert(0) += 1;
        }
        if let Some(count) = uncounted.and_then(|key| past.get_mut(&key)) {
            *count -= 1;
        }
        Ok(Self {
            rules,
            laws: *game.laws(),
            root: *game.position(),
            made: Side::ALL.map(|side| game.made_by(side)),
            winner,
            past,
            plain: set.two_lanes() == TwoLanes::Call && !set.quirk().idle_siege,
            open: set.size().squares() & !set.camp_squares() & !Bitboard::from(set.castle()),
            beside: std::array::from_fn(|n| {
                Square::from_index(n).map_or(Bitboard::EMPTY, Bitboard::beside)
            }),
            table: blank(hash_mb)?,
            nodes: 0,
            most: u64::MAX,
            control,
        })
    }

    /// How many positions have been looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for the shortest forced win.
    pub fn solve(
        &mut self,
        limits: SolveLimits,
        on_progress: &mut dyn FnMut(SolveProgress),
    ) -> Solution {
        self.most = limits.nodes;
        let longest = limits.plies.min(LONGEST);
        // The winner makes the last move, so only every other length can be a win.
        let first = if self.root.side() == self.winner {
            1
        } else {
            2
        };
        let mut looked = 0;
        for plies in (first..=longest).step_by(2) {
            match self.search(&self.root.clone(), plies, 0) {
                Err(Interrupted) => return Solution::Unknown(looked),
                Ok(false) => {
                    looked = plies + 1;
                    let nodes = self.nodes;
                    on_progress(SolveProgress {
                        plies: looked.min(longest),
                        nodes,
                    });
                }
                Ok(true) => {
                    self.most = u64::MAX;
                    return Solution::Won {
                        plies,
                        shortest: self.refutes(),
                        line: self.line(plies),
                    };
                }
            }
        }
        if self.refutes() {
            Solution::NotWithin(longest)
        } else {
            Solution::Unknown(longest)
        }
    }

    /// Whether "not within" is a proof under these laws.
    fn refutes(&self) -> bool {
        let repeater_loses = |law: Repetition| law.result == RepetitionResult::MoverLoses;
        !self.laws.repetition.is_some_and(repeater_loses) && self.laws.memory.is_none()
    }

    /// The winner's move in a position that is won in so many plies after so many moves.
    ///
    /// Gives nothing if the position is not won so, if it is not the winner's turn, or if the search
    /// is stopped.
    pub fn winning_move(&mut self, position: &Position, plies: u32, ply: u32) -> Option<Move> {
        if position.side() != self.winner {
            return None;
        }
        for &step in &self.rules.moves(position) {
            let applied = self.rules.apply_unchecked(position, step);
            if self.decided(&applied.position, applied.end, ply + 1) == Some(Some(self.winner)) {
                return Some(step);
            }
        }
        match self.search(position, plies, ply) {
            Ok(true) => self.entry(position, ply).and_then(|entry| entry.step),
            _ => None,
        }
    }

    /// In how few plies the winner wins a position after a defence, up to a bound.
    pub fn distance(&mut self, position: &Position, most: u32, ply: u32) -> Option<u32> {
        let first = if position.side() == self.winner { 1 } else { 2 };
        (first..=most)
            .step_by(2)
            .find(|&plies| matches!(self.search(position, plies, ply), Ok(true)))
    }

    /// Whether the game is over after a move, so many plies from the first position.
    #[must_use]
    pub fn is_decided(&self, position: &Position, end: Option<End>, ply: u32) -> bool {
        self.decided(position, end, ply).is_some()
    }

    /// The winner's moves against a longest defence.
    fn line(&mut self, plies: u32) -> Vec<Move> {
        let mut position = self.root;
        let mut line = Vec::new();
        let mut left = plies;
        while left > 0 {
            let ply = line.len() as u32;
            let step = if position.side() == self.winner {
                self.winning_move(&position, left, ply)
            } else {
                self.longest_defence(&position, left, ply)
            };
            let Some(step) = step else { break };
            line.push(step);
            let applied = self.rules.apply_unchecked(&position, step);
            position = applied.position;
            left -= 1;
            if self.decided(&position, applied.end, ply + 1).is_some() {
                break;
            }
        }
        line
    }

    /// A defence after which the win takes longest.
    fn longest_defence(&mut self, position: &Position, left: u32, ply: u32) -> Option<Move> {
        let mut best = None;
        for &step in &self.rules.moves(position) {
            let applied = self.rules.apply_unchecked(position, step);
            let distance = match self.decided(&applied.position, applied.end, ply + 1) {
                Some(_) => 0,
                None => self.distance(&applied.position, left - 1, ply + 1)?,
            };
            if best.is_none_or(|(longest, _)| distance > longest) {
                best = Some((distance, step));
            }
        }
        best.map(|(_, step)| step)
    }

    /// The key of a position with all its answer depends on.
    fn key(&self, position: &Position, ply: u32) -> u64 {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut key = position.key();
        if self.laws.captureless_limit.is_some() {
            key ^= (u64::from(position.quiet()) + 1).wrapping_mul(MIX);
        }
        if self.laws.move_limit.is_some() {
            key ^= (u64::from(ply) + 1).wrapping_mul(MIX).rotate_left(32);
        }
        key
    }

    fn entry(&self, position: &Position, ply: u32) -> Option<Entry> {
        let key = self.key(position, ply);
        let entry = self.table[self.place(key)];
        (entry.key == key).then_some(entry)
    }

    /// Keeps an answer. A longer search is worth more than a shorter one of another position.
    fn keep(&mut self, position: &Position, ply: u32, plies: u32, step: Option<Move>) {
        let key = self.key(position, ply);
        let place = self.place(key);
        let entry = &mut self.table[place];
        if entry.key != key {
            *entry = Entry { key, ..BLANK };
        }
        match step {
            Some(step) => {
                entry.won = entry.won.min(plies as u8);
                entry.step = Some(step);
            }
            None => entry.not_within = entry.not_within.max(plies as u8),
        }
    }

    /// Whether the winner wins a position within so many plies.
    fn search(&mut self, position: &Position, plies: u32, ply: u32) -> Search<bool> {
        self.nodes += 1;
        if self.nodes > self.most || self.nodes.is_multiple_of(1024) && self.control.is_stopped() {
            return Err(Interrupted);
        }
        if plies == 0 {
            return Ok(false);
        }
        let attacks = position.side() == self.winner;
        if attacks && self.plain {
            if self
                .rules
                .scan(position)
                .winning_move(self.winner)
                .is_some()
            {
                return Ok(true);
            }
            if plies == 1 && !self.may_be_stuck(position, self.winner.opponent()) {
                return Ok(false);
            }
        }
        if let Some(entry) = self.entry(position, ply) {
            if u32::from(entry.won) <= plies {
                return Ok(true);
            }
            if u32::from(entry.not_within) >= plies {
                return Ok(false);
            }
        }
        if attacks {
            self.attack(position, plies, ply)
        } else {
            self.defend(position, plies, ply)
        }
    }

    /// The winner is to move: one good move is enough.
    fn attack(&mut self, position: &Position, plies: u32, ply: u32) -> Search<bool> {
        let moves = self.rules.moves(position);
        let known = self.entry(position, ply).and_then(|entry| entry.step);
        // Moves that threaten to win at once come first: they leave few defences.
        let mut quiet = Vec::new();
        for &step in known
            .iter()
            .chain(moves.iter().filter(|&&m| Some(m) != known))
        {
            let applied = self.rules.apply_unchecked(position, step);
            match self.decided(&applied.position, applied.end, ply + 1) {
                Some(Some(side)) if side == self.winner => {
                    self.keep(position, ply, 1, Some(step));
                    return Ok(true);
                }
                Some(_) => continue,
                None if plies < 3 => continue,
                None => {}
            }
            let threat = self.rules.scan(&applied.position).winning_move(self.winner);
            if threat.is_none() && Some(step) != known {
                quiet.push((step, applied.position));
            } else if self.search(&applied.position, plies - 1, ply + 1)? {
                self.keep(position, ply, plies, Some(step));
                return Ok(true);
            }
        }
        for (step, after) in quiet {
            if self.search(&after, plies - 1, ply + 1)? {
                self.keep(position, ply, plies, Some(step));
                return Ok(true);
            }
        }
        self.keep(position, ply, plies, None);
        Ok(false)
    }

    /// The other side is to move: every defence must fail.
    fn defend(&mut self, position: &Position, plies: u32, ply: u32) -> Search<bool> {
        let defender = self.winner.opponent();
        if self.plain && self.rules.scan(position).winning_move(defender).is_some() {
            self.keep(position, ply, plies, None);
            return Ok(false);
        }
        let moves = self.rules.moves(position);
        if moves.is_empty() {
            // Laws under which nobody minds; the game cannot go on to a win.
            return Ok(false);
        }
        // What refuted a shorter win of this position refutes a longer one most often.
        let known = self.entry(position, ply).and_then(|entry| entry.step);
        for &step in known
            .iter()
            .chain(moves.iter().filter(|&&m| Some(m) != known))
        {
            let applied = self.rules.apply_unchecked(position, step);
            let falls = match self.decided(&applied.position, applied.end, ply + 1) {
                Some(side) => side == Some(self.winner),
                None => self.search(&applied.position, plies - 1, ply + 1)?,
            };
            if !falls {
                self.keep(position, ply, plies, None);
                self.remember_refutation(position, ply, step);
                return Ok(false);
            }
        }
        self.keep(position, ply, plies, moves.first().copied());
        Ok(true)
    }

    /// Where a key is kept.
    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.table.len() as u128) >> 64) as usize
    }

    fn remember_refutation(&mut self, position: &Position, ply: u32, step: Move) {
        let key = self.key(position, ply);
        let place = self.place(key);
        let entry = &mut self.table[place];
        if entry.key == key {
            entry.step = Some(step);
        }
    }

    /// How a position stands after a move by the laws and the king's fate: won by a side, drawn
    /// (`Some(None)`), or open.
    fn decided(&self, position: &Position, end: Option<End>, ply: u32) -> Option<Option<Side>> {
        if let Some(end) = end {
            return Some(Some(end.winner()));
        }
        let (side, mover) = (position.side(), position.side().opponent());
        let laws = &self.laws;
        let occurrence = 1 + self.past.get(&position.key()).copied().unwrap_or(0);
        let made = self.made[side.index()] + ply / 2;
        let over = laws
            .repeated(mover, occurrence)
            .or_else(|| laws.captureless(position.quiet()))
            .or_else(|| laws.out_of_moves(side, made));
        // A side without moves comes first, but is looked for only where it can be.
        if over.is_some() || self.may_be_stuck(position, side) {
            let stuck = laws.without_move(side);
            if let Some(stuck) = stuck.filter(|_| !self.rules.has_moves(position)) {
                return Some(stuck.winner);
            }
        }
        over.map(|outcome| outcome.winner)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_the_size_that_was_asked_for() {
        for megabytes in [1, 3, 8] {
            let table = blank(megabytes).expect("a few megabytes");
            let bytes = table.len() * size_of::<Entry>();
            let asked = megabytes << 20;
            assert!(bytes <= asked && asked - bytes < size_of::<Entry>());
        }
        assert!(blank(usize::MAX >> 21).is_err());
    }
}
