//! What the engine has found, as messages.

use std::collections::BTreeSet;

use tablut_engine::{Score, Term};
use tablut_host::{LinesFound, ProofFound, Weights};
use tablut_review::{
    MoveMark, Retry, RetryRating, Review, ReviewedMove, SideSummary, winning_chance,
};
use tablut_rules::{BySide, Move, Side, text::Lang};

use crate::message::{
    LineInfo, LinesInfo, MarkName, ProofInfo, RetryInfo, RetryName, ReviewInfo, ReviewedMoveInfo,
    ScoreInfo, SideReviewInfo, TermInfo, TermName, WeightsInfo, WinInfo,
};

/// The plies of a review that a page has heard of.
#[derive(Default)]
pub(crate) struct Sent {
    plies: BTreeSet<usize>,
}

fn names(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// White's score.
fn score_info(white: Score) -> ScoreInfo {
    let winner = if white.is_winning() {
        Some(Side::Defenders)
    } else {
        white.is_losing().then_some(Side::Attackers)
    };
    let (units, plies) = match white {
        Score::Units(units) => (Some(units), None),
        Score::Win(plies) | Score::Loss(plies) => (None, Some(plies)),
    };
    ScoreInfo {
        chance: (winning_chance(white) * 1000.0).round() as u16,
        units: units.filter(|_| winner.is_none()),
        winner,
        plies,
    }
}

pub(crate) fn lines_info(found: &LinesFound) -> LinesInfo {
    LinesInfo {
        depth: found.depth,
        nodes: found.nodes,
        time_ms: found.time_ms,
        lines: found
            .lines
            .iter()
            .map(|line| LineInfo {
                score: score_info(line.score),
                moves: names(&line.moves),
            })
            .collect(),
    }
}

pub(crate) fn proof_info(found: &ProofFound) -> ProofInfo {
    ProofInfo {
        nodes: found.nodes,
        none_within: found.none_within,
        proved: found.is_proved,
        win: found.win.as_ref().map(|win| WinInfo {
            winner: win.winner,
            plies: win.plies,
            shortest: win.is_shortest,
            line: names(&win.line),
            step: win.step.map(|step| step.to_string()),
            answers: win
                .answers
                .iter()
                .map(|answer| (answer.step.to_string(), answer.plies))
                .collect(),
        }),
    }
}

/// What is new in a review for a page.
pub(crate) fn review_info(review: &Review, sent: &mut Sent, lang: Lang) -> ReviewInfo {
    let is_new = |reviewed: &&ReviewedMove| sent.plies.insert(reviewed.ply);
    let moves = review.moves().iter().filter(is_new);
    let summary = review.summary();
    ReviewInfo {
        plies: review.plies(),
        moves: moves.map(|reviewed| move_info(reviewed, lang)).collect(),
        sides: BySide::from_fn(|side| side_info(&summary[side])),
    }
}

fn side_info(summary: &SideSummary) -> SideReviewInfo {
    SideReviewInfo {
        accuracy: summary.accuracy.map(|accuracy| accuracy.round() as u8),
        inaccuracies: summary.inaccuracies,
        mistakes: summary.mistakes,
        blunders: summary.blunders,
    }
}

fn move_info(reviewed: &ReviewedMove, lang: Lang) -> ReviewedMoveInfo {
    let better = reviewed.better.as_ref();
    ReviewedMoveInfo {
        ply: reviewed.ply,
        step: reviewed.step.to_string(),
        before: score_info(reviewed.white_before()),
        after: score_info(reviewed.white_after()),
        mark: reviewed.mark.map(|mark| match mark {
            MoveMark::Inaccuracy => MarkName::Inaccuracy,
            MoveMark::Mistake => MarkName::Mistake,
            MoveMark::Blunder => MarkName::Blunder,
        }),
        only: reviewed.is_only_move(),
        critical: reviewed.is_critical(),
        better: better.map_or_else(Vec::new, |line| names(&line.moves)),
        comment: reviewed.comment(lang),
    }
}

pub(crate) fn retry_info(retry: &Retry, side: Side, lang: Lang) -> RetryInfo {
    RetryInfo {
        step: retry.step.to_string(),
        rating: match retry.rating {
            RetryRating::AsGood => RetryName::AsGood,
            RetryRating::Better => RetryName::Better,
            RetryRating::NotBetter => RetryName::NotBetter,
        },
        score: score_info(match side {
            Side::Defenders => retry.after,
            Side::Attackers => -retry.after,
        }),
        text: retry.comment(lang),
        reply: names(&retry.reply),
    }
}

pub(crate) fn weights_info(weights: &Weights) -> WeightsInfo {
    let terms = weights.terms.iter();
    WeightsInfo {
        terms: terms
            .map(|&(term, points)| TermInfo {
                term: term_name(term),
                points,
            })
            .collect(),
        hand: weights.hand,
        network: weights.network,
        men: weights
            .men
            .iter()
            .map(|man| (man.square.to_string(), man.worth))
            .collect(),
    }
}

const fn term_name(term: Term) -> TermName {
    match term {
        Term::Material => TermName::Material,
        Term::Walls => TermName::Walls,
        Term::Chains => TermName::Chains,
        Term::Lanes => TermName::Lanes,
        Term::Blockers => TermName::Blockers,
        Term::Distance => TermName::Distance,
        Term::Freedom => TermName::Freedom,
        Term::Safety => TermName::Safety,
        Term::Mobility => TermName::Mobility,
        Term::Camps => TermName::Camps,
        Term::Tempo => TermName::Tempo,
    }
}
