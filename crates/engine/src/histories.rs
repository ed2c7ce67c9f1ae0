//! What one thread has learnt: about quiet moves (history, continuation history and counter-moves),
//! about captures, and about what the evaluation gets wrong.

use tablut_rules::{Bitboard, BySide, Move, Position, Side};

/// Moves as numbers fit fourteen bits.
const MOVES: usize = 1 << 14;

/// Squares as numbers fit seven bits.
pub(crate) const SQUARES: usize = 1 << 7;

/// The row of the continuation history for a node without a last move.
const NO_LAST_MOVE: usize = SQUARES - 1;

/// The number of no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// The largest value in a history. The ranks of the move picker leave room for three of them.
const LARGEST: i32 = 16_000;

/// Where a move is made: the side to move, and the two moves before it.
#[derive(Clone, Copy)]
pub(crate) struct MoveContext {
    pub(crate) side: Side,
    pub(crate) last: Option<Move>,
    /// The side's own last move.
    pub(crate) own: Option<Move>,
}

/// The row of the continuation history after a move.
#[inline(always)]
fn row(step: Option<Move>) -> usize {
    step.map_or(NO_LAST_MOVE, |step| step.to().index()) % SQUARES
}

/// Entries of a correction table.
const CORRECTIONS: usize = 1 << 13;

/// The largest correction, in parts of a hundredth.
const LARGEST_CORRECTION: i32 = 8_000;

/// Parts of a hundredth in the sum of two corrections.
const CORRECTION_UNIT: i32 = 100;

/// Moves an entry by a bonus; the nearer it is to its largest value, the less.
#[inline(always)]
fn pull(slot: &mut i16, bonus: i32, largest: i32) {
    let old = i32::from(*slot);
    *slot = (old + bonus - old * bonus.abs() / largest) as i16;
}

/// The entry for the pieces of a side.
#[inline(always)]
fn place(pieces: Bitboard) -> usize {
    (pieces.mix() >> 40) as usize % CORRECTIONS
}

/// The tables of one thread.
pub(crate) struct MoveHistories {
    /// Per side and move: how well it has done.
    history: Box<BySide<[i16; MOVES]>>,
    /// Per side, square the last move went to, and square this one goes to.
    continuation: Box<BySide<[[i16; SQUARES]; SQUARES]>>,
    /// The same for the side's own last move.
    plan: Box<BySide<[[i16; SQUARES]; SQUARES]>>,
    /// Per side and move: how well it has done as a capture.
    captures: Box<BySide<[i16; MOVES]>>,
    /// Per side to move, and side whose pieces stand so: by how much the evaluation was too low.
    corrections: Box<BySide<BySide<[i16; CORRECTIONS]>>>,
    /// Per side and last move: what refuted it.
    counter_moves: Box<BySide<[u16; MOVES]>>,
}

/// What the histories say about the moves of one node.
pub(crate) struct QuietRanks<'a> {
    history: &'a [i16; MOVES],
    continuation: &'a [i16; SQUARES],
    plan: &'a [i16; SQUARES],
}

impl QuietRanks<'_> {
    /// How well a quiet move has done.
    #[inline(always)]
    pub(crate) fn rank(&self, step: Move) -> i32 {
        i32::from(self.history[number(step)])
            + i32::from(self.continuation[step.to().index() % SQUARES])
            + i32::from(self.plan[step.to().index() % SQUARES])
    }
}

#[inline(always)]
fn number(step: Move) -> usize {
    usize::from(step.bits()) % MOVES
}

impl MoveHistories {
    pub(crate) fn new() -> Self {
        Self {
            history: Box::new(BySide::both([0; MOVES])),
            continuation: Box::new(BySide::both([[0; SQUARES]; SQUARES])),
            plan: Box::new(BySide::both([[0; SQUARES]; SQUARES])),
            captures: Box::new(BySide::both([0; MOVES])),
            corrections: Box::new(BySide::both(BySide::both([0; CORRECTIONS]))),
            counter_moves: Box::new(BySide::both([NO_MOVE; MOVES])),
        }
    }

    /// A new search begins: what was learnt counts half.
    pub(crate) fn fade(&mut self) {
        for side in Side::ALL {
            let continuation = self.continuation[side].as_flattened_mut();
            let plan = self.plan[side].as_flattened_mut();
            let quiet = self.history[side]
                .iter_mut()
                .chain(continuation)
                .chain(plan);
            for value in quiet.chain(&mut self.captures[side]) {
                *value /= 2;
            }
        }
    }

    /// What is known about the moves of a node.
    #[inline(always)]
    pub(crate) fn ranks(&self, context: MoveContext) -> QuietRanks<'_> {
        let side = context.side;
        QuietRanks {
            history: &self.history[side],
            continuation: &self.continuation[side][row(context.last)],
            plan: &self.plan[side][row(context.own)],
        }
    }

    /// A quiet move refuted; those tried before it did not.
    pub(crate) fn reward(
        &mut self,
        context: MoveContext,
        step: Move,
        tried: impl Iterator<Item = Move>,
        bonus: i32,
    ) {
        self.adjust(context, step, bonus);
        for other in tried {
            self.adjust(context, other, -bonus);
        }
        if let Some(last) = context.last {
            self.counter_moves[context.side][number(last)] = step.bits();
        }
    }

    fn adjust(&mut self, context: MoveContext, step: Move, bonus: i32) {
        let side = context.side;
        let slots = [
            &mut self.history[side][number(step)],
            &mut self.continuation[side][row(context.last)][step.to().index() % SQUARES],
            &mut self.plan[side][row(context.own)][step.to().index() % SQUARES],
        ];
        for slot in slots {
            pull(slot, bonus, LARGEST);
        }
    }

    /// How well a move has done as a capture.
    #[inline(always)]
    pub(crate) fn capture_rank(&self, side: Side, step: Move) -> i32 {
        i32::from(self.captures[side][number(step)])
    }

    /// A capture refuted, or did not.
    pub(crate) fn reward_capture(&mut self, side: Side, step: Move, bonus: i32) {
        pull(&mut self.captures[side][number(step)], bonus, LARGEST);
    }

    /// By how much the evaluation of positions like this one was too low, in hundredths.
    #[inline(always)]
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        let tables = &self.corrections[position.side()];
        let sum: i32 = Side::ALL
            .into_iter()
            .map(|side| i32::from(tables[side][place(position.pieces(side))]))
            .sum();
        sum / CORRECTION_UNIT
    }

    /// A search found that the evaluation of a position was too low by `error`.
    #[inline(always)]
    pub(crate) fn correct(&mut self, position: &Position, error: i32, weight: i32) {
        let bonus = (error * weight).clamp(-LARGEST_CORRECTION / 4, LARGEST_CORRECTION / 4);
        let tables = &mut self.corrections[position.side()];
        for side in Side::ALL {
            let slot = &mut tables[side][place(position.pieces(side))];
            pull(slot, bonus, LARGEST_CORRECTION);
        }
    }

    /// The counter-move of the last move, as a number.
    #[inline(always)]
    pub(crate) fn counter_move(&self, context: MoveContext) -> u16 {
        context.last.map_or(NO_MOVE, |last| {
            self.counter_moves[context.side][number(last)]
        })
    }
}
