//! What one thread has learnt about quiet moves: history, continuation history and counter-moves.

use tablut_rules::{BySide, Move, Side};

/// Moves as numbers fit fourteen bits.
const MOVES: usize = 1 << 14;

/// Squares as numbers fit seven bits.
pub(crate) const SQUARES: usize = 1 << 7;

/// The row of the continuation history for a node without a last move.
const NO_LAST_MOVE: usize = SQUARES - 1;

/// The number of no move.
pub(crate) const NO_MOVE: u16 = u16::MAX;

/// The largest value in a history. The ranks of the move picker leave room for two of them.
const LARGEST: i32 = 16_000;

/// Where a move is made: the side to move, and the move before it.
#[derive(Clone, Copy)]
pub(crate) struct MoveContext {
    pub(crate) side: Side,
    pub(crate) last: Option<Move>,
}

impl MoveContext {
    #[inline(always)]
    fn row(self) -> usize {
        let to = self.last.map_or(NO_LAST_MOVE, |last| last.to().index());
        to % SQUARES
    }
}

/// The tables of one thread.
pub(crate) struct MoveHistories {
    /// Per side and move: how well it has done.
    history: Box<BySide<[i16; MOVES]>>,
    /// Per side, square the last move went to, and square this one goes to.
    continuation: Box<BySide<[[i16; SQUARES]; SQUARES]>>,
    /// Per side and last move: what refuted it.
    counter_moves: Box<BySide<[u16; MOVES]>>,
}

/// What the histories say about the moves of one node.
pub(crate) struct QuietRanks<'a> {
    history: &'a [i16; MOVES],
    continuation: &'a [i16; SQUARES],
}

impl QuietRanks<'_> {
    /// How well a quiet move has done.
    #[inline(always)]
    pub(crate) fn rank(&self, step: Move) -> i32 {
        i32::from(self.history[number(step)])
            + i32::from(self.continuation[step.to().index() % SQUARES])
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
            counter_moves: Box::new(BySide::both([NO_MOVE; MOVES])),
        }
    }

    /// A new search begins: what was learnt counts half.
    pub(crate) fn fade(&mut self) {
        for side in Side::ALL {
            let continuation = self.continuation[side].as_flattened_mut();
            for value in self.history[side].iter_mut().chain(continuation) {
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
            continuation: &self.continuation[side][context.row()],
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
            &mut self.continuation[side][context.row()][step.to().index() % SQUARES],
        ];
        for slot in slots {
            let old = i32::from(*slot);
            *slot = (old + bonus - old * bonus.abs() / LARGEST) as i16;
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
