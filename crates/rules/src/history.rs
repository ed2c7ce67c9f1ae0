//! The laws above the board (repetition, limits, no move), and the history they are judged by.
//!
//! [`History::judge`] is the only place that applies them: a [`Game`](crate::Game) asks it after
//! each move, and a search asks it about each position of a line. A search trusts keys; the game
//! confirms a match by comparing whole positions.

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

// Each field is named wherever laws are changed, so that a new one does not compile until it is answered.
impl Laws {
    /// The laws with the reference referee's behaviour where it differs: the first position does
    /// not count for repetition, and a side without a legal move is not noticed.
    #[must_use]
    pub const fn challenge(self) -> Self {
        Self {
            repetition: self.repetition,
            start_counts: StartCounts::No,
            memory: self.memory,
            no_move: NoMove::Ignored,
            captureless_limit: self.captureless_limit,
            move_limit: self.move_limit,
        }
    }

    /// The laws with none that ends a game: only the king's fate does.
    #[must_use]
    pub const fn endless(self) -> Self {
        Self {
            repetition: None,
            start_counts: self.start_counts,
            memory: self.memory,
            no_move: NoMove::Ignored,
            captureless_limit: None,
            move_limit: None,
        }
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

    /// How a position that has occurred often enough, and that a side has just brought about
    /// again, ends the game.
    fn repeated(&self, mover: Side) -> Option<Outcome> {
        Some(match self.repetition?.result {
            RepetitionResult::Draw => Outcome::draw(Reason::Repetition),
            RepetitionResult::MoverLoses => Outcome::win(mover.opponent(), Reason::Repetition),
        })
    }

    /// Whether there is a limit of moves, with or without captures.
    #[must_use]
    pub const fn is_limited(&self) -> bool {
        let Self {
            repetition: _,
            start_counts: _,
            memory: _,
            no_move: _,
            captureless_limit,
            move_limit,
        } = self;
        captureless_limit.is_some() || move_limit.is_some()
    }

    /// How a count of moves without a capture ends the game.
    fn captureless(&self, quiet: u16) -> Option<Outcome> {
        let limit = self.captureless_limit?;
        (u32::from(quiet) >= limit).then_some(Outcome::draw(Reason::CapturelessLimit))
    }

    /// How the limit ends the game for a side that has to move and has made a number of moves.
    pub(crate) fn out_of_moves(&self, side: Side, made: u32) -> Option<Outcome> {
        let limit = self.move_limit?;
        (made >= limit).then_some(Outcome::win(side.opponent(), Reason::MoveLimit))
    }
}

/// How a law above the board ends a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// How the game ends.
    pub outcome: Outcome,
    /// The earliest ply that the outcome depends on: the same position, reached by a line that
    /// differs from that ply on, may not end the game.
    pub since: usize,
}

/// The keys of a game's positions from the first to the present one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    keys: Vec<u64>,
    /// The side that was to move first.
    first: Side,
}

impl History {
    /// The history of a game that starts now.
    #[must_use]
    pub fn new(start: &Position) -> Self {
        let mut keys = Vec::with_capacity(256);
        keys.push(start.key());
        Self {
            keys,
            first: start.side(),
        }
    }

    /// Adds the position after a move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Takes the last position back and gives its key. The first one stays.
    #[inline]
    pub fn pop(&mut self) -> Option<u64> {
        if self.keys.len() > 1 {
            self.keys.pop()
        } else {
            None
        }
    }

    /// How many moves have been made.
    #[must_use]
    #[inline]
    pub fn plies(&self) -> usize {
        self.keys.len() - 1
    }

    /// How many moves a side has made.
    #[must_use]
    pub fn made_by(&self, side: Side) -> u32 {
        let plies = self.plies() as u32;
        if side == self.first {
            plies.div_ceil(2)
        } else {
            plies / 2
        }
    }

    /// How often the present position has occurred, this time included, as far as the laws count.
    #[must_use]
    pub fn occurrences(&self, laws: &Laws, position: &Position) -> u32 {
        1 + self.earlier(laws, position).count() as u32
    }

    /// How the present position, just reached, ends the game by a law above the board.
    ///
    /// `counts` is asked about earlier plies with the same key, the nearest first: whether they count as
    /// occurrences. `is_stuck` says whether the side to move has no legal move. That law comes
    /// before all others; its argument says whether one of the others ends the game, for callers that
    /// otherwise notice a side without moves by themselves.
    #[must_use]
    pub fn judge(
        &self,
        laws: &Laws,
        position: &Position,
        counts: impl Fn(usize) -> bool,
        is_stuck: impl FnOnce(bool) -> bool,
    ) -> Option<Judgement> {
        let over = self
            .judge_repetition(laws, position, counts)
            .or_else(|| self.judge_limits(laws, position));
        match laws.without_move(position.side()) {
            Some(outcome) if is_stuck(over.is_some()) => Some(Judgement {
                outcome,
                since: self.plies(),
            }),
            _ => over,
        }
    }

    fn judge_repetition(
        &self,
        laws: &Laws,
        position: &Position,
        counts: impl Fn(usize) -> bool,
    ) -> Option<Judgement> {
        let needed = laws.repetition?.occurrence.saturating_sub(1) as usize;
        let mut equal = self.earlier(laws, position).filter(|&ply| counts(ply));
        let since = match needed {
            0 => self.plies(),
            needed => equal.nth(needed - 1)?,
        };
        Some(Judgement {
            outcome: laws.repeated(position.side().opponent())?,
            since,
        })
    }

    fn judge_limits(&self, laws: &Laws, position: &Position) -> Option<Judgement> {
        if let Some(outcome) = laws.captureless(position.quiet()) {
            let since = self.plies().saturating_sub(position.quiet().into());
            return Some(Judgement { outcome, since });
        }
        let side = position.side();
        let outcome = laws.out_of_moves(side, self.made_by(side))?;
        Some(Judgement { outcome, since: 0 })
    }

    /// The plies of earlier positions with the key of the present one, nearest first.
    pub(crate) fn earlier(
        &self,
        laws: &Laws,
        position: &Position,
    ) -> impl Iterator<Item = usize> + '_ {
        let key = position.key();
        let present = self.plies();
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

#[cfg(all(test, feature = "toml"))]
mod tests {
    use super::*;
    use crate::{Game, Rules};

    #[test]
    fn under_endless_laws_only_the_kings_fate_ends_a_game() {
        let rules = Rules::ashton();
        let mut laws = rules.laws();
        assert!(laws.repetition.is_some() && !laws.is_limited());
        laws.captureless_limit = Some(2);
        laws.move_limit = Some(3);
        assert!(laws.is_limited() && laws.challenge().is_limited());
        let start = |laws| Game::from_position(rules.clone(), rules.start(), laws);
        let (mut game, mut limited) = (start(laws.endless()), start(laws));
        let there_and_back = ["h3g3", "d3c3", "g3h3", "c3d3"].repeat(3);
        for step in ["e3h3", "d1d3"].into_iter().chain(there_and_back) {
            let step = step.parse().unwrap();
            game.play(step).unwrap();
            assert_eq!(game.outcome(), None);
            let is_over = limited.outcome().is_some();
            assert_eq!(limited.play(step).is_ok(), !is_over);
        }
        assert!(limited.outcome().is_some());
        for side in Side::ALL {
            assert!(laws.without_move(side).is_some());
            assert!(laws.endless().without_move(side).is_none());
        }
    }
}
