//! German.

use tablut_rules::Side;

use super::Words;
use crate::puzzle::Motif;

pub(super) const WORDS: Words = Words {
    motif: |motif| match motif {
        Motif::TwoLanes => "zwei Wege",
        Motif::BlockedInTime => "rechtzeitig versperrt",
        Motif::CampAnvil => "Lager als Amboss",
        Motif::Siege => "Belagerung",
        Motif::DoubleCapture => "doppelter Schlag",
        Motif::QuietMove => "stiller Zug",
        Motif::Sacrifice => "Opfer",
        Motif::OnlyDefence => "einzige Verteidigung",
        Motif::Discovery => "Abzug",
        Motif::CutOff => "abgeschnitten",
        Motif::Capture => "Schlagen unterwegs",
        Motif::TwoThreats => "zwei Drohungen",
        Motif::Deflection => "Ablenkung",
        Motif::Unstoppable => "unabwendbare Drohung",
    },
    win: |side, moves| match side {
        Side::Defenders => format!("Weiß am Zug: Flucht in {moves} Zügen"),
        Side::Attackers => format!("Schwarz am Zug: den König in {moves} Zügen fangen"),
    },
    save: |side| match side {
        Side::Defenders => "Weiß am Zug: Nur ein Zug verliert nicht",
        Side::Attackers => "Schwarz am Zug: Nur ein Zug verliert nicht",
    },
    right: |step| format!("Richtig: {step}."),
    solved: "Gelöst.",
    wrong: |reply| format!("Nein: Darauf folgt {reply}."),
    wrong_at_once: "Nein: Damit endet die Partie, und nicht wie gewünscht.",
    slower: "Auch das gewinnt, aber nicht so schnell: Es gibt etwas Besseres.",
    hint: |from| format!("Sieh dir die Figur auf {from} an."),
    solution: |moves| format!("Die Lösung: {moves}"),
};
