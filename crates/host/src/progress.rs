//! What a match has become since it was last kept.

use tablut_arena::Match;
use tablut_rules::BySide;
use tablut_store::{Progress, StoredMove};

/// What is to be kept of a match, where `before` plies were kept and `keep` of them still stand.
pub(crate) fn progress(play: &Match, before: usize, keep: usize) -> Progress {
    let record = play.record();
    let tree = record.tree();
    let moves = tree.main_line().skip(keep).filter_map(|node| {
        let notes = tree.notes(node);
        Some(StoredMove {
            step: tree.step(node)?,
            spent_ms: notes.spent_ms,
            clock_ms: notes.clock_ms,
            score: notes.score,
        })
    });
    Progress {
        before,
        keep,
        moves: moves.collect(),
        left_ms: BySide::from_fn(|side| play.clock(side).left_ms()),
        outcome: play.outcome(),
    }
}
