//! Nodes with depth left.

use tablut_rules::{Move, Outcome, Position, Reason, Side};

use super::{
    Searcher, Window,
    node::{Danger, SearchNode},
    pick::{Picker, rank},
    stack::UNKNOWN,
};
use crate::{
    histories::NO_MOVE,
    score::value::{self, DECIDED, INFINITY},
    transposition::Bound,
};

/// A move that is about to be searched.
struct Candidate {
    step: Move,
    rank: i32,
    /// Its number among the moves of the node, from one.
    number: usize,
    is_quiet: bool,
}

/// Which quiet moves of a node are left out.
struct Pruning {
    /// The most that a quiet move is thought to reach.
    hope: i32,
    /// Whether that is not enough.
    is_futile: bool,
    /// How many moves are tried before the others are left out as late.
    late: usize,
}

impl Searcher<'_> {
    /// The value of a position searched to a depth, for the side to move.
    pub(crate) fn visit<const PV: bool>(
        &mut self,
        position: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        if depth <= 0 {
            return self.quiesce::<PV>(position, window, ply, 0);
        }
        let mut node = SearchNode::new(position, window, depth, ply);
        if let Some(value) = self.enter::<PV>(&mut node) {
            return value;
        }
        // The table's answer is on its way; meanwhile the evaluation costs little.
        let wanted = node.danger.is_none();
        let evaluation = self.evaluate_node(&mut node, wanted);
        if let Some(value) = self.recall::<PV>(&mut node) {
            return value;
        }
        let may_prune = !PV && node.danger.is_none();
        let estimate = Self::estimate(&node, evaluation);
        self.adjust_depth(&mut node);
        if may_prune
            && !value::is_decided(node.window.beta)
            && self.thread.stack[ply].excluded == NO_MOVE
            && self.is_good_enough(&node, estimate)
        {
            return estimate;
        }
        let pruning = if may_prune {
            self.pruning(&node, estimate)
        } else {
            Pruning::NONE
        };
        self.search_moves::<PV>(&mut node, &pruning)
    }

    /// What a node is thought to be worth: its evaluation, or what the table knows better. With a
    /// threat to be answered the evaluation means nothing.
    #[inline(always)]
    fn estimate(node: &SearchNode<'_>, evaluation: i32) -> i32 {
        match node.known {
            Some(known)
                if !value::is_decided(known.value)
                    && match known.bound {
                        Bound::None => false,
                        Bound::Exact => true,
                        Bound::Lower => known.value > evaluation,
                        Bound::Upper => known.value < evaluation,
                    } =>
            {
                known.value
            }
            _ => evaluation,
        }
    }

    /// More depth where the opponent threatens to win, less where the table has no move to begin
    /// with.
    #[inline(always)]
    fn adjust_depth(&self, node: &mut SearchNode<'_>) {
        let p = self.context.parameters;
        if !node.danger.is_none() && (node.ply as i32) < 2 * self.root_depth {
            node.depth += p.extension;
        } else if node.table_move().is_none() && node.depth >= p.unknown_depth {
            node.depth -= 1;
        }
    }

    /// Whether a node is so good that its moves need not be searched: reverse futility.
    #[inline(always)]
    fn is_good_enough(&self, node: &SearchNode<'_>, estimate: i32) -> bool {
        let p = self.context.parameters;
        let margin = p.reverse_margin * node.depth;
        node.depth <= p.reverse_depth && estimate - margin >= node.window.beta
    }

    /// Futility and late moves: which quiet moves are left out.
    #[inline(always)]
    fn pruning(&self, node: &SearchNode<'_>, estimate: i32) -> Pruning {
        let p = self.context.parameters;
        let depth = node.depth;
        let hope = estimate + p.futility_base + p.futility_margin * depth;
        Pruning {
            hope,
            is_futile: depth <= p.futility_depth && hope <= node.window.alpha,
            late: if depth <= p.late_depth {
                (p.late_base + depth * depth) as usize
            } else {
                usize::MAX
            },
        }
    }

    /// The best of a node's moves.
    #[inline(always)]
    fn search_moves<const PV: bool>(
        &mut self,
        node: &mut SearchNode<'_>,
        pruning: &Pruning,
    ) -> i32 {
        let (rules, ply) = (self.context.rules, node.ply);
        self.thread.stack[ply + 1].forget_killers();
        if let Danger::Escape(_) = node.danger {
            // Moves that do not answer an open lane are not made.
            node.best = node.loss_in_two();
        }
        let mut picker = Picker::new(rules, node);
        let mut tried = TriedMoves::new();
        let excluded = self.thread.stack[ply].excluded;
        let mut number = 0;
        loop {
            let wanted = node.best <= -DECIDED || !pruning.is_futile && number < pruning.late;
            let Some((step, rank)) = self.next_move(&mut picker, node, wanted) else {
                // Moves left out as futile may be worth as much as was hoped.
                if pruning.is_futile && !wanted {
                    node.best = node.best.max(pruning.hope);
                }
                break;
            };
            if step.bits() == excluded {
                continue;
            }
            number += 1;
            let candidate = Candidate {
                step,
                rank,
                number,
                is_quiet: picker.is_quiet(step),
            };
            let Some(more) = self.singular_extension(node, &candidate) else {
                return 0;
            };
            let applied = rules.apply_unchecked(node.position, step);
            if node.depth > 1 {
                self.context.table.prefetch(applied.position.key());
            }
            let value = self.make(step, &applied, ply, |searcher, after| {
                searcher.search_child::<PV>(node, &candidate, after, more)
            });
            if self.is_stopped() {
                return 0;
            }
            if self.take::<PV>(node, step, value) {
                if candidate.is_quiet {
                    self.reward(node, step, &tried);
                } else {
                    let bonus = self.bonus(node.depth);
                    let side = node.position.side();
                    self.thread.histories.reward_capture(side, step, bonus);
                }
                break;
            }
            if candidate.is_quiet {
                tried.push(step);
            } else {
                let bonus = self.bonus(node.depth);
                let side = node.position.side();
                self.thread.histories.reward_capture(side, step, -bonus);
            }
        }
        if excluded != NO_MOVE {
            // What the other moves are worth says nothing about the position.
            return node.best;
        }
        if number == 0 && node.best == -INFINITY && !rules.has_moves(node.position) {
            return self.value_without_moves(node);
        }
        let bound = self.conclude(node);
        if !node.best_captures(&picker) {
            self.correct_evaluation(node, bound);
        }
        let depth = if bound == Bound::None { 0 } else { node.depth };
        self.store(node, bound, depth);
        node.best
    }

    /// How much deeper a move is searched: one ply, if it is the table's and all others are clearly worse. Nothing if
    /// the search has to end.
    #[inline(always)]
    fn singular_extension(&mut self, node: &SearchNode<'_>, candidate: &Candidate) -> Option<i32> {
        let p = self.context.parameters;
        let Some(known) = node.known else {
            return Some(0);
        };
        let ply = node.ply;
        if node.depth < p.singular_depth
            || known.step != Some(candidate.step)
            || candidate.number != 1
            || !matches!(known.bound, Bound::Lower | Bound::Exact)
            || known.depth < node.depth - 3
            || value::is_decided(known.value)
            || !node.danger.is_none()
            || ply as i32 >= 2 * self.root_depth
            || self.thread.stack[ply].excluded != NO_MOVE
        {
            return Some(0);
        }
        let beta = known.value - p.singular_margin * node.depth / 16;
        let window = Window::new(beta - 1, beta);
        // The same ply is searched anew; nothing of it is in use before the table's move was made.
        self.thread.stack[ply].excluded = candidate.step.bits();
        let value = self.visit::<false>(node.position, window, (node.depth - 1) / 2, ply);
        self.thread.stack[ply].excluded = NO_MOVE;
        (!self.is_stopped()).then_some(i32::from(value < beta))
    }

    /// The value of a made move: with a null window and less depth first, where that may do.
    #[inline(always)]
    fn search_child<const PV: bool>(
        &mut self,
        node: &SearchNode<'_>,
        candidate: &Candidate,
        after: &Position,
        more: i32,
    ) -> i32 {
        let (window, ply) = (node.window, node.ply + 1);
        if candidate.number == 1 {
            return -self.visit::<PV>(after, window.flipped(), node.depth - 1 + more, ply);
        }
        self.thread.stack[ply].reduction = self.reduction::<PV>(node, candidate, after);
        self.scout::<PV>(after, window, node.depth - 1, ply)
    }

    /// The value of a move after the first: with a null window and the reduction of its ply, then
    /// without reduction, then with the whole window, as long as it is above alpha.
    #[inline(always)]
    pub(crate) fn scout<const PV: bool>(
        &mut self,
        after: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> i32 {
        let null = window.null().flipped();
        let reduction = self.thread.stack[ply].reduction;
        let mut value = -self.visit::<false>(after, null, depth - reduction, ply);
        if reduction > 0 && value > window.alpha && !self.is_stopped() {
            value = -self.visit::<false>(after, null, depth, ply);
        }
        if PV && value > window.alpha && value < window.beta && !self.is_stopped() {
            value = -self.visit::<true>(after, window.flipped(), depth, ply);
        }
        value
    }

    /// How much less deep a late quiet move is searched.
    #[inline(always)]
    fn reduction<const PV: bool>(
        &self,
        node: &SearchNode<'_>,
        candidate: &Candidate,
        after: &Position,
    ) -> i32 {
        let p = self.context.parameters;
        let &Candidate { step, number, .. } = candidate;
        if node.depth < p.reduction_depth
            || !candidate.is_quiet
            || number <= p.reduction_after as usize
        {
            return 0;
        }
        let mut less = self.context.reductions.get(node.depth, number) - i32::from(PV);
        if candidate.rank >= rank::LANE {
            less -= 1;
        } else {
            let ranks = self.thread.histories.ranks(self.move_context(node));
            less -= ranks.rank(step) / p.reduction_history.max(1);
        }
        // A lane that has just been opened has to be answered.
        let opens_lane = || {
            after.side() == Side::Attackers
                && !self.context.rules.scan(after).open_goals().is_empty()
        };
        if less <= 0 || opens_lane() {
            return 0;
        }
        less.min(node.depth - 2).max(0)
    }

    /// What a move that refutes at a depth gains in the histories.
    fn bonus(&self, depth: i32) -> i32 {
        let p = self.context.parameters;
        let bonus = depth * depth * p.history_square + depth * p.history_depth;
        bonus.min(p.history_most)
    }

    /// A quiet move refuted: killer, counter-move and histories learn from it.
    fn reward(&mut self, node: &SearchNode<'_>, step: Move, tried: &TriedMoves) {
        let bonus = self.bonus(node.depth);
        let context = self.move_context(node);
        self.thread
            .histories
            .reward(context, step, tried.moves(), bonus);
        self.thread.stack[node.ply].add_killer(step);
    }

    /// The value for a side that has to move and cannot.
    #[cold]
    fn value_without_moves(&self, node: &SearchNode<'_>) -> i32 {
        let side = node.position.side();
        // Where the laws say nothing about it, the side runs out of time.
        let lost = Outcome::win(side.opponent(), Reason::NoMove);
        let outcome = self.path.laws().without_move(side).unwrap_or(lost);
        self.value_of(outcome, side, node.ply)
    }
}

impl Pruning {
    /// All moves are tried.
    const NONE: Self = Self {
        hope: UNKNOWN,
        is_futile: false,
        late: usize::MAX,
    };
}

/// Quiet moves that were tried and did not refute.
struct TriedMoves {
    moves: [u16; 32],
    len: usize,
}

impl TriedMoves {
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
