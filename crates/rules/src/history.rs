//! The laws above the board (repetition, limits, no move), and what they need to remember.
//!
//! [`Game`](crate::Game) asks [`History`] how often a position has occurred, and confirms a match of
//! keys by comparing whole positions.

use alloc::vec::Vec;

use crate::{NoMove, Outcome, Position, Reason, Repetition, RepetitionResult, Side};

/// Whether the position a game starts from counts for repetition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StartCounts {
    /// It does.
    Yes,
    /// It does not, as in the reference referee.
    No,
}

/// How games end besides by the king's fate.
///
/// [`Rules::laws`](crate::Rules::laws) gives those of a rule set; a game may be played under others:
/// take these, or the default, by which only a side without a move ends a game, and change fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub struct Laws {
    /// When a repeated position ends the game, if ever.
    pub repetition: Option<Repetition>,
    /// Whether the first position counts for repetition.
    pub start_counts: StartCounts,
    /// How many earlier positions are remembered besides one; all if nothing is said.
    ///
    /// With `Some(n)` up to *n* + 1 earlier positions are compared, as the reference referee does
    /// with its cache of size *n*.
    pub memory: Option<u32>,
    /// What happens to a side without a legal move.
    pub no_move: NoMove,
    /// The number of moves in a row without a capture that draws; `Some(0)` draws every move.
    pub captureless_limit: Option<u32>,
    /// The most moves each player may make; who must make one more loses.
    pub move_limit: Option<u32>,
}

impl Default for Laws {
    fn default() -> Self {
        Self {
            repetition: None,
            start_counts: StartCounts::Yes,
            memory: None,
            no_move: NoMove::Loses,
            captureless_limit: None,
            move_limit: None,
        }
    }
}

impl Laws {
    /// The laws with the reference referee's behaviour where it differs: the first position does
    /// not count for repetition, and a side without a legal move is not noticed.
    #[must_use]
    pub const fn challenge(mut self) -> Self {
        self.start_counts = StartCounts::No;
        self.no_move = NoMove::Ignored;
        self
    }

    /// How a side that has to move and cannot ends the game.
    #[must_use]
    pub const fn without_move(&self, side: Side) -> Option<Outcome> {
        match self.no_move {
            NoMove::Loses => Some(Outcome::win(side.opponent(), Reason::NoMove)),
            NoMove::Draws => Some(Outcome::draw(Reason::NoMove)),
            NoMove::Ignored => None,
        }
    }

    /// How the n-th occurrence of a position, just brought about by a side, ends the game.
    #[must_use]
    pub fn repeated(&self, mover: Side, occurrence: u32) -> Option<Outcome> {
        let law = self.repetition?;
        if occurrence < law.occurrence {
            return None;
        }
        Some(match law.result {
            RepetitionResult::Draw => Outcome::draw(Reason::Repetition),
            RepetitionResult::MoverLoses => Outcome::win(mover.opponent(), Reason::Repetition),
        })
    }

    /// How a count of moves without a capture ends the game.
    #[must_use]
    pub fn captureless(&self, quiet: u16) -> Option<Outcome> {
        let limit = self.captureless_limit?;
        (u32::from(quiet) >= limit).then_some(Outcome::draw(Reason::CapturelessLimit))
    }

    /// How the limit ends the game for a side that has to move and has made so many moves.
    #[must_use]
    pub fn out_of_moves(&self, side: Side, made: u32) -> Option<Outcome> {
        let limit = self.move_limit?;
        (made >= limit).then_some(Outcome::win(side.opponent(), Reason::MoveLimit))
    }
}

/// The keys of a game's positions from the first to the present one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    /// The history of a game that starts now.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let mut keys = Vec::with_capacity(256);
        keys.push(start.key());
        Self { keys }
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Takes the last position back. The first one stays.
    #[inline]
    pub fn pop(&mut self) {
        if self.keys.len() > 1 {
            self.keys.pop();
        }
    }

    /// How many moves have been made.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.keys.len() - 1
    }

    /// How often the present position has occurred, this time included, as far as the laws count.
    #[must_use]
    pub fn occurrences(&self, laws: &Laws, position: &Position) -> u32 {
        1 + self.earlier(laws, position).count() as u32
    }

    /// The plies of earlier positions with the key of the present one, nearest first.
    pub(crate) fn earlier(
        &self,
        laws: &Laws,
        position: &Position,
    ) -> impl Iterator<Item = usize> + '_ {
        let key = position.key();
        let present = self.keys.len() - 1;
        // A capture cannot be taken back, so nothing before the last one can be equal.
        let since_capture = match position.quiet() {
            u16::MAX => usize::MAX,
            quiet => usize::from(quiet),
        };
        let remembered = laws.memory.map_or(usize::MAX, |n| n as usize + 1);
        let uncounted = usize::from(laws.start_counts == StartCounts::No);
        let oldest = present
            .saturating_sub(since_capture.min(remembered))
            .max(uncounted);
        let keys = self.keys[..present].iter().enumerate().skip(oldest).rev();
        // The same side was to move two plies ago, four plies ago, …
        keys.skip(1)
            .step_by(2)
            .filter(move |&(_, &earlier)| earlier == key)
            .map(|(ply, _)| ply)
    }
}
