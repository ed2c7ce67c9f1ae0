//! English.

use tablut_rules::Side;

use super::Words;
use crate::puzzle::Motif;

pub(super) const WORDS: Words = Words {
    motif: |motif| match motif {
        Motif::TwoLanes => "two lanes",
        Motif::BlockedInTime => "blocked in time",
        Motif::CampAnvil => "camp as anvil",
        Motif::Siege => "siege",
        Motif::DoubleCapture => "double capture",
        Motif::QuietMove => "quiet move",
        Motif::Sacrifice => "sacrifice",
        Motif::OnlyDefence => "only defence",
        Motif::Discovery => "discovered lane",
        Motif::CutOff => "cut off",
        Motif::Capture => "capture on the way",
        Motif::TwoThreats => "two threats",
        Motif::Deflection => "deflection",
        Motif::Unstoppable => "unstoppable threat",
    },
    win: |side, moves| match side {
        Side::Defenders => format!("White to move: escape in {moves} moves"),
        Side::Attackers => format!("Black to move: capture the king in {moves} moves"),
    },
    save: |side| match side {
        Side::Defenders => "White to move: only one move does not lose",
        Side::Attackers => "Black to move: only one move does not lose",
    },
    right: |step| format!("Right: {step}."),
    solved: "Solved.",
    wrong: |reply| format!("No: {reply} answers that."),
    wrong_at_once: "No: that ends the game, and not as you want.",
    slower: "That wins too, but not as fast: there is something better.",
    hint: |from| format!("Look at the piece on {from}."),
    solution: |moves| format!("The solution: {moves}"),
};
