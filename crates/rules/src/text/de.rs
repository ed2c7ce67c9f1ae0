//! German.

mod capture;
mod clause;

use alloc::{format, string::String, vec::Vec};

use super::{Legend, Words, clause::list};
use crate::{
    Anvil, CampClosed, Capture, CaptureCause, IllegalMove, Outcome, Piece, Reason, SetupFault,
    Side, Square, setup::names,
};

/// What is said about the rules.
pub(super) const WORDS: Words = Words {
    legend: Legend {
        castle: "T Thron",
        camp: ": Lager",
        escape: "* Fluchtfeld",
    },
    sections: clause::sections,
    illegal_move,
    setup_fault,
    capture,
    threat,
    outcome,
    not_allowed: "nicht erlaubt",
    no_capture: "erlaubt; nichts wird geschlagen",
    topics: [
        "Wie Steine geschlagen werden",
        "Wie der König geschlagen wird",
        "Wie eine Partie sonst endet",
    ],
    king_captures: "der König schlägt",
};

/// A piece as the subject of a sentence.
fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Attacker => "ein schwarzer Stein",
        Piece::Defender => "ein weißer Stein",
        Piece::King => "der König",
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Schwarz",
        Side::Defenders => "Weiß",
    }
}

fn illegal_move(reason: &IllegalMove) -> String {
    match *reason {
        IllegalMove::OutsideBoard(square) => format!("dieses Brett hat kein Feld {square}"),
        IllegalMove::NoPiece(square) => format!("auf {square} steht keine Figur"),
        IllegalMove::NotYours { square, piece: it } => format!(
            "auf {square} steht {}, aber {} ist am Zug",
            piece(it),
            colour(it.side().opponent())
        ),
        IllegalMove::NoStep(square) => format!("die Figur würde auf {square} stehen bleiben"),
        IllegalMove::NotStraight { from, to } => format!(
            "Figuren ziehen entlang einer Reihe oder Spalte, und {from} und {to} haben keine von \
             beiden gemeinsam"
        ),
        IllegalMove::Occupied { square, piece: it } => {
            format!("auf {square} steht schon {}", piece(it))
        }
        IllegalMove::PieceInTheWay { square, piece: it } => {
            format!("{} auf {square} steht im Weg", piece(it))
        }
        IllegalMove::CastleStop(square) => {
            format!("diese Figur darf nicht auf dem Thron {square} stehen bleiben")
        }
        IllegalMove::CastleInTheWay(square) => format!("der Thron {square} liegt im Weg"),
        IllegalMove::CampStop { square, closed_to } => match closed_to {
            CampClosed::King => format!("das Lagerfeld {square} ist dem König verwehrt"),
            _ => format!("das Lagerfeld {square} ist für Figuren von außen gesperrt"),
        },
        IllegalMove::CampInTheWay { square, closed_to } => match closed_to {
            CampClosed::King => {
                format!("der König darf nicht über das Lagerfeld {square} ziehen")
            }
            _ => format!(
                "das Lagerfeld {square} liegt im Weg: Es ist für Figuren von außen gesperrt"
            ),
        },
    }
}

fn setup_fault(fault: &SetupFault) -> String {
    match *fault {
        SetupFault::WrongSize { expected, found } => format!(
            "das Regelwerk ist für ein Brett mit {0}×{0} Feldern, dieses hat {1}×{1}",
            expected.rows(),
            found.rows()
        ),
        SetupFault::OutsideBoard(squares) => {
            format!("Figuren außerhalb des Bretts: {}", names(squares))
        }
        SetupFault::NoKing => "der König fehlt".into(),
        SetupFault::SeveralKings(squares) => {
            format!("es gibt mehrere Könige: {}", names(squares))
        }
        SetupFault::ManOnCastle(square) => format!(
            "auf dem Thron {square} steht ein Stein, dabei darf dort kein Stein stehen bleiben"
        ),
        SetupFault::StrayInCamp(squares) => format!(
            "Figuren auf Lagerfeldern, die sie nie erreichen können: {}",
            names(squares)
        ),
        SetupFault::KingEscaped(square) => {
            format!("der König ist schon entkommen: {square} ist ein Zielfeld")
        }
        SetupFault::KingCaptured(square) => {
            format!("der König auf {square} ist schon gefangen: Alle Seiten sind geschlossen")
        }
        SetupFault::TooManyMen { side, count, most } => {
            let men = match side {
                Side::Attackers => "schwarze Steine",
                Side::Defenders => "weiße Steine",
            };
            format!("{count} {men}, aber eine Partie beginnt mit {most}")
        }
    }
}

/// What a piece is caught against, in the dative, after "zwischen".
fn anvil(kind: Anvil, square: Square) -> String {
    match kind {
        Anvil::Man => format!("dem Stein auf {square}"),
        Anvil::King => format!("dem König auf {square}"),
        Anvil::EmptyCastle => format!("dem leeren Thron {square}"),
        Anvil::CastleWithKing => {
            format!("dem Thron {square}, der auch mit dem König darauf feindlich ist")
        }
        Anvil::BesiegedCastle => {
            format!("dem Thron {square}, dessen König Schwarz auf den drei anderen Seiten festhält")
        }
        Anvil::Camp => format!("dem Lagerfeld {square}"),
    }
}

fn capture(capture: &Capture) -> String {
    let (what, square) = (piece(capture.piece), capture.square);
    let captured = match capture.piece {
        Piece::King => "gefangen",
        Piece::Attacker | Piece::Defender => "geschlagen",
    };
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} auf {square} wird zwischen {hammer} und {} {captured}",
            closed_off(anvil(*kind, *beyond))
        ),
        CaptureCause::Siege(sides) => {
            let sides: Vec<String> = sides.iter().map(|&(s, kind)| anvil(kind, s)).collect();
            format!(
                "{what} auf {square} wird {captured}, eingeschlossen von {}",
                list(&sides, "und")
            )
        }
    }
}

fn threat(capture: &Capture) -> String {
    let square = capture.square;
    let (what, captured) = match capture.piece {
        Piece::King => ("der König", "gefangen"),
        Piece::Attacker | Piece::Defender => ("der Stein", "geschlagen"),
    };
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} auf {square} kann zwischen {hammer} und {} {captured} werden",
            closed_off(anvil(*kind, *beyond))
        ),
        CaptureCause::Siege(_) => {
            format!("{what} auf {square} kann auf allen Seiten eingeschlossen werden")
        }
    }
}

/// A phrase with its closing comma, if a relative clause ends it.
fn closed_off(phrase: String) -> String {
    match phrase.contains(',') {
        true => phrase + ",",
        false => phrase,
    }
}

fn outcome(outcome: &Outcome) -> String {
    let loser = outcome.winner.map(|side| colour(side.opponent()));
    let player = loser.unwrap_or("Ein Spieler");
    let why = match outcome.reason {
        Reason::KingEscaped => "Der König ist entkommen".into(),
        Reason::KingCaptured => "Der König wurde gefangen".into(),
        Reason::TwoLanes => {
            "Der König hat zwei offene Wege und kann vorher nicht gefangen werden".into()
        }
        Reason::NoMove => format!(
            "{} hat keinen erlaubten Zug",
            loser.unwrap_or("Die Seite am Zug")
        ),
        Reason::Repetition => match loser {
            Some(loser) => format!("{loser} hat eine Stellung wiederholt"),
            None => "Zugwiederholung".into(),
        },
        Reason::CapturelessLimit => "zu viele Züge ohne Schlagen".into(),
        Reason::MoveLimit => match loser {
            Some(loser) => format!("{loser} hat keine Züge mehr übrig"),
            None => "Die Höchstzahl der Züge ist erreicht".into(),
        },
        Reason::TimeOut => format!("{player} hat die Bedenkzeit überschritten"),
        Reason::IllegalMove => format!("{player} hat einen unerlaubten Zug gemacht"),
        Reason::Resignation => format!("{player} hat aufgegeben"),
        Reason::Agreement => "Die Spieler haben sich geeinigt".into(),
        Reason::ConnectionLost => format!("{player} hat die Verbindung verloren"),
        Reason::Decision => "Entscheidung der Turnierleitung".into(),
    };
    match outcome.winner {
        Some(side) => format!("{} gewinnt: {why}", colour(side)),
        None => format!("Remis: {why}"),
    }
}
