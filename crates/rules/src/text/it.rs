//! Italian.

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
        castle: "T castello",
        camp: ": campo",
        escape: "* via di fuga",
    },
    sections: clause::sections,
    illegal_move,
    setup_fault,
    capture,
    threat,
    outcome,
    not_allowed: "non ammessa",
    no_capture: "ammessa; nessuna cattura",
    topics: [
        "Come si catturano le pedine",
        "Come si cattura il re",
        "Come finisce altrimenti una partita",
    ],
    king_captures: "cattura il re",
};

fn piece(piece: Piece) -> &'static str {
    match piece {
        Piece::Attacker => "una pedina nera",
        Piece::Defender => "una pedina bianca",
        Piece::King => "il re",
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "il nero",
        Side::Defenders => "il bianco",
    }
}

fn illegal_move(reason: &IllegalMove) -> String {
    match *reason {
        IllegalMove::OutsideBoard(square) => {
            format!("questo tavoliere non ha la casella {square}")
        }
        IllegalMove::NoPiece(square) => format!("su {square} non c'è nessun pezzo"),
        IllegalMove::NotYours { square, piece: it } => {
            let turn = match it.side().opponent() {
                Side::Attackers => "al nero",
                Side::Defenders => "al bianco",
            };
            format!("su {square} c'è {}, ma tocca {turn}", piece(it))
        }
        IllegalMove::NoStep(square) => format!("il pezzo resterebbe su {square}"),
        IllegalMove::NotStraight { from, to } => format!(
            "i pezzi si muovono lungo una riga o una colonna, e {from} e {to} non hanno in comune \
             né l'una né l'altra"
        ),
        IllegalMove::Occupied { square, piece: it } => {
            format!("su {square} c'è già {}", piece(it))
        }
        IllegalMove::PieceInTheWay { square, piece: it } => {
            format!("{} su {square} sbarra la strada", piece(it))
        }
        IllegalMove::CastleStop(square) => {
            format!("questo pezzo non può fermarsi sul castello {square}")
        }
        IllegalMove::CastleInTheWay(square) => {
            format!("il castello {square} sbarra la strada")
        }
        IllegalMove::CampStop { square, closed_to } => match closed_to {
            CampClosed::King => format!("la casella di campo {square} è chiusa al re"),
            _ => format!("la casella di campo {square} è chiusa a chi viene da fuori"),
        },
        IllegalMove::CampInTheWay { square, closed_to } => match closed_to {
            CampClosed::King => {
                format!("il re non può attraversare la casella di campo {square}")
            }
            _ => format!(
                "la casella di campo {square} sbarra la strada: è chiusa a chi viene da \
                 fuori"
            ),
        },
    }
}

fn setup_fault(fault: &SetupFault) -> String {
    match *fault {
        SetupFault::WrongSize { expected, found } => format!(
            "il regolamento è per una scacchiera di {0}×{0} caselle, questa ne ha {1}×{1}",
            expected.rows(),
            found.rows()
        ),
        SetupFault::OutsideBoard(squares) => {
            format!("pezzi fuori dalla scacchiera: {}", names(squares))
        }
        SetupFault::NoKing => "manca il re".into(),
        SetupFault::SeveralKings(squares) => {
            format!("ci sono più re: {}", names(squares))
        }
        SetupFault::ManOnCastle(square) => {
            format!("una pedina è sul castello {square}, dove nessuna pedina può fermarsi")
        }
        SetupFault::StrayInCamp(squares) => format!(
            "pezzi in campi che non possono raggiungere: {}",
            names(squares)
        ),
        SetupFault::KingEscaped(square) => {
            format!("il re è già fuggito: {square} è una casella di vittoria")
        }
        SetupFault::KingCaptured(square) => {
            format!("il re in {square} è già catturato: ogni lato è chiuso")
        }
        SetupFault::TooManyMen { side, count, most } => {
            let men = match side {
                Side::Attackers => "pedine nere",
                Side::Defenders => "pedine bianche",
            };
            format!("{count} {men}, ma una partita comincia con {most}")
        }
    }
}

fn anvil(kind: Anvil, square: Square) -> String {
    match kind {
        Anvil::Man => format!("la pedina su {square}"),
        Anvil::King => format!("il re su {square}"),
        Anvil::EmptyCastle => format!("il castello vuoto {square}"),
        Anvil::CastleWithKing => format!("il castello {square}, ostile anche con il re sopra"),
        Anvil::BesiegedCastle => {
            format!("il castello {square}, con il re chiuso dal nero sugli altri tre lati")
        }
        Anvil::Camp => format!("la casella di campo {square}"),
    }
}

fn capture(capture: &Capture) -> String {
    let (what, square) = (piece(capture.piece), capture.square);
    let captured = match capture.piece {
        Piece::King => "catturato",
        Piece::Attacker | Piece::Defender => "catturata",
    };
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} su {square} è {captured} tra {hammer} e {}",
            anvil(*kind, *beyond)
        ),
        CaptureCause::Siege(sides) => {
            let sides: Vec<String> = sides.iter().map(|&(s, kind)| anvil(kind, s)).collect();
            format!(
                "{what} su {square} è {captured}, chiuso tra {}",
                list(&sides, "e")
            )
        }
    }
}

fn threat(capture: &Capture) -> String {
    let square = capture.square;
    let (what, captured) = match capture.piece {
        Piece::King => ("il re", "catturato"),
        Piece::Attacker | Piece::Defender => ("la pedina", "catturata"),
    };
    match &capture.cause {
        CaptureCause::Between {
            hammer,
            anvil: beyond,
            kind,
        } => format!(
            "{what} su {square} può essere {captured} tra {hammer} e {}",
            anvil(*kind, *beyond)
        ),
        CaptureCause::Siege(_) => format!("{what} su {square} può essere chiuso su tutti i lati"),
    }
}

fn outcome(outcome: &Outcome) -> String {
    let loser = outcome.winner.map(|side| colour(side.opponent()));
    let player = loser.unwrap_or("un giocatore");
    let why = match outcome.reason {
        Reason::KingEscaped => "il re è fuggito".into(),
        Reason::KingCaptured => "il re è stato catturato".into(),
        Reason::TwoLanes => "il re ha due vie aperte e non può essere catturato prima".into(),
        Reason::NoMove => format!(
            "{} non ha mosse legali",
            loser.unwrap_or("chi deve muovere")
        ),
        Reason::Repetition => match loser {
            Some(loser) => format!("{loser} ha ripetuto una posizione"),
            None => "una posizione si è ripetuta".into(),
        },
        Reason::CapturelessLimit => "troppe mosse senza cattura".into(),
        Reason::MoveLimit => match loser {
            Some(loser) => format!("{loser} ha esaurito le sue mosse"),
            None => "è stato raggiunto il limite di mosse".into(),
        },
        Reason::TimeOut => format!("{player} ha esaurito il tempo"),
        Reason::IllegalMove => format!("{player} ha fatto una mossa non valida"),
        Reason::Resignation => format!("{player} ha abbandonato"),
        Reason::Agreement => "i giocatori si sono accordati".into(),
        Reason::ConnectionLost => format!("{player} ha perso la connessione"),
        Reason::Decision => "ha deciso l'organizzatore".into(),
    };
    match outcome.winner {
        Some(side) => format!("vince {}: {why}", colour(side)),
        None => format!("patta: {why}"),
    }
}
