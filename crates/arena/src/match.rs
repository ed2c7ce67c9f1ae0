//! One game between two seats: turns, clocks, offers, and how it ends.
//!
//! [`Match`] is a pure state machine. It receives what arrived and what time it is, in milliseconds
//! on any clock that does not run backwards, and answers with what both sides should hear, when it
//! wants to be told again that time has passed, and how the game ended. It never waits, reads no
//! clock and knows nothing of threads or sockets.

use std::sync::Arc;

use tablut_rules::{
    Bitboard, BySide, Game, IllegalMove, Laws, Move, Outcome, PlayError, Reason, Rules, Side,
    record::{Record, ReplayError, Score},
};

use crate::{Clock, TimeControl};

/// What follows an illegal move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum IllegalMoves {
    /// It is refused with the reason; the player may try again.
    #[default]
    Refused,
    /// The player loses.
    Lose,
    /// Each player's first `errors` are refused and restart the time for the move; one more loses.
    Tolerated {
        /// How many.
        errors: u32,
    },
}

/// What follows when a player leaves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Gone {
    /// Nothing but what the clock says.
    #[default]
    Waits,
    /// The player may come back within `ms` milliseconds, and loses after that.
    Expected {
        /// Milliseconds.
        ms: u64,
    },
    /// The player loses at once.
    Loses,
}

/// How a match is conducted, besides the rules of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Conduct {
    /// What follows an illegal move.
    pub illegal: IllegalMoves,
    /// What follows when a player leaves.
    pub gone: Gone,
    /// After how many plies, those of an opening included, the game is drawn.
    pub max_plies: Option<u32>,
}

/// What arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Said {
    /// A player is there: for the first time, or again.
    Seated(Side),
    /// A player has left, or a program has ended.
    Gone(Side),
    /// A player is a program that broke, and will not come back.
    Broken(Side),
    /// A player moved.
    Move {
        /// Who.
        side: Side,
        /// The move.
        step: Move,
        /// What the player thinks of the position after it.
        score: Option<Score>,
    },
    /// A player sent something that is not a move at all.
    Illegal(Side),
    /// A player behaved as nobody may, and loses as by an illegal move.
    Disqualified(Side),
    /// A player offers a draw, or accepts the other's offer.
    OfferDraw(Side),
    /// A player declines a draw.
    DeclineDraw(Side),
    /// A player asks to take back the last own move, or grants it to the other.
    TakeBack(Side),
    /// A player refuses to let a move be taken back.
    DeclineTakeBack(Side),
    /// A player gives up.
    Resign(Side),
    /// Nothing: time passed.
    Nothing,
}

/// What the players should hear. Sides are those who did something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notice {
    /// Both are there; the clock of the side to move runs.
    Started,
    /// A move was made.
    Played {
        /// By whom.
        side: Side,
        /// The move.
        step: Move,
        /// The men it captured.
        captured: Bitboard,
        /// Milliseconds it took.
        spent_ms: u64,
    },
    /// What a player wanted is not possible; for that player only.
    Refused {
        /// Who wanted it.
        side: Side,
        /// Why not.
        refusal: Refusal,
    },
    /// A draw was offered.
    DrawOffered(Side),
    /// The offered draw was declined.
    DrawDeclined(Side),
    /// A player wants to take a move back.
    TakeBackAsked(Side),
    /// The other does not want that.
    TakeBackDeclined(Side),
    /// Moves were taken back.
    TakenBack {
        /// How many plies.
        plies: usize,
    },
    /// A player has left.
    Left(Side),
    /// A player has come back.
    Returned(Side),
    /// The game is over.
    Over(Outcome),
}

/// Why something is not possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// Not both players are there yet.
    #[error("the game has not started")]
    NotStarted,
    /// The other side is to move.
    #[error("it is not your turn")]
    NotYourTurn,
    /// The move is illegal.
    #[error("{0}")]
    Illegal(IllegalMove),
    /// What was sent is not a move.
    #[error("that is not a move")]
    NoMove,
    /// There is nothing to decline.
    #[error("nothing was offered")]
    NoOffer,
    /// The player has made no move yet.
    #[error("there is no move to take back")]
    NothingToTakeBack,
}

/// What is known of a move besides the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveNote {
    /// Milliseconds it took.
    pub spent_ms: Option<u64>,
    /// Milliseconds left on the clock after it.
    pub clock_ms: Option<u64>,
    /// What its player thought of the position.
    pub score: Option<Score>,
}

/// What is going on in a match besides its moves and clocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchCourse {
    /// Since when the side to move has been thinking; nothing before both were there.
    pub turn_since: Option<u64>,
    /// Who has offered a draw.
    pub draw_offer: Option<Side>,
    /// Who wants to take a move back.
    pub take_back: Option<Side>,
}

/// A game between two seats.
///
/// ```
/// use tablut_arena::{Conduct, Match, Notice, Said, TimeControl};
/// use tablut_rules::{BySide, Game, Reason, Rules, Side};
///
/// let clock = TimeControl::PerMove { ms: 1000 };
/// let mut game = Match::new(Game::new(Rules::ashton()), BySide::both(clock), Conduct::default());
/// game.tell(0, Said::Seated(Side::Attackers));
/// assert_eq!(game.tell(5, Said::Seated(Side::Defenders)), [Notice::Started]);
/// assert_eq!(game.deadline(), Some(1005));
/// game.tell(1005, Said::Nothing);
/// assert_eq!(game.outcome().map(|outcome| outcome.reason), Some(Reason::TimeOut));
/// ```
#[derive(Clone, Debug)]
pub struct Match {
    game: Game,
    clocks: BySide<Clock>,
    conduct: Conduct,
    notes: Vec<MoveNote>,
    /// The moves made before the match, which stay.
    given: usize,
    seated: BySide<bool>,
    /// When a player left who was there before.
    left_at: BySide<Option<u64>>,
    /// Since when the side to move has been thinking; nothing before both were there.
    turn_since: Option<u64>,
    draw_offer: Option<Side>,
    take_back: Option<Side>,
    /// How many illegal moves each side has made.
    errors: BySide<u32>,
    /// The latest time received.
    now: u64,
}

impl Match {
    /// A match about a game, which may have moves already.
    #[must_use]
    pub fn new(game: Game, controls: BySide<TimeControl>, conduct: Conduct) -> Self {
        Self::with_clocks(game, controls.map(Clock::new), conduct)
    }

    fn with_clocks(game: Game, clocks: BySide<Clock>, conduct: Conduct) -> Self {
        Self {
            notes: vec![MoveNote::default(); game.plies().len()],
            given: game.plies().len(),
            game,
            clocks,
            conduct,
            seated: BySide::default(),
            left_at: BySide::default(),
            turn_since: None,
            draw_offer: None,
            take_back: None,
            errors: BySide::default(),
            now: 0,
        }
    }

    /// A match that continues from its record and the clocks as they were after its last move.
    ///
    /// The clock of the side to move restarts when both players are there: time in which nobody
    /// could play counts for neither.
    ///
    /// # Errors
    /// Says why the record is not that of a game under the rules and laws.
    pub fn restore(
        record: &Record,
        rules: &Arc<Rules>,
        laws: Laws,
        clocks: BySide<Clock>,
        conduct: Conduct,
    ) -> Result<Self, RestoreError> {
        let game = record.replay_under(rules, laws)?;
        let mut restored = Self::with_clocks(game, clocks, conduct);
        let tree = record.tree();
        for (note, node) in restored.notes.iter_mut().zip(tree.main_line()) {
            let notes = tree.notes(node);
            *note = MoveNote {
                spent_ms: notes.spent_ms,
                clock_ms: notes.clock_ms,
                score: notes.score,
            };
        }
        restored.given = 0;
        Ok(restored)
    }

    /// The game as it stands.
    #[must_use]
    pub const fn game(&self) -> &Game {
        &self.game
    }

    /// What is known of each move of the game besides the move.
    #[must_use]
    pub fn notes(&self) -> &[MoveNote] {
        &self.notes
    }

    /// How the game ended, if it has.
    #[must_use]
    pub const fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// A side's clock as it was after its last move.
    #[must_use]
    pub const fn clock(&self, side: Side) -> &Clock {
        self.clocks.get(side)
    }

    /// What a side has left at a time, in milliseconds; nothing if there is no limit.
    #[must_use]
    pub fn left_ms(&self, side: Side, now: u64) -> Option<u64> {
        let left = self.clocks[side].left_ms()?;
        Some(left.saturating_sub(self.thinking(side, now)))
    }

    /// How many illegal moves a side has made.
    #[must_use]
    pub const fn errors(&self, side: Side) -> u32 {
        *self.errors.get(side)
    }

    /// Who has offered a draw that is still open.
    #[must_use]
    pub const fn draw_offer(&self) -> Option<Side> {
        self.draw_offer
    }

    /// Who has asked to take a move back and waits for an answer.
    #[must_use]
    pub const fn take_back(&self) -> Option<Side> {
        self.take_back
    }

    /// Whether both players have been there, so that moves can be made.
    #[must_use]
    pub const fn has_started(&self) -> bool {
        self.turn_since.is_some()
    }

    /// When the match next needs to hear that time has passed, if ever.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        if self.outcome().is_some() {
            return None;
        }
        let absences = Side::ALL
            .into_iter()
            .filter_map(|side| self.missed_at(side));
        absences.chain(self.flag_at()).min()
    }

    /// What is going on besides moves and clocks.
    #[must_use]
    pub const fn course(&self) -> MatchCourse {
        MatchCourse {
            turn_since: self.turn_since,
            draw_offer: self.draw_offer,
            take_back: self.take_back,
        }
    }

    /// Takes over what is going on, and the time on the clocks, from where the match was continued. What
    /// time it is counts from there too, even if it is earlier than it was here.
    pub fn resume(&mut self, course: MatchCourse, clocks: BySide<Clock>) {
        self.now = 0;
        self.clocks = clocks;
        self.draw_offer = course.draw_offer;
        self.take_back = course.take_back;
        self.turn_since = course.turn_since.filter(|_| self.outcome().is_none());
        self.seated = BySide::both(course.turn_since.is_some());
    }

    /// Takes in a move that was made where the match was continued.
    ///
    /// # Errors
    /// It is not a move of this game.
    pub fn follow(&mut self, step: Move, note: MoveNote) -> Result<(), PlayError> {
        self.game.play(step)?;
        self.notes.push(note);
        Ok(())
    }

    /// Takes in how the game ended where the match was continued.
    pub fn follow_end(&mut self, outcome: Outcome) {
        if self.outcome().is_none() {
            self.finish(outcome);
        }
    }

    /// The record of the game so far, with times and scores.
    #[must_use]
    pub fn record(&self) -> Record {
        let mut record = Record::from_game(&self.game);
        let tree = record.tree_mut();
        let nodes: Vec<_> = tree.main_line().collect();
        for (node, note) in nodes.into_iter().zip(&self.notes) {
            let notes = tree.notes_mut(node);
            notes.spent_ms = note.spent_ms;
            notes.clock_ms = note.clock_ms;
            notes.score = note.score;
        }
        record
    }

    /// Takes in what arrived, and gives what the players should hear of it.
    pub fn tell(&mut self, now: u64, said: Said) -> Vec<Notice> {
        self.now = self.now.max(now);
        if let Some(outcome) = self.outcome() {
            return self.after_the_end(said, outcome);
        }
        // The clock comes first: what arrives too late has not arrived.
        if let Some(outcome) = self.expired(said) {
            return self.finish(outcome);
        }
        match said {
            Said::Seated(side) => self.sit(side),
            Said::Gone(side) => self.leave(side),
            Said::Broken(side) => {
                self.finish(Outcome::win(side.opponent(), Reason::ConnectionLost))
            }
            Said::Move { side, step, score } => self.play(side, step, score),
            Said::Illegal(side) => self.illegal(side, Refusal::NoMove),
            Said::Disqualified(side) => self.disqualify(side),
            Said::OfferDraw(side) => self.offer_draw(side),
            Said::DeclineDraw(side) => self.decline_draw(side),
            Said::TakeBack(side) => self.ask_take_back(side),
            Said::DeclineTakeBack(side) => self.decline_take_back(side),
            Said::Resign(side) => self.finish(Outcome::win(side.opponent(), Reason::Resignation)),
            Said::Nothing => Vec::new(),
        }
    }

    /// How long a side has been thinking.
    fn thinking(&self, side: Side, now: u64) -> u64 {
        match self.turn_since {
            Some(since) if side == self.to_move() => now.saturating_sub(since),
            _ => 0,
        }
    }

    fn to_move(&self) -> Side {
        self.game.position().side()
    }

    /// When the side to move runs out of time.
    fn flag_at(&self) -> Option<u64> {
        let left = self.clocks[self.to_move()].left_ms()?;
        Some(self.turn_since?.saturating_add(left))
    }

    /// When a player who left has been away too long.
    fn missed_at(&self, side: Side) -> Option<u64> {
        match self.conduct.gone {
            Gone::Expected { ms } => Some(self.left_at[side]?.saturating_add(ms)),
            Gone::Waits | Gone::Loses => None,
        }
    }

    /// How the game has ended by now, if a player's time has run out. What arrives exactly at the
    /// end of the time is in time; if nothing arrives, the time is over.
    fn expired(&self, said: Said) -> Option<Outcome> {
        let is_over = |at: u64| match said {
            Said::Nothing => self.now >= at,
            _ => self.now > at,
        };
        let absences = Side::ALL.into_iter().filter_map(|side| {
            let at = self.missed_at(side)?;
            Some((at, Outcome::win(side.opponent(), Reason::ConnectionLost)))
        });
        let late = Outcome::win(self.to_move().opponent(), Reason::TimeOut);
        let flag = self.flag_at().map(|at| (at, late));
        let ends = absences.chain(flag);
        let first = ends.filter(|&(at, _)| is_over(at)).min_by_key(|end| end.0);
        first.map(|(_, outcome)| outcome)
    }

    fn finish(&mut self, outcome: Outcome) -> Vec<Notice> {
        self.game.finish(outcome);
        self.turn_since = None;
        vec![Notice::Over(outcome)]
    }

    fn after_the_end(&self, said: Said, outcome: Outcome) -> Vec<Notice> {
        match said {
            Said::Move { side, .. }
            | Said::Illegal(side)
            | Said::Disqualified(side)
            | Said::OfferDraw(side)
            | Said::DeclineDraw(side)
            | Said::TakeBack(side)
            | Said::DeclineTakeBack(side)
            | Said::Resign(side) => refused(side, Refusal::Over(outcome)),
            Said::Seated(_) | Said::Gone(_) | Said::Broken(_) | Said::Nothing => Vec::new(),
        }
    }

    fn sit(&mut self, side: Side) -> Vec<Notice> {
        self.seated[side] = true;
        if self.left_at[side].take().is_some() {
            return vec![Notice::Returned(side)];
        }
        if self.seated == BySide::both(true) && self.turn_since.is_none() {
            self.turn_since = Some(self.now);
            return vec![Notice::Started];
        }
        Vec::new()
    }

    fn leave(&mut self, side: Side) -> Vec<Notice> {
        if self.conduct.gone == Gone::Loses {
            return self.finish(Outcome::win(side.opponent(), Reason::ConnectionLost));
        }
        if self.left_at[side].is_some() {
            return Vec::new();
        }
        self.left_at[side] = Some(self.now);
        vec![Notice::Left(side)]
    }

    fn play(&mut self, side: Side, step: Move, score: Option<Score>) -> Vec<Notice> {
        if self.turn_since.is_none() {
            return refused(side, Refusal::NotStarted);
        }
        if side != self.to_move() {
            return refused(side, Refusal::NotYourTurn);
        }
        let spent_ms = self.thinking(side, self.now);
        let applied = match self.game.play(step) {
            Ok(applied) => applied,
            Err(PlayError::Over(outcome)) => return refused(side, Refusal::Over(outcome)),
            Err(PlayError::Illegal(reason)) => {
                return self.illegal(side, Refusal::Illegal(reason));
            }
        };
        let clock = &mut self.clocks[side];
        clock.spend(spent_ms);
        self.notes.push(MoveNote {
            // A move in no time needs no note.
            spent_ms: (spent_ms > 0).then_some(spent_ms),
            clock_ms: match clock.control() {
                TimeControl::Total { .. } => clock.left_ms(),
                TimeControl::Unlimited | TimeControl::PerMove { .. } => None,
            },
            score,
        });
        self.turn_since = Some(self.now);
        // An own offer stays open for the other's answer; the other's is declined by a move.
        self.draw_offer = self.draw_offer.filter(|&by| by == side);
        self.take_back = None;
        let mut notices = vec![Notice::Played {
            side,
            step,
            captured: applied.captured,
            spent_ms,
        }];
        if let Some(outcome) = self.game.outcome().or_else(|| self.too_long()) {
            notices.extend(self.finish(outcome));
        }
        notices
    }

    /// The end of a game that has as many plies as it may have.
    fn too_long(&self) -> Option<Outcome> {
        let most = self.conduct.max_plies? as usize;
        (self.game.plies().len() >= most).then_some(Outcome::draw(Reason::MoveLimit))
    }

    fn illegal(&mut self, side: Side, refusal: Refusal) -> Vec<Notice> {
        let errors = &mut self.errors[side];
        *errors = errors.saturating_add(1);
        let mut notices = refused(side, refusal);
        match self.conduct.illegal {
            IllegalMoves::Refused => {}
            IllegalMoves::Lose => notices.extend(self.disqualify(side)),
            IllegalMoves::Tolerated { errors: most } if *errors > most => {
                notices.extend(self.disqualify(side));
            }
            IllegalMoves::Tolerated { .. } => self.turn_since = self.turn_since.map(|_| self.now),
        }
        notices
    }

    fn disqualify(&mut self, side: Side) -> Vec<Notice> {
        self.finish(Outcome::win(side.opponent(), Reason::IllegalMove))
    }

    fn offer_draw(&mut self, side: Side) -> Vec<Notice> {
        match self.draw_offer {
            Some(by) if by != side => self.finish(Outcome::draw(Reason::Agreement)),
            Some(_) => Vec::new(),
            None => {
                self.draw_offer = Some(side);
                vec![Notice::DrawOffered(side)]
            }
        }
    }

    fn decline_draw(&mut self, side: Side) -> Vec<Notice> {
        if self.draw_offer != Some(side.opponent()) {
            return refused(side, Refusal::NoOffer);
        }
        self.draw_offer = None;
        vec![Notice::DrawDeclined(side)]
    }

    fn ask_take_back(&mut self, side: Side) -> Vec<Notice> {
        match self.take_back {
            Some(by) if by != side => self.undo(by),
            Some(_) => Vec::new(),
            None if self.plies_back(side).is_none() => refused(side, Refusal::NothingToTakeBack),
            None => {
                self.take_back = Some(side);
                vec![Notice::TakeBackAsked(side)]
            }
        }
    }

    fn decline_take_back(&mut self, side: Side) -> Vec<Notice> {
        if self.take_back != Some(side.opponent()) {
            return refused(side, Refusal::NoOffer);
        }
        self.take_back = None;
        vec![Notice::TakeBackDeclined(side)]
    }

    /// How many plies have to go for a side to be at its last move again.
    fn plies_back(&self, side: Side) -> Option<usize> {
        let plies = if side == self.to_move() { 2 } else { 1 };
        (self.game.plies().len() >= self.given + plies).then_some(plies)
    }

    /// Takes a side's last move back. Time that was spent stays spent.
    fn undo(&mut self, side: Side) -> Vec<Notice> {
        self.take_back = None;
        self.draw_offer = None;
        let Some(plies) = self.plies_back(side) else {
            return refused(side, Refusal::NothingToTakeBack);
        };
        if let Some(since) = self.turn_since {
            let clock = &mut self.clocks[self.game.position().side()];
            let left = clock.left_ms().unwrap_or(u64::MAX);
            let left = match clock.control() {
                TimeControl::PerMove { ms } => ms,
                _ => left.saturating_sub(self.now - since),
            };
            *clock = Clock::with_left(clock.control(), left);
            self.turn_since = Some(self.now);
        }
        for _ in 0..plies {
            self.game.undo();
            self.notes.pop();
        }
        vec![Notice::TakenBack { plies }]
    }
}

fn refused(side: Side, refusal: Refusal) -> Vec<Notice> {
    vec![Notice::Refused { side, refusal }]
}

/// Why a match cannot go on from a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the record cannot be continued: {0}")]
pub struct RestoreError(#[from] ReplayError);

mod dormant;

pub use dormant::DormantMatch;

#[cfg(test)]
mod tests;
