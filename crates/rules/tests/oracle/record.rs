//! A game: what a single position cannot tell.

use std::{vec, vec::Vec};

use tablut_rules::{
    BySide, End, Laws, NoMove, Outcome, Reason, RepetitionResult, RuleSet, Side, StartCounts,
};

use super::{Board, Oracle, Place, unknown};

/// A game as the list of everything that was on the board.
#[derive(Clone)]
pub(crate) struct Record<'a> {
    oracle: Oracle<'a>,
    laws: Laws,
    /// Every board with its side to move, from the first to the present one.
    positions: Vec<(Board, Side)>,
    /// Moves in a row that captured nothing, those before the game's start included.
    quiet: u32,
    /// Moves made by each side.
    made: BySide<u32>,
    outcome: Option<Outcome>,
}

impl<'a> Record<'a> {
    /// A game from a board.
    pub(crate) fn new(oracle: Oracle<'a>, laws: Laws, start: (Board, Side), quiet: u16) -> Self {
        let mut record = Self {
            oracle,
            laws,
            positions: vec![start],
            quiet: u32::from(quiet),
            made: BySide::default(),
            outcome: None,
        };
        record.outcome = record.no_move();
        record
    }

    /// The laws of a rule set: the first position counts, everything is remembered, and moves are
    /// not limited.
    pub(crate) fn laws_of(set: &RuleSet) -> Laws {
        let mut laws = Laws::default();
        laws.repetition = set.repetition();
        laws.start_counts = StartCounts::Yes;
        laws.memory = None;
        laws.no_move = set.no_move();
        laws.captureless_limit = set.captureless_limit().map(|limit| limit.get().into());
        laws.move_limit = None;
        laws
    }

    /// The present board and side to move.
    pub(crate) fn present(&self) -> (Board, Side) {
        *self.positions.last().expect("the first position stays")
    }

    /// How the game ended, if it has.
    pub(crate) const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Makes a legal move.
    pub(crate) fn play(&mut self, from: Place, to: Place) {
        let (board, side) = self.present();
        let played = self.oracle.play(&board, from, to);
        self.positions.push((played.board, side.opponent()));
        self.quiet = if played.captured.is_empty() {
            self.quiet + 1
        } else {
            0
        };
        self.made[side] += 1;
        self.outcome = match played.end {
            Some(end) => Some(fate(end)),
            None => self
                .no_move()
                .or_else(|| self.repetition(side))
                .or_else(|| self.captureless())
                .or_else(|| self.move_limit()),
        };
    }

    /// A side that has to move and cannot.
    fn no_move(&self) -> Option<Outcome> {
        let (board, side) = self.present();
        if !self.oracle.moves(&board, side).is_empty() {
            return None;
        }
        let winner = match self.laws.no_move {
            NoMove::Loses => Some(side.opponent()),
            NoMove::Draws => None,
            NoMove::Ignored => return None,
            other => unknown(other),
        };
        let reason = Reason::NoMove;
        Some(Outcome { winner, reason })
    }

    /// How often the present position has occurred: same pieces, same side to move.
    pub(crate) fn occurrences(&self) -> u32 {
        let (present, earlier) = self.positions.split_last().expect("there is a position");
        let mut compared: Vec<_> = earlier.to_vec();
        // The referee does not store the position a game starts from.
        if self.laws.start_counts == StartCounts::No && !compared.is_empty() {
            compared.remove(0);
        }
        // With a cache of N up to N + 1 earlier positions are compared.
        if let Some(cache) = self.laws.memory {
            while compared.len() > cache as usize + 1 {
                compared.remove(0);
            }
        }
        let equal = compared.iter().filter(|&position| position == present);
        1 + equal.count() as u32
    }

    /// A position that has occurred too often, by a move of `mover`.
    fn repetition(&self, mover: Side) -> Option<Outcome> {
        let law = self.laws.repetition?;
        let winner = match law.result {
            RepetitionResult::Draw => None,
            RepetitionResult::MoverLoses => Some(mover.opponent()),
            other => unknown(other),
        };
        let reason = Reason::Repetition;
        (self.occurrences() >= law.occurrence).then_some(Outcome { winner, reason })
    }

    /// Too many moves in a row that captured nothing: a draw.
    fn captureless(&self) -> Option<Outcome> {
        let reason = Reason::CapturelessLimit;
        let winner = None;
        (self.quiet >= self.laws.captureless_limit?).then_some(Outcome { winner, reason })
    }

    /// Each player has at most N moves; whoever must make move N + 1 loses.
    fn move_limit(&self) -> Option<Outcome> {
        let (_, side) = self.present();
        let next = self.made[side] + 1;
        let winner = Some(side.opponent());
        let reason = Reason::MoveLimit;
        (next > self.laws.move_limit?).then_some(Outcome { winner, reason })
    }
}

/// The result when a move has decided the king's fate.
const fn fate(end: End) -> Outcome {
    let (winner, reason) = match end {
        End::KingEscaped => (Side::Defenders, Reason::KingEscaped),
        End::KingCaptured => (Side::Attackers, Reason::KingCaptured),
        End::TwoLanes => (Side::Defenders, Reason::TwoLanes),
    };
    Outcome {
        winner: Some(winner),
        reason,
    }
}
