//! One game between two movers: the driver between them and a match.

use std::time::{Duration, Instant};

use tablut_rules::{BySide, Game, Side};

use crate::{
    Budget, Conduct, Gone, IllegalMoves, Match, Mover, MoverError, Notice, Said, Stop, TimeControl,
};

/// A game that is to be played.
#[derive(Clone, Debug)]
pub struct Duel<'a> {
    /// Where it starts.
    pub start: Game,
    /// The names of the players in messages.
    pub names: BySide<String>,
    /// What they are told they may spend on a move.
    pub budgets: BySide<Budget>,
    /// What their clocks allow for a move, in milliseconds.
    pub clocks: BySide<Option<u64>>,
    /// By how much a move may come late, in milliseconds.
    pub grace_ms: u64,
    /// The seeds of their random choices.
    pub seeds: BySide<u64>,
    /// The number of plies after which the game is a draw.
    pub max_plies: Option<u32>,
    /// Stop signals, any of which ends the game without a result.
    pub stops: &'a [&'a Stop],
}

/// A game that was played to its end.
#[derive(Clone, Debug)]
pub struct Duelled {
    /// The game.
    pub contest: Match,
    /// What a player did wrong that ended it, if that was it.
    pub fault: Option<String>,
}

impl Duel<'_> {
    /// Plays the game to its end. `watch` sees it at the start and after each move.
    ///
    /// # Errors
    /// A player cannot play at all, or the game was stopped. A player's fault in the game is not an error:
    /// it loses the game.
    pub fn play(
        &self,
        mut movers: BySide<&mut dyn Mover>,
        watch: &mut dyn FnMut(&Match),
    ) -> Result<Duelled, MoverError> {
        let rules = self.start.rules();
        let mut contest = Match::new(
            self.start.clone(),
            self.clocks.map(|clock| self.control(clock)),
            Conduct {
                illegal: IllegalMoves::Lose,
                gone: Gone::Loses,
                max_plies: self.max_plies,
            },
        );
        let mut fault = None;
        for side in Side::ALL {
            match movers[side].new_game(rules, side, self.seeds[side]) {
                Ok(()) => drop(contest.tell(0, Said::Seated(side))),
                Err(error) => {
                    let (said, text) = said(side, &error).ok_or(error)?;
                    fault = fault.or_else(|| Some(self.blame(side, &text)));
                    contest.tell(0, said);
                }
            }
        }
        let mut show = |contest: &Match, movers: &mut BySide<&mut dyn Mover>| {
            for (_, mover) in movers {
                mover.watch(contest.game());
            }
            watch(contest);
        };
        show(&contest, &mut movers);
        // Time spent by spectators, or on a player that does not read, counts on neither clock.
        let (start, mut aside) = (Instant::now(), Duration::ZERO);
        while contest.outcome().is_none() {
            if self.stops.iter().any(|stop| stop.is_abandoned()) {
                return Err(MoverError::Stopped);
            }
            let side = contest.game().position().side();
            let deadline = contest.deadline();
            let question = self.budgets[side].into();
            let chosen = movers[side].choose(contest.game(), question);
            let time = start.elapsed().saturating_sub(aside).as_millis() as u64;
            let notices = match chosen {
                Ok(choice) => {
                    let (step, score) = (choice.step, choice.score);
                    let position = *contest.game().position();
                    let notices = contest.tell(time, Said::Move { side, step, score });
                    if !matches!(notices.first(), Some(Notice::Played { .. })) {
                        let why = match rules.explain(&position, step) {
                            Ok(()) => "the move came too late".to_string(),
                            Err(reason) => reason.to_string(),
                        };
                        fault = Some(self.blame(side, &format!("{step}: {why}")));
                    }
                    notices
                }
                Err(error) => {
                    let (said, text) = said(side, &error).ok_or(error)?;
                    fault = Some(self.blame(side, &text));
                    match deadline {
                        Some(at) if said == Said::Nothing => contest.tell(time.max(at), said),
                        // Late without a clock: it will never come.
                        None if said == Said::Nothing => contest.tell(time, Said::Gone(side)),
                        _ => contest.tell(time, said),
                    }
                }
            };
            debug_assert!(!notices.is_empty(), "a match that goes on says so");
            let begin = Instant::now();
            show(&contest, &mut movers);
            aside += begin.elapsed();
        }
        Ok(Duelled { contest, fault })
    }

    fn control(&self, clock: Option<u64>) -> TimeControl {
        let control = |ms: u64| TimeControl::PerMove {
            ms: ms.saturating_add(self.grace_ms),
        };
        clock.map_or(TimeControl::Unlimited, control)
    }

    fn blame(&self, side: Side, text: &str) -> String {
        format!("{}: {text}", self.names[side])
    }
}

/// What an error means in a game, for the match and in words; `None` if it is not part of a
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
