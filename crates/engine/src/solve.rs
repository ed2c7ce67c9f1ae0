//! Forced wins: proved or refuted by looking at every defence.
//!
//! The solver is an AND/OR search. It asks whether a side can force a win within a number of plies:
//! one move of the winner has to do (OR), every defence has to fail (AND). There are no reductions,
//! no estimates and no chances, so an answer *won* or *not within n plies* is a proof. `tablut solve`
//! asks it for 1, 2, 3, … plies, so that the first win it finds is the shortest; the engine asks it
//! before it claims a win or a loss.
//!
//! **Repetition.** A forced win in the fewest plies never comes back to a position of its own line:
//! each move of the winner leads to positions that are won in fewer plies, and a position is won in
//! one number of plies only. So a position's answer does not depend on the path that leads to it,
//! and may be kept in a table. Positions of the *game* before the first move do matter: coming back
//! to them ends the game as the laws say, whatever the path. Only where the side that repeats loses
//! can a repetition inside the line force a defender. A win that needs one counts, but is not kept
//! beyond the line it belongs to; and since a table might hide such a win, a refutation is not
//! claimed there.

mod search;
mod table;

use tablut_rules::{
    Bitboard, Game, Move, Position, Repetition, RepetitionResult, Rules, Side, Square,
};

use crate::{
    Control, NoMemory, memory::as_large_as_possible, path::Path, search::SearchContext,
    transposition::OpenTable,
};

use search::Interrupted;
use table::ProofTable;

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
        /// In at most this many plies.
        plies: u32,
        /// Whether no shorter forced win exists.
        shortest: bool,
        /// The winner's moves, and a longest defence.
        line: Vec<Move>,
    },
    /// The side has no forced win within this many plies.
    NotWithin(u32),
    /// The limits ended the search, or repetition could matter; no win was found within this many
    /// plies.
    Unknown(u32),
}

/// What is known of a win within a number of plies, after a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveProof {
    /// It is forced.
    Won,
    /// There is none.
    NotWithin,
    /// The limits ended the search, or repetition could matter.
    Unknown,
}

/// How far a solver has come, told after each length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolveProgress {
    /// No win within this many plies was found.
    pub plies: u32,
    /// Positions looked at so far.
    pub nodes: u64,
}

/// The longest win that is looked for, so that lengths fit the table.
const LONGEST: u32 = 200;

/// A solver for one position of one game, and one side.
///
/// It stands on a position, at first the present one of the game, which [`Solver::play`] and
/// [`Solver::take_back`] change.
pub struct Solver<'g> {
    rules: &'g Rules,
    winner: Side,
    /// The game, and the line that is looked at.
    path: Path,
    /// The positions from the game's present one on.
    positions: Vec<Position>,
    /// The ply of the game's present position.
    root: usize,
    /// Whether the scan of a position finds every move that wins at once: no rare law ends games.
    plain: bool,
    /// Squares every piece may stop on.
    open: Bitboard,
    /// The squares beside each square.
    beside: [Bitboard; Square::COUNT],
    table: ProofTable,
    /// Whether refutations are found anew wherever they are needed; see [`Solver::thorough`].
    thorough: bool,
    /// Says which move to try first where the solver does not know.
    hints: Option<OpenTable<'g>>,
    nodes: u64,
    most: u64,
    next_look: u64,
    must_stop: Box<dyn Fn() -> bool + Send + 'g>,
}

impl<'g> Solver<'g> {
    /// A solver for the present position of a game, with a table of a number of megabytes; where
    /// memory is short, as large as can be had. [`Solver::try_new`] tells instead.
    ///
    /// # Panics
    /// There is no memory for the smallest table either.
    #[must_use]
    pub fn new(game: &'g Game, winner: Side, hash_mb: usize, control: Control) -> Self {
        as_large_as_possible(hash_mb, |hash_mb| {
            Self::try_new(game, winner, hash_mb, control.clone())
        })
    }

    /// A solver with a table of exactly the size that was asked for.
    ///
    /// # Errors
    /// There is not that much memory.
    pub fn try_new(
        game: &'g Game,
        winner: Side,
        hash_mb: usize,
        control: Control,
    ) -> Result<Self, NoMemory> {
        let table = ProofTable::new(hash_mb)?;
        let must_stop = Box::new(move || control.is_stopped());
        Ok(Self::with_table(game, winner, table, must_stop))
    }

    /// A solver that takes hints from a running search and stops with it.
    pub(crate) fn beside_search(
        game: &'g Game,
        winner: Side,
        hash_mb: usize,
        context: &'g SearchContext<'g>,
    ) -> Self {
        let table = as_large_as_possible(hash_mb, ProofTable::new);
        let must_stop = Box::new(|| context.is_over());
        Self {
            hints: Some(context.table),
            ..Self::with_table(game, winner, table, must_stop)
        }
    }

    fn with_table(
        game: &'g Game,
        winner: Side,
        table: ProofTable,
        must_stop: Box<dyn Fn() -> bool + Send + 'g>,
    ) -> Self {
        let rules: &Rules = game.rules();
        let set = rules.set();
        let path = Path::new(game);
        Self {
            rules,
            winner,
            root: path.index(),
            path,
            positions: vec![*game.position()],
            plain: !rules.has_rare_laws(),
            open: set.size().squares() & !set.camp_squares() & !Bitboard::from(set.castle()),
            beside: std::array::from_fn(|n| {
                Square::from_index(n).map_or(Bitboard::EMPTY, Bitboard::beside)
            }),
            table,
            thorough: false,
            hints: None,
            nodes: 0,
            most: u64::MAX,
            next_look: 0,
            must_stop,
        }
    }

    /// The same solver, whose refutations are proofs under every law: where the side that repeats
    /// loses, it keeps none of them beyond the line they belong to. That takes more nodes; elsewhere
    /// nothing changes.
    #[must_use]
    pub fn thorough(mut self) -> Self {
        self.thorough = self.repeater_loses();
        self
    }

    /// How many positions have been looked at.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The position that the solver stands on.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.positions[self.positions.len() - 1]
    }

    /// Makes a legal move; true if it ends the game.
    pub fn play(&mut self, step: Move) -> bool {
        let applied = self.rules.apply_unchecked(self.position(), step);
        let is_over = self.winner_after(&applied).is_some();
        self.path.push(&applied.position);
        self.positions.push(applied.position);
        is_over
    }

    /// Takes the last move of [`Solver::play`] back.
    pub fn take_back(&mut self) {
        if self.positions.len() > 1 {
            self.positions.pop();
            self.path.pop();
        }
    }

    /// Looks for the shortest forced win in the position that the solver stands on.
    pub fn solve(
        &mut self,
        limits: SolveLimits,
        on_progress: &mut dyn FnMut(SolveProgress),
    ) -> Solution {
        self.begin(limits.nodes);
        let longest = limits.plies.min(LONGEST);
        let mut looked = 0;
        for plies in self.lengths(longest) {
            match self.search(&self.position().clone(), plies) {
                Err(Interrupted) => return Solution::Unknown(looked),
                Ok(None) => {
                    looked = plies + self.stride() - 1;
                    on_progress(SolveProgress {
                        plies: looked.min(longest),
                        nodes: self.nodes,
                    });
                }
                Ok(Some(_)) => {
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

    /// Whether the winner wins within a number of plies, with or after this first move if there is
    /// one, and a number of nodes is enough to prove it.
    pub(crate) fn proves(&mut self, first: Option<Move>, plies: u32, nodes: u64) -> bool {
        matches!(self.proof(first, plies, nodes), Ok(Some(_)))
    }

    /// Whether the winner wins within a number of plies, if the side to move makes this legal move
    /// first, which is one of the plies.
    pub fn judge_move(&mut self, step: Move, plies: u32, nodes: u64) -> MoveProof {
        match self.proof(Some(step), plies, nodes) {
            Ok(Some(_)) => MoveProof::Won,
            Ok(None) if self.refutes() => MoveProof::NotWithin,
            Ok(None) | Err(Interrupted) => MoveProof::Unknown,
        }
    }

    /// A move of the side to move after which the winner has no win within a number of plies, that
    /// move included.
    ///
    /// Gives nothing if there is none, or if the nodes do not suffice to find one.
    pub fn refutation(&mut self, plies: u32, nodes: u64) -> Option<Move> {
        let moves = self.rules.moves(self.position());
        let refutes = |&step: &Move| matches!(self.proof(Some(step), plies, nodes), Ok(None));
        moves.iter().copied().find(refutes)
    }

    fn proof(&mut self, first: Option<Move>, plies: u32, nodes: u64) -> search::Proof {
        self.begin(nodes);
        let position = *self.position();
        let plies = plies.min(LONGEST);
        let Some(step) = first else {
            return self.search(&position, plies);
        };
        let applied = self.rules.apply_unchecked(&position, step);
        match self.winner_after(&applied) {
            Some(ended) => Ok((ended.winner == Some(self.winner)).then_some(ended.since)),
            None => self.descend(&applied.position, plies.saturating_sub(1)),
        }
    }

    /// The winner's move in a position that is won within a number of plies.
    ///
    /// Gives nothing if it is not won so, if it is not the winner's turn, or if the search is stopped.
    pub fn winning_move(&mut self, plies: u32) -> Option<Move> {
        self.begin(u64::MAX);
        let position = *self.position();
        if position.side() != self.winner {
            return None;
        }
        let found = self.attack(&position, plies).ok()?;
        found.map(|(step, _)| step)
    }

    /// In how few plies the winner wins, up to a bound.
    pub fn distance(&mut self, most: u32) -> Option<u32> {
        self.begin(u64::MAX);
        let position = *self.position();
        for plies in self.lengths(most.min(LONGEST)) {
            if self.search(&position, plies).ok()?.is_some() {
                return Some(plies);
            }
        }
        None
    }

    /// The lengths a win can have.
    fn lengths(&self, longest: u32) -> impl Iterator<Item = u32> + use<> {
        let first = match self.position().side() == self.winner {
            true => 1,
            false => self.stride(),
        };
        (first..=longest).step_by(self.stride() as usize)
    }

    /// How far lengths of wins are apart: the winner makes the last move, but a rare law may end the
    /// game by a move of the other side as well.
    const fn stride(&self) -> u32 {
        if self.plain { 2 } else { 1 }
    }

    /// Whether "not within" is a proof under these laws.
    fn refutes(&self) -> bool {
        (self.thorough || !self.repeater_loses()) && self.path.laws().memory.is_none()
    }

    fn repeater_loses(&self) -> bool {
        let loses = |law: Repetition| law.result == RepetitionResult::MoverLoses;
        self.path.laws().repetition.is_some_and(loses)
    }

    /// The winner's moves against a longest defence.
    fn line(&mut self, plies: u32) -> Vec<Move> {
        let mut line = Vec::new();
        for left in (1..=plies).rev() {
            let step = if self.position().side() == self.winner {
                self.winning_move(left)
            } else {
                self.longest_defence(left)
            };
            let Some(step) = step else { break };
            line.push(step);
            if self.play(step) {
                break;
            }
        }
        self.positions.truncate(self.positions.len() - line.len());
        line.iter().for_each(|_| self.path.pop());
        line
    }

    /// A defence after which the win takes longest.
    fn longest_defence(&mut self, left: u32) -> Option<Move> {
        let mut best = None;
        for &step in &self.rules.moves(self.position()) {
            let distance = match self.play(step) {
                true => Some(0),
                false => self.distance(left - 1),
            };
            self.take_back();
            let distance = distance?;
            if best.is_none_or(|(longest, _)| distance > longest) {
                best = Some((distance, step));
            }
        }
        best.map(|(_, step)| step)
    }
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("winner", &self.winner)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
