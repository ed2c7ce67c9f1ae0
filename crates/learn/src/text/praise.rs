//! What is said about a right move.

use tablut_review::{Deed, deeds};
use tablut_rules::{CampClosed, IllegalMove, Move, Outcome, Position, Rules, text::Lang};

use super::{Words, whole, words};

/// What is said about a right move: what it captures, how it ends the game, or else why it is right, by
/// the rules.
#[must_use]
pub fn praise(
    rules: &Rules,
    before: &Position,
    step: Move,
    outcome: Option<Outcome>,
    is_done: bool,
    lang: Lang,
) -> String {
    let words = words(lang);
    let mut sentences = vec![if is_done { words.right } else { words.go_on }.to_string()];
    let captures = rules.explain_captures(before, step).unwrap_or_default();
    sentences.extend(
        captures
            .iter()
            .map(|capture| whole(&capture.sentence(lang))),
    );
    sentences.extend(outcome.map(|outcome| whole(&outcome.sentence(lang))));
    if is_done && captures.is_empty() && outcome.is_none() {
        sentences.extend(reasons(rules, before, step, lang));
    }
    sentences.join(" ")
}

/// What a move that captures and ends nothing does for or against the king, or else what it shows about
/// moving.
fn reasons(rules: &Rules, before: &Position, step: Move, lang: Lang) -> Vec<String> {
    let words = words(lang);
    let is_told = |deed: &&Deed| {
        matches!(
            deed,
            Deed::OpensLanes { .. } | Deed::ClosesLanes { .. } | Deed::ClosesCorners { .. }
        )
    };
    if let Some(deed) = deeds(rules, before, step).iter().find(is_told) {
        return vec![(words.deed)(&deed.sentence(lang))];
    }
    // After moves of a game something else is being learned than how a piece may move.
    match before.quiet() {
        0 => ways(rules, before, step, words, lang),
        _ => Vec::new(),
    }
}

/// What a move shows about moving: what stopped the piece, and what did not.
fn ways(rules: &Rules, before: &Position, step: Move, words: &Words, lang: Lang) -> Vec<String> {
    let (from, to) = (step.from(), step.to());
    let set = rules.set();
    let left = set.camp_closed_to() == CampClosed::Outsiders
        && set
            .camps()
            .iter()
            .any(|camp| camp.contains(from) && !camp.contains(to));
    let mut sentences = Vec::new();
    sentences.extend(left.then(|| words.left_camp.to_string()));
    match barrier(rules, before, step) {
        Some(reason) => sentences.push(whole(&reason.sentence(lang))),
        None if from.between(to).any(|square| square == rules.castle()) => {
            sentences.push(words.crossed.into());
        }
        None if !left && from.between(to).next().is_some() => sentences.push(words.way.into()),
        None => {}
    }
    sentences
}

/// The castle or the camp that keeps a piece from going further than it went.
fn barrier(rules: &Rules, before: &Position, step: Move) -> Option<IllegalMove> {
    let (from, to) = (step.from(), step.to());
    let way = from.direction_to(to)?;
    let next = to.step(way)?;
    let reason = |square| rules.explain(before, Move::new(from, square)).err();
    match reason(next)? {
        // That nobody crosses it says more than that nobody stops on it.
        stop @ IllegalMove::CastleStop(_) => Some(match next.step(way).and_then(reason) {
            Some(cross @ IllegalMove::CastleInTheWay(_)) => cross,
            _ => stop,
        }),
        stop @ IllegalMove::CampStop { .. } => Some(stop),
        _ => None,
    }
}
