//! The moves of a node in stages: most nodes end before their quiet moves are listed.

use tablut_rules::{Bitboard, Move, Rules, Side, Square};

use super::{
    MAX_PLY, Searcher, ThreadState,
    node::{Danger, SearchNode},
    ranked::RankedMoves,
};
use crate::histories::{NO_MOVE, SQUARES};

/// Ranks of moves; histories lie below.
pub(super) mod rank {
    pub(in crate::search) const FORK: i32 = 120_000;
    pub(in crate::search) const CAPTURE: i32 = 100_000;
    pub(in crate::search) const KILLER: i32 = 80_000;
    pub(in crate::search) const SECOND_KILLER: i32 = 79_000;
    pub(in crate::search) const COUNTER_MOVE: i32 = 70_000;
    pub(in crate::search) const LANE: i32 = 50_000;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PickStage {
    /// The move of the table.
    TableMove,
    /// Captures, the king to lanes, killers, the counter-move.
    Special,
    /// All others.
    Quiet,
    /// What the list still holds is the rest.
    Last,
}

/// Where a node is in its moves.
pub(super) struct Picker {
    stage: PickStage,
    table_move: u16,
    /// Squares on which men may be captured.
    captures: Bitboard,
    /// Squares to which the king's moves are special.
    lanes: Bitboard,
    /// Killers and the counter-move.
    refutations: [u16; 3],
}

impl Picker {
    #[inline(always)]
    pub(super) fn new(rules: &Rules, node: &SearchNode<'_>) -> Self {
        let position = node.position;
        // Two positions may share a key, so the move need not be legal here.
        let table_move = node.table_move();
        let table_move = table_move.filter(|&step| rules.is_legal(position, step));
        Self {
            stage: PickStage::TableMove,
            table_move: table_move.map_or(NO_MOVE, Move::bits),
            captures: rules.scan(position).capture_squares(position.side()),
            lanes: Bitboard::EMPTY,
            refutations: [NO_MOVE; 3],
        }
    }

    /// Whether a move goes where nothing can be captured.
    #[inline(always)]
    pub(super) fn is_quiet(&self, step: Move) -> bool {
        !self.captures.contains(step.to())
    }

    /// Whether a move was listed before the quiet ones.
    fn has_listed(&self, step: Move, king: Square) -> bool {
        self.captures.contains(step.to())
            || step.bits() == self.table_move
            || self.refutations.contains(&step.bits())
            || step.from() == king && self.lanes.contains(step.to())
    }

    /// The squares that moves listed before the quiet ones go to: only moves to them need a closer
    /// look.
    fn marked_squares(&self) -> [bool; SQUARES] {
        let mut marked = [false; SQUARES];
        let [first, second, counter] = self.refutations;
        let known = [self.table_move, first, second, counter].map(Move::from_bits);
        let targets = known.into_iter().flatten().map(Move::to);
        for square in (self.captures | self.lanes).iter().chain(targets) {
            marked[square.index() % SQUARES] = true;
        }
        marked
    }

    #[inline(always)]
    fn push(&self, list: &mut RankedMoves, step: Move, rank: i32) {
        if step.bits() != self.table_move {
            list.push(step, rank);
        }
    }
}

impl Searcher<'_> {
    /// The next move of a node with its rank; without quiet ones if they are not wanted.
    #[inline(always)]
    pub(super) fn next_move(
        &mut self,
        picker: &mut Picker,
        node: &mut SearchNode<'_>,
        quiet: bool,
    ) -> Option<(Move, i32)> {
        loop {
            match picker.stage {
                PickStage::TableMove => {
                    picker.stage = PickStage::Special;
                    if let Some(step) = Move::from_bits(picker.table_move) {
                        return Some((step, i32::MAX));
                    }
                }
                PickStage::Special => {
                    picker.stage = match node.danger {
                        Danger::Escape(path) => {
                            self.list_answers(picker, node, path);
                            PickStage::Last
                        }
                        _ => {
                            self.list_special(picker, node);
                            PickStage::Quiet
                        }
                    };
                }
                PickStage::Quiet => {
                    if let Some(taken) = self.thread.ranked[node.ply % MAX_PLY].take() {
                        return Some(taken);
                    }
                    if !quiet {
                        return None;
                    }
                    self.list_quiet(picker, node);
                    picker.stage = PickStage::Last;
                }
                PickStage::Last => {
                    return match self.thread.ranked[node.ply % MAX_PLY].take() {
                        Some((_, rank)) if rank < rank::LANE && !quiet => None,
                        taken => taken,
                    };
                }
            }
        }
    }

    /// Moves onto an open lane.
    #[inline(never)]
    fn list_answers(&mut self, picker: &Picker, node: &SearchNode<'_>, path: Bitboard) {
        let rules = self.context.rules;
        let (side, context) = (node.position.side(), self.move_context(node));
        let ThreadState {
            histories, ranked, ..
        } = &mut *self.thread;
        let ranks = histories.ranks(context);
        let list = &mut ranked[node.ply % MAX_PLY];
        list.begin();
        for to in path {
            let is_capture = picker.captures.contains(to);
            for from in rules.scan(node.position).movers_to(side, to) {
                let step = Move::new(from, to);
                let rank = if is_capture {
                    rank::CAPTURE
                } else {
                    // None of them is left out as late.
                    rank::LANE + ranks.rank(step)
                };
                picker.push(list, step, rank);
            }
        }
    }

    /// Captures, the king to lanes, killers, the counter-move.
    #[inline(never)]
    fn list_special(&mut self, picker: &mut Picker, node: &mut SearchNode<'_>) {
        let (rules, position) = (self.context.rules, node.position);
        let (side, king) = (position.side(), position.king());
        let context = self.move_context(node);
        let [first, second] = self.thread.stack[node.ply].killers;
        let counter = self.thread.histories.counter_move(context);
        picker.refutations = [first, second, counter];
        let mut forks = Bitboard::EMPTY;
        if side == Side::Defenders {
            let squares = node.king.lanes(self.context.shape, position);
            picker.lanes = node.king.reach & squares.open;
            forks = node.king.reach & squares.forks;
        }
        let ThreadState {
            histories, ranked, ..
        } = &mut *self.thread;
        let divisor = self.context.parameters.capture_history.max(1);
        let capture = |step: Move| rank::CAPTURE + histories.capture_rank(side, step) / divisor;
        let list = &mut ranked[node.ply % MAX_PLY];
        list.begin();
        for to in picker.lanes {
            let rank = if forks.contains(to) {
                rank::FORK
            } else if picker.captures.contains(to) {
                rank::CAPTURE
            } else {
                rank::LANE
            };
            picker.push(list, Move::new(king, to), rank);
        }
        for to in picker.captures {
            for from in rules.scan(position).movers_to(side, to) {
                if from != king || !picker.lanes.contains(to) {
                    let step = Move::new(from, to);
                    picker.push(list, step, capture(step));
                }
            }
        }
        let ranks = [rank::KILLER, rank::SECOND_KILLER, rank::COUNTER_MOVE];
        for (index, (bits, rank)) in picker.refutations.into_iter().zip(ranks).enumerate() {
            if let Some(step) = Move::from_bits(bits)
                && !picker.captures.contains(step.to())
                && !(step.from() == king && picker.lanes.contains(step.to()))
                && !picker.refutations[..index].contains(&bits)
                && rules.is_legal(position, step)
            {
                picker.push(list, step, rank);
            }
        }
    }

    /// The moves that are not special.
    #[inline(never)]
    fn list_quiet(&mut self, picker: &Picker, node: &SearchNode<'_>) {
        let king = node.position.king();
        let context = self.move_context(node);
        let ThreadState {
            histories,
            ranked,
            generated,
            ..
        } = &mut *self.thread;
        self.context.rules.moves_into(node.position, generated);
        let ranks = histories.ranks(context);
        let list = &mut ranked[node.ply % MAX_PLY];
        let marked = picker.marked_squares();
        list.begin();
        for &step in &*generated {
            if !marked[step.to().index() % SQUARES] || !picker.has_listed(step, king) {
                list.push(step, ranks.rank(step));
            }
        }
    }
}
