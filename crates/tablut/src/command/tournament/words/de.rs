//! German.

use tablut_arena::tournament::Stage;
use tablut_host::speech::sentence;
use tablut_rules::{Outcome, Reason, Side, text::Lang};

use super::{Labels, Words};

/// What the report says.
pub(super) const WORDS: Words = Words {
    labels: Labels {
        rules: "Regelwerk",
        played: "{played} von {total} Partien gespielt",
        points: "3 Punkte für einen Sieg, 1 für ein Remis",
        created: "Angelegt am {when}",
        between: "Partien gespielt vom {first} bis zum {last}",
        written: "Bericht vom {when}",
        teams: "Teams",
        team: "Team",
        members: "Mitglieder",
        group: "Gruppe",
        withdrawn: "zurückgezogen",
        cross: "Wer gegen wen (1 Weiß gewann, 0 Schwarz gewann, * durch Entscheidung, × zählt nicht)",
        white: "Weiß",
        black: "Schwarz",
        prizes: "Preise",
        captures: "Die meisten geschlagenen Steine pro Gruppenspiel im Durchschnitt",
        men: "Die wenigsten verlorenen Steine pro Gruppenspiel im Durchschnitt",
        corrections: "Korrekturen",
        when: "wann",
        what: "was",
        why: "warum",
        by: "wer",
        undone: "zurückgenommen",
        games: "Partien",
        game: "Partie",
        result: "Ergebnis",
        moves: "Züge",
        date: "gespielt am",
        of: "{ply} von {all}",
    },
    columns: [
        "Platz",
        "Team",
        "Punkte",
        "Partien",
        "gesamt S/R/N",
        "Weiß S/R/N",
        "Schwarz S/R/N",
        "geschlagen",
        "verloren",
        "Züge im Schnitt",
        "Zugpunkte",
    ],
    date: "%d.%m.%Y %H:%M",
    decimal: ",",
    stage: |stage| match stage {
        Stage::Group(name) => format!("Gruppe {name}"),
        Stage::Final => "Finale".into(),
    },
    outcome,
    annulled: "annulliert",
    not_played: "nicht gespielt",
};

fn outcome(outcome: Outcome) -> String {
    match (outcome.reason, outcome.winner) {
        (Reason::Decision, Some(Side::Defenders)) => "Weiß gewinnt (Entscheidung)".into(),
        (Reason::Decision, Some(Side::Attackers)) => "Schwarz gewinnt (Entscheidung)".into(),
        (Reason::Decision, None) => "Remis (Entscheidung)".into(),
        _ => sentence(&outcome.sentence(Lang::De)),
    }
}
