//! The review of a game as text, and as its record with comments.

use std::io::Write;

use anyhow::Result;
use tablut_challenge::document::Played;
use tablut_review::{MoveMark, ONLY_MOVE_SIGN, Review, ReviewedMove, annotate};
use tablut_rules::{Move, Side, text::Lang};

use super::table::{GameAnalysis, HEAD, marks};
use crate::output::wrap;

/// The width of what is said about a move, and how far it is indented.
const WIDTH: usize = 92;
const INDENT: &str = "      ";

/// Prints the table of the game with what is said about its moves, and how well both sides played.
pub(super) fn text(
    out: &mut impl Write,
    analysis: &GameAnalysis,
    review: &Review,
    lang: Lang,
) -> Result<()> {
    writeln!(out, "{}\n{HEAD}", analysis.title())?;
    for (row, reviewed) in analysis.moves.iter().zip(review.moves()) {
        let only = match reviewed.is_only_move() {
            true => format!("  {ONLY_MOVE_SIGN}"),
            false => String::new(),
        };
        writeln!(out, "{}{only}", row.line())?;
        words(out, reviewed, lang)?;
    }
    for (side, summary) in review.summary() {
        let count = |mark| match mark {
            MoveMark::Inaccuracy => summary.inaccuracies,
            MoveMark::Mistake => summary.mistakes,
            MoveMark::Blunder => summary.blunders,
        };
        let accuracy = match summary.accuracy {
            Some(accuracy) => format!("{accuracy:.0} % accurate"),
            None => "no choice in any move".into(),
        };
        writeln!(out, "{}: {accuracy}, {}", Side::colour(side), marks(count))?;
    }
    Ok(())
}

/// What is said about a move, and the better line.
fn words(out: &mut impl Write, reviewed: &ReviewedMove, lang: Lang) -> Result<()> {
    let comment = reviewed.comment(lang);
    for line in wrap(&comment, WIDTH).filter(|line| !line.is_empty()) {
        writeln!(out, "{INDENT}{line}")?;
    }
    if let (Some(better), Some(_)) = (&reviewed.better, reviewed.mark) {
        let moves: Vec<String> = better.moves.iter().map(Move::to_string).collect();
        let line = format!("({})", moves.join(" "));
        for line in wrap(&line, WIDTH) {
            writeln!(out, "{INDENT}{line}")?;
        }
    }
    Ok(())
}

/// Prints the record of the game with the review in it.
pub(super) fn record(
    out: &mut impl Write,
    played: &Played,
    review: &Review,
    lang: Lang,
) -> Result<()> {
    let mut record = played.record.clone();
    annotate(&mut record, review, lang);
    write!(out, "{record}")?;
    Ok(())
}
