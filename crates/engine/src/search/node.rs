//! How every node begins and ends: ends by law, what the table knows, wins at once, what threatens
//! the side to move; then its best move, and what is stored.

use tablut_rules::{Bitboard, Move, Position, Side};

use super::{MAX_PLY, Searcher, Window, pick::Picker, stack::UNKNOWN};
use crate::{
    histories::{MoveContext, NO_MOVE},
    king::KingView,
    path::FREE,
    score::value::{self, INFINITY, WIN},
    transposition::{Bound, Transposition},
};

/// What threatens the side to move.
#[derive(Clone, Copy)]
pub(super) enum Danger {
    None,
    /// The king falls next.
    Capture,
    /// The king escapes next along these squares.
    Escape(Bitboard),
}

impl Danger {
    pub(super) const fn is_none(self) -> bool {
        matches!(self, Self::None)
    }
}

/// A node whose value is not known at once.
pub(super) struct SearchNode<'p> {
    pub(super) position: &'p Position,
    pub(super) ply: usize,
    pub(super) depth: i32,
    /// Its alpha rises when a better move is found.
    pub(super) window: Window,
    /// The alpha the node began with.
    floor: i32,
    /// What the table knows of the position.
    pub(super) known: Option<Transposition>,
    pub(super) king: KingView,
    pub(super) danger: Danger,
    /// The best value so far, and the move that has it if it is above alpha.
    pub(super) best: i32,
    best_step: Option<Move>,
    /// The earliest ply that the best value depends on.
    since: usize,
}

impl<'p> SearchNode<'p> {
    /// A node about which nothing is known yet.
    #[inline(always)]
    pub(super) const fn new(
        position: &'p Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Self {
        Self {
            position,
            ply,
            depth,
            window,
            floor: window.alpha,
            known: None,
            king: KingView::UNSEEN,
            danger: Danger::None,
            best: -INFINITY,
            best_step: None,
            since: FREE,
        }
    }

    /// The move that the table has for the position.
    #[inline(always)]
    pub(super) fn table_move(&self) -> Option<Move> {
        self.known.and_then(|known| known.step)
    }

    /// Whether the best move goes where men can be captured.
    #[inline(always)]
    pub(super) fn best_captures(&self, picker: &Picker) -> bool {
        self.best_step.is_some_and(|step| !picker.is_quiet(step))
    }

    /// The value of losing with the opponent's next move.
    pub(super) const fn loss_in_two(&self) -> i32 {
        self.ply as i32 + 2 - WIN
    }
}

impl Searcher<'_> {
    /// Enters a node: gives its value, if that is known at once or the search has to end.
    #[inline(always)]
    pub(super) fn enter<const PV: bool>(&mut self, node: &mut SearchNode<'_>) -> Option<i32> {
        let (context, position, ply) = (self.context, node.position, node.ply);
        self.thread.stack[ply].since = FREE;
        self.variations.clear(ply);
        if self.count() {
            return Some(0);
        }
        if PV {
            self.selective_depth = self.selective_depth.max(ply);
        }
        if let Some(judgement) = self.path.judge(context.rules, position) {
            self.thread.stack[ply].since = judgement.since;
            return Some(self.value_of(judgement.outcome, position.side(), ply));
        }
        node.king.look(context.rules, position);
        match self.danger(position, &node.king, ply) {
            Ok(danger) => node.danger = danger,
            Err(value) => return Some(value),
        }
        node.window = node.window.without_ends_at(ply);
        node.floor = node.window.alpha;
        if node.floor >= node.window.beta {
            return Some(node.floor);
        }
        if ply >= MAX_PLY - 2 {
            return Some(self.evaluate(position, &mut node.king, ply));
        }
        None
    }

    /// Asks the table about a node: gives its value, if that is known well enough.
    ///
    /// Only nodes with depth left ask: the memory is far away, and quiescence would have found out
    /// by itself before the answer comes. For the same reason the king is looked at first.
    #[inline(always)]
    pub(super) fn recall<const PV: bool>(&self, node: &mut SearchNode<'_>) -> Option<i32> {
        node.known = self.context.table.probe(node.position.key());
        let known = node.known?;
        let may_cut = !PV
            && self.thread.stack[node.ply].excluded == NO_MOVE
            && known.depth >= node.depth
            && !self.is_near_limit(node.position, node.depth);
        known.cutoff(node.window, node.ply).filter(|_| may_cut)
    }

    /// Whether a limit of moves may end the game within a search of a depth, extensions included.
    /// What the table knows does not count then.
    #[inline(always)]
    fn is_near_limit(&self, position: &Position, depth: i32) -> bool {
        let plies = depth + self.context.parameters.limit_margin;
        self.path.is_near_limit(position, plies)
    }

    /// What threatens the side to move, or the node's value if the next move or the one after it
    /// decides.
    #[inline(always)]
    fn danger(&mut self, position: &Position, king: &KingView, ply: usize) -> Result<Danger, i32> {
        let goals = king.reach & self.context.shape.goals;
        match position.side() {
            Side::Attackers => {
                if let Some(step) = self.capture_of_king(position, king) {
                    return Err(self.win(ply, step));
                }
                // Near a limit the game may be over before the king moves.
                if goals.is_empty() || self.path.is_near_limit(position, 2) {
                    return Ok(Danger::None);
                }
                // One man cannot stand in two lanes.
                let calls = self.context.rules.calls(position);
                let mut lanes = calls.lanes();
                match (lanes.next(), lanes.next()) {
                    (Some(lane), None) => Ok(Danger::Escape(lane.path)),
                    _ => Err(ply as i32 + 2 - WIN),
                }
            }
            Side::Defenders => {
                if let Some(goal) = goals.first() {
                    return Err(self.win(ply, Move::new(position.king(), goal)));
                }
                match self.capture_of_king(position, king) {
                    None => Ok(Danger::None),
                    Some(_) => Ok(Danger::Capture),
                }
            }
        }
    }

    /// A move with which the attackers, were they to move, capture the king.
    #[inline(always)]
    fn capture_of_king(&self, position: &Position, king: &KingView) -> Option<Move> {
        if king.threats.is_empty() {
            return None;
        }
        let rules = self.context.rules;
        king.threats.iter().find_map(|to| {
            let from = rules
                .scan(position)
                .movers_to(Side::Attackers, to)
                .first()?;
            Some(Move::new(from, to))
        })
    }

    /// The value of a win with the next move.
    fn win(&mut self, ply: usize, step: Move) -> i32 {
        self.variations.set_last(ply, step);
        WIN - ply as i32 - 1
    }

    /// Notes the static evaluation of a node, if it is `wanted`, corrected by what was learnt about
    /// positions like it.
    #[inline(always)]
    pub(super) fn evaluate_node(&mut self, node: &mut SearchNode<'_>, wanted: bool) -> i32 {
        let mut evaluation = UNKNOWN;
        if wanted {
            let raw = self.evaluate(node.position, &mut node.king, node.ply);
            let weight = self.context.parameters.correction;
            let correction = self.thread.histories.correction(node.position) * weight / 100;
            evaluation = (raw + correction).clamp(-value::MOST, value::MOST);
        }
        self.thread.stack[node.ply].evaluation = evaluation;
        evaluation
    }

    /// Learns from a node whose value is not the one that its evaluation promised.
    #[inline(always)]
    pub(super) fn correct_evaluation(&mut self, node: &SearchNode<'_>, bound: Bound) {
        let evaluation = self.thread.stack[node.ply].evaluation;
        let is_telling = match bound {
            Bound::None => false,
            Bound::Exact => true,
            Bound::Lower => node.best > evaluation,
            Bound::Upper => node.best < evaluation,
        };
        if is_telling
            && self.context.parameters.correction != 0
            && node.danger.is_none()
            && evaluation != UNKNOWN
            && !value::is_decided(node.best)
        {
            let error = (node.best - evaluation).clamp(-400, 400);
            let weight = node.depth.clamp(1, 16);
            self.thread.histories.correct(node.position, error, weight);
        }
    }

    /// The side to move at a node, and the moves that led to it.
    #[inline(always)]
    pub(super) fn move_context(&self, node: &SearchNode<'_>) -> MoveContext {
        let stack = &self.thread.stack;
        MoveContext {
            side: node.position.side(),
            last: stack[node.ply].step,
            own: match node.ply {
                0 => None,
                _ if self.context.parameters.plan_history == 0 => None,
                ply => stack[ply - 1].step,
            },
        }
    }

    /// Takes the value of a move that was just made; true if it refutes.
    #[inline(always)]
    pub(super) fn take<const PV: bool>(
        &mut self,
        node: &mut SearchNode<'_>,
        step: Move,
        value: i32,
    ) -> bool {
        let since = self.thread.stack[node.ply + 1].since;
        if value > node.best {
            node.best = value;
            if value > node.window.alpha {
                node.best_step = Some(step);
                if PV {
                    self.variations.set(node.ply, step);
                }
                if value >= node.window.beta {
                    // A refutation needs no other move.
                    node.since = since;
                    return true;
                }
                node.window.alpha = value;
            }
        }
        node.since = node.since.min(since);
        false
    }

    /// Ends a node whose moves have been tried: what its best value says about the position alone.
    #[inline(always)]
    pub(super) fn conclude(&mut self, node: &SearchNode<'_>) -> Bound {
        let is_free = node.since >= self.path.index();
        self.thread.stack[node.ply].since = if is_free { FREE } else { node.since };
        if !is_free {
            Bound::None
        } else if node.best >= node.window.beta {
            Bound::Lower
        } else if node.best > node.floor {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Stores what was found.
    #[inline(always)]
    pub(super) fn store(&self, node: &SearchNode<'_>, bound: Bound, depth: i32) {
        self.context.table.store(
            node.position.key(),
            Transposition {
                step: node.best_step,
                value: value::to_table(node.best, node.ply as i32),
                depth,
                bound,
            },
        );
    }
}
