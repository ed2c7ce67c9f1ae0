//! Italian.

use super::Words;

pub(super) const WORDS: Words = Words {
    step: |number, all, title| format!("Passo {number} di {all}: {title}"),
    letters: |has_camps| {
        let camps = if has_camps {
            "; : è una casella vuota di un campo"
        } else {
            ""
        };
        format!(
            "Sulle scacchiere w e b sono pedine bianche e nere, K è il re, T il castello vuoto e . una casella vuota{camps}."
        )
    },
    help: "Scrivi una mossa come e3e7; h per una mossa giusta, n per il passo seguente, b per quello precedente, q per finire.",
    right_move: |step, said| {
        format!("Una mossa giusta: {step}. {said}")
            .trim_end()
            .into()
    },
    reply: |step| format!("La risposta: {step}."),
    end: "Era l’ultimo passo.",
};
