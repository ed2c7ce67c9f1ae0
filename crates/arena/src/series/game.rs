//! One game of a series: the driver between two movers and a match.

use std::{sync::Arc, time::Instant};

use tablut_rules::{Game, Outcome, Random, Side, record::Record};

use super::{Message, Played, Shared};
use crate::{
    Conduct, Gone, IllegalMoves, Match, Mover, MoverError, Notice, Said, TimeControl, stats::Points,
};

/// The side of the first player in a game.
const fn side_of_first(number: usize) -> Side {
    match number % 2 {
        0 => Side::Attackers,
        _ => Side::Defenders,
    }
}

impl Shared<'_> {
    /// Plays a game to its end.
    pub(super) fn play(
        &self,
        number: usize,
        movers: &mut [Box<dyn Mover>; 2],
        say: &dyn Fn(Message),
    ) -> Result<Played, MoverError> {
        let first = side_of_first(number);
        let entrant = |side: Side| usize::from(side != first);
        let mut contest = Match::new(
            self.start(number)?,
            Side::ALL.map(|side| self.control(entrant(side))),
            Conduct {
                illegal: IllegalMoves::Lose,
                gone: Gone::Loses,
                max_plies: self.series.max_plies,
            },
        );
        let mut fault = None;
        for side in Side::ALL {
            let n = entrant(side);
            // Every player of every game has a seed of its own.
            let seed = Random::part(self.series.seed, 2 * number as u64 + n as u64).next();
            match movers[n].new_game(&self.series.rules, side, seed) {
                Ok(()) => drop(contest.tell(0, Said::Seated(side))),
                Err(error) => {
                    let (said, text) = said(side, &error).ok_or(error)?;
                    fault = fault.or_else(|| Some(format!("{}: {text}", self.name(n))));
                    contest.tell(0, said);
                }
            }
        }
        let show = |contest: &Match, movers: &mut [Box<dyn Mover>; 2]| {
            for mover in movers {
                mover.watch(contest.game());
            }
            if self.series.is_live {
                let record = Box::new(self.record(contest, number, entrant));
                say(Message::Moved(record, Box::new(contest.game().clone())));
            }
        };
        show(&contest, movers);
        let start = Instant::now();
        let now = || start.elapsed().as_millis() as u64;
        while contest.outcome().is_none() {
            if self.options.stop.is_abandoned() || self.halt.is_abandoned() {
                return Err(MoverError::Stopped);
            }
            let side = contest.game().position().side();
            let budget = self.series.entrants[entrant(side)].budget;
            let deadline = contest.deadline();
            let chosen = movers[entrant(side)].choose(contest.game(), budget);
            let time = now();
            let notices = match chosen {
                Ok(choice) => {
                    let (step, score) = (choice.step, choice.score);
                    let position = *contest.game().position();
                    let notices = contest.tell(time, Said::Move { side, step, score });
                    if !matches!(notices.first(), Some(Notice::Played { .. })) {
                        let why = match self.series.rules.explain(&position, step) {
                            Ok(()) => "it came too late".to_string(),
                            Err(reason) => reason.to_string(),
                        };
                        fault = Some(format!("{}: {step}: {why}", self.name(entrant(side))));
                    }
                    notices
                }
                Err(error) => {
                    let (said, text) = said(side, &error).ok_or(error)?;
                    fault = Some(format!("{}: {text}", self.name(entrant(side))));
                    match deadline {
                        Some(at) if said == Said::Nothing => contest.tell(time.max(at), said),
                        // Late without a clock: it will never come.
                        None if said == Said::Nothing => contest.tell(time, Said::Gone(side)),
                        _ => contest.tell(time, said),
                    }
                }
            };
            debug_assert!(!notices.is_empty(), "a match that goes on says so");
            show(&contest, movers);
        }
        let record = self.record(&contest, number, entrant);
        Ok(Played {
            number,
            side: first,
            points: points(record.outcome, first),
            record,
            fault,
        })
    }

    /// The game with its opening.
    fn start(&self, number: usize) -> Result<Game, MoverError> {
        let rules = &self.series.rules;
        match self.series.opening(number) {
            None => Ok(Game::new(Arc::clone(rules))),
            // All openings were played before the series began.
            Some(opening) => opening.game(rules).map_err(|_| MoverError::Stopped),
        }
    }

    fn control(&self, entrant: usize) -> TimeControl {
        let time = self.series.entrants[entrant].budget.time_ms;
        time.map_or(TimeControl::Unlimited, |ms| TimeControl::PerMove {
            ms: ms.saturating_add(self.options.grace_ms),
        })
    }

    fn name(&self, entrant: usize) -> String {
        self.series.entrants[entrant].player.to_string()
    }

    fn record(&self, contest: &Match, number: usize, entrant: impl Fn(Side) -> usize) -> Record {
        let mut record = contest.record();
        for (key, value) in [
            ("Event", "tablut match".to_string()),
            ("Round", (number + 1).to_string()),
            ("White", self.name(entrant(Side::Defenders))),
            ("Black", self.name(entrant(Side::Attackers))),
        ] {
            let set = record.set_header(key, value);
            debug_assert!(set.is_ok(), "these headers are no fields");
        }
        record
    }
}

/// What an error means in a game, in the match's words and a person's; nothing if it is none of a
/// game.
fn said(side: Side, error: &MoverError) -> Option<(Said, String)> {
    let said = match error {
        MoverError::Late => Said::Nothing,
        MoverError::Gone(_) => Said::Gone(side),
        MoverError::Illegal(_) => Said::Illegal(side),
        MoverError::Stopped | MoverError::Unfit { .. } => return None,
    };
    Some((said, error.to_string()))
}

/// The result for a side.
fn points(outcome: Option<Outcome>, side: Side) -> Points {
    match outcome.and_then(|outcome| outcome.winner) {
        Some(winner) if winner == side => Points::Win,
        Some(_) => Points::Loss,
        None => Points::Draw,
    }
}
