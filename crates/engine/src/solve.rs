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

mod table;

use tablut_rules::{
    Applied, Bitboard, Game, Move, MoveList, Position, Repetition, RepetitionResult, Rules, Side,
    Square, TwoLanes,
};

use crate::{
    Control, NoMemory,
    memory::as_large_as_possible,
    path::{FREE, Path},
    search::SearchContext,
    transposition::TranspositionTable,
};

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

/// How often the solver asks whether it has to stop, in nodes.
const LOOK: u64 = 256;

/// The search was stopped or ended by its limits.
struct Interrupted;

/// Whether the winner wins: if so, the earliest ply of the line that the win depends on, which is
/// [`FREE`] unless a defender is forced by a repetition.
type Proof = Result<Option<usize>, Interrupted>;

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
    /// Whether single moves can be judged by the king's neighbours alone.
    plain: bool,
    /// Squares every piece may stop on.
    open: Bitboard,
    /// The squares beside each square.
    beside: [Bitboard; Square::COUNT],
    table: ProofTable,
    /// Says which move to try first where the solver does not know.
    hints: Option<&'g TranspositionTable>,
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
            plain: set.two_lanes() == TwoLanes::Call && !set.quirk().idle_siege,
            open: set.size().squares() & !set.camp_squares() & !Bitboard::from(set.castle()),
            beside: std::array::from_fn(|n| {
                Square::from_index(n).map_or(Bitboard::EMPTY, Bitboard::beside)
            }),
            table,
            hints: None,
            nodes: 0,
            most: u64::MAX,
            next_look: 0,
            must_stop,
        }
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
                    looked = plies + 1;
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
        self.begin(nodes);
        let position = *self.position();
        let plies = plies.min(LONGEST);
        let proof = match first {
            None => self.search(&position, plies),
            Some(step) => {
                let applied = self.rules.apply_unchecked(&position, step);
                match self.winner_after(&applied) {
                    Some(ended) => Ok((ended.winner == Some(self.winner)).then_some(ended.since)),
                    None => self.descend(&applied.position, plies.saturating_sub(1)),
                }
            }
        };
        matches!(proof, Ok(Some(_)))
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

    /// The lengths a win can have: the winner makes its last move.
    fn lengths(&self, longest: u32) -> impl Iterator<Item = u32> + use<> {
        let first = match self.position().side() == self.winner {
            true => 1,
            false => 2,
        };
        (first..=longest).step_by(2)
    }

    /// Whether "not within" is a proof under these laws.
    fn refutes(&self) -> bool {
        !self.repeater_loses() && self.path.laws().memory.is_none()
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

    /// Begins to answer a question that may take a number of nodes.
    fn begin(&mut self, nodes: u64) {
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
    fn search(&mut self, position: &Position, plies: u32) -> Proof {
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
    fn descend(&mut self, after: &Position, plies: u32) -> Proof {
        self.path.push(after);
        let proof = self.search(after, plies);
        self.path.pop();
        proof
    }

    /// The winner is to move: one good move is enough.
    fn attack(
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
                None if plies < 3 => continue,
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
        let key = self.key(position);
        self.table.keep_not_won(key, plies, None);
        Ok(None)
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
        let key = self.key(position);
        let defender = self.winner.opponent();
        if self.plain && self.rules.scan(position).winning_move(defender).is_some() {
            self.table.keep_not_won(key, plies, None);
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
                    self.table.keep_not_won(key, plies, Some(step));
                    return Ok(None);
                }
            }
        }
        if since >= self.path.index() {
            since = FREE;
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

    /// How a move ends the game, if it does: the winner, if there is one, and the earliest ply of
    /// the line that this depends on.
    fn winner_after(&mut self, applied: &Applied) -> Option<Ended> {
        if let Some(end) = applied.end {
            return Some(Ended {
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
    fn judge(&self, position: &Position) -> Option<Ended> {
        let (side, root) = (position.side(), self.root);
        // A side without moves is looked for only where there can be one.
        let is_stuck = |over: bool| {
            (over || self.may_be_stuck(position, side)) && !self.rules.has_moves(position)
        };
        if let Some(judgement) = self.path.judge_with(position, |ply| ply <= root, is_stuck) {
            return Some(Ended {
                winner: judgement.outcome.winner,
                since: FREE,
            });
        }
        if side != self.winner || !self.repeater_loses() {
            return None;
        }
        let judgement = self.path.judge_with(position, |_| true, |_| false)?;
        Some(Ended {
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
struct Ended {
    winner: Option<Side>,
    since: usize,
}

/// The known move, then the others.
fn known_first<'m>(known: Option<Move>, moves: &'m MoveList) -> impl Iterator<Item = &'m Move> {
    let first = moves.iter().filter(move |&&step| Some(step) == known);
    first.chain(moves.iter().filter(move |&&step| Some(step) != known))
}

impl std::fmt::Debug for Solver<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("winner", &self.winner)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}
