//! Players that play their games from move to move: programs, for a person on their own machine.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tablut_arena::{Budget, Choice, Mover, MoverError, PlayerKind, Stop};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::{Game, Move, Side};

use super::Order;

/// What a program may take for a move in a game without clocks, in milliseconds.
const PATIENCE_MS: u64 = 60_000;

/// A program for each side of each game.
type Role = (String, Side);

/// Programs under way. Each has a lock of its own: one that thinks keeps no other waiting.
pub(super) struct Troupe {
    options: MoverOptions,
    members: Mutex<HashMap<Role, Arc<Mutex<Option<Member>>>>>,
}

struct Member {
    mover: Box<dyn Mover>,
    /// The moves it has been shown.
    seen: Vec<Move>,
    /// Ends it.
    stop: Stop,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Whoever panicked has taken its member out.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Troupe {
    pub(super) fn new(options: MoverOptions) -> Self {
        Self {
            options,
            members: Mutex::default(),
        }
    }

    /// Lets the program of an order choose a move. Whoever gives the order is told how the program is
    /// ended, and may not want it any more.
    pub(super) fn choose(
        &self,
        order: &Order,
        is_wanted: &dyn Fn(&Stop) -> bool,
    ) -> Result<Choice, MoverError> {
        let game = &order.game;
        let side = game.position().side();
        let place = self.place(order, side);
        let mut place = lock(&place);
        let moves: Vec<Move> = game.plies().iter().map(|ply| ply.step).collect();
        // After a take-back, a program that cannot forget is started anew.
        let known = place.take();
        let known = known.filter(|member| moves.starts_with(&member.seen));
        let stop = known.as_ref().map(|member| member.stop.clone());
        let stop = stop.unwrap_or_default();
        if !is_wanted(&stop) {
            *place = known;
            return Err(MoverError::Stopped);
        }
        let mut member = match known {
            Some(member) => member,
            None => self.hire(order, side, stop)?,
        };
        member.show(game, &moves);
        // Programs use all they are given.
        let Budget {
            soft_ms, time_ms, ..
        } = order.clock;
        let most = soft_ms.or(time_ms).unwrap_or(PATIENCE_MS);
        let budget = order.player.budget(Some(most));
        let choice = member.mover.choose(game, budget.into())?;
        // Clients see their own moves too.
        let mut after = game.clone();
        if after.play(choice.step).is_err() {
            let text = format!("{} is not a legal move", choice.step);
            return Err(MoverError::Illegal(text));
        }
        member.seen.push(choice.step);
        member.mover.watch(&after);
        *place = Some(member);
        Ok(choice)
    }

    /// Where the program of a side is. Programs of games that are left end, unless they think.
    fn place(&self, order: &Order, side: Side) -> Arc<Mutex<Option<Member>>> {
        let mut left = Vec::new();
        let mut members = lock(&self.members);
        members.retain(|(id, _), member| {
            let stays = *id == order.id;
            if !stays {
                left.push(Arc::clone(member));
            }
            stays
        });
        let place = members.entry((order.id.clone(), side)).or_default();
        let place = Arc::clone(place);
        drop(members);
        // A program may take a moment to end.
        drop(left);
        place
    }

    /// Starts the program of an order.
    fn hire(&self, order: &Order, side: Side, stop: Stop) -> Result<Member, MoverError> {
        let mut options = self.options.clone();
        options.stop = stop.clone();
        if let (PlayerKind::Client, Some(program)) = (order.player.kind(), &options.supervisor) {
            // Clients know only their fixed ports, which others may have open.
            options.isolation = options.confinement.isolation(program);
        }
        let mut mover = mover(&order.player, &options)?;
        mover.new_game(order.game.rules(), side, order.seed)?;
        mover.watch(&start_of(&order.game));
        Ok(Member {
            mover,
            seen: Vec::new(),
            stop,
        })
    }
}

/// A game before its first move.
fn start_of(game: &Game) -> Game {
    Game::from_position(game.rules().clone(), *game.start(), *game.laws())
}

impl Member {
    /// Shows the moves that were made since it was last asked.
    fn show(&mut self, game: &Game, moves: &[Move]) {
        let mut shown = start_of(game);
        for (n, &step) in moves.iter().enumerate() {
            if shown.play(step).is_err() {
                return;
            }
            if n >= self.seen.len() {
                self.mover.watch(&shown);
            }
        }
        self.seen = moves.to_vec();
    }
}
