//! German.

use super::Words;

pub(super) const WORDS: Words = Words {
    puzzle: "Aufgabe",
    help: "Tippe einen Zug wie e3e7; h für einen Hinweis, s für die Lösung, n für eine andere, q zum Beenden.",
    again: "Versuche es noch einmal.",
    rating: "Deine Wertung:",
};
