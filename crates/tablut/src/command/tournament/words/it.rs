//! Italian.

use tablut_arena::tournament::Stage;
use tablut_host::speech::sentence;
use tablut_rules::{Outcome, Reason, Side, text::Lang};

use super::{Labels, Words};

/// What the report says.
pub(super) const WORDS: Words = Words {
    labels: Labels {
        rules: "Regolamento",
        played: "{played} partite giocate su {total}",
        points: "3 punti per la vittoria, 1 per la patta",
        created: "Creato il {when}",
        between: "partite giocate dal {first} al {last}",
        written: "rapporto del {when}",
        teams: "Squadre",
        team: "squadra",
        members: "membri",
        group: "girone",
        withdrawn: "ritirata",
        cross: "Chi ha battuto chi (1 vince il bianco, 0 vince il nero, * per decisione, × non vale)",
        white: "bianco",
        black: "nero",
        prizes: "Premi",
        captures: "Più pedine catturate in media in una partita dei gironi",
        men: "Meno pedine perse in media in una partita dei gironi",
        corrections: "Correzioni",
        when: "quando",
        what: "cosa",
        why: "perché",
        by: "chi",
        undone: "annullata",
        games: "Partite",
        game: "partita",
        result: "risultato",
        moves: "mosse",
        date: "giocata",
        of: "{ply} di {all}",
    },
    columns: [
        "posto",
        "squadra",
        "punti",
        "partite",
        "tutte v/p/s",
        "bianco v/p/s",
        "nero v/p/s",
        "catturate",
        "perse",
        "media mosse",
        "punti mossa",
    ],
    date: "%d/%m/%Y %H:%M",
    decimal: ",",
    stage: |stage| match stage {
        Stage::Group(name) => format!("Girone {name}"),
        Stage::Final => "Finale".into(),
    },
    outcome,
    annulled: "annullata",
    not_played: "non giocata",
};

fn outcome(outcome: Outcome) -> String {
    match (outcome.reason, outcome.winner) {
        (Reason::Decision, Some(Side::Defenders)) => "vince il bianco (decisione)".into(),
        (Reason::Decision, Some(Side::Attackers)) => "vince il nero (decisione)".into(),
        (Reason::Decision, None) => "patta (decisione)".into(),
        _ => sentence(&outcome.sentence(Lang::It)),
    }
}
