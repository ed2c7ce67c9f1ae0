//! German.

use super::Words;

pub(super) const WORDS: Words = Words {
    step: |number, all, title| format!("Schritt {number} von {all}: {title}"),
    help: "Tippe einen Zug wie e3e7; h für einen richtigen Zug, n für den nächsten Schritt, b für den vorigen, q zum Beenden.",
    right_move: |step, said| {
        format!("Ein richtiger Zug: {step}. {said}")
            .trim_end()
            .into()
    },
    reply: |step| format!("Die Antwort: {step}."),
    end: "Das war der letzte Schritt.",
};
