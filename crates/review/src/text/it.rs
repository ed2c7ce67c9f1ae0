//! Italian.

use tablut_rules::{Side, Square, text::Lang};

use super::{Words, dashed, joined, list};
use crate::{BoardLine, Deed, Fact, MoveMark, Prospect, RetryRating};

/// What is said about moves.
pub(super) const WORDS: Words = Words {
    mark,
    deed,
    fact,
    swing: |from, to| format!("da {from} a {to}"),
    won: |side| match side {
        Side::Attackers => "vinta per il nero",
        Side::Defenders => "vinta per il bianco",
    },
    best: |step| format!("la migliore era {step}"),
    rating,
    decimal: ',',
};

const fn mark(mark: MoveMark) -> &'static str {
    match mark {
        MoveMark::Inaccuracy => "un'imprecisione",
        MoveMark::Mistake => "un errore",
        MoveMark::Blunder => "un errore grave",
    }
}

const fn rating(rating: RetryRating) -> &'static str {
    match rating {
        RetryRating::AsGood => "Buona quanto la migliore.",
        RetryRating::Better => "Meglio, ma non buona.",
        RetryRating::NotBetter => "No.",
    }
}

/// Lanes to goals: "una via di fuga verso i3".
fn lanes(goals: &[Square]) -> String {
    let number = match goals.len() {
        1 => return format!("una via di fuga verso {}", list(goals, "e")),
        2 => "due",
        3 => "tre",
        _ => "quattro",
    };
    format!("{number} vie di fuga, verso {}", list(goals, "e"))
}

/// Corners stand for the goals near them, as in the lessons.
fn corner(corners: &[Square]) -> String {
    match corners.len() {
        1 => format!("l'angolo {}", list(corners, "e")),
        _ => format!("gli angoli {}", list(corners, "e")),
    }
}

fn deed(deed: &Deed) -> String {
    match deed {
        Deed::Ends { outcome } => outcome.sentence(Lang::It),
        Deed::Captures { squares } => match squares.len() {
            1 => format!("cattura la pedina su {}", list(squares, "e")),
            _ => format!("cattura le pedine su {}", list(squares, "e")),
        },
        Deed::OpensLanes { goals } => format!("apre {}", lanes(goals)),
        Deed::ClosesLanes { goals } => match goals.len() {
            1 => format!("chiude la via verso {}", list(goals, "e")),
            _ => format!("chiude le vie verso {}", list(goals, "e")),
        },
        Deed::ClosesCorners { corners, is_last } => {
            let last = if *is_last {
                " e non gli lascia vie di fuga"
            } else {
                ""
            };
            format!("taglia al re la strada verso {}{last}", corner(corners))
        }
        Deed::OpensCorners { corners } => {
            format!("apre al re la strada verso {}", corner(corners))
        }
        Deed::BlocksKing => "lascia il re senza mosse".into(),
        Deed::ThreatensKing { by } => format!("minaccia di catturare il re con {}", dashed(*by)),
    }
}

fn fact(fact: &Fact) -> String {
    match fact {
        Fact::Does { deed: it } => deed(it),
        Fact::MissesWin { plies } => format!("manca una vittoria in {plies}"),
        Fact::AllowsWin { plies } => format!("concede una vittoria in {plies}"),
        Fact::Repeats { outcome, prospect } => match (outcome.winner, prospect) {
            (Some(_), _) => "ripete la posizione e perde".into(),
            (None, Prospect::Winning) => {
                "ripete la posizione, cioè patta, in una partita vinta".into()
            }
            (None, Prospect::Level) => "ripete la posizione, cioè patta".into(),
            (None, Prospect::Losing) => "salva la patta con una ripetizione".into(),
        },
        Fact::AllowsRepetition { reply } => format!(
            "concede la ripetizione con {} in una partita vinta",
            dashed(*reply)
        ),
        Fact::LeavesLine { line, goals } => {
            let left = match line {
                BoardLine::Row(_) => format!("la riga {line}"),
                BoardLine::Column(_) => format!("la colonna {line}"),
            };
            format!("lascia {left}: ora il re ha {}", lanes(goals))
        }
        Fact::LeavesLanes { goals } => format!("lascia al re {}", lanes(goals)),
        Fact::NeededOn { line } => match line {
            BoardLine::Row(_) => format!("la pedina serviva sulla riga {line}"),
            BoardLine::Column(_) => format!("la pedina serviva sulla colonna {line}"),
        },
        Fact::Reply { reply, deeds } => {
            format!("ora {} {}", dashed(*reply), joined(deeds, &WORDS))
        }
        Fact::Exposes { capture, .. } => capture.threat(Lang::It),
        Fact::LeavesBetween { capture, .. } => {
            format!("come prima, {}", capture.threat(Lang::It))
        }
        Fact::GivesUp { square, reply } => {
            format!("cede {square} e rende possibile {}", dashed(*reply))
        }
        Fact::LeavesKing { square } => {
            format!("allenta l'assedio lasciando {square}, accanto al re")
        }
        Fact::OnlyMove { others_lose: true } => "l'unica mossa che non perde".into(),
        Fact::OnlyMove { others_lose: false } => "l'unica mossa buona".into(),
    }
}
