//! The rules in Italian sentences: the board, moves, ends and calls.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::num::NonZero;

use super::capture::{king, men};
use crate::{
    Bitboard, CampClosed, CastleCross, CastleStop, Goals, NoMove, Piece, RepetitionResult, Side,
    Square, TwoLanes,
    text::{
        Section,
        clause::{BoardClause, CallClause, Clauses, EndClause, Law, MoveClause, names, section},
    },
};

/// The sections of a description.
pub(in crate::text) fn sections(clauses: &Clauses) -> Vec<Section> {
    Vec::from([
        section("Il tavoliere", &clauses.board, board),
        section("Le mosse", &clauses.moves, moves),
        section("La cattura delle pedine", &clauses.men, men),
        section("La cattura del re", &clauses.king, king),
        section("La fine della partita", &clauses.end, end),
        section("Raichi e tuichu", &clauses.calls, calls),
    ])
}

fn count(men: u32) -> String {
    match men {
        0 => "nessuna pedina".to_string(),
        1 => "una pedina".to_string(),
        n => format!("{n} pedine"),
    }
}

/// The names of squares, with "ed" before a square of column e.
pub(super) fn all(squares: Bitboard) -> String {
    names(squares, "e").replace(" e e", " ed e")
}

pub(super) fn letter(square: Square) -> char {
    char::from(b'a' + square.column())
}

fn ordinal(n: u32) -> String {
    match n {
        2 => "seconda".to_string(),
        3 => "terza".to_string(),
        4 => "quarta".to_string(),
        5 => "quinta".to_string(),
        n => format!("{n}ª"),
    }
}

fn board(clause: &BoardClause) -> String {
    match clause {
        BoardClause::Board(size) => {
            let rows = size.rows();
            let last = char::from(b'a' + rows - 1);
            format!(
                "Il tavoliere ha {rows}×{rows} caselle. Le colonne vanno dalla a alla {last} \
                 partendo da sinistra, le righe dall'1 al {rows} partendo dall'alto: a1 è dunque \
                 l'angolo in alto a sinistra."
            )
        }
        BoardClause::Sides { white, black } => format!(
            "Il bianco, che difende, ha un re e {}. Il nero, che attacca, ha {} e nessun re. Per \
             pezzo si intende una pedina o il re.",
            count(*white),
            count(*black)
        ),
        BoardClause::Aims => {
            "Il bianco vuole portare il re su una meta. Il nero vuole catturarlo.".into()
        }
        BoardClause::Castle(square) => format!("La casella {square} è il castello."),
        BoardClause::Camps(camps) => {
            let camps: Vec<String> = camps.iter().map(|&camp| all(camp)).collect();
            match &camps[..] {
                [one] => format!("C'è un solo campo, formato da queste caselle: {one}."),
                _ => format!("Ci sono {} campi: {}.", camps.len(), camps.join("; ")),
            }
        }
        BoardClause::NoCamps => "Non ci sono campi: a parte il castello e le mete, tutte \
             le caselle sono uguali."
            .into(),
        BoardClause::Goals { goals, squares } => match goals {
            Goals::Edge => "Ogni casella del bordo è una meta.".into(),
            Goals::Corners => format!("Le mete sono i quattro angoli: {}.", all(*squares)),
            Goals::Squares(_) if squares.len() == 1 => {
                format!("C'è una sola meta: {}.", all(*squares))
            }
            Goals::Squares(_) => format!("Le mete sono {}.", all(*squares)),
        },
        BoardClause::Escapes(squares) if squares.is_empty() => {
            "Il re non può raggiungere nessuna meta.".into()
        }
        BoardClause::Escapes(squares) => format!(
            "Tra le mete, il re può raggiungere soltanto {}: sono le vie di fuga.",
            all(*squares)
        ),
        BoardClause::PlainGoals { in_camps } => {
            let camps = if *in_camps {
                " Per quelle che stanno in un campo valgono le regole dei campi."
            } else {
                ""
            };
            format!(
                "Per il resto mete e angoli sono caselle normali: le pedine possono fermarvisi e \
                 attraversarle, e da sole non aiutano mai a catturare.{camps}"
            )
        }
        BoardClause::Start { piece, squares } => {
            let squares = all(*squares);
            match piece {
                Piece::King => format!("All'inizio il re sta su {squares}."),
                Piece::Defender => format!("All'inizio le pedine bianche stanno su {squares}."),
                Piece::Attacker => format!("All'inizio le pedine nere stanno su {squares}."),
            }
        }
        BoardClause::First(side) => {
            let first = match side {
                Side::Attackers => "il nero",
                Side::Defenders => "il bianco",
            };
            format!(
                "Comincia {first}. Poi si gioca a turno, una mossa per parte; non si può passare."
            )
        }
    }
}

fn moves(clause: &MoveClause) -> String {
    match clause {
        MoveClause::Straight => "Con una mossa si sposta un proprio pezzo lungo la sua riga o la \
             sua colonna, di quante caselle si vuole. Pedine e re si muovono allo stesso modo; \
             nessuno si muove in diagonale."
            .into(),
        MoveClause::NoJump => "Nessun pezzo ne salta un altro o ne prende il posto: tutte le \
             caselle del percorso, compresa l'ultima, devono essere vuote."
            .into(),
        MoveClause::CastleMoves {
            castle,
            stop,
            cross,
            home,
        } => {
            let home = match (stop, home) {
                (CastleStop::Nobody, true) => {
                    " Il re parte da lì; una volta uscito, non può tornarvi."
                }
                _ => "",
            };
            match (cross, stop) {
                (CastleCross::Nobody, CastleStop::Nobody) => format!(
                    "Nessun pezzo può fermarsi sul castello {castle} né attraversarlo, neanche \
                     quando è vuoto.{home}"
                ),
                (CastleCross::Nobody, CastleStop::King) => format!(
                    "Solo il re può fermarsi sul castello {castle}, e può tornarvi. Nessuno può \
                     attraversarlo, neanche quando è vuoto: anche il re deve fermarsi lì o prima."
                ),
                (CastleCross::Everyone, CastleStop::Nobody) => format!(
                    "Ogni pezzo può attraversare il castello {castle} quando è vuoto, ma nessuno \
                     può fermarvisi.{home}"
                ),
                (CastleCross::Everyone, CastleStop::King) => format!(
                    "Ogni pezzo può attraversare il castello {castle} quando è vuoto. Solo il re \
                     può fermarvisi, e può tornarvi."
                ),
            }
        }
        MoveClause::CastleColumnOnly { castle, stop } => {
            let king = match stop {
                CastleStop::King => ", anche al re che volesse fermarvisi",
                CastleStop::Nobody => "",
            };
            format!(
                "Questo vale solo lungo la colonna «{}»: lungo la riga {} il castello sbarra la \
                 strada anche da vuoto{king}.",
                letter(*castle),
                castle.row() + 1
            )
        }
        MoveClause::CrossExample {
            from,
            to,
            allowed: true,
        } => format!(
            "Per esempio, un pezzo su {from} può andare su {to} quando il castello è vuoto."
        ),
        MoveClause::CrossExample {
            from,
            to,
            allowed: false,
        } => format!("Così un pezzo su {from} non può mai andare su {to} con una sola mossa."),
        MoveClause::CampMoves(CampClosed::Nobody) => "I campi sono aperti a tutti i \
             pezzi: chiunque può fermarsi sulle loro caselle e attraversarle."
            .into(),
        MoveClause::CampMoves(CampClosed::King) => "Il re non può fermarsi su una casella di un \
             campo né attraversarla. Le pedine, bianche e nere, possono fare l'una e \
             l'altra cosa."
            .into(),
        MoveClause::CampMoves(CampClosed::Outsiders) => "Un pezzo, bianco o nero, che comincia la \
             mossa fuori da un campo non può fermarsi su una sua casella né attraversarla, \
             neanche quando è vuota."
            .into(),
        MoveClause::OwnCamp => "Un pezzo che comincia la mossa in un campo può muoversi al \
             suo interno, attraversarne le caselle vuote e uscirne. Una volta fuori non può più \
             rientrarvi, e gli altri campi gli sono sempre chiusi."
            .into(),
        MoveClause::OwnCampExample {
            from,
            within: Some(within),
            out,
        } => format!(
            "Per esempio, una pedina su {from} può andare su {within}, se è vuota, oppure uscire \
             su {out}; da {out} non può tornare su {from}."
        ),
        MoveClause::OwnCampExample {
            from,
            within: None,
            out,
        } => format!(
            "Per esempio, una pedina su {from} può uscire su {out}; da {out} non può tornare su \
             {from}."
        ),
        MoveClause::OtherCampExample { from, to, barred } => format!(
            "Una pedina su {from} può arrivare fino a {to}, se la strada è libera, ma non a \
             {barred}, che fa parte di un altro campo."
        ),
        MoveClause::NoWhiteInCamps => "Il bianco comincia fuori dai campi: nessun pezzo \
             bianco si trova quindi mai in uno di essi."
            .into(),
    }
}

fn end(clause: &EndClause) -> String {
    match clause {
        EndClause::GoalWins { crossing } => {
            let crossing = match crossing {
                true => "; attraversarla non basta",
                false => "",
            };
            format!(
                "Il bianco vince subito quando il re si ferma su una meta{crossing}. Prima si \
                 tolgono le pedine catturate da quella mossa."
            )
        }
        EndClause::CaptureWins => "Il nero vince subito quando il re è catturato.".into(),
        EndClause::TwoLanesWin => {
            "Il bianco vince subito in caso di tuichu (vedi sotto): sempre, se \
             tocca al bianco; se tocca al nero, quando nessuna mossa nera può catturare il re."
                .into()
        }
        EndClause::NoMove(NoMove::Loses) => {
            "Chi deve muovere e non ha mosse legali, o non ha più pezzi, perde.".into()
        }
        EndClause::NoMove(NoMove::Draws) => {
            "Se chi deve muovere non ha mosse legali, o non ha più pezzi, la partita è patta."
                .into()
        }
        EndClause::NoMove(NoMove::Ignored) => "Chi deve muovere e non ha mosse legali non perde \
             per questo: la partita resta ferma finché non la chiudono l'orologio o i giocatori."
            .into(),
        EndClause::SamePosition => "Due posizioni sono uguali quando gli stessi tipi di pezzi \
             stanno sulle stesse caselle e tocca alla stessa parte. La posizione iniziale conta \
             come prima volta."
            .into(),
        EndClause::Repetition(law) => {
            let nth = ordinal(law.occurrence);
            match law.result {
                RepetitionResult::Draw => {
                    format!(
                        "Quando una posizione si presenta per la {nth} volta, la partita è patta."
                    )
                }
                RepetitionResult::MoverLoses => format!(
                    "Quando una posizione si presenta per la {nth} volta, perde chi l'ha prodotta \
                     con la sua mossa."
                ),
            }
        }
        EndClause::NoRepetition => {
            "Ripetere una posizione non chiude la partita, per quante volte accada.".into()
        }
        EndClause::CapturelessLimit(None) => "Non c'è un limite alle mosse senza cattura.".into(),
        EndClause::CapturelessLimit(Some(NonZero::<u16>::MIN)) => {
            "La partita è patta dopo la prima mossa senza cattura.".into()
        }
        EndClause::CapturelessLimit(Some(limit)) => format!(
            "La partita è patta dopo {limit} mosse di fila senza cattura, contando insieme quelle \
             di entrambe le parti."
        ),
        EndClause::NoDraw => "Nessuna di queste regole porta alla patta.".into(),
        EndClause::Order(laws) => {
            let laws: Vec<&str> = laws.iter().map(|&l| law(l)).collect();
            format!(
                "Se a una mossa si applicano più regole, decide la prima in quest'ordine: {}.",
                laws.join(", ")
            )
        }
        EndClause::Options => "Orologi, abbandono e limite al numero di mosse riguardano la \
             singola partita, non queste regole. Con un limite di N mosse a testa, perde chi deve \
             fare la mossa N+1."
            .into(),
    }
}

fn law(law: Law) -> &'static str {
    match law {
        Law::King => "re su una meta o catturato",
        Law::TwoLanes => "tuichu",
        Law::NoMove => "nessuna mossa legale",
        Law::Repetition => "ripetizione",
        Law::CapturelessLimit => "mosse senza cattura",
    }
}

fn calls(clause: &CallClause) -> String {
    match clause {
        CallClause::Lane => "Il re ha una via aperta in una direzione quando ora, con una sola \
             mossa da quella parte, potrebbe fermarsi su una meta, a chiunque tocchi muovere."
            .into(),
        CallClause::CallWords => {
            "Una via aperta si annuncia con raichi; due o più, in direzioni diverse, con tuichu."
                .into()
        }
        CallClause::CallEffect(TwoLanes::Call) => {
            "Sono soltanto annunci: non cambiano nulla e la partita continua.".into()
        }
        CallClause::CallEffect(TwoLanes::Wins) => "Raichi è soltanto un annuncio; tuichu può far \
             vincere la partita, come detto sopra."
            .into(),
    }
}
