//! Making a review: an engine is asked about every position of a game, the last one first.
//!
//! From the end, because what the engine remembers of later positions helps it with earlier ones: it
//! sees at once what a move led to.

use tablut_engine::{Control, Engine, Score, SearchLimits, SearchReport};
use tablut_rules::{Game, Move};

use crate::{
    BetterLine, MoveMark, Review, ReviewedMove,
    fact::{MoveView, deeds, facts},
    winning_chance,
};

/// Reviews a game with an engine, from its last move to its first.
///
/// The engine forgets what it knew, so that the same limits of nodes give the same review. `limits`
/// hold for each position; `on_move` is called after each move that has been looked at. A review that
/// `control` stops has only the moves looked at so far.
pub fn review(
    game: &Game,
    engine: &mut Engine,
    limits: &SearchLimits,
    control: &Control,
    on_move: &mut dyn FnMut(&Review),
) -> Review {
    engine.clear();
    let mut reviewer = Reviewer::new(game, limits.clone());
    while reviewer.advance(engine, control) {
        on_move(reviewer.review());
    }
    reviewer.into_review()
}

/// What a search said of a position, for the side to move.
#[derive(Clone)]
pub(crate) struct PositionView {
    pub(crate) score: Score,
    /// The best line; empty if the game is over.
    pub(crate) line: Vec<Move>,
}

impl PositionView {
    /// Asks an engine about the present position of a game.
    pub(crate) fn ask(
        game: &Game,
        engine: &mut Engine,
        limits: &SearchLimits,
        control: &Control,
    ) -> Self {
        if let Some(outcome) = game.outcome() {
            let score = match outcome.winner {
                None => Score::Units(0),
                Some(winner) if winner == game.position().side() => Score::Win(0),
                Some(_) => Score::Loss(0),
            };
            let line = Vec::new();
            return Self { score, line };
        }
        let report = engine.search(game, limits, control, &mut |_| {});
        let first = report.lines.into_iter().next();
        let (score, line) = first.map_or((Score::Units(0), Vec::new()), |best| {
            (best.score, best.moves)
        });
        Self { score, line }
    }
}

/// A review in the making, one move at a time.
///
/// Whoever drives it chooses the engine, and may stop between any two moves.
pub struct Reviewer {
    /// The game up to the position after the next move to look at.
    game: Game,
    /// What the engine said of that position.
    after: Option<PositionView>,
    first_look: SearchLimits,
    second_look: SearchLimits,
    review: Review,
}

impl Reviewer {
    /// A review of a game with limits for each position, nothing of which has been looked at.
    #[must_use]
    pub fn new(game: &Game, limits: SearchLimits) -> Self {
        // Without an end that is not on the board, such as a resignation: the last position counts too.
        let rules = game.rules().clone();
        let mut replayed = Game::from_position(rules, *game.start(), *game.laws());
        for ply in game.plies() {
            if replayed.play(ply.step).is_err() {
                break;
            }
        }
        Self {
            review: Review::new(replayed.plies().len()),
            game: replayed,
            after: None,
            first_look: share(&limits, 7),
            second_look: share(&limits, 3),
        }
    }

    /// What has been found so far.
    #[must_use]
    pub const fn review(&self) -> &Review {
        &self.review
    }

    /// What has been found.
    #[must_use]
    pub fn into_review(self) -> Review {
        self.review
    }

    /// Looks at the next move; false if there is none, or if `control` stopped the search, which can
    /// be continued with another one.
    pub fn advance(&mut self, engine: &mut Engine, control: &Control) -> bool {
        let Some(&played) = self.game.plies().last() else {
            return false;
        };
        let ask = |game: &Game, engine: &mut Engine, limits| {
            let view = PositionView::ask(game, engine, limits, control);
            (!control.is_stopped()).then_some(view)
        };
        if self.after.is_none() {
            self.after = ask(&self.game, engine, &self.first_look);
        }
        let Some(after) = self.after.clone() else {
            return false;
        };
        let mut game = self.game.clone();
        game.undo();
        let Some(before) = ask(&game, engine, &self.first_look) else {
            return false;
        };
        let seen = SeenMove {
            game: &game,
            next: &self.game,
            step: played.step,
            before: &before,
            after: &after,
        };
        let reviewed = seen.judge(engine, &self.second_look, control);
        if control.is_stopped() {
            return false;
        }
        self.review.add(reviewed);
        self.game = game;
        self.after = Some(before);
        true
    }
}

/// A part of the limits, in tenths. A depth is not divided.
fn share(limits: &SearchLimits, tenths: u32) -> SearchLimits {
    SearchLimits {
        time: limits.time.map(|time| time * tenths / 10),
        soft_time: limits.soft_time.map(|time| time * tenths / 10),
        nodes: limits
            .nodes
            .map(|nodes| (nodes.saturating_mul(tenths.into()) / 10).max(1)),
        depth: limits.depth,
        lines: 1,
    }
}

/// A move of a game with what the engine said before and after it.
struct SeenMove<'a> {
    game: &'a Game,
    next: &'a Game,
    step: Move,
    before: &'a PositionView,
    after: &'a PositionView,
}

impl SeenMove<'_> {
    /// Judges the move. A second look decides whether it was the only one, or whether the move that
    /// seemed better is.
    fn judge(&self, engine: &mut Engine, limits: &SearchLimits, control: &Control) -> ReviewedMove {
        let Self {
            game, next, step, ..
        } = *self;
        let is_forced = game.legal_moves().len() == 1;
        let is_best = self.before.line.first() == Some(&step);
        let after = -self.after.score;
        let mut before = self.before.score;
        let mut rivals = None;
        if is_best && !is_forced && next.outcome().is_none() && !before.is_losing() {
            let limits = limits.clone().with_lines(2);
            let report = engine.search(game, &limits, control, &mut |_| {});
            rivals = self.rivals(&report);
        } else if !is_best && is_worse(before, after) && !matches!(before, Score::Win(_)) {
            before = before.min(self.best_played(engine, limits, control));
        }
        let reply = self.after.line.clone();
        let view = MoveView {
            game,
            next,
            step,
            before,
            after,
            reply: reply.first().copied(),
            rivals,
        };
        let better = (!is_best && !is_forced && !self.before.line.is_empty()).then(|| BetterLine {
            moves: self.before.line.clone(),
            deeds: deeds(game.rules(), game.position(), self.before.line[0]),
        });
        let mut reviewed = ReviewedMove {
            ply: next.plies().len(),
            side: game.position().side(),
            step,
            before,
            after,
            mark: None,
            is_forced,
            better,
            reply,
            facts: facts(&view),
        };
        reviewed.mark = MoveMark::of_loss(reviewed.loss());
        reviewed
    }

    /// The scores of the move and of the next best, if the search has the move first.
    fn rivals(&self, report: &SearchReport) -> Option<(Score, Score)> {
        match &report.lines[..] {
            [best, second, ..] if best.moves.first() == Some(&self.step) => {
                Some((best.score, second.score))
            }
            _ => None,
        }
    }

    /// What the position after the better move is worth to the mover: searched as the one after the
    /// played move was, so that the two can be compared.
    fn best_played(&self, engine: &mut Engine, limits: &SearchLimits, control: &Control) -> Score {
        let mut game = self.game.clone();
        match self.before.line.first() {
            Some(&best) if game.play(best).is_ok() => {
                -PositionView::ask(&game, engine, limits, control).score
            }
            _ => self.before.score,
        }
    }
}

/// Whether a move that led from one score to another would get a mark.
fn is_worse(before: Score, after: Score) -> bool {
    MoveMark::of_loss(winning_chance(before) - winning_chance(after)).is_some()
}
