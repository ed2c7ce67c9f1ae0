//! A game: its moves, its history, and how it stands.

use alloc::{sync::Arc, vec::Vec};
use core::fmt;

use crate::{
    Applied, Bitboard, History, IllegalMove, Laws, Move, MoveList, Outcome, Position, Rules, Side,
};

/// A move that was made, and where it led.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Ply {
    /// The move.
    pub step: Move,
    /// The men it captured.
    pub captured: Bitboard,
    /// The position after it.
    pub position: Position,
}

/// A game from its start to the present, with undo and redo.
///
/// It decides what a position alone cannot: repetition, limits, and a side without moves.
///
/// ```
/// # #[cfg(feature = "toml")] {
/// use tablut_rules::{Game, Rules};
/// let mut game = Game::new(Rules::ashton());
/// game.play("e4-d4".parse().expect("a move")).expect("legal");
/// assert!(game.play("e6-e7".parse().expect("a move")).is_err(), "it is black's turn");
/// assert_eq!(game.outcome(), None);
/// assert!(game.undo());
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    laws: Laws,
    start: Position,
    plies: Vec<Ply>,
    undone: Vec<Move>,
    history: History,
    outcome: Option<Outcome>,
}

impl Game {
    /// A game from the start position under the set's own laws.
    pub fn new(rules: impl Into<Arc<Rules>>) -> Self {
        let rules = rules.into();
        let (start, laws) = (rules.start(), rules.laws());
        Self::from_position(rules, start, laws)
    }

    /// A game from any position, under any laws.
    pub fn from_position(rules: impl Into<Arc<Rules>>, start: Position, laws: Laws) -> Self {
        let mut game = Self {
            rules: rules.into(),
            laws,
            start,
            plies: Vec::new(),
            undone: Vec::new(),
            history: History::new(&start),
            outcome: None,
        };
        let first = start.side();
        game.outcome = game.stuck().or_else(|| laws.out_of_moves(first, 0));
        game
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The laws in force.
    #[must_use]
    pub const fn laws(&self) -> &Laws {
        &self.laws
    }

    /// The position the game started from.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The present position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.plies.last().map_or(&self.start, |ply| &ply.position)
    }

    /// The moves made, with what they captured and where they led.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// The moves that were undone and can be redone, the next one last.
    #[must_use]
    pub fn undone(&self) -> &[Move] {
        &self.undone
    }

    /// The keys of all positions so far, for a search that has to know repetitions.
    #[must_use]
    pub const fn history(&self) -> &History {
        &self.history
    }

    /// The moves that can be made now; none if the game is over.
    ///
    /// ```
    /// # #[cfg(feature = "toml")] {
    /// let game = tablut_rules::Game::new(tablut_rules::Rules::ashton());
    /// assert_eq!(game.legal_moves().len(), 56);
    /// # }
    /// ```
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        match self.outcome {
            None => self.rules.moves(self.position()),
            Some(_) => MoveList::new(),
        }
    }

    /// How the game ended, if it has.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Makes a move and forgets what could have been redone.
    ///
    /// # Errors
    /// Says why the move cannot be made; the game stays as it was.
    pub fn play(&mut self, step: Move) -> Result<Applied, PlayError> {
        let applied = self.advance(step)?;
        self.undone.clear();
        Ok(applied)
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(ply) = self.plies.pop() else {
            return false;
        };
        self.history.pop();
        self.undone.push(ply.step);
        self.outcome = None;
        true
    }

    /// Makes the move again that was last undone; false if there is none.
    pub fn redo(&mut self) -> bool {
        let step = self.undone.last().copied();
        let done = step.is_some_and(|step| self.advance(step).is_ok());
        if done {
            self.undone.pop();
        }
        done
    }

    /// Ends the game for a reason that is not on the board; false if it is over already.
    pub fn finish(&mut self, outcome: Outcome) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        self.outcome = Some(outcome);
        true
    }

    /// Limits the moves of each player, those already made included.
    ///
    /// # Errors
    /// A player has made as many moves already.
    pub fn limit_moves(&mut self, limit: u32) -> Result<(), LimitError> {
        let made = Side::ALL.into_iter().map(|side| self.made_by(side)).max();
        match made {
            Some(made) if made >= limit => Err(LimitError { limit, made }),
            _ => {
                self.laws.move_limit = Some(limit);
                Ok(())
            }
        }
    }

    /// How many moves a side has made.
    #[must_use]
    pub fn made_by(&self, side: Side) -> u32 {
        self.history.made_by(side)
    }

    /// How often the present position has occurred, this time included.
    #[must_use]
    pub fn occurrences(&self) -> u32 {
        1 + self
            .history
            .earlier(&self.laws, self.position())
            .filter(|&ply| self.repeats(ply))
            .count() as u32
    }

    /// Whether the present position is the one after an earlier number of moves: keys alone are
    /// almost a proof.
    fn repeats(&self, ply: usize) -> bool {
        let earlier = match ply {
            0 => &self.start,
            n => &self.plies[n - 1].position,
        };
        earlier.repeats(self.position())
    }

    fn advance(&mut self, step: Move) -> Result<Applied, PlayError> {
        if let Some(outcome) = self.outcome {
            return Err(PlayError::Over(outcome));
        }
        let before = *self.position();
        let applied = self
            .rules
            .apply(&before, step)
            .map_err(PlayError::Illegal)?;
        self.history.push(&applied.position);
        self.plies.push(Ply {
            step,
            captured: applied.captured,
            position: applied.position,
        });
        self.outcome = applied.end.map(Outcome::from).or_else(|| self.judge());
        Ok(applied)
    }

    /// What ends the game after a move that did not decide the king's fate.
    fn judge(&self) -> Option<Outcome> {
        let position = self.position();
        let judgement = self.history.judge(
            &self.laws,
            position,
            |ply| self.repeats(ply),
            |_| !self.rules.has_moves(position),
        );
        judgement.map(|judgement| judgement.outcome)
    }

    /// The end for a side to move that has no legal move.
    fn stuck(&self) -> Option<Outcome> {
        let position = self.position();
        let outcome = self.laws.without_move(position.side())?;
        (!self.rules.has_moves(position)).then_some(outcome)
    }
}

/// A limit that a player has reached already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitError {
    /// The limit that was asked for.
    pub limit: u32,
    /// The most moves a player has made.
    pub made: u32,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, made } = self;
        write!(
            f,
            "a limit of {limit} is too low: a player has made {made} moves"
        )
    }
}

impl core::error::Error for LimitError {}

/// Why a move could not be made in a game.
///
/// Not `non_exhaustive`: there is no third reason, and a program that takes moves from outside has to
/// answer both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlayError {
    /// The game is over.
    Over(Outcome),
    /// The move is illegal.
    Illegal(IllegalMove),
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over(outcome) => write!(f, "the game is over: {outcome}"),
            Self::Illegal(reason) => write!(f, "{reason}"),
        }
    }
}

impl core::error::Error for PlayError {}
