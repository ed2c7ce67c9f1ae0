//! What a match has become since it was last kept.

use tablut_arena::Match;
use tablut_rules::BySide;
use tablut_store::{Progress, StoredMove};

/// What is to be kept of a match, where `before` plies were kept and `keep` of them still stand.
pub(crate) fn progress(play: &Match, before: usize, keep: usize) -> Progress {
    let plies = play.game().plies().iter().zip(play.notes()).skip(keep);
    let moves = plies.map(|(ply, note)| StoredMove {
        step: ply.step,
        spent_ms: note.spent_ms,
        clock_ms: note.clock_ms,
        score: note.score,
    });
    Progress {
        before,
        keep,
        moves: moves.collect(),
        left_ms: BySide::from_fn(|side| play.clock(side).left_ms()),
        outcome: play.outcome(),
        course: None,
    }
}
