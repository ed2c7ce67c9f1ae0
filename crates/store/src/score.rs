//! Results of all games, for ratings and statistics.

use sqlx::{AssertSqlSafe, Row, any::AnyRow, query};
use tablut_rules::{BySide, Outcome};
use tokio::task::spawn_blocking;

use crate::{
    Store, StoreError,
    game::{IS_IMPORTED, read_outcome},
    tournament::number,
};

/// A finished game: who played, and how it ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The id of the game.
    pub game: String,
    /// The id of the rule set.
    pub rules: String,
    /// Who played; nothing for a person without a name.
    pub players: BySide<Option<String>>,
    /// How it ended.
    pub outcome: Outcome,
    /// After how many plies.
    pub plies: u64,
    /// When.
    pub changed_ms: i64,
    /// Whether it was played elsewhere ([`Game::is_imported`](crate::Game::is_imported)).
    pub is_imported: bool,
}

impl Store {
    /// All games that are over, the first to end first; none that one person played against
    /// themselves, which say nothing about anybody.
    ///
    /// # Errors
    /// The database failed.
    pub async fn finished_games(&self) -> Result<Vec<Finished>, StoreError> {
        let sql = format!(
            "SELECT g.id, g.rules, g.winner, g.reason, g.plies, g.changed_ms,
                 coalesce(a.name, CASE WHEN a.player <> 'person' THEN a.player END) AS attackers,
                 coalesce(d.name, CASE WHEN d.player <> 'person' THEN d.player END) AS defenders,
                 CAST(CASE WHEN {IS_IMPORTED} THEN 1 ELSE 0 END AS BIGINT) AS imported
             FROM game g
             JOIN seat a ON a.game = g.id AND a.side = 'attackers'
             JOIN seat d ON d.game = g.id AND d.side = 'defenders'
             WHERE g.winner IS NOT NULL
                 AND (a.holder IS NULL OR d.holder IS NULL OR a.holder <> d.holder)
             ORDER BY g.changed_ms, g.id"
        );
        let rows = self.many_rows(query(AssertSqlSafe(sql))).await?;
        // A hundred thousand rows take a while: no task waits for this thread meanwhile.
        let read = spawn_blocking(move || rows.iter().filter_map(read_finished).collect());
        read.await
            .map_err(|_| StoreError::corrupt("finished game", "one that cannot be read"))?
    }
}

/// A finished game; nothing if it is not over.
fn read_finished(row: &AnyRow) -> Option<Result<Finished, StoreError>> {
    let outcome = read_outcome(row).transpose()?;
    let read = |outcome| {
        Ok(Finished {
            game: row.try_get("id")?,
            rules: row.try_get("rules")?,
            // A person's own name, or what a program is called.
            players: BySide {
                attackers: row.try_get("attackers")?,
                defenders: row.try_get("defenders")?,
            },
            outcome,
            plies: number(row, "plies")?,
            changed_ms: row.try_get("changed_ms")?,
            is_imported: row.try_get::<i64, _>("imported")? != 0,
        })
    };
    Some(outcome.and_then(read))
}
