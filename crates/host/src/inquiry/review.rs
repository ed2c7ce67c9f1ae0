//! Reviews of games, and moves that are tried again.

use tablut_engine::{Control, Engine, SearchLimits};
use tablut_review::{ReviewedMove, Reviewer};
use tablut_rules::{Game, Move};

use super::Finding;

/// The engine's memory for a review, in megabytes.
pub(super) const HASH_MB: usize = 16;

/// The engine's memory for a move that is tried.
pub(super) const RETRY_HASH_MB: usize = 4;

/// How many positions are looked at for each position of a game. Nodes, so that a review is the same
/// however busy the machine is: it is kept for everybody who asks later.
pub(crate) const NODES: u64 = 200_000;

/// How many positions are looked at for a move that is tried.
const RETRY_NODES: u64 = 150_000;

pub(super) fn make(
    game: &Game,
    engine: &mut Engine,
    control: &Control,
    on_finding: &mut dyn FnMut(Finding),
) -> Option<Finding> {
    let mut reviewer = Reviewer::new(game, SearchLimits::nodes(NODES));
    while reviewer.advance(engine, control) {
        on_finding(Finding::Review(reviewer.review().clone()));
    }
    let review = reviewer.into_review();
    review.is_complete().then_some(Finding::Review(review))
}

pub(super) fn retry(
    game: &Game,
    played: &ReviewedMove,
    step: Move,
    engine: &mut Engine,
    control: &Control,
) -> Option<Finding> {
    let limits = SearchLimits::nodes(RETRY_NODES);
    let tried = tablut_review::retry(game, played, step, engine, &limits, control);
    let is_whole = !control.is_stopped();
    let side = game.position().side();
    let retry = tried.ok().filter(|_| is_whole)?;
    Some(Finding::Retry { side, retry })
}
