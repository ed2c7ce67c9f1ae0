//! One game of a series.

use std::sync::Arc;

use tablut_rules::{BySide, Game, Outcome, Random, Side, record::Record};

use super::{Message, PlayedGame, Shared};
use crate::{Duel, Match, Mover, MoverError, stats::Points};

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
    ) -> Result<PlayedGame, MoverError> {
        let first = side_of_first(number);
        let entrants = BySide::from_fn(|side| usize::from(side != first));
        let duel = Duel {
            start: self.start(number)?,
            names: entrants.map(|n| self.series.entrants[n].player.to_string()),
            budgets: entrants.map(|n| self.series.entrants[n].budget),
            clocks: entrants.map(|n| self.series.entrants[n].budget.time_ms),
            grace_ms: self.series.grace_ms,
            // Every player of every game has a seed of its own.
            seeds: entrants
                .map(|n| Random::part(self.series.seed, 2 * number as u64 + n as u64).next()),
            max_plies: self.series.max_plies,
            stops: &[self.stop, &self.halt],
        };
        let [one, other] = movers;
        let (attackers, defenders) = match first {
            Side::Attackers => (one, other),
            Side::Defenders => (other, one),
        };
        let movers: BySide<&mut dyn Mover> = BySide {
            attackers: attackers.as_mut(),
            defenders: defenders.as_mut(),
        };
        let over = duel.play(movers, &mut |contest| {
            if self.series.is_live {
                let record = Box::new(record(contest, number, &duel.names));
                say(Message::Moved(record, Box::new(contest.game().clone())));
            }
        })?;
        let record = record(&over.contest, number, &duel.names);
        Ok(PlayedGame {
            number,
            side: first,
            points: points(record.outcome, first),
            record,
            fault: over.fault,
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
}

fn record(contest: &Match, number: usize, names: &BySide<String>) -> Record {
    let mut record = contest.record();
    for (key, value) in [
        ("Event", "tablut match".to_string()),
        ("Round", (number + 1).to_string()),
        ("White", names.defenders.clone()),
        ("Black", names.attackers.clone()),
    ] {
        let set = record.set_header(key, value);
        debug_assert!(set.is_ok(), "these headers are no fields");
    }
    record
}

/// The result for a side.
fn points(outcome: Option<Outcome>, side: Side) -> Points {
    match outcome.and_then(|outcome| outcome.winner) {
        Some(winner) if winner == side => Points::Win,
        Some(_) => Points::Loss,
        None => Points::Draw,
    }
}
