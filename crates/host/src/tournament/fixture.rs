//! One fixture: played, kept move by move, and brought to its result.

use std::sync::Arc;

use tablut_arena::{
    Budget, Choice, Duel, Duelled, Match, Mover, MoverError, Question, Stop, TimeControl,
    tournament::{Entry, Team},
};
use tablut_challenge::Tally;
use tablut_guest::{Lobby, MoverOptions, mover, remote};
use tablut_rules::{BySide, Game, Random, Rules, Side};
use tablut_store::{self as store, Claim, FixtureResult, GameOwner, Seat, SeatPlayer};

use super::Contest;
use crate::{fresh_id, host::wall_clock_ms, seat::seat_player};

/// Who plays for a team. A program that cannot be started is a player that is gone: its team loses the
/// game, and the tournament goes on. If it is this machine that cannot start it, nobody loses.
pub(super) struct TeamMover(Result<Box<dyn Mover>, String>);

impl TeamMover {
    pub(super) fn new(
        team: &Team,
        options: &MoverOptions,
        lobby: Option<&Lobby>,
    ) -> Result<Self, MoverError> {
        Ok(Self(match (&team.plays, lobby) {
            (Entry::Player(player), _) => match mover(player, options).map_err(forgive) {
                Err(error) if error.is_of_machine() => return Err(error),
                made => made.map_err(|error| error.to_string()),
            },
            (Entry::Remote { secret }, Some(lobby)) => Ok(remote(lobby, secret, options)),
            (Entry::Remote { .. }, None) => Err("no port is open here for its program".into()),
        }))
    }
}

fn forgive(error: MoverError) -> MoverError {
    match error {
        error if error.is_of_machine() => error,
        // How a team starts its program is nobody else's business, and this is shown to everybody.
        MoverError::Unfit { .. } => MoverError::Gone("its program cannot be started".into()),
        MoverError::Gone(absence) => MoverError::Gone(absence.public()),
        error => error,
    }
}

impl Mover for TeamMover {
    fn new_game(&mut self, rules: &Arc<Rules>, side: Side, seed: u64) -> Result<(), MoverError> {
        match &mut self.0 {
            Ok(mover) => mover.new_game(rules, side, seed).map_err(forgive),
            Err(why) => Err(MoverError::Gone(why.as_str().into())),
        }
    }

    fn choose(&mut self, game: &Game, question: Question<'_>) -> Result<Choice, MoverError> {
        match &mut self.0 {
            Ok(mover) => mover.choose(game, question).map_err(forgive),
            Err(why) => Err(MoverError::Gone(why.as_str().into())),
        }
    }

    fn watch(&mut self, game: &Game) {
        if let Ok(mover) = &mut self.0 {
            mover.watch(game);
        }
    }
}

/// What a team may spend on a move: its player's own limit, but never more than the tournament's.
fn budget(team: &Team, move_ms: u64) -> Budget {
    match &team.plays {
        Entry::Remote { .. } => Budget::time(move_ms),
        Entry::Player(player) => player.budget(Some(move_ms)).within(move_ms),
    }
}

impl Contest {
    fn teams(&self, claim: &Claim) -> BySide<&Team> {
        claim.teams.map(|team| &self.plan.teams[team])
    }

    /// What programs that connect from elsewhere have to say.
    pub fn secrets(&self) -> Vec<String> {
        let secret = |team: &Team| match &team.plays {
            Entry::Remote { secret } => Some(secret.clone()),
            Entry::Player(_) => None,
        };
        self.plan.teams.iter().filter_map(secret).collect()
    }

    /// Whether a claim is of teams that the plan has.
    pub(super) fn fits(&self, claim: &Claim) -> bool {
        let teams = self.plan.teams.len();
        claim.teams.values().all(|&team| team < teams)
    }

    /// The game of a claim, as it is kept before its first move.
    pub(super) fn new_game(&self, claim: &Claim) -> store::Game {
        let control = TimeControl::PerMove {
            ms: self.plan.move_ms,
        };
        let seats = self.teams(claim).map(|team| Seat {
            // A team's command line is nobody else's business.
            player: match &team.plays {
                Entry::Player(player) if player.is_started() => {
                    SeatPlayer::Program(player.word().into())
                }
                Entry::Player(player) => seat_player(player),
                Entry::Remote { .. } => SeatPlayer::Remote,
            },
            secret: fresh_id(),
            holder: None,
            name: Some(team.name.clone()),
            left_ms: Some(self.plan.move_ms),
        });
        store::Game::new(
            fresh_id(),
            GameOwner::Tournament,
            self.rules.set().id(),
            control,
            seats,
            wall_clock_ms(),
        )
    }

    /// Plays the game of a claim.
    pub(super) fn play(
        &self,
        claim: &Claim,
        options: &MoverOptions,
        lobby: Option<&Lobby>,
        stop: &Stop,
        watch: &mut dyn FnMut(&Match),
    ) -> Result<Duelled, MoverError> {
        let teams = self.teams(claim);
        let parts = BySide {
            attackers: 0,
            defenders: 1,
        };
        let duel = Duel {
            start: Game::new(Arc::clone(&self.rules)),
            names: teams.map(|team| team.name.clone()),
            budgets: teams.map(|team| budget(team, self.plan.move_ms)),
            clocks: BySide::both(Some(self.plan.move_ms)),
            grace_ms: options.grace_ms,
            seeds: parts.map(|part| Random::part(claim.number as u64, part).next()),
            max_plies: self.plan.max_plies,
            stops: &[&options.stop, stop],
        };
        let mut movers = teams.try_map(|team| TeamMover::new(team, options, lobby))?;
        duel.play(movers.as_mut().map(|mover| mover as &mut dyn Mover), watch)
    }
}

/// The result of a game that is over; nothing if it is not.
pub(super) fn result(over: &Duelled) -> Option<FixtureResult> {
    Some(FixtureResult {
        outcome: over.contest.outcome()?,
        plies: u32::try_from(over.contest.game().plies().len()).unwrap_or(u32::MAX),
        captures: BySide::from_fn(|side| Tally::new(&over.contest, side).captured),
        fault: over.fault.clone(),
    })
}

#[cfg(test)]
mod tests {
    use tablut_arena::{Absence, Unfit};

    use super::*;

    #[test]
    fn only_what_a_player_does_is_its_loss() {
        let unfit = |cause| MoverError::Unfit {
            player: "client:x".into(),
            cause,
        };
        let error = || std::io::Error::from_raw_os_error(24);
        let own = forgive(unfit(Unfit::Start(error())));
        assert!(matches!(own, MoverError::Gone(_)), "{own}");
        let ours = forgive(unfit(Unfit::Machine(error())));
        assert!(ours.is_of_machine(), "{ours}");
    }

    #[test]
    fn a_fault_that_everybody_sees_names_no_place_on_this_machine() {
        // Whatever the words are: the parts are told apart by their fields.
        let absence = Absence {
            what: "the client ended; its output is in the way".into(),
            private: Some("its output is in /home/ada/secret".into()),
        };
        let shown = forgive(MoverError::Gone(absence.clone())).to_string();
        assert_eq!(shown, "the client ended; its output is in the way");
        let whole = MoverError::Gone(absence).to_string();
        assert!(whole.ends_with("; its output is in /home/ada/secret"));
    }
}
