//! Where the search ends: captures, escapes and threats to the king are played out.

use tablut_rules::{Bitboard, Move, Position, Side};

use super::{
    Searcher,
    node::{Danger, Node},
};
use crate::{
    path::FREE,
    score::value::{self, WIN},
    table::{Bound, Found, UNKNOWN},
};

impl Searcher<'_> {
    /// The value of a position once captures, escapes and threats to the king are played out.
    pub(super) fn quiesce<const PV: bool>(
        &mut self,
        position: &Position,
        alpha: i32,
        beta: i32,
        ply: usize,
        length: usize,
    ) -> i32 {
        let shared = self.shared;
        let (rules, p, table) = (shared.rules, shared.parameters, shared.table);
        let side = position.side();
        let Node {
            mut alpha,
            beta,
            danger,
            sight,
        } = match self.enter::<PV>(position, (alpha, beta), ply) {
            Ok(node) => node,
            Err(value) => return value,
        };
        let key = position.key();
        let found = table.probe(key);
        if let Some(found) = found
            && !PV
            && !self.path.is_near_limit(position, 8)
            && let Some(known) = found.answer(alpha, beta, ply)
        {
            return known;
        }
        let answers = match danger {
            Danger::Lane(path) if length < 6 => Some(path),
            _ => None,
        };
        // A king about to fall: standing still is no choice.
        let evade = matches!(danger, Danger::Threat) && (length as i32) < p.evasion_length;
        let must = answers.is_some() || evade;
        let raw = match found {
            Some(found) if found.evaluation != UNKNOWN => found.evaluation,
            _ if must => UNKNOWN,
            _ => self.evaluate(position, &sight),
        };
        let mut best = if must { ply as i32 + 2 - WIN } else { raw };
        let old_alpha = alpha;
        let mut since = FREE;
        let mut best_step = None;
        if best >= beta {
            if found.is_none() {
                table.store(
                    key,
                    Found {
                        step: None,
                        value: best,
                        evaluation: raw,
                        depth: 0,
                        bound: Bound::Lower,
                    },
                );
            }
            return best;
        }
        alpha = alpha.max(best);

        let targets = match answers {
            Some(path) => path,
            None if evade => !position.occupied(),
            None => rules.scan(position).capture_squares(side),
        };
        let forks = if side == Side::Defenders {
            let seen = self.memory.evaluator.king_sight(position);
            let mut squares = seen.forks;
            if (length as i32) < p.free_length && sight.reach.bits() & seen.open != 0 {
                let reach = sight.reach.bits();
                squares |= self.memory.evaluator.free_lanes(position, reach);
            }
            sight.reach & Bitboard::from_bits(squares) & !targets
        } else {
            Bitboard::EMPTY
        };
        'all: for to in forks.iter().chain(targets) {
            let pieces = if forks.contains(to) {
                Bitboard::from(position.king())
            } else {
                rules.scan(position).movers_to(side, to)
            };
            for from in pieces {
                let step = Move::new(from, to);
                let applied = rules.apply_unchecked(position, step);
                if !must && !forks.contains(to) {
                    let gain = applied.captured.len() as i32;
                    if gain == 0 {
                        continue;
                    }
                    let worth = if side == Side::Attackers {
                        p.man_defender
                    } else {
                        p.man_attacker
                    };
                    if !PV && raw + gain * worth + 120 <= alpha {
                        continue;
                    }
                }
                let value = if let Some(end) = applied.end {
                    self.since[ply + 1] = FREE;
                    self.lines.clear(ply + 1);
                    -Self::value_of(end.into(), side.opponent(), ply + 1)
                } else {
                    let after = &applied.position;
                    self.path.push(after.key());
                    let value = -self.quiesce::<PV>(after, -beta, -alpha, ply + 1, length + 1);
                    self.path.pop();
                    if self.is_stopped() {
                        return 0;
                    }
                    value
                };
                let child = self.since[ply + 1];
                since = since.min(child);
                if value > best {
                    best = value;
                    if value > alpha {
                        alpha = value;
                        best_step = Some(step);
                        if PV {
                            self.lines.set(ply, step);
                        }
                        if value >= beta {
                            since = child;
                            break 'all;
                        }
                    }
                }
            }
        }
        if since >= self.path.index() {
            since = FREE;
        }
        self.since[ply] = since;
        if length == 0 && since == FREE {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > old_alpha && PV {
                Bound::Exact
            } else {
                Bound::Upper
            };
            table.store(
                key,
                Found {
                    step: best_step,
                    value: value::to_table(best, ply as i32),
                    evaluation: raw,
                    depth: 0,
                    bound,
                },
            );
        }
        best
    }
}
