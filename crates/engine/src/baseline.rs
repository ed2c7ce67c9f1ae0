//! A plain rival to measure the engine by: it stands for the programs of the field.
//!
//! Alpha-beta to a fixed depth with material, the king's lanes and the rhombus; captures first; no
//! table, no reductions, no quiescence, no knowledge of repetition.

use std::time::{Duration, Instant};

use tablut_rules::{Bitboard, Game, Move, Position, Random, Rules, Side};

use crate::shape::Shape;

/// The depth that the project's measurements use.
pub const DEPTH: u32 = 5;

const WIN: i32 = 1_000_000;

/// The plain rival's move, if the game is not over.
///
/// The seed decides between equal moves. With a time limit it deepens from one ply on and plays the
/// best of the last depth it finished.
#[must_use]
pub fn choose(game: &Game, depth: u32, seed: u64, time: Option<Duration>) -> Option<Move> {
    if game.outcome().is_some() {
        return None;
    }
    let mut baseline = Baseline {
        rules: game.rules(),
        shape: Shape::new(game.rules()),
        deadline: time.map(|time| Instant::now() + time),
        nodes: 0,
        stopped: false,
    };
    let position = game.position();
    let mut moves = game.rules().moves(position).to_vec();
    let mut random = Random::new(seed);
    for place in (1..moves.len()).rev() {
        moves.swap(place, random.below(place + 1));
    }
    let first = if time.is_some() { 1 } else { depth };
    let mut best = moves.first().copied();
    for depth in first..=depth {
        let found = baseline.best(position, &moves, depth as i32);
        if baseline.stopped {
            break;
        }
        best = found;
    }
    best
}

struct Baseline<'a> {
    rules: &'a Rules,
    shape: Shape,
    deadline: Option<Instant>,
    nodes: u64,
    stopped: bool,
}

impl Baseline<'_> {
    fn best(&mut self, position: &Position, moves: &[Move], depth: i32) -> Option<Move> {
        let mut alpha = -2 * WIN;
        let mut best = None;
        for &step in moves {
            let value = self.after(position, step, -2 * WIN, -alpha, depth);
            if value > alpha {
                (alpha, best) = (value, Some(step));
            }
        }
        best
    }

    /// The value of a move for the side that makes it.
    fn after(&mut self, position: &Position, step: Move, alpha: i32, beta: i32, depth: i32) -> i32 {
        let applied = self.rules.apply_unchecked(position, step);
        match applied.end {
            // Sooner is better.
            Some(end) if end.wins(position.side()) => WIN + depth,
            Some(_) => -WIN - depth,
            None => -self.visit(&applied.position, alpha, beta, depth - 1),
        }
    }

    fn visit(&mut self, position: &Position, mut alpha: i32, beta: i32, depth: i32) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) {
            self.stopped |= self.deadline.is_some_and(|end| Instant::now() >= end);
        }
        if self.stopped {
            return 0;
        }
        if depth <= 0 {
            return self.evaluate(position);
        }
        let moves = self.rules.moves(position);
        let mut best = -WIN - depth;
        let captures = self.rules.scan(position).capture_squares(position.side());
        for wanted in [true, false] {
            for &step in &moves {
                let forward = captures.contains(step.to()) || step.from() == position.king();
                if forward != wanted {
                    continue;
                }
                let value = self.after(position, step, -beta, -alpha, depth);
                best = best.max(value);
                alpha = alpha.max(value);
                if alpha >= beta {
                    return best;
                }
            }
        }
        best
    }

    fn evaluate(&self, position: &Position) -> i32 {
        let attackers = position.pieces(Side::Attackers);
        let men = position.men(Side::Defenders);
        let lanes = self.rules.scan(position).open_lanes() as i32;
        let count = |set: Bitboard| set.len() as i32;
        let mut value = 200 * count(men) - 100 * count(attackers);
        // One open lane can be closed, two cannot.
        value += match lanes {
            0 => 0,
            1 => 80,
            _ => 1_000,
        };
        value += 5 * self.rules.scan(position).king_targets().len() as i32;
        value -= 30 * count(attackers & self.shape.chains);
        for corner in &self.shape.corners {
            if !corner.chain.is_empty() && corner.chain.is_subset(attackers) {
                value -= 40;
            }
        }
        value -= 15 * self.rules.scan(position).closed_sides() as i32;
        match position.side() {
            Side::Attackers => -value,
            Side::Defenders => value,
        }
    }
}
