//! English.

mod capture;
mod clause;

use alloc::{format, string::String, vec::Vec};

use super::{Legend, Words, clause::list};
use crate::{
    Anvil, CampClosed, Capture, CaptureCause, IllegalMove, Outcome, Piece, Reason, SetupFault,
    Square, setup::names,
};

/// What is said about the rules.
pub(super) const WORDS: Words = Words {
    legend: Legend {
        castle: "T castle",
        camp: ": camp",
        escape: "* escape square",
    },
    sections: clause::sections,
    illegal_move,
    setup_fault,
    capture,
    threat,
    outcome,
    not_allowed: "not allowed",
    no_capture: "allowed; nothing is captured",
    topics: [
        "How men are captured",
        "How the king is captured",
        "How a game ends otherwise",
    ],
    king_captures: "the king captures",
};

fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Attacker => "a black man",
        Piece::Defender => "a white man",
        Piece::King => "the king",
    }
}

fn illegal_move(reason: &IllegalMove) -> String {
    match *reason {
        IllegalMove::OutsideBoard(square) => format!("this board has no square {square}"),
        IllegalMove::NoPiece(square) => format!("there is no piece on {square}"),
        IllegalMove::NotYours { square, piece: it } => {
            let side = it.side().opponent().colour();
            format!("{} stands on {square}, but it is {side}'s turn", piece(it))
        }
        IllegalMove::NoStep(square) => format!("the piece would stay on {square}"),
        IllegalMove::NotStraight { from, to } => {
            format!("pieces move along a row or a column, and {from} and {to} share neither")
        }
        IllegalMove::Occupied { square, piece: it } => {
            format!("{} already stands on {square}", piece(it))
        }
        IllegalMove::PieceInTheWay { square, piece: it } => {
            format!("{} on {square} is in the way", piece(it))
        }
        IllegalMove::CastleStop(square) => {
            format!("this piece may not stop on the castle {square}")
        }
        IllegalMove::CastleInTheWay(square) => {
            format!("the castle {square} is in the way")
        }
        IllegalMove::CampStop { square, closed_to } => match closed_to {
            CampClosed::King => format!("the camp square {square} is closed to the king"),
            _ => format!("the camp square {square} is closed to pieces from outside"),
        },
        IllegalMove::CampInTheWay { square, closed_to } => match closed_to {
            CampClosed::King => format!("the king may not cross the camp square {square}"),
            _ => {
                format!(
                    "the camp square {square} is in the way: it is closed to pieces from outside"
                )
            }
        },
    }
}

fn setup_fault(fault: &SetupFault) -> String {
    match *fault {
        SetupFault::WrongSize { expected, found } => format!(
            "the rule set is for a board of {0}×{0} squares, this one has {1}×{1}",
            expected.rows(),
            found.rows()
        ),
        SetupFault::OutsideBoard(squares) => {
            format!("pieces outside the board: {}", names(squares))
        }
        SetupFault::NoKing => "there is no king".into(),
        SetupFault::SeveralKings(squares) => {
            format!("there are several kings: {}", names(squares))
        }
        SetupFault::ManOnCastle(square) => {
            format!("a man stands on the castle {square}, where no man may stop")
        }
        SetupFault::StrayInCamp(squares) => format!(
            "pieces on camp squares they can never reach: {}",
            names(squares)
        ),
        SetupFault::KingEscaped(square) => {
            format!("the king has already escaped: {square} is a goal")
        }
        SetupFault::KingCaptured(square) => {
            format!("the king on {square} is already captured: every side is closed")
        }
        SetupFault::TooManyMen { side, count, most } => {
            let colour = side.colour();
            format!("{count} {colour} men, but a game starts with {most}")
        }
    }
}

fn anvil(kind: Anvil, square: Square) -> String {
    match kind {
        Anvil::Man => format!("the man on {square}"),
        Anvil::King => format!("the king on {square}"),
        Anvil::EmptyCastle => format!("the empty castle {square}"),
        Anvil::CastleWithKing => format!("the castle {square}, hostile even with the king on it"),
        Anvil::BesiegedCastle => {
            format!("the castle {square}, whose king is held by black on the other three sides")
        }
        Anvil::Camp => format!("the camp square {square}"),
    }
}

fn capture(capture: &Capture) -> String {
    let (what, square) = (piece(capture.piece), capture.square);
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} on {square} is captured between {hammer} and {}",
            anvil(*kind, *beyond)
        ),
        CaptureCause::Siege(sides) => {
            let sides: Vec<String> = sides.iter().map(|&(s, kind)| anvil(kind, s)).collect();
            format!(
                "{what} on {square} is captured, closed in by {}",
                list(&sides, "and")
            )
        }
    }
}

fn threat(capture: &Capture) -> String {
    let square = capture.square;
    let what = match capture.piece {
        Piece::King => "the king",
        Piece::Attacker | Piece::Defender => "the man",
    };
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} on {square} can be captured between {hammer} and {}",
            anvil(*kind, *beyond)
        ),
        CaptureCause::Siege(_) => format!("{what} on {square} can be closed in on all sides"),
    }
}

fn outcome(outcome: &Outcome) -> String {
    let loser = outcome.winner.map(|side| side.opponent().colour());
    let player = loser.unwrap_or("a player");
    let why = match outcome.reason {
        Reason::KingEscaped => "the king escaped".into(),
        Reason::KingCaptured => "the king was captured".into(),
        Reason::TwoLanes => "the king has two open lanes and cannot be captured first".into(),
        Reason::NoMove => format!("{} has no legal move", loser.unwrap_or("the side to move")),
        Reason::Repetition => match loser {
            Some(loser) => format!("{loser} repeated a position"),
            None => "a position was repeated".into(),
        },
        Reason::CapturelessLimit => "too many moves without a capture".into(),
        Reason::MoveLimit => match loser {
            Some(loser) => format!("{loser} has used up its moves"),
            None => "the limit of moves was reached".into(),
        },
        Reason::TimeOut => format!("{player} ran out of time"),
        Reason::IllegalMove => format!("{player} made an illegal move"),
        Reason::Resignation => format!("{player} resigned"),
        Reason::Agreement => "the players agreed".into(),
        Reason::ConnectionLost => format!("{player} lost the connection"),
        Reason::Decision => "the organiser decided".into(),
    };
    match outcome.winner {
        Some(side) => format!("{} wins: {why}", side.colour()),
        None => format!("draw: {why}"),
    }
}
