//! Quiescence, where the depth ends: captures, escapes and threats to the king are played out.

use tablut_rules::{Applied, Bitboard, Move, Position, Side};

use super::{
    Searcher, Window,
    node::{Danger, SearchNode},
};

/// The moves that a node of quiescence tries.
struct Tactics {
    /// Squares that the king goes to for lanes.
    lanes: Bitboard,
    /// Squares that any piece goes to.
    targets: Bitboard,
    /// Whether these are all moves that do not lose at once, so that standing pat is no choice.
    forced: bool,
}

impl Searcher<'_> {
    /// The value of a position once captures, escapes and threats to the king are played out;
    /// `length` counts the plies of quiescence before it.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        window: Window,
        ply: usize,
        length: i32,
    ) -> i32 {
        let mut node = SearchNode::new(position, window, 0, ply);
        if let Some(value) = self.enter::<PV>(&mut node) {
            return value;
        }
        let p = self.context.parameters;
        let forced = match node.danger {
            Danger::Escape(path) if length < p.answer_length => Some(path),
            Danger::Capture if length < p.evasion_length => Some(!position.occupied()),
            _ => None,
        };
        let stand_pat = self.evaluate_node(&mut node, forced.is_none());
        node.best = match forced {
            Some(_) => node.loss_in_two(),
            None => stand_pat,
        };
        if node.best >= node.window.beta {
            return node.best;
        }
        node.window.alpha = node.window.alpha.max(node.best);
        let tactics = self.tactics(&mut node, forced, length);
        if !self.search_tactics::<PV>(&mut node, &tactics, length) {
            return 0;
        }
        self.conclude(&node);
        node.best
    }

    /// What is tried in a node.
    #[inline(always)]
    fn tactics(&self, node: &mut SearchNode<'_>, forced: Option<Bitboard>, length: i32) -> Tactics {
        let (rules, shape) = (self.context.rules, self.context.shape);
        let position = node.position;
        let side = position.side();
        let targets = forced.unwrap_or_else(|| rules.scan(position).capture_squares(side));
        let mut lanes = Bitboard::EMPTY;
        if side == Side::Defenders {
            let squares = node.king.lanes(shape, position);
            let reach = node.king.reach;
            lanes = reach & squares.forks;
            if length < self.context.parameters.free_length && !reach.is_disjoint(squares.open) {
                lanes |= node.king.free_lanes(shape, position);
            }
        }
        Tactics {
            lanes: lanes & !targets,
            targets,
            forced: forced.is_some(),
        }
    }

    /// Tries the moves; false if the search was stopped.
    #[inline(always)]
    fn search_tactics<const PV: bool>(
        &mut self,
        node: &mut SearchNode<'_>,
        tactics: &Tactics,
        length: i32,
    ) -> bool {
        let (rules, position, ply) = (self.context.rules, node.position, node.ply);
        for to in tactics.lanes.iter().chain(tactics.targets) {
            let is_lane = tactics.lanes.contains(to);
            let pieces = if is_lane {
                Bitboard::from(position.king())
            } else {
                rules.scan(position).movers_to(position.side(), to)
            };
            for from in pieces {
                let step = Move::new(from, to);
                let applied = rules.apply_unchecked(position, step);
                if !tactics.forced && !is_lane && self.is_futile_capture::<PV>(node, &applied) {
                    continue;
                }
                let window = node.window.flipped();
                let value = self.make(step, &applied, ply, |searcher, after| {
                    -searcher.quiesce::<PV>(after, window, ply + 1, length + 1)
                });
                if self.is_stopped() {
                    return false;
                }
                if self.take::<PV>(node, step, value) {
                    return true;
                }
            }
        }
        true
    }

    /// Whether a move captures nothing, or too little to reach alpha. The node may still be worth as
    /// much as was hoped of the capture.
    #[inline(always)]
    fn is_futile_capture<const PV: bool>(
        &self,
        node: &mut SearchNode<'_>,
        applied: &Applied,
    ) -> bool {
        if applied.captured.is_empty() {
            return true;
        }
        if PV {
            return false;
        }
        let p = self.context.parameters;
        let worth = match node.position.side() {
            Side::Attackers => p.man_defender,
            Side::Defenders => p.man_attacker,
        };
        let stand_pat = self.thread.stack[node.ply].evaluation;
        let hope = stand_pat + applied.captured.len_of_few() as i32 * worth + p.capture_margin;
        let is_futile = hope <= node.window.alpha;
        if is_futile {
            node.best = node.best.max(hope);
        }
        is_futile
    }
}
