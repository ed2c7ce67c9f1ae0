//! German.

use super::Words;

pub(super) const WORDS: Words = Words {
    step: |number, all, title| format!("Schritt {number} von {all}: {title}"),
    letters: |has_camps| {
        let camps = if has_camps {
            "; : ist ein leeres Lagerfeld"
        } else {
            ""
        };
        format!(
            "Auf den Brettern sind w und b weiße und schwarze Steine, K ist der König, T der leere Thron und . ein leeres Feld{camps}."
        )
    },
    help: "Tippe einen Zug wie e3e7; h für einen richtigen Zug, n für den nächsten Schritt, b für den vorigen, q zum Beenden.",
    right_move: |step, said| {
        format!("Ein richtiger Zug: {step}. {said}")
            .trim_end()
            .into()
    },
    reply: |step| format!("Die Antwort: {step}."),
    end: "Das war der letzte Schritt.",
};
