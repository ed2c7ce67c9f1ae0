//! The search: principal-variation search over copied positions. The hot path.
//!
//! Every node begins in `node.rs`; `visit.rs` searches nodes with depth left, `quiescence.rs` those
//! without. All moves are made by [`Searcher::make`] here.
//!
//! Values that depend on the way to a node (repetition, limits) are tracked by how far back they
//! reach; only values of a position alone are kept in the table, otherwise only the move is.

mod node;
mod pick;
mod quiescence;
mod ranked;
mod reduction;
mod stack;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
mod variation;
mod visit;
mod window;

use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::Instant,
};

use tablut_rules::{Applied, BySide, Move, MoveList, Outcome, Position, Rules, Side};

use crate::{
    Control,
    evaluation::{BoardView, Evaluator},
    gap::ClockGap,
    histories::MoveHistories,
    king::KingView,
    parameter::Parameters,
    path::{FREE, Path},
    score::value::WIN,
    shape::Shape,
    transposition::OpenTable,
};

use ranked::RankedMoves;
use stack::PlyStack;
use variation::PvTable;

pub(crate) use {reduction::Reductions, stack::MAX_PLY, window::Window};

/// How often the clock and the control are looked at, in nodes.
const LOOK: u64 = 1024;

/// What all threads of a search share.
pub(crate) struct SearchContext<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) shape: &'a Shape,
    pub(crate) parameters: &'a Parameters,
    pub(crate) table: OpenTable<'a>,
    pub(crate) control: &'a Control,
    pub(crate) reductions: &'a Reductions,
    pub(crate) stopped: AtomicBool,
    /// Nodes of all threads, counted in steps.
    pub(crate) nodes: AtomicU64,
    pub(crate) node_limit: Option<u64>,
    pub(crate) begin: Instant,
    pub(crate) deadline: Option<Instant>,
}

impl SearchContext<'_> {
    /// Whether work beside the search, which does not count its nodes, has to end.
    pub(crate) fn is_over(&self) -> bool {
        self.stopped.load(Relaxed)
            || self.control.is_stopped()
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
}

/// What a thread keeps between searches.
pub(crate) struct ThreadState {
    pub(crate) evaluator: Box<dyn Evaluator>,
    pub(crate) histories: MoveHistories,
    pub(crate) gap: ClockGap,
    pub(crate) stack: PlyStack,
    /// Per ply: the moves still to be tried.
    ranked: Box<[RankedMoves; MAX_PLY]>,
    /// The moves of the node that lists its quiet ones.
    generated: MoveList,
}

impl ThreadState {
    pub(crate) fn new(evaluator: Box<dyn Evaluator>) -> Self {
        Self {
            evaluator,
            histories: MoveHistories::new(),
            gap: ClockGap::new(),
            stack: PlyStack::new(),
            ranked: Box::new([const { RankedMoves::new() }; MAX_PLY]),
            generated: MoveList::new(),
        }
    }
}

/// One thread's search.
pub(crate) struct Searcher<'a> {
    pub(crate) context: &'a SearchContext<'a>,
    pub(crate) thread: &'a mut ThreadState,
    pub(crate) path: Path,
    pub(crate) nodes: u64,
    next_look: u64,
    /// Nodes already added to the shared count.
    counted: u64,
    /// The deepest ply of a principal variation.
    pub(crate) selective_depth: usize,
    pub(crate) root_depth: i32,
    /// What a draw is worth to each side: less to the one that stands better.
    draw: BySide<i32>,
    pub(crate) variations: PvTable,
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        context: &'a SearchContext<'a>,
        thread: &'a mut ThreadState,
        path: Path,
    ) -> Self {
        thread.gap.begin();
        thread.stack.begin();
        let castle = context.rules.castle();
        let mut searcher = Self {
            context,
            thread,
            path,
            nodes: 0,
            next_look: 0,
            counted: 0,
            selective_depth: 0,
            root_depth: 0,
            draw: BySide::both(0),
            variations: PvTable::new(Move::new(castle, castle)),
        };
        searcher.plan_look();
        searcher
    }

    /// When to look at clock and limits next: exactly at the node limit with one thread.
    fn plan_look(&mut self) {
        let limit = self.context.node_limit.map_or(u64::MAX, |limit| {
            let others = self.context.nodes.load(Relaxed) - self.counted;
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
        self.is_stopped()
    }

    #[cold]
    fn look(&mut self) {
        let context = self.context;
        let gap = &mut self.thread.gap;
        let fresh = self.nodes - self.counted;
        self.counted = self.nodes;
        let total = context.nodes.fetch_add(fresh, Relaxed) + fresh;
        let over = context.node_limit.is_some_and(|limit| total >= limit)
            || context.deadline.is_some_and(|end| gap.is_over(end))
            || context.control.is_stopped();
        if over {
            context.stopped.store(true, Relaxed);
        }
        self.plan_look();
    }

    /// Nodes of all threads so far; those of other threads are counted in steps.
    pub(crate) fn nodes_of_all(&self) -> u64 {
        self.context.nodes.load(Relaxed).max(self.nodes)
    }

    /// Whether the search has to end.
    #[inline(always)]
    pub(crate) fn is_stopped(&self) -> bool {
        self.context.stopped.load(Relaxed)
    }

    /// The static evaluation of a position for the side to move.
    #[inline(always)]
    fn evaluate(&mut self, position: &Position, king: &mut KingView, ply: usize) -> i32 {
        let view = BoardView {
            rules: self.context.rules,
            shape: self.context.shape,
            position,
        };
        self.thread.evaluator.evaluate(&view, king, ply)
    }

    /// The value of a move for the side that makes it, seen from the ply it is made on: that of the
    /// end it brings about, or what `search` says.
    #[inline(always)]
    pub(crate) fn make(
        &mut self,
        step: Move,
        applied: &Applied,
        ply: usize,
        search: impl FnOnce(&mut Self, &Position) -> i32,
    ) -> i32 {
        let after = &applied.position;
        if let Some(end) = applied.end {
            self.thread.stack[ply + 1].since = FREE;
            self.variations.clear(ply + 1);
            return -self.value_of(end.into(), after.side(), ply + 1);
        }
        self.thread.stack[ply + 1].step = Some(step);
        self.path.push(after);
        let value = search(self, after);
        self.path.pop();
        value
    }

    /// Settles what draws are worth while one iteration is searched, by how the last one said that
    /// a side stands.
    pub(crate) fn settle_draws(&mut self, side: Side, value: i32) {
        let p = self.context.parameters;
        let dislike = value * p.draw_share / 100;
        let dislike = dislike.clamp(-p.draw_most, p.draw_most) + p.contempt;
        self.draw[side] = -dislike;
        self.draw[side.opponent()] = dislike;
    }

    /// What a draw is worth to a side at present.
    pub(crate) fn draw_value(&self, side: Side) -> i32 {
        self.draw[side]
    }

    /// The value of an end for a side at a ply.
    fn value_of(&self, outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome.winner {
            None => self.draw[side],
            Some(winner) if winner == side => WIN - ply as i32,
            Some(_) => ply as i32 - WIN,
        }
    }
}
