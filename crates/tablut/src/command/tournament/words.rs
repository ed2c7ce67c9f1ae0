//! The words of the report, in every language.

use tablut_arena::tournament::Stage;
use tablut_rules::{Outcome, Reason, Side, text::Lang};
use tablut_store::{Fixture, Ruling};
use tablut_web::speech::sentence;

/// Labels of the report, by the names that its page knows them by.
pub(super) fn labels(lang: Lang) -> [(&'static str, &'static str); 29] {
    match lang {
        Lang::En => [
            ("rules", "Rules"),
            ("played", "{played} of {total} games played"),
            ("points", "3 points for a win, 1 for a draw"),
            ("created", "Made on {when}"),
            ("between", "games played from {first} to {last}"),
            ("written", "report of {when}"),
            ("teams", "Teams"),
            ("team", "team"),
            ("members", "members"),
            ("group", "group"),
            ("withdrawn", "withdrawn"),
            (
                "cross",
                "Who beat whom (1 white won, 0 black won, * by decision, × does not count)",
            ),
            ("white", "white"),
            ("black", "black"),
            ("prizes", "Prizes"),
            (
                "captures",
                "Most men captured in a game of the groups, in the mean",
            ),
            (
                "men",
                "Fewest men lost in a game of the groups, in the mean",
            ),
            ("corrections", "Corrections"),
            ("when", "when"),
            ("what", "what"),
            ("why", "why"),
            ("by", "by"),
            ("undone", "undone"),
            ("games", "Games"),
            ("game", "game"),
            ("result", "result"),
            ("moves", "moves"),
            ("date", "played"),
            ("of", "{ply} of {all}"),
        ],
        Lang::It => [
            ("rules", "Regolamento"),
            ("played", "{played} partite giocate su {total}"),
            ("points", "3 punti per la vittoria, 1 per la patta"),
            ("created", "Creato il {when}"),
            ("between", "partite giocate dal {first} al {last}"),
            ("written", "rapporto del {when}"),
            ("teams", "Squadre"),
            ("team", "squadra"),
            ("members", "membri"),
            ("group", "girone"),
            ("withdrawn", "ritirata"),
            (
                "cross",
                "Chi ha battuto chi (1 vince il bianco, 0 vince il nero, * per decisione, × non vale)",
            ),
            ("white", "bianco"),
            ("black", "nero"),
            ("prizes", "Premi"),
            (
                "captures",
                "Più pedine catturate in media in una partita dei gironi",
            ),
            (
                "men",
                "Meno pedine perse in media in una partita dei gironi",
            ),
            ("corrections", "Correzioni"),
            ("when", "quando"),
            ("what", "cosa"),
            ("why", "perché"),
            ("by", "chi"),
            ("undone", "annullata"),
            ("games", "Partite"),
            ("game", "partita"),
            ("result", "risultato"),
            ("moves", "mosse"),
            ("date", "giocata"),
            ("of", "{ply} di {all}"),
        ],
    }
}

/// The titles of a table of standings, as [`super::table::cells`] fills it.
pub(super) const fn columns(lang: Lang) -> [&'static str; 11] {
    match lang {
        Lang::En => super::table::COLUMNS,
        Lang::It => [
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
    }
}

/// What a stage is called.
pub(super) fn stage(lang: Lang, stage: &Stage) -> String {
    match (lang, stage) {
        (Lang::En, _) => super::table::stage_name(stage),
        (Lang::It, Stage::Group(name)) => format!("Girone {name}"),
        (Lang::It, Stage::Final) => "Finale".into(),
    }
}

/// What became of a game, in a few words.
pub(super) fn ending(lang: Lang, fixture: &Fixture) -> String {
    if let Some(result) = &fixture.result {
        return outcome(lang, result.outcome);
    }
    let played = fixture.played.as_ref();
    match (lang, fixture.ruling, played) {
        (_, None, _) => String::new(),
        (Lang::En, Some(Ruling::Annulled), Some(played)) => {
            format!("annulled ({})", outcome(lang, played.outcome))
        }
        (Lang::It, Some(Ruling::Annulled), Some(played)) => {
            format!("annullata ({})", outcome(lang, played.outcome))
        }
        (Lang::En, Some(_), _) => "not played".into(),
        (Lang::It, Some(_), _) => "non giocata".into(),
    }
}

fn outcome(lang: Lang, outcome: Outcome) -> String {
    match (lang, outcome.reason, outcome.winner) {
        (Lang::En, ..) => super::outcome(outcome),
        (Lang::It, Reason::Decision, Some(Side::Defenders)) => "vince il bianco (decisione)".into(),
        (Lang::It, Reason::Decision, Some(Side::Attackers)) => "vince il nero (decisione)".into(),
        (Lang::It, Reason::Decision, None) => "patta (decisione)".into(),
        (Lang::It, ..) => sentence(&outcome.sentence(lang)),
    }
}
