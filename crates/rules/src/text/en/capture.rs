//! The rules in English sentences: captures.

use alloc::{format, string::String, vec::Vec};

use super::clause::letter;
use crate::{
    CastleKing, Side,
    text::clause::{Closed, KingClause, ManClause, both, list, names},
};

pub(super) fn men(clause: &ManClause) -> String {
    match clause {
        ManClause::Custodial => "A man is captured when an enemy piece moves to a square beside \
             it and the square straight beyond the man, on its other side, is hostile to it. Only \
             rows and columns count, never diagonals."
            .into(),
        ManClause::EnemyHostile => "A square with an enemy piece on it is always hostile. The \
             king counts as a white piece in this: he captures black men by his moves, and the \
             square he stands on is hostile to them."
            .into(),
        ManClause::BetweenExample { man, one, other } => format!(
            "For example, a black man on {man} with a white piece on {one} is captured when \
             another white piece moves to {other}."
        ),
        ManClause::Active => "Only the piece that has just moved captures: the captured man \
             always lies between it and the hostile square."
            .into(),
        ManClause::SideExample {
            man,
            one,
            other,
            side,
        } => format!(
            "If a black man on {man} stands between white pieces on {one} and {other} already, a \
             white piece that moves to {side} does not capture it."
        ),
        ManClause::SafeBetween => "A man may move in between two enemies: that does not capture \
             it. It stays safe until an enemy piece moves to a square beside it anew, with a \
             hostile square straight beyond."
            .into(),
        ManClause::Several => "One move can capture several men at once, up to three. Captured \
             men leave the board for good."
            .into(),
        ManClause::Edge => "What lies beyond the board is never hostile: a man on the edge can be \
             captured only along the edge, and a man in a corner not at all."
            .into(),
        ManClause::CastleEmpty { castle, to } => {
            let to = match both(*to) {
                (true, true) => "hostile to men of both sides",
                (true, false) => "hostile to black men but not to white men",
                (false, true) => "hostile to white men but not to black men",
                (false, false) => "not hostile to any man",
            };
            format!("The castle {castle}, when it is empty, is {to}.")
        }
        ManClause::CastleEmptyExample { man, to, falls } => {
            let text = match both(*falls) {
                (true, true) => {
                    format!("a man on {man} is captured by an enemy that moves to {to}")
                }
                (true, false) => format!(
                    "a black man on {man} is captured by a white piece that moves to {to}, but a \
                     white man on {man} is not captured by a black one there"
                ),
                (false, true) => format!(
                    "a white man on {man} is captured by a black man that moves to {to}, but a \
                     black man on {man} is not captured by a white piece there"
                ),
                (false, false) => {
                    format!("a man on {man} is not captured by an enemy that moves to {to}")
                }
            };
            format!("For example, with the castle empty {text}.")
        }
        ManClause::CastleKing { castle, when } => {
            let white = match when {
                CastleKing::Never => "is not hostile to white men",
                CastleKing::Always => "is hostile to white men as well",
                CastleKing::Besieged => {
                    "is hostile to a white man beside it only when black men stand on the other \
                     three squares beside the castle"
                }
            };
            format!(
                "The castle {castle} with the king on it {white}. To black men it is hostile, as \
                 is every square with the king on it."
            )
        }
        ManClause::CastleKingExample {
            castle,
            when,
            man,
            to,
            guards,
        } => match when {
            CastleKing::Never => format!(
                "So a white man on {man} with the king on {castle} is not captured by a black man \
                 that moves to {to}."
            ),
            CastleKing::Always => format!(
                "So a white man on {man} with the king on {castle} is captured by a black man \
                 that moves to {to}."
            ),
            CastleKing::Besieged => format!(
                "So a white man on {man} with the king on {castle} is captured by a black man \
                 that moves to {to} if black men stand on {}; if one of these is missing, it is \
                 not.",
                names(*guards, "and")
            ),
        },
        ManClause::CampHostile { to, white_inside } => match both(*to) {
            (true, true) => "Camp squares are hostile to men of both sides, empty or not, \
                 whoever stands on them."
                .into(),
            (true, false) => "Camp squares are hostile to black men, empty or not, whoever stands \
                 on them. To a white man a camp square is hostile only with a black man on it."
                .into(),
            (false, true) => {
                let black = match white_inside {
                    true => {
                        "To a black man a camp square is hostile only with a white piece on it."
                    }
                    false => "To black men they are never hostile.",
                };
                format!(
                    "Camp squares are hostile to white men, empty or not, whoever stands on them. \
                     {black}"
                )
            }
            (false, false) => "Camp squares are not hostile to men by themselves: only an enemy \
                 piece on one makes it hostile."
                .into(),
        },
        ManClause::CampExempt {
            squares,
            white_inside,
        } => {
            let (verb, unless) = match (squares.len(), white_inside) {
                (1, true) => ("is", ", unless a white piece stands on it"),
                (_, true) => ("are", ", unless a white piece stands on them"),
                (1, false) => ("is", ""),
                (_, false) => ("are", ""),
            };
            format!(
                "An exception: {} {verb} not hostile to black men{unless}.",
                names(*squares, "and")
            )
        }
        ManClause::CampHostileExample {
            piece,
            man,
            to,
            camp,
        } => {
            let (whose, enemy) = match piece.side() {
                Side::Attackers => ("black", "white piece"),
                Side::Defenders => ("white", "black man"),
            };
            format!(
                "For example, a {whose} man on {man} is captured by a {enemy} that moves to {to}, \
                 because {camp} beyond is a camp square."
            )
        }
        ManClause::ShieldedAlways(squares) => format!(
            "It follows that a black man on {} can never be captured while it stands there.",
            names(*squares, "or")
        ),
        ManClause::ShieldedButBetween(ways) => {
            let ways: Vec<String> = ways
                .iter()
                .map(|(man, one, other)| format!("on {man} only between {one} and {other}"))
                .collect();
            format!(
                "A black man in a camp can be captured {}, with a white piece on each of the two \
                 squares.",
                list(&ways, "and")
            )
        }
    }
}

pub(super) fn king(clause: &KingClause) -> String {
    match clause {
        KingClause::KingActive { idle } => {
            let idle = if *idle {
                " There is one exception, told below."
            } else {
                ""
            };
            format!(
                "The king is captured only by a black move that ends on a square beside him.{idle} \
                 If he moves in between black men himself, that does not capture him."
            )
        }
        KingClause::OpenSides => "His sides are the four squares beside him along row and column. \
             A white man beside him does not close a side for black, nor does the edge of the \
             board."
            .into(),
        KingClause::KingOnCastle {
            castle,
            only,
            sides,
            camps,
        } => {
            let only = if *only { " only" } else { "" };
            let camps = if camps.is_empty() {
                String::new()
            } else {
                format!(
                    " No black man is needed on {}: a camp square closes its side by itself.",
                    names(*camps, "and")
                )
            };
            format!(
                "On the castle {castle} he is captured{only} when black men stand on all four \
                 sides: {}.{camps}",
                names(*sides, "and")
            )
        }
        KingClause::IdleSiege(castle) => format!(
            "The exception: when all four sides of a king on the castle {castle} are closed, any \
             black move captures him, wherever it ends."
        ),
        KingClause::KingBesideCastle {
            squares,
            camps,
            open,
        } => {
            let mut text = format!(
                "On {}, beside the castle, he is captured when, and only when, black men stand on the other \
                 three sides; the empty castle closes the fourth. Two opposite black men are not enough \
                 there.",
                names(*squares, "or")
            );
            if !camps.is_empty() {
                text += &format!(
                    " No black man is needed on {}: a camp square closes its side by itself.",
                    names(*camps, "or")
                );
            }
            if !open.is_empty() {
                text += &format!(
                    " On {}, at the edge, one side stays open, so he cannot be captured there.",
                    names(*open, "or")
                );
            }
            text
        }
        KingClause::SiegeExample {
            king,
            black,
            closed,
        } => {
            let closed = match closed {
                Some(Closed::Castle(castle)) => {
                    format!("; the empty castle {castle} closes the last side")
                }
                Some(Closed::Camp(camp)) => {
                    format!("; the camp square {camp} closes the last side")
                }
                None => String::new(),
            };
            format!(
                "For example, a king on {king} is captured when black men stand on {} and one of \
                 them has just moved there{closed}.",
                names(*black, "and")
            )
        }
        KingClause::KingBetween { camps } => {
            let what = match camps {
                Some(true) => {
                    "there is another black man or a camp square straight beyond him. A camp \
                     square counts empty or not"
                }
                Some(false) => {
                    "another black man stands straight beyond him. A camp square without a black \
                     man does not count"
                }
                None => "another black man stands straight beyond him",
            };
            format!(
                "Everywhere else he is captured like a man: when a black man moves beside him and \
                 {what}."
            )
        }
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: false,
        } => format!(
            "For example, a king on {king} with a black man on {beyond} is captured when a black \
             man moves to {to}."
        ),
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: true,
        } => format!(
            "For example, a king on {king} is captured when a black man moves to {to}, because \
             {beyond} beyond is a camp square."
        ),
        KingClause::KingSiege { camps } => match camps {
            Some(true) => "Everywhere else he is captured when, and only when, all four sides are closed by \
                 black men. A camp square beside him closes its side by itself, empty or not."
                .into(),
            Some(false) => "Everywhere else he is captured when, and only when, all four sides are closed by \
                 black men. A camp square beside him closes its side only with a black man on it."
                .into(),
            None => {
                "Everywhere else he is captured when, and only when, black men stand on all four sides.".into()
            }
        },
        KingClause::KingOnEdge { between: true } => "On the edge he can be captured only along \
             the edge, and in a corner not at all."
            .into(),
        KingClause::KingOnEdge { between: false } => {
            "A king on the edge cannot be captured: one of his sides is open for good.".into()
        }
        KingClause::MiddleRow(castle) => format!(
            "Two peculiarities: a black man that moves to a square of row {row} never captures \
             the king between itself and the square beyond, it can only close the last of all \
             four sides; and a king on the castle {castle} is captured in column {column} like \
             elsewhere, between the squares above and below him.",
            row = castle.row() + 1,
            column = letter(*castle)
        ),
        KingClause::KingAndMen => "The move that captures the king may capture men as well.".into(),
    }
}
