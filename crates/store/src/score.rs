//! Results of all games, for ratings and statistics.

use sqlx::{Row, any::AnyRow, query};
use tablut_rules::{Outcome, Side};

use crate::{
    Store, StoreError,
    game::{read_outcome, side_word},
};

/// A finished game: who played, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The id of the game.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who played, by [`Side::index`]; nothing for a person without a name.
    pub players: [Option<String>; 2],
    /// How it ended.
    pub outcome: Outcome,
    /// After how many plies.
    pub plies: u64,
    /// When.
    pub changed_ms: i64,
}

impl Store {
    /// All games that are over, the first to end first; none that one person played against
    /// themselves, which say nothing about anybody.
    ///
    /// # Errors
    /// The database failed.
    pub async fn finished_games(&self) -> Result<Vec<Finished>, StoreError> {
        let rows = self
            .many_rows(query(
                "SELECT g.id, g.rules, g.winner, g.reason, g.plies, g.changed_ms,
                 a.name AS attackers_name, a.player AS attackers_player,
                 d.name AS defenders_name, d.player AS defenders_player
             FROM game g
             JOIN seat a ON a.game = g.id AND a.side = 'attackers'
             JOIN seat d ON d.game = g.id AND d.side = 'defenders'
             WHERE g.winner IS NOT NULL
                 AND (a.holder IS NULL OR d.holder IS NULL OR a.holder <> d.holder)
             ORDER BY g.changed_ms, g.id",
            ))
            .await?;
        let mut games = Vec::with_capacity(rows.len());
        for row in &rows {
            let Some(outcome) = read_outcome(row)? else {
                continue;
            };
            games.push(Finished {
                game: row.try_get("id")?,
                rules: row.try_get("rules")?,
                players: [player(row, Side::Attackers)?, player(row, Side::Defenders)?],
                outcome,
                plies: u64::try_from(row.try_get::<i64, _>("plies")?).unwrap_or(0),
                changed_ms: row.try_get("changed_ms")?,
            });
        }
        Ok(games)
    }
}

/// The name of whoever sat on a side: a person's own, or what a program is called.
fn player(row: &AnyRow, side: Side) -> Result<Option<String>, StoreError> {
    let column = |what: &str| format!("{}_{what}", side_word(side));
    let name: Option<String> = row.try_get(column("name").as_str())?;
    let player: String = row.try_get(column("player").as_str())?;
    Ok(name.or((player != "person").then_some(player)))
}
