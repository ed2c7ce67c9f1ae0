//! Programs that play games here, for a person on their own machine.

use std::collections::HashMap;

use tablut_arena::{Mover, MoverError, MoverOptions, Player, mover, supervise::Isolation};
use tablut_rules::{Game, Move, Side};

use crate::{Found, Order};

/// What a program may take for a move in a game without clocks, in milliseconds.
const PATIENCE_MS: u64 = 60_000;

/// Programs under way, one for each side of each game.
pub(crate) struct Troupe {
    options: MoverOptions,
    members: HashMap<(String, Side), Member>,
}

struct Member {
    mover: Box<dyn Mover>,
    /// The moves it has been shown.
    seen: Vec<Move>,
}

impl Troupe {
    pub(crate) fn new(options: MoverOptions) -> Self {
        Self {
            options,
            members: HashMap::new(),
        }
    }

    /// Lets the program of an order choose a move.
    pub(crate) fn choose(&mut self, order: &Order) -> Result<Found, MoverError> {
        let game = &order.game;
        let side = game.position().side();
        let key = (order.id.clone(), side);
        // Programs of games that are left end.
        self.members.retain(|(id, _), _| *id == order.id);
        let moves: Vec<Move> = game.plies().iter().map(|ply| ply.step).collect();
        let known = self.members.remove(&key);
        // After a take-back, a program that cannot forget is started anew.
        let known = known.filter(|member| moves.starts_with(&member.seen));
        let mut member = match known {
            Some(member) => member,
            None => self.hire(order, side)?,
        };
        member.show(game, &moves);
        let most = order
            .most
            .map_or(PATIENCE_MS, |most| most.as_millis() as u64);
        let choice = member.mover.choose(game, order.player.budget(most))?;
        // Clients see their own moves too.
        let mut after = game.clone();
        if after.play(choice.step).is_err() {
            let text = format!("{} is no legal move", choice.step);
            return Err(MoverError::Illegal(text));
        }
        member.seen.push(choice.step);
        member.mover.watch(&after);
        self.members.insert(key, member);
        Ok(Found {
            step: choice.step,
            score: choice.score,
        })
    }

    /// Starts the program of an order.
    fn hire(&self, order: &Order, side: Side) -> Result<Member, MoverError> {
        let mut options = self.options.clone();
        if let (Player::Client(_), Some(program)) = (&order.player, &options.supervisor) {
            // Clients know only their fixed ports, which others may have open.
            options.isolation = Isolation::best(program);
        }
        let mut mover = mover(&order.player, &options)?;
        mover.new_game(order.game.rules(), side, order.seed)?;
        mover.watch(&start_of(&order.game));
        Ok(Member {
            mover,
            seen: Vec::new(),
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
