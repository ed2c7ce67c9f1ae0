//! The rules in German sentences: captures.

use alloc::{format, string::String, vec::Vec};

use super::clause::{all, letter};
use crate::{
    CastleKing, Side,
    text::clause::{Closed, KingClause, ManClause, both, list, names},
};

pub(super) fn men(clause: &ManClause) -> String {
    match clause {
        ManClause::Custodial => "Ein Stein wird geschlagen, wenn eine gegnerische Figur auf ein \
             Feld neben ihm zieht und das Feld gegenüber, gleich auf seiner anderen Seite, ihm \
             feindlich ist. Es zählen nur Reihen und Spalten, nie Diagonalen."
            .into(),
        ManClause::EnemyHostile => "Ein Feld mit einer gegnerischen Figur ist immer feindlich. \
             Der König zählt dabei als weiße Figur: Er schlägt mit seinen Zügen schwarze Steine, \
             und das Feld, auf dem er steht, ist ihnen feindlich."
            .into(),
        ManClause::BetweenExample { man, one, other } => format!(
            "Zum Beispiel wird ein schwarzer Stein auf {man}, neben dem auf {one} eine weiße \
             Figur steht, geschlagen, wenn eine andere weiße Figur nach {other} zieht."
        ),
        ManClause::Active => "Nur die Figur, die gerade gezogen hat, schlägt: Der geschlagene \
             Stein liegt immer zwischen ihr und dem feindlichen Feld."
            .into(),
        ManClause::SideExample {
            man,
            one,
            other,
            side,
        } => format!(
            "Steht ein schwarzer Stein auf {man} schon zwischen weißen Figuren auf {one} und \
             {other}, so schlägt ihn eine weiße Figur, die nach {side} zieht, nicht."
        ),
        ManClause::SafeBetween => "Ein Stein darf zwischen zwei Gegner ziehen: Dadurch wird er \
             nicht geschlagen. Er bleibt sicher, bis eine gegnerische Figur erneut auf ein Feld \
             neben ihm zieht und das Feld gegenüber feindlich ist."
            .into(),
        ManClause::Several => "Ein Zug kann mehrere Steine auf einmal schlagen, bis zu drei. \
             Geschlagene Steine verlassen das Brett endgültig."
            .into(),
        ManClause::Edge => "Außerhalb des Bretts ist nichts feindlich: Ein Stein am Rand kann nur \
             entlang des Randes geschlagen werden, ein Stein in einer Ecke gar nicht."
            .into(),
        ManClause::CastleEmpty { castle, to } => {
            let to = match both(*to) {
                (true, true) => "Steinen beider Seiten feindlich",
                (true, false) => "schwarzen Steinen feindlich, weißen aber nicht",
                (false, true) => "weißen Steinen feindlich, schwarzen aber nicht",
                (false, false) => "keinem Stein feindlich",
            };
            format!("Der Thron {castle} ist, wenn er leer ist, {to}.")
        }
        ManClause::CastleEmptyExample { man, to, falls } => {
            let text = match both(*falls) {
                (true, true) => {
                    format!("schlägt ein Gegner, der nach {to} zieht, einen Stein auf {man}")
                }
                (true, false) => format!(
                    "schlägt eine weiße Figur, die nach {to} zieht, einen schwarzen Stein auf \
                     {man}, ein schwarzer Stein, der dorthin zieht, einen weißen auf {man} aber \
                     nicht"
                ),
                (false, true) => format!(
                    "schlägt ein schwarzer Stein, der nach {to} zieht, einen weißen Stein auf \
                     {man}, eine weiße Figur, die dorthin zieht, einen schwarzen auf {man} aber \
                     nicht"
                ),
                (false, false) => {
                    format!("schlägt ein Gegner, der nach {to} zieht, einen Stein auf {man} nicht")
                }
            };
            format!("Zum Beispiel {text}, wenn der Thron leer ist.")
        }
        ManClause::CastleKing { castle, when } => {
            let white = match when {
                CastleKing::Never => "weißen Steinen nicht feindlich",
                CastleKing::Always => "auch weißen Steinen feindlich",
                CastleKing::Besieged => {
                    "einem weißen Stein daneben nur dann feindlich, wenn auf den drei anderen \
                     Feldern neben dem Thron schwarze Steine stehen"
                }
            };
            format!(
                "Der Thron {castle} mit dem König darauf ist {white}. Schwarzen Steinen ist er \
                 feindlich wie jedes Feld, auf dem der König steht."
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
                "Steht der König auf {castle}, wird also ein weißer Stein auf {man} nicht von \
                 einem schwarzen geschlagen, der nach {to} zieht."
            ),
            CastleKing::Always => format!(
                "Steht der König auf {castle}, wird also ein weißer Stein auf {man} von einem \
                 schwarzen geschlagen, der nach {to} zieht."
            ),
            CastleKing::Besieged => format!(
                "Steht der König auf {castle}, wird also ein weißer Stein auf {man} von einem \
                 schwarzen geschlagen, der nach {to} zieht, wenn auf {} schwarze Steine stehen; \
                 fehlt einer von ihnen, so nicht.",
                all(*guards)
            ),
        },
        ManClause::CampHostile { to, white_inside } => match both(*to) {
            (true, true) => "Lagerfelder sind Steinen beider Seiten feindlich, ob leer oder \
                 besetzt, gleich von wem."
                .into(),
            (true, false) => "Lagerfelder sind schwarzen Steinen feindlich, ob leer oder besetzt, \
                 gleich von wem. Einem weißen Stein ist ein Lagerfeld nur mit einem schwarzen \
                 Stein darauf feindlich."
                .into(),
            (false, true) => {
                let black = match white_inside {
                    true => {
                        "Einem schwarzen Stein ist ein Lagerfeld nur mit einer weißen Figur darauf \
                         feindlich."
                    }
                    false => "Schwarzen Steinen sind sie nie feindlich.",
                };
                format!(
                    "Lagerfelder sind weißen Steinen feindlich, ob leer oder besetzt, gleich von \
                     wem. {black}"
                )
            }
            (false, false) => "Lagerfelder sind Steinen nicht von sich aus feindlich: Nur eine \
                 gegnerische Figur darauf macht sie feindlich."
                .into(),
        },
        ManClause::CampExempt {
            squares,
            white_inside,
        } => {
            let verb = match squares.len() {
                1 => "ist",
                _ => "sind",
            };
            let unless = match white_inside {
                true => ", es sei denn, eine weiße Figur steht darauf",
                false => "",
            };
            format!(
                "Eine Ausnahme: {} {verb} schwarzen Steinen nicht feindlich{unless}.",
                all(*squares)
            )
        }
        ManClause::CampHostileExample {
            piece,
            man,
            to,
            camp,
        } => {
            let (whose, enemy) = match piece.side() {
                Side::Attackers => ("schwarzer", "einer weißen Figur geschlagen, die"),
                Side::Defenders => ("weißer", "einem schwarzen geschlagen, der"),
            };
            format!(
                "Zum Beispiel wird ein {whose} Stein auf {man} von {enemy} nach {to} zieht, weil \
                 {camp} gegenüber ein Lagerfeld ist."
            )
        }
        ManClause::ShieldedAlways(squares) => format!(
            "Daraus folgt, dass ein schwarzer Stein auf {} nie geschlagen werden kann, solange er \
             dort steht.",
            names(*squares, "oder")
        ),
        ManClause::ShieldedButBetween(ways) => {
            let ways: Vec<String> = ways
                .iter()
                .map(|(man, one, other)| format!("auf {man} nur zwischen {one} und {other}"))
                .collect();
            format!(
                "Ein schwarzer Stein in einem Lager kann {} geschlagen werden, wobei auf beiden \
                 Feldern eine weiße Figur stehen muss.",
                list(&ways, "und")
            )
        }
    }
}

pub(super) fn king(clause: &KingClause) -> String {
    match clause {
        KingClause::KingActive { idle } => {
            let idle = if *idle {
                " Davon gibt es eine Ausnahme, siehe unten."
            } else {
                ""
            };
            format!(
                "Der König wird nur durch einen schwarzen Zug gefangen, der auf einem Feld neben \
                 ihm endet.{idle} Zieht er selbst zwischen schwarze Steine, wird er dadurch nicht \
                 gefangen."
            )
        }
        KingClause::OpenSides => "Seine Seiten sind die vier Felder neben ihm in Reihe und \
             Spalte. Ein weißer Stein neben ihm schließt keine Seite für Schwarz, und auch der \
             Rand des Bretts tut es nicht."
            .into(),
        KingClause::KingOnCastle {
            castle,
            only,
            sides,
            camps,
        } => {
            let only = if *only { " nur" } else { "" };
            let camps = if camps.is_empty() {
                String::new()
            } else {
                format!(
                    " Auf {} ist kein schwarzer Stein nötig: Ein Lagerfeld schließt seine Seite \
                     von sich aus.",
                    all(*camps)
                )
            };
            format!(
                "Auf dem Thron {castle} wird er{only} gefangen, wenn auf allen vier Seiten \
                 schwarze Steine stehen: {}.{camps}",
                all(*sides)
            )
        }
        KingClause::IdleSiege(castle) => format!(
            "Die Ausnahme: Sind alle vier Seiten eines Königs auf dem Thron {castle} geschlossen, \
             fängt ihn jeder schwarze Zug, wo auch immer er endet."
        ),
        KingClause::KingBesideCastle {
            squares,
            camps,
            open,
        } => {
            let mut text = format!(
                "Auf {}, neben dem Thron, wird er genau dann gefangen, wenn auf den drei anderen \
                 Seiten schwarze Steine stehen; der leere Thron schließt die vierte. Zwei \
                 schwarze Steine, die einander gegenüberstehen, genügen dort nicht.",
                names(*squares, "oder")
            );
            if !camps.is_empty() {
                text += &format!(
                    " Auf {} ist kein schwarzer Stein nötig: Ein Lagerfeld schließt seine Seite \
                     von sich aus.",
                    names(*camps, "oder")
                );
            }
            if !open.is_empty() {
                text += &format!(
                    " Auf {}, am Rand, bleibt eine Seite offen; dort kann er nicht gefangen \
                     werden.",
                    names(*open, "oder")
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
                    format!("; der leere Thron {castle} schließt die letzte Seite")
                }
                Some(Closed::Camp(camp)) => {
                    format!("; das Lagerfeld {camp} schließt die letzte Seite")
                }
                None => String::new(),
            };
            format!(
                "Zum Beispiel wird ein König auf {king} gefangen, wenn auf {} schwarze Steine \
                 stehen und einer von ihnen gerade dorthin gezogen ist{closed}.",
                all(*black)
            )
        }
        KingClause::KingBetween { camps } => {
            let what = match camps {
                Some(true) => {
                    "gegenüber ein weiterer schwarzer Stein steht oder ein Lagerfeld liegt. Das \
                     Lagerfeld zählt, ob leer oder nicht"
                }
                Some(false) => {
                    "gegenüber ein weiterer schwarzer Stein steht. Ein Lagerfeld ohne schwarzen \
                     Stein zählt nicht"
                }
                None => "gegenüber ein weiterer schwarzer Stein steht",
            };
            format!(
                "Überall sonst wird er gefangen, wie ein Stein geschlagen wird: wenn ein \
                 schwarzer Stein neben ihn zieht und {what}."
            )
        }
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: false,
        } => format!(
            "Zum Beispiel wird ein König auf {king}, neben dem auf {beyond} ein schwarzer Stein \
             steht, gefangen, wenn ein schwarzer Stein nach {to} zieht."
        ),
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: true,
        } => format!(
            "Zum Beispiel wird ein König auf {king} gefangen, wenn ein schwarzer Stein nach {to} \
             zieht, weil {beyond} gegenüber ein Lagerfeld ist."
        ),
        KingClause::KingSiege { camps } => match camps {
            Some(true) => "Überall sonst wird er genau dann gefangen, wenn alle vier Seiten von \
                 schwarzen Steinen geschlossen sind. Ein Lagerfeld neben ihm schließt seine Seite \
                 von sich aus, ob leer oder nicht."
                .into(),
            Some(false) => "Überall sonst wird er genau dann gefangen, wenn alle vier Seiten von \
                 schwarzen Steinen geschlossen sind. Ein Lagerfeld neben ihm schließt seine Seite \
                 nur mit einem schwarzen Stein darauf."
                .into(),
            None => "Überall sonst wird er genau dann gefangen, wenn auf allen vier Seiten \
                 schwarze Steine stehen."
                .into(),
        },
        KingClause::KingOnEdge { between: true } => {
            "Am Rand kann er nur entlang des Randes gefangen werden, in einer Ecke gar nicht."
                .into()
        }
        KingClause::KingOnEdge { between: false } => "Ein König am Rand kann nicht gefangen \
             werden: Eine seiner Seiten bleibt immer offen."
            .into(),
        KingClause::MiddleRow(castle) => format!(
            "Zwei Besonderheiten: Ein schwarzer Stein, der auf ein Feld der Reihe {row} zieht, \
             fängt den König nie zwischen sich und dem Feld gegenüber, er kann nur die letzte \
             aller vier Seiten schließen; und ein König auf dem Thron {castle} wird in der Spalte \
             {column} wie anderswo gefangen, zwischen den Feldern über und unter ihm.",
            row = castle.row() + 1,
            column = letter(*castle)
        ),
        KingClause::KingAndMen => {
            "Der Zug, der den König fängt, kann zugleich Steine schlagen.".into()
        }
    }
}
