//! German.

use tablut_rules::{Side, Square, text::Lang};

use super::{Words, capitalized, dashed, joined, list};
use crate::{BoardLine, Deed, Fact, MoveMark, Prospect, RetryRating};

/// What is said about moves.
pub(super) const WORDS: Words = Words {
    mark,
    deed,
    fact,
    swing: |from, to| format!("von {from} auf {to}"),
    won: |side| match side {
        Side::Attackers => "gewonnen für Schwarz",
        Side::Defenders => "gewonnen für Weiß",
    },
    best: |step| format!("am besten war {step}"),
    rating,
    decimal: ',',
};

const fn mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => "eine Ungenauigkeit",
        MoveMark::Mistake => "ein Fehler",
        MoveMark::Blunder => "ein grober Fehler",
    }
}

const fn rating(rating: RetryRating) -> &'static str {
    match rating {
        RetryRating::AsGood => "So gut wie der beste Zug.",
        RetryRating::Better => "Besser, aber nicht gut.",
        RetryRating::NotBetter => "Nein.",
    }
}

/// Lanes to goals, in the accusative: "einen Weg nach i3".
fn lanes(goals: &[Square]) -> String {
    let number = match goals.len() {
        1 => return format!("einen Weg nach {}", list(goals, "und")),
        2 => "zwei",
        3 => "drei",
        _ => "vier",
    };
    format!("{number} Wege, nach {}", list(goals, "und"))
}

/// A line, which is feminine in every case used here.
fn line(line: BoardLine) -> String {
    match line {
        BoardLine::Row(_) => format!("Reihe {line}"),
        BoardLine::Column(_) => format!("Spalte {line}"),
    }
}

/// Corners stand for the goals near them, as in the lessons.
fn corner(corners: &[Square]) -> String {
    match corners.len() {
        1 => format!("der Ecke {}", list(corners, "und")),
        _ => format!("den Ecken {}", list(corners, "und")),
    }
}

fn deed(deed: &Deed) -> String {
    match deed {
        Deed::Ends { outcome } => outcome.sentence(Lang::De),
        Deed::Captures { squares } => match squares.len() {
            1 => format!("schlägt den Stein auf {}", list(squares, "und")),
            _ => format!("schlägt die Steine auf {}", list(squares, "und")),
        },
        Deed::OpensLanes { goals } => format!("öffnet {}", lanes(goals)),
        Deed::ClosesLanes { goals } => match goals.len() {
            1 => format!("schließt den Weg nach {}", list(goals, "und")),
            _ => format!("schließt die Wege nach {}", list(goals, "und")),
        },
        Deed::ClosesCorners { corners, is_last } => {
            let last = if *is_last {
                " und lässt ihm keinen Ausweg"
            } else {
                ""
            };
            format!("schneidet den König von {} ab{last}", corner(corners))
        }
        Deed::OpensCorners { corners } => {
            format!("öffnet dem König den Weg zu {}", corner(corners))
        }
        Deed::BlocksKing => "lässt dem König keinen Zug".into(),
        Deed::ThreatensKing { by } => format!("droht den König mit {} zu fangen", dashed(*by)),
    }
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Does { deed: it } => deed(it),
        Fact::MissesWin { plies } => format!("verpasst einen Gewinn in {plies}"),
        Fact::AllowsWin { plies } => format!("lässt einen Gewinn in {plies} zu"),
        Fact::Repeats { outcome, prospect } => match (outcome.winner, prospect) {
            (Some(_), _) => "wiederholt die Stellung und verliert dadurch".into(),
            (None, Prospect::Winning) => {
                "wiederholt die Stellung zum Remis, obwohl auf Gewinn stehend".into()
            }
            (None, Prospect::Level) => "wiederholt die Stellung zum Remis".into(),
            (None, Prospect::Losing) => "rettet durch Wiederholung ein Remis".into(),
        },
        Fact::AllowsRepetition { reply } => format!(
            "lässt auf Gewinn stehend die Wiederholung durch {} zu",
            dashed(*reply)
        ),
        Fact::LeavesLine { line: left, goals } => format!(
            "verlässt {}: Der König hat jetzt {}",
            line(*left),
            lanes(goals)
        ),
        Fact::LeavesLanes { goals } => format!("lässt dem König {}", lanes(goals)),
        Fact::NeededOn { line: left } => {
            format!("der Stein wurde auf {} gebraucht", line(*left))
        }
        Fact::Reply { reply, deeds } => {
            format!("die Antwort {} {}", dashed(*reply), joined(deeds, &WORDS))
        }
        Fact::Exposes { capture, .. } => capture.threat(Lang::De),
        Fact::LeavesBetween { capture, .. } => {
            format!("wie zuvor gilt: {}", capitalized(&capture.threat(Lang::De)))
        }
        Fact::GivesUp { square, reply } => {
            format!("gibt {square} auf und macht {} möglich", dashed(*reply))
        }
        Fact::LeavesKing { square } => {
            format!("öffnet die Belagerung: verlässt {square} neben dem König")
        }
        Fact::OnlyMove { others_lose: true } => "der einzige Zug, der nicht verliert".into(),
        Fact::OnlyMove { others_lose: false } => "der einzige gute Zug".into(),
    }
}
