//! The search loop: principal-variation search over copied positions. The hot path.
//!
//! Values that depend on the way to a node (repetition, limits) are tracked by how far back they
//! reach; only values of a position alone are kept in the table, otherwise only the move is.

mod line;
mod node;
mod pick;
mod quiesce;
mod reduction;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use tablut_rules::{Move, MoveList, Outcome, Position, Rules, Side};

use crate::{
    Control,
    evaluation::Evaluator,
    order::{Experience, MAX_PLY, Ranked},
    parameter::Parameters,
    path::{FREE, Path},
    pause::Pause,
    score::value::{self, INFINITY, WIN},
    table::{Bound, Found, Table, UNKNOWN},
};

use line::Lines;
use node::{Danger, Node};
use pick::{Picker, rank};

pub(crate) use {node::Sight, reduction::Reductions};

/// How often the clock and the control are looked at, in nodes.
const LOOK: u64 = 1024;

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
    pub(crate) pause: Pause,
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
            pause: Pause::new(),
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
        searcher.memory.pause.begin();
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
        let pause = &mut self.memory.pause;
        let fresh = self.nodes - self.counted;
        self.counted = self.nodes;
        let total = shared.nodes.fetch_add(fresh, Relaxed) + fresh;
        let over = shared.node_limit.is_some_and(|limit| total >= limit)
            || shared.deadline.is_some_and(|end| pause.is_over(end))
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
    fn evaluate(&mut self, position: &Position, sight: &Sight) -> i32 {
        let shared = self.shared;
        self.memory
            .evaluator
            .evaluate(shared.rules, shared.parameters, position, sight)
    }

    /// The value of a node with at least one ply to go; `last` is the move that led to it.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn visit<const PV: bool>(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
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
        let side = position.side();
        let Node {
            mut alpha,
            beta,
            danger,
            sight,
        } = match self.enter::<PV>(position, (alpha, beta), ply) {
            Ok(node) => node,
            Err(value) => return value,
        };
        let (danger, answers) = match danger {
            Danger::None => (false, None),
            Danger::Threat => (true, None),
            Danger::Lane(path) => (true, Some(path)),
        };

        let key = position.key();
        let found = table.probe(key);
        if let Some(found) = found
            && !PV
            && found.depth >= depth
            && !self.path.is_near_limit(position, depth + 8)
            && let Some(known) = found.answer(alpha, beta, ply)
        {
            return known;
        }
        let hint = found
            .and_then(|found| found.step)
            .filter(|&step| rules.is_legal(position, step));
        let raw = match found {
            Some(found) if found.evaluation != UNKNOWN => found.evaluation,
            // Only pruning asks for it.
            _ if PV || danger => UNKNOWN,
            _ => self.evaluate(position, &sight),
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
                let passed = position.pass();
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
        // The most that a quiet move is thought to reach.
        let hope = guess + p.futility_base + p.futility_margin * depth;
        let hopeless = !PV && !danger && depth <= p.futility_depth && hope <= alpha;
        let late = if !PV && !danger && depth <= p.late_depth {
            (p.late_base + depth * depth) as usize
        } else {
            usize::MAX
        };

        let captures = rules.scan(position).capture_squares(side);
        let mut picker = Picker::new(hint, answers, captures, ply, last);
        loop {
            let wanted = best <= -value::DECIDED || !hopeless && number < late;
            let Some((step, place)) = picker.next(rules, self.memory, position, wanted) else {
                // Moves that were passed over as hopeless may be worth as much as was hoped.
                if hopeless && !wanted {
                    best = best.max(hope);
                }
                break;
            };
            let quiet = !captures.contains(step.to());
            let applied = rules.apply_unchecked(position, step);
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
        if number == 0 && best == -INFINITY && !rules.has_moves(position) {
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
                && !self.shared.rules.scan(after).open_goals().is_empty()
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
