//! Corrections of a tournament in words.

use tablut_arena::tournament::{Change, Table, Value};
use tablut_rules::text::Lang;

use super::words;
use crate::tournament::Notice;

/// A correction as a sentence without capital and full stop; `team` is what the team is called that it
/// is about. What programs are started with, and the secrets of teams, are nobody else's business and
/// are not told.
#[must_use]
pub fn change(lang: Lang, team: Option<&str>, change: &Change) -> String {
    let words = words(lang);
    let [open, close] = words.quotes;
    let team = team.or(change.name()).unwrap_or("?");
    (words.change)(&format!("{open}{team}{close}"), change)
}

/// What follows from a correction, as a sentence without capital and full stop.
#[must_use]
pub fn notice(lang: Lang, notice: Notice) -> String {
    (words(lang).notice)(notice)
}

/// A value of a file as people read it.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(", "),
        value => value.to_string(),
    }
}

/// Settings in the words of the file.
pub(super) fn settings(table: &Table) -> String {
    let one = |(key, value): (&String, &Value)| match value {
        Value::Table(table) => settings(table),
        value => format!("{key} = {}", text(value)),
    };
    table.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_secrets_are_not_told() {
        let to = "plays = \"remote\"\nsecret = \"open-sesame\"\nmembers = [\"Ada\", \"Bo\"]";
        let changed = Change::ChangeTeam {
            team: 1,
            to: to.parse().expect("a table"),
        };
        let said = [
            (
                Lang::En,
                "“B”: members: Ada, Bo; another program; another secret",
            ),
            (
                Lang::It,
                "«B»: membri: Ada, Bo; un altro programma; un altro segreto",
            ),
            (
                Lang::De,
                "„B“: Mitglieder: Ada, Bo; anderes Programm; anderes Geheimwort",
            ),
        ];
        assert_eq!(said.len(), Lang::ALL.len(), "a language is not tried");
        for (lang, expected) in said {
            assert_eq!(change(lang, Some("B"), &changed), expected);
        }
        let to = "max_plies = \"none\"\nlimits.memory_mb = 5".parse();
        let changed = Change::Set {
            to: to.expect("a table"),
        };
        assert_eq!(
            change(Lang::It, None, &changed),
            "per le partite non ancora iniziate: memory_mb = 5, max_plies = none"
        );
    }
}
