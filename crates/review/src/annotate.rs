//! A review written into a record: scores, marks, comments and better lines as variations.

use tablut_engine::Score;
use tablut_rules::{
    record::{self, NodeId, Record},
    text::Lang,
};

use crate::{ONLY_MOVE_NAG, Review, ReviewedMove};

/// Writes a review into the record of its game; what was noted there before stays.
///
/// Each move of the main line gets its score and, if there is one, its mark; what is said about it
/// follows earlier comments; the better line of a marked move becomes a variation. Doing it twice is
/// the same as doing it once.
pub fn annotate(record: &mut Record, review: &Review, lang: Lang) {
    let nodes: Vec<NodeId> = record.tree().main_line().collect();
    for (n, node) in nodes.into_iter().enumerate() {
        let Some(reviewed) = review.at(n + 1) else {
            continue;
        };
        if record.tree().step(node) != Some(reviewed.step) {
            return;
        }
        note(record, node, reviewed, lang);
    }
}

fn note(record: &mut Record, node: NodeId, reviewed: &ReviewedMove, lang: Lang) {
    let tree = record.tree_mut();
    let notes = tree.notes_mut(node);
    notes.score = Some(written(reviewed.white_after()));
    let only = reviewed.is_only_move().then_some(ONLY_MOVE_NAG);
    for nag in reviewed.mark.map(|mark| mark.nag()).into_iter().chain(only) {
        if !notes.nags.contains(&nag) {
            notes.nags.push(nag);
        }
    }
    let comment = reviewed.comment(lang);
    if !comment.is_empty() && !notes.comment.contains(&comment) {
        if !notes.comment.is_empty() {
            notes.comment.push('\n');
        }
        notes.comment.push_str(&comment);
    }
    if let (Some(better), Some(_), Some(parent)) =
        (&reviewed.better, reviewed.mark, tree.parent(node))
    {
        let mut node = parent;
        for (n, &step) in better.moves.iter().enumerate() {
            node = tree.add_move(node, step);
            if n == 0 {
                let score = one_ply_later(reviewed.white_before());
                tree.notes_mut(node).score = Some(written(score));
            }
        }
    }
}

/// The score after a best move in a position with a score.
const fn one_ply_later(score: Score) -> Score {
    match score {
        Score::Units(_) => score,
        Score::Win(plies) => Score::Win(plies.saturating_sub(1)),
        Score::Loss(plies) => Score::Loss(plies.saturating_sub(1)),
    }
}

/// White's score as records have it.
const fn written(score: Score) -> record::Score {
    match score {
        Score::Units(units) => record::Score::Hundredths(units),
        Score::Win(plies) => record::Score::Win(plies),
        Score::Loss(plies) => record::Score::Loss(plies),
    }
}
