//! The search loop: principal-variation search over copied positions. The hot path.
//!
//! Values that depend on the way to a node (repetition, limits) are tracked by how far back they
//! reach; only values of a position alone are kept in the table, otherwise only the move is.

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use tablut_rules::{Bitboard, Move, MoveList, Outcome, Position, Rules, Side};

use crate::{
    Control,
    evaluation::Evaluator,
    order::{Experience, MAX_PLY, Ranked},
    parameter::Parameters,
    path::{FREE, Path},
    score::value::{self, INFINITY, WIN},
    table::{Bound, Found, Table},
};

/// How often the clock and the control are looked at, in nodes.
const LOOK: u64 = 1024;

/// Ranks of moves; histories lie below.
mod rank {
    pub(super) const CAPTURE: i32 = 100_000;
    pub(super) const FORK: i32 = 120_000;
    pub(super) const LANE: i32 = 40_000;
    pub(super) const KILLER: i32 = 80_000;
    pub(super) const SECOND_KILLER: i32 = 79_000;
    pub(super) const ANSWER: i32 = 70_000;
}

/// What all threads of a search share.
pub(crate) struct Shared<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) parameters: &'a Parameters,
    pub(crate) table: &'a Table,
    pub(crate) control: &'a Control,
    pub(crate) reductions: &'a Reductions,
    pub(crate) stopped: AtomicBool,
    /// Nodes of all threads, counted in steps.
    pub(crate) nodes: AtomicU64,
    pub(crate) node_limit: Option<u64>,
    pub(crate) deadline: Option<Instant>,
}

/// What a thread keeps between searches.
pub(crate) struct Memory {
    pub(crate) evaluator: Evaluator,
    pub(crate) experience: Experience,
    moves: MoveList,
    ranked: Vec<Ranked>,
}

impl Memory {
    pub(crate) fn new(rules: &Rules) -> Self {
        let mut ranked = Vec::new();
        ranked.resize_with(MAX_PLY, Ranked::new);
        Self {
            evaluator: Evaluator::new(rules),
            experience: Experience::new(),
            moves: MoveList::new(),
            ranked,
        }
    }
}

/// One thread's search.
pub(crate) struct Searcher<'a> {
    pub(crate) shared: &'a Shared<'a>,
    pub(crate) memory: &'a mut Memory,
    pub(crate) path: Path,
    pub(crate) nodes: u64,
    next_look: u64,
    /// Nodes already added to the shared count.
    counted: u64,
    pub(crate) selective: usize,
    pub(crate) root_depth: i32,
    /// Per ply: how far back the value of the last node there reaches.
    pub(crate) since: [usize; MAX_PLY + 1],
    pub(crate) lines: Lines,
}

/// The best lines found below each ply.
pub(crate) struct Lines {
    moves: Vec<[Move; MAX_PLY]>,
    lens: [usize; MAX_PLY + 1],
}

impl Lines {
    fn new(filler: Move) -> Self {
        Self {
            moves: vec![[filler; MAX_PLY]; MAX_PLY + 1],
            lens: [0; MAX_PLY + 1],
        }
    }

    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        self.lens[ply] = 0;
    }

    /// The line below a ply is this move and the line below the next.
    pub(crate) fn set(&mut self, ply: usize, step: Move) {
        let len = self.lens[ply + 1].min(MAX_PLY - 1);
        let (upper, lower) = self.moves.split_at_mut(ply + 1);
        upper[ply][0] = step;
        upper[ply][1..=len].copy_from_slice(&lower[0][..len]);
        self.lens[ply] = len + 1;
    }

    /// The line below a ply is this move alone.
    fn set_last(&mut self, ply: usize, step: Move) {
        self.moves[ply][0] = step;
        self.lens[ply] = 1;
    }

    pub(crate) fn get(&self, ply: usize) -> &[Move] {
        &self.moves[ply][..self.lens[ply]]
    }
}

/// How much less deep late moves are searched, by depth and number of the move: an integer table.
pub(crate) struct Reductions([[u8; 64]; 64]);

impl Reductions {
    pub(crate) fn new(p: &Parameters) -> Self {
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, entry) in row.iter_mut().enumerate().skip(1) {
                let product = LOGARITHMS[depth] * LOGARITHMS[number] / 100;
                let hundredths = p.reduction_base + product * 100 / p.reduction_divisor.max(1);
                *entry = (hundredths / 100).clamp(0, 60) as u8;
            }
        }
        Self(table)
    }

    #[inline(always)]
    fn get(&self, depth: i32, number: usize) -> i32 {
        i32::from(self.0[depth.clamp(0, 63) as usize][number.min(63)])
    }
}

/// Natural logarithms in hundredths, so that no machine rounds differently.
const LOGARITHMS: [i32; 64] = [
    0, 0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256, 264, 271, 277, 283, 289, 294,
    300, 304, 309, 314, 318, 322, 326, 330, 333, 337, 340, 343, 347, 350, 353, 356, 358, 361, 364,
    366, 369, 371, 374, 376, 378, 381, 383, 385, 387, 389, 391, 393, 395, 397, 399, 401, 403, 404,
    406, 408, 409, 411, 413, 414,
];

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory,
        path: Path,
        filler: Move,
    ) -> Self {
        let mut searcher = Self {
            shared,
            memory,
            path,
            nodes: 0,
            next_look: 0,
            counted: 0,
            selective: 0,
            root_depth: 0,
            since: [FREE; MAX_PLY + 1],
            lines: Lines::new(filler),
        };
        searcher.plan_look();
        searcher
    }

    /// When to look at clock and limits next: exactly at the node limit with one thread.
    fn plan_look(&mut self) {
        let limit = self.shared.node_limit.map_or(u64::MAX, |limit| {
            let others = self.shared.nodes.load(Relaxed) - self.counted;
            limit.saturating_sub(others)
        });
        self.next_look = (self.nodes + LOOK).min(limit.max(self.nodes + 1));
    }

    /// Counts a node; true if the search has to end.
    #[inline(always)]
    fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_look {
            self.look();
        }
        self.shared.stopped.load(Relaxed)
    }

    #[cold]
    fn look(&mut self) {
        let shared = self.shared;
        let fresh = self.nodes - self.counted;
        self.counted = self.nodes;
        let total = shared.nodes.fetch_add(fresh, Relaxed) + fresh;
        let over = shared.node_limit.is_some_and(|limit| total >= limit)
            || shared.deadline.is_some_and(|end| Instant::now() >= end)
            || shared.control.is_stopped();
        if over {
            shared.stopped.store(true, Relaxed);
        }
        self.plan_look();
    }

    /// Whether the search has to end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stopped.load(Relaxed)
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &Position) -> i32 {
        let shared = self.shared;
        self.memory
            .evaluator
            .evaluate(shared.rules, shared.parameters, position)
    }

    /// The value of an end for a side at a ply.
    fn value_of(outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome.winner {
            None => 0,
            Some(winner) if winner == side => WIN - ply as i32,
            Some(_) => ply as i32 - WIN,
        }
    }

    /// The value of a node with at least one ply to go; `last` is the move that led to it.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn visit<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        last: Option<Move>,
        may_pass: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(position, alpha, beta, ply, 0);
        }
        let shared = self.shared;
        let (rules, p, table) = (shared.rules, shared.parameters, shared.table);
        self.since[ply] = FREE;
        self.lines.clear(ply);
        if self.count() {
            return 0;
        }
        if PV {
            self.selective = self.selective.max(ply);
        }
        if let Some((outcome, since)) = self.path.judge(rules, position) {
            self.since[ply] = since;
            return Self::value_of(outcome, position.side(), ply);
        }
        let side = position.side();
        if let Some(step) = rules.winning_move(position, side) {
            self.lines.set_last(ply, step);
            return WIN - ply as i32 - 1;
        }
        if ply >= MAX_PLY - 2 {
            return self.evaluate(position);
        }
        let (danger, answers) = match self.danger(position, ply) {
            Danger::Lost(value) => return value,
            Danger::None => (false, None),
            Danger::Threat => (true, None),
            Danger::Lane(path) => (true, Some(path)),
        };
        // Without a win at once, none is nearer than three plies; without loss, two.
        alpha = alpha.max(ply as i32 + 2 - WIN);
        beta = beta.min(WIN - ply as i32 - 3);
        if alpha >= beta {
            return alpha;
        }

        let key = position.key();
        let found = table.probe(key);
        if let Some(found) = found
            && !PV
            && found.depth >= depth
            && !self.path.is_near_limit(position, depth + 8)
        {
            let known = value::from_table(found.value, ply as i32);
            let enough = match found.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => known >= beta,
                Bound::Upper => known <= alpha,
            };
            if enough {
                return known;
            }
        }
        let hint = found
            .and_then(|found| found.step)
            .filter(|&step| rules.is_legal(position, step));
        let raw = match found {
            Some(found) => found.evaluation,
            None => self.evaluate(position),
        };
        let mut guess = raw;
        if let Some(found) = found
            && !value::is_decided(found.value)
            && (found.bound == Bound::Exact
                || found.bound == Bound::Lower && found.value > guess
                || found.bound == Bound::Upper && found.value < guess)
        {
            guess = found.value;
        }

        if danger && (ply as i32) < 2 * self.root_depth {
            depth += p.extension;
        } else if hint.is_none() && depth >= 5 {
            depth -= 1;
        }

        if !PV && !danger && !value::is_decided(beta) {
            if depth <= p.reverse_depth && guess - p.reverse_margin * depth >= beta {
                return guess;
            }
            if may_pass && depth >= p.null_depth && guess >= beta {
                let passed = rules.pass(position);
                self.path.push(passed.key());
                let floor = self.path.raise_floor();
                let less = p.null_base + depth / p.null_divisor.max(1);
                let value = -self.visit::<false>(
                    &passed,
                    -beta,
                    1 - beta,
                    depth - less,
                    ply + 1,
                    None,
                    false,
                );
                self.path.restore_floor(floor);
                self.path.pop();
                if self.is_stopped() {
                    return 0;
                }
                if value >= beta {
                    self.since[ply] = self.since[ply + 1];
                    return if value::is_decided(value) {
                        beta
                    } else {
                        value
                    };
                }
            }
        }

        self.memory.experience.forget_killers(ply + 1);
        let old_alpha = alpha;
        // Moves that do not answer an open lane are not made: they lose in two.
        let mut best = match answers {
            Some(_) => ply as i32 + 2 - WIN,
            None => -INFINITY,
        };
        let mut best_step = None;
        let mut since = FREE;
        let mut number = 0;
        let mut tried = Tried::new();
        let captures = rules.capture_squares(position, side);
        let mut listed = false;
        let mut any = false;
        let hopeless = !PV
            && !danger
            && depth <= p.futility_depth
            && guess + p.futility_base + p.futility_margin * depth <= alpha;
        let late = if !PV && !danger && depth <= p.late_depth {
            (p.late_base + depth * depth) as usize
        } else {
            usize::MAX
        };

        let mut next = hint.map(|step| (step, i32::MAX));
        loop {
            let (step, place) = match next.take() {
                Some(first) => first,
                None => {
                    if !listed {
                        listed = true;
                        self.rank(position, captures, ply, last);
                    }
                    match self.memory.ranked[ply].take() {
                        None => break,
                        Some((step, _)) if Some(step) == hint => continue,
                        Some(taken) => taken,
                    }
                }
            };
            any = true;
            if answers.is_some_and(|path| !path.contains(step.to())) {
                continue;
            }
            let quiet = !captures.contains(step.to());
            // All moves that follow are of that kind too.
            if quiet && place < rank::LANE && best > -value::DECIDED && (hopeless || number >= late)
            {
                break;
            }
            let applied = rules.apply(position, step);
            number += 1;
            let value;
            if let Some(end) = applied.end {
                self.since[ply + 1] = FREE;
                self.lines.clear(ply + 1);
                value = -Self::value_of(end.into(), side.opponent(), ply + 1);
            } else {
                let after = &applied.position;
                table.touch(after.key());
                self.path.push(after.key());
                value = self.descend::<PV>(
                    after, alpha, beta, depth, ply, step, number, quiet, place, side, last,
                );
                self.path.pop();
                if self.is_stopped() {
                    return 0;
                }
            }
            let child = self.since[ply + 1];
            if value > best {
                best = value;
                if value > alpha {
                    best_step = Some(step);
                    if PV {
                        self.lines.set(ply, step);
                    }
                    if value >= beta {
                        // A refutation needs no other move.
                        since = child;
                        if quiet {
                            self.memory.experience.reward(
                                side,
                                last,
                                ply,
                                step,
                                tried.moves(),
                                depth,
                            );
                        }
                        break;
                    }
                    alpha = value;
                }
            }
            since = since.min(child);
            if quiet {
                tried.push(step);
            }
        }
        if !any {
            // A side that cannot move where nothing is said about it runs out of time.
            let lost = Outcome::win(side.opponent(), tablut_rules::Reason::NoMove);
            let outcome = self.path.laws().without_move(side).unwrap_or(lost);
            return Self::value_of(outcome, side, ply);
        }
        if since >= self.path.index() {
            since = FREE;
        }
        self.since[ply] = since;
        let bound = if since != FREE {
            Bound::None
        } else if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        table.store(
            key,
            Found {
                step: best_step,
                value: value::to_table(best, ply as i32),
                evaluation: raw,
                depth: if bound == Bound::None { 0 } else { depth },
                bound,
            },
        );
        best
    }

    /// The value of a made move: with a null window and less depth first, where that may do.
    #[allow(clippy::too_many_arguments)]
    #[inline(always)]
    fn descend<const PV: bool>(
        &mut self,
        after: &Position,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        step: Move,
        number: usize,
        quiet: bool,
        place: i32,
        side: Side,
        last: Option<Move>,
    ) -> i32 {
        let to_go = depth - 1;
        let down = Some(step);
        if number == 1 {
            return -self.visit::<PV>(after, -beta, -alpha, to_go, ply + 1, down, true);
        }
        let mut less = 0;
        if depth >= 3 && quiet && number > 2 {
            less = self.shared.reductions.get(depth, number);
            if PV {
                less -= 1;
            }
            if place >= rank::LANE {
                less -= 1;
            } else {
                less -= self.memory.experience.history(side, last, step) / 8_000;
            }
            if less > 0
                && side == Side::Defenders
                && !self.shared.rules.open_goals(after).is_empty()
            {
                less = 0;
            }
            less = less.clamp(0, to_go - 1);
        }
        let null = -alpha - 1;
        let mut value =
            -self.visit::<false>(after, null, -alpha, to_go - less, ply + 1, down, true);
        if less > 0 && value > alpha && !self.is_stopped() {
            value = -self.visit::<false>(after, null, -alpha, to_go, ply + 1, down, true);
        }
        if PV && value > alpha && value < beta && !self.is_stopped() {
            value = -self.visit::<true>(after, -beta, -alpha, to_go, ply + 1, down, true);
        }
        value
    }

    /// Whether the opponent would win with the next move if nothing were done.
    #[inline(always)]
    fn danger(&self, position: &Position, ply: usize) -> Danger {
        let rules = self.shared.rules;
        match position.side() {
            Side::Attackers => {
                if rules.open_goals(position).is_empty() {
                    return Danger::None;
                }
                // One man cannot stand in two lanes.
                let calls = rules.calls(position);
                let mut lanes = calls.lanes();
                match (lanes.next(), lanes.next()) {
                    (Some(lane), None) => Danger::Lane(lane.path),
                    _ => Danger::Lost(ply as i32 + 2 - WIN),
                }
            }
            Side::Defenders => match rules.winning_move(position, Side::Attackers) {
                None => Danger::None,
                Some(_) => Danger::Threat,
            },
        }
    }

    /// The moves of a node in the order in which they are to be looked at.
    #[inline(never)]
    fn rank(&mut self, position: &Position, captures: Bitboard, ply: usize, last: Option<Move>) {
        let rules = self.shared.rules;
        let side = position.side();
        let memory = &mut *self.memory;
        rules.moves_into(position, &mut memory.moves);
        let experience = &memory.experience;
        let [first, second] = experience.killers(ply);
        let answer = experience.answer(side, last);
        let (open, forks) = match side {
            Side::Attackers => (Bitboard::EMPTY, Bitboard::EMPTY),
            Side::Defenders => {
                let sight = memory.evaluator.king_sight(position);
                (
                    Bitboard::from_bits(sight.open),
                    Bitboard::from_bits(sight.forks),
                )
            }
        };
        let king = position.king();
        let (history, follow) = experience.tables(side, last);
        memory.ranked[ply].fill(&memory.moves, |step| {
            let to = step.to();
            let mut rank = if captures.contains(to) {
                rank::CAPTURE
            } else if step.bits() == first {
                rank::KILLER
            } else if step.bits() == second {
                rank::SECOND_KILLER
            } else if step.bits() == answer {
                rank::ANSWER
            } else {
                let bits = usize::from(step.bits());
                i32::from(history[bits & 0x3fff]) + i32::from(follow[(bits >> 7) & 127])
            };
            if step.from() == king {
                if forks.contains(to) {
                    rank = rank.max(rank::FORK);
                } else if open.contains(to) {
                    rank = rank.max(rank::LANE);
                }
            }
            rank
        })
    }

    /// The value of a position once captures, escapes and threats to the king are played out.
    pub(crate) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        mut alpha: i32,
        mut beta: i32,
        ply: usize,
        length: usize,
    ) -> i32 {
        let shared = self.shared;
        let (rules, p, table) = (shared.rules, shared.parameters, shared.table);
        self.since[ply] = FREE;
        self.lines.clear(ply);
        if self.count() {
            return 0;
        }
        if PV {
            self.selective = self.selective.max(ply);
        }
        if let Some((outcome, since)) = self.path.judge(rules, position) {
            self.since[ply] = since;
            return Self::value_of(outcome, position.side(), ply);
        }
        let side = position.side();
        if let Some(step) = rules.winning_move(position, side) {
            self.lines.set_last(ply, step);
            return WIN - ply as i32 - 1;
        }
        let danger = self.danger(position, ply);
        if let Danger::Lost(value) = danger {
            return value;
        }
        if ply >= MAX_PLY - 2 {
            return self.evaluate(position);
        }
        alpha = alpha.max(ply as i32 + 2 - WIN);
        beta = beta.min(WIN - ply as i32 - 3);
        if alpha >= beta {
            return alpha;
        }
        let key = position.key();
        let found = table.probe(key);
        if let Some(found) = found
            && !PV
            && !self.path.is_near_limit(position, 8)
        {
            let known = value::from_table(found.value, ply as i32);
            let enough = match found.bound {
                Bound::None => false,
                Bound::Exact => true,
                Bound::Lower => known >= beta,
                Bound::Upper => known <= alpha,
            };
            if enough {
                return known;
            }
        }
        let raw = match found {
            Some(found) => found.evaluation,
            None => self.evaluate(position),
        };
        let answers = match danger {
            Danger::Lane(path) if length < 6 => Some(path),
            _ => None,
        };
        // A king about to fall: standing still is no choice.
        let evade = matches!(danger, Danger::Threat) && (length as i32) < p.evasion_length;
        let mut best = if answers.is_some() || evade {
            ply as i32 + 2 - WIN
        } else {
            raw
        };
        let old_alpha = alpha;
        let mut since = FREE;
        let mut best_step = None;
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        let targets = match answers {
            Some(path) => path,
            None if evade => !position.occupied(),
            None => rules.capture_squares(position, side),
        };
        let forks = if side == Side::Defenders {
            let reach = rules.king_reach(position);
            let sight = self.memory.evaluator.king_sight(position);
            let squares = if (length as i32) < p.lane_length {
                sight.open
            } else {
                sight.forks
            };
            reach & Bitboard::from_bits(squares) & !targets
        } else {
            Bitboard::EMPTY
        };
        'all: for to in forks.iter().chain(targets) {
            let pieces = if forks.contains(to) {
                Bitboard::from(position.king())
            } else {
                rules.reaching(position, side, to)
            };
            for from in pieces {
                let step = Move::new(from, to);
                let applied = rules.apply(position, step);
                if answers.is_none() && !evade && !forks.contains(to) {
                    let gain = applied.captured.len() as i32;
                    if gain == 0 {
                        continue;
                    }
                    let worth = if side == Side::Attackers {
                        p.man_defender
                    } else {
                        p.man_attacker
                    };
                    if !PV && raw + gain * worth + 120 <= alpha {
                        continue;
                    }
                }
                let value = if let Some(end) = applied.end {
                    self.since[ply + 1] = FREE;
                    self.lines.clear(ply + 1);
                    -Self::value_of(end.into(), side.opponent(), ply + 1)
                } else {
                    let after = &applied.position;
                    self.path.push(after.key());
                    let value = -self.quiesce::<PV>(after, -beta, -alpha, ply + 1, length + 1);
                    self.path.pop();
                    if self.is_stopped() {
                        return 0;
                    }
                    value
                };
                let child = self.since[ply + 1];
                since = since.min(child);
                if value > best {
                    best = value;
                    if value > alpha {
                        alpha = value;
                        best_step = Some(step);
                        if PV {
                            self.lines.set(ply, step);
                        }
                        if value >= beta {
                            since = child;
                            break 'all;
                        }
                    }
                }
            }
        }
        if since >= self.path.index() {
            since = FREE;
        }
        self.since[ply] = since;
        if length == 0 && since == FREE {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha && PV {
                Bound::Exact
            } else {
                Bound::Upper
            };
            table.store(
                key,
                Found {
                    step: best_step,
                    value: value::to_table(best, ply as i32),
                    evaluation: raw,
                    depth: 0,
                    bound,
                },
            );
        }
        best
    }
}

/// What threatens the side to move.
enum Danger {
    None,
    /// The king falls next.
    Threat,
    /// The king escapes next along these squares.
    Lane(Bitboard),
    /// The king escapes next, and nothing stops him.
    Lost(i32),
}

/// Quiet moves that were tried and did not refute.
struct Tried {
    moves: [u16; 32],
    len: usize,
}

impl Tried {
    const fn new() -> Self {
        Self {
            moves: [0; 32],
            len: 0,
        }
    }

    #[inline(always)]
    fn push(&mut self, step: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = step.bits();
            self.len += 1;
        }
    }

    fn moves(&self) -> impl Iterator<Item = Move> + '_ {
        self.moves[..self.len]
            .iter()
            .filter_map(|&bits| Move::from_bits(bits))
    }
}
