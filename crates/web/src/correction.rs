//! What corrections of a tournament say to people, in every language.

use tablut_arena::tournament::{Change, Value, Winner};
use tablut_host::tournament::Notice;
use tablut_rules::text::Lang;

/// A correction as a sentence without capital and full stop; `team` is what the team is called that it is
/// about. What programs are started with, and what
/// they have to say, is nobody else's business and is not told.
#[must_use]
pub fn describe(lang: Lang, team: Option<&str>, change: &Change) -> String {
    let team = format!("«{}»", team.or(change.name()).unwrap_or("?"));
    match (lang, change) {
        (Lang::En, Change::AddTeam { .. }) => format!("{team} comes late"),
        (Lang::It, Change::AddTeam { .. }) => format!("{team} si aggiunge"),
        (Lang::En, Change::Withdraw { annul, .. }) => match annul {
            true => format!("{team} withdraws; its games are annulled"),
            false => format!("{team} withdraws; the games it played count"),
        },
        (Lang::It, Change::Withdraw { annul, .. }) => match annul {
            true => format!("{team} si ritira; le sue partite sono annullate"),
            false => format!("{team} si ritira; le partite giocate valgono"),
        },
        (_, Change::ChangeTeam { to, .. }) => {
            let parts = to.iter().map(|(key, value)| match (lang, key.as_str()) {
                (Lang::En, "plays") => "another program".into(),
                (Lang::It, "plays") => "un altro programma".into(),
                (Lang::En, "secret") => "another secret".into(),
                (Lang::It, "secret") => "un altro segreto".into(),
                (Lang::En, "members") => format!("members: {}", words(value)),
                (Lang::It, "members") => format!("membri: {}", words(value)),
                (Lang::En, _) => format!("now called {}", words(value)),
                (Lang::It, _) => format!("ora si chiama {}", words(value)),
            });
            let parts: Vec<String> = parts.collect();
            format!("{team}: {}", parts.join("; "))
        }
        (_, Change::Set { to }) => {
            let parts: Vec<String> = to.iter().map(|(key, value)| setting(key, value)).collect();
            let begin = match lang {
                Lang::En => "for games that have not begun",
                Lang::It => "per le partite non ancora iniziate",
            };
            format!("{begin}: {}", parts.join(", "))
        }
        (Lang::En, Change::Replay { game }) => format!("game {} is played again", game + 1),
        (Lang::It, Change::Replay { game }) => format!("la partita {} si rigioca", game + 1),
        (Lang::En, Change::Result { game, winner }) => {
            let end = match winner {
                Winner::White => "white wins",
                Winner::Black => "black wins",
                Winner::Draw => "a draw",
            };
            format!("game {} by decision: {end}", game + 1)
        }
        (Lang::It, Change::Result { game, winner }) => {
            let end = match winner {
                Winner::White => "vince il bianco",
                Winner::Black => "vince il nero",
                Winner::Draw => "patta",
            };
            format!("partita {} per decisione: {end}", game + 1)
        }
        (Lang::En, Change::Archive) => "the tournament is archived".into(),
        (Lang::It, Change::Archive) => "il torneo è archiviato".into(),
    }
}

/// A value of a file as words.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

/// Settings in the words of the file.
fn setting(key: &str, value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let parts = table.iter().map(|(key, value)| setting(key, value));
            parts.collect::<Vec<_>>().join(", ")
        }
        value => format!("{key} = {}", words(value)),
    }
}

/// What follows from a correction, as a sentence without capital and full stop.
#[must_use]
pub fn notice(lang: Lang, notice: Notice) -> String {
    match (lang, notice) {
        (Lang::En, Notice::Dropped(1)) => "a game under way is dropped".into(),
        (Lang::It, Notice::Dropped(1)) => "una partita in corso è interrotta".into(),
        (Lang::En, Notice::Dropped(games)) => format!("{games} games under way are dropped"),
        (Lang::It, Notice::Dropped(games)) => format!("{games} partite in corso sono interrotte"),
        (Lang::En, Notice::FinalAnew) => {
            "the final does not follow from the tables any more and is made anew".into()
        }
        (Lang::It, Notice::FinalAnew) => {
            "la finale non segue più dalle classifiche e viene rifatta".into()
        }
        (Lang::En, Notice::FinalPlayed) => {
            "the final does not follow from the tables any more, but has been played: it stays as it is"
                .into()
        }
        (Lang::It, Notice::FinalPlayed) => {
            "la finale non segue più dalle classifiche, ma è stata giocata: resta com'è".into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_secrets_are_not_told() {
        let to = "plays = \"remote\"\nsecret = \"open-sesame\"\nmembers = [\"Ada\", \"Bo\"]";
        let change = Change::ChangeTeam {
            team: 1,
            to: to.parse().expect("a table"),
        };
        let text = describe(Lang::En, Some("B"), &change);
        assert_eq!(
            text,
            "«B»: members: Ada, Bo; another program; another secret"
        );
        let to = "max_plies = \"none\"\nlimits.memory_mb = 5".parse();
        let change = Change::Set {
            to: to.expect("a table"),
        };
        assert_eq!(
            describe(Lang::It, None, &change),
            "per le partite non ancora iniziate: memory_mb = 5, max_plies = none"
        );
    }
}
