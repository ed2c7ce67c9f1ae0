//! How every node begins: ends by law, wins at once, and what threatens the side to move.

use tablut_rules::{Bitboard, Move, Outcome, Position, Rules, Side};

use super::Searcher;
use crate::{order::MAX_PLY, path::FREE, score::value::WIN};

/// What is seen of the king before anything is tried.
#[derive(Clone, Copy)]
pub(crate) struct Sight {
    /// Squares he can move to.
    pub(crate) reach: Bitboard,
    /// Squares on which an arriving attacker would capture him.
    pub(crate) threats: Bitboard,
}

impl Sight {
    #[inline(always)]
    pub(crate) fn new(rules: &Rules, position: &Position) -> Self {
        Self {
            reach: rules.scan(position).king_targets(),
            threats: rules.scan(position).king_threats(),
        }
    }
}

/// What threatens the side to move.
#[derive(Clone, Copy)]
pub(super) enum Danger {
    None,
    /// The king falls next.
    Threat,
    /// The king escapes next along these squares.
    Lane(Bitboard),
}

/// A node whose value is not known at once.
pub(super) struct Node {
    pub(super) alpha: i32,
    pub(super) beta: i32,
    pub(super) danger: Danger,
    pub(super) sight: Sight,
}

impl Searcher<'_> {
    /// Enters a node: its value, if that is known at once or the search has to end.
    #[inline(always)]
    pub(super) fn enter<const PV: bool>(
        &mut self,
        position: &Position,
        (alpha, beta): (i32, i32),
        ply: usize,
    ) -> Result<Node, i32> {
        let rules = self.shared.rules;
        self.since[ply] = FREE;
        self.lines.clear(ply);
        if self.count() {
            return Err(0);
        }
        if PV {
            self.selective = self.selective.max(ply);
        }
        if let Some((outcome, since)) = self.path.judge(rules, position) {
            self.since[ply] = since;
            return Err(Self::value_of(outcome, position.side(), ply));
        }
        let sight = Sight::new(rules, position);
        let goals = sight.reach & Bitboard::from_bits(self.memory.evaluator.shape.goals);
        let danger = match position.side() {
            Side::Attackers => {
                if let Some(step) = self.capture_of_king(position, &sight) {
                    return Err(self.win(ply, step));
                }
                // Near a limit the game may be over before the king moves.
                if goals.is_empty() || self.path.is_near_limit(position, 2) {
                    Danger::None
                } else {
                    // One man cannot stand in two lanes.
                    let calls = rules.calls(position);
                    let mut lanes = calls.lanes();
                    match (lanes.next(), lanes.next()) {
                        (Some(lane), None) => Danger::Lane(lane.path),
                        _ => return Err(ply as i32 + 2 - WIN),
                    }
                }
            }
            Side::Defenders => {
                if let Some(goal) = goals.first() {
                    return Err(self.win(ply, Move::new(position.king(), goal)));
                }
                match self.capture_of_king(position, &sight) {
                    None => Danger::None,
                    Some(_) => Danger::Threat,
                }
            }
        };
        // Without a win at once, none is nearer than three plies; without loss, two.
        let alpha = alpha.max(ply as i32 + 2 - WIN);
        let beta = beta.min(WIN - ply as i32 - 3);
        if alpha >= beta {
            return Err(alpha);
        }
        if ply >= MAX_PLY - 2 {
            return Err(self.evaluate(position, &sight));
        }
        Ok(Node {
            alpha,
            beta,
            danger,
            sight,
        })
    }

    /// A move with which the attackers, were they to move, capture the king.
    #[inline(always)]
    fn capture_of_king(&self, position: &Position, sight: &Sight) -> Option<Move> {
        if sight.threats.is_empty() {
            return None;
        }
        let rules = self.shared.rules;
        sight.threats.iter().find_map(|to| {
            let from = rules
                .scan(position)
                .movers_to(Side::Attackers, to)
                .first()?;
            Some(Move::new(from, to))
        })
    }

    /// The value of a win with the next move.
    fn win(&mut self, ply: usize, step: Move) -> i32 {
        self.lines.set_last(ply, step);
        WIN - ply as i32 - 1
    }

    /// The value of an end for a side at a ply.
    pub(super) fn value_of(outcome: Outcome, side: Side, ply: usize) -> i32 {
        match outcome.winner {
            None => 0,
            Some(winner) if winner == side => WIN - ply as i32,
            Some(_) => ply as i32 - WIN,
        }
    }
}
