//! The rules in English sentences: the board, moves, ends and calls.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::num::NonZero;

use super::capture::{king, men};
use crate::{
    CampClosed, CastleCross, CastleStop, Goals, NoMove, Piece, RepetitionResult, Side, Square,
    TwoLanes,
    text::{
        Section,
        clause::{BoardClause, CallClause, Clauses, EndClause, Law, MoveClause, names, section},
    },
};

/// The sections of a description.
pub(in crate::text) fn sections(clauses: &Clauses) -> Vec<Section> {
    Vec::from([
        section("The board", &clauses.board, board),
        section("Moves", &clauses.moves, moves),
        section("Capturing men", &clauses.men, men),
        section("Capturing the king", &clauses.king, king),
        section("The end of the game", &clauses.end, end),
        section("Raichi and tuichu", &clauses.calls, calls),
    ])
}

fn count(men: u32) -> String {
    match men {
        0 => "no men".to_string(),
        1 => "one man".to_string(),
        n => format!("{n} men"),
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Black",
        Side::Defenders => "White",
    }
}

pub(super) fn letter(square: Square) -> char {
    char::from(b'a' + square.column())
}

fn ordinal(n: u32) -> String {
    match (n, n % 10, n % 100) {
        (2, ..) => "second".to_string(),
        (3, ..) => "third".to_string(),
        (_, _, 11..=13) => format!("{n}th"),
        (_, 1, _) => format!("{n}st"),
        (_, 2, _) => format!("{n}nd"),
        (_, 3, _) => format!("{n}rd"),
        _ => format!("{n}th"),
    }
}

fn board(clause: &BoardClause) -> String {
    match clause {
        BoardClause::Board(size) => {
            let rows = size.rows();
            let last = char::from(b'a' + rows - 1);
            format!(
                "The board has {rows}×{rows} squares. Columns are called a to {last} from the \
                 left, rows 1 to {rows} from the top, so a1 is the top left corner."
            )
        }
        BoardClause::Sides { white, black } => format!(
            "White, the defenders, has a king and {}. Black, the attackers, has {} and no king. \
             A piece is a man or the king.",
            count(*white),
            count(*black)
        ),
        BoardClause::Aims => {
            "White wants to bring the king to a goal. Black wants to capture him.".into()
        }
        BoardClause::Castle(square) => format!("The square {square} is the castle."),
        BoardClause::Camps(camps) => {
            let camps: Vec<String> = camps.iter().map(|&camp| names(camp, "and")).collect();
            match &camps[..] {
                [one] => format!("There is one camp, of these squares: {one}."),
                _ => format!("There are {} camps: {}.", camps.len(), camps.join("; ")),
            }
        }
        BoardClause::NoCamps => {
            "There are no camps: apart from the castle and the goals, all squares are alike.".into()
        }
        BoardClause::Goals { goals, squares } => match goals {
            Goals::Edge => "Every square on the edge of the board is a goal.".into(),
            Goals::Corners => format!(
                "The four corners, {}, are the goals.",
                names(*squares, "and")
            ),
            Goals::Squares(_) if squares.len() == 1 => {
                format!("There is one goal: {}.", names(*squares, "and"))
            }
            Goals::Squares(_) => format!("The goals are {}.", names(*squares, "and")),
        },
        BoardClause::Escapes(squares) if squares.is_empty() => {
            "The king can reach none of the goals.".into()
        }
        BoardClause::Escapes(squares) => format!(
            "Of the goals, the king can reach only {}; these are called escape squares.",
            names(*squares, "and")
        ),
        BoardClause::PlainGoals { in_camps } => {
            let camps = if *in_camps {
                " One that lies in a camp keeps the rules of camps."
            } else {
                ""
            };
            format!(
                "Otherwise goals and corners are ordinary squares: men may stop on them and cross \
                 them, and they never help to capture by themselves.{camps}"
            )
        }
        BoardClause::Start { piece, squares } => {
            let squares = names(*squares, "and");
            match piece {
                Piece::King => format!("At the start the king stands on {squares}."),
                Piece::Defender => format!("At the start the white men stand on {squares}."),
                Piece::Attacker => format!("At the start the black men stand on {squares}."),
            }
        }
        BoardClause::First(side) => format!(
            "{} moves first. Then the sides take turns, one move each; nobody may pass.",
            colour(*side)
        ),
    }
}

fn moves(clause: &MoveClause) -> String {
    match clause {
        MoveClause::Straight => "A move takes one of your own pieces along its row or its column, \
             any number of squares. Men and king move alike; nothing moves diagonally."
            .into(),
        MoveClause::NoJump => "No piece jumps over another or lands on one: every square on the \
             way and the last one must be empty."
            .into(),
        MoveClause::CastleMoves {
            castle,
            stop,
            cross,
            home,
        } => {
            let home = match (stop, home) {
                (CastleStop::Nobody, true) => {
                    " The king starts on it; once he has left it, he cannot go back."
                }
                _ => "",
            };
            match (cross, stop) {
                (CastleCross::Nobody, CastleStop::Nobody) => format!(
                    "No piece may stop on the castle {castle} or cross it, even when it is \
                     empty.{home}"
                ),
                (CastleCross::Nobody, CastleStop::King) => format!(
                    "Only the king may stop on the castle {castle}, and he may come back to it. \
                     Nobody may cross it, even when it is empty: the king too must stop on it or \
                     before it."
                ),
                (CastleCross::Everyone, CastleStop::Nobody) => format!(
                    "Every piece may cross the castle {castle} when it is empty, but nobody may \
                     stop on it.{home}"
                ),
                (CastleCross::Everyone, CastleStop::King) => format!(
                    "Every piece may cross the castle {castle} when it is empty. Only the king \
                     may stop on it, and he may come back to it."
                ),
            }
        }
        MoveClause::CastleColumnOnly { castle, stop } => {
            let king = match stop {
                CastleStop::King => ", also for a king who wants to stop on it",
                CastleStop::Nobody => "",
            };
            format!(
                "This holds along column {} only: along row {} the castle is in the way even \
                 when it is empty{king}.",
                letter(*castle),
                castle.row() + 1
            )
        }
        MoveClause::CrossExample {
            from,
            to,
            allowed: true,
        } => format!("For example, a piece on {from} may go to {to} when the castle is empty."),
        MoveClause::CrossExample {
            from,
            to,
            allowed: false,
        } => format!("So a piece on {from} can never go to {to} in one move."),
        MoveClause::CampMoves(CampClosed::Nobody) => {
            "Camp squares are open to all pieces: everyone may stop on them and cross them.".into()
        }
        MoveClause::CampMoves(CampClosed::King) => "The king may neither stop on a camp square \
             nor cross one. Men of both sides may do both."
            .into(),
        MoveClause::CampMoves(CampClosed::Outsiders) => "A piece of either side that starts its \
             move outside a camp may neither stop on a square of that camp nor cross one, even \
             when it is empty."
            .into(),
        MoveClause::OwnCamp => "A piece that starts its move in a camp may move inside that same \
             camp, cross its empty squares and leave it. Once it stands outside, it can never \
             come back, and other camps are always closed to it."
            .into(),
        MoveClause::OwnCampExample {
            from,
            within: Some(within),
            out,
        } => format!(
            "For example, a man on {from} may go to {within} if it is empty, or out to {out}; \
             from {out} it cannot go back to {from}."
        ),
        MoveClause::OwnCampExample {
            from,
            within: None,
            out,
        } => format!(
            "For example, a man on {from} may go out to {out}; from {out} it cannot go back to \
             {from}."
        ),
        MoveClause::OtherCampExample { from, to, barred } => format!(
            "A man on {from} may go as far as {to} if the way is empty, but not to {barred}, \
             which is in another camp."
        ),
        MoveClause::NoWhiteInCamps => {
            "White starts outside the camps, so no white piece is ever in one.".into()
        }
    }
}

fn end(clause: &EndClause) -> String {
    match clause {
        EndClause::GoalWins { crossing } => {
            let crossing = match crossing {
                true => "; crossing one is not enough",
                false => "",
            };
            format!(
                "White wins at once when the king stops on a goal{crossing}. Men captured by that \
                 move are taken off first."
            )
        }
        EndClause::CaptureWins => "Black wins at once when the king is captured.".into(),
        EndClause::TwoLanesWin => "White wins at once on tuichu (see below): always when it is \
             white's turn, and when it is black's turn if no black move can capture the king."
            .into(),
        EndClause::NoMove(NoMove::Loses) => {
            "A side that has to move and has no legal move, or no piece left, loses.".into()
        }
        EndClause::NoMove(NoMove::Draws) => {
            "If the side that has to move has no legal move, or no piece left, the game is drawn."
                .into()
        }
        EndClause::NoMove(NoMove::Ignored) => "A side that has to move and has no legal move does \
             not lose by that: the game stands still until a clock or the players end it."
            .into(),
        EndClause::SamePosition => "Two positions are the same when the same kinds of pieces \
             stand on the same squares and the same side is to move. The position at the start \
             counts as its first occurrence."
            .into(),
        EndClause::Repetition(law) => {
            let nth = ordinal(law.occurrence);
            match law.result {
                RepetitionResult::Draw => {
                    format!("When a position occurs for the {nth} time, the game is drawn.")
                }
                RepetitionResult::MoverLoses => format!(
                    "When a position occurs for the {nth} time, the side whose move brought it \
                     about loses."
                ),
            }
        }
        EndClause::NoRepetition => {
            "Repeating a position does not end the game, however often it happens.".into()
        }
        EndClause::CapturelessLimit(None) => "There is no limit on moves without a capture.".into(),
        EndClause::CapturelessLimit(Some(NonZero::<u16>::MIN)) => {
            "The game is drawn after the first move without a capture.".into()
        }
        EndClause::CapturelessLimit(Some(limit)) => format!(
            "The game is drawn after {limit} moves in a row without a capture, the moves of both \
             sides counted together."
        ),
        EndClause::NoDraw => "None of these rules makes a draw.".into(),
        EndClause::Order(laws) => {
            let laws: Vec<&str> = laws.iter().map(|&l| law(l)).collect();
            format!(
                "If one move meets several of these rules, the first in this order decides: {}.",
                laws.join(", ")
            )
        }
        EndClause::Options => "Clocks, resignation and a limit on the number of moves belong to \
             the single game, not to this rule set. With a limit of N moves for each player, \
             whoever has to make move N+1 loses."
            .into(),
    }
}

fn law(law: Law) -> &'static str {
    match law {
        Law::King => "the king on a goal or captured",
        Law::TwoLanes => "tuichu",
        Law::NoMove => "no legal move",
        Law::Repetition => "repetition",
        Law::CapturelessLimit => "moves without a capture",
    }
}

fn calls(clause: &CallClause) -> String {
    match clause {
        CallClause::Lane => "The king has an open lane in a direction when he could stop on a \
             goal with one move that way now, whoever is to move."
            .into(),
        CallClause::CallWords => {
            "One open lane is called raichi; two or more, in different directions, tuichu.".into()
        }
        CallClause::CallEffect(TwoLanes::Call) => "Both are only announcements: they change \
             nothing, and the game goes on."
            .into(),
        CallClause::CallEffect(TwoLanes::Wins) => "Raichi is only an announcement; tuichu can win \
             the game, as told above."
            .into(),
    }
}
