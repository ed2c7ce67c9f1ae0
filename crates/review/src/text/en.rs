//! English.

use tablut_rules::{Side, Square, text::Lang};

use super::{Words, dashed, joined, list};
use crate::{BoardLine, Deed, Fact, MoveMark, Prospect, RetryRating};

/// What is said about moves.
pub(super) const WORDS: Words = Words {
    mark,
    deed,
    fact,
    swing: |from, to| format!("from {from} to {to}"),
    won: |side| match side {
        Side::Attackers => "won for Black",
        Side::Defenders => "won for White",
    },
    best: |step| format!("best was {step}"),
    rating,
    decimal: '.',
};

const fn mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => "an inaccuracy",
        MoveMark::Mistake => "a mistake",
        MoveMark::Blunder => "a blunder",
    }
}

const fn rating(rating: RetryRating) -> &'static str {
    match rating {
        RetryRating::AsGood => "As good as the best move.",
        RetryRating::Better => "Better, but not good.",
        RetryRating::NotBetter => "No.",
    }
}

/// Lanes to goals: "a lane to i3".
fn lanes(goals: &[Square]) -> String {
    let number = match goals.len() {
        1 => return format!("a lane to {}", list(goals, "and")),
        2 => "two",
        3 => "three",
        _ => "four",
    };
    format!("{number} lanes, to {}", list(goals, "and"))
}

fn line(line: BoardLine) -> String {
    match line {
        BoardLine::Row(_) => format!("row {line}"),
        BoardLine::Column(_) => format!("column {line}"),
    }
}

/// Corners stand for the goals near them, as in the lessons.
fn corner(corners: &[Square]) -> String {
    match corners.len() {
        1 => format!("the corner {}", list(corners, "and")),
        _ => format!("the corners {}", list(corners, "and")),
    }
}

fn deed(deed: &Deed) -> String {
    match deed {
        Deed::Ends { outcome } => outcome.sentence(Lang::En),
        Deed::Captures { squares } => match squares.len() {
            1 => format!("captures the man on {}", list(squares, "and")),
            _ => format!("captures the men on {}", list(squares, "and")),
        },
        Deed::OpensLanes { goals } => format!("opens {}", lanes(goals)),
        Deed::ClosesLanes { goals } => match goals.len() {
            1 => format!("closes the lane to {}", list(goals, "and")),
            _ => format!("closes the lanes to {}", list(goals, "and")),
        },
        Deed::ClosesCorners { corners, is_last } => {
            let last = if *is_last {
                " and leaves him no way out"
            } else {
                ""
            };
            format!("cuts the king off from {}{last}", corner(corners))
        }
        Deed::OpensCorners { corners } => {
            format!("opens the king's way to {}", corner(corners))
        }
        Deed::BlocksKing => "leaves the king without a move".into(),
        Deed::ThreatensKing { by } => {
            format!("threatens to capture the king with {}", dashed(*by))
        }
    }
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Does { deed: it } => deed(it),
        Fact::MissesWin { plies } => format!("misses a win in {plies}"),
        Fact::AllowsWin { plies } => format!("allows a win in {plies}"),
        Fact::Repeats { outcome, prospect } => match (outcome.winner, prospect) {
            (Some(_), _) => "repeats the position, which loses".into(),
            (None, Prospect::Winning) => "repeats the position, a draw, while winning".into(),
            (None, Prospect::Level) => "repeats the position, a draw".into(),
            (None, Prospect::Losing) => "saves a draw by repetition".into(),
        },
        Fact::AllowsRepetition { reply } => {
            format!("allows a repetition by {} while winning", dashed(*reply))
        }
        Fact::LeavesLine { line: left, goals } => {
            format!("leaves {}: the king now has {}", line(*left), lanes(goals))
        }
        Fact::LeavesLanes { goals } => format!("leaves the king {}", lanes(goals)),
        Fact::NeededOn { line: left } => format!("it was needed on {}", line(*left)),
        Fact::Reply { reply, deeds } => {
            format!("now {} {}", dashed(*reply), joined(deeds, &WORDS))
        }
        Fact::Exposes { capture, .. } => capture.threat(Lang::En),
        Fact::LeavesBetween { capture, .. } => {
            format!("as before, {}", capture.threat(Lang::En))
        }
        Fact::GivesUp { square, reply } => {
            format!("gives up {square}, which makes {} possible", dashed(*reply))
        }
        Fact::LeavesKing { square } => {
            format!("opens the siege by leaving {square}, beside the king")
        }
        Fact::OnlyMove { others_lose: true } => "the only move that does not lose".into(),
        Fact::OnlyMove { others_lose: false } => "the only good move".into(),
    }
}
