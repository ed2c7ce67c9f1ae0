//! Italian.

use tablut_rules::Side;

use super::Words;
use crate::puzzle::Motif;

pub(super) const WORDS: Words = Words {
    motif: |motif| match motif {
        Motif::TwoLanes => "due vie",
        Motif::BlockedInTime => "chiusa in tempo",
        Motif::CampAnvil => "campo come incudine",
        Motif::Siege => "assedio",
        Motif::DoubleCapture => "doppia cattura",
        Motif::QuietMove => "mossa tranquilla",
        Motif::Sacrifice => "sacrificio",
        Motif::OnlyDefence => "unica difesa",
        Motif::Discovery => "via scoperta",
        Motif::CutOff => "re tagliato fuori",
        Motif::Capture => "cattura preparatoria",
        Motif::TwoThreats => "due minacce",
        Motif::Deflection => "deviazione",
        Motif::Unstoppable => "minaccia inarrestabile",
    },
    win: |side, moves| match side {
        Side::Defenders => format!("Il bianco muove: fuga in {moves} mosse"),
        Side::Attackers => format!("Il nero muove: cattura il re in {moves} mosse"),
    },
    save: |side| match side {
        Side::Defenders => "Il bianco muove: una sola mossa non perde",
        Side::Attackers => "Il nero muove: una sola mossa non perde",
    },
    right: |step| format!("Giusto: {step}."),
    solved: "Risolto.",
    wrong: |reply| format!("No: risponde {reply}."),
    wrong_at_once: "No: così la partita finisce, e non come vuoi.",
    slower: "Vince anche questa, ma non così presto: c'è di meglio.",
    hint: |from| format!("Guarda il pezzo su {from}."),
    solution: |moves| format!("La soluzione: {moves}"),
};
