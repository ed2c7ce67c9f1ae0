//! The moves of a node in stages: most nodes end before their quiet moves are listed.

use tablut_rules::{Bitboard, Move, Position, Rules, Side};

use super::Memory;
use crate::order::{NO_MOVE, Ranked};

/// Ranks of moves; histories lie below.
pub(super) mod rank {
    pub(in crate::search) const FORK: i32 = 120_000;
    pub(in crate::search) const CAPTURE: i32 = 100_000;
    pub(in crate::search) const KILLER: i32 = 80_000;
    pub(in crate::search) const SECOND_KILLER: i32 = 79_000;
    pub(in crate::search) const ANSWER: i32 = 70_000;
    pub(in crate::search) const LANE: i32 = 40_000;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The move of the table.
    Hint,
    /// Captures, the king to lanes, killers, the answer to the last move.
    Special,
    /// All others.
    Quiet,
    /// What the list still holds is the rest.
    Last,
}

/// Gives the moves of a node one by one.
pub(super) struct Picker {
    stage: Stage,
    hint: u16,
    /// The only targets that count, if an open lane has to be answered.
    answers: Option<Bitboard>,
    /// Squares on which men may be captured.
    pub(super) captures: Bitboard,
    /// Squares to which the king's moves are special.
    lanes: Bitboard,
    /// Killers and the answer to the last move.
    known: [u16; 3],
    last: Option<Move>,
    ply: usize,
}

impl Picker {
    pub(super) fn new(
        hint: Option<Move>,
        answers: Option<Bitboard>,
        captures: Bitboard,
        ply: usize,
        last: Option<Move>,
    ) -> Self {
        Self {
            stage: Stage::Hint,
            hint: hint.map_or(NO_MOVE, Move::bits),
            answers,
            captures,
            lanes: Bitboard::EMPTY,
            known: [NO_MOVE; 3],
            last,
            ply,
        }
    }

    /// The next move with its rank; without `quiet` ones if they are not wanted.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        rules: &Rules,
        memory: &mut Memory,
        position: &Position,
        quiet: bool,
    ) -> Option<(Move, i32)> {
        loop {
            match self.stage {
                Stage::Hint => {
                    self.stage = Stage::Special;
                    if let Some(step) = Move::from_bits(self.hint) {
                        return Some((step, i32::MAX));
                    }
                }
                Stage::Special => match self.answers {
                    Some(path) => {
                        self.list_answers(rules, memory, position, path);
                        self.stage = Stage::Last;
                    }
                    None => {
                        self.list_special(rules, memory, position);
                        self.stage = Stage::Quiet;
                    }
                },
                Stage::Quiet => {
                    if let Some(taken) = memory.ranked[self.ply].take() {
                        return Some(taken);
                    }
                    if !quiet {
                        return None;
                    }
                    self.list_quiet(rules, memory, position);
                    self.stage = Stage::Last;
                }
                Stage::Last => {
                    return match memory.ranked[self.ply].take() {
                        Some((_, place)) if place < rank::LANE && !quiet => None,
                        taken => taken,
                    };
                }
            }
        }
    }

    /// The moves that answer an open lane.
    #[inline(never)]
    fn list_answers(
        &mut self,
        rules: &Rules,
        memory: &mut Memory,
        position: &Position,
        path: Bitboard,
    ) {
        let side = position.side();
        let (history, follow) = memory.experience.tables(side, self.last);
        let list = &mut memory.ranked[self.ply];
        list.begin();
        for to in path {
            let capture = self.captures.contains(to);
            for from in rules.scan(position).movers_to(side, to) {
                let step = Move::new(from, to);
                let bits = usize::from(step.bits());
                if step.bits() != self.hint {
                    let rank = if capture {
                        rank::CAPTURE
                    } else {
                        // None of them is left out as late.
                        rank::LANE
                            + i32::from(history[bits & 0x3fff])
                            + i32::from(follow[bits >> 7 & 127])
                    };
                    list.push(step, rank);
                }
            }
        }
    }

    /// Captures, the king to lanes, killers, the answer to the last move.
    #[inline(never)]
    fn list_special(&mut self, rules: &Rules, memory: &mut Memory, position: &Position) {
        let side = position.side();
        let king = position.king();
        let [first, second] = memory.experience.killers(self.ply);
        let answer = memory.experience.answer(side, self.last);
        self.known = [first, second, answer];
        let mut forks = Bitboard::EMPTY;
        if side == Side::Defenders {
            let sight = memory.evaluator.king_sight(position);
            let reach = rules.scan(position).king_targets();
            self.lanes = reach & Bitboard::from_bits(sight.open);
            forks = reach & Bitboard::from_bits(sight.forks);
        }
        let list = &mut memory.ranked[self.ply];
        list.begin();
        for to in self.lanes {
            self.push(
                list,
                Move::new(king, to),
                match () {
                    () if forks.contains(to) => rank::FORK,
                    () if self.captures.contains(to) => rank::CAPTURE,
                    () => rank::LANE,
                },
            );
        }
        for to in self.captures {
            for from in rules.scan(position).movers_to(side, to) {
                if from != king || !self.lanes.contains(to) {
                    self.push(list, Move::new(from, to), rank::CAPTURE);
                }
            }
        }
        let ranks = [rank::KILLER, rank::SECOND_KILLER, rank::ANSWER];
        for (place, (bits, rank)) in self.known.into_iter().zip(ranks).enumerate() {
            if let Some(step) = Move::from_bits(bits)
                && !self.captures.contains(step.to())
                && !(step.from() == king && self.lanes.contains(step.to()))
                && !self.known[..place].contains(&bits)
                && rules.is_legal(position, step)
            {
                self.push(list, step, rank);
            }
        }
    }

    /// The moves that are not special.
    #[inline(never)]
    fn list_quiet(&mut self, rules: &Rules, memory: &mut Memory, position: &Position) {
        let king = position.king();
        rules.moves_into(position, &mut memory.moves);
        let (history, follow) = memory.experience.tables(position.side(), self.last);
        let list = &mut memory.ranked[self.ply];
        let [first, second, answer] = self.known;
        list.begin();
        for &step in &memory.moves {
            let (number, to) = (step.bits(), step.to());
            let done = self.captures.contains(to)
                || number == self.hint
                || number == first
                || number == second
                || number == answer
                || step.from() == king && self.lanes.contains(to);
            if !done {
                let bits = usize::from(number);
                let rank = i32::from(history[bits & 0x3fff]) + i32::from(follow[bits >> 7 & 127]);
                list.push(step, rank);
            }
        }
    }

    #[inline(always)]
    fn push(&self, list: &mut Ranked, step: Move, rank: i32) {
        if step.bits() != self.hint {
            list.push(step, rank);
        }
    }
}
