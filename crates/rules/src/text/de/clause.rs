//! The rules in German sentences: the board, moves, ends and calls.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::num::NonZero;

use super::{
    capture::{king, men},
    colour,
};
use crate::{
    Bitboard, CampClosed, CastleCross, CastleStop, Goals, NoMove, Piece, RepetitionResult, Square,
    TwoLanes,
    text::{
        Section,
        clause::{BoardClause, CallClause, Clauses, EndClause, Law, MoveClause, names, section},
    },
};

/// The sections of a description.
pub(in crate::text) fn sections(clauses: &Clauses) -> Vec<Section> {
    Vec::from([
        section("Das Brett", &clauses.board, board),
        section("Die Züge", &clauses.moves, moves),
        section("Steine schlagen", &clauses.men, men),
        section("Den König fangen", &clauses.king, king),
        section("Das Ende der Partie", &clauses.end, end),
        section("Raichi und Tuichu", &clauses.calls, calls),
    ])
}

/// How many men a side has, as an object.
fn count(men: u32) -> String {
    match men {
        0 => "keine Steine".to_string(),
        1 => "einen Stein".to_string(),
        n => format!("{n} Steine"),
    }
}

/// The names of squares, all of them.
pub(super) fn all(squares: Bitboard) -> String {
    names(squares, "und")
}

pub(super) fn letter(square: Square) -> char {
    char::from(b'a' + square.column())
}

/// "zum zweiten Mal"
fn ordinal(n: u32) -> String {
    match n {
        2 => "zweiten".to_string(),
        3 => "dritten".to_string(),
        4 => "vierten".to_string(),
        5 => "fünften".to_string(),
        n => format!("{n}."),
    }
}

fn board(clause: &BoardClause) -> String {
    match clause {
        BoardClause::Board(size) => {
            let rows = size.rows();
            let last = char::from(b'a' + rows - 1);
            format!(
                "Das Brett hat {rows}×{rows} Felder. Die Spalten heißen von links nach rechts a \
                 bis {last}, die Reihen von oben nach unten 1 bis {rows}; a1 ist also die Ecke \
                 oben links."
            )
        }
        BoardClause::Sides { white, black } => format!(
            "Weiß verteidigt und hat einen König und {}. Schwarz greift an und hat {} und keinen \
             König. Als Figur gilt ein Stein wie auch der König.",
            count(*white),
            count(*black)
        ),
        BoardClause::Aims => {
            "Weiß will den König auf ein Zielfeld bringen. Schwarz will ihn fangen.".into()
        }
        BoardClause::Castle(square) => format!("Das Feld {square} ist der Thron."),
        BoardClause::Camps(camps) => {
            let camps: Vec<String> = camps.iter().map(|&camp| all(camp)).collect();
            match &camps[..] {
                [one] => format!("Es gibt ein einziges Lager mit diesen Feldern: {one}."),
                _ => format!("Es gibt {} Lager: {}.", camps.len(), camps.join("; ")),
            }
        }
        BoardClause::NoCamps => "Es gibt keine Lager: Abgesehen vom Thron und von den Zielfeldern \
             sind alle Felder gleich."
            .into(),
        BoardClause::Goals { goals, squares } => match goals {
            Goals::Edge => "Jedes Feld am Rand des Bretts ist ein Zielfeld.".into(),
            Goals::Corners => format!("Die Zielfelder sind die vier Ecken: {}.", all(*squares)),
            Goals::Squares(_) if squares.len() == 1 => {
                format!("Es gibt ein einziges Zielfeld: {}.", all(*squares))
            }
            Goals::Squares(_) => format!("Die Zielfelder sind {}.", all(*squares)),
        },
        BoardClause::Escapes(squares) if squares.is_empty() => {
            "Der König kann keines der Zielfelder erreichen.".into()
        }
        BoardClause::Escapes(squares) => format!(
            "Von den Zielfeldern kann der König nur {} erreichen; sie heißen Fluchtfelder.",
            all(*squares)
        ),
        BoardClause::PlainGoals { in_camps } => {
            let camps = if *in_camps {
                " Liegt eines in einem Lager, gelten dort die Regeln für Lager."
            } else {
                ""
            };
            format!(
                "Sonst sind Zielfelder und Ecken gewöhnliche Felder: Steine dürfen darauf stehen \
                 bleiben und darüberziehen, und von sich aus helfen sie nie beim Schlagen.{camps}"
            )
        }
        BoardClause::Start { piece, squares } => {
            let squares = all(*squares);
            match piece {
                Piece::King => format!("Zu Beginn steht der König auf {squares}."),
                Piece::Defender => format!("Zu Beginn stehen die weißen Steine auf {squares}."),
                Piece::Attacker => format!("Zu Beginn stehen die schwarzen Steine auf {squares}."),
            }
        }
        BoardClause::First(side) => format!(
            "{} beginnt. Danach wird abwechselnd gezogen, immer ein Zug; niemand darf aussetzen.",
            colour(*side)
        ),
    }
}

fn moves(clause: &MoveClause) -> String {
    match clause {
        MoveClause::Straight => "Wer am Zug ist, zieht eine eigene Figur beliebig viele Felder \
             weit entlang ihrer Reihe oder Spalte. Steine und König ziehen gleich; diagonal zieht \
             niemand."
            .into(),
        MoveClause::NoJump => "Keine Figur überspringt eine andere oder nimmt ihren Platz ein: \
             Alle Felder auf dem Weg und auch das letzte müssen leer sein."
            .into(),
        MoveClause::CastleMoves {
            castle,
            stop,
            cross,
            home,
        } => {
            let home = match (stop, home) {
                (CastleStop::Nobody, true) => {
                    " Der König beginnt dort; hat er ihn verlassen, kann er nicht zurück."
                }
                _ => "",
            };
            match (cross, stop) {
                (CastleCross::Nobody, CastleStop::Nobody) => format!(
                    "Keine Figur darf auf dem Thron {castle} stehen bleiben oder darüberziehen, \
                     auch wenn er leer ist.{home}"
                ),
                (CastleCross::Nobody, CastleStop::King) => format!(
                    "Nur der König darf auf dem Thron {castle} stehen bleiben, und er darf \
                     dorthin zurückkehren. Niemand darf darüberziehen, auch wenn er leer ist: \
                     Auch der König muss dort oder davor anhalten."
                ),
                (CastleCross::Everyone, CastleStop::Nobody) => format!(
                    "Jede Figur darf über den leeren Thron {castle} ziehen, aber keine darf \
                     darauf stehen bleiben.{home}"
                ),
                (CastleCross::Everyone, CastleStop::King) => format!(
                    "Jede Figur darf über den leeren Thron {castle} ziehen. Nur der König darf \
                     darauf stehen bleiben, und er darf dorthin zurückkehren."
                ),
            }
        }
        MoveClause::CastleColumnOnly { castle, stop } => {
            let king = match stop {
                CastleStop::King => ", auch für einen König, der darauf stehen bleiben will",
                CastleStop::Nobody => "",
            };
            format!(
                "Das gilt nur entlang der Spalte {}: Entlang der Reihe {} liegt der Thron auch \
                 dann im Weg, wenn er leer ist{king}.",
                letter(*castle),
                castle.row() + 1
            )
        }
        MoveClause::CrossExample {
            from,
            to,
            allowed: true,
        } => format!(
            "Zum Beispiel darf eine Figur auf {from} nach {to} ziehen, wenn der Thron leer ist."
        ),
        MoveClause::CrossExample {
            from,
            to,
            allowed: false,
        } => format!("Eine Figur auf {from} kann also nie in einem Zug nach {to} gelangen."),
        MoveClause::CampMoves(CampClosed::Nobody) => "Lagerfelder stehen allen Figuren offen: \
             Jede darf darauf stehen bleiben und darüberziehen."
            .into(),
        MoveClause::CampMoves(CampClosed::King) => "Der König darf auf keinem Lagerfeld stehen \
             bleiben und über keines ziehen. Steine beider Seiten dürfen beides."
            .into(),
        MoveClause::CampMoves(CampClosed::Outsiders) => "Eine Figur, gleich welcher Seite, die \
             ihren Zug außerhalb eines Lagers beginnt, darf auf dessen Feldern weder stehen \
             bleiben noch darüberziehen, auch wenn sie leer sind."
            .into(),
        MoveClause::OwnCamp => "Eine Figur, die ihren Zug in einem Lager beginnt, darf innerhalb \
             dieses Lagers ziehen, auch über seine leeren Felder, und es verlassen. Steht sie \
             einmal draußen, kann sie nie zurück, und andere Lager bleiben ihr immer verschlossen."
            .into(),
        MoveClause::OwnCampExample {
            from,
            within: Some(within),
            out,
        } => format!(
            "Zum Beispiel darf ein Stein auf {from} nach {within} ziehen, falls es leer ist, oder \
             hinaus nach {out}; von {out} kann er nicht nach {from} zurück."
        ),
        MoveClause::OwnCampExample {
            from,
            within: None,
            out,
        } => format!(
            "Zum Beispiel darf ein Stein auf {from} hinaus nach {out} ziehen; von {out} kann er \
             nicht nach {from} zurück."
        ),
        MoveClause::OtherCampExample { from, to, barred } => format!(
            "Ein Stein auf {from} darf bei freiem Weg bis nach {to} ziehen, aber nicht nach \
             {barred}, das in einem anderen Lager liegt."
        ),
        MoveClause::NoWhiteInCamps => "Weiß beginnt außerhalb der Lager; deshalb steht nie eine \
             weiße Figur in einem Lager."
            .into(),
    }
}

fn end(clause: &EndClause) -> String {
    match clause {
        EndClause::GoalWins { crossing } => {
            let crossing = match crossing {
                true => "; darüberzuziehen genügt nicht",
                false => "",
            };
            format!(
                "Weiß gewinnt sofort, wenn der König auf einem Zielfeld stehen bleibt{crossing}. \
                 Steine, die dieser Zug schlägt, werden vorher vom Brett genommen."
            )
        }
        EndClause::CaptureWins => "Schwarz gewinnt sofort, wenn der König gefangen wird.".into(),
        EndClause::TwoLanesWin => "Weiß gewinnt sofort bei Tuichu (siehe unten): immer, wenn Weiß \
             am Zug ist; ist Schwarz am Zug, dann, wenn kein schwarzer Zug den König fangen kann."
            .into(),
        EndClause::NoMove(NoMove::Loses) => {
            "Wer am Zug ist und keinen erlaubten Zug oder keine Figur mehr hat, verliert.".into()
        }
        EndClause::NoMove(NoMove::Draws) => "Hat die Seite am Zug keinen erlaubten Zug oder keine \
             Figur mehr, endet die Partie remis."
            .into(),
        EndClause::NoMove(NoMove::Ignored) => "Wer am Zug ist und keinen erlaubten Zug hat, \
             verliert dadurch nicht: Die Partie ruht, bis eine Uhr oder die Spieler sie beenden."
            .into(),
        EndClause::SamePosition => "Zwei Stellungen sind gleich, wenn auf denselben Feldern \
             Figuren derselben Art stehen und dieselbe Seite am Zug ist. Die Anfangsstellung \
             zählt als erstes Vorkommen."
            .into(),
        EndClause::Repetition(law) => {
            let nth = ordinal(law.occurrence);
            match law.result {
                RepetitionResult::Draw => {
                    format!("Entsteht eine Stellung zum {nth} Mal, endet die Partie remis.")
                }
                RepetitionResult::MoverLoses => format!(
                    "Entsteht eine Stellung zum {nth} Mal, verliert, wer sie mit seinem Zug \
                     herbeigeführt hat."
                ),
            }
        }
        EndClause::NoRepetition => {
            "Eine Stellung zu wiederholen beendet die Partie nicht, wie oft es auch geschieht."
                .into()
        }
        EndClause::CapturelessLimit(None) => {
            "Die Zahl der Züge ohne Schlagen ist nicht begrenzt.".into()
        }
        EndClause::CapturelessLimit(Some(NonZero::<u16>::MIN)) => {
            "Nach dem ersten Zug, der nichts schlägt, endet die Partie remis.".into()
        }
        EndClause::CapturelessLimit(Some(limit)) => format!(
            "Nach {limit} Zügen in Folge, die nichts schlagen, endet die Partie remis; die Züge \
             beider Seiten zählen zusammen."
        ),
        EndClause::NoDraw => "Keine dieser Regeln führt zu einem Remis.".into(),
        EndClause::Order(laws) => {
            let laws: Vec<&str> = laws.iter().map(|&l| law(l)).collect();
            format!(
                "Treffen auf einen Zug mehrere dieser Regeln zu, entscheidet die erste in dieser \
                 Reihenfolge: {}.",
                laws.join(", ")
            )
        }
        EndClause::Options => "Bedenkzeit, Aufgabe und eine Höchstzahl von Zügen gehören zur \
             einzelnen Partie, nicht zu diesem Regelwerk. Bei höchstens N Zügen je Spieler \
             verliert, wer den Zug N+1 machen müsste."
            .into(),
    }
}

fn law(law: Law) -> &'static str {
    match law {
        Law::King => "König auf einem Zielfeld oder gefangen",
        Law::TwoLanes => "Tuichu",
        Law::NoMove => "kein erlaubter Zug",
        Law::Repetition => "Wiederholung",
        Law::CapturelessLimit => "Züge ohne Schlagen",
    }
}

fn calls(clause: &CallClause) -> String {
    match clause {
        CallClause::Lane => "Der König hat in einer Richtung einen offenen Weg, wenn er jetzt mit \
             einem einzigen Zug in diese Richtung auf einem Zielfeld stehen bleiben könnte, \
             gleich wer am Zug ist."
            .into(),
        CallClause::CallWords => "Ein offener Weg heißt Raichi; zwei oder mehr in verschiedenen \
             Richtungen heißen Tuichu."
            .into(),
        CallClause::CallEffect(TwoLanes::Call) => {
            "Beides sind nur Ansagen: Sie ändern nichts, und die Partie geht weiter.".into()
        }
        CallClause::CallEffect(TwoLanes::Wins) => "Raichi ist nur eine Ansage; Tuichu kann, wie \
             oben gesagt, die Partie gewinnen."
            .into(),
    }
}
