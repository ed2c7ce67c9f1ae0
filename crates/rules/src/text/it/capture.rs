//! The rules in Italian sentences: captures.

use alloc::{format, string::String, vec::Vec};

use super::clause::{all, letter};
use crate::{
    CastleKing, Side,
    text::clause::{Closed, KingClause, ManClause, both, list, names},
};

pub(super) fn men(clause: &ManClause) -> String {
    match clause {
        ManClause::Custodial => "Una pedina è catturata quando un pezzo avversario arriva su una \
             casella accanto a lei e la casella opposta, subito al di là della pedina, le è \
             ostile. Contano solo righe e colonne, mai le diagonali."
            .into(),
        ManClause::EnemyHostile => "Una casella con un pezzo avversario è sempre ostile. In \
             questo il re vale come un pezzo bianco: muovendosi cattura le pedine nere, e la \
             casella su cui sta è ostile a loro."
            .into(),
        ManClause::BetweenExample { man, one, other } => format!(
            "Per esempio, una pedina nera su {man} con un pezzo bianco su {one} è catturata \
             quando un altro pezzo bianco arriva su {other}."
        ),
        ManClause::Active => "Cattura soltanto il pezzo appena mosso: la pedina catturata si \
             trova sempre tra esso e la casella ostile."
            .into(),
        ManClause::SideExample {
            man,
            one,
            other,
            side,
        } => format!(
            "Se una pedina nera su {man} sta già tra due pezzi bianchi su {one} e {other}, un \
             pezzo bianco che arriva su {side} non la cattura."
        ),
        ManClause::SafeBetween => "Una pedina può mettersi tra due avversari: così non viene \
             catturata. Resta al sicuro finché un pezzo avversario non arriva di nuovo accanto a \
             lei con una casella ostile dalla parte opposta."
            .into(),
        ManClause::Several => "Una mossa può catturare più pedine insieme, fino a tre. Le pedine \
             catturate lasciano il tavoliere per sempre."
            .into(),
        ManClause::Edge => "Fuori dal tavoliere nulla è ostile: una pedina sul bordo può \
             essere catturata solo lungo il bordo, e una in un angolo mai."
            .into(),
        ManClause::CastleEmpty { castle, to } => {
            let to = match both(*to) {
                (true, true) => "è ostile alle pedine di entrambe le parti",
                (true, false) => "è ostile alle pedine nere ma non a quelle bianche",
                (false, true) => "è ostile alle pedine bianche ma non a quelle nere",
                (false, false) => "non è ostile a nessuna pedina",
            };
            format!("Il castello {castle}, quando è vuoto, {to}.")
        }
        ManClause::CastleEmptyExample { man, to, falls } => {
            let text = match both(*falls) {
                (true, true) => {
                    format!("una pedina su {man} è catturata da un avversario che arriva su {to}")
                }
                (true, false) => format!(
                    "una pedina nera su {man} è catturata da un pezzo bianco che arriva su {to}, \
                     ma una pedina bianca su {man} non è catturata da una nera che arriva lì"
                ),
                (false, true) => format!(
                    "una pedina bianca su {man} è catturata da una nera che arriva su {to}, ma \
                     una pedina nera su {man} non è catturata da un pezzo bianco che arriva lì"
                ),
                (false, false) => format!(
                    "una pedina su {man} non è catturata da un avversario che arriva su {to}"
                ),
            };
            format!("Per esempio, con il castello vuoto {text}.")
        }
        ManClause::CastleKing { castle, when } => {
            let white = match when {
                CastleKing::Never => "non è ostile alle pedine bianche",
                CastleKing::Always => "è ostile anche alle pedine bianche",
                CastleKing::Besieged => {
                    "è ostile a una pedina bianca accanto solo quando sulle altre tre caselle \
                     accanto al castello ci sono pedine nere"
                }
            };
            format!(
                "Il castello {castle} con il re sopra {white}. Alle pedine nere è ostile, come \
                 ogni casella con il re."
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
                "Così una pedina bianca su {man}, con il re su {castle}, non è catturata da una \
                 pedina nera che arriva su {to}."
            ),
            CastleKing::Always => format!(
                "Così una pedina bianca su {man}, con il re su {castle}, è catturata da una \
                 pedina nera che arriva su {to}."
            ),
            CastleKing::Besieged => format!(
                "Così una pedina bianca su {man}, con il re su {castle}, è catturata da una \
                 pedina nera che arriva su {to} se ci sono pedine nere su {}; se ne manca una, no.",
                all(*guards)
            ),
        },
        ManClause::CampHostile { to, white_inside } => match both(*to) {
            (true, true) => "Le caselle dei campi sono ostili alle pedine di entrambe le \
                 parti, vuote o no, chiunque vi si trovi."
                .into(),
            (true, false) => "Le caselle dei campi sono ostili alle pedine nere, vuote o \
                 no, chiunque vi si trovi. A una pedina bianca sono ostili solo con una pedina \
                 nera sopra."
                .into(),
            (false, true) => {
                let black = match white_inside {
                    true => "A una pedina nera sono ostili solo con un pezzo bianco sopra.",
                    false => "Alle pedine nere non sono mai ostili.",
                };
                format!(
                    "Le caselle dei campi sono ostili alle pedine bianche, vuote o no, chiunque vi \
                     si trovi. {black}"
                )
            }
            (false, false) => "Le caselle dei campi non sono ostili di per sé: lo sono \
                 solo con un pezzo avversario sopra."
                .into(),
        },
        ManClause::CampExempt {
            squares,
            white_inside,
        } => {
            let (verb, hostile) = match squares.len() {
                1 => ("è", "ostile"),
                _ => ("sono", "ostili"),
            };
            let unless = match white_inside {
                true => ", a meno che sopra non ci sia un pezzo bianco",
                false => "",
            };
            format!(
                "Un'eccezione: {} non {verb} {hostile} alle pedine nere{unless}.",
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
                Side::Attackers => ("nera", "un pezzo bianco"),
                Side::Defenders => ("bianca", "una pedina nera"),
            };
            format!(
                "Per esempio, una pedina {whose} su {man} è catturata da {enemy} che arriva su \
                 {to}, perché {camp}, dalla parte opposta, fa parte di un campo."
            )
        }
        ManClause::ShieldedAlways(squares) => format!(
            "Ne segue che una pedina nera su {} non può mai essere catturata finché resta lì.",
            names(*squares, "o")
        ),
        ManClause::ShieldedButBetween(ways) => {
            let ways: Vec<String> = ways
                .iter()
                .map(|(man, one, other)| format!("su {man} solo tra {one} e {other}"))
                .collect();
            format!(
                "Una pedina nera in un campo può essere catturata {}, con un pezzo bianco \
                 su ciascuna delle due caselle.",
                list(&ways, "e")
            )
        }
    }
}

pub(super) fn king(clause: &KingClause) -> String {
    match clause {
        KingClause::KingActive { idle } => {
            let idle = if *idle {
                " C'è un'eccezione, detta più sotto."
            } else {
                ""
            };
            format!(
                "Il re è catturato solo da una mossa nera che finisce su una casella accanto a \
                 lui.{idle} Se è lui a mettersi tra pedine nere, così non viene catturato."
            )
        }
        KingClause::OpenSides => "I suoi lati sono le quattro caselle accanto a lui lungo la riga \
             e la colonna. Una pedina bianca accanto a lui non chiude un lato a favore del nero, \
             e neppure il bordo del tavoliere."
            .into(),
        KingClause::KingOnCastle {
            castle,
            only,
            sides,
            camps,
        } => {
            let only = if *only { " solo" } else { "" };
            let camps = if camps.is_empty() {
                String::new()
            } else {
                format!(
                    " Su {} non serve una pedina nera: una casella di un campo chiude il \
                     suo lato da sola.",
                    all(*camps)
                )
            };
            format!(
                "Sul castello {castle} è catturato{only} quando ci sono pedine nere su tutti e \
                 quattro i lati: {}.{camps}",
                all(*sides)
            )
        }
        KingClause::IdleSiege(castle) => format!(
            "L'eccezione: quando tutti e quattro i lati di un re sul castello {castle} sono \
             chiusi, qualsiasi mossa nera lo cattura, ovunque finisca."
        ),
        KingClause::KingBesideCastle {
            squares,
            camps,
            open,
        } => {
            let mut text = format!(
                "Su {}, accanto al castello, è catturato quando, e solo quando, ci sono pedine nere sugli \
                 altri tre lati; il castello vuoto chiude il quarto. Lì due pedine nere opposte \
                 non bastano.",
                names(*squares, "o")
            );
            if !camps.is_empty() {
                text += &format!(
                    " Su {} non serve una pedina nera: una casella di un campo chiude il \
                     suo lato da sola.",
                    names(*camps, "o")
                );
            }
            if !open.is_empty() {
                text += &format!(
                    " Su {}, al bordo, un lato resta aperto: lì non può essere catturato.",
                    names(*open, "o")
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
                    format!("; il castello vuoto {castle} chiude l'ultimo lato")
                }
                Some(Closed::Camp(camp)) => {
                    format!("; la casella di campo {camp} chiude l'ultimo lato")
                }
                None => String::new(),
            };
            format!(
                "Per esempio, un re su {king} è catturato quando ci sono pedine nere su {} e una \
                 di loro vi è appena arrivata{closed}.",
                all(*black)
            )
        }
        KingClause::KingBetween { camps } => {
            let what = match camps {
                Some(true) => {
                    "dalla parte opposta c'è un'altra pedina nera o una casella di un \
                     campo. La casella del campo conta, vuota o no"
                }
                Some(false) => {
                    "dalla parte opposta c'è un'altra pedina nera. Una casella di un campo \
                     senza pedina nera non conta"
                }
                None => "dalla parte opposta c'è un'altra pedina nera",
            };
            format!(
                "Altrove è catturato come una pedina: quando una pedina nera arriva accanto a lui \
                 e {what}."
            )
        }
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: false,
        } => format!(
            "Per esempio, un re su {king} con una pedina nera su {beyond} è catturato quando una \
             pedina nera arriva su {to}."
        ),
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: true,
        } => format!(
            "Per esempio, un re su {king} è catturato quando una pedina nera arriva su {to}, \
             perché {beyond}, dalla parte opposta, fa parte di un campo."
        ),
        KingClause::KingSiege { camps } => match camps {
            Some(true) => "Altrove è catturato quando, e solo quando, tutti e quattro i lati sono chiusi da \
                 pedine nere. Una casella di un campo accanto a lui chiude il suo lato da \
                 sola, vuota o no."
                .into(),
            Some(false) => "Altrove è catturato quando, e solo quando, tutti e quattro i lati sono chiusi da \
                 pedine nere. Una casella di un campo accanto a lui chiude il suo lato \
                 solo con una pedina nera sopra."
                .into(),
            None => {
                "Altrove è catturato quando, e solo quando, ci sono pedine nere su tutti e quattro i lati."
                    .into()
            }
        },
        KingClause::KingOnEdge { between: true } => "Sul bordo può essere catturato solo lungo il \
             bordo, e in un angolo mai."
            .into(),
        KingClause::KingOnEdge { between: false } => "Un re sul bordo non può essere catturato: \
             uno dei suoi lati resta sempre aperto."
            .into(),
        KingClause::MiddleRow(castle) => format!(
            "Due particolarità: una pedina nera che arriva su una casella della riga {row} non \
             cattura mai il re tra sé e la casella opposta, può solo chiudere l'ultimo di tutti e \
             quattro i lati; e un re sul castello {castle} è catturato lungo la colonna «{column}» \
             come altrove, tra le caselle sopra e sotto di lui.",
            row = castle.row() + 1,
            column = letter(*castle)
        ),
        KingClause::KingAndMen => {
            "La mossa che cattura il re può catturare anche delle pedine.".into()
        }
    }
}
