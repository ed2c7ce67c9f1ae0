//! The words of the report, in every language.

mod de;
mod en;
mod it;

use jiff::{Timestamp, tz::TimeZone};
use serde::Serialize;
use tablut_arena::tournament::Stage;
use tablut_rules::{Outcome, in_language, text::Lang};
use tablut_store::{Fixture, Ruling};

/// Everything the report says in a language.
pub(super) struct Words {
    /// Labels of the page.
    pub(super) labels: Labels,
    /// The titles of a table of standings, as [`super::table::cells`] fills it.
    pub(super) columns: [&'static str; 11],
    /// A moment, for `strftime`.
    date: &'static str,
    /// What separates whole numbers from their fractions.
    decimal: &'static str,
    /// What a stage is called.
    pub(super) stage: fn(&Stage) -> String,
    /// How a game ended.
    outcome: fn(Outcome) -> String,
    /// Of a game that was played, before how it ended.
    annulled: &'static str,
    /// Of a game that does not count and was not played.
    not_played: &'static str,
}

/// Labels of the report, by the names that its page knows them by. `{...}` is filled in there.
#[derive(Serialize)]
pub(super) struct Labels {
    /// Before the name of the rule set.
    rules: &'static str,
    /// How many games were played.
    played: &'static str,
    /// What a win and a draw count.
    points: &'static str,
    /// When the tournament was made.
    created: &'static str,
    /// When its games were played.
    between: &'static str,
    /// When the report was made.
    written: &'static str,
    /// A title.
    teams: &'static str,
    /// A column.
    team: &'static str,
    /// A column.
    members: &'static str,
    /// A column.
    group: &'static str,
    /// Of a team.
    pub(super) withdrawn: &'static str,
    /// A title, with what the cells mean.
    cross: &'static str,
    /// A side.
    white: &'static str,
    /// A side.
    black: &'static str,
    /// A title.
    prizes: &'static str,
    /// Before who gets a prize.
    captures: &'static str,
    /// Before who gets a prize.
    men: &'static str,
    /// A title.
    corrections: &'static str,
    /// A column.
    when: &'static str,
    /// A column.
    what: &'static str,
    /// A column.
    why: &'static str,
    /// A column: who made a correction.
    by: &'static str,
    /// A column.
    undone: &'static str,
    /// A title.
    games: &'static str,
    /// A column.
    game: &'static str,
    /// A column.
    result: &'static str,
    /// A column.
    moves: &'static str,
    /// A column: when a game was played.
    date: &'static str,
    /// Which move of how many is shown.
    of: &'static str,
}

impl Words {
    /// The words of a language.
    pub(super) const fn of(lang: Lang) -> &'static Self {
        in_language!(lang, WORDS)
    }

    /// A moment as people write it.
    pub(super) fn moment(&self, ms: i64) -> String {
        match Timestamp::from_millisecond(ms) {
            Ok(at) => {
                let at = at.to_zoned(TimeZone::system());
                at.strftime(self.date).to_string()
            }
            Err(_) => "?".into(),
        }
    }

    /// A number with a point, as people write it.
    pub(super) fn figure(&self, number: &str) -> String {
        number.replace('.', self.decimal)
    }

    /// What became of a game, in a few words.
    pub(super) fn ending(&self, fixture: &Fixture) -> String {
        if let Some(result) = &fixture.result {
            return (self.outcome)(result.outcome);
        }
        match (fixture.ruling, &fixture.played) {
            (None, _) => String::new(),
            (Some(Ruling::Annulled), Some(played)) => {
                format!("{} ({})", self.annulled, (self.outcome)(played.outcome))
            }
            (Some(_), _) => self.not_played.into(),
        }
    }
}
