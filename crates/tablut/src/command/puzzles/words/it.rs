//! Italian.

use super::Words;

pub(super) const WORDS: Words = Words {
    puzzle: "Problema",
    help: "Scrivi una mossa come e3e7; h per un suggerimento, s per la soluzione, n per un altro, q per finire.",
    again: "Riprova.",
    rating: "Il tuo punteggio:",
};
