//! English.

use tablut_rules::Outcome;

use super::{Labels, Words};
use crate::command::tournament::{
    outcome as short,
    table::{COLUMNS, stage_name},
};

/// What the report says.
pub(super) const WORDS: Words = Words {
    labels: Labels {
        rules: "Rules",
        played: "{played} of {total} games played",
        points: "3 points for a win, 1 for a draw",
        created: "Created on {when}",
        between: "games played from {first} to {last}",
        written: "report of {when}",
        teams: "Teams",
        team: "team",
        members: "members",
        group: "group",
        withdrawn: "withdrawn",
        cross: "Who beat whom (1 white won, 0 black won, * by decision, × does not count)",
        white: "white",
        black: "black",
        prizes: "Prizes",
        captures: "Most men captured per group game, on average",
        men: "Fewest men lost per group game, on average",
        corrections: "Corrections",
        when: "when",
        what: "what",
        why: "why",
        by: "by",
        undone: "undone",
        games: "Games",
        game: "game",
        result: "result",
        moves: "moves",
        date: "played",
        of: "{ply} of {all}",
    },
    columns: COLUMNS,
    date: "%Y-%m-%d %H:%M",
    decimal: ".",
    stage: stage_name,
    outcome,
    annulled: "annulled",
    not_played: "not played",
};

fn outcome(outcome: Outcome) -> String {
    short(outcome)
}
