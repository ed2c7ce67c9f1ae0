//! The contest's referee: names, frames, errors and their allowance, over a [`Match`].
//!
//! A pure state machine. It receives what came from whom and what time it is, and answers with what
//! is to be sent, whose connection is to be closed, and what happened.

use std::sync::Arc;

use tablut_arena::{Conduct, Gone, IllegalMoves, Match, Notice, Refusal, Said, TimeControl};
use tablut_rules::{BySide, Game, Reason, Setup, Side};

use super::{
    Dismissal, Early, Effect, Farewell, Fault, Heard, Lost, Options, Rubbish, Tally,
    frame::{Frame, frame},
    message::{Action, State, Turn, read_name},
};

/// A player's place.
#[derive(Clone, Debug, Default)]
struct Seat {
    /// Since when a client is connected.
    since: Option<u64>,
    name: Option<String>,
    /// A frame that came before its turn.
    early: Option<Frame>,
    /// Nothing more will come.
    is_closed: bool,
}

/// The referee of one game.
#[derive(Clone, Debug)]
pub struct Referee {
    options: Options,
    contest: Match,
    seats: BySide<Seat>,
    has_started: bool,
    is_abandoned: bool,
    /// The time of the first event.
    since: Option<u64>,
}

impl Referee {
    /// A game that waits for its players.
    #[must_use]
    pub fn new(options: Options) -> Self {
        let rules = Arc::clone(&options.rules);
        let start = rules.start();
        Self {
            contest: Match::new(
                Game::from_position(rules, start, options.laws),
                BySide::both(TimeControl::PerMove {
                    ms: options.time_ms,
                }),
                Conduct {
                    illegal: IllegalMoves::Tolerated {
                        errors: options.errors,
                    },
                    gone: Gone::Loses,
                    max_plies: None,
                },
            ),
            seats: BySide::default(),
            has_started: false,
            is_abandoned: false,
            since: None,
            options,
        }
    }

    /// What is played.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The game with its clocks.
    #[must_use]
    pub const fn contest(&self) -> &Match {
        &self.contest
    }

    /// What is kept of a player's name; empty before it is known.
    #[must_use]
    pub fn name(&self, side: Side) -> &str {
        self.seats[side].name.as_deref().unwrap_or_default()
    }

    /// The figures of a player.
    #[must_use]
    pub fn tally(&self, side: Side) -> Tally {
        Tally::new(&self.contest, side)
    }

    /// Whether nothing more will happen.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_abandoned || self.contest.outcome().is_some()
    }

    /// Whether the next frame of a client should be read now, or wait.
    #[must_use]
    pub fn wants(&self, side: Side) -> bool {
        let seat = &self.seats[side];
        match self.options.manner.early {
            Early::One => true,
            Early::Unread if !self.has_started => seat.name.is_none(),
            Early::Unread => self.to_move() == side,
        }
    }

    /// When the referee next needs to hear that time has passed, if ever.
    #[must_use]
    pub fn deadline(&self) -> Option<u64> {
        if self.is_over() {
            return None;
        }
        if self.has_started {
            return self.contest.deadline();
        }
        let names = Side::ALL
            .into_iter()
            .filter_map(|side| self.nameless_at(side));
        names.chain(self.gone_at()).min()
    }

    /// When a client that is there should have said its name.
    fn nameless_at(&self, side: Side) -> Option<u64> {
        let seat = &self.seats[side];
        match seat.name {
            None => Some(seat.since?.saturating_add(self.options.name_ms())),
            Some(_) => None,
        }
    }

    /// When the players should be there.
    fn gone_at(&self) -> Option<u64> {
        Some(self.since?.saturating_add(self.options.wait_ms?))
    }

    fn to_move(&self) -> Side {
        self.contest.game().position().side()
    }

    /// Takes in that time has passed.
    pub fn pass(&mut self, now: u64) -> Vec<Effect> {
        let since = *self.since.get_or_insert(now);
        let now = now.max(since);
        let mut effects = Vec::new();
        if self.is_over() {
            return effects;
        }
        if self.has_started {
            let notices = self.contest.tell(now, Said::Nothing);
            self.follow(now, &notices, &mut effects);
            return effects;
        }
        if self.gone_at().is_some_and(|at| now >= at) {
            self.is_abandoned = true;
            return vec![Effect::Abandoned];
        }
        for side in Side::WHITE_FIRST {
            if self.nameless_at(side).is_some_and(|at| now >= at) {
                self.dismiss(side, Dismissal::Nameless, &mut effects);
            }
        }
        effects
    }

    /// Takes in what came from a client.
    pub fn tell(&mut self, now: u64, side: Side, heard: Heard) -> Vec<Effect> {
        self.since.get_or_insert(now);
        let mut effects = Vec::new();
        if self.is_over() {
            return effects;
        }
        match heard {
            // Nobody comes into a game that runs.
            Heard::Connected if self.has_started => {}
            Heard::Connected => {
                self.seats[side] = Seat {
                    since: Some(now),
                    ..Seat::default()
                };
            }
            Heard::Closed if !self.has_started => self.dismiss(side, Dismissal::Left, &mut effects),
            Heard::Closed => self.close(now, side, &mut effects),
            Heard::Frame(frame) => self.receive(now, side, frame, &mut effects),
        }
        // A move that came early has its turn now.
        while self.has_started
            && !self.is_over()
            && let side = self.to_move()
            && let Some(frame) = self.seats[side].early.take()
        {
            self.judge(now, frame, &mut effects);
        }
        effects
    }

    fn dismiss(&mut self, side: Side, why: Dismissal, effects: &mut Vec<Effect>) {
        self.seats[side] = Seat::default();
        effects.push(Effect::Dismissed { side, why });
    }

    fn receive(&mut self, now: u64, side: Side, frame: Frame, effects: &mut Vec<Effect>) {
        let is_on_turn = self.has_started && self.to_move() == side;
        let seat = &mut self.seats[side];
        if seat.name.is_none() {
            self.seat(now, side, &frame, effects);
        } else if is_on_turn {
            self.judge(now, frame, effects);
        } else if seat.early.is_none() {
            seat.early = Some(frame);
        } else if self.has_started {
            let fault = Fault::Flood;
            self.refuse(side, Action::default(), fault, effects);
            let notices = self.contest.tell(now, Said::Disqualified(side));
            self.follow(now, &notices, effects);
        } else {
            self.dismiss(side, Dismissal::Flood, effects);
        }
    }

    /// Takes a name, and starts the game if it is the second.
    fn seat(&mut self, now: u64, side: Side, frame: &Frame, effects: &mut Vec<Effect>) {
        let said = match frame {
            // What cannot be read is a name all the same: nobody should fail by a name.
            Frame::Payload(payload) => {
                read_name(payload).unwrap_or_else(|_| String::from_utf8_lossy(payload).into_owned())
            }
            Frame::Negative | Frame::TooLong(_) => String::new(),
        };
        let mut name = self.options.manner.names.keep(&said);
        if name.is_empty() {
            name = side.colour().to_string();
        }
        let seat = &mut self.seats[side];
        seat.since.get_or_insert(now);
        seat.name = Some(name.clone());
        effects.push(Effect::Seated { side, name });
        if self.seats.values().any(|seat| seat.name.is_none()) {
            return;
        }
        self.has_started = true;
        effects.push(Effect::Started);
        for side in Side::ALL {
            let notices = self.contest.tell(now, Said::Seated(side));
            self.follow(now, &notices, effects);
        }
    }

    /// Judges what the side to move sent.
    fn judge(&mut self, now: u64, frame: Frame, effects: &mut Vec<Effect>) {
        let side = self.to_move();
        let waits = self.options.manner.rubbish == Rubbish::End;
        let (action, fault) = match frame {
            Frame::TooLong(_) if waits => return,
            Frame::TooLong(length) => (Action::default(), Some(Fault::TooLong(length))),
            Frame::Negative => (Action::default(), Some(Fault::Negative)),
            Frame::Payload(payload) => match Action::read(&payload) {
                Err(_) => (Action::default(), Some(Fault::Malformed)),
                Ok(action) if action.step().is_none() => (action, Some(Fault::NoSquares)),
                Ok(action) => (action, None),
            },
        };
        let said = match (fault, action.step()) {
            (None, Some(step)) => Said::Move {
                side,
                step,
                score: None,
            },
            (Some(Fault::Malformed), _) if waits => Said::Disqualified(side),
            _ => Said::Illegal(side),
        };
        let ply = self.contest.game().plies().len();
        let notices = self.contest.tell(now, said);
        if let [Notice::Played { spent_ms, .. }, ..] = notices[..] {
            effects.push(Effect::Moved {
                side,
                ply,
                action,
                spent_ms,
            });
        } else if let Some(fault) = fault.or_else(|| illegal(&notices))
            && !self.is_late()
        {
            self.refuse(side, action, fault, effects);
            if said == Said::Disqualified(side) {
                return self.finish(Farewell::Silent, effects);
            }
        }
        self.follow(now, &notices, effects);
    }

    fn refuse(&self, side: Side, action: Action, fault: Fault, effects: &mut Vec<Effect>) {
        let errors = self.contest.errors(side);
        effects.push(Effect::Refused {
            side,
            action,
            fault,
            plies: self.contest.game().plies().len(),
            errors,
        });
    }

    /// A player's connection has ended.
    fn close(&mut self, now: u64, side: Side, effects: &mut Vec<Effect>) {
        self.seats[side].is_closed = true;
        let said = match self.options.manner.lost {
            Lost::AtOnce => Said::Gone(side),
            Lost::WhenUsed if self.to_move() != side => return,
            Lost::WhenUsed if self.contest.errors(side) < self.options.errors => {
                Said::Illegal(side)
            }
            Lost::WhenUsed => Said::Gone(side),
        };
        let notices = self.contest.tell(now, said);
        if !self.is_late() {
            self.refuse(side, Action::default(), Fault::Closed, effects);
        }
        self.follow(now, &notices, effects);
    }

    fn is_late(&self) -> bool {
        let outcome = self.contest.outcome();
        outcome.is_some_and(|outcome| outcome.reason == Reason::TimeOut)
    }

    /// Tells the players what the match says.
    fn follow(&mut self, now: u64, notices: &[Notice], effects: &mut Vec<Effect>) {
        if notices.is_empty() {
            return;
        }
        if self.is_late() && self.options.manner.late == Farewell::Silent {
            return self.finish(Farewell::Silent, effects);
        }
        let game = self.contest.game();
        let state = State {
            setup: Setup::from(game.position()),
            turn: Turn::new(game.position().side(), game.outcome()),
        };
        let sent: Arc<[u8]> = frame(state.payload(game.rules()).as_bytes()).into();
        for side in Side::WHITE_FIRST {
            let is_closed = self.seats[side].is_closed;
            if is_closed && self.options.manner.lost == Lost::WhenUsed {
                // Over, if it was not before.
                self.contest.tell(now, Said::Gone(side));
                return self.finish(Farewell::Silent, effects);
            }
            effects.push(Effect::Send {
                side,
                frame: Arc::clone(&sent),
            });
        }
        self.finish(Farewell::Told, effects);
    }

    /// Says that the game is over, if it is.
    fn finish(&self, farewell: Farewell, effects: &mut Vec<Effect>) {
        if let Some(outcome) = self.contest.outcome() {
            effects.push(Effect::Over { outcome, farewell });
        }
    }
}

/// Why the match did not take a move.
fn illegal(notices: &[Notice]) -> Option<Fault> {
    notices.iter().find_map(|notice| match notice {
        Notice::Refused {
            refusal: Refusal::Illegal(reason),
            ..
        } => Some(Fault::Illegal(*reason)),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
