//! Wins and losses that a search has found, checked by the solver before they are claimed.

use tablut_rules::{BySide, Game, Move, Side};

use crate::{Score, score::value, search::SearchContext, solve::Solver};

/// Memory for what the checks of one search know, for each winner.
const HASH_MB: usize = 1;

/// Checks the claims at the root of one search.
pub(crate) struct Claims<'a> {
    context: &'a SearchContext<'a>,
    game: &'a Game,
    /// Made when a claim for a side comes up; most searches have none. What a check has found out
    /// serves the next one.
    solvers: BySide<Option<Solver<'a>>>,
    /// Value and first move of the best variation that was checked last, and whether it was proved.
    checked: Option<(i32, Move, bool)>,
}

impl<'a> Claims<'a> {
    pub(crate) const fn new(context: &'a SearchContext<'a>, game: &'a Game) -> Self {
        Self {
            context,
            game,
            solvers: BySide {
                attackers: None,
                defenders: None,
            },
            checked: None,
        }
    }

    /// The score of the variation with a number: a win or loss only if a check confirms it.
    pub(crate) fn score(&mut self, value: i32, step: Move, index: usize) -> Score {
        if !value::is_decided(value) {
            return value::unproved(value);
        }
        let is_proved = match self.checked {
            Some((known, first, result)) if (known, first) == (value, step) && index == 0 => result,
            _ => self.check(value, step, index),
        };
        if index == 0 {
            self.checked = Some((value, step, is_proved));
        }
        if is_proved {
            value::proved(value)
        } else {
            value::unproved(value)
        }
    }

    /// The score of a new best variation before it is checked itself.
    ///
    /// A claim that has been confirmed stays one when an iteration is not finished: a win within
    /// some plies is one even if a shorter one has been seen since.
    pub(crate) fn known_score(&self, value: i32, step: Move) -> Score {
        match self.checked {
            Some((known, first, true))
                if first == step && (known == value || known > 0 && known < value) =>
            {
                value::proved(known)
            }
            _ => value::unproved(value),
        }
    }

    fn check(&mut self, value: i32, step: Move, index: usize) -> bool {
        let side = self.game.position().side();
        let (winner, first) = if value > 0 {
            (side, Some(step))
        } else if index == 0 {
            // The best move loses, so all do.
            (side.opponent(), None)
        } else {
            // Of later variations, only this move is said to lose.
            (side.opponent(), Some(step))
        };
        let nodes = u64::from(self.context.parameters.proof_nodes.unsigned_abs()) * 1_000;
        let plies = value::plies(value);
        self.solver(winner).proves(first, plies, nodes)
    }

    fn solver(&mut self, winner: Side) -> &mut Solver<'a> {
        let (context, game) = (self.context, self.game);
        self.solvers[winner]
            .get_or_insert_with(|| Solver::beside_search(game, winner, HASH_MB, context))
    }
}
